#!/bin/sh
# scree calibrate from outside: it finds the friction and the rolling friction of an experiment that was made with known ones, with
# the same bits for any number of jobs and after a kill, and says what is wrong with a command line, a scene or a folder.
# Usage: test_calibrate.sh PROGRAM
set -u
# shellcheck source=tests/app/program.sh
. "$(dirname "$0")/program.sh"
record_begin app/test_calibrate

needs_lua
sed '/^output/d; /^picture/d' "$tests/../examples/scenes/rolling_balls.lua" > balls.lua
vary=friction=0.1..0.9,rolling=0..0.3

# of DIR COLUMN: the last value of a column of a run's metrics
of() { awk -F, -v name="$2" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) c = k } END { print $c }' "$1/metrics.csv"; }

# near VALUE TRUTH: within 5 percent
near() {
    if awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0.95 * b && a < 1.05 * b) }'; then good; else bad "$1 is not within 5 % of $2"; fi
}

# ---- a synthetic experiment, with other coefficients for each seed ---------------------------------------

seed=1
for truth in "0.37 0.21" "0.62 0.045"; do
    set -- $truth
    friction=$1 rolling=$2
    run run balls.lua --quiet --no-film --out "truth-$seed" --set "friction=$friction" --set "rolling=$rolling"
    code_is 0
    fit="pushed.slowing=$(of "truth-$seed" pushed.slowing)+-0.02,rolled.slowing=$(of "truth-$seed" rolled.slowing)+-0.005"
    run calibrate balls.lua --vary "$vary" --fit "$fit" --seed $seed --jobs 3 --out "found-$seed"
    code_is 0; calm; says 'all targets are met in '; says 'scree run balls.lua --set friction='
    near "$(awk '$1 == "friction" { print $2 }' out)" "$friction"
    near "$(awk '$1 == "rolling" { print $2 }' out)" "$rolling"
    # the ranges hold what is true
    shown="the ranges"
    if awk -v f="$friction" -v r="$rolling" '$1 == "friction" { t = f } $1 == "rolling" { t = r }
        $1 == "friction" || $1 == "rolling" { if (!($3 <= t && t <= $4)) exit 1 }' out; then good; else bad 'do not hold the truth'; fi
    tries=$(($(wc -l < "found-$seed/tries.csv") - 1))
    if [ "$tries" -le 40 ]; then good; else bad "$tries runs, more than 40"; fi
    if grep -q '<svg' "found-$seed/calibration.svg"; then good; else bad 'there is no plot'; fi
    seed=$((seed + 1))
done
# fit and the folder are those of the second experiment from here on

# ---- the same search for any number of jobs, and after a kill --------------------------------------------

same() { if cmp -s found-2/tries.csv "$1/tries.csv"; then good; else bad "$1/tries.csv differs from found-2/tries.csv"; fi; }
run calibrate balls.lua --vary "$vary" --fit "$fit" --seed 2 --jobs 1 --quiet --format csv --out one
code_is 0; same one; says 'name,value,from,to,wanted,tolerance'
# killed after some tries, and again
for count in 2 5; do
    "$scree" calibrate balls.lua --vary "$vary" --fit "$fit" --seed 2 --jobs 1 --out killed > out 2> err &
    process=$!
    wait=0
    while [ "$( { cat killed/tries.csv 2> /dev/null || true; } | wc -l)" -le $count ] && [ $wait -lt 600 ]; do
        sleep 0.02
        wait=$((wait + 1))
    done
    kill -9 $process
    wait $process 2> /dev/null
done
# its run gets a signal when it dies; a folder is not taken while that run works in it
wait=0
while run calibrate balls.lua --vary "$vary" --fit "$fit" --seed 2 --jobs 1 --out killed && [ "$code" -eq 2 ] && [ $wait -lt 50 ]; do
    sleep 0.1
    wait=$((wait + 1))
done
code_is 0; same killed; says 'all targets are met'
if grep -q '^try 1:' out; then bad 'the first try was made again'; else good; fi
# a search that is complete runs nothing
run calibrate balls.lua --vary "$vary" --fit "$fit" --seed 2 --jobs 1 --out killed
code_is 0; same killed
if grep -q '^try' out; then bad 'a try was made again'; else good; fi
# a run that ended, but is not in the table yet, is not made again; that of an older search is
head -9 killed/tries.csv > shorter && cp shorter killed/tries.csv
cp killed/try-010/run.json before.json
run calibrate balls.lua --vary "$vary" --fit "$fit" --seed 2 --jobs 1 --out killed
code_is 0; same killed
if cmp -s before.json killed/try-010/run.json; then good; else bad 'try 10 was made again'; fi
head -9 killed/tries.csv > shorter && cp shorter killed/tries.csv
sed 's/friction = [0-9.]*/friction = 0.111/' killed/try-010/scene.lua > other && cp other killed/try-010/scene.lua
run calibrate balls.lua --vary "$vary" --fit "$fit" --seed 2 --jobs 1 --out killed
code_is 0; same killed
if cmp -s before.json killed/try-010/run.json; then bad 'the run of another scene was taken'; else good; fi
# SIGTERM stops it, with the usual exit code, and the run that it makes with a checkpoint
"$scree" calibrate balls.lua --vary "$vary" --fit "$fit" --set time=3 --jobs 1 --out stopped > out 2> err &
process=$!
wait=0
while [ ! -e stopped/try-001/metrics.csv ] && [ $wait -lt 3000 ]; do
    sleep 0.02
    wait=$((wait + 1))
done
# it listens to signals from its first step on
sleep 0.3
kill -TERM $process
wait $process; code=$?
shown='calibrate, stopped'
code_is 143; complains 'the same command continues'
if grep -q '"state": "stopped"' stopped/try-001/run.json; then good; else bad 'the run was not stopped'; fi

# ---- targets that cannot be met, ends of ranges, means ----------------------------------------------------

run calibrate balls.lua --vary friction=0.1..0.3 --fit pushed.slowing=4.9 --runs 6 --out end
code_is 1; says 'targets are not met in 6 runs'; complains 'friction is at the upper end of its range'
run calibrate balls.lua --vary friction=0.1..0.9 --fit pushed.speed=1.9+-0.01 --from 0.03 --set rolling=0.02 --out mean
code_is 0; says '--set rolling=0.02 --set friction='
# the mean of the last half is that of a later time: the friction is 0.1 / (9.81 * 0.045)
near "$(awk '$1 == "friction" { print $2 }' out)" 0.2265
# more runs extend a search
run calibrate balls.lua --vary friction=0.1..0.3 --fit pushed.slowing=4.9 --runs 8 --out end
code_is 1; says 'in 8 runs'; says 'try 7:'
if grep -q '^try 6:' out; then bad 'an earlier try was made again'; else good; fi

# ---- what is refused, before anything is run ---------------------------------------------------------------

no() { text=$1; shift; refuses 2 "$text" calibrate balls.lua --out refused "$@"; }
no 'there is no parameter "fricton" to set; did you mean "friction"?' --vary fricton=0..1 --fit pushed.slowing=1
no 'does not report "pushed.slowin"; did you mean "pushed.slowing"?' --vary friction=0..1 --fit pushed.slowin=1
no 'the lower end must come first: friction=0.2..1' --vary friction=1..0.2 --fit pushed.slowing=1
no 'should be NAME=LOWER..UPPER' --vary friction=0.5 --fit pushed.slowing=1
no 'should be NAME=LOWER..UPPER' --vary friction --fit pushed.slowing=1
no 'should be NAME=VALUE or NAME=VALUE+-TOLERANCE' --vary friction=0..1 --fit pushed.slowing=fast
no 'the tolerance of "pushed.slowing" must be above 0' --vary friction=0..1 --fit pushed.slowing=0
no 'the tolerance of "pushed.slowing" must be above 0' --vary friction=0..1 --fit pushed.slowing=1+-0
no '"pushed.slowing" has two values' --vary friction=0..1 --fit pushed.slowing=1,pushed.slowing=2
no '"friction" has two ranges' --vary friction=0..1 --vary friction=0..1 --fit pushed.slowing=1
no '"friction" is given by --set and by --vary' --vary friction=0..1 --set friction=1 --fit pushed.slowing=1
no '--fit is missing' --vary friction=0..1
no '--vary is missing' --fit pushed.slowing=1
refuses 2 'which scene?' calibrate --vary friction=0..1 --fit pushed.slowing=1
refuses 3 'material: friction: is -1' calibrate balls.lua --vary friction=-1..1 --fit pushed.slowing=1 --out refused
refuses 2 'has another search: "vary friction=0.1' calibrate balls.lua --vary friction=0..1 --fit pushed.slowing=4.9 --out end
refuses 2 'holds something else' calibrate balls.lua --vary friction=0..1 --fit pushed.slowing=4.9 --out "$tests"
sed 's/radius = 0.004/radius = 0.0041/' balls.lua > other.lua
refuses 2 'has another search: "scene ' calibrate other.lua --vary friction=0.1..0.3 --fit pushed.slowing=4.9 --runs 8 --out end
[ -e refused ] && bad 'a folder was made'
# a table that was changed
sed 's/^1,[0-9.]*/1,0.123/' end/tries.csv > changed && cp changed end/tries.csv
refuses 3 'try 1 has other parameters' calibrate balls.lua --vary friction=0.1..0.3 --fit pushed.slowing=4.9 --runs 8 --out end
run calibrate balls.lua --vary friction=0.1..0.3 --fit pushed.slowing=4.9 --runs 6 --out end --force
code_is 1; says 'try 1:'

# ---- runs that fail -----------------------------------------------------------------------------------------

# so soft that the ball sinks into the table: from some stiffness on it does not
sed 's/young = 5e7/young = param("young", 5e7)/' balls.lua > soft.lua
run calibrate soft.lua --vary young=1..5 --fit pushed.slowing=1 --out failed
code_is 7; complains 'all 4 runs failed'; says 'failed with exit code 7: '
run calibrate soft.lua --vary young=1e2..1e7 --fit rolled.speed=0.3578+-0.01 --runs 12 --out some
if grep -q 'failed with exit code 7' out; then good; else bad 'some runs should fail'; fi
code_is 0; says 'some of which failed'

program_end test_calibrate
