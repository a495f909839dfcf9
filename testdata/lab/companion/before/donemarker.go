package before

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

func deltas(body io.Reader, onText func(string)) error {
	sc := bufio.NewScanner(body)
	sc.Buffer(nil, maxLine)
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data: ")
		if !ok {
			continue
		}
		var chunk openAIChunk
		if err := json.Unmarshal([]byte(data), &chunk); err != nil { // of [DONE] too
			return fmt.Errorf("bad frame: %w", err)
		}
		for _, c := range chunk.Choices {
			onText(c.Delta.Content)
		}
	}
	return sc.Err()
}
