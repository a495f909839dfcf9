package streamflow

import (
	"golang.org/x/tools/go/ssa"
)

// control holds what is asked about the control flow of one function, each part
// computed when it is first needed.
type control struct {
	fn     *ssa.Function
	loops  []int // by block index: the id of the block's cycle, -1 for none
	guards map[*ssa.BasicBlock][]Guard
}

func (f *Flow) controlOf(fn *ssa.Function) *control {
	c := f.control[fn]
	if c == nil {
		c = &control{fn: fn, guards: make(map[*ssa.BasicBlock][]Guard)}
		if f.control == nil {
			f.control = make(map[*ssa.Function]*control)
		}
		f.control[fn] = c
	}
	return c
}

// InLoop reports whether the instruction can run again after it has run.
func (f *Flow) InLoop(in ssa.Instruction) bool {
	return f.loopOf(in.Block()) >= 0
}

// SameLoop reports whether a and b stand in one loop of one function: each can
// run again after the other.
func (f *Flow) SameLoop(a, b ssa.Instruction) bool {
	if a.Parent() != b.Parent() {
		return false
	}
	l := f.loopOf(a.Block())
	return l >= 0 && l == f.loopOf(b.Block())
}

func (f *Flow) loopOf(b *ssa.BasicBlock) int {
	if b == nil {
		return -1
	}
	c := f.controlOf(b.Parent())
	if c.loops == nil {
		c.loops = cycles(c.fn)
	}
	return c.loops[b.Index]
}

// cycles numbers the strongly connected components of the control flow that
// hold a cycle (Tarjan, without recursion: functions can be long).
func cycles(fn *ssa.Function) []int {
	n := len(fn.Blocks)
	ids := make([]int, n)
	index := make([]int, n)
	low := make([]int, n)
	onStack := make([]bool, n)
	for i := range ids {
		ids[i] = -1
	}
	var stack []*ssa.BasicBlock
	next, comps := 1, 0
	type frame struct {
		b    *ssa.BasicBlock
		succ int
	}
	for _, root := range fn.Blocks {
		if index[root.Index] != 0 {
			continue
		}
		work := []frame{{b: root}}
		index[root.Index], low[root.Index] = next, next
		next++
		stack = append(stack, root)
		onStack[root.Index] = true
		for len(work) > 0 {
			top := &work[len(work)-1]
			if top.succ < len(top.b.Succs) {
				s := top.b.Succs[top.succ]
				top.succ++
				switch {
				case index[s.Index] == 0:
					index[s.Index], low[s.Index] = next, next
					next++
					stack = append(stack, s)
					onStack[s.Index] = true
					work = append(work, frame{b: s})
				case onStack[s.Index]:
					low[top.b.Index] = min(low[top.b.Index], index[s.Index])
				}
				continue
			}
			b := top.b
			work = work[:len(work)-1]
			if len(work) > 0 {
				p := work[len(work)-1].b
				low[p.Index] = min(low[p.Index], low[b.Index])
			}
			if low[b.Index] != index[b.Index] {
				continue
			}
			var comp []*ssa.BasicBlock
			for {
				x := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				onStack[x.Index] = false
				comp = append(comp, x)
				if x == b {
					break
				}
			}
			cyclic := len(comp) > 1
			for _, s := range b.Succs {
				cyclic = cyclic || s == b
			}
			if cyclic {
				for _, x := range comp {
					ids[x.Index] = comps
				}
				comps++
			}
		}
	}
	return ids
}

// Reaches reports whether control can go from after a to b (in one function).
// Within one block it is the order of the instructions, or a cycle.
func (f *Flow) Reaches(a, b ssa.Instruction) bool {
	ab, bb := a.Block(), b.Block()
	if ab == nil || bb == nil || ab.Parent() != bb.Parent() {
		return false
	}
	if ab == bb {
		for _, in := range ab.Instrs {
			if in == a {
				return true
			}
			if in == b {
				break
			}
		}
		return f.loopOf(ab) >= 0
	}
	return reachable(ab.Succs, bb, nil)
}

// reachable reports whether to can be reached from one of the blocks without
// entering avoid.
func reachable(from []*ssa.BasicBlock, to, avoid *ssa.BasicBlock) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	work := append([]*ssa.BasicBlock(nil), from...)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == avoid || seen[b] {
			continue
		}
		if b == to {
			return true
		}
		seen[b] = true
		work = append(work, b.Succs...)
	}
	return false
}

// Guard is a condition that decides whether an instruction runs.
type Guard struct {
	If   *ssa.If
	Cond ssa.Value
	// Branch says which outcome leads to the instruction.
	Branch Branch
}

// Branch is the outcome of a condition.
type Branch uint8

// The outcomes: Either means that both can lead to the instruction, and that it
// can be missed too (one arm of an "or", for example).
const (
	True Branch = iota
	False
	Either
)

// Guards gives the conditions that decide whether the instruction runs, from the
// nearest outwards. Loop conditions count: inside a loop its condition was true.
func (f *Flow) Guards(in ssa.Instruction) []Guard {
	b := in.Block()
	if b == nil {
		return nil
	}
	c := f.controlOf(b.Parent())
	if g, ok := c.guards[b]; ok {
		return g
	}
	var out []Guard
	for d := b.Idom(); d != nil; d = d.Idom() {
		ifi, ok := last(d).(*ssa.If)
		if !ok {
			continue
		}
		t := d.Succs[0] == b || reachable(d.Succs[:1], b, d)
		e := d.Succs[1] == b || reachable(d.Succs[1:], b, d)
		switch {
		case panics(d.Succs[0]) || panics(d.Succs[1]):
			// The other way is no way at all.
		case t && !e:
			out = append(out, Guard{ifi, ifi.Cond, True})
		case e && !t:
			out = append(out, Guard{ifi, ifi.Cond, False})
		case t && e && avoidable(d, b):
			out = append(out, Guard{ifi, ifi.Cond, Either})
		}
	}
	c.guards[b] = out
	return out
}

// avoidable reports whether control can leave the function, or come round to d
// again, from d without passing b.
func avoidable(d, b *ssa.BasicBlock) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	work := append([]*ssa.BasicBlock(nil), d.Succs...)
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if x == b || seen[x] {
			continue
		}
		seen[x] = true
		if len(x.Succs) == 0 || x == d {
			return true
		}
		work = append(work, x.Succs...)
	}
	return false
}

func last(b *ssa.BasicBlock) ssa.Instruction {
	if len(b.Instrs) == 0 {
		return nil
	}
	return b.Instrs[len(b.Instrs)-1]
}

// panics reports whether a block does nothing but panic.
func panics(b *ssa.BasicBlock) bool {
	_, ok := last(b).(*ssa.Panic)
	return ok
}
