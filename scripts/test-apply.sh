#!/bin/sh
# Tests stream/apply against real SQLite and a real PostgreSQL. PostgreSQL is
# installed from Debian's packages if there is none and this runs as root; the
# server is a private one, on a socket in a temporary directory. Arguments go to
# go test:
#
#	scripts/test-apply.sh -short
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)

bindir() {
	for d in "${PG_BINDIR:-}" /usr/lib/postgresql/*/bin /usr/local/bin /usr/bin; do
		if [ -n "$d" ] && [ -x "$d/initdb" ] && [ -x "$d/pg_ctl" ]; then
			echo "$d"
			return
		fi
	done
}

bin=$(bindir)
if [ -z "$bin" ]; then
	if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
		echo "test-apply: no PostgreSQL; install the package postgresql or set PG_BINDIR" >&2
		exit 1
	fi
	# The package would start a cluster of its own; nobody needs it.
	mkdir -p /etc/postgresql-common
	[ -e /etc/postgresql-common/createcluster.conf ] ||
		echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
	apt-get update -q
	DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends postgresql
	bin=$(bindir)
fi

# Short, since a socket's path may not be longer than 107 bytes.
dir=$(mktemp -d /tmp/apply-pg.XXXXXX)
as=
if [ "$(id -u)" = 0 ]; then # the server refuses to run as root
	user=postgres
	id "$user" >/dev/null 2>&1 || user=nobody
	chown "$user" "$dir"
	as="setpriv --reuid=$user --regid=$(id -g "$user") --clear-groups"
fi

cleanup() {
	status=$?
	trap - EXIT
	(cd "$dir" && $as "$bin/pg_ctl" -D "$dir/data" -m immediate stop >/dev/null 2>&1) || true
	rm -rf "$dir"
	exit "$status"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

cd "$dir" # where the server's user may stand
$as "$bin/initdb" -D "$dir/data" -U streamlint -A trust -E UTF8 --locale=C --no-sync >"$dir/log.init" 2>&1 || {
	cat "$dir/log.init" >&2
	exit 1
}
$as "$bin/pg_ctl" -D "$dir/data" -l "$dir/data/log" -w -t 60 -s \
	-o "-c listen_addresses= -c unix_socket_directories=$dir -c fsync=off -c max_connections=100" start || {
	cat "$dir/data/log" >&2
	exit 1
}

cd "$here/stream/apply/dbtest"
STREAMLINT_POSTGRES="host=$dir user=streamlint dbname=postgres sslmode=disable" \
	go test -count=1 "$@" ./...
