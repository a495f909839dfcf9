// Package dbtest runs package apply against real databases: SQLite in a file,
// PostgreSQL, and MariaDB under the MySQL dialect. It is a module of its own so that
// the drivers stay out of the main module's requirements.
//
// The PostgreSQL tests use the server that STREAMLINT_POSTGRES names (a connection
// string of pgx), the MySQL tests that of STREAMLINT_MYSQL (a data source name of
// go-sql-driver without a database), and are skipped without it. scripts/test-apply.sh
// installs and starts both and runs everything.
package dbtest
