// Package golangci makes streamlint a module plugin of golangci-lint. It is a module
// of its own, so that nobody else pays for what it imports.
//
// It registers the linter "streamlint", which runs every check, and one linter a
// check under the check's name: golangci-lint's directives, exclusions and report
// formats know nothing but the linter's name. See docs/integrations/golangci-lint.md.
package golangci

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/streamlint/streamlint/analyzers"
	"github.com/streamlint/streamlint/internal/report"
)

// whole is the name of the linter that runs every check.
const whole = "streamlint"

func init() {
	c := newChecks(analyzers.All())
	register.Plugin(whole, c.newWhole)
	for _, a := range c.list {
		register.Plugin(a.Name, func(conf any) (register.LinterPlugin, error) { return c.newSingle(a, conf) })
	}
}

// plugin is one linter, with its settings applied.
type plugin struct {
	name      string
	analyzers []*analysis.Analyzer
}

var _ register.LinterPlugin = (*plugin)(nil)

// BuildAnalyzers implements register.LinterPlugin.
func (p *plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) { return p.analyzers, nil }

// GetLoadMode implements register.LinterPlugin. What a check knows of other packages
// comes to it as facts, which only this mode brings.
func (p *plugin) GetLoadMode() string { return register.LoadModeTypesInfo }

func (c *checks) newWhole(conf any) (register.LinterPlugin, error) {
	on, err := c.configure(whole, c.list, conf)
	if err != nil {
		return nil, err
	}
	if len(on) == 0 {
		return nil, fmt.Errorf("%s: the settings turn every check off", whole)
	}
	return adapted(whole, on), nil
}

func (c *checks) newSingle(a *analysis.Analyzer, conf any) (register.LinterPlugin, error) {
	if _, err := c.configure(a.Name, []*analysis.Analyzer{a}, conf); err != nil {
		return nil, err
	}
	return adapted(a.Name, []*analysis.Analyzer{a}), nil
}

func adapted(linter string, list []*analysis.Analyzer) *plugin {
	p := &plugin{name: linter}
	for _, a := range list {
		b := adapt(a)
		report.LeaveNolint(b, linter)
		p.analyzers = append(p.analyzers, b)
	}
	return p
}

// adapt gives a copy of an analyzer, an instance for one linter, that reports in the
// form golangci-lint wants: without the check's name in front, which it puts there
// itself or has as the linter's name, and without related places, of which it would
// make findings of their own.
func adapt(a *analysis.Analyzer) *analysis.Analyzer {
	run := a.Run
	return &analysis.Analyzer{
		Name:             a.Name,
		Doc:              a.Doc,
		URL:              a.URL,
		Requires:         a.Requires,
		ResultType:       a.ResultType,
		FactTypes:        a.FactTypes,
		RunDespiteErrors: a.RunDespiteErrors,
		Run: func(pass *analysis.Pass) (any, error) {
			inner := *pass
			inner.Report = func(d analysis.Diagnostic) { pass.Report(fold(&inner, d)) }
			return run(&inner)
		},
	}
}

// fold puts a finding's related places at the end of its message, and takes the
// check's name from its front.
func fold(pass *analysis.Pass, d analysis.Diagnostic) analysis.Diagnostic {
	d.Message = strings.TrimPrefix(d.Message, pass.Analyzer.Name+": ")
	at := pass.Fset.Position(d.Pos)
	var places []string
	for _, r := range d.Related {
		p := pass.Fset.Position(r.Pos)
		where := fmt.Sprintf("line %d", p.Line)
		if p.Filename != at.Filename {
			dir, file := filepath.Split(p.Filename)
			where = fmt.Sprintf("%s/%s:%d", filepath.Base(dir), file, p.Line)
		}
		places = append(places, strings.TrimSpace(r.Message)+": "+where)
	}
	if len(places) > 0 {
		d.Message += " (" + strings.Join(places, ", ") + ")"
	}
	d.Related = nil
	return d
}
