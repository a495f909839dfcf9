// Package a cuts text at byte counts.
package a

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"unicode/utf8"
)

const maxOutput = 30000

type todo struct{ content, active string }

type event struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// Both halves of an output go to a model.
func bothEnds(content string) string {
	if len(content) <= maxOutput {
		return content
	}
	half := maxOutput / 2
	start := content[:half]            // want `content\[:half\] cuts text at a byte count`
	end := content[len(content)-half:] // want `cuts text at a byte count`
	lines := countLines(content[half : len(content)-half])
	return fmt.Sprintf("%s\n\n... [%d lines truncated] ...\n\n%s", start, lines, end)
}

func countLines(s string) int { return len(strings.Split(s, "\n")) }

func pill(t todo, width int) string {
	text := t.content
	if t.active != "" {
		text = t.active
	}
	if len(text) > width {
		text = text[:width-1] + "…" // want `cuts text at a byte count`
	}
	return text
}

func shorter(prompt string, found []string) string {
	most, _ := strconv.Atoi(found[1])
	now, _ := strconv.Atoi(found[2])
	if most > now {
		return prompt
	}
	reduce := 10 + (now-most)*4
	if len(prompt) > reduce {
		return prompt[:len(prompt)-reduce] // want `cuts text at a byte count`
	}
	return prompt
}

func display(content string, nested bool) string {
	var lines []string
	for _, line := range strings.Split(content, "\n") {
		if nested {
			if len(line) > 100 {
				line = line[:100] + " ..." // want `cuts text at a byte count`
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

const maxFetch int64 = 100 * 1024

func fetch(resp *http.Response) (string, error) {
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	content := string(body)
	if !utf8.ValidString(content) {
		return "", fmt.Errorf("not text")
	}
	if int64(len(content)) >= maxFetch {
		content = content[:maxFetch] // want `cuts text at a byte count`
		content += fmt.Sprintf("\n\n[Content truncated to %d bytes]", maxFetch)
	}
	return content, nil
}

func page(url string) (string, error) {
	output, err := exec.Command("fetch", url).Output()
	if err != nil {
		return "", err
	}
	content := strings.TrimSpace(string(output))
	if len(content) > 5000 {
		content = content[:5000] + "..." // want `cuts text at a byte count`
	}
	return content, nil
}

func apns(s string) string {
	const limit = 100
	if len(s) >= limit {
		over := len(s) - limit + 3
		return s[:len(s)-over] + "..." // want `cuts text at a byte count`
	}
	return s
}

type converter struct {
	Width int
	fn    func(string) string
}

func left(cs []converter) []converter {
	var out []converter
	for _, c := range cs {
		c.fn = func(s string) string {
			if len(s) < c.Width {
				return s
			}
			return s[:c.Width] // want `cuts text at a byte count.*its caller`
		}
		out = append(out, c)
	}
	for _, c := range cs {
		c.fn = func(s string) string {
			if utf8.ValidString(s) { // another closure looks after its own text
				return s
			}
			return ""
		}
		out = append(out, c)
	}
	return out
}

// No mark, but the piece reaches an encoder through a helper and a struct.
func newEvent(text string) ([]byte, error) {
	if len(text) > 512 {
		text = text[:512] // want `an encoder gets U\+FFFD`
	}
	return encode(text)
}

func encode(text string) ([]byte, error) {
	return json.Marshal(event{"text", text})
}

// A log record.
func logged(body []byte) {
	if len(body) > 200 {
		log.Printf("answer: %s", string(body[:200])) // want `cuts text at a byte count`
		return
	}
	log.Printf("answer: %s", body)
}

// min is the same cut.
func preview(answer string) {
	fmt.Println(answer[:min(len(answer), 80)]) // want `a terminal gets U\+FFFD`
}

func previewVar(answer string) {
	n := 80
	if n > len(answer) {
		n = len(answer)
	}
	fmt.Println(answer[:n]) // want `a terminal gets U\+FFFD`
}

// A count of characters is no count of bytes.
func countsRunes(title string, n int) string {
	if utf8.RuneCountInString(title) > n {
		return title[:n] + "..." // want `cuts text at a byte count`
	}
	return title
}

// A cached answer is replayed in pieces.
func replay(w http.ResponseWriter, answer string) {
	for i := 0; i < len(answer); i += 256 {
		end := i + 256
		if end > len(answer) {
			end = len(answer)
		}
		b, _ := json.Marshal(event{Type: "delta", Text: answer[i:end]}) // want `in pieces of a byte count`
		fmt.Fprintf(w, "data: %s\n\n", b)
	}
}

func replayMin(w http.ResponseWriter, answer string, size int) {
	for i := 0; i < len(answer); i += size {
		fmt.Fprintf(w, "data: %s\n\n", answer[i:min(i+size, len(answer))]) // want `in pieces of a byte count`
	}
}

// A long message is sent in parts.
func parts(send func(event), text string) [][]byte {
	var out [][]byte
	for len(text) > 4096 {
		b, _ := json.Marshal(event{Text: text[:4096]}) // want `in pieces of a byte count`
		out = append(out, b)
		text = text[4096:]
	}
	b, _ := json.Marshal(event{Text: text})
	return append(out, b)
}

// The tail of an output.
func lastPart(output string, keep int) {
	if len(output) > keep {
		output = output[len(output)-keep:] // want `cuts text at a byte count`
	}
	fmt.Println(output)
}

// A builder, then the terminal.
func card(description string) {
	var b strings.Builder
	b.WriteString("- ")
	if len(description) > 60 {
		b.WriteString(description[:60]) // want `cuts text at a byte count`
	} else {
		b.WriteString(description)
	}
	fmt.Print(b.String())
}

// A result is shown by the caller.
func summary(text string) string {
	out := text
	if len(out) > 40 {
		out = out[:40] // want `a terminal gets U\+FFFD`
	}
	return "summary: " + out
}

func show(text string) { fmt.Println(summary(text)) }

// The same with %s: the half character is there to see.
func badText(src []byte) error {
	s := string(src)
	if len(s) > maxOutput {
		s = s[:maxOutput] + "..." // want `cuts text at a byte count`
	}
	return fmt.Errorf("invalid text %s", s)
}

func asked(r *http.Request) {
	log.Println(brief(r.FormValue("q"), 50), brief(r.URL.Query().Get("q"), 50))
}

func brief(str string, max int) string {
	if len(str) > max {
		return str[:max] + "..." // want `cuts text at a byte count`
	}
	return str
}

// The fields of a line are text.
func fields(line string) {
	parts := strings.SplitN(line, ":", 2)
	value := parts[0]
	if len(value) > 10 {
		value = value[:10] + "..." // want `cuts text at a byte count`
	}
	fmt.Println(value)
}

// What is cut is given back, behind an error of another text.
func checked(s string) (string, error) {
	if len(s) > 300 {
		s = s[:300] // want `cuts text at a byte count`
	}
	if strings.Contains(s, "%") {
		return "", fmt.Errorf("invalid text")
	}
	return s, nil
}

// The return behind the loop does not keep the line from being shown.
func rows(text string) error {
	for _, row := range strings.Split(text, "\n") {
		if len(row) > 50 {
			row = row[:47] + "..." // want `cuts text at a byte count`
		}
		fmt.Println(row)
	}
	return nil
}

func growing(next func() string) error {
	last := ""
	for range 3 {
		fmt.Println(last)
		last = next()
		if len(last) > 50 {
			last = last[:50] // want `cuts text at a byte count`
		}
	}
	return nil
}

func closure(text string) {
	shorten := func() bool {
		if len(text) > 50 {
			text = text[:50] // want `cuts text at a byte count`
		}
		return true
	}
	if shorten() {
		fmt.Println(text)
	}
}
