package gate

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Root is a directory that no path leaves. Close it when done.
type Root struct {
	root *os.Root
	dir  string // absolute, without symbolic links
}

// OpenRoot opens a job's directory.
func OpenRoot(dir string) (*Root, error) {
	if strings.TrimSpace(dir) == "" {
		return nil, &Error{Kind: EmptyPath}
	}
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, &Error{Kind: NoSuchPath, Path: dir, Err: err}
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, &Error{Kind: NoSuchPath, Path: dir, Err: err}
	}
	return &Root{root, abs}, nil
}

// Close releases the directory.
func (r *Root) Close() error { return r.root.Close() }

// Dir checks that path names a directory inside the root and returns where it
// really is, symbolic links resolved. The error is an [*Error] of kind EmptyPath,
// PathEscapes or NoSuchPath. "." is the root itself.
func (r *Root) Dir(path string) (string, error) {
	refuse := func(k Kind, err error) (string, error) {
		return "", &Error{Kind: k, Path: path, Err: err}
	}
	if strings.TrimSpace(path) == "" {
		return refuse(EmptyPath, nil)
	}
	if strings.IndexByte(path, 0) >= 0 {
		return refuse(NoSuchPath, errors.New("NUL byte"))
	}
	if !filepath.IsLocal(path) {
		return refuse(PathEscapes, nil)
	}
	clean := filepath.Clean(path)
	info, err := r.root.Stat(clean)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return refuse(NoSuchPath, err)
	case err != nil:
		// os.Root's error for a link that leads out is not exported; what is
		// left beside it are links in circles and names that are too long.
		return refuse(PathEscapes, err)
	case !info.IsDir():
		return refuse(NoSuchPath, errors.New("not a directory"))
	}
	real, err := filepath.EvalSymlinks(filepath.Join(r.dir, clean))
	if err != nil {
		return refuse(NoSuchPath, err)
	}
	if real != r.dir && !strings.HasPrefix(real, strings.TrimSuffix(r.dir, string(filepath.Separator))+string(filepath.Separator)) {
		return refuse(PathEscapes, nil) // it changed under our hands
	}
	return real, nil
}
