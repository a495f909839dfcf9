package wholefile

func h() {
	bad() // want `one: call of bad`
}
