package uses

import "encoding/json"

type fieldLogger interface {
	Warn(msg string, fields map[string]any)
}

type namedCall struct {
	Name      string
	Arguments string
}

// The error goes into the fields of a log record and nowhere else.
func logsFields(log fieldLogger, calls []namedCall, run func(string, map[string]any)) {
	for _, c := range calls {
		var args map[string]any
		if err := json.Unmarshal([]byte(c.Arguments), &args); err != nil { // want `silentdefault: `
			log.Warn("bad arguments", map[string]any{"error": err.Error()})
			args = make(map[string]any)
		}
		run(c.Name, args)
	}
}

// The error goes into a map that is handed back.
func nopeErrorField(calls []namedCall) (out []map[string]any) {
	for _, c := range calls {
		res := map[string]any{}
		var args map[string]any
		if err := json.Unmarshal([]byte(c.Arguments), &args); err != nil {
			res["error"] = err.Error()
		}
		res["args"] = args
		out = append(out, res)
	}
	return out
}
