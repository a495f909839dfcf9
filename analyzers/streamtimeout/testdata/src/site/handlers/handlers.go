// Package handlers serves events for another package's server.
package handlers

import "net/http"

// Events serves events.
func Events(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
}
