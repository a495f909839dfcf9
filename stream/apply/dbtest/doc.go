// Package dbtest runs package apply against real databases: SQLite in a file and
// PostgreSQL. It is a module of its own so that the drivers stay out of the main
// module's requirements.
//
// The PostgreSQL tests use the server that STREAMLINT_POSTGRES names (a connection
// string of pgx) and are skipped without it. scripts/test-apply.sh installs and
// starts one and runs everything.
package dbtest
