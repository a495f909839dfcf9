package apply

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Why a statement is refused before anything runs. They are found with errors.Is
// under a [*StatementError].
var (
	// ErrTransactionControl: the statement would end or divide the transaction
	// that holds the plan together.
	ErrTransactionControl = errors.New("apply: transaction control inside a plan")
	// ErrNotRolledBack: the dialect cannot take the statement back.
	ErrNotRolledBack = errors.New("apply: the statement cannot be rolled back")
	// ErrMultiple: one string holds several statements, so that the plan's count
	// would prove nothing.
	ErrMultiple = errors.New("apply: several statements in one string")
	// ErrNoStatement: the text holds comments or semicolons only.
	ErrNoStatement = errors.New("apply: no statement in the string")
	// ErrUnfinished: the text ends inside a string, an identifier or a comment.
	ErrUnfinished = errors.New("apply: the statement ends inside a string, identifier or comment")
	// ErrJobTable: the statement names the table of the job rows.
	ErrJobTable = errors.New("apply: the statement names the job table")
	// ErrText: the text holds a NUL byte, where some drivers stop reading, or a
	// byte order mark, which SQLite takes for white space and others for a letter.
	ErrText = errors.New("apply: NUL byte or byte order mark in the statement")
)

// StatementError says which statement of a plan was refused or failed.
type StatementError struct {
	N         int    // from 1
	Of        int    // statements in the plan
	Statement string // its start, at most 80 bytes
	Err       error  // one of the errors above, or the database's
}

func (e *StatementError) Error() string {
	return fmt.Sprintf("statement %d of %d (%q): %v", e.N, e.Of, e.Statement, e.Err)
}

// Unwrap returns the reason.
func (e *StatementError) Unwrap() error { return e.Err }

// Every word with which a statement may begin, end or divide a transaction in any
// of the databases: no dialect has a harmless statement that starts with one.
var control = []string{
	"BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE", "SAVE", "XA",
}

// The statements that take part in a transaction in every database. In those that
// commit on their own, all others are refused: a list of what commits would be
// wrong with the next version.
var plain = []string{"INSERT", "UPDATE", "DELETE", "REPLACE", "SELECT", "WITH", "VALUES"}

// namesTable reports whether what follows the token may be the name of a table
// that is written to, in SQLite's grammar.
func (t token) namesTable() bool {
	switch t.kind {
	case word:
		switch strings.ToUpper(t.text) {
		case "FROM", "JOIN", "INTO", "ON", "TABLE", "EXISTS", "UPDATE", "ABORT", "FAIL", "IGNORE", "REPLACE", "ROLLBACK":
			return true
		}
	case symbol:
		return t.text == "."
	}
	return false
}

// check reads one statement. jobTable may have a schema before a dot.
func (d Dialect) check(statement, jobTable string) error {
	if strings.IndexByte(statement, 0) >= 0 || strings.Contains(statement, "\uFEFF") {
		return ErrText
	}
	table := jobTable[strings.LastIndexByte(jobTable, '.')+1:]
	lx := lexer{text: statement, syntax: d.Syntax}
	var words []string // the statement's bare words, in upper case
	body := false      // inside a compound body, where semicolons belong
	closed := false    // after the body's END
	afterSemicolon := false
	inBody := 0 // statements in the open body after its first
	var tok token
	for {
		before := tok
		var err error
		if tok, err = lx.next(); err != nil {
			return err
		}
		if tok.kind == end {
			break
		}
		if (tok.kind == word || tok.kind == identifier) && strings.EqualFold(tok.text, table) {
			return ErrJobTable
		}
		// SQLite takes a string for a name where only a name can stand.
		if tok.kind == literal && d.Syntax&Brackets != 0 && strings.EqualFold(tok.text, table) && before.namesTable() {
			return ErrJobTable
		}
		if tok.kind == escaped {
			return fmt.Errorf(`%w, or could: U&"…" can spell any name`, ErrJobTable)
		}
		if tok.kind == semicolon {
			if len(words) > 0 {
				afterSemicolon = true
			}
			continue
		}
		upper := ""
		if tok.kind == word {
			upper = strings.ToUpper(tok.text)
		}
		if afterSemicolon {
			afterSemicolon = false
			switch {
			case body && upper == "END":
				body, closed = false, true
				continue
			case slices.Contains(control, upper):
				return fmt.Errorf("%w: %s", ErrTransactionControl, upper)
			case !body:
				return ErrMultiple
			}
			inBody++
		}
		if closed {
			return ErrMultiple
		}
		switch {
		case upper != "":
		case len(words) > 0 || tok.kind == symbol && tok.text == "(":
			continue
		default:
			upper = tok.text // a symbol that no statement starts with
		}
		words = append(words, upper)
		if upper == "BEGIN" && !body && len(words) > 1 {
			body = d.opensBody(words, &lx)
		}
	}
	if len(words) == 0 {
		return ErrNoStatement
	}
	if body && inBody > 0 {
		// The body never ended, so its semicolons may have been borders.
		return ErrMultiple
	}
	return d.checkKind(words)
}

// opensBody reports whether BEGIN, the last of words, opens a compound body.
func (d Dialect) opensBody(words []string, lx *lexer) bool {
	if words[0] != "CREATE" {
		return false
	}
	head := words[:min(5, len(words))] // CREATE OR REPLACE TEMP TRIGGER
	if d.Syntax&TriggerBodies != 0 && slices.Contains(head, "TRIGGER") {
		return true
	}
	if d.Syntax&AtomicBodies == 0 || !slices.Contains(head, "FUNCTION") && !slices.Contains(head, "PROCEDURE") {
		return false
	}
	ahead := *lx
	tok, err := ahead.next()
	return err == nil && tok.kind == word && strings.EqualFold(tok.text, "ATOMIC")
}

func (d Dialect) checkKind(words []string) error {
	first := words[0]
	if slices.Contains(control, first) || first == "PREPARE" && len(words) > 1 && words[1] == "TRANSACTION" {
		return fmt.Errorf("%w: %s", ErrTransactionControl, strings.Join(words[:min(2, len(words))], " "))
	}
	if slices.Contains(d.Never, first) {
		return fmt.Errorf("%w: %s under %s", ErrNotRolledBack, first, d.Name)
	}
	if d.RollsBackDDL {
		return nil
	}
	if !slices.Contains(plain, first) {
		return fmt.Errorf("%w: %s commits on its own under %s; a plan for it may hold only %s",
			ErrNotRolledBack, first, d.Name, strings.Join(plain, ", "))
	}
	for _, w := range []string{"OUTFILE", "DUMPFILE"} {
		if slices.Contains(words, w) {
			return fmt.Errorf("%w: INTO %s writes a file", ErrNotRolledBack, w)
		}
	}
	return nil
}
