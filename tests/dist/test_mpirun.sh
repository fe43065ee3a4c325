#!/bin/sh
# scree run under mpirun: the same files as from one process, whatever the number of ranks; who speaks, and exit codes.
# Skipped where MPI is not there: `./do test ranks` installs it. Usage: test_mpirun.sh PROGRAM BUILD-FOLDER
set -u
scree=${1:?usage: test_mpirun.sh PROGRAM BUILD-FOLDER}
build=${2:?usage: test_mpirun.sh PROGRAM BUILD-FOLDER}
case $scree in /*) ;; *) scree=$PWD/$scree ;; esac
case $build in /*) ;; *) build=$PWD/$build ;; esac
scenes=$(cd "$(dirname "$0")/../../examples/scenes" && pwd) || exit 1
if ! command -v mpirun > /dev/null || [ ! -f "$build/libscree_mpi.so" ]; then
    echo "skipped: no mpirun, or scree was built without MPI"
    echo "test_mpirun: 0 passed, 0 failed"
    exit 77
fi
# a sanitizer looks for modules elsewhere; the tests of ranks as threads run with it
if grep -q __asan_init "$scree"; then
    echo "skipped: the program has a sanitizer"
    echo "test_mpirun: 0 passed, 0 failed"
    exit 77
fi
work=$(mktemp -d) || exit 1
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

# more ranks than processors, as root, in containers: a rank that waits gives its core away
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl=self,vader \
    OMPI_MCA_pml=ob1 OMPI_MCA_btl_vader_single_copy_mechanism=none ASAN_OPTIONS=detect_leaks=0

good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAILED: $shown: $1"
    echo "  stdout: $(head -c 300 said | tr '\n' '|')"
    echo "  stderr: $(head -c 600 err | tr '\n' '|')"
}
# ranks N WORDS...: exit code in $code, output in the files said and err
ranks() {
    number=$1
    shift
    shown="mpirun -n $number scree run $*"
    timeout 200 mpirun -n "$number" "$scree" run "$@" > said 2> err < /dev/null
    code=$?
}
code_is() { if [ "$code" -eq "$1" ]; then good; else bad "exit code is $code, should be $1"; fi; }
says() { if grep -qF -- "$1" err; then good; else bad "stderr should say: $1"; fi; }
# same A B: two folders of runs, but for what has times and figures of detection in it
same() {
    if diff -r -x run.json -x log.txt -x detection.csv "$1" "$2" > differ; then
        good
    else
        bad "$(head -3 differ | tr '\n' '|')"
    fi
    if [ "$(grep '"digest"' "$1/run.json")" = "$(grep '"digest"' "$2/run.json")" ]; then
        good
    else
        bad "the digest is another"
    fi
}

# ---- the same files ----------------------------------------------------------------------------------------

# alike SCENE STEPS NUMBER...: one process, then so many ranks
alike() {
    name=$(basename "$1" .lua)
    scene=$1 steps=$2
    shift 2
    "$scree" run "$scene" --steps "$steps" --out "$name" --quiet --threads 1 2> err
    for number; do
        ranks "$number" "$scene" --steps "$steps" --out "$name-$number" --quiet
        code_is 0
        same "$name" "$name-$number"
    done
}

alike "$scenes/settling.lua" 1200 1 2 3 4 7
# sources, sinks and walls of triangles; two dimensions; sizes that differ widely
alike "$scenes/hopper.lua" 500 3
alike "$scenes/discs.lua" 600 4
alike "$scenes/giant.lua" 400 2
# a periodic box with a balance of energies; bodies that the boundary removes
alike "$scenes/granular_gas.lua" 300 3
alike "$scenes/conveyor.lua" 800 2
# belts
alike "$scenes/transfer.lua" 2500 2
# bodies that are no spheres: blocks, clumps, polygons, meshes from a source
alike "$scenes/bricks.lua" 150 3
alike "$scenes/clumps.lua" 300 2
alike "$scenes/polygons.lua" 300 3
alike "$scenes/funnel.lua" 300 2
# heat
alike "$scenes/hot_plate.lua" 300 3
# bonds, which a stage makes
alike "$scenes/pillar.lua" 3000 3
# walls with servos
alike "$scenes/triaxial.lua" 300 3
# a wall that bodies move
alike "$scenes/mill.lua" 1500 3
# stages that remove and add walls
sed 's/"grains", 560/"grains", 60/' "$scenes/beam.lua" > short_beam.lua
alike short_beam.lua 12000 2 3

# cells that are sheared, at constant volume and under pressure
alike "$scenes/shear.lua" 1500 3
alike "$scenes/powder.lua" 400 2 3
# all other examples
for scene in "$scenes"/*.lua; do
    name=$(basename "$scene" .lua)
    case $name in drum | beam | wrecking_ball) continue ;; esac
    [ -d "$name" ] || alike "$scene" 40 3
done

# ---- runs that are continued --------------------------------------------------------------------------------

# stopped on three ranks, continued on two and then by one process
"$scree" run "$scenes/hopper.lua" --steps 700 --out whole --quiet --threads 1 2> err
ranks 3 "$scenes/hopper.lua" --steps 300 --out parts --quiet
code_is 0
ranks 2 --resume parts --steps 500 --quiet
code_is 0
shown="scree run --resume parts"
"$scree" run --resume parts --steps 700 --quiet > said 2> err < /dev/null
code=$?
code_is 0
rm parts/checkpoints/checkpoint-000000000300.scree parts/checkpoints/checkpoint-000000000500.scree
same whole parts

# with walls that have moved
alike "$scenes/drum.lua" 200 2
ranks 2 "$scenes/drum.lua" --steps 40 --out told
code_is 0
if grep -q '^ranks: 2, with 750 bodies ' said; then good; else bad "stdout should say how ranks shared the work"; fi
if grep -q ' rank 1: .* bodies, .* copies; .* waiting$' told/log.txt; then good; else bad "log.txt has no line of rank 1"; fi
ranks 2 "$scenes/drum.lua" --steps 90 --out turned --quiet
ranks 3 --resume turned --steps 200 --quiet
code_is 0
# rows of its metrics are a hundredth of what it was to run apart
if [ "$(grep '"digest"' drum/run.json)" = "$(grep '"digest"' turned/run.json)" ]; then good; else bad "the digest is another"; fi

# with meshes that a source has brought, with bonds, a wheel that turns, a cell, and walls of a stage: other
# ranks continue, which have made none of these
for resumed in funnel:150:300 pillar:2000:3000 mill:700:1500 powder:200:400 short_beam:11000:12000; do
    name=${resumed%%:*} steps=${resumed#*:}
    scene=$scenes/$name.lua
    [ -f "$scene" ] || scene=$name.lua
    ranks 3 "$scene" --steps "${steps%:*}" --out "half-$name" --quiet
    ranks 2 --resume "half-$name" --steps "${steps#*:}" --quiet
    code_is 0
    if [ "$(grep '"digest"' "$name/run.json")" = "$(grep '"digest"' "half-$name/run.json")" ]; then good; else bad "the digest is another"; fi
done

# bodies that sleep in a fluid whose void fraction follows from them, with a balance; raised masses
{ cat "$scenes/settling.lua"; echo 'sleep { speed = 0.05, acceleration = 5, steps = 20 }'
    echo 'fluid { density = 1.2, viscosity = 1.8e-5, drag = "di-felice", cell = 0.009 }'
    echo 'solver { energy_balance = true }'; } > sleepy.lua
{ cat "$scenes/settling.lua"; echo 'solver { time = "mass-scaling", dt = 2e-4 }'; } > scaled.lua
for scene in sleepy scaled; do
    echo 'checkpoint { every_steps = 500, keep = 1 } metrics { every_steps = 100 }' >> $scene.lua
    "$scree" run $scene.lua --steps 3000 --out $scene --quiet --threads 1 2> err
    ranks 3 $scene.lua --steps 2000 --out $scene-parts --quiet
    code_is 0
    ranks 2 --resume $scene-parts --steps 2500 --quiet
    code_is 0
    "$scree" run --resume $scene-parts --steps 3000 --quiet 2> err
    same $scene $scene-parts
done

# killed RANK NUMBER OTHER: kill -9 of a rank of so many, once there is a checkpoint; then so many others go on
{ cat "$scenes/settling.lua"; echo 'checkpoint { every_steps = 50, keep = 2 }'; } > lasting.lua
"$scree" run lasting.lua --steps 1200 --out lasting --quiet --threads 1 2> err
# shellcheck disable=SC2016 # the shell that mpirun starts looks at it
each='echo $$ > "pid-$OMPI_COMM_WORLD_RANK"; exec "$0" "$@"'
killed() {
    shown="mpirun -n $2 scree run lasting.lua, rank $1 killed"
    rm -rf victim pid-*
    timeout 200 mpirun -n "$2" sh -c "$each" "$scree" run lasting.lua --steps 1200 --out victim --quiet > said 2> err < /dev/null &
    run=$! tries=0
    until [ -n "$(find victim/checkpoints -name '*.scree' 2> /dev/null)" ] || [ $tries -ge 1200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    kill -9 "$(cat "pid-$1")"
    wait $run
    code=$?
    if [ $code -ne 0 ]; then good; else bad "should not end well"; fi
    ranks "$3" --resume victim --quiet
    code_is 0
    same lasting victim
}
killed 0 2 3
killed 2 3 2

# the folder, and the scene in its place, are refused once
ranks 2 --resume nosuch
code_is 2
if [ "$(grep -c 'there is no run in this folder' err)" -eq 1 ]; then good; else bad "should be said once"; fi
ranks 2 --resume lasting --with nosuch.lua
if [ "$(grep -c 'nosuch.lua' err)" -eq 1 ]; then good; else bad "should be said once"; fi

# ---- who speaks ----------------------------------------------------------------------------------------------

{ cat "$scenes/settling.lua"; echo 'solver { dt = 1e-4, integrator = "implicit" }'; } > implicit.lua
ranks 3 implicit.lua --steps 10 --out refused --quiet
says "world: not with ranks yet: implicit integrators (they solve for all bodies at once: use an explicit one, or one process)"
if [ "$code" -ne 0 ] && [ ! -d refused ]; then good; else bad "should fail without a folder"; fi
if [ "$(grep -c 'not with ranks yet' err)" -eq 1 ]; then good; else bad "should be said once"; fi
{ cat "$scenes/settling.lua"; echo 'solver { dt = 1e-4, local_steps = 3 }'; } > local.lua
ranks 2 local.lua --steps 10 --out refused --quiet
says "world: not with ranks yet: local steps (their islands lie in one process: set them to 0, or use one process)"
if [ "$code" -ne 0 ] && [ ! -d refused ]; then good; else bad "should fail without a folder"; fi
# the one example that is refused
ranks 3 "$scenes/wrecking_ball.lua" --steps 10 --out refused --quiet
says "world: not with ranks yet: joints (their bodies may lie on two ranks: use one process)"
if [ "$code" -ne 0 ] && [ ! -d refused ]; then good; else bad "should fail without a folder"; fi
ranks 2 "$scenes/settling.lua" --device gpu --steps 10 --out refused --quiet
says "run: not with ranks yet: --device (ranks step on processors): leave it out, or start one process"
if [ "$code" -ne 0 ] && [ ! -d refused ]; then good; else bad "should fail without a folder"; fi
echo 'run { steps = 1' > broken.lua
ranks 2 broken.lua --out broken
code_is 3
says "broken.lua"

# a sweep: one run after the other, and one table; audits are counted; a value that is no value ends all
"$scree" run "$scenes/settling.lua" --sweep count=100,200 --steps 100 --out sweep --quiet --threads 1 2> err
ranks 3 "$scenes/settling.lua" --sweep count=100,200 --steps 100 --audit 50 --out sweep3 --json
code_is 0
for value in 100 200; do same "sweep/count=$value" "sweep3/count=$value"; done
if [ "$(grep -c '"exit_code":' said)" -eq 2 ]; then good; else bad "one table should be printed"; fi
if grep -q '2 audits: none missing' sweep3/count=100/log.txt; then good; else bad "audits should be counted"; fi
# a world with audits is another one, whose steps ranks must take as well
if grep -q ' rank 1: [1-9][0-9]* bodies' sweep3/count=100/log.txt; then good; else bad "rank 1 should have bodies"; fi
ranks 3 "$scenes/settling.lua" --sweep count=100,200 --steps 100 --out sweep3 --quiet
code_is 2
ranks 2 "$scenes/settling.lua" --sweep count= --steps 100 --out none
if [ "$(grep -c 'has no values' err)" -eq 1 ]; then good; else bad "should be said once"; fi

# without the module: one sentence, and no ranks
shown="scree run --ranks without the module"
SCREE_MPI_MODULE=/nowhere/libscree_mpi.so "$scree" run --ranks "$scenes/settling.lua" --out none > said 2> err
code=$?
says "ranks: the module for MPI cannot be opened"
if [ "$code" -ne 0 ] && [ ! -d none ]; then good; else bad "should fail without a folder"; fi

# one task of a launcher, or SCREE_RANKS=0: one process, which needs no module
for set in PMI_SIZE=1 OMPI_COMM_WORLD_SIZE=1 'PMI_SIZE=4 SCREE_RANKS=0'; do
    shown="$set scree run without the module"
    # shellcheck disable=SC2086 # several settings
    env $set SCREE_MPI_MODULE=/nowhere/libscree_mpi.so "$scree" run "$scenes/settling.lua" --steps 1200 --out one --force \
        --quiet > said 2> err
    code=$?
    code_is 0
    same settling one
done

# several runs that were started together: not one of them in silence, but as many as are asked for
# shellcheck disable=SC2016 # the shell that mpirun starts looks at them
each='"$0" run "$1" --steps 10 --out each-$OMPI_COMM_WORLD_RANK --quiet'
shown="mpirun -n 2 with command lines that differ"
timeout 200 mpirun -n 2 sh -c "$each" "$scree" "$scenes/settling.lua" > said 2> err < /dev/null
code=$?
says "ranks: command lines differ in the scene, --set, --sweep or --out"
if [ "$code" -ne 0 ] && [ ! -f each-1/run.json ]; then good; else bad "should fail"; fi
shown="SCREE_RANKS=0 mpirun -n 2 with command lines that differ"
rm -rf each-0 each-1
SCREE_RANKS=0 timeout 200 mpirun -x SCREE_RANKS -n 2 sh -c "$each" "$scree" "$scenes/settling.lua" > said 2> err < /dev/null
code=$?
code_is 0
same each-0 each-1

# ---- as a user ------------------------------------------------------------------------------------------------

if [ "$(id -u)" -eq 0 ] && command -v setpriv > /dev/null && mkdir user && chown 65534:65534 user &&
    setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$scree"; then
    shown="mpirun -n 2 as a user"
    (cd user && HOME=$work/user TMPDIR=$work/user timeout 200 setpriv --reuid=65534 --regid=65534 --clear-groups \
        mpirun -n 2 "$scree" run "$scenes/settling.lua" --steps 1200 --out settling --quiet) > said 2> err < /dev/null
    code=$?
    code_is 0
    same settling user/settling
fi

echo "test_mpirun: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
