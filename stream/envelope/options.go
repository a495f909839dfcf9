package envelope

import (
	"fmt"
	"io"
	"strconv"
)

// DefaultMaxSize is the size cap without [MaxSize]: 16 MiB.
const DefaultMaxSize = 16 << 20

// MinKeySize is the least number of bytes in an HMAC key. Shorter keys, the empty
// one above all, are nearly always a configuration that failed to load.
const MinKeySize = 16

// Option changes what is accepted.
type Option func(*config)

type config struct {
	max      int64
	keys     [][]byte
	keyed    bool
	required []string
}

// MaxSize sets the cap on what an envelope's length covers, or on a plan's JSON,
// in bytes. A larger message fails the [Size] proof; n below one counts as one.
func MaxSize(n int64) Option { return func(c *config) { c.max = max(n, 1) } }

// Require makes the body a JSON object in which each named field is present under
// exactly that name and is neither null nor a blank string. It applies to
// envelopes; the members of a plan are fixed.
func Require(fields ...string) Option {
	return func(c *config) { c.required = append(c.required, fields...) }
}

// HMACKey demands a keyed message that verifies under one of the keys (several,
// while keys are being changed). Without any usable key, opening fails with
// [ErrKey].
func HMACKey(keys ...[]byte) Option {
	return func(c *config) { c.keyed, c.keys = true, append(c.keys, keys...) }
}

func configure(opts []Option) (*config, error) {
	c := &config{max: DefaultMaxSize}
	for _, o := range opts {
		o(c)
	}
	if c.keyed && len(c.keys) == 0 {
		return nil, ErrKey
	}
	for _, k := range c.keys {
		if len(k) < MinKeySize {
			return nil, ErrKey
		}
	}
	return c, nil
}

// readAll reads r to its end, at most limit bytes of it.
func readAll(r io.Reader, limit int64) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return raw, &IncompleteError{Proof: Received, Offset: -1, Bytes: int64(len(raw)), Err: err, short: err == io.ErrUnexpectedEOF}
	}
	if int64(len(raw)) > limit {
		return raw, tooLarge(limit, int64(len(raw)), "more")
	}
	return raw, nil
}

func tooLarge(limit, have int64, got string) error {
	return &IncompleteError{
		Proof: Size, Offset: -1, Bytes: have,
		Want: fmt.Sprintf("at most %s bytes", strconv.FormatInt(limit, 10)), Got: got,
	}
}
