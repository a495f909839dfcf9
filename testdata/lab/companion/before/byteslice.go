package before

import "encoding/json"

func preview(answer string) ([]byte, error) {
	if len(answer) > 80 {
		answer = answer[:80] // may end inside a character
	}
	return json.Marshal(map[string]string{"preview": answer})
}
