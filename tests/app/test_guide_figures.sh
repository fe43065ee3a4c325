#!/bin/sh
# Numbers that the guide states about its scenes are those of runs; only the first scene's unless SCREE_TEST_EFFORT is full, which
# takes a quarter of an hour. usage: test_guide_figures.sh PROGRAM
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

# example NAME FOLDER WORDS...: a run of an example without its frames
example() {
    name=$1 folder=$2
    shift 2
    sed 's/^output .*//; s/^picture .*//' "$scenes/$name.lua" >"$name.lua"
    run run "$name.lua" --out "$folder" --quiet "$@"
    code_is 0
}
# largest FOLDER STAGE COLUMN: in the rows of a stage
largest() {
    awk -F, -v stage="$2" -v name="$3" '
        NR == 1 { for (k = 1; k <= NF; k++) { if ($k == name) at = k; if ($k == "stage") s = k } next }
        $s == stage && (!n++ || $at > most) { most = $at } END { print most }' "$1/metrics.csv"
}
# took FOLDER STAGE: how long a stage took, s
took() {
    awk -v wanted="$2" '/"ended_time"/ { gsub(/[^0-9.e+-]/, "", $2); n++; if (n == wanted) print $2 - before; before = $2 }' "$1/run.json"
}
# rounded FORMAT NUMBER
rounded() { echo "$2" | awk -v format="$1" '{ printf format, $1 }'; }

# ---- bonds that break ----

example breaking breaking
states bonds.md "bonds $(value breaking broken) break, $(value breaking broken_by_tension) of them by tension"

example crusher crusher
states crusher.md "about $(value crusher broken) of $(($(value crusher broken) + $(value crusher bonds))) bonds are broken"

example beam beam
states beam.md "Its largest force was $(rounded %.1f "$(largest beam 4 punch.force_y)") N in the stage"
states beam.md "At the end $(value beam broken) of $(($(value beam broken) + $(value beam bonds))) bonds are broken, all by tension"
shown='beam.lua'
if [ "$(value beam broken)" = "$(value beam broken_by_tension)" ]; then good; else bad 'not all bonds broke by tension'; fi

example pillar pillar
states pillar.md "rises to $(rounded %.2f "$(largest pillar 4 stress | awk '{ print $1 / 1000 }')") kPa"
states pillar.md "with $(value pillar broken) of $(($(value pillar broken) + $(value pillar bonds))) bonds broken"

# ---- a sandglass, and a powder ----

example sandglass sandglass
states sandglass.md "is empty, after $(rounded %.2f "$(took sandglass 1)") s"
states sandglass.md "The second time takes $(rounded %.3f "$(took sandglass 3)") s"

example powder powder
states powder.md "the solid fraction reaches $(rounded %.2f "$(value powder flow.solid_fraction)")"

# ---- dry and wet heaps ----

example cohesion cohesion
states cohesion.md "At the end $(value cohesion on_dry.count) of $(value cohesion dry.count) dry grains are on their plate or above it, and $(value cohesion on_wet.count) of $(value cohesion wet.count) wet ones."

# ---- triaxial tests ----

example triaxial triaxial
area=$(echo "$(value triaxial cell.size_x) $(value triaxial cell.size_y)" | awk '{ print $1 * $2 }')
force=$(value triaxial ram.force_z)
deviator=$(echo "$force $area" | awk '{ print $1 / $2 / 1000 }')
states triaxial.md "it is $(rounded %.0f "$force") N on $(echo "$area" | awk '{ printf "%.0f", 1e4 * $1 }') cm^2, $(rounded %.1f "$deviator") kPa"
states triaxial.md "p is $(echo "$deviator" | awk '{ printf "%.1f", 5 + $1 / 3 }') kPa: q / p is $(echo "$deviator" | awk '{ printf "%.1f", $1 / (5 + $1 / 3) }')"

example triaxial_stages small --set count=500
states triaxial.md "$(value small bodies) grains, which fill $(sed -n "s/.* bodies take \\([0-9.]*\\) of.*/\\1/p" small/log.txt | head -n 1 | awk '{ printf "%.2f", $1 }')"
states triaxial.md "has a peak of $(rounded %.0f "$(largest small 2 friction_angle)") degrees"
states triaxial.md "and ends at $(rounded %.0f "$(value small friction_angle)")"

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
