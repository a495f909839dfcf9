package streamtimeout

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/streamlint/streamlint/internal/model"
)

// names is a flag: functions of the user's with the position of an argument.
type names map[string][]int

func (n *names) String() string {
	if n == nil {
		return ""
	}
	var out []string
	for name, at := range *n {
		for _, i := range at {
			out = append(out, name+":"+strconv.Itoa(i))
		}
	}
	slices.Sort(out)
	return strings.Join(out, ",")
}

// Set adds to what is there: an empty value empties it.
func (n *names) Set(value string) error {
	if value == "" || *n == nil {
		*n = make(names)
	}
	for _, item := range strings.Split(value, ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		name, pos, ok := strings.Cut(item, ":")
		at, err := strconv.Atoi(pos)
		if !ok || err != nil || at < 0 {
			return fmt.Errorf("%q has no position: pkg.Func:0", item)
		}
		(*n)[normal(name)] = append((*n)[normal(name)], at)
	}
	return nil
}

// normal writes a name as the tables do, without the major version.
func normal(name string) string {
	i := strings.LastIndexByte(name, '/')
	if i < 0 {
		return name
	}
	head, paren := strings.CutPrefix(name[:i], "(")
	head = model.Path(head)
	if paren {
		head = "(" + head
	}
	// The version can be the last element of the path: pkg/v3.Func.
	tail := name[i:]
	if dot := strings.IndexByte(tail, '.'); dot > 0 && strings.HasPrefix(tail, "/v") && strings.Trim(tail[2:dot], "0123456789") == "" {
		tail = tail[dot:]
	}
	return head + tail
}

func (n names) has(name string, at int) bool {
	for _, i := range n[name] {
		if i == at {
			return true
		}
	}
	return false
}
