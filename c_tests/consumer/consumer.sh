#!/bin/sh
# Installs graphcap, moves the prefix, and builds and runs the consumer against it in every way that is documented:
# find_package, the installed examples, pkg-config with plain cc, beside another static library of Rust, in a fully static program, add_subdirectory
# and FetchContent. All happens in a temporary folder.
#
# usage: consumer.sh <source tree> <build tree> <cargo target dir> <libdir below the prefix>
# environment: CMAKE, CC, CXX, PKG_CONFIG, PYTHON, RUSTC, READELF
set -eu

source_tree=$1
build_tree=$2
cargo_target_dir=$3
libdir=$4
cmake=${CMAKE:-cmake}
pkg_config=${PKG_CONFIG:-pkg-config}
python=${PYTHON:-python3}
rustc=${RUSTC:-rustc}
readelf=${READELF:-readelf}
CC=${CC:-cc}
CXX=${CXX:-c++}
export CC CXX

work=$(mktemp -d "${TMPDIR:-/tmp}/graphcap-consumer.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Neither the environment nor the build tree may help the consumer to find the library.
unset LD_LIBRARY_PATH CMAKE_PREFIX_PATH PKG_CONFIG_PATH graphcap_DIR DESTDIR MAKEFLAGS

step() { printf '\n== %s\n' "$*"; }

# Runs the program $1 after a look at where it finds the shared library: below $2, not in the build tree or the system.
run_shared() {
    loaded=$(ldd "$1" | sed -n 's/.*libgraphcap\.so\.0 => \(.*\) (0x[0-9a-f]*)$/\1/p')
    case $loaded in
        "$2"/*) ;;
        *) echo "$1 loads '$loaded', not the library in $2" >&2; exit 1 ;;
    esac
    "$1"
}

run_static() {
    if ldd "$1" | grep libgraphcap; then
        echo "$1 is linked with the shared library" >&2
        exit 1
    fi
    "$1"
}

# The programs that CMakeLists.txt makes, in the build folder $1, with the shared library below $2.
run_programs() {
    for language in c cpp; do
        run_shared "$1/consumer_${language}_graphcap" "$2"
        run_shared "$1/consumer_${language}_shared" "$2"
        run_static "$1/consumer_${language}_static"
    done
}

step "install, then move the prefix"
"$cmake" --install "$build_tree" --prefix "$work/installed" >"$work/install.log" || { cat "$work/install.log"; exit 1; }
mv "$work/installed" "$work/moved prefix"
prefix="$work/moved prefix"
(cd "$prefix" && find . ! -type d | LC_ALL=C sort)
if grep -rIlF -e "$work/installed/" -e "$source_tree/" "$prefix/$libdir/cmake" "$prefix/$libdir/pkgconfig"; then
    echo "the files above name the prefix of the installation or the source tree" >&2
    exit 1
fi

# Outside the tree, so that nothing is found by a relative path.
project="$work/project"
mkdir "$project"
for file in CMakeLists.txt main.c main.cpp beside_rust.c other.rs; do
    cp "$source_tree/c_tests/consumer/$file" "$project"
done

step "the command, which needs no library beside it"
GRAPHCAP_DEVICE=host "$prefix/bin/graphcap" info

step "the documents: each link leads to a file that is installed"
"$python" -B "$source_tree/scripts/links.py" "$prefix"

step "find_package, C and C++17, shared and static"
"$cmake" -S "$project" -B "$work/package" -DCMAKE_PREFIX_PATH="$prefix" -DCONSUMER_CXX=ON
"$cmake" --build "$work/package"
run_programs "$work/package" "$prefix"

step "the examples, as a project of their own"
"$cmake" -S "$prefix"/share/doc/*/examples -B "$work/examples" -DCMAKE_PREFIX_PATH="$prefix"
"$cmake" --build "$work/examples"
GRAPHCAP_DEVICE=host run_shared "$work/examples/c/while_solver" "$prefix"

step "find_package, C alone: no C++ compiler is asked for"
CXX=/nonexistent/c++ "$cmake" -S "$project" -B "$work/c-only" -DCMAKE_PREFIX_PATH="$prefix"
"$cmake" --build "$work/c-only"
run_static "$work/c-only/consumer_c_static"

# pkg-config escapes blanks, which a shell does not undo after a substitution; so this prefix has none.
step "pkg-config and plain cc, shared and static"
mv "$prefix" "$work/moved-again"
prefix="$work/moved-again"
PKG_CONFIG_PATH="$prefix/$libdir/pkgconfig"
export PKG_CONFIG_PATH
"$pkg_config" --print-errors --exists 'graphcap >= 0.1'
# The answers are lists of words.
# shellcheck disable=SC2046
"$CC" -std=c11 -Wall -Wextra -Werror "$project/main.c" -o "$work/pc_shared" $("$pkg_config" --cflags --libs graphcap) \
    -Wl,-rpath,"$("$pkg_config" --variable=libdir graphcap)"
run_shared "$work/pc_shared" "$prefix"
for static in "--static --libs" --variable=static; do
    # shellcheck disable=SC2046,SC2086
    "$CC" -std=c11 -Wall -Wextra -Werror "$project/main.c" -o "$work/pc_static" \
        $("$pkg_config" --cflags graphcap) $("$pkg_config" $static graphcap)
    run_static "$work/pc_static"
done

step "a fully static program"
if echo 'int main(void) { return 0; }' | "$CC" -x c - -static -o "$work/static-works" 2>/dev/null; then
    # shellcheck disable=SC2046
    "$CC" -std=c11 -static "$project/main.c" -o "$work/fully_static" $("$pkg_config" --cflags --libs --static graphcap)
    GRAPHCAP_DEVICE=host "$work/fully_static"
else
    echo "left out: $CC finds no static C library"
fi

step "beside another static library of Rust, in either order, and with the shared graphcap"
"$rustc" --edition 2021 -O --crate-type staticlib "$project/other.rs" -o "$work/libother.a"
beside() {
    # shellcheck disable=SC2046
    "$CC" -std=c11 -Wall -Wextra -Werror $("$pkg_config" --cflags graphcap) "$project/beside_rust.c" -o "$work/beside_rust" "$@"
}
# shellcheck disable=SC2046
beside $("$pkg_config" --variable=static graphcap) "$work/libother.a"
run_static "$work/beside_rust"
# shellcheck disable=SC2046
beside "$work/libother.a" $("$pkg_config" --variable=static graphcap)
run_static "$work/beside_rust"
# shellcheck disable=SC2046
beside "$work/libother.a" $("$pkg_config" --libs graphcap) -lpthread -ldl -lm
LD_LIBRARY_PATH="$prefix/$libdir" run_shared "$work/beside_rust" "$prefix"

for mode in subdirectory fetch; do
    step "$mode"
    "$cmake" -S "$project" -B "$work/$mode" -DCONSUMER_MODE=$mode -DCONSUMER_CXX=ON -DGRAPHCAP_SOURCE="$source_tree" \
        -DGRAPHCAP_CARGO_TARGET_DIR="$cargo_target_dir"
    "$cmake" --build "$work/$mode"
    run_programs "$work/$mode" "$work/$mode"
done

step "the debug information as a file of its own"
"$cmake" -S "$project" -B "$work/subdirectory" -DGRAPHCAP_DEBUG_FILE=ON >"$work/debug.log"
"$cmake" --build "$work/subdirectory" >>"$work/debug.log"
"$cmake" --install "$work/subdirectory" --prefix "$work/debug" >>"$work/debug.log"
library=$(find "$work/debug" -name 'libgraphcap.so.*.*' ! -name '*.debug' -type f)
debug_file=$(dirname "$library")/.debug/$(basename "$library").debug
"$readelf" --string-dump=.gnu_debuglink "$library" | grep -F "$(basename "$debug_file")"
[ "$("$readelf" -n "$library" | grep 'Build ID')" = "$("$readelf" -n "$debug_file" | grep 'Build ID')" ]
"$readelf" -SW "$debug_file" | grep -F .debug_info
if "$readelf" -SW "$library" | grep -F .debug_; then
    echo "the library has debug information although it has a file for it" >&2
    exit 1
fi

step "consumer: all ways work"
