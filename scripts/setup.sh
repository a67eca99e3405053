#!/bin/sh
# Finds what the make targets need and is missing. It says what to install, and how, and fails. When SETUP is "yes" in the
# environment, as root with apt-get, it names the packages and installs them. Silent and quick when all is there.
#
# usage: [SETUP=yes] scripts/setup.sh NEED...    NEED: build, demo, test, valgrind, bench, bundle, lint
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
cmake_wanted=3.25
rust_wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$root/Cargo.toml")

# What is missing, one word per thing: named by its Debian package. Each has a reason in $reasons.
missing=""
reasons=""

say() { printf 'setup: %s\n' "$*"; }

fail() {
    printf 'setup: %s\n' "$*" >&2
    exit 1
}

# May it install what is missing?
case ${SETUP:-no} in
    yes) may_install=yes ;;
    no) may_install=no ;;
    *) fail "SETUP is '$SETUP'; it can be yes, which installs what is missing, or no, the default" ;;
esac

have() { command -v "$1" >/dev/null 2>&1; }

# Is the dotted version $1 at least $2? Only the first two numbers count.
at_least() {
    awk -v have="$1" -v want="$2" 'BEGIN {
        split(have, h, "."); split(want, w, ".");
        exit !(h[1] + 0 > w[1] + 0 || (h[1] + 0 == w[1] + 0 && h[2] + 0 >= w[2] + 0))
    }'
}

cmake_version() { cmake --version 2>/dev/null | sed -n '1s/.*version \([0-9.]*\).*/\1/p'; }

needs_package() {
    case " $missing " in
        *" $1 "*) ;;
        *)
            missing="$missing $1"
            reasons="$reasons
  $2"
            ;;
    esac
}

# The user's Rust is the user's: it is checked, never installed.
check_rust() {
    if ! have cargo && [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ]; then
        PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
    fi
    have cargo || fail "Rust $rust_wanted or newer is missing. Install it with
    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh
and call make again."
    rust_found=$(cargo --version | awk '{ print $2 }')
    at_least "$rust_found" "$rust_wanted" || fail "Rust $rust_found is too old, $rust_wanted or newer is needed. Update it with
    rustup update stable
and call make again."
}

check_build() {
    check_rust
    have "${CC:-cc}" || needs_package gcc "a C compiler (${CC:-cc} was not found)"
    have objcopy || needs_package binutils "binutils, which has ld, objcopy, ar and readelf"
    if ! have cmake; then
        needs_package cmake "CMake $cmake_wanted or newer"
    elif ! at_least "$(cmake_version)" "$cmake_wanted"; then
        needs_package cmake "CMake $cmake_wanted or newer ($(cmake_version) is installed; if the system offers no newer one: https://cmake.org/download)"
    fi
}

check_cxx() {
    have "${CXX:-c++}" || needs_package g++ "a C++ compiler (${CXX:-c++} was not found)"
}

check_python() {
    if ! have python3 || ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
        needs_package python3 "Python 3.10 or newer, for the ctypes test and the checks of header and libraries"
    fi
}

check_valgrind() {
    # Without libc's debug symbols memcheck does not start on some machines; valgrind only recommends them.
    if ! have valgrind; then
        needs_package valgrind "valgrind, for the memory checks of the C tests"
        needs_package libc6-dbg "debug symbols of the C library, for valgrind"
    fi
}

check_test() {
    check_build
    check_cxx
    check_valgrind
    check_python
    have pkg-config || needs_package pkg-config "pkg-config, for the test of the installed package"
    # Debian has it apart from Python.
    if have python3 && ! python3 -c 'import ensurepip' 2>/dev/null; then
        needs_package python3-venv "Python's venv, for the tests of the package for Python"
    fi
}

check_bench() {
    check_build
    check_cxx
    if ! have "${CXX:-c++}" || ! echo '#include <oneapi/tbb/flow_graph.h>' | "${CXX:-c++}" -std=c++17 -x c++ -E - >/dev/null 2>&1; then
        needs_package libtbb-dev "oneTBB, which the benchmark compares with"
    fi
}

check_bundle() {
    check_build
    check_cxx
    check_python
    have pkg-config || needs_package pkg-config "pkg-config, for the test of the installed package"
}

check_lint() {
    check_rust
    have codespell || needs_package codespell "codespell, for the spelling of documents and sources"
    components=""
    cargo fmt --version >/dev/null 2>&1 || components="$components rustfmt"
    cargo clippy --version >/dev/null 2>&1 || components="$components clippy"
    if [ -n "$components" ]; then
        if [ "$may_install" = yes ] && have rustup; then
            say "adding$components to the Rust toolchain, by rustup"
        fi
        # shellcheck disable=SC2086 # a list of words
        if [ "$may_install" = no ] || ! have rustup || ! rustup component add $components; then
            fail "these components of Rust are missing:$components. Install them with
    rustup component add$components
and call make again."
        fi
    fi
}

check() {
    missing=""
    reasons=""
    for need in "$@"; do
        case $need in
            build | demo) check_build ;;
            test) check_test ;;
            valgrind) check_build && check_cxx && check_valgrind ;;
            bench) check_bench ;;
            bundle) check_bundle ;;
            lint) check_lint ;;
            *) fail "unknown need '$need'" ;;
        esac
    done
}

# The packages of Debian in the words of another distribution.
translated() {
    # shellcheck disable=SC2086 # a list of words
    case $1 in
        dnf) printf '%s\n' $missing | sed -e 's/^g++$/gcc-c++/' -e 's/^pkg-config$/pkgconf-pkg-config/' -e 's/^libc6-dbg$/glibc-devel/' -e 's/^libtbb-dev$/tbb-devel/' ;;
        apk) printf '%s\n' $missing | sed -e 's/^pkg-config$/pkgconf/' -e 's/^libc6-dbg$/musl-dbg/' -e 's/^libtbb-dev$/onetbb-dev/' ;;
    esac | tr '\n' ' ' | sed 's/ $//'
}

tell_command() {
    sudo=""
    [ "$(id -u)" -eq 0 ] || sudo="sudo "
    if have apt-get; then
        printf '    %sapt-get update && %sapt-get install -y --no-install-recommends%s\n' "$sudo" "$sudo" "$missing"
    elif have dnf; then
        printf '    %sdnf install -y %s\n' "$sudo" "$(translated dnf)"
    elif have apk; then
        printf '    %sapk add %s\n' "$sudo" "$(translated apk)"
    else
        printf '    (by the package manager of this system; Debian calls them)%s\n' "$missing"
    fi
}

[ $# -gt 0 ] || fail "usage: scripts/setup.sh NEED...  (build, demo, test, valgrind, bench, bundle, lint)"
check "$@"
[ -n "$missing" ] || exit 0

if [ "$may_install" = yes ] && [ "$(id -u)" -eq 0 ] && have apt-get; then
    say "missing:$reasons"
    say "installing these packages as root, by apt-get:$missing"
    DEBIAN_FRONTEND=noninteractive
    export DEBIAN_FRONTEND
    apt-get update </dev/null
    # shellcheck disable=SC2086 # a list of words
    apt-get install -y --no-install-recommends $missing </dev/null
    hash -r
    check "$@"
    [ -z "$missing" ] || fail "still missing after the installation:$reasons
This system's packages are too old or broken; install the above by hand and call make again."
    say "all is there"
    exit 0
fi

again="and call make again."
if [ "$(id -u)" -eq 0 ] && have apt-get; then
    again="and call make again, or call make with SETUP=yes, which installs it."
fi
fail "missing:$reasons
Install it with
$(tell_command)
$again"
