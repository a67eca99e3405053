#!/usr/bin/env bash
# Makes the bundle: one folder, and an archive of it, with the libraries, headers, test and bench programs, examples and
# documents. It runs on a machine without Rust and without these sources. `make bundle` calls this.
#
# usage: scripts/bundle.sh          makes build/bundle/graphcap-VERSION-linux-ARCH and .tar.gz
#        scripts/bundle.sh check    unpacks the archive elsewhere, and runs its tests on the host device without cargo: those
#                                   whose names match the regular expression FILTER, where that is set
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=${JOBS:-$(nproc)}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
name=graphcap-$version-linux-$(uname -m)
bundle=build/bundle/$name
# The archive travels to machines that take 64 MiB.
limit_mib=60

step() { printf '\nbundle: %s\n' "$*"; }

fail() {
    printf 'bundle: %s\n' "$*" >&2
    exit 1
}

build_programs() {
    step "libraries, C and C++ programs"
    cmake --preset bundle
    cmake --build --preset bundle --parallel "$jobs"
    rm -rf "$bundle" "$bundle.tar.gz"
    cmake --install build/cmake/bundle --prefix "$bundle" >build/bundle-install.log
    cmake --install build/cmake/bundle --prefix "$bundle" --component graphcap_bundle >>build/bundle-install.log
}

# The files of a test of tests/: those of its folder, or its own with those of the modules that it shares with others.
files_of_test() {
    local module
    if [ "${1##*/}" = main.rs ]; then
        find "${1%/*}" -name '*.rs'
        return
    fi
    printf '%s\n' "$1"
    sed -n 's/^mod \([a-z_]*\);$/\1/p' "$1" | while read -r module; do
        find tests -path "tests/$module.rs" -o -path "tests/$module/*.rs"
    done
}

# What cargo calls a test of tests/.
name_of_test() {
    local path=${1%/main.rs}
    basename "$path" .rs
}

# Cargo tells a test where its package and its folder for temporary files are. A test that asks needs the sources, a C
# compiler or the like, which other machines lack. The bundle leaves it out.
needs_build_machine() {
    files_of_test "$1" | xargs grep -qE 'CARGO_MANIFEST_(DIR|PATH)|CARGO_TARGET_TMPDIR|CARGO_BIN_EXE'
}

# The unit tests and those tests of tests/ that run on any machine.
build_rust_tests() {
    local arguments=(--workspace --lib) source
    step "Rust tests"
    for source in tests/*.rs tests/*/main.rs; do
        needs_build_machine "$source" || arguments+=(--test "$(name_of_test "$source")")
    done
    mkdir -p "$bundle/tests/rust"
    cargo test --locked --profile bundle --no-run --message-format=json "${arguments[@]}" | python3 -c '
import json, shutil, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("executable"):
        kind, name = message["target"]["kind"], message["target"]["name"]
        shutil.copy(message["executable"], sys.argv[1] + "/" + (name if kind == ["test"] else "unit_" + name))
' "$bundle/tests/rust"
    [ -x "$bundle/tests/rust/unit_graphcap" ] || fail "cargo named no executable of the unit tests"
}

copy_files() {
    step "scripts, sources of the examples, Python"
    mkdir -p "$bundle/examples" "$bundle/bench/gpu" "$bundle/tests/python" "$bundle/tests/consumer"
    cp -r examples/. "$bundle/examples"
    find "$bundle/examples" -name CMakeLists.txt -delete
    cp c_tests/python/test_*.py "$bundle/tests/python"
    cp c_tests/consumer/CMakeLists.txt c_tests/consumer/main.c c_tests/consumer/main.cpp scripts/bundle/consumer.sh \
        "$bundle/tests/consumer"
    cp bench/gpu/*.py bench/gpu/*.ptx "$bundle/bench/gpu"
    find "$bundle" -name __pycache__ -prune -exec rm -r {} +
    cp LICENSE-MIT LICENSE-APACHE scripts/bundle/run-tests.sh scripts/bundle/run-bench.sh "$bundle"
}

programs() { find "$bundle/bin" "$bundle"/tests/{c11,cpp17,rust,stand_in} -type f; }
libraries() { find "$bundle/lib" -type f -name '*.so*'; }

# As a release would be: without debug information and local symbols. The libraries are installed so.
strip_programs() {
    step "stripping"
    programs | xargs strip --strip-unneeded
}

# The newest version of the C library that anything in the bundle asks for.
glibc_needed() {
    { programs && libraries; } | xargs readelf --version-info | sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' | sort -Vu | tail -n 1
}

write_readme() {
    local commit
    commit=$(git describe --always --dirty 2>/dev/null || echo unknown)
    printf '%s\n' "$version" "$commit" >"$bundle/VERSION"
    sed -e "s/@VERSION@/$version/g" -e "s/@COMMIT@/$commit/g" -e "s/@ARCH@/$(uname -m)/g" \
        -e "s/@GLIBC@/$(glibc_needed)/g" scripts/bundle/README.md.in >"$bundle/README.md"
}

write_licences() {
    local target
    target=$(rustc -vV | sed -n 's/^host: //p')
    cargo metadata --locked --format-version 1 --filter-platform "$target" |
        scripts/bundle_licences.py >"$bundle/LICENSES-THIRD-PARTY.txt"
}

pack() {
    step "packing"
    scripts/pack.sh build/bundle "$name"
}

check_size() {
    local kib
    kib=$(du -sk --apparent-size "$bundle.tar.gz" | cut -f1)
    [ "$kib" -lt $((limit_mib * 1024)) ] || fail "$bundle.tar.gz has $kib KiB, more than $limit_mib MiB"
}

size() { du -sh --apparent-size "$1" | cut -f1; }

make_bundle() {
    mkdir -p build/bundle
    build_programs
    build_rust_tests
    copy_files
    strip_programs
    write_readme
    write_licences
    pack
    check_size
    printf '\nbundle: %s (%s), unpacked %s (%s)\n' \
        "$bundle.tar.gz" "$(size "$bundle.tar.gz")" "$bundle" "$(size "$bundle")"
}

# A file that names the folder of the sources would look for something there, which other machines do not have.
check_folders() {
    local named
    named=$(grep -rlF "$PWD/" "$1" || true)
    [ -z "$named" ] || fail "$(printf 'these name %s, which is on the build machine alone:\n%s' "$PWD" "$named")"
}

# In a folder with a blank in its name, and with a PATH that has no cargo.
check_bundle() {
    local path="" folder status=0
    [ -f "$bundle.tar.gz" ] || fail "$bundle.tar.gz is missing; make bundle makes it"
    work=$(mktemp -d "${TMPDIR:-/tmp}/graphcap-bundle.XXXXXX")
    trap 'rm -rf "$work"' EXIT # which runs outside of this function, so $work is not local to it
    mkdir "$work/un packed"
    tar -C "$work/un packed" -xzf "$bundle.tar.gz"
    step "what the unpacked archive names"
    check_folders "$work/un packed/$name"
    IFS=:
    for folder in $PATH; do
        # A distribution's cargo lies among the tools that the tests need.
        [ -x "$folder/cargo" ] && [ ! -x "$folder/sh" ] || path=$path:$folder
    done
    unset IFS
    step "the tests of the unpacked archive, on the host device"
    (cd "$work" && PATH=${path#:} "$work/un packed/$name/run-tests.sh" --device host --filter "${FILTER:-}" --out "$work/logs") ||
        status=$?
    if [ "$status" -ne 0 ]; then
        rm -rf build/bundle/test-logs
        cp -r "$work/logs" build/bundle/test-logs
        fail "the tests of the bundle failed; their logs are in build/bundle/test-logs"
    fi
}

case ${1:-make} in
    make) make_bundle ;;
    check) check_bundle ;;
    *) fail "usage: scripts/bundle.sh [check]" ;;
esac
