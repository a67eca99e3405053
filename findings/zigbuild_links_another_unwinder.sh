#!/usr/bin/env bash
# cargo-zigbuild: it is used to link a Rust library with an older glibc. One expects the same library otherwise. It also exchanges the
# unwinder: a cdylib that cargo builds needs libgcc_s.so.1 for panics, and one that cargo-zigbuild builds has LLVM's libunwind linked in and
# does not name libgcc_s. So the file holds code under another licence, which its licences and its SBOM have to tell, and a process that
# also has C++ in it has two unwinders.
#
# Seen with cargo-zigbuild 0.24.1 and ziglang 0.17.1. graphcap's packages are built so; packaging/zig-licences.txt and scripts/sbom.py name
# libunwind.
#
# Needs cargo, readelf and Python with venv; without them it is skipped.
set -euo pipefail
for tool in cargo readelf python3; do
    command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 0; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
{ python3 -m venv tools && tools/bin/pip install --quiet cargo-zigbuild==0.24.1 ziglang==0.17.1; } >log 2>&1 ||
    { tail -n 3 log; echo "skipped: the packages cannot be had"; exit 0; }
export PATH="$work/tools/bin:$PATH" ZIG_GLOBAL_CACHE_DIR="$work/cache" CARGO_TARGET_DIR="$work/target"
cargo-zigbuild --version
mkdir -p library/src
cat >library/Cargo.toml <<'MANIFEST'
[package]
name = "caught"
version = "1.0.0"
edition = "2021"

[lib]
crate-type = ["cdylib"]
MANIFEST
cat >library/src/lib.rs <<'RUST'
/// Answers 1 where a panic was caught.
#[no_mangle]
pub extern "C" fn caught(number: u32) -> u32 {
    std::panic::catch_unwind(|| assert!(number != 7)).is_err() as u32
}
RUST
target=$(rustc -vV | sed -n 's/^host: //p')
# The unwinder of a library: "libgcc_s" where it needs that, "libunwind" where texts of LLVM's are in it; and whether a panic is caught.
unwinder() {
    local file
    file=$(find "$CARGO_TARGET_DIR" -path '*/release/libcaught.so' | head -n 1)
    if readelf --dynamic --wide "$file" | grep 'NEEDED.*libgcc_s' >/dev/null; then echo -n "libgcc_s "; fi
    if grep -a 'libunwind: ' "$file" >/dev/null; then echo -n "libunwind "; fi
    python3 -c 'import ctypes, sys; print("caught", ctypes.CDLL(sys.argv[1]).caught(7))' "$file" 2>/dev/null
    rm -rf "$CARGO_TARGET_DIR"
}
{
    cargo build --quiet --release --manifest-path library/Cargo.toml --target "$target"
    echo "cargo build: $(unwinder)"
    cargo zigbuild --quiet --release --manifest-path library/Cargo.toml --target "$target.2.28"
    echo "cargo zigbuild: $(unwinder)"
} | tee answers
printf 'cargo build: libgcc_s caught 1\ncargo zigbuild: libunwind caught 1\n' >seen
cmp -s answers seen || { echo "this has changed"; exit 1; }
