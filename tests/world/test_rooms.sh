#!/bin/sh
# The floors of the house: what lies higher uses what lies lower, and rooms of one floor know nothing of each other. Looked at in
# #include lines and in the symbols of objects. Usage: test_rooms.sh PROGRAM BUILD-FOLDER.
# Ends with "test_rooms: N passed, N failed".
set -u
build=${2:?usage: test_rooms.sh PROGRAM BUILD-FOLDER}
case $build in /*) ;; *) build=$PWD/$build ;; esac
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# Rooms from the lowest floor to the highest; see docs/architecture.md.
cat > "$work/floors" << 'END'
base
formula
detect shape law gpu
narrow
state
contacts
search collide forces motion boundaries
step
device
api measure local
save
dist
io
picture
END

# Arrows that go up, and should not: "FILE WHAT", and the list may only become shorter.
# Local steps make worlds of parts of a world.
cat > "$work/known_calls" << 'END'
world/local/local_steps.c scree_world_copy
world/local/local_steps.c scree_world_destroy
END
: > "$work/known_includes"

# ---- what is there: "FILE WHAT ROOM-OF-WHAT", of files of src/ ----------------------------------------

list_includes() {
    find src -name '*.[ch]' | LC_ALL=C sort | while read -r file; do
        sed -n 's|^#[ ]*include "\([^"]*\)".*|'"${file#src/}"' \1|p' "$file"
    done | awk '$2 !~ /^scree\// {print $1, $2, $2}'
}

# objects of sources that are there: others may be left from before
list_objects() {
    find src -name '*.c' | LC_ALL=C sort | while read -r file; do
        object=$build/CMakeFiles/scree_objects.dir/$file.o
        [ -f "$object" ] && echo "$object"
    done
}

# nm -P -A: "FILE: NAME TYPE VALUE SIZE"
list_calls() {
    list_objects | tr '\n' '\0' | xargs -0 nm -P -A -g 2> "$work/nm_said" | awk '
        {
            file = $1
            sub(/^.*CMakeFiles\/scree_objects[.]dir\/src\//, "", file)
            sub(/[.]o:.*$/, "", file)
            if ($3 == "U") { n++; user[n] = file; used[n] = $2 }
            else home[$2] = file
        }
        END {
            for (k = 1; k <= n; k++)
                if (used[k] in home)
                    print user[k], used[k], home[used[k]]
        }' | LC_ALL=C sort
}

# Of such lines those that lead neither down nor to the own room: "FILE WHAT".
find_arrows() {
    awk '
        function room(path,    part) {
            split(path, part, "/")
            return part[1] == "world" ? part[2] : part[1]
        }
        NR == FNR { for (k = 1; k <= NF; k++) floor[$k] = FNR; next }
        {
            from = room($1)
            to = room($3)
            if (!(from in floor) || !(to in floor) || (from != to && floor[to] >= floor[from]))
                print $1, $2
        }' "$work/floors" "$1"
}

# ---- checks ----------------------------------------------------------------------------------------------

# fails NAME TEXT: what is in the file of TEXT, line by line, is wrong
empty() {
    if [ -s "$2" ]; then
        failed=$((failed + 1))
        echo "FAILED: $1"
        sed 's/^/  /' "$2"
    else
        passed=$((passed + 1))
    fi
}

# holds KIND: arrows in $work/KIND are those that are known, neither more nor fewer
holds() {
    LC_ALL=C sort -u "$work/known_$1" > "$work/known"
    find_arrows "$work/$1" | LC_ALL=C sort -u > "$work/found"
    comm -13 "$work/known" "$work/found" > "$work/new"
    comm -23 "$work/known" "$work/found" > "$work/gone"
    empty "$1 that lead up, or to a room of the same floor" "$work/new"
    empty "known $1 that are no more: take them off the list in this test" "$work/gone"
}

# sees KIND FILE WHAT ROOM: an arrow that is put in is found
sees() {
    { cat "$work/$1"; echo "$2 $3 $4"; } > "$work/planted"
    find_arrows "$work/planted" | grep -qxF "$2 $3"
    echo "$?" | sed '/^0$/d' > "$work/missed"
    empty "planted: $2 uses $3" "$work/missed"
}

list_includes > "$work/includes"
holds includes
# what lies below the step takes the structs that it touches, never a world
(cd src/world && grep -lrw scree_world state contacts search collide forces motion boundaries) > "$work/given_a_world"
empty "files below the step that are given a world" "$work/given_a_world"
sees includes world/state/walls.c world/step/step.h world/step/step.h
sees includes world/collide/shape_pairs.c world/forces/sphere_forces.h world/forces/sphere_forces.h
sees includes world/step.c world/step/step.h world/step/step.h

if command -v nm > /dev/null 2>&1 && [ "$(list_objects | wc -l)" -gt 0 ]; then
    list_calls > "$work/calls"
    # an object that is missing is a room that is not looked at
    find src -name '*.c' | wc -l > "$work/sources"
    list_objects | wc -l | cmp -s - "$work/sources" || echo "some sources have no objects" > "$work/lacking"
    touch "$work/lacking"
    empty "all objects are there" "$work/lacking"
    holds calls
    sees calls world/search/neighbours.c scree_world_diagnose_position world/step/diagnose.c
    sees calls world/motion/integrate.c scree_wall_contacts_search world/search/wall_neighbours.c
else
    echo "skipped: calls: no nm, or no objects in $build"
fi

# tools name files of one translation unit by these
find src -name '*.[ch]' | sed 's|.*/||' | LC_ALL=C sort | uniq -d > "$work/twice"
empty "names of files that there are twice" "$work/twice"

echo "test_rooms: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
