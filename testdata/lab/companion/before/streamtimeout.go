package before

import (
	"bufio"
	"net/http"
	"time"
)

var impatient = &http.Client{Timeout: 30 * time.Second} // for all of the answer

func read(url string, use func(line string)) error {
	resp, err := impatient.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	sc := bufio.NewScanner(resp.Body)
	sc.Buffer(nil, maxLine)
	for sc.Scan() {
		use(sc.Text())
	}
	return sc.Err()
}
