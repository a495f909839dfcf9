package jscan

// Says tells whether a member that is there on failure, such as "error", says
// something: null, false and the empty string don't.
func Says(raw []byte) bool {
	switch string(raw) {
	case "", "null", "false", `""`:
		return false
	}
	return true
}

// Text gives the bytes of a raw value: those within a string, the value as it
// stands if it is an object or another value, nothing for null.
func Text(raw []byte) []byte {
	if len(raw) == 0 || raw[0] == 'n' {
		return nil
	}
	if raw[0] != '"' {
		return raw
	}
	c := Cursor{Lone: true}
	c.Reset(raw)
	return c.String()
}
