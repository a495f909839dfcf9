package toolcall

import (
	"bytes"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/streamlint/streamlint/stream/internal/strictjson"
)

// NoIndex stands for a fragment without an index on the wire (absent, null or -1).
const NoIndex = -1

// Mode says what the Args of a [Delta] are.
type Mode uint8

const (
	// Fragment is the next piece of the arguments' text.
	Fragment Mode = iota
	// Seed is the text to use if no fragment follows: some servers send the
	// whole input when a block opens, and again as fragments.
	Seed
	// Final is the whole text once more. It must equal the joined fragments, or
	// stands for them if there were none.
	Final
)

// Delta is one piece of news about one tool call, in no wire's own words.
type Delta struct {
	Choice int    // which of the n answers, from 0
	Index  int    // the wire's index of the call, or NoIndex
	ID     string // the id to answer with, "" if the frame has none
	Name   string // the tool's name or a piece of it, "" if the frame has none
	Args   []byte // argument text by Mode; copied, so the caller may reuse it
	Mode   Mode
	// New says that the wire makes it certain that this opens a call of its
	// own, as with formats that send calls whole.
	New bool
	// Block says that the wire closes each call with a frame of its own; the
	// turn is refused if [Assembler.Close] was not called by the terminal marker.
	Block bool
}

// Option sets a limit or a policy of an [Assembler].
type Option func(*Assembler)

// WithMaxBytes caps the argument bytes of the whole turn, 16 MiB by default.
func WithMaxBytes(n int) Option { return func(a *Assembler) { a.maxBytes = n } }

// WithMaxCalls caps the calls of the turn, 256 by default.
func WithMaxCalls(n int) Option { return func(a *Assembler) { a.maxCalls = n } }

// WithMaxIndex is the highest index of a call or a choice that is taken, 4095
// by default. Nothing is allocated by index.
func WithMaxIndex(n int) Option { return func(a *Assembler) { a.maxIndex = n } }

// WithMaxDepth caps the nesting of arguments, 128 by default.
func WithMaxDepth(n int) Option { return func(a *Assembler) { a.maxDepth = n } }

// WithReasons names terminal reasons, without regard to case, that mean the
// turn is whole. Reasons that nobody declared refuse the turn.
func WithReasons(reasons ...string) Option {
	return func(a *Assembler) {
		for _, r := range reasons {
			a.okReasons[strings.ToLower(r)] = true
		}
	}
}

// Assembler joins the fragments of one turn's tool calls and gives the calls
// all together or not at all. It holds raw text only: nothing is decoded before
// the terminal reason, and then once.
//
// Its first error is final. Every later method gives the same error, and so
// does Calls. An Assembler serves one turn and one goroutine.
type Assembler struct {
	set       *Set
	maxBytes  int
	maxCalls  int
	maxIndex  int
	maxDepth  int
	okReasons map[string]bool

	choices map[int]*choice
	last    *choice
	bytes   int
	count   int
	frame   int

	err      *Error
	sealed   bool
	calls    []Call
	rejected []Result
}

type choice struct {
	n          int
	calls      []*callState
	last       *callState
	byIndex    map[int]*callState // the newest call under an index
	top        int                // highest sort key in use
	finished   bool
	reason     string
	class      reasonClass
	refused    bool
	incomplete string // why a call is unfinished in the provider's own words
}

type callState struct {
	choice *choice
	index  int
	key    int // sorts calls; the index where there is one
	id     string
	name   string
	buf    []byte
	seed   []byte
	shared bool // other calls have the same index
	block  bool
	closed bool
	final  bool

	scan          balance
	parsed, valid bool // of the text at the time scan found it closed
}

// New gives an assembler for one turn. tools are those offered to the model in
// that turn; with a nil Set every call is unknown.
func New(tools *Set, opts ...Option) *Assembler {
	a := &Assembler{
		set:      tools,
		maxBytes: 16 << 20, maxCalls: 256, maxIndex: 4095, maxDepth: 128,
		okReasons: map[string]bool{},
		choices:   map[int]*choice{},
	}
	for _, o := range opts {
		o(a)
	}
	return a
}

// Err is the error that refused the turn so far, or nil.
func (a *Assembler) Err() error {
	if a.err == nil {
		return nil
	}
	return a.err
}

// refuse records the first error of the turn.
func (a *Assembler) refuse(ch *choice, cs *callState, kind Kind, offset int, err error) error {
	if a.err == nil {
		a.err = a.newError(ch, cs, kind, offset, err)
	}
	return a.err
}

func (a *Assembler) newError(ch *choice, cs *callState, kind Kind, offset int, err error) *Error {
	e := &Error{Kind: kind, Index: NoIndex, Offset: offset, Err: err}
	if !a.sealed {
		e.Frame = a.frame
	}
	if ch != nil {
		e.Choice, e.FinishReason = ch.n, ch.reason
	}
	if cs != nil {
		e.Choice, e.Index, e.ID, e.Name = cs.choice.n, cs.key, cs.id, cs.name
		e.FinishReason = cs.choice.reason
		e.Bytes, e.BufferID = len(cs.buf), bufferID(cs.buf)
	}
	return e
}

// Fail refuses the turn for a cause that the assembler can't see, an error
// frame ([Upstream]) or a frame that can't be read ([BadFrame]) for instance.
func (a *Assembler) Fail(kind Kind, err error) error {
	return a.refuse(nil, a.lastCall(), kind, -1, err)
}

func (a *Assembler) lastCall() *callState {
	if a.last == nil {
		return nil
	}
	return a.last.last
}

// Abort says that the connection broke. That refuses the turn unless every
// choice already has its terminal reason.
func (a *Assembler) Abort(err error) error {
	if a.err == nil && !a.complete() {
		return a.refuse(nil, a.lastCall(), Truncated, -1, err)
	}
	return a.Err()
}

// complete tells whether each choice that appeared has its terminal reason.
func (a *Assembler) complete() bool {
	for _, ch := range a.choices {
		if !ch.finished {
			return false
		}
	}
	return len(a.choices) > 0
}

// Touch says that a choice exists, though no call of it was seen. A choice
// needs a terminal reason of its own.
func (a *Assembler) Touch(choice int) error {
	a.choice(choice)
	return a.Err()
}

func (a *Assembler) choice(n int) *choice {
	if a.last != nil && a.last.n == n {
		return a.last
	}
	ch := a.choices[n]
	if ch == nil {
		if n < 0 || n > a.maxIndex {
			a.refuse(nil, nil, IndexRange, -1, fmt.Errorf("choice %d is outside 0 to %d", n, a.maxIndex))
			return nil
		}
		if len(a.choices) >= a.maxCalls {
			a.refuse(nil, nil, IndexRange, -1, fmt.Errorf("more than %d choices", a.maxCalls))
			return nil
		}
		ch = &choice{n: n, byIndex: map[int]*callState{}, top: -1}
		a.choices[n] = ch
	}
	a.last = ch
	return ch
}

// Add takes one piece of news. Appending is amortised O(1) in the number of
// fragments; d.Args is copied.
func (a *Assembler) Add(d Delta) error {
	if a.err != nil {
		return a.err
	}
	ch := a.choice(d.Choice)
	if ch == nil {
		return a.err
	}
	if ch.finished || a.sealed {
		return a.late(ch, d)
	}
	cs := ch.last
	// Most fragments go on with the call before them under the same index.
	plain := cs != nil && d.Index == cs.index && d.Index != NoIndex && d.Name == "" &&
		(d.ID == "" || d.ID == cs.id) && !cs.shared && !d.New
	if !plain {
		if cs = a.find(ch, d); cs == nil {
			return a.Err()
		}
		ch.last = cs
	}
	cs.block = cs.block || d.Block
	return a.append(cs, d)
}

func (a *Assembler) append(cs *callState, d Delta) error {
	if len(d.Args) == 0 && d.Mode != Final {
		return nil
	}
	if cs.closed && d.Mode != Final {
		return a.refuse(nil, cs, Late, -1, errors.New("fragment after the call's end"))
	}
	if a.bytes+len(d.Args) > a.maxBytes {
		return a.refuse(nil, cs, TooLarge, -1, fmt.Errorf("more than %d bytes of arguments", a.maxBytes))
	}
	switch d.Mode {
	case Seed:
		if len(cs.seed) > 0 && !bytes.Equal(cs.seed, d.Args) {
			return a.refuse(nil, cs, Conflict, -1, errors.New("the call opened twice with different arguments"))
		}
		a.bytes += len(d.Args)
		cs.seed = append(cs.seed[:0], d.Args...)
	case Final:
		if !cs.final && len(cs.buf) == 0 {
			a.bytes += len(d.Args)
			cs.buf = append(cs.buf, d.Args...)
		} else if !bytes.Equal(strictjson.Pair(cs.buf), strictjson.Pair(d.Args)) {
			return a.refuse(nil, cs, Conflict, -1, errors.New("the final arguments are not the joined fragments"))
		}
		cs.final = true
	default:
		if cs.final {
			return a.refuse(nil, cs, Late, -1, errors.New("fragment after the final arguments"))
		}
		a.bytes += len(d.Args)
		cs.buf = append(cs.buf, d.Args...)
	}
	return nil
}

// late decides about news after the terminal marker. What says nothing new (an
// empty fragment, the same final text) is no harm; all else is.
func (a *Assembler) late(ch *choice, d Delta) error {
	cs := ch.last
	if d.Index != NoIndex {
		cs = ch.byIndex[d.Index]
	}
	if d.ID != "" {
		cs = ch.byID(d.ID)
	}
	nothing := len(d.Args) == 0 && !d.New || cs != nil && d.Mode == Final && bytes.Equal(cs.buf, d.Args)
	same := cs != nil && (d.Name == "" || d.Name == cs.name) || d.ID == "" && d.Name == ""
	if nothing && same {
		return nil
	}
	return a.refuse(ch, cs, Late, -1, errors.New("fragment after the terminal reason"))
}

func (ch *choice) byID(id string) *callState {
	for _, cs := range ch.calls {
		if cs.id == id {
			return cs
		}
	}
	return nil
}

// find gives the call that a delta belongs to, opens it if the delta opens one,
// and takes in its id and name. It gives nil after an error and for news
// without content.
func (a *Assembler) find(ch *choice, d Delta) *callState {
	if d.Index != NoIndex && a.OutOfRange(d.Index) {
		return nil
	}
	var owner *callState
	if d.ID != "" {
		owner = ch.byID(d.ID)
	}
	if d.New {
		if owner != nil {
			a.refuse(ch, owner, Conflict, -1, errors.New("two calls with one id"))
			return nil
		}
		return a.open(ch, d)
	}
	if d.Index == NoIndex {
		return a.findUnindexed(ch, d, owner)
	}
	cur := ch.byIndex[d.Index]
	switch {
	case cur == nil && owner == nil:
		return a.open(ch, d)
	case owner != nil && owner.index == NoIndex && cur == nil:
		// The call was opened without an index; its id makes it sure.
		owner.index, owner.key = d.Index, d.Index
		ch.top = max(ch.top, d.Index)
		ch.byIndex[d.Index] = owner
		return a.name(owner, d.Name)
	case owner != nil && owner.index == d.Index:
		return a.name(owner, d.Name)
	case owner != nil:
		a.refuse(ch, owner, Conflict, -1, fmt.Errorf("the id came again under index %d", d.Index))
		return nil
	case d.ID == "":
		if d.Name == "" && len(d.Args) > 0 && cur.shared && a.openRivals(ch, cur) {
			a.refuse(ch, cur, Ambiguous, -1, errors.New("several unfinished calls have this index"))
			return nil
		}
		return a.name(cur, d.Name)
	case cur.id == "":
		cs := a.name(cur, d.Name)
		if cs == nil {
			return nil
		}
		return a.lateID(cs, d.ID)
	case d.Name == "":
		a.refuse(ch, cur, Conflict, -1, fmt.Errorf("another id (%s) without a name under the same index", d.ID))
		return nil
	}
	// A new id and a name under a used index: servers that number every call 0.
	cur.shared = true
	cs := a.open(ch, d)
	if cs != nil {
		cs.shared = true
	}
	return cs
}

// openRivals tells whether a call before cur under the same index could still
// take a fragment.
func (a *Assembler) openRivals(ch *choice, cur *callState) bool {
	for _, cs := range ch.calls {
		if cs != cur && cs.index == cur.index && !cs.whole() {
			return true
		}
	}
	return false
}

// whole tells whether the text so far is a JSON object, to which no fragment
// could be added. It is only used to tell calls apart, never to run one. It looks
// at each byte once however often it is asked.
func (cs *callState) whole() bool {
	if !cs.scan.advance(cs.buf) {
		return false
	}
	if !cs.parsed {
		_, err := parseStrict(strictjson.Pair(cs.buf), 10_000)
		cs.parsed, cs.valid = true, err == nil
	}
	return cs.valid
}

// balance follows the brackets of a JSON object as its text grows.
type balance struct {
	pos, depth                  int
	inString, escaped           bool
	started, closed, impossible bool
}

// advance reads on to the end of buf and tells whether the object is closed.
func (b *balance) advance(buf []byte) bool {
	for ; b.pos < len(buf) && !b.impossible; b.pos++ {
		switch ch := buf[b.pos]; {
		case b.escaped:
			b.escaped = false
		case b.inString:
			b.escaped = ch == '\\'
			b.inString = ch != '"'
		case ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r':
		case b.closed || !b.started && ch != '{':
			b.impossible = true
		case ch == '"':
			b.inString = true
		case ch == '{' || ch == '[':
			b.started = true
			b.depth++
		case ch == '}' || ch == ']':
			b.depth--
			b.closed = b.depth == 0
		}
	}
	return b.closed && !b.impossible
}

// findUnindexed does without an index: by id, or because only one call can take
// the fragment.
func (a *Assembler) findUnindexed(ch *choice, d Delta, owner *callState) *callState {
	last := ch.last
	switch {
	case owner != nil:
		return a.name(owner, d.Name)
	case d.ID != "":
		if d.Name != "" || len(ch.calls) == 0 {
			return a.open(ch, d)
		}
		if len(ch.calls) == 1 && last.id == "" {
			return a.lateID(last, d.ID)
		}
		a.refuse(ch, nil, Conflict, -1, fmt.Errorf("a new id (%s) without index or name", d.ID))
		return nil
	case d.Name != "" && len(ch.calls) == 0:
		return a.open(ch, d)
	case d.Name != "" && d.Name != last.name && (a.set.has(last.name) || !a.joins(last.name, d.Name)):
		return a.open(ch, d)
	case d.Name != "" && d.Name == last.name && len(d.Args) > 0 && last.whole():
		a.refuse(ch, last, Ambiguous, -1, errors.New("the name again without id or index: a second call or the first once more"))
		return nil
	case d.Name == "" && len(d.Args) == 0:
		return nil // says nothing
	case len(ch.calls) == 0:
		a.refuse(ch, nil, Ambiguous, -1, errors.New("a fragment without index, id or name before any call"))
		return nil
	}
	for _, cs := range ch.calls {
		if cs != last && !cs.whole() {
			a.refuse(ch, last, Ambiguous, -1, errors.New("a fragment without index or id, and several calls are open"))
			return nil
		}
	}
	return a.name(last, d.Name)
}

func (a *Assembler) open(ch *choice, d Delta) *callState {
	if a.count >= a.maxCalls {
		a.refuse(ch, nil, IndexRange, -1, fmt.Errorf("more than %d calls", a.maxCalls))
		return nil
	}
	if !a.afford(nil, len(d.ID)+len(d.Name)) {
		return nil
	}
	a.count++
	cs := &callState{choice: ch, index: d.Index, key: d.Index, id: d.ID, name: d.Name}
	if d.Index == NoIndex {
		cs.key = ch.top + 1
	} else {
		ch.byIndex[d.Index] = cs
	}
	ch.top = max(ch.top, cs.key)
	ch.calls = append(ch.calls, cs)
	ch.last = cs
	return cs
}

// afford counts the bytes of an id or a name, which are kept as arguments are.
func (a *Assembler) afford(cs *callState, n int) bool {
	if n > a.Room() {
		a.refuse(a.last, cs, TooLarge, -1, fmt.Errorf("an id or a name of %d bytes", n))
		return false
	}
	a.bytes += n
	return true
}

// lateID gives a call the id that did not come with its first piece.
func (a *Assembler) lateID(cs *callState, id string) *callState {
	if !a.afford(cs, len(id)) {
		return nil
	}
	cs.id = id
	return cs
}

// joins tells whether two pieces may be one tool's name that was cut: neither
// is an offered tool, and together they are one or begin one.
func (a *Assembler) joins(have, piece string) bool {
	join := have + piece
	return !a.set.has(have) && !a.set.has(piece) && (a.set.has(join) || a.set.hasPrefix(join))
}

// name takes in a name that a frame repeats, completes or contradicts.
func (a *Assembler) name(cs *callState, name string) *callState {
	switch {
	case name == "" || name == cs.name:
	case cs.name == "":
		if !a.afford(cs, len(name)) {
			return nil
		}
		cs.name = name
	case a.joins(cs.name, name):
		cs.name += name
	default:
		a.refuse(nil, cs, Conflict, -1, errors.New("another name under the same index or id"))
		return nil
	}
	return cs
}

// Room is how many bytes of arguments the turn may still take: the limit for
// wires that build arguments up before they add them.
func (a *Assembler) Room() int { return a.maxBytes - a.bytes }

// OutOfRange refuses the turn if the index of a block is outside the limits, for
// wires that remember blocks which are no calls, and tells whether it was.
func (a *Assembler) OutOfRange(index int) bool {
	if index >= 0 && index <= a.maxIndex {
		return false
	}
	a.refuse(a.last, nil, IndexRange, -1, fmt.Errorf("index %d is outside 0 to %d", index, a.maxIndex))
	return true
}

// Close says that the wire closed the newest call under an index. It is no
// error if there is no such call: text blocks close too.
func (a *Assembler) Close(choice, index int) error {
	if a.err != nil {
		return a.err
	}
	if ch := a.choices[choice]; ch != nil && ch.byIndex[index] != nil {
		ch.byIndex[index].closed = true
	}
	return nil
}

// Incomplete notes that the provider itself calls a tool call unfinished. The
// turn is then refused as [Truncated], unless its terminal reason says more.
func (a *Assembler) Incomplete(choice int, why string) {
	if ch := a.choice(choice); ch != nil {
		ch.incomplete = why
	}
}

// Refused notes that the model refused in this choice. The turn is then
// refused as [Refusal], unless its terminal reason says more.
func (a *Assembler) Refused(choice int) {
	if ch := a.choice(choice); ch != nil {
		ch.refused = true
	}
}

// Finish takes the provider's terminal reason of a choice, in its own words.
// The first reason stays; a later one can only make things worse. It gives an
// error at once if the reason says that the turn was cut.
func (a *Assembler) Finish(choice int, reason string) error {
	if a.err != nil {
		return a.err
	}
	ch := a.choice(choice)
	if ch == nil {
		return a.err
	}
	class, known := a.classify(reason)
	if !ch.finished || class.kind != "" {
		ch.reason, ch.class = reason, class
	}
	ch.finished = true
	if class.kind == "" {
		return nil
	}
	var err error
	if !known {
		err = fmt.Errorf("terminal reason %q is not known to mean a whole turn (see WithReasons)", reason)
	}
	return a.refuse(ch, ch.last, class.kind, -1, err)
}

// Calls ends the turn and gives its calls, ordered by choice and index. It gives
// all of them or an *[Error]. A turn without calls is an empty slice and no
// error. After Calls nothing more is taken.
func (a *Assembler) Calls() ([]Call, error) {
	if !a.sealed {
		a.sealed = true
		if a.err == nil {
			a.seal()
		}
	}
	if a.err != nil {
		return nil, a.err
	}
	return append([]Call(nil), a.calls...), nil
}

func (a *Assembler) seal() {
	var order []*choice
	for _, ch := range a.choices {
		order = append(order, ch)
	}
	sort.Slice(order, func(i, j int) bool { return order[i].n < order[j].n })
	if len(order) == 0 {
		a.refuse(nil, nil, Truncated, -1, errors.New("no terminal reason"))
		return
	}
	for _, ch := range order {
		if !ch.finished {
			a.refuse(ch, ch.last, Truncated, -1, errors.New("no terminal reason"))
			return
		}
	}
	var calls []Call
	var verdicts []*Error
	for _, ch := range order {
		if !a.sealChoice(ch) {
			return
		}
		for _, cs := range ch.calls {
			call, err := a.finish(cs)
			calls, verdicts = append(calls, call), append(verdicts, err)
			if err != nil && a.err == nil {
				a.err = err
			}
		}
	}
	if a.err == nil {
		a.calls = calls
		return
	}
	a.rejected = rejections(calls, verdicts)
}

// sealChoice checks what concerns a choice as a whole.
func (a *Assembler) sealChoice(ch *choice) bool {
	sort.SliceStable(ch.calls, func(i, j int) bool { return ch.calls[i].key < ch.calls[j].key })
	switch {
	case ch.refused:
		a.refuse(ch, ch.last, Refusal, -1, nil)
	case ch.incomplete != "":
		a.refuse(ch, ch.last, Truncated, -1, errors.New(ch.incomplete))
	case ch.class.calls && len(ch.calls) == 0:
		a.refuse(ch, nil, Conflict, -1, errors.New("the reason promises calls and there is none"))
	case ch.class.pause && len(ch.calls) > 0:
		a.refuse(ch, ch.last, Truncated, -1, errors.New("the turn is paused with calls open"))
	}
	for _, cs := range ch.calls {
		if cs.block && !cs.closed {
			a.refuse(ch, cs, OpenBlock, -1, errors.New("the call's block was never closed"))
		}
	}
	return a.err == nil
}

// finish decodes and checks one call.
func (a *Assembler) finish(cs *callState) (Call, *Error) {
	if len(cs.buf) == 0 && len(cs.seed) > 0 {
		cs.buf = cs.seed
	}
	// Servers that count UTF-16 units cut characters in two; their halves are
	// joined once, so that it does not matter where a text was cut.
	cs.buf = strictjson.Pair(cs.buf)
	call := Call{
		choice: cs.choice.n, index: cs.key, id: cs.id, name: cs.name, reason: cs.choice.reason,
		raw: string(cs.buf), bufferID: bufferID(cs.buf),
	}
	if call.id == "" {
		call.id = fmt.Sprintf("synthetic-%d-%d-%s", call.choice, call.index, call.bufferID)
		call.synthetic = true
	}
	bad := func(kind Kind, offset int, err error) (Call, *Error) {
		return call, a.newError(cs.choice, cs, kind, offset, err)
	}
	if cs.name == "" {
		return bad(MissingName, -1, nil)
	}
	t := a.set.tool(cs.name)
	if t == nil {
		return bad(UnknownTool, -1, nil)
	}
	blank := len(bytes.TrimLeft(cs.buf, " \t\r\n")) == 0
	if blank && !t.allowEmpty {
		return bad(EmptyArguments, -1, errors.New("no arguments, and the tool does not allow that"))
	}
	call.args = call.raw
	if blank {
		call.args = "{}"
	}
	value, serr := parseStrict([]byte(call.args), a.maxDepth)
	if serr != nil {
		return bad(serr.kind, serr.offset, serr)
	}
	if _, ok := value.(map[string]any); !ok {
		return bad(NotObject, 0, fmt.Errorf("the arguments are of type %s, want object", typeOf(value)))
	}
	if err := t.check(value); err != nil {
		kind, path := kindOfSchema(err)
		_, e := bad(kind, -1, err)
		e.Path = path
		return call, e
	}
	call.tool = t
	return call, nil
}
