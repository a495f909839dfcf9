// Package nearest finds what somebody meant by a name that does not exist.
package nearest

// Name gives the candidate that is spelled most like the name, or "" if none is
// near enough to be a slip of the pen: a third of the letters may differ.
func Name(name string, candidates []string) string {
	best, bestAt := "", len([]rune(name))/3+1
	for _, c := range candidates {
		if d := distance([]rune(name), []rune(c)); d < bestAt || d == bestAt && best == "" {
			best, bestAt = c, d
		}
	}
	if best == name {
		return ""
	}
	return best
}

// distance counts the insertions, deletions, changes and swaps of neighbours that
// lead from a to b.
func distance(a, b []rune) int {
	before, last := []int(nil), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range b {
			same := 1
			if a[i] == b[j] {
				same = 0
			}
			next[j+1] = min(last[j+1]+1, next[j]+1, last[j]+same)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, last = last, next
	}
	return last[len(b)]
}
