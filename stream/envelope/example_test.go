package envelope_test

import (
	"errors"
	"fmt"

	"github.com/streamlint/streamlint/stream/envelope"
)

func ExampleSeal() {
	fmt.Printf("%s", envelope.Seal([]byte("pass")))
	// Output:
	// MC1 9 f50785f281df8cd7015fd8ae536edd5323aea46cf7ff55ed6e12cfafdb03fadd
	// pass
	// END
}

// A verdict that was cut on its way is no verdict.
func ExampleOpen() {
	sealed := envelope.Seal([]byte(`{"verdict":"pass","diff_sha":"9f2c","policy_version":3}`))
	required := envelope.Require("verdict", "diff_sha", "policy_version")

	body, err := envelope.Open(sealed, required)
	if err != nil {
		fmt.Println(err)
		return
	}
	verdict, err := body.Text("verdict")
	fmt.Println(verdict, err)

	_, err = envelope.Open(sealed[:100], required)
	fmt.Println(err)
	var incomplete *envelope.IncompleteError
	if errors.As(err, &incomplete) {
		fmt.Println("failed:", incomplete.Proof)
	}
	// Output:
	// pass <nil>
	// envelope: incomplete: length proof failed after 100 bytes: want 60, got 28
	// failed: length proof
}

func ExampleDecode() {
	type review struct {
		Verdict string `json:"verdict"`
		Policy  int    `json:"policy_version"`
	}
	body, err := envelope.Open(envelope.Seal([]byte(`{"verdict":"fail","policy_version":3}`)),
		envelope.Require("verdict", "policy_version"))
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := envelope.Decode[review](body)
	fmt.Printf("%+v %v\n", r, err)
	// Output: {Verdict:fail Policy:3} <nil>
}

func ExampleOpenPlan() {
	plan, err := envelope.NewPlan("schema_apply", "job-7",
		"CREATE TABLE account (id INTEGER)",
		"ALTER TABLE account ADD COLUMN email TEXT")
	if err != nil {
		fmt.Println(err)
		return
	}
	raw := plan.Seal()

	got, err := envelope.OpenPlan(raw)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(got.JobID(), got.Len(), "statements")

	_, err = envelope.OpenPlan(raw[:150])
	fmt.Println(err)
	// Output:
	// job-7 2 statements
	// envelope: incomplete: json proof failed after 150 bytes at byte 150: the text ends inside a string
}
