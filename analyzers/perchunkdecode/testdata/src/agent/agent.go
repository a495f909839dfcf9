package agent

import (
	"encoding/json"

	"llm"

	openai "github.com/sashabaranov/go-openai"
)

type args map[string]any

func fromResult(st *openai.ChatCompletionStream) (a args, err error) {
	for {
		s, err := llm.Next(st)
		if err != nil {
			return a, err
		}
		if err := json.Unmarshal([]byte(s), &a); err != nil { // want `json.Unmarshal decodes a fragment`
			return a, err
		}
	}
}

func nopeJoinedResult(st *openai.ChatCompletionStream) (a args, err error) {
	all := ""
	for {
		s, err := llm.Next(st)
		if err != nil {
			break
		}
		all += s
	}
	return a, json.Unmarshal([]byte(all), &a)
}

func fromCallback(st *openai.ChatCompletionStream) (a args, err error) {
	err = llm.Each(st, func(piece string) error {
		return json.Unmarshal([]byte(piece), &a) // want `json.Unmarshal decodes a fragment`
	})
	return a, err
}

func nopeJoinedCallback(st *openai.ChatCompletionStream) (a args, err error) {
	all := ""
	if err := llm.Each(st, func(piece string) error {
		all += piece
		return nil
	}); err != nil {
		return a, err
	}
	return a, json.Unmarshal([]byte(all), &a)
}

func fromField(st *openai.ChatCompletionStream) (a args, err error) {
	for ev := range llm.Events(st) {
		if err := json.Unmarshal([]byte(ev.Args), &a); err != nil { // want `json.Unmarshal decodes a fragment`
			return a, err
		}
	}
	return a, nil
}

func nopeJoinedField(st *openai.ChatCompletionStream) (a args, err error) {
	all := ""
	for ev := range llm.Events(st) {
		all += ev.Args
	}
	return a, json.Unmarshal([]byte(all), &a)
}

func fromMark(ev llm.Event) (a args, err error) {
	err = json.Unmarshal([]byte(ev.Marked), &a) // want `json.Unmarshal decodes a fragment`
	return a, err
}

func fromIterator(st *openai.ChatCompletionStream) (a args, err error) {
	for s := range llm.Pieces(st) {
		if err := json.Unmarshal([]byte(s), &a); err != nil { // want `json.Unmarshal decodes a fragment`
			return a, err
		}
	}
	return a, nil
}

func nopeCollected(st *openai.ChatCompletionStream) (a args, err error) {
	err = json.Unmarshal([]byte(llm.Collect(st)), &a)
	return a, err
}
