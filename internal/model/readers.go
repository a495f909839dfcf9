package model

// NetworkReaders are the named types whose Read gives bytes that come over a
// network, beside those that have the methods of a net.Conn.
var NetworkReaders = map[string]bool{
	"golang.org/x/crypto/ssh.Channel": true,
	"mime/multipart.Part":             true,
}
