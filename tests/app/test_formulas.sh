#!/bin/sh
# Formulas through the program: every scene that docs/guide/formulas.md shows runs; its metrics are the same bytes with other threads and
# after an interruption; checkpoints of laws are drawn without their scene. Usage: test_formulas.sh PROGRAM
# backquotes are those of messages
# shellcheck disable=SC2016
set -u
scree=${1:?usage: test_formulas.sh PROGRAM}
case $scree in /*) ;; *) scree=$PWD/$scree ;; esac
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAILED: $1: $(tail -n 3 said | tr '\n' '|')"
}
does() {
    what=$1
    shift
    if timeout 120 "$@" > said 2>&1; then good; else bad "$what"; fi
}
refuses() {
    words=$1
    shift
    timeout 120 "$@" > said 2>&1 && bad "$* should be refused"
    if grep -qF -- "$words" said; then good; else bad "$* does not say $words"; fi
}
digest_of() { sed -n 's/^  "digest": "\(.*\)",*$/\1/p' "$1/run.json"; }

echo 'run { steps = 1 }' > any.lua
"$scree" run any.lua --out any --quiet > said 2>&1
if grep -q 'built without Lua' said; then
    echo "this program cannot read scenes: skipped"
    exit 77
fi

# ---- the scenes of the page ------------------------------------------------------------------------------

awk '/^```lua/ { inside = 1; n++; next } /^```/ { inside = 0 } inside { print > ("page" n ".lua") }' "$root/docs/guide/formulas.md"
count=$(find . -name 'page*.lua' | wc -l)
if [ "$count" -ge 3 ]; then good; else bad "the page has $count scenes"; fi
for scene in page*.lua; do
    name=${scene%.lua}
    does "$name" "$scree" run "$scene" --steps 600 --threads 1 --out "$name" --quiet
    does "$name, interrupted" "$scree" run "$scene" --steps 200 --threads 2 --out "$name-2" --quiet
    does "$name goes on" "$scree" run --resume "$name-2" --steps 600 --threads 3 --quiet
    if [ "$(digest_of "$name")" = "$(digest_of "$name-2")" ]; then good; else bad "$name: another digest after going on"; fi
done

# ---- rows of columns, whole and interrupted --------------------------------------------------------------

{ cat page1.lua; echo 'metrics { every_steps = 20 }'; } > press.lua
does press "$scree" run press.lua --steps 400 --threads 1 --out press --quiet
does 'press, interrupted' "$scree" run press.lua --steps 170 --threads 2 --out press-2 --quiet
does 'press goes on' "$scree" run --resume press-2 --steps 400 --quiet
does 'rows are the same bytes' cmp press/metrics.csv press-2/metrics.csv
does 'a plot of stress over strain' "$scree" plot press/metrics.csv --x strain --y stress -o press.svg
does 'the plot has both names' sh -c 'grep -q ">stress<" press.svg && grep -q ">strain<" press.svg'

# ---- laws ------------------------------------------------------------------------------------------------

does 'a checkpoint of a law is drawn' "$scree" render page2 -o page2.png --size 64x64
does 'and exported' "$scree" convert "$(find page2 -name '*.scree' | tail -n 1)" --to csv -o page2.csv
does 'check knows the law' "$scree" check page2.lua
for level in scalar simd128 avx2 avx512; do
    SCREE_SIMD=$level does "level $level" "$scree" run page3.lua --steps 400 --out "level-$level" --quiet
    if [ "$(digest_of level-scalar)" = "$(digest_of "level-$level")" ]; then good; else bad "level $level: another digest"; fi
done

# ---- what is wrong is told with file and line -------------------------------------------------------------

sed 's/lid.force_z/lid.forcez/' page1.lua > wrong.lua
refuses 'wrong.lua:8: column: value: column 1: there is no name `lid.forcez`; did you mean `lid.force_z`?' "$scree" run wrong.lua --out wrong
if [ ! -e wrong ]; then good; else bad "a folder was made"; fi
sed 's/4\/3 \* E/4\/3 * EE/' page2.lua > wrong.lua
refuses 'wrong.lua:3: law: mine: normal: column 14: there is no name `EE`; did you mean `E`?' "$scree" run wrong.lua --out wrong
sed 's/mu \* fn \* tanh/log(-vt) * tanh/' page3.lua > wrong.lua
refuses '(law one way)' "$scree" run wrong.lua --out wrong

echo "test_formulas: $passed passed, $failed failed"
[ $failed -eq 0 ]
