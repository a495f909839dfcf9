package serve // want package:"events.serve.events. servers.1."

import (
	"fmt"
	"net/http"
	"time"
)

func events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, "data: x\n\n")
}

func run(mux *http.ServeMux) error {
	mux.HandleFunc("/events", events)
	s := &http.Server{
		Handler:      mux,
		ReadTimeout:  5 * time.Second,
		WriteTimeout: 10 * time.Second, // want `WriteTimeout \(10s\) ends every answer of this server, the event stream of serve.events too`
	}
	return s.ListenAndServe()
}
