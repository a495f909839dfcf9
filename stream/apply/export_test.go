package apply

import "database/sql"

// OpenFake is for the examples, which have no real database at hand.
func OpenFake() *sql.DB { return sql.OpenDB(newFake()) }
