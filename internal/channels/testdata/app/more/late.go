package more

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"
)

// Apply runs a plan while it is still coming in.
func Apply(ctx context.Context, db *sql.DB, body io.Reader) error {
	for dec := json.NewDecoder(body); ; {
		var stmt string
		err := dec.Decode(&stmt)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, stmt); err != nil {
			return err
		}
	}
}

var impatient = &http.Client{Timeout: 30 * time.Second}

// Follow gives an endless answer half a minute.
func Follow(url string, use func(line string)) error {
	resp, err := impatient.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	sc := bufio.NewScanner(resp.Body)
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		use(sc.Text())
	}
	return sc.Err()
}
