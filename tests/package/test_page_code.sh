#!/bin/sh
# Code in the documents is what the program and the library take: each block of Lua is a scene, or becomes one with names that pages
# use without saying what they are, and `scree check` has nothing against it; each block of C compiles, and runs if it is a program.
# usage: test_page_code.sh PROGRAM BUILD-FOLDER
set -u

scree=$1
build=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
# shellcheck source=tests/harness/build_flags.sh
. "$root/tests/harness/build_flags.sh"

good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAILED: $1"
}

# blocks LANGUAGE: each block of code into $work/blocks, named by its page and number; the reference has a test of its own
blocks() {
    rm -rf "$work/blocks"
    mkdir -p "$work/blocks"
    (cd "$root" && find README.md docs -name '*.md' ! -name reference.md) | while read -r page; do
        awk -v language="$1" -v base="$work/blocks/$(echo "$page" | tr / :)" '
            $0 ~ "^ *```" language "$" { inside = 1; indent = match($0, /`/) - 1; count++; next }
            /^ *```/ { inside = 0 }
            inside { print substr($0, indent + 1) > (base ":" count) }' "$root/$page"
    done
}

# ---- scenes ------------------------------------------------------------------------------------------------

# facet POINT POINT POINT, and a closed surface of four for pages that read one
facet() { printf 'facet normal 0 0 0\nouter loop\nvertex %s\nvertex %s\nvertex %s\nendloop\nendfacet\n' "$1" "$2" "$3"; }
o='0 0 0' x='0.02 0 0' y='0 0.02 0' z='0 0 0.02'
{
    echo 'solid part'
    facet "$o" "$y" "$x"
    facet "$o" "$x" "$z"
    facet "$o" "$z" "$y"
    facet "$x" "$y" "$z"
    echo 'endsolid part'
} >"$work/part.stl"

# lines that make a scene of a block: what it names and does not define. A later line may use the names of earlier ones.
cat >"$work/names" <<'END'
glass = material { density = 2500, young = 1e7 }
steel = material { density = 7800, young = 1e7 }
sand = material { density = 2600, young = 1e7 }
throw = 0.001
speed = 10
grain = sphere { radius = 0.001 }
room = box { lower = {0.01, 0.01, 0.01}, upper = {0.1, 0.1, 0.1} }
gate = wall { name = "gate", shape = plane { point = {0, 0, -1}, normal = {0, 0, 1} }, material = glass }
bin = wall { name = "bin", shape = plane { point = {-1, 0, 0}, normal = {1, 0, 0} }, material = glass }
lid = wall { name = "lid", shape = plane { point = {0, 0, 1}, normal = {0, 0, -1} }, material = glass }
END

# make_scene BLOCK: the scene on the standard output
make_scene() {
    grep -qE 'gravity *\{|dimensions = 2' "$1" || echo 'gravity { 0, 0, -9.81 }'
    while read -r line; do
        name=${line%% *}
        # glass is what the others are made of
        [ "$name" = glass ] || grep -qw "$name" "$1" || continue
        grep -qE "^ *(local )?$name *=" "$1" || echo "$line"
    done <"$work/names"
    ! grep -q 'bond *{' "$1" || grep -q 'rule *{' "$1" || echo 'rule { law = "bonded", values = { bond_young = 1e7 } }'
    # conditions may wait for bodies
    if grep -qE 'stage *\{|stop *=' "$1" && ! grep -qE '^ *(more = )?(pour|fill|body) *\{' "$1"; then
        echo 'pour { count = 1, rate = 100, material = glass, shape = sphere { radius = 0.001 }, region = box { lower = {0.01, 0.01, 0.01}, upper = {0.1, 0.1, 0.1} } }'
    fi
    cat "$1"
    grep -qE '(run|stage) *\{' "$1" || echo 'run { time = 1 }'
}

if "$scree" scene >/dev/null 2>&1; then
    blocks lua
    for block in "$work"/blocks/*; do
        make_scene "$block" >"$work/scene.lua"
        for file in $(grep -oE '"[a-z_]+\.stl"' "$block" | tr -d '"'); do cp "$work/part.stl" "$work/$file"; done
        if timeout 60 "$scree" check --seconds 0 "$work/scene.lua" >"$work/said" 2>&1; then good; else
            bad "$(basename "$block") is no scene: $(head -n 3 "$work/said")"
        fi
    done
    # the test itself can fail
    echo 'wall { shap = 1 }' >"$work/scene.lua"
    if "$scree" check --seconds 0 "$work/scene.lua" >/dev/null 2>&1; then bad "a wrong scene is taken"; else good; fi
else
    echo "blocks of Lua: skipped (this program cannot read scenes)"
fi

# ---- programs -----------------------------------------------------------------------------------------------

cc=${CC:-cc}
library=$build/libscree.a
flags=$(build_flags "$build")

# part of a program, with what the text around it says
whole_program() {
    grep '^#include' "$1"
    printf '#include <stdio.h>\nstatic size_t n;\nstatic double x[1], y[1], z[1], r[1];\n'
    printf 'static void collide(uint32_t a, uint32_t b) { printf("%%u %%u\\n", (unsigned)a, (unsigned)b); }\n'
    printf 'int main(void)\n{\n(void)n, (void)x, (void)y, (void)z, (void)r, (void)collide;\n'
    grep -v '^#include' "$1"
    printf 'return 0;\n}\n'
}

# runs NAME: $work/part, and it ends well
runs() {
    if timeout 120 "$work/part" >"$work/said" 2>&1; then good; else bad "$1 fails: $(head -n 3 "$work/said")"; fi
}

# compiles NAME COMMAND...
compiles() {
    name=$1
    shift
    "$@" >"$work/said" 2>&1 || { bad "$name does not compile: $(head -n 5 "$work/said")"; return 1; }
}

# other LANGUAGE SUFFIX COMMAND...: the program of a page that calls the functions of its C
other() {
    language=$1 suffix=$2
    shift 2
    command -v "$1" >/dev/null || { echo "blocks of $language: skipped (no $1)"; return; }
    blocks "$language"
    for block in "$work"/blocks/*; do
        cp "$block" "$work/part.$suffix"
        compiles "$(basename "$block")" "$@" && runs "$(basename "$block")"
        if grep -qE '1 +(0 1|1 +2)' "$work/said"; then good; else bad "$language finds other pairs: $(cat "$work/said")"; fi
    done
}

if [ -e "$library" ] && command -v "$cc" >/dev/null && [ -z "$flags" ]; then
    blocks c
    for block in "$work"/blocks/*; do
        name=$(basename "$block")
        if ! grep -q 'int main' "$block" && grep -q '^{' "$block"; then
            cp "$block" "$work/functions.c"
            compiles "$name" "$cc" -std=c17 -Wall -Wextra -Werror -I"$root/include" -c "$work/functions.c" -o "$work/functions.o" && good
            continue
        fi
        if grep -q 'int main' "$block"; then cp "$block" "$work/part.c"; else whole_program "$block" >"$work/part.c"; fi
        compiles "$name" "$cc" -std=c17 -Wall -Wextra -Werror -I"$root/include" "$work/part.c" "$library" -lm -lpthread -ldl \
            -o "$work/part" && runs "$name"
    done
    other fortran f90 gfortran "$work/part.f90" "$work/functions.o" "$library" -lm -lpthread -ldl -o "$work/part"
    other rust rs rustc "$work/part.rs" -C "link-arg=$work/functions.o" -C "link-arg=$library" -C link-arg=-lm -o "$work/part"
fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
