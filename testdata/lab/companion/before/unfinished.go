package before

import (
	"bufio"
	"net/http"
	"strings"
)

func answer(resp *http.Response) string {
	var text strings.Builder
	sc := bufio.NewScanner(resp.Body)
	sc.Buffer(nil, maxLine)
	for sc.Scan() {
		if data, ok := strings.CutPrefix(sc.Text(), "data: "); ok {
			text.WriteString(data)
		}
	}
	return text.String() // whatever had come when the connection broke
}
