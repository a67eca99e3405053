#!/bin/sh
# Whether the built library breaks programs that were compiled with an older one: see abi.py.
#
#   abi.sh check    builds the library with debugging information and without LTO, and compares it with base.txt
#   abi.sh write    builds it, and writes base.txt anew
#   abi.sh plant    builds a copy of the sources in which a function is gone, a parameter has another type and a struct has a member
#                   more in its middle, and fails unless all three are reported
#
# Exits with 77 where abidiff is not installed.
set -eu
cd "$(dirname "$0")/../.."
for tool in abidw abidiff; do
    command -v $tool >/dev/null || { echo "$tool is missing: install it, for example by apt-get install abigail-tools"; exit 77; }
done
folder=$PWD/build/abi

# The profile of the demo has no LTO and is built soon. Debugging information of the exported functions is enough.
build() {
    (cd "$1" && cargo build --lib --locked --profile demo --config 'profile.demo.debug=0' \
        --config 'profile.demo.package.graphcap.debug=2' --target-dir "$2")
}

# Changes a copied file by sed; a change that changes nothing tests nothing.
plant() {
    sed "$2" "$folder/planted/$1" >"$folder/changed"
    ! cmp -s "$folder/changed" "$folder/planted/$1" || { echo "$1: nothing was planted by $2"; exit 1; }
    mv "$folder/changed" "$folder/planted/$1"
}

case "${1:-}" in
check | write)
    build . "$folder/target"
    python3 scripts/abi/abi.py "$1" "$folder/target/demo/libgraphcap.so"
    ;;
plant)
    rm -rf "$folder/planted"
    mkdir -p "$folder/planted"
    cp -r Cargo.toml Cargo.lock build.rs src crates "$folder/planted"
    plant src/ffi/objects/pool_raw.rs 's/fn gc_pool_unbind(/fn gc_pool_planted(/'
    plant src/ffi/objects/pool_raw.rs 's/fn gc_pool_torch_free(address: \*mut c_void, size: isize/fn gc_pool_torch_free(address: *mut c_void, size: i32/'
    plant src/ffi/objects/stream.rs '/^pub struct gc_stream_options/,/^}/s/^    pub flags:.*/&\n    \/\/\/ Planted.\n    pub planted: u64,/'
    build "$folder/planted" "$folder/planted-target"
    if python3 scripts/abi/abi.py check "$folder/planted-target/demo/libgraphcap.so" 2>"$folder/report"; then
        echo "the planted changes are not reported"
        exit 1
    fi
    for change in "gc_pool_unbind" "gc_pool_torch_free" "uint64_t planted"; do
        grep -q "$change" "$folder/report" || { cat "$folder/report"; echo "$change is not reported"; exit 1; }
    done
    ! grep -q gc_pool_planted "$folder/report" || { echo "an added function is reported"; exit 1; }
    echo "all planted changes are reported"
    ;;
*)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
