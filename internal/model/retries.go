package model

// Retries are the functions that call an operation again after an error.
var Retries = []Retry{
	{Func: "github.com/cenkalti/backoff.Retry", Op: 0, Mod: modBackoffV4},
}
