package otheros

func g() { bad() }

func bad() {}
