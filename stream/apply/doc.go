// Package apply runs a plan of SQL statements in two phases: first the whole plan
// is received and proved complete, then every statement and a row for the job go
// into one transaction. There is no state in between: a plan that was cut on its
// way changes nothing, a statement that fails takes the others back with it.
//
// [Applier.Run] reads a plan from a stream, [Applier.Apply] takes one that
// [github.com/streamlint/streamlint/stream/envelope] has already proved whole.
// Both end in one [Outcome]:
//
//	outcome          when                                   written            retry
//	Applied          all proofs passed, commit done         statements, row    -
//	AlreadyApplied   this very job was applied before       nothing            -
//	Truncated        the bytes are no whole plan            row                new job id
//	CountMismatch    not as many statements as stated       row                new job id
//	DigestMismatch   digest or key is wrong                 row, quarantine    new job id
//	IdleTimeout      the stream fell silent                 row                new job id
//	Canceled         the context ended while receiving      row                new job id
//	Refused          whole, but not to be run (see below)   row                new plan
//	Failed           a statement or the commit failed       row, rolled back   new job id
//	JobSpent         the job id was used for something else nothing            new job id
//	Unavailable      the database could not be asked        nothing            same job id
//	Unknown          the commit's fate could not be found   ?                  Lookup first
//	Torn             a called procedure broke the promise   a part, row        a person
//
// Every outcome but the first two comes with an [*Error], which errors.As finds
// and which matches its Outcome in errors.Is. [Outcome.Ack] tells a queue consumer
// whether to acknowledge the message.
//
// # Job ids
//
// A job id is used once. The row of an applied job is written in the job's own
// transaction, first, so that of two deliveries at the same time one waits for the
// other and then finds the job done. All other rows burn their id: a later plan
// under it is JobSpent even if it is whole. When a refused plan's id cannot be
// read, or is already that of another row, its row gets a key that starts with "?",
// which no job id can.
//
// # What is refused
//
// Verification reads the statements, not only their number. Refused before the
// transaction starts: transaction control (BEGIN, COMMIT, ROLLBACK, SAVEPOINT and
// their like), more than one statement in one string, statements that the
// [Dialect] cannot roll back, statements that name the job table (or may, as every
// U&"…" of PostgreSQL), and text that ends inside a string or comment. MySQL and others commit on their own at any
// DDL, so under [MySQL] only INSERT, UPDATE, DELETE, REPLACE, SELECT, WITH and
// VALUES are accepted, and all tables need a transactional engine (InnoDB). The reading is
// lexical: what a function, trigger or procedure does when called is not seen.
// Such code cannot commit inside a transaction in SQLite or PostgreSQL; where it
// can, the outcome Torn says so afterwards. Sequences and session settings are not
// part of a transaction anywhere.
//
// # When the commit's answer is lost
//
// A connection may break between COMMIT and its answer. Apply then tries to insert
// a failed row under the same job id. The unique key decides: if the row goes in,
// the transaction can never commit; if it does not, the transaction has.
// Only when the database cannot be asked is the outcome Unknown.
//
// # Drivers
//
// The package imports database/sql and no driver. It is tested with SQLite,
// PostgreSQL and MariaDB in a module of its own, and with a driver that loses
// connections at the worst moments.
package apply
