// Package codec belongs to a module that is not checked itself: what its function
// does with a document has to reach the callers all the same.
package codec

import "encoding/json"

// Decode decodes a whole document.
func Decode(data []byte, into any) error { return json.Unmarshal(data, into) }
