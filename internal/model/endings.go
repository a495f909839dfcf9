package model

import "strings"

// Endings are the values by which the protocols say that something is over:
// finish and stop reasons, terminal event types, end markers. Each is compared
// with, never searched for by name.
var Endings = []string{
	// OpenAI chat completions: finish_reason and the end marker.
	"stop", "length", "tool_calls", "function_call", "content_filter", "[DONE]",
	// OpenAI Responses: event types and status.
	"response.completed", "response.failed", "response.incomplete", "completed", "incomplete",
	// Anthropic Messages: stop_reason and event types.
	"end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal",
	"content_block_stop", "message_stop",
	// Bedrock Converse: stopReason and event types.
	"contentBlockStop", "messageStop", "guardrail_intervened", "content_filtered",
	// Gemini: finishReason.
	"STOP", "MAX_TOKENS", "SAFETY", "RECITATION",
	// Cohere: event types and finish reasons.
	"message-end", "content-end", "tool-call-end", "stream-end", "COMPLETE",
	// Common in home-made protocols.
	"done", "DONE", "end", "eof", "EOF", "complete", "finish", "finished", "final", "close", "closed",
}

var endings = func() map[string]bool {
	m := make(map[string]bool, len(Endings))
	for _, e := range Endings {
		m[e] = true
	}
	return m
}()

// IsEnding reports whether s is a value by which a protocol says that something
// is over. Event types that end in ".done" (OpenAI Responses) count.
func IsEnding(s string) bool {
	t := strings.TrimSpace(s)
	for _, p := range []string{"data:", "event:"} {
		t = strings.TrimSpace(strings.TrimPrefix(t, p))
	}
	return endings[t] || strings.HasSuffix(t, ".done") || strings.HasSuffix(t, "_stop") || strings.HasSuffix(t, "_done")
}

// Tags of JSON fields, for structs that a program writes itself after a wire
// format.
var (
	// DeltaTags lead to increments.
	DeltaTags = map[string]bool{"delta": true}
	// PieceTags are strings that are increments.
	PieceTags = map[string]bool{"partial_json": true, "partial_args": true, "arguments_delta": true, "partialJson": true}
	// FinishTags show that something is over.
	FinishTags = map[string]bool{
		"finish_reason": true, "finishReason": true, "stop_reason": true, "stopReason": true,
		"done": true, "done_reason": true, "is_finished": true, "finished": true, "is_end": true, "isFinal": true, "is_final": true,
	}
	// OutputTags are whole tool arguments when they are text.
	OutputTags = map[string]bool{"arguments": true}
	// WholeTags are strings that no protocol cuts into pieces.
	WholeTags = map[string]bool{
		"id": true, "name": true, "type": true, "role": true, "object": true, "model": true, "index": true,
		"finish_reason": true, "stop_reason": true, "call_id": true, "item_id": true, "tool_call_id": true, "status": true,
	}
)
