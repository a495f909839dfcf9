package model

// Callbacks are the functions that take a function and call it with stream data.
var Callbacks = []Callback{}
