package driver

import (
	"crypto/sha256"
	"encoding/hex"
	"go/ast"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// FingerprintName names the way in which fingerprints are made. A finding keeps its
// fingerprint as long as nobody touches its line or moves it into another function,
// file or package; when the way changes, so does the name.
const FingerprintName = "streamlint/v1"

// fingerprint gives each finding, in the order of their places, what tells it from
// others in whatever line it comes to stand: a hash of the check, the file within
// its module, the function, the text of the line without its layout, and a number
// where all of these are the same. The message is not part of it, as it names lines
// and gets better with time.
func fingerprint(findings []Finding, src *sources) {
	seen := make(map[string]int)
	for i := range findings {
		f := &findings[i]
		text := strings.Join(strings.Fields(string(src.file(f.Pos.Filename).line(f.Pos.Line))), " ")
		key := strings.Join([]string{
			f.Analyzer,
			path.Join(home(f.Package, f.Pos.Filename), filepath.Base(f.Pos.Filename)),
			f.Function,
			text,
		}, "\x00")
		seen[key]++
		sum := sha256.Sum256([]byte(key + "\x00" + strconv.Itoa(seen[key])))
		f.Fingerprint = hex.EncodeToString(sum[:16])
	}
}

// filesPackage is the go command's name for a package made of files that the command
// line names one by one.
const filesPackage = "command-line-arguments"

// home gives the path of the package that a file belongs to, also where the command
// line names the file and not the package.
func home(pkg, file string) string {
	if pkg != filesPackage {
		return pkg
	}
	rel := "."
	for dir := filepath.Dir(file); ; {
		if mod, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
			return path.Join(modulePath(mod), filepath.ToSlash(rel))
		}
		up := filepath.Dir(dir)
		if up == dir {
			return pkg
		}
		rel = filepath.Join(filepath.Base(dir), rel)
		dir = up
	}
}

// modulePath reads the module line of a go.mod.
func modulePath(mod []byte) string {
	for line := range strings.Lines(string(mod)) {
		line, _, _ = strings.Cut(line, "//")
		if f := strings.Fields(line); len(f) == 2 && f[0] == "module" {
			return strings.Trim(f[1], "\"`")
		}
	}
	return ""
}

// enclosing names the declaration around a position: "F", "T.M", "(*T).M", or
// "var v" and the like; "" where there is none.
func enclosing(files []*ast.File, pos token.Pos) string {
	for _, f := range files {
		if pos < f.FileStart || f.FileEnd < pos {
			continue
		}
		for _, d := range f.Decls {
			if pos < d.Pos() || d.End() < pos {
				continue
			}
			switch d := d.(type) {
			case *ast.FuncDecl:
				return receiver(d) + d.Name.Name
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if pos < spec.Pos() || spec.End() < pos {
						continue
					}
					switch spec := spec.(type) {
					case *ast.ValueSpec:
						return d.Tok.String() + " " + spec.Names[0].Name
					case *ast.TypeSpec:
						return d.Tok.String() + " " + spec.Name.Name
					}
				}
			}
		}
	}
	return ""
}

// receiver is what stands before the name of a method.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	form := "%."
	t := ast.Unparen(d.Recv.List[0].Type)
	if star, ok := t.(*ast.StarExpr); ok {
		t, form = ast.Unparen(star.X), "(*%)."
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	id, ok := t.(*ast.Ident)
	if !ok {
		return ""
	}
	return strings.Replace(form, "%", id.Name, 1)
}
