// Package quiet holds findings that are silenced, each in another way, and one that
// is not.
package quiet

import "encoding/json"

func own(data []byte) (v map[string]any) {
	//streamlint:ignore silentdefault the peer sends plain text too
	if err := json.Unmarshal(data, &v); err != nil {
		v = map[string]any{}
	}
	return v
}

func whole(data []byte) (v map[string]any) {
	if err := json.Unmarshal(data, &v); err != nil { //nolint:streamlint // the peer sends plain text too
		v = map[string]any{}
	}
	return v
}

func check(data []byte) (v map[string]any) {
	if err := json.Unmarshal(data, &v); err != nil { //nolint:silentdefault // the peer sends plain text too
		v = map[string]any{}
	}
	return v
}

func other(data []byte) (v map[string]any) {
	if err := json.Unmarshal(data, &v); err != nil { //nolint:perchunkdecode // names another check
		v = map[string]any{}
	}
	return v
}

var _ = []any{own, whole, check, other}
