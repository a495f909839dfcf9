package toolcall

import "strings"

// Kind names the cause why a turn gave no calls. A Kind is an error, so that
// errors.Is(err, toolcall.Length) works on what [Assembler.Calls] gives.
type Kind string

// Error makes a Kind usable as the target of errors.Is.
func (k Kind) Error() string { return string(k) }

// The causes. Every *[Error] has one of them.
const (
	// Causes in the model's own output. They can be sent back to it, see
	// [Assembler.Rejections].

	EmptyArguments  Kind = "empty_arguments"  // no argument bytes, and the tool does not allow that
	InvalidJSON     Kind = "invalid_json"     // the joined fragments are not one JSON document
	DuplicateKey    Kind = "duplicate_key"    // an object has a name twice
	NotObject       Kind = "not_object"       // JSON, but no object
	MissingRequired Kind = "missing_required" // a required key is not there
	Schema          Kind = "schema"           // another rule of the tool's schema is broken
	UnknownTool     Kind = "unknown_tool"     // the name is none of the offered tools
	Unfit           Kind = "unfit"            // a handler's own check refused the arguments

	// Causes in the stream.

	Ambiguous   Kind = "ambiguous"    // a fragment can't be given to one call for sure
	BadFrame    Kind = "bad_frame"    // a frame is not the JSON that the protocol asks for
	Conflict    Kind = "conflict"     // two frames contradict each other
	IndexRange  Kind = "index_range"  // an index or a number of calls outside the limits
	Late        Kind = "late"         // a fragment after the terminal marker
	MissingName Kind = "missing_name" // no name arrived for a call
	OpenBlock   Kind = "open_block"   // the terminal marker came while a call's block was open
	TooLarge    Kind = "too_large"    // the arguments of the turn exceed the cap

	// Causes that the provider or the connection states.

	ContentFilter Kind = "content_filter" // a filter or guardrail cut the turn
	Length        Kind = "length"         // an output or context limit cut the turn
	Malformed     Kind = "malformed"      // the provider says that the call is malformed
	Refusal       Kind = "refusal"        // the model refused
	Truncated     Kind = "truncated"      // the stream ended without its terminal marker
	Upstream      Kind = "upstream"       // an error frame came inside the stream

	// Causes after assembly.

	BufferChanged Kind = "buffer_changed" // the arguments are not those the BufferID was made from
	NoHandler     Kind = "no_handler"     // nothing is registered to run the call
)

// ModelFault tells whether the model can mend the cause by calling again, so
// that it makes sense to send the error back as a tool result.
func (k Kind) ModelFault() bool {
	switch k {
	case EmptyArguments, InvalidJSON, DuplicateKey, NotObject, MissingRequired, Schema, UnknownTool, Unfit:
		return true
	}
	return false
}

// reasonClass is what a provider's terminal reason says about the turn.
type reasonClass struct {
	kind  Kind // "" if the turn ended of its own accord
	calls bool // the reason promises at least one call
	pause bool // the turn goes on in another request
}

// reasons holds the terminal reasons of all wires in one table, in lower case:
// gateways pass through the words of the provider behind them, so a chat stream
// can end with "max_tokens" or "SAFETY".
var reasons = map[string]reasonClass{
	// The turn is whole.
	"stop":          {},
	"end_turn":      {},
	"stop_sequence": {},
	"eos":           {},
	"eos_token":     {},
	"complete":      {},
	"completed":     {},
	"done":          {},
	"tool_calls":    {calls: true},
	"tool_call":     {calls: true},
	"function_call": {calls: true},
	"tool_use":      {calls: true},
	"pause_turn":    {pause: true},

	// A limit cut it.
	"length":                        {kind: Length},
	"max_tokens":                    {kind: Length},
	"max_output_tokens":             {kind: Length},
	"max_completion_tokens":         {kind: Length},
	"model_length":                  {kind: Length},
	"model_context_window_exceeded": {kind: Length},
	"context_length_exceeded":       {kind: Length},

	// A filter cut it.
	"content_filter":           {kind: ContentFilter},
	"content_filtered":         {kind: ContentFilter},
	"guardrail_intervened":     {kind: ContentFilter},
	"guardrails":               {kind: ContentFilter},
	"sensitive":                {kind: ContentFilter},
	"safety":                   {kind: ContentFilter},
	"recitation":               {kind: ContentFilter},
	"blocklist":                {kind: ContentFilter},
	"prohibited_content":       {kind: ContentFilter},
	"spii":                     {kind: ContentFilter},
	"language":                 {kind: ContentFilter},
	"model_armor":              {kind: ContentFilter},
	"image_safety":             {kind: ContentFilter},
	"image_prohibited_content": {kind: ContentFilter},
	"image_recitation":         {kind: ContentFilter},

	"refusal": {kind: Refusal},

	// The provider could not read its own model's call.
	"malformed_function_call":   {kind: Malformed},
	"malformed_tool_use":        {kind: Malformed},
	"malformed_model_output":    {kind: Malformed},
	"malformed_response":        {kind: Malformed},
	"unexpected_tool_call":      {kind: Malformed},
	"too_many_tool_calls":       {kind: Malformed},
	"missing_thought_signature": {kind: Malformed},

	// The provider broke off.
	"error":                        {kind: Upstream},
	"failed":                       {kind: Upstream},
	"abort":                        {kind: Upstream},
	"aborted":                      {kind: Upstream},
	"cancelled":                    {kind: Upstream},
	"canceled":                     {kind: Upstream},
	"network_error":                {kind: Upstream},
	"insufficient_system_resource": {kind: Upstream},
}

// classify reads a terminal reason. An unknown one is not taken as an end: the
// next word a provider invents may mean that the turn was cut.
func (a *Assembler) classify(reason string) (class reasonClass, known bool) {
	low := strings.ToLower(reason)
	if c, ok := reasons[low]; ok {
		return c, true
	}
	if a.okReasons[low] {
		return reasonClass{}, true
	}
	return reasonClass{kind: Truncated}, false
}
