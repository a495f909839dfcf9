package toolcall

import "strings"

// decimal is a JSON number in a form that compares exactly and in time bounded
// by its length: value = ±0.digits × 10^exp, digits without zeros at either end.
// math/big would build 1e1000000000 in memory.
type decimal struct {
	neg    bool
	digits string
	exp    int64
}

// parseDecimal reads a number of JSON's grammar.
func parseDecimal(s string) decimal {
	var d decimal
	if strings.HasPrefix(s, "-") {
		d.neg = true
		s = s[1:]
	}
	mantissa, exp := s, int64(0)
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa = s[:i]
		exp = clampInt(s[i+1:])
	}
	whole, frac, _ := strings.Cut(mantissa, ".")
	d.digits = whole + frac
	d.exp = exp + int64(len(whole))
	lead := len(d.digits) - len(strings.TrimLeft(d.digits, "0"))
	d.digits = strings.TrimRight(d.digits[lead:], "0")
	d.exp -= int64(lead)
	if d.digits == "" {
		return decimal{} // zero has no sign
	}
	return d
}

// clampInt reads an exponent; beyond ±10^15 the exact value no longer matters.
func clampInt(s string) int64 {
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimLeft(s, "+-")
	n := int64(0)
	for _, ch := range s {
		if n = n*10 + int64(ch-'0'); n > 1e15 {
			n = 1e15
			break
		}
	}
	if neg {
		return -n
	}
	return n
}

// integer tells whether the value is a whole number; 1.0 and 1e2 are.
func (d decimal) integer() bool { return d.digits == "" || d.exp >= int64(len(d.digits)) }

func (d decimal) cmp(o decimal) int {
	switch {
	case d.digits == "" && o.digits == "":
		return 0
	case d.digits == "":
		return sign(!o.neg, -1)
	case o.digits == "":
		return sign(!d.neg, 1)
	case d.neg != o.neg:
		return sign(!d.neg, 1)
	}
	c := 0
	switch {
	case d.exp != o.exp:
		c = sign(d.exp > o.exp, 1)
	default:
		c = strings.Compare(d.digits, o.digits)
	}
	if d.neg {
		return -c
	}
	return c
}

func sign(keep bool, n int) int {
	if keep {
		return n
	}
	return -n
}
