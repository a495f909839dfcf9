package model

var stdTypes = []Type{
	// Every Read on one of these gives one datagram.
	{Name: "net.UDPConn", Role: RoleFrame, Mod: modStd},
	{Name: "net.IPConn", Role: RoleFrame, Mod: modStd},
}
