#!/usr/bin/env bash
# Checks what scripts/package.sh made: sums, lintian, links, the C library that is asked for, the same files from another folder; and installs
# it into clean roots without Rust, where README's program is linked in each way and run. What the machine cannot check is named and left out.
# `make package-check` calls this.
#
# usage: scripts/package_check.sh
#
# ARCH: x86_64 or aarch64; else that of this machine. What is for the other one is linked by a cross compiler and run by qemu-user.
# SAME_AGAIN=no leaves out the second build, which takes as long as the first. build/package/root.tar is the clean root; it is made once.
set -euo pipefail
cd "$(dirname "$0")/.."

arch=${ARCH:-$(uname -m)}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
work=$PWD/build/package
out=$work/$arch/out
name=graphcap-$version-linux-$arch
failed=0
skipped=0

step() { printf '\npackage-check: %s\n' "$*"; }
# LEFT_OUT: the file of each.sh, which tells all once more at the end.
left_out() {
    printf 'package-check: LEFT OUT: %s: %s\n' "$arch" "$*" | tee -a "${LEFT_OUT:-/dev/null}"
    skipped=$((skipped + 1))
}
fail() { printf 'package-check: FAILED: %s\n' "$*" >&2 && failed=$((failed + 1)); }
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log" && return 1; }; }
have() { command -v "$1" >/dev/null; }

check_sums() {
    step "SHA256SUMS"
    (cd "$out" && sha256sum --quiet --strict --check SHA256SUMS) || fail "the sums"
    [ "$(find "$out" -type f ! -name SHA256SUMS | wc -l)" -eq "$(wc -l <"$out/SHA256SUMS")" ] || fail "a file has no sum"
}

check_lintian() {
    step "lintian"
    [ "$arch" = "$(uname -m)" ] || { printf 'packages for Debian of %s are made on a machine of that kind\n' "$arch" && return; }
    [ -n "$(find "$out" -name '*.deb')" ] || { left_out "lintian: there are no packages for Debian" && return; }
    have lintian || { left_out "lintian is missing (apt-get install lintian)" && return; }
    lintian --allow-root --fail-on error,warning "$out"/*.deb || fail "lintian"
}

check_sbom() {
    step "SBOM"
    have pyspdxtools || { left_out "pyspdxtools is missing (pip install spdx-tools)" && return; }
    pyspdxtools -i "$out/graphcap-$version.spdx.json" || fail "the SBOM"
}

# The newest version of glibc that the library asks for.
check_glibc() {
    local newest lacking
    step "glibc"
    newest=$(tar -xzOf "$out/$name.tar.gz" "$name/lib/libgraphcap.so.$version" >"$work/library" &&
        readelf --version-info "$work/library" | sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' | sort -Vu | tail -n 1)
    # A function that glibc had later has no version at all.
    lacking=$(readelf --dyn-syms --wide "$work/library" | awk '$5 == "GLOBAL" && $7 == "UND" && $8 !~ /@/ { print $8 }')
    rm "$work/library"
    printf 'the library needs glibc %s\n' "$newest"
    [ "$(printf '%s\n' "$newest" 2.28 | sort -V | tail -n 1)" = 2.28 ] || fail "the library needs glibc $newest"
    [ -z "$lacking" ] || fail "glibc 2.28 lacks what the library calls: $lacking"
}

# Each link of the documents and each symbolic link leads to a file of the same archive, or of the packages for Debian together.
check_links() {
    local root=$work/$arch/links
    step "links"
    rm -rf "$root"
    mkdir -p "$root/archive" "$root/debian"
    tar -C "$root/archive" -xzf "$out/$name.tar.gz"
    python3 scripts/links.py "$root/archive" || fail "the links of the archive"
    if [ -n "$(find "$out" -name '*.deb')" ]; then
        find "$out" -name '*.deb' -exec dpkg --extract {} "$root/debian" ';'
        python3 scripts/links.py "$root/debian" || fail "the links of the packages for Debian"
    fi
    rm -rf "$root"
}

# The same sources in another folder give the same files.
check_same_again() {
    local copy=$work/again
    step "a second build, in another folder"
    [ "${SAME_AGAIN:-yes}" = yes ] || { left_out "the second build: SAME_AGAIN is $SAME_AGAIN" && return; }
    rm -rf "$copy"
    mkdir -p "$copy"
    git ls-files -z | xargs -0 cp --parents -t "$copy"
    # Files of another age, as those of an older clone.
    find "$copy" -type f -exec touch --date=2020-02-02 {} +
    SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)} PATH="$work/tools/bin:$PATH" "$copy/scripts/package.sh" ||
        { fail "the second build" && return; }
    diff "$out/SHA256SUMS" "$copy/build/package/$arch/out/SHA256SUMS" || fail "the second build gave other files"
    rm -rf "$copy"
}

# The archive of a root with compilers and without Rust.
make_root() {
    [ "$(id -u)" -eq 0 ] || { left_out "the clean roots: only root may make them" && return 1; }
    have mmdebstrap || { left_out "the clean roots: mmdebstrap is missing (apt-get install mmdebstrap)" && return 1; }
    [ -f "$work/root.tar" ] && return
    mmdebstrap --variant=minbase --include=g++,libc6-dev,pkg-config,cmake,make,meson "$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)" \
        "$work/root-new.tar" /etc/apt/sources.list.d/*.sources || { left_out "the clean roots: mmdebstrap failed" && return 1; }
    mv "$work/root-new.tar" "$work/root.tar"
}

# Runs the command in a copy of the root, without network. $1: what unpacks the packages there.
in_root() {
    local root
    root=$(mktemp -d "$work/root.XXXXXX")
    tar -C "$root" -xf "$work/root.tar"
    mkdir -p "$root/project" "$root/opt/graphcap"
    cp scripts/package/in_root.sh c_tests/consumer/CMakeLists.txt "$root/project"
    if ! "$1" "$root" || ! unshare --mount --net --pid --fork chroot "$root" sh /project/in_root.sh "$2" /project; then
        fail "what is installed in $2"
    fi
    rm -rf "$root"
}

unpack_archive() { tar -C "$1/opt/graphcap" --strip-components=1 -xzf "$out/$name.tar.gz"; }

unpack_debian() {
    find "$out" -name '*.deb' ! -name '*dbgsym*' -exec cp {} "$1/project" ';'
    chroot "$1" sh -c 'dpkg --install /project/*.deb' >"$work/dpkg.log" || { cat "$work/dpkg.log" && return 1; }
}

check_roots() {
    step "the clean root"
    make_root || return 0
    step "the archive, in a clean root"
    in_root unpack_archive /opt/graphcap
    [ -n "$(find "$out" -name '*.deb')" ] || return 0
    step "the packages for Debian, in a clean root"
    in_root unpack_debian /usr
}

# The archive of another kind of machine: README's program, linked in each way, by a cross compiler; and the command.
check_foreign() {
    local root=$work/$arch/unpacked run cc=$arch-linux-gnu-gcc app=$work/$arch/app static
    step "the archive, by qemu-user"
    have "$cc" || { left_out "$cc is missing (apt-get install gcc-${arch/_/-}-linux-gnu)" && return; }
    have "qemu-$arch-static" || { left_out "qemu-$arch-static is missing (apt-get install qemu-user-static)" && return; }
    run="qemu-$arch-static -L /usr/$arch-linux-gnu"
    rm -rf "$root"
    mkdir "$root"
    tar -C "$root" --strip-components=1 -xzf "$out/$name.tar.gz"
    awk '/^```c$/ { getline; inside = /^#include <graphcap.h>/ } /^```$/ { inside = 0 } inside' README.md >"$app.c"
    # shellcheck disable=SC2046,SC2086 # lists of words
    for static in "" "--static" "--static -static"; do
        quietly "$cc" "$app.c" -o "$app" $(PKG_CONFIG_PATH=$root/lib/pkgconfig pkg-config --cflags --libs ${static%% -*} graphcap) \
            ${static#--static} -Wl,-rpath,"$root/lib" || fail "README's program does not link: ${static:-shared}"
        GRAPHCAP_DEVICE=host quietly $run "$app" || fail "README's program does not run: ${static:-shared}"
    done
    # shellcheck disable=SC2086 # a list of words
    quietly $run "$root/bin/graphcap" info || fail "the command"
    rm -rf "$root" "$app" "$app.c"
}

[ -f "$out/SHA256SUMS" ] || [ "$arch" = "$(uname -m)" ] || { left_out "there are no packages for $arch" && exit; }
[ -f "$out/SHA256SUMS" ] || { printf 'package-check: %s has no packages; make package makes them\n' "$out" >&2 && exit 2; }
check_sums
check_glibc
check_lintian
check_links
check_sbom
if [ "$arch" = "$(uname -m)" ]; then check_roots; else check_foreign; fi
check_same_again
printf '\npackage-check: %s failed, %s left out\n' "$failed" "$skipped"
[ "$failed" -eq 0 ]
