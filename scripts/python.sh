#!/bin/sh
# Builds the wheel of the Python package, and tests it in a fresh virtual environment. `make python` calls it.
#
# usage: scripts/python.sh wheel BUILD   puts the wheel into build/python/wheels; BUILD is the build folder of a CMake preset
#        scripts/python.sh test          installs that wheel into a new environment and runs python/tests there
#        scripts/python.sh check BUILD   runs python/tests on the sources and the library of BUILD, without a wheel: a test of `make test`.
#                                        Skips, and says so, where pytest and NumPy cannot be had
#        scripts/python.sh lint          checks the Rust code of the package; skips, and says so, where its crates cannot be had
#        scripts/python.sh manylinux [ARCH]   a wheel for manylinux_2_28 of the library that make package built; x86_64 or aarch64
#
# PYTHON: the interpreter (python3). WHEELS: the folder of the wheel to test (build/python/wheels). PYTHON_TEST: what the tests need beside
# the wheel (pytest numpy numba mypy pyright nbmake ipykernel).
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/build/python
python=${PYTHON:-python3}
needed=${PYTHON_TEST-pytest numpy numba mypy pyright nbmake ipykernel}
soname=libgraphcap.so.0

fail() {
    printf 'python.sh: %s\n' "$*" >&2
    exit 1
}

skip() {
    printf 'python.sh: skipped: %s\n' "$*"
    exit 77
}

# An environment of its own for what builds the wheel.
tools() {
    [ -x "$out/tools/bin/maturin" ] || {
        "$python" -m venv "$out/tools"
        "$out/tools/bin/python" -m pip install --quiet 'maturin>=1.16,<2'
    }
    PATH=$out/tools/bin:$PATH
}

# The sources of the package with the library of the build folder $1, the headers, what finds them, and the licences. $2: the target,
# if not this machine.
stage() {
    build=$1
    target=${2:-$(rustc -vV | sed -n 's/^host: //p')}
    [ -f "$build/cmake_install.cmake" ] || fail "$build is no build folder of CMake: make build makes build/cmake/library, make package others"
    rm -rf "$out/prefix" "$out/source"
    mkdir -p "$out/source"
    for part in runtime development; do
        cmake --install "$build" --prefix "$out/prefix" --component graphcap_$part >/dev/null
    done
    cp -R "$root/python/." "$out/source"
    cp "$root/rustfmt.toml" "$out/source"
    package=$out/source/graphcap
    library=$(dirname "$(find "$out/prefix" -name "$soname")")
    mkdir -p "$package/lib"
    cp -L "$library/$soname" "$package/lib/$soname"
    cp -R "$library/cmake" "$library/pkgconfig" "$package/lib"
    cp -R "$out/prefix/include" "$package/include"
    # A wheel has no links. The linker finds the library by a script, and the CMake package by its SONAME.
    printf 'INPUT(%s)\n' "$soname" >"$package/lib/libgraphcap.so"
    sed -i "s/$soname\.[0-9.]*/$soname/" "$package/lib/cmake/graphcap/graphcapConfig.cmake"
    sed -i -e '/^static=/d; /^# /d; s/^Libs.private:.*//' -e 's|^prefix=.*|prefix=${pcfiledir}/../..|; s|^libdir=.*|libdir=${prefix}/lib|' \
        "$package"/lib/pkgconfig/*.pc
    mkdir -p "$out/source/licences"
    cp "$root/LICENSE-MIT" "$root/LICENSE-APACHE" "$out/source/licences"
    for manifest in "$root/Cargo.toml" "$root/python/Cargo.toml"; do
        cargo metadata --manifest-path "$manifest" --locked --format-version 1 --filter-platform "$target" |
            "$python" "$root/scripts/bundle_licences.py"
    done >"$out/source/licences/LICENSES-THIRD-PARTY.txt"
}

# Puts the wheel into the folder $1, by maturin with the options that follow.
built() {
    wheels=$1
    shift
    (cd "$out/source" && CARGO_TARGET_DIR=$out/target maturin build --quiet --release --locked --interpreter "$python" --out "$wheels" "$@")
    ls -l "$wheels"
}

case ${1:-} in
    wheel)
        tools
        stage "${2:-$root/build/cmake/library}"
        rm -rf "$out/wheels"
        built "$out/wheels"
        ;;
    manylinux)
        arch=${2:-$(uname -m)}
        tools
        "$out/tools/bin/python" -m pip install --quiet ziglang cargo-zigbuild auditwheel
        stage "$root/build/package/$arch/tree" "$arch-unknown-linux-gnu"
        cat "$root/packaging/zig-licences.txt" >>"$out/source/licences/LICENSES-THIRD-PARTY.txt"
        rm -rf "$root/build/package/$arch/wheels"
        built "$root/build/package/$arch/wheels" --zig --compatibility manylinux_2_28 --target "$arch-unknown-linux-gnu"
        "$out/tools/bin/auditwheel" show "$root/build/package/$arch"/wheels/*.whl
        (cd "$root/build/package/$arch/wheels" && sha256sum -- *.whl >SHA256SUMS)
        ;;
    lint)
        cargo fetch --quiet --locked --manifest-path "$root/python/Cargo.toml" || {
            echo 'python.sh: the lint of python/ is skipped, since its crates cannot be fetched'
            exit 0
        }
        cargo clippy --quiet --locked --manifest-path "$root/python/Cargo.toml" --target-dir "$out/target" -- -D warnings
        ;;
    check)
        "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || skip "Python 3.11 or newer is needed"
        built=$root/build/python/target
        out=$out/check
        needed="pytest==9.2.0 numpy==2.4.6 cffi==2.1.1"
        # shellcheck disable=SC2086 # a list of words
        [ "$(cat "$out/venv/fetched" 2>/dev/null)" = "$needed" ] || {
            "$python" -m venv "$out/venv" && "$out/venv/bin/python" -m pip install --quiet --retries 1 $needed && echo "$needed" >"$out/venv/fetched"
        } || skip "pytest and NumPy cannot be had: no python3-venv, or no network"
        stage "${2:-$root/build/cmake/library}"
        # The interpreter has the symbols of Python.
        PYO3_BUILD_EXTENSION_MODULE=1 cargo build --quiet --locked --manifest-path "$out/source/Cargo.toml" --target-dir "$built"
        cp "$built/debug/lib_native.so" "$out/source/graphcap/_native.abi3.so"
        export PYTHONPATH="$out/source" PYTHONDONTWRITEBYTECODE=1
        # The programs of languages.md by cffi: the interpreter of the tests in C may lack it.
        GRAPHCAP_LIBRARY=$package/lib/$soname "$out/venv/bin/python" "$root/c_tests/python/test_first_replay.py" -k cffi
        cd "$root/python/tests"
        exec "$out/venv/bin/python" -X dev -m pytest -p no:cacheprovider -c "$root/python/pyproject.toml" --rootdir "$root/python" .
        ;;
    test)
        wheel=$(find "${WHEELS:-$out/wheels}" -name '*.whl' | head -n 1)
        [ -n "$wheel" ] || fail "there is no wheel: scripts/python.sh wheel makes it"
        rm -rf "$out/venv"
        "$python" -m venv "$out/venv"
        # shellcheck disable=SC2086 # a list of words
        "$out/venv/bin/python" -m pip install --quiet "$wheel" $needed
        shift
        cd "$root/python/tests"
        exec "$out/venv/bin/python" -X dev -m pytest -c "$root/python/pyproject.toml" --rootdir "$root/python" "$@" "$root/python/tests"
        ;;
    *) fail "usage: scripts/python.sh wheel BUILD | check BUILD | lint | manylinux [ARCH] | test [pytest's arguments]" ;;
esac
