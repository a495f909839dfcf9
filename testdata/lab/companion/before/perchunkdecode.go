package before

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
)

func perChunkDecode(ctx context.Context, body io.Reader) error {
	sc := bufio.NewScanner(body)
	sc.Buffer(nil, maxLine)
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var chunk openAIChunk
		if err := json.Unmarshal([]byte(data), &chunk); err != nil {
			return err
		}
		for _, c := range chunk.Choices {
			for _, tc := range c.Delta.ToolCalls {
				var args map[string]any
				if err := json.Unmarshal([]byte(tc.Function.Arguments), &args); err != nil { // a piece of JSON
					return err
				}
				if err := run(ctx, tc.Function.Name, args); err != nil {
					return err
				}
			}
		}
	}
	return sc.Err()
}
