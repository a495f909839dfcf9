package generator

func f() {
	//streamlint:ignore one nothing is wrong
	g()
}

func g() {}
