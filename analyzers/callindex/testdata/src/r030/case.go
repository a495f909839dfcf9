// Package r030: maximhq/bifrost#1829, QwenLM/Qwen-Agent#943, crmne/ruby_llm#711. A fragment without id is
// appended to the call seen last; interleaved calls mix.
package r030

import "strings"

type fragment struct {
	Index int    `json:"index"`
	ID    string `json:"id"`
	Name  string `json:"name"`
	Args  string `json:"arguments"`
}

type call struct {
	id, name string
	args     strings.Builder
}

type assembler struct{ calls []*call }

func (a *assembler) push(frs []fragment) {
	for _, fr := range frs {
		if fr.ID != "" {
			a.calls = append(a.calls, &call{id: fr.ID, name: fr.Name})
		}
		if len(a.calls) == 0 {
			continue
		}
		cur := a.calls[len(a.calls)-1]
		cur.args.WriteString(fr.Args) // want `the call seen last`
	}
}
