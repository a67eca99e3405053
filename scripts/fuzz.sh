#!/bin/sh
# Builds the fuzzer of c_tests/fuzz with a sanitizer, together with graphcap and Rust's standard library, and runs it.
# `make fuzz-asan` and `make fuzz-tsan` call this.
#
# All of it has one runtime, that of the Rust toolchain: the library is a static one, and the fuzzer is instrumented by the C
# compiler, whose calls are the same. Rebuilding the standard library takes its sources, the component rust-src.
#
# usage: scripts/fuzz.sh address|thread [OPTION OF THE FUZZER]...
set -eu

cd "$(dirname "$0")/.."
sanitizer=${1:-}
case $sanitizer in
    address) runtime=asan ;;
    thread) runtime=tsan ;;
    *)
        echo "usage: scripts/fuzz.sh address|thread [OPTION OF THE FUZZER]..." >&2
        exit 2
        ;;
esac
shift

fail() {
    printf 'fuzz: %s\n' "$*" >&2
    exit 2
}

target=$(rustc -vV | sed -n 's/^host: //p')
rustlib=$(rustc --print sysroot)/lib/rustlib
archive=$(find "$rustlib/$target/lib" -name "librustc-*_rt.$runtime.a" | head -n 1)
[ -n "$archive" ] || fail "this Rust toolchain has no runtime of the $sanitizer sanitizer for $target.
rustup's toolchains for x86_64-unknown-linux-gnu and aarch64-unknown-linux-gnu have one."
[ -d "$rustlib/src/rust/library" ] || fail "the sources of Rust's standard library are missing. Get them with
    rustup component add rust-src
and call make again. Those that a distribution packages are of another version and do not do."

build=build/fuzz-$runtime
mkdir -p "$build/objects"

# RUSTC_BOOTSTRAP allows a stable compiler what only nightly ones have otherwise. Without link-time optimisation, so that
# stacks are told as the sources have them.
RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=$sanitizer -Cforce-frame-pointers=yes" \
    CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
    cargo rustc --lib --locked --release --crate-type staticlib -Zbuild-std=std,panic_unwind \
    --target "$target" --target-dir "$build/cargo"

python3 c_tests/fuzz/interface.py documented include/graphcap-api.json "$build/documented.inc"
cmake -D PTX="$PWD/c_tests/support/kernels.ptx" -D FOLDER="$PWD/$build" -P cmake/GraphcapPtx.cmake
for source in c_tests/fuzz/*.c; do
    "${CC:-cc}" -std=c11 -O1 -g -fsanitize="$sanitizer" -fno-omit-frame-pointer -Wall -Wextra -Werror -pedantic \
        -DFUZZ_SANITIZED -Iinclude -Ic_tests/fuzz -I"$build" -c "$source" -o "$build/objects/$(basename "$source" .c).o"
done
# The sanitizer's own functions must be found by what is loaded later, such as a driver.
"${CC:-cc}" "$build"/objects/*.o -o "$build/fuzz" "$build/cargo/$target/release/libgraphcap.a" \
    -Wl,--whole-archive "$archive" -Wl,--no-whole-archive -Wl,--export-dynamic \
    -lgcc_s -lutil -lrt -lpthread -lm -ldl -lc

# Absurd sizes are asked for on purpose. What a program of threads does to its own memory is its matter: tsan.supp.
export LSAN_OPTIONS="print_suppressions=0:suppressions=$PWD/c_tests/fuzz/lsan.supp:${LSAN_OPTIONS:-}"
export ASAN_OPTIONS="allocator_may_return_null=1:detect_leaks=1:${ASAN_OPTIONS:-}"
export TSAN_OPTIONS="allocator_may_return_null=1:halt_on_error=1:suppressions=$PWD/c_tests/fuzz/tsan.supp:${TSAN_OPTIONS:-}"
exec "$build/fuzz" "$@"
