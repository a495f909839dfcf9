package clients

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	openaisdk "github.com/openai/openai-go"
	"github.com/openai/openai-go/option"
	openai "github.com/sashabaranov/go-openai"
)

// A client in a field: the constructor and the use are apart.

const defaultTimeout = 30 * time.Second

type API struct{ http *http.Client }

func NewAPI(opts ...func(*API)) *API {
	a := &API{http: &http.Client{
		Timeout: defaultTimeout, // want `http.Client.Timeout \(30s\) covers the whole answer`
	}}
	for _, o := range opts {
		o(a)
	}
	return a
}

// WithTimeout is the caller's own affair.
func WithTimeout(d time.Duration) func(*API) { return func(a *API) { a.http.Timeout = d } }

func (a *API) Events(req *http.Request, on func(string)) error { // want Events:"clients.0."
	resp, err := a.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return each(resp.Body, on)
}

func each(r io.Reader, on func(string)) error {
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		on(sc.Text())
	}
	return sc.Err()
}

// The client in a package variable; the stream goes into a channel.

var shared = &http.Client{Timeout: time.Minute} // want `http.Client.Timeout \(1m\)`

func tail(url string, out chan<- string) error {
	resp, err := shared.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	br := bufio.NewReader(resp.Body)
	for {
		line, err := br.ReadString('\n')
		if err != nil {
			return err
		}
		out <- line
	}
}

// A function's result, and a value instead of a pointer.

func newClient() http.Client {
	return http.Client{Timeout: 20 * time.Second} // want `http.Client.Timeout \(20s\)`
}

func pump(req *http.Request, on func([]byte)) error {
	c := newClient()
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	buf := make([]byte, 4096)
	for {
		n, err := resp.Body.Read(buf)
		if n > 0 {
			on(buf[:n])
		}
		if err != nil {
			return err
		}
	}
}

// An assignment; the loop does not hand on, but it reads server-sent events.

func collectEvents(req *http.Request) (string, error) {
	c := new(http.Client)
	c.Timeout = 45 * time.Second // want `http.Client.Timeout \(45s\)`
	resp, err := c.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var sb strings.Builder
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		if d, ok := strings.CutPrefix(sc.Text(), "data: "); ok {
			sb.WriteString(d)
		}
	}
	return sb.String(), sc.Err()
}

// The default of a setting is fixed, too.

type model struct{ timeout int }

type settings struct{ Timeout int }

func newModel(s settings) *model {
	if s.Timeout == 0 {
		s.Timeout = 30
	}
	return &model{timeout: s.Timeout}
}

func (m *model) stream(req *http.Request, yield func(string) bool) error {
	c := &http.Client{Timeout: time.Duration(m.timeout) * time.Second} // want `http.Client.Timeout \(30s\)`
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	dec := json.NewDecoder(resp.Body)
	for {
		var v struct{ Text string }
		if err := dec.Decode(&v); err != nil {
			return err
		}
		if !yield(v.Text) {
			return nil
		}
	}
}

// A reader that gives one event a call.

type eventReader struct {
	sc  *bufio.Scanner
	cur string
}

func (r *eventReader) Next() bool {
	for r.sc.Scan() {
		name, value, _ := strings.Cut(r.sc.Text(), ":")
		if name == "data" {
			r.cur = value
			return true
		}
	}
	return false
}

func pulled(req *http.Request) (*eventReader, error) {
	c := &http.Client{Timeout: 10 * time.Second} // want `http.Client.Timeout \(10s\)`
	resp, err := c.Do(req)
	if err != nil {
		return nil, err
	}
	return &eventReader{sc: bufio.NewScanner(resp.Body)}, nil
}

// Clients handed to an SDK.

func sdkConfig(ctx context.Context, show func(string)) error {
	cfg := openai.DefaultConfig("key")
	cfg.HTTPClient = &http.Client{Timeout: time.Minute} // want `http.Client.Timeout \(1m\)`
	c := openai.NewClientWithConfig(cfg)
	st, err := c.CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{})
	if err != nil {
		return err
	}
	for {
		r, err := st.Recv()
		if err != nil {
			return err
		}
		show(r.Choices[0].Delta.Content)
	}
}

type provider struct{ client openaisdk.Client }

func custom(skip bool) *http.Client {
	return &http.Client{
		Timeout: 180 * time.Second, // want `http.Client.Timeout \(3m\)`
	}
}

func newProvider() *provider {
	return &provider{client: openaisdk.NewClient(option.WithMaxRetries(1), option.WithHTTPClient(custom(true)))}
}

func (p *provider) chat(ctx context.Context, show func(string)) error {
	st := p.client.Chat.Completions.NewStreaming(ctx, openaisdk.ChatCompletionNewParams{})
	for st.Next() {
		show(st.Current().Text)
	}
	return st.Err()
}

func requestTimeout(ctx context.Context, show func(string)) error {
	c := openaisdk.NewClient()
	st := c.Chat.Completions.NewStreaming(ctx, openaisdk.ChatCompletionNewParams{}, option.WithRequestTimeout(30*time.Second)) // want `option.WithRequestTimeout \(30s\)`
	for st.Next() {
		show(st.Current().Text)
	}
	return st.Err()
}

type payload struct{ stream, slow bool }

func (p *payload) Stream() bool { return p.stream }

type call struct {
	payload payload
	limited bool
}

// always gets its limit in another function, whatever is asked for.
func (c *call) always() []option.RequestOption {
	return []option.RequestOption{option.WithRequestTimeout(30 * time.Second)} // want `option.WithRequestTimeout \(30s\)`
}

func (c *call) showAlways(ctx context.Context, show func(string)) error {
	client := openaisdk.NewClient()
	st := client.Chat.Completions.NewStreaming(ctx, openaisdk.ChatCompletionNewParams{}, c.always()...)
	for st.Next() {
		show(st.Current().Text)
	}
	return st.Err()
}

// The twins.

// nopeWhole is the limit of answers that are not streamed.
func (c *call) nopeWhole() []option.RequestOption {
	opts := []option.RequestOption{option.WithMaxRetries(1)}
	if !c.payload.Stream() {
		opts = append(opts, option.WithRequestTimeout(30*time.Second))
	}
	return opts
}

func (c *call) showWhole(ctx context.Context, show func(string)) error {
	client := openaisdk.NewClient()
	st := client.Chat.Completions.NewStreaming(ctx, openaisdk.ChatCompletionNewParams{}, c.nopeWhole()...)
	for st.Next() {
		show(st.Current().Text)
	}
	return st.Err()
}

// nopeUnary reads each body whole.
func nopeUnary(req *http.Request) ([]byte, error) {
	c := &http.Client{Timeout: 30 * time.Second}
	resp, err := c.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// nopeDocument decodes one document.
func nopeDocument(req *http.Request) (v map[string]any, err error) {
	c := &http.Client{Timeout: 30 * time.Second}
	resp, err := c.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	err = json.NewDecoder(resp.Body).Decode(&v)
	return v, err
}

// nopeDownload is bounded: the whole body is one value.
func nopeDownload(req *http.Request, name string) error {
	c := &http.Client{Timeout: 30 * time.Second}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(f, resp.Body)
	return err
}

// nopePage collects the lines of a short page.
func nopePage(req *http.Request) ([]string, error) {
	c := &http.Client{Timeout: 5 * time.Second}
	resp, err := c.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var lines []string
	sc := bufio.NewScanner(resp.Body)
	for sc.Scan() {
		lines = append(lines, sc.Text())
	}
	return lines, sc.Err()
}

// nopeParameter has the caller's own limit.
func nopeParameter(req *http.Request, limit time.Duration, on func(string)) error {
	c := &http.Client{Timeout: limit}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return each(resp.Body, on)
}

// nopeTransport bounds the wait for headers.
func nopeTransport(req *http.Request, on func(string)) error {
	c := &http.Client{Transport: &http.Transport{ResponseHeaderTimeout: 30 * time.Second}}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return each(resp.Body, on)
}

// nopeLong is longer than anybody waits.
func nopeLong(req *http.Request, on func(string)) error {
	c := &http.Client{Timeout: 24 * time.Hour}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return each(resp.Body, on)
}

// nopeCopied takes the limit off in a copy for streams.

type copied struct {
	http  *http.Client
	limit time.Duration
}

func nopeCopied() *copied { return &copied{http: &http.Client{Timeout: 30 * time.Second}} }

func (c *copied) stream(req *http.Request, on func(string)) error {
	sc := *c.http
	sc.Timeout = c.limit
	resp, err := sc.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return each(resp.Body, on)
}

func (c *copied) whole(req *http.Request) ([]byte, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// nopeZeroed takes it off where it streams.
func nopeZeroed(req *http.Request, stream bool, on func(string)) error {
	c := &http.Client{Timeout: 30 * time.Second}
	if stream {
		c.Timeout = 0
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return each(resp.Body, on)
}

// nopeOther limits only what does not stream.
func nopeOther(req *http.Request, stream bool, on func(string)) error {
	c := &http.Client{}
	if !stream {
		c.Timeout = 30 * time.Second
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if stream {
		sc := bufio.NewScanner(resp.Body)
		for sc.Scan() {
			on(sc.Text())
		}
		return sc.Err()
	}
	_, err = io.ReadAll(resp.Body)
	return err
}

// nopeSDK never streams with this client.
func nopeSDK(ctx context.Context) error {
	c := openaisdk.NewClient(option.WithHTTPClient(&http.Client{Timeout: time.Minute}))
	_, err := c.Chat.Completions.New(ctx, openaisdk.ChatCompletionNewParams{}, option.WithRequestTimeout(30*time.Second))
	return err
}

// nopeSDKHeaders limits the headers of the SDK's answers.
func nopeSDKHeaders(ctx context.Context, show func(string)) error {
	c := openaisdk.NewClient(option.WithHTTPClient(&http.Client{Transport: &http.Transport{ResponseHeaderTimeout: time.Minute}}))
	st := c.Chat.Completions.NewStreaming(ctx, openaisdk.ChatCompletionNewParams{})
	for st.Next() {
		show(st.Current().Text)
	}
	return st.Err()
}
