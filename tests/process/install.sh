#!/usr/bin/env bash
# Installs the proxies of docs/production.md and the PostgreSQL and pgBackRest of docs/backup.md that are missing: the Go tests start them.
exec "$(dirname "$0")/../debian.sh" nginx-light=nginx caddy=caddy postgresql-15=/usr/lib/postgresql/15/bin/postgres pgbackrest=pgbackrest
