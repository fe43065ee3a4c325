#!/bin/sh
# Every example scene, a short piece of it: runs, draws, and ends with the same digest whatever the number of
# threads and wherever it was interrupted. Usage: test_run_examples.sh PROGRAM
set -u
scree=${1:?usage: test_run_examples.sh PROGRAM}
case $scree in /*) ;; *) scree=$PWD/$scree ;; esac
scenes=$(cd "$(dirname "$0")/../../examples/scenes" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0
steps=${STEPS:-60}

good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAILED: $1: $2: $(tail -n 3 said | tr '\n' '|')"
}
run() { timeout 120 "$scree" run "$@" --quiet > said 2>&1; }
digest_of() { sed -n 's/^  "digest": "\(.*\)",*$/\1/p' "$1/run.json"; }

echo 'run { steps = 1 }' > any.lua
run any.lua --out any
if grep -q 'built without Lua' said; then
    echo "this program cannot read scenes: skipped"
    exit 77
fi
for file in "$scenes"/*.lua; do
    name=$(basename "$file" .lua)
    # small pictures: it is not their size that is tested
    scene=$name.lua
    { grep -v '^picture {' "$file"; echo 'picture { width = 160, height = 120 }'; } > "$scene"
    if run "$scene" --steps "$steps" --threads 1 --out "$name"; then good; else bad "$name" "does not run"; continue; fi
    if [ "$(digest_of "$name")" ]; then good; else bad "$name" "no digest"; fi
    if grep -q '"bodies": 0,' "$name/run.json"; then bad "$name" "no bodies"; else good; fi
    if [ "$(find "$name/pictures" -name '*.png' | wc -l)" -gt 0 ]; then good; else bad "$name" "no picture"; fi
    run "$scene" --steps $((steps / 3)) --threads 2 --out "$name-2" || bad "$name" "does not run with 2 threads"
    if run --resume "$name-2" --steps "$steps" --threads 3; then good; else bad "$name" "does not go on"; fi
    if [ "$(digest_of "$name")" = "$(digest_of "$name-2")" ]; then good; else bad "$name" "another digest after going on"; fi
done
echo "test_run_examples: $passed passed, $failed failed"
[ $failed -eq 0 ]
