package partialapply

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/streamlint/streamlint/internal/model"
	"github.com/streamlint/streamlint/internal/streamflow"
)

// hit is an effect that an item reaches.
type hit struct {
	call   ssa.CallInstruction
	effect model.Effect
	frame  *frame
	via    string // for a function of another package: the effect inside it
	// script says that the item is the statement itself, as it arrived.
	script bool
}

// words name the effect for a message.
func (h *hit) words() string {
	if h.via != "" {
		return streamflow.CallWords(h.call) + ", by " + h.via
	}
	return streamflow.CallWords(h.call)
}

// made gives the call in the receiving function that leads to the effect, where the
// effect stands in another function.
func (h *hit) made() token.Pos {
	at := token.NoPos
	for f := h.frame; f.up != nil; f = f.up {
		at = f.at.Pos()
	}
	return at
}

// path gives the effect and the calls that lead to it from the receiving function.
func (h *hit) path() []ssa.Instruction {
	out := []ssa.Instruction{h.call}
	for f := h.frame; f.up != nil; f = f.up {
		out = append(out, f.at)
	}
	return out
}

// frame is a function as the walk came into it.
type frame struct {
	fn *ssa.Function
	// anchor is where an item arrives in the function: what counts stands in one loop
	// with it. Without an anchor the function is called for each item.
	anchor ssa.Instruction
	at     ssa.Instruction // the call in up that leads here
	up     *frame
	depth  int
}

// receiver is a place where the items of a plan arrive one by one.
type receiver struct {
	shape shape
	from  string // what they are read from
	pos   token.Pos
	item  []ssa.Value
	at    ssa.Instruction // nil where the function runs once for each item
	fn    *ssa.Function
	// reader is what the items are read from; nil where a call of another package
	// brings them.
	reader ssa.Value
}

// shape says which effects make half a plan of the items.
type shape uint8

const (
	parts     shape = iota // parts of one document: every effect
	lines                  // lines of one HTTP response: every effect on the machine itself
	scripts                // items that are executed as they are
	toolCalls              // tool calls of a model's answer
)

func (r *receiver) counts(h *hit) bool {
	switch r.shape {
	case parts:
		return true
	case lines:
		return h.effect.Kind != model.HTTPEffect && h.effect.Kind != model.ToolEffect
	case scripts:
		return h.script && h.effect.Kind == model.SQLEffect
	}
	// A row in a table says that a tool was asked for; it is no tool.
	return h.effect.Kind == model.ToolEffect || h.effect.Kind == model.CommandEffect || h.effect.Kind == model.FileEffect
}
