// Package nope cuts what may be cut, or looks after the border.
package nope

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

const limit = 100

// Backed up to the start of a character.
func backedUp(s string) string {
	if len(s) <= limit {
		return s
	}
	end := limit
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "..."
}

// The same by hand.
func byHand(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "..."
}

func runes(s string) string {
	r := []rune(s)
	if len(r) <= limit {
		return s
	}
	return string(r[:limit]) + "..."
}

func repaired(s string) string {
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + "..."
	}
	return s
}

func trimmedToValid(s string) string {
	if len(s) > limit {
		s = s[:limit]
		for len(s) > 0 && !utf8.ValidString(s) {
			s = s[:len(s)-1]
		}
		return s + "..."
	}
	return s
}

func dropHalf(s string) string {
	for len(s) > 0 {
		r, n := utf8.DecodeLastRuneInString(s)
		if r != utf8.RuneError || n != 1 {
			break
		}
		s = s[:len(s)-n]
	}
	return s
}

func helped(s string) string {
	if len(s) > limit {
		return dropHalf(s[:limit]) + "..."
	}
	return s
}

// Places that somebody looked up.
func line(s string) string {
	if i := strings.LastIndexByte(s[:min(limit, len(s))], '\n'); i > 0 {
		return s[:i] + "..."
	}
	return s
}

func firstLine(s string) string {
	n := strings.Index(s, "\n")
	if n < 0 || n > len(s) {
		n = len(s)
	}
	return s[:n] + "..."
}

func ranged(s string) string {
	if len(s) <= limit {
		return s
	}
	end := 0
	for i := range s {
		if i > limit {
			break
		}
		end = i
	}
	return s[:end] + "..."
}

func findSplit(s string, max int) int { return strings.LastIndex(s, " ") }

func split(s string) string {
	end := findSplit(s, limit)
	if len(s) > end {
		return s[:end] + "..."
	}
	return s
}

func noSuffix(s string) string {
	if len(s) > len(".json") && s[len(s)-len(".json"):] == ".json" {
		s = s[:len(s)-len(".json")]
	}
	return s
}

func unquote(s string) string {
	if len(s) >= 2 && s[0] == '"' {
		s = s[1 : len(s)-1]
	}
	return s
}

// Prefixes that are compared.
func data(s string) bool { return len(s) > 5 && s[:5] == "data:" }

func known(s string) bool {
	const n = len("[DONE]")
	if len(s) < n {
		return false
	}
	return s[:n] == "[DONE]" || strings.Contains(s[:n], "x")
}

// One byte is one character.
func short(digest string) string {
	if len(digest) > 12 {
		return digest[:12] + "..."
	}
	return digest
}

func shortSum(b []byte) string {
	sum := sha256.Sum256(b)
	s := hex.EncodeToString(sum[:])
	if len(s) > 16 {
		s = s[:16] + "..."
	}
	return s
}

func clock(t time.Time) string {
	s := t.Format(time.RFC3339Nano)
	if len(s) > 23 {
		s = s[:23] + "..."
	}
	return s
}

type Digest string

func (d Digest) brief() string {
	if len(d) > 10 {
		return string(d[:10]) + "..."
	}
	return string(d)
}

func cut(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}

func commits(hashes []string) {
	for _, hash := range hashes {
		fmt.Println(cut(hash, 7))
	}
}

func maskKey(v string) string {
	if len(v) > 4 {
		return "..." + v[len(v)-4:]
	}
	return v
}

// A fixed format.
func record(row string) (string, string, error) {
	if len(row) < 20 {
		return "", "", errors.New("short row: " + row)
	}
	return row[:10], row[10:], nil
}

// A text split at a known place.
func columns(row string) {
	const at = 20
	if len(row) > at {
		fmt.Println(row[:at])
		fmt.Println(row[at:])
		return
	}
	fmt.Println(row)
}

// Elements, no text.
func truncate[T any](in []T, n int) []T {
	if n > 0 && len(in) > n {
		return in[:n]
	}
	return in
}

// A piece that is only looked into.
func sniff(body string) bool {
	if len(body) > 512 {
		body = body[:512]
	}
	return strings.Contains(body, "<html")
}

// Hex is made of the piece.
func dump(b string) {
	if len(b) > 16 {
		log.Printf("first bytes: %x", b[:16])
		return
	}
	log.Printf("bytes: %x", b)
}

// %q escapes the half character.
func badDate(src []byte) error {
	s := string(src)
	if len(s) > limit {
		s = s[:limit] + "..."
	}
	return fmt.Errorf("invalid date %q", s)
}

type safe struct{ v any }

func public(v any) safe { return safe{v} }

func badLine(line string) error {
	if len(line) > limit {
		line = line[:limit] + "..."
	}
	return fmt.Errorf("invalid line %q", public(line))
}

func hexed(b string) {
	if len(b) > 16 {
		log.Print(hex.EncodeToString([]byte(b[:16])))
		return
	}
	log.Print(b)
}

// A lexer's own places.
type lexer struct {
	input      string
	start, pos int
}

func (l *lexer) next() byte {
	if l.pos >= len(l.input) {
		return 0
	}
	l.pos++
	return l.input[l.pos-1]
}

func (l *lexer) text() string { return l.input[l.start:l.pos] }

func (l *lexer) before() string {
	if len(l.input) > l.pos {
		fmt.Println(l.input[:l.pos] + "...")
	}
	return l.input
}

// Digits only.
type stamp struct {
	ID string `json:"id"`
}

func encodeID(id string) ([]byte, error) {
	if len(id) > 32 {
		id = id[:32]
	}
	return json.Marshal(stamp{id})
}

// A name of DNS.
func objectName(name string) string {
	if len(name) > 63 {
		name = name[:63]
	}
	return name
}

// Nobody reads it: only under -all.
var store = map[string]string{}

func keep(value string) {
	if len(value) > 40 {
		value = value[:40]
	}
	store["last"] = value
}

// Only letters are left.
func handle(value string) string {
	var b strings.Builder
	for _, r := range value {
		if r >= 'a' && r <= 'z' {
			b.WriteRune(r)
		}
	}
	out := b.String()
	if len(out) > 50 {
		out = out[:50] + "..."
	}
	return out
}

var odd = regexp.MustCompile(`\W`)

func sanitizeName(s string) string { return odd.ReplaceAllString(s, "_") }

func toolName(service string) {
	s := sanitizeName(service)
	if len(s) > 40 {
		s = s[:40]
	}
	fmt.Println("mcp_" + s)
}

// The middle of a secret is hidden.
func bothEnds(value string) {
	if len(value) > 8 {
		value = fmt.Sprintf("%s...%s", value[:4], value[len(value)-4:])
	}
	fmt.Println(value)
}

// An ending that is known.
func base(name string) string {
	if len(name) > 4 {
		name = name[:len(name)-4]
	}
	fmt.Println(name)
	return name
}

// A pattern leaves out what is no letter.
func extension(name string) {
	clean := odd.ReplaceAllString(name, "")
	if len(clean) > 20 {
		clean = clean[:20]
	}
	fmt.Println(clean)
}

func randomString(n int) string { return fmt.Sprintf("%x", n) }

func fileName(name string) {
	clean := sanitizeName(name)
	if length := len(clean); length < 3 {
		clean += randomString(10)
	} else if length > 100 {
		clean = clean[:100]
	}
	fmt.Println(clean)
}

// Header fields and what stands in a request line are ASCII.
func logged(r *http.Request) {
	log.Println(brief(r.Method, 50), brief(r.URL.RequestURI(), 3000), brief(r.UserAgent(), 2000), brief(r.Header.Get("Via"), 200))
}

func brief(str string, max int) string {
	if len(str) > max {
		return str[:max] + "..."
	}
	return str
}

// Settings of the environment.
func settings(env []string) {
	for _, envVar := range env {
		parts := strings.SplitN(envVar, "=", 2)
		if len(parts) == 2 {
			value := parts[1]
			if len(value) > 10 {
				value = value[:10] + "..."
			}
			fmt.Println(parts[0], value)
		}
		if len(envVar) > 50 {
			fmt.Println(envVar[:50] + "...")
		}
	}
}

func detect(name string) (string, bool) { return name, name != "" }

func clean(name string) {
	ext := odd.ReplaceAllString(name, "")
	if ext == "" {
		ext, _ = detect(name)
	}
	if n := len(ext); n > 20 {
		ext = "." + ext[n-20:]
	}
	fmt.Println(name + ext)
}

type escapeError string

func (e escapeError) Error() string { return fmt.Sprintf("invalid escape %q", string(e)) }

// What is cut goes into the error alone.
func unescape(s string) (string, error) {
	for i := 0; i < len(s); i++ {
		if s[i] == '%' {
			s = s[i:]
			if len(s) > 3 {
				s = s[:3]
			}
			return "", escapeError(s)
		}
	}
	return s, nil
}

// The cut line goes into the error alone; the others are whole.
func pairs(text string, use func(key, value string)) error {
	for _, row := range strings.Split(text, "\n") {
		pos := strings.Index(row, "=")
		if pos < 0 {
			if len(row) > 50 {
				row = row[:47] + "..."
			}
			return fmt.Errorf("invalid line %q", public(row))
		}
		use(row[:pos], row[pos+1:])
	}
	return nil
}
