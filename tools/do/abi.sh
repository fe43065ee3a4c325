# Verbs of ./do, which reads this file and has its variables: whether programs built with an earlier version still run.
# shellcheck shell=sh disable=SC2154

# ./do abi [VERSION]: the shared library beside that of the last release, or of any commit
do_abi() {
    need_build
    need abidiff abigail-tools "compare the interfaces of two libraries"
    ready
    before=${1:-$(git describe --tags --abbrev=0 --match 'v*' 2>/dev/null || true)}
    [ "$before" ] || die "there is no release yet: no tag v*; ./do abi COMMIT compares with any commit"
    commit=$(git rev-parse --verify --quiet "$before^{commit}") || die "there is no commit \"$before\" here"
    rm -rf build/abi
    mkdir -p build/abi/before
    git archive "$commit" | tar -C build/abi/before -xf -
    abi_library "$PWD" build/abi/now
    abi_library "$PWD/build/abi/before" build/abi/then
    # 4: something has changed, 8: so that programs must be built again
    outcome=0
    abidiff --headers-dir1 build/abi/before/include --headers-dir2 include --drop-private-types \
        build/abi/then/libscree.so build/abi/now/libscree.so >build/abi/report.txt || outcome=$?
    cat build/abi/report.txt
    was=$(library_number build/abi/then) is=$(library_number build/abi/now)
    if [ "$was" != "$is" ]; then
        say "$before has $was, this is $is: the loader keeps them apart, and programs built with $before are built again"
        return 0
    fi
    if [ $((outcome & 8)) != 0 ] || [ $((outcome & 3)) != 0 ]; then
        die "programs built with $before must be built again: the number of the shared library must grow (SOVERSION)"
    fi
    say "programs built with $before run with this library"
}

# library_number FOLDER: the name by which programs ask for the library of that build, such as libscree.so.1
library_number() { objdump -p "$1/libscree.so" | sed -n 's/^ *SONAME *//p'; }

# abi_library SOURCE FOLDER: the shared library with what abidiff reads of it
abi_library() {
    log=$2.log
    {
        cmake -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSCREE_BUILD_TESTS=OFF -DSCREE_BUILD_EXAMPLES=OFF \
            -DCMAKE_EXPORT_COMPILE_COMMANDS=OFF &&
            cmake --build "$2" -j "$jobs" --target scree
    } >"$log" 2>&1 || { tail -n 20 "$log" >&2; die "the library of $1 cannot be built: see $log"; }
}
