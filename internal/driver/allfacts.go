package driver

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// allObjectFacts lists the facts of the analyzer's types about objects of this
// package and of those it can see, in a stable order.
func (u *unit) allObjectFacts(a *analysis.Analyzer) []analysis.ObjectFact {
	var out []analysis.ObjectFact
	u.eachFact(a, func(pkg *types.Package, key factKey, fact analysis.Fact) {
		if key.obj != nil && (pkg == u.pkg || u.imported(pkg) || !packageLevelValue(key.obj)) {
			out = append(out, analysis.ObjectFact{Object: key.obj, Fact: fact})
		}
	})
	slices.SortStableFunc(out, func(x, y analysis.ObjectFact) int {
		return cmp.Or(
			cmp.Compare(x.Object.Pkg().Path(), y.Object.Pkg().Path()),
			cmp.Compare(x.Object.Pos(), y.Object.Pos()),
			cmp.Compare(x.Object.Name(), y.Object.Name()),
			cmp.Compare(reflect.TypeOf(x.Fact).String(), reflect.TypeOf(y.Fact).String()),
		)
	})
	return out
}

// allPackageFacts lists the facts of the analyzer's types about this package
// and those it imports.
func (u *unit) allPackageFacts(a *analysis.Analyzer) []analysis.PackageFact {
	var out []analysis.PackageFact
	u.eachFact(a, func(pkg *types.Package, key factKey, fact analysis.Fact) {
		if key.obj == nil && (pkg == u.pkg || u.imported(pkg)) {
			out = append(out, analysis.PackageFact{Package: pkg, Fact: fact})
		}
	})
	slices.SortStableFunc(out, func(x, y analysis.PackageFact) int {
		return cmp.Or(
			cmp.Compare(x.Package.Path(), y.Package.Path()),
			cmp.Compare(reflect.TypeOf(x.Fact).String(), reflect.TypeOf(y.Fact).String()),
		)
	})
	return out
}

func (u *unit) eachFact(a *analysis.Analyzer, do func(*types.Package, factKey, analysis.Fact)) {
	wanted := make(map[reflect.Type]bool)
	for _, f := range a.FactTypes {
		wanted[reflect.TypeOf(f)] = true
	}
	visit := func(pkg *types.Package, facts map[factKey]analysis.Fact) {
		for key, fact := range facts {
			if wanted[key.typ] {
				do(pkg, key, fact)
			}
		}
	}
	visit(u.pkg, u.facts)
	seen := map[*types.Package]bool{u.pkg: true}
	var walk func(pkgs []*types.Package)
	walk = func(pkgs []*types.Package) {
		for _, pkg := range pkgs {
			if !seen[pkg] {
				seen[pkg] = true
				visit(pkg, u.bound(pkg).found)
				walk(pkg.Imports())
			}
		}
	}
	walk(u.pkg.Imports())
}
