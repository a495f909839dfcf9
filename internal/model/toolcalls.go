package model

// The JSON names that the protocols give to the parts of a tool call in a delta.
var (
	// ArgumentTags hold the arguments, which arrive in fragments.
	ArgumentTags = map[string]bool{"arguments": true, "args": true}
	// CallIndexTags tell to which call a fragment belongs.
	CallIndexTags = map[string]bool{"index": true, "output_index": true, "content_index": true, "contentBlockIndex": true, "tool_index": true}
	// CallIDTags identify a call; in a stream only its first fragment has the id.
	CallIDTags = map[string]bool{"id": true, "call_id": true, "tool_call_id": true}
)
