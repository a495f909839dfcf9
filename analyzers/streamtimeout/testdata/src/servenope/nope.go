package servenope // want package:"events.servenope.events. renews servers.1."

// servenope moves the deadline before each event.

import (
	"fmt"
	"net/http"
	"time"
)

func events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	rc := http.NewResponseController(w)
	for range 10 {
		rc.SetWriteDeadline(time.Now().Add(10 * time.Second))
		fmt.Fprint(w, "data: x\n\n")
		rc.Flush()
	}
}

func run(mux http.Handler) error {
	s := &http.Server{Handler: mux, WriteTimeout: 10 * time.Second}
	return s.ListenAndServe()
}
