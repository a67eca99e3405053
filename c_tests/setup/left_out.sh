#!/bin/sh
# What package.sh and package_check.sh leave out is listed once more at the end, and fails where STRICT is yes.
#
# usage: left_out.sh SOURCE
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
each=$1/scripts/package/each.sh
unset STRICT

fail() {
    printf 'left_out.sh: %s\n' "$*"
    cat "$work/told"
    exit 1
}

# Puts the output into told, and the status into status.
call() {
    status=0
    "$@" >"$work/told" 2>&1 || status=$?
}

script() {
    printf '#!/bin/sh\n%s\n' "$1" >"$work/script"
    chmod +x "$work/script"
}

script 'echo "$ARCH lacks a tool" >>"$LEFT_OUT"; echo "made $ARCH"'
call "$each" "$work/script" one two
[ $status -eq 0 ] || fail "what is left out fails"
[ "$(tail -n 2 "$work/told")" = "one lacks a tool
two lacks a tool" ] || fail "what is left out is not at the end"
call env STRICT=yes "$each" "$work/script" one two
[ $status -eq 1 ] || fail "STRICT=yes passes"
grep -q '^two lacks a tool$' "$work/told" || fail "STRICT=yes does not list all"

script 'echo "made $ARCH"'
call env STRICT=yes "$each" "$work/script" one two
[ $status -eq 0 ] && [ "$(cat "$work/told")" = "made one
made two" ] || fail "nothing was left out"

script 'exit 3'
call "$each" "$work/script" one two
[ $status -ne 0 ] || fail "a script that fails passes"

# The scripts write there what they leave out. There are no packages of this kind of machine.
call env STRICT=yes "$each" "$1/scripts/package_check.sh" none
[ $status -eq 1 ] && grep -q 'there are no packages for none' "$work/told" || fail "package_check.sh passes without packages"
