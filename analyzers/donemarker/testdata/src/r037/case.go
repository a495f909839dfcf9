// Package r037: 0xPlaygrounds/rig#613, mistralai/mistral-vibe#793. The end marker is decoded as a chunk; every
// stream of this code ends with "invalid character 'D'".
package r037

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

type completionChunk struct {
	Choices []struct {
		Delta struct {
			Content string `json:"content"`
		} `json:"delta"`
		FinishReason *string `json:"finish_reason"`
	} `json:"choices"`
}

func readCompletion(body io.Reader, show func(string)) error {
	sc := bufio.NewScanner(body)
	sc.Buffer(nil, 4<<20)
	finished := false
	for sc.Scan() {
		data, ok := strings.CutPrefix(sc.Text(), "data:")
		if !ok {
			continue
		}
		var c completionChunk
		if err := json.Unmarshal([]byte(data), &c); err != nil { // want `the end marker \[DONE\] included`
			return fmt.Errorf("chunk: %w", err)
		}
		for _, ch := range c.Choices {
			show(ch.Delta.Content)
			finished = finished || ch.FinishReason != nil
		}
	}
	if err := sc.Err(); err != nil {
		return err
	}
	if !finished {
		return io.ErrUnexpectedEOF
	}
	return nil
}
