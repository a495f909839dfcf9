package sse

import (
	"context"
	"io"
	"time"
)

// watchdog cancels an attempt when nothing comes for too long. Only time spent
// waiting for the server counts, not what the caller takes over an event. It is
// two timers and no goroutine.
type watchdog struct {
	cancel     context.CancelCauseFunc
	event      time.Duration // limit; 0 is none
	bytes      time.Duration // limit; 0 is none
	left       time.Duration // of event
	since      time.Time     // start of the current wait
	eventTimer *time.Timer
	byteTimer  *time.Timer
}

func newWatchdog(cancel context.CancelCauseFunc, event, bytes time.Duration) *watchdog {
	return &watchdog{cancel: cancel, event: event, bytes: bytes, left: event}
}

// wait starts counting.
func (w *watchdog) wait() {
	w.since = time.Now()
	if w.event > 0 {
		err := &IdleError{After: w.event}
		arm(&w.eventTimer, max(w.left, 0), func() { w.cancel(err) })
	}
	w.gotBytes()
}

// gotBytes says that something has come while waiting.
func (w *watchdog) gotBytes() {
	if w.bytes > 0 {
		err := &IdleError{Bytes: true, After: w.bytes}
		arm(&w.byteTimer, w.bytes, func() { w.cancel(err) })
	}
}

func arm(t **time.Timer, d time.Duration, f func()) {
	if *t == nil {
		*t = time.AfterFunc(d, f)
	} else {
		(*t).Reset(d)
	}
}

// pause stops counting.
func (w *watchdog) pause() {
	if w.eventTimer != nil {
		w.eventTimer.Stop()
		w.left -= time.Since(w.since)
	}
	if w.byteTimer != nil {
		w.byteTimer.Stop()
	}
}

// gotEvent says that an event has come that counts.
func (w *watchdog) gotEvent() { w.left = w.event }

// watched is a body whose bytes the watchdog sees.
type watched struct {
	r io.Reader
	w *watchdog
}

func (b *watched) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if n > 0 {
		b.w.gotBytes()
	}
	return n, err
}
