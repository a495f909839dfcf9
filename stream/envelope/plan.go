package envelope

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/streamlint/streamlint/stream/internal/strictjson"
)

// Algorithm is how a plan's digest is made; see the package documentation.
type Algorithm string

// The algorithms. A digest in a plan is the algorithm's name, a colon and 64
// lower-case hex digits.
const (
	SHA256Framed     Algorithm = "sha256-framed"
	SHA256Lines      Algorithm = "sha256-lines"
	HMACSHA256Framed Algorithm = "hmac-sha256-framed"
)

const endApply = "END_APPLY"

// maxName is the longest tool name or job id, in bytes.
const maxName = 128

// Plan is a list of statements that belong together, known to be whole: it comes
// from [NewPlan], or from [OpenPlan] or [ReadPlan] after every proof passed.
type Plan struct {
	tool, jobID string
	statements  []string
	algorithm   Algorithm
	size        int
}

// ErrPlan is matched by the errors of [NewPlan] and [Plan.Seal].
var ErrPlan = errors.New("envelope: not a plan")

// NewPlan makes a plan. tool is a name of 1 to 128 bytes without control
// characters; jobID follows [ValidJobID]; there must be at least one statement
// and none may be blank or hold invalid UTF-8. The error matches [ErrPlan].
func NewPlan(tool, jobID string, statements ...string) (*Plan, error) {
	p := &Plan{tool: tool, jobID: jobID, statements: slices.Clone(statements), algorithm: SHA256Framed}
	if field, want := p.flaw(); field != "" {
		return nil, fmt.Errorf("%w: %s: want %s", ErrPlan, field, want)
	}
	return p, nil
}

// flaw names a member that breaks a rule and what the rule wants.
func (p *Plan) flaw() (field, want string) {
	switch {
	case p.tool == "" || len(p.tool) > maxName || isBlank(p.tool) || !utf8.ValidString(p.tool) || strings.ContainsFunc(p.tool, isControl):
		return "tool", "a name of 1 to 128 bytes without control characters"
	case !ValidJobID(p.jobID):
		return "job_id", "1 to 128 letters, digits and .:_- that start with a letter or digit"
	case len(p.statements) == 0:
		return "statements", "at least one"
	}
	for i, s := range p.statements {
		if isBlank(s) || !utf8.ValidString(s) {
			return fmt.Sprintf("statements[%d]", i), "text in valid UTF-8"
		}
	}
	return "", ""
}

func isControl(r rune) bool { return r < ' ' || r == 0x7F }

// ValidJobID reports whether id may name a job: 1 to 128 bytes of ASCII letters,
// digits, '.', ':', '_' and '-', the first a letter or digit. The alphabet is small so
// that an id can stand in a log, a file name or a table unquoted.
func ValidJobID(id string) bool {
	if id == "" || len(id) > maxName {
		return false
	}
	for i := range len(id) {
		c := id[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case i > 0 && strings.IndexByte(".:_-", c) >= 0:
		default:
			return false
		}
	}
	return true
}

// Tool is the tool the plan is for.
func (p *Plan) Tool() string { return p.tool }

// JobID is the plan's job id.
func (p *Plan) JobID() string { return p.jobID }

// Len is the number of statements, at least one.
func (p *Plan) Len() int { return len(p.statements) }

// Statements returns a copy of the statements in order.
func (p *Plan) Statements() []string { return slices.Clone(p.statements) }

// Algorithm is the algorithm by which the plan was proved whole.
func (p *Plan) Algorithm() Algorithm { return p.algorithm }

// Size is the length in bytes of the JSON that the plan was opened from, 0 for a
// plan from [NewPlan].
func (p *Plan) Size() int { return p.size }

// Digest is the plan's [SHA256Framed] digest in hex, whatever the algorithm by
// which it came: two plans have the same statements exactly when it is the same.
func (p *Plan) Digest() string { return hex.EncodeToString(p.sum(SHA256Framed, nil)) }

// sum computes the digest. The plan need not be valid.
func (p *Plan) sum(a Algorithm, key []byte) []byte {
	var h hash.Hash
	switch a {
	case SHA256Lines:
		h = sha256.New()
		for i, s := range p.statements {
			if i > 0 {
				h.Write([]byte{'\n'})
			}
			io.WriteString(h, s)
		}
		return h.Sum(nil)
	case HMACSHA256Framed:
		// The job id is under the HMAC too, or a plan could be applied a
		// second time by giving it another.
		h = hmac.New(sha256.New, key)
		frame(h, p.tool)
		frame(h, p.jobID)
	default:
		h = sha256.New()
	}
	for _, s := range p.statements {
		frame(h, s)
	}
	return h.Sum(nil)
}

func frame(w io.Writer, s string) {
	io.WriteString(w, strconv.Itoa(len(s)))
	io.WriteString(w, ":")
	io.WriteString(w, s)
	io.WriteString(w, ",")
}

// Seal writes the plan with a [SHA256Framed] digest.
func (p *Plan) Seal() []byte {
	return p.encode(SHA256Framed, p.sum(SHA256Framed, nil))
}

// SealHMAC writes the plan with an [HMACSHA256Framed] digest. It returns [ErrKey]
// for a key shorter than [MinKeySize].
func (p *Plan) SealHMAC(key []byte) ([]byte, error) {
	if len(key) < MinKeySize {
		return nil, ErrKey
	}
	return p.encode(HMACSHA256Framed, p.sum(HMACSHA256Framed, key)), nil
}

// SealLines writes the plan with a [SHA256Lines] digest, for a reader that knows
// no other. The error matches [ErrPlan] when a statement holds a newline: such a
// digest would not tell that plan from others.
func (p *Plan) SealLines() ([]byte, error) {
	for i, s := range p.statements {
		if strings.Contains(s, "\n") {
			return nil, fmt.Errorf("%w: statements[%d] holds a newline, which %s cannot express", ErrPlan, i, SHA256Lines)
		}
	}
	return p.encode(SHA256Lines, p.sum(SHA256Lines, nil)), nil
}

func (p *Plan) encode(a Algorithm, sum []byte) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false) // "<" is common in SQL and the plan is read by people
	err := enc.Encode(struct {
		Tool       string   `json:"tool"`
		JobID      string   `json:"job_id"`
		Count      int      `json:"stmt_count"`
		Digest     string   `json:"digest"`
		Statements []string `json:"statements"`
		Trailer    string   `json:"trailer"` // last: its place is part of the proof
	}{p.tool, p.jobID, len(p.statements), fmt.Sprintf("%s:%x", a, sum), p.statements, endApply})
	if err != nil {
		panic("envelope: strings and a number always encode: " + err.Error())
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

// OpenPlan checks raw, which must be one whole plan and nothing else but white
// space, and returns it. Any failed proof gives an [*IncompleteError] and a nil
// plan. The proofs come in this order: Size, JSON, Trailer, Field, Count, Key,
// Digest.
func OpenPlan(raw []byte, opts ...Option) (*Plan, error) {
	c, err := configurePlan(opts)
	if err != nil {
		return nil, err
	}
	if int64(len(raw)) > c.max {
		return nil, tooLarge(c.max, int64(len(raw)), strconv.Itoa(len(raw)))
	}
	return c.openPlan(raw)
}

// ReadPlan reads r to its end and opens the plan. A read error fails the
// [Received] proof, whatever had come by then.
func ReadPlan(r io.Reader, opts ...Option) (*Plan, error) {
	c, err := configurePlan(opts)
	if err != nil {
		return nil, err
	}
	raw, err := readAll(r, c.max)
	if err != nil {
		return nil, err
	}
	return c.openPlan(raw)
}

func configurePlan(opts []Option) (*config, error) {
	c, err := configure(opts)
	if err == nil && len(c.required) > 0 {
		return nil, fmt.Errorf("%w: Require on a plan", ErrOption)
	}
	return c, err
}

func (c *config) openPlan(raw []byte) (*Plan, error) {
	doc, err := scanObject(raw)
	if err != nil {
		return nil, err
	}
	if err := checkTrailer(doc, len(raw)); err != nil {
		return nil, err
	}
	w, err := readMembers(doc, len(raw))
	if err != nil {
		return nil, err
	}
	p := &Plan{tool: w.tool, jobID: w.jobID, statements: w.statements, algorithm: w.algorithm, size: len(raw)}
	if got := strconv.Itoa(len(p.statements)); w.count != got {
		return nil, &IncompleteError{Proof: Count, Want: w.count, Got: got, Offset: -1, Bytes: int64(len(raw))}
	}
	// After the count: "no statements" where some were announced is a wrong
	// count, not a plan that is wrong in itself.
	if field, want := p.flaw(); field != "" {
		return nil, fieldError(field, want, "something else", -1, len(raw))
	}
	if keyed := p.algorithm == HMACSHA256Framed; keyed != c.keyed {
		want := "no keyed digest, since no key was given"
		if c.keyed {
			want = string(HMACSHA256Framed)
		}
		return nil, &IncompleteError{Proof: Key, Want: want, Got: string(p.algorithm), Offset: -1, Bytes: int64(len(raw))}
	}
	if !c.verifyPlan(p, w.sum) {
		got := "another"
		if !c.keyed {
			got = hex.EncodeToString(p.sum(p.algorithm, nil))
		}
		return nil, &IncompleteError{Proof: Digest, Want: hex.EncodeToString(w.sum), Got: got, Offset: -1, Bytes: int64(len(raw))}
	}
	return p, nil
}

func (c *config) verifyPlan(p *Plan, sum []byte) bool {
	if !c.keyed {
		return hmac.Equal(p.sum(p.algorithm, nil), sum)
	}
	return slices.ContainsFunc(c.keys, func(key []byte) bool {
		return hmac.Equal(p.sum(HMACSHA256Framed, key), sum)
	})
}

func checkTrailer(doc strictjson.Document, size int) error {
	got := "none"
	for i, m := range doc.Members {
		if m.Name != "trailer" {
			continue
		}
		value, ok := stringOf(m.Raw)
		switch {
		case !ok:
			got = strictjson.Kind(m.Raw)
		case value != endApply:
			got = strconv.Quote(value)
		case i != len(doc.Members)-1:
			got = "it before other members"
		default:
			return nil
		}
	}
	return &IncompleteError{Proof: Trailer, Want: strconv.Quote(endApply) + " as the last member", Got: got, Offset: -1, Bytes: int64(size)}
}

type wire struct {
	tool, jobID, count string
	algorithm          Algorithm
	sum                []byte
	statements         []string
}

// readMembers takes the members by their exact names, which encoding/json would
// match in any case.
func readMembers(doc strictjson.Document, size int) (wire, error) {
	var w wire
	present := map[string]bool{}
	for _, m := range doc.Members {
		present[m.Name] = true
		wrong := func(want, got string) (wire, error) {
			return wire{}, fieldError(m.Name, want, got, m.Offset, size)
		}
		text, isText := stringOf(m.Raw)
		switch m.Name {
		case "tool", "job_id", "digest":
			if !isText {
				return wrong("a string", strictjson.Kind(m.Raw))
			}
		}
		switch m.Name {
		case "trailer": // checked before
		case "tool":
			w.tool = text
		case "job_id":
			w.jobID = text
		case "stmt_count":
			w.count = string(m.Raw)
			if strings.Trim(w.count, "0123456789") != "" {
				return wrong("a whole number in digits", strictjson.Kind(m.Raw)+" "+w.count)
			}
		case "digest":
			var ok bool
			if w.algorithm, w.sum, ok = parseDigest(text); !ok {
				return wrong("ALGORITHM:HEX with one of "+string(SHA256Framed+", "+SHA256Lines+", "+HMACSHA256Framed), strconv.Quote(text))
			}
		case "statements":
			list, got := stringsOf(m.Raw)
			if got != "" {
				return wrong("an array of strings", got)
			}
			w.statements = list
		case "sha256":
			return wrong("a digest that names its algorithm, in the member digest", "a bare sha256")
		default:
			return wrong("no such member", strictjson.Kind(m.Raw))
		}
	}
	for _, name := range []string{"tool", "job_id", "stmt_count", "digest", "statements"} {
		if !present[name] {
			return wire{}, fieldError(name, "a value", "none", -1, size)
		}
	}
	return w, nil
}

func parseDigest(s string) (Algorithm, []byte, bool) {
	name, digits, found := strings.Cut(s, ":")
	a := Algorithm(name)
	if !found || a != SHA256Framed && a != SHA256Lines && a != HMACSHA256Framed {
		return "", nil, false
	}
	if len(digits) != 2*sha256.Size || strings.ToLower(digits) != digits {
		return "", nil, false
	}
	sum, err := hex.DecodeString(digits)
	return a, sum, err == nil
}

// stringsOf decodes a checked JSON array of strings; got names what else it is.
func stringsOf(raw []byte) (list []string, got string) {
	if raw[0] != '[' {
		return nil, strictjson.Kind(raw)
	}
	var c strictjson.Cursor
	c.Reset(raw)
	list = []string{}
	for c.Array(); c.Next(); {
		if c.Peek() != '"' {
			return nil, fmt.Sprintf("an array with %s at index %d", strictjson.Kind(c.Skip()), len(list))
		}
		list = append(list, string(c.String()))
	}
	if c.Err() != nil {
		return nil, c.Err().Error()
	}
	return list, ""
}

// ClaimedJobID returns the job id that a refused plan states, if it can be read:
// the outermost object's job_id, a whole string and a [ValidJobID], in what there
// is of raw. It proves nothing, and is for one use: to mark that id as spent, so
// that a cut job cannot be taken up again under it.
func ClaimedJobID(raw []byte) (string, bool) {
	doc, _ := strictjson.Scan(raw, maxDepth)
	for _, m := range doc.Members {
		if m.Name != "job_id" {
			continue
		}
		id, ok := stringOf(m.Raw)
		return id, ok && ValidJobID(id)
	}
	return "", false
}
