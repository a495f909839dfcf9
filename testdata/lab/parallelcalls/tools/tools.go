// Package tools is the office that both forms work for: an address book and a
// calendar.
package tools

import (
	"fmt"
	"slices"
)

// Contact is what to look up.
type Contact struct {
	Name string `json:"name"`
}

// Event is what to put into the calendar.
type Event struct {
	Title   string `json:"title"`
	Minutes int    `json:"minutes,omitempty"`
	// Name is whom to invite. Without a title the event is called by the address.
	Name string `json:"name,omitempty"`
}

// Office has done what Done says.
type Office struct {
	Done []string
}

var addresses = map[string]string{"Lan": "lan@example.com"}

// Lookup finds an address.
func (o *Office) Lookup(c Contact) (string, error) {
	a, ok := addresses[c.Name]
	if !ok {
		return "", fmt.Errorf("no contact %q", c.Name)
	}
	o.Done = append(o.Done, "looked up "+c.Name)
	return a, nil
}

// Create puts an event into the calendar.
func (o *Office) Create(e Event) (string, error) {
	if e.Title == "" {
		e.Title = addresses[e.Name]
	}
	if e.Minutes == 0 {
		e.Minutes = 60
	}
	o.Done = append(o.Done, fmt.Sprintf("created %q, %d minutes", e.Title, e.Minutes))
	return "created", nil
}

// Wanted is what should have been done, in some order.
func (o *Office) Wanted() bool {
	want := []string{`created "Sync", 30 minutes`, "looked up Lan"}
	return slices.Equal(slices.Sorted(slices.Values(o.Done)), want)
}
