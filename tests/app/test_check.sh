#!/bin/sh
# scree check from outside: what it foretells of small scenes is held against their runs, but for seconds; and it
# leaves nothing behind. Usage: test_check.sh PROGRAM
set -u
scree=${1:?usage: test_check.sh PROGRAM}
case $scree in /*) ;; *) scree=$PWD/$scree ;; esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir temporary
export TMPDIR="$work/temporary"
passed=0
failed=0

check() {
    shown="scree check $*"
    timeout 300 "$scree" check "$@" > said 2> err < /dev/null
    code=$?
}
good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAILED: $shown: $1"
    echo "  exit code $code; stdout: $(tr '\n' '|' < said)"
    echo "  stderr: $(head -c 300 err | tr '\n' '|')"
}
code_is() { if [ "$code" -eq "$1" ]; then good; else bad "exit code should be $1"; fi; }
says() { if grep -qF -- "$1" said; then good; else bad "stdout should say: $1"; fi; }
silent_on() { if grep -qF -- "$1" said; then bad "stdout should not say: $1"; else good; fi; }
# what run.json of the folder "run" says
told() { sed -n "s/^  \"$1\": \([0-9.e+-]*\),*\$/\1/p" run/run.json; }
# near WHAT FORETOLD MADE SHARE
near() {
    if awk -v a="$2" -v b="$3" -v s="$4" 'BEGIN { exit !(a > 0 && a >= b * (1 - s) && a <= b * (1 + s)) }'; then
        good
    else
        bad "$1: foretold $2, made $3"
    fi
}
# memory and disk in bytes from "memory 25.5 MB; disk 3.2 MB"
foretold() {
    sed -n "s/.*; $1 \\([0-9.e+]*\\) \\([kMG]\\)B.*/\\1 \\2/p" said |
        awk '{ print $1 * ($2 == "k" ? 1e3 : $2 == "M" ? 1e6 : 1e9) }'
}

echo 'run { steps = 1 }' > any.lua
check any.lua
if grep -q 'built without Lua' err; then
    echo "this program cannot read scenes: skipped"
    exit 77
fi
code_is 0; says 'no problems found'

# bodies that come later are those of pours and stages, not how far a fill is from its solid fraction; numbers are short
cat > later.lua << 'LUA'
g = material { density = 2500 }
ball = sphere { radius = uniform(param("small", 0.0105), 0.02) }
fill { solid_fraction = 0.2, shape = ball, material = g, region = box { lower = {0, 0, 0}, upper = {0.3, 0.3, 0.3} } }
run { steps = 10 }
LUA
check later.lua
code_is 0; silent_on 'in the course of the run'; says 'parameter    small = 0.0105 '
sed -i 's/^run.*/more = fill { count = 7, shape = ball, material = g, region = box { lower = {1, 0, 0}, upper = {2, 1, 1} } }\nsolver { dt = 1e-5 }\nstage { ends = after { steps = 5 } }\nstage { add = more, ends = after { steps = 5 } }/' later.lua
check later.lua
code_is 0; says '; about 7 more in the course of the run'

# what is said while the scene is read is repeated
cat > twice.lua << 'LUA'
g = material { density = 2500 }
points = { {0, 0, 0}, {0.01, 0, 0}, {0, 0.01, 0}, {0, 0, 0.01}, {0, 0, 0} }
body { shape = block { points = points }, material = g, position = {0, 0, 0} }
run { steps = 10 }
LUA
check twice.lua --seconds 0
code_is 0; says 'note: twice.lua:3: block: 1 of 5 points are not corners'

# two examples, with small pictures, and every file there is but what may be missing in this program
for pair in settling:count=100 conveyor:grains=60; do
    name=${pair%%:*}
    "$scree" new "$name" > /dev/null || bad "no scene"
    cat >> "$name.lua" <<'END'
picture { width = 320, height = 240, every = 0.05 }
output { every = 0.02, write = {"csv", "lammps", "contacts"} }
checkpoint { every_steps = 500 }
END
    check "$name.lua" --set "${pair##*:}" --set time=0.1 --seconds 0.5
    code_is 0; says 'no problems found'; says 'trial'; says 'checkpoints'
    "$scree" run "$name.lua" --set "${pair##*:}" --set time=0.1 --threads 1 --out run --force --quiet > run.txt 2>&1 ||
        bad "does not run: $(cat run.txt)"
    near steps "$(sed -n 's/^  the run *\([0-9.e+]*\) steps.*/\1/p' said)" "$(told step)" 0.3
    made=$(find run/checkpoints -name '*.scree' | sed 's/.*-0*\([0-9]*\)\.scree/\1/' | sort -n | tail -n 1)
    near 'the last checkpoint' "$(sed -n 's/^    checkpoints.*, \([0-9]*\) of .*/\1/p' said)" "$((made / 500 + 1))" 0.3
    # of run's folder all but what a run says of itself
    near disk "$(foretold disk)" "$(find run -name '*.*' -type f ! -name '*.pvd' ! -name log.txt ! -name run.json \
        ! -name scene.lua -exec cat {} + | wc -c)" 0.3
    if [ "$(told peak_bytes)" ]; then near memory "$(foretold memory)" "$(told peak_bytes)" 0.3; fi
done

# what would be written oftener than there are steps is written after each
cat > few.lua <<'END'
g = material { density = 2500, young = 1e6 }
body { shape = sphere { radius = 0.01 }, material = g, position = {0, 0, 0.1} }
metrics { every = 1e-6 }
solver { dt = 1e-4 }
run { time = 1e-3 }
END
check few.lua
code_is 0; says 'the run      10 steps'; says ', 11 of '

# more than the disk holds
sed 's/^metrics .*/output { every_steps = 1, write = {"vtk"} }/; s/1e-3/1e9/' few.lua > vast.lua
check vast.lua --seconds 0.2
code_is 0; says 'more than half of the free space on this disk: it will need --force'

# legal, and surely not meant
cat > slips.lua <<'END'
g = material { density = 2500, young = 1e6 }
spare = material { density = 2600, young = 1e6 }
wall { shape = plane { }, material = g }
wall { shape = plane { point = {0, 0, 0}, normal = {0, 0, 1} }, material = g }
wall { shape = plane { }, material = g, groups = {2} }
wall { shape = plane { point = {0, 0, -1} }, material = g, motion = move { velocity = {1, 0, 0}, start = 5 } }
pour { rate = 10, start = 2, material = g, shape = sphere { radius = 0.01 }, region = box { lower = {0, 0, 0.1}, upper = {1, 1, 1} } }
sink { start = 3, region = plane { point = {0, 0, -2} } }
body { shape = sphere { radius = 0.01 }, material = g, position = {0, 0, 0.1} }
run { time = 1 }
END
check slips.lua --seconds 0
code_is 0
says 'line 4: this wall is the same as that of line 3'
says 'line 2: no body or wall is made of spare'
says 'line 6: a motion of this wall would start at 5 s, but the run ends at 1 s'
says 'line 7: this pour would start at 2 s'
says 'line 8: this sink would start at 3 s'
silent_on 'line 5:'

# a run says the same before it begins, and counts it
"$scree" run slips.lua --out slips --quiet --steps 2 > said 2> err
code=$?
shown='scree run slips.lua'
code_is 0
for line in 2 4 6 7 8; do
    if grep -q "^scree: warning: slips.lua: line $line: " err; then good; else bad "the run should warn of line $line"; fi
done
if grep -A 2 '"warnings"' slips/run.json | grep -q '"scene": 5'; then good; else bad 'run.json should count five warnings'; fi

# the first rule that matches is used
cat > rules.lua <<'END'
a = material { density = 2500, young = 1e6 }
b = material { density = 2600, young = 1e6 }
rule { materials = {a, b}, between = "bodies", law = "hertz" }
rule { materials = {b, a}, law = "linear" }
rule { materials = {a, b}, between = "walls", law = "linear" }
rule { groups = {2}, law = "linear" }
rule { materials = {a, a}, groups = {2, 3}, law = "hertz" }
rule { law = "linear" }
rule { materials = b, law = "hertz" }
law { name = "mine", normal = "1e4 * d" }
body { shape = sphere { radius = 0.01 }, material = a, position = {0, 0, 0.1} }
body { shape = sphere { radius = 0.01 }, material = b, position = {0, 0, 0.2} }
run { time = 1 }
END
check rules.lua --seconds 0
code_is 0
says 'line 5: this rule is never used: that of line 4 matches all of its contacts'
says 'line 9: this rule is never used: that of line 8 matches'
says 'law "mine" acts nowhere: no rule names it, as rule { law = "mine" }'
for line in 3 4 6 7 8; do silent_on "line $line: this rule"; done
sed -i 's/^rule { law = "linear" }/rule { law = "mine" }/; /^law/d; 2a law { name = "mine", normal = "1e4 * d" }' rules.lua
check rules.lua --seconds 0
code_is 0; silent_on 'acts nowhere'

# a closed surface of a file with one facet missing; without a facet missing, or as a plate, it is as it should be
awk 'BEGIN { n = 12; m = 8; pi = atan2(0, -1)
    print "v 0 0 -1"; for (j = 1; j < m; j++) for (i = 0; i < n; i++) print "v", sin(pi * j / m) * cos(2 * pi * i / n), sin(pi * j / m) * sin(2 * pi * i / n), -cos(pi * j / m)
    print "v 0 0 1"; top = 2 + n * (m - 1)
    for (i = 0; i < n; i++) { k = (i + 1) % n; print "f", 1, 2 + k, 2 + i; print "f", top, top - n + i, top - n + k
        for (j = 0; j < m - 2; j++) { a = 2 + n * j; print "f", a + i, a + k, a + n + k; print "f", a + i, a + n + k, a + n + i } } }' > ball.obj
sed '$d' ball.obj > hole.obj
awk 'BEGIN { n = 20; for (j = 0; j <= n; j++) for (i = 0; i <= n; i++) print "v", i, j, -2
    for (j = 0; j < n; j++) for (i = 0; i < n; i++) { a = 1 + i + (n + 1) * j; print "f", a, a + 1, a + n + 2; print "f", a, a + n + 2, a + n + 1 } }' > plate.obj
cat > holes.lua <<'END'
units { length = "mm" }
g = material { density = 2.5e-6, young = 1000 }
wall { mesh = "ball.obj", material = g }
wall { mesh = "plate.obj", material = g }
wall { mesh = "hole.obj", material = g }
gravity { 0, 0, -9.81 }
body { shape = sphere { radius = 0.1 }, material = g, position = {0, 0, 0} }
solver { dt = 3e-6 }
run { time = 1e-5 }
END
check holes.lua --seconds 0
code_is 0; silent_on 'line 3: the surface'; silent_on 'line 4: the surface'
says 'note: line 5: the surface of this wall is closed but for 3 edges of 167 facets: it has holes, or vertices that should be one are apart'
says 'note: gravity is 0.00981 m/s^2; on the earth it is 9.81 (that is 9810 mm/s^2: was it given in m/s^2 where lengths are in mm?)'
says 'note: the step does not divide the time of the run: 1e-05 s are 3.33333 steps of 3e-06 s, so that the last ones are shortened'

# a body that begins within a wall; a step that is too long, though nothing touches; a step that divides the run
cat > within.lua <<'END'
g = material { density = 2500, young = 1e6 }
wall { name = "floor", shape = plane { }, material = g }
body { shape = sphere { radius = 0.01 }, material = g, position = {0, 0, -0.005} }
solver { dt = 1e-3 }
run { time = 0.1 }
END
check within.lua
code_is 1; says 'the first step is refused: body 1 and a wall overlap by 1.5 of the smaller radius'; silent_on 'does not divide'
sed 's/-0.005/5/; s/1e-3/1e-2/' within.lua > above.lua
check above.lua --seconds 0
code_is 0; says 'note: the step of 0.01 s is longer than the stable step (0.0026 s)'

# no trial: nothing is said of what a run costs
check settling.lua --seconds 0
code_is 0; silent_on 'trial'; silent_on 'memory'

# a wall that would go through bodies between two steps: as far as a trial sees, and as far as is known of it
for when in 0 1e3; do
    cat > swift.lua <<END
g = material { density = 2500, young = 1e6 }
body { shape = sphere { radius = 0.01 }, material = g, position = {0, 0, 0.5} }
wall { shape = facets { vertices = { {-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0} }, facets = { {1, 2, 3}, {1, 3, 4} } },
       material = g, motion = path { {0, 0, 0, 0}, {$when + 1e-9, 0, 0, 0}, {$when + 1, 0, 0, 300} } }
solver { dt = 1e-3 }
run { time = 0.1 }
END
    check swift.lua
    says 'note: wall 1 goes up to 300 m/s, 0.3 m in a step of 0.001 s'
    says 'use steps of at most 3.33e-05 s'
    if [ "$when" = 0 ]; then
        code_is 1; says 'the trial ended early: '; says 'body 1 would go through wall 1 unseen'
    else
        code_is 0
    fi
done

# what cannot begin
cat > deep.lua <<'END'
g = material { density = 2500, young = 1e6 }
body { shape = sphere { radius = 0.01 }, material = g, position = {0, 0, 0} }
body { shape = sphere { radius = 0.01 }, material = g, position = {0, 0, 0.004} }
run { steps = 10 }
END
check deep.lua
code_is 1; says 'the first step is refused: body 1 and body 2 overlap by 1.6 of the smaller radius'; silent_on 'trial'

# a slip of units: it says so, and comes back
for bound in 'dt = 1e-12' 'safety = 1e-300'; do
    cat > slip.lua <<END
gravity { 0, 0, -9.81 }
g = material {}
wall { shape = plane { point = {0, 0, 0}, normal = {0, 0, 1} }, material = g }
body { shape = sphere { radius = 0.01 }, material = g, position = {0, 0, 0.00999} }
body { shape = sphere { radius = 0.01 }, material = g, position = {0, 0, 0.03} }
solver { $bound }
run { time = 100 }
END
    check slip.lua --seconds 0.5
    code_is 0; says 'note: the run would take'; says 'years'
    spent=$(sed -n 's/^  trial .* in \([0-9.e+-]*\) s[: ].*/\1/p' said)
    if [ "$spent" ] && [ "$(echo "$spent" | awk '{print ($1 < 1)}')" = 1 ]; then good; else bad "it took $spent s"; fi
done
sed 's/safety = 1e-300/dt = 1e-9/' slip.lua > slips.lua
check slips.lua --seconds 0
says 'is it in s?'

# stages: their bounds, and when they ended in the trial
cat > stages.lua << 'END'
g = material { density = 2500, young = 1e6 }
gravity { 0, 0, -9.81 }
floor = wall { shape = plane { }, material = g }
fill { count = 20, shape = sphere { radius = 0.005 }, material = g, region = box { lower = {0, 0, 0.001}, upper = {0.1, 0.1, 0.1} } }
solver { damping = 10 }
stage { name = "fall", ends = any { quiet { energy = 1e-8, during = 0.01 }, after(0.3) } }
stage { name = "drop", remove = floor, gravity = {0, 0, -1}, ends = count { region = plane { point = {0, 0, -0.1}, normal = {0, 0, 1} }, below = 100 }, at_most = 2 }
END
check stages.lua --seconds 2
code_is 0
says 'stages       "fall", line 6: until any of (kinetic energy of a body below 1e-08 J for 0.01 s; time in the stage at least 0.3 s); at most 0.3 s'
says '"drop", line 7: until bodies counted below 100; at most 2 s, or the run fails'
says 'at its beginning: a wall is removed, gravity'
says 'in the trial from 0 to about 0.'
says 'if conditions hold when they did in the trial'
sed 's/^stage { name = "drop"/run { time = 0.2 }\nstage { name = "drop"/; s/any { quiet.*, after(0.3) }/after(0.3)/' stages.lua > late.lua
check late.lua --seconds 1
says 'note: line 8: this stage would start at 0.3 s, but the run ends at 0.2 s'

# several processes: what they cannot do is listed before a run
check settling.lua --seconds 0.1 --ranks
code_is 0
says 'ranks: several processes support everything that this scene does at its start'
{ cat settling.lua; echo 'solver { dt = 1e-5, local_steps = 2 }'; } > local.lua
check local.lua --seconds 0.1 --ranks
code_is 1
says 'ranks: the run cannot start there: not with ranks yet: local steps (their islands lie in one process: set them to 0, or use one process)'
check local.lua --seconds 0.1
code_is 0
silent_on 'not with ranks yet'
{ cat settling.lua; echo 'solver { dt = 1e-5, integrator = "implicit" }'; } > implicit.lua
check implicit.lua --seconds 0.1 --ranks
code_is 1
says 'not with ranks yet: implicit integrators (they solve for all bodies at once: use an explicit one, or one process)'

# the folder for temporary files cannot be had
TMPDIR=/nowhere/at/all
check settling.lua --seconds 0.1
code_is 4
TMPDIR=$work/temporary
if [ -z "$(ls -A temporary)" ]; then good; else bad "it has left $(ls temporary)"; fi
echo "test_check: $passed passed, $failed failed"
[ $failed -eq 0 ]
