package driver

import (
	"flag"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
)

// IsVetCall reports whether the arguments are those with which the go command
// calls a vettool: to ask for its version or its flags, or to have one package
// checked. They are for VetMain.
func IsVetCall(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		switch arg {
		case "-V=full", "--V=full", "-flags", "--flags":
			return true
		}
		return strings.HasSuffix(arg, ".cfg") && !strings.HasPrefix(arg, "-")
	})
}

// VetMain does what the go command asks a vettool for, and exits. The tool has
// the flag -test there too, so that both forms take the same flags.
func VetMain(analyzers []*analysis.Analyzer) {
	// A process of one package lives too short for the collector to pay: it type-checks,
	// analyzes and ends. A little more garbage stays within the memory that vet takes
	// itself, measured with scripts/bench-vet.sh.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(140)
	}
	flag.Var(&testsFlag{analyzers: analyzers}, "test", testUsage)
	unitchecker.Main(analyzers...)
}

const testUsage = "report in test files too"

// testsFlag is -test: it sets the flag "tests" of every check that has one.
type testsFlag struct {
	analyzers []*analysis.Analyzer
	value     bool
}

func (t *testsFlag) String() string { return strconv.FormatBool(t.value) }

func (t *testsFlag) IsBoolFlag() bool { return true }

func (t *testsFlag) Set(s string) error {
	b, err := strconv.ParseBool(s)
	if err != nil {
		return errNoBool
	}
	t.value = b
	for _, f := range t.flags() {
		if err := f.Value.Set(s); err != nil {
			return err
		}
	}
	return nil
}

func (t *testsFlag) flags() []*flag.Flag {
	var out []*flag.Flag
	for _, a := range t.analyzers {
		if f := a.Flags.Lookup("tests"); f != nil {
			out = append(out, f)
		}
	}
	return out
}

// wanted reports whether any check looks at test files: they are loaded only
// then, as they cost about as much as the rest.
func (t *testsFlag) wanted() bool {
	return t.value || slices.ContainsFunc(t.flags(), func(f *flag.Flag) bool { return f.Value.String() == "true" })
}
