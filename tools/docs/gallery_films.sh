#!/bin/sh
# docs/images/film-NAME.webm: a film of each example scene for the gallery, of about six seconds, with the scene's own camera. Each scene
# runs to its end: one that fails is named, and the exit status is 1. ./do gallery calls this from the root of the project:
# sh tools/docs/gallery_films.sh build/release/scree [NAME...]
set -eu

scree=$(realpath "$1")
shift
if [ $# -eq 0 ]; then
    for scene in examples/scenes/*.lua; do
        set -- "$@" "$(basename "$scene" .lua)"
    done
fi
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
cp -r examples/scenes "$made/scenes"

# with_more_pictures SCENE NUMBER: the scene with so many pictures for each output that it has
with_more_pictures() {
    every=$(sed -n 's/^ *output *{ *every *= *\([^,}]*\).*/\1/p' "$1" | head -n 1)
    sed 's/write = {[^}]*}/write = {"vtk"}/' "$1"
    grep -q '^picture' "$1" || echo 'picture { width = 640, height = 480 }'
    echo "output { every = ($every) / $2, write = {\"picture\"} }"
}

# run_with NAME NUMBER: sets $frames; fails if the run does
run_with() {
    with_more_pictures "$made/scenes/$1.lua" "$2" >"$made/scenes/more.lua"
    rm -rf "$made/run"
    "$scree" run "$made/scenes/more.lua" --out "$made/run" --threads 1 --no-film --quiet || return 1
    frames=$(find "$made/run/pictures" -name '*.png' | wc -l)
}

status=0
for name; do
    # 60: for a scene with outputs at its beginning and end alone
    # shellcheck disable=SC2310
    if ! run_with "$name" 4 || { [ "$frames" -lt 10 ] && ! run_with "$name" 60; }; then
        echo "$name: the run failed" >&2
        status=1
        continue
    fi
    rate=$(((frames + 5) / 6))
    [ $rate -ge 5 ] || rate=5
    ffmpeg -y -loglevel error -framerate $rate -pattern_type glob -i "$made/run/pictures/*.png" \
        -vf "fps=min($rate\,25),scale=w=480:h=400:force_original_aspect_ratio=decrease:force_divisible_by=2" \
        -an -c:v libvpx-vp9 -crf 44 -b:v 0 -row-mt 0 -threads 1 -pix_fmt yuv420p "docs/images/film-$name.webm"
    echo "$name: $frames pictures, $(wc -c <"docs/images/film-$name.webm") bytes"
done
exit $status
