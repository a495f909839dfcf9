// Package json chooses the JSON library of a program in one place.
package json

import "encoding/json"

var (
	Marshal   = json.Marshal
	Unmarshal = json.Unmarshal
)

// Swapped may hold anything by the time it is called.
var Swapped = json.Unmarshal

func Swap(f func([]byte, any) error) { Swapped = f }

// Shared is in the hands of whoever has its address.
var Shared = json.Unmarshal

func Pointer() *func([]byte, any) error { return &Shared }
