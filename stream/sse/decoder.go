package sse

import (
	"bytes"
	"io"
	"iter"
	"math"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	// DefaultMaxEventSize is the limit on one event unless [WithMaxEventSize]
	// sets another: 16 MiB.
	DefaultMaxEventSize = 16 << 20

	minBuffer = 4 << 10  // what an idle stream costs
	maxBuffer = 64 << 10 // what a busy stream of small events grows to
	idChunk   = 4 << 10  // how many bytes of IDs share an allocation
	maxTypes  = 64       // how many type names are kept for reuse
	maxType   = 128      // how long a type name may be to be kept
	maxEmpty  = 100      // reads of nothing in a row before io.ErrNoProgress
)

// UTF8Policy says what a decoder does with data that is not valid UTF-8.
type UTF8Policy uint8

const (
	// UTF8Raw hands out the bytes as they came. The standard's replacement is
	// one call away, [Event.Text], and nothing is lost before it.
	UTF8Raw UTF8Policy = iota
	// UTF8Replace puts U+FFFD in the place of invalid bytes, as a browser does.
	UTF8Replace
	// UTF8Reject ends the stream with a [*UTF8Error] before the event is
	// delivered.
	UTF8Reject
)

// Option changes how a [Decoder] works.
type Option func(*Decoder)

// WithMaxEventSize limits the size of one event to n bytes: the lengths of the
// values of its data, event, id and retry fields, plus one for each such line.
// Comments and fields that the standard ignores cost no memory and do not
// count. n <= 0 means [DefaultMaxEventSize]. There is no limit on lines.
func WithMaxEventSize(n int) Option {
	return func(d *Decoder) {
		if n <= 0 {
			n = DefaultMaxEventSize
		}
		d.max = n
	}
}

// WithOnComment calls f for each comment with the text after the colon, as it
// came (a leading space included). The text is valid during the call only.
// A comment is then limited like an event.
func WithOnComment(f func(text []byte)) Option { return func(d *Decoder) { d.onComment = f } }

// WithUTF8 sets the policy for invalid UTF-8 in data. The default is
// [UTF8Raw]. Types and IDs are strings that go into comparisons and headers;
// except under [UTF8Reject] they are always decoded as the standard says.
func WithUTF8(p UTF8Policy) Option { return func(d *Decoder) { d.policy = p } }

// WithLastEventID sets the last event ID that events carry until the stream
// sets another: the one a reconnect was made with.
func WithLastEventID(id string) Option { return func(d *Decoder) { d.lastID, d.pendID = id, id } }

// WithBrowserEOF makes an unfinished event at the end of the stream vanish, as
// the standard lets browsers do: [Decoder.Next] then returns io.EOF where it
// would return an [*IncompleteError]. The unfinished event is not delivered
// either way.
func WithBrowserEOF() Option { return func(d *Decoder) { d.browserEOF = true } }

// Decoder reads events from a text/event-stream by the rules of the WHATWG HTML
// standard, section 9.2.6, byte for byte: how the stream was cut into reads
// never shows in what comes out. It is not safe for concurrent use.
type Decoder struct {
	r   io.Reader
	buf []byte

	// buf[pos:end] is input not looked at yet. No LF is in buf[pos:lf], no CR
	// in buf[pos:cr]: a search goes on where the last one stopped, so that a
	// long line in many reads, or a stream that uses only one of them, is
	// scanned once.
	pos, end, lf, cr int

	// buf[ds:de] is the data of the open block, when hasData is set; de <= pos.
	// Lines are joined in place: a data line is longer on the wire than in the
	// result.
	ds, de int

	total   int64 // bytes read
	start   int64 // offset of the open block's first line, -1 when it has none
	count   int64 // events delivered
	size    int   // of the open block, as WithMaxEventSize counts
	max     int
	retry   time.Duration
	readErr error // what the reader said after the bytes in buf
	err     error // what Next has returned for good

	typ    string // of the open block
	lastID string // of the last block that ended
	pendID string // lastID, or what the open block sets it to

	hasData  bool
	hasID    bool // the open block has an id field
	hasField bool // the open block has an event, id or data field
	hasRetry bool
	skipLF   bool // the line end was a CR; an LF that follows belongs to it
	skipping skip // the start of the current line has been thrown away
	begun    bool // past the byte order mark

	policy     UTF8Policy
	browserEOF bool
	onComment  func([]byte)

	types   map[string]string
	ids     *strings.Builder
	scratch []byte
	calm    int // reads in a row that a small buffer would have done for
}

type skip uint8

const (
	skipNone skip = iota
	skipComment
	skipUnknown
)

// NewDecoder returns a decoder that reads from r. It reads ahead, but never
// waits for more than the end of the line that ends an event.
func NewDecoder(r io.Reader, opts ...Option) *Decoder {
	d := &Decoder{max: DefaultMaxEventSize}
	for _, o := range opts {
		o(d)
	}
	d.r, d.start = r, -1
	return d
}

// Reset makes d read a new stream from r, with the options and the buffer it
// has. The last event ID and the reconnection time are forgotten.
func (d *Decoder) Reset(r io.Reader) {
	*d = Decoder{
		r: r, buf: d.buf, max: d.max, start: -1,
		policy: d.policy, browserEOF: d.browserEOF, onComment: d.onComment,
		types: d.types, ids: d.ids, scratch: d.scratch,
	}
}

// LastEventID returns the last event ID of the stream so far: what a browser
// would send as Last-Event-ID. An id in an unfinished block does not count.
func (d *Decoder) LastEventID() string { return d.lastID }

// Retry returns the reconnection time that the stream has set, and whether it
// has set one.
func (d *Decoder) Retry() (time.Duration, bool) { return d.retry, d.hasRetry }

// Count returns how many events have been delivered.
func (d *Decoder) Count() int64 { return d.count }

// InputOffset returns the offset of the byte after the last line that has been
// taken in, counted from the start of the stream.
func (d *Decoder) InputOffset() int64 { return d.total - int64(d.end-d.pos) }

// Events returns the rest of the stream as a sequence. Every event owns its
// data. The sequence ends at the end of the stream; any error but io.EOF is its
// last element, beside a zero event.
func (d *Decoder) Events() iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for {
			ev, err := d.Next()
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(Event{}, err)
				return
			}
			ev.Data = append(make([]byte, 0, len(ev.Data)), ev.Data...)
			if !yield(ev, nil) {
				return
			}
		}
	}
}

// Next returns the next event. Its data is valid until the next call; nothing
// is allocated for an event, apart from the buffer as it grows, a new type name
// and one block for many IDs. The error is io.EOF if the stream ended between
// events, else one of [*IncompleteError], [*TooLongError], [*UTF8Error] and
// [*ReadError]. An error is final: Next returns it again.
func (d *Decoder) Next() (Event, error) {
	if d.err != nil {
		return Event{}, d.err
	}
	d.closeBlock()
	for {
		// The line is buf[pos:eol], and next is where the one after it starts.
		eol := d.lineEnd()
		if eol == d.end {
			if err := d.fill(); err != nil {
				d.err = err
				return Event{}, err
			}
			continue
		}
		next := eol + 1
		if d.buf[eol] == '\r' {
			if next == d.end {
				d.skipLF = true
			} else if d.buf[next] == '\n' {
				next++
			}
		}
		if eol == d.pos && d.skipping == skipNone {
			d.pos = next
			if !d.hasData {
				d.lastID = d.pendID
				d.closeBlock()
				continue
			}
			return d.dispatch()
		}
		if err := d.line(d.buf[d.pos:eol], next); err != nil {
			d.err = err
			return Event{}, err
		}
	}
}

// closeBlock forgets the open block.
func (d *Decoder) closeBlock() {
	d.hasData, d.hasID, d.hasField = false, false, false
	d.typ, d.pendID = DefaultType, d.lastID
	d.size, d.start = 0, -1
}

// lineEnd returns the index of the first CR or LF of the input, or d.end.
func (d *Decoder) lineEnd() int {
	d.lf = d.find('\n', d.lf)
	d.cr = d.find('\r', d.cr)
	return min(d.lf, d.cr)
}

// find returns the index of the first c at or after pos, or d.end, given that
// there is none in buf[pos:from].
func (d *Decoder) find(c byte, from int) int {
	from = max(from, d.pos)
	if from == d.end || d.buf[from] == c {
		return from
	}
	if i := bytes.IndexByte(d.buf[from:d.end], c); i >= 0 {
		return from + i
	}
	return d.end
}

// line takes in one whole line that is not blank, and moves on to next.
func (d *Decoder) line(line []byte, next int) error {
	if d.skipping != skipNone {
		d.skipping = skipNone
		d.pos = next
		return nil
	}
	if line[0] == ':' {
		if d.onComment != nil {
			if len(line)-1 > d.max {
				return d.tooLong(true)
			}
			d.onComment(line[1:])
		}
		d.pos = next
		return nil
	}
	if d.start < 0 {
		d.start = d.InputOffset()
	}
	name, at := split(line)
	value := line[at:]
	if name == fieldUnknown {
		d.pos = next
		return nil
	}
	if d.size += len(value) + 1; d.size > d.max {
		return d.tooLong(false)
	}
	switch name {
	case fieldData:
		from := d.pos + at
		if !d.hasData {
			d.ds, d.de = from, from+len(value)
			d.hasData = true
		} else {
			// The value starts after "data" and a line end at least, so this
			// never writes over what is still to be read.
			d.buf[d.de] = '\n'
			d.de += 1 + copy(d.buf[d.de+1:], value)
		}
		d.hasField = true
	case fieldEvent:
		if err := d.check("event", value); err != nil {
			return err
		}
		d.typ = d.typeName(value)
		d.hasField = true
	case fieldID:
		if bytes.IndexByte(value, 0) >= 0 {
			break
		}
		if err := d.check("id", value); err != nil {
			return err
		}
		d.pendID = d.idString(value)
		d.hasID, d.hasField = true, true
	case fieldRetry:
		if ms, ok := digits(value); ok {
			d.retry, d.hasRetry = ms, true
		}
	}
	d.pos = next
	return nil
}

func (d *Decoder) dispatch() (Event, error) {
	data := d.buf[d.ds:d.de:d.de]
	if d.policy != UTF8Raw && !utf8.Valid(data) {
		if err := d.check("data", data); err != nil {
			d.err = err
			return Event{}, err
		}
		d.scratch = appendValid(d.scratch[:0], data)
		data = d.scratch[:len(d.scratch):len(d.scratch)]
	}
	d.lastID = d.pendID
	d.count++
	return Event{Type: d.typ, Data: data, ID: d.lastID, HasID: d.hasID}, nil
}

// check applies UTF8Reject to a value.
func (d *Decoder) check(field string, v []byte) error {
	if d.policy != UTF8Reject || utf8.Valid(v) {
		return nil
	}
	i := 0
	for i < len(v) {
		r, n := utf8.DecodeRune(v[i:])
		if r == utf8.RuneError && n <= 1 {
			break
		}
		i += n
	}
	return &UTF8Error{Event: d.count + 1, Offset: d.start, Field: field, Index: i}
}

func (d *Decoder) tooLong(comment bool) error {
	e := &TooLongError{Event: d.count + 1, Offset: d.start, Limit: d.max, Comment: comment}
	if comment || e.Offset < 0 {
		e.Offset = d.InputOffset()
	}
	return e
}

// typeName returns v as a string, the same one for the same name.
func (d *Decoder) typeName(v []byte) string {
	if len(v) == 0 {
		return DefaultType
	}
	if s, ok := d.types[string(v)]; ok {
		return s
	}
	s := toValid(v)
	// Invalid names are left out, for the key would not be what was looked up.
	if len(v) <= maxType && len(d.types) < maxTypes && len(s) == len(v) {
		if d.types == nil {
			d.types = make(map[string]string)
		}
		d.types[s] = s
	}
	return s
}

// idString returns v as a string. Many short IDs share one block of memory:
// a strings.Builder never writes to what it has handed out.
func (d *Decoder) idString(v []byte) string {
	switch {
	case len(v) == 0:
		return ""
	case string(v) == d.pendID:
		return d.pendID
	case len(v) > idChunk/16 || !utf8.Valid(v):
		return toValid(v)
	}
	if d.ids == nil || d.ids.Cap()-d.ids.Len() < len(v) {
		d.ids = new(strings.Builder)
		d.ids.Grow(idChunk)
	}
	at := d.ids.Len()
	d.ids.Write(v)
	return d.ids.String()[at:]
}

type field uint8

const (
	fieldUnknown field = iota
	fieldData
	fieldEvent
	fieldID
	fieldRetry
)

// split returns which field a line (or, for a name that a colon ends, the
// start of one) sets, and the index of its value.
func split(line []byte) (field, int) {
	var f field
	n := 5
	switch {
	case len(line) >= 4 && string(line[:4]) == "data":
		f, n = fieldData, 4
	case len(line) >= 5 && string(line[:5]) == "event":
		f = fieldEvent
	case len(line) >= 5 && string(line[:5]) == "retry":
		f = fieldRetry
	case len(line) >= 2 && string(line[:2]) == "id":
		f, n = fieldID, 2
	default:
		return fieldUnknown, 0
	}
	if len(line) == n {
		return f, n
	}
	if line[n] != ':' {
		return fieldUnknown, 0
	}
	n++
	if len(line) > n && line[n] == ' ' {
		n++
	}
	return f, n
}

// digits parses a reconnection time: ASCII digits alone, in milliseconds. What
// does not fit is the longest time there is.
func digits(v []byte) (time.Duration, bool) {
	const most = math.MaxInt64 / int64(time.Millisecond)
	var n int64
	for _, c := range v {
		if c < '0' || c > '9' {
			return 0, false
		}
		if n = n*10 + int64(c-'0'); n > most {
			n = most
		}
	}
	return time.Duration(n) * time.Millisecond, len(v) > 0
}

// fill reads once more. It is called when no line end is in buf[pos:end].
func (d *Decoder) fill() error {
	if d.readErr != nil {
		return d.atEnd()
	}
	if err := d.partial(); err != nil {
		return err
	}
	d.makeRoom()
	for range maxEmpty {
		n, err := d.r.Read(d.buf[d.end:])
		if n < 0 || n > len(d.buf)-d.end {
			panic("sse: reader returned an impossible count")
		}
		d.end += n
		d.total += int64(n)
		d.readErr = err
		if n > 0 {
			d.afterRead()
		}
		if n > 0 && (d.begun || d.skipBOM(err != nil)) {
			return nil
		}
		if err != nil {
			if n > 0 {
				return nil
			}
			return d.atEnd()
		}
	}
	d.readErr = io.ErrNoProgress
	return d.atEnd()
}

// afterRead drops an LF that belongs to a line end already taken.
func (d *Decoder) afterRead() {
	if d.skipLF {
		d.skipLF = false
		if d.buf[d.pos] == '\n' {
			d.pos++
		}
	}
}

// skipBOM drops a byte order mark at the start of the stream. It reports false
// while what is there may still become one.
func (d *Decoder) skipBOM(last bool) bool {
	const bom = "\xEF\xBB\xBF"
	b := d.buf[d.pos:d.end]
	switch {
	case len(b) >= len(bom):
		if string(b[:len(bom)]) == bom {
			d.pos += len(bom)
		}
	case !last && string(b) == bom[:len(b)]:
		return false
	}
	d.begun = true
	return true
}

// partial looks at the line that has no end yet: what can only be ignored is
// thrown away at once, and what is too long already is refused at once.
func (d *Decoder) partial() error {
	line := d.buf[d.pos:d.end]
	if len(line) == 0 {
		return nil
	}
	if d.skipping != skipNone {
		d.pos = d.end
		return nil
	}
	if line[0] == ':' {
		if d.onComment == nil {
			d.skipping = skipComment
			d.pos = d.end
		} else if len(line)-1 > d.max {
			return d.tooLong(true)
		}
		return nil
	}
	name, at := split(line)
	if name == fieldUnknown {
		// "event:" and "retry:" are the longest beginnings to wait for.
		if len(line) >= 6 {
			if d.start < 0 {
				d.start = d.InputOffset()
			}
			d.skipping = skipUnknown
			d.pos = d.end
		}
		return nil
	}
	// Without its colon the name may yet turn out to be a longer one.
	if c := line[at-1]; (c == ':' || c == ' ') && d.size+len(line)-at+1 > d.max {
		return d.tooLong(false)
	}
	return nil
}

// makeRoom makes space to read into. Unread input follows the data of the open
// block, and both move to the front, only when the free space has become
// small, so that what is moved is less than what has been read since.
func (d *Decoder) makeRoom() {
	live := d.end - d.pos
	held := 0
	if d.hasData {
		held = d.de - d.ds
	}
	if live+held == 0 {
		d.moveTo(d.buf, 0, 0)
	}
	if len(d.buf) > maxBuffer {
		// One long event made the buffer big. Give it back once many reads have
		// gone by without another.
		if d.calm++; live+held > maxBuffer/2 {
			d.calm = 0
		}
		if d.calm > 64 {
			d.moveTo(make([]byte, maxBuffer), held, live)
		}
	}
	if len(d.buf)-d.end > len(d.buf)/4 {
		return
	}
	buf := d.buf
	switch {
	case len(buf) == 0:
		buf = make([]byte, minBuffer)
	case live+held > len(buf)/2, len(buf) < maxBuffer && d.end == len(buf):
		// Full reads call for a bigger buffer as much as long events do.
		buf = make([]byte, 2*len(buf))
	}
	d.moveTo(buf, held, live)
}

// moveTo puts the held data and the unread input at the start of buf.
func (d *Decoder) moveTo(buf []byte, held, live int) {
	if held > 0 && (d.ds > 0 || &buf[0] != &d.buf[0]) {
		copy(buf, d.buf[d.ds:d.de])
	}
	copy(buf[held:], d.buf[d.pos:d.end])
	shift := d.pos - held
	d.ds, d.de = 0, held
	d.pos, d.end = held, held+live
	d.lf, d.cr = max(d.lf-shift, d.pos), max(d.cr-shift, d.pos)
	d.buf = buf
}

// atEnd says how the stream ended, given that no more lines are to come.
func (d *Decoder) atEnd() error {
	if err := d.partial(); err != nil {
		return err
	}
	if d.readErr != io.EOF {
		return &ReadError{Event: d.count + 1, Offset: d.total, Err: d.readErr}
	}
	line := d.buf[d.pos:d.end]
	cut := d.skipping == skipUnknown || len(line) > 0 && line[0] != ':'
	if !d.hasField && !cut || d.browserEOF {
		return io.EOF
	}
	if d.start < 0 {
		d.start = d.InputOffset()
	}
	return &IncompleteError{Event: d.count + 1, Offset: d.start, End: d.total}
}
