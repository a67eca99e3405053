#!/bin/sh
# Compiles every .cu file of the tree to PTX by clang, which needs no CUDA toolkit for it. NAME.ptx is beside NAME.cu, and
# committed, so that nobody needs clang to build. cmake/GraphcapPtx.cmake makes C of it.
#
# usage: scripts/device_code.sh [write|check]    environment: CLANG
# check exits with 1 when a committed file is not what its source gives, and with 77 when the right clang is missing.
set -eu

cd "$(dirname "$0")/.."

# PTX is translated for the GPU when it is loaded. A driver takes all targets up to its GPU and all ISA versions up to
# its own, so both are low: sm_50 is the oldest GPU that a 12.0 driver runs, and ISA 6.0 has all that is used here.
# Other versions of clang choose other instructions, so one is fixed.
target=sm_50
isa=ptx60
clang_wanted=14

work=$(mktemp -d "${TMPDIR:-/tmp}/graphcap-device-code.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

is_wanted() {
    printf '__clang_major__\n' | "$1" -E -P -x c - 2>/dev/null | grep -qx "$clang_wanted"
}

find_clang() {
    for candidate in ${CLANG:-clang-$clang_wanted clang}; do
        if is_wanted "$candidate"; then
            echo "$candidate"
            return
        fi
    done
}

# PTX of the source $1, without the comments, which say nothing.
compile() {
    printf '// Made of %s by scripts/device_code.sh. Do not edit.\n' "${1##*/}"
    "$clang" -x cuda -nocudainc -nocudalib --cuda-device-only "--cuda-gpu-arch=$target" \
        -Xclang -target-feature -Xclang "+$isa" -std=c++14 -ffreestanding -Os -Wall -Wextra -Werror \
        -include scripts/device_prelude.h -S "$1" -o "$work/ptx"
    sed -e '/^[[:space:]]*\/\//d' -e '/^[[:space:]]*$/d' "$work/ptx"
}

same() {
    if ! diff -u "$1" "$2" >"$work/difference"; then
        head -n 40 "$work/difference"
        echo "device_code: $1 is not what its source gives; run make device-code" >&2
        failed=1
    fi
}

clang=$(find_clang)
failed=0
mode=${1:-write}
case $mode in
    write | check) ;;
    *) echo "usage: scripts/device_code.sh [write|check]" >&2; exit 2 ;;
esac
if [ -z "$clang" ]; then
    if [ "$mode" = check ]; then
        echo "skipped: clang $clang_wanted is missing: whether the sources give the PTX was not tested"
        exit 77
    fi
    echo "device_code: clang $clang_wanted is needed (Debian: apt-get install clang-$clang_wanted)" >&2
    exit 1
fi

for source in $(find bench c_tests crates examples -name '*.cu' | LC_ALL=C sort); do
    ptx=${source%.cu}.ptx
    compile "$source" >"$work/compiled"
    if [ "$mode" = write ]; then
        cp "$work/compiled" "$ptx"
        echo "$ptx"
    else
        same "$ptx" "$work/compiled"
    fi
done

exit "$failed"
