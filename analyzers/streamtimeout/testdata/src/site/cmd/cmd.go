package cmd // want package:"servers.1."

import (
	"net/http"
	"time"

	"site/handlers"
)

func run(mux *http.ServeMux) error {
	mux.HandleFunc("/events", handlers.Events)
	s := &http.Server{Handler: mux}
	s.WriteTimeout = 15 * time.Second // want `WriteTimeout \(15s\) ends every answer of this server, the event stream of handlers.Events too`
	return s.ListenAndServe()
}
