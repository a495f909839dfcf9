package textstream

import (
	"errors"
	"io"
	"unicode/utf8"
)

// Writer passes a byte stream on to another writer as text: each write below it
// holds whole characters only. [Writer.Close] must be called at the end, or an
// unfinished last character goes unnoticed.
type Writer struct {
	w   io.Writer
	dec Decoder
	buf []byte
	err error // the first failure, of the text or of w

	closed bool
}

var errClosed = errors.New("textstream: write after Close")

// NewWriter returns a Writer that writes to w.
func NewWriter(w io.Writer, p Policy) *Writer {
	return &Writer{w: w, dec: Decoder{Policy: p}}
}

// Write decodes p and writes the finished characters. It returns len(p) unless
// it failed; bytes held back count as written. The errors are [*InvalidError]
// under [Strict], then n is the number of bytes of p before the invalid ones,
// and those of the writer below, then n is a lower bound. An error stays. A
// write after [Writer.Close] is an error: nobody would ask for its last character.
func (w *Writer) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	if w.closed {
		return 0, errClosed
	}
	start, held, before := w.dec.Offset(), w.dec.Pending(), w.dec.Replaced()
	var text []byte
	var bad error
	if whole := len(p) - unfinished(p); held == 0 && utf8.Valid(p[:whole]) {
		// No copy: what is below sees the caller's own bytes.
		text = p[:whole]
		w.dec.n = copy(w.dec.carry[:], p[whole:])
		w.dec.offset += int64(len(p))
	} else {
		w.buf, bad = w.dec.Append(w.buf[:0], p)
		text = w.buf
	}
	if n, err := w.write(text); err != nil {
		if w.dec.Replaced() != before {
			return 0, err
		}
		return min(max(0, n-held), len(p)), err
	}
	if bad != nil {
		w.err = bad
		return int(max(0, w.dec.Offset()-start)), bad
	}
	return len(p), nil
}

// Close ends the stream: see [Decoder.Flush]. It does not close the writer
// below. A second call does nothing and returns the same error.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	w.closed = true
	var err error
	w.buf, err = w.dec.Flush(w.buf[:0])
	if err != nil {
		w.err = err
		return err
	}
	_, err = w.write(w.buf)
	return err
}

// Replaced is [Decoder.Replaced] of the stream so far.
func (w *Writer) Replaced() int64 { return w.dec.Replaced() }

func (w *Writer) write(text []byte) (int, error) {
	if len(text) == 0 {
		return 0, nil
	}
	n, err := w.w.Write(text)
	if err == nil && n < len(text) {
		err = io.ErrShortWrite
	}
	w.err = err
	return n, err
}

// Reader reads a byte stream as text: each Read gives whole characters, as long
// as its buffer has room for four bytes.
type Reader struct {
	r    io.Reader
	dec  Decoder
	raw  []byte
	text []byte // decoded and not yet given out, a part of out
	out  []byte
	err  error // for when text is empty
}

// NewReader returns a Reader over r. It may read more from r than it gives out.
func NewReader(r io.Reader, p Policy) *Reader {
	return &Reader{r: r, dec: Decoder{Policy: p}}
}

// readSize is as large as the buffers of io.Copy, so that wrapping a reader
// does not multiply its system calls.
const readSize = 32 << 10

// maxEmptyReads is how often in a row the reader below may return nothing.
const maxEmptyReads = 100

// Read gives text. A character is split between two calls only when p is too
// small for it (fewer than four bytes). At the end of the stream it returns
// [io.EOF], or under [Strict] an [*IncompleteError] when the stream ended inside
// a character; at invalid bytes under [Strict] an [*InvalidError], after all the
// text before them. An error of the reader below comes after all text before it.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for range maxEmptyReads {
		if len(r.text) > 0 {
			cut := len(Truncate(r.text, len(p)))
			if cut == 0 {
				cut = min(len(p), len(r.text))
			}
			n := copy(p, r.text[:cut])
			r.text = r.text[n:]
			return n, nil
		}
		if r.err != nil {
			return 0, r.err
		}
		r.fill()
	}
	r.err = io.ErrNoProgress
	return 0, r.err
}

// Replaced is [Decoder.Replaced] of what was read so far.
func (r *Reader) Replaced() int64 { return r.dec.Replaced() }

func (r *Reader) fill() {
	if r.raw == nil {
		r.raw = make([]byte, readSize)
	}
	n, err := r.r.Read(r.raw)
	text, bad := r.dec.Append(r.out[:0], r.raw[:n])
	if bad == nil && err == io.EOF {
		text, bad = r.dec.Flush(text)
	}
	r.out, r.text = text, text
	switch {
	case bad != nil:
		r.err = bad
	case err != nil:
		r.err = err
	}
}
