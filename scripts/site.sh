#!/bin/sh
# Builds the site of the documentation, and looks at it in Chromium. `make docs`, `make docs-rust`, `make docs-check` and
# `make report-check` call it.
#
# usage: scripts/site.sh build   writes build/site/html
#        scripts/site.sh rust    adds the reference of the Rust crates, build/site/html/rust
#        scripts/site.sh report  opens reports of the command in Chromium; skips likewise
#        scripts/site.sh check   asks the site's search, reads its pages in Chromium; skips, and says so, where there is no Chromium
#
# PYTHON: the interpreter (python3), 3.11 or newer. CHROMIUM: the browser (chromium, chromium-browser or google-chrome of the PATH).
# STRICT=yes: fails where it would skip.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
site=$root/docs/site
out=$root/build/site
python=${PYTHON:-python3}

fail() {
    printf 'site.sh: %s\n' "$*" >&2
    exit 1
}

# An environment with the packages of a file of requirements, made anew when the file changes.
environment() {
    tools=$out/$1
    if ! cmp -s "$site/$1.txt" "$tools/made-of.txt"; then
        "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "the site needs Python 3.11 or newer"
        rm -rf "$tools"
        "$python" -m venv "$tools"
        "$tools/bin/python" -m pip install --quiet --require-hashes --requirement "$site/$1.txt"
        cp "$site/$1.txt" "$tools/made-of.txt"
    fi
}

browser() {
    for name in ${CHROMIUM:-chromium chromium-browser google-chrome}; do
        command -v "$name" && return
    done
}

skip() {
    printf '%s is skipped: Chromium is not installed (on Debian: apt-get install chromium)\n' "$1"
    [ "${STRICT:-no}" != yes ]
    exit
}

case ${1:-} in
    build)
        environment requirements
        "$out/requirements/bin/python" "$site/build.py" "$out"
        printf 'The manual is in %s. To read and search it: python3 -m http.server -d %s\n' "$out/html" "$out/html"
        ;;
    check)
        [ -f "$out/html/index.html" ] || fail "there is no site; make docs builds it"
        chromium=$(browser) || skip docs-check
        environment requirements-check
        "$out/requirements-check/bin/python" "$site/check.py" "$out" "$chromium"
        ;;
    rust)
        [ -f "$out/html/index.html" ] || fail "there is no site; make docs builds it"
        (cd "$root" && RUSTDOCFLAGS='--cfg docsrs -D warnings' cargo doc --locked --no-deps --target-dir "$out/cargo" \
            --package graphcap --package graphcap-core --package graphcap-kit --package graphcap-base)
        rm -rf "$out/html/rust"
        cp -R "$out/cargo/doc" "$out/html/rust"
        printf 'It begins at %s\n' "$out/html/rust/graphcap/index.html"
        ;;
    report)
        chromium=$(browser) || skip report-check
        (cd "$root" && cargo build --release --locked --package graphcap-command)
        environment requirements-check
        "$out/requirements-check/bin/python" "$site/check_report.py" "$out/report" "$chromium" \
            "${CARGO_TARGET_DIR:-$root/target}/release/graphcap"
        ;;
    *) fail "usage: scripts/site.sh build|rust|check|report" ;;
esac
