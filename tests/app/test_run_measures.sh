#!/bin/sh
# What runs leave of measurements beside metrics.csv, whole and interrupted. Usage: test_run_measures.sh PROGRAM BUILD-FOLDER
set -u
scree=${1:?usage: test_run_measures.sh PROGRAM BUILD-FOLDER}
case $scree in /*) ;; *) scree=$PWD/$scree ;; esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

# run WORDS...: exit code in $code, output in the files said and err
run() {
    shown="scree run $*"
    timeout 300 "$scree" run "$@" > said 2> err < /dev/null
    code=$?
}
good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAILED: $shown: $1"
    echo "  exit code $code; stderr: $(head -c 300 err | tr '\n' '|')"
}
code_is() { if [ "$code" -eq "$1" ]; then good; else bad "exit code should be $1"; fi; }
same() { if cmp -s "$1" "$2"; then good; else bad "$1 and $2 differ"; fi; }
gone() { if [ -e "$1" ]; then bad "$1 should not be there"; else good; fi; }
digest_of() { sed -n 's/^  "digest": "\(.*\)",*$/\1/p' "$1/run.json"; }

# ---- bonds that break ------------------------------------------------------------------------------

cat > glued.lua <<'LUA'
gravity { 0, 0, -9.81 }
grain = material { density = 2500, young = 1e7, restitution = 0.5, friction = 0.4 }
rule { law = "bonded", values = { bond_young = 1e7, bond_tension = 3e4, bond_shear = 2e4 } }
wall { shape = plane { point = {0, 0, 0}, normal = {0, 0, 1} }, material = grain }
for k = 0, 119 do
    body { shape = sphere { radius = 0.001 * (1 + 0.01 * (k % 7)) }, material = grain, velocity = {0, 0, -1.5},
           position = { 0.00202 * (k % 4), 0.00202 * (k // 4 % 5), 0.00202 * (k // 20) + 0.002 } }
end
bond { gap = 3e-5 }
solver { dt = 4e-6 }
metrics { every_steps = 50 }
checkpoint { every_steps = 500, keep = 9 }
run { steps = 1500 }
LUA
run glued.lua --out glued --threads 1 --quiet
if grep -q 'built without Lua' err; then
    echo "this program cannot read scenes: skipped"
    exit 77
fi
code_is 0
if [ "$(head -n 1 glued/breaks.csv)" = step,time,first,second,cause,x,y,z,normal_x,normal_y,normal_z ]; then good; else bad 'head of breaks.csv'; fi
for cause in tension shear; do
    if grep -q ",$cause," glued/breaks.csv; then good; else bad "no bond broke by $cause"; fi
done
# each row of metrics counts the rows of breaks up to its step, and bonds are those made less these
awk -F, 'FNR == 1 { file++; for (k = 1; k <= NF; k++) column[file, $k] = k; next }
    file == 1 { step[++n] = $1; cause[n] = $5; next }
    { all = torn = sheared = 0
      for (k = 1; k <= n; k++) if (step[k] <= $1) { all++; torn += cause[k] == "tension"; sheared += cause[k] == "shear" }
      if (rows++ == 0) made = $column[2, "bonds"]
      if ($column[2, "broken"] != all || $column[2, "broken_by_tension"] != torn || $column[2, "broken_by_shear"] != sheared ||
          $column[2, "bonds"] != made - all) { print "row " $1 ": " $0; wrong = 1 } }
    END { exit wrong || rows != 31 || n < 20 || made < 100 }' glued/breaks.csv glued/metrics.csv > said 2>&1
code=$?
code_is 0
# whoever stops and goes on, and however many do the work
run glued.lua --out half --steps 700 --threads 3 --quiet; code_is 0
run --resume half --steps 1500 --quiet; code_is 0
same glued/metrics.csv half/metrics.csv; same glued/breaks.csv half/breaks.csv
if [ "$(digest_of glued)" = "$(digest_of half)" ]; then good; else bad 'another digest'; fi
rm -rf back; cp -r glued back; rm back/checkpoints/checkpoint-000000001*.scree
run --resume back --quiet; code_is 0; same glued/breaks.csv back/breaks.csv; same glued/metrics.csv back/metrics.csv
# begun anew in the same folder, nothing is left of before; where nothing is glued there is no such file
run glued.lua --out back --steps 500 --force --quiet; code_is 0
awk -F, 'NR > 1 && $1 > 500 { exit 1 }' back/breaks.csv; code=$?; code_is 0
grep -v '^bond ' glued.lua > loose.lua
run loose.lua --out back --steps 100 --force --quiet; code_is 0; gone back/breaks.csv
if head -n 1 back/metrics.csv | grep -q broken; then bad 'metrics of bonds without bonds'; else good; fi

# ---- fields and means over time --------------------------------------------------------------------

cat > fields.lua <<'LUA'
gravity { 0, 0, -9.81 }
grain = material { density = 2500, young = 1e6, restitution = 0.5, friction = 0.4 }
floor = wall { shape = plane { point = {0, 0, 0}, normal = {0, 0, 1} }, material = grain }
fill { count = 40, shape = sphere { radius = uniform(0.002, 0.003) }, material = grain,
       region = box { lower = {0, 0, 0}, upper = {0.03, 0.03, 0.03} } }
measure { name = "all", what = {"speed", "coordination"}, mean = true }
measure { name = "now", what = {"speed"} }
measure { name = "floor", wall = floor, what = {"force"}, mean = true }
fields { lower = {0, 0, 0}, upper = {0.03, 0.03, 0.03}, cells = {3, 3, 3}, width = 0.01, every = 0.005,
         sample_every = 0.0005 }
fields { lower = {0, 0, 0}, upper = {0.03, 0.03, 0.03}, cells = {1, 1, 5}, width = 0.01, format = "csv",
         sample_every_steps = 3 }
fields { wall = floor, lower = {0, 0, -0.01}, upper = {0.03, 0.03, 0.01}, cells = {3, 3, 1}, every_steps = 200,
         sample_every_steps = 3 }
solver { dt = 5e-5 }
metrics { every_steps = 40, sample_every_steps = 10 }
checkpoint { every_steps = 150 }
run { steps = 400 }
LUA
run fields.lua --out fields --threads 1 --quiet; code_is 0
if [ "$(find fields/frames -name 'fields-*.vti' | wc -l)" -eq 5 ]; then good; else bad 'five files of fields'; fi
if [ "$(wc -l < fields/frames/fields2.csv)" -eq 6 ]; then good; else bad 'a head and five cells at the end'; fi
if grep -q 'fields-000004.vti' fields/frames/fields.pvd; then good; else bad 'no collection of fields'; fi
if [ "$(find fields/frames -name '*.pvd' | wc -l)" -eq 2 ]; then good; else bad 'a collection of what is not for ParaView'; fi
# stopped and gone on from amid a mean: at step 150, and at 170
run fields.lua --out cut --steps 170 --threads 2 --quiet; code_is 0
rm -rf early; cp -r cut early; rm early/checkpoints/checkpoint-000000000170.scree
for folder in cut early; do
    run --resume $folder --steps 400 --quiet; code_is 0; same fields/metrics.csv $folder/metrics.csv
    for file in fields-000001.vti fields-000002.vti fields-000004.vti fields2.csv fields.pvd fields3-000001.vti fields3-000002.vti; do
        same fields/frames/$file $folder/frames/$file
    done
done
# a mean is another number than what is now, but for the first row, which has one sample
sed 's/, mean = true//; s/, sample_every_steps = 10//; s/,$/, /; s/ *sample_every = 0.0005 }/ }/' fields.lua > plain.lua
run plain.lua --out plain --quiet; code_is 0
awk -F, 'FNR == 1 { file++; row = 0; for (k = 1; k <= NF; k++) column[$k] = k; next }
    { row++; value = $column["all.speed"]; now = $column["now.speed"] }
    file == 1 { first[row] = value; firstnow[row] = now; next }
    { if (now != firstnow[row] || (value != first[row]) != (row > 1)) wrong = 1 }
    END { exit wrong || row != 11 }' fields/metrics.csv plain/metrics.csv; code=$?; code_is 0
if cmp -s fields/frames/fields-000002.vti plain/frames/fields-000002.vti; then bad 'a mean like what is now'; else good; fi
same fields/frames/fields-000000.vti plain/frames/fields-000000.vti

# ---- temperatures in VTKHDF -------------------------------------------------------------------------

cat > warm.lua <<'LUA'
heat { temperature = 300 }
g = material { density = 2500, young = 1e6, conductivity = 2, heat_capacity = 500 }
body { shape = sphere { radius = 0.01 }, material = g, position = {0, 0, 0}, temperature = 321.5 }
solver { dt = 1e-5 }
output { every_steps = 10, write = "vtkhdf", fields = {"radius", "temperature"} }
run { steps = 10 }
LUA
run warm.lua --out warm --quiet
if grep -q 'built without HDF5' err; then
    echo 'vtkhdf: skipped (scree was built without HDF5)'
else
    code_is 0
    if grep -q temperature warm/frames/bodies-000001.vtkhdf; then good; else bad 'no temperature in VTKHDF'; fi
    sed 's/, "temperature"}/}/' warm.lua > cool.lua
    run cool.lua --out cool --quiet; code_is 0
    if grep -q temperature cool/frames/bodies-000001.vtkhdf; then bad 'a field that was not asked for'; else good; fi
    # all that exports can write, by the list that a wrong name is answered with
    sed 's/"temperature"}/"no such"}/' warm.lua > list.lua
    run list.lua --out list; code_is 3
    all=$(sed -n 's/.*there are //p' err | sed 's/[a-z]\{1,\}/"&"/g')
    sed "s/fields = {[^}]*}/fields = {$all}/" warm.lua > all.lua
    run all.lua --out all --quiet; code_is 0
    for field in $(printf '%s' "$all" | tr -d '",'); do
        if grep -q "$field" all/frames/bodies-000001.vtkhdf; then good; else bad "no $field in VTKHDF"; fi
    done
    sed '/^heat/d; s/, conductivity.*500//; s/, temperature = 321.5//' warm.lua > cold.lua
    run cold.lua --out cold; code_is 3
    if grep -q 'cold.lua:4: output: fields: "temperature" needs heat; heat { } is missing' err; then good; else bad 'a temperature without heat'; fi
    sed 's/, fields = {[^}]*}//' cold.lua > cold2.lua
    run cold2.lua --out cold2 --quiet; code_is 0
    if grep -q temperature cold2/frames/bodies-000001.vtkhdf; then bad 'a temperature without heat'; else good; fi
fi

echo "test_run_measures: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
