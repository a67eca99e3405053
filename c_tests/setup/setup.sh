#!/bin/sh
# Runs scripts/setup.sh where a C compiler is missing: it names the package before it installs it as root with SETUP=yes, and installs
# nothing without; and where Rust is too old: it names the version that is needed, and rustup. apt-get, id and the tools that it
# looks for are stand-ins.
#
# usage: setup.sh <source tree>
set -eu

setup=$1/scripts/setup.sh
work=$(mktemp -d "${TMPDIR:-/tmp}/graphcap-setup.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

mkdir "$work/bin"
for tool in sh awk sed tr dirname cat chmod; do
    ln -s "$(command -v $tool)" "$work/bin/$tool"
done

# A program of the name $1 with the commands $2.
stand_in() {
    printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}

stand_in cargo 'echo "cargo 99.0.0"'
stand_in cmake 'echo "cmake version 99.0.0"'
stand_in objcopy ''
# The wanted compiler is there once it was installed.
stand_in apt-get "echo \"apt-get \$*\"
case \$1 in install) printf '#!/bin/sh\n' >'$work/bin/the-compiler' && chmod +x '$work/bin/the-compiler' ;; esac"

fail() {
    printf 'FAILED %s\n%s\n' "$1" "$output" >&2
    exit 1
}

# Runs setup.sh with the assignments $@. Sets `output` and `status`.
run() {
    rm -f "$work/bin/the-compiler"
    status=0
    output=$(env -i PATH="$work/bin" HOME="$work" CC=the-compiler "$@" sh "$setup" build 2>&1) || status=$?
}

# The output has a line with $1, and after it one with $2.
before() {
    printf '%s\n' "$output" | awk -v first="$1" -v second="$2" '
        index($0, first) && !at { at = NR }
        index($0, second) && at && NR > at { found = 1 }
        END { exit !found }'
}

stand_in id 'echo 0'
run SETUP=yes
[ $status -eq 0 ] || fail "SETUP=yes, as root: it installs"
before "as root, by apt-get" "apt-get install" || fail "SETUP=yes, as root: it says before it installs"
before "installing these packages" "--no-install-recommends gcc" || fail "SETUP=yes, as root: it installs the compiler"
printf '%s\n' "$output" | grep 'setup: installing' | grep -q ' gcc$' || fail "SETUP=yes, as root: it names the package first"

for asked in SETUP=no HOME="$work"; do
    run "$asked"
    [ $status -ne 0 ] || fail "$asked: it fails"
    before "missing" "apt-get install -y --no-install-recommends gcc" || fail "$asked: it names what is missing, and the command"
    before "missing" "SETUP=yes" || fail "$asked: it says how to have it installed"
    printf '%s\n' "$output" | grep -q '^apt-get' && fail "$asked: it calls apt-get"
    [ ! -e "$work/bin/the-compiler" ] || fail "$asked: it installs"
done

run SETUP=perhaps
[ $status -ne 0 ] || fail "SETUP=perhaps is refused"
[ ! -e "$work/bin/the-compiler" ] || fail "SETUP=perhaps: it installs"

stand_in id 'echo 1000'
run SETUP=yes
[ $status -ne 0 ] || fail "not as root: it fails"
before "missing" "sudo apt-get install" || fail "not as root: it names the command"
[ ! -e "$work/bin/the-compiler" ] || fail "not as root: it installs"

wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$1/Cargo.toml")
stand_in cargo 'echo "cargo 1.60.0"'
run SETUP=yes
[ $status -ne 0 ] || fail "Rust is too old: it fails"
before "Rust 1.60.0 is too old, $wanted or newer is needed" "rustup update" || fail "Rust is too old: it names what is needed, and rustup"
rm "$work/bin/cargo"
run SETUP=yes
[ $status -ne 0 ] || fail "Rust is missing: it fails"
before "Rust $wanted or newer is missing" "https://sh.rustup.rs" || fail "Rust is missing: it names what is needed, and rustup"

echo "setup.sh says before it installs, and installs nothing where it was not asked"
