package driver

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// What is over sooner needs no progress.
const (
	progressDelay = time.Second
	progressEvery = 200 * time.Millisecond
)

// progress shows on a terminal's last line how far a long run is.
type progress struct {
	w    io.Writer
	name string // of the program

	mu        sync.Mutex
	done, all int
	shown     bool

	quit chan struct{}
	idle sync.WaitGroup
}

// startProgress shows progress until it is stopped, beginning after a while.
func startProgress(w io.Writer, name string, delay, every time.Duration) *progress {
	p := &progress{w: w, name: name, quit: make(chan struct{})}
	p.idle.Go(func() {
		wait := delay
		for {
			select {
			case <-p.quit:
				return
			case <-time.After(wait):
				p.show()
				wait = every
			}
		}
	})
	return p
}

// set tells how far the run is.
func (p *progress) set(done, all int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done, p.all = done, all
}

func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := "listing and compiling packages"
	if p.all > 0 {
		text = fmt.Sprintf("%d/%d packages", p.done, p.all)
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s: %s", p.name, text)
	p.shown = true
}

// stop ends the showing and clears the line.
func (p *progress) stop() {
	close(p.quit)
	p.idle.Wait()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
