#!/bin/sh
# Each scene of the lab's gallery has a row in docs/lab.md, which says that it runs in real time, and a picture; and no row is
# of a scene that is not there. Usage: test_gallery.sh PROGRAM BUILD-FOLDER. Ends with "test_gallery: N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 1
passed=0
failed=0

check() {
    if eval "$2"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1" >&2
    fi
}

# the rows of the table: name and share of real time
rows() {
    awk -F ' *[|] *' '/^## /{ inside = $0 == "## Scenes of the gallery" } inside && $5 ~ /^[0-9.]+$/ { print $2, $5 }' docs/lab.md
}

share() { rows | sed -n "s/^$1 //p"; }

count=0
for scene in examples/lab/*.lua; do
    name=$(basename "$scene" .lua)
    count=$((count + 1))
    check "docs/lab.md has no row for $name, or several: run tools/lab/gallery.sh" "[ $(share "$name" | wc -l) = 1 ]"
    check "$name does not run in real time: $(share "$name")" "awk -v share='$(share "$name")' 'BEGIN { exit !(share >= 1) }'"
    check "lab/page has no picture of $name: run tools/lab/thumbnails.sh" "[ -s lab/page/scene-$name.png ]"
done
check "docs/lab.md has rows of scenes that are not there" "[ $(rows | wc -l) = $count ]"
check "only $count scenes" "[ $count -ge 12 ]"

echo "test_gallery: $passed passed, $failed failed"
[ "$failed" = 0 ]
