#!/usr/bin/env bash
# Runs each fuzz target of the tree for FUZZ_SECONDS (10 by default), FUZZ_JOBS targets at a time (2
# by default) with one worker each. Each package's test binary is built once, with the fuzzer's
# coverage counters. Inputs that reach new code are kept in Go's build cache between runs.
# FUZZ_COUNTERS=no builds without counters, and so without compiling all dependencies once more: CI
# would spend longer on that than on fuzzing.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-10}
jobs=${FUZZ_JOBS:-2}
counters=(-fuzz=.) # with -c, -fuzz only builds them in
[ "${FUZZ_COUNTERS:-yes}" = yes ] || counters=()
work=$(mktemp -d /tmp/plaza-fuzz.XXXXXX)
trap 'rm -rf "$work"' EXIT
cache=$(go env GOCACHE)/fuzz

mapfile -t folders < <(grep -rl --include='*_test.go' '^func Fuzz' server storage functions tests --exclude-dir=node_modules | xargs -r -n1 dirname | sort -u)

for folder in "${folders[@]}"; do
  go test -c -vet=off "${counters[@]}" -o "$work/bin/$folder.test" "./$folder"
done

# Reports whether the only failure is that the time was up while an input was being tried: the
# fuzzer of Go 1.26 sometimes ends with this error (golang/go#75804). A failing input is written to
# a file, which the log mentions.
ended_late() { # LOG
  grep -qx ' *context deadline exceeded' "$1" && ! grep -qE 'Failing input|panic:|_test\.go:' "$1"
}

# Runs one target in its package's folder, as `go test` does.
fuzz() { # FOLDER TARGET
  local log="$work/${1//\//_}.$2.log"
  if (cd "$1" && "$work/bin/$1.test" -test.run='^$' -test.fuzz="^$2\$" -test.fuzztime="${seconds}s" \
    -test.parallel=1 -test.fuzzcachedir="$cache/plaza/$1") >"$log" 2>&1; then
    printf 'ok      %s %s\n' "$1" "$2"
  elif ended_late "$log"; then
    printf 'ok      %s %s (its last input outlived the time)\n' "$1" "$2"
  else
    printf 'FAILED  %s %s\n' "$1" "$2"
    cat "$log"
    return 1
  fi
}
export -f fuzz ended_late
export work seconds cache

for folder in "${folders[@]}"; do
  grep -ho '^func Fuzz[A-Za-z0-9_]*' "$folder"/*_test.go | cut -c6- | sed "s|^|$folder |"
done >"$work/targets"
printf '%d fuzz targets, %s s each\n' "$(wc -l <"$work/targets")" "$seconds"
xargs -P "$jobs" -L 1 bash -c 'fuzz "$@"' fuzz <"$work/targets"
