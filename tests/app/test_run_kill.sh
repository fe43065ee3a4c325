#!/bin/sh
# kill -9 at random moments, after each of which the run goes on to the same bytes, of a scene without stages and of one with them; RUNS=1000 does more.
# Usage: test_run_kill.sh PROGRAM BUILD-FOLDER
set -u
runs=20
[ "${SCREE_TEST_EFFORT:-quick}" = quick ] || runs=50
scree=${1:?usage: test_run_kill.sh PROGRAM BUILD-FOLDER}
build=${2:?usage: test_run_kill.sh PROGRAM BUILD-FOLDER}
work=$(mktemp -d) || exit 1
echo 'run { steps = 1 }' > "$work/any.lua"
if "$scree" run "$work/any.lua" --out "$work/out" 2>&1 | grep -q 'built without Lua'; then
    rm -rf "$work"
    echo "this program cannot read scenes: skipped"
    exit 77
fi
rm -rf "$work"
"$build/tests/campaign/torture" kill "$scree" --runs "${RUNS:-$runs}" --seed "${SEED:-1}" &&
    exec "$build/tests/campaign/torture" kill "$scree" --runs "${RUNS:-$runs}" --seed "${SEED:-1}" --stages 1
