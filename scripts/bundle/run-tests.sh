#!/usr/bin/env bash
# Runs the tests of this bundle on each device that works here: every program in a process of its own, with a time limit
# and a log. The exit status is 0 when nothing failed, 1 when something did, 2 when what was asked for cannot be tested.
set -uo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

usage() {
    cat <<'END'
usage: run-tests.sh [--device cuda|host|all] [--filter REGEX] [--jobs N] [--timeout SECONDS] [--out FOLDER] [--memcheck]

  --device   which device to test; all, the default, takes those that work here
  --filter   only tests with a name that matches: c11/stream, cpp17/hpp, rust/unit_graphcap_core, python/ctypes, consumer/cmake, ...
  --jobs     programs at a time; by default one on cuda, as tests look at the GPU's free memory, and one per core on host
  --timeout  seconds after which a C program counts as hung, 120 by default; twice that for some others, and ten times
             under memcheck
  --out      where the logs go, ./test-logs by default
  --memcheck the C programs on cuda under compute-sanitizer's memcheck, instead of all else
END
}

fail() {
    printf 'run-tests: %s\n' "$*" >&2
    exit 2
}

device=all filter="" jobs="" limit=120 out=test-logs memcheck=no
while [ $# -gt 0 ]; do
    case $1 in
        --memcheck) memcheck=yes && shift && continue ;;
        -h | --help) usage && exit 0 ;;
        --device | --filter | --jobs | --timeout | --out) [ $# -ge 2 ] || fail "$1 needs a value" ;;
        *) usage >&2 && fail "unknown argument '$1'" ;;
    esac
    case $1 in
        --device) device=$2 ;;
        --filter) filter=$2 ;;
        --jobs) jobs=$2 ;;
        --timeout) limit=$2 ;;
        --out) out=$2 ;;
    esac
    shift 2
done
case $device in cuda | host | all) ;; *) fail "--device takes cuda, host or all, not '$device'" ;; esac
[[ $jobs =~ ^([1-9][0-9]*)?$ ]] || fail "--jobs takes a number, not '$jobs'"
[[ $limit =~ ^[1-9][0-9]*$ ]] || fail "--timeout takes seconds, not '$limit'"
[[ "" =~ $filter ]]
[ $? -ne 2 ] || fail "--filter '$filter' is no regular expression"

mkdir -p "$out" || fail "cannot make the folder '$out'"
out=$(cd "$out" && pwd)
rm -rf "$out/cuda" "$out/host" "$out/memcheck" "$out/results"
: >"$out/results"

# Names of tests, as --filter sees them.
all_tests() {
    local file
    for file in "$root"/tests/{c11,cpp17,rust,stand_in}/*; do
        [ -f "$file" ] && [ -x "$file" ] && printf '%s\n' "${file#"$root"/tests/}"
    done
    for file in "$root"/tests/python/test_*.py; do
        file=${file##*/test_}
        printf 'python/%s\n' "${file%.py}"
    done
    for file in "$root"/bin/*; do
        case ${file##*/} in graphcap-*) ;; *) printf 'example/%s\n' "${file##*/}" ;; esac
    done
    for file in "$root"/examples/python/*.py; do
        [ -f "$file" ] && printf 'example/%s\n' "${file##*/}"
    done
    printf 'consumer/%s\n' cmake pkg-config
}

# A fault ends the CUDA context, and a forked child may not use it: memcheck takes both for errors.
memcheck_tests() {
    local name
    while read -r name; do
        case $name in
            */fault* | */fork) ;;
            # It waits for all work of the GPU whenever a program waits for some: for ever where other work is held.
            */buffer | */cuda_exec | */cuda_held | */event | */event_external | */graph_exec | */housekeeping) ;;
            */peer_held | */retention | */stream | */value) ;;
            # It calls nothing of CUDA's.
            */device_code) ;;
            # It makes tens of thousands of calls, each of which takes long there.
            */fuzz) ;;
            # Its own code crashes in cuGraphLaunch there, and its calls break captures of these.
            */cuda_interop | */threads | */conformance) ;;
            c11/* | cpp17/*) printf '%s\n' "$name" ;;
        esac
    done < <(all_tests)
}

# Sets `command`, `seconds` and `killed`, which tells timeout whom to kill, for the test $2 on the device $1.
command_for() {
    local name=$2 file=${2#*/}
    # In the group of this script a test ends with it, by Ctrl-C too.
    seconds=$limit killed=(--foreground)
    case $name in
        c11/* | cpp17/* | stand_in/*) command=("$root/tests/$name") ;;
        # These build the stand-in for the driver from its sources, which the bundle lacks.
        rust/unit_*) command=("$root/tests/$name" --show-output --skip stand_in_tests::) seconds=$((2 * limit)) ;;
        rust/*) command=("$root/tests/$name" --show-output) seconds=$((2 * limit)) ;;
        python/*) command=(python3 "$root/tests/python/test_$file.py" --verbose) ;;
        example/*.py) command=(python3 "$root/examples/python/$file") seconds=$((2 * limit)) ;;
        example/quickstart*) command=("$root/bin/$file" "$root/examples/data/landscape.ppm") ;;
        example/*) command=("$root/bin/$file") ;;
        consumer/*) command=("$root/tests/consumer/consumer.sh" "$file" "$root") seconds=$((2 * limit)) ;;
    esac
    if [ "$1" = memcheck ]; then
        command=("$sanitizer" --tool memcheck --report-api-errors no --error-exitcode 1 "${command[@]}")
        # compute-sanitizer has the program as a child, which must not outlive it on the GPU: a group of its own.
        seconds=$((10 * limit)) killed=()
    fi
}

# What the programs counted: checks in C, tests in Rust and Python.
checks_in() {
    awk '/^[0-9]+ checks, / { n += $1 } /^test result: / { n += $4 } /^Ran [0-9]+ tests? in / { n += $2 }
        END { print n + 0 }' "$1"
}

# Why the test of the log $1 was skipped, wholly or in part; $2 is its result.
reasons_in() {
    grep -E "^skipped on |\.\.\. skipped ['\"]" "$1" | sed 's/^skipped on [a-z]*: //' ||
        { [ "$2" != skipped ] || tail -n 1 "$1" | sed 's/^skipped: //'; }
}

outcome() {
    case $1 in
        0) echo ok ;;
        77) echo skipped ;;
        124) echo "FAILED (no end after $seconds s)" ;;
        129 | 1[3-8]? | 19[0-2]) echo "FAILED (killed by SIG$(kill -l $(($1 - 128))))" ;;
        *) echo "FAILED (exit status $1)" ;;
    esac
}

# Runs test $3 on device $2, as number $1, and notes the result.
run_one() {
    local number=$1 on=$2 name=$3 head log work command seconds killed status begin spent result
    head=$(printf '[%3d/%3d] %s %s ...' "$number" "$total" "$on" "$name")
    [ "$at_once" -gt 1 ] || printf '%s ' "$head"
    log=$out/$on/$name.log work=$out/$on/folders/$name
    mkdir -p "${log%/*}" "$work"
    command_for "$on" "$name"
    printf '$ GRAPHCAP_DEVICE=%s %s\n' "${runs_on[$on]}" "${command[*]}" >"$log"
    begin=${EPOCHREALTIME/./}
    if [ "${command[0]}" = python3 ] && ! command -v python3 >/dev/null; then
        echo "python3 is not installed" >>"$log"
        status=77
    else
        # The braces keep what bash says of a crash out of the progress; outcome() says it.
        { (
            cd "$work" || exit 1
            export GRAPHCAP_DEVICE=${runs_on[$on]} GRAPHCAP_LIBRARY=$root/lib/libgraphcap.so.0 PYTHONDONTWRITEBYTECODE=1
            exec timeout "${killed[@]}" --kill-after 10 "$seconds" "${command[@]}" </dev/null >>"$log" 2>&1
        ) } 2>/dev/null
        status=$?
    fi
    spent=$(((${EPOCHREALTIME/./} - begin) / 100000))
    result=$(outcome "$status")
    # Examples write files; a folder in which nothing was written goes.
    rmdir "$work" 2>/dev/null
    printf '%s\t%s\t%s\t%s\n' "$on" "$name" "${result%% *}" "$(checks_in "$log")" >>"$out/results"
    # Of several at a time each has its line to itself.
    [ "$at_once" -le 1 ] && head="" || head="$head "
    printf '%s%s %d.%d s\n' "$head" "$result" $((spent / 10)) $((spent % 10))
}

# Runs the tests that are named on stdin on device $1, $2 at a time.
run_all() {
    local on=$1 at_once=$2 number=0 name names=()
    while read -r name; do
        [[ $name =~ $filter ]] && names+=("$name")
    done
    total=${#names[@]}
    for name in "${names[@]}"; do
        number=$((number + 1))
        if [ "$at_once" -le 1 ]; then
            run_one "$number" "$on" "$name"
            continue
        fi
        while [ "$(jobs -rp | wc -l)" -ge "$at_once" ]; do wait -n; done
        run_one "$number" "$on" "$name" &
    done
    wait
}

print_machine() {
    local card
    echo "graphcap $(tr '\n' ' ' <"$root/VERSION")on $(uname -srm), $(getconf GNU_LIBC_VERSION)," \
        "$(date -u '+%Y-%m-%d %H:%M') UTC"
    card=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null) && echo "nvidia-smi: $card"
    "$root/bin/graphcap-device"
    echo
}

print_failures() {
    local on name
    while IFS=$'\t' read -r on name; do
        printf '\n--- %s %s: the end of %s\n' "$on" "$name" "$out/$on/$name.log"
        tail -n 30 "$out/$on/$name.log"
    done < <(awk -F '\t' '$3 == "FAILED" { print $1 "\t" $2 }' "$out/results")
}

# Each reason once for a device, with the programs that gave it.
print_skips() {
    local on name result _
    while IFS=$'\t' read -r on name result _; do
        [ "$result" = FAILED ] || reasons_in "$out/$on/$name.log" "$result" | sed "s|^|$on\t$name\t|"
    done < <(sort "$out/results") | awk -F '\t' '
        { reason = $1 ": " $3
          if (reason in names) { names[reason] = names[reason] ", " $2 } else { names[reason] = $2; order[++n] = reason } }
        END { if (n) print "\nSkipped, and why:"
              for (i = 1; i <= n; i++) print "  " order[i] " (" names[order[i]] ")" }'
}

print_table() {
    printf '\n%-10s %8s %8s %8s %10s\n' device passed failed skipped checks
    awk -F '\t' '
        { if (!($1 in checks)) order[++n] = $1
          count[$1, $3]++; checks[$1] += $4 }
        $3 == "FAILED" { failed = failed "\n  " $1 " " $2 }
        END { for (i = 1; i <= n; i++) { d = order[i]
                  printf "%-10s %8d %8d %8d %10d\n", d, count[d, "ok"], count[d, "FAILED"], count[d, "skipped"], checks[d] }
              if (failed) print "\nFailed:" failed }' "$out/results"
}

find_sanitizer() {
    command -v compute-sanitizer || ls /usr/local/cuda*/bin/compute-sanitizer 2>/dev/null | tail -n 1
}

main() {
    local reason cores
    declare -A runs_on=([cuda]=cuda [host]=host [memcheck]=cuda)
    cores=$(nproc)
    trap 'kill 0' INT
    ulimit -c 0
    print_machine || fail "the programs of this bundle do not run here"

    if [ "$memcheck" = yes ]; then
        "$root/bin/graphcap-device" cuda >/dev/null || fail "memcheck needs a GPU"
        sanitizer=$(find_sanitizer)
        [ -n "$sanitizer" ] || fail "memcheck needs compute-sanitizer, which is neither in PATH nor below /usr/local/cuda"
        echo "$("$sanitizer" --version | tail -n 1)"
        echo "left out under memcheck: fault* (a fault is an error to it) and fork (it follows no forked child)"
        run_all memcheck "${jobs:-1}" < <(memcheck_tests)
    else
        if [ "$device" != host ]; then
            if reason=$("$root/bin/graphcap-device" cuda 2>&1 >/dev/null); then
                run_all cuda "${jobs:-1}" < <(all_tests)
            elif [ "$device" = cuda ]; then
                fail "no CUDA device works here: $reason"
            else
                echo "not tested on cuda: $reason"
            fi
        fi
        [ "$device" = cuda ] || run_all host "${jobs:-$cores}" < <(all_tests)
    fi

    [ -s "$out/results" ] || fail "no test has a name that matches '$filter'"
    print_failures
    print_skips
    print_table
    printf '\nlogs: %s\n' "$out"
    ! grep -q "$(printf '\tFAILED\t')" "$out/results"
}

main 2>&1 | tee "$out/summary.txt"
exit "${PIPESTATUS[0]}"
