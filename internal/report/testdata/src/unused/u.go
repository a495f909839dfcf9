package unused

func bad() {}

func fine() {}

func f() {
	//streamlint:ignore one it is right here
	bad() // two is not silenced

	//streamlint:ignore one,two it is right here
	bad()

	/* want `unusedignore: this directive silences nothing of one; take it away` */ //streamlint:ignore one nothing is wrong
	fine()

	fine() /* want `silences nothing of one, two; take it away` */ //streamlint:ignore one,two nothing is wrong

	/* want `silences nothing of all` */ //streamlint:ignore all nothing is wrong
	fine()

	//streamlint:ignore all it is right here
	bad()

	//streamlint:ignore elsewhere not ours to judge
	fine()

	/* want `silences nothing of one; leave only elsewhere` */ //streamlint:ignore elsewhere,one nothing is wrong
	fine()

	//streamlint:ignore one,unusedignore needed with another version of the library
	fine()

	//streamlint:ignore one
	fine()

	//nolint:one // nolintlint judges these
	fine()
}
