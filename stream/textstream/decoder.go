package textstream

import (
	"fmt"
	"io"
	"unicode/utf8"
)

// Policy says what happens to bytes that can never become a character.
type Policy uint8

const (
	// Strict stops at the first invalid byte with an [*InvalidError], and at an
	// end inside a character with an [*IncompleteError]. It is the zero value:
	// replacing text is a decision, not a default.
	Strict Policy = iota
	// Replace writes one U+FFFD for each maximal subpart of an ill-formed
	// sequence and counts it; see [Decoder.Replaced].
	Replace
)

// String returns "strict" or "replace".
func (p Policy) String() string {
	switch p {
	case Strict:
		return "strict"
	case Replace:
		return "replace"
	}
	return fmt.Sprintf("Policy(%d)", uint8(p))
}

// InvalidError reports bytes that no continuation can make valid.
type InvalidError struct {
	// Offset is where the bytes start, counted from the stream's first byte.
	Offset int64
	// Bytes is the maximal subpart that is ill-formed: 1 to 3 bytes.
	Bytes []byte
}

func (e *InvalidError) Error() string {
	return fmt.Sprintf("textstream: invalid UTF-8 % X at byte %d", e.Bytes, e.Offset)
}

// IncompleteError reports a stream that ended inside a character. It matches
// [io.ErrUnexpectedEOF].
type IncompleteError struct {
	// Offset is where the unfinished character starts, counted from the
	// stream's first byte.
	Offset int64
	// Bytes is what had come of it: 1 to 3 bytes.
	Bytes []byte
}

func (e *IncompleteError) Error() string {
	return fmt.Sprintf("textstream: stream ended inside a character: % X at byte %d", e.Bytes, e.Offset)
}

// Is makes errors.Is(err, io.ErrUnexpectedEOF) true.
func (e *IncompleteError) Is(target error) bool { return target == io.ErrUnexpectedEOF }

// Decoder turns chunks into text. The zero value is a strict decoder at the
// start of a stream. A Decoder must not be used by two goroutines at once.
type Decoder struct {
	// Policy is read at every call; changing it inside a stream makes no sense.
	Policy Policy

	carry    [utf8.UTFMax - 1]byte
	n        int   // bytes in carry
	offset   int64 // input bytes taken, the carry included
	replaced int64
	err      error
}

// Append decodes chunk and appends the text that is finished by it to dst. The
// unfinished tail of the chunk is kept for the next call, so the text may be
// shorter than the chunk, or longer by the bytes kept from the chunk before.
// dst and chunk must not overlap.
//
// Under [Strict] the text before an invalid byte is appended and an
// [*InvalidError] returned. The error stays: every later call returns it and
// takes no more input.
func (d *Decoder) Append(dst, chunk []byte) ([]byte, error) {
	if d.err != nil {
		return dst, d.err
	}
	chunk, dst = d.finishCarry(dst, chunk)
	if d.err != nil || len(chunk) == 0 {
		return dst, d.err
	}
	whole := len(chunk) - unfinished(chunk)
	if utf8.Valid(chunk[:whole]) { // nearly always, and at the speed of a scan
		dst = append(dst, chunk[:whole]...)
		d.offset += int64(whole)
	} else {
		dst = d.appendMixed(dst, chunk[:whole])
		if d.err != nil {
			return dst, d.err
		}
	}
	d.n = copy(d.carry[:], chunk[whole:])
	d.offset += int64(d.n)
	return dst, nil
}

// Flush says that the stream is over. Under [Strict] an unfinished character
// gives an [*IncompleteError]; under [Replace] it is appended to dst as one
// U+FFFD. A second call has nothing to add and returns the same error.
func (d *Decoder) Flush(dst []byte) ([]byte, error) {
	if d.err != nil || d.n == 0 {
		return dst, d.err
	}
	if d.Policy == Replace {
		d.n = 0
		d.replaced++
		return append(dst, replacement...), nil
	}
	d.err = &IncompleteError{
		Offset: d.offset - int64(d.n),
		Bytes:  append([]byte(nil), d.carry[:d.n]...),
	}
	return dst, d.err
}

// Pending is the number of bytes held back: 0 to 3.
func (d *Decoder) Pending() int { return d.n }

// Offset is the number of input bytes taken so far, those held back included.
// After an [*InvalidError] it is the error's Offset.
func (d *Decoder) Offset() int64 { return d.offset }

// Replaced is the number of U+FFFD that stand for invalid input. A U+FFFD that
// was in the input itself is not counted.
func (d *Decoder) Replaced() int64 { return d.replaced }

// Reset starts a new stream under the same policy.
func (d *Decoder) Reset() { *d = Decoder{Policy: d.Policy} }

const replacement = "\uFFFD"

// finishCarry completes, or finds invalid, the character whose first bytes were
// held back, and returns the rest of the chunk.
func (d *Decoder) finishCarry(dst, chunk []byte) (rest, out []byte) {
	if d.n == 0 || len(chunk) == 0 {
		return chunk, dst
	}
	var joined [2 * utf8.UTFMax]byte
	held := copy(joined[:], d.carry[:d.n])
	total := held + copy(joined[held:held+utf8.UTFMax], chunk)
	size, kind := classify(joined[:total])
	switch kind {
	case needMore: // the chunk is so short that the character is still open
		d.n = copy(d.carry[:], joined[:total])
		d.offset += int64(total - held)
		return nil, dst
	case bad:
		// What was held could still have been continued, so the ill-formed
		// subpart has all of it, and size >= held.
		d.offset -= int64(held)
		d.n = 0
		dst = d.invalid(dst, joined[:size])
		return chunk[size-held:], dst
	}
	d.n = 0
	d.offset += int64(size - held)
	return chunk[size-held:], append(dst, joined[:size]...)
}

// appendMixed decodes text known to hold at least one invalid byte and no
// unfinished tail.
func (d *Decoder) appendMixed(dst, text []byte) []byte {
	good := 0 // start of the valid run that ends at i
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		size, kind := classify(text[i:])
		if kind == valid {
			i += size
			continue
		}
		dst = append(dst, text[good:i]...)
		d.offset += int64(i - good)
		dst = d.invalid(dst, text[i:i+size])
		if d.err != nil {
			return dst
		}
		i += size
		good = i
	}
	d.offset += int64(len(text) - good)
	return append(dst, text[good:]...)
}

// invalid applies the policy to one ill-formed subpart that starts at d.offset.
func (d *Decoder) invalid(dst, subpart []byte) []byte {
	if d.Policy == Replace {
		d.replaced++
		d.offset += int64(len(subpart))
		return append(dst, replacement...)
	}
	d.err = &InvalidError{Offset: d.offset, Bytes: append([]byte(nil), subpart...)}
	return dst
}

type class uint8

const (
	valid    class = iota // size bytes are one character
	bad                   // size bytes are a maximal ill-formed subpart
	needMore              // all bytes are the start of a character
)

// classify looks at the first character of p, which is not empty.
func classify(p []byte) (size int, kind class) {
	need, lo, hi := lead(p[0])
	if need == 0 {
		if p[0] < utf8.RuneSelf {
			return 1, valid
		}
		return 1, bad
	}
	for i := 1; i <= need; i++ {
		if i == len(p) {
			return i, needMore
		}
		if p[i] < lo || p[i] > hi {
			return i, bad
		}
		lo, hi = 0x80, 0xBF
	}
	return need + 1, valid
}

// lead gives, for a first byte, how many more bytes its character needs and the
// range of the second one (Unicode, table 3-7). need is 0 for ASCII and for
// bytes that cannot start a character.
func lead(b byte) (need int, lo, hi byte) {
	switch {
	case b < 0xC2:
		return 0, 0, 0
	case b < 0xE0:
		return 1, 0x80, 0xBF
	case b == 0xE0:
		return 2, 0xA0, 0xBF
	case b == 0xED:
		return 2, 0x80, 0x9F
	case b < 0xF0:
		return 2, 0x80, 0xBF
	case b == 0xF0:
		return 3, 0x90, 0xBF
	case b < 0xF4:
		return 3, 0x80, 0xBF
	case b == 0xF4:
		return 3, 0x80, 0x8F
	}
	return 0, 0, 0
}

// unfinished is the length of the character that p ends in the middle of, or 0.
func unfinished(p []byte) int {
	for back := 1; back < utf8.UTFMax && back <= len(p); back++ {
		b := p[len(p)-back]
		if b < utf8.RuneSelf {
			return 0
		}
		if utf8.RuneStart(b) {
			if _, kind := classify(p[len(p)-back:]); kind == needMore {
				return back
			}
			return 0
		}
	}
	return 0
}
