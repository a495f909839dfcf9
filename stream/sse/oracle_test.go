package sse

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// The oracle is the standard's algorithm, sentence by sentence, over a whole
// stream in memory. It shares no code with the decoder.

type oracleResult struct {
	events     []Event
	lastID     string
	retry      time.Duration
	hasRetry   bool
	incomplete bool
}

// String shows all of a result, to compare and to print.
func (r oracleResult) String() string {
	var b strings.Builder
	for _, e := range r.events {
		fmt.Fprintf(&b, "%q %q %q %v\n", e.Type, e.Data, e.ID, e.HasID)
	}
	fmt.Fprintf(&b, "last %q retry %v %v incomplete %v", r.lastID, r.retry, r.hasRetry, r.incomplete)
	return b.String()
}

// oracleUTF8 is "UTF-8 decode" without the byte order mark: by trying every
// length, not by the table that the decoder has.
func oracleUTF8(s string) string {
	var b strings.Builder
	for s != "" {
		if r, n := utf8.DecodeRuneInString(s); r != utf8.RuneError || n > 1 {
			b.WriteString(s[:n])
			s = s[n:]
			continue
		}
		// One U+FFFD for the longest proper prefix of some character.
		n := 1
		for l := min(3, len(s)); l > 1; l-- {
			if startsCharacter(s[:l]) {
				n = l
				break
			}
		}
		b.WriteString("\uFFFD")
		s = s[n:]
	}
	return b.String()
}

func startsCharacter(s string) bool {
	for _, tail := range []string{"\x80", "\xBF", "\x80\x80", "\xBF\xBF"} {
		if utf8.ValidString(s+tail) && utf8.RuneCountInString(s+tail) == 1 {
			return true
		}
	}
	return false
}

func oracle(stream string) oracleResult {
	var res oracleResult
	stream = strings.TrimPrefix(stream, "\uFEFF")
	var data, typ, id string
	hasID, hasData, hasField := false, false, false
	reset := func() { data, typ, hasID, hasData, hasField = "", "", false, false, false }
	for stream != "" {
		at := strings.IndexAny(stream, "\r\n")
		if at < 0 {
			break
		}
		line := stream[:at]
		if strings.HasPrefix(stream[at:], "\r\n") {
			at++
		}
		stream = stream[at+1:]
		if line == "" {
			res.lastID = id
			if hasData {
				ev := Event{Type: "message", Data: []byte(strings.TrimSuffix(data, "\n")), ID: id, HasID: hasID}
				if typ != "" {
					ev.Type = typ
				}
				res.events = append(res.events, ev)
			}
			reset()
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "data":
			data += value + "\n"
			hasData, hasField = true, true
		case "event":
			typ = oracleUTF8(value)
			hasField = true
		case "id":
			if !strings.Contains(value, "\x00") {
				id = oracleUTF8(value)
				hasID, hasField = true, true
			}
		case "retry":
			if value != "" && strings.Trim(value, "0123456789") == "" {
				value = strings.TrimLeft(value, "0")
				ms := int64(1<<63-1) / int64(time.Millisecond)
				if len(value) <= 12 {
					ms = 0
					fmt.Sscan(value, &ms)
				} else if len(value) == 13 {
					var n int64
					fmt.Sscan(value, &n)
					ms = min(n, ms)
				}
				res.retry, res.hasRetry = time.Duration(ms)*time.Millisecond, true
			}
		}
	}
	res.incomplete = hasField || stream != "" && stream[0] != ':'
	return res
}
