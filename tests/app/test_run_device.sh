#!/bin/sh
# Runs on a device: the same digest as on the host, resumed on the other, and what cannot be done there. Usage:
# test_run_device.sh PROGRAM BUILD-FOLDER
set -u
scree=${1:?usage: test_run_device.sh PROGRAM BUILD-FOLDER}
build=${2:?usage: test_run_device.sh PROGRAM BUILD-FOLDER}
case $scree in /*) ;; *) scree=$PWD/$scree ;; esac
case $build in /*) ;; *) build=$PWD/$build ;; esac
POCL_CACHE_DIR=$build/pocl
# POCL's threads end while leaks are looked for, which ends the sanitizer
export POCL_CACHE_DIR ASAN_OPTIONS=detect_leaks=0
mkdir -p "$POCL_CACHE_DIR"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

# scree WORDS...: exit code in $code, output in the files said and err
try() {
    shown="scree $*"
    timeout 300 "$scree" "$@" > said 2> err < /dev/null
    code=$?
}
good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAILED: $shown: $1"
    echo "  exit code $code; stderr: $(head -c 300 err | tr '\n' '|')"
}
code_is() { if [ "$code" -eq "$1" ]; then good; else bad "exit code should be $1"; fi; }
says() { if grep -qF "$2" "$1"; then good; else bad "$1 does not say \"$2\""; fi; }
digest_of() { sed -n 's/^  "digest": "\(.*\)",*$/\1/p' "$1/run.json"; }
same_digest() {
    if [ -n "$(digest_of "$1")" ] && [ "$(digest_of "$1")" = "$(digest_of "$2")" ]; then
        good
    else
        bad "digests of $1 and $2 differ"
    fi
}

cat > bed.lua <<'LUA'
gravity { 0, 0, -9.81 }
grain = material { density = 2500, young = 1e7, restitution = 0.5, friction = 0.4 }
for k = 0, 4 do
    local a, s = k // 2 + 1, k % 2
    local point, normal = {0, 0, 0}, {0, 0, 0}
    point[a] = s * 0.02
    normal[a] = 1 - 2 * s
    wall { shape = plane { point = point, normal = normal }, material = grain }
end
for k = 0, 199 do
    body { shape = sphere { radius = 0.001 * (0.9 + 0.01 * (k % 7)) }, material = grain, velocity = {0.1, 0, -0.5},
           position = { 0.0015 + 0.0022 * (k % 8), 0.0015 + 0.0022 * (k // 8 % 5), 0.0015 + 0.0022 * (k // 40) } }
end
solver { dt = 5e-6, device = param("device", "cpu") }
metrics { every_steps = 100 }
checkpoint { every_steps = 300, keep = 9 }
run { steps = 900 }
LUA
try run bed.lua --out host --quiet
if grep -q 'built without Lua' err; then
    echo "this program cannot read scenes: skipped"
    exit 77
fi
code_is 0
try run bed.lua --out device --quiet --device gpu
if grep -qE 'OpenCL|no device' err; then
    echo "there is no device: skipped"
    exit 77
fi
code_is 0
same_digest host device
if cmp -s host/metrics.csv device/metrics.csv; then good; else bad "metrics differ"; fi
try run bed.lua --out said_by_scene --quiet --set device=gpu
code_is 0
same_digest host said_by_scene

# ---- on one, and then on the other ----
try run bed.lua --out begun --quiet --steps 400 --device gpu
code_is 0
try run --resume begun --quiet --steps 900 --device cpu
code_is 0
same_digest host begun
try run bed.lua --out begun_there --quiet --steps 400
code_is 0
try run --resume begun_there --quiet --steps 900 --device gpu
code_is 0
same_digest host begun_there

# ---- what cannot be done ----
try check bed.lua --seconds 0 --device gpu
code_is 0
says said 'device gpu: the device supports everything that this scene does at its start'
sed 's/solver { dt = 5e-6,/solver {/; s/normal = normal }, m/normal = normal }, motion = spin { axis = {1, 1, 0}, rate = 1 }, m/' bed.lua > other.lua
try check other.lua --seconds 0 --device gpu
code_is 1
says said 'device gpu: the run cannot start there: a time step that is not fixed; planes that turn'
try run other.lua --out other --quiet --device gpu
says err 'the device cannot do: a time step that is not fixed; planes that turn'
if [ "$code" -ne 0 ]; then good; else bad 'should fail'; fi
try run bed.lua --out none --quiet --device 'no such device'
if [ "$code" -ne 0 ]; then good; else bad 'should fail'; fi
if [ -e none ]; then bad 'leaves a folder behind'; else good; fi

echo "test_run_device: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
