# Everything here needs Go and make only, and make capture Node with npm; the
# rest is fetched at the first run.
# make help lists the targets.

SHELL := /bin/sh
GO ?= go
TOOL := $(GO) tool -modfile=$(CURDIR)/.ci/tools.mod
REPLYPROOF := $(GO) run ./cmd/replyproof

# Every module of the repository: the main one and those nested in it.
MODULES := $(sort $(patsubst %/go.mod,%,$(shell find . -name go.mod -not -path '*/node_modules/*' -not -path '*/testdata/*')))

FUZZTIME ?= 1m
NIGHT ?= 30m
SEED ?=
BENCH ?= .
REPORT ?= report
PLANTED ?= 90s
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
.PHONY: help build test race fuzz nightly check corpus bench lint fmt-check vet staticcheck tidy-check tidy actionlint scripts vuln capture clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

build: ## build the command into bin/
	$(GO) build -o bin/replyproof ./cmd/replyproof

test: ## run the tests of every module
	$(call each,$(GO) test ./...,go test)

race: ## run the tests of the main module under the race detector
	$(GO) test -race ./...

fuzz: ## the main job: cases, properties and every fuzz target, in FUZZTIME (1m), and a summary
	$(REPLYPROOF) nightly ./... --for $(FUZZTIME) $(seed)

nightly: ## the same for a night: NIGHT (30m), with a report in REPORT (report)
	$(REPLYPROOF) nightly ./... --for $(NIGHT) --report-dir $(REPORT) $(seed)

check: ## judge the built-in classifier by construction, by relations and by the model
	$(REPLYPROOF) check --cases corpus,singles,pairs,random $(seed)

corpus: ## load and judge every case of the corpus
	$(REPLYPROOF) corpus verify

bench: ## run the benchmarks of every module that match BENCH
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

clean: ## remove what make left behind
	rm -rf bin night $(REPORT)
