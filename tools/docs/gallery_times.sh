#!/bin/sh
# docs/results/gallery.csv: how long each example scene runs on one thread of this machine, as `scree check` finds in four seconds. It counts
# processor time. From the root of the project: sh tools/docs/gallery_times.sh build/release/scree
set -eu

scree=$1
said=$(mktemp)
table=$(mktemp)
trap 'rm -f "$said" "$table"' EXIT
echo "scene,steps,run" >"$table"
for scene in examples/scenes/*.lua; do
    name=$(basename "$scene" .lua)
    "$scree" check "$scene" --threads 1 >"$said"
    sed -n "s/^  the run  *\(.*\) steps, \(.*\) of 1 thread undisturbed.*/$name,\1,\2/p" "$said" >>"$table"
    tail -n 1 "$table" | grep -q "^$name," || { echo "$name: no time in what scree check says" >&2; cat "$said" >&2; exit 1; }
done
cat "$table" >docs/results/gallery.csv
