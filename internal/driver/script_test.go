package driver_test

import (
	"testing"

	"github.com/streamlint/streamlint/internal/driver/drivertest"
)

func TestScript(t *testing.T) { drivertest.Run(t, "testdata/script", "toylint") }
