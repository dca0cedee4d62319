#!/usr/bin/env bash
# Installs what tests/cluster needs and is missing.
exec "$(dirname "$0")/../debian.sh" patroni=patroni etcd-server=etcd python3-etcd=/usr/lib/python3/dist-packages/etcd haproxy=haproxy \
  pgbouncer=pgbouncer postgresql-15=/usr/lib/postgresql/15/bin/postgres nftables=nft iproute2=ip util-linux=setpriv
