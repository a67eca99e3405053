#!/bin/sh
# Compiles every .cu file of the tree to PTX by clang, which needs no CUDA toolkit for it. NAME.ptx is beside NAME.cu, and
# committed, so that nobody needs clang to build. cmake/GraphcapPtx.cmake makes C of it. The PTX of graphcap's own kernels
# is translated as well, to NAME.sm_ARCH.cubin, by NVIDIA's ptxas: a driver takes long for that when it loads PTX.
#
# usage: scripts/device_code.sh [write|check]    environment: CLANG, PTXAS
# check exits with 1 when a committed file is not what its source gives, and with 77 when the right clang or ptxas is missing.
# The Python package nvidia-cuda-nvcc-cu12 has ptxas, in bin/, and needs no GPU.
set -eu

cd "$(dirname "$0")/.."

# PTX is translated for the GPU when it is loaded. A driver takes all targets up to its GPU and all ISA versions up to
# its own, so both are low: sm_50 is the oldest GPU that a 12.0 driver runs, and ISA 6.0 has all that is used here.
# Other versions of clang choose other instructions, so one is fixed.
target=sm_50
isa=ptx60
clang_wanted=14

# A cubin runs on the GPUs of its generation, from that architecture on. Drivers of all versions that graphcap takes load what
# ptxas 12 makes; one that refuses a cubin gets the PTX.
cubins_of=crates/cuda/src/built_in
architectures='80 90 100 120'
ptxas_wanted=12.9.86

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

find_ptxas() {
    for candidate in ${PTXAS:-ptxas}; do
        if "$candidate" --version 2>/dev/null | grep -q "V$ptxas_wanted\$"; then
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

# Writes $work/compiled to the file $1, or compares them.
take() {
    if [ "$mode" = write ]; then
        cp "$work/compiled" "$1"
        echo "$1"
    elif ! diff -u "$1" "$work/compiled" >"$work/difference"; then
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
    compile "$source" >"$work/compiled"
    take "${source%.cu}.ptx"
done

ptxas=$(find_ptxas)
if [ -z "$ptxas" ]; then
    echo "device_code: ptxas $ptxas_wanted is missing: the cubins were left as they are" >&2
    [ "$failed" = 1 ] || exit 77
else
    for ptx in "$cubins_of"/*.ptx; do
        for architecture in $architectures; do
            "$ptxas" -arch="sm_$architecture" -O3 "$ptx" -o "$work/compiled"
            take "${ptx%.ptx}.sm_$architecture.cubin"
        done
    done
fi

exit "$failed"
