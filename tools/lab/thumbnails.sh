#!/bin/sh
# thumbnails.sh PROGRAM: the small pictures of the lab's gallery, lab/page/scene-NAME.png, anew from examples/lab.
set -eu
cd "$(dirname "$0")/../.."
scree=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# seconds at which a scene shows what it is about, azimuth and magnification of the camera
view() {
    case $1 in
    arch) echo 5 20 1.4 ;;
    avalanche) echo 2.3 60 1.5 ;;
    brazil_nut) echo 6 34 1.15 ;;
    catapult) echo 2.75 20 1.6 ;;
    dominoes) echo 1.7 40 1.6 ;;
    marbles) echo 4 12 1.3 ;;
    tower) echo 1.3 70 1.5 ;;
    tests_2d) echo 1.5 0 1.2 ;;
    *) echo 1.5 34 1.15 ;;
    esac
}

for scene in examples/lab/*.lua; do
    name=$(basename "$scene" .lua)
    # words of a line
    # shellcheck disable=SC2046
    set -- $(view "$name")
    "$scree" run "$scene" --set time="$1" --out "$out/$name" --force --quiet
    field=radius
    case $name in dominoes | marbles | arch | catapult | tower) field=speed ;; esac
    for last in "$out/$name"/checkpoints/*.scree; do :; done
    "$scree" render "$last" --size 198x132 --samples 3 --bare --field "$field" --map lagoon \
        --turn "$2" --zoom "$3" --out "lab/page/scene-$name.png" >/dev/null
done
