// Package r034: PullRequestInc/go-gpt3#21 and #24, rakyll/openai-go#14, zalando-incubator/stackset-controller#4,
// pingcap/tidb-operator#253. The client's Timeout covers the body: long answers
// and watches die after 30 s. Raising it to 600 s did not help the reporter for long.
package r034

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"time"
)

type api struct {
	base string
	http *http.Client
}

func newAPI(base string) *api {
	return &api{
		base: base,
		http: &http.Client{Timeout: 30 * time.Second}, // want `http.Client.Timeout \(30s\)`
	}
}

func (a *api) events(ctx context.Context, on func(string)) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.base+"/events", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "text/event-stream")
	resp, err := a.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	sc := bufio.NewScanner(resp.Body)
	sc.Buffer(nil, 4<<20)
	for sc.Scan() {
		if d, ok := strings.CutPrefix(sc.Text(), "data:"); ok {
			on(d)
		}
	}
	return sc.Err()
}
