#!/bin/sh
# Runs cmake/finish_libraries.cmake with the static library, and then without: one of an earlier build must not stay, which
# programs would link.
#
# usage: static_off.sh <source tree> <cmake> <ld> <objcopy> <ar>
set -eu

script=$1/cmake/finish_libraries.cmake
cmake=$2 linker=$3 objcopy=$4 ar=$5
work=$(mktemp -d "${TMPDIR:-/tmp}/graphcap-static.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

mkdir "$work/artefacts"
echo 'int gc_something(void) { return 1; }' >"$work/something.c"
echo gc_something >"$work/symbols.txt"
${CC:-cc} -fPIC -c "$work/something.c" -o "$work/something.o"
${CC:-cc} -shared "$work/something.o" -o "$work/artefacts/libgraphcap.so"
"$ar" crs "$work/artefacts/libgraphcap.a" "$work/something.o"

finish() {
    "$cmake" -D ARTEFACT_DIR="$work/artefacts" -D STAGE_DIR="$work/stage" -D INSTALL_DIR="$work/stripped" \
        -D REAL_NAME=libgraphcap.so.1 -D SYMBOLS="$work/symbols.txt" -D DEBUG_FILE=OFF -D STATIC="$1" \
        -D LINKER="$linker" -D OBJCOPY="$objcopy" -D AR="$ar" -P "$script"
}

for folder in stage stripped; do
    finish ON
    [ -f "$work/$folder/libgraphcap.a" ] || { echo "$folder has no static library" >&2; exit 1; }
    finish OFF
    [ ! -e "$work/$folder/libgraphcap.a" ] || { echo "$folder keeps the static library" >&2; exit 1; }
    [ -f "$work/$folder/libgraphcap.so.1" ] || { echo "$folder has no shared library" >&2; exit 1; }
done
echo "a static library goes when it is no longer built"
