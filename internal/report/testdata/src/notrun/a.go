package notrun

func f() {
	//streamlint:ignore two,all another check finds something here
	g()
}

func g() {}
