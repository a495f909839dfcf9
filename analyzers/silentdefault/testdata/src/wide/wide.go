package wide

import (
	"encoding/json"
	"os"
)

// With -silentdefault.all a file counts too.
func config(path string) (m map[string]any) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	_ = json.Unmarshal(data, &m) // want `the error of json.Unmarshal is dropped`
	return m
}

func nopeOwn(v any) (m map[string]any) {
	data, _ := json.Marshal(v)
	_ = json.Unmarshal(data, &m)
	return m
}
