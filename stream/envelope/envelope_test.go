package envelope

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

var key = []byte("0123456789abcdef")

const verdict = `{"verdict":"pass","diff_sha":"9f2c","policy_version":3}`

var bodies = []string{"", "x", "\n", "\nEND\n", "a\nEND\nb", verdict, "caf\xC3", "\x00\xFF", strings.Repeat("long ", 300)}

// TestSealGolden pins the bytes, which other programs read.
func TestSealGolden(t *testing.T) {
	want := "MC1 60 c746abdebd5925306a25cf9d57b31e87075f91d7aa3ff16f6bd95356097b76ab\n" +
		verdict + "\nEND\n"
	if got := string(Seal([]byte(verdict))); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	wantKeyed := "MC1H 9 09dccc782ad941a35029a920f65aa7d9faa6280a2e48b08dccc657090948cc62\npass\nEND\n"
	got, err := SealHMAC(key, []byte("pass"))
	if err != nil || string(got) != wantKeyed {
		t.Errorf("got %q, %v\nwant %q", got, err, wantKeyed)
	}
}

func TestRoundTrip(t *testing.T) {
	for _, body := range bodies {
		keyed, err := SealHMAC(key, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			raw  []byte
			opts []Option
		}{{Seal([]byte(body)), nil}, {keyed, []Option{HMACKey([]byte("another key 0123"), key)}}} {
			b, err := Open(tt.raw, tt.opts...)
			if err != nil || string(b.Bytes()) != body || b.Len() != len(body) {
				t.Errorf("Open: %q, %v; want %q", b.Bytes(), err, body)
			}
			b, err = Read(iotest.OneByteReader(bytes.NewReader(tt.raw)), tt.opts...)
			if err != nil || string(b.Bytes()) != body {
				t.Errorf("Read: %q, %v; want %q", b.Bytes(), err, body)
			}
		}
	}
}

// TestEveryTruncation: no proper prefix of an envelope opens, and each says that it
// is too short.
func TestEveryTruncation(t *testing.T) {
	for _, body := range bodies {
		keyed, _ := SealHMAC(key, []byte(body))
		for _, tt := range []struct {
			raw  []byte
			opts []Option
		}{{Seal([]byte(body)), nil}, {keyed, []Option{HMACKey(key)}}} {
			for n := range tt.raw {
				b, err := Open(tt.raw[:n], tt.opts...)
				var incomplete *IncompleteError
				if !errors.As(err, &incomplete) || !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Fatalf("%d of %d bytes of %q: %v", n, len(tt.raw), body, err)
				}
				if incomplete.Proof != Header && incomplete.Proof != Length {
					t.Fatalf("%d of %d bytes: %v", n, len(tt.raw), incomplete.Proof)
				}
				if incomplete.Bytes != int64(n) {
					t.Fatalf("%d bytes reported as %d", n, incomplete.Bytes)
				}
				if b.Len() != 0 || b.opened {
					t.Fatalf("%d of %d bytes gave a body with the error", n, len(tt.raw))
				}
			}
		}
	}
}

// TestEveryBitFlip: no altered envelope opens. A changed digit of the length may
// leave it too long or too short; all other changes are of the header or digest.
func TestEveryBitFlip(t *testing.T) {
	keyed, _ := SealHMAC(key, []byte(verdict))
	for _, tt := range []struct {
		raw  []byte
		opts []Option
	}{{Seal([]byte(verdict)), nil}, {keyed, []Option{HMACKey(key)}}} {
		body := bytes.IndexByte(tt.raw, '\n') + 1
		for i := range tt.raw {
			for bit := range 8 {
				flipped := bytes.Clone(tt.raw)
				flipped[i] ^= 1 << bit
				_, err := Open(flipped, tt.opts...)
				if err == nil {
					t.Fatalf("bit %d of byte %d flipped, and it opens", bit, i)
				}
				if i >= body && !errors.Is(err, Digest) {
					t.Fatalf("bit %d of body byte %d flipped: %v", bit, i, err)
				}
			}
		}
	}
}

func mended(covered string) string {
	return fmt.Sprintf("MC1 %d %x\n%s", len(covered), sha256.Sum256([]byte(covered)), covered)
}

func TestOpenRefuses(t *testing.T) {
	whole := string(Seal([]byte(verdict)))
	sum := strings.Fields(whole)[2]
	keyed, _ := SealHMAC(key, []byte(verdict))
	for _, tt := range []struct {
		name  string
		raw   string
		opts  []Option
		proof Proof
		short bool
	}{
		{name: "nothing", raw: "", proof: Header, short: true},
		{name: "plain JSON", raw: verdict, proof: Header},
		{name: "sentinel removed, length and digest mended", raw: mended(verdict), proof: Sentinel},
		{name: "sentinel cut, length and digest mended", raw: mended(verdict + "\nEND"), proof: Sentinel},
		{name: "sentinel with CRLF", raw: mended(verdict + "\r\nEND\r\n"), proof: Sentinel},
		{name: "shorter than the sentinel", raw: mended("x"), proof: Sentinel},
		{name: "empty and mended", raw: mended(""), proof: Sentinel},
		{name: "newline added", raw: whole + "\n", proof: Length},
		{name: "two envelopes", raw: whole + whole, proof: Length},
		{name: "leading space", raw: " " + whole, proof: Header},
		{name: "byte order mark", raw: "\uFEFF" + whole, proof: Header},
		{name: "CRLF after the header", raw: strings.Replace(whole, "\n", "\r\n", 1), proof: Header},
		{name: "leading zero", raw: strings.Replace(whole, "MC1 ", "MC1 0", 1), proof: Header},
		{name: "plus sign", raw: strings.Replace(whole, "MC1 ", "MC1 +", 1), proof: Header},
		{name: "two spaces", raw: strings.Replace(whole, "MC1 ", "MC1  ", 1), proof: Header},
		{name: "no length", raw: "MC1  " + sum + "\n", proof: Header},
		{name: "length of 19 digits", raw: "MC1 9999999999999999999 " + sum + "\n", proof: Header},
		{name: "upper-case digest", raw: strings.Replace(whole, sum, strings.ToUpper(sum), 1), proof: Header},
		{name: "digest too short", raw: strings.Replace(whole, sum, sum[1:], 1), proof: Header},
		{name: "digest too long", raw: strings.Replace(whole, sum, sum+"0", 1), proof: Header},
		{name: "next version", raw: strings.Replace(whole, "MC1", "MC2", 1), proof: Header},
		{name: "lower-case magic", raw: strings.Replace(whole, "MC1", "mc1", 1), proof: Header},
		{name: "over the cap", raw: whole, opts: []Option{MaxSize(int64(len(verdict)) + 4)}, proof: Size},
		{name: "announces more than the cap", raw: "MC1 999999999999999999 " + sum + "\n", proof: Size},
		{name: "keyed, no key given", raw: string(keyed), proof: Key},
		{name: "unkeyed, key given", raw: whole, opts: []Option{HMACKey(key)}, proof: Key},
		{name: "wrong key", raw: string(keyed), opts: []Option{HMACKey([]byte("0123456789abcdeF"))}, proof: Digest},
		{name: "unkeyed under the keyed magic", raw: strings.Replace(whole, "MC1", "MC1H", 1), opts: []Option{HMACKey(key)}, proof: Digest},
		{name: "required field missing", raw: whole, opts: []Option{Require("verdict", "reviewer")}, proof: Field},
		{name: "required from cut JSON", raw: string(Seal([]byte(verdict[:34]))), opts: []Option{Require("verdict")}, proof: JSON, short: true},
		{name: "required from an array", raw: string(Seal([]byte(`["verdict"]`))), opts: []Option{Require("verdict")}, proof: JSON},
		{name: "required from text", raw: string(Seal([]byte(`verdict`))), opts: []Option{Require("verdict")}, proof: JSON},
		{name: "required but null", raw: string(Seal([]byte(`{"verdict":null}`))), opts: []Option{Require("verdict")}, proof: Field},
		{name: "required but blank", raw: string(Seal([]byte(`{"verdict":" \n"}`))), opts: []Option{Require("verdict")}, proof: Field},
		{name: "required in another case", raw: string(Seal([]byte(`{"Verdict":"pass"}`))), opts: []Option{Require("verdict")}, proof: Field},
		{name: "required twice", raw: string(Seal([]byte(`{"verdict":"fail","verdict":"pass"}`))), opts: []Option{Require("verdict")}, proof: JSON},
		{name: "required twice by case", raw: string(Seal([]byte(`{"verdict":"fail","VERDICT":"pass"}`))), opts: []Option{Require("verdict")}, proof: JSON},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b, err := Open([]byte(tt.raw), tt.opts...)
			var incomplete *IncompleteError
			if !errors.As(err, &incomplete) {
				t.Fatalf("%q, %v", b.Bytes(), err)
			}
			if !errors.Is(err, tt.proof) || incomplete.Proof != tt.proof {
				t.Errorf("%v; want the %v to fail", err, tt.proof)
			}
			if errors.Is(err, io.ErrUnexpectedEOF) != tt.short {
				t.Errorf("%v: matches io.ErrUnexpectedEOF: %v", err, !tt.short)
			}
			if _, rerr := Read(strings.NewReader(tt.raw), tt.opts...); !errors.Is(rerr, tt.proof) {
				// Read stops at the cap, before it knows what the length says.
				if !errors.Is(rerr, Size) {
					t.Errorf("Read: %v", rerr)
				}
			}
		})
	}
}

func TestReadError(t *testing.T) {
	whole := Seal([]byte(verdict))
	reset := errors.New("connection reset")
	// All bytes arrived, then the connection broke: nothing says that it was all.
	_, err := Read(io.MultiReader(bytes.NewReader(whole), iotest.ErrReader(reset)))
	if !errors.Is(err, Received) || !errors.Is(err, reset) || errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v", err)
	}
	_, err = Read(io.MultiReader(bytes.NewReader(whole[:9]), iotest.ErrReader(io.ErrUnexpectedEOF)))
	if !errors.Is(err, Received) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v", err)
	}
}

// endless counts what is read of it.
type endless struct{ n int64 }

func (e *endless) Read(p []byte) (int, error) { e.n += int64(len(p)); return len(p), nil }

func TestReadStopsAtTheCap(t *testing.T) {
	e := &endless{}
	if _, err := Read(e, MaxSize(1000)); !errors.Is(err, Size) {
		t.Errorf("%v", err)
	}
	if e.n > 4096 {
		t.Errorf("%d bytes read for a cap of 1000", e.n)
	}
}

func TestKeys(t *testing.T) {
	if _, err := SealHMAC([]byte("short"), nil); !errors.Is(err, ErrKey) {
		t.Errorf("SealHMAC with a short key: %v", err)
	}
	whole := Seal(nil)
	for _, o := range []Option{HMACKey(), HMACKey(nil), HMACKey(key, []byte(""))} {
		if _, err := Open(whole, o); !errors.Is(err, ErrKey) {
			t.Errorf("Open with a bad key: %v", err)
		}
		if _, err := Read(bytes.NewReader(whole), o); !errors.Is(err, ErrKey) {
			t.Errorf("Read with a bad key: %v", err)
		}
		if _, err := OpenPlan(nil, o); !errors.Is(err, ErrKey) {
			t.Errorf("OpenPlan with a bad key: %v", err)
		}
	}
}

// TestKeyedErrorKeepsTheSum: the right HMAC of an altered message must not appear in
// an error, from where it could be pasted into the message.
func TestKeyedErrorKeepsTheSum(t *testing.T) {
	good, _ := SealHMAC(key, []byte("pass"))
	forged := bytes.Replace(bytes.Clone(good), []byte("pass"), []byte("fail"), 1)
	_, err := Open(forged, HMACKey(key))
	want, _ := SealHMAC(key, []byte("fail"))
	if sum := strings.Fields(string(want))[2]; err == nil || strings.Contains(err.Error(), sum) {
		t.Errorf("%v", err)
	}
}

func TestBody(t *testing.T) {
	type review struct {
		Verdict string `json:"verdict"`
		Policy  int    `json:"policy_version"`
	}
	b, err := Open(Seal([]byte(verdict)), Require("verdict", "diff_sha", "policy_version"))
	if err != nil {
		t.Fatal(err)
	}
	if r, err := Decode[review](b); err != nil || r != (review{"pass", 3}) {
		t.Errorf("%+v, %v", r, err)
	}
	if s, err := b.Text("verdict"); s != "pass" || err != nil {
		t.Errorf("%q, %v", s, err)
	}
	for _, field := range []string{"policy_version", "nowhere"} {
		if s, err := b.Text(field); s != "" || !errors.Is(err, Field) {
			t.Errorf("%s: %q, %v", field, s, err)
		}
	}
	b.Bytes()[0] = 'X'
	if string(b.Bytes()) != verdict {
		t.Error("the caller can change a body")
	}

	var zero Body
	if _, err := Decode[review](zero); !errors.Is(err, ErrUnproven) {
		t.Errorf("Decode of the zero body: %v", err)
	}
	if _, err := zero.Text("verdict"); !errors.Is(err, ErrUnproven) {
		t.Errorf("Text of the zero body: %v", err)
	}

	for _, body := range []string{`{"verdict":1}`, `{"verdict":"a","verdict":"b"}`, `{"verdict":"a"} x`, `{"verdict":"\ud800"}`, `{"verdict":"` + "\xFF" + `"}`, ``} {
		b, err := Open(Seal([]byte(body)))
		if err != nil {
			t.Fatal(err)
		}
		if r, err := Decode[review](b); !errors.Is(err, JSON) || r != (review{}) {
			t.Errorf("%s: %+v, %v", body, r, err)
		}
	}
	partly, _ := Open(Seal([]byte(`{"verdict":"pass","policy_version":"three"}`)))
	r, err := Decode[review](partly)
	var incomplete *IncompleteError
	if !errors.As(err, &incomplete) || incomplete.Field != "policy_version" || r != (review{}) {
		t.Errorf("a value that does not fit: %+v, %v", r, err)
	}
}

func TestErrorText(t *testing.T) {
	_, err := Open(Seal([]byte(verdict))[:80])
	if got := err.Error(); got != "envelope: incomplete: length proof failed after 80 bytes: want 60, got 8" {
		t.Error(got)
	}
	if got := Proof(99).String() + " " + Digest.Error(); got != "Proof(99) digest proof" {
		t.Error(got)
	}
}

func FuzzOpen(f *testing.F) {
	for _, b := range bodies {
		f.Add(Seal([]byte(b)))
		f.Add([]byte(mended(b)))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		b, err := Open(raw)
		if err != nil {
			var incomplete *IncompleteError
			if !errors.As(err, &incomplete) || b.opened || b.raw != nil {
				t.Fatalf("%#v, %v", b, err)
			}
			return
		}
		// One form only: what opens is what Seal writes.
		if again := Seal(b.Bytes()); !bytes.Equal(again, raw) {
			t.Fatalf("%q opens, though it is sealed as %q", raw, again)
		}
	})
}

func FuzzSealTruncated(f *testing.F) {
	for _, b := range bodies {
		f.Add([]byte(b), 3)
	}
	f.Fuzz(func(t *testing.T, body []byte, cut int) {
		raw := Seal(body)
		b, err := Open(raw)
		if err != nil || !bytes.Equal(b.Bytes(), body) {
			t.Fatalf("%q, %v", b.Bytes(), err)
		}
		cut = int(uint(cut) % uint(len(raw)))
		if _, err := Open(raw[:cut]); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("%d of %d bytes: %v", cut, len(raw), err)
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	raw := Seal(bytes.Repeat([]byte("0123456789abcdef"), 1<<16))
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Open(raw); err != nil {
			b.Fatal(err)
		}
	}
}
