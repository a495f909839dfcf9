// Package render sends events to a client.
package render

import "io"

// Data sends one event.
func Data(w io.Writer, data string) { _, _ = io.WriteString(w, "data: "+data+"\n\n") }

// Done sends the end marker.
func Done(w io.Writer) { Data(w, "[DONE]") }

// IsDone asks for it.
func IsDone(data string) bool { return data == "[DONE]" }
