package report

import (
	"errors"
	"testing"

	"golang.org/x/tools/go/analysis"
)

func TestSafe(t *testing.T) {
	defer func(old bool) { debugPanics = old }(debugPanics)
	debugPanics = false
	trips := Safe(func(*analysis.Pass) (any, error) { panic("unreachable") })
	if result, err := trips(nil); result != nil || err != nil {
		t.Errorf("a panic gives %v, %v", result, err)
	}
	fails := errors.New("no")
	works := Safe(func(*analysis.Pass) (any, error) { return 1, fails })
	if result, err := works(nil); result != 1 || err != fails {
		t.Errorf("without a panic: %v, %v", result, err)
	}
	debugPanics = true
	defer func() {
		if recover() == nil {
			t.Error("the panic is hidden from whoever asked for it")
		}
	}()
	_, _ = trips(nil)
}
