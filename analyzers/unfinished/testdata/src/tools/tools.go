// Package tools holds tool calls that are put together from a stream.
package tools

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"os/exec"
	"strings"

	gpt "github.com/sashabaranov/go-openai"
)

type runner func(name, args string) error

func unasked(st *gpt.ChatCompletionStream, run runner) error {
	names := map[int]string{}
	args := map[int]string{}
	for {
		fr, err := st.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		for _, tc := range fr.Choices[0].Delta.ToolCalls {
			names[*tc.Index] += tc.Function.Name
			args[*tc.Index] += tc.Function.Arguments
		}
	}
	for i := range names {
		if err := run(names[i], args[i]); err != nil { // want `the finish reason is never read`
			return err
		}
	}
	return nil
}

func unaskedDecode(st *gpt.ChatCompletionStream) (map[string]any, error) {
	var args strings.Builder
	for {
		fr, err := st.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		for _, tc := range fr.Choices[0].Delta.ToolCalls {
			args.WriteString(tc.Function.Arguments)
		}
	}
	var v map[string]any
	err := json.Unmarshal([]byte(args.String()), &v) // want `the finish reason is never read`
	return v, err
}

func nopeAsked(st *gpt.ChatCompletionStream, run runner) error {
	names := map[int]string{}
	args := map[int]string{}
	var finish gpt.FinishReason
	for {
		fr, err := st.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		finish = fr.Choices[0].FinishReason
		for _, tc := range fr.Choices[0].Delta.ToolCalls {
			names[*tc.Index] += tc.Function.Name
			args[*tc.Index] += tc.Function.Arguments
		}
	}
	if finish != gpt.FinishReasonToolCalls {
		return errors.New("cut")
	}
	for i := range names {
		if err := run(names[i], args[i]); err != nil {
			return err
		}
	}
	return nil
}

// nopeText keeps the text and refuses tools.
func nopeText(st *gpt.ChatCompletionStream) (string, error) {
	text := ""
	for {
		fr, err := st.Recv()
		if errors.Is(err, io.EOF) {
			return text, nil
		}
		if err != nil {
			return "", err
		}
		text += fr.Choices[0].Delta.Content
	}
}

// nopeShown prints them.
func nopeShown(st *gpt.ChatCompletionStream) error {
	args := ""
	for {
		fr, err := st.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		for _, tc := range fr.Choices[0].Delta.ToolCalls {
			args += tc.Function.Arguments
		}
	}
	log.Println(args)
	return nil
}

// The text of an answer is run as a command.
func command(resp *http.Response) error {
	sc := bufio.NewScanner(resp.Body)
	text := ""
	for sc.Scan() {
		text += sc.Text()
	}
	if err := sc.Err(); err != nil {
		return err
	}
	return shell("sh", text) // want `run as a command and nothing showed that it was whole`
}

func shell(name, text string) error {
	args := []string{"-c"}
	args = append(args, text)
	return exec.Command(name, args...).Run()
}

func direct(resp *http.Response) error {
	sc := bufio.NewScanner(resp.Body)
	var sb strings.Builder
	for sc.Scan() {
		sb.WriteString(sc.Text())
	}
	if err := sc.Err(); err != nil {
		return err
	}
	return exec.Command("sh", "-c", sb.String()).Run() // want `run as a command`
}

func nopeMarked(resp *http.Response) error {
	sc := bufio.NewScanner(resp.Body)
	text, done := "", false
	for sc.Scan() {
		if sc.Text() == "data: [DONE]" {
			done = true
			break
		}
		text += sc.Text()
	}
	if err := sc.Err(); err != nil {
		return err
	}
	if !done {
		return io.ErrUnexpectedEOF
	}
	return shell("sh", text)
}

// nopeShownText prints it.
func nopeShownText(resp *http.Response) error {
	sc := bufio.NewScanner(resp.Body)
	text := ""
	for sc.Scan() {
		text += sc.Text()
	}
	log.Print(text)
	return sc.Err()
}
