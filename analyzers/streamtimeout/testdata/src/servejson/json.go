package servejson // want package:"servers.1."

// servejson serves short answers, and asks another server for events.

import (
	"net/http"
	"time"
)

func answer(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
}

func run(mux http.Handler) error {
	s := &http.Server{Handler: mux, WriteTimeout: 10 * time.Second}
	return s.ListenAndServe()
}
