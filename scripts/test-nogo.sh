#!/usr/bin/env bash
# Builds the nogo program of rules_go with the checks, as Bazel's rules would, and tests
# it: see TestNogo. The analyzers and the config are those of docs/integrations/bazel.md.
# Needs the module proxy. Arguments go to go test.
#
# nogo_main.go uses an internal package of x/tools, so the program is put together
# inside a copy of that module.
set -euo pipefail

rules=github.com/bazelbuild/rules_go@v0.65.0
tools=golang.org/x/tools@v0.51.0 # what these rules are built with

repo=$(cd "$(dirname "$0")/.." && pwd)
page=$repo/docs/integrations/bazel.md
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT

where() { (cd "$dir" && GOFLAGS=-mod=mod go mod download -json "$1") | sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p'; }
builders=$(where $rules)/go/tools/builders
cp -r "$(where $tools)" "$dir/tools"
chmod -R u+w "$dir/tools"
mkdir "$dir/tools/nogo" "$dir/tools/builder"

# Which files belong to which program, the rules' own BUILD file tells.
sources() { sed -n "/name = \"$1\"/,/\]/p" "$builders/BUILD.bazel" | sed -n 's/^ *"\([a-z0-9_]*\.go\)",$/\1/p'; }
for f in $(sources nogo_srcs); do cp "$builders/$f" "$dir/tools/nogo/"; done
for f in $(sources builder_srcs) path.go; do cp "$builders/$f" "$dir/tools/builder/"; done
chmod -R u+w "$dir/tools"

cd "$dir/tools"
cat >>go.mod <<END

require (
	github.com/aymanbagabas/go-udiff v0.4.1
	github.com/streamlint/streamlint v0.0.0
)

replace github.com/streamlint/streamlint => $repo
END
export GOFLAGS="-mod=mod -buildvcs=false" GOWORK=off
go build -ldflags "-X main.rulesGoStdlibPrefix=@rules_go//stdlib:" -o "$dir/builder" ./builder

# The config of the page, and the packages that it names.
sed -n '/^```json$/,/^```$/{/^```/d;p}' "$page" >"$dir/nogo.json"
imports=()
while read -r check; do
	imports+=(-analyzer_importpath "github.com/streamlint/streamlint/analyzers/$check")
done < <(sed -n 's/.*streamlint\/\/analyzers\/\([a-z0-9]*\)",.*/\1/p;s/.*streamlint_streamlint\/\/analyzers\/\([a-z0-9]*\)",.*/\1/p' "$page" | sort -u)
"$dir/builder" gennogomain -output nogo/main_gen.go -config "$dir/nogo.json" "${imports[@]}"
go build -o "$dir/nogo" ./nogo
unset GOFLAGS GOWORK

# A check that the page forgets is one that its readers do not get.
for check in $(cd "$repo" && sed -n 's/^\t\t\([a-z0-9]*\)\.Analyzer,$/\1/p' analyzers/analyzers.go); do
	grep -q "/analyzers/$check\"" "$page" || { echo "$page does not name $check" >&2; exit 1; }
done

cd "$repo"
STREAMLINT_NOGO=$dir/nogo go test "$@" -count=1 -run Nogo ./internal/channels
