package model

// Decoders are the functions that take one whole document. Of a streaming
// decoder the receiver stands for the document: the constructors are in Passes,
// so that NewDecoder(bytes.NewReader(x)).Decode is traced to x.
var Decoders = []Decoder{
	{Func: "encoding/json.Unmarshal", Data: 0, Into: 1, Mod: modStd},
	{Func: "(encoding/json.Decoder).Decode", Data: 0, Into: 1, Mod: modStd},
	{Func: "encoding/json.Valid", Data: 0, Into: Result, Mod: modStd, Bool: true},
	{Func: "encoding/json.Compact", Data: 1, Into: 0, Mod: modStd},
	{Func: "encoding/json.Indent", Data: 1, Into: 0, Mod: modStd},
	{Func: "encoding/json/v2.Unmarshal", Data: 0, Into: 1, Mod: modStd},
	{Func: "encoding/json/v2.UnmarshalRead", Data: 0, Into: 1, Mod: modStd},
	{Func: "encoding/json/v2.UnmarshalDecode", Data: 0, Into: 1, Mod: modStd},
	{Func: "(encoding/json/jsontext.Value).IsValid", Data: 0, Into: Result, Mod: modStd, Bool: true},
	{Func: "(encoding/json/jsontext.Value).Compact", Data: 0, Into: 0, Mod: modStd},
	{Func: "(encoding/json/jsontext.Value).Indent", Data: 0, Into: 0, Mod: modStd},
	{Func: "(encoding/json/jsontext.Value).Canonicalize", Data: 0, Into: 0, Mod: modStd},
	{Func: "encoding/json/jsontext.AppendFormat", Data: 1, Into: Result, Mod: modStd},
	{Func: "encoding/xml.Unmarshal", Data: 0, Into: 1, Mod: modStd},
	{Func: "(encoding/xml.Decoder).Decode", Data: 0, Into: 1, Mod: modStd},
	{Func: "(encoding/xml.Decoder).DecodeElement", Data: 0, Into: 1, Mod: modStd},
	{Func: "(encoding/gob.Decoder).Decode", Data: 0, Into: 1, Mod: modStd},
	{Func: "encoding/asn1.Unmarshal", Data: 0, Into: 1, Mod: modStd},

	// sonic
	{Func: "github.com/bytedance/sonic.Unmarshal", Data: 0, Into: 1, Mod: modSonic},
	{Func: "github.com/bytedance/sonic.UnmarshalString", Data: 0, Into: 1, Mod: modSonic},
	{Func: "(github.com/bytedance/sonic.API).Unmarshal", Data: 1, Into: 2, Mod: modSonic},
	{Func: "(github.com/bytedance/sonic.API).UnmarshalFromString", Data: 1, Into: 2, Mod: modSonic},
	{Func: "(github.com/bytedance/sonic.Decoder).Decode", Data: 0, Into: 1, Mod: modSonic},
	{Func: "github.com/bytedance/sonic.Valid", Data: 0, Into: Result, Mod: modSonic, Bool: true},
	{Func: "github.com/bytedance/sonic.ValidString", Data: 0, Into: Result, Mod: modSonic, Bool: true},
	{Func: "(github.com/bytedance/sonic.API).Valid", Data: 1, Into: Result, Mod: modSonic, Bool: true},
	{Func: "github.com/bytedance/sonic.Get", Data: 0, Into: Result, Mod: modSonic},
	{Func: "github.com/bytedance/sonic.GetFromString", Data: 0, Into: Result, Mod: modSonic},
	{Func: "github.com/bytedance/sonic.GetCopyFromString", Data: 0, Into: Result, Mod: modSonic},
	{Func: "github.com/bytedance/sonic.GetWithOptions", Data: 0, Into: Result, Mod: modSonic},

	// json-iterator
	{Func: "github.com/json-iterator/go.Unmarshal", Data: 0, Into: 1, Mod: modJsoniter},
	{Func: "github.com/json-iterator/go.UnmarshalFromString", Data: 0, Into: 1, Mod: modJsoniter},
	{Func: "(github.com/json-iterator/go.API).Unmarshal", Data: 1, Into: 2, Mod: modJsoniter},
	{Func: "(github.com/json-iterator/go.API).UnmarshalFromString", Data: 1, Into: 2, Mod: modJsoniter},
	{Func: "(github.com/json-iterator/go.Decoder).Decode", Data: 0, Into: 1, Mod: modJsoniter},
	{Func: "github.com/json-iterator/go.Valid", Data: 0, Into: Result, Mod: modJsoniter, Bool: true},
	{Func: "(github.com/json-iterator/go.API).Valid", Data: 1, Into: Result, Mod: modJsoniter, Bool: true},
	{Func: "github.com/json-iterator/go.Get", Data: 0, Into: Result, Mod: modJsoniter, Lenient: true},
	{Func: "(github.com/json-iterator/go.API).Get", Data: 1, Into: Result, Mod: modJsoniter, Lenient: true},

	// goccy/go-json
	{Func: "github.com/goccy/go-json.Unmarshal", Data: 0, Into: 1, Mod: modGoccyJSON},
	{Func: "github.com/goccy/go-json.UnmarshalContext", Data: 1, Into: 2, Mod: modGoccyJSON},
	{Func: "github.com/goccy/go-json.UnmarshalNoEscape", Data: 0, Into: 1, Mod: modGoccyJSON},
	{Func: "github.com/goccy/go-json.UnmarshalWithOption", Data: 0, Into: 1, Mod: modGoccyJSON},
	{Func: "github.com/goccy/go-json.Valid", Data: 0, Into: Result, Mod: modGoccyJSON, Bool: true},
	{Func: "github.com/goccy/go-json.Compact", Data: 1, Into: 0, Mod: modGoccyJSON},
	{Func: "github.com/goccy/go-json.Indent", Data: 1, Into: 0, Mod: modGoccyJSON},
	{Func: "(github.com/goccy/go-json.Decoder).Decode", Data: 0, Into: 1, Mod: modGoccyJSON},
	{Func: "(github.com/goccy/go-json.Decoder).DecodeContext", Data: 0, Into: 2, Mod: modGoccyJSON},
	{Func: "(github.com/goccy/go-json.Decoder).DecodeWithOption", Data: 0, Into: 1, Mod: modGoccyJSON},
	{Func: "(github.com/goccy/go-json.Path).Unmarshal", Data: 1, Into: 2, Mod: modGoccyJSON},
	{Func: "(github.com/goccy/go-json.Path).Extract", Data: 1, Into: Result, Mod: modGoccyJSON},

	// segmentio/encoding
	{Func: "github.com/segmentio/encoding/json.Unmarshal", Data: 0, Into: 1, Mod: modSegmentio},
	{Func: "github.com/segmentio/encoding/json.Parse", Data: 0, Into: 1, Mod: modSegmentio},
	{Func: "github.com/segmentio/encoding/json.Valid", Data: 0, Into: Result, Mod: modSegmentio, Bool: true},
	{Func: "github.com/segmentio/encoding/json.Compact", Data: 1, Into: 0, Mod: modSegmentio},
	{Func: "github.com/segmentio/encoding/json.Indent", Data: 1, Into: 0, Mod: modSegmentio},
	{Func: "(github.com/segmentio/encoding/json.Decoder).Decode", Data: 0, Into: 1, Mod: modSegmentio},
	{Func: "github.com/segmentio/encoding/proto.Unmarshal", Data: 0, Into: 1, Mod: modSegmentio},

	// easyjson
	{Func: "github.com/mailru/easyjson.Unmarshal", Data: 0, Into: 1, Mod: modEasyjson},
	{Func: "github.com/mailru/easyjson.UnmarshalFromReader", Data: 0, Into: 1, Mod: modEasyjson},

	// gjson never says that its input is no JSON.
	{Func: "github.com/tidwall/gjson.Parse", Data: 0, Into: Result, Mod: modGjson, Lenient: true},
	{Func: "github.com/tidwall/gjson.ParseBytes", Data: 0, Into: Result, Mod: modGjson, Lenient: true},
	{Func: "github.com/tidwall/gjson.Get", Data: 0, Into: Result, Mod: modGjson, Lenient: true},
	{Func: "github.com/tidwall/gjson.GetBytes", Data: 0, Into: Result, Mod: modGjson, Lenient: true},
	{Func: "github.com/tidwall/gjson.GetMany", Data: 0, Into: Result, Mod: modGjson, Lenient: true},
	{Func: "github.com/tidwall/gjson.GetManyBytes", Data: 0, Into: Result, Mod: modGjson, Lenient: true},
	{Func: "github.com/tidwall/gjson.Valid", Data: 0, Into: Result, Mod: modGjson, Bool: true},
	{Func: "github.com/tidwall/gjson.ValidBytes", Data: 0, Into: Result, Mod: modGjson, Bool: true},

	// fastjson
	{Func: "github.com/valyala/fastjson.Parse", Data: 0, Into: Result, Mod: modFastjson},
	{Func: "github.com/valyala/fastjson.ParseBytes", Data: 0, Into: Result, Mod: modFastjson},
	{Func: "(github.com/valyala/fastjson.Parser).Parse", Data: 1, Into: Result, Mod: modFastjson},
	{Func: "(github.com/valyala/fastjson.Parser).ParseBytes", Data: 1, Into: Result, Mod: modFastjson},
	{Func: "github.com/valyala/fastjson.MustParse", Data: 0, Into: Result, Mod: modFastjson, Lenient: true},
	{Func: "github.com/valyala/fastjson.MustParseBytes", Data: 0, Into: Result, Mod: modFastjson, Lenient: true},
	{Func: "github.com/valyala/fastjson.Validate", Data: 0, Into: Result, Mod: modFastjson},
	{Func: "github.com/valyala/fastjson.ValidateBytes", Data: 0, Into: Result, Mod: modFastjson},
	{Func: "github.com/valyala/fastjson.GetString", Data: 0, Into: Result, Mod: modFastjson, Lenient: true},
	{Func: "github.com/valyala/fastjson.GetBytes", Data: 0, Into: Result, Mod: modFastjson, Lenient: true},
	{Func: "github.com/valyala/fastjson.GetInt", Data: 0, Into: Result, Mod: modFastjson, Lenient: true},
	{Func: "github.com/valyala/fastjson.GetFloat64", Data: 0, Into: Result, Mod: modFastjson, Lenient: true},

	// jsonparser
	{Func: "github.com/buger/jsonparser.Get", Data: 0, Into: Result, Mod: modJsonparser},
	{Func: "github.com/buger/jsonparser.GetString", Data: 0, Into: Result, Mod: modJsonparser},
	{Func: "github.com/buger/jsonparser.GetUnsafeString", Data: 0, Into: Result, Mod: modJsonparser},
	{Func: "github.com/buger/jsonparser.GetInt", Data: 0, Into: Result, Mod: modJsonparser},
	{Func: "github.com/buger/jsonparser.GetFloat", Data: 0, Into: Result, Mod: modJsonparser},
	{Func: "github.com/buger/jsonparser.GetBoolean", Data: 0, Into: Result, Mod: modJsonparser},
	{Func: "github.com/buger/jsonparser.ArrayEach", Data: 0, Into: Result, Mod: modJsonparser},
	{Func: "github.com/buger/jsonparser.ObjectEach", Data: 0, Into: Result, Mod: modJsonparser},
	{Func: "github.com/buger/jsonparser.EachKey", Data: 0, Into: Result, Mod: modJsonparser, Lenient: true},

	// go-json-experiment, the model of encoding/json/v2
	{Func: "github.com/go-json-experiment/json.Unmarshal", Data: 0, Into: 1, Mod: modJSONExperiment},
	{Func: "github.com/go-json-experiment/json.UnmarshalRead", Data: 0, Into: 1, Mod: modJSONExperiment},
	{Func: "github.com/go-json-experiment/json.UnmarshalDecode", Data: 0, Into: 1, Mod: modJSONExperiment},
	{Func: "(github.com/go-json-experiment/json/jsontext.Value).IsValid", Data: 0, Into: Result, Mod: modJSONExperiment, Bool: true},

	// Protocol buffers
	{Func: "google.golang.org/protobuf/proto.Unmarshal", Data: 0, Into: 1, Mod: modProtobuf},
	{Func: "(google.golang.org/protobuf/proto.UnmarshalOptions).Unmarshal", Data: 1, Into: 2, Mod: modProtobuf},
	{Func: "google.golang.org/protobuf/encoding/protojson.Unmarshal", Data: 0, Into: 1, Mod: modProtobuf},
	{Func: "(google.golang.org/protobuf/encoding/protojson.UnmarshalOptions).Unmarshal", Data: 1, Into: 2, Mod: modProtobuf},
	{Func: "google.golang.org/protobuf/encoding/prototext.Unmarshal", Data: 0, Into: 1, Mod: modProtobuf},
	{Func: "(google.golang.org/protobuf/encoding/prototext.UnmarshalOptions).Unmarshal", Data: 1, Into: 2, Mod: modProtobuf},

	{Func: "github.com/gogo/protobuf/proto.Unmarshal", Data: 0, Into: 1, Mod: modGogoProtobuf},
	{Func: "github.com/gogo/protobuf/proto.UnmarshalMerge", Data: 0, Into: 1, Mod: modGogoProtobuf},
	{Func: "github.com/gogo/protobuf/jsonpb.Unmarshal", Data: 0, Into: 1, Mod: modGogoProtobuf},
	{Func: "github.com/gogo/protobuf/jsonpb.UnmarshalString", Data: 0, Into: 1, Mod: modGogoProtobuf},
	{Func: "github.com/gogo/protobuf/jsonpb.UnmarshalNext", Data: 0, Into: 1, Mod: modGogoProtobuf},
	{Func: "(github.com/gogo/protobuf/jsonpb.Unmarshaler).Unmarshal", Data: 1, Into: 2, Mod: modGogoProtobuf},
	{Func: "(github.com/gogo/protobuf/jsonpb.Unmarshaler).UnmarshalNext", Data: 1, Into: 2, Mod: modGogoProtobuf},

	{Func: "github.com/golang/protobuf/proto.Unmarshal", Data: 0, Into: 1, Mod: modGolangProtobuf},
	{Func: "github.com/golang/protobuf/proto.UnmarshalMerge", Data: 0, Into: 1, Mod: modGolangProtobuf},
	{Func: "github.com/golang/protobuf/jsonpb.Unmarshal", Data: 0, Into: 1, Mod: modGolangProtobuf},
	{Func: "github.com/golang/protobuf/jsonpb.UnmarshalString", Data: 0, Into: 1, Mod: modGolangProtobuf},
	{Func: "github.com/golang/protobuf/jsonpb.UnmarshalNext", Data: 0, Into: 1, Mod: modGolangProtobuf},
	{Func: "(github.com/golang/protobuf/jsonpb.Unmarshaler).Unmarshal", Data: 1, Into: 2, Mod: modGolangProtobuf},
	{Func: "(github.com/golang/protobuf/jsonpb.Unmarshaler).UnmarshalNext", Data: 1, Into: 2, Mod: modGolangProtobuf},

	// YAML: a document that is cut can still parse.
	{Func: "gopkg.in/yaml.v2.Unmarshal", Data: 0, Into: 1, Mod: modYAMLv2},
	{Func: "gopkg.in/yaml.v2.UnmarshalStrict", Data: 0, Into: 1, Mod: modYAMLv2},
	{Func: "(gopkg.in/yaml.v2.Decoder).Decode", Data: 0, Into: 1, Mod: modYAMLv2},

	{Func: "gopkg.in/yaml.v3.Unmarshal", Data: 0, Into: 1, Mod: modYAMLv3},
	{Func: "(gopkg.in/yaml.v3.Decoder).Decode", Data: 0, Into: 1, Mod: modYAMLv3},

	{Func: "go.yaml.in/yaml.Unmarshal", Data: 0, Into: 1, Mod: modYAMLin},
	{Func: "(go.yaml.in/yaml.Decoder).Decode", Data: 0, Into: 1, Mod: modYAMLin},

	{Func: "github.com/goccy/go-yaml.Unmarshal", Data: 0, Into: 1, Mod: modGoccyYAML},
	{Func: "github.com/goccy/go-yaml.UnmarshalWithOptions", Data: 0, Into: 1, Mod: modGoccyYAML},
	{Func: "github.com/goccy/go-yaml.UnmarshalContext", Data: 1, Into: 2, Mod: modGoccyYAML},
	{Func: "github.com/goccy/go-yaml.YAMLToJSON", Data: 0, Into: Result, Mod: modGoccyYAML},
	{Func: "(github.com/goccy/go-yaml.Decoder).Decode", Data: 0, Into: 1, Mod: modGoccyYAML},
	{Func: "(github.com/goccy/go-yaml.Decoder).DecodeContext", Data: 0, Into: 2, Mod: modGoccyYAML},

	{Func: "sigs.k8s.io/yaml.Unmarshal", Data: 0, Into: 1, Mod: modSigsYAML},
	{Func: "sigs.k8s.io/yaml.UnmarshalStrict", Data: 0, Into: 1, Mod: modSigsYAML},
	{Func: "sigs.k8s.io/yaml.YAMLToJSON", Data: 0, Into: Result, Mod: modSigsYAML},
	{Func: "sigs.k8s.io/yaml.YAMLToJSONStrict", Data: 0, Into: Result, Mod: modSigsYAML},

	// TOML
	{Func: "github.com/BurntSushi/toml.Unmarshal", Data: 0, Into: 1, Mod: modBurntSushi},
	{Func: "github.com/BurntSushi/toml.Decode", Data: 0, Into: 1, Mod: modBurntSushi},
	{Func: "github.com/BurntSushi/toml.DecodeReader", Data: 0, Into: 1, Mod: modBurntSushi},
	{Func: "(github.com/BurntSushi/toml.Decoder).Decode", Data: 0, Into: 1, Mod: modBurntSushi},

	{Func: "github.com/pelletier/go-toml.Unmarshal", Data: 0, Into: 1, Mod: modPelletier},
	{Func: "(github.com/pelletier/go-toml.Decoder).Decode", Data: 0, Into: 1, Mod: modPelletier},

	{Func: "github.com/pelletier/go-toml.Load", Data: 0, Into: Result, Mod: modPelletierV1},
	{Func: "github.com/pelletier/go-toml.LoadBytes", Data: 0, Into: Result, Mod: modPelletierV1},
	{Func: "github.com/pelletier/go-toml.LoadReader", Data: 0, Into: Result, Mod: modPelletierV1},

	// Binary forms of JSON
	{Func: "github.com/vmihailenco/msgpack.Unmarshal", Data: 0, Into: 1, Mod: modMsgpack},
	{Func: "(github.com/vmihailenco/msgpack.Decoder).Decode", Data: 0, Into: 1, Mod: modMsgpack},
	{Func: "(github.com/vmihailenco/msgpack.Decoder).DecodeMulti", Data: 0, Into: 1, Mod: modMsgpack},

	{Func: "github.com/fxamacker/cbor.Unmarshal", Data: 0, Into: 1, Mod: modCBOR},
	{Func: "github.com/fxamacker/cbor.UnmarshalFirst", Data: 0, Into: 1, Mod: modCBOR},
	{Func: "github.com/fxamacker/cbor.Valid", Data: 0, Into: Result, Mod: modCBOR},
	{Func: "github.com/fxamacker/cbor.Wellformed", Data: 0, Into: Result, Mod: modCBOR},
	{Func: "(github.com/fxamacker/cbor.DecMode).Unmarshal", Data: 1, Into: 2, Mod: modCBOR},
	{Func: "(github.com/fxamacker/cbor.DecMode).UnmarshalFirst", Data: 1, Into: 2, Mod: modCBOR},
	{Func: "(github.com/fxamacker/cbor.DecMode).Wellformed", Data: 1, Into: Result, Mod: modCBOR},
	{Func: "(github.com/fxamacker/cbor.Decoder).Decode", Data: 0, Into: 1, Mod: modCBOR},

	{Func: "go.mongodb.org/mongo-driver/bson.Unmarshal", Data: 0, Into: 1, Mod: modBSON},
	{Func: "go.mongodb.org/mongo-driver/bson.UnmarshalExtJSON", Data: 0, Into: 2, Mod: modBSON},
}
