package apply

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/streamlint/streamlint/stream/envelope"
)

// Run reads one plan from r up to its end, verifies it and applies it. Nothing is
// executed before the end of r has been seen and every proof has passed.
//
// When Run gives up before the end of r (silence, ctx, size), it sets a read
// deadline in the past if r has SetReadDeadline, and else closes r if it is an
// io.Closer, so that a read under way returns. A reader that has neither, or whose
// Close does not wake a read (a terminal on standard input), keeps one goroutine
// until its read returns.
func (a *Applier) Run(ctx context.Context, r io.Reader) (Result, error) {
	return a.run(ctx, "", r)
}

// RunJob is [Applier.Run] for a job whose id is known from elsewhere, as from the
// message that carried the plan: a plan under another id is Refused, and bytes that
// are cut before their own id burn this one.
func (a *Applier) RunJob(ctx context.Context, jobID string, r io.Reader) (Result, error) {
	if !envelope.ValidJobID(jobID) {
		return a.finish(ctx, Result{Outcome: Refused}, fmt.Errorf("%q is no job id", jobID), nil)
	}
	return a.run(ctx, jobID, r)
}

func (a *Applier) run(ctx context.Context, jobID string, r io.Reader) (Result, error) {
	raw, o, err := a.receive(ctx, r)
	if err != nil {
		return a.reject(ctx, jobID, raw, o, err)
	}
	plan, err := envelope.OpenPlan(raw, a.opts...)
	if err != nil {
		return a.reject(ctx, jobID, raw, outcomeOf(err), err)
	}
	if jobID != "" && plan.JobID() != jobID {
		return a.reject(ctx, jobID, raw, Refused, fmt.Errorf("the plan is for job %s, want %s", plan.JobID(), jobID))
	}
	return a.Apply(ctx, plan)
}

// outcomeOf says what a failed proof means for the job.
func outcomeOf(err error) Outcome {
	var incomplete *envelope.IncompleteError
	if !errors.As(err, &incomplete) {
		return Refused
	}
	switch incomplete.Proof {
	case envelope.Received, envelope.JSON, envelope.Trailer:
		return Truncated
	case envelope.Count:
		return CountMismatch
	case envelope.Digest, envelope.Key:
		return DigestMismatch
	}
	return Refused
}

// reject records bytes that did not become a plan, under the id that the caller
// expected or else the one that they claim.
func (a *Applier) reject(ctx context.Context, jobID string, raw []byte, o Outcome, cause error) (Result, error) {
	sum := sha256.Sum256(raw)
	res := Result{Outcome: o, JobID: jobID, Bytes: int64(len(raw)), SHA256: hex.EncodeToString(sum[:])}
	if res.JobID == "" {
		res.JobID, _ = envelope.ClaimedJobID(raw)
	}
	j := Job{ID: res.JobID, SHA256: res.SHA256, Status: o.String(), Bytes: res.Bytes, Detail: cause.Error(), RecordedAt: a.now()}
	also := a.recordRejected(ctx, j)
	res.Recorded = also == nil
	if o == DigestMismatch && a.quarantine != nil {
		qctx, cancel := a.aside(ctx)
		defer cancel()
		where, err := a.quarantine.Keep(qctx, Rejected{JobID: res.JobID, Payload: raw, SHA256: res.SHA256, Reason: cause})
		if err != nil {
			also = errors.Join(also, fmt.Errorf("quarantine: %w", err))
		} else {
			res.Quarantined = where
		}
	}
	return a.finish(ctx, res, cause, also)
}

func (a *Applier) recordRejected(ctx context.Context, j Job) error {
	if j.ID != "" {
		found, err := a.record(ctx, j)
		if err != nil || found == nil {
			return err
		}
		// The id has a row: of the applied job, say, whose plan was sent again
		// and cut. That row must stay as it is.
		j.Detail = "job " + j.ID + ": " + j.Detail
	}
	// The same bytes with the same fate need no second row.
	j.ID = "?" + j.SHA256[:24] + ":" + j.Status
	_, err := a.record(ctx, j)
	return err
}

var (
	errIdle     = errors.New("no bytes and no end of the stream within the idle time")
	errTooLarge = errors.New("larger than the size cap")
)

// receive reads r to its end. If it cannot, raw is what had come and the outcome
// says why.
func (a *Applier) receive(ctx context.Context, r io.Reader) (raw []byte, o Outcome, err error) {
	chunks := make(chan []byte)
	done := make(chan error, 1) // the reader's last word never blocks it
	stop := make(chan struct{})
	go func() {
		buf := make([]byte, 32<<10)
		for {
			n, err := r.Read(buf)
			if n > 0 {
				select {
				case chunks <- append([]byte(nil), buf[:n]...):
				case <-stop:
					done <- nil
					return
				}
			}
			if err != nil {
				done <- err
				return
			}
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
		}
	}()
	giveUp := func() {
		close(stop)
		wake(r, done)
	}
	var silence <-chan time.Time
	var timer *time.Timer
	if a.idle > 0 {
		timer = time.NewTimer(a.idle)
		defer timer.Stop()
		silence = timer.C
	}
	for {
		select {
		case chunk := <-chunks:
			raw = append(raw, chunk...)
			if int64(len(raw)) > a.maxBytes {
				giveUp()
				return raw, Refused, fmt.Errorf("%w of %d bytes", errTooLarge, a.maxBytes)
			}
			if timer != nil {
				timer.Reset(a.idle)
			}
		case err := <-done:
			if err == io.EOF {
				return raw, 0, nil
			}
			return raw, Truncated, fmt.Errorf("read: %w", err)
		case <-silence:
			giveUp()
			return raw, IdleTimeout, fmt.Errorf("%w (%v)", errIdle, a.idle)
		case <-ctx.Done():
			giveUp()
			return raw, Canceled, context.Cause(ctx)
		}
	}
}

// wakeGrace is how long a woken reader has to return.
const wakeGrace = time.Second

// wake makes a read under way return, if r lets it, and waits for that.
func wake(r io.Reader, done <-chan error) {
	deadline, ok := r.(interface{ SetReadDeadline(time.Time) error })
	if !ok || deadline.SetReadDeadline(time.Unix(1, 0)) != nil {
		closer, ok := r.(io.Closer)
		if !ok {
			return
		}
		// What the read returns tells more than what Close does.
		_ = closer.Close()
	}
	grace := time.NewTimer(wakeGrace)
	defer grace.Stop()
	select {
	case <-done:
	case <-grace.C:
	}
}
