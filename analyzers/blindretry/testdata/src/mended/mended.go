// Package mended has the right twins.
package mended

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

func once(url string, line func(string)) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		line(sc.Text())
	}
	return sc.Err()
}

func nopeEmitted(url string, line func(string)) (err error) {
	for range 3 {
		n := 0
		err = once(url, func(s string) { n++; line(s) })
		if err == nil || n > 0 {
			return err
		}
	}
	return err
}

func nopeAtomic(url string, line func(string)) (err error) {
	var sent atomic.Bool
	for range 3 {
		err = once(url, func(s string) { sent.Store(true); line(s) })
		if err == nil {
			return nil
		}
		if sent.Load() {
			return err
		}
	}
	return err
}

func counted(url string, line func(string)) (n int, err error) {
	resp, err := http.Get(url)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		n++
		line(sc.Text())
	}
	return n, sc.Err()
}

func nopeCount(url string, line func(string)) error {
	for {
		n, err := counted(url, line)
		if err == nil || n > 0 {
			return err
		}
	}
}

func nopeConnectOnly(url string, line func(string)) error {
	var resp *http.Response
	var err error
	for range 5 {
		if resp, err = http.Get(url); err == nil {
			break
		}
	}
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		line(sc.Text())
	}
	return sc.Err()
}

func nopeConnectOnlyInside(url string, line func(string)) error {
	for range 5 {
		resp, err := http.Get(url)
		if err != nil {
			continue
		}
		sc := bufio.NewScanner(resp.Body)
		for sc.Scan() {
			line(sc.Text())
		}
		return sc.Err()
	}
	return errors.New("no connection")
}

func nopeInlineFlag(url string, line func(string)) error {
	for {
		resp, err := http.Get(url)
		if err != nil {
			continue
		}
		emitted := false
		sc := bufio.NewScanner(resp.Body)
		for sc.Scan() {
			line(sc.Text())
			emitted = true
		}
		if err := sc.Err(); err == nil || emitted {
			return err
		}
	}
}

func nopeBuilderReset(url string) (string, error) {
	var sb strings.Builder
	var err error
	for range 3 {
		sb.Reset()
		if err = once(url, func(s string) { sb.WriteString(s) }); err == nil {
			break
		}
	}
	return sb.String(), err
}

func nopeBuilderLocal(url string) (string, error) {
	var err error
	for range 3 {
		var sb strings.Builder
		if err = once(url, func(s string) { sb.WriteString(s) }); err == nil {
			return sb.String(), nil
		}
	}
	return "", err
}

func nopeTextReset(url string) (text string, err error) {
	for range 3 {
		text = ""
		if err = once(url, func(s string) { text += s }); err == nil {
			return text, nil
		}
	}
	return "", err
}

// nopeSurfaced tells the consumer by the same channel.
func nopeSurfaced(url string, out chan<- string) (err error) {
	for range 3 {
		if err = once(url, func(s string) { out <- s }); err == nil {
			return nil
		}
		out <- "\x00restart"
	}
	return err
}

func nopeHook(url string, line func(string), onRetry func(error)) (err error) {
	for range 3 {
		if err = once(url, line); err == nil {
			return nil
		}
		onRetry(err)
	}
	return err
}

type event struct {
	ID   string
	Seq  int
	Text string
}

func listen(ctx context.Context, url, last string, out func(event)) error {
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Last-Event-ID", last)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	dec := json.NewDecoder(resp.Body)
	for {
		var ev event
		if err := dec.Decode(&ev); err != nil {
			return err
		}
		out(ev)
	}
}

func nopeLastEventID(ctx context.Context, url string, out func(event)) {
	last := ""
	for ctx.Err() == nil {
		_ = listen(ctx, url, last, func(ev event) { last = ev.ID; out(ev) })
		time.Sleep(time.Second)
	}
}

func nopeSeenSet(ctx context.Context, url string, out func(event)) {
	seen := make(map[string]bool)
	for ctx.Err() == nil {
		_ = listen(ctx, url, "", func(ev event) {
			if seen[ev.ID] {
				return
			}
			seen[ev.ID] = true
			out(ev)
		})
		time.Sleep(time.Second)
	}
}

func nopeLastSeen(ctx context.Context, url string, out func(event)) {
	last := 0
	for ctx.Err() == nil {
		_ = listen(ctx, url, "", func(ev event) {
			if ev.Seq <= last {
				return
			}
			last = ev.Seq
			out(ev)
		})
		time.Sleep(time.Second)
	}
}

type sub struct {
	url    string
	lastID string
	out    chan event
}

func (s *sub) request(ctx context.Context) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, "GET", s.url, nil)
	if err == nil && s.lastID != "" {
		req.Header.Set("Last-Event-ID", s.lastID)
	}
	return req, err
}

func (s *sub) listen(ctx context.Context) error {
	req, err := s.request(ctx)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	dec := json.NewDecoder(resp.Body)
	for {
		var ev event
		if err := dec.Decode(&ev); err != nil {
			return err
		}
		s.note(ev)
		s.out <- ev
	}
}

func (s *sub) note(ev event) { s.lastID = ev.ID }

func (s *sub) nopeField(ctx context.Context) {
	for ctx.Err() == nil {
		if err := s.listen(ctx); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		time.Sleep(time.Second)
	}
}

func nopeInlineSince(ctx context.Context, base string, out chan<- event) {
	since := 0
	for ctx.Err() == nil {
		resp, err := http.Get(base + "?since=" + strconv.Itoa(since))
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		dec := json.NewDecoder(resp.Body)
		for {
			var ev event
			if dec.Decode(&ev) != nil {
				break
			}
			out <- ev
			since = ev.Seq
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
}

func nopeReturnsPosition(ctx context.Context, url string, out chan<- event) {
	var last string
	for ctx.Err() == nil {
		var err error
		if last, err = from(ctx, url, last, out); err != nil {
			time.Sleep(time.Second)
		}
	}
}

func from(ctx context.Context, url, last string, out chan<- event) (string, error) {
	err := listen(ctx, url, last, func(ev event) { last = ev.ID; out <- ev })
	return last, err
}

// nopeRange goes on at the offset reached.
func nopeRange(url string, w io.Writer) (err error) {
	var done int64
	for range 3 {
		req, _ := http.NewRequest("GET", url, nil)
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", done))
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			continue
		}
		n, err := io.Copy(w, resp.Body)
		done += n
		resp.Body.Close()
		if err == nil {
			return nil
		}
	}
	return err
}

// nopeFile makes the file anew for each attempt.
func nopeFile(url, name string) (err error) {
	for range 3 {
		f, err := os.Create(name)
		if err != nil {
			return err
		}
		err = copyTo(url, f)
		f.Close()
		if err == nil {
			return nil
		}
	}
	return err
}

func copyTo(url string, w io.Writer) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(w, resp.Body)
	return err
}

// nopePoll asks anew each round and gets everything at once.
func nopePoll(ctx context.Context, url string, out chan<- event) {
	for {
		resp, err := http.Get(url)
		if err == nil {
			var list []event
			err = json.NewDecoder(resp.Body).Decode(&list)
			resp.Body.Close()
			for _, ev := range list {
				out <- ev
			}
		}
		time.Sleep(time.Minute)
	}
}

func nopeTicker(ctx context.Context, url string, line func(string)) {
	tick := time.NewTicker(time.Minute)
	for range tick.C {
		if err := once(url, line); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
}

// nopePrompts sends another prompt each time.
func nopePrompts(in *bufio.Scanner, base string, line func(string)) {
	for in.Scan() {
		if err := once(base+in.Text(), line); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		time.Sleep(time.Second)
	}
}

func nopeAll(urls []string, line func(string)) {
	for _, u := range urls {
		if err := once(u, line); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		time.Sleep(time.Second)
	}
}

func nopeUnary(url string, got func(string)) (err error) {
	for range 3 {
		resp, err := http.Get(url)
		if err != nil {
			continue
		}
		b, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			continue
		}
		got(string(b))
		return nil
	}
	return err
}

type statusError struct{ code int }

func (e *statusError) Error() string { return strconv.Itoa(e.code) }

func nopeStatusOnly(ctx context.Context, p provider, token func(string) error) error {
	for {
		err := p.Stream(ctx, "", token)
		var se *statusError
		if errors.As(err, &se) && se.code == 429 {
			time.Sleep(time.Second)
			continue
		}
		return err
	}
}

type provider interface {
	Stream(ctx context.Context, prompt string, token func(string) error) error
}

var errPartial = errors.New("broke after output")

func partial(url string, line func(string)) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	sent := false
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		sent = true
		line(sc.Text())
	}
	if sent && sc.Err() != nil {
		return errPartial
	}
	return sc.Err()
}

func nopePartial(url string, line func(string)) (err error) {
	for range 3 {
		err = partial(url, line)
		if err == nil {
			return nil
		}
		if errors.Is(err, errPartial) {
			return err
		}
	}
	return err
}

func nopeFallbackBeforeOutput(ctx context.Context, a, b provider, prompt string, token func(string) error) error {
	started := false
	err := a.Stream(ctx, prompt, func(t string) error { started = true; return token(t) })
	if err != nil && !started {
		return b.Stream(ctx, prompt, token)
	}
	return err
}

func nopeRecursionOnConnect(url string, left int, line func(string)) error {
	resp, err := http.Get(url)
	if err != nil {
		if left > 0 {
			return nopeRecursionOnConnect(url, left-1, line)
		}
		return err
	}
	defer resp.Body.Close()
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		line(sc.Text())
	}
	return sc.Err()
}

// nopeTransaction retries what is no stream.
type db interface {
	Update(ctx context.Context, f func(tx *tx) error) error
}

type tx struct{ open bool }

func nopeTransaction(ctx context.Context, d db, f func(tx *tx) error) (err error) {
	for range 3 {
		if err = d.Update(ctx, f); err == nil {
			return nil
		}
	}
	return err
}
