package modelcheck

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/streamlint/streamlint/internal/model"
)

// entry is one line of a table with what has to be true of it.
type entry struct {
	table, name, mod string
	check            func(l *library, o types.Object) error
}

// entries lists every line of every table.
func entries() []entry {
	var all []entry
	fn := func(table, name, mod string, check func(c *callee) error) {
		all = append(all, entry{table, name, mod, func(l *library, o types.Object) error {
			if b, ok := o.(*types.Builtin); ok && b.Pkg() == types.Unsafe {
				return nil // has no signature to look at
			}
			f, ok := o.(*types.Func)
			if !ok {
				return fmt.Errorf("is a %T, not a function", o)
			}
			return check(&callee{l: l, sig: f.Signature()})
		}})
	}
	for _, e := range model.Decoders {
		fn("Decoders", e.Func, e.Mod, func(c *callee) error { return c.decoder(e) })
	}
	for _, e := range model.Passes {
		fn("Passes", e.Func, e.Mod, func(c *callee) error { return c.pass(e) })
	}
	for _, e := range model.Writes {
		fn("Writes", e.Func, e.Mod, func(c *callee) error { return c.write(e) })
	}
	for _, e := range model.Sources {
		fn("Sources", e.Func, e.Mod, func(c *callee) error { return c.source(e) })
	}
	for _, e := range model.Encoders {
		fn("Encoders", e.Func, e.Mod, func(c *callee) error { return c.source(e) })
	}
	for _, e := range model.Callbacks {
		fn("Callbacks", e.Func, e.Mod, func(c *callee) error { return c.callback(e) })
	}
	for _, e := range model.TextSinks {
		fn("TextSinks", e.Func, e.Mod, func(c *callee) error { return c.textSink(e) })
	}
	for _, e := range model.Retries {
		fn("Retries", e.Func, e.Mod, func(c *callee) error { return c.retry(e) })
	}
	for _, e := range model.Opens {
		fn("Opens", e.Func, e.Mod, func(c *callee) error { return c.open(e) })
	}
	for _, e := range model.Effects {
		fn("Effects", e.Func, e.Mod, func(c *callee) error { return c.effect(e) })
	}
	for _, e := range model.PlanReaders {
		fn("PlanReaders", e.New, e.Mod, func(c *callee) error { return c.planReader(e) })
	}
	for _, e := range model.Limits {
		fn("Limits", e.Func, e.Mod, func(c *callee) error { return c.limit(e) })
	}
	for _, e := range model.Watchers {
		fn("Watchers", e.Func, e.Mod, func(c *callee) error { _, err := c.at(e.Arg); return err })
	}
	for _, e := range model.LimitFields {
		all = append(all, entry{"LimitFields", e.Name, e.Mod, func(_ *library, o types.Object) error { return limitField(o) }})
	}
	for _, e := range model.Lives {
		all = append(all, entry{"Lives", e.Type, e.Mod, func(_ *library, o types.Object) error { return live(o) }})
	}
	for _, e := range model.Fields {
		all = append(all, entry{"Fields", e.Name, e.Mod, func(_ *library, o types.Object) error { return field(o, e.Role) }})
	}
	for _, e := range model.Types {
		all = append(all, entry{"Types", e.Name, e.Mod, func(_ *library, o types.Object) error { return named(o, e.Role) }})
	}
	return all
}

// experimental are the packages that Go 1.25 and 1.26 have behind an
// experiment: they are read by themselves, so that the rest is checked as most
// programs see it.
var experimental = map[string]string{
	"encoding/json/v2":       "jsonv2",
	"encoding/json/jsontext": "jsonv2",
}

// TestTables checks that every line of the tables speaks of something that
// exists in the module it names, in the shape the line says it has.
func TestTables(t *testing.T) {
	byExperiment := make(map[string][]entry)
	for _, e := range entries() {
		x := experimental[e.pkg()]
		byExperiment[x] = append(byExperiment[x], e)
	}
	for x, es := range byExperiment {
		t.Run("experiment="+x, func(t *testing.T) { checkAll(t, x, es) })
	}
}

func checkAll(t *testing.T, experiment string, all []entry) {
	var args []string
	for _, e := range all {
		if e.mod == "std" {
			args = append(args, e.pkg())
		}
	}
	slices.Sort(args)
	args = slices.Compact(args)
	if experiment == "" {
		args = append([]string{"-tags=modelcheck_imports", "."}, args...)
	}
	l, err := load(experiment, args...)
	if err != nil {
		t.Fatal(err)
	}
	lines := make(map[string]map[string]bool) // table and name: the modules of its lines
	for _, e := range all {
		key := e.table + " " + e.name
		if lines[key] == nil {
			lines[key] = make(map[string]bool)
		}
		lines[key][e.mod] = true
	}
	others := 0
	byPath := make(map[string][]*listed)
	mods := make(map[string]bool)
	for _, p := range l.listed {
		byPath[model.Path(p.ImportPath)] = append(byPath[model.Path(p.ImportPath)], p)
		mods[p.mod()] = true
	}
	for _, e := range all {
		if !mods[e.mod] {
			t.Errorf("%s: %s: module %s is not in the build list of this module at that version", e.table, e.name, e.mod)
			continue
		}
		o, err := l.find(byPath[e.pkg()], e)
		if err == nil {
			err = e.check(l, o)
		}
		if err != nil {
			t.Errorf("%s: %s (%s): %v", e.table, e.name, e.mod, err)
			continue
		}
		others += l.checkOthers(t, byPath[e.pkg()], e, lines)
	}
	t.Logf("%d lines hold in another major version too", others)
	t.Logf("%d entries, %d packages read", len(all), len(l.typed))
	// What the type checker did not understand it cannot vouch for.
	tabled := make(map[string]bool)
	for _, e := range all {
		tabled[e.pkg()] = true
	}
	for _, path := range slices.Sorted(maps.Keys(l.errs)) {
		if tabled[model.Path(path)] {
			t.Errorf("%s: %v", path, l.errs[path][0])
		}
	}
}

// TestTwice checks that no table says two things of one name. Sources,
// Callbacks and TextSinks may have several lines a name, for several arguments,
// Retries for several major versions.
func TestTwice(t *testing.T) {
	seen := make(map[string]bool)
	for _, e := range entries() {
		switch e.table {
		case "Sources", "Callbacks", "TextSinks", "Retries":
			continue
		}
		if key := e.table + " " + e.name; seen[key] {
			t.Errorf("%s: twice", key)
		} else {
			seen[key] = true
		}
	}
}

// pkg gives the package of an entry as the tables write it.
func (e entry) pkg() string {
	if e.table == "Fields" || e.table == "LimitFields" {
		return model.FieldPackage(e.name)
	}
	return model.FuncPackage(e.name)
}

// find gives the object an entry names. Several packages of a module can share
// a path once their major versions are taken off ("cohere-go/v2" and
// "cohere-go/v2/v2"); any of them may have it.
func (l *library) find(candidates []*listed, e entry) (types.Object, error) {
	if i := strings.LastIndexByte(e.mod, '@'); e.mod != "std" && i < 0 {
		return nil, fmt.Errorf("Mod is not module@version")
	}
	err := fmt.Errorf("package %s is not in that module, or imports.go does not import it", e.pkg())
	for _, p := range candidates {
		if p.mod() != e.mod {
			continue
		}
		pkg, perr := l.check(p.ImportPath)
		if perr != nil {
			return nil, perr
		}
		o, oerr := object(pkg, e)
		if oerr == nil {
			return o, nil
		}
		err = oerr
	}
	return nil, err
}

// checkOthers looks at the other major versions of a module that are in the
// build list. A line serves them all, since paths lose their version: they may
// lack the name, but where they have it, it must have the same shape, unless
// another line speaks for that version.
func (l *library) checkOthers(t *testing.T, candidates []*listed, e entry, lines map[string]map[string]bool) int {
	n := 0
	for _, p := range candidates {
		if p.mod() == e.mod || lines[e.table+" "+e.name][p.mod()] {
			continue
		}
		pkg, err := l.check(p.ImportPath)
		if err != nil {
			t.Error(err)
			continue
		}
		o, err := object(pkg, e)
		if err != nil {
			continue
		}
		n++
		if err := e.check(l, o); err != nil {
			t.Errorf("%s: %s holds in %s, not in %s: %v", e.table, e.name, e.mod, p.mod(), err)
		}
	}
	return n
}

// object looks a name up and makes sure that it is the name the linter will
// see: an alias or a promoted method has another one.
func object(pkg *types.Package, e entry) (types.Object, error) {
	rest := strings.TrimPrefix(strings.TrimPrefix(e.name, "("), e.pkg()+".")
	lookup := func(name string) (types.Object, error) {
		o := pkg.Scope().Lookup(name)
		if o == nil {
			return nil, fmt.Errorf("%s has no %s", pkg.Path(), name)
		}
		if tn, ok := o.(*types.TypeName); ok && tn.IsAlias() {
			return nil, fmt.Errorf("%s is an alias of %s", name, types.Unalias(tn.Type()))
		}
		return o, nil
	}
	switch {
	case strings.HasPrefix(e.name, "("): // (pkg.Type).Method
		tname, method, _ := strings.Cut(rest, ").")
		o, err := lookup(tname)
		if err != nil {
			return nil, err
		}
		m, _, _ := types.LookupFieldOrMethod(types.NewPointer(o.Type()), true, pkg, method)
		if m == nil && types.IsInterface(o.Type()) {
			m, _, _ = types.LookupFieldOrMethod(o.Type(), true, pkg, method)
		}
		f, ok := m.(*types.Func)
		if !ok {
			return nil, fmt.Errorf("%s has no method %s", tname, method)
		}
		if got := model.FuncName(f); got != e.name {
			return nil, fmt.Errorf("the method is promoted: its name is %s", got)
		}
		return f, nil
	case e.table == "Fields" || e.table == "LimitFields": // pkg.Type.Field
		tname, fname, _ := strings.Cut(rest, ".")
		o, err := lookup(tname)
		if err != nil {
			return nil, err
		}
		st, ok := o.Type().Underlying().(*types.Struct)
		if !ok {
			return nil, fmt.Errorf("%s is no struct", tname)
		}
		for f := range st.Fields() {
			if f.Name() == fname {
				if got := model.FieldName(o.Type(), f); got != e.name {
					return nil, fmt.Errorf("its name is %s", got)
				}
				return f, nil
			}
		}
		return nil, fmt.Errorf("%s has no field %s of its own", tname, fname)
	case e.table == "Types" || e.table == "Lives":
		return lookup(rest)
	default:
		o, err := lookup(rest)
		if f, ok := o.(*types.Func); ok && model.FuncName(f) != e.name {
			return nil, fmt.Errorf("its name is %s", model.FuncName(f))
		}
		return o, err
	}
}
