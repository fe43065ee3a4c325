#!/bin/sh
# gallery.sh PROGRAM [SECONDS]: at what share of real time the scenes of the lab's gallery run, with one thread: seconds of the
# scene over seconds of the processor, as rows of the table in docs/lab.md. Exit status 1 if one is below 1.
set -eu
program=${1:?usage: gallery.sh PROGRAM [SECONDS]}
case $program in /*) ;; *) program=$PWD/$program ;; esac
seconds=${2:-5}
scenes=$(cd "$(dirname "$0")/../../examples/lab" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

told() { sed -n "s/^  \"$1\": \([0-9.e+-]*\),*\$/\1/p" "$folder/run/run.json"; }

slow=0
echo '| scene | bodies | steps a second | share of real time |'
echo '|---|---|---|---|'
for scene in "$scenes"/*.lua; do
    name=$(basename "$scene" .lua)
    "$program" run "$scene" --set time="$seconds" --threads 1 --no-film --out "$folder/run" --force --quiet >/dev/null 2>"$folder/said" ||
        { cat "$folder/said" >&2; exit 1; }
    awk -v name="$name" -v bodies="$(told bodies)" -v steps="$(told step)" -v seconds="$seconds" -v spent="$(told processor_seconds)" 'BEGIN {
        printf "| %s | %d | %d | %.2f |\n", name, bodies, steps / spent, seconds / spent
        exit seconds / spent < 1 }' || slow=1
done
exit $slow
