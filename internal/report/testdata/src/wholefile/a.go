// Package wholefile has one file that is silenced as a whole.

//nolint:one
package wholefile

func bad() {}

func f() {
	bad()
}

func g() {
	bad()
}
