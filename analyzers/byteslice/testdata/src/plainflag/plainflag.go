// Package plainflag has text that a user declares to be made of one-byte characters.
package plainflag

import "fmt"

type Ticket string

type order struct{ Ticket, Remark string }

func render() string { return "x" }

func (t Ticket) short() {
	if len(t) > 8 {
		fmt.Println(t[:8] + "...")
	}
}

func show(o order) {
	t, r := o.Ticket, o.Remark
	if len(t) > 8 {
		t = t[:8] + "..."
	}
	if len(r) > 8 {
		r = r[:8] + "..." // want `cuts text`
	}
	fmt.Println(t, r)
}

func rendered() {
	s := render()
	if len(s) > 8 {
		s = s[:8] + "..."
	}
	fmt.Println(s)
}
