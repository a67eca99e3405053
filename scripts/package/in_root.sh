#!/bin/sh
# Runs inside a root with a C compiler and without Rust, where graphcap is installed into PREFIX: compiles the program of README.md and the
# examples as the documents say, and runs them on the host device. scripts/package_check.sh calls this.
#
# usage: in_root.sh PREFIX PROJECT    PROJECT: a folder with c_tests/consumer/CMakeLists.txt
set -eu

mount -t proc proc /proc
prefix=$1
project=$2
docs=$prefix/share/doc/graphcap
work=$(mktemp -d)
export GRAPHCAP_DEVICE=host

step() { printf '   %s\n' "$*"; }

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

# Runs a command, and shows what it says only if it fails.
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log" && fail "$*"; }; }

# The first block of the page $2 in the language $1 whose first line is $3.
block() {
    awk -v fence="\`\`\`$1" -v first="$3" '
        inside && /^```/ { exit }
        opened && index($0, first) == 1 { inside = 1 }
        inside { print }
        { opened = $0 == fence }' "$docs/$2"
}

# The program $1 runs, and is linked as $2 says: shared or static.
run() {
    linked=static
    if ldd "$1" 2>/dev/null | grep -q libgraphcap; then linked=shared; fi
    [ "$linked" = "$2" ] || fail "$1 is linked with the $linked library"
    quietly "$1"
}

for tool in cargo rustc; do
    ! command -v $tool >/dev/null || fail "$tool is in this root"
done
rpath=""
if [ "$prefix" != /usr ]; then
    export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" CMAKE_PREFIX_PATH="$prefix"
    rpath=-Wl,-rpath,$(pkg-config --variable=libdir graphcap)
fi

block c README.md '#include <graphcap.h>' >"$project/main.c"
[ -s "$project/main.c" ] || fail "README.md has no program"

# The answers are lists of words.
# shellcheck disable=SC2046,SC2086
compile() { quietly cc -Wall -Wextra -Werror "$project/main.c" -o "$work/app" $(pkg-config --cflags --libs "$@" graphcap) $rpath; }

step "pkg-config, the shared library"
compile
run "$work/app" shared
step "pkg-config --static"
compile --static
run "$work/app" static
step "pkg-config --static, and cc -static"
rpath="-static" compile --static
run "$work/app" static
step "CMake's find_package, shared and static"
quietly cmake -S "$project" -B "$work/cmake"
quietly cmake --build "$work/cmake"
run "$work/cmake/consumer_c_shared" shared
run "$work/cmake/consumer_c_static" static
step "Meson"
block meson docs/packages.md project >"$project/meson.build"
quietly meson setup "$work/meson" "$project"
quietly ninja -C "$work/meson"
LD_LIBRARY_PATH=$prefix/lib run "$work/meson/app" shared
step "the examples, as a project of their own"
cp -r "$docs/examples" "$work"
quietly cmake -S "$work/examples" -B "$work/examples/build"
quietly cmake --build "$work/examples/build"
run "$work/examples/build/c/while_solver" shared
step "graphcap_ffi.h, graphcap-api.json, schemas, suppressions"
for file in include/graphcap_ffi.h include/graphcap-api.json share/graphcap/graph.schema.json share/graphcap/findings.schema.json share/graphcap/valgrind.supp \
    share/graphcap/tsan.supp; do
    [ -s "$prefix/$file" ] || fail "$prefix/$file is missing"
done
step "the command"
quietly "$prefix/bin/graphcap" info
