package golangci

import (
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/streamlint/streamlint/analyzers"
	"github.com/streamlint/streamlint/internal/report"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// toy makes a check that only carries settings, so that a test leaves nothing behind
// in the real ones.
func toy(name string, engine bool) *analysis.Analyzer {
	a := &analysis.Analyzer{Name: name, Doc: name, Run: func(*analysis.Pass) (any, error) { return nil, nil }}
	report.AddFlags(a)
	a.Flags.Int("min", 10, "")
	a.Flags.Bool("all", false, "")
	if engine {
		streamflow.AddFlags(a)
	}
	return a
}

func toys() *checks { return newChecks([]*analysis.Analyzer{toy("one", true), toy("two", false)}) }

func TestEveryCheckIsALinter(t *testing.T) {
	names := []string{"streamlint"}
	for _, a := range analyzers.All() {
		names = append(names, a.Name)
	}
	for _, name := range names {
		newPlugin, err := register.GetPlugin(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := newPlugin(nil)
		if err != nil {
			t.Fatal(err)
		}
		if p.GetLoadMode() != register.LoadModeTypesInfo {
			t.Errorf("%s: load mode %s brings no facts", name, p.GetLoadMode())
		}
		list, err := p.BuildAnalyzers()
		if err != nil {
			t.Fatal(err)
		}
		if err := analysis.Validate(list); err != nil {
			t.Error(err)
		}
		var got []string
		for _, a := range list {
			got = append(got, a.Name)
			if slices.Contains(analyzers.All(), a) {
				t.Errorf("%s: %s is the shared analyzer and not a copy: two linters could not be told apart", name, a.Name)
			}
		}
		want := []string{name}
		if name == "streamlint" {
			want = names[1:]
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s runs %v, want %v", name, got, want)
		}
	}
}

func TestSettings(t *testing.T) {
	c := toys()
	on, err := c.configure(whole, c.list, map[string]any{
		"tests":    true,
		"decoders": []any{"example.test/wire.Parse:1", "(example.test/wire.Codec).Decode"},
		"one":      map[string]any{"MIN": 3, "tests": false, "all": true},
		"two":      false,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(on) != 1 || on[0].Name != "one" {
		t.Errorf("these run: %v", on)
	}
	for name, want := range map[string]string{
		"min": "3", "all": "true",
		"tests":    "false", // a check's own map has the last word
		"decoders": "example.test/wire.Parse:1,(example.test/wire.Codec).Decode",
	} {
		if got := on[0].Flags.Lookup(name).Value.String(); got != want {
			t.Errorf("%s = %s, want %s", name, got, want)
		}
	}
}

// Every flag of every real check can be set.
func TestEveryFlagIsASetting(t *testing.T) {
	for _, a := range analyzers.All() {
		for _, name := range flagNames(a) {
			if strings.ToLower(name) != name {
				t.Errorf("%s.%s: golangci-lint hands keys on in lower case", a.Name, name)
			}
			if f := lookup(a, name); f == nil || f.Name != name {
				t.Errorf("%s.%s is not found", a.Name, name)
			}
		}
	}
}

func TestWrongSettings(t *testing.T) {
	for _, tt := range []struct {
		name, linter string
		conf         any
		want         string
	}{
		{"unknown", whole, map[string]any{"tresholds": true}, `"tresholds" is neither a check (one, two) nor a setting of all checks (decoders, fragments, frames, generated, sinks, tests)`},
		{"unknown of a check", whole, map[string]any{"one": map[string]any{"max": 3}}, `the check one has no setting "max"; it has`},
		{"a check's flag at the top", whole, map[string]any{"min": 3}, `"min" is neither`},
		{"engine flag of a check without it", whole, map[string]any{"two": map[string]any{"decoders": "a.B"}}, `the check two has no setting "decoders"`},
		{"no map", whole, []any{"tests"}, `want a map of settings`},
		{"no map for a check", whole, map[string]any{"one": "yes"}, `want true, false or the check's settings`},
		{"no number", whole, map[string]any{"one": map[string]any{"min": "few"}}, `one.min: parse error`},
		{"no truth value", whole, map[string]any{"tests": "perhaps"}, `one.tests: `},
		{"no full name", whole, map[string]any{"decoders": "Parse"}, `"Parse" is no full name`},
		{"a map for a flag", whole, map[string]any{"one": map[string]any{"min": map[string]any{}}}, `one.min: got`},
		{"a comma in a list", whole, map[string]any{"decoders": []any{"a.B,c.D"}}, `want names`},
		{"numbers in a list", whole, map[string]any{"decoders": []any{3}}, `want names`},
		{"all off", whole, map[string]any{"one": false, "two": false}, `turn every check off`},
		{"unknown of a single", "one", map[string]any{"two": false}, `the check one has no setting "two"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := toys()
			var err error
			if tt.linter == whole {
				_, err = c.newWhole(tt.conf)
			} else {
				_, err = c.newSingle(c.list[0], tt.conf)
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// Flags exist once a process: two linters with the same check have to agree.
func TestTwoLinters(t *testing.T) {
	for _, tt := range []struct {
		name       string
		all, alone map[string]any
		ok         bool
	}{
		{"no settings", nil, nil, true},
		{"the same", map[string]any{"one": map[string]any{"min": 3}}, map[string]any{"min": 3}, true},
		{"only one says something", nil, map[string]any{"min": 3}, false},
		{"different", map[string]any{"one": map[string]any{"min": 3}}, map[string]any{"min": 4}, false},
		{"left to the other", map[string]any{"one": false}, map[string]any{"min": 3}, true},
		{"names add up", map[string]any{"decoders": "a.B"}, map[string]any{"decoders": "c.D"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, swap := range []bool{false, true} {
				c := toys()
				run := []func() error{
					func() error { _, err := c.newWhole(tt.all); return err },
					func() error { _, err := c.newSingle(c.list[0], tt.alone); return err },
				}
				if swap {
					slices.Reverse(run)
				}
				var err error
				for _, f := range run {
					if e := f(); e != nil {
						err = e
					}
				}
				if (err == nil) != tt.ok {
					t.Errorf("swapped %v: %v", swap, err)
				}
				if err != nil && !strings.Contains(err.Error(), "one runs in the linters one and streamlint with different settings") {
					t.Error(err)
				}
			}
		})
	}
	// golangci-lint may make a linter twice.
	c := toys()
	for range 2 {
		if _, err := c.newSingle(c.list[0], map[string]any{"min": 3, "decoders": "twice.Parse"}); err != nil {
			t.Error(err)
		}
	}
	if got := c.list[0].Flags.Lookup("decoders").Value.String(); strings.Count(got, "twice.Parse") != 1 {
		t.Errorf("decoders = %s", got)
	}
}

func TestFold(t *testing.T) {
	fset := token.NewFileSet()
	here := fset.AddFile("/src/agent/agent.go", -1, 100)
	here.SetLines([]int{0, 10, 20, 30})
	there := fset.AddFile("/src/wire/wire.go", -1, 100)
	there.SetLines([]int{0, 10, 20, 30})
	pass := &analysis.Pass{Analyzer: toy("one", false), Fset: fset}
	got := fold(pass, analysis.Diagnostic{
		Pos:     here.Pos(12),
		Message: "one: the text of one: it goes on",
		Related: []analysis.RelatedInformation{{Pos: here.Pos(2), Message: "\tread here"}, {Pos: there.Pos(22), Message: "decoded here"}},
	})
	if want := "the text of one: it goes on (read here: line 1, decoded here: wire/wire.go:3)"; got.Message != want {
		t.Errorf("got %q, want %q", got.Message, want)
	}
	if got.Related != nil {
		t.Error("related places are left, and would be findings of their own")
	}
}

func TestCommonFlags(t *testing.T) {
	want := map[string]bool{"tests": false, "generated": false, "decoders": true, "fragments": true, "frames": true, "sinks": true}
	if got := commonFlags(); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v: the page of golangci-lint lists them", got, want)
	}
}
