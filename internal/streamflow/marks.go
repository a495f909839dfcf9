package streamflow

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/streamlint/streamlint/internal/model"
)

// marks are what the directives of the package say of its own objects:
//
//	//streamlint:fragment          on a struct field
//	//streamlint:fragment NAME     in a function's doc comment: the parameter NAME
//	//streamlint:fragment return   in a function's doc comment: its results
//
// and the same with frame.
type marks struct {
	fields  map[*types.Var]model.Role
	params  map[*types.Var]Kind
	results map[*types.Func]Kind
}

func findMarks(pass *analysis.Pass) marks {
	m := marks{make(map[*types.Var]model.Role), make(map[*types.Var]Kind), make(map[*types.Func]Kind)}
	for _, file := range pass.Files {
		if !mentionsDirective(file) {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				kind, _, ok := directive(n.Doc, n.Comment)
				if !ok {
					return true
				}
				role := model.RolePiece
				if kind == Frame {
					role = model.RoleWhole
				}
				for _, name := range n.Names {
					if v, ok := pass.TypesInfo.Defs[name].(*types.Var); ok && v.IsField() {
						m.fields[v] = role
					}
				}
			case *ast.FuncDecl:
				fn, ok := pass.TypesInfo.Defs[n.Name].(*types.Func)
				if !ok {
					return true
				}
				for _, d := range directives(n.Doc) {
					if d.arg == "return" {
						m.results[fn] = d.kind
						continue
					}
					for i := range fn.Signature().Params().Len() {
						if p := fn.Signature().Params().At(i); p.Name() == d.arg {
							m.params[p] = d.kind
						}
					}
				}
			}
			return true
		})
	}
	return m
}

func mentionsDirective(file *ast.File) bool {
	for _, g := range file.Comments {
		for _, c := range g.List {
			if strings.HasPrefix(c.Text, "//streamlint:fragment") || strings.HasPrefix(c.Text, "//streamlint:frame") {
				return true
			}
		}
	}
	return false
}

type mark struct {
	kind Kind
	arg  string
}

func directives(groups ...*ast.CommentGroup) []mark {
	var out []mark
	for _, g := range groups {
		if g == nil {
			continue
		}
		for _, c := range g.List {
			text, ok := strings.CutPrefix(c.Text, "//streamlint:")
			if !ok {
				continue
			}
			words := strings.Fields(text)
			if len(words) == 0 {
				continue
			}
			arg := ""
			if len(words) > 1 {
				arg = words[1]
			}
			switch words[0] {
			case "fragment":
				out = append(out, mark{Fragment, arg})
			case "frame":
				out = append(out, mark{Frame, arg})
			}
		}
	}
	return out
}

func directive(groups ...*ast.CommentGroup) (Kind, string, bool) {
	ds := directives(groups...)
	if len(ds) == 0 {
		return Unknown, "", false
	}
	return ds[0].kind, ds[0].arg, true
}
