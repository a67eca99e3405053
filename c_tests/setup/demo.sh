#!/bin/sh
# Builds and runs what make demo does, from its preset of CMake. The library is not compiled: a stand-in for cargo looks at what it is
# asked for, and hands over one that is there. make soak runs the demo itself.
#
# usage: demo.sh <source tree> <cmake> <shared library>
set -eu

source_tree=$1 cmake=$2 library=$3
work=$(mktemp -d "${TMPDIR:-/tmp}/graphcap-demo.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Each option that takes a value has one; the profile and the features are those of Cargo.toml.
cat >"$work/cargo" <<'END'
#!/bin/sh
set -eu
refuse() { echo "cargo would refuse: $*" >&2; exit 1; }
section() { sed -n "/^\[$1\]/,/^\[/p" "$manifest"; }
profile="" features="" target_dir="" manifest=""
[ "$1" = rustc ] || refuse "the command $1"
shift
while [ $# -gt 0 ]; do
    case $1 in
        --profile | --features | --target-dir | --manifest-path | --crate-type | --config)
            case ${2:-} in "" | --*) refuse "$1 without a value" ;; esac ;;
    esac
    case $1 in
        --profile) profile=$2 && shift ;;
        --features) features=$2 && shift ;;
        --target-dir) target_dir=$2 && shift ;;
        --manifest-path) manifest=$2 && shift ;;
        --crate-type | --config) shift ;;
        --lib | --locked | --no-default-features) ;;
        *) refuse "$1" ;;
    esac
    shift
done
[ -n "$(section "profile\.$profile")" ] || refuse "the profile $profile"
for feature in $(echo "$features" | tr ',' ' '); do
    section features | grep -q "^$feature = " || refuse "the feature $feature"
done
mkdir -p "$target_dir/$profile"
cp "$LIBRARY" "$target_dir/$profile/libgraphcap.so"
END
chmod +x "$work/cargo"

cd "$source_tree"
# What make demo calls, with folders of its own.
grep -q 'cmake --preset demo$' Makefile
grep -q 'cmake --build --preset demo --target quickstart$' Makefile
unset MAKEFLAGS MFLAGS
"$cmake" --preset demo -B "$work/build" -D CARGO_EXECUTABLE="$work/cargo" -D GRAPHCAP_CARGO_TARGET_DIR="$work/target"
LIBRARY=$library "$cmake" --build "$work/build" --target quickstart
mkdir "$work/output"
cd "$work/output"
"$work/build/examples/c/quickstart" "$source_tree/examples/data/landscape.ppm"
[ -n "$(ls)" ] || { echo "the demo wrote nothing" >&2; exit 1; }
