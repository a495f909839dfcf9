// Package toolcall assembles the tool calls that a model streams, and gives them
// whole or not at all.
//
// A model's arguments arrive as pieces of JSON text, for several calls at once,
// on connections that break. Decoding a piece, repairing a cut text, or running a
// call as soon as it parses leads to tools that run with empty, cut or another
// call's arguments. This package keeps raw text for each call until the provider
// says why the turn ended, decodes it once, strictly, checks it against the tool's
// declaration, and then gives all calls of the turn, in order; or one typed
// [Error] and no call.
//
// # Use
//
// Declare the offered tools once as a [Set]. For each turn, take a [Turn] from
// the subpackage of the wire format, feed it the frames, and end it:
//
//	turn := openaichat.New(tools)
//	for ev, err := range events { // of package stream/sse, or any reader of SSE
//		if err != nil {
//			return turn.End(err)
//		}
//		texts, err := turn.Frame(ev.Type, ev.Data)
//		for _, t := range texts { … } // forward at once
//		if err != nil || turn.Done() {
//			break
//		}
//	}
//	calls, err := turn.End(nil)
//
// The wire packages are openaichat, openairesponses, anthropicmsg, converse
// (Amazon Bedrock), gemini and ollama. They read raw JSON and import no SDK. For
// other formats feed an [Assembler] with a [Delta] for each piece, or write a
// [Wire].
//
// # What is a turn's end
//
// A turn is complete when the provider has said why it ended: finish_reason for
// each choice, message_stop after a stop_reason, response.completed, messageStop,
// finishReason, done. End of stream without it is [Truncated], also if all texts
// happen to be whole JSON; [DONE] ends the transport only. A reason that says the
// turn was cut ([Length], [ContentFilter], …), and one that nobody declared, give
// no calls (see [WithReasons]). "stop" with calls present gives them.
//
// # Which fragment belongs to which call
//
// Calls are keyed by choice and the wire's index. Servers that send none, null,
// -1 or 0 for every call are understood by their ids and names as long as there
// is just one way to read them; else the turn is [Ambiguous] or a [Conflict]. A
// name cut in two is joined only if the join is an offered tool and neither piece
// is. Nothing is allocated by index.
//
// # Arguments
//
// They must be one JSON object: no data after it, no name twice, valid UTF-8, no
// half surrogate pairs, nested at most 128 deep. Numbers keep their digits. No
// argument bytes are accepted, and read as {}, exactly where the tool's
// declaration lets {} pass. A call that came with no bytes for a tool with required
// keys can't exist, and so can't be logged as dispatched.
//
// The built-in check ([CompileSchema]) covers what tool declarations commonly use;
// the module stream/toolcall/jsonschema has full JSON Schema behind the same
// [Validator].
//
// # Running calls
//
// [Call.BufferID] names the argument bytes by the first 12 hex digits of their
// SHA-256. [As] decodes into a Go type and [Dispatcher] runs calls; both compare
// the bytes with their BufferID again. Calls and Errors are [log/slog] values with
// one record shape. [Turn.Rejections], or [Rejections] for what a handler refused
// before anything ran, and the wire packages turn a model's faulty call into the
// message that asks it to try again.
package toolcall
