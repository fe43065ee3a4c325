#!/bin/sh
# One word for each thing one does with scree; `./do help` lists them. Works on a bare Debian or Ubuntu
# with git and sh: every verb says which commands it needs, and what is missing is installed with
# apt-get, after saying what and why. Where nothing is missing, nothing is installed.
set -eu
cd "$(dirname "$0")"

jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# POCL asks /sys for the memory there is, and ends the process where nothing is mounted there, as in a plain chroot
[ -d /sys/devices/system/cpu ] || export HWLOC_SYNTHETIC="node:1(memory=4294967296) core:$jobs pu:1"

say() { printf 'do: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

# ---- what a verb needs -----------------------------------------------------------------------------

missing=

# need COMMAND PACKAGE WHY: note the package if the command is not there
need() {
    has "$1" || lack "$2" "$1 is needed to $3"
}

lack() {
    say "$2"
    case " $missing " in *" $1 "*) ;; *) missing="$missing $1" ;; esac
}

# install all that was noted, once
provide() {
    [ "$missing" ] || return 0
    # $missing is a list of words
    # shellcheck disable=SC2086
    has apt-get || die "no apt-get here. Please install what is missing, then try again:" "$(other_system $missing)"
    if [ "$(id -u)" = 0 ]; then
        root=
    elif has sudo; then
        root=sudo
    else
        die "neither root nor sudo; please run as root:" \
            "apt-get update && apt-get install -y --no-install-recommends$missing"
    fi
    say "installing with apt-get:$missing"
    $root apt-get -qq update >&2
    # $missing is a list of words
    # shellcheck disable=SC2086
    $root env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -y --no-install-recommends install $missing >"$scratch/apt.log" 2>&1 ||
        { cat "$scratch/apt.log" >&2; die "apt-get failed"; }
    missing=
}

# invite WHAT PACKAGE...: install what is good to have, one by one; what cannot be had is left out, with a word
invite() {
    what=$1
    shift
    [ $# -gt 0 ] || return 0
    say "to try $what there would be these packages: $*"
    if ! has apt-get || { [ "$(id -u)" != 0 ] && ! has sudo; }; then
        say "without apt-get, root and sudo they are left out"
        return 0
    fi
    root=
    [ "$(id -u)" = 0 ] || root=sudo
    $root apt-get -qq update >&2 || say "apt-get update failed"
    for package; do
        say "installing with apt-get: $package"
        $root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install \
            "$package" >"$scratch/apt.log" 2>&1 || say "$package cannot be installed: it is left out"
    done
}

# works LANGUAGE FLAGS COMPILER...: the first compiler that makes a program
works() {
    language=$1 flags=$2
    shift 2
    case $flags in
        *fuzzer*) text='int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n)
                        { return n && *d ? 0 : 0; }' ;;
        *) text='int main(void) { return puts("") < 0; }' ;;
    esac
    for compiler; do
        # a compiler may come with words of its own, as in CC="ccache gcc"
        # shellcheck disable=SC2086
        if printf '#include <stdio.h>\n%s\n' "$text" |
            $compiler $flags -x "$language" -o "$scratch/works" - >/dev/null 2>&1; then
            echo "$compiler"
            return 0
        fi
    done
    return 1
}

c_compiler() { works c "" ${CC:+"$CC"} cc gcc clang; }

# install what was noted, and know the compiler
ready() {
    provide
    cc=$(c_compiler) || die "no C compiler makes a program"
}

need_build() {
    c_compiler >/dev/null ||
        { lack gcc "a C compiler is needed to build"; lack libc6-dev "and the headers of C"; }
    need cmake cmake "build"
    if ! has ninja && ! has make; then
        lack ninja-build "ninja or make is needed to build"
    fi
    if ! has pkg-config; then
        lack pkg-config "pkg-config is needed to find Lua and libwebsockets"
    fi
    if ! has pkg-config || ! pkg-config --exists libwebsockets; then
        lack libwebsockets-dev "libwebsockets is needed for the laboratory (scree lab)"
    fi
    # Debian calls it lua5.4, others lua54 or lua
    if ! has pkg-config || ! { pkg-config --exists lua5.4 || pkg-config --exists lua54 ||
        pkg-config --exists 'lua >= 5.4 lua < 5.5'; }; then
        lack liblua5.4-dev "Lua 5.4 is needed to read scenes (scree run)"
    fi
}

# the tests of the house build a program in C++, one with CMake and one with pkg-config
need_test() {
    need_build
    works c++ "" ${CXX:+"$CXX"} c++ g++ clang++ >/dev/null ||
        lack g++ "a C++ compiler is needed to test that the headers are C++"
    if ! has make; then
        lack make "make is needed to test the installation"
    fi
}

# need_clang SANITIZER WHAT-FOR: a clang that links it, in $clang
need_clang() {
    lacks_sanitizer() {
        ! clang=$(works c "-fsanitize=$1" clang clang-14 clang-16 clang-18 clang-19)
    }
    if lacks_sanitizer "$1" && ! has clang; then
        lack clang "clang is needed $2"
    fi
    provide
    if lacks_sanitizer "$1"; then
        version=$(clang -dumpversion | cut -d. -f1)
        lack "libclang-rt-$version-dev" "the run time of clang's sanitizers is needed $2"
        lack libc6-dev "and the headers of C"
        provide
        lacks_sanitizer "$1" && die "clang still cannot link -fsanitize=$1"
    fi
}

# ---- building and testing --------------------------------------------------------------------------

# configure PRESET [OPTION...]
configure() {
    preset=$1
    shift
    if ! [ -e "build/$preset/CMakeCache.txt" ]; then
        if [ -z "${CMAKE_GENERATOR:-}" ] && has ninja; then
            set -- -G Ninja "$@"
        fi
        case " $* " in
            *CMAKE_C_COMPILER*) ;;
            *) [ "$preset" = coverage ] || [ "${CC:-}" ] || set -- "-DCMAKE_C_COMPILER=$cc" "$@" ;;
        esac
    fi
    mkdir -p build
    cmake --preset "$preset" "$@" >"build/$preset.configure.log" 2>&1 ||
        { cat "build/$preset.configure.log" >&2; die "cmake --preset $preset failed"; }
}

# build PRESET [OPTION...]
build() {
    preset=$1
    shift
    cmake --build --preset "$preset" -j "$jobs" "$@" || die "the build of '$preset' failed"
}

# build_tests PRESET [CTEST OPTION...]: what its tests run, and not what only those need that it leaves out; with options, all
build_tests() {
    if [ $# -gt 1 ]; then
        build "$1"
        return
    fi
    cmake --build "build/$1" --target help | sed -n 's/^\([a-z0-9_]*\): .*/\1/p; s/^\.\.\. \([a-z0-9_]*\)$/\1/p' |
        sort -u >"$scratch/targets"
    ctest --preset "$1" -N | sed -n 's/^ *Test *#[0-9]*: //p' | tr / _ | sort -u >"$scratch/tests"
    # scripts are no targets; they run the program and what a campaign does
    programs=$(comm -12 "$scratch/targets" "$scratch/tests")
    ! grep -q '^app_test_run$' "$scratch/tests" ||
        programs="$programs $(grep -E '^(scree_program|scree_bench_program|failing_disk|campaign_.*)$' "$scratch/targets")"
    # $programs is a list of words
    # shellcheck disable=SC2086
    build "$1" --target $programs
}

# suite PRESET [CTEST OPTION...]: run it and end with the line "N passed, N failed"
suite() {
    preset=$1
    shift
    case ${1:-} in
        "" | -*) ;;
        *) # a folder of tests/, one test by its folder and name, or a part of names
            pattern=$1
            shift
            if [ -d "tests/$pattern" ]; then
                pattern="^${pattern%/}/"
            elif [ -e "tests/$pattern.c" ] || [ -e "tests/$pattern.sh" ]; then
                pattern="^$pattern\$"
            fi
            set -- -R "$pattern" "$@" ;;
    esac
    log=build/$preset/Testing/Temporary/LastTest.log
    rm -f "$log"
    outcome=0
    # tsan wants the address space laid out without chance
    quiet_addresses=
    if [ "$preset" = tsan ] && setarch "$(uname -m)" -R true 2>/dev/null; then
        quiet_addresses="setarch $(uname -m) -R"
    fi
    $quiet_addresses ctest --preset "$preset" -j "$jobs" --no-tests=error "$@" || outcome=$?
    [ -e "$log" ] || : >"$log"
    awk -v status="$outcome" -f tools/count_tests.awk "$log"
}

do_build() {
    need_build
    ready
    configure release
    build release "$@"
}

# ./do test [--full] [--costs] [PART]
do_test() {
    case ${1:-} in
        python) shift; do_test_python "$@"; return ;;
        python-asan) shift; do_test_python_asan "$@"; return ;;
        docs) do_test_docs; return ;;
        packages) shift; do_test_packages "$@"; return ;;
        python-install) shift; do_test_python_install "$@"; return ;;
        *) ;;
    esac
    costs=
    for word; do
        shift
        case $word in
            --full)
                SCREE_TEST_EFFORT=full
                export SCREE_TEST_EFFORT
                ;;
            --costs) costs=1 ;;
            *) set -- "$@" "$word" ;;
        esac
    done
    [ -z "$costs" ] || [ $# = 0 ] || die "--costs takes all tests, not those of $*"
    if [ "${1:-}" = ranks ]; then
        do_test_ranks
        return
    fi
    if [ "${1:-}" = gpu ]; then
        do_test_gpu
        return
    fi
    need_test
    ready
    configure release
    build release
    suite release "$@" || return 1
    [ -z "$costs" ] || write_costs
}

# steps by several processes: needs MPI, and its headers before the build is configured
do_test_ranks() {
    need mpirun openmpi-bin "start several processes"
    if ! has mpicc || ! echo '#include <mpi.h>' | mpicc -E - >"$scratch/mpi" 2>&1; then
        lack libopenmpi-dev "the headers of MPI are needed to build what connects processes"
    fi
    need_build
    ready
    configure release
    build release --target scree_program scree_mpi dist_test_partition dist_test_ghosts dist_test_ranks \
        dist_test_rank_shapes dist_test_rank_heat dist_test_rank_bonds dist_test_rank_failures \
        dist_test_rank_surroundings dist_test_rank_free_walls dist_test_rank_cells dist_test_rank_events \
        dist_test_rank_forces dist_test_rank_sleep dist_test_rank_memory io_test_checkpoint_ranks \
        io_test_checkpoint_restarts
    suite release dist && suite release io/test_checkpoint_r
}

# tests/data/costs.txt from the times of the last run
write_costs() {
    {
        echo "# Seconds that each test takes, the longest first: written by \`./do test --costs\`. What takes less than a" \
            "tenth is left out."
        awk '$2 == "Test:" { name = $3 } /^Test time =/ && $4 >= 0.1 { printf "%s %.1f\n", name, $4 }' \
            build/release/Testing/Temporary/LastTest.log | sort -k 2 -rn
    } >tests/data/costs.txt
}

do_asan() {
    need_test
    ready
    configure asan
    build_tests asan "$@"
    suite asan "$@"
}

do_tsan() {
    need_test
    ready
    configure tsan
    build_tests tsan "$@"
    suite tsan "$@"
}

# what only clang has: a program that reads memory nobody has written
do_msan() {
    need_test
    need_clang memory "to find what is read before it is written"
    configure msan "-DCMAKE_C_COMPILER=$clang"
    build msan
    suite msan "$@"
}

do_valgrind() {
    need_build
    need valgrind valgrind "look for leaks"
    ready
    configure debug
    build debug
    check="valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all"
    if [ $# -gt 0 ]; then
        $check "$@"
        return
    fi
    passed=0 failed=0
    for example in build/debug/examples/*; do
        if [ ! -f "$example" ] || [ ! -x "$example" ]; then
            continue
        fi
        if (cd build/debug/examples && $check "../../../$example" >"$scratch/out"); then
            passed=$((passed + 1))
        else
            say "$example: failed under valgrind"
            failed=$((failed + 1))
        fi
    done
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ] && [ $passed -gt 0 ]
}

# ---- running ---------------------------------------------------------------------------------------

# the drum example from its scene to its picture; a program without Lua has a drum of its own
do_demo() {
    need_build
    ready
    configure release
    build release --target scree_program
    echo 'run { steps = 1 }' >"$scratch/one.lua"
    if build/release/scree run "$scratch/one.lua" --out "$scratch/one" 2>&1 | grep -q 'built without Lua'; then
        build/release/scree demo --out out
        echo "the picture is $PWD/out/demo.png"
        return
    fi
    build/release/scree run examples/scenes/drum.lua --set time=0.5 --out out/drum --force "$@"
    last=
    for picture in out/drum/pictures/*.png; do
        last=$picture
    done
    echo "the picture is $PWD/$last"
    echo "its figures over time: $PWD/out/drum/metrics.csv; for ParaView: $PWD/out/drum/frames/bodies.pvd"
}

# a page to play with scenes; without a desktop one opens the address that is printed
do_lab() {
    need_build
    ready
    configure release
    build release --target scree_program
    if has xdg-open; then
        set -- --open "$@"
    fi
    build/release/scree lab "$@"
}

# what looks at the page: a browser, and npm's playwright-core, which goes to build/lab. Where they cannot be had,
# nothing is tried, and the status is that of a test that was skipped.
need_browser() {
    need node nodejs "drive a browser"
    need npm npm "get playwright-core"
    need chromium chromium "look at the page"
    # what cannot be installed ends the subshell only
    # shellcheck disable=SC2310
    (provide) || skip "the tests of the page in a browser need:$missing"
    missing=
    mkdir -p build/lab
    [ -d build/lab/node_modules/playwright-core ] && return
    say "getting playwright-core with npm, to build/lab"
    npm install --silent --no-audit --no-fund --prefix build/lab playwright-core@1 ||
        skip "the tests of the page in a browser need playwright-core, and npm cannot get it"
}

skip() {
    say "skipped: $*"
    echo "0 passed, 0 failed"
    exit 77
}

do_test_lab() {
    need_build
    ready
    need_browser
    configure release
    build release --target scree_program
    cp tests/lab/browser*.mjs tests/lab/box_font.mjs build/lab/
    node build/lab/browser.mjs build/release/scree build/lab "$@"
}

# other programs read what scree writes: needs VTK and ASE for Python, and HDF5 to build with
do_test_readers() {
    readers=
    python=/usr/bin/python3
    $python -c 'import vtkmodules.vtkIOXML, vtkmodules.vtkIOHDF' 2>/dev/null || readers=python3-vtk9
    $python -c 'import ase.io' 2>/dev/null || readers="$readers python3-ase"
    has h5cc || readers="$readers libhdf5-dev"
    # $readers is a list of words
    # shellcheck disable=SC2086
    invite "what reads our files" $readers
    need_build
    ready
    configure release
    build release --target scree_program
    status=0
    sh tests/app/test_convert.sh build/release/scree >"$scratch/readers" || status=1
    sed 's/^test_convert: //' "$scratch/readers"
    return $status
}

# the physics in full; the page and its pictures stand with the other results
do_validate() {
    need_build
    ready
    configure release
    build release --target validation_validate
    if [ $# -gt 0 ]; then
        build/release/tests/validation/validate - "$@"
    else
        build/release/tests/validation/validate docs/results
    fi
}

do_campaign() {
    need_build
    ready
    configure release
    if [ "${1:-}" = kill ]; then
        shift
        build release --target scree_program --target campaign_torture
        build/release/tests/campaign/torture kill build/release/scree "$@"
        return
    fi
    if [ "${1:-}" = ranks ]; then
        shift
        need mpirun openmpi-bin "start several processes"
        build release --target scree_program --target scree_mpi
        sh tests/campaign/kill_ranks.sh build/release/scree "$@"
        return
    fi
    build release --target campaign_campaign
    build/release/tests/campaign/campaign "$@"
}

do_mutate() {
    need_build
    need python3 python3 "plant faults"
    need gcc gcc "count which lines tests reach"
    ready
    python3 tools/mutate.py "$@"
}

# the number, where it is a whole one above 0
positive() {
    case $1 in
        '' | 0* | *[!0-9]*) return 1 ;;
    esac
    echo "$1"
}

# how often the target has run, all calls of ./do fuzz together; one line a call in build/fuzz/executions.txt
count_executions() {
    # libFuzzer's own words
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$scratch/fuzz.log")
    echo "$1 ${runs:-0}" >>build/fuzz/executions.txt
    awk -v target="$1" '$1 == target { sum += $2 } END { printf "do: %s: %.0f executions so far\n", target, sum }' \
        build/fuzz/executions.txt >&2
}

# each target for so long
do_fuzz() {
    target='' seconds=60
    while [ $# -gt 0 ]; do
        case $1 in
            --seconds) seconds=$(positive "${2:-}") || die "fuzz: --seconds wants a whole number"; shift ;;
            --minutes)
                seconds=$(positive "${2:-}") || die "fuzz: --minutes wants a whole number"
                seconds=$((seconds * 60))
                shift
                ;;
            -*) die "fuzz: unknown option '$1'" ;;
            *) target=$1 ;;
        esac
        shift
    done
    need cmake cmake "build"
    if ! has ninja && ! has make; then
        lack ninja-build "ninja or make is needed to build"
    fi
    need_clang fuzzer "to fuzz"
    configure fuzz "-DCMAKE_C_COMPILER=$clang"
    build fuzz
    passed=0 failed=0
    for source in tests/fuzz/fuzz_*.c; do
        name=$(basename "$source" .c)
        topic=${name#fuzz_}
        [ -z "$target" ] || [ "$target" = "$topic" ] || continue
        grown=build/fuzz/corpus/$topic
        mkdir -p "$grown" build/fuzz/findings
        seeds=
        [ ! -d "tests/data/corpus/$topic" ] || seeds=tests/data/corpus/$topic
        say "$name for $seconds s"
        # $seeds is one word or none
        # shellcheck disable=SC2086
        if "build/fuzz/tests/fuzz/$name" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
            -print_final_stats=1 -verbosity=0 -artifact_prefix="build/fuzz/findings/$name-" \
            "$grown" $seeds >"$scratch/fuzz.log" 2>&1; then
            passed=$((passed + 1))
        else
            cat "$scratch/fuzz.log"
            say "$name found something: build/fuzz/findings/$name-*"
            failed=$((failed + 1))
        fi
        count_executions "$topic"
    done
    echo "$passed passed, $failed failed"
    [ $failed -eq 0 ] && [ $passed -gt 0 ]
}

# ---- judging ---------------------------------------------------------------------------------------

do_coverage() {
    need_test
    need gcc gcc "count what runs"
    need gcovr gcovr "print what ran"
    need_device
    ready
    configure coverage
    build coverage
    find build/coverage -name '*.gcda' -exec rm -f {} +
    status=0
    suite coverage "$@" || status=1
    # branches of code that cannot be reached, or that the compiler made, are nobody's to take
    gcovr -r . build/coverage --filter 'src/' --exclude-unreachable-branches \
        --exclude-throw-branches --html-details build/coverage/coverage.html \
        --json-summary build/coverage/coverage.json --txt -s >"$scratch/coverage" ||
        die "gcovr failed"
    cat "$scratch/coverage"
    awk '
        /^lines:/ { lines = $2 + 0 }
        /^branches:/ { branches = $2 + 0 }
        END {
            printf "lines %.1f %% (at least 98), branches %.1f %% (at least 95) of src/\n", lines, branches
            exit !(lines >= 98 && branches >= 95)
        }' "$scratch/coverage" || status=1
    return $status
}

# ---- delivering ------------------------------------------------------------------------------------

do_install() {
    need_build
    ready
    configure release
    build release --target scree_to_install
    root=
    # without a place of one's own it goes to /usr/local
    if [ $# -eq 0 ] && [ ! -w /usr/local/lib ]; then
        has sudo || die "neither root nor sudo; choose a place: ./do install --prefix DIR"
        root=sudo
    fi
    $root cmake --install build/release "$@" >"$scratch/install" || die "the installation failed"
    if [ $# -eq 0 ]; then
        $root ldconfig
    fi
    say_where_installed "$scratch/install"
}

# what was installed where, and what a shell has to be told if it would not look there
say_where_installed() {
    program=$(sed -n 's/^-- [A-Z][-a-z]*: \(.*\/bin\/scree\)$/\1/p' "$1")
    package=$(sed -n 's/^-- [A-Z][-a-z]*: \(.*\/scree\.pc\)$/\1/p' "$1")
    [ "$program" ] && [ "$package" ] || return 0
    say "installed: $program"
    bin=$(dirname "$program") configs=$(dirname "$package")
    if [ "$(command -v scree)" != "$program" ]; then
        say "for this shell:       export PATH=\"$bin:\$PATH\""
    fi
    if ! has pkg-config || ! pkg-config --exists scree; then
        say "for programs in C:    export PKG_CONFIG_PATH=\"$configs\" LD_LIBRARY_PATH=\"$(dirname "$configs")\""
    fi
}

do_amalgamate() {
    sh tools/amalgamate.sh "$@"
}

do_clean() {
    rm -rf build out
}

do_help() {
    cat <<'HELP'
usage: ./do VERB [ARGUMENT...]

  build        build library, program, tests and examples (build/release)
  lab          a page to play with scenes, in a browser: ./do lab [SCENE]
  demo         turn a drum of grains of two sizes, and draw it (out/drum/)
  test         build and run all tests; ./do test world runs those of a folder of tests/, ./do test world/test_bonds
               one, ./do test bonds those whose name has that in it
               ./do test ranks: steps by several processes; MPI is installed for them
               ./do test gpu: those that compute on a device of OpenCL; POCL, which needs no GPU, is installed for them
               --full: more scenes, steps and bodies of the same tests; --costs: note what each takes, so that the
               longest begin first
  bench        measure: ./do bench detect --scene uniform --n 100000 --method all
               ./do bench peers [--quick]: other libraries, which it installs, on the same bodies
               ./do bench peers meshes: those that know meshes, on the same two meshes
               ./do bench engines [--quick]: other engines, which it installs, on the same grains
               ./do bench triaxial [--quick] [--blocks]: Yade's triaxial test, by how much boxes are enlarged
               ./do bench lab: frames a second that a laboratory sends, how busy it is with steps, and what a browser draws
               ./do bench python: pairs and steps from Python, beside scipy and freud where they are
               ./do bench site: the engine in WebAssembly beside the same in the machine's own code
  site         the page without a server, the engine as WebAssembly: build/site, for any web host
  python       the module of Python as a wheel (build/wheel), tried in an environment of its own; ./do test python: its
               tests, ./do test python-asan: the same with sanitizers in the module, ./do test python-install: pip install ./python
               from nothing, without the network
  test-site    that page: digests against those of the program in node, then a real browser
  test-readers what is exported, read by VTK and ASE, which it installs; without them `test` leaves that out
  test-lab     the page of scree lab in a real browser (chromium, and playwright-core from npm); pictures in build/lab
  validate     physics with known answers, in full: docs/results/validation.md, or
               ./do validate NAME...: the numbers of some cases, with --long more of them,
               with --seed=N from another start
  campaign     random scenes against the oracle: ./do campaign detect --scenes 200000,
               in periodic cells: ./do campaign periodic;
               triangles and meshes against the double: ./do campaign triangles --pairs 1000000,
               ./do campaign meshes --poses 10000; blocks against all axes and corners: ./do campaign blocks,
               edge along edge but for next to nothing: ./do campaign grazing,
               and polygons: ./do campaign polygons
               bullets, blades and walls that are far too fast for a step: ./do campaign adversary
               worlds of random features against a slow reference: ./do campaign worlds --worlds 100000 --seed 1
               runs killed at any moment, which must go on: ./do campaign kill --runs 1000
               the same of runs on several ranks, continued on another number: ./do campaign ranks --runs 100
  digest       a drum computed in every way, with every compiler: one digest; ./do digest --steps 500;
               with --funnel 2,000 bodies of triangles instead, and the sum of their energies
  mutate       plant faults and see whether the tests find them
  checklist    rows of the published systems, and the check that proved each in the last run; checklist open: the rest;
               --run: run all checks, most of an hour, with --quick some minutes; --write: into docs/results

  asan         all tests with address and undefined-behaviour sanitizers
  tsan         the threaded tests with the thread sanitizer
  msan         all tests with the sanitizer of memory that was never written (clang)
  arm          tests of kernels and of equal results as an ARM processor runs them, through qemu, and the digest of a drum
               beside that of this machine; ./do arm digest: the latter alone
  valgrind     the examples under valgrind; or ./do valgrind PROGRAM ARGUMENT...
  fuzz         ./do fuzz [TARGET] [--seconds N | --minutes N], a minute for each target; how often each has run is added up in
               build/fuzz/executions.txt
  coverage     lines and branches of src/ that the tests reach
  lint         format, warnings, clang-tidy, cppcheck, shellcheck; --deep: the analyzer's own limits
  format       lay out all sources with clang-format

  amalgamate   the library as two files (build/amalgamated/scree.c, scree.h)
  docs         the documentation as a site (build/docs/site), with a search and the C interface; ./do docs --open shows it;
               ./do test docs: its links, spelling and code, and that a browser loads nothing from elsewhere
  gallery      all example scenes to their ends, and films of them for that site, some twenty minutes; ./do gallery NAME...: some
  package      sources, packages of Debian, a program without libraries, the wheel and the single file: build/package;
               ./do test packages: each installed and used in a fresh system
  abi          whether programs that were built with the last release, or with a commit, still run: ./do abi COMMIT
  install      install to /usr/local, or ./do install --prefix DIR
  clean        remove build/ and out/
  help         this

What a verb needs and the machine lacks is installed with apt-get, which is said first.
CC chooses the compiler of a new build, JOBS how many processes run at once.
HELP
}

# ---- verbs in files of their own ----------------------------------------------------------------------

. tools/do/site.sh
. tools/do/lint.sh
. tools/do/bench.sh
. tools/do/checklist.sh
. tools/do/python.sh
. tools/do/gpu.sh
. tools/do/arm.sh
. tools/do/digest.sh
. tools/do/docs.sh
. tools/do/package.sh
. tools/do/package_try.sh
. tools/do/abi.sh
. tools/do/systems.sh

# ----------------------------------------------------------------------------------------------------

verb=${1:-help}
[ $# -eq 0 ] || shift
case $verb in
    test-lab) do_test_lab "$@" ;;
    test-readers) do_test_readers ;;
    test-site) do_test_site ;;
    build | lab | python | site | demo | test | bench | validate | campaign | digest | mutate | checklist | asan | tsan | msan | arm | valgrind | fuzz | coverage | \
        lint | format | amalgamate | docs | gallery | package | abi | install | clean | help) "do_$verb" "$@" ;;
    -h | --help) do_help ;;
    *) say "unknown verb '$verb'"; do_help >&2; exit 2 ;;
esac
