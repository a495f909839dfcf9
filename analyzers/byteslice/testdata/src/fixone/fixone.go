// Package fixone imports nothing yet.
package fixone

func head(s string, n int) string {
	if len(s) > n {
		return s[:n] + "..." // want `cuts text`
	}
	return s
}
