package servetwo // want package:"events.servetwo.events. servers.2."

// servetwo has two servers: nobody knows which of them serves the events.

import (
	"net/http"
	"time"
)

func events(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
}

func run(api, stream http.Handler) error {
	go (&http.Server{Handler: api, WriteTimeout: 10 * time.Second}).ListenAndServe()
	return (&http.Server{Handler: stream}).ListenAndServe()
}
