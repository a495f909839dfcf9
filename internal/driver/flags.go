package driver

import (
	"errors"
	"flag"
	"fmt"
	"strconv"

	"golang.org/x/tools/go/analysis"
)

var errNoBool = errors.New("want true or false")

// choice is a boolean flag that knows whether it was given.
type choice struct{ given, value bool }

func (c *choice) String() string { return strconv.FormatBool(!c.given || c.value) }

func (c *choice) IsBoolFlag() bool { return true }

func (c *choice) Set(s string) error {
	b, err := strconv.ParseBool(s)
	if err != nil {
		return errNoBool
	}
	c.given, c.value = true, b
	return nil
}

// AnalyzerFlags defines, for every analyzer, -NAME to choose it and -NAME.flag
// for each flag of its own. The function returned picks the analyzers once the
// flags are parsed, as go vet does: those set to true if there are any,
// otherwise all that are not set to false.
func AnalyzerFlags(fs *flag.FlagSet, analyzers []*analysis.Analyzer) func() []*analysis.Analyzer {
	choices := make([]*choice, len(analyzers))
	for i, a := range analyzers {
		choices[i] = new(choice)
		fs.Var(choices[i], a.Name, fmt.Sprintf("enable the %s check", a.Name))
		a.Flags.VisitAll(func(f *flag.Flag) {
			fs.Var(f.Value, a.Name+"."+f.Name, f.Usage)
		})
	}
	return func() []*analysis.Analyzer {
		var chosen, rest []*analysis.Analyzer
		for i, a := range analyzers {
			switch c := choices[i]; {
			case !c.given:
				rest = append(rest, a)
			case c.value:
				chosen = append(chosen, a)
			}
		}
		if len(chosen) > 0 {
			return chosen
		}
		return rest
	}
}
