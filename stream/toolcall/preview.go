package toolcall

import "sort"

// Preview is the state of a call while the turn is still running, for a user
// interface. Its text may be cut anywhere,
// also within a character. It has no way to become a [Call] and
// nothing that runs calls takes it.
type Preview struct {
	Choice, Index int
	ID, Name      string
	Text          string // raw argument text so far
}

// Previews copies the state of all calls that are known so far, ordered by
// choice and index. It copies all their text; don't call it for each fragment
// of a long one.
func (a *Assembler) Previews() []Preview {
	var ps []Preview
	for _, ch := range a.choices {
		for _, cs := range ch.calls {
			text := cs.buf
			if len(text) == 0 {
				text = cs.seed
			}
			ps = append(ps, Preview{Choice: ch.n, Index: cs.key, ID: cs.id, Name: cs.name, Text: string(text)})
		}
	}
	sort.SliceStable(ps, func(i, j int) bool {
		if ps[i].Choice != ps[j].Choice {
			return ps[i].Choice < ps[j].Choice
		}
		return ps[i].Index < ps[j].Index
	})
	return ps
}
