//go:build ignore

package generator

func old() {}
