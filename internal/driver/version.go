package driver

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// build is what the go command recorded about the program.
type build struct {
	module   string
	version  string // "(devel)" where there is none
	revision string
	time     string
	modified bool
	goVers   string
}

func buildInfo() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = new(debug.BuildInfo)
	}
	return readBuild(info)
}

func readBuild(info *debug.BuildInfo) build {
	b := build{module: info.Main.Path, version: info.Main.Version, goVers: info.GoVersion}
	if b.version == "" {
		b.version = "(devel)"
	}
	if b.goVers == "" {
		b.goVers = runtime.Version()
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.revision = s.Value
		case "vcs.time":
			b.time = s.Value
		case "vcs.modified":
			b.modified = s.Value == "true"
		}
	}
	return b
}

// String is the version on one line.
func (b build) String() string {
	var parts []string
	if b.module != "" {
		parts = append(parts, b.module)
	}
	if b.revision != "" {
		parts = append(parts, "revision "+b.revision)
	}
	if b.time != "" {
		parts = append(parts, "of "+b.time)
	}
	if b.modified {
		parts = append(parts, "modified")
	}
	text := b.version
	if len(parts) > 0 {
		text += " (" + strings.Join(parts, ", ") + ")"
	}
	return fmt.Sprintf("%s built with %s for %s/%s", text, b.goVers, runtime.GOOS, runtime.GOARCH)
}

func (c *Command) printVersion() int {
	fmt.Fprintln(c.Stdout, c.Name, buildInfo())
	return exitClean
}
