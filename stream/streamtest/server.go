package streamtest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Reply is how the server answers one request: a status and header, then steps
// that write the body or break it. The zero Reply is an empty event stream.
type Reply struct {
	// Status is the HTTP status; 0 means 200.
	Status int

	// Header is sent as it is. Without a Content-Type, a Reply of status 200
	// is text/event-stream.
	Header http.Header

	// Steps are taken in order. After the last one the body ends as it should.
	Steps []Step

	// CloseDelimited sends the body without a length or chunks and shows its
	// end by closing the connection, as old servers and some proxies do. A cut
	// then looks exactly like an end.
	CloseDelimited bool
}

// Step is one thing that the server does while it sends a body.
type Step struct {
	name string
	do   func(*exchange) error
}

// String returns the step's name, for messages.
func (s Step) String() string { return s.name }

// exchange is a request that is being answered.
type exchange struct {
	w    http.ResponseWriter
	rc   *http.ResponseController
	ctx  context.Context // done when the client is gone
	quit <-chan struct{} // closed when the server closes
}

func (x *exchange) send(b []byte) error {
	if len(b) == 0 {
		return x.rc.Flush()
	}
	if _, err := x.w.Write(b); err != nil {
		return err
	}
	return x.rc.Flush()
}

func (x *exchange) wait(d time.Duration) error {
	var over <-chan time.Time
	if d >= 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		over = t.C
	}
	select {
	case <-over:
		return nil
	case <-x.ctx.Done():
		return context.Cause(x.ctx)
	case <-x.quit:
		return http.ErrServerClosed
	}
}

// Stream returns a Reply of status 200 that takes the given steps.
func Stream(steps ...Step) Reply { return Reply{Steps: steps} }

// Refuse returns a Reply with the given status and text. A retryAfter above
// zero is sent as Retry-After, in whole seconds, rounded up.
func Refuse(status int, retryAfter time.Duration, text string) Reply {
	h := http.Header{"Content-Type": {"text/plain; charset=utf-8"}}
	if retryAfter > 0 {
		h.Set("Retry-After", strconv.FormatInt(int64((retryAfter+time.Second-1)/time.Second), 10))
	}
	return Reply{Status: status, Header: h, Steps: []Step{Send([]byte(text))}}
}

// With returns the Reply with a header field set.
func (r Reply) With(key, value string) Reply {
	r.Header = r.Header.Clone()
	if r.Header == nil {
		r.Header = make(http.Header)
	}
	r.Header.Set(key, value)
	return r
}

// Send sends each piece on its own and flushes it. Over [ServePipe] the client
// reads each on its own too; over [Serve] the kernel may join pieces that
// follow each other closely, see [Spread].
func Send(pieces ...[]byte) Step {
	return Step{"send", func(x *exchange) error {
		for _, p := range pieces {
			if err := x.send(p); err != nil {
				return err
			}
		}
		return nil
	}}
}

// Spread sends each piece on its own with a pause between them, so that the
// client reads each on its own over a real connection as well.
func Spread(gap time.Duration, pieces ...[]byte) Step {
	return Step{fmt.Sprintf("spread by %v", gap), func(x *exchange) error {
		for i, p := range pieces {
			if i > 0 {
				if err := x.wait(gap); err != nil {
					return err
				}
			}
			if err := x.send(p); err != nil {
				return err
			}
		}
		return nil
	}}
}

// Pause waits.
func Pause(d time.Duration) Step {
	return Step{fmt.Sprintf("pause %v", d), func(x *exchange) error { return x.wait(d) }}
}

// Beat sends piece every gap, until the client leaves or the server closes: a
// server that keeps a connection alive and says nothing.
func Beat(gap time.Duration, piece []byte) Step {
	return Step{fmt.Sprintf("beat every %v", gap), func(x *exchange) error {
		for {
			if err := x.send(piece); err != nil {
				return err
			}
			if err := x.wait(gap); err != nil {
				return err
			}
		}
	}}
}

// Stall sends nothing more and keeps the connection open until the client
// leaves or the server closes.
func Stall() Step {
	return Step{"stall", func(x *exchange) error { return x.wait(-1) }}
}

// Cut closes the connection in the middle of the body: a client that minds its
// HTTP gets io.ErrUnexpectedEOF, or a plain end if the Reply is CloseDelimited.
func Cut() Step {
	return Step{"cut", func(x *exchange) error {
		return breakOff(x, false)
	}}
}

// Reset resets the connection (TCP RST). In memory there is no such thing; it
// is then the same as [Cut]. What the client has not read yet may be lost.
func Reset() Step {
	return Step{"reset", func(x *exchange) error {
		return breakOff(x, true)
	}}
}

func breakOff(x *exchange, hard bool) error {
	conn, _, err := x.rc.Hijack()
	if err != nil {
		// HTTP/2, where a connection is not one exchange's to close.
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok && hard {
		tcp.SetLinger(0)
	}
	conn.Close()
	return errBroken
}

var errBroken = fmt.Errorf("streamtest: connection broken on purpose")

// Request is what the server was asked.
type Request struct {
	Method      string
	Path        string // with the query
	LastEventID string // the header; "" also when there was none, see Header
	Header      http.Header
	Body        []byte
	At          time.Time
}

// Server answers requests by a script. It stops when the test ends.
type Server struct {
	// URL is where it listens, without a slash at the end.
	URL string

	t       testing.TB
	script  func(n int, r *Request) (Reply, bool)
	srv     *http.Server
	client  *http.Client
	quit    chan struct{}
	running sync.WaitGroup
	close   sync.Once

	mu       sync.Mutex
	requests []Request
	active   int
	closed   bool
}

// Serve starts a server on the loopback interface that answers the first
// request with the first reply, and so on. A request beyond the last reply
// fails the test and is answered with status 410.
func Serve(t testing.TB, replies ...Reply) *Server {
	t.Helper()
	return start(t, listenTCP(t), inOrder(replies))
}

// ServeFunc is like [Serve] with a function that chooses the reply to request
// number n, counted from 0. It may be called by several requests at a time.
func ServeFunc(t testing.TB, f func(n int, r *Request) Reply) *Server {
	t.Helper()
	return start(t, listenTCP(t), always(f))
}

// ServePipe is like [Serve] over in-memory connections, which only
// [Server.Client] can make. It works in a bubble of testing/synctest.
func ServePipe(t testing.TB, replies ...Reply) *Server {
	t.Helper()
	return start(t, newPipeListener(), inOrder(replies))
}

// ServePipeFunc is to [ServePipe] what [ServeFunc] is to [Serve].
func ServePipeFunc(t testing.TB, f func(n int, r *Request) Reply) *Server {
	t.Helper()
	return start(t, newPipeListener(), always(f))
}

// Resumable returns a script for [ServeFunc] that sends the recorded stream
// from behind the event that the client asks to resume at. Reply number n
// stops after cuts[n] bytes by cutting the connection; replies beyond the last
// cut go to the end.
func Resumable(raw []byte, cuts ...int) func(n int, r *Request) Reply {
	return func(n int, r *Request) Reply {
		rest := After(raw, r.LastEventID)
		if n < len(cuts) && cuts[n] < len(rest) {
			return Stream(Send(rest[:cuts[n]]), Cut())
		}
		return Stream(Send(rest))
	}
}

func inOrder(replies []Reply) func(int, *Request) (Reply, bool) {
	return func(n int, _ *Request) (Reply, bool) {
		if n >= len(replies) {
			return Reply{}, false
		}
		return replies[n], true
	}
}

func always(f func(int, *Request) Reply) func(int, *Request) (Reply, bool) {
	return func(n int, r *Request) (Reply, bool) { return f(n, r), true }
}

func listenTCP(t testing.TB) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		l, err = net.Listen("tcp", "[::1]:0")
	}
	if err != nil {
		t.Fatalf("streamtest: no loopback interface to listen on: %v", err)
	}
	return l
}

func start(t testing.TB, l net.Listener, script func(int, *Request) (Reply, bool)) *Server {
	t.Helper()
	s := &Server{t: t, script: script, URL: "http://" + l.Addr().String(), quit: make(chan struct{})}
	transport := &http.Transport{}
	if p, ok := l.(*pipeListener); ok {
		transport.DialContext = p.dial
	}
	s.client = &http.Client{Transport: transport}
	s.srv = &http.Server{Handler: http.HandlerFunc(s.serve)}
	s.running.Go(func() { s.srv.Serve(l) })
	t.Cleanup(s.Close)
	return s
}

// Client returns a client that reaches the server. It has no timeout. All its
// connections are closed when the server is.
func (s *Server) Client() *http.Client { return s.client }

// Requests returns the requests so far, in order of arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Active returns how many requests are being answered right now: 0 soon after a
// client has let go of its connections.
func (s *Server) Active() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.active
}

// Close ends every reply, closes every connection, and waits until nothing of
// the server runs any more. The test's cleanup calls it.
func (s *Server) Close() {
	s.close.Do(func() {
		s.mu.Lock()
		s.closed = true
		s.mu.Unlock()
		close(s.quit)
		s.srv.Close()
		s.client.CloseIdleConnections()
		s.running.Wait()
	})
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.running.Add(1)
	s.mu.Unlock()
	defer s.running.Done()
	// Reading all of the body also lets the server notice that the client
	// leaves.
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	req := Request{
		Method: r.Method, Path: r.URL.RequestURI(), Header: r.Header.Clone(), Body: bytes.Clone(body),
		LastEventID: r.Header.Get("Last-Event-ID"), At: time.Now(),
	}
	s.mu.Lock()
	n := len(s.requests)
	s.requests = append(s.requests, req)
	s.active++
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.active--
		s.mu.Unlock()
	}()

	reply, ok := s.script(n, &req)
	if !ok {
		s.t.Errorf("streamtest: request %d (%s %s, Last-Event-ID %q) is one more than the script has replies for",
			n+1, req.Method, req.Path, req.LastEventID)
		reply = Refuse(http.StatusGone, 0, "the script has no reply for this request")
	}
	s.answer(w, r, reply)
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, reply Reply) {
	status := reply.Status
	if status == 0 {
		status = http.StatusOK
	}
	for k, v := range reply.Header {
		w.Header()[k] = slices.Clone(v)
	}
	if status == http.StatusOK && w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "text/event-stream")
	}
	if reply.CloseDelimited {
		w.Header().Set("Connection", "close")
		w.Header().Set("Transfer-Encoding", "identity")
	}
	w.WriteHeader(status)
	x := &exchange{w: w, rc: http.NewResponseController(w), ctx: r.Context(), quit: s.quit}
	if status != http.StatusNoContent && status != http.StatusNotModified && x.rc.Flush() != nil {
		return
	}
	for _, step := range reply.Steps {
		if step.do(x) != nil {
			return
		}
	}
}
