package quiet

//streamlint:ignore silentdefault
var _ = own
