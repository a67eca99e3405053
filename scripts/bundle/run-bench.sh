#!/usr/bin/env bash
# Runs the benchmarks of this bundle, each in a process of its own: graphcap on the host device, graphcap beside the raw
# driver on a GPU, and beside these the graphs of Python packages. Figures mean something on a quiet machine only.
set -uo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

usage() {
    cat <<'END'
usage: run-bench.sh [--out FOLDER] [--quick] [--filter REGEX]

  --out     where text, CSV and pictures go, ./bench-results by default; files of the same names are replaced
  --quick   a smoke run of seconds; its figures mean nothing
  --filter  only benchmarks with a name that matches: graphcap-bench, graphcap-bench-gpu, rival_torch, ...
END
}

fail() {
    printf 'run-bench: %s\n' "$*" >&2
    exit 2
}

out=bench-results quick=() filter=""
while [ $# -gt 0 ]; do
    case $1 in
        --quick) quick=(--quick) && shift && continue ;;
        -h | --help) usage && exit 0 ;;
        --out | --filter) [ $# -ge 2 ] || fail "$1 needs a value" ;;
        *) usage >&2 && fail "unknown argument '$1'" ;;
    esac
    case $1 in
        --out) out=$2 ;;
        --filter) filter=$2 ;;
    esac
    shift 2
done
mkdir -p "$out" || fail "cannot make the folder '$out'"
out=$(cd "$out" && pwd)

export PYTHONDONTWRITEBYTECODE=1
failures=0 ran=0

chosen() {
    [[ $1 =~ $filter ]] || return 1
    ran=$((ran + 1))
    printf '\n== %s\n' "$1"
}

# 77 says that there is nothing to measure here.
judge() {
    case $2 in
        0) ;;
        77) echo "== $1: skipped" ;;
        *) echo "== $1: FAILED (exit status $2)" && failures=$((failures + 1)) ;;
    esac
}

# A program that prints tables.
measure() {
    chosen "$1" || return 0
    "$root/bin/$1" "${quick[@]}" "${@:2}" </dev/null 2>&1 | tee "$out/$1.txt"
    judge "$1" "${PIPESTATUS[0]}"
}

# A script that prints lines of CSV.
measure_rival() {
    local name
    name=$(basename "$1" .py)
    chosen "$name" || return 0
    python3 "$1" "${quick[@]}" </dev/null | tee -a "$out/rivals.csv"
    judge "$name" "${PIPESTATUS[0]}"
}

measure graphcap-bench --svg "$out/graphcap-bench.svg"
measure graphcap-bench-gpu --out "$out"
echo "rival,version,nodes,launch_ns,rounds" >"$out/rivals.csv"
if command -v python3 >/dev/null; then
    for script in "$root"/bench/gpu/rival_*.py; do measure_rival "$script"; done
else
    printf '\nThe rivals are not measured: python3 is not installed\n'
fi

[ "$ran" -gt 0 ] || fail "no benchmark has a name that matches '$filter'"
printf '\nresults: %s\n' "$out"
[ "$failures" -eq 0 ]
