package strictjson

// Says tells whether a member that is there on failure, such as "error", says
// something: null, false and the empty string don't.
func Says(raw []byte) bool {
	switch string(raw) {
	case "", "null", "false", `""`:
		return false
	}
	return true
}

// Kind names the type of a raw value, "nothing" if there is none.
func Kind(raw []byte) string {
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}
