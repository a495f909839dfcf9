#!/usr/bin/env bash
# Compares the cost of streamlint with that of plain "go vet ./...".
#
# usage: scripts/bench-vet.sh [-b BINARY] [-n ROUNDS] [-w WORKDIR] [MODULE@VERSION ...]
#
# Every run starts from the same state: all dependencies compiled, nothing
# vetted yet. For that the build cache is warmed once by "go list -export" and
# each run gets a copy of it made of hard links. The forms are run in turn,
# ROUNDS times, so that a machine that is busy for a while is so to all.
#
#   vet         go vet ./...
#   vettool     go vet -vettool=BINARY ./...
#   standalone  BINARY -test ./...     (what go vet looks at, tests included)
#   no-tests    BINARY ./...           (the default of the standalone form)
#   vet again, vettool again           the same commands on the cache they left
#
# CPU is user + system time of the command and all it started, RSS that of its
# largest process. The table shows the median of the rounds and, for the cold
# runs, the ratio to go vet. The work directory is kept and used again.
# Needs GNU time, as /usr/bin/time, and a file system with hard links.
set -euo pipefail

repo=$(cd "$(dirname "$0")/.." && pwd)
binary= rounds=3 work=${TMPDIR:-/tmp}/streamlint-bench
while getopts b:n:w: opt; do
	case $opt in
	b) binary=$(realpath -s "$OPTARG") ;;
	n) rounds=$OPTARG ;;
	w) work=$OPTARG ;;
	*) sed -n '4s/^# //p' "$0" >&2; exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- github.com/sashabaranov/go-openai@v1.42.0 github.com/tmc/langchaingo@v0.1.14 k8s.io/client-go@v0.37.2
[ -x /usr/bin/time ] || { echo "$0: needs GNU time as /usr/bin/time" >&2; exit 2; }

mkdir -p "$work"
work=$(cd "$work" && pwd)
if [ -z "$binary" ]; then
	binary=$work/streamlint
	(cd "$repo" && go build -o "$binary" ./cmd/streamlint)
fi

trap 'rm -rf "$work"/*.$$' EXIT # a second run may use the same directory

case $("$binary" -V=full) in
*buildID=*) ;;
*) echo "$0: $binary is no vettool" >&2; exit 2 ;;
esac

# run NAME CACHE COMMAND... appends "NAME cpu wall rss" to the results. Findings
# make the status 1, which is no failure here; no output at all would hide one.
run() {
	local name=$1 cache=$2 status=0
	shift 2
	GOCACHE=$cache GOFLAGS=-mod=mod /usr/bin/time -q -o "$work/time.$$" -f '%U %S %e %M' "$@" >"$work/out.$$" 2>"$work/err.$$" || status=$?
	if [ "$status" -gt 2 ]; then
		echo "$0: $name failed with status $status:" >&2
		tail -5 "$work/err.$$" >&2
		exit 1
	fi
	awk -v name="$name" '{ printf "%s %.2f %.2f %.0f\n", name, $1 + $2, $3, $4 / 1024 }' "$work/time.$$" >>"$results"
}

# median NAME COLUMN of the rounds.
median() {
	awk -v name="$1" -v col="$2" '$1 == name { print $col }' "$results" | sort -n |
		awk '{ v[NR] = $1 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

for module in "$@"; do
	name=${module//[\/@]/+}
	dir=$work/src/$name warm=$work/cache/$name results=$work/$name.results.$$
	if [ ! -d "$dir" ]; then
		mkdir -p "$work/src"
		from=$(cd "$work/src" && GOFLAGS=-mod=mod go mod download -json "$module" | sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p')
		cp -r "$from" "$dir.part"
		chmod -R u+w "$dir.part"
		mv "$dir.part" "$dir"
	fi
	cd "$dir"
	GOFLAGS=-mod=mod go mod download
	mkdir -p "$warm"
	# "-e": a package that does not build counts for every form alike.
	GOCACHE=$warm GOFLAGS=-mod=mod go list -e -export -compiled -test -deps ./... >/dev/null 2>&1
	: >"$results"
	for ((i = 0; i < rounds; i++)); do
		for form in vet vettool standalone no-tests; do
			rm -rf "$work/run.$$"
			cp -al "$warm" "$work/run.$$"
			case $form in
			vet) command=(go vet ./...) ;;
			vettool) command=(go vet -vettool="$binary" ./...) ;;
			standalone) command=("$binary" -test ./...) ;;
			no-tests) command=("$binary" ./...) ;;
			esac
			run "$form" "$work/run.$$" "${command[@]}"
			case $form in
			vet | vettool) run "$form-again" "$work/run.$$" "${command[@]}" ;;
			esac
		done
	done
	rm -rf "$work/run.$$"

	lines=$(find . -name '*.go' -not -path './vendor/*' -print0 | xargs -0 cat | wc -l)
	echo
	echo "$module, $(go list -e ./... | wc -l) packages, $lines lines; $(go env GOVERSION), median of $rounds"
	echo
	echo "| run | CPU s | wall s | peak RSS MB | CPU / go vet | RSS / go vet |"
	echo "| --- | ---: | ---: | ---: | ---: | ---: |"
	for form in vet vettool standalone no-tests vet-again vettool-again; do
		base=vet
		case $form in *-again) base=vet-again ;; esac
		awk -v form="$form" -v cpu="$(median $form 2)" -v wall="$(median $form 3)" -v rss="$(median $form 4)" \
			-v bcpu="$(median $base 2)" -v brss="$(median $base 4)" \
			'BEGIN { printf "| %s | %.1f | %.1f | %.0f | %.2f | %.2f |\n", form, cpu, wall, rss, cpu / bcpu, rss / brss }'
	done
done
