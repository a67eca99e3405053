#!/bin/sh
# Builds the fuzzer of c_tests/fuzz with a graphcap that checks the order of its locks, and runs it while its threads are
# stopped at random: so a few cores find what else many cores are needed for. `make fuzz-locks` calls this.
#
# usage: scripts/fuzz_locks.sh [OPTION OF THE FUZZER]...
set -eu

cd "$(dirname "$0")/.."
build=build/fuzz-locks
mkdir -p "$build/objects"
cargo rustc --lib --locked --profile soak --crate-type staticlib --target-dir "$build/cargo"

python3 c_tests/fuzz/interface.py documented include/graphcap-api.json "$build/documented.inc"
cmake -D PTX="$PWD/c_tests/support/kernels.ptx" -D FOLDER="$PWD/$build" -P cmake/GraphcapPtx.cmake
for source in c_tests/fuzz/*.c c_tests/fuzz/pauses/pauses.c; do
    "${CC:-cc}" -std=c11 -O1 -g -Wall -Wextra -Werror -pedantic -Iinclude -Ic_tests/fuzz -I"$build" \
        -c "$source" -o "$build/objects/$(basename "$source" .c).o"
done
"${CC:-cc}" "$build"/objects/*.o -o "$build/fuzz" "$build/cargo/soak/libgraphcap.a" \
    -Wl,--export-dynamic -lgcc_s -lutil -lrt -lpthread -lm -ldl -lc

# More lanes than most machines have cores, so that work is spread as there.
export GRAPHCAP_HOST_THREADS="${GRAPHCAP_HOST_THREADS:-16}"
exec "$build/fuzz" --threads 6 "$@"
