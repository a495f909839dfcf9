package model

import "strings"

// RepairFuncs are functions that make text that is no JSON into JSON: they close
// what is open, add quotes, drop what disturbs. What was cut off becomes a shorter
// document.
var RepairFuncs = map[string]bool{
	"github.com/kaptinlin/jsonrepair.JSONRepair":                          true,
	"github.com/kaptinlin/jsonrepair.Repair":                              true,
	"github.com/RealAlexandreAI/json-repair.RepairJSON":                   true,
	"github.com/RealAlexandreAI/json-repair.MustRepairJSON":               true,
	"github.com/realalexandreai/json-repair.RepairJSON":                   true,
	"github.com/blaze2305/partial-json-parser.ParseMalformedString":       true,
	"github.com/blaze2305/partial-json-parser/jsonx.ParseMalformedString": true,
}

// NamesRepair reports whether a function calls itself one that repairs JSON, as
// RepairJSON and FixTruncatedJSON do. It is asked only for functions whose body is
// out of sight.
func NamesRepair(pkg, name string) bool {
	n := strings.ToLower(name)
	if !strings.Contains(n, "json") && !strings.Contains(strings.ToLower(pkg), "json") {
		return false
	}
	for _, verb := range []string{"repair", "fix", "complete", "balance", "close"} {
		if strings.HasPrefix(n, verb) || strings.HasPrefix(n, "must"+verb) || strings.HasPrefix(n, "try"+verb) {
			return verb != "close" || n != "close"
		}
	}
	return false
}
