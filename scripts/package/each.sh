#!/usr/bin/env bash
# Runs package.sh or package_check.sh for kinds of machines, and lists at the end what they left out. `make package` and
# `make package-check` call this.
#
# usage: scripts/package/each.sh SCRIPT ARCH...    STRICT=yes: fails where something was left out
set -euo pipefail

LEFT_OUT=$(mktemp)
export LEFT_OUT
trap 'rm -f "$LEFT_OUT"' EXIT

for arch in "${@:2}"; do ARCH=$arch "$1" || exit; done
[ -s "$LEFT_OUT" ] || exit 0
printf '\n%s, left out in all:\n' "$1"
cat "$LEFT_OUT"
[ "${STRICT:-no}" != yes ] || { printf '%s: failed, as STRICT=yes allows nothing to be left out\n' "$1" >&2 && exit 1; }
