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
// the flags -test and -unused-ignores there too, so that both forms take the same.
func (c *Command) VetMain(args []string) {
	// A process of one package lives too short for the collector to pay: it type-checks,
	// analyzes and ends. More garbage costs some memory and saves a tenth of the CPU,
	// measured with scripts/bench-vet.sh.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200)
	}
	analyzers := c.Analyzers
	flag.Var(&testsFlag{analyzers: analyzers}, "test", testUsage)
	if c.UnusedIgnores != nil {
		flag.Bool(unusedFlag, false, unusedUsage)
		// What is run has to be known before the flags are read.
		if boolArg(args, unusedFlag) {
			analyzers = append(slices.Clip(analyzers), c.UnusedIgnores(analyzers, true))
		}
	}
	unitchecker.Main(analyzers...)
}

const (
	unusedFlag  = "unused-ignores"
	unusedUsage = "report ignore directives that silence nothing"
)

// boolArg reports whether a boolean flag is set among arguments. The last one counts.
func boolArg(args []string, name string) bool {
	on := false
	for _, arg := range args {
		text, ok := strings.CutPrefix(arg, "-")
		if !ok {
			continue
		}
		text = strings.TrimPrefix(text, "-")
		if text == name {
			on = true
		} else if value, ok := strings.CutPrefix(text, name+"="); ok {
			on, _ = strconv.ParseBool(value)
		}
	}
	return on
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
