// Code generated for the sample. DO NOT EDIT.

package agent

import (
	"encoding/json"
	"io"
)

func generated(body io.Reader) (v map[string]any, err error) {
	buf := make([]byte, 64)
	for {
		n, err := body.Read(buf)
		if err != nil {
			return v, err
		}
		if err := json.Unmarshal(buf[:n], &v); err != nil {
			return v, err
		}
	}
}

var _ = generated
