package before

import (
	"bufio"
	"net/http"
)

func events(resp *http.Response, use func(line []byte)) error {
	sc := bufio.NewScanner(resp.Body) // a line over 64 KiB ends it
	for sc.Scan() {
		use(sc.Bytes())
	}
	return sc.Err()
}
