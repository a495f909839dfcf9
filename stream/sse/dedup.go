package sse

import "hash/maphash"

// dedup remembers the last events that had an ID of their own.
type dedup struct {
	seed maphash.Seed
	seen map[string]uint64 // ID to hash of type and data
	ring []string          // the IDs in seen, oldest at next once it is full
	next int
	size int
}

func newDedup(size int) *dedup {
	return &dedup{seed: maphash.MakeSeed(), seen: make(map[string]uint64), size: size}
}

func (d *dedup) hash(ev Event) uint64 {
	var h maphash.Hash
	h.SetSeed(d.seed)
	h.WriteString(ev.Type)
	h.WriteByte('\n') // no type has one
	h.Write(ev.Data)
	return h.Sum64()
}

// known reports whether an event of this ID is remembered, and whether it was
// the same event.
func (d *dedup) known(ev Event) (known, same bool) {
	if d == nil || !ev.HasID || ev.ID == "" {
		return false, false
	}
	h, known := d.seen[ev.ID]
	return known, known && h == d.hash(ev)
}

// add remembers an event that was delivered, in the place of the oldest.
func (d *dedup) add(ev Event) {
	if d == nil || !ev.HasID || ev.ID == "" {
		return
	}
	if _, ok := d.seen[ev.ID]; ok {
		return
	}
	d.seen[ev.ID] = d.hash(ev)
	if len(d.ring) < d.size {
		d.ring = append(d.ring, ev.ID)
		return
	}
	delete(d.seen, d.ring[d.next])
	d.ring[d.next] = ev.ID
	d.next = (d.next + 1) % d.size
}
