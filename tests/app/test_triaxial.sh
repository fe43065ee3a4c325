#!/bin/sh
# Yade's triaxial test in worlds, in its short form (tools/triaxial.sh): more enlarged boxes are fewer runs and more pairs, and no other
# state. Usage: test_triaxial.sh PROGRAM
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/app/program.sh
. "$(dirname "$0")/program.sh"

shown='tools/triaxial.sh --quick'
echo 'run { steps = 1 }' > one.lua
"$scree" run one.lua --out one > out 2> err
if grep -q 'built without Lua' err; then
    echo 'this program cannot read scenes: skipped'
    exit 77
fi
if sanitized; then
    echo 'too slow with a sanitizer: skipped'
    exit 77
fi
record_begin app/test_triaxial
proves 'IS-06 IS-12 IS-13' short_form
sh "$root/tools/triaxial.sh" "$scree" --quick --record rows > out 2> err
code=$?; code_is 0; calm
# every step without a sweep, some runs with, the fewer the larger it is; ratios fall; one digest
awk 'NR > 1 { if (NR > 2 && !($2 < runs && $6 < ratio && $4 > pairs && $5 == touching && $7 == digest)) wrong = 1
        runs = $2; ratio = $6; pairs = $4; touching = $5; digest = $7; if (NR == 2) first = $2; if (NR == 3) second = $2 }
    END { exit wrong || NR != 5 || first != 500 || second > 50 }' out
code=$?; code_is 0
if [ "$(wc -l < rows/bench_triaxial.txt)" -eq 3 ] && grep -q '^# ended' rows/bench_triaxial.txt; then good; else bad 'two rows should be recorded'; fi
proved "500 and $(awk 'NR == 3 { print $2 }' out) runs in 500 steps, ratios $(awk 'NR > 1 { printf "%s%s", text, $6; text = ", " }' out), one state"
sh "$root/tools/triaxial.sh" "$scree" --nonsense > out 2> err
code=$?; code_is 2; complains "what is '--nonsense'?"

program_end test_triaxial
