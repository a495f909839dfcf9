// Package jsonrepair is a stand-in with the API only.
package jsonrepair

func JSONRepair(text string) (string, error) { return "", nil }
