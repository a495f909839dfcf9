#!/bin/sh
# Tests stream/apply against real SQLite, a real PostgreSQL and a real MariaDB. The
# two servers are installed from Debian's packages if they are not there and this
# runs as root; they are private ones, on sockets in a temporary directory. Without
# PostgreSQL this fails; without MariaDB its tests are skipped, and it says so.
# PG_BINDIR and MARIADB_BASEDIR (with bin/ and sbin/) name other places. Arguments
# go to go test:
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

basedir() {
	for d in "${MARIADB_BASEDIR:-}" /usr /usr/local; do
		if [ -n "$d" ] && [ -x "$d/bin/mariadb-install-db" ] && [ -x "$d/bin/my_print_defaults" ] && [ -x "$d/sbin/mariadbd" ]; then
			echo "$d"
			return
		fi
	done
}

maria=$(basedir)
if [ -z "$maria" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	# The core packages are programs alone and start nothing; mariadb-install-db
	# needs one of the client's.
	if DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends mariadb-server-core mariadb-client-core; then
		maria=$(basedir)
	fi
fi
[ -n "$maria" ] || echo "test-apply: no MariaDB, its tests are skipped; install mariadb-server-core and mariadb-client-core or set MARIADB_BASEDIR" >&2

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
	if [ -s "$dir/maria.pid" ]; then
		kill -9 "$(cat "$dir/maria.pid")" 2>/dev/null || true
	fi
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

if [ -n "$maria" ]; then
	$as "$maria/bin/mariadb-install-db" --no-defaults --basedir="$maria" --datadir="$dir/maria" \
		--auth-root-authentication-method=normal --skip-test-db >"$dir/log.maria" 2>&1 || {
		cat "$dir/log.maria" >&2
		exit 1
	}
	$as "$maria/sbin/mariadbd" --no-defaults --basedir="$maria" --datadir="$dir/maria" --lc-messages-dir="$maria/share/mysql" \
		--socket="$dir/maria.sock" --skip-networking --innodb-flush-log-at-trx-commit=0 --pid-file="$dir/maria.pid" \
		>>"$dir/log.maria" 2>&1 &
	n=0
	until [ -S "$dir/maria.sock" ]; do
		n=$((n + 1))
		if [ "$n" -gt 60 ]; then
			cat "$dir/log.maria" >&2
			exit 1
		fi
		sleep 1
	done
	STREAMLINT_MYSQL="root@unix($dir/maria.sock)/"
	export STREAMLINT_MYSQL
fi

cd "$here/stream/apply/dbtest"
STREAMLINT_POSTGRES="host=$dir user=streamlint dbname=postgres sslmode=disable" \
	go test -count=1 "$@" ./...
