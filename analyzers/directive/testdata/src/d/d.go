package d

type Piece struct {
	//streamlint:fragment
	Body string
	//streamlint:frame
	Whole string
	/* want `directive: there is no directive streamlint:fragmnet, and this comment does nothing; fragment is meant\?` */ //streamlint:fragmnet
	Rest                                                                                                                  string
}

func f() {
	//streamlint:ignore silentdefault the peer sends plain text too
	f()
	//streamlint:ignore silentdefault,perchunkdecode the peer sends plain text too
	f()
	//streamlint:ignore all the peer sends plain text too
	f()
	//streamlint:ignore unusedignore needed on another machine
	f()
	/* want `there is no check called "slientdefault", and this ignore directive silences nothing of it; silentdefault is meant\?` */ //streamlint:ignore slientdefault a reason
	f()
	/* want `there is no check called "errcheck", and this ignore directive silences nothing of it$` */ //streamlint:ignore errcheck a reason
	f()
	/* want `there is no check called "lossy"` */ //streamlint:ignore lossyutf8,lossy a reason
	f()
	//streamlint:ignore lossyutf8 // want `this ignore directive has no reason and silences nothing; write //streamlint:ignore lossyutf8 REASON`
	f()
	//streamlint:ignore lossyutf8,blindretry // want `has no reason`
	f()
	//streamlint:ignore all // want `has no reason`
	f()
	//streamlint:ignore // want `names no check`
	f()
	/* want `parted by a space` */ //streamlint:ignore lossyutf8, blindretry a reason
	f()
	/* want `empty name` */ //streamlint:ignore lossyutf8,,blindretry a reason
	f()
	/* want `there is no directive streamlint:ingore, .*; ignore is meant\?` */ //streamlint:ingore lossyutf8 a reason
	f()
	/* want `there is no directive streamlint:disable, and this comment does nothing$` */ //streamlint:disable lossyutf8
	f()
	// streamlint:ignore lossyutf8 a reason // want `has no space after the slashes`
	f()
	// streamlint:ignore directives need a reason: text, no directive.
	f()
	//	//streamlint:ignore nosuch an example in a doc comment
	f()
	//nolint:nosuch // golangci-lint looks after it
	f()
}
