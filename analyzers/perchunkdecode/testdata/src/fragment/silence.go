package fragment

import "encoding/json"

// A directive behind code silences that line and not the next.
func silencedLineOnly(c custom, v, w any) error {
	if err := json.Unmarshal([]byte(c.Body), v); err != nil { //streamlint:ignore perchunkdecode one document a piece
		return json.Unmarshal([]byte(c.Body), w) // want `json.Unmarshal decodes a fragment`
	}
	return nil
}

// A directive for another check silences nothing here.
func silencedOther(c custom, v any) error {
	//streamlint:ignore silentdefault shown only
	return json.Unmarshal([]byte(c.Body), v) // want `json.Unmarshal decodes a fragment`
}
