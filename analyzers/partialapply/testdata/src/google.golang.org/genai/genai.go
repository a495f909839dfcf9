// Package genai stands in for the SDK: its names and types, nothing more.
package genai

import (
	"context"
	"iter"
)

type FunctionCall struct {
	ID   string
	Name string
	Args map[string]any
}

type Part struct {
	Text         string
	FunctionCall *FunctionCall
}

type Content struct{ Parts []*Part }

type FinishReason string

type Candidate struct {
	Content      *Content
	FinishReason FinishReason
}

type GenerateContentResponse struct{ Candidates []*Candidate }

type Models struct{}

func (Models) GenerateContentStream(ctx context.Context, model string, contents []*Content) iter.Seq2[*GenerateContentResponse, error] {
	return nil
}

func (Models) GenerateContent(ctx context.Context, model string, contents []*Content) (*GenerateContentResponse, error) {
	return nil, nil
}
