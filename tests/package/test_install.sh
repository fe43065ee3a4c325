#!/bin/sh
# The house from outside: what is installed can be used from C, C++, CMake and pkg-config, the single file
# is the library, and no name leaves the libraries that should not.
# Usage: test_install.sh PROGRAM BUILD-FOLDER. Ends with "test_install: N passed, N failed".
set -u
build=${2:?usage: test_install.sh PROGRAM BUILD-FOLDER}
cd "$(dirname "$0")" || exit 1
tests=$PWD
root=$(cd ../.. && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

has() { command -v "$1" >/dev/null 2>&1; }
skip() { echo "skipped: $1: no $2"; }

# check NAME COMMAND...: one test case; what the command says is shown if it fails
check() {
    name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
        tail -n 40 "$work/log"
    fi
}

cc=${CC:-}
for c in cc gcc clang; do [ "$cc" ] || ! has $c || cc=$c; done
cxx=${CXX:-}
for c in c++ g++ clang++; do [ "$cxx" ] || ! has $c || cxx=$c; done
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Werror"

# ---- installation ----------------------------------------------------------------------------------

there=$work/prefix
check install cmake --install "$build" --prefix "$there"
# what is installed may be moved
mv "$there" "$work/moved" && there=$work/moved
library=$(dirname "$(find "$there" -name libscree.a)")

installed() { for file; do [ -s "$there/$file" ] || { echo "not installed: $file"; return 1; }; done; }
check installed_files installed include/scree/scree.h include/scree/ambient.h include/scree/base.h include/scree/detect.h \
    include/scree/bond.h include/scree/cell.h include/scree/chains.h include/scree/checkpoint.h include/scree/event.h include/scree/query.h \
    include/scree/deprecated.h include/scree/rest.h \
    include/scree/fields.h \
    include/scree/heat.h include/scree/io.h include/scree/law.h include/scree/picture.h \
    include/scree/sleep.h include/scree/shape.h include/scree/wall.h include/scree/world.h include/scree/view.h \
    include/scree/force.h include/scree/handle.h include/scree/statistics.h bin/scree \
    bin/scree-bench share/man/man1/scree.1 share/man/man1/scree-bench.1 share/man/man3/libscree.3 share/bash-completion/completions/scree \
    share/bash-completion/completions/scree-bench
check soname test "$(readlink "$library/libscree.so")" = libscree.so.1
check program_runs "$there/bin/scree" --version
check measurements_run "$there/bin/scree-bench" --version

# ---- headers ---------------------------------------------------------------------------------------

# use_header COMPILER STANDARD SOURCE HEADER
use_header() {
    # $1 and $strict are lists of words
    # shellcheck disable=SC2086
    $1 -std="$2" $strict -DHEADER="\"scree/$4\"" -I"$there/include" "$tests/$3" "$library/libscree.a" \
        -lm -pthread -o "$work/header" && "$work/header"
}
for header in "$root"/include/scree/*.h; do
    header=$(basename "$header")
    check "c_$header" use_header "$cc" c17 header_c.c "$header"
    if [ "$cxx" ]; then
        check "cpp_$header" use_header "$cxx" c++17 header_cpp.cpp "$header"
    else
        skip "cpp_$header" c++
    fi
done

# programs of version 0.1: their names work, each with a warning that says the new one
old_names_work() {
    # shellcheck disable=SC2086
    $cc -std=c17 $strict -I"$there/include" "$tests/old_names.c" "$library/libscree.a" -lm -pthread \
        -o "$work/old_names" && "$work/old_names"
}
old_names_are_warned_of() {
    sed '/GCC diagnostic ignored/d' "$tests/old_names.c" >"$work/warned.c"
    # shellcheck disable=SC2086
    $cc -std=c17 -I"$there/include" -c "$work/warned.c" -o "$work/warned.o" 2>"$work/warned" || return 1
    for name in scree_world_set_rest scree_rest_def scree_phases SCREE_TIME_SCALED; do
        grep -q "$name.*deprecated: it is called" "$work/warned" || { echo "no warning for $name"; return 1; }
    done
}
# a program compiled with a header whose definitions lack their last members works with the library of now
earlier_header_works() {
    rm -rf "$work/earlier"
    mkdir -p "$work/earlier/scree"
    for header in "$root"/include/scree/*.h; do
        sed -e '/typedef struct scree_body_def/,/^} scree_body_def;/{/uint64_t user;/d;}' \
            -e '/typedef struct scree_wall_def/,/^} scree_wall_def;/{/uint64_t user;/d;}' \
            -e '/typedef struct scree_world_def/,/^} scree_world_def;/{/scree_hooks_def hooks;/d;}' \
            "$header" >"$work/earlier/scree/$(basename "$header")"
    done
    # three members are gone
    [ "$(cat "$root"/include/scree/*.h | wc -l)" -eq $(($(cat "$work"/earlier/scree/*.h | wc -l) + 3)) ] || return 1
    # shellcheck disable=SC2086
    $cc -std=c17 $strict -I"$work/earlier" "$tests/earlier_header.c" "$library/libscree.a" -lm -pthread \
        -o "$work/earlier_header" && "$work/earlier_header"
}
check earlier_header_works earlier_header_works
check old_names_work old_names_work
check old_names_are_warned_of old_names_are_warned_of

# no macro of a public header without the prefix: what the headers add to those of the standard ones
macros_have_prefix() {
    printf '#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n' >"$work/standard.c"
    printf '#include "scree/scree.h"\n' >"$work/ours.c"
    for which in standard ours; do
        # shellcheck disable=SC2086
        $cc -std=c17 -dM -E -I"$root/include" "$work/$which.c" |
            sed 's/^#define \([A-Za-z0-9_]*\).*/\1/' | sort >"$work/$which" || return 1
    done
    grep -q SCREE_API "$work/ours" || return 1
    ! comm -13 "$work/standard" "$work/ours" | grep -v '^SCREE_'
}
check macros_have_prefix macros_have_prefix

# ---- processors ------------------------------------------------------------------------------------

# a compiler for 32 bits is told why it cannot be used, whatever headers it lacks
refuses_32_bits() {
    $cc -m32 -std=c17 -I"$root/include" -I"$root/src" -E "$root/src/base/version.c" >"$work/narrow" 2>&1
    grep -q 'error.*scree needs a compiler for 64-bit processors' "$work/narrow" || { cat "$work/narrow"; return 1; }
}
if echo | $cc -m32 -E - >/dev/null 2>&1; then
    check refuses_32_bits refuses_32_bits
else
    skip refuses_32_bits "compiler that knows -m32"
fi

# ---- nothing as an argument ------------------------------------------------------------------------

# every public function takes it
null_arguments() {
    awk -f "$tests/null_calls.awk" "$root"/include/scree/*.h >"$work/null_calls.c"
    # shellcheck disable=SC2086
    $cc -std=gnu17 -w -I"$there/include" "$work/null_calls.c" "$library/libscree.a" -lm -pthread \
        -o "$work/null_calls" || return 1
    "$work/null_calls" >"$work/null_said"
    code=$?
    cat "$work/null_said"
    [ $code -eq 0 ] && [ "$(tail -n 1 "$work/null_said")" = "$(public_functions | wc -l) functions" ]
}

# ---- symbols ---------------------------------------------------------------------------------------

# the functions that the headers mark as public, one a line
public_functions() {
    cat "$root"/include/scree/*.h | tr '\n' ' ' | sed 's/SCREE_API /\n/g' |
        sed -n '/^[a-z]/s/^[^(]*[ *]\(scree_[a-z0-9_]*\)(.*/\1/p' | sort -u
}
exports_the_interface() {
    public_functions >"$work/declared"
    nm -D --defined-only "$library/libscree.so" | awk '{ print $3 }' | sort >"$work/exported"
    [ "$(wc -l <"$work/declared")" -ge 20 ] || { echo "few functions declared"; return 1; }
    diff "$work/declared" "$work/exported"
}
globals_have_prefix() {
    nm -g --defined-only "$library/libscree.a" | awk 'NF == 3 { print $3 }' >"$work/globals"
    [ -s "$work/globals" ] || return 1
    ! grep -v '^scree_' "$work/globals"
}
# no state: nothing that can be written once the loader has filled in addresses (.data.rel.ro)
no_mutable_globals() {
    ! nm --defined-only --format=sysv "$library/libscree.a" | tr -d ' ' |
        awk -F '|' '$7 ~ /^\.(data|bss|tdata|tbss)(\.|$)/ && $7 !~ /^\.data\.rel\.ro/ || $7 == "COM"' | grep .
}
check null_arguments null_arguments
if has nm; then
    check exports_the_interface exports_the_interface
    check globals_have_prefix globals_have_prefix
    check no_mutable_globals no_mutable_globals
else
    skip symbols nm
fi

# ---- projects of users -----------------------------------------------------------------------------

cmake_project() {
    cmake -S "$tests/consumer_cmake" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$there" \
        -DCMAKE_C_COMPILER="${cc%% *}" &&
        cmake --build "$work/cmake" && "$work/cmake/with_shared" && "$work/cmake/with_static"
}
check cmake_project cmake_project

pkgconfig_project() {
    PKG_CONFIG_PATH=$library/pkgconfig
    LD_LIBRARY_PATH=$library
    export PKG_CONFIG_PATH LD_LIBRARY_PATH
    pkg-config --exists --print-errors scree &&
        [ "$(pkg-config --modversion scree)" = "$("$there/bin/scree" --version | sed -n '1s/scree //p')" ] &&
        mkdir -p "$work/make" && make -C "$tests/consumer_pkgconfig" CC="$cc" OUT="$work/make" &&
        "$work/make/user"
}
if has pkg-config && has make; then
    check pkgconfig_project pkgconfig_project
else
    skip pkgconfig_project "pkg-config or make"
fi

# a project that takes scree's source as a folder of its own gets the library and nothing else
subfolder_project() {
    mkdir -p "$work/sub" || return 1
    cat >"$work/sub/CMakeLists.txt" <<PROJECT
cmake_minimum_required(VERSION 3.22)
project(sub LANGUAGES C)
add_subdirectory("$root" scree)
if(TARGET scree_program OR TARGET test_detector)
    message(FATAL_ERROR "more than the library")
endif()
add_executable(sub "$tests/amalgamated_user.c")
target_link_libraries(sub scree::scree_static)
PROJECT
    cmake -S "$work/sub" -B "$work/sub/build" -DCMAKE_C_COMPILER="${cc%% *}"
}
check subfolder_project subfolder_project

# ---- the single file -------------------------------------------------------------------------------

check amalgamate sh "$root/tools/amalgamate.sh" "$work/single"
# single COMPILER OPTION...
single() {
    (cd "$work/single" && "$@" -Wall -Wextra -Werror -c scree.c &&
        "$@" -Wall -Wextra -Werror -DAMALGAMATED "$tests/amalgamated_user.c" scree.o -I. \
            -o user -lm -pthread && ./user)
}
# as users compile it, in full effort; to optimise so long a file takes long, and what is wrong with it shows without
compilers="gcc -O0"
[ "${SCREE_TEST_EFFORT:-quick}" = quick ] || compilers="gcc -O3:clang -O1"
IFS=:
for c in $compilers; do
    unset IFS
    if has ${c% *}; then
        # shellcheck disable=SC2086
        check "single_${c% *}" single $c
    else
        skip "single_${c% *}" ${c% *}
    fi
done
single_has_the_interface() {
    public_functions >"$work/declared"
    nm -g --defined-only "$work/single/scree.o" | awk '{ print $3 }' | sort >"$work/single_globals"
    ! comm -23 "$work/declared" "$work/single_globals" | grep . &&
        ! grep -v '^scree_' "$work/single_globals"
}
if has nm; then
    check single_has_the_interface single_has_the_interface
fi

# names that two sources define get apart, and members, strings and comments stay
names_get_apart() {
    mkdir -p "$work/clash/src/base" "$work/clash/include/scree" "$work/clash/tools" &&
        cp "$root"/tools/amalgamate.* "$work/clash/tools" && cd "$work/clash" || return 1
    printf '#include <stddef.h>\n' >include/scree/scree.h
    cat >src/base/shared.h <<'SOURCE'
#ifndef SCREE_SHARED_H
#define SCREE_SHARED_H
struct operations { int (*insert)(int); const char *text; };
#endif
SOURCE
    cat >src/base/kernel.inc.h <<'SOURCE'
static int AT_LEVEL(kernel)(int x) { return insert(x) + LEVEL; }
SOURCE
    for n in 1 2; do
        cat >src/base/source_$n.c <<SOURCE
#include "base/shared.h"
#define BONUS $n
#define LEVEL 100
#define AT_LEVEL(name) name##_low
typedef struct node { int value; struct node *next; } node;
enum colour { RED = $n, GREEN = 10 * $n };
static const char text[] = "insert"; /* insert */
static int insert(int x) { node n = {.value = x}; return n.value + BONUS + GREEN; }
#include "base/kernel.inc.h"
static int call(const struct operations *o) { return o->insert(1) + kernel_low(1) + RED; }
extern const struct operations scree_operations_$n;
const struct operations scree_operations_$n = {.insert = insert, .text = text};
int scree_result_$n(void);
int scree_result_$n(void) { return call(&scree_operations_$n) + (text[0] == 'i' && sizeof text == 7); }
SOURCE
    done
    cat >user.c <<'SOURCE'
int scree_result_1(void);
int scree_result_2(void);
int main(void) { return !(scree_result_1() == 12 + 112 + 1 + 1 && scree_result_2() == 23 + 123 + 2 + 1); }
SOURCE
    sh tools/amalgamate.sh out && $cc -std=c17 -Wall -Wextra -Werror out/scree.c user.c -o user && ./user
}
check names_get_apart names_get_apart

echo "test_install: $passed passed, $failed failed"
[ $failed -eq 0 ]
