package modelcheck

import (
	"fmt"
	"go/types"

	"github.com/streamlint/streamlint/internal/model"
)

// callee is a function looked at by argument positions.
type callee struct {
	l   *library
	sig *types.Signature
}

// at gives the type at a position, counted as the tables do.
func (c *callee) at(pos int) (types.Type, error) {
	if c.sig.Recv() != nil {
		if pos == 0 {
			return c.sig.Recv().Type(), nil
		}
		pos--
	}
	if pos < 0 || pos >= c.sig.Params().Len() {
		return nil, fmt.Errorf("has no argument there: %s", c.sig)
	}
	return c.sig.Params().At(pos).Type(), nil
}

func (c *callee) isReceiver(pos int) bool { return pos == 0 && c.sig.Recv() != nil }

// results reports whether some result is of a kind.
func (c *callee) results(is func(types.Type) bool) bool {
	for v := range c.sig.Results().Variables() {
		if is(v.Type()) {
			return true
		}
	}
	return false
}

func (c *callee) need(what string, pos int, is func(types.Type) bool) error {
	if pos == model.Result {
		if !c.results(is) {
			return fmt.Errorf("%s: no such result in %s", what, c.sig)
		}
		return nil
	}
	t, err := c.at(pos)
	if err != nil {
		return fmt.Errorf("%s at %d: %w", what, pos, err)
	}
	if !is(t) {
		return fmt.Errorf("%s at %d: %s does not fit", what, pos, t)
	}
	return nil
}

func (c *callee) decoder(e model.Decoder) error {
	if err := c.need("document", e.Data, func(t types.Type) bool {
		return c.isReceiver(e.Data) || isText(t) || isReaderLike(t)
	}); err != nil {
		return err
	}
	if e.Into == model.Result {
		if c.sig.Results().Len() == 0 {
			return fmt.Errorf("Into is Result and there is none: %s", c.sig)
		}
	} else if err := c.need("target", e.Into, fills); err != nil && !c.isReceiver(e.Into) {
		return err
	}
	isBoolFunc := c.sig.Results().Len() == 1 && isBool(c.sig.Results().At(0).Type())
	switch hasErr := c.results(isError); {
	case e.Bool && !isBoolFunc:
		return fmt.Errorf("Bool is set: %s", c.sig)
	case e.Bool && e.Lenient:
		return fmt.Errorf("Bool and Lenient exclude each other")
	case e.Lenient && (hasErr || isBoolFunc):
		return fmt.Errorf("Lenient is set and there is a verdict: %s", c.sig)
	case !e.Bool && !e.Lenient && !hasErr && !isBoolFunc:
		return fmt.Errorf("no error result (Lenient?): %s", c.sig)
	case !e.Bool && isBoolFunc:
		return fmt.Errorf("Bool is not set: %s", c.sig)
	}
	return nil
}

func (c *callee) pass(e model.Pass) error {
	if len(e.Args) == 0 || c.sig.Results().Len() == 0 {
		return fmt.Errorf("nothing to pass: %s", c.sig)
	}
	for _, pos := range e.Args {
		if err := c.need("argument", pos, func(t types.Type) bool { return true }); err != nil {
			return err
		}
		if pos == model.Result {
			return fmt.Errorf("Result is no argument")
		}
	}
	return nil
}

func (c *callee) write(e model.Write) error {
	if err := c.need("accumulator", e.To, func(t types.Type) bool {
		return c.isReceiver(e.To) || fills(t) || types.IsInterface(t)
	}); err != nil {
		return err
	}
	if e.To == e.Arg || e.To == model.Result || e.Arg == model.Result {
		return fmt.Errorf("positions %d and %d", e.To, e.Arg)
	}
	return c.need("piece", e.Arg, func(t types.Type) bool { return true })
}

func (c *callee) source(e model.Source) error {
	if e.Stream {
		return c.need("stream", e.Out, func(t types.Type) bool { return !isText(t) && !isError(t) && !isBool(t) })
	}
	if e.Out == model.Result {
		return c.need("data", e.Out, func(t types.Type) bool { return !isError(t) && !isBool(t) && !isInt(t) })
	}
	return c.need("buffer", e.Out, fills)
}

func (c *callee) callback(e model.Callback) error {
	if e.State == model.NoState {
		return fmt.Errorf("no state")
	}
	t, err := c.at(e.Arg)
	if err != nil {
		return err
	}
	sig, ok := t.Underlying().(*types.Signature)
	if !ok {
		return fmt.Errorf("argument %d is %s, no function", e.Arg, t)
	}
	if e.Param < 0 || e.Param >= sig.Params().Len() {
		return fmt.Errorf("%s has no parameter %d", sig, e.Param)
	}
	return nil
}

func (c *callee) textSink(e model.TextSink) error {
	if e.How == "" {
		return fmt.Errorf("does not say how the text is lost")
	}
	if e.HasIf {
		if err := c.need("condition", e.If, isInt); err != nil {
			return err
		}
	}
	return c.need("text", e.Arg, func(t types.Type) bool {
		if e.Deep {
			return types.IsInterface(t) || isComposite(t) || isTypeParam(deref(t))
		}
		return isText(t) || isTextParam(t) || types.IsInterface(t) || variadicOf(t)
	})
}

func (c *callee) effect(e model.Effect) error {
	if e.Kind == 0 || e.Verb == "" || len(e.Args) == 0 {
		return fmt.Errorf("does not say what happens to what")
	}
	if e.Maybe && c.sig.Recv() == nil {
		return fmt.Errorf("Maybe is set and there is no receiver: %s", c.sig)
	}
	for i, pos := range e.Args {
		if err := c.need("what is applied", pos, func(t types.Type) bool {
			return !e.Text || i > 0 || isText(t) || c.isReceiver(pos)
		}); err != nil {
			return err
		}
	}
	return nil
}

func (c *callee) planReader(e model.PlanReader) error {
	if err := c.need("reader", e.Reader, isReaderLike); err != nil {
		return err
	}
	for _, name := range e.Items {
		obj, _, _ := types.LookupFieldOrMethod(c.sig.Results().At(0).Type(), true, nil, name)
		m, ok := obj.(*types.Func)
		if !ok {
			return fmt.Errorf("%s has no method %s", c.sig.Results().At(0).Type(), name)
		}
		item := &callee{l: c.l, sig: m.Signature()}
		if err := item.need("item of "+name, e.Out, func(t types.Type) bool { return e.Out == model.Result || fills(t) }); err != nil {
			return err
		}
	}
	return nil
}

func (c *callee) retry(e model.Retry) error {
	return c.need("operation", e.Op, func(t types.Type) bool {
		if _, ok := t.Underlying().(*types.Signature); ok {
			return true
		}
		return !isText(t) && !isInt(t) && !isBool(t) && !isError(t)
	})
}

func (c *callee) open(e model.Open) error {
	if c.sig.Results().Len() == 0 {
		return fmt.Errorf("gives nothing: %s", c.sig)
	}
	return nil
}

// limit checks that a duration stands where the line says, and something to limit.
func (c *callee) limit(e model.Limit) error {
	t, err := c.at(e.Arg)
	if err != nil {
		return err
	}
	if model.TypeName(t) != "time.Duration" {
		return fmt.Errorf("has a %s at %d, not a duration", t, e.Arg)
	}
	if e.On != model.Result {
		_, err = c.at(e.On)
		return err
	}
	if c.sig.Results().Len() == 0 {
		return fmt.Errorf("gives nothing: %s", c.sig)
	}
	return nil
}

// limitField checks that a field holds a duration.
func limitField(o types.Object) error {
	if v, ok := o.(*types.Var); !ok || !v.IsField() || model.TypeName(v.Type()) != "time.Duration" {
		return fmt.Errorf("is no field of type time.Duration")
	}
	return nil
}

// live checks that a type has a way to take the next piece.
func live(o types.Object) error {
	for _, name := range []string{"Next", "Recv", "ResultChan"} {
		m, _, _ := types.LookupFieldOrMethod(types.NewPointer(o.Type()), true, o.Pkg(), name)
		if m == nil {
			m, _, _ = types.LookupFieldOrMethod(o.Type(), true, o.Pkg(), name)
		}
		if _, ok := m.(*types.Func); ok {
			return nil
		}
	}
	return fmt.Errorf("has no method that gives the next piece")
}

// field checks that a field can hold what its role says.
func field(o types.Object, role model.Role) error {
	v, ok := o.(*types.Var)
	if !ok || !v.IsField() {
		return fmt.Errorf("is a %T, not a field", o)
	}
	t := v.Type()
	fits := false
	switch role {
	case model.RoleDelta:
		fits = isComposite(t) || types.IsInterface(t) || isText(t)
	case model.RolePiece, model.RoleChunk:
		fits = isText(deref(t))
	case model.RoleFrame:
		fits = isText(deref(t))
	case model.RoleFinish:
		b, basic := deref(t).Underlying().(*types.Basic)
		fits = basic && b.Info()&(types.IsString|types.IsBoolean|types.IsInteger) != 0
	case model.RoleOutput, model.RoleWhole:
		fits = !isInt(t) && !isBool(t)
	}
	if !fits {
		return fmt.Errorf("role %d does not fit %s", role, t)
	}
	return nil
}

// named checks that a type can mean what its role says.
func named(o types.Object, role model.Role) error {
	tn, ok := o.(*types.TypeName)
	if !ok {
		return fmt.Errorf("is a %T, not a type", o)
	}
	switch role {
	case model.RoleDelta, model.RoleFinish, model.RoleWhole, model.RoleFrame, model.RoleChunk:
	default:
		return fmt.Errorf("role %d says nothing of a type", role)
	}
	if isComposite(tn.Type()) || types.IsInterface(tn.Type()) || isText(tn.Type()) {
		return nil
	}
	return fmt.Errorf("%s holds no data", tn.Type().Underlying())
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// isText: a string or bytes, under whatever name, or a list of them.
func isText(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok {
			return b.Kind() == types.Byte || b.Info()&types.IsString != 0
		}
		return isText(u.Elem())
	}
	return false
}

// isTextParam: a type parameter that stands for a string or bytes.
func isTextParam(t types.Type) bool {
	p, ok := t.(*types.TypeParam)
	if !ok {
		return false
	}
	iface, ok := p.Constraint().Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for e := range iface.EmbeddedTypes() {
		u, ok := e.(*types.Union)
		if !ok {
			return isText(e)
		}
		for i := range u.Len() {
			if isText(u.Term(i).Type()) {
				return true
			}
		}
	}
	return false
}

func isTypeParam(t types.Type) bool { _, ok := t.(*types.TypeParam); return ok }

func variadicOf(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && types.IsInterface(s.Elem())
}

// isReaderLike: something bytes are read from.
func isReaderLike(t types.Type) bool {
	if isTextParam(t) {
		return true
	}
	for _, name := range []string{"Read", "ReadValue", "Decode"} {
		if m, _, _ := types.LookupFieldOrMethod(t, true, nil, name); m != nil {
			return true
		}
	}
	return false
}

// fills: something a callee can write into.
func fills(t types.Type) bool {
	if isTypeParam(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Interface, *types.Pointer, *types.Map, *types.Chan:
		return true
	case *types.Slice:
		// Bytes, or the variadic rest of a call.
		return isText(t) || types.IsInterface(u.Elem())
	case *types.Struct:
		return true // reflect.Value and the like
	}
	return false
}

func isComposite(t types.Type) bool {
	switch u := deref(t).Underlying().(type) {
	case *types.Struct, *types.Map:
		return true
	case *types.Slice:
		return isComposite(u.Elem()) || types.IsInterface(u.Elem())
	}
	return false
}

func isBool(t types.Type) bool { return hasInfo(t, types.IsBoolean) }
func isInt(t types.Type) bool  { return hasInfo(t, types.IsInteger) }

func hasInfo(t types.Type, info types.BasicInfo) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&info != 0
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}
