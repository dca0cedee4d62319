#!/usr/bin/env bash
# Runs each fuzz target of the tree for some seconds: FUZZ_SECONDS, 10 by default.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-10}
grep -rl --include='*_test.go' '^func Fuzz' server storage functions tests | xargs -r -n1 dirname | sort -u | while read -r folder; do
  for target in $(grep -ho '^func Fuzz[A-Za-z0-9_]*' "$folder"/*_test.go | cut -c6-); do
    echo "▶ $folder $target"
    go test "./$folder" -run '^$' -fuzz "^$target\$" -fuzztime "${seconds}s"
  done
done
