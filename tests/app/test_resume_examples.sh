#!/bin/sh
# The example scenes with stages, in short form: the same bytes with one thread and two, and after kill -9 in each stage.
# Usage: test_resume_examples.sh PROGRAM
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/app/program.sh
. "$(dirname "$0")/program.sh"

record_begin app/test_resume_examples

needs_lua

digest() { sed -n 's/.*"digest": *"\([0-9a-f]*\)".*/\1/p' "$1/run.json"; }
# the stage of the newest row of metrics
stage_of() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "stage") at = i; next } { stage = $at } END { print stage }' "$1/metrics.csv" 2> /dev/null; }
# what a run leaves behind but for what is of this machine
same() {
    for file in metrics.csv breaks.csv checkpoints film; do
        [ -e "$1/$file" ] || continue
        if diff -r "$1/$file" "$2/$file" > /dev/null; then good; else bad "$1/$file and $2/$file differ"; fi
    done
    if [ "$(digest "$1")" ] && [ "$(digest "$1")" = "$(digest "$2")" ]; then good; else bad "digests of $1 and $2 differ"; fi
    if [ "$(grep '"ended_step"' "$1/run.json")" = "$(grep '"ended_step"' "$2/run.json")" ]; then good; else bad "stages of $1 and $2 end at other steps"; fi
}
# killed STAGE FOLDER WORDS...: kill -9 once a row of the stage is there, or the run is over
killed() {
    wanted=$1 folder=$2
    shift 2
    "$scree" run "$@" --quiet > out 2> err < /dev/null &
    pid=$!
    tries=0
    while kill -0 $pid 2> /dev/null && [ $tries -lt 3000 ]; do
        [ "$(stage_of "$folder")" -ge "$wanted" ] 2> /dev/null && break
        sleep 0.02
        tries=$((tries + 1))
    done
    kill -9 $pid 2> /dev/null
    wait $pid 2> /dev/null
}

# try NAME INTERVAL SETTINGS...: rows and checkpoints so often that each stage has some
try() {
    name=$1 every=$2
    shift 2
    sed '/^output/d; /^picture/d; /^metrics/d' "$root/examples/scenes/$name.lua" > "$name.lua"
    printf 'metrics { every = %s }\ncheckpoint { every = %s, keep = 2 }\n' "$every" "$every" >> "$name.lua"
    sed -i 's/, mean = true//' "$name.lua"
    stages=$(grep -c '^stage {' "$name.lua")
    run run "$name.lua" "$@" --out "$name-1" --threads 1 --quiet; code_is 0
    run run "$name.lua" "$@" --out "$name-2" --threads 2 --quiet; code_is 0
    same "$name-1" "$name-2"
    stage=1
    while [ $stage -le "$stages" ]; do
        folder=$name-killed$stage
        killed $stage "$folder" "$name.lua" "$@" --out "$folder" --threads 2
        if [ -e "$folder/run.json" ] && grep -q '"state": "finished"' "$folder/run.json"; then
            : # it was over before it could be killed
        else
            run run --resume "$folder" --threads 1 --quiet; code_is 0
            kills=$((kills + 1))
        fi
        same "$name-1" "$folder"
        stage=$((stage + 1))
    done
    tried=$((tried + 1))
}

kills=0 tried=0
try gate 0.002 --set grains=150 --set time=1
try beam 0.0005 --set grains=140 --set speed=0.05
try triaxial_stages 0.0005 --set count=100 --set time=0.01
# each scene with stages is here
staged=$(grep -l '^stage {' "$root"/examples/scenes/*.lua | wc -l)
if [ "$staged" -eq "$tried" ]; then good; else bad "$staged example scenes have stages, $tried are tried"; fi
# most are killed in time
if [ $kills -ge 5 ]; then good; else bad "only $kills runs were killed before they were over"; fi
echo "$kills runs were killed"

program_end test_resume_examples
