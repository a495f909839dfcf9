package streamflow

// Standard reports whether an import path is one of Go's own packages.
func Standard(path string) bool { return standard(path) }
