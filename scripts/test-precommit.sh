#!/usr/bin/env bash
# Tests the hooks of .pre-commit-hooks.yaml with the real pre-commit: on a scratch
# repository a bad commit has to be refused and a good one accepted. pre-commit comes
# from Debian's packages if there is none and this runs as root; where it cannot be
# had, the script says SKIPPED. Needs git and the module proxy.
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)

if ! command -v pre-commit >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	{ apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends pre-commit; } >/dev/null 2>&1 || true
fi
if ! command -v pre-commit >/dev/null; then
	echo "SKIPPED: there is no pre-commit here, so its hooks were not tested"
	exit 0
fi
pre-commit --version

dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
# Nothing of the user's own settings, and what Go has cached.
GOCACHE=$(go env GOCACHE) GOMODCACHE=$(go env GOMODCACHE)
export GOCACHE GOMODCACHE PRE_COMMIT_HOME="$dir/home" HOME="$dir" GIT_CONFIG_NOSYSTEM=1
cat >"$dir/.gitconfig" <<END
[user]
	name = Test
	email = test@example.test
[init]
	defaultBranch = main
[advice]
	detachedHead = false
END

fail() {
	echo "test-precommit: $*" >&2
	exit 1
}

# The hooks' repository is the tree as it stands, committed or not.
mkdir "$dir/hooks"
(cd "$here" && git ls-files -z -c -o --exclude-standard | while IFS= read -r -d '' f; do [ -e "$f" ] && printf '%s\0' "$f"; done | tar -c --null -T - -f -) | tar -x -C "$dir/hooks" -f -
git -C "$dir/hooks" init -q
git -C "$dir/hooks" add -A
git -C "$dir/hooks" commit -q -m hooks
rev=$(git -C "$dir/hooks" rev-parse HEAD)

mkdir -p "$dir/app/good" "$dir/app/old"
cd "$dir/app"
git init -q
printf 'module example.test/app\n\ngo 1.25.0\n' >go.mod
cat >good/good.go <<'END'
package good

import (
	"encoding/json"
	"io"
)

func Read(body io.Reader) (v map[string]any, err error) {
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal(data, &v)
	return v, err
}
END
bad() {
	cat <<END
package $1

import (
	"encoding/json"
	"io"
)

func Read(body io.Reader) (v map[string]any, err error) {
	buf := make([]byte, 4096)
	n, err := body.Read(buf)
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal(buf[:n], &v)
	return v, err
}
END
}
bad old >old/old.go # was there before the hook
git add -A
git commit -q -m start

echo "-- pre-commit try-repo"
mkdir bad
bad bad >bad/bad.go
git add bad
if pre-commit try-repo "$dir/hooks" streamlint >"$dir/out" 2>&1; then
	fail "try-repo passes a bad change: $(cat "$dir/out")"
fi
grep -q '^bad/bad.go:.*perchunkdecode: ' "$dir/out" || fail "try-repo does not tell the finding: $(cat "$dir/out")"
if grep -q '^old/' "$dir/out"; then
	fail "a package that did not change was checked: $(cat "$dir/out")"
fi
git rm -q -r --cached bad
rm -r bad
printf '\n// Changed.\n' >>good/good.go
git add good
pre-commit try-repo "$dir/hooks" streamlint >"$dir/out" 2>&1 || fail "try-repo refuses a good change: $(cat "$dir/out")"
git commit -q -m "good"

# commits runs bad and good commits through the hook that git calls.
commits() {
	hook=$1 covers=$2
	echo "-- $hook"
	cat >.pre-commit-config.yaml <<END
repos:
  - repo: $dir/hooks
    rev: $rev
    hooks:
      - id: $hook
END
	git add .pre-commit-config.yaml
	git commit -q -n -m "config of $hook"
	pre-commit install >/dev/null
	mkdir -p "bad"
	bad bad >bad/bad.go
	git add bad
	if git commit -q -m bad >"$dir/out" 2>&1; then
		fail "$hook: the bad commit went through: $(cat "$dir/out")"
	fi
	grep -q '^bad/bad.go:.*perchunkdecode: ' "$dir/out" || fail "$hook does not tell the finding: $(cat "$dir/out")"
	git rm -q -r --cached bad
	rm -r bad
	printf '\n// Changed for %s.\n' "$hook" >>good/good.go
	git add good
	git commit -q -m good >"$dir/out" 2>&1 && accepted=yes || accepted=no
	# go vet looks at the whole module, so what was bad before still counts there.
	case $covers in
	changed) [ $accepted = yes ] || fail "$hook refuses a good commit: $(cat "$dir/out")" ;;
	module)
		[ $accepted = no ] || fail "$hook does not check the whole module"
		git rm -q -r old
		git commit -q -m "good, and nothing bad left" >"$dir/out" 2>&1 || fail "$hook refuses a good commit: $(cat "$dir/out")"
		;;
	esac
}
commits streamlint changed
if grep -q 'id: streamlint-system' "$here/.pre-commit-hooks.yaml"; then
	(cd "$dir/hooks" && GOBIN="$dir/bin" go install ./cmd/streamlint)
	PATH="$dir/bin:$PATH" commits streamlint-system changed
fi
# A commit that deletes the last file of a package, or touches no Go file, is no error.
git rm -q -r old
git commit -q -m "delete a package" >"$dir/out" 2>&1 || fail "a deletion is refused: $(cat "$dir/out")"
git revert -n HEAD >/dev/null 2>&1
git commit -q -n -m "bring it back"
echo text >README
git add README
git commit -q -m "no Go file" >"$dir/out" 2>&1 || fail "a change without Go files is refused: $(cat "$dir/out")"
commits streamlint-vet module
echo "pre-commit: all hooks refuse and accept what they should"
