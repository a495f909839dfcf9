package toolcall

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Result is the answer to one tool call, in no wire's own words. Each wire
// package turns it into its message.
type Result struct {
	CallID string
	// CallIDSynthetic says that the wire gave no id, so none is sent back.
	CallIDSynthetic bool
	Name            string
	Index           int
	Content         string // what the tool gave, or why it was not run
	IsError         bool
}

// NewResult answers a call.
func NewResult(c Call, content string) Result {
	return Result{CallID: c.id, CallIDSynthetic: c.synthetic, Name: c.name, Index: c.index, Content: content}
}

// ErrorResult answers a call with a tool's own error. The text goes to the model.
func ErrorResult(c Call, err error) Result { return errorResult(c, err.Error()) }

func errorResult(c Call, text string) Result {
	r := NewResult(c, text)
	r.IsError = true
	return r
}

// Rejections gives a result for every call of a refused turn, so that the model
// can try again: what is wrong for those at fault, "not run" for the others.
// Providers want an answer to each call of a turn. It gives nil unless Calls was
// called, the turn is whole and the model can mend the fault: a cut turn must be
// asked for again and not answered.
func (a *Assembler) Rejections() []Result { return append([]Result(nil), a.rejected...) }

// Rejections gives the same for calls that [Dispatcher.Run] refused to run: err is
// its error. It gives nil if something ran, or if the fault is not one that the
// model can mend.
func Rejections(calls []Call, err error) []Result {
	var e *Error
	if !errors.As(err, &e) {
		return nil
	}
	verdicts := make([]*Error, len(calls))
	found := false
	for i, c := range calls {
		if c.choice == e.Choice && c.index == e.Index && c.id == e.ID {
			verdicts[i], found = e, true
		}
	}
	if !found {
		return nil
	}
	return rejections(calls, verdicts)
}

// rejections answers calls by what is wrong with each, nil for nothing.
func rejections(calls []Call, verdicts []*Error) []Result {
	for _, e := range verdicts {
		if e != nil && !e.Kind.ModelFault() {
			return nil
		}
	}
	results := make([]Result, len(calls))
	for i, c := range calls {
		results[i] = errorResult(c, notRun)
		if e := verdicts[i]; e != nil {
			results[i] = errorResult(c, e.ForModel())
		}
	}
	return results
}

const notRun = "The tool was not run: another call of this turn was refused. Send this call again."

// ForModel says in words for the model what is wrong and what to do. It names
// keys and byte offsets but repeats no argument values.
func (e *Error) ForModel() string {
	why := "the call can't be read"
	switch e.Kind {
	case EmptyArguments:
		why = "the arguments are empty"
	case InvalidJSON:
		why = "the arguments are not one valid JSON document"
	case DuplicateKey:
		why = "an object has the same name twice"
	case NotObject:
		why = "the arguments must be a JSON object"
	case MissingRequired, Schema:
		why = "the arguments do not fit the tool's schema"
	case UnknownTool:
		why = "there is no tool of this name"
	case Unfit:
		why = "the arguments are refused"
	}
	if e.Err != nil {
		why += ": " + e.Err.Error()
	}
	return fmt.Sprintf("The tool was not run (%s): %s. Call it again with complete, valid arguments.", e.Kind, why)
}

// Marshal encodes a message for a provider. Unlike json.Marshal it leaves <, >
// and & as they are, which models read more easily. It is for values that can be
// encoded, and panics on others.
func Marshal(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("toolcall: " + err.Error())
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
