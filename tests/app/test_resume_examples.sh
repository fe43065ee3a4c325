#!/bin/sh
# The example scenes with stages, and others, in short form: the same bytes with one thread and two, and after kill -9 in each
# stage.
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
    for file in metrics.csv breaks.csv checkpoints film frames; do
        [ -e "$1/$file" ] || continue
        if diff -r "$1/$file" "$2/$file" > /dev/null; then good; else bad "$1/$file and $2/$file differ"; fi
    done
    if [ "$(digest "$1")" ] && [ "$(digest "$1")" = "$(digest "$2")" ]; then good; else bad "digests of $1 and $2 differ"; fi
    if [ "$(grep '"ended_step"' "$1/run.json")" = "$(grep '"ended_step"' "$2/run.json")" ]; then good; else bad "stages of $1 and $2 end at other steps"; fi
}
# killed WHEN FOLDER WORDS...: kill -9 once the command WHEN FOLDER is true, or the run is over
killed() {
    when=$1 folder=$2
    shift 2
    "$scree" run "$@" --quiet > out 2> err < /dev/null &
    pid=$!
    tries=0
    while kill -0 $pid 2> /dev/null && [ $tries -lt 3000 ]; do
        $when "$folder" && break
        sleep 0.02
        tries=$((tries + 1))
    done
    kill -9 $pid 2> /dev/null
    wait $pid 2> /dev/null
}
in_stage() { [ "$(stage_of "$1")" -ge "$stage" ] 2> /dev/null; }
has_rows() { [ "$(grep -c , "$1/metrics.csv" 2> /dev/null)" -ge 5 ] 2> /dev/null; }
# continued WHEN FOLDER WORDS...: the same, and then to its end
continued() {
    when=$1 folder=$2
    killed "$@"
    shift 2
    if [ -e "$folder/run.json" ] && grep -q '"state": "finished"' "$folder/run.json"; then
        return # it was over before it could be killed
    fi
    # words
    # shellcheck disable=SC2086
    run run --resume "$folder" --threads 1 --quiet $end; code_is 0
    kills=$((kills + 1))
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
        continued in_stage "$folder" "$name.lua" "$@" --out "$folder" --threads 2
        same "$name-1" "$folder"
        stage=$((stage + 1))
    done
    tried=$((tried + 1))
}
# try_whole NAME STEPS SETTINGS...: a scene without stages; a tenth of the steps between rows and checkpoints
try_whole() {
    name=$1 steps=$2
    shift 2
    end="--steps $steps"
    sed '/^output/d; /^picture/d; /^metrics/d; s/, mean = true//' "$root/examples/scenes/$name.lua" > "$name.lua"
    printf 'metrics { every_steps = %s }\ncheckpoint { every_steps = %s, keep = 2 }\n' $((steps / 10)) $((steps / 10)) >> "$name.lua"
    printf 'output { every_steps = %s, write = {"csv", "contacts"} }\n' $((steps / 2)) >> "$name.lua"
    run run "$name.lua" "$@" --steps "$steps" --out "$name-1" --threads 1 --quiet; code_is 0
    run run "$name.lua" "$@" --steps "$steps" --out "$name-2" --threads 2 --quiet; code_is 0
    same "$name-1" "$name-2"
    continued has_rows "$name-killed" "$name.lua" "$@" --steps "$steps" --out "$name-killed" --threads 2
    same "$name-1" "$name-killed"
    end=
}

kills=0 tried=0 end=
if sanitized; then
    # the rest would take many minutes
    try gate 0.002 --set grains=40 --set time=0.5
    try_whole crusher 300 --set count=3
    if [ $kills -ge 1 ]; then good; else bad "no run was killed before it was over"; fi
    program_end test_resume_examples
    exit
fi
try gate 0.002 --set grains=150 --set time=1
try beam 0.0005 --set grains=140 --set speed=0.05
try triaxial_stages 0.0005 --set count=100 --set time=0.01
try sandglass 0.005 --set grains=60 --set neck=0.01
try pillar 0.001 --set grains=100 --set speed=0.1 --set strength=4000
# each scene with stages is here
staged=$(grep -l '^stage {' "$root"/examples/scenes/*.lua | wc -l)
if [ "$staged" -eq "$tried" ]; then good; else bad "$staged example scenes have stages, $tried are tried"; fi
# the others of the ten that the guide shows as what people simulate
try_whole crusher 1000 --set count=3
try_whole bricks 1000 --set count=20
try_whole funnel 500 --set count=40
try_whole breaking 1000 --set count=150
try_whole powder 500 --set count=500
try_whole shear 500 --set count=200
try_whole vibrated 1000 --set count=100
try_whole winnowing 5000 --set grains=1200
# most are killed in time
if [ $kills -ge 10 ]; then good; else bad "only $kills runs were killed before they were over"; fi
echo "$kills runs were killed"

program_end test_resume_examples
