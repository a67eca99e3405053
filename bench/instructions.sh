#!/bin/sh
# usage: bench/instructions.sh PROGRAM [LIBRARY_FOLDER...]
# Instructions of each job of graphcap-bench-instructions, per repetition, by valgrind's callgrind: a row for each job and a column for
# each folder with a libgraphcap.so.0; without one, for the library that the program is linked to. Each column behind the first also has
# the ratio to it.
set -eu
program=$1
shift
[ $# -gt 0 ] || set -- ""
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Instructions of a run, by all threads.
count() {
    LD_LIBRARY_PATH="$1" GRAPHCAP_DEVICE=host GRAPHCAP_HOST_THREADS=1 valgrind --tool=callgrind --fair-sched=yes \
        --callgrind-out-file="$work/out" "$program" "$2" "$3" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
    sed -n 's/^\(summary\|totals\): *//p' "$work/out" | head -n 1
}

for row in look_up:200000 submit:4000 capture_64:100 launch_1:2000 launch_8:4000 replay_64:1000 \
    set_copy:200 set_copy_4:2000 set_kernel_4:2000 update:100 instantiate:100; do
    job=${row%:*}
    times=${row#*:}
    printf '%-12s' "$job"
    first=
    for folder in "$@"; do
        little=$(count "$folder" "$job" "$times")
        much=$(count "$folder" "$job" $((times * 3)))
        each=$(( (much - little) / (times * 2) ))
        first=${first:-$each}
        printf ' %9d %s' "$each" "$(awk "BEGIN { printf \"%.3f\", $each / $first }")"
    done
    printf '\n'
done
