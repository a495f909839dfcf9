package partialapply

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// names is a flag of full names of functions, each with the position of an argument
// or -1.
type names map[string]int

var (
	userEffects  = make(names)
	userMessages = make(names)
)

// String implements flag.Value.
func (n names) String() string {
	var out []string
	for name, pos := range n {
		if pos >= 0 {
			name += ":" + strconv.Itoa(pos)
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return strings.Join(out, ",")
}

// Set implements flag.Value: the names are added.
func (n names) Set(v string) error {
	for _, s := range strings.Split(v, ",") {
		s = strings.TrimSpace(s)
		if s == "" {
			continue
		}
		name, tail, ok := strings.Cut(s, ":")
		pos := -1
		if ok {
			p, err := strconv.Atoi(tail)
			if err != nil || p < 0 {
				return fmt.Errorf("%q: %q is no position", s, tail)
			}
			pos = p
		}
		if !strings.Contains(name, ".") {
			return fmt.Errorf("%q is no full name: want pkg.Func or (pkg.Type).Method", name)
		}
		n[tabled(name)] = pos
	}
	return nil
}

func (n names) has(name string) bool { _, ok := n[name]; return ok }

// tabled writes a name as the tables do, without the major version and the star of a
// pointer receiver.
func tabled(name string) string {
	name = strings.Replace(name, "(*", "(", 1)
	i := strings.LastIndexByte(name, '/')
	if i < 0 {
		return name
	}
	head, paren := strings.CutPrefix(name[:i], "(")
	head = model.Path(head)
	if paren {
		head = "(" + head
	}
	return head + name[i:]
}

// effectOf gives the effect that a call has with v, and the position of v.
func effectOf(call ssa.CallInstruction, v ssa.Value) (model.Effect, int, bool) {
	name := streamflow.CalleeName(call)
	args := streamflow.Args(call)
	if pos, ok := userEffects[name]; ok {
		for i, a := range args {
			if a == v && (pos < 0 || pos == i) {
				return model.Effect{Func: name, Kind: model.ToolEffect, Verb: "applied"}, i, true
			}
		}
	}
	e, ok := model.LookupEffect(name)
	if !ok {
		return e, 0, false
	}
	for _, i := range e.Args {
		if i < len(args) && args[i] == v {
			return e, i, true
		}
	}
	return e, 0, false
}
