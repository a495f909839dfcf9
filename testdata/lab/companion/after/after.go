// Package after holds the code that docs/companion.md shows as right, one file a
// check: the same tasks as in package before, with the packages of stream/.
package after

// openAIChunk is the part of a chat completion chunk that an example reads.
type openAIChunk struct {
	Choices []struct {
		Delta struct {
			Content string `json:"content"`
		} `json:"delta"`
	} `json:"choices"`
}
