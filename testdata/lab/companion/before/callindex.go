package before

// toolCall is a call as it is collected.
type toolCall struct{ ID, Name, Arguments string }

func collect(chunks []openAIChunk) []toolCall {
	var calls []toolCall
	for _, chunk := range chunks {
		for _, c := range chunk.Choices {
			for _, tc := range c.Delta.ToolCalls {
				if tc.ID != "" {
					calls = append(calls, toolCall{ID: tc.ID, Name: tc.Function.Name})
				}
				calls[len(calls)-1].Arguments += tc.Function.Arguments // of whichever call came last
			}
		}
	}
	return calls
}
