package streamflow

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// keepsText reports whether operand n of a formatting call with this format keeps
// its bytes as they are: %s and %v do (but not %v of bytes, which prints numbers),
// %x, %d, %q, %T and their kin give text of their own. Without a constant format
// every operand is taken to.
func keepsText(name string, args []ssa.Value, n int, t types.Type) bool {
	at := -1
	switch name {
	case "fmt.Sprintf":
		at = 0
	case "fmt.Appendf":
		at = 1
	}
	if at < 0 || at >= len(args) {
		return true
	}
	k, ok := args[at].(*ssa.Const)
	if !ok || k.Value == nil || k.Value.Kind() != constant.String {
		return true
	}
	verbs := FormatVerbs(constant.StringVal(k.Value))
	if n >= len(verbs) {
		return true
	}
	switch verbs[n] {
	case 's':
		return true
	case 'v':
		return !isBytes(t)
	}
	return false
}

// FormatVerbs gives the verbs of a format in the order of their operands; a format
// with explicit indexes or starred widths gives none.
func FormatVerbs(format string) []byte {
	var out []byte
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		for i++; i < len(format) && strings.IndexByte("+-# 0123456789.", format[i]) >= 0; i++ {
		}
		if i >= len(format) {
			break
		}
		switch format[i] {
		case '%':
		case '[', '*':
			return nil
		default:
			out = append(out, format[i])
		}
	}
	return out
}
