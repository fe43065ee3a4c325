#!/bin/sh
# A step that is refused says what can help, and a run goes on with another scene: what changes is written down, and what the
# state does not fit is refused. Usage: test_run_with.sh PROGRAM
set -u
# shellcheck source=tests/app/program.sh
. "$(dirname "$0")/program.sh"

record_begin app/test_run_with

cat > drop.lua << 'END'
g = material { density = 2500, young = 1e6, restitution = 0.5, friction = 0.3 }
gravity { 0, 0, -9.81 }
floor = wall { name = "floor", shape = plane { }, material = g }
fill { count = 20, shape = sphere { radius = 0.005 }, material = g, region = box { lower = {0, 0, 0.001}, upper = {0.1, 0.1, 0.1} } }
measure { name = "m", region = box { lower = {0, 0, 0.001}, upper = {0.1, 0.1, 0.1} } }
solver { dt = 1e-5 }
checkpoint { every = 0.01, keep = 20 }
output { every = 0.02, write = "csv" }
run { time = 0.1 }
END
run run drop.lua --out drop --steps 5000
if grep -q 'built without Lua' err; then
    echo 'this program cannot read scenes: skipped'
    exit 77
fi
code_is 0; calm
digest() { sed -n 's/.*"digest": *"\([0-9a-f]*\)".*/\1/p' "$1/run.json"; }
cp -r drop again; cp -r drop killed
scenes() { cat drop/scene.lua; }
before=$(scenes)

# what does not fit changes nothing
sed 's/density = 2500/density = 2600/' drop.lua > other.lua
refuses 3 'other.lua: material "g", line 1: density: must be as it was' run --resume drop --with other.lua --quiet
sed 's/young = 1e6/young = math.huge/' drop.lua > rigid.lua
refuses 3 'rigid.lua: the state of step 5000 does not fit: rigid.lua: rule 0, materials 1 "g" and 1 "g": law hertz' \
    run --resume drop --with rigid.lua --quiet
complains 'what may change: the step, damping, gravity, values of materials and rules'
sed 's/^gravity/rule { law = "linear" }\ngravity/' drop.lua > law.lua
refuses 3 'law.lua: the number of rules: must be as it was' run --resume drop --with law.lua --quiet
sed 's/^gravity/heat { temperature = 300 }\ngravity/; s/density/heat_capacity = 1, density/' drop.lua > warm.lua
refuses 3 'warm.lua: metrics.csv would have other columns' run --resume drop --with warm.lua --quiet
sed 's/every = 0.02/every = 0.05/' drop.lua > rarer.lua
refuses 3 'rarer.lua: output: every: is longer than it was' run --resume drop --with rarer.lua --quiet
sed 's/write = "csv"/write = "lammps"/' drop.lua > files.lua
refuses 3 'files.lua: output: the run writes other files' run --resume drop --with files.lua --quiet
sed 's/^measure.*//' drop.lua > columns.lua
refuses 3 'columns.lua: metrics.csv would have other columns' run --resume drop --with columns.lua --quiet
sed '/^measure/s/0.1, 0.1} } }/0.1, 0.2} } }/' drop.lua > elsewhere.lua
refuses 3 'elsewhere.lua: measure "m", line 5: what it measures: must be as it was' run --resume drop --with elsewhere.lua --quiet
sed 's/^floor = wall {/floor = wall { motion = move { velocity = {0, 0, 0.1} },/' drop.lua > moving.lua
refuses 3 'moving.lua: wall "floor", line 3: motion: must be as it was' run --resume drop --with moving.lua --quiet
sed 's/^fill { count = 20/fill { count = 21/' drop.lua > more.lua
refuses 3 'more.lua: fill "fill1", line 4: count: must be as it was' run --resume drop --with more.lua --quiet
echo 'x = =' > broken.lua
refuses 3 'broken.lua:1: unexpected symbol' run --resume drop --with broken.lua --quiet
refuses 2 'run: --with is for --resume' run drop.lua --with other.lua
if [ "$(scenes)" = "$before" ]; then good; else bad 'a scene that was refused has changed scene.lua'; fi
if grep -q '"changes"' drop/run.json; then bad 'a scene that was refused is in run.json'; else good; fi

# the same scene: as if it had gone on without
run run --resume again --with drop.lua; code_is 0; says 'changed at step 5000: the scene is now drop.lua'
run run drop.lua --out whole; code_is 0
if [ "$(digest again)" ] && [ "$(digest again)" = "$(digest whole)" ]; then good; else bad 'the same scene gives another digest'; fi

# another step, damping, end and interval
sed 's/dt = 1e-5/dt = 5e-6, damping = 3/; s/time = 0.1/time = 0.08/; s/every = 0.02/every = 0.01/; s/-9.81/-5/' drop.lua > soft.lua
run run --resume drop --with soft.lua; code_is 0; calm
for change in 'dt 1e-05 s is now 5e-06 s' 'damping 0 1/s is now 3 1/s' 'the end 0.1 s is now 0.08 s' 'output: every 0.02 s is now 0.01 s' \
    'gravity {0, 0, -9.81} m/s^2 is now {0, 0, -5} m/s^2'; do
    says "changed at step 5000: $change"
    for file in run.json log.txt; do if grep -qF "step 5000: $change" drop/$file; then good; else bad "$file does not say: $change"; fi; done
done
# 3 centiseconds of half the step
if [ "$(tail -n 1 drop/metrics.csv | cut -d, -f1)" = 11000 ]; then good; else bad "it ends at step $(tail -n 1 drop/metrics.csv | cut -d, -f1)"; fi
# killed, it goes on with the scene that it has now, and still knows what has changed
"$scree" run --resume killed --with soft.lua --steps 7000 --quiet
run run --resume killed --steps 11000 --quiet; code_is 0
if [ "$(digest drop)" ] && [ "$(digest drop)" = "$(digest killed)" ]; then good; else bad 'in two parts it gives another digest'; fi
if grep -qF 'step 5000: dt 1e-05 s is now 5e-06 s' killed/run.json; then good; else bad 'what has changed is forgotten'; fi

# values of materials and rules, and sleep: written down, kept by what comes after, and all that is told apart by name
cat > laws.lua << 'END'
g = material { density = 2500, young = 1e6, restitution = 0.5, friction = 0.3 }
gravity { 0, 0, -9.81 }
wall { shape = plane { }, material = g }
fill { count = 20, shape = sphere { radius = 0.005 }, material = g, region = box { lower = {0, 0, 0.001}, upper = {0.05, 0.05, 0.06} } }
slip = rule { law = "hertz", values = { restitution = 0.4 } }
sleep { speed = 1e-4 }
checkpoint { every = 0.02, keep = 20 }
stage { name = "a", ends = after(0.05) }
stage { name = "b", ends = after(0.05), change = set_rule { rule = slip, values = { restitution = 0.6 } } }
END
run run laws.lua --out laws --quiet; code_is 0
# back_to FOLDER N: only the first N checkpoints are left
back_to() { find "$1/checkpoints" -name '*.scree' | sort | tail -n +$(($2 + 1)) | xargs rm -f; }
cp -r laws early; back_to early 2
step=$(find early/checkpoints -name '*.scree' | sort | tail -n 1 | sed 's/.*-0*\([0-9]*\)\.scree/\1/')
sed 's/young = 1e6/young = 4e6/; s/friction = 0.3/friction = 0.1/; s/restitution = 0.4/restitution = 0.9/; s/speed = 1e-4/speed = 1e-3/' laws.lua > hard.lua
cp -r early parts
run run --resume early --with hard.lua; code_is 0; calm
for change in 'young of the material of line 1 1000000 is now 4000000' 'friction of the material of line 1 0.3 is now 0.1' \
    'restitution of the rule of line 5 0.4 is now 0.9' 'sleep: has other settings, and all bodies are awake'; do
    says "changed at step $step: $change"
    if grep -qF "step $step: $change" early/run.json; then good; else bad "run.json does not say: $change"; fi
done
run run --resume parts --with hard.lua --quiet; back_to parts 4
run run --resume parts --quiet --threads 2; code_is 0
if [ "$(digest early)" ] && [ "$(digest early)" = "$(digest parts)" ]; then good; else bad 'in two parts it gives another digest'; fi
if [ "$(digest early)" = "$(digest laws)" ]; then bad 'other values change nothing'; else good; fi
# what a stage has set stays: only the value of the beginning is another
cp -r laws late; back_to late 4
sed 's/restitution = 0.4/restitution = 0.9/' laws.lua > base.lua
cp -r late later
run run --resume late --with base.lua --quiet; code_is 0
sed 's/restitution = 0.4/restitution = 0.45/' laws.lua > other_base.lua
run run --resume later --with other_base.lua --quiet; code_is 0
if cmp -s late/metrics.csv later/metrics.csv; then good; else bad 'a value that a stage has set did not stay'; fi
sed 's/values = { restitution = 0.4 }/values = { friction = 0.4 }/; s/change = .*}/change = release { } }/' laws.lua > which.lua
refuses 3 'which.lua: rule of line 5: which values it gives: must be as it was' run --resume laws --with which.lua --quiet
# a given step that is too long with the new values
sed 's/^sleep.*/solver { dt = 1e-4 }/' laws.lua > given.lua
run run given.lua --out given --quiet; code_is 0
cp -r given stiff; back_to stiff 3
sed 's/young = 1e6/young = 1e10/' given.lua > stiff.lua
run run --resume stiff --with stiff.lua --quiet
complains 'is longer than the stable one'

# shapes of bodies that are still to come, of equal volume
cat > shapes.lua << 'END'
g = material { density = 2500, young = 1e6 }
two = clump { pebbles = { {-0.001, 0, 0, 0.002}, {0.001, 0, 0, 0.002} } }
pour { rate = 1000, shape = two, material = g, region = box { lower = {0, 0, 0.1}, upper = {0.1, 0.1, 0.2} } }
run { time = 0.01 }
END
run run shapes.lua --out shapes --steps 20 --quiet; code_is 0
sed 's/{-0.001, 0, 0, 0.002}, {0.001, 0, 0, 0.002}/{0, -0.001, 0, 0.002}, {0, 0.001, 0, 0.002}/' shapes.lua > turned.lua
refuses 3 'turned.lua: pour "pour1", line 3: shape: must be as it was' run --resume shapes --with turned.lua --quiet

# a mesh of the scene is not what it was: the states that do not fit stay as they are, and nothing goes on
cat > tent.obj << 'END'
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 2 3 4
f 1 4 3
END
cat > tent.lua << 'END'
g = material { density = 2500, young = 1e6 }
wall { shape = mesh { file = "tent.obj" }, material = g }
body { shape = sphere { radius = 0.01 }, material = g, position = {0, 0, 5} }
solver { dt = 1e-4 }
checkpoint { every_steps = 10, keep = 3 }
run { steps = 40 }
END
run run tent.lua --out tent --quiet; code_is 0
sed -i 's/"finished"/"stopped"/' tent/run.json
cp -r tent tent_before; cp tent.obj whole.obj
sed -i 's/v 0 0 1/v 0 0 2/' tent.obj
refuses 3 'the state of step 40 does not fit its scene: ' run --resume tent --steps 60 --quiet
complains 'a file that the scene reads, as a mesh or a table, is not what it was'
# but for what the log says of it
if diff -r -x log.txt tent tent_before > differs; then good; else bad "the folder was changed: $(head -n 3 differs | tr '\n' '|')"; fi
cp whole.obj tent.obj
run run --resume tent --steps 60 --quiet; code_is 0; calm

# sources and fields
cat > pour.lua << 'END'
g = material { density = 2500, young = 1e6, friction = 0.3 }
gravity { 0, 0, -9.81 }
wall { shape = plane { }, material = g }
pour { rate = 1000, shape = sphere { radius = 0.005 }, material = g, region = box { lower = {0, 0, 0.1}, upper = {0.1, 0.1, 0.2} } }
fields { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1}, cells = {4, 4, 4}, width = 0.01, every = 0.001, format = "csv" }
solver { dt = 2e-5 }
run { time = 0.01 }
END
run run pour.lua --out pour --steps 200 --quiet; code_is 0
sed 's/rate = 1000/rate = 5000/' pour.lua > faster.lua
refuses 3 'faster.lua: pour "pour1", line 4: rate: must be as it was' run --resume pour --with faster.lua --quiet
sed 's/0.1, 0.1, 0.2} }/0.1, 0.1, 0.3} }/' pour.lua > higher.lua
refuses 3 'higher.lua: pour "pour1", line 4: region: must be as it was' run --resume pour --with higher.lua --quiet
sed 's/every = 0.001/every = 0.005/' pour.lua > fields.lua
refuses 3 'fields.lua: fields: every: is longer than it was' run --resume pour --with fields.lua --quiet
sed 's/every = 0.001/every = 0.0005/' pour.lua > often.lua
run run --resume pour --with often.lua; code_is 0; says 'changed at step 200: fields: every 0.001 s is now 0.0005 s'

# a later end leaves the frames of the film that are there, also where stages set only how often rows are due
cat > rows.lua << 'END'
g = material { density = 2500, young = 1e6 }
gravity { 0, 0, -9.81 }
body { shape = sphere { radius = 0.01 }, material = g, position = {0, 0, 1} }
solver { dt = 1e-3 }
stage { name = "a", ends = after(10), metrics_every = 0.05 }
stage { name = "b", ends = after(10) }
END
run run rows.lua --steps 200 --out rows; code_is 0
cp -r rows/film rows_before
run run --resume rows --steps 2000; code_is 0
for frame in rows_before/*; do
    if cmp -s "$frame" "rows/film/${frame#rows_before/}"; then good; else bad "$frame was overwritten"; fi
done

sed 's/^output.*//; s/^measure.*//' drop.lua > short.lua
sed 's/time = 0.1 /time = 0.2 /' short.lua > long.lua
run run short.lua --out long --steps 5000 --quiet; code_is 0
cp -r long/film before
run run --resume long --with long.lua --quiet; code_is 0
for frame in before/*; do
    if cmp -s "$frame" "long/film/${frame#before/}"; then good; else bad "$frame was overwritten"; fi
done

# a step that is refused: which wall, by how much, and what can help
sed 's/dt = 1e-5/dt = 4e-3/; s/young = 1e6/young = 1e8/; s/^fill.*/body { shape = sphere { radius = 0.005 }, material = g, position = {0, 0, 0.05}, velocity = {0, 0, -5} }/' drop.lua > deep.lua
run run deep.lua --out deep --quiet; code_is 7; complains ' of its radius, the limit is 0.5'
for words in 'that wall is "floor", the wall of line 3' 'what can help: a shorter step, solver { dt = 0.001 }, or an automatic one' \
    'a stiffer material, young' 'solver { overlap_limit = 1 }' 'scree run --resume deep --with SCENE'; do
    if grep -qF "$words" deep/log.txt; then good; else bad "log.txt does not say: $words"; fi
done
sed 's/dt = 4e-3/dt = 4e-3, overlap_limit = 1/' deep.lua > deeper.lua
refuses 3 'deeper.lua: solver: overlap_limit: must be as it was' run --resume deep --with deeper.lua --quiet
sed 's/dt = 4e-3/dt = 1e-5/' deep.lua > slow.lua
run run --resume deep --with slow.lua --quiet; code_is 0; calm
# with automatic steps the run can go on with the step that is offered
sed 's/^solver.*//; s/young = 1e6/young = 1e4/; s/^fill.*/body { shape = sphere { radius = 0.005 }, material = g, position = {0, 0, 0.05}, velocity = {0, 0, -30} }/' drop.lua > auto.lua
run run auto.lua --out auto --quiet; code_is 7
step=$(sed -n 's/.*what can help: a constant shorter step, solver { dt = \([^ ]*\) }.*/\1/p' auto/log.txt)
if grep -qF 'in a new run also shorter automatic steps, solver { safety_factor' auto/log.txt; then good; else bad 'log.txt does not offer a smaller safety_factor'; fi
sed "s/^run/solver { dt = ${step:-0} }\\nrun/" auto.lua > constant.lua
run run --resume auto --with constant.lua --steps 1 --quiet; code_is 0

program_end test_run_with
