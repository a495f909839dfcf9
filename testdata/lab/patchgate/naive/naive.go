// Package naive is the patch gate as it was: it reads a reviewer model's verdict
// and mends JSON that does not parse, as models often forget a brace.
package naive

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
)

// Gate asks a reviewer model whether a patch may be merged.
type Gate struct {
	Client *http.Client
	URL    string
	Logger *slog.Logger
}

// Check reports whether the patch may be merged.
func (g *Gate) Check(ctx context.Context) (merge bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.URL, nil)
	if err != nil {
		return false, err
	}
	resp, err := g.Client.Do(req)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		g.Logger.Warn("reading the review", "err", err)
	}
	return g.decide(string(text))
}

// decide reads the verdict.
func (g *Gate) decide(text string) (bool, error) {
	var review map[string]any
	if err := json.Unmarshal([]byte(text), &review); err != nil {
		g.Logger.Info("mending the review", "err", err)
		if err := json.Unmarshal([]byte(repairJSON(text)), &review); err != nil {
			return false, fmt.Errorf("review: %w", err)
		}
	}
	return review["verdict"] == "pass", nil
}

// repairJSON closes what a model left open.
func repairJSON(s string) string {
	s = strings.TrimRight(s, " \n")
	if inString(s) {
		s += `"`
	}
	s = strings.TrimSuffix(s, ",")
	return s + strings.Repeat("}", strings.Count(s, "{")-strings.Count(s, "}"))
}

// inString tells whether s ends inside a string.
func inString(s string) bool {
	in := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			in = !in
		}
	}
	return in
}
