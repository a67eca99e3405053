#!/bin/sh
# Builds the small program beside it against the libraries and headers of the bundle, in the current folder, and runs it:
# can the bundle be linked? Exits with 77 where a tool is missing.
#
# usage: consumer.sh cmake|pkg-config ROOT_OF_THE_BUNDLE
set -eu

sources=$(cd "$(dirname "$0")" && pwd)
root=$2
CC=${CC:-cc}
CXX=${CXX:-c++}

# Nothing but the bundle may help to find the library.
unset LD_LIBRARY_PATH CMAKE_PREFIX_PATH graphcap_DIR

have() { command -v "$1" >/dev/null 2>&1; }

need() {
    have "$1" || {
        echo "$1 is not installed"
        exit 77
    }
}

need "$CC"
case $1 in
    cmake)
        need cmake
        cxx=OFF
        ! have "$CXX" || cxx=ON
        cmake -S "$sources" -B build -DCMAKE_PREFIX_PATH="$root" -DCONSUMER_CXX=$cxx
        cmake --build build
        for program in build/consumer_*; do "$program"; done
        rm -r build
        ;;
    pkg-config)
        need pkg-config
        PKG_CONFIG_PATH=$root/lib/pkgconfig
        export PKG_CONFIG_PATH
        # pkg-config writes for a shell: blanks in the path of the bundle are escaped.
        eval "\"$CC\" -std=c11 -Wall -Wextra -Werror \"\$sources/main.c\" -o shared $(pkg-config --cflags --libs graphcap)"
        eval "\"$CC\" -std=c11 -Wall -Wextra -Werror \"\$sources/main.c\" -o static \
            $(pkg-config --cflags graphcap) $(pkg-config --variable=static graphcap)"
        LD_LIBRARY_PATH=$root/lib ./shared
        ./static
        rm shared static
        ;;
esac
