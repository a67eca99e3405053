#!/usr/bin/env bash
# libabigail: abidiff can be told by a suppression, has_data_member_inserted_at = end, to allow members that are added at the end of structs,
# as interfaces do whose structs tell their sizes. Its manual says that it suppresses changes of types in which a member was inserted
# there. It also suppresses a change of a struct in which no member was inserted: one whose member became a float. One expects that to be
# reported, since it breaks programs.
#
# Seen with libabigail 2.2. graphcap cuts such members off before it asks abidiff (scripts/abi/abi.py).
#
# Needs a C compiler and Debian's packages; without them it is skipped.
set -euo pipefail
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 0; }
command -v apt-get >/dev/null || { echo "skipped: no apt-get"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q abigail-tools=2.2-2 libabigail0=2.2-2 libdw1 libelf1 libctf0 >log 2>&1 || { cat log; echo "skipped: Debian's packages cannot be had"; exit 0; }
for package in *.deb; do dpkg -x "$package" tools; done
export LD_LIBRARY_PATH="$work/tools/usr/lib/$(cc -dumpmachine)"
abidiff=$work/tools/usr/bin/abidiff
"$abidiff" --version

library() {
    printf 'struct options { unsigned size; %s };\nint use(const struct options *options) { return (int)options->size; }\n' "$2" >"$1.c"
    cc -g -shared -fPIC -o "$1.so" "$1.c"
}
library old 'unsigned width;'
library longer 'unsigned width, more;'
library other 'float width;'
printf '[suppress_type]\n  type_kind = struct\n  has_data_member_inserted_at = end\n' >at_end.ini

# What abidiff answers: 0 for no change, 4 for a change.
answer() {
    local status=0
    "$abidiff" "${@:2}" old.so "$1.so" >report || status=$?
    echo $status
}
for new in longer other; do
    echo "$new: without the suppression $(answer $new), with it $(answer $new --suppressions at_end.ini)"
done | tee answers
printf 'longer: without the suppression 4, with it 0\nother: without the suppression 4, with it 0\n' >seen
cmp -s answers seen || { echo "this has changed"; exit 1; }
