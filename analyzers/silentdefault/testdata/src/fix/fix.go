package fix

import (
	"encoding/json"
	"io"
	"net/http"
)

type status struct{ Page string }

func get() (status, error) {
	var s status
	resp, err := http.Get("https://status.example/current")
	if err != nil {
		return s, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return s, err
	}
	json.Unmarshal(data, &s) // want `the error of json.Unmarshal is dropped`
	return s, nil
}

func list(resp *http.Response) ([]string, int, error) {
	var names []string
	if resp.StatusCode == http.StatusOK {
		_ = json.NewDecoder(resp.Body).Decode(&names) // want `the error of Decoder.Decode is dropped`
	}
	return names, len(names), nil
}

// No error to return: the reader has to decide.
func noError(data []byte) (s status) {
	json.Unmarshal(data, &s) // want `the error of json.Unmarshal is dropped`
	return s
}

// A zero value of a type parameter cannot be written.
func generic[T any](data []byte) (T, error) {
	var v T
	json.Unmarshal(data, &v) // want `the error of json.Unmarshal is dropped`
	return v, nil
}
