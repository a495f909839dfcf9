package streamflow

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
)

// maxBlocks is the size beyond which a function is not looked at: such functions
// are generated tables, and some questions below cost more than linear time.
const maxBlocks = 4000

func (f *Flow) build() {
	prog, pkg := f.buildSSA(false)
	if pkg == nil {
		// Rarely the builder needs a package that is not imported directly.
		prog, pkg = f.buildSSA(true)
	}
	f.ssaPkg = pkg

	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if len(fn.Blocks) <= maxBlocks {
			f.funcs = append(f.funcs, fn)
		}
		for _, anon := range fn.AnonFuncs {
			add(anon)
		}
	}
	for _, file := range f.pass.Files {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok {
				if obj, ok := f.pass.TypesInfo.Defs[decl.Name].(*types.Func); ok {
					if fn := prog.FuncValue(obj); fn != nil {
						add(fn)
					}
				}
			}
		}
	}
	// Closures in package-level variables.
	if init := f.ssaPkg.Func("init"); init != nil {
		for _, anon := range init.AnonFuncs {
			add(anon)
		}
	}
	f.resolveFuncVars(prog)
}

// buildSSA builds the package with its direct imports, or with all that these
// import in their turn, known to the program. The package is nil where the builder
// failed.
func (f *Flow) buildSSA(all bool) (prog *ssa.Program, pkg *ssa.Package) {
	defer func() {
		if r := recover(); r != nil {
			if all {
				panic(r)
			}
			pkg = nil
		}
	}()
	prog = ssa.NewProgram(f.pass.Fset, ssa.BuilderMode(0))
	prog.SetNoReturn(noReturn)
	created := map[*types.Package]bool{f.pass.Pkg: true}
	var create func(imports []*types.Package)
	create = func(imports []*types.Package) {
		for _, p := range imports {
			if created[p] {
				continue
			}
			created[p] = true
			prog.CreatePackage(p, nil, nil, true)
			if all {
				create(p.Imports())
			}
		}
	}
	create(f.pass.Pkg.Imports())
	pkg = prog.CreatePackage(f.pass.Pkg, f.pass.Files, f.pass.TypesInfo, false)
	pkg.Build()
	return prog, pkg
}

// noReturn lists the functions that never come back, so that the control flow
// after them is not taken for a path.
func noReturn(fn *types.Func) bool {
	switch model.FuncName(fn) {
	case "os.Exit", "log.Fatal", "log.Fatalf", "log.Fatalln", "log.Panic", "log.Panicf", "log.Panicln",
		"(log.Logger).Fatal", "(log.Logger).Fatalf", "(log.Logger).Fatalln",
		"(log.Logger).Panic", "(log.Logger).Panicf", "(log.Logger).Panicln",
		"runtime.Goexit", "syscall.Exit",
		"(testing.common).Fatal", "(testing.common).Fatalf", "(testing.common).FailNow", "(testing.common).Skip", "(testing.common).SkipNow", "(testing.common).Skipf",
		"github.com/sirupsen/logrus.Fatal", "github.com/sirupsen/logrus.Fatalf", "github.com/sirupsen/logrus.Fatalln",
		"(github.com/sirupsen/logrus.Logger).Fatal", "(github.com/sirupsen/logrus.Logger).Fatalf", "(github.com/sirupsen/logrus.Entry).Fatal", "(github.com/sirupsen/logrus.Entry).Fatalf",
		"(go.uber.org/zap.Logger).Fatal", "(go.uber.org/zap.Logger).Panic", "(go.uber.org/zap.SugaredLogger).Fatal", "(go.uber.org/zap.SugaredLogger).Fatalf", "(go.uber.org/zap.SugaredLogger).Fatalw",
		"k8s.io/klog.Fatal", "k8s.io/klog.Fatalf", "k8s.io/klog.Exit", "k8s.io/klog.Exitf",
		"github.com/golang/glog.Fatal", "github.com/golang/glog.Fatalf":
		return true
	}
	return false
}
