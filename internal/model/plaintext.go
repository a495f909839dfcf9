package model

import (
	"strings"
	"unicode"
)

// PlainFuncs give text of one-byte characters only: digits, hex, base64, times,
// ids. To cut such text at any byte is right. A name that ends in a dot stands for
// every function and method of the package.
var PlainFuncs = []string{
	"encoding/hex.", "encoding/base64.", "encoding/base32.", "crypto/", "hash/",
	"strconv.Itoa", "strconv.FormatInt", "strconv.FormatUint", "strconv.FormatFloat", "strconv.FormatBool",
	"strconv.QuoteToASCII", "strconv.AppendInt",
	"(time.Time).Format", "(time.Time).String", "(time.Duration).String",
	"net/url.QueryEscape", "net/url.PathEscape", "net/url.URL).", "(net/url.Values).Encode",
	"(net/http.Request).Referer", "(net/http.Request).UserAgent", "(net/http.Header).Get",
	"(net.IP).String", "(math/big.Int).String", "(math/big.Int).Text", "runtime.Version", "runtime/debug.",
	"github.com/google/uuid.", "github.com/gofrs/uuid.", "github.com/satori/go.uuid.", "github.com/oklog/ulid.",
	"github.com/rs/xid.", "github.com/segmentio/ksuid.", "github.com/lithammer/shortuuid.", "github.com/matoous/go-nanoid.",
	"github.com/opencontainers/go-digest.", "github.com/ethereum/go-ethereum/common.", "github.com/ethereum/go-ethereum/common/hexutil.",
}

// PlainFields hold text of one-byte characters only.
var PlainFields = map[string]bool{
	"net/http.Request.Method": true, "net/http.Request.Proto": true, "net/http.Request.RequestURI": true,
	"net/http.Request.Host": true, "net/http.Request.RemoteAddr": true,
	"net/http.Response.Status": true, "net/http.Response.Proto": true,
}

// IsPlain reports whether the named function gives text of one-byte characters.
func IsPlain(name string) bool {
	bare := strings.TrimPrefix(name, "(")
	for _, p := range PlainFuncs {
		if strings.HasSuffix(p, ".") || strings.HasSuffix(p, "/") {
			if strings.HasPrefix(bare, p) {
				return true
			}
		} else if name == p {
			return true
		}
	}
	return false
}

// PlainWords in the name of a variable, a field or a function tell text that is
// made of one-byte characters. They only ever silence: no name accuses.
var PlainWords = words(`id ids uid gid uuid guid ulid oid pid sid cid tid iid rid ref refs hash hashes sha sha1 sha256 sha512 md5 crc crc32
	digest checksum sum hex commit rev revision token tokens key keys apikey secret secrets password passwd pwd credential credentials
	addr address ip ipv4 ipv6 host hostname domain fqdn port mac version ver semver date time timestamp ts datetime etag signature sig
	base64 b64 base32 encoded fingerprint cert serial lang locale uri url href scheme number num digits phone zip mime charset nonce salt
	seed binary bits byte raw hexstr pubkey privkey privatekey publickey txid tx txn block wallet account mask masked masking redact redacted
	anonymize obfuscate slug dns label labels namespace uniq unique suffix hostid jwt bearer auth cookie pem asn isbn iban vin sku arn
	generate gen rand random snake snakecase kebab kebabcase sanitize sanitized sanitizer slugify escape escaped zone padding pad zeros indent
	env environ ext extension`)

// IsPlainName reports whether a name says that the text it stands for is made of
// one-byte characters.
func IsPlainName(name string) bool {
	for _, w := range SplitName(name) {
		if PlainWords[w] {
			return true
		}
	}
	return false
}

func words(list string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// SplitName gives the words of an identifier in lower case: shortSHA256 is
// "short", "sha256"; APIKey is "api", "key".
func SplitName(name string) []string {
	var out []string
	runes := []rune(name)
	start := 0
	flush := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(string(runes[start:end])))
		}
		start = end
	}
	for i, r := range runes {
		switch {
		case r == '_':
			flush(i)
			start = i + 1
		case i > 0 && unicode.IsUpper(r) && unicode.IsLower(runes[i-1]):
			flush(i)
		case i > 0 && unicode.IsUpper(r) && i+1 < len(runes) && unicode.IsLower(runes[i+1]) && runes[i+1] != 's':
			flush(i)
		}
	}
	flush(len(runes))
	return out
}

// ShowPackages are packages whose functions and methods bring text before a
// reader's eyes, or into a log: terminal toolkits and loggers.
var ShowPackages = map[string]bool{
	"log": true, "log/slog": true, "log/syslog": true,
	"github.com/sirupsen/logrus": true, "go.uber.org/zap": true, "github.com/rs/zerolog": true, "github.com/rs/zerolog/log": true,
	"github.com/golang/glog": true, "k8s.io/klog": true, "github.com/go-logr/logr": true, "github.com/hashicorp/go-hclog": true,
	"github.com/charmbracelet/log": true, "charm.land/log": true, "github.com/apex/log": true, "github.com/inconshreveable/log15": true,
	"github.com/charmbracelet/lipgloss": true, "charm.land/lipgloss": true, "github.com/charmbracelet/glamour": true, "charm.land/glamour": true,
	"github.com/charmbracelet/bubbletea": true, "charm.land/bubbletea": true,
	"github.com/fatih/color": true, "github.com/pterm/pterm": true, "github.com/rivo/tview": true, "github.com/gdamore/tcell": true,
	"github.com/olekukonko/tablewriter": true, "github.com/jedib0t/go-pretty/table": true, "github.com/muesli/termenv": true,
	"github.com/gookit/color": true, "github.com/logrusorgru/aurora": true, "github.com/manifoldco/promptui": true, "github.com/mgutz/ansi": true,
}

// ModelFuncs hand text to a model: prompts, messages, answers of tools. The
// argument that is text does not matter.
var ModelFuncs = map[string]bool{
	"charm.land/fantasy.NewTextResponse": true, "charm.land/fantasy.NewTextErrorResponse": true, "charm.land/fantasy.NewUserMessage": true,
	"charm.land/fantasy.NewSystemMessage":                       true,
	"github.com/mark3labs/mcp-go/mcp.NewToolResultText":         true,
	"github.com/mark3labs/mcp-go/mcp.NewToolResultError":        true,
	"github.com/mark3labs/mcp-go/mcp.NewTextContent":            true,
	"github.com/openai/openai-go.UserMessage":                   true,
	"github.com/openai/openai-go.SystemMessage":                 true,
	"github.com/openai/openai-go.AssistantMessage":              true,
	"github.com/openai/openai-go.ToolMessage":                   true,
	"github.com/openai/openai-go.DeveloperMessage":              true,
	"github.com/anthropics/anthropic-sdk-go.NewTextBlock":       true,
	"github.com/anthropics/anthropic-sdk-go.NewToolResultBlock": true,
	"github.com/tmc/langchaingo/llms.TextParts":                 true,
	"github.com/tmc/langchaingo/llms.TextPart":                  true,
	"github.com/tmc/langchaingo/llms.GenerateFromSinglePrompt":  true,
	"github.com/cloudwego/eino/schema.UserMessage":              true,
	"github.com/cloudwego/eino/schema.SystemMessage":            true,
	"github.com/cloudwego/eino/schema.ToolMessage":              true,
	"github.com/cloudwego/eino/schema.AssistantMessage":         true,
	"google.golang.org/genai.Text":                              true,
	"google.golang.org/genai.NewPartFromText":                   true,
	"google.golang.org/genai.NewContentFromText":                true,
	"github.com/google/generative-ai-go/genai.Text":             true,
}
