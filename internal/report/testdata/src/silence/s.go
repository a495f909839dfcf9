package silence

func bad() int { return 0 }

func plain() {
	bad() // want `one: call of bad`
}

func ignored() {
	bad() //streamlint:ignore one the line itself
	//streamlint:ignore one the line below
	bad()
	bad() // want `one: call of bad`
	//streamlint:ignore two,one one of several
	bad()
	//streamlint:ignore all whatever it is
	bad()
	//streamlint:ignore two another check
	bad() // want `one: call of bad`
	//streamlint:ignore one
	bad() // want `one: call of bad`
	//streamlint:ignore one with a second directive
	//streamlint:ignore two between it and the line
	bad()
	//streamlint:ignore one with a remark below:
	// bad is right here.
	bad()
	//streamlint:ignore one a block is not covered
	if true {
		bad() // want `one: call of bad`
	}
}

func nolint() {
	bad() //nolint
	bad() //nolint:one
	bad() //nolint:other,streamlint // why
	bad() // nolint:one
	bad() //nolint:other // want `one: call of bad`
	bad() //nolint:two // want `one: call of bad`
	//nolint:one // the line below
	bad()
	bad() // want `one: call of bad`
}

//nolint:one // the whole function
func covered() {
	bad()
	for range 3 {
		bad()
	}
}

// With a doc comment it is covered too.
//
//nolint:streamlint
func documented() {

	bad()
}

func after() {
	bad() // want `one: call of bad`
}

func blocks(x int) {
	//nolint:one // the loop
	for range x {
		bad()
		if x > 0 {
			bad()
		}
	}
	bad() // want `one: call of bad`

	//nolint:one // not above the statement:

	if x > 0 {
		bad() // want `one: call of bad`
	}
	switch x {
	//nolint:one // the case
	case 1:
		bad()
		bad()
	case 2:
		bad() // want `one: call of bad`
	}
	_ = []int{
		//nolint:one // the element
		func() int {
			return bad()
		}(),
		bad(), // want `one: call of bad`
	}
	//nolint:one // the statement over several lines
	both(1,
		bad())
	both(bad(), //nolint:one
		bad()) // want `one: call of bad`
	if x > 1 { //nolint:one // a line is a line
		bad() // want `one: call of bad`
	}
}

func both(a, b int) {}

var _ = bad() // want `one: call of bad`

//nolint:one
var (
	_ = bad()
	_ = bad()
)
