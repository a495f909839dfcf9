package envelope

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/streamlint/streamlint/stream/internal/strictjson"
)

const (
	magic      = "MC1"
	magicKeyed = "MC1H"
	sentinel   = "\nEND\n"
	// headerMax is the longest header line there can be: the keyed magic, a
	// length of maxDigits, the digest, two spaces and the newline.
	maxDigits = 18
	headerMax = len(magicKeyed) + 1 + maxDigits + 1 + 2*sha256.Size + 1
)

// Seal wraps body, which is not changed and may hold any bytes.
func Seal(body []byte) []byte {
	covered := cover(body)
	sum := sha256.Sum256(covered)
	return assemble(magic, covered, sum[:])
}

// SealHMAC wraps body with an HMAC-SHA256 in place of the digest, under the magic
// word MC1H. The HMAC covers "MC1H <length>\n", the body and the sentinel. It
// returns [ErrKey] for a key shorter than [MinKeySize].
func SealHMAC(key, body []byte) ([]byte, error) {
	if len(key) < MinKeySize {
		return nil, ErrKey
	}
	covered := cover(body)
	return assemble(magicKeyed, covered, keyedSum(key, covered)), nil
}

func cover(body []byte) []byte {
	covered := make([]byte, 0, len(body)+len(sentinel))
	return append(append(covered, body...), sentinel...)
}

func assemble(word string, covered, sum []byte) []byte {
	out := make([]byte, 0, headerMax+len(covered))
	out = fmt.Appendf(out, "%s %d %x\n", word, len(covered), sum)
	return append(out, covered...)
}

func keyedSum(key, covered []byte) []byte {
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s %d\n", magicKeyed, len(covered))
	mac.Write(covered)
	return mac.Sum(nil)
}

// Open checks raw, which must be one whole envelope and nothing else, and returns
// its body. Any failed proof gives an [*IncompleteError] and the zero Body.
func Open(raw []byte, opts ...Option) (Body, error) {
	c, err := configure(opts)
	if err != nil {
		return Body{}, err
	}
	return c.open(raw)
}

// Read reads r to its end, which must hold one whole envelope and nothing else,
// and opens it. A read error fails the [Received] proof, whatever had come by
// then. At most the size cap and a header are read.
func Read(r io.Reader, opts ...Option) (Body, error) {
	c, err := configure(opts)
	if err != nil {
		return Body{}, err
	}
	raw, err := readAll(r, c.max+int64(headerMax))
	if err != nil {
		return Body{}, err
	}
	return c.open(raw)
}

func (c *config) open(raw []byte) (Body, error) {
	h, err := parseHeader(raw)
	if err != nil {
		return Body{}, err
	}
	covered := raw[h.size:]
	refuse := func(p Proof, want, got string) (Body, error) {
		return Body{}, &IncompleteError{
			Proof: p, Want: want, Got: got, Offset: -1, Bytes: int64(len(raw)),
			short: p == Length && int64(len(covered)) < h.length,
		}
	}
	if h.length > c.max {
		return Body{}, tooLarge(c.max, int64(len(raw)), strconv.FormatInt(h.length, 10))
	}
	if h.keyed != c.keyed {
		return refuse(Key, wordFor(c.keyed), wordFor(h.keyed))
	}
	if int64(len(covered)) != h.length {
		return refuse(Length, strconv.FormatInt(h.length, 10), strconv.Itoa(len(covered)))
	}
	if !c.verify(covered, h.sum) {
		got := "another"
		if !c.keyed { // the right HMAC of an altered message is nobody's business
			sum := sha256.Sum256(covered)
			got = hex.EncodeToString(sum[:])
		}
		return refuse(Digest, hex.EncodeToString(h.sum), got)
	}
	if !bytes.HasSuffix(covered, []byte(sentinel)) {
		return refuse(Sentinel, strconv.Quote(sentinel), strconv.Quote(string(covered[max(0, len(covered)-len(sentinel)):])))
	}
	b := Body{raw: bytes.Clone(covered[:len(covered)-len(sentinel)]), opened: true}
	if len(c.required) > 0 {
		if err := b.require(c.required); err != nil {
			return Body{}, err
		}
	}
	return b, nil
}

func wordFor(keyed bool) string {
	if keyed {
		return magicKeyed
	}
	return magic
}

func (c *config) verify(covered, sum []byte) bool {
	if !c.keyed {
		got := sha256.Sum256(covered)
		return subtle.ConstantTimeCompare(got[:], sum) == 1
	}
	for _, key := range c.keys {
		if hmac.Equal(keyedSum(key, covered), sum) {
			return true
		}
	}
	return false
}

type header struct {
	keyed  bool
	length int64
	sum    []byte
	size   int // of the line, newline included
}

// parseHeader reads the header line by hand: every byte of it has one legal form,
// which strconv and fmt are too generous for.
func parseHeader(raw []byte) (header, error) {
	var h header
	fail := func(at int, want string) (header, error) {
		e := &IncompleteError{Proof: Header, Want: want, Offset: int64(at), Bytes: int64(len(raw))}
		if at >= len(raw) {
			e.Got, e.short = "the end", true
		} else {
			e.Got = strconv.QuoteToASCII(string(raw[at : at+1]))
		}
		return header{}, e
	}
	at := 0
	for ; at < len(magic); at++ {
		if at >= len(raw) || raw[at] != magic[at] {
			return fail(at, magic)
		}
	}
	if at < len(raw) && raw[at] == magicKeyed[at] {
		h.keyed = true
		at++
	}
	if at >= len(raw) || raw[at] != ' ' {
		return fail(at, "a space")
	}
	at++
	first := at
	for ; at < len(raw) && raw[at] >= '0' && raw[at] <= '9'; at++ {
		if at-first == maxDigits || at > first && raw[first] == '0' {
			return fail(at, "a length of at most 18 digits without leading zeros")
		}
		h.length = h.length*10 + int64(raw[at]-'0')
	}
	if at == first {
		return fail(at, "a length")
	}
	if at >= len(raw) || raw[at] != ' ' {
		return fail(at, "a digit or a space")
	}
	at++
	first = at
	for ; at-first < 2*sha256.Size; at++ {
		if at >= len(raw) || !isLowerHex(raw[at]) {
			return fail(at, "64 lower-case hex digits")
		}
	}
	if at >= len(raw) || raw[at] != '\n' {
		return fail(at, "a newline")
	}
	h.sum, _ = hex.DecodeString(string(raw[first:at]))
	h.size = at + 1
	return h, nil
}

func isLowerHex(b byte) bool { return b >= '0' && b <= '9' || b >= 'a' && b <= 'f' }

// Body is the content of an envelope that passed every proof. Only [Open] and
// [Read] make one that holds anything.
type Body struct {
	raw    []byte
	fields map[string]json.RawMessage // when Require was given
	opened bool
}

// Bytes returns a copy of the body, nil for the zero Body.
func (b Body) Bytes() []byte { return bytes.Clone(b.raw) }

// Len is the body's length in bytes.
func (b Body) Len() int { return len(b.raw) }

// Text returns a field named in [Require], which must be a JSON string. The error
// is an [*IncompleteError] of the [Field] proof, or [ErrUnproven].
func (b Body) Text(field string) (string, error) {
	if !b.opened {
		return "", ErrUnproven
	}
	raw, ok := b.fields[field]
	if !ok {
		return "", fieldError(field, "a required field", "none", -1, len(b.raw))
	}
	s, ok := stringOf(raw)
	if !ok {
		return "", fieldError(field, "a string", strictjson.Kind(raw), -1, len(b.raw))
	}
	return s, nil
}

// Decode decodes the body into a T. The body must be one strict JSON document;
// otherwise, and when a value does not fit its field, the error is an
// [*IncompleteError] of the [JSON] proof and the result is the zero T. Use
// [Require] for the fields that must be there: encoding/json leaves a missing one
// at its zero value without a word.
func Decode[T any](b Body) (T, error) {
	var zero, v T
	if !b.opened {
		return zero, ErrUnproven
	}
	if _, err := strictjson.Scan(b.raw, maxDepth); err != nil {
		return zero, jsonError(err, len(b.raw))
	}
	if err := json.Unmarshal(b.raw, &v); err != nil {
		e := &IncompleteError{Proof: JSON, Offset: -1, Bytes: int64(len(b.raw)), Err: err}
		var mismatch *json.UnmarshalTypeError
		if errors.As(err, &mismatch) {
			e.Field, e.Offset = mismatch.Field, mismatch.Offset
		}
		return zero, e
	}
	return v, nil
}

func (b *Body) require(names []string) error {
	doc, err := scanObject(b.raw)
	if err != nil {
		return err
	}
	b.fields = make(map[string]json.RawMessage, len(doc.Members))
	for _, m := range doc.Members {
		b.fields[m.Name] = m.Raw
	}
	for _, name := range names {
		raw, ok := b.fields[name]
		switch {
		case !ok:
			return fieldError(name, "a value", "none", -1, len(b.raw))
		case strictjson.Kind(raw) == "null":
			return fieldError(name, "a value", "null", -1, len(b.raw))
		}
		if s, ok := stringOf(raw); ok && isBlank(s) {
			return fieldError(name, "a value", "a blank string", -1, len(b.raw))
		}
	}
	return nil
}
