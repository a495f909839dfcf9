// Package sse reads server-sent events (text/event-stream).
//
// It has two parts. [Decoder] turns bytes into events by the rules of the
// WHATWG HTML standard, section 9.2.6, and nothing else: byte order mark, the
// three line ends in any mix, comments, persisting IDs, no event without its
// blank line. [Client] keeps a stream going over HTTP and knows when it is
// over: it reconnects with Last-Event-ID, drops what was delivered already,
// watches for silence, and ends with an error unless the event came that the
// protocol ends with.
//
// # Reading
//
// The pull form allocates nothing per event; data is valid until the next call:
//
//	d := sse.NewDecoder(body)
//	for {
//		ev, err := d.Next()
//		if err == io.EOF {
//			break // between events; says nothing about the protocol's own end
//		}
//		if err != nil {
//			return err // *IncompleteError, *TooLongError, *UTF8Error, *ReadError
//		}
//		use(ev.Data)
//	}
//
// The range forms, [Decoder.Events] and [Client.Stream], give events that the
// caller may keep.
//
// # What never happens
//
// An event that was cut by the end of the stream is never delivered, and an id
// in it does not count for a reconnect. How the stream was cut into reads does
// not show. No line is too long, only an event ([WithMaxEventSize]).
//
// A [Client] never takes the end of a connection for the end of the stream
// (unless told that the stream has no end, with [Endless]), and never sends a
// request again, once an event was delivered, from a position it does not know.
package sse
