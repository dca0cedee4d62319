#!/usr/bin/env bash
# Installs those of Debian's packages that are missing, without starting their services. Each argument is
# PACKAGE=PROGRAM, or PACKAGE=PATH of one of its files.
set -euo pipefail
export PATH=$PATH:/usr/sbin:/sbin
missing=()
for argument; do
  package=${argument%%=*} provides=${argument#*=}
  case $provides in
    /*) [ -e "$provides" ] ;;
    *) command -v "$provides" >/dev/null ;;
  esac || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
  echo "· missing are Debian's ${missing[*]}, which only root can install" >&2
  exit 1
fi
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
