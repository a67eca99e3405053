#!/usr/bin/env bash
# Makes what a release gives away, from one library: archives, packages for Debian, an SBOM, licences and checksums. `make package` calls
# this. The same sources give the same files, in whatever folder they lie; what the machine cannot make is named and left out.
#
# usage: scripts/package.sh    fills build/package/ARCH/out
#
# ARCH: x86_64 or aarch64; else that of this machine. For the other one the archives are built by cargo-zigbuild; packages for Debian are
# made on a machine of their kind. SOURCE_DATE_EPOCH: the time that files bear, else that of the last commit.
set -euo pipefail
cd "$(dirname "$0")/.."

# The oldest C library that the packages run with.
glibc=2.28
arch=${ARCH:-$(uname -m)}
target=$arch-unknown-linux-gnu
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
maintainer=$(cat packaging/maintainer)
work=$PWD/build/package/$arch
out=$work/out
name=graphcap-$version-linux-$arch
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH CARGO_INCREMENTAL=0 LC_ALL=C
umask 022

step() { printf '\npackage: %s\n' "$*"; }
# LEFT_OUT: the file of each.sh, which tells all once more at the end.
left_out() { printf 'package: LEFT OUT: %s: %s\n' "$arch" "$*" | tee -a "${LEFT_OUT:-/dev/null}"; }

# cargo-zigbuild links with the C library that is asked for. It comes from PyPI where it is not installed.
find_cargo() {
    if ! command -v cargo-zigbuild >/dev/null; then
        PATH=$PWD/build/package/tools/bin:$PATH
        command -v cargo-zigbuild >/dev/null || { python3 -m venv build/package/tools &&
            build/package/tools/bin/pip install --quiet ziglang cargo-zigbuild; } || true
        hash -r
    fi
    cargo=$(command -v cargo-zigbuild || true)
    if [ -z "$cargo" ]; then
        left_out "glibc $glibc: cargo-zigbuild is missing, so the library is linked with the C library of this machine"
        return
    fi
    target=$target.$glibc
    # The zig that pip installed beside it, whatever Python stands first in PATH.
    [ ! -x "${cargo%/*}/python-zig" ] || export CARGO_ZIGBUILD_ZIG_PATH=${cargo%/*}/python-zig
    # The parts of zig that are linked in would name the folders that they were compiled in, so they get no debug information.
    export CCC_OVERRIDE_OPTIONS="# +-g0" ZIG_GLOBAL_CACHE_DIR=$work/zig-cache
}

# Says what is missing for another kind of machine than this one.
can_build() {
    local missing=""
    [ "$arch" != "$(uname -m)" ] || return 0
    rustc --print target-libdir --target "$arch-unknown-linux-gnu" | xargs test -d || missing="rustup target add $arch-unknown-linux-gnu"
    [ -n "$cargo" ] || missing="pip install ziglang cargo-zigbuild"
    command -v "$arch-linux-gnu-ld" >/dev/null || missing="apt-get install binutils-${arch/_/-}-linux-gnu"
    [ -z "$missing" ] || { left_out "the archives for $arch: something is missing ($missing)" && return 1; }
}

# The build folder $1 with further options. Cargo builds once for all of them.
build_tree() {
    local tools=() tool prefix
    prefix=$arch-linux-gnu-
    [ "$arch" = "$(uname -m)" ] && prefix=""
    for tool in ld objcopy ar; do tools+=("$(command -v "$prefix$tool")"); done
    cmake -S . -B "$work/$1" --log-level=WARNING -D GRAPHCAP_BUILD_TESTS=OFF -D GRAPHCAP_BUILD_EXAMPLES=OFF -D GRAPHCAP_BUILD_BENCH=OFF \
        -D GRAPHCAP_CARGO_TARGET="$target" -D GRAPHCAP_CARGO_TARGET_DIR="$PWD/build/package/cargo" \
        -D CARGO_EXECUTABLE="${cargo:-$(command -v cargo)}" \
        -D CMAKE_LINKER="${tools[0]}" -D CMAKE_OBJCOPY="${tools[1]}" -D CMAKE_AR="${tools[2]}" "${@:2}" >/dev/null
    cmake --build "$work/$1"
}

# The licences of what is linked in, and the SBOM.
write_contents() {
    step "licences, SBOM"
    cargo metadata --locked --format-version 1 --filter-platform "${target%."$glibc"}" >"$work/metadata.json"
    scripts/bundle_licences.py <"$work/metadata.json" >"$out/LICENSES-THIRD-PARTY.txt"
    [ -z "$cargo" ] || cat packaging/zig-licences.txt >>"$out/LICENSES-THIRD-PARTY.txt"
    scripts/sbom.py ${cargo:+"$(cargo-zigbuild --version | cut -d' ' -f2)"} <"$work/metadata.json" >"$out/graphcap-$version.spdx.json"
}

# The prefix $1 of an archive with the components that follow.
make_archive() {
    local prefix=$1 component
    rm -rf "${work:?}/$prefix"
    for component in "${@:2}"; do
        cmake --install "$work/tree" --prefix "$work/$prefix" --component "graphcap_$component" >/dev/null
    done
    mkdir -p "$work/$prefix/share/doc/graphcap"
    cp LICENSE-MIT LICENSE-APACHE "$out/LICENSES-THIRD-PARTY.txt" "$out/graphcap-$version.spdx.json" "$work/$prefix/share/doc/graphcap"
    scripts/pack.sh "$work" "$prefix"
    mv "$work/$prefix.tar.gz" "$out"
}

make_archives() {
    step "archives"
    build_tree tree -D CMAKE_INSTALL_LIBDIR=lib -D GRAPHCAP_DEBUG_FILE=ON
    make_archive "$name" runtime development tools
    make_archive "$name-debug" debug
}

# The files in packaging/debian, filled in.
write_debian_files() {
    local file date
    date=$(date -u -R -d "@$SOURCE_DATE_EPOCH")
    cp -r packaging/debian/. "$1"
    cat LICENSE-MIT >>"$1/copyright"
    cp "$out/LICENSES-THIRD-PARTY.txt" "$1/.."
    # What Debian's tables state for its own C library is newer than what cargo-zigbuild links with.
    [ -z "$cargo" ] || printf '%s libc6 (>= '"$glibc"')\n' "libc 6" "libm 6" "libpthread 0" "libdl 2" "librt 1" "libutil 1" \
        "ld-linux-x86-64 2" "ld-linux-aarch64 1" >"$1/shlibs.local"
    for file in changelog control copyright; do
        sed -i -e "s/@VERSION@/$version/g" -e "s/@MAINTAINER@/$maintainer/g" -e "s/@DATE@/$date/g" \
            -e "s/@YEAR@/$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y)/g" "$1/$file"
    done
}

# debhelper splits the debug information of the library into a package of its own.
make_debian() {
    local folder=$work/debian libraries
    step "packages for Debian"
    [ "$arch" = "$(uname -m)" ] || { printf 'none: those of %s are made on a machine of that kind\n' "$arch" && return; }
    for tool in dpkg-buildpackage dh; do
        command -v $tool >/dev/null || { left_out "packages for Debian: $tool is missing (apt-get install debhelper)" && return; }
    done
    libraries=lib/$(dpkg-architecture -q DEB_HOST_MULTIARCH)
    build_tree tree-debian -D CMAKE_INSTALL_PREFIX=/usr -D CMAKE_INSTALL_LIBDIR="$libraries"
    rm -rf "$folder"
    mkdir -p "$folder/debian"
    DESTDIR=$folder/installed cmake --install "$work/tree-debian" >/dev/null
    cp "$work/tree-debian/stage/lib/libgraphcap.so.$version" "$folder/installed/usr/$libraries"
    cp "$out/graphcap-$version.spdx.json" "$folder/installed/usr/share/doc/graphcap"
    # Their texts are in the file copyright.
    rm "$folder"/installed/usr/share/doc/graphcap/LICENSE-*
    sed -i 's|](LICENSE-[A-Z]*)|](../libgraphcap-dev/copyright)|g' "$folder/installed/usr/share/doc/graphcap/README.md"
    # dpkg-deb lets times of files pass that are older.
    find "$folder/installed" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
    write_debian_files "$folder/debian"
    (cd "$folder" && dpkg-buildpackage --build=binary --no-sign --no-check-builddeps --no-pre-clean) >"$work/debian.log" 2>&1 ||
        { cat "$work/debian.log" && exit 1; }
    mv "$work"/*.deb "$out"
}

mkdir -p "$work"
rm -rf "$out"
find_cargo
can_build || exit 0
mkdir "$out"
write_contents
make_archives
make_debian
(cd "$out" && sha256sum -- * >../SHA256SUMS && mv ../SHA256SUMS .)
step "$out has"
ls -l "$out"
