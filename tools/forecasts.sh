#!/bin/sh
# How near `scree check` comes: each example scene is checked and then run at once, with one thread; rows of the table of
# docs/results/check.md, and how many are within 1.5 times. Seconds are of the processor, so that other work on the machine counts little.
#   forecasts.sh PROGRAM [--tries N] SCENE[:setting=value[,...]]...
# --tries N: the least of N runs, and the middle one of N checks; without scenes all examples, as they are
set -eu
program=${1:?usage: forecasts.sh PROGRAM [--tries N] SCENE[:setting=value,...]...}
case $program in /*) ;; *) program=$PWD/$program ;; esac
shift
tries=1
if [ "${1:-}" = --tries ]; then tries=${2:?forecasts: how many tries?}; shift 2; fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
if [ $# -eq 0 ]; then
    for scene in $("$program" new | awk '/^For the lab/ { exit } /^  [a-z_]+ / { print $1 }'); do set -- "$@" "$scene"; done
fi

# seconds of "1.5 s", "2.1 min", "3 h"
seconds() { awk '{ print $1 * ($2 ~ /^min/ ? 60 : $2 ~ /^h/ ? 3600 : $2 ~ /^days/ ? 86400 : 1) }'; }
# of numbers, one a line
middle() { sort -g | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'; }
least() { sort -g | head -n 1; }
told() { sed -n "s/^  \"$1\": \([0-9.e+-]*\),*\$/\1/p" run/run.json; }

# measure NAME SETTINGS...: a row
measure() {
    name=$1
    shift
    "$program" new "$name" > /dev/null
    : > foretold; : > taken; : > least
    for try in $(seq "$tries"); do
        "$program" check "$name.lua" --threads 1 "$@" > said || true
        sed -n 's/^  the run .* steps, about \([^ ]* [^ ]*\) of .*/\1/p; s/^  the run .* and \([^ ]* [^ ]*\) of .*/\1/p' said | seconds >> foretold
        sed -n 's/^  the run .* steps, between \([^ ]* [^ ]*\) and .*/\1/p' said | seconds >> least
        "$program" run "$name.lua" --threads 1 --out run --force --quiet "$@" > /dev/null 2>&1 || echo "forecasts: $name: try $try did not end well" >&2
        told processor_seconds >> taken
    done
    steps=$(sed -n 's/^  the run *\([0-9.e+]*\) steps.*/\1/p; s/^  the run *between \(.*\) steps, .*/\1/p' said | sed 's/ and / to /')
    seen=$(sed -n 's/^  trial .*: \([0-9.]* %\) of the run.*/\1/p' said)
    awk -v name="$name" -v set="$*" -v seen="${seen:-all}" -v steps="$steps" -v made="$(told step)" -v a="$(middle < foretold)" \
        -v b="$(least < taken)" -v low="$(middle < least)" 'BEGIN {
            gsub(/--set /, "", set); if (low == "") low = a
            good = a >= b / 1.5 && low <= b * 1.5
            told = low < a ? sprintf("%.3g to %.3g", low, a) : sprintf("%.3g", a)
            ratio = low < a ? sprintf("%.2f to %.2f", low / b, a / b) : sprintf("%.2f", a / b)
            printf "| %s%s | %s | %s, %d | %s, %.3g | %s | %s |\n", name, set ? " (" set ")" : "", seen, steps, made,
                told, b, ratio, good ? "yes" : "no" }' | tee -a rows
}

echo '| scene | seen of the course | steps: foretold, made | seconds: foretold, taken | ratio | within 1.5 times |'
echo '|---|---|---|---|---|---|'
for word; do
    name=${word%%:*}
    settings=
    case $word in *:*) settings=$(echo "${word#*:}" | sed 's/,/ --set /g; s/^/--set /') ;; esac
    # settings are words
    # shellcheck disable=SC2086
    measure "$name" $settings
done
awk -F'|' '$7 ~ /yes/ { good++ } END { printf "\n%d of %d within 1.5 times\n", good, NR }' rows
