#!/bin/sh
# The folders of the programs lie on floors, as the rooms of src/ do (tests/world/test_rooms.sh): a higher folder uses lower
# ones, folders of one floor know nothing of each other, and no files use each other in a circle. Looked at in #include lines
# and in the symbols of objects. Usage: test_folders.sh PROGRAM BUILD-FOLDER. Ends with "test_folders: N passed, N failed".
set -u
build=${2:?usage: test_folders.sh PROGRAM BUILD-FOLDER}
case $build in /*) ;; *) build=$PWD/$build ;; esac
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# Folders from the lowest floor to the highest; see docs/architecture.md.
cat > "$work/floors" << 'END'
common
bench/scenes
bench/measure
bench/claims bench/cases bench/engines
bench/peers
scene
scene/lua
scene/read
lab/server
lab/site
app/convert app/detect
app/run
app/begin app/calibrate app/look app/bench
app
END

# ---- what is there: "FILE USED-FILE WHAT" ----------------------------------------------------------------

sources() { find app bench common lab scene -name "$1" | LC_ALL=C sort; }

# where an #include is looked for: beside the file, then in the folders that the compiler is given
list_includes() {
    sources '*.[ch]' | while read -r file; do
        sed -n 's|^#[ ]*include "\([^"]*\)".*|\1|p' "$file" | while read -r what; do
            for folder in "$(dirname "$file")/" '' bench/ scene/ scene/lua/ lab/server/; do
                [ ! -f "$folder$what" ] || { echo "$file $folder$what $what"; break; }
            done
        done
    done
}

# objects of sources that are there: others may be left from before
list_objects() {
    sources '*.c' | while read -r file; do
        case $file in
            app/bench/*) target=scree_bench_program ;;
            app/*) target=scree_program ;;
            *) target=scree_${file%%/*} ;;
        esac
        object=$build/CMakeFiles/$target.dir/$file.o
        [ ! -f "$object" ] || echo "$object"
    done
}

# nm -P -A: "FILE: NAME TYPE VALUE SIZE"; Lua's pow() is ours, and that of others is the system's
list_calls() {
    list_objects | tr '\n' '\0' | xargs -0 nm -P -A -g 2> "$work/nm_said" | awk '
        {
            file = $1
            sub(/^.*CMakeFiles\/[a-z_]*[.]dir\//, "", file)
            sub(/[.]o:.*$/, "", file)
            if ($2 == "main" || $2 == "pow") next
            if ($3 == "U") { n++; user[n] = file; used[n] = $2 }
            else home[$2] = file
        }
        END {
            for (k = 1; k <= n; k++)
                if (used[k] in home && home[used[k]] != user[k])
                    print user[k], home[used[k]], used[k]
        }' | LC_ALL=C sort
}

# Of such lines those that lead neither down nor to the own folder: "FILE WHAT".
find_arrows() {
    awk '
        function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
        NR == FNR { for (k = 1; k <= NF; k++) floor[$k] = FNR; next }
        {
            from = folder($1)
            to = folder($2)
            if (!(from in floor) || !(to in floor) || (from != to && floor[to] >= floor[from]))
                print $1, $3
        }' "$work/floors" "$1"
}

# Of such lines the files that use each other in a circle, as tsort finds them.
find_circles() {
    awk '{ print $2, $1 }' "$1" | tsort 2>&1 > /dev/null | sed -n 's/^tsort: \([a-z].*[.][ch]\)$/\1/p'
}

# ---- checks ----------------------------------------------------------------------------------------------

# empty NAME FILE: the lines of the file are wrong
empty() {
    if [ -s "$2" ]; then
        failed=$((failed + 1))
        echo "FAILED: $1"
        sed 's/^/  /' "$2"
    else
        passed=$((passed + 1))
    fi
}

holds() {
    find_arrows "$work/$1" | LC_ALL=C sort -u > "$work/found"
    empty "$1 that lead up, or to a folder of the same floor" "$work/found"
    find_circles "$work/$1" > "$work/found"
    empty "files whose $1 are a circle" "$work/found"
}

# sees KIND FILE USED-FILE FINDER: a line that is put in is found
sees() {
    { cat "$work/$1"; echo "$2 $3 planted"; } > "$work/planted"
    "$4" "$work/planted" | grep -qF "$2"
    echo "$?" | sed '/^0$/d' > "$work/missed"
    empty "planted: $2 uses $3" "$work/missed"
}

list_includes > "$work/includes"
holds includes
sees includes common/json.c app/run/run.h find_arrows
sees includes app/detect/detect.c app/convert/export_vtkhdf.h find_arrows
sees includes app/new.c app/unknown/new.h find_arrows
sees includes scene/plan.h scene/scene.h find_circles

if command -v nm > /dev/null 2>&1 && [ "$(list_objects | wc -l)" -gt 100 ]; then
    list_calls > "$work/calls"
    holds calls
    sees calls scene/build.c scene/lua/read.c find_arrows
    sees calls app/run/hooks.c app/run/go.c find_circles
else
    echo "skipped: calls: no nm, or too few objects in $build"
fi

echo "test_folders: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
