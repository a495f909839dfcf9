package driver

import "testing"

func TestRender(t *testing.T) {
	for name, c := range map[string]struct{ page, want string }{
		"plain text":      {"one\ntwo", "one\ntwo\n"},
		"heading":         {"## What is `bad`", "WHAT IS BAD\n"},
		"link and code":   {"see [the page](../x.md#y) of `io.Reader`", "see the page of io.Reader\n"},
		"fenced":          {"a\n\n```go\nfor {\n\tx[i](y)\n\n}\n```\n\nb", "a\n\n    for {\n        x[i](y)\n\n    }\n\nb\n"},
		"indented":        {"a:\n\n\tx := `y`", "a:\n\n    x := `y`\n"},
		"comment in code": {"```\n# not a heading\n| no table |\n```", "    # not a heading\n    | no table |\n"},
		"table": {
			"| flag | meaning |\n| --- | :-: |\n| `-a.b` | does `x` |\n| `-c` | says a great deal about many things that a reader of a page would like to know |",
			"  -a.b\n      does x\n  -c\n      says a great deal about many things that a reader of a page would like to\n      know\n",
		},
		"list": {"- one\n  more\n- two", "- one\n  more\n- two\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := render(c.page); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}
