// Package schematest holds the logs that streamlint writes against the published
// schema of SARIF. It is a module of its own, so that a validator is no dependency of
// streamlint.
package schematest
