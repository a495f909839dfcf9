package gate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLine caps one line of go test -json, 16 MiB. The tool itself splits output
// into far shorter ones.
const maxLine = 16 << 20

// event is a line of go test -json; see "go doc test2json".
type event struct {
	Action      string
	Package     string
	Test        string
	Output      string
	FailedBuild string
}

// ReadGoTest reads the output of go test -json up to its end and passes judgement
// on it. Lines that do not start with "{" are skipped, since the go command's own
// messages may be mixed in; any other must be an event. Collected is the number of
// different top-level tests that started.
//
// A stream that was cut between two packages looks whole from inside. Where that
// matters use [Root.GoTest], which knows the packages and the exit code.
func ReadGoTest(r io.Reader) (Report, error) {
	s, err := readEvents(r, nil)
	rep := s.report()
	rep.Collected = s.topLevel()
	if err == nil {
		err = s.flaw(rep)
	}
	return judge(rep, err)
}

// goStream is what the events said, by package.
type goStream struct {
	packages []*goPackage
	current  map[string]*goPackage
	builds   []string // failed builds
	output   tail     // of failed builds
}

type goPackage struct {
	name        string
	result      string // pass, fail or skip; "" while it runs
	failedBuild string
	tests       []*goTest
	current     map[string]*goTest
	lines       []string // of output that belongs to no test, if wanted
}

type goTest struct {
	name   string
	result string
	parent *goTest
	subs   bool // it has subtests
	failed bool // a test below it has failed
}

// readEvents reads a stream. onOutput, if not nil, gets the output that belongs to
// no test.
func readEvents(r io.Reader, onOutput func(pkg, text string)) (*goStream, error) {
	s := &goStream{current: map[string]*goPackage{}}
	br := bufio.NewReader(r)
	var long []byte
	for n := 1; ; n++ {
		long = long[:0]
		line, err := br.ReadSlice('\n')
		for err == bufio.ErrBufferFull {
			if long = append(long, line...); len(long) > maxLine {
				return s, &Error{Kind: TooLarge, Line: n, Detail: fmt.Sprintf("more than %d bytes", maxLine)}
			}
			line, err = br.ReadSlice('\n')
		}
		if len(long) > 0 {
			long = append(long, line...)
			line = long
		}
		if err != nil && err != io.EOF {
			return s, &Error{Kind: Incomplete, Line: n, Err: err}
		}
		if bytes.HasPrefix(line, []byte("{")) {
			var ev event
			if jerr := json.Unmarshal(line, &ev); jerr != nil {
				if err == io.EOF { // the line has no end: it was cut
					return s, &Error{Kind: Incomplete, Line: n, Err: io.ErrUnexpectedEOF}
				}
				return s, &Error{Kind: Malformed, Line: n, Err: jerr}
			}
			if ev.Action == "" {
				return s, &Error{Kind: Malformed, Line: n, Detail: "no Action"}
			}
			if flaw := s.add(ev, onOutput); flaw != "" {
				return s, &Error{Kind: Malformed, Line: n, Detail: flaw}
			}
		}
		if err == io.EOF {
			return s, nil
		}
	}
}

// add takes one event and says what is wrong with it, if anything.
func (s *goStream) add(ev event, onOutput func(pkg, text string)) (flaw string) {
	switch ev.Action {
	case "build-output":
		s.output.write(ev.Output)
		return ""
	case "build-fail":
		s.builds = append(s.builds, ev.Package)
		return ""
	}
	if ev.Package == "" {
		return "" // test2json -p was not given, or a later version says more
	}
	p := s.current[ev.Package]
	if p == nil || p.result != "" && (ev.Action == "start" || ev.Action == "run") {
		p = &goPackage{name: ev.Package, current: map[string]*goTest{}}
		s.packages, s.current[ev.Package] = append(s.packages, p), p
	}
	if ev.Test == "" {
		switch ev.Action {
		case "pass", "fail", "skip":
			if p.result != "" {
				return "a second result of package " + ev.Package
			}
			p.result, p.failedBuild = ev.Action, ev.FailedBuild
		case "output":
			if onOutput != nil {
				onOutput(ev.Package, ev.Output)
			}
		}
		return ""
	}
	if strings.HasPrefix(ev.Test, "Benchmark") {
		return "" // measures, does not test
	}
	switch ev.Action {
	case "run":
		t := &goTest{name: ev.Test, parent: p.ancestor(ev.Test)}
		if t.parent != nil {
			t.parent.subs = true
		}
		p.tests, p.current[ev.Test] = append(p.tests, t), t // again, with -count
	case "pass", "fail", "skip":
		t := p.current[ev.Test]
		if t == nil {
			return "a result of " + ev.Test + ", which did not start"
		}
		if t.result != "" {
			return "a second result of " + ev.Test
		}
		t.result = ev.Action
	}
	return ""
}

// ancestor finds the nearest test that name is a subtest of. A subtest's own name
// may hold slashes.
func (p *goPackage) ancestor(name string) *goTest {
	for {
		i := strings.LastIndexByte(name, '/')
		if i < 0 {
			return nil
		}
		name = name[:i]
		if t := p.current[name]; t != nil {
			return t
		}
	}
}

func (s *goStream) report() Report {
	var r Report
	for _, p := range s.packages {
		r.Packages++
		// A subtest starts after its parent, so this passes failures upwards.
		for _, t := range slices.Backward(p.tests) {
			if t.bad(p) || t.failed {
				if t.parent != nil {
					t.parent.failed = true
				}
			}
		}
		for _, t := range p.tests {
			r.Started++
			switch {
			case t.bad(p):
				if !t.failed {
					r.fail(p.name + "." + t.name)
				}
			case t.subs:
			case t.result == "pass":
				r.Passed++
			case t.result == "skip":
				r.Skipped++
			}
		}
	}
	return r
}

// bad: a test that was running when its package failed has failed with it.
func (t *goTest) bad(p *goPackage) bool {
	return t.result == "fail" || t.result == "" && p.result == "fail"
}

// topLevel counts the different top-level tests that started.
func (s *goStream) topLevel() int {
	seen := map[string]bool{}
	for _, p := range s.packages {
		for _, t := range p.tests {
			if t.parent == nil {
				seen[p.name+"\x00"+t.name] = true
			}
		}
	}
	return len(seen)
}

// flaw finds what the counts do not show: packages without a result, tests without
// one, packages that failed with no failed test.
func (s *goStream) flaw(r Report) error {
	for _, p := range s.packages {
		if p.failedBuild != "" {
			return &Error{Kind: BuildFailed, Report: r, Detail: p.failedBuild + " " + s.output.String()}
		}
	}
	if len(s.builds) > 0 {
		return &Error{Kind: BuildFailed, Report: r, Detail: s.output.String()}
	}
	for _, p := range s.packages {
		if p.result == "" {
			return &Error{Kind: Incomplete, Report: r, Detail: "package " + p.name + " has no result"}
		}
		failed := false
		for _, t := range p.tests {
			failed = failed || t.bad(p)
			if t.result == "" && p.result != "fail" {
				return &Error{Kind: Incomplete, Report: r, Detail: "package " + p.name + " is through, and " + t.name + " has no result"}
			}
		}
		if p.result == "fail" && !failed {
			return &Error{Kind: TestsFailed, Report: r, Detail: "package " + p.name + " failed outside of its tests"}
		}
		if p.result != "fail" && failed {
			return &Error{Kind: Mismatch, Report: r, Detail: "package " + p.name + " passed with a failed test"}
		}
	}
	return nil
}

// isTestName reports whether a line of go test -list names something that go test
// runs: a test, an example or a fuzz target.
func isTestName(line string) bool {
	for _, prefix := range []string{"Test", "Example", "Fuzz"} {
		rest, ok := strings.CutPrefix(line, prefix)
		if !ok {
			continue
		}
		if rest == "" {
			return true
		}
		first, _ := utf8.DecodeRuneInString(rest)
		return !unicode.IsLower(first) && !strings.ContainsFunc(rest, func(r rune) bool {
			return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})
	}
	return false
}
