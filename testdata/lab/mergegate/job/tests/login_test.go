// Package tests is a job whose change does not work.
package tests

import "testing"

func TestLogin(t *testing.T) {
	t.Error("login: want status 200, got 500")
}
