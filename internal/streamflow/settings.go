package streamflow

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/streamlint/streamlint/internal/model"
)

// Settings are what a user tells the engine of his own world. Every check shows
// the same flags, and setting one on any check sets it for all: the flow is
// computed once.
type Settings struct {
	mu        sync.Mutex
	decoders  []string
	fragments []string
	frames    []string
	sinks     []string
	built     *Config
}

var settings Settings

// Config is the settings in the form the engine asks.
type Config struct {
	decoders map[string]model.Decoder
	srcs     map[string][]model.Source
	roles    map[string]model.Role
	sinks    map[string]int
}

// AddFlags gives an analyzer the flags of the engine: decoders, fragments, frames
// and sinks, each a comma-separated list of full names.
func AddFlags(a *analysis.Analyzer) {
	add := func(name, usage string, list *[]string) {
		a.Flags.Var(&listFlag{&settings, list}, name, usage)
	}
	add("decoders", "comma-separated functions that decode a whole document: pkg.Func or (pkg.Type).Method, with :N for the position of the document (counted from 0, receiver included)", &settings.decoders)
	add("fragments", "comma-separated sources of fragments: pkg.Type.Field, or pkg.Func / (pkg.Type).Method whose first result is a fragment", &settings.fragments)
	add("frames", "comma-separated sources of whole messages: pkg.Type.Field, pkg.Func or (pkg.Type).Method", &settings.frames)
	add("sinks", "comma-separated functions that hand text on to a consumer who needs whole characters, and each piece once: pkg.Func or (pkg.Type).Method, with :N for the position of the text (counted from 0, receiver included)", &settings.sinks)
}

type listFlag struct {
	s    *Settings
	list *[]string
}

var _ flag.Value = (*listFlag)(nil)

// String implements flag.Value.
func (l *listFlag) String() string {
	if l.list == nil {
		return ""
	}
	return strings.Join(*l.list, ",")
}

// Set implements flag.Value: the names are added.
func (l *listFlag) Set(v string) error {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	for _, name := range strings.Split(v, ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			continue
		}
		if !strings.Contains(name, ".") {
			return fmt.Errorf("%q is no full name: want pkg.Func, (pkg.Type).Method or pkg.Type.Field", name)
		}
		*l.list = append(*l.list, name)
	}
	l.s.built = nil
	return nil
}

func (s *Settings) config() *Config {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.built != nil {
		return s.built
	}
	c := &Config{make(map[string]model.Decoder), make(map[string][]model.Source), make(map[string]model.Role), make(map[string]int)}
	for _, d := range s.decoders {
		name, pos := cutPosition(normalName(d))
		if pos < 0 {
			pos = 0
			if strings.HasPrefix(name, "(") {
				pos = 1
			}
		}
		c.decoders[name] = model.Decoder{Func: name, Data: pos, Into: pos + 1, Mod: "user"}
	}
	for _, n := range s.sinks {
		name, pos := cutPosition(normalName(n))
		if pos < 0 {
			pos = 0
			if strings.HasPrefix(name, "(") {
				pos = 1
			}
		}
		c.sinks[name] = pos
	}
	for _, n := range s.fragments {
		name, pos := cutPosition(normalName(n))
		c.srcs[name] = append(c.srcs[name], model.Source{Func: name, Out: pos, State: model.Fragment, Mod: "user"})
		c.roles[name] = model.RolePiece
	}
	for _, n := range s.frames {
		name, pos := cutPosition(normalName(n))
		c.srcs[name] = append(c.srcs[name], model.Source{Func: name, Out: pos, State: model.Frame, Mod: "user"})
		c.roles[name] = model.RoleWhole
	}
	s.built = c
	return c
}

// cutPosition splits "name:2"; without a position it is model.Result.
func cutPosition(s string) (string, int) {
	name, pos, ok := strings.Cut(s, ":")
	if !ok {
		return s, model.Result
	}
	n, err := strconv.Atoi(pos)
	if err != nil {
		return s, model.Result
	}
	return name, n
}

func normalName(name string) string {
	// The tables' names carry no major version; a user may write his.
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		head, tail := name[:i], name[i:]
		paren := strings.HasPrefix(head, "(")
		head = model.Path(strings.TrimPrefix(head, "("))
		if paren {
			head = "(" + head
		}
		return head + tail
	}
	return name
}

func (c *Config) decoder(name string) (model.Decoder, bool) {
	if c == nil {
		return model.Decoder{}, false
	}
	d, ok := c.decoders[name]
	return d, ok
}

func (c *Config) source(name string) []model.Source {
	if c == nil {
		return nil
	}
	return c.srcs[name]
}

func (c *Config) fieldRole(name string) model.Role {
	if c == nil {
		return model.NoRole
	}
	return c.roles[name]
}

// Sink gives the position of the text that a function of the user's settings hands
// on to a consumer.
func (f *Flow) Sink(name string) (int, bool) {
	if f.config == nil || name == "" {
		return 0, false
	}
	pos, ok := f.config.sinks[name]
	return pos, ok
}

// names reports whether the settings name anything: then no package is left out.
func (c *Config) names() bool {
	return c != nil && (len(c.decoders) > 0 || len(c.srcs) > 0 || len(c.sinks) > 0)
}
