//go:build plan9 && !plan9

package tagged

//streamlint:ignore nosuch the file is not built
func f() {}
