package streamtimeout_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/streamlint/streamlint/analyzers/streamtimeout"
)

// Test runs all that needs no setting at once: "across" and "site/cmd" need the
// facts of the packages that they import.
func Test(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), streamtimeout.Analyzer,
		"clients", "contexts", "returns", "conns", "kube", "r034", "r035", "across",
		"serve", "servetwo", "servenope", "servejson", "site/cmd")
}

// TestSettings has functions of the user's, and lower limits.
func TestSettings(t *testing.T) {
	set(t, "streams", "usersdk.Pump:0", "")
	set(t, "clients", "(usersdk.Session).Listen:0", "")
	set(t, "max", "30s", "10m")
	set(t, "contextmax", "30s", "5m")
	analysistest.Run(t, analysistest.TestData(), streamtimeout.Analyzer, "user", "limits")
}

func TestFlagNames(t *testing.T) {
	for _, bad := range []string{"pkg.Func", "pkg.Func:x", "pkg.Func:-1"} {
		if err := streamtimeout.Analyzer.Flags.Set("streams", bad); err == nil {
			t.Errorf("-streams %s is accepted", bad)
		}
	}
	set(t, "streams", "example.com/sdk/v3.Pump:1, (example.com/x/v2/sse.Reader).Run:0", "")
	if got, want := streamtimeout.Analyzer.Flags.Lookup("streams").Value.String(), "(example.com/x/sse.Reader).Run:0,example.com/sdk.Pump:1"; got != want {
		t.Errorf("-streams is %s, want %s", got, want)
	}
}

func set(t *testing.T, name, value, back string) {
	t.Helper()
	if err := streamtimeout.Analyzer.Flags.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = streamtimeout.Analyzer.Flags.Set(name, back) })
}
