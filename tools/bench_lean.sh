#!/bin/sh
# A step of scree beside one of a small reference program that does spheres in a box and nothing else ("lean"), on the same states,
# in one sitting: what a step of the engine could cost. Least of several runs each, taken in turns, on one core.
# Usage: tools/bench_lean.sh LEAN-FOLDER [BED...]
#   LEAN-FOLDER  sources and Makefile of the reference; its program is built in a copy
#   BED          settled-10000, falling-10000, sizes-20000, settled-100000, falling-100000; all of these
# RUNS (5), STEPS (300), CORE (0), THREADS (1) and BEDS (build/engines) may be set in the environment. Beds that are not there are
# made by `scree-bench engines`.
set -eu
lean=${1:?usage: tools/bench_lean.sh LEAN-FOLDER [BED...]}
shift
lean=$(cd "$lean" && pwd)
cd "$(dirname "$0")/.."
scree=$PWD/build/release/scree-bench
beds=${BEDS:-build/engines} runs=${RUNS:-5} steps=${STEPS:-300} core=${CORE:-0} threads=${THREADS:-1}
[ $# -gt 0 ] || set -- settled-10000 falling-10000 sizes-20000 settled-100000 falling-100000
[ -x "$scree" ] || { echo "bench_lean: there is no $scree: ./do build" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$lean"/*.c "$lean"/*.h "$lean"/Makefile "$work"
make -s -C "$work" lean

# pinned where there is one thread; several go where they will
pinned() { if [ "$threads" -gt 1 ]; then "$@"; else taskset -c "$core" "$@"; fi; }

# what a run takes: ns a body and step, of the processor with one thread, by the clock with several
scree_ns() {
    pinned "$scree" engines --measure "$1" --steps "$steps" --threads "$threads" |
        awk -v many="$threads" '/^ns a body/ && many == 1 { print $NF } /^by the clock/ && many > 1 { print $NF }'
}
lean_ns() {
    pinned "$work/lean" "$1" --hertz 1 --dt 5e-6 --steps "$steps" --threads "$threads" |
        awk -v many="$threads" '/^ns a body/ { for (k = 1; k < NF; k++) if ($k == (many > 1 ? "wall" : "cpu")) { sub(/[;,]/, "", $(k + 1)); print $(k + 1) } }'
}
lesser() { awk -v a="$1" -v b="$2" 'BEGIN { print a == "" || b + 0 < a + 0 ? b : a }'; }

awk -F': *' '/model name/ { print "processor: " $2; exit }' /proc/cpuinfo
echo "ns a body and step, least of $runs runs of $steps steps, threads $threads"
printf '%-16s %8s %8s %8s\n' bed scree lean times
missed=0
for bed; do
    file=$beds/$bed.data
    if [ ! -f "$file" ]; then
        "$scree" engines --state "${bed%-*}" --n "${bed##*-}" --work 1000 --cache "$beds" >"$work/made" 2>&1 ||
            { cat "$work/made" >&2; exit 1; }
    fi
    ours='' theirs=''
    for _ in $(seq "$runs"); do
        ours=$(lesser "$ours" "$(scree_ns "$file")")
        theirs=$(lesser "$theirs" "$(lean_ns "$file")")
    done
    times=$(awk -v a="$ours" -v b="$theirs" 'BEGIN { printf "%.2f", a / b }')
    printf '%-16s %8s %8s %8s\n' "$bed" "$ours" "$theirs" "$times"
    [ "$(awk -v t="$times" 'BEGIN { print t > 1 }')" = 0 ] || missed=$((missed + 1))
done
[ "$missed" -eq 0 ] || echo "$missed of $# beds take longer than in the reference"
