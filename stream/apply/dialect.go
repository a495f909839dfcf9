package apply

import "strconv"

// Dialect is what Apply must know of a database. Use [SQLite], [PostgreSQL],
// [MySQL], or fill one in for another database.
type Dialect struct {
	// Name is for messages.
	Name string
	// Placeholder returns the n-th parameter of a statement, from 1.
	Placeholder func(n int) string
	// RollsBackDDL says that CREATE, ALTER and DROP are undone by ROLLBACK. It is
	// false for databases that commit on their own before or after DDL. Then
	// plans may hold only statements that are known to be rolled back.
	RollsBackDDL bool
	// Never lists first words, in upper case, of statements that have effects
	// which ROLLBACK does not undo.
	Never []string
	// Blob is the column type for bytes; [NewTableQuarantine] needs it.
	Blob string
	// TableOptions stands behind the columns where EnsureTable makes a table.
	TableOptions string
	// Syntax says how text is read, beyond the standard's '…', "…", -- and /* */.
	Syntax Syntax
}

// Syntax is a set of lexical habits.
type Syntax uint16

const (
	// NestedComments: /* /* */ */ is one comment.
	NestedComments Syntax = 1 << iota
	// DollarQuotes: $$…$$ and $tag$…$tag$ are strings.
	DollarQuotes
	// EscapeStrings: E'…' knows backslash escapes.
	EscapeStrings
	// BackslashEscapes: '…' and "…" know backslash escapes.
	BackslashEscapes
	// HashComments: # starts a comment up to the end of the line.
	HashComments
	// DashSpace: -- starts a comment only before white space.
	DashSpace
	// ExecutableComments: /*! … */ is run. It is refused wherever it stands.
	ExecutableComments
	// Backticks: `…` is an identifier.
	Backticks
	// Brackets: […] is an identifier.
	Brackets
	// TriggerBodies: CREATE TRIGGER … BEGIN …; END is one statement.
	TriggerBodies
	// AtomicBodies: CREATE FUNCTION|PROCEDURE … BEGIN ATOMIC …; END is one.
	AtomicBodies
)

func question(int) string { return "?" }

func dollar(n int) string { return "$" + strconv.Itoa(n) }

// SQLite is the dialect of SQLite 3.
var SQLite = Dialect{
	Name: "SQLite", Placeholder: question, RollsBackDDL: true, Blob: "BLOB",
	// ATTACH and PRAGMA outlive the transaction.
	Never:  []string{"ATTACH", "DETACH", "PRAGMA", "VACUUM"},
	Syntax: Backticks | Brackets | TriggerBodies,
}

// PostgreSQL is the dialect of PostgreSQL with standard_conforming_strings on,
// its default.
var PostgreSQL = Dialect{
	Name: "PostgreSQL", Placeholder: dollar, RollsBackDDL: true, Blob: "BYTEA",
	// The server refuses most of these inside a transaction; COPY can write files
	// and run programs, LOAD changes the server process.
	Never:  []string{"COPY", "LOAD", "VACUUM", "DISCARD", "CHECKPOINT"},
	Syntax: NestedComments | DollarQuotes | EscapeStrings | AtomicBodies,
}

// MySQL is the dialect of MySQL and MariaDB, in which DDL commits on its own.
var MySQL = Dialect{
	Name: "MySQL", Placeholder: question, Blob: "LONGBLOB",
	// Whatever the server's defaults are: a job row that is not rolled back, that
	// cannot hold an error's text, or is found under another job's id in other
	// letter case, would be worth nothing.
	TableOptions: "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin",
	Syntax:       BackslashEscapes | HashComments | DashSpace | ExecutableComments | Backticks,
}
