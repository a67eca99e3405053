#!/usr/bin/env bash
# Runs the benchmarks of this bundle, each in a process of its own: graphcap on the host device, graphcap beside the raw
# driver on a GPU, optimized graphs on both, and beside these the graphs of Python packages. Figures mean something on a
# quiet machine only.
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

# Runs the benchmark $1; the rest is its command. What it prints goes to a text file too. 77 says that it has nothing to
# measure here.
measure() {
    local name=$1 status
    [[ $name =~ $filter ]] || return 0
    ran=$((ran + 1))
    printf '\n== %s\n' "$name"
    "${@:2}" "${quick[@]}" </dev/null 2>&1 | tee "$out/$name.txt"
    status=${PIPESTATUS[0]}
    case $status in
        0) ;;
        77) echo "== $name: skipped" ;;
        *) echo "== $name: FAILED (exit status $status)" && failures=$((failures + 1)) ;;
    esac
}

measure graphcap-bench "$root/bin/graphcap-bench" --out "$out" --svg "$out/graphcap-bench.svg"
measure graphcap-bench-gpu "$root/bin/graphcap-bench-gpu" --out "$out"
for device in host cuda; do
    mkdir -p "$out/optimize-$device"
    measure "graphcap-bench-optimize-$device" \
        env "GRAPHCAP_DEVICE=$device" "$root/bin/graphcap-bench-optimize" --out "$out/optimize-$device"
done
if command -v python3 >/dev/null; then
    for script in "$root"/bench/gpu/rival_*.py "$root/bench/gpu/optimize_torch.py"; do
        measure "$(basename "$script" .py)" python3 "$script" --out "$out"
    done
else
    printf '\nThe rivals are not measured: python3 is not installed\n'
fi

[ "$ran" -gt 0 ] || fail "no benchmark has a name that matches '$filter'"
printf '\nresults: %s\n' "$out"
[ "$failures" -eq 0 ]
