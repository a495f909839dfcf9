package toolcall_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/streamlint/streamlint/stream/toolcall"
)

// tools are those of the quirk tests.
var tools = toolcall.MustSet(
	toolcall.Tool{Name: "run_tests", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string","minLength":1}},"required":["path"]}`)},
	toolcall.Tool{Name: "lookup_contact", Schema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`)},
	toolcall.Tool{Name: "get_time", Schema: json.RawMessage(`{"type":"object","properties":{"zone":{"type":"string"}}}`)},
	toolcall.Tool{Name: "ping", NoParameters: true},
	toolcall.Tool{Name: "ping_all", NoParameters: true},
	toolcall.Tool{Name: "reping", NoParameters: true},
	toolcall.Tool{Name: "nested", Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"array","items":{"type":"integer"}}},"required":["b"],"additionalProperties":false}},"required":["a"]}`)},
)

// chat builds one chat chunk: the tool_calls elements, and a finish reason or "".
func chat(finish string, calls ...string) string {
	fr := "null"
	if finish != "" {
		fr = `"` + finish + `"`
	}
	return fmt.Sprintf(`{"choices":[{"index":0,"delta":{"tool_calls":[%s]},"finish_reason":%s}]}`, strings.Join(calls, ","), fr)
}

// tc builds an element of tool_calls. Keys with "" are left out; args is raw JSON.
func tc(index, id, name, args string) string {
	var m, f []string
	if index != "" {
		m = append(m, `"index":`+index)
	}
	if id != "" {
		m = append(m, `"id":"`+id+`"`)
	}
	if name != "" {
		f = append(f, `"name":"`+name+`"`)
	}
	if args != "" {
		f = append(f, `"arguments":`+args)
	}
	m = append(m, `"function":{`+strings.Join(f, ",")+`}`)
	return "{" + strings.Join(m, ",") + "}"
}

// q quotes a text as JSON.
func q(s string) string { b, _ := json.Marshal(s); return string(b) }

func ev(event, data string) string { return event + "\x00" + data }

type quirk struct {
	name   string
	wire   string
	frames []string // data, or ev(event, data)
	end    error
	want   string // "name(args) name(args)", or "!kind"
	text   string // what is handed on
}

const (
	pathArgs = `{"path":"tests/"}`
	nameArgs = `{"name":"A"}`
)

var quirks = []quirk{
	// OpenAI chat: finish reasons.
	{name: "stop with calls present", frames: []string{chat("", tc("0", "c1", "run_tests", q(pathArgs))), chat("stop")}, want: "run_tests" + pathArgs},
	{name: "content filter", frames: []string{chat("", tc("0", "c1", "run_tests", q(pathArgs))), chat("content_filter")}, want: "!content_filter"},
	{name: "the filter's reason in Gemini's words", frames: []string{chat("", tc("0", "c1", "run_tests", q(pathArgs))), chat("SAFETY")}, want: "!content_filter"},
	{name: "a limit in Claude's words", frames: []string{chat("", tc("0", "c1", "run_tests", q(pathArgs))), chat("max_tokens")}, want: "!length"},
	{name: "a reason nobody knows", frames: []string{chat("", tc("0", "c1", "run_tests", q(pathArgs))), chat("weather")}, want: "!truncated"},
	{name: "abort", frames: []string{chat("", tc("0", "c1", "run_tests", q(pathArgs))), chat("abort")}, want: "!upstream"},
	{name: "stop then tool_calls", frames: []string{chat("stop", tc("0", "c1", "run_tests", q(pathArgs))), chat("tool_calls")}, want: "run_tests" + pathArgs},
	{name: "usage after finish", frames: []string{chat("tool_calls", tc("0", "c1", "run_tests", q(pathArgs))), `{"choices":[],"usage":{"total_tokens":12}}`, `{"usage":{"total_tokens":12}}`, "[DONE]"}, want: "run_tests" + pathArgs},
	{name: "usage chunk with choices null", frames: []string{chat("tool_calls", tc("0", "c1", "run_tests", q(pathArgs))), `{"choices":null,"usage":{}}`}, want: "run_tests" + pathArgs},
	{name: "text only", frames: []string{`{"choices":[{"delta":{"content":"Hi"}}]}`, chat("stop"), "[DONE]"}, want: "", text: "Hi"},
	{name: "nothing at all", frames: nil, want: "!truncated"},
	{name: "only DONE", frames: []string{"[DONE]"}, want: "!truncated"},
	{name: "reset after finish", frames: []string{chat("tool_calls", tc("0", "c1", "run_tests", q(pathArgs)))}, end: errReset, want: "run_tests" + pathArgs},
	{name: "reset before finish", frames: []string{chat("", tc("0", "c1", "run_tests", q(pathArgs)))}, end: errReset, want: "!truncated"},
	{name: "error after finish", frames: []string{chat("tool_calls", tc("0", "c1", "run_tests", q(pathArgs))), `{"error":"upstream reset"}`, "[DONE]"}, want: "!upstream"},
	{name: "error null is none", frames: []string{`{"error":null,"choices":[]}`, chat("tool_calls", tc("0", "c1", "run_tests", q(pathArgs)))}, want: "run_tests" + pathArgs},
	{name: "error in the choice", frames: []string{`{"choices":[{"delta":{},"error":{"code":502},"finish_reason":"stop"}]}`}, want: "!upstream"},
	{name: "error by object type", frames: []string{`{"object":"error","message":"no","code":400}`}, want: "!upstream"},
	{name: "fragment after DONE", frames: []string{chat("tool_calls", tc("0", "c1", "run_tests", q(pathArgs))), "[DONE]", chat("", tc("0", "", "", q("}")))}, want: "!late"},
	{name: "empty fragment after finish", frames: []string{chat("tool_calls", tc("0", "c1", "run_tests", q(pathArgs))), chat("", tc("0", "", "", `""`)), "[DONE]"}, want: "run_tests" + pathArgs},
	{name: "a call after finish", frames: []string{chat("tool_calls", tc("0", "c1", "run_tests", q(pathArgs))), chat("", tc("1", "c2", "get_time", `""`))}, want: "!late"},

	// OpenAI chat: indexes and ids.
	{name: "three interleaved", frames: []string{
		chat("", tc("0", "c1", "run_tests", `""`), tc("1", "c2", "lookup_contact", `""`), tc("2", "c3", "get_time", `"{"`)),
		chat("", tc("2", "", "", `"}"`), tc("0", "", "", q(`{"path":`))), chat("", tc("1", "", "", q(nameArgs)), tc("0", "", "", q(`"x"}`))), chat("tool_calls")},
		want: `run_tests{"path":"x"} lookup_contact{"name":"A"} get_time{}`},
	{name: "index 0 for every call, fragments without id", frames: []string{
		chat("", tc("0", "c1", "run_tests", `""`)), chat("", tc("0", "", "", q(pathArgs))),
		chat("", tc("0", "c2", "lookup_contact", `""`)), chat("", tc("0", "", "", q(`{"name":`))), chat("", tc("0", "", "", q(`"A"}`))), chat("tool_calls")},
		want: "run_tests" + pathArgs + " lookup_contact" + nameArgs},
	{name: "index 0 for every call, fragments by id", frames: []string{
		chat("", tc("0", "c1", "run_tests", q(`{"path":`))), chat("", tc("0", "c2", "lookup_contact", q(`{"name":`))),
		chat("", tc("0", "c1", "", q(`"tests/"}`))), chat("", tc("0", "c2", "", q(`"A"}`))), chat("tool_calls")},
		want: "run_tests" + pathArgs + " lookup_contact" + nameArgs},
	{name: "index 0 for every call, two open", frames: []string{
		chat("", tc("0", "c1", "run_tests", q(`{"path":`))), chat("", tc("0", "c2", "lookup_contact", q(`{"name":`))),
		chat("", tc("0", "", "", q(`"A"}`))), chat("tool_calls")}, want: "!ambiguous"},
	{name: "same tool twice under index 0", frames: []string{
		chat("", tc("0", "c1", "lookup_contact", q(nameArgs))), chat("", tc("0", "c2", "lookup_contact", q(`{"name":"B"}`))), chat("tool_calls")},
		want: `lookup_contact{"name":"A"} lookup_contact{"name":"B"}`},
	{name: "no index, two open, fragment without id", frames: []string{
		chat("", tc("", "c1", "run_tests", q(`{"path":`))), chat("", tc("", "c2", "lookup_contact", q(`{"name":`))), chat("", tc("", "", "", q(`"A"}`))), chat("tool_calls")},
		want: "!ambiguous"},
	{name: "no index, first whole, then fragments", frames: []string{
		chat("", tc("", "c1", "run_tests", q(pathArgs))), chat("", tc("", "c2", "lookup_contact", `""`)), chat("", tc("", "", "", q(nameArgs))), chat("tool_calls")},
		want: "run_tests" + pathArgs + " lookup_contact" + nameArgs},
	{name: "no index, no id, two whole calls in one chunk", frames: []string{
		chat("", tc("", "", "lookup_contact", q(nameArgs)), tc("", "", "lookup_contact", q(`{"name":"B"}`))), chat("tool_calls")},
		want: `lookup_contact{"name":"A"} lookup_contact{"name":"B"}`},
	{name: "no index, no id, another tool", frames: []string{
		chat("", tc("", "", "lookup_contact", q(nameArgs))), chat("", tc("", "", "run_tests", q(pathArgs))), chat("tool_calls")},
		want: "lookup_contact" + nameArgs + " run_tests" + pathArgs},
	{name: "no index, no id, the name again", frames: []string{
		chat("", tc("", "", "lookup_contact", q(nameArgs))), chat("", tc("", "", "lookup_contact", q(nameArgs))), chat("tool_calls")},
		want: "!ambiguous"},
	{name: "no index, the name on every fragment", frames: []string{
		chat("", tc("", "", "lookup_contact", q(`{"name":`))), chat("", tc("", "", "lookup_contact", q(`"A"}`))), chat("tool_calls")},
		want: "lookup_contact" + nameArgs},
	{name: "no index, the name on every fragment and again after the end", frames: []string{
		chat("", tc("", "", "get_time", q(`{"zone":"}`))), chat("", tc("", "", "get_time", q(`"}`))), chat("", tc("", "", "get_time", q(` `))), chat("tool_calls")},
		want: "!ambiguous"},
	{name: "orphan fragment", frames: []string{chat("", tc("", "", "", q(pathArgs))), chat("tool_calls")}, want: "!ambiguous"},
	{name: "opened by id, index late", frames: []string{
		chat("", tc("", "c1", "run_tests", q(`{"path":`))), chat("", tc("0", "c1", "", q(`"tests/"}`))), chat("tool_calls")}, want: "run_tests" + pathArgs},
	{name: "index -1 for two calls", frames: []string{
		chat("", tc("-1", "c1", "run_tests", q(pathArgs))), chat("", tc("-1", "c2", "lookup_contact", q(nameArgs))), chat("tool_calls")},
		want: "run_tests" + pathArgs + " lookup_contact" + nameArgs},
	{name: "index -2", frames: []string{chat("", tc("-2", "c1", "run_tests", q(pathArgs))), chat("tool_calls")}, want: "!index_range"},
	{name: "index 2000000000", frames: []string{chat("", tc("2000000000", "c1", "run_tests", q(pathArgs))), chat("tool_calls")}, want: "!index_range"},
	{name: "index beyond 64 bits", frames: []string{chat("", tc("99999999999999999999999", "c1", "run_tests", q(pathArgs))), chat("tool_calls")}, want: "!index_range"},
	{name: "index 1.5", frames: []string{chat("", tc("1.5", "c1", "run_tests", q(pathArgs))), chat("tool_calls")}, want: "!bad_frame"},
	{name: "choice 2000000000", frames: []string{`{"choices":[{"index":2000000000,"delta":{}}]}`}, want: "!index_range"},
	{name: "sparse indexes", frames: []string{chat("", tc("1000", "c2", "lookup_contact", q(nameArgs)), tc("7", "c1", "run_tests", q(pathArgs))), chat("tool_calls")},
		want: "run_tests" + pathArgs + " lookup_contact" + nameArgs},
	{name: "a nameless new id under a used index", frames: []string{chat("", tc("0", "c1", "run_tests", q(`{"path":`))), chat("", tc("0", "c2", "", q(`"x"}`))), chat("tool_calls")}, want: "!conflict"},
	{name: "one id under two indexes", frames: []string{chat("", tc("0", "c1", "run_tests", q(pathArgs)), tc("1", "c1", "lookup_contact", q(nameArgs))), chat("tool_calls")}, want: "!conflict"},
	{name: "index after delta in the choice", frames: []string{
		`{"choices":[{"delta":{"tool_calls":[` + tc("0", "a", "lookup_contact", q(nameArgs)) + `]},"index":1,"finish_reason":"stop"}]}`,
		`{"choices":[{"delta":{"tool_calls":[` + tc("0", "b", "run_tests", q(pathArgs)) + `]},"finish_reason":"stop"}]}`},
		want: "run_tests" + pathArgs + " lookup_contact" + nameArgs},

	// OpenAI chat: names.
	{name: "name repeated", frames: []string{chat("", tc("0", "c1", "run_tests", q(`{"path":`))), chat("", tc("0", "c1", "run_tests", q(`"tests/"}`))), chat("tool_calls")}, want: "run_tests" + pathArgs},
	{name: "name in three pieces", frames: []string{chat("", tc("0", "c1", "run", "")), chat("", tc("0", "", "_te", "")), chat("", tc("0", "", "sts", q(pathArgs))), chat("tool_calls")}, want: "run_tests" + pathArgs},
	{name: "name pieces that make no tool", frames: []string{chat("", tc("0", "c1", "rm", "")), chat("", tc("0", "", "_rf", q(`{}`))), chat("tool_calls")}, want: "!conflict"},
	{name: "name cut and never completed", frames: []string{chat("", tc("0", "c1", "run_", q(pathArgs))), chat("tool_calls")}, want: "!unknown_tool"},
	{name: "name late", frames: []string{chat("", tc("0", "c1", "", q(`{"path":`))), chat("", tc("0", "", "run_tests", q(`"tests/"}`))), chat("tool_calls")}, want: "run_tests" + pathArgs},
	{name: "two pieces, the first of them a tool", frames: []string{chat("", tc("0", "c1", "ping", "")), chat("", tc("0", "", "_all", `"{}"`)), chat("tool_calls")}, want: "!conflict"},
	{name: "two pieces, the second of them a tool", frames: []string{chat("", tc("0", "c1", "re", "")), chat("", tc("0", "", "ping", `"{}"`)), chat("tool_calls")}, want: "!conflict"},
	{name: "name in another case", frames: []string{chat("", tc("0", "c1", "Run_Tests", q(pathArgs))), chat("tool_calls")}, want: "!unknown_tool"},

	// OpenAI chat: arguments.
	{name: "arguments an object", frames: []string{chat("", tc("0", "c1", "run_tests", pathArgs)), chat("tool_calls")}, want: "run_tests" + pathArgs},
	{name: "arguments objects without keys, two calls", frames: []string{chat("", tc("", "", "lookup_contact", nameArgs)), chat("", tc("", "", "lookup_contact", `{"name":"B"}`)), chat("tool_calls")},
		want: `lookup_contact{"name":"A"} lookup_contact{"name":"B"}`},
	{name: "object with a name twice", frames: []string{chat("", tc("0", "c1", "run_tests", `{"path":"a","path":"b"}`)), chat("tool_calls")}, want: "!duplicate_key"},
	{name: "text with a name twice", frames: []string{chat("", tc("0", "c1", "run_tests", q(`{"path":"a","p\u0061th":"b"}`))), chat("tool_calls")}, want: "!duplicate_key"},
	{name: "a name twice in depth", frames: []string{chat("", tc("0", "c1", "get_time", q(`{"zone":"x","y":[{"a":1,"a":2}]}`))), chat("tool_calls")}, want: "!duplicate_key"},
	{name: "arguments null and no more, required", frames: []string{chat("", tc("0", "c1", "run_tests", "null")), chat("tool_calls")}, want: "!empty_arguments"},
	{name: "arguments null and no more, optional", frames: []string{chat("", tc("0", "c1", "get_time", "null")), chat("tool_calls")}, want: "get_time{}"},
	{name: "arguments the text null", frames: []string{chat("", tc("0", "c1", "get_time", `"null"`)), chat("tool_calls")}, want: "!not_object"},
	{name: "arguments a number", frames: []string{chat("", tc("0", "c1", "get_time", `7`)), chat("tool_calls")}, want: "!not_object"},
	{name: "arguments an empty array", frames: []string{chat("", tc("0", "c1", "get_time", `[]`)), chat("tool_calls")}, want: "!not_object"},
	{name: "zero parameters, no bytes", frames: []string{chat("", tc("0", "c1", "ping", "")), chat("tool_calls")}, want: "ping{}"},
	{name: "zero parameters, braces", frames: []string{chat("", tc("0", "c1", "ping", `"{}"`)), chat("tool_calls")}, want: "ping{}"},
	{name: "zero parameters, something", frames: []string{chat("", tc("0", "c1", "ping", q(`{"x":1}`))), chat("tool_calls")}, want: "!schema"},
	{name: "nested required", frames: []string{chat("", tc("0", "c1", "nested", q(`{"a":{}}`))), chat("tool_calls")}, want: "!missing_required"},
	{name: "nested type", frames: []string{chat("", tc("0", "c1", "nested", q(`{"a":{"b":[1,"2"]}}`))), chat("tool_calls")}, want: "!schema"},
	{name: "nested extra", frames: []string{chat("", tc("0", "c1", "nested", q(`{"a":{"b":[],"c":1}}`))), chat("tool_calls")}, want: "!schema"},
	{name: "string too short", frames: []string{chat("", tc("0", "c1", "run_tests", q(`{"path":""}`))), chat("tool_calls")}, want: "!schema"},
	{name: "nested too deep", frames: []string{chat("", tc("0", "c1", "get_time", q(`{"zone":`+strings.Repeat("[", 200)+strings.Repeat("]", 200)+`}`))), chat("tool_calls")}, want: "!invalid_json"},
	{name: "lone surrogate in the arguments", frames: []string{chat("", tc("0", "c1", "run_tests", q(`{"path":"\ud83d"}`))), chat("tool_calls")}, want: "!invalid_json"},
	{name: "surrogate pair cut between frames", frames: []string{chat("", tc("0", "c1", "run_tests", `"{\"path\":\"\ud83d"`)), chat("", tc("0", "", "", `"\ude00\"}"`)), chat("tool_calls")}, want: `run_tests{"path":"😀"}`},
	{name: "half a pair and no more", frames: []string{chat("", tc("0", "c1", "run_tests", `"{\"path\":\"\ud83d\"}"`)), chat("tool_calls")}, want: "!invalid_json"},
	{name: "message in place of delta", frames: []string{`{"choices":[{"index":0,"message":{"role":"assistant","content":"x","tool_calls":[` + tc("", "c1", "run_tests", q(pathArgs)) + `]},"finish_reason":"tool_calls"}]}`}, want: "run_tests" + pathArgs, text: "x"},
	{name: "legacy function_call", frames: []string{
		`{"choices":[{"delta":{"function_call":{"name":"run_tests","arguments":""}}}]}`, `{"choices":[{"delta":{"function_call":{"arguments":"{\"path\":"}}}]}`,
		`{"choices":[{"delta":{"function_call":{"arguments":"\"tests/\"}"}}}]}`, chat("function_call")}, want: "run_tests" + pathArgs},
	{name: "legacy and modern at once", frames: []string{
		`{"choices":[{"delta":{"function_call":{"name":"run_tests","arguments":"{\"path\":\"x\"}"},"tool_calls":[` + tc("0", "c1", "run_tests", q(`{"path":"x"}`)) + `]}}]}`, chat("tool_calls")}, want: "!conflict"},

	// OpenAI chat: frames.
	{name: "frame null", frames: []string{"null"}, want: "!bad_frame"},
	{name: "frame array", frames: []string{"[]"}, want: "!bad_frame"},
	{name: "two documents in a frame", frames: []string{chat("") + "\n" + chat("stop")}, want: "!bad_frame"},
	{name: "invalid UTF-8 in a frame", frames: []string{chat("", tc("0", "c1", "run_tests", "\"{\\\"path\\\":\\\"\xff\\\"}\"")), chat("tool_calls")}, want: "!bad_frame"},
	{name: "finish_reason twice in a choice", frames: []string{`{"choices":[{"delta":{},"finish_reason":"length","finish_reason":"stop"}]}`}, want: "!bad_frame"},
	{name: "tool_calls null", frames: []string{`{"choices":[{"delta":{"content":"a","tool_calls":null}}]}`, chat("stop")}, want: "", text: "a"},
	{name: "blank frame", frames: []string{" \n", chat("stop")}, want: ""},
	{name: "content as parts", frames: []string{`{"choices":[{"delta":{"content":[{"type":"text","text":"a"},{"type":"thinking","thinking":[]}]}}]}`, chat("stop")}, want: "", text: "a"},
	{name: "text while a call is open", frames: []string{chat("", tc("0", "c1", "run_tests", q(`{"path":`))), `{"choices":[{"delta":{"content":"so"}}]}`, chat("", tc("0", "", "", q(`"tests/"}`))), chat("tool_calls")}, want: "run_tests" + pathArgs, text: "so"},
	{name: "text cut in a surrogate pair", frames: []string{`{"choices":[{"delta":{"content":"a\ud83d"}}]}`, `{"choices":[{"delta":{"content":"\ude00b"}}]}`, chat("stop")}, want: "", text: "a😀b"},
	{name: "text goes on after the turn failed", frames: []string{chat("", tc("-2", "c1", "run_tests", "")), `{"choices":[{"delta":{"content":"so"}}]}`}, want: "!index_range", text: "so"},
	{name: "text of a broken frame", frames: []string{`{"choices":[{"delta":{"content":"so"}}],`}, want: "!bad_frame"},
	{name: "text with the cutting reason", frames: []string{`{"choices":[{"delta":{"content":"so"},"finish_reason":"length"}]}`}, want: "!length", text: "so"},
	{name: "refusal in a content part", frames: []string{`{"choices":[{"delta":{"content":[{"type":"refusal","refusal":"no"}]},"finish_reason":"stop"}]}`}, want: "!refusal"},
	{name: "refusal and a call", frames: []string{`{"choices":[{"delta":{"refusal":"no","tool_calls":[` + tc("0", "c1", "run_tests", q(pathArgs)) + `]},"finish_reason":"stop"}]}`}, want: "!refusal"},

	// Anthropic.
	{name: "ant input in thinking block", wire: "anthropic", frames: []string{antStart(0, "thinking", "", "", ""), antDelta(0, `{"path":"x"}`), antStop("tool_use")[0], antStop("tool_use")[1]}, want: "!conflict"},
	{name: "ant thinking, text, tool", wire: "anthropic", frames: append([]string{
		antStart(0, "thinking", "", "", ""), `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}`, antClose(0),
		antStart(1, "text", "", "", ""), `{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Hi"}}`, antClose(1), `{"type":"ping"}`,
		antStart(2, "tool_use", "t1", "run_tests", "{}"), antDelta(2, ""), antDelta(2, pathArgs), antClose(2)}, antStop("tool_use")...), want: "run_tests" + pathArgs, text: "Hi"},
	{name: "ant server tool is no call", wire: "anthropic", frames: append([]string{
		antStart(0, "server_tool_use", "s1", "web_search", "{}"), antDelta(0, `{"query":"x"}`), antClose(0), antStart(1, "web_search_tool_result", "", "", ""), antClose(1)}, antStop("end_turn")...), want: ""},
	{name: "ant input object that is text", wire: "anthropic", frames: append([]string{antStart(0, "tool_use", "t1", "run_tests", `""`), antDelta(0, pathArgs), antClose(0)}, antStop("tool_use")...), want: "run_tests" + pathArgs},
	{name: "ant delta without start", wire: "anthropic", frames: append([]string{antDelta(0, pathArgs), antClose(0)}, antStop("tool_use")...), want: "!missing_name"},
	{name: "ant delta after block stop", wire: "anthropic", frames: append([]string{antStart(0, "tool_use", "t1", "run_tests", "{}"), antDelta(0, `{"path":"x"`), antClose(0), antDelta(0, `}`)}, antStop("tool_use")...), want: "!late"},
	{name: "ant delta after message_stop", wire: "anthropic", frames: append(append([]string{antStart(0, "tool_use", "t1", "run_tests", "{}"), antDelta(0, pathArgs), antClose(0)}, antStop("tool_use")...), antDelta(0, "}")), want: "!late"},
	{name: "ant index reused", wire: "anthropic", frames: append([]string{
		antStart(0, "tool_use", "t1", "run_tests", "{}"), antDelta(0, pathArgs), antClose(0), antStart(0, "tool_use", "t2", "lookup_contact", "{}"), antDelta(0, nameArgs), antClose(0)}, antStop("tool_use")...),
		want: "run_tests" + pathArgs + " lookup_contact" + nameArgs},
	{name: "ant placeholder and no delta, required", wire: "anthropic", frames: append([]string{antStart(0, "tool_use", "t1", "run_tests", "{}"), antClose(0)}, antStop("tool_use")...), want: "!empty_arguments"},
	{name: "ant start twice", wire: "anthropic", frames: append([]string{
		antStart(0, "tool_use", "t1", "run_tests", "{}"), antStart(0, "tool_use", "t1", "run_tests", "{}"), antDelta(0, pathArgs), antClose(0)}, antStop("tool_use")...), want: "run_tests" + pathArgs},
	{name: "ant seeds differ", wire: "anthropic", frames: append([]string{
		antStart(0, "tool_use", "t1", "run_tests", pathArgs), antStart(0, "tool_use", "t1", "run_tests", `{"path":"b"}`), antClose(0)}, antStop("tool_use")...), want: "!conflict"},
	{name: "ant stop without reason", wire: "anthropic", frames: []string{antStart(0, "tool_use", "t1", "run_tests", pathArgs), antClose(0), `{"type":"message_stop"}`}, want: "!truncated"},
	{name: "ant reason without message_stop", wire: "anthropic", frames: append([]string{antStart(0, "tool_use", "t1", "run_tests", pathArgs), antClose(0)}, antStop("tool_use")[0]), want: "!truncated"},
	{name: "ant tool_use and no block", wire: "anthropic", frames: antStop("tool_use"), want: "!conflict"},
	{name: "ant end_turn with a call", wire: "anthropic", frames: append([]string{antStart(0, "tool_use", "t1", "run_tests", pathArgs), antClose(0)}, antStop("end_turn")...), want: "run_tests" + pathArgs},
	{name: "ant pause_turn with a call", wire: "anthropic", frames: append([]string{antStart(0, "tool_use", "t1", "run_tests", pathArgs), antClose(0)}, antStop("pause_turn")...), want: "!truncated"},
	{name: "ant reason changes for the worse", wire: "anthropic", frames: append([]string{antStart(0, "tool_use", "t1", "run_tests", pathArgs), antClose(0), antStop("tool_use")[0]}, antStop("max_tokens")...), want: "!length"},
	{name: "ant type only as event name", wire: "anthropic", frames: []string{
		ev("content_block_start", `{"index":0,"content_block":{"type":"tool_use","id":"t1","name":"run_tests","input":{}}}`), ev("content_block_delta", `{"index":0,"delta":{"type":"input_json_delta","partial_json":"{\"path\":\"x\"}"}}`),
		ev("content_block_stop", `{"index":0}`), ev("message_delta", `{"delta":{"stop_reason":"tool_use"}}`), ev("message_stop", `{}`)}, want: `run_tests{"path":"x"}`},
	{name: "ant block without index", wire: "anthropic", frames: []string{`{"type":"content_block_start","content_block":{"type":"text"}}`}, want: "!bad_frame"},

	// OpenAI Responses.
	{name: "resp only in the completed response", wire: "openai-responses", frames: []string{respEnd("completed", respItem("fc1", "c1", "run_tests", pathArgs, "completed"))}, want: "run_tests" + pathArgs},
	{name: "resp done without deltas", wire: "openai-responses", frames: []string{respAdded(0, "fc1", "c1", "run_tests"), respArgs(0, "fc1", pathArgs), respEnd("completed")}, want: "run_tests" + pathArgs},
	{name: "resp item never done", wire: "openai-responses", frames: []string{respAdded(0, "fc1", "c1", "run_tests"), respDelta(0, "fc1", pathArgs), respEnd("completed")}, want: "!open_block"},
	{name: "resp done event only in the response", wire: "openai-responses", frames: []string{respAdded(0, "fc1", "c1", "run_tests"), respDelta(0, "fc1", pathArgs), respEnd("completed", respItem("fc1", "c1", "run_tests", pathArgs, "completed"))}, want: "run_tests" + pathArgs},
	{name: "resp no added event", wire: "openai-responses", frames: []string{respDelta(0, "fc1", pathArgs), respItemDone(0, respItem("fc1", "c1", "run_tests", pathArgs, "completed")), respEnd("completed")}, want: "run_tests" + pathArgs},
	{name: "resp never a name", wire: "openai-responses", frames: []string{respDelta(0, "fc1", pathArgs), respArgs(0, "fc1", pathArgs), respEnd("completed")}, want: "!missing_name"},
	{name: "resp response differs from the deltas", wire: "openai-responses", frames: []string{respAdded(0, "fc1", "c1", "run_tests"), respDelta(0, "fc1", pathArgs), respArgs(0, "fc1", pathArgs), respEnd("completed", respItem("fc1", "c1", "run_tests", `{"path":"b"}`, "completed"))}, want: "!conflict"},
	{name: "resp call missing in the response", wire: "openai-responses", frames: []string{respAdded(0, "fc1", "c1", "run_tests"), respArgs(0, "fc1", pathArgs), respEnd("completed", respItem("fc2", "c2", "lookup_contact", nameArgs, "completed"))}, want: "!conflict"},
	{name: "resp call id changes", wire: "openai-responses", frames: []string{respAdded(0, "fc1", "c1", "run_tests"), respItemDone(0, respItem("fc1", "c9", "run_tests", pathArgs, "completed")), respEnd("completed")}, want: "!conflict"},
	{name: "resp item under another index", wire: "openai-responses", frames: []string{respAdded(0, "fc1", "c1", "run_tests"), respAdded(1, "fc2", "c2", "lookup_contact"), respDelta(1, "fc1", pathArgs)}, want: "!conflict"},
	{name: "resp no output_index", wire: "openai-responses", frames: []string{
		`{"type":"response.output_item.added","item":` + respItem("fc1", "c1", "run_tests", "", "") + `}`, `{"type":"response.output_item.added","item":` + respItem("fc2", "c2", "lookup_contact", "", "") + `}`,
		`{"type":"response.function_call_arguments.delta","item_id":"fc1","delta":` + q(pathArgs) + `}`, `{"type":"response.function_call_arguments.delta","item_id":"fc2","delta":` + q(nameArgs) + `}`,
		`{"type":"response.function_call_arguments.done","item_id":"fc1"}`, `{"type":"response.function_call_arguments.done","item_id":"fc2"}`, respEnd("completed")}, want: "run_tests" + pathArgs + " lookup_contact" + nameArgs},
	{name: "resp delta for nobody", wire: "openai-responses", frames: []string{`{"type":"response.function_call_arguments.delta","delta":"x"}`}, want: "!ambiguous"},
	{name: "resp delta after done", wire: "openai-responses", frames: []string{respAdded(0, "fc1", "c1", "run_tests"), respArgs(0, "fc1", pathArgs), respDelta(0, "fc1", "}"), respEnd("completed")}, want: "!late"},
	{name: "resp completed with status incomplete", wire: "openai-responses", frames: []string{`{"type":"response.completed","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[` + respItem("fc1", "c1", "run_tests", pathArgs, "completed") + `]}}`}, want: "!length"},
	{name: "resp incomplete without reason", wire: "openai-responses", frames: []string{`{"type":"response.incomplete","response":{}}`}, want: "!truncated"},
	{name: "resp cancelled", wire: "openai-responses", frames: []string{`{"type":"response.cancelled","response":{"status":"cancelled"}}`}, want: "!upstream"},
	{name: "resp DONE only", wire: "openai-responses", frames: []string{respAdded(0, "fc1", "c1", "run_tests"), respArgs(0, "fc1", pathArgs), "[DONE]"}, want: "!truncated"},
	{name: "resp output_index 0 for every item", wire: "openai-responses", frames: []string{
		respAdded(0, "fc1", "c1", "run_tests"), respDelta(0, "fc1", `{"path":`), respAdded(0, "fc2", "c2", "lookup_contact"), respDelta(0, "fc2", nameArgs), respDelta(0, "fc1", `"tests/"}`),
		respArgs(0, "fc1", pathArgs), respArgs(0, "fc2", nameArgs), respEnd("completed")}, want: "run_tests" + pathArgs + " lookup_contact" + nameArgs},
	{name: "resp output_index 0 for every item, no item id", wire: "openai-responses", frames: []string{
		respAdded(0, "fc1", "c1", "run_tests"), respAdded(0, "fc2", "c2", "lookup_contact"), `{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{}"}`}, want: "!ambiguous"},
	{name: "resp delta with another item id", wire: "openai-responses", frames: []string{respAdded(0, "fc1", "c1", "run_tests"), respDelta(0, "fc9", pathArgs)}, want: "!conflict"},
	{name: "resp item id late", wire: "openai-responses", frames: []string{
		`{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"c1","name":"run_tests"}}`, respDelta(0, "fc1", pathArgs), respArgs(0, "fc1", pathArgs), respEnd("completed")}, want: "run_tests" + pathArgs},
	{name: "resp one call_id for two items", wire: "openai-responses", frames: []string{respAdded(0, "fc1", "c1", "run_tests"), respAdded(1, "fc2", "c1", "lookup_contact")}, want: "!conflict"},
	{name: "resp completed call after a reasoning item", wire: "openai-responses", frames: []string{
		respAdded(1, "fc1", "c1", "run_tests"), respArgs(1, "fc1", pathArgs), respEnd("completed", `{"type":"reasoning","id":"rs1","summary":[]}`, respItem("fc1", "c1", "run_tests", pathArgs, "completed"))}, want: "run_tests" + pathArgs},
	{name: "resp text and a hosted tool", wire: "openai-responses", frames: []string{
		`{"type":"response.output_item.added","output_index":0,"item":{"type":"web_search_call","id":"ws1","status":"in_progress"}}`, `{"type":"response.output_item.done","output_index":0,"item":{"type":"web_search_call","id":"ws1","status":"completed"}}`,
		`{"type":"response.output_text.delta","output_index":1,"delta":"Hi"}`, respEnd("completed", `{"type":"web_search_call","id":"ws1","status":"completed"}`, `{"type":"message","content":[{"type":"output_text","text":"Hi"}]}`)}, want: "", text: "Hi"},

	// Bedrock Converse.
	{name: "bedrock by event names", wire: "bedrock-converse", frames: []string{
		ev("messageStart", `{"role":"assistant"}`), ev("contentBlockStart", `{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"t1","name":"run_tests"}}}`),
		ev("contentBlockDelta", `{"contentBlockIndex":0,"delta":{"toolUse":{"input":"{\"path\":\"x\"}"}}}`), ev("contentBlockStop", `{"contentBlockIndex":0}`), ev("messageStop", `{"stopReason":"tool_use"}`), ev("metadata", `{}`)}, want: `run_tests{"path":"x"}`},
	{name: "bedrock exception by event name", wire: "bedrock-converse", frames: []string{ev("throttlingException", `{"message":"slow"}`)}, want: "!upstream"},
	{name: "bedrock malformed", wire: "bedrock-converse", frames: []string{`{"messageStop":{"stopReason":"malformed_tool_use"}}`}, want: "!malformed"},
	{name: "bedrock stop without reason", wire: "bedrock-converse", frames: []string{`{"messageStop":{}}`}, want: "!truncated"},
	{name: "bedrock server tool", wire: "bedrock-converse", frames: []string{`{"contentBlockStart":{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"t1","name":"x","type":"server_tool_use"}}}}`,
		`{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"toolUse":{"input":"{}"}}}}`, `{"messageStop":{"stopReason":"end_turn"}}`}, want: ""},

	// Gemini.
	{name: "gemini same tool twice with ids", wire: "gemini", frames: []string{`{"candidates":[{"content":{"parts":[{"functionCall":{"id":"a","name":"lookup_contact","args":{"name":"A"}}},{"functionCall":{"id":"b","name":"lookup_contact","args":{"name":"B"}}}]},"finishReason":"STOP"}]}`},
		want: `lookup_contact{"name":"A"} lookup_contact{"name":"B"}`},
	{name: "gemini one id twice", wire: "gemini", frames: []string{`{"candidates":[{"content":{"parts":[{"functionCall":{"id":"a","name":"lookup_contact","args":{"name":"A"}}},{"functionCall":{"id":"a","name":"lookup_contact","args":{"name":"B"}}}]},"finishReason":"STOP"}]}`}, want: "!conflict"},
	{name: "gemini zero parameters", wire: "gemini", frames: []string{`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"get_time","args":null}}]},"finishReason":"STOP"}]}`}, want: "get_time{}"},
	{name: "gemini STOP with every chunk", wire: "gemini", frames: []string{`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`, `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"get_time"}}]},"finishReason":"STOP"}]}`}, want: "get_time{}", text: "a"},
	{name: "gemini call after STOP", wire: "gemini", frames: []string{`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`, `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"get_time"}}]}}]}`}, want: "!late", text: "a"},
	{name: "gemini SAFETY", wire: "gemini", frames: []string{`{"candidates":[{"finishReason":"SAFETY"}]}`}, want: "!content_filter"},
	{name: "gemini OTHER", wire: "gemini", frames: []string{`{"candidates":[{"finishReason":"OTHER"}]}`}, want: "!truncated"},
	{name: "gemini error in an array", wire: "gemini", frames: []string{`[{"error":{"code":429,"message":"slow"}}]`}, want: "!upstream"},
	{name: "gemini thought is no answer", wire: "gemini", frames: []string{`{"candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"text":"Hi"}]},"finishReason":"STOP"}]}`}, want: "", text: "Hi"},
	{name: "gemini two candidates, one unfinished", wire: "gemini", frames: []string{`{"candidates":[{"index":0,"finishReason":"STOP"},{"index":1,"content":{"parts":[]}}]}`}, want: "!truncated"},
	{name: "gemini partial arguments", wire: "gemini", frames: []string{
		gem(`{"name":"nested","willContinue":true}`), gem(`{"partialArgs":[{"jsonPath":"$.a.b[0]","numberValue":1}],"willContinue":true}`), gem(`{"partialArgs":[{"jsonPath":"$['a'].b[1]","numberValue":2}],"willContinue":true}`), gem(`{}`), gemEnd}, want: `nested{"a":{"b":[1,2]}}`},
	{name: "gemini partial string", wire: "gemini", frames: []string{
		gem(`{"name":"run_tests","willContinue":true,"partialArgs":[{"jsonPath":"$.path","stringValue":"te\"","willContinue":true}]}`), gem(`{"partialArgs":[{"jsonPath":"$.path","stringValue":"sts"}]}`), gemEnd}, want: `run_tests{"path":"te\"sts"}`},
	{name: "gemini partial never finished", wire: "gemini", frames: []string{gem(`{"name":"run_tests","willContinue":true,"partialArgs":[{"jsonPath":"$.path","stringValue":"te","willContinue":true}]}`), gemEnd}, want: "!truncated"},
	{name: "gemini partial string never finished", wire: "gemini", frames: []string{gem(`{"name":"run_tests","partialArgs":[{"jsonPath":"$.path","stringValue":"te","willContinue":true}]}`), gemEnd}, want: "!truncated"},
	{name: "gemini partial and another call", wire: "gemini", frames: []string{gem(`{"name":"run_tests","willContinue":true}`), gem(`{"name":"get_time"}`), gemEnd}, want: "!conflict"},
	{name: "gemini partial value twice", wire: "gemini", frames: []string{gem(`{"name":"get_time","partialArgs":[{"jsonPath":"$.zone","stringValue":"a"},{"jsonPath":"$.zone","stringValue":"b"}]}`), gemEnd}, want: "!bad_frame"},
	{name: "gemini partial path nonsense", wire: "gemini", frames: []string{gem(`{"name":"get_time","partialArgs":[{"jsonPath":"$..x","stringValue":"a"}]}`), gemEnd}, want: "!bad_frame"},

	// Ollama.
	{name: "ollama done without reason", wire: "ollama", frames: []string{`{"message":{"tool_calls":[{"function":{"name":"run_tests","arguments":{"path":"x"}}}]},"done":false}`, `{"done":true}`}, want: `run_tests{"path":"x"}`},
	{name: "ollama call in the done line", wire: "ollama", frames: []string{`{"message":{"content":"a","tool_calls":[{"function":{"name":"run_tests","arguments":{"path":"x"}}}]},"done":true,"done_reason":"stop"}`}, want: `run_tests{"path":"x"}`, text: "a"},
	{name: "ollama arguments as text", wire: "ollama", frames: []string{`{"message":{"tool_calls":[{"function":{"name":"run_tests","arguments":"{\"path\":\"x\"}"}}]},"done":true,"done_reason":"stop"}`}, want: `run_tests{"path":"x"}`},
	{name: "ollama no done", wire: "ollama", frames: []string{`{"message":{"tool_calls":[{"function":{"name":"run_tests","arguments":{"path":"x"}}}]},"done":false}`}, want: "!truncated"},
	{name: "ollama line cut", wire: "ollama", frames: []string{`{"message":{"tool_calls":[{"function":{"name":"run_te`}, want: "!bad_frame"},
	{name: "ollama unload", wire: "ollama", frames: []string{`{"done":true,"done_reason":"unload"}`}, want: "!truncated"},
}

func antStart(index int, typ, id, name, input string) string {
	if input == "" {
		return fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{"type":%q}}`, index, typ)
	}
	return fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{"type":%q,"id":%q,"name":%q,"input":%s}}`, index, typ, id, name, input)
}

func antDelta(index int, part string) string {
	return fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"input_json_delta","partial_json":%s}}`, index, q(part))
}

func antClose(index int) string {
	return fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, index)
}

func antStop(reason string) []string {
	return []string{fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q}}`, reason), `{"type":"message_stop"}`}
}

func respItem(id, callID, name, args, status string) string {
	return fmt.Sprintf(`{"type":"function_call","id":%q,"call_id":%q,"name":%q,"arguments":%s,"status":%q}`, id, callID, name, q(args), status)
}

func respAdded(index int, id, callID, name string) string {
	return fmt.Sprintf(`{"type":"response.output_item.added","output_index":%d,"item":%s}`, index, respItem(id, callID, name, "", "in_progress"))
}

func respDelta(index int, id, part string) string {
	return fmt.Sprintf(`{"type":"response.function_call_arguments.delta","output_index":%d,"item_id":%q,"delta":%s}`, index, id, q(part))
}

func respArgs(index int, id, args string) string {
	return fmt.Sprintf(`{"type":"response.function_call_arguments.done","output_index":%d,"item_id":%q,"arguments":%s}`, index, id, q(args))
}

func respItemDone(index int, item string) string {
	return fmt.Sprintf(`{"type":"response.output_item.done","output_index":%d,"item":%s}`, index, item)
}

func respEnd(status string, items ...string) string {
	return fmt.Sprintf(`{"type":"response.%s","response":{"status":%q,"output":[%s]}}`, status, status, strings.Join(items, ","))
}

func gem(call string) string {
	return `{"candidates":[{"content":{"parts":[{"functionCall":` + call + `}]}}]}`
}

const gemEnd = `{"candidates":[{"finishReason":"STOP"}]}`

// TestQuirks has what real servers do, and what a hostile one might, by wire.
func TestQuirks(t *testing.T) {
	for _, c := range quirks {
		t.Run(c.name, func(t *testing.T) {
			if c.wire == "" {
				c.wire = "openai-chat"
			}
			turn := wires[c.wire](tools)
			var text strings.Builder
			for _, f := range c.frames {
				event, data, ok := strings.Cut(f, "\x00")
				if !ok {
					event, data = "", f
				}
				events, _ := turn.Frame(event, []byte(data))
				for _, e := range events {
					if e.Kind == toolcall.Text {
						text.WriteString(e.Text)
					}
				}
			}
			calls, err := turn.End(c.end)
			if got := outcome(calls, err); got != c.want {
				t.Errorf("got %s (%v), want %s", got, err, c.want)
			}
			if text.String() != c.text {
				t.Errorf("handed on %q, want %q", text.String(), c.text)
			}
		})
	}
}

func outcome(calls []toolcall.Call, err error) string {
	var e *toolcall.Error
	if errors.As(err, &e) {
		return "!" + string(e.Kind)
	}
	if err != nil {
		return err.Error()
	}
	var out []string
	for _, c := range calls {
		out = append(out, c.Name()+string(c.Arguments()))
	}
	return strings.Join(out, " ")
}
