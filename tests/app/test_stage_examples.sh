#!/bin/sh
# What the guide says of stages: each part of a scene on its page runs to its end, the hopper with a gate flows by
# Beverloo's law, and the beam breaks. Usage: test_stage_examples.sh PROGRAM
set -u
scree=${1:?usage: test_stage_examples.sh PROGRAM}
case $scree in /*) ;; *) scree=$PWD/$scree ;; esac
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

echo 'run { steps = 1 }' > any.lua
if "$scree" run any.lua --out any 2>&1 | grep -q 'built without Lua'; then
    echo "this program cannot read scenes: skipped"
    exit 77
fi

good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAILED: $1"
    tail -n 3 said 2> /dev/null
}
run() { timeout 500 "$scree" run "$@" --quiet > said 2>&1; }
# ended FOLDER: how many stages have come to an end
ended() { grep -c '"ended_by"' "$1/run.json"; }

# ---- the page: the first part goes before each of the others ----

awk '/^```lua$/ { n++; inside = 1; next } /^```/ { inside = 0 } inside { print > ("part" n ".lua") }' "$top/docs/guide/stages.md"
parts=$(find . -name 'part*.lua' | wc -l)
if [ "$parts" -ge 6 ]; then good; else bad "docs/guide/stages.md has $parts parts of scenes"; fi
k=2
while [ $k -le "$parts" ]; do
    cat part1.lua "part$k.lua" > whole.lua
    stages=$(grep -c '^stage {' "part$k.lua")
    if run whole.lua --out "part$k"; then good; else bad "part $k of docs/guide/stages.md does not run"; fi
    if [ "$stages" -eq 0 ]; then
        if grep -q '"stopped_by"' "part$k/run.json"; then good; else bad "part $k: nothing stopped the run"; fi
    elif [ "$(ended "part$k")" -eq "$stages" ] && ! grep -q '"ended_by": "at_most"' "part$k/run.json"; then
        good
    else
        bad "part $k: $(ended "part$k") of $stages stages ended"
    fi
    k=$((k + 1))
done

# ---- the hopper: flow against opening ----

# rate FOLDER: kg/s over the rows of stage 2
rate() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "stage") s = i; if ($i == "inside.mass") m = i; if ($i == "time") t = i } next }
             $s == 2 { if (!from) { from = $t; mass = $m } to = $t; left = $m } END { print (mass - left) / (to - from) }' "$1/metrics.csv"
}
sed 's/metrics { every = 0.01 }/metrics { every = 0.002 }/; /^output/d' "$top/examples/scenes/gate.lua" > gate.lua
for opening in 0.010 0.013 0.016; do
    if run gate.lua --set grains=600 --set "opening=$opening" --out "gate-$opening"; then good; else bad "gate.lua with $opening does not run"; fi
    if [ "$(ended "gate-$opening")" -eq 3 ]; then good; else bad "gate.lua with $opening: not three stages"; fi
done
exponent=$( (for o in 0.010 0.013 0.016; do echo "$o $(rate gate-$o)"; done) |
    awk '{ x = log($1 - 0.0028); y = log($2); n++; sx += x; sy += y; sxx += x * x; sxy += x * y } END { print (n * sxy - sx * sy) / (n * sxx - sx * sx) }')
# of 600 grains each flow is a matter of a few hundred, which start and stop: 2.5 within 0.8
if awk -v e="$exponent" 'BEGIN { exit !(e > 1.7 && e < 3.3) }'; then good; else bad "the exponent of the flow is $exponent, should be about 2.5"; fi

# ---- the beam ----

sed '/^output/d' "$top/examples/scenes/beam.lua" > beam.lua
if run beam.lua --set speed=0.02 --out beam; then good; else bad "beam.lua does not run"; fi
if [ "$(ended beam)" -eq 5 ]; then good; else bad "beam.lua: not five stages"; fi
if grep -q '"ended_by": "share of broken bonds' beam/run.json; then good; else bad "beam.lua: nothing broke"; fi
if [ "$(grep -c ',tension,' beam/breaks.csv)" -gt 3 ]; then good; else bad "beam.lua: no bonds broke by tension"; fi
# the punch feels nothing of two halves
if awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "punch.force_y") f = i; if ($i == "stage") s = i } next }
            $s == 4 && $f > most { most = $f } END { exit !(most > 0.2) }' beam/metrics.csv; then good; else bad "beam.lua: the punch felt nothing"; fi

# ---- the triaxial test, in its short form ----

sed '/^output/d; /^picture/d' "$top/examples/scenes/triaxial_stages.lua" > triaxial.lua
if timeout 500 "$scree" run triaxial.lua --set count=250 --set time=0.025 --out triaxial > said 2>&1; then good; else bad "triaxial_stages.lua does not run"; fi
if [ "$(ended triaxial)" -eq 2 ]; then good; else bad "triaxial_stages.lua: not two stages"; fi
# where a condition ends the run that is its end: 100 %, and nothing is left
if grep '^ *[0-9]* %  t ' said | tail -n 1 | grep -q '^100 %.*ETA 0 s'; then good; else bad "triaxial_stages.lua: its progress does not end at 100 %"; fi
if grep -q 'removed), in' said; then good; else bad "triaxial_stages.lua: how many bodies were removed is not said"; fi
# a strain of a fifth, a side stress of 5000 Pa at rest, and the angle of grains with a friction of 0.5: few of them, sheared fast
if awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            $at["stage"] == 1 { side = $at["confining"] }
            $at["stage"] == 2 { strain = $at["strain"]; if ($at["friction_angle"] > angle) angle = $at["friction_angle"]; if ($at["stress"] > stress) stress = $at["stress"] }
            END { print "triaxial: angle", angle, "stress", stress, "side", side, "strain", strain; exit !(strain > 0.2 && strain < 0.25 && side > 4500 && side < 5500 && angle > 22 && angle < 42) }' \
    triaxial/metrics.csv > said; then good; else bad "triaxial_stages.lua: another stress, strain or angle"; fi
cat said
if "$scree" plot triaxial/metrics.csv --x strain --y stress -o stress.svg > said 2>&1 && [ -s stress.svg ]; then good; else bad "triaxial_stages.lua: no plot"; fi

echo "test_stage_examples: $passed passed, $failed failed (exponent $exponent)"
[ "$failed" -eq 0 ]
