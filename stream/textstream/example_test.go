package textstream_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/streamlint/streamlint/stream/textstream"
)

// The two bytes of "é" arrive in two reads.
func ExampleDecoder() {
	chunks := [][]byte{[]byte("caf\xC3"), []byte("\xA9 done")}

	var d textstream.Decoder
	var text []byte
	var err error
	for _, chunk := range chunks {
		if text, err = d.Append(text, chunk); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%q, %d held back\n", text, d.Pending())
	}
	if text, err = d.Flush(text); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q\n", text)
	// Output:
	// "caf", 1 held back
	// "café done", 0 held back
	// "café done"
}

// A stream that ends inside a character is not a whole stream.
func ExampleDecoder_Flush() {
	var d textstream.Decoder
	text, _ := d.Append(nil, []byte("caf\xC3"))
	text, err := d.Flush(text)
	fmt.Printf("%q\n%v\n%v\n", text, err, errors.Is(err, io.ErrUnexpectedEOF))
	// Output:
	// "caf"
	// textstream: stream ended inside a character: C3 at byte 3
	// true
}

func ExampleNewWriter() {
	w := textstream.NewWriter(os.Stdout, textstream.Replace)
	for _, chunk := range []string{"caf\xC3", "\xA9 \xFF done\n"} {
		if _, err := w.Write([]byte(chunk)); err != nil {
			fmt.Println(err)
			return
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(w.Replaced(), "replaced")
	// Output:
	// café � done
	// 1 replaced
}

func ExampleNewReader() {
	r := textstream.NewReader(strings.NewReader("ok \xFF lost"), textstream.Strict)
	text, err := io.ReadAll(r)
	fmt.Printf("%q\n%v\n", text, err)
	// Output:
	// "ok "
	// textstream: invalid UTF-8 FF at byte 3
}

func ExampleTruncate() {
	fmt.Printf("%q\n", textstream.Truncate("naïve", 3))
	fmt.Printf("%q\n", textstream.Tail("naïve", 3))
	// Output:
	// "na"
	// "ve"
}
