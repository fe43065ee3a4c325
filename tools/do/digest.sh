# Verbs of ./do, which reads this file and has its variables: one digest for every way of computing.
# shellcheck shell=sh disable=SC2154

# one digest for every way of computing a drum, or with --funnel stones of triangles, or with --mixed bodies of
# all shapes; then for every compiler there is, optimised and not; as many at once as there are jobs
do_digest() {
    need_build
    ready
    configure release
    build release --target campaign_world_digest
    rm -rf build/digest/found
    mkdir -p build/digest/found
    for compiler in gcc clang; do
        has "$compiler" || { say "digest: no $compiler here"; continue; }
        for level in 0 3; do build_digest "$compiler" "$level"; done
    done
    digest_commands "$@" | xargs -d '\n' -P "$jobs" -I '{}' sh -c '{}' || touch build/digest/found/failed
    cat build/digest/found/*.txt
    count_digests build/digest/found
}

# world_digest COMPILER LEVEL, in its own folder
build_digest() {
    place=build/digest/$1$2
    mkdir -p "$place"
    cmake -S . -B "$place" -DCMAKE_C_COMPILER="$1" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O$2" \
        -DSCREE_BUILD_APP=OFF -DSCREE_BUILD_EXAMPLES=OFF -DSCREE_INSTALL=OFF >"$place.log" 2>&1 ||
        { cat "$place.log" >&2; die "cmake failed"; }
    cmake --build "$place" -j "$jobs" --target campaign_world_digest >"$place.log" 2>&1 ||
        { cat "$place.log" >&2; die "the build with $1 -O$2 failed"; }
}

# a line for each process: the compilers, the longest first, then shares of the ways
digest_commands() {
    for level in 0 3; do
        for compiler in gcc clang; do
            program=build/digest/$compiler$level/tests/campaign/world_digest
            [ ! -x "$program" ] ||
                echo "echo \"\$($program $* --one)  $compiler -O$level\" >build/digest/found/$compiler$level.txt"
        done
    done
    shares=$((jobs * 4)) k=0
    while [ $k -lt $shares ]; do
        echo "build/release/tests/campaign/world_digest $* --share $k/$shares >build/digest/found/share$k.txt"
        k=$((k + 1))
    done
}

# of the lines that begin with a digest, those that begin with the first way's
count_digests() {
    wanted=$(grep -hoE '^[0-9a-f]{16}' "$1/share0.txt" | head -n 1)
    [ -n "$wanted" ] || die "digest: the first way has none"
    all=$(cat "$1"/*.txt | grep -cE '^([0-9a-f]{16})?  ')
    passed=$(cat "$1"/*.txt | grep -c "^$wanted  ")
    failed=$((all - passed))
    [ ! -e "$1/failed" ] || [ $failed -gt 0 ] || failed=1
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ]
}
