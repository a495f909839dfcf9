package golangci

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// checks are the analyzers of this process and how they were set. An analyzer's flags
// exist once, and those of the engine once for all analyzers, so two linters that run
// the same check have to agree on it. golangci-lint makes its linters in no fixed
// order: without an error the settings of one of them, now this one, now that, would
// win unseen.
type checks struct {
	list   []*analysis.Analyzer
	common map[string]bool // flags with one meaning for all checks

	mu     sync.Mutex
	set    map[string]choice // by check
	engine map[string]bool   // settings of the engine that are applied, "flag=value"
}

// choice is how a linter set a check.
type choice struct{ linter, flags string }

func newChecks(list []*analysis.Analyzer) *checks {
	c := &checks{list: list, common: make(map[string]bool), set: make(map[string]choice), engine: make(map[string]bool)}
	for name := range commonFlags() {
		c.common[name] = true
	}
	return c
}

// commonFlags gives the flags that mean the same on every check that has them, and
// whether each belongs to the engine and thereby to all checks at once.
func commonFlags() map[string]bool {
	flags := make(map[string]bool)
	var own, engine analysis.Analyzer
	report.AddFlags(&own)
	own.Flags.VisitAll(func(f *flag.Flag) { flags[f.Name] = false })
	streamflow.AddFlags(&engine)
	engine.Flags.VisitAll(func(f *flag.Flag) { flags[f.Name] = true })
	return flags
}

// configure sets a linter's checks as its settings say and gives those that are to run.
//
// The settings are a map. A key is a flag that all checks share (tests, generated,
// decoders, ...), set on each of the linter's checks that has it, or, where the linter
// runs many checks, the name of a check: with false, which leaves it out, or with a map
// of its flags. In a linter of one check its own flags stand at the top.
func (c *checks) configure(linter string, list []*analysis.Analyzer, conf any) ([]*analysis.Analyzer, error) {
	settings, err := mapping(conf)
	if err != nil {
		return nil, fmt.Errorf("settings of %s: %w", linter, err)
	}
	byName := make(map[string]*analysis.Analyzer)
	if linter == whole {
		for _, a := range list {
			byName[a.Name] = a
		}
	}
	off := make(map[*analysis.Analyzer]bool)
	values := make(map[*analysis.Analyzer]map[string]string)
	for _, a := range list {
		values[a] = make(map[string]string)
	}
	put := func(a *analysis.Analyzer, key string, v any) error {
		f := lookup(a, key)
		if f == nil {
			return fmt.Errorf("settings of %s: the check %s has no setting %q; it has %s", linter, a.Name, key, strings.Join(flagNames(a), ", "))
		}
		text, err := value(v)
		if err != nil {
			return fmt.Errorf("settings of %s: %s.%s: %w", linter, a.Name, f.Name, err)
		}
		values[a][f.Name] = text
		return nil
	}
	// What all checks share comes first: a check's own map has the last word.
	for _, key := range sorted(settings) {
		if linter != whole {
			if err := put(list[0], key, settings[key]); err != nil {
				return nil, err
			}
			continue
		}
		if _, ok := byName[strings.ToLower(key)]; ok {
			continue
		}
		if !c.common[strings.ToLower(key)] {
			return nil, fmt.Errorf("settings of %s: %q is neither a check (%s) nor a setting of all checks (%s)",
				linter, key, strings.Join(sorted(byName), ", "), strings.Join(sorted(c.common), ", "))
		}
		for _, a := range list {
			if lookup(a, key) != nil {
				if err := put(a, key, settings[key]); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, key := range sorted(settings) {
		a := byName[strings.ToLower(key)]
		if a == nil {
			continue
		}
		if on, ok := settings[key].(bool); ok {
			off[a] = !on
			continue
		}
		own, err := mapping(settings[key])
		if err != nil {
			return nil, fmt.Errorf("settings of %s: %s: want true, false or the check's settings: %w", linter, a.Name, err)
		}
		for _, flag := range sorted(own) {
			if err := put(a, flag, own[flag]); err != nil {
				return nil, err
			}
		}
	}
	on := slices.DeleteFunc(slices.Clone(list), func(a *analysis.Analyzer) bool { return off[a] })
	return on, c.apply(linter, on, values)
}

// apply sets the flags of the checks.
func (c *checks) apply(linter string, on []*analysis.Analyzer, values map[*analysis.Analyzer]map[string]string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	engine := commonFlags()
	for _, a := range on {
		var own []string
		for _, name := range sorted(values[a]) {
			if !engine[name] {
				own = append(own, name+"="+values[a][name])
			}
		}
		flags := strings.Join(own, " ")
		if before, ok := c.set[a.Name]; ok && before.flags != flags {
			names := []string{before.linter, linter}
			slices.Sort(names)
			return fmt.Errorf("the check %s runs in the linters %s and %s with different settings, which one process cannot do: give both the same, or set %s: false in %s",
				a.Name, names[0], names[1], a.Name, whole)
		} else if !ok {
			for _, name := range sorted(values[a]) {
				if !engine[name] {
					if err := a.Flags.Set(name, values[a][name]); err != nil {
						return fmt.Errorf("settings of %s: %s.%s: %w", linter, a.Name, name, err)
					}
				}
			}
		}
		c.set[a.Name] = choice{linter, flags}
		// Names given to the engine add up, and it counts them once.
		for _, name := range sorted(values[a]) {
			if key := name + "=" + values[a][name]; engine[name] && !c.engine[key] {
				if err := a.Flags.Set(name, values[a][name]); err != nil {
					return fmt.Errorf("settings of %s: %s.%s: %w", linter, a.Name, name, err)
				}
				c.engine[key] = true
			}
		}
	}
	return nil
}

// lookup finds a flag of a check. golangci-lint hands keys on in lower case.
func lookup(a *analysis.Analyzer, name string) (found *flag.Flag) {
	a.Flags.VisitAll(func(f *flag.Flag) {
		if strings.EqualFold(f.Name, name) {
			found = f
		}
	})
	return found
}

func flagNames(a *analysis.Analyzer) (names []string) {
	a.Flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return names
}

// mapping takes the settings of a linter or a check. There may be none.
func mapping(v any) (map[string]any, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return v, nil
	case map[any]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			out[fmt.Sprint(key)] = value
		}
		return out, nil
	}
	return nil, fmt.Errorf("got %v (%T), want a map of settings", v, v)
}

// value gives the text of a setting as it would follow a flag: a list is joined by
// commas.
func value(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case int, int64, uint64:
		return fmt.Sprint(v), nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	case []any:
		var parts []string
		for _, item := range v {
			text, ok := item.(string)
			if !ok || strings.Contains(text, ",") {
				return "", fmt.Errorf("%v in a list: want names", item)
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, ","), nil
	}
	return "", fmt.Errorf("got %v (%T), want a text, a number, true or false, or a list of names", v, v)
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
