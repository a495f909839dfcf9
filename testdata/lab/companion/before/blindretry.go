package before

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"time"
)

func ask(ctx context.Context, url, prompt string, onLine func(string)) error {
	var err error
	for attempt := range 3 {
		if err = attemptOnce(ctx, url, prompt, onLine); err == nil {
			return nil
		}
		time.Sleep(time.Duration(attempt+1) * time.Second)
	}
	return err
}

func attemptOnce(ctx context.Context, url, prompt string, onLine func(string)) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(prompt))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	for r := bufio.NewReader(resp.Body); ; {
		line, err := r.ReadString('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		onLine(line)
	}
}
