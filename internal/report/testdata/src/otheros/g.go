//go:build !plan9

package otheros

func g() {}
