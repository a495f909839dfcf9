package review

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/streamlint/streamlint/internal/driver"
	"github.com/streamlint/streamlint/internal/gitdiff"
)

// reach is how many unchanged lines may lie between two changes that a reader sees
// as one hunk: git shows three lines around each.
const reach = 6

// group is a hunk as a reader sees it: changes of one file that lie close together.
type group struct {
	file  *gitdiff.File
	hunks []gitdiff.Hunk
}

func groups(f *gitdiff.File) []group {
	var out []group
	for _, h := range f.Hunks {
		if n := len(out); n > 0 {
			last := out[n-1].hunks[len(out[n-1].hunks)-1]
			if h.New.Start-(last.New.Start+last.New.Lines) <= reach {
				out[n-1].hunks = append(out[n-1].hunks, h)
				continue
			}
		}
		out = append(out, group{f, []gitdiff.Hunk{h}})
	}
	return out
}

func (g *group) touchesNew(l Lines) bool {
	return slices.ContainsFunc(g.hunks, func(h gitdiff.Hunk) bool { return overlaps(h.New, l) })
}

func (g *group) touchesOld(l Lines) bool {
	return slices.ContainsFunc(g.hunks, func(h gitdiff.Hunk) bool { return overlaps(h.Old, l) })
}

func overlaps(r gitdiff.Range, l Lines) bool {
	return r.Lines > 0 && l.First < r.Start+r.Lines && l.Last >= r.Start
}

// span gives the lines from the first to the last change, on both sides.
func (g *group) span() (old, new Lines) {
	span := func(side func(gitdiff.Hunk) gitdiff.Range) Lines {
		first, last := side(g.hunks[0]), side(g.hunks[len(g.hunks)-1])
		start := first.Start
		if first.Lines == 0 {
			start++ // the gap lies behind its line
		}
		end := last.Start + last.Lines - 1
		if last.Lines == 0 {
			end = last.Start
		}
		return Lines{start, end}
	}
	return span(func(h gitdiff.Hunk) gitdiff.Range { return h.Old }), span(func(h gitdiff.Hunk) gitdiff.Range { return h.New })
}

// distance tells how far a line of the new file is from a group.
func (g *group) distance(line int) int {
	_, new := g.span()
	return max(new.First-line, line-new.Last, 0)
}

// piece is a row in the making.
type piece struct {
	group    *group
	function string
	reasons  []Reason
}

// judge makes the rows.
func (r *review) judge() {
	var pieces []*piece
	at := func(g *group, fn string) *piece {
		for _, p := range pieces {
			if p.group == g && p.function == fn {
				return p
			}
		}
		p := &piece{group: g, function: fn}
		pieces = append(pieces, p)
		return p
	}
	var all []*group
	for _, f := range r.files {
		if f.New != "" && !r.now.seen[f.New] && len(r.now.problems) == 0 {
			r.notef("%s: not looked at, as this build leaves it out", f.New)
		}
		gs := groups(f)
		for i := range gs {
			all = append(all, &gs[i])
		}
	}
	for _, g := range all {
		r.standing(g, at)
	}
	r.caused(all, at)
	for _, g := range all {
		r.removed(g, at)
	}
	for _, p := range pieces {
		r.out.Rows = append(r.out.Rows, r.row(p))
	}
}

// standing gives a group the findings and places that stand in its new lines.
func (r *review) standing(g *group, at func(*group, string) *piece) {
	name := g.file.New
	for _, f := range r.now.findings[name] {
		if !g.touchesNew(Lines{f.Pos.Line, f.Pos.Line}) {
			continue
		}
		fn := r.now.functionAt(name, f.Pos.Line)
		reason := r.finding(f)
		reason.InBase = r.inBase(g.file, fn, f)
		p := at(g, fn)
		p.reasons = append(p.reasons, reason)
	}
	for _, f := range r.now.places[name] {
		if g.touchesNew(f.lines) {
			p := at(g, r.now.functionAt(name, f.Pos.Line))
			p.reasons = append(p.reasons, place(f))
		}
	}
}

func (r *review) finding(f found) Reason {
	why := strings.TrimPrefix(f.Message, f.Analyzer+": ")
	return Reason{Class: Revert, Kind: "finding", Check: f.Analyzer, Why: oneLine(why), URL: f.URL, Line: f.Pos.Line}
}

func place(f found) Reason {
	k, ok := strings.CutPrefix(f.Category, settled)
	class := Trust
	if !ok {
		k, class = strings.TrimPrefix(f.Category, unsettled), Test
	}
	return Reason{Class: class, Kind: k, Why: oneLine(f.Message), URL: f.URL, Line: f.Pos.Line}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// inBase reports whether a finding is none that the change brought: the function has
// no more of its check than the base's version had, or the package has no more that
// say the same, so that it came with code that was moved.
func (r *review) inBase(g *gitdiff.File, fn string, f found) bool {
	if r.base == nil {
		return false
	}
	if g.Old != "" && r.now.count(g.New, fn, f.Analyzer) <= r.base.count(g.Old, fn, f.Analyzer) {
		return true
	}
	dir := path.Dir(g.New)
	return r.now.same(dir, f) <= r.base.same(dir, f)
}

// same gives the number of findings in a package that say what f says, line numbers
// aside.
func (s *side) same(dir string, f found) int {
	n := 0
	for file, list := range s.findings {
		if path.Dir(file) != dir {
			continue
		}
		for _, x := range list {
			if x.Analyzer == f.Analyzer && numberless(x.Message) == numberless(f.Message) {
				n++
			}
		}
	}
	return n
}

func numberless(s string) string {
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return -1
		}
		return c
	}, s)
}

// caused finds the findings that the change brought and that stand in none of its
// lines: a check that was taken away is missed where it was needed. Such a finding
// is new when its line did not change, the base has none of that check on the line
// that it was, and the function has more of them than before. It belongs to the
// hunk in its function, or where there is none, to one in the file, or in the
// package; of several to the one that took away what the check asks for, and then to
// the nearest. Without a base to compare with, only a finding in a function
// that changed is taken for new.
func (r *review) caused(all []*group, at func(*group, string) *piece) {
	for _, name := range sortedKeys(r.now.findings) {
		for _, f := range r.now.findings[name] {
			if slices.ContainsFunc(all, func(g *group) bool {
				return g.file.New == name && g.touchesNew(Lines{f.Pos.Line, f.Pos.Line})
			}) {
				continue
			}
			fn := r.now.functionAt(name, f.Pos.Line)
			g := r.nearest(all, name, fn, f)
			if g == nil || !r.isNew(name, fn, f, g) {
				continue
			}
			reason := r.finding(f)
			reason.Elsewhere = fmt.Sprintf("%s:%d", name, f.Pos.Line)
			if g.file.New != name {
				fn = ""
			}
			p := at(g, fn)
			p.reasons = append(p.reasons, reason)
		}
	}
}

func (r *review) isNew(name, fn string, f found, g *group) bool {
	var file *gitdiff.File
	for _, x := range r.files {
		if x.New == name {
			file = x
		}
	}
	if r.base == nil || !r.baseHas(name, file) {
		// All that is known is what changed.
		return file != nil && fn != "" && r.inFunction(g, name, fn)
	}
	oldName, line := name, f.Pos.Line
	if file != nil {
		var ok bool
		if line, ok = file.OldLine(f.Pos.Line); !ok || file.Old == "" {
			return false
		}
		oldName = file.Old
	}
	for _, o := range r.base.findings[oldName] {
		if o.Analyzer == f.Analyzer && o.Pos.Line == line {
			return false
		}
	}
	return r.now.count(name, fn, f.Analyzer) > r.base.count(oldName, fn, f.Analyzer) &&
		r.now.same(path.Dir(name), f) > r.base.same(path.Dir(oldName), f)
}

// baseHas reports whether the base's version of a file was looked at.
func (r *review) baseHas(name string, file *gitdiff.File) bool {
	if file != nil {
		name = file.Old
	}
	return r.base.seen[name]
}

// inFunction reports whether a group changes a function.
func (r *review) inFunction(g *group, name, fn string) bool {
	if g.file.New != name {
		return false
	}
	_, new := g.span()
	for _, e := range r.now.functions[name] {
		if e.name == fn && new.First <= e.lines.Last+1 && max(new.Last, new.First-1) >= e.lines.First-1 {
			return true
		}
	}
	return false
}

// nearest picks the group that a finding outside all of them belongs to.
func (r *review) nearest(all []*group, name, fn string, f found) *group {
	var best *group
	score := func(g *group) int {
		related := slices.ContainsFunc(f.Related, func(x driver.Related) bool {
			return r.nameOf(x.Pos.Filename) == g.file.New && g.touchesNew(Lines{x.Pos.Line, x.Pos.Line})
		})
		switch {
		case fn != "" && r.inFunction(g, name, fn):
			return 0
		case related:
			return 1
		case g.file.New == name:
			return 2
		case path.Dir(cmp.Or(g.file.New, g.file.Old)) == path.Dir(name):
			return 3
		}
		return 4
	}
	closer := func(a, b *group) bool {
		if c := cmp.Or(cmp.Compare(score(a), score(b)), -cmpBool(r.tookAway(a, f.Analyzer), r.tookAway(b, f.Analyzer))); c != 0 {
			return c < 0
		}
		return a.file.New == name && a.distance(f.Pos.Line) < b.distance(f.Pos.Line)
	}
	for _, g := range all {
		if score(g) < 4 && (best == nil || closer(g, best)) {
			best = g
		}
	}
	return best
}

// tookAway reports whether a group's old lines held something of the kind whose
// rules a check looks after.
func (r *review) tookAway(g *group, check string) bool {
	if r.base == nil || g.file.Old == "" {
		return false
	}
	return slices.ContainsFunc(r.base.places[g.file.Old], func(f found) bool {
		k, ok := strings.CutPrefix(f.Category, settled)
		return ok && pageOf[kind(k)] == check && g.touchesOld(f.lines)
	})
}

// removed gives a group the places that the base had in its old lines and that
// its function has no longer.
func (r *review) removed(g *group, at func(*group, string) *piece) {
	if r.base == nil || g.file.Old == "" {
		return
	}
	old := g.file.Old
	for _, f := range r.base.places[old] {
		if !g.touchesOld(f.lines) {
			continue
		}
		fn := r.base.functionAt(old, f.Pos.Line)
		if r.kept(g, fn, f) {
			continue
		}
		reason := place(f)
		reason.Class, reason.Removed, reason.Why = Test, true, "taken away: "+reason.Why
		name := fn
		if g.file.New == "" || !r.hasFunction(g.file.New, fn) {
			name = "" // one row for what went away as a whole
		}
		p := at(g, name)
		p.reasons = append(p.reasons, reason)
	}
}

func (r *review) hasFunction(file, fn string) bool {
	return slices.ContainsFunc(r.now.functions[file], func(e extent) bool { return e.name == fn })
}

// kept reports whether a place of the base's was changed or moved and not taken
// away: the function has as many of its kind and verdict as before, here or in
// another file of the package, or the same hunk has.
func (r *review) kept(g *group, fn string, f found) bool {
	in := func(s *side, file string) int {
		return count(s.places[file], f.Category, func(x found) bool { return s.functionAt(file, x.Pos.Line) == fn })
	}
	before := in(r.base, g.file.Old)
	dir := path.Dir(g.file.Old)
	for file := range r.now.functions {
		if (file == g.file.New || path.Dir(file) == dir && r.hasFunction(file, fn)) && in(r.now, file) >= before {
			return true
		}
	}
	return count(r.now.places[g.file.New], f.Category, func(x found) bool { return g.touchesNew(x.lines) }) >=
		count(r.base.places[g.file.Old], f.Category, func(x found) bool { return g.touchesOld(x.lines) })
}

func count(places []found, category string, counts func(found) bool) int {
	n := 0
	for _, x := range places {
		if x.Category == category && counts(x) {
			n++
		}
	}
	return n
}

// row puts a piece in its final form.
func (r *review) row(p *piece) Row {
	slices.SortStableFunc(p.reasons, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(rank[a.Class], rank[b.Class]), cmpBool(a.InBase, b.InBase), cmpBool(a.Removed, b.Removed), cmp.Compare(weight(a), weight(b)), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Why, b.Why))
	})
	old, new := p.group.span()
	row := Row{
		Class:    p.reasons[0].Class,
		File:     cmp.Or(p.group.file.New, p.group.file.Old),
		Status:   p.group.file.Status.String(),
		Function: p.function,
		New:      new,
		Old:      old,
		Reasons:  p.reasons,
	}
	if p.group.file.Status == gitdiff.Renamed {
		row.OldFile = p.group.file.Old
	}
	// Of a hunk over several functions, the part in this one.
	row.New = clip(row.New, r.now.functions[p.group.file.New], p.function)
	if r.base != nil {
		row.Old = clip(row.Old, r.base.functions[p.group.file.Old], p.function)
	}
	if p.function == "" && !p.reasons[0].Removed && p.reasons[0].Elsewhere == "" {
		row.New = p.lines()
	}
	return row
}

// weights orders the kinds by how much a reviewer learns from them.
var weights = []kind{retry, carry, ending, arguments, framing, header, chunks, decoding, pieces, events, timeout, opening}

func weight(r Reason) int { return slices.Index(weights, kind(r.Kind)) }

// lines gives the lines that the reasons of a piece outside all functions name: a
// hunk may hold whole functions beside them.
func (p *piece) lines() Lines {
	out := Lines{p.reasons[0].Line, p.reasons[0].Line}
	for _, r := range p.reasons {
		if !r.Removed && r.Elsewhere == "" {
			out = Lines{min(out.First, r.Line), max(out.Last, r.Line)}
		}
	}
	return out
}

func clip(l Lines, functions []extent, fn string) Lines {
	for _, e := range functions {
		if fn != "" && e.name == fn && l.First <= e.lines.Last && l.Last >= e.lines.First {
			return Lines{max(l.First, e.lines.First), min(l.Last, e.lines.Last)}
		}
	}
	return l
}

func cmpBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// nameOf gives a file's name in the repository, "" for one outside.
func (r *review) nameOf(file string) string {
	name, _ := r.diff.Name(file)
	return name
}
