package gate

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

const pytestReport = `<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" errors="0" failures="0" skipped="1" tests="3" time="0.05" timestamp="2026-11-30T12:00:00" hostname="ci">
<testcase classname="tests.test_a" name="test_one" time="0.001" />
<testcase classname="tests.test_a" name="test_two[caf\xe9]" time="0.001"><system-out>text &lt;testcase name="no"/&gt;</system-out></testcase>
<testcase classname="tests.test_a" name="test_three" time="0.000"><skipped type="pytest.skip" message="no network">tests/test_a.py:9: no network</skipped></testcase>
</testsuite></testsuites>
`

var junitReports = []struct {
	name string
	in   string
	kind Kind
	want Report
}{
	{"pytest", pytestReport, "", Report{Collected: 3, Started: 2, Passed: 2, Skipped: 1, Packages: 1}},
	{"one suite", `<testsuite tests="1"><testcase name="a"/></testsuite>`, "", Report{Collected: 1, Started: 1, Passed: 1, Packages: 1}},
	{"no counts", `<testsuite><testcase name="a"/></testsuite>`, "", Report{Collected: 1, Started: 1, Passed: 1, Packages: 1}},
	{"nested suites", `<testsuites tests="3"><testsuite tests="3"><testsuite tests="2"><testcase name="a"/><testcase name="b"/></testsuite><testcase name="c"/></testsuite></testsuites>`, "", Report{Collected: 3, Started: 3, Passed: 3, Packages: 2}},
	{"direct counts of nested suites", `<testsuites><testsuite tests="1"><testsuite tests="2"><testcase name="a"/><testcase name="b"/></testsuite><testcase name="c"/></testsuite></testsuites>`, "", Report{Collected: 3, Started: 3, Passed: 3, Packages: 2}},
	{"flaky and then fine", `<testsuite tests="1"><testcase name="a"><flakyFailure/></testcase></testsuite>`, "", Report{Collected: 1, Started: 1, Passed: 1, Packages: 1}},
	{"the words in output", `<testsuite tests="1"><testcase name="a"><system-out><failure/></system-out></testcase></testsuite>`, "", Report{Collected: 1, Started: 1, Passed: 1, Packages: 1}},
	{"namespace", `<testsuite xmlns="urn:x" tests="1"><properties><property name="p" value="v"/></properties><testcase name="a"/></testsuite>`, "", Report{Collected: 1, Started: 1, Passed: 1, Packages: 1}},

	{"no tests", `<testsuites><testsuite name="pytest" errors="0" failures="0" skipped="0" tests="0"/></testsuites>`, NoTests, Report{}},
	{"empty root", `<testsuites/>`, NoTests, Report{}},
	{"only skips", `<testsuite tests="2"><testcase name="a"><skipped/></testcase><testcase name="b"><skipped/></testcase></testsuite>`, OnlySkips, Report{Collected: 2, Skipped: 2, Packages: 1}},
	{"only disabled", `<testsuite tests="2"><testcase name="a" status="notrun"/><testcase name="b" result="suppressed"/></testsuite>`, OnlySkips, Report{Collected: 2, Skipped: 2, Packages: 1}},
	{"failure", `<testsuite tests="2" failures="1"><testcase classname="c" name="a"><failure message="x">y</failure></testcase><testcase name="b"/></testsuite>`, TestsFailed, Report{Collected: 2, Started: 2, Passed: 1, Failed: 1, Packages: 1, Failures: []string{"c.a"}}},
	{"collection error", `<testsuites><testsuite name="pytest" errors="1" failures="0" skipped="0" tests="1"><testcase classname="" name="tests.test_a"><error message="collection failure">ImportError</error></testcase></testsuite></testsuites>`, TestsFailed, Report{Collected: 1, Started: 1, Failed: 1, Packages: 1, Failures: []string{"tests.test_a"}}},
	{"failed and skipped", `<testsuite><testcase name="a"><skipped/><failure/></testcase></testsuite>`, TestsFailed, Report{Collected: 1, Started: 1, Failed: 1, Packages: 1, Failures: []string{"a"}}},
	{"failed twice, counted once", `<testsuite tests="1" failures="1" errors="1"><testcase name="a"><failure/></testcase><testcase name="a"><error/></testcase></testsuite>`, TestsFailed, Report{Collected: 2, Started: 2, Failed: 2, Packages: 1, Failures: []string{"a", "a"}}},

	{"nothing", "", Incomplete, Report{}},
	{"cut", pytestReport[:300], Incomplete, Report{Collected: 1, Started: 1, Passed: 1}},
	{"fewer than stated", `<testsuite tests="2"><testcase name="a"/></testsuite>`, Mismatch, Report{Collected: 1, Started: 1, Passed: 1}},
	{"fewer than stated above", `<testsuites tests="2"><testsuite tests="1"><testcase name="a"/></testsuite></testsuites>`, Mismatch, Report{Collected: 1, Started: 1, Passed: 1, Packages: 1}},
	{"failures stated, none there", `<testsuite tests="1" failures="1"><testcase name="a"/></testsuite>`, Mismatch, Report{Collected: 1, Started: 1, Passed: 1}},
	{"another format", `<html><body/></html>`, Malformed, Report{}},
	{"text", `all tests passed`, Malformed, Report{}},
	{"two reports", `<testsuite><testcase name="a"/></testsuite><testsuite/>`, Malformed, Report{Collected: 1, Started: 1, Passed: 1, Packages: 1}},
	{"text after it", `<testsuite><testcase name="a"/></testsuite> ok`, Malformed, Report{Collected: 1, Started: 1, Passed: 1, Packages: 1}},
	{"count is no number", `<testsuite tests="all"><testcase name="a"/></testsuite>`, Malformed, Report{}},
	{"count is negative", `<testsuite tests="-1"><testcase name="a"/></testsuite>`, Malformed, Report{}},
	{"tags crossed", `<testsuite><testcase name="a"></testsuite></testcase>`, Malformed, Report{}},
	{"unknown encoding", `<?xml version="1.0" encoding="ISO-8859-1"?><testsuite><testcase name="a"/></testsuite>`, Malformed, Report{}},
	{"unknown entity", `<testsuite><testcase name="a">&x;</testcase></testsuite>`, Malformed, Report{}},
	{"too deep", strings.Repeat("<testsuite>", 100), Malformed, Report{}},
}

func TestReadJUnit(t *testing.T) {
	for _, tt := range junitReports {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ReadJUnit(strings.NewReader(tt.in))
			check(t, got, err, tt.kind, tt.want)
			got, err = ReadJUnit(iotest.OneByteReader(strings.NewReader(tt.in)))
			check(t, got, err, tt.kind, tt.want)
		})
	}
}

func TestReadJUnitEveryCut(t *testing.T) {
	whole := strings.TrimSuffix(pytestReport, "\n")
	for n := range whole {
		rep, err := ReadJUnit(strings.NewReader(whole[:n]))
		if !errors.Is(err, Incomplete) && !errors.Is(err, Malformed) {
			t.Fatalf("%d of %d bytes: %+v, %v", n, len(whole), rep, err)
		}
	}
}

// TestReadJUnitSaysTheSame: of two faults the same one is named each time.
func TestReadJUnitSaysTheSame(t *testing.T) {
	for range 50 {
		_, err := ReadJUnit(strings.NewReader(`<testsuite errors="x" failures="y" tests="z"/>`))
		if err == nil || err.Error() != `gate: malformed in line 1: tests="z" is no count` {
			t.Fatal(err)
		}
	}
}

func TestReadJUnitErrors(t *testing.T) {
	broken := errors.New("disk broke")
	if _, err := ReadJUnit(io.MultiReader(strings.NewReader(pytestReport[:400]), iotest.ErrReader(broken))); !errors.Is(err, Incomplete) || !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	// At the very end, after the report: something was still to come.
	if _, err := ReadJUnit(io.MultiReader(strings.NewReader(pytestReport), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	if _, err := readJUnit(io.MultiReader(strings.NewReader("<testsuite>"), endless{}), 1<<20); !errors.Is(err, TooLarge) {
		t.Errorf("%v", err)
	}
}

func FuzzReadJUnit(f *testing.F) {
	for _, r := range junitReports {
		f.Add(r.in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		rep, err := ReadJUnit(strings.NewReader(in))
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%v", err)
			}
		} else if rep.Passed < 1 || rep.Failed != 0 || rep.Collected != rep.Passed+rep.Skipped {
			t.Fatalf("%+v passes", rep)
		}
		again, err2 := ReadJUnit(iotest.OneByteReader(strings.NewReader(in)))
		if !same(rep, again) || fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Fatalf("%+v, %v; byte by byte %+v, %v", rep, err, again, err2)
		}
	})
}

func BenchmarkReadJUnit(b *testing.B) {
	in := `<testsuite tests="2000">` + strings.Repeat(`<testcase classname="tests.test_a" name="test_one" time="0.001" />`, 2000) + `</testsuite>`
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadJUnit(strings.NewReader(in)); err != nil {
			b.Fatal(err)
		}
	}
}
