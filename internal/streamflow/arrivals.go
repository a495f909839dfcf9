package streamflow

import (
	"golang.org/x/tools/go/ssa"
)

// Arrival is one way by which data from an origin comes to a use, callers
// included.
type Arrival struct {
	Origin
	// Uses leads outwards from the use: Uses[0] is the instruction asked about, each
	// further one the call through which the value came into the function of the
	// one before.
	Uses []ssa.Instruction
}

const (
	maxCallers  = 4  // how far out callers are followed
	maxArrivals = 64 // beyond it the answer is Unknown
)

// Arrivals gives the origins of the part of v that path leads to, as seen by the
// instruction use. Parameters are followed to the calls of their function in this
// package; a parameter that nothing here calls stays a Param.
func (f *Flow) Arrivals(use ssa.Instruction, v ssa.Value, path Path) []Arrival {
	var out []Arrival
	f.arrivals(v, path, []ssa.Instruction{use}, Origin{}, make(map[*ssa.Parameter]int), &out)
	if len(out) > maxArrivals {
		out = append(out[:maxArrivals], Arrival{Origin: Origin{Kind: Unknown}, Uses: []ssa.Instruction{use}})
	}
	return out
}

func (f *Flow) arrivals(v ssa.Value, path Path, uses []ssa.Instruction, so Origin, busy map[*ssa.Parameter]int, out *[]Arrival) {
	for _, o := range f.TracePath(v, path) {
		if len(*out) > maxArrivals {
			return
		}
		o.Joins = append(append([]ssa.Instruction(nil), so.Joins...), o.Joins...)
		o.Via = append(append([]ssa.Instruction(nil), so.Via...), o.Via...)
		o.Carried = o.Carried || so.Carried
		o.Count = o.Count || so.Count
		if o.Kind != Param || o.Param == nil {
			*out = append(*out, Arrival{o, uses})
			continue
		}
		sites := f.Callers(o.Param.Parent())
		k := paramIndex(o.Param)
		if busy[o.Param] > 0 {
			continue // a recursive call hands on what is being followed
		}
		if len(sites) == 0 || len(uses) > maxCallers {
			*out = append(*out, Arrival{o, uses})
			continue
		}
		busy[o.Param]++
		for _, s := range sites {
			if k >= len(s.Args) {
				continue
			}
			next := append(append([]ssa.Instruction(nil), uses...), s.Call)
			f.arrivals(s.Args[k], o.Path, next, Origin{Joins: o.Joins, Via: o.Via, Carried: o.Carried, Count: o.Count}, busy, out)
		}
		busy[o.Param]--
	}
}

// Receiving reports whether the use stands inside the flow that brings the data
// in, so that more of it may follow: in one loop with the place where it arrives,
// or in a function that is called for each piece and keeps what came before. For
// a use in a helper, the calls that lead to it count.
func (f *Flow) Receiving(a *Arrival) bool {
	for _, use := range f.lift(a.Uses) {
		for _, in := range a.Via {
			for _, arrival := range f.lift([]ssa.Instruction{in}) {
				if arrival.Parent() != use.Parent() {
					continue
				}
				if f.SameLoop(use, arrival) {
					return true
				}
				if f.PerEvent(use.Parent()) && (f.Reaches(arrival, use) || f.Reaches(use, arrival)) {
					return true
				}
			}
		}
	}
	return false
}

// lift gives the instructions and, for each, the calls in the package that lead
// to it, a few levels out.
func (f *Flow) lift(ins []ssa.Instruction) []ssa.Instruction {
	var out []ssa.Instruction
	seen := make(map[ssa.Instruction]bool)
	var add func(in ssa.Instruction, depth int)
	add = func(in ssa.Instruction, depth int) {
		if seen[in] || len(out) > 40 {
			return
		}
		seen[in] = true
		out = append(out, in)
		if depth == 0 || in.Parent() == nil {
			return
		}
		for _, s := range f.Callers(in.Parent()) {
			add(s.Call, depth-1)
		}
	}
	for _, in := range ins {
		add(in, 3)
	}
	return out
}

// PerEvent reports whether a function runs once for each piece that arrives: the
// body of a range-over-func loop, a callback, a function called from a loop that
// receives or by itself.
func (f *Flow) PerEvent(fn *ssa.Function) bool {
	if fn.Synthetic == "range-over-func yield" {
		return true
	}
	if fn.Parent() != nil {
		// A closure handed to a function as its callback with something to look at.
		if len(fn.Params) > 0 {
			for _, mc := range f.closures[fn] {
				for _, ref := range *mc.Referrers() {
					if call, ok := ref.(ssa.CallInstruction); ok && call.Common().Value != mc {
						return true
					}
				}
			}
		}
		return false
	}
	for _, s := range f.Callers(fn) {
		if f.InLoop(s.Call) || s.Call.Parent() == fn || s.Call.Parent().Synthetic == "range-over-func yield" {
			return true
		}
	}
	// A method or function that takes pieces and that others call.
	for _, p := range fn.Params {
		if _, _, ok := f.paramRole(p, nil); ok {
			return true
		}
	}
	return len(f.Callers(fn)) == 0 && fn.Signature.Recv() != nil
}
