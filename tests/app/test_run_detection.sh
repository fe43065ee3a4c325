#!/bin/sh
# What runs say of detection: two lines, a table in the log, run.json and detection.csv. Usage: test_run_detection.sh PROGRAM
set -u
# shellcheck source=tests/app/program.sh
. "$(dirname "$0")/program.sh"

run() {
    shown="scree run $*"
    timeout 300 "$scree" run "$@" > out 2> err < /dev/null
    code=$?
}
# told FOLDER KEY: what run.json has of detection and of seconds
told() { sed -n "s/^    \"$2\": \([0-9.e+-]*\),*\$/\1/p" "$1/run.json"; }
# is FOLDER KEY VALUE
is() { if [ "$(told "$1" "$2")" = "$3" ]; then good; else bad "$2 is '$(told "$1" "$2")' and not $3"; fi; }
# column NAME of the last row
last() { awk -F, -v name="$2" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k } END { print $at }' "$1/detection.csv"; }

# five balls that fall beside each other on a floor: without a margin each step searches
cat > balls.lua <<'LUA'
local length = param("length", 0, "m")
gravity { 0, 0, -9.81 }
g = material { density = 2500, young = 1e6, restitution = 0.5, friction = 0.4 }
wall { shape = plane { point = {0, 0, 0}, normal = {0, 0, 1} }, material = g }
for k = 1, 5 do body { shape = sphere { radius = 0.002 }, material = g, position = {0.0039 * k, 0, 0.0022} } end
if length > 0 then margin { kind = "skin", length = length } else margin { kind = "none" } end
solver { dt = 1e-5, method = "dess2" }
metrics { every_steps = 100 }
checkpoint { every_steps = 250, keep = 9 }
run { steps = 1000 }
LUA
run balls.lua --out each
if grep -q 'built without Lua' err; then
    echo 'this program cannot read scenes: skipped'
    exit 77
fi
record_begin app/test_run_detection
proves 'IS-27 GC-39' phases_of_a_run
# the search for the forces at the start is one more
code_is 0; is each steps 1000; is each searches 1001; is each audits 0; is each missing 0; is each late 0
says 'detection: 1001 searches for pairs and '; says ' in 1000 steps, by dess2; '; says 'not audited (--audit N)'; says 'time: '
# with one of a thousand radii it never does again, and knows them all
run balls.lua --set length=2 --out once; code_is 0; is once searches 1; is once steps 1000; says 'dess2; 10 candidates'
run balls.lua --audit 10 --out audited; code_is 0; is audited audits 100; is audited missing 0; says '100 audits: none missing'

# the table: a row for each of metrics.csv, sums that never fall, at the end those of run.json
cut -d , -f 1,2 each/metrics.csv > metrics.steps; cut -d , -f 1,2 each/detection.csv > detection.steps
if cmp -s metrics.steps detection.steps; then good; else bad 'a row of detection.csv for each of metrics.csv'; fi
for name in candidates contacts steps searches wall_searches late audits missing deep; do
    is each $name "$(last each $name)"
done
awk -F, 'NR > 2 { for (k = 5; k <= NF; k++) if ($k < before[k]) wrong = 1 }
    { for (k = 5; k <= NF; k++) before[k] = $k } END { exit wrong || NR != 12 || NF != 18 }' each/detection.csv
code=$?; code_is 0

# the log: count, time and share of each phase, which add up; and the seconds are those of run.json
sed -n '/phase  *count  *seconds  *%/,/ total  /p' each/log.txt | sed 's/^ *[0-9.]* s  //' > table
if [ "$(wc -l < table)" -eq 9 ]; then good; else bad "the table: $(cat table)"; fi
awk 'NR > 1 && $1 != "total" { seconds += $(NF - 1); share += $NF; if ($1 != "writing" && $(NF - 2) != ($1 == "searches" ? 1001 : 1000)) wrong = 1 }
    $1 == "total" { all = $2 }
    NR > 1 { of[NR] = $(NF - 1); part[NR] = $NF }
    END { for (k in of) { gap = part[k] - 100 * of[k] / all; if (gap > 0.02 || gap < -0.02) wrong = 1 }
          gap = seconds - all
          exit wrong || gap > 1e-5 || gap < -1e-5 || share < 99.9 || share > 100.1 }' table
code=$?; code_is 0
for pair in searches:search forces:pairs walls:walls sums:sums motion:motion scene:scene; do
    in_log=$(awk -v name="${pair%%:*}" '$1 == name || $2 == name { print $(NF - 1) }' table)
    if [ "$(told each "${pair##*:}" | awk '{ printf "%.6f", $1 }')" = "$in_log" ]; then good; else bad "$pair: $in_log"; fi
done
awk -v wall="$(sed -n 's/^  "wall_seconds": \(.*\),$/\1/p' each/run.json)" '$1 == "total" { exit !($2 <= wall) }' table
code=$?; code_is 0
proved '7 phases with count, time and percent, of a run of 1000 steps'

# a run that goes on adds to what there was; the metrics are those of a run in one go
run balls.lua --steps 600 --out half; code_is 0; is half steps 600; is half searches 601
run --resume half --steps 1000 --audit 100; code_is 0; is half steps 1000; is half audits 4
if [ "$(told half searches)" -ge 1000 ]; then good; else bad 'searches of both calls'; fi
if cmp -s each/metrics.csv half/metrics.csv; then good; else bad 'metrics differ'; fi
# what was lost and made again is counted: from 500 on once more
for step in 600 750 1000; do rm "half/checkpoints/checkpoint-$(printf %012d "$step").scree"; done
run --resume half --steps 1000; code_is 0; is half steps 1500; is half audits 4
cut -d , -f 1,2 half/detection.csv > detection.steps
if cmp -s metrics.steps detection.steps; then good; else bad 'rows of what was lost'; fi
# begun anew, nothing is left of before
run balls.lua --steps 100 --out half --force; code_is 0; is half steps 100; is half audits 0
if [ "$(wc -l < half/detection.csv)" -eq 3 ]; then good; else bad 'rows of before'; fi

program_end test_run_detection
