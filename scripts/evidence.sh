#!/usr/bin/env bash
# Runs streamlint on real modules and counts what it reports.
#
# usage: scripts/evidence.sh [-b BINARY] [-l LIST] [-v VERDICTS] [-w WORKDIR] [MODULE@VERSION ...]
#
# The modules come from LIST (scripts/evidence-modules.txt: "group module@version"
# a line) or, when some are named, only those. Each is downloaded by the go
# command, copied to a place where its go.mod may be written, compiled, and then
# checked as its author would check it: streamlint -json ./... at its root.
#
# The result is a table in Markdown on standard output and, in WORKDIR, the
# reports in full (reports.txt, one line each, with the places they refer to)
# and the JSON of every module (results/.../*.json).
#
#   packages   as "go list ./..." names them
#   lines      of their Go files without tests and without generated files
#              (which streamlint skips; they are counted as "generated")
#   CHECK      reports of that check
#   right, wrong, open   how a reader judged the reports (VERDICTS, by default
#              scripts/evidence-verdicts.tsv: module, file:line, check, verdict,
#              why); open are the debatable ones and those nobody has read
#   CPU s, MB  of the analysis alone, the largest process
#
# A result is kept for as long as the binary does not change, so that a broken
# run goes on where it stopped. Packages that do not build are named and part of
# no sum, and so is a module that does not load. "std" is the standard library of the go command.
# Needs jq and GNU time (/usr/bin/time).
set -euo pipefail

repo=$(cd "$(dirname "$0")/.." && pwd)
binary= list=$repo/scripts/evidence-modules.txt verdicts=$repo/scripts/evidence-verdicts.tsv
work=${TMPDIR:-/tmp}/streamlint-evidence
while getopts b:l:v:w: opt; do
	case $opt in
	b) binary=$(realpath -s "$OPTARG") ;;
	l) list=$OPTARG ;;
	v) verdicts=$OPTARG ;;
	w) work=$OPTARG ;;
	*) sed -n '4s/^# //p' "$0" >&2; exit 2 ;;
	esac
done
shift $((OPTIND - 1))
for tool in jq /usr/bin/time; do
	command -v "$tool" >/dev/null || { echo "$0: needs $tool" >&2; exit 2; }
done

mkdir -p "$work/src"
work=$(cd "$work" && pwd)
if [ -z "$binary" ]; then
	binary=$work/streamlint
	(cd "$repo" && go build -o "$binary" ./cmd/streamlint)
fi
results=$work/results/$(sha256sum "$binary" | cut -c1-12)
mkdir -p "$results"
checks=$("$binary" -h 2>&1 | awk '/^Checks:/ {on = 1; next} on && !NF {exit} on {print $1}')
[ -n "$checks" ] || { echo "$0: $binary lists no checks" >&2; exit 2; }

trap 'rm -f "$work"/*.$$' EXIT

export GOFLAGS=-mod=mod GOWORK=off

# unpack MODULE@VERSION DIR leaves a writable copy of the module in DIR.
unpack() {
	local from
	[ ! -e "$2/go.mod" ] || return 0
	from=$(cd "$work" && go mod download -json "$1" | jq -r 'if .Error then error(.Error) else .Dir end') || return 1
	rm -rf "$2" "$2.part"
	cp -r "$from" "$2.part"
	chmod -R u+w "$2.part"
	(
		cd "$2.part"
		# Old modules have no go.mod; others replace a module by the folder
		# beside them, which is not there.
		[ -e go.mod ] || go mod init "${1%@*}"
		go mod edit -json | jq -r '.Replace[]? | select(.New.Version == null) | .Old | .Path + if .Version then "@" + .Version else "" end' |
			while read -r old; do go mod edit -dropreplace="$old"; done
	) || return 1
	mv "$2.part" "$2"
}

# goFiles PATTERN lists packages and their Go files, without tests.
goFiles() {
	go list -e -f '{{$d := .Dir}}{{$p := .ImportPath}}{{range .GoFiles}}{{$p}}	{{$d}}/{{.}}{{"\n"}}{{end}}{{range .CgoFiles}}{{$p}}	{{$d}}/{{.}}{{"\n"}}{{end}}' "$1" | awk NF
}

# unchecked reads what streamlint said on standard error and prints the
# packages that did not build, or import one that does not.
unchecked() {
	sed -n 's/^# //p; s/^streamlint: \([^ :]*\): .*/\1/p' | sort -u
}

# countLines reads names of files and prints the sum of their lines.
countLines() {
	tr '\n' '\0' | xargs -0 -r cat | wc -l
}

# check MODULE@VERSION NAME writes NAME.json and NAME.row into the results.
check() {
	local dir=$work/src/$2 pattern=./... status=0 packages lines generated
	if [ "$1" = std ]; then
		dir=$(go env GOROOT)/src pattern=std
		export GOFLAGS=
	else
		export GOFLAGS=-mod=mod
		unpack "$1" "$dir" >"$results/$2.log" 2>&1 || return 1
	fi
	cd "$dir"
	# Compiling first keeps it out of the figures.
	go list -e -export -deps -f '{{.ImportPath}}' "$pattern" >/dev/null 2>"$results/$2.log" || return 1
	/usr/bin/time -q -o "$work/time.$$" -f '%U %S %M' "$binary" -json "$pattern" >"$work/json.$$" 2>"$results/$2.log" || status=$?
	# Names of files become those inside the module.
	sed "s|$dir/||g" "$work/json.$$" >"$results/$2.json"
	sed -i "s|$dir/||g" "$results/$2.log"
	unchecked <"$results/$2.log" >"$results/$2.unchecked"
	goFiles "$pattern" | awk -F'\t' 'FILENAME != "-" { skip[$1]; next } !($1 in skip) { print $2 }' "$results/$2.unchecked" - >"$work/files.$$"
	# Packages that do not build are named; anything else is a failure.
	if { [ "$status" -ne 0 ] && [ ! -s "$results/$2.unchecked" ]; } || [ ! -s "$work/files.$$" ] || ! jq -e . "$results/$2.json" >/dev/null; then
		echo "streamlint: status $status" >>"$results/$2.log"
		return 1
	fi
	packages=$(sed 's|/[^/]*$||' "$work/files.$$" | sort -u | wc -l)
	tr '\n' '\0' <"$work/files.$$" | xargs -0 grep -lE '^// Code generated .* DO NOT EDIT\.$' | sort >"$work/generated.$$" || true
	generated=$(countLines <"$work/generated.$$")
	lines=$(sort "$work/files.$$" | comm -23 - "$work/generated.$$" | countLines)
	printf '%s\t%s\t%s\t%s\n' "$packages" "$lines" "$generated" \
		"$(tail -1 "$work/time.$$" | awk '{printf "%.1f\t%d", $1 + $2, $3 / 1024}')" >"$results/$2.row"
}

# reports NAME prints "file:line<TAB>check<TAB>message" for each.
reports() {
	jq -r '.[] | to_entries[] | .key as $check | .value[] | [(.posn | sub(":[0-9]+$"; "")), $check, .message] | @tsv' "$results/$1.json" | sort -u
}

# inFull NAME prints the reports with the places they refer to.
inFull() {
	jq -r '.[] | .[][] | .posn + ": " + .message, (.related[]? | "\t" + .posn + ": " + .message)' "$results/$1.json"
}

if [ $# -gt 0 ]; then
	printf 'named %s\n' "$@" >"$work/modules.$$"
else
	grep -v '^#' "$list" | awk NF >"$work/modules.$$"
fi

failed=()
while read -r group module <&3; do
	name=$(printf %s "$module" | tr '/' '+')
	if [ ! -e "$results/$name.row" ]; then
		if (check "$module" "$name"); then
			echo "$module: $(reports "$name" | wc -l) reports" >&2
		else
			echo "$module: does not load: $(head -1 "$results/$name.log")" >&2
			failed+=("$module")
		fi
	fi
done 3<"$work/modules.$$"

[ -e "$verdicts" ] || verdicts=/dev/null
: >"$work/reports.txt"
for group in $(awk '!seen[$1]++ {print $1}' "$work/modules.$$"); do
	printf '\n### %s\n\n| module | version | packages | lines | generated |' "$group"
	printf ' %s |' $checks
	printf ' right | wrong | open | CPU s | MB |\n|---|---|--:|--:|--:|'
	for _ in $checks right wrong open cpu mb; do printf -- '--:|'; done
	printf '\n'
	while read -r g module; do
		name=$(printf %s "$module" | tr '/' '+')
		[ "$g" = "$group" ] && [ -e "$results/$name.row" ] || continue
		if [ "$module" = std ]; then version=$(go env GOVERSION); else version=${module#*@}; fi
		reports "$name" >"$work/found.$$"
		if [ -s "$work/found.$$" ]; then
			printf '## %s\n' "$module" >>"$work/reports.txt"
			inFull "$name" >>"$work/reports.txt"
		fi
		# A verdict is looked up by module, place and check.
		awk -F'\t' -v m="${module%@*}" -v v="$version" -v row="$(cat "$results/$name.row")" -v checks="$(echo $checks)" '
			FILENAME == ARGV[1] { verdict[$1, $2, $3] = $4; next }
			{ n[$2]++; k = verdict[m, $1, $2]; if (k == "right" || k == "wrong") j[k]++; else j["open"]++ }
			END {
				split(row, r, "\t"); k = split(checks, c, " ")
				printf "%s\t%s\t%d\t%d\t%d", m, v, r[1], r[2], r[3]
				for (i = 1; i <= k; i++) printf "\t%d", n[c[i]]
				printf "\t%d\t%d\t%d\t%s\t%d\n", j["right"], j["wrong"], j["open"], r[4], r[5]
			}' "$verdicts" "$work/found.$$"
	done <"$work/modules.$$" | awk -F'\t' '
		{ printf "|"; for (i = 1; i <= NF; i++) printf " %s |", $i; print ""
		  for (i = 3; i < NF; i++) sum[i] += $i; if ($NF > most) most = $NF; n++; cols = NF }
		END {
			if (!n) exit
			printf "| **%d modules** | |", n
			for (i = 3; i < cols - 1; i++) printf " %d |", sum[i]
			printf " %.1f | %d |\n", sum[cols - 1], most
		}'
done
while read -r _ module; do
	name=$(printf %s "$module" | tr '/' '+')
	[ -e "$results/$name.row" ] && [ -s "$results/$name.unchecked" ] || continue
	printf '\n`%s`: does not build here, so not checked and not counted: %s\n' "$module" "$(awk '{printf "%s`%s`", (NR > 1 ? ", " : ""), $1}' "$results/$name.unchecked")"
done <"$work/modules.$$"
for module in ${failed[@]+"${failed[@]}"}; do
	name=$(printf %s "$module" | tr '/' '+')
	printf '\n`%s` does not load: %s\n' "$module" "$(head -1 "$results/$name.log")"
done
