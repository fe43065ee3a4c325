#!/bin/sh
# Calls of a run that write, made to fail in turn: see tests/campaign/torture/faults.c. Usage: test_run_faults.sh PROGRAM
# BUILD-FOLDER; EVERY=1 tries every single one.
set -u
every=97
[ "${SCREE_TEST_EFFORT:-quick}" = quick ] || every=24
scree=${1:?usage: test_run_faults.sh PROGRAM BUILD-FOLDER}
build=${2:?usage: test_run_faults.sh PROGRAM BUILD-FOLDER}
work=$(mktemp -d) || exit 1
echo 'run { steps = 1 }' > "$work/any.lua"
if "$scree" run "$work/any.lua" --out "$work/out" 2>&1 | grep -q 'built without Lua'; then
    rm -rf "$work"
    echo "this program cannot read scenes: skipped"
    exit 77
fi
rm -rf "$work"
exec "$build/tests/campaign/torture" faults "$scree" "$build/tests/campaign/failing_disk.so" --every "${EVERY:-$every}"
