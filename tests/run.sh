#!/usr/bin/env bash
# Runs the tests: all of them, or the named parts (go, client, conformance, install, e2e). The parts
# flaky, vitals and pictures run only when named. It installs a browser if none is found, starts a server
# for the parts that need one, and ends with a summary. `make test` calls it.
#
# The Go tests and the conformance suites mostly wait, for processes to start and to exit, so they
# run concurrently; the output of the Go tests is printed when both are done. The client's unit
# tests and the browser use the whole machine by themselves.
set -uo pipefail
cd "$(dirname "$0")/.."

parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(go client conformance install e2e)

work=$(mktemp -d /tmp/plaza-test.XXXXXX)
chmod 755 "$work"
server=
go=
: >"$work/summary"

finish() {
  if [ -n "$go" ]; then kill -INT -- "-$go" 2>/dev/null; wait "$go" 2>/dev/null; fi
  if [ -n "$server" ]; then kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; fi
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

step() { # NAME COMMAND…
  local name=$1 began=$SECONDS verdict='ok    '
  shift
  printf '\n▶ %s\n' "$name"
  "$@" || verdict=FAILED
  printf '  %s  %-34s %4d s\n' "$verdict" "$name" $((SECONDS - began)) >>"$work/summary"
}

wanted() {
  local part
  for part in "${parts[@]}"; do [ "$part" = "$1" ] && return 0; done
  return 1
}

free_port() {
  node --input-type=module -e 'import { freePort } from "./tests/conformance/server.mjs"; console.log(await freePort())'
}

# A server on a new data folder, with the demo data.
start_server() {
  local port
  port=$(free_port)
  export SUPABASE_URL="http://127.0.0.1:$port"
  # A page that is sent without its data is another page to a test, and this machine is busy.
  PLAZA_PORT=$port PLAZA_POSTGRES_PORT=$(free_port) PLAZA_DATA_DIR="$work/data" SITE_URL="$SUPABASE_URL" PLAZA_PAGE_TIMEOUT=30s \
    PLAZA_OPERATOR_NAME='Test SL' PLAZA_OPERATOR_ADDRESS='Carrer Major 1, Encamp' PLAZA_OPERATOR_EMAIL=hello@plaza.test \
    GOTRUE_PASSKEY_ENABLED=true GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED=true GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED=true \
    GOTRUE_MFA_PHONE_ENROLL_ENABLED=true GOTRUE_MFA_PHONE_VERIFY_ENABLED=true \
    GOTRUE_SMTP_MAX_FREQUENCY=0s GOTRUE_SECURITY_MANUAL_LINKING_ENABLED=true \
    GOTRUE_OAUTH_SERVER_ENABLED=true GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION=true \
    GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH=/oauth/consent bin/plaza serve >"$work/server.log" 2>&1 &
  server=$!
  until grep -qs 'Plaza is ready' "$work/server.log"; do
    if ! kill -0 "$server" 2>/dev/null; then cat "$work/server.log"; server=; return 1; fi
    read -rt 0.2 <> <(:) || :
  done
  local keys
  keys=$(PLAZA_DATA_DIR="$work/data" bin/plaza keys show)
  SUPABASE_ANON_KEY=$(awk '/^anon /{print $2}' <<<"$keys")
  SUPABASE_SERVICE_ROLE_KEY=$(awk '/^service_role /{print $2}' <<<"$keys")
  export SUPABASE_ANON_KEY SUPABASE_SERVICE_ROLE_KEY
}

need_server() {
  [ -n "$server" ] || step 'start a server with demo data' start_server
  [ -n "$server" ]
}

# Any Chromium works. The headless build needs little more than half the time, so CI installs it beside another one.
find_browser() {
  [ -z "${CHROMIUM:-}" ] || return 0
  local found='command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome || true'
  CHROMIUM=$(eval "$found")
  if [ -z "$CHROMIUM" ] || [ -n "${CI:-}" ] && [ "${CHROMIUM##*/}" != chromium-headless-shell ]; then
    echo 'installing Debian'\''s headless Chromium'
    apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium-headless-shell >/dev/null || [ -n "$CHROMIUM" ] || return 1
    CHROMIUM=$(eval "$found")
  fi
  export CHROMIUM
}

# Packages with goroutines, locks or state shared by requests. Their tests run once, with the race
# detector, and all others without it: building for it costs more than running. `make race` covers
# all packages.
raced=(
  ./server/claims ./server/pg ./server/rest ./server/http1 ./server/httpx ./server/spool ./server/auth ./server/auth/mailer
  ./server/auth/password ./server/auth/webhook ./server/pg/embedded ./server/pg/fetch ./server/docsite ./server/invoke ./server/edge ./server/ops
  ./server/realtime ./server/realtime/socket ./server/extensions ./server/geo ./server/inbox ./server/site ./storage ./storage/core ./storage/blob/disk ./storage/image
)

# Without vet, as `make lint` vets everything more thoroughly.
test_go() { go run ./tests/testkit/cmd/testpg go test -timeout 30m -vet=off -shuffle=on "$@"; }
race_tests() { test_go -race -timeout 15m "${raced[@]}"; }
other_go_tests() {
  local packages
  packages=$(comm -23 <(go list ./... | sort) <(go list "${raced[@]}" | sort)) || return 1
  # shellcheck disable=SC2086 # one word per package
  test_go $packages
}
go_tests() {
  step 'Go tests, race detector' race_tests
  step 'Go tests, other packages' other_go_tests
}
client_tests() { (cd client && npm test --silent); }
conformance() { (cd tests && node --test --test-force-exit --test-timeout=120000 "conformance/*.test.mjs" "conformance/auth/*.test.mjs"); }
data_api() {
  (cd tests && npx tsc -p conformance && PGRST_DB_TX_END=rollback-allow-override PGRST_DB_TX_ISOLATION=true PGRST_DB_AGGREGATES_ENABLED=true \
    node conformance/with-project.mjs conformance/rest/fixture node --test --test-force-exit --test-timeout=60000 "conformance/rest/*.test.mjs")
}
project_folder() {
  (cd tests && node conformance/with-project.mjs conformance/project node --test --test-force-exit --test-timeout=60000 "conformance/project/*.test.mjs")
}
moved_project() {
  (cd tests && node conformance/with-project.mjs conformance/move/project node --test --test-force-exit --test-timeout=120000 "conformance/move/*.test.mjs")
}
storage_api() {
  (cd tests && node conformance/with-project.mjs conformance/storage/project node --test --test-force-exit --test-timeout=60000 "conformance/storage/*.test.mjs")
}
realtime_api() {
  (cd tests && node conformance/with-project.mjs conformance/realtime/project node --test --test-force-exit --test-timeout=60000 "conformance/realtime/*.test.mjs")
}
edge_functions() {
  (cd tests && FUNCTIONS_TIMEOUT=10s FUNCTIONS_MAX_BODY_BYTES=1000000 \
    node conformance/with-project.mjs conformance/functions/project node --test --test-force-exit --test-timeout=60000 "conformance/functions/*.test.mjs")
}
supabase_cli() { (cd tests && node --test --test-force-exit --test-timeout=120000 "cli/*.test.mjs"); }
install() { (cd tests && node --test --test-force-exit --test-timeout=300000 "install/*.test.mjs"); }
# End-to-end tests N times each at a quarter of the processor's speed: those named in JOURNEYS,
# otherwise those changed since the previous commit, otherwise all.
flaky() {
  local journeys
  journeys=${JOURNEYS:-$(git diff --name-only --diff-filter=d HEAD~1 -- 'tests/e2e/*.spec.ts' | sed 's|^tests/||')}
  # shellcheck disable=SC2086 # one word per file
  (cd tests && E2E_SLOWDOWN=4 npx playwright test $journeys --config e2e/playwright.config.ts --repeat-each "${N:-20}" --reporter ./e2e/flaky-reporter.ts)
}
vitals() { (cd tests && node vitals/vitals.mjs); }
e2e() { (cd tests && E2E_REPORT="$work/unstable" npx playwright test --config e2e/playwright.config.ts); }
pictures() { (cd tests && npx playwright test --config pictures/playwright.config.ts); }

wanted client && step 'client unit tests' client_tests
wanted go && step 'find nginx, Caddy and pgBackRest' tests/process/install.sh
if wanted go; then
  printf '\n▶ Go tests begin; what they print follows\n'
  set -m # a process group of their own, which finish can end
  go_tests </dev/null >"$work/go.log" 2>&1 &
  go=$!
  set +m
fi
if wanted conformance && need_server; then
  step 'supabase-js conformance' conformance
  step 'the data API on a library' data_api
  step 'a Supabase project folder' project_folder
  step 'find psql' tests/debian.sh postgresql-client=psql # which restores a dump
  step 'a project moved from hosted' moved_project
  step 'the storage API' storage_api
  step 'the realtime API' realtime_api
  step 'functions in deno' edge_functions
  step 'the Supabase CLI' supabase_cli
fi
wanted install && step 'installation by npx' install
if [ -n "$go" ]; then
  wait "$go" || printf '  FAILED  Go tests were killed\n' >>"$work/summary"
  go=
  cat "$work/go.log"
fi
if wanted e2e && need_server; then
  step 'find a browser' find_browser
  step 'journeys in Chromium' e2e
fi
if wanted flaky && need_server; then
  step 'find a browser' find_browser
  step 'journeys again and again' flaky
fi
if wanted vitals && need_server; then
  step 'find a browser' find_browser
  step 'first visits on a slow phone' vitals
fi
if wanted pictures && need_server; then
  step 'find a browser' find_browser
  step 'pictures of every screen' pictures
fi

printf '\n────────────────────────────────────────────────────\n'
cat "$work/summary"
failed=$(grep -c '^  FAILED' "$work/summary")
# Again at the end, as a log is often cut to that.
[ "$failed" -eq 0 ] || cat "$work/unstable" 2>/dev/null
printf '%d passed, %d failed\n' $(($(wc -l <"$work/summary") - failed)) "$failed"
exit $((failed > 0))
