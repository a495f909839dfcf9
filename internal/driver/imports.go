package driver

import (
	"bufio"
	"fmt"
	"go/token"
	"go/types"
	"os"

	"golang.org/x/tools/go/gcexportdata"
)

// universe holds the packages read from export data. All packages under
// analysis share one, so that a dependency is read once, and an object of it
// is the same object to each of them.
type universe struct {
	fset     *token.FileSet
	packages *listing
	read     map[string]*types.Package // by package path, incomplete ones included
	views    map[string]*view          // by the package under test
	plain    *view
}

func newUniverse(fset *token.FileSet, packages *listing) *universe {
	u := &universe{
		fset:     fset,
		packages: packages,
		read:     make(map[string]*types.Package),
		views:    make(map[string]*view),
	}
	u.plain = &view{u: u, read: u.read}
	return u
}

// view is the universe as one test binary sees it: the package under test,
// and those between it and its external test, were compiled anew and take the
// place of the plain ones.
type view struct {
	u       *universe
	variant map[string]string         // package path -> ID of the variant
	read    map[string]*types.Package // the plain packages and the variants
}

// viewFor returns the view in which p's imports are resolved.
func (u *universe) viewFor(p *listed) *view {
	if p.ForTest == "" {
		return u.plain
	}
	if v := u.views[p.ForTest]; v != nil {
		return v
	}
	v := &view{u: u, variant: make(map[string]string), read: make(map[string]*types.Package)}
	for id, q := range u.packages.byID {
		if q.ForTest == p.ForTest {
			v.variant[q.path()] = id
		}
	}
	u.views[p.ForTest] = v
	return v
}

// forget drops the view of a test binary all of whose packages are done.
func (u *universe) forget(forTest string) { delete(u.views, forTest) }

// id tells which package of the listing pkg is.
func (v *view) id(pkg *types.Package) string {
	if id, ok := v.variant[pkg.Path()]; ok {
		return id
	}
	return pkg.Path()
}

// load returns the package with the given ID, from its export data.
func (v *view) load(id string) (*types.Package, error) {
	if id == "unsafe" {
		return types.Unsafe, nil
	}
	p := v.u.packages.byID[id]
	if p == nil {
		return nil, fmt.Errorf("package %q is not in the go command's listing", id)
	}
	path := p.path()
	if v != v.u.plain {
		if v.variant[path] != id {
			return v.u.plain.load(id)
		}
		// Export data names other packages by path alone. What the reader
		// has to find under a path must be in the map before it starts ...
		for path, pkg := range v.u.read {
			if _, ok := v.variant[path]; !ok {
				v.read[path] = pkg
			}
		}
	}
	if pkg := v.read[path]; pkg != nil && pkg.Complete() {
		return pkg, nil
	}
	if p.Export == "" {
		return nil, &notBuiltError{p}
	}
	f, err := os.Open(p.Export)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := gcexportdata.NewReader(bufio.NewReaderSize(f, 64<<10))
	if err != nil {
		return nil, fmt.Errorf("export data of %s: %w", path, err)
	}
	pkg, err := gcexportdata.Read(r, v.u.fset, v.read, path)
	if err != nil {
		return nil, fmt.Errorf("export data of %s: %w", path, err)
	}
	if v != v.u.plain {
		// ... and plain packages it met first here must stay the only ones
		// of their path.
		for path, pkg := range v.read {
			if _, ok := v.variant[path]; !ok && v.u.read[path] == nil {
				v.u.read[path] = pkg
			}
		}
	}
	return pkg, nil
}

// notBuiltError says that a package has no export data.
type notBuiltError struct{ p *listed }

func (e *notBuiltError) Error() string {
	return fmt.Sprintf("package %s does not build", e.p.path())
}
