#!/usr/bin/env bash
# Builds a golangci-lint with the plugin in golangci/ and tests it.
#
# usage: scripts/test-golangci.sh [-cached] [go test flags]
#
# The build needs the module proxy and, the first time, about 7 minutes of CPU and
# 900 MB; after that Go's build cache has it and it takes seconds. With -cached the
# script does nothing but say so if most of that is still to be done.
#
# "golangci-lint custom" makes the same program, and clones golangci-lint's repository
# for it. This script writes the main package itself: it needs no more than the proxy.
# The program is golangci-lint's, under its licence, and is only used here.
set -euo pipefail

version=v2.15.0
repo=$(cd "$(dirname "$0")/.." && pwd)
cached=
if [ "${1-}" = -cached ]; then
	cached=1
	shift
fi

if [ -n "$cached" ] && [ ! -d "$(go env GOMODCACHE)/github.com/golangci/golangci-lint/v2@$version" ]; then
	echo "SKIPPED: golangci-lint has not been downloaded; scripts/test-golangci.sh does it, and builds it"
	exit 0
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/main"
cd "$dir/main"
cat >go.mod <<END
module example.test/custom-gcl

go 1.26.0

require (
	github.com/golangci/golangci-lint/v2 $version
	github.com/streamlint/streamlint v0.0.0
	github.com/streamlint/streamlint/golangci v0.0.0
)

replace (
	github.com/streamlint/streamlint => $repo
	github.com/streamlint/streamlint/golangci => $repo/golangci
)
END
cat >main.go <<END
package main

import (
	"os"
	"runtime"

	"github.com/golangci/golangci-lint/v2/pkg/commands"
	_ "github.com/streamlint/streamlint/golangci"
)

func main() {
	info := commands.BuildInfo{Version: "${version#v}-custom", GoVersion: runtime.Version()}
	if err := commands.Execute(info); err != nil {
		os.Exit(3)
	}
}
END
export GOFLAGS="-mod=mod -buildvcs=false" GOWORK=off
if [ -n "$cached" ]; then
	# What is in the build cache is not compiled again, which -n tells.
	todo=$( (go build -trimpath -n . 2>&1 || true) | grep -c -E '/compile .* -p ' || true)
	if [ "$todo" -gt 150 ]; then
		echo "SKIPPED: $todo packages of golangci-lint are not built yet; scripts/test-golangci.sh builds them"
		exit 0
	fi
fi
go build -trimpath -o "$dir/custom-gcl" .
unset GOFLAGS GOWORK

(cd "$repo/golangci" && go vet ./... && go test ./...)
cd "$repo"
STREAMLINT_GOLANGCI=$dir/custom-gcl go test "$@" -count=1 -run Golangci ./internal/channels
