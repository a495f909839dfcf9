package apply

import (
	"fmt"
	"strings"
)

type kind uint8

const (
	end        kind = iota
	word            // a bare keyword or identifier
	identifier      // a quoted identifier; text is what is inside
	escaped         // a quoted identifier of PostgreSQL with escapes, U&"…"
	literal         // a string
	symbol          // anything else, one byte of it
	semicolon
)

type token struct {
	kind kind
	text string
}

// lexer cuts SQL into tokens and drops comments. It knows as much as is needed to
// find where a statement ends and which words stand outside of strings.
type lexer struct {
	text   string
	pos    int
	syntax Syntax
}

func (lx *lexer) has(s Syntax) bool { return lx.syntax&s != 0 }

// at returns the byte i places on, 0 at the end; the text holds no NUL.
func (lx *lexer) at(i int) byte {
	if lx.pos+i < len(lx.text) {
		return lx.text[lx.pos+i]
	}
	return 0
}

func (lx *lexer) next() (token, error) {
	for lx.pos < len(lx.text) {
		c := lx.at(0)
		switch {
		case isSpace(c):
			lx.pos++
		case c == '-' && lx.at(1) == '-' && (!lx.has(DashSpace) || lx.at(2) <= ' '), c == '#' && lx.has(HashComments):
			lx.skipLine()
		case c == '/' && lx.at(1) == '*':
			if err := lx.skipComment(); err != nil {
				return token{}, err
			}
		case c == ';':
			lx.pos++
			return token{kind: semicolon}, nil
		case c == '\'':
			return lx.quoted('\'', literal, lx.has(BackslashEscapes))
		case c == '"':
			return lx.quoted('"', identifier, lx.has(BackslashEscapes))
		case c == '`' && lx.has(Backticks):
			return lx.quoted('`', identifier, false)
		case c == '[' && lx.has(Brackets):
			return lx.bracketed()
		case (c == 'E' || c == 'e') && lx.at(1) == '\'' && lx.has(EscapeStrings):
			lx.pos++
			return lx.escapeString()
		case (c == 'U' || c == 'u') && lx.at(1) == '&' && lx.at(2) == '"' && lx.has(EscapeStrings):
			lx.pos += 2
			return lx.quoted('"', escaped, false)
		case c == '$' && lx.has(DollarQuotes):
			if tag, ok := lx.dollarTag(); ok {
				return lx.dollarQuoted(tag)
			}
			lx.pos++
			return token{symbol, "$"}, nil
		case startsWord(c):
			from := lx.pos
			for lx.pos < len(lx.text) && continuesWord(lx.at(0)) {
				lx.pos++
			}
			return token{word, lx.text[from:lx.pos]}, nil
		case c >= '0' && c <= '9':
			// One token up to its end, so that 1e5 has no word in it.
			from := lx.pos
			for lx.pos < len(lx.text) && (continuesWord(lx.at(0)) || lx.at(0) == '.') {
				lx.pos++
			}
			return token{symbol, lx.text[from:lx.pos]}, nil
		default:
			lx.pos++
			return token{symbol, lx.text[lx.pos-1 : lx.pos]}, nil
		}
	}
	return token{}, nil
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func startsWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

func continuesWord(c byte) bool { return startsWord(c) || c >= '0' && c <= '9' || c == '$' }

func (lx *lexer) skipLine() {
	if i := strings.IndexByte(lx.text[lx.pos:], '\n'); i >= 0 {
		lx.pos += i + 1
		return
	}
	lx.pos = len(lx.text)
}

func (lx *lexer) skipComment() error {
	if lx.has(ExecutableComments) && (lx.at(2) == '!' || lx.at(2) == 'M' && lx.at(3) == '!') {
		return fmt.Errorf("%w: a comment that is run", ErrNotRolledBack)
	}
	lx.pos += 2
	for depth := 1; depth > 0; lx.pos += 2 {
		// The next star or slash; one pass, however deep the comments go.
		for {
			i := strings.IndexAny(lx.text[lx.pos:], "*/")
			if i < 0 {
				return ErrUnfinished
			}
			lx.pos += i
			if lx.at(0) == '*' && lx.at(1) == '/' {
				depth--
				break
			}
			if lx.at(0) == '/' && lx.at(1) == '*' && lx.has(NestedComments) {
				depth++
				break
			}
			lx.pos++
		}
	}
	return nil
}

// quoted reads up to the closing quote; a doubled quote stands for one.
func (lx *lexer) quoted(quote byte, k kind, backslash bool) (token, error) {
	lx.pos++
	var text []byte
	from := lx.pos
	for lx.pos < len(lx.text) {
		switch c := lx.at(0); {
		case c == '\\' && backslash:
			lx.pos = min(lx.pos+2, len(lx.text))
		case c == quote && lx.at(1) == quote:
			text = append(text, lx.text[from:lx.pos+1]...)
			lx.pos += 2
			from = lx.pos
		case c == quote:
			text = append(text, lx.text[from:lx.pos]...)
			lx.pos++
			return token{k, string(text)}, nil
		default:
			lx.pos++
		}
	}
	return token{}, ErrUnfinished
}

// escapeString reads E'…' from its quote on. A string that follows after a line
// break continues it, escapes included.
func (lx *lexer) escapeString() (token, error) {
	for {
		tok, err := lx.quoted('\'', literal, true)
		if err != nil {
			return tok, err
		}
		behind := lx.pos
		for isSpace(lx.at(0)) || lx.at(0) == '-' && lx.at(1) == '-' {
			if lx.at(0) == '-' {
				lx.skipLine()
			} else {
				lx.pos++
			}
		}
		if lx.at(0) != '\'' {
			lx.pos = behind
			return tok, nil
		}
	}
}

func (lx *lexer) bracketed() (token, error) {
	i := strings.IndexByte(lx.text[lx.pos:], ']')
	if i < 0 {
		return token{}, ErrUnfinished
	}
	text := lx.text[lx.pos+1 : lx.pos+i]
	lx.pos += i + 1
	return token{identifier, text}, nil
}

// dollarTag returns the opening $tag$ at pos, if there is one ($1 is not).
func (lx *lexer) dollarTag() (string, bool) {
	for i := 1; ; i++ {
		switch c := lx.at(i); {
		case c == '$':
			return lx.text[lx.pos : lx.pos+i+1], true
		case startsWord(c), i > 1 && c >= '0' && c <= '9':
		default:
			return "", false
		}
	}
}

func (lx *lexer) dollarQuoted(tag string) (token, error) {
	from := lx.pos + len(tag)
	i := strings.Index(lx.text[from:], tag)
	if i < 0 {
		return token{}, ErrUnfinished
	}
	lx.pos = from + i + len(tag)
	return token{literal, lx.text[from : from+i]}, nil
}
