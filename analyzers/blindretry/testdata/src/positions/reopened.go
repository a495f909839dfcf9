package positions

import (
	"bufio"
	"net/http"
	"sync"
)

// follow opens the log of a pod once more at every event after it has ended.
func follow(pods <-chan string, line func(string)) {
	open := &sync.Map{}
	start := func(pod string) {
		go func(pod string) {
			_ = func() error {
				if _, loaded := open.LoadOrStore(pod, true); loaded {
					return nil
				}
				defer open.Delete(pod)
				resp, err := http.Get("http://host/" + pod) // want `blindretry: http.Get opens the stream from the start again`
				if err != nil {
					return err
				}
				defer resp.Body.Close()
				sc := bufio.NewScanner(resp.Body)
				for sc.Scan() {
					line(sc.Text())
				}
				return sc.Err()
			}()
		}(pod)
	}
	for pod := range pods {
		start(pod)
	}
}

// nopeMarked keeps the mark.
func nopeMarked(pods <-chan string, line func(string)) {
	open := &sync.Map{}
	start := func(pod string) {
		go func(pod string) {
			if _, loaded := open.LoadOrStore(pod, true); loaded {
				return
			}
			resp, err := http.Get("http://host/" + pod)
			if err != nil {
				return
			}
			defer resp.Body.Close()
			sc := bufio.NewScanner(resp.Body)
			for sc.Scan() {
				line(sc.Text())
			}
		}(pod)
	}
	for pod := range pods {
		start(pod)
	}
}
