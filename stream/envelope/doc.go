// Package envelope makes "did all of it arrive?" a question with a proof. Nothing
// in it turns a damaged message into a usable one: a message either passes every
// proof or gives an [*IncompleteError] that names the first proof that failed,
// and the types which carry the content ([Body], [Plan]) come out of a passed
// check only.
//
// # Envelope
//
// [Seal] writes, and [Open] and [Read] accept, this form and no other:
//
//	MC1 <length> <sha256>\n
//	<body>
//	\nEND\n
//
// length is the number of bytes after the header line, in decimal without sign or
// leading zeros. sha256 is the SHA-256 of those bytes in 64 lower-case hex
// digits. Both cover the body together with the sentinel "\nEND\n" that ends it.
// There is exactly one envelope for a body, and no proper prefix of an envelope
// is one.
//
// With [Require] the body must be one JSON object that holds the named fields.
// JSON is read strictly: one document, nothing after it, no key twice (also not
// in another case, which encoding/json takes for the same key), valid UTF-8,
// paired surrogates.
//
// # Apply plan
//
// A plan is a list of statements that take effect together or not at all (package
// apply runs it). It is one JSON object of exactly these members, trailer last:
//
//	{"tool":"schema_apply","job_id":"job-7","stmt_count":2,
//	 "digest":"sha256-framed:<hex>","statements":["...","..."],
//	 "trailer":"END_APPLY"}
//
// The digest names its algorithm, because there are two ways to join statements
// and they must not be taken for each other:
//
//   - sha256-framed, the default: SHA-256 over each statement written as its
//     length in bytes in decimal, a colon, the statement, a comma
//     ("3:abc,0:,"). No two lists of statements give the same input.
//   - sha256-lines, for producers that already exist: SHA-256 over the statements
//     joined with one newline between them and none after the last. A newline
//     inside a statement makes it ambiguous (["a\nb","c"] and ["a","b\nc"] agree),
//     so this package reads it and writes it only for statements without one.
//   - hmac-sha256-framed, with [HMACKey]: HMAC-SHA256 over the tool and the job id
//     framed in the same way, then the framed statements.
//
// # What a digest proves
//
// A SHA-256 proves that the message is whole, not who sent it: whoever can change
// the message can change the digest. Where that matters use [SealHMAC] and
// [HMACKey]; a keyed message has another magic word (MC1H) or algorithm name, and
// with a key given an unkeyed message is refused. An HMAC shows that the sender
// held the shared key. It is no signature (either side can make one), and it does
// not stop an old message from being sent again; the job id of a plan does.
package envelope
