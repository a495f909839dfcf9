package model

import (
	"go/types"
	"strings"
	"sync"
)

var (
	once          sync.Once
	decoders      map[string]Decoder
	passes        map[string]Pass
	writes        map[string]Write
	sources       map[string][]Source
	fields        map[string]Role
	typeRoles     map[string]Role
	textSinks     map[string][]TextSink
	retries       map[string][]Retry
	opens         map[string]Open
	callbacks     map[string][]Callback
	effects       map[string]Effect
	effectPkgs    map[string]bool
	planReaders   map[string]PlanReader
	tablePackages map[string]bool

	incrementPackages map[string]bool
)

// FuncPackage gives the package part of a function's or method's or type's name
// as the tables write it. (The last element of an import path can hold dots, as in
// gopkg.in/yaml.v3, so the name is taken off from its end.)
func FuncPackage(name string) string {
	if recv, _, ok := strings.Cut(name, ")."); ok {
		name = strings.TrimPrefix(recv, "(")
	}
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		return name[:dot]
	}
	return name
}

// FieldPackage gives the package part of a field's name as the tables write it.
func FieldPackage(name string) string { return FuncPackage(FuncPackage(name)) }

func index() {
	once.Do(func() {
		tablePackages = make(map[string]bool)
		seen := func(name string) string { tablePackages[FuncPackage(name)] = true; return name }
		incrementPackages = make(map[string]bool)
		decoders = make(map[string]Decoder, len(Decoders))
		for _, e := range Decoders {
			decoders[seen(e.Func)] = e
		}
		passes = make(map[string]Pass, len(Passes))
		for _, e := range Passes {
			passes[seen(e.Func)] = e
		}
		writes = make(map[string]Write, len(Writes))
		for _, e := range Writes {
			writes[seen(e.Func)] = e
		}
		sources = make(map[string][]Source, len(Sources))
		for _, e := range Sources {
			sources[seen(e.Func)] = append(sources[e.Func], e)
		}
		for _, e := range Encoders {
			sources[seen(e.Func)] = append(sources[e.Func], e)
		}
		fields = make(map[string]Role, len(Fields))
		for _, e := range Fields {
			tablePackages[FieldPackage(e.Name)] = true
			fields[e.Name] = e.Role
			if e.Role == RoleDelta || e.Role == RolePiece || e.Role == RoleChunk {
				incrementPackages[FieldPackage(e.Name)] = true
			}
		}
		typeRoles = make(map[string]Role, len(Types))
		for _, e := range Types {
			typeRoles[seen(e.Name)] = e.Role
			if e.Role == RoleDelta || e.Role == RolePiece || e.Role == RoleChunk {
				incrementPackages[FuncPackage(e.Name)] = true
			}
		}
		textSinks = make(map[string][]TextSink, len(TextSinks))
		for _, e := range TextSinks {
			textSinks[seen(e.Func)] = append(textSinks[e.Func], e)
		}
		retries = make(map[string][]Retry, len(Retries))
		for _, e := range Retries {
			retries[seen(e.Func)] = append(retries[e.Func], e)
		}
		opens = make(map[string]Open, len(Opens))
		for _, e := range Opens {
			opens[seen(e.Func)] = e
		}
		for _, e := range Limits {
			seen(e.Func)
		}
		for _, e := range Watchers {
			seen(e.Func)
		}
		callbacks = make(map[string][]Callback, len(Callbacks))
		for _, e := range Callbacks {
			callbacks[seen(e.Func)] = append(callbacks[e.Func], e)
		}
		effects = make(map[string]Effect, len(Effects))
		effectPkgs = make(map[string]bool)
		for _, e := range Effects {
			effects[seen(e.Func)] = e
			effectPkgs[FuncPackage(e.Func)] = true
		}
		planReaders = make(map[string]PlanReader, len(PlanReaders))
		for _, e := range PlanReaders {
			planReaders[seen(e.New)] = e
		}
	})
}

// The Lookup functions take names made by FuncName, TypeName and FieldName.

// LookupDecoder gives the decoder entry of a function.
func LookupDecoder(name string) (Decoder, bool) { index(); e, ok := decoders[name]; return e, ok }

// LookupPass gives the pass-through entry of a function.
func LookupPass(name string) (Pass, bool) { index(); e, ok := passes[name]; return e, ok }

// LookupWrite gives the append entry of a method.
func LookupWrite(name string) (Write, bool) { index(); e, ok := writes[name]; return e, ok }

// LookupSources gives the source entries of a function.
func LookupSources(name string) []Source { index(); return sources[name] }

// FieldRole gives the role of a field, NoRole where the tables do not know it.
func FieldRole(name string) Role { index(); return fields[name] }

// TypeRole gives the role of a named type.
func TypeRole(name string) Role { index(); return typeRoles[name] }

// LookupTextSinks gives the text-sink entries of a function.
func LookupTextSinks(name string) []TextSink { index(); return textSinks[name] }

// LookupRetry gives the retry-library entry of a function; where major versions
// of a library differ it is the oldest one's. RetryOf knows them apart.
func LookupRetry(name string) (Retry, bool) {
	index()
	if es := retries[name]; len(es) > 0 {
		return es[0], true
	}
	return Retry{}, false
}

// RetryOf gives the retry-library entry of a function: of several, the one whose
// operation is a function in this version.
func RetryOf(fn *types.Func) (Retry, bool) {
	index()
	es := retries[FuncName(fn)]
	for _, e := range es {
		pos := e.Op
		if fn.Signature().Recv() != nil {
			pos--
		}
		params := fn.Signature().Params()
		if pos < 0 || pos >= params.Len() {
			continue
		}
		if _, ok := params.At(pos).Type().Underlying().(*types.Signature); ok {
			return e, true
		}
	}
	return Retry{}, false
}

// LookupOpen gives the stream-opening entry of a function.
func LookupOpen(name string) (Open, bool) { index(); e, ok := opens[name]; return e, ok }

// LookupCallbacks gives the callback entries of a function.
func LookupCallbacks(name string) []Callback { index(); return callbacks[name] }

// LookupEffect gives the effect entry of a function.
func LookupEffect(name string) (Effect, bool) { index(); e, ok := effects[name]; return e, ok }

// HasEffects reports whether the package with this import path has functions with
// effects.
func HasEffects(path string) bool { index(); return effectPkgs[Path(path)] }

// LookupPlanReader gives the entry of a function that makes a reader of items.
func LookupPlanReader(name string) (PlanReader, bool) {
	index()
	e, ok := planReaders[name]
	return e, ok
}

// StartsRule reports whether a call of the named function can be where a rule
// starts: a decoder, a source of chunks or streams, a call that opens or limits
// one, a retry library. Calls that only pass text on do not count.
func StartsRule(name string) bool {
	index()
	if _, ok := decoders[name]; ok {
		return true
	}
	if _, ok := opens[name]; ok {
		return true
	}
	if _, ok := retries[name]; ok {
		return true
	}
	if _, ok := LookupLimit(name); ok {
		return true
	}
	if _, ok := LookupWatcher(name); ok {
		return true
	}
	for _, s := range sources[name] {
		if s.State == Chunk || s.State == Fragment || s.State == Frame {
			return true
		}
	}
	return false
}

// HasIncrements reports whether the package with this import path has types or
// fields that carry increments or raw chunks: an importer can hand them on
// without calling anything that the tables know.
func HasIncrements(path string) bool {
	index()
	return incrementPackages[Path(path)]
}
