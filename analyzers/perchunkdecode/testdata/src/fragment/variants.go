package fragment

import "github.com/anthropics/anthropic-sdk-go"

// The SDK keeps the JSON that an increment came in: that is a whole document.
func nopeVariant(events []anthropic.MessageStreamEventUnion, show func(string)) error {
	for _, ev := range events {
		d, err := ev.Delta.AsTextDelta()
		if err != nil {
			return err
		}
		show(d.Text)
	}
	return nil
}

func pieceInHelper(events []anthropic.MessageStreamEventUnion, run func(map[string]any)) error {
	for _, ev := range events {
		d, err := ev.Delta.AsDocument() // want `AsDocument decodes a fragment`
		if err != nil {
			return err
		}
		run(d)
	}
	return nil
}
