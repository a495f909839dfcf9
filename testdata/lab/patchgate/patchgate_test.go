package patchgate_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/streamlint/streamlint/stream/envelope"
	"github.com/streamlint/streamlint/stream/streamtest"
	"github.com/streamlint/streamlint/testdata/lab/patchgate"
	"github.com/streamlint/streamlint/testdata/lab/patchgate/durable"
	"github.com/streamlint/streamlint/testdata/lab/patchgate/naive"
)

var quiet = slog.New(slog.DiscardHandler)

// first is a reply of which only the first n bytes arrive.
func first(text []byte, n int) streamtest.Reply {
	if n == len(text) {
		return streamtest.Stream(streamtest.Send(text))
	}
	return streamtest.Stream(streamtest.Send(text[:n]), streamtest.Cut())
}

// TestNaiveIncident: 34 bytes of a review merge the patch. Asked again, the reviewer
// said fail.
func TestNaiveIncident(t *testing.T) {
	s := streamtest.Serve(t,
		first([]byte(patchgate.Pass), patchgate.CutAt),
		first([]byte(patchgate.Fail), len(patchgate.Fail)))
	g := naive.Gate{Client: s.Client(), URL: s.URL, Logger: quiet}
	if merge, err := g.Check(t.Context()); !merge || err != nil {
		t.Errorf("cut: merge %v, %v", merge, err)
	}
	if merge, err := g.Check(t.Context()); merge || err != nil {
		t.Errorf("whole: merge %v, %v", merge, err)
	}
}

// TestNaiveEveryCut: which truncations become a merge. After a whole field a brace
// is enough; inside a string a quote and a brace do it.
func TestNaiveEveryCut(t *testing.T) {
	raw := []byte(patchgate.Pass)
	n := 0
	s := streamtest.ServePipeFunc(t, func(int, *streamtest.Request) streamtest.Reply { return first(raw, n) })
	g := naive.Gate{Client: s.Client(), URL: s.URL, Logger: quiet}
	var merged []int
	for n = range len(raw) {
		merge, err := g.Check(t.Context())
		if merge && err != nil {
			t.Errorf("cut at %d: merge and %v", n, err)
		}
		if merge {
			merged = append(merged, n)
		}
	}
	afterComma := strings.Index(patchgate.Pass, `,`) + 1 // the closer } alone
	for _, want := range []int{afterComma, patchgate.CutAt} {
		if !slices.Contains(merged, want) {
			t.Errorf("cut at %d was not merged", want)
		}
	}
	value := strings.Index(patchgate.Pass, patchgate.DiffSHA)
	for n := value; n <= value+len(patchgate.DiffSHA); n++ {
		if !slices.Contains(merged, n) {
			t.Errorf("cut at %d, inside the value of diff_sha, was not merged", n)
		}
	}
	t.Logf("%d of %d truncations merge: %v", len(merged), len(raw), merged)
}

// TestNaiveEverySplit: splits do it no harm, which is why tests did not find it.
func TestNaiveEverySplit(t *testing.T) {
	var parts streamtest.Parts
	s := streamtest.ServePipeFunc(t, func(int, *streamtest.Request) streamtest.Reply {
		return streamtest.Stream(streamtest.Send(parts...))
	})
	g := naive.Gate{Client: s.Client(), URL: s.URL, Logger: quiet}
	if merge := streamtest.EverySplit(t, []byte(patchgate.Pass), func(p streamtest.Parts) (bool, error) {
		parts = p
		return g.Check(t.Context())
	}); !merge {
		t.Error("not merged")
	}
}

func gate(s *streamtest.Server) *durable.Gate {
	return &durable.Gate{Client: s.Client(), URL: s.URL, DiffSHA: patchgate.DiffSHA}
}

// TestDurableEveryCut: each is incomplete, whether the connection breaks or just ends.
func TestDurableEveryCut(t *testing.T) {
	sealed := envelope.Seal([]byte(patchgate.Pass))
	for _, breaks := range []bool{true, false} {
		t.Run(fmt.Sprintf("breaks=%v", breaks), func(t *testing.T) {
			var cut []byte
			s := streamtest.ServePipeFunc(t, func(int, *streamtest.Request) streamtest.Reply {
				if breaks && len(cut) < len(sealed) {
					return first(sealed, len(cut))
				}
				return streamtest.Stream(streamtest.Send(cut))
			})
			streamtest.EveryCut(t, sealed, func(c []byte) error {
				cut = c
				status, err := gate(s).Check(t.Context())
				var incomplete *envelope.IncompleteError
				switch {
				case err == nil && status != durable.Merge:
					t.Errorf("%s without an error", status)
				case err != nil && status != durable.Incomplete:
					t.Errorf("cut at %d: %s", len(c), status)
				case err != nil && (!errors.As(err, &incomplete) || !errors.Is(err, io.ErrUnexpectedEOF)):
					t.Errorf("cut at %d: %v", len(c), err)
				}
				return err
			})
		})
	}
}

// TestDurableEverySplit: and whole it is whole.
func TestDurableEverySplit(t *testing.T) {
	for answer, want := range map[string]durable.Status{patchgate.Pass: durable.Merge, patchgate.Fail: durable.Block} {
		var parts streamtest.Parts
		s := streamtest.ServePipeFunc(t, func(int, *streamtest.Request) streamtest.Reply {
			return streamtest.Stream(streamtest.Send(parts...))
		})
		got := streamtest.EverySplit(t, envelope.Seal([]byte(answer)), func(p streamtest.Parts) (durable.Status, error) {
			parts = p
			return gate(s).Check(t.Context())
		})
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// sealWith writes an envelope whose length and digest are right for any body, also
// one without its sentinel.
func sealWith(covered string) []byte {
	return fmt.Appendf(nil, "MC1 %d %x\n%s", len(covered), sha256.Sum256([]byte(covered)), covered)
}

// TestDurableProofs: what is refused besides truncation, and which proof fails.
func TestDurableProofs(t *testing.T) {
	whole := patchgate.Pass + "\nEND\n"
	if !bytes.Equal(sealWith(whole), envelope.Seal([]byte(patchgate.Pass))) {
		t.Fatal("sealWith does not seal as package envelope does")
	}
	check := func(raw []byte) (durable.Status, error) {
		s := streamtest.ServePipe(t, streamtest.Stream(streamtest.Send(raw)))
		defer s.Close()
		return gate(s).Check(context.Background())
	}
	cases := []struct {
		name string
		raw  []byte
		want error
	}{
		{"sentinel removed, length and digest mended", sealWith(patchgate.Pass), envelope.Sentinel},
		{"half a sentinel, length and digest mended", sealWith(patchgate.Pass + "\nEN"), envelope.Sentinel},
		{"no envelope", []byte(patchgate.Pass), envelope.Header},
		{"the incident, in an envelope", sealWith(patchgate.Pass[:patchgate.CutAt] + "\nEND\n"), envelope.JSON},
		{"no verdict", envelope.Seal([]byte(`{"diff_sha": "x", "policy_version": 7}`)), envelope.Field},
		{"no diff_sha", envelope.Seal([]byte(`{"verdict": "pass", "policy_version": 7}`)), envelope.Field},
		{"no policy_version", envelope.Seal([]byte(`{"verdict": "pass", "diff_sha": "x"}`)), envelope.Field},
		{"two verdicts", envelope.Seal([]byte(`{"verdict": "fail", "verdict": "pass", "diff_sha": "x", "policy_version": 7}`)), envelope.JSON},
		{"another diff", envelope.Seal([]byte(`{"verdict": "pass", "diff_sha": "x", "policy_version": 7}`)), durable.ErrOtherDiff},
		{"two envelopes", append(sealWith(whole), sealWith(whole)...), envelope.Length},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			status, err := check(c.raw)
			if status != durable.Incomplete || !errors.Is(err, c.want) {
				t.Errorf("%s %v, want %v", status, err, c.want)
			}
		})
	}
	t.Run("flipped bytes", func(t *testing.T) {
		raw := sealWith(whole)
		body := bytes.IndexByte(raw, '\n') + 1
		for i := range raw {
			flipped := bytes.Clone(raw)
			flipped[i] ^= 0x20
			status, err := check(flipped)
			if status != durable.Incomplete || err == nil {
				t.Errorf("byte %d: %s %v", i, status, err)
			}
			if i >= body && !errors.Is(err, envelope.Digest) {
				t.Errorf("byte %d of the body: %v, want %v", i-body, err, envelope.Digest)
			}
		}
	})
}
