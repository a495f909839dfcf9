// Package wide holds cuts that only -all reports.
package wide

var store = map[string]string{}

func keep(value string) {
	if len(value) > 40 {
		value = value[:40] // want `cuts text at a byte count`
	}
	store["last"] = value
}
