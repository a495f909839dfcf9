package gate_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/streamlint/streamlint/stream/gate"
)

// Exit code 0, and nothing was tested.
func ExampleReadGoTest() {
	stream := `{"Action":"start","Package":"example"}
{"Action":"run","Package":"example","Test":"TestLogin"}
{"Action":"skip","Package":"example","Test":"TestLogin"}
{"Action":"pass","Package":"example"}
`
	report, err := gate.ReadGoTest(strings.NewReader(stream))
	fmt.Println(report.Started, report.Passed, err)
	fmt.Println(errors.Is(err, gate.OnlySkips))
	// Output:
	// 1 0 gate: only_skips (1 collected, 1 started, 0 passed, 1 skipped, 0 failed)
	// true
}

func ExampleReadJUnit() {
	report, err := gate.ReadJUnit(strings.NewReader(
		`<testsuite name="pytest" tests="2" failures="1"><testcase classname="test_a" name="test_one"/><testcase classname="test_a" name="test_two"><failure/></testcase></testsuite>`))
	fmt.Println(report.Failures, err)
	// Output: [test_a.test_two] gate: tests_failed (2 collected, 2 started, 1 passed, 0 skipped, 1 failed): test_a.test_two
}

// A model asked for tests and gave no path, then one outside of the job.
func ExampleRoot_GoTest() {
	dir, err := os.MkdirTemp("", "job")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	root, err := gate.OpenRoot(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer root.Close()
	for _, path := range []string{"", "../other"} {
		_, err := root.GoTest(context.Background(), path, gate.GoTest{Recursive: true})
		fmt.Println(err)
	}
	// Output:
	// gate: empty_path
	// gate: path_escapes "../other"
}
