#!/bin/sh
# Numbers that the guide states about its scenes are those of runs; only the first scene's unless SCREE_TEST_EFFORT is full, which
# takes some minutes. usage: test_guide_figures.sh PROGRAM
set -u
# shellcheck source=tests/app/program.sh
. "$(dirname "$0")/program.sh"
record_begin app/test_guide_figures
guide=$tests/../docs/guide
scenes=$tests/../examples/scenes

needs_lua

# states PAGE TEXT: the page has the text, whatever its lines are
states() {
    if tr -s '\n ' '  ' <"$guide/$1" | grep -qF -- "$2"; then good; else bad "docs/guide/$1 should say: $2"; fi
}
# block PAGE N: the N-th block of Lua
block() {
    awk -v wanted="$2" '/^```lua$/ { n++; inside = 1; next } /^```/ { inside = 0 } inside && n == wanted' "$guide/$1"
}
# value FOLDER COLUMN: in the last row
value() {
    awk -F, -v name="$2" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k } { last = $at } END { print last }' "$1/metrics.csv"
}
# later_mean FOLDER COLUMN: over the second half of the time
later_mean() {
    awk -F, -v name="$2" '
        NR == 1 { for (k = 1; k <= NF; k++) { if ($k == name) at = k; if ($k == "time") when = k } next }
        { time[NR] = $when; number[NR] = $at }
        END { for (k = 2; k <= NR; k++) if (time[k] > time[NR] / 2) { sum += number[k]; count++ } print sum / count }' "$1/metrics.csv"
}

# ---- a first scene ----

block first-scene.md 1 | grep -v '^output' >heap.lua
run run heap.lua --out heap --quiet
code_is 0
states first-scene.md "Only $(value heap bodies) of the 300 grains"

if [ "${SCREE_TEST_EFFORT:-}" != full ]; then
    program_end test_guide_figures
    exit
fi

# ---- bonds that break ----

sed 's/^output .*//' "$scenes/breaking.lua" >breaking.lua
run run breaking.lua --out breaking --quiet
code_is 0
states bonds.md "bonds $(value breaking broken) break, $(value breaking broken_by_tension) of them by tension"

# ---- a hopper with a gate: mass that left in the rows of the second stage, over their time ----

for opening in 12 16 20; do
    sed 's/^output .*//' "$scenes/gate.lua" >gate.lua
    run run gate.lua --set "opening=0.0$opening" --out "gate$opening" --quiet
    code_is 0
    flow=$(awk -F, '
        NR == 1 { for (k = 1; k <= NF; k++) { if ($k == "stage") stage = k; if ($k == "time") time = k; if ($k == "inside.mass") mass = k } next }
        $stage == 2 { if (!from) { from = $time; full = $mass } to = $time; left = $mass }
        END { printf "%.3g", (full - left) / (to - from) }' "gate$opening/metrics.csv")
    states gate.md "| $opening mm | $flow kg/s |"
done

# ---- a cell that is sheared under pressure ----

page_block=$(grep -c 'pressure = 500' "$guide/shear.md")
if [ "$page_block" -gt 0 ]; then good; else bad "docs/guide/shear.md has no scene with a pressure of 500"; fi
n=1
while ! block shear.md $n | grep -q 'pressure = 500' && [ $n -lt 9 ]; do n=$((n + 1)); done
block shear.md $n >held.lua
for rate in 5 10 20 40; do
    run run held.lua --set "rate=$rate" --out "held$rate" --quiet
    code_is 0
    solid=$(later_mean "held$rate" flow.solid_fraction)
    friction=$(echo "$(later_mean "held$rate" flow.shear_stress) $(later_mean "held$rate" flow.pressure)" | awk '{ printf "%.2f", $1 / $2 }')
    states shear.md "| $rate | $(printf '%.3f' "$solid") | $friction |"
done

program_end test_guide_figures
