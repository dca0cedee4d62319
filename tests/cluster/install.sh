#!/usr/bin/env bash
# Installs what tests/cluster needs and is missing: Debian's packages, without starting their services.
set -euo pipefail
declare -A program=(
  [patroni]=patroni [etcd-server]=etcd [python3-etcd]=- [haproxy]=haproxy [pgbouncer]=pgbouncer
  [postgresql-15]=/usr/lib/postgresql/15/bin/postgres [nftables]=nft [iproute2]=ip [util-linux]=setpriv
)
export PATH=$PATH:/usr/sbin:/sbin
missing=()
for package in "${!program[@]}"; do
  case ${program[$package]} in
    -) [ -d /usr/lib/python3/dist-packages/etcd ] || missing+=("$package") ;;
    *) command -v "${program[$package]}" >/dev/null || missing+=("$package") ;;
  esac
done
[ ${#missing[@]} -eq 0 ] && exit 0
echo "· installing ${missing[*]}"
# A package's service must not start: its port and its data are none of ours.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
  trap 'rm -f "$policy"' EXIT
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
