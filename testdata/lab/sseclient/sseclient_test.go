package sseclient_test

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/streamlint/streamlint/stream/sse"
	"github.com/streamlint/streamlint/stream/streamtest"
	"github.com/streamlint/streamlint/testdata/lab/sseclient"
	"github.com/streamlint/streamlint/testdata/lab/sseclient/durable"
	"github.com/streamlint/streamlint/testdata/lab/sseclient/naive"
)

var quiet = slog.New(slog.DiscardHandler)

func askNaive(t *testing.T, s *streamtest.Server) (string, error) {
	var text strings.Builder
	err := naive.New(s.Client().Transport, s.URL, quiet).Ask(t.Context(), "hello", func(s string) { text.WriteString(s) })
	return text.String(), err
}

func askDurable(t *testing.T, s *streamtest.Server, r sse.Resume) (string, error) {
	var text strings.Builder
	c := durable.Client{HTTP: s.Client(), URL: s.URL, Resume: r, Logger: quiet}
	err := c.Ask(t.Context(), "hello", func(s string) { text.WriteString(s) })
	return text.String(), err
}

// pieces is a reply over a connection on which the client reads each piece on its own.
func pieces(t *testing.T) (*streamtest.Server, *streamtest.Parts) {
	var parts streamtest.Parts
	return streamtest.ServePipeFunc(t, func(int, *streamtest.Request) streamtest.Reply {
		return streamtest.Stream(streamtest.Send(parts...))
	}), &parts
}

// TestIncident runs both against the server of the incident, on a real connection.
func TestIncident(t *testing.T) {
	s := streamtest.ServeFunc(t, func(int, *streamtest.Request) streamtest.Reply { return sseclient.Incident() })
	if text, err := askNaive(t, s); text != "caf café done" || err != nil {
		t.Errorf("naive: %q %v", text, err)
	}
	if text, err := askDurable(t, s, sse.ResumeAuto); text != sseclient.Answer || err != nil {
		t.Errorf("durable: %q %v", text, err)
	}
}

// TestNaiveSplits: every split outside of é is fine, every one inside loses it.
func TestNaiveSplits(t *testing.T) {
	s, parts := pieces(t)
	for n := range sseclient.Recorded {
		*parts = streamtest.SplitAt(sseclient.Recorded, n)
		want := sseclient.Answer
		if n == sseclient.InsideE {
			want = "caf done"
		}
		if text, err := askNaive(t, s); text != want || err != nil {
			t.Errorf("split at %d: %q %v, want %q", n, text, err, want)
		}
	}
	*parts = streamtest.SplitBytes(sseclient.Recorded)
	if text, err := askNaive(t, s); text != "caf done" || err != nil {
		t.Errorf("byte by byte: %q %v", text, err)
	}
}

// TestNaiveEveryCut: the connection breaks once, and the next answer is whole. What
// was out already comes twice, without an error; and where the server shows the end
// by closing the connection, half an answer is a whole one.
func TestNaiveEveryCut(t *testing.T) {
	for n := range sseclient.Recorded {
		synctest.Test(t, func(t *testing.T) {
			cut := sseclient.Recorded[:n]
			s := streamtest.ServePipe(t,
				streamtest.Stream(streamtest.Send(cut), streamtest.Cut()),
				streamtest.Stream(streamtest.Send(sseclient.Recorded)))
			if text, err := askNaive(t, s); text != seen(n)+sseclient.Answer || err != nil {
				t.Errorf("cut at %d: %q %v", n, text, err)
			}
			s = streamtest.ServePipe(t, streamtest.Reply{Steps: []streamtest.Step{streamtest.Send(cut), streamtest.Cut()}, CloseDelimited: true})
			if text, err := askNaive(t, s); text != seen(n) || err != nil {
				t.Errorf("closed at %d: %q %v", n, text, err)
			}
		})
	}
}

// seen is the text of the events that are whole within the first n bytes.
func seen(n int) string {
	switch {
	case n >= len(sseclient.First+sseclient.Second):
		return sseclient.Answer
	case n >= len(sseclient.First):
		return "café "
	}
	return ""
}

// TestNaiveTimeout: an answer that takes longer than five seconds is cut, and begun
// again, and in the end an error.
func TestNaiveTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := streamtest.ServePipeFunc(t, func(int, *streamtest.Request) streamtest.Reply { return slow() })
		text, err := askNaive(t, s)
		if text != "café café café " || err == nil {
			t.Errorf("%q %v", text, err)
		}
		if text, err = askDurable(t, s, sse.ResumeAuto); text != sseclient.Answer || err != nil {
			t.Errorf("durable: %q %v", text, err)
		}
	})
}

func slow() streamtest.Reply {
	return streamtest.Stream(streamtest.Send([]byte(sseclient.First)), streamtest.Pause(6*time.Second),
		streamtest.Send([]byte(sseclient.Second), []byte(sseclient.Done)))
}

// TestDurableEverySplit: also with the first event sent twice.
func TestDurableEverySplit(t *testing.T) {
	for _, raw := range [][]byte{sseclient.Recorded, streamtest.RepeatID(sseclient.Recorded, "1"), streamtest.RepeatID(sseclient.Recorded, "2")} {
		s, parts := pieces(t)
		got := streamtest.EverySplit(t, raw, func(p streamtest.Parts) (string, error) {
			*parts = p
			return askDurable(t, s, sse.ResumeAuto)
		})
		if got != sseclient.Answer {
			t.Errorf("%q", got)
		}
	}
}

// TestDurableEveryCut: a server that cuts every answer at the same place. There is
// always an end and always an error; of an event that was cut the consumer sees
// nothing, and no text comes twice.
func TestDurableEveryCut(t *testing.T) {
	ways := map[string]func(cut []byte) streamtest.Reply{
		"broken": func(cut []byte) streamtest.Reply { return streamtest.Stream(streamtest.Send(cut), streamtest.Cut()) },
		"clean":  func(cut []byte) streamtest.Reply { return streamtest.Stream(streamtest.Send(cut)) },
		"closed": func(cut []byte) streamtest.Reply {
			return streamtest.Reply{Steps: []streamtest.Step{streamtest.Send(cut), streamtest.Cut()}, CloseDelimited: true}
		},
	}
	for name, reply := range ways {
		for leave, resume := range map[string]sse.Resume{"auto": sse.ResumeAuto, "by id": sse.ResumeByID} {
			t.Run(name+"/"+leave, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var cut []byte
					s := streamtest.ServePipeFunc(t, func(int, *streamtest.Request) streamtest.Reply {
						if len(cut) == len(sseclient.Recorded) {
							return streamtest.Stream(streamtest.Send(cut))
						}
						return reply(cut)
					})
					streamtest.EveryCut(t, sseclient.Recorded, func(c []byte) error {
						cut = c
						text, err := askDurable(t, s, resume)
						if text != seen(len(c)) {
							t.Errorf("cut at %d: %q, want %q", len(c), text, seen(len(c)))
						}
						if err != nil && seen(len(c)) != "" && !errors.Is(err, sse.ErrIncomplete) {
							t.Errorf("cut at %d: %v", len(c), err)
						}
						return err
					})
				})
			})
		}
	}
}

// TestDurableResume: the connection breaks at every offset, and the server goes on
// behind the last event, one event too early, or from the start. The text comes once.
func TestDurableResume(t *testing.T) {
	servers := map[string]func(n int, r *streamtest.Request) []byte{
		"behind": func(_ int, r *streamtest.Request) []byte {
			return streamtest.After(sseclient.Recorded, r.LastEventID)
		},
		"one too early": func(_ int, r *streamtest.Request) []byte {
			if r.LastEventID == "2" {
				return streamtest.After(sseclient.Recorded, "1")
			}
			return sseclient.Recorded
		},
		"from the start": func(int, *streamtest.Request) []byte { return sseclient.Recorded },
	}
	for name, answer := range servers {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				for n := range sseclient.Recorded {
					s := streamtest.ServePipeFunc(t, func(i int, r *streamtest.Request) streamtest.Reply {
						if i == 0 {
							return streamtest.Stream(streamtest.Send(sseclient.Recorded[:n]), streamtest.Cut())
						}
						return streamtest.Stream(streamtest.Send(answer(i, r)))
					})
					if text, err := askDurable(t, s, sse.ResumeByID); text != sseclient.Answer || err != nil {
						t.Errorf("cut at %d: %q %v", n, text, err)
					}
					s.Close()
				}
			})
		})
	}
}

// TestDurablePaysOnce: without leave to resume, a prompt is not sent again once a part
// of its answer is out.
func TestDurablePaysOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for n := range sseclient.Recorded {
			s := streamtest.ServePipeFunc(t, func(int, *streamtest.Request) streamtest.Reply {
				return streamtest.Stream(streamtest.Send(sseclient.Recorded[:n]), streamtest.Cut())
			})
			askDurable(t, s, sse.ResumeAuto)
			if sent := len(s.Requests()); seen(n) != "" && sent != 1 {
				t.Errorf("cut at %d: the prompt was sent %d times", n, sent)
			}
			s.Close()
		}
	})
}

// TestDurableNoDone: all the text, and no [DONE].
func TestDurableNoDone(t *testing.T) {
	s := streamtest.ServePipe(t, streamtest.Stream(streamtest.Send(streamtest.OmitDone(sseclient.Recorded))))
	text, err := askDurable(t, s, sse.ResumeAuto)
	var incomplete *sse.IncompleteError
	if text != sseclient.Answer || !errors.As(err, &incomplete) || incomplete.Want == "" {
		t.Errorf("%q %v", text, err)
	}
}

// TestDurableSilence: a server that says nothing more is given up after the idle time,
// also if it keeps the connection busy with comments.
func TestDurableSilence(t *testing.T) {
	for name, step := range map[string]streamtest.Step{
		"stall": streamtest.Stall(), "comments": streamtest.Beat(time.Second, []byte(": ping\n\n")),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := streamtest.ServePipe(t, streamtest.Stream(streamtest.Send([]byte(sseclient.First)), step))
				var text strings.Builder
				c := durable.Client{HTTP: s.Client(), URL: s.URL, Idle: time.Minute, Logger: quiet}
				start := time.Now()
				err := c.Ask(t.Context(), "hello", func(s string) { text.WriteString(s) })
				var idle *sse.IdleError
				if text.String() != "café " || !errors.As(err, &idle) || time.Since(start) != time.Minute {
					t.Errorf("%q %v after %v", text.String(), err, time.Since(start))
				}
			})
		})
	}
}
