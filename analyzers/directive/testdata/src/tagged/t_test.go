package tagged

//streamlint:ignore nosuch tests are left out unless asked for
func g() {}
