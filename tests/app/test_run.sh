#!/bin/sh
# scree run from outside: what it leaves behind, how it stops and goes on, what it refuses, and what it does on
# disks that take nothing. Usage: test_run.sh PROGRAM BUILD-FOLDER
set -u
scree=${1:?usage: test_run.sh PROGRAM BUILD-FOLDER}
build=${2:?usage: test_run.sh PROGRAM BUILD-FOLDER}
case $scree in /*) ;; *) scree=$PWD/$scree ;; esac
case $build in /*) ;; *) build=$PWD/$build ;; esac
work=$(mktemp -d) || exit 1
mounted=
trap '[ -z "$mounted" ] || umount "$mounted"; rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

# run WORDS...: exit code in $code, output in the files said and err, within 60 seconds and 20 MB a file
run() {
    shown="scree run $*"
    (ulimit -f 40000; exec timeout 300 "$scree" run "$@") > said 2> err < /dev/null
    code=$?
}
# interrupted SIGNAL SECONDS WORDS...: the same, with a signal after some time
interrupted() {
    signal=$1 seconds=$2
    shift 2
    shown="scree run $* with $signal"
    timeout --preserve-status -k 20 -s "$signal" "$seconds" "$scree" run "$@" > said 2> err < /dev/null
    code=$?
}
# signalled SIGNAL FOLDER WORDS...: the same, with a signal once the run has written some rows, however slow the machine
signalled() {
    signal=$1 folder=$2
    shift 2
    shown="scree run $* with $signal"
    rm -f pid
    (
        tries=0
        until [ "$(grep -c . "$folder/metrics.csv" 2> /dev/null)" -gt 3 ] 2> /dev/null; do
            sleep 0.05
            tries=$((tries + 1))
            if [ $tries -ge 1200 ]; then signal=KILL; break; fi
        done
        kill -s "$signal" "$(cat pid)"
    ) &
    # a program in the background would be deaf to SIGINT
    # shellcheck disable=SC2016
    sh -c 'echo $$ > pid; exec "$@"' sh "$scree" run "$@" > said 2> err < /dev/null
    code=$?
    wait
}
good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAILED: $shown: $1"
    echo "  exit code $code; stdout: $(head -c 300 said | tr '\n' '|')"
    echo "  stderr: $(head -c 300 err | tr '\n' '|')"
}
code_is() { if [ "$code" -eq "$1" ]; then good; else bad "exit code should be $1"; fi; }
says() { if grep -qF -- "$1" said; then good; else bad "stdout should say: $1"; fi; }
complains() { if grep -qF -- "$1" err; then good; else bad "stderr should say: $1"; fi; }
silent() { if [ -s said ]; then bad "stdout should be empty"; else good; fi; }
calm() { if [ -s err ]; then bad "stderr should be empty"; else good; fi; }
there() { if [ -e "$1" ]; then good; else bad "$1 should be there"; fi; }
gone() { if [ -e "$1" ]; then bad "$1 should not be there"; else good; fi; }
same() { if cmp -s "$1" "$2"; then good; else bad "$1 and $2 differ"; fi; }
holds() { if grep -qF -- "$2" "$1"; then good; else bad "$1 should say: $2"; fi; }
digest_of() { sed -n 's/^  "digest": "\(.*\)",*$/\1/p' "$1/run.json"; }
digest_is() { if [ "$(digest_of "$1")" = "$2" ]; then good; else bad "digest of $1 is $(digest_of "$1"), not $2"; fi; }
refuses() {
    wanted_code=$1 wanted_text=$2
    shift 2
    run "$@"
    code_is "$wanted_code"; complains "$wanted_text"; silent
    lines=$(wc -l < err)
    if [ "$lines" -eq 1 ]; then good; else bad "one line on stderr, not $lines"; fi
}

cat > box.lua <<'LUA'
local count, steps = param("count", 30), param("steps", 400)
gravity { 0, 0, -9.81 }
glass = material { density = 2500, young = 1e6, restitution = 0.5, friction = 0.4 }
wall { shape = plane { point = {0, 0, 0}, normal = {0, 0, 1} }, material = glass }
fill { count = count, shape = sphere { radius = uniform(0.002, 0.003) }, material = glass,
       region = box { lower = {0, 0, 0}, upper = {0.05, 0.05, 0.05} } }
solver { dt = 5e-5 }
output { every = 0.005, write = {"vtk", "csv", "lammps", "contacts", "picture"} }
picture { width = 64, height = 48, samples = 1 }
metrics { every_steps = 40 }
checkpoint { every_steps = 100, keep = 2 }
run { steps = steps, title = "a box" }
LUA
run box.lua --out ref --threads 1
if grep -q 'built without Lua' err; then
    echo "this program cannot read scenes: skipped"
    exit 77
fi

# ---- what is left behind --------------------------------------------------------------------------

code_is 0; calm; says 'finished: 400 steps, 0.02 s, 30 bodies'; says 'digest '; says 'look in ref'; says '100 %'
for file in run.json scene.lua log.txt metrics.csv frames/bodies.pvd frames/walls.pvd frames/contacts.pvd \
    frames/bodies-000004.vtp frames/bodies-000004.csv frames/bodies-000000.vtp pictures/picture-000004.png \
    checkpoints/checkpoint-000000000400.scree checkpoints/checkpoint-000000000300.scree; do
    there ref/$file
done
gone ref/checkpoints/checkpoint-000000000200.scree
if [ "$(wc -l < ref/metrics.csv)" -eq 12 ]; then good; else bad 'a header and eleven rows'; fi
if [ "$(find ref -name '*.part' | wc -l)" -eq 0 ]; then good; else bad 'a temporary file was left'; fi
holds ref/run.json '"state": "finished"'; holds ref/run.json '"title": "a box"'; holds ref/run.json '"processor"'
digest=$(digest_of ref)
says "digest $digest"
if command -v python3 > /dev/null; then
    if python3 -c 'import json; json.load(open("ref/run.json"))'; then good; else bad 'run.json is no JSON'; fi
fi

# ---- more than the disk holds -----------------------------------------------------------------------

# nine thousand terabytes of frames: the run stops after its first frames, with a checkpoint, and asks
sed 's/^output .*/output { every_steps = 1, write = {"vtk"} }/; s/^run .*/run { time = 1e8, title = "a box" }/' box.lua > vast.lua
run vast.lua --out vast; code_is 4; complains 'the run would still write about'; complains 'PB, most of it vtp'
complains 'or continue with scree run --resume vast --force'; says 'before it fills the disk'
there vast/checkpoints/checkpoint-000000000000.scree; gone vast/frames/bodies-000002.vtp
run --resume vast; code_is 4; complains 'the run would still write about'
run --resume vast --force --wall-limit 1; code_is 6; calm; there vast/frames/bodies-000004.vtp
run vast.lua --out vast --force --wall-limit 1; code_is 6; calm
# many rows of metrics alone
sed 's/^output .*//; s/^picture .*//; s/^metrics .*/metrics { every_steps = 1 }/; s/^run .*/run { time = 1e9, title = "a box" }/' box.lua > rows.lua
run rows.lua --out rows; code_is 4; complains 'PB, most of it metrics'

# ---- the same bytes, in every way ------------------------------------------------------------------

run box.lua --out two --threads 2 --quiet; code_is 0; silent; calm; digest_is two "$digest"
same ref/metrics.csv two/metrics.csv; same ref/frames/bodies-000003.vtp two/frames/bodies-000003.vtp
same ref/pictures/picture-000004.png two/pictures/picture-000004.png
run box.lua --out audited --audit 50 --quiet; code_is 0; digest_is audited "$digest"; calm
run ref/scene.lua --out again --quiet; code_is 0; digest_is again "$digest"; same ref/scene.lua again/scene.lua
run box.lua --set count=31 --out more --quiet; code_is 0
if [ "$(digest_of more)" != "$digest" ]; then good; else bad 'a setting without effect'; fi
holds more/run.json '"value": "31"'
run more/scene.lua --out more2 --quiet; digest_is more2 "$(digest_of more)"
run box.lua --out half --steps 200 --quiet; code_is 0
run --resume half --steps 400 --quiet; code_is 0; digest_is half "$digest"; holds half/run.json '"resumed": 1'
same ref/metrics.csv half/metrics.csv; same ref/frames/bodies.pvd half/frames/bodies.pvd
run --resume half --quiet; code_is 0; digest_is half "$digest"
# where --steps ended a run it ends again, and says how it goes on to the scene's end
run box.lua --out part --steps 200; code_is 0; says 'scree run --resume part --steps all'
run --resume part; code_is 0; says 'scree run --resume part --steps all'; holds part/run.json '"step": 200,'
run --resume part --steps all; code_is 0; digest_is part "$digest"; same ref/metrics.csv part/metrics.csv
if grep -q 'steps all' out; then bad 'a run at the end of its scene goes no further'; else good; fi
# killed before its first checkpoint: it starts again, and ends where it was to
rm part/checkpoints/*.scree; sed -i 's/"end_step": [0-9]*/"end_step": 200/; s/"state": "finished"/"state": "running"/' part/run.json
run --resume part; code_is 0; says 'there is no checkpoint yet'; holds part/run.json '"step": 200,'
run --resume part --steps every; code_is 2; complains '"every" is not a whole number'
# a run that ends at a time meets it: by shortening its last step or two, the same when it is interrupted between them
for solver in 'dt = 5e-5' 'dt = 3e-5' 'safety = 0.2'; do
    sed "s/dt = 5e-5/$solver/; s/every_steps = 100, keep/every_steps = 1, keep/; s/run { steps = steps/run { time = 0.01003/" box.lua > timed.lua
    rm -rf timed cut; run timed.lua --out timed --quiet; code_is 0
    if awk -F'[:,]' '/"time":/ { d = $2 - 0.01003; exit !(d < 1e-16 && d > -1e-16) }' timed/run.json; then good; else bad "$solver: the time is missed"; fi
    cp -r timed cut; rm "cut/checkpoints/checkpoint-$(awk -F'[:,]' '/"step":/ { printf "%012d", $2; exit }' timed/run.json).scree"
    run --resume cut --quiet; code_is 0; digest_is cut "$(digest_of timed)"; same timed/metrics.csv cut/metrics.csv
done
# a scene with the names of earlier versions is the same run, with a warning; and such a run can be resumed
sed 's/dt = 5e-5/dt = 5e-5, energy_balance = true/' box.lua > new.lua
sed 's/energy_balance/ledger/' new.lua > old.lua
run new.lua --out new --quiet; code_is 0; calm
run old.lua --out old --steps 200 --quiet; code_is 0
complains 'solver: ledger is called energy_balance now'; complains 'old.lua:7'
run --resume old --steps 400 --quiet; code_is 0; complains 'solver: ledger is called energy_balance now'
digest_is old "$(digest_of new)"; same new/metrics.csv old/metrics.csv
# where the scene does not say how far rows are apart, it is a hundredth of the run: of the whole of it, also after it went on
for ends in 'steps = steps' 'time = 0.02'; do
    grep -v '^metrics' box.lua | sed "s/run { steps = steps/run { $ends/" > plain.lua
    run plain.lua --out plain --quiet --force; code_is 0; digest_is plain "$digest"
    if [ "$(wc -l < plain/metrics.csv)" -eq 102 ]; then good; else bad "$ends: a header and 101 rows"; fi
    rm -rf cut; cp -r plain cut; rm cut/checkpoints/checkpoint-000000000400.scree
    run --resume cut --quiet; code_is 0; same plain/metrics.csv cut/metrics.csv
done
run --resume cut --steps 600 --quiet; code_is 0
if tail -n 1 cut/metrics.csv | grep -q '^600,'; then good; else bad 'no row at the end of a run that was made longer'; fi
# stopped before its first step: what was written at the start is not written again
run box.lua --wall-limit 0.001s --out early --quiet; code_is 6; holds early/run.json '"step": 0,'
run --resume early --steps 100 --quiet; code_is 0
run box.lua --steps 100 --out short --quiet; code_is 0
same early/metrics.csv short/metrics.csv; same early/frames/bodies.pvd short/frames/bodies.pvd

# as many threads as the scene says, also where that is one; --threads goes before it
for count in 1 3; do
    sed "s/dt = 5e-5/dt = 5e-5, threads = $count/" box.lua > threads.lua
    run threads.lua --out "threads$count" --steps 10 --quiet; code_is 0; holds "threads$count/run.json" "\"threads\": $count,"
done
run threads.lua --out threads2 --threads 2 --steps 10 --quiet; code_is 0; holds threads2/run.json '"threads": 2,'

# ---- folders ------------------------------------------------------------------------------------------

refuses 2 'ref: holds a finished run; --force overwrites it' box.lua --out ref
run box.lua --out ref --force --quiet; code_is 0; digest_is ref "$digest"
run box.lua --quiet; code_is 0; digest_is out/box "$digest"
run box.lua --set count=5 --set steps=10 --quiet; code_is 0; there out/box-count=5-steps=10/run.json
mkdir mine; echo text > mine/thesis.tex
refuses 2 'mine: holds something other than a run' box.lua --out mine --force
refuses 2 'nosuch: there is no run in this folder' --resume nosuch
refuses 4 'cannot make this folder' box.lua --out /dev/null/x
gone nosuch

# ---- one run for each value ------------------------------------------------------------------------------

run box.lua --sweep count=4,5 --sweep steps=10,20 --out swept; code_is 0; calm
for name in count=4-steps=10 count=4-steps=20 count=5-steps=10 count=5-steps=20; do
    there swept/$name/run.json; says "swept/$name"
    if [ "$(digest_of "swept/$name")" ]; then good; else bad "no digest of $name"; fi
done
refuses 2 'holds a finished run' box.lua --sweep count=6,5 --sweep steps=10 --out swept
gone swept/count=6-steps=10
run box.lua --sweep steps=10,20 --quiet; code_is 0; silent; there out/box-steps=10/run.json
refuses 2 '--sweep: "count" should be name=value' box.lua --sweep count
refuses 2 'has no values' box.lua --sweep count=

# ---- what is refused ---------------------------------------------------------------------------------------

refuses 2 'which scene?'
refuses 2 '--set: "count" should be name=value' box.lua --set count
refuses 2 'without --set' --resume ref --set count=3
refuses 2 'takes the scene from its folder' --resume ref box.lua
refuses 2 'exclude each other' box.lua --quiet --json
for limit in 0 -1 3x 1h30x h nan 1e3; do
    refuses 2 'should be a duration' box.lua --wall-limit "$limit"
done
refuses 2 '--threads' box.lua --threads 0
run nosuch.lua; code_is 4; complains nosuch.lua; gone out/nosuch
run box.lua --set nosuch=1 --out never; complains nosuch; gone never
printf 'gravity { 0, 0, -9.81 }\nmaterial { densty = 1 }\nrun { steps = 1 }\n' > typo.lua
run typo.lua; code_is 3; complains 'typo.lua:2'; complains 'density'; gone out/typo

# with HDF5 a frame, without it a word, and nothing else
sed 's/write = {[^}]*}/write = "vtkhdf"/' box.lua > hdf.lua
run hdf.lua --out hdf --steps 150
if [ "$code" -eq 0 ]; then there hdf/frames/bodies-000001.vtkhdf; else code_is 3; complains 'built without HDF5'; fi

# ---- bodies whose numbers are not finite any more --------------------------------------------------

# of a rigid ball on a rigid floor the law knows no force
sed 's/young = 1e6/young = math.huge/
    s/^fill/soft = material { density = 2500, young = 1e6 }\nbody { shape = sphere { radius = 0.002 }, material = glass, position = {0.1, 0.1, 0.003} }\nfill/
    s/material = glass,$/material = soft,/' box.lua > stop.lua
run stop.lua --out stop; code_is 7; complains 'body 1 touches wall 1'; says 'scree run --resume stop'
holds stop/run.json '"bodies": 31'
sed 's/solver {/solver { on_nan = "quarantine",/' stop.lua > nan.lua
run nan.lua --out nan; code_is 0; complains 'warning: body 1 is taken out before step'; says '30 bodies'
complains 'at {0.1, 0.1, 0.002'; complains 'body 1 touches wall 1'; says '1 bodies ('
holds nan/run.json '"quarantined": 1'; holds nan/run.json '"body_quarantined": 1'; holds nan/metrics.csv ',sunk,quarantined,'
# the same where the run was stopped before it, or after it
for at in 250 290 330; do
    run nan.lua --out "nan$at" --steps $at --quiet; code_is 0
    run --resume "nan$at" --steps 400 --quiet; code_is 0; digest_is "nan$at" "$(digest_of nan)"
    same nan/metrics.csv "nan$at/metrics.csv"; holds "nan$at/run.json" '"quarantined": 1'
done

# what a scene's shapes have to say is a warning, and is there when nothing else is
cat > crossed.obj << 'EOF'
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
v 0.1 0.1 0.1
v 1.1 0.1 0.1
v 0.1 1.1 0.1
v 0.1 0.1 1.1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
f 5 7 6
f 5 6 8
f 5 8 7
f 6 7 8
EOF
cat > crossed.lua << 'EOF'
g = material { density = 2500, young = 1e6 }
body { shape = mesh { file = "crossed.obj", contact_skin = 0.05 }, material = g, position = { 0, 0, 0 } }
run { time = 1e-4 }
EOF
run crossed.lua --out crossed --quiet; code_is 0; complains 'warning: crossed.lua:2: mesh: crossed.obj: '
if grep -q 'warning: .*triangles intersect' crossed/log.txt; then good; else bad "log.txt does not warn"; fi

# ---- sources that end short --------------------------------------------------------------------------

sed 's/^fill/pour { rate = 1e6, count = 5, region = box { lower = {0.1, 0.1, 0.1}, upper = {0.11, 0.11, 0.11} }, shape = sphere { radius = 0.0049 }, material = glass }\nfill/' box.lua > scant.lua
run scant.lua --out scant --steps 100; code_is 0; says 'pour "pour1" made 1 bodies ('; says ') of 5: 4 found no room'
complains '1 bodies were made and 4 wait'

# ---- stopping, and going on ----------------------------------------------------------------------------------

for pair in 'INT 130' 'TERM 143' 'HUP 129' 'USR1 138'; do
    signal=${pair% *}
    rm -rf stopped
    signalled "$signal" stopped box.lua --set steps=20000000 --out stopped
    code_is "${pair#* }"; says 'stopped at step'; says 'scree run --resume stopped'
    holds stopped/run.json '"state": "stopped"'
done
step=$(sed -n 's/^  "step": \([0-9]*\),$/\1/p' stopped/run.json)
refuses 2 'continues it, --force starts again' box.lua --set steps=20000000 --out stopped
run --resume stopped --steps $((step + 50)) --quiet; code_is 0
run box.lua --set steps=20000000 --steps $((step + 50)) --out straight --quiet; code_is 0
digest_is stopped "$(digest_of straight)"
# but for a checkpoint where it was stopped the folders are the same
rm -rf stopped/checkpoints straight/checkpoints
for part in metrics.csv frames pictures; do
    if diff -r stopped/$part straight/$part > /dev/null; then good; else bad "$part differ"; fi
done
run box.lua --set steps=20000000 --out limited --wall-limit 0.4s; code_is 6; says 'at the limit'
run --resume limited --wall-limit 1s --json; code_is 6; says '"report": "progress"'

# a table that lost rows, or was changed, is refused by name; what is there may be gone on with
cp -r ref parent && rm -f parent/checkpoints/checkpoint-000000000400.scree
for harm in 'rm metrics.csv' 'cut' 'sed -i 2s/[0-9]/7/ metrics.csv'; do
    rm -rf altered && cp -r parent altered && sed -i 's/"finished"/"stopped"/' altered/run.json
    (cd altered && if [ "$harm" = cut ]; then head -n 2 ../ref/metrics.csv > metrics.csv; else $harm; fi)
    refuses 2 'altered/metrics.csv: was removed, cut or changed since the checkpoint of step' --resume altered
    run --resume altered --force --quiet; code_is 0; digest_is altered "$digest"
done
# frames that are gone are told of
rm -rf altered && cp -r parent altered && sed -i 's/"finished"/"stopped"/' altered/run.json
find altered/frames -name '*-00000*.vt*' | head -n 1 | xargs rm -f
run --resume altered --quiet; code_is 0; complains 'frames that were written are missing'; digest_is altered "$digest"

# the newest checkpoint is broken: the one before it
cp -r ref broken
printf x | dd of=broken/checkpoints/checkpoint-000000000400.scree bs=1 seek=5000 conv=notrunc 2> dd.log
run --resume broken; code_is 0; complains 'renamed to .broken'; digest_is broken "$digest"
there broken/checkpoints/checkpoint-000000000400.scree.broken
same ref/metrics.csv broken/metrics.csv
# all are: from the beginning
for file in broken/checkpoints/*.scree; do echo nonsense > "$file"; done
run --resume broken; code_is 0; says 'the run starts again'; digest_is broken "$digest"

# a body is gone that nothing took: said at once, and nothing more is written but the state
run box.lua --steps 240 --out lost --quiet; code_is 0
"$build/tests/campaign/torture" lose lost/checkpoints/checkpoint-000000000240.scree > said 2> err
code=$? shown='torture lose'; code_is 0; silent
cp lost/metrics.csv metrics.before
run --resume lost --steps 400; code_is 1
complains 'the body count is wrong at step 240: 29 are there, 30 were added and 1 removed, 0 of them by the boundary, 0 by sinks'
holds lost/run.json '"state": "failed"'; same metrics.before lost/metrics.csv

# ---- a step that cannot be taken -----------------------------------------------------------------------------

cat > deep.lua <<'LUA'
steel = material { density = 2500, young = 1e3, restitution = 0.5, friction = 0 }
body { shape = sphere { radius = 0.01 }, material = steel, position = {0, 0, 0}, velocity = {5, 0, 0} }
body { shape = sphere { radius = 0.01 }, material = steel, position = {0.03, 0, 0}, velocity = {-5, 0, 0} }
solver { dt = 1e-5 }
run { steps = 100000 }
LUA
run deep.lua --out deep; code_is 7; complains overlap; says 'scree run --resume deep'
holds deep/run.json '"state": "failed"'; holds deep/run.json '"message": '
step=$(sed -n 's/^  "step": \([0-9]*\),$/\1/p' deep/run.json)
there "deep/checkpoints/checkpoint-$(printf %012d "$step").scree"
cp err first; run --resume deep; code_is 7; same err first

# ---- disks that take nothing -----------------------------------------------------------------------------------

# the folder is taken away under the run: said, tried, and then it stops
rm -rf away
(until ls away/checkpoints/*.scree > /dev/null 2>&1; do sleep 0.1; done; mv away taken) &
interrupted KILL 30 box.lua --set steps=20000000 --out away
wait
code_is 4; complains 'no checkpoint could be written 3 times'
if [ "$(wc -l < err)" -lt 80 ]; then good; else bad "$(wc -l < err) lines of warnings"; fi
step=$(ls taken/checkpoints | tail -n 1)
if [ "$step" ]; then good; else bad 'no checkpoint is left'; fi
run --resume taken --wall-limit 0.2s; code_is 6

# a disk of 300 kB
mkdir small
if mount -t tmpfs -o size=300k none small 2> /dev/null; then
    mounted=$work/small
    interrupted KILL 60 box.lua --set steps=20000000 --out small/run --force
    code_is 4; complains 'No space left on device'; complains 'more of the kind'
    says 'to continue from step'; says 'scree run --resume small/run'
    if [ "$(wc -l < err)" -lt 80 ]; then good; else bad "$(wc -l < err) lines of warnings"; fi
    rm small/run/frames/*.csv
    cp -r small/run rescued
    run --resume rescued --wall-limit 0.3s; code_is 6
    if [ -n "$(find rescued/checkpoints -name '*.broken')" ]; then bad 'a torn checkpoint'; else good; fi
    umount small; mounted=
else
    echo "no small disk can be mounted here: skipped"
fi

# ---- reports ----------------------------------------------------------------------------------------------------

run box.lua --out json --json; code_is 0; says '"report": "note"'; says "digest $digest"
if command -v python3 > /dev/null; then
    if python3 -c 'import json, sys; [json.loads(line) for line in open("said")]'; then good; else bad 'no JSON lines'; fi
fi
if [ -e /dev/full ]; then
    "$scree" run box.lua --out full > /dev/full 2> err; code=$?; : > said; shown='scree run > /dev/full'
    code_is 4; complains 'stdout: cannot write'; digest_is full "$digest"
fi
"$scree" run box.lua --out piped 2> err | head -n 1 > said; shown='scree run | head'; code=0; calm; digest_is piped "$digest"

# where nobody listens nothing of what is said comes into a file of the run
"$scree" run box.lua --out closed >&- 2>&-; code=$?; : > said; shown='scree run >&- 2>&-'; code_is 0; digest_is closed "$digest"
if [ "$(wc -l < closed/log.txt)" -eq "$(wc -l < json/log.txt)" ]; then good; else bad "log.txt: $(cat closed/log.txt)"; fi
# the limit of a file's size is a fault like that of a disk: said, and the program ends by itself
(ulimit -f 1; exec "$scree" run box.lua --out tight) > said 2> err; code=$?; shown='ulimit -f 1; scree run'
code_is 4; complains 'File too large'
# a folder that is not ours to enter
if command -v setpriv > /dev/null && [ "$(id -u)" = 0 ]; then
    chmod 755 .
    chmod 700 json
    setpriv --reuid=65534 --regid=65534 --clear-groups "$scree" run --resume "$work/json" > said 2> err
    code=$?; shown='scree run --resume, of another user'; code_is 4; complains 'Permission denied'
fi

echo "test_run: $passed passed, $failed failed"
[ $failed -eq 0 ]
