# The way in for people: `make demo` and `make test` say what is missing, or set it up, and run. The work is done by cargo, CMake and CTest.
# Everything that is built lies in target/ (cargo's tests) and build/.

PREFIX ?= /usr/local
DESTDIR ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# The kinds of machines that packages are made for.
ARCH ?= x86_64 aarch64

# CMake builds by make too; which folder it enters is of no interest.
MAKEFLAGS += --no-print-directory

# SETUP=yes: packages that are missing are installed. Else they are named, with the command that installs them.
SETUP ?= no
NEED := SETUP='$(SETUP)' sh scripts/setup.sh
# What `make fuzz` does, and with sanitizers a tenth of.
FUZZ_SEED ?= clock
FUZZ_CALLS ?= $(if $(filter fuzz-%,$(MAKECMDGOALS)),2000000,20000000)
FUZZ_DEVICE ?= host
FUZZ_OPTIONS = --device $(FUZZ_DEVICE) --seed $(FUZZ_SEED) --calls $(FUZZ_CALLS) --coverage

# Words that are right, though codespell would have others: names of types and variables.
SPELLED := statics,froms,inout,lod,ser,fro,crate,nd,fo,deques

# Found also where the shell's profile has not been read since Rust was installed.
export PATH := $(PATH):$(or $(CARGO_HOME),$(HOME)/.cargo)/bin

PICTURE := examples/data/landscape.ppm
DEMO_OUTPUT := build/demo

.DEFAULT_GOAL := help
.PHONY: help setup build header device-code demo demo-check drawing drawings answers test rust-test programs ctest soak fuzz fuzz-asan fuzz-tsan fuzz-locks bench valgrind bundle bundle-check package package-check wheels aarch64-test release-check lint msrv abi-check python docs docs-rust docs-check report-check install clean

help: ## show this list
	@echo "graphcap: capture GPU work from streams into graphs, replay it. Targets:"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: ## install what all targets need, as root by apt-get; else it tells the command
	@SETUP=yes sh scripts/setup.sh test bench lint

build: ## build the shared and the static library into build/cmake/library/stage/lib
	@$(NEED) build
	cmake --preset library
	cmake --build --preset library

header: ## regenerate include/graphcap.h from src/ffi
	@$(NEED) build
	GRAPHCAP_HEADER=write cargo build --features header
	python3 python/scripts/generate.py

device-code: # regenerate the PTX of all .cu files and the cubins of the library (needs clang 14 and ptxas)
	sh scripts/device_code.sh

demo: ## run the quickstart on a picture (PICTURE=file; one comes with it)
	@$(NEED) demo
	cmake --preset demo
	cmake --build --preset demo --target quickstart
	@mkdir -p $(DEMO_OUTPUT)
	@picture=$$(realpath '$(PICTURE)') && cd $(DEMO_OUTPUT) && ../cmake/demo/examples/c/quickstart "$$picture"
	@printf '\nThe outputs are in $(DEMO_OUTPUT):\n' && ls -l $(DEMO_OUTPUT)
	@printf '\nThe library of the demo is built to be there soon, and is not optimised. That of make build is, and is faster.\n'

demo-check: demo # run the demo, and test what the library of the demo answers where a feature was left out
	cmake --build --preset demo --target left_out
	./build/cmake/demo/c_tests/left_out/left_out

drawing: # draw the graph of the quickstart anew: docs/quickstart.dot and .svg (needs graphviz)
	@command -v dot >/dev/null || { echo 'graphviz is missing: install it, for example by apt-get install graphviz'; exit 1; }
	@$(NEED) demo
	cmake --preset demo
	cmake --build --preset demo --target quickstart
	@mkdir -p $(DEMO_OUTPUT)
	@picture=$$(realpath '$(PICTURE)') && cd $(DEMO_OUTPUT) && GRAPHCAP_DEVICE=host ../cmake/demo/examples/c/quickstart "$$picture"
	cp $(DEMO_OUTPUT)/edges.dot docs/quickstart.dot
	dot -Tsvg docs/quickstart.dot -o docs/quickstart.svg

drawings: # draw docs/architecture/*.dot anew, as .svg (needs graphviz)
	python3 scripts/drawings.py

answers: # write docs/driver-answers.md anew, from the rows of the tests
	@$(NEED) test
	cmake --preset test
	cmake --build --preset test --target answers

test: ## run what a change has to pass: Rust, C11, C++17, valgrind, header, package, Python
	@$(NEED) test
	@$(MAKE) programs & programs=$$!; $(MAKE) rust-test; rust=$$?; wait $$programs || exit; \
	[ $$rust -eq 0 ] || { echo 'make rust-test failed: its messages are further up'; exit $$rust; }
	@$(MAKE) ctest

# The link of the library takes one core for minutes, in which the Rust tests have the others.
rust-test: # run the Rust tests alone
	cargo test --workspace --features header

programs: # build what make ctest runs
	cmake --preset test
	cmake --build --preset test --parallel $(JOBS)

ctest: # run the tests that make programs built
	ctest --preset test --parallel $(JOBS)

valgrind: ## run all C tests under valgrind's memcheck
	@$(NEED) test
	cmake --preset soak
	cmake --build --preset soak --parallel $(JOBS)
	ctest --preset soak-rest --parallel $(JOBS) --label-regex '^valgrind$$'

soak: ## run all tests in every variant, the random ones at full length, the demo and the bundle
	@$(NEED) test bundle
	GRAPHCAP_SOAK=1 cargo test --workspace --profile soak --features header
	cmake --preset soak
	cmake --build --preset soak --parallel $(JOBS)
	GRAPHCAP_SOAK=1 ctest --preset soak
	ctest --preset soak-rest --parallel $(JOBS)
	@$(MAKE) demo-check
	@$(MAKE) bundle-check
	@if command -v abidiff >/dev/null; then sh scripts/abi/abi.sh check && sh scripts/abi/abi.sh plant; \
	else echo 'abi-check is skipped: abigail-tools are not installed'; fi

fuzz: ## call everything at random for some minutes (FUZZ_SEED=n, FUZZ_CALLS=n, FUZZ_DEVICE=host|cuda)
	@$(NEED) test
	cmake --preset test
	cmake --build --preset test --parallel $(JOBS) --target fuzz_c11
	./build/cmake/test/c_tests/fuzz/fuzz_c11 $(FUZZ_OPTIONS)

fuzz-asan: # call everything at random with AddressSanitizer, a tenth as long
	@$(NEED) test
	scripts/fuzz.sh address $(FUZZ_OPTIONS)

fuzz-tsan: # call everything at random with ThreadSanitizer, a tenth as long
	@$(NEED) test
	scripts/fuzz.sh thread $(FUZZ_OPTIONS)

fuzz-locks: # call everything at random with checks of the order of locks, while threads are stopped at random
	@$(NEED) test
	scripts/fuzz_locks.sh $(FUZZ_OPTIONS)

bench: ## measure replay, calls and capture, beside oneTBB; then optimized graphs
	@$(NEED) bench
	cmake --preset bench
	cmake --build --preset bench
	./build/cmake/bench/bench/graphcap-bench
	./build/cmake/bench/bench/graphcap-bench-optimize

bundle: ## pack libraries, tests, benchmarks and examples for machines without Rust: build/bundle
	@$(NEED) bundle
	JOBS=$(JOBS) scripts/bundle.sh

bundle-check: bundle ## unpack the bundle elsewhere and run its tests on the host device (FILTER=REGEX: only some)
	scripts/bundle.sh check

package: ## make archives, packages for Debian, an SBOM and checksums: build/package/ARCH/out (ARCH=x86_64: not for aarch64)
	@$(NEED) bundle
	@scripts/package/each.sh scripts/package.sh $(ARCH)

package-check: ## check the packages: lintian, clean roots without Rust, a second build that gives the same (SAME_AGAIN=no: not that; STRICT=yes: nothing is left out)
	@scripts/package/each.sh scripts/package_check.sh $(ARCH)

wheels: # make the Python wheels for manylinux_2_28 of what make package built: build/package/ARCH/wheels
	@for arch in $(ARCH); do scripts/python.sh manylinux $$arch || exit; done

aarch64-test: # build the C tests for aarch64, and run them on the host device by qemu-user; names what cannot run there
	@$(NEED) bundle
	JOBS=$(JOBS) scripts/aarch64.sh

release-check: # say whether this tree can be released: versions, interface, packages, wheel, placeholders
	@$(NEED) test
	python3 scripts/release_check.py

lint: ## check formatting, lints and size of the Rust code, links and spelling of the documents
	@$(NEED) lint
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --all-features -- -D warnings
	RUSTDOCFLAGS='--cfg docsrs -D warnings' cargo doc --quiet --workspace --no-deps --locked
	python3 scripts/count.py
	python3 scripts/links.py
	python3 scripts/doc_entries.py
	python3 scripts/drawings.py --check
	git ls-files '*.md' '*.rs' '*.h' '*.hpp' '*.c' '*.cpp' '*.py' '*.pyi' '*.sh' '*.cmake' | xargs codespell --ignore-regex='\\n' --ignore-words-list=$(SPELLED)
	python3 scripts/doc_names.py
	python3 python/scripts/generate.py --check
	sh scripts/python.sh lint

abi-check: # compare the library's interface with the one that it must not break: scripts/abi/base.txt (needs abigail-tools)
	@$(NEED) build
	sh scripts/abi/abi.sh check

python: build ## build the wheel of the Python package, and test it in a fresh environment
	scripts/python.sh wheel build/cmake/library
	scripts/python.sh test

docs: ## build the site of the documentation, build/site/html (fetches Sphinx, a theme and Pagefind by pip)
	@sh scripts/site.sh build

docs-rust: docs # add the reference of the Rust crates to the site, by rustdoc
	@sh scripts/site.sh rust

docs-check: docs # ask the site's search, read its pages in Chromium at three widths; skipped where there is no Chromium
	@sh scripts/site.sh check

report-check: # open pages of `graphcap report` in Chromium, click and measure; skipped where there is no Chromium
	@sh scripts/site.sh report

msrv: # check with the oldest Rust that is promised; tells how to install it
	@sh scripts/msrv.sh $(MSRV)

install: build ## install into PREFIX (/usr/local), below DESTDIR if given
	DESTDIR='$(DESTDIR)' cmake --install build/cmake/library --prefix '$(PREFIX)'

clean: ## remove everything that was built
	rm -rf build target
