package main

import (
	"testing"

	"github.com/streamlint/streamlint/internal/driver/drivertest"
)

// TestReview runs the scripts about reviews, on repositories that they make.
func TestReview(t *testing.T) { drivertest.Run(t, "testdata/review", "streamlint") }
