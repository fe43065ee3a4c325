#!/bin/sh
# Scenes in stages from outside: the same bytes with one thread and two, and after kill -9 in each stage; what the log,
# run.json and metrics.csv say; a stage that is not at its end. Usage: test_run_stages.sh PROGRAM
set -u
scree=${1:?usage: test_run_stages.sh PROGRAM}
case $scree in /*) ;; *) scree=$PWD/$scree ;; esac
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
    tail -n 3 said err 2> /dev/null
}
# run CODE WORDS...
run() {
    wanted=$1
    shift
    timeout 300 "$scree" run "$@" > said 2> err < /dev/null
    code=$?
    if [ "$code" -eq "$wanted" ]; then good; else bad "run $*: exit code $code, should be $wanted"; fi
}
holds() { if grep -qF -- "$2" "$1"; then good; else bad "$1 should have: $2"; fi; }
# what a run leaves behind but for what is of this machine
same() {
    for file in metrics.csv breaks.csv checkpoints frames; do
        [ -e "$1/$file" ] || continue
        if diff -r "$1/$file" "$2/$file" > /dev/null; then good; else bad "$1/$file and $2/$file differ"; fi
    done
    if [ "$(digest "$1")" = "$(digest "$2")" ]; then good; else bad "digests of $1 and $2 differ"; fi
}
digest() { sed -n 's/.*"digest": *"\([0-9a-f]*\)".*/\1/p' "$1/run.json"; }
stage_of() { tail -n 1 "$1/metrics.csv" 2> /dev/null | cut -d, -f4; }

cat > scene.lua << 'END'
-- poured, glued, pressed and let go
glass = material { density = 2500, young = 1e6, restitution = 0.3, friction = 0.5 }
rule { law = "bonded", values = { stiffness = 3000, bond_young = 1e6, bond_tension = 2e4, bond_shear = 2e4, bond_reach = 0.001, bond_lasts = 1 } }
gravity { 0, 0, -9.81 }
domain { lower = {-0.05, -0.05, -0.05}, upper = {0.05, 0.05, 0.2}, boundary = "destroy" }
solver { dt = 1e-5, damping = 20 }
tray = wall { shape = box { lower = {-0.02, -0.02, 0}, upper = {0.02, 0.02, 0.2}, open = {"-z", "+z"} }, material = glass }
gate = wall { shape = plane { }, material = glass }
lid = wall { shape = plane { point = {0, 0, 0.06}, normal = {0, 0, -1} }, material = glass }
grains = pour { count = 150, rate = 3000, shape = sphere { radius = 0.002 }, material = glass,
                region = box { lower = {-0.018, -0.018, 0.02}, upper = {0.018, 0.018, 0.05} } }
metrics { every = 0.002 }
output { every = 0.05, write = "csv" }
checkpoint { every = 0.01, keep = 2 }
stage { name = "settle", add = grains, ends = quiet { energy = 1e-8, during = 0.03 }, at_most = 1 }
stage { name = "press", add = {lid, bond { gap = 1e-6 }}, ends = any { wall_force { wall = lid, axis = {0, 0, 1}, above = 5 }, after(0.2) },
        change = drive { wall = lid, motion = move { velocity = {0, 0, -0.1} } }, output_every = 0.02, metrics_every = 0.001 }
stage { name = "flow", remove = {lid, gate}, ends = count { region = box { lower = {-1, -1, -0.04}, upper = {1, 1, 1} }, below = 20 }, at_most = 0.3,
        or_fail = false, gravity = {0, 0, -20} }
END

run 0 scene.lua --out one --threads 1 --quiet
run 0 scene.lua --out two --threads 2 --quiet
same one two
holds one/log.txt 'stage "settle" ended at step'
holds one/log.txt 'kinetic energy of a body '
holds one/run.json '"name": "press"'
holds one/run.json '"ended_by": "kinetic energy of a body '
if head -n 1 one/metrics.csv | grep -q '^step,time,dt,stage,'; then good; else bad "metrics.csv has no column stage"; fi
if [ "$(stage_of one)" = 3 ]; then good; else bad "the last row is not of stage 3"; fi
# a row at the end of each stage
sed -n 's/.*"ended_step": *\([0-9]*\).*/\1/p' one/run.json > steps
while read -r step; do
    if grep -q "^$step," one/metrics.csv; then good; else bad "no row of metrics at step $step"; fi
done < steps

# rows every 1 ms in stage 2 alone, and frames every 20 ms, whose numbers go on
rows=$(awk -F, 'NR > 1 && $4 == 2' one/metrics.csv | wc -l)
seconds=$(awk -F, 'NR > 1 && $4 == 2 { if (!from) from = $2; to = $2 } END { print to - from }' one/metrics.csv)
if awk -v n="$rows" -v t="$seconds" 'BEGIN { exit !(n > 0.95e3 * t && n < 1.05e3 * t + 3) }'; then good; else bad "$rows rows in $seconds s of stage 2"; fi
frames=$(find one/frames -name '*.csv' | wc -l)
last=$(find one/frames -name '*.csv' | sort | tail -n 1 | sed 's/.*-0*\([0-9]*\)\.csv/\1/')
if [ "$frames" -eq $((last + 1)) ] && [ "$frames" -ge 10 ]; then good; else bad "$frames frames, the last has number $last"; fi

# kill -9 in each stage, at least twice in a row
run_until_stage() {
    "$scree" run "$@" --quiet > said 2> err < /dev/null &
    pid=$!
    tries=0
    while kill -0 $pid 2> /dev/null && [ $tries -lt 3000 ]; do
        [ "$(stage_of "$folder")" = "$stage" ] && break
        sleep 0.02
        tries=$((tries + 1))
    done
    kill -9 $pid 2> /dev/null
    wait $pid 2> /dev/null
}
for stage in 1 2 3; do
    folder=killed$stage
    run_until_stage scene.lua --out "$folder" --threads 2
    run_until_stage --resume "$folder" --threads 1
    run 0 --resume "$folder" --quiet
    same one "$folder"
    for field in ended_step ended_by value; do
        if [ "$(grep "\"$field\"" one/run.json)" = "$(grep "\"$field\"" "$folder/run.json")" ]; then
            good
        else
            bad "$field differs in run.json of $folder"
        fi
    done
done

# a stage that is not at its end: the run fails, and says why; it can be gone on from only to fail again
sed 's/during = 0.03 }, at_most = 1/during = 0.03 }, at_most = 0.05/' scene.lua > short.lua
run 7 short.lua --out short --quiet
holds err 'stage "settle": had not ended after at_most = 0.05 s: kinetic energy of a body '
holds short/run.json '"state": "failed"'
run 7 --resume short --quiet

# the run's own condition
cat > stop.lua << 'END'
ball = material { density = 2500, young = 1e7 }
body { shape = sphere { radius = 0.01 }, material = ball, position = {0, 0, 0} }
solver { dt = 1e-3 }
run { time = 5, stop = any { after(1), count { below = 1 } } }
END
run 0 stop.lua --out stop
holds said 'the run'"'"'s condition holds: time in the stage 1 s (at least 1 s)'
holds stop/run.json '"stopped_by"'
if [ "$(tail -n 1 stop/metrics.csv | cut -d, -f1)" = 1000 ]; then good; else bad "the run did not stop at step 1000"; fi
if head -n 1 stop/metrics.csv | grep -q stage; then bad "a column stage without stages"; else good; fi

# a stage whose time step is a hundred times longer: no row of metrics is passed over, and the end is met
cat > longer.lua << 'END'
gravity { 0, 0, -10 }
solver { dt = 1e-6 }
g = material { density = 2500, young = 1e5 }
wall { shape = plane { }, material = g }
body { shape = sphere { radius = 0.01 }, material = g, position = {0, 0, 0.0095} }
stage { name = "short", ends = after { steps = 5000 } }
stage { name = "long", dt = 1e-4, ends = after { steps = 200 } }
metrics { every = 1e-3 }
run { time = 0.015 }
END
run 0 longer.lua --out longer
cut -d, -f1 longer/metrics.csv | tail -n +2 | tr '\n' ' ' > steps
holds steps '0 1000 2000 3000 4000 5000 5010 5020 5030 5040 5050 5060 5070 5080 5090 5100 '

# a stage changes values of materials and rules: the steps follow, with any number of threads, and so does a run that goes on
cat > values.lua << 'END'
gravity { 0, 0, -9.81 }
g = material { density = 2500, young = 1e6, restitution = 0.5, friction = 0.3 }
wall { shape = plane { }, material = g }
fill { count = 20, shape = sphere { radius = 0.005 }, material = g, region = box { lower = {0, 0, 0.001}, upper = {0.05, 0.05, 0.06} } }
slip = rule { law = "hertz", values = { friction = 0.4 } }
checkpoint { every = 0.02, keep = 20 }
stage { name = "soft", ends = after(0.05) }
stage { name = "hard", change = { set_material { young = 1e8, restitution = 0.1 }, set_rule { rule = slip, values = { friction = 0.1 } } }, ends = after(0.05) }
stage { name = "again", change = set_material { young = 1e6 }, ends = after(0.03) }
END
run 0 values.lua --out values --threads 1 --quiet
run 0 values.lua --out values2 --threads 2 --quiet
if cmp -s values/metrics.csv values2/metrics.csv; then good; else bad "with two threads it is another run"; fi
for left in 1 3 5; do
    rm -rf part; cp -r values part
    find part/checkpoints -name '*.scree' | sort | tail -n +$((left + 1)) | xargs rm -f
    run 0 --resume part --threads 2 --quiet
    if cmp -s values/metrics.csv part/metrics.csv; then good; else bad "from checkpoint $left it is another run"; fi
done
# a hundred times as stiff: steps a tenth as long, and longer again afterwards
if awk -F, 'NR > 1 && $4 == 1 { a = $3 } NR > 1 && $4 == 2 { b = $3 } NR > 1 { c = $3 }
    END { exit !(b < a / 4 && c > b * 2) }' values/metrics.csv; then good; else bad "steps do not follow the stiffness"; fi
# a given step that is too long with them ends the run where the stage would begin, and `check` says so before
sed 's/^gravity/solver { dt = 4e-5 }\ngravity/' values.lua > given.lua
run 7 given.lua --out given --quiet
holds err 'given.lua:9: stage "hard": change: with these values the step of 4e-05 s is longer than the stable one, '
holds err 'give the stage a shorter one, dt = '
timeout 300 "$scree" check given.lua --seconds 1 > said 2> err < /dev/null
holds said 'the trial ended early: given.lua:9: stage "hard": change: with these values the step'
# what a law refuses is told before anything runs
sed 's/young = 1e8/young = math.huge/' values.lua > rigid.lua
run 3 rigid.lua --out rigid --quiet
holds err 'rigid.lua:8: stage "hard": change: rule 0, materials 1 "g" and 1 "g": law hertz: young of materials'

echo "test_run_stages: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
