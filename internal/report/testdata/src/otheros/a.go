package otheros

func f() {
	//streamlint:ignore one wrong on plan9 only
	g()
}
