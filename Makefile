# make demo and make test are all a fresh machine with a Swift toolchain needs: both install what is missing.
# Run make help for the rest.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
PREFIX ?= /usr/local
SECONDS ?= 60

# The program has the Swift runtime inside, where the toolchain can: it starts in a third of the time. It looks for
# libraries where the system does, not beside itself.
RELEASE := .build-release
ifeq ($(shell uname),Linux)
RELEASE_FLAGS := --static-swift-stdlib --disable-local-rpath -Xswiftc -use-ld=lld -Xlinker --gc-sections -Xlinker -s
# What the gate demands of any release: all functions are bound at the start, so that their table is read-only
# afterwards, and crash reports can name the build.
RELEASE_FLAGS += -Xlinker -z -Xlinker now -Xlinker --build-id=sha1
# The same bytes in every folder: the compiler would put into each object a hash of code that has the paths of its
# source files, for use in its next run. Debugging information has paths, too, and is not linked anyhow.
RELEASE_FLAGS += -debug-info-format none -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen
# A program that starts pays for what it looks up by name: each generic type costs a search through all conformances, a tenth
# of the instructions of `signet verify`. So code names types by address. Nobody loads the program, so it exports nothing.
RELEASE_FLAGS += -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
RELEASE_FLAGS += -Xlinker --no-export-dynamic
# The runtime asks for C++'s library by name. A folder that is looked into first has one that is linked into the program.
STATIC := $(CURDIR)/.build-release-libraries
RELEASE_FLAGS += -Xswiftc '-L$(STATIC)' -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
# What was linked, for the bill of materials. It changes nothing in the program.
link-map = -Xlinker "-Map=$(CURDIR)/$(RELEASE)/$(1).map"
endif
SIGNET := $(RELEASE)/release/signet

.PHONY: help demo demo-plan test test-build quick night check bench fuzz interop conformance sanitize sanitize-address sanitize-threads vectors release release-flags man docs install dist dist-gate dist-twice clean

help: ## what can be made
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# What is missing is named once, before anything is built.
needs-%:
	@.ci/need build $*

demo: demo-plan needs-demo release ## sign, verify, tamper, see it refused; then a host with plugins, good ones and bad ones
	@Fixtures/demo $(SIGNET)

demo-plan:
	@echo 'make demo installs what is missing and names it first, builds the program, and shows ten steps with it.'
	@echo 'The first time, the program takes some six minutes on two cores, and the host and the plugins of step 7 two more.'

# The hosts are built where the tests are, before these run.
test: test-build ## build and run all tests
	@SIGNET_HOSTS="$(CURDIR)/.build/debug" .ci/test --skip-build

test-build:
	@.ci/need build test
	@.ci/build --build-tests
	@Fixtures/build

quick: ## build and run the tests that a change can affect, but the slow ones; SINCE=COMMIT says since when, ALL=1 runs all
	@.ci/need build test
	@ALL="$(ALL)" .ci/quick $(SINCE)

night: ## what needs hours or luck: new inputs, sanitizers, mutants, every system call, virgin folders, suites that are fetched, benchmarks
	@.ci/need build check demo test fuzz interop dist bench
	@.ci/night

check: ## format, import rules, file sizes
	@.ci/need build check
	@.ci/check

interop: needs-interop release ## our bundles read by others, theirs by us
	@Tests/Interop/run $(SIGNET)

conformance: needs-interop release ## the conformance suites of The Update Framework and of Sigstore, which are fetched
	@Tests/Interop/tuf_conformance $(SIGNET)
	@Tests/Interop/sigstore_conformance

fuzz: ## run each fuzz target for SECONDS=60, or with RUNS=N on as many inputs, nearly the same each time
	@.ci/need build fuzz
	@Fuzz/run $(SECONDS)

bench: ## measure against openssl, minisign, model_signing, jarsigner and others, into Benchmarks/RESULTS.md
	@.ci/need build bench
	@Benchmarks/run

sanitize: sanitize-address sanitize-threads ## run all tests under the address sanitizer, and all but the slow ones under the thread sanitizer

sanitize-address:
	@.ci/need build test
	ASAN_OPTIONS=detect_leaks=0 .ci/test --sanitize=address --scratch-path .build-address
	@# Leaks where the memory of C is handled. libcrypto has no frame pointers: without the slow unwinder no suppression
	@# could name a function of it, and with it all tests would take hours.
	ASAN_OPTIONS=fast_unwind_on_malloc=0 LSAN_OPTIONS="suppressions='$(CURDIR)/Tests/Sanitizers/leaks.txt':print_suppressions=0" \
		.ci/test --skip-build --sanitize=address --scratch-path .build-address \
		--filter 'SignetCryptoTests|SignetKeysTests|SignetArchiveTests|PluginKitTests' --skip 'ChainVector|Wycheproof|PKITS|Property|Fixture'

# Without the slow tests: they do one thing very often, and a race needs it once.
sanitize-threads:
	@.ci/need build test
	SIGNET_QUICK=1 TSAN_OPTIONS="suppressions='$(CURDIR)/Tests/Sanitizers/races.txt':halt_on_error=1" \
		.ci/test --sanitize=thread --scratch-path .build-thread

vectors: ## make the test vectors anew, with the keys that are there; fails where that changes a file
	@.ci/need test
	@Tests/Vectors/make

release: ## build the program as it is installed, and the one that it starts for other commands
	@.ci/need build
	@.ci/moved $(RELEASE)
ifdef STATIC
	@install -d "$(STATIC)" && rm -f "$(STATIC)/libstdc++.so"
	@library=$$(clang -print-file-name=libstdc++.a 2> /dev/null || true); \
	if [ -f "$$library" ]; then echo "INPUT(\"$$library\")" > "$(STATIC)/libstdc++.so"; fi
endif
	@# The second is made of parts of the first.
	for product in signet-tools signet; do swift build -c release --product $$product --scratch-path $(RELEASE) $(RELEASE_FLAGS) $(call link-map,$$product) || exit; done

# One a line, for Benchmarks/run, whose own process verifies too.
release-flags:
	@printf '%s\n' $(RELEASE_FLAGS)

man: release ## write the manual pages into docs/man, dated by the newest release, if what they are made from has changed
	@.ci/manual $(SIGNET)

docs: ## build the reference of each library with DocC, whose warnings are errors
	@.ci/need build
	@.ci/build
	@.ci/docc

install: release ## install program, manual pages, completions and sources for plugins below PREFIX=/usr/local
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1"
	install -m 0755 $(SIGNET) "$(DESTDIR)$(PREFIX)/bin/signet"
	install -d "$(DESTDIR)$(PREFIX)/libexec/signet"
	install -m 0755 $(SIGNET)-tools "$(DESTDIR)$(PREFIX)/libexec/signet/signet-tools"
	install -m 0644 docs/man/*.1 "$(DESTDIR)$(PREFIX)/share/man/man1/"
	@# What signet new module begins packages against, and with.
	rm -rf "$(DESTDIR)$(PREFIX)/share/signet"
	install -d "$(DESTDIR)$(PREFIX)/share/signet"
	cp -R Package.swift LICENSE Sources Templates "$(DESTDIR)$(PREFIX)/share/signet/"
	@# What messages and guides name.
	install -d "$(DESTDIR)$(PREFIX)/share/doc/signet/docs/guides" "$(DESTDIR)$(PREFIX)/share/doc/signet/docs/migrating" "$(DESTDIR)$(PREFIX)/share/doc/signet/Benchmarks"
	install -m 0644 README.md CHANGELOG.md ARCHITECTURE.md CONTRIBUTING.md SECURITY.md LICENSE "$(DESTDIR)$(PREFIX)/share/doc/signet/"
	install -m 0644 docs/*.md docs/*.json "$(DESTDIR)$(PREFIX)/share/doc/signet/docs/"
	install -m 0644 docs/guides/*.md "$(DESTDIR)$(PREFIX)/share/doc/signet/docs/guides/"
	install -m 0644 docs/migrating/*.md "$(DESTDIR)$(PREFIX)/share/doc/signet/docs/migrating/"
	install -m 0644 Benchmarks/RESULTS.md "$(DESTDIR)$(PREFIX)/share/doc/signet/Benchmarks/"
	@complete() { install -d "$$(dirname "$$2")"; $(SIGNET) --generate-completion-script "$$1" > "$$2"; }; \
	share="$(DESTDIR)$(PREFIX)/share"; \
	complete bash "$$share/bash-completion/completions/signet"; \
	complete zsh "$$share/zsh/site-functions/_signet"; \
	complete fish "$$share/fish/vendor_completions.d/signet.fish"
	@echo 'signet is installed in $(DESTDIR)$(PREFIX)/bin, its documents in $(DESTDIR)$(PREFIX)/share/doc/signet.'
	@case ":$$PATH:" in \
	*":$(PREFIX)/bin:"*) ;; \
	*) echo 'To run it by its name: export PATH="$(PREFIX)/bin:$$PATH"' ;; \
	esac

dist: ## make the files of a release in .build-dist/release: tarball, Debian package, bill of materials, checksums
	@.ci/need build dist
	@.ci/dist

dist-gate: ## sign a copy of them with a throwaway key, or them with KEY=FILE, and gate them: .build-dist/gate.html
	@.ci/need dist
	@.ci/dist-gate $(if $(KEY),"$(KEY)")

dist-twice: ## make them here and in a clone in another folder, and compare all bytes: takes a second build
	@.ci/need build dist
	@.ci/dist-twice

clean: ## remove what was built
	rm -rf .build .build-*
