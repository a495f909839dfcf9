package analyzers

// Fixable names the checks that suggest a fix where there is a safe one.
func Fixable() []string {
	return []string{"byteslice", "scanlimit", "silentdefault", "unfinished"}
}
