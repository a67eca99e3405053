#!/bin/sh
# Checks the library, its tests and features with the oldest Rust that Cargo.toml promises, as rustup has installed it. Where it
# has not, tells the command that installs it and fails; with `if-installed` it says so and leaves the check out.
#
# usage: scripts/msrv.sh [if-installed]
set -eu
cd "$(dirname "$0")/.."

version=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)

# Is a toolchain of that version installed? Its name begins with the version, with or without a patch number.
toolchain=""
if command -v rustup >/dev/null 2>&1; then
    toolchain=$(rustup toolchain list | sed 's/ .*//' | grep -E "^$version(\.[0-9]+)?-" | head -n 1)
fi
if [ -z "$toolchain" ]; then
    why="msrv: Rust $version is not installed, with which the code has to compile. Install it with
    rustup toolchain install $version --profile minimal"
    if [ "${1:-}" = if-installed ]; then
        printf '%s\nto have this checked; it was left out.\n' "$why"
        exit 0
    fi
    printf '%s\nand call make again.\n' "$why" >&2
    exit 1
fi

echo "msrv: $(rustc "+$toolchain" --version)"
# What other compilers made stays as it is.
export CARGO_TARGET_DIR=target/msrv
cargo "+$toolchain" check --locked --workspace --all-targets --all-features
cargo "+$toolchain" check --locked --no-default-features
