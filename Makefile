# Everything here needs Go and make, and fetches the rest at the first run. Besides:
#
#	race                a C compiler, as Go's race detector does
#	bench               bash
#	capture, clients    Node with npm
#	adapters, findings  Node with npm for those in TypeScript, Python 3.11 with venv,
#	                    Rust, and Java 17 with Maven for theirs; what has no toolchain is left out
#	scripts             bash, git, tar, Python 3; clang with libFuzzer (clang-14,
#	                    libclang-rt-14-dev), without which that part is passed over
#	picture             Node, Python 3, Chromium
#	vuln                the network
#
# make test passes over what needs Node, Python 3, Chromium or public data where
# they are not there. make help lists the targets.

SHELL := /bin/sh
GO ?= go
TOOL := $(GO) tool -modfile=$(CURDIR)/.ci/tools.mod
REPLYPROOF := $(GO) run ./cmd/replyproof

# Every module of the repository: the main one, those nested in it, and the
# example of somebody else's.
MODULES := $(sort $(patsubst %/go.mod,%,$(shell find . -name go.mod -not -path '*/node_modules/*' -not -path '*/testdata/*'))) \
	properties/testdata/downstream

FUZZTIME ?= 1m
NIGHT ?= 30m
SEED ?=
BENCH ?= .
REPORT ?= report
POWER_FUZZ ?= 30s
MUTANTS ?=
PLANTED ?= 90s
SOAK ?= 10m
# Each process sleeps for a second before it ends, unless it is told otherwise, and the
# tests of the command start hundreds.
GORACE ?= atexit_sleep_ms=50
seed := $(if $(SEED),--seed $(SEED))

# each runs $(1) in every module, goes on after a failure, and fails at the end.
define each
	@failed=; for m in $(MODULES); do \
		echo "== $$m: $(2)"; \
		( cd $$m && $(1) ) || failed="$$failed $$m"; \
	done; \
	if [ -n "$$failed" ]; then echo "failed:$$failed: $(2)" >&2; exit 1; fi
endef

.DEFAULT_GOAL := help
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*\#\# .*/\1/p' $(firstword $(MAKEFILE_LIST)))

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

build: ## build the command into bin/
	$(GO) build -o bin/replyproof ./cmd/replyproof

test: ## run the tests of every module
	$(call each,$(GO) test ./...,go test)

race: ## run the tests of the main module under the race detector
	GORACE="$(GORACE)" $(GO) test -race -timeout 30m ./...

fuzz: ## the main job: cases, properties and every fuzz target, in FUZZTIME (1m), and a summary
	$(REPLYPROOF) nightly ./... --for $(FUZZTIME) $(seed)

nightly: ## the same for a night: NIGHT (30m), with a report in REPORT (report)
	$(REPLYPROOF) nightly ./... --for $(NIGHT) --report-dir $(REPORT) $(seed)

check: ## judge the built-in classifier by construction, by relations and by the model
	$(REPLYPROOF) check --cases corpus,singles,pairs,random $(seed)

power: ## measure what finds each broken judge, and fail if one survives; the byte fuzzer gets POWER_FUZZ (30s)
	cd properties/broken/power && $(GO) run . -fuzz $(POWER_FUZZ) -out ../POWER.md

corpus: ## load and judge every case of the corpus
	$(REPLYPROOF) corpus verify

bench: ## the classifier beside its peers, and its cost by size, as tables of ratios
	@GO='$(GO)' BENCH='$(BENCH)' bash .ci/bench.sh

mutants: ## see whether the classifier's tests notice what changes it; some ten minutes. MUTANTS='-sample 300', '-run scan', '-keep DIR'
	cd .ci/mutants && $(GO) build -o $(CURDIR)/bin/mutants . && nice -n 19 $(CURDIR)/bin/mutants $(MUTANTS)

benchmarks: ## run the benchmarks of every module that match BENCH
	$(call each,$(GO) test -run='^$$' -bench='$(BENCH)' -benchmem ./...,go test -bench)

lint: fmt-check vet staticcheck tidy-check actionlint ## everything that finds faults without running the code

fmt-check: ## fail if gofmt would change a file
	@unformatted=$$(find . -name '*.go' -not -path '*/node_modules/*' -exec gofmt -l {} +); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:" >&2; echo "$$unformatted" >&2; exit 1; fi

vet: ## go vet in every module
	$(call each,$(GO) vet ./...,go vet)

staticcheck: ## staticcheck in every module
	$(call each,$(TOOL) staticcheck ./...,staticcheck)

tidy-check: ## fail if go mod tidy would change a module
	$(call each,$(GO) mod tidy -diff,go mod tidy -diff)

tidy: ## go mod tidy in every module
	$(call each,$(GO) mod tidy,go mod tidy)

actionlint: ## check the workflows
	$(TOOL) actionlint .github/workflows/*.yml

scripts: ## run the scripts of the nightly: CI's own, a planted crash, the builds for libFuzzer
	.ci/test-scripts
	.ci/planted $(PLANTED)
	.ci/libfuzzer 3

vuln: ## look for known vulnerabilities; asks the Go vulnerability database
	$(call each,$(TOOL) govulncheck ./...,govulncheck)

capture: ## play the frozen answers of real servers again and compare
	bash corpus/capture/run.sh

picture: ## draw the README's picture of a report anew; needs Node, Python and Chromium
	sh cmd/internal/htmlreport/testdata/picture.sh .github/report.png

adapters: ## install and build the adapters for real clients that the toolchains here suffice for
	@GO=$(GO) ./cmd/adapters/build.sh

findings: build adapters ## run every real client, twice, and write down what deviates; takes hours
	$(GO) run ./cmd/adapters/findings -reports $(REPORT)/findings

clients: ## run real clients against every scenario of serve, and compare with what is written; needs Node, takes five minutes
	cd cmd/internal/scenario/clients && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && \
		REPLYPROOF_CLIENTS=all $(GO) test -count=1 -timeout 15m ./...

soak: ## have fifty callers at once use serve for SOAK (10m), and fail if what it holds grows; Linux
	SOAK=$(SOAK) $(GO) test -count=1 -v -timeout 0 -run TestSoak ./cmd/replyproof

clean: ## remove what make left behind
	rm -rf bin night cmd/adapters/bin $(REPORT)
