package gate

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxReport caps a JUnit report, 64 MiB.
const maxReport = 64 << 20

// ReadJUnit reads a JUnit XML report in UTF-8 up to its end and passes judgement on
// it. The root is a testsuites or a testsuite element, suites may be nested. A case
// counts as failed with a failure or error element, else as skipped with a skipped
// element or a status of notrun, disabled or skipped, else as passed.
//
// Where a suite states how many tests it has, there may not be fewer in it, and
// where it states failures or errors, there must be one: else the report was cut
// and mended, or written by a run that died.
func ReadJUnit(r io.Reader) (Report, error) {
	return judge(readJUnit(r, maxReport))
}

// suite is an open testsuite or testsuites element.
type suite struct {
	name                           string
	tests, failing                 int // as it states; -1 where it does not
	foundTests, foundFailed, cases int // cases are its own, without nested suites
}

type testCase struct {
	name            string
	depth           int // elements around it
	failed, skipped bool
}

func readJUnit(r io.Reader, limit int64) (Report, error) {
	var rep Report
	limited := &io.LimitedReader{R: r, N: limit + 1}
	dec := xml.NewDecoder(limited)
	malformed := func(format string, args ...any) error {
		line, _ := dec.InputPos()
		return &Error{Kind: Malformed, Line: line, Detail: fmt.Sprintf(format, args...)}
	}
	var path []string // names of the open elements
	var suites []suite
	var tc *testCase
	closed := false // the root element
	for {
		tok, err := dec.Token()
		if limited.N == 0 {
			return rep, &Error{Kind: TooLarge, Detail: fmt.Sprintf("more than %d bytes", limit)}
		}
		if err == io.EOF && closed {
			return rep, nil
		}
		if err != nil {
			return rep, xmlError(dec, err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			name := tok.Name.Local
			switch {
			case closed:
				return rep, malformed("<%s> after the report", name)
			case len(path) == 0 && name != "testsuites" && name != "testsuite":
				return rep, malformed("<%s> is no JUnit report", name)
			case len(path) > maxNesting:
				return rep, malformed("nested deeper than %d", maxNesting)
			}
			parent := ""
			if len(path) > 0 {
				parent = path[len(path)-1]
			}
			path = append(path, name)
			switch {
			case name == "testsuites" && parent == "", name == "testsuite" && (parent == "" || parent == "testsuites" || parent == "testsuite"):
				s, err := newSuite(tok)
				if err != nil {
					return rep, malformed("%v", err)
				}
				suites = append(suites, s)
			case name == "testcase" && (parent == "testsuite" || parent == "testsuites"):
				tc = newCase(tok)
				tc.depth = len(path) - 1
			case tc != nil && len(path) == tc.depth+2 && (name == "failure" || name == "error"):
				tc.failed = true
			case tc != nil && len(path) == tc.depth+2 && name == "skipped":
				tc.skipped = true
			}
		case xml.EndElement:
			path = path[:len(path)-1]
			closed = len(path) == 0
			switch name := tok.Name.Local; {
			case tc != nil && len(path) == tc.depth:
				rep.addCase(tc, &suites[len(suites)-1])
				tc = nil
			// Suites stand in suites only, so the innermost one's depth is known.
			case (name == "testsuite" || name == "testsuites") && len(path) == len(suites)-1:
				s := suites[len(suites)-1]
				suites = suites[:len(suites)-1]
				if err := s.check(); err != nil {
					return rep, err
				}
				if s.cases > 0 {
					rep.Packages++
				}
				if len(suites) > 0 {
					above := &suites[len(suites)-1]
					above.foundTests += s.foundTests
					above.foundFailed += s.foundFailed
				}
			}
		case xml.CharData:
			if len(path) == 0 && strings.TrimSpace(string(tok)) != "" {
				return rep, malformed("text outside of the report")
			}
		}
	}
}

// maxNesting bounds the depth of elements; real reports have five or six.
const maxNesting = 64

func xmlError(dec *xml.Decoder, err error) error {
	line, _ := dec.InputPos()
	var syntax *xml.SyntaxError
	switch {
	case err == io.EOF: // not even a root
		return &Error{Kind: Incomplete, Err: io.ErrUnexpectedEOF}
	case errors.As(err, &syntax) && strings.Contains(syntax.Msg, "unexpected EOF"):
		return &Error{Kind: Incomplete, Line: syntax.Line, Err: io.ErrUnexpectedEOF}
	case errors.As(err, &syntax):
		return &Error{Kind: Malformed, Line: syntax.Line, Err: err}
	case strings.HasPrefix(err.Error(), "xml:"): // an encoding or a version
		return &Error{Kind: Malformed, Line: line, Err: err}
	}
	return &Error{Kind: Incomplete, Line: line, Err: err}
}

func attr(e xml.StartElement, name string) (string, bool) {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value, true
		}
	}
	return "", false
}

func newSuite(e xml.StartElement) (suite, error) {
	s := suite{tests: -1, failing: -1}
	s.name, _ = attr(e, "name")
	for _, count := range []struct { // in this order, so that the error is the same each time
		name string
		to   *int
	}{{"tests", &s.tests}, {"failures", &s.failing}, {"errors", &s.failing}} {
		text, ok := attr(e, count.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 31)
		if err != nil {
			return s, fmt.Errorf("%s=%q is no count", count.name, text)
		}
		*count.to = max(*count.to, 0) + int(n)
	}
	return s, nil
}

func newCase(e xml.StartElement) *testCase {
	tc := &testCase{}
	tc.name, _ = attr(e, "name")
	if class, _ := attr(e, "classname"); class != "" {
		tc.name = class + "." + tc.name
	}
	for _, name := range []string{"status", "result"} {
		switch v, _ := attr(e, name); v {
		case "notrun", "disabled", "skipped", "suppressed":
			tc.skipped = true
		}
	}
	return tc
}

func (r *Report) addCase(tc *testCase, s *suite) {
	r.Collected++
	s.cases++
	s.foundTests++
	switch {
	case tc.failed:
		r.Started++
		s.foundFailed++
		r.fail(tc.name)
	case tc.skipped:
		r.Skipped++
	default:
		r.Started++
		r.Passed++
	}
}

// check compares what a suite states with what was in it. More than it states is no
// loss: pytest gives a test that fails twice two cases and counts it once.
func (s suite) check() error {
	if s.tests > s.foundTests {
		return &Error{Kind: Mismatch, Detail: fmt.Sprintf("suite %q states %d tests and has %d", s.name, s.tests, s.foundTests)}
	}
	if s.failing > 0 && s.foundFailed == 0 {
		return &Error{Kind: Mismatch, Detail: fmt.Sprintf("suite %q states %d failures and errors and has none", s.name, s.failing)}
	}
	return nil
}
