#!/usr/bin/env bash
# Builds the command twice, from two directories and with two build caches, in the way
# that docs/release.md gives, and compares the bytes.
set -euo pipefail

repo=$(cd "$(dirname "$0")/.." && pwd)
line=$(grep -m1 '^CGO_ENABLED=0 .*go build' "$repo/docs/release.md")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# The toolchain of the page need not be the one at hand; any is the same twice.
line=$(sed 's/GOTOOLCHAIN=[^ ]* //' <<<"$line")
for n in one two/deeper; do
	mkdir -p "$dir/$n" "$dir/cache"
	(cd "$repo" && git ls-files -z -c -o --exclude-standard | xargs -0 ls -d 2>/dev/null | tar -c -T - -f -) | tar -x -C "$dir/$n" -f -
	rm -rf "$dir/cache"
	(cd "$dir/$n" && GOFLAGS='' GOCACHE="$dir/cache" sh -c "$line")
done
sum() { sha256sum <"$dir/$1/streamlint"; }
if [ "$(sum one)" != "$(sum two/deeper)" ]; then
	echo "two builds differ: $(sum one), $(sum two/deeper)" >&2
	exit 1
fi
"$dir/one/streamlint" -version
echo "two builds are the same: $(sum one)"
