#!/usr/bin/env bash
# Lists unreachable functions: in the packages of the product from its programs, and in all packages
# from programs and tests together. Exceptions are listed in tests/structure/deadcode.allow. Usage:
# tests/deadcode.sh DEADCODE
set -euo pipefail
cd "$(dirname "$0")/.."
deadcode=$1
allow=tests/structure/deadcode.allow
format='{{range .Funcs}}{{$.Path}} {{.Name}} {{.Position}}{{"\n"}}{{end}}'
found=$(mktemp)
trap 'rm -f "$found"' EXIT
# A function that only a test calls is still dead code.
"$deadcode" -f "$format" -filter '^plaza/(server|storage|functions|sql|client)' ./... >"$found"
"$deadcode" -test -f "$format" ./... >>"$found"
awk '
  FNR == NR { if ($0 !~ /^#/ && NF) { if (NF < 2) { print "deadcode.allow: " $1 " has no reason"; bad = 1 } allowed[$1] = 0 } next }
  NF {
    if ($1 in allowed) { allowed[$1]++; next }
    if ($1 "." $2 in allowed) { allowed[$1 "." $2]++; next }
    print $3 ": unreachable function " $2; bad = 1
  }
  END {
    for (name in allowed) if (!allowed[name]) { print "deadcode.allow: " name " matches nothing"; bad = 1 }
    exit bad
  }' "$allow" "$found"
