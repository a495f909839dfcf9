package driver

import (
	"errors"
	"os"
)

// isTerminal reports whether what is written goes to somebody's screen.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull) // a character device too
	return err != nil || !os.SameFile(info, null)
}

// dumb reports whether a terminal knows no escape sequences.
func dumb(getenv func(string) string) bool { return getenv("TERM") == "dumb" }

// colorFlag is -color.
type colorFlag string

const (
	colorAuto   colorFlag = "auto"
	colorAlways colorFlag = "always"
	colorNever  colorFlag = "never"
)

func (c *colorFlag) String() string { return string(*c) }

func (c *colorFlag) Set(s string) error {
	switch colorFlag(s) {
	case colorAuto, colorAlways, colorNever:
		*c = colorFlag(s)
		return nil
	}
	return errors.New("want auto, always or never")
}

// on decides about colour. NO_COLOR, when it is not empty, and a dumb terminal count
// unless the user asks for colour.
func (c colorFlag) on(terminal bool, getenv func(string) string) bool {
	switch c {
	case colorAlways:
		return true
	case colorNever:
		return false
	}
	return terminal && getenv("NO_COLOR") == "" && !dumb(getenv)
}

// style marks parts of a text for a terminal that shows colours, or leaves it plain.
type style bool

func (s style) mark(code, text string) string {
	if !s || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) strong(text string) string { return s.mark("1", text) }
func (s style) alarm(text string) string  { return s.mark("1;31", text) }
func (s style) faint(text string) string  { return s.mark("2", text) }
