//go:build unix

package gate

import (
	"errors"
	"testing"
)

// TestRunJUnitPipe checks that a command which leaves a named pipe in place of
// its report cannot keep the gate waiting: nobody writes to it any more.
func TestRunJUnitPipe(t *testing.T) {
	r, _ := tree(t, map[string]string{"tests/x": ""})
	_, err := r.RunJUnit(t.Context(), "tests", JUnit{Command: "mkfifo", Args: []string{"../report.xml"}, Report: "report.xml"})
	if !errors.Is(err, NotRun) {
		t.Errorf("error %v, want %v", err, NotRun)
	}
}
