#!/usr/bin/env bash
# Builds the library and the C tests for aarch64 by Debian's cross compiler, and runs the tests on the host device by qemu-user.
# `make aarch64-test` calls this. Exits with 77 where a tool is missing.
#
# usage: scripts/aarch64.sh    JOBS: how many tests run at a time
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=${JOBS:-2}

for tool in aarch64-linux-gnu-g++ qemu-aarch64-static; do
    command -v $tool >/dev/null || { echo "aarch64: $tool is missing: apt-get install g++-aarch64-linux-gnu qemu-user-static" && exit 77; }
done
rustc --print target-libdir --target aarch64-unknown-linux-gnu | xargs test -d ||
    { echo "aarch64: Rust's library is missing: rustup target add aarch64-unknown-linux-gnu" && exit 77; }

# Programs that start themselves anew do it by the same emulator.
export GRAPHCAP_TEST_EMULATOR="qemu-aarch64-static -L /usr/aarch64-linux-gnu"
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc GRAPHCAP_DEVICE=host
cmake --preset aarch64
cmake --build --preset aarch64 --parallel "$jobs" --target c11

# Guarded memory reserves a terabyte of addresses in each of many processes, of which qemu-user keeps a record of each page.
guarded='check_access|guard_memory'
echo "aarch64: LEFT OUT: c11.($guarded): guarded memory takes qemu-user more than a quarter of an hour"
ctest --test-dir build/cmake/aarch64 --label-regex '^c11$' --exclude-regex "^c11\.($guarded)\$" --parallel "$jobs" --output-on-failure
