// Package r017: smart-mcp-proxy/mcpproxy-go#740, maximhq/bifrost#7316, genai-io/gen-code#355,
// golang/go#80824. A tool answer is cut at a byte budget and encoded.
package r017

import "encoding/json"

const limit = 32 << 10

type textContent struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func capText(s string) string {
	if len(s) <= limit {
		return s
	}
	return s[:limit] + "… (cut)" // want `cuts text at a byte count`
}

func toolResult(out string) ([]byte, error) {
	return json.Marshal(textContent{Type: "text", Text: capText(out)})
}
