// Package textstream turns the bytes of a stream into valid UTF-8 text without
// losing the characters that a chunk border cuts in two.
//
// A read may end anywhere, also inside a character: "é" is two bytes, "😀" is
// four. Converting each chunk on its own with a function that replaces or drops
// what it cannot read (encoding/json, []rune, strings.ToValidUTF8, a WebSocket
// text frame) loses such a character for good. A [Decoder] holds the unfinished
// tail of a chunk back, at most three bytes, until the next chunk completes it;
// only bytes that can never become a character count as invalid, and the
// [Policy] says what happens to them. Whatever way the same bytes are cut into
// chunks, the text, the error and the counts are the same.
//
//   - [Decoder] appends text to a slice of the caller, one chunk at a time.
//   - [Writer] wraps an [io.Writer] for code that pushes.
//   - [Reader] wraps an [io.Reader] for code that pulls.
//   - [Truncate] and [Tail] shorten text to a number of bytes on a character
//     border.
//
// # Which bytes are invalid
//
// The rules are those of the Unicode Standard, chapter 3, table 3-7: surrogates
// (ED A0..BF), overlong forms and values above U+10FFFF are invalid. Under
// [Replace] each maximal subpart of an ill-formed sequence becomes one U+FFFD,
// as the WHATWG Encoding Standard's UTF-8 decoder does and as browsers therefore
// do: E2 82 41 is one replacement and an "A", where converting through []rune
// gives two replacements. A byte order mark is text here and is kept;
// formats which drop it (text/event-stream) do so themselves.
//
// # Why not golang.org/x/text/transform
//
// The packages under stream/ import the standard library only. Besides, a
// transform.Transformer leaves the carry to its caller (ErrShortSrc), the
// UTF-8 validator of x/text reports an error with neither offset nor bytes, and
// its decoder replaces without a count; a person who has to find the one bad
// byte of a stream needs all three. The shape here is append-style instead, so
// that one buffer serves a whole stream.
package textstream
