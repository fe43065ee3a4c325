#!/bin/sh
# Runs on ranks, of which one is killed at a random moment, continued on another number of ranks: each must end with the digest of
# a run that nothing has disturbed. Usage: kill_ranks.sh PROGRAM [--runs N] [--seed S]
set -u
scree=${1:?usage: kill_ranks.sh PROGRAM [--runs N] [--seed S]}
shift
case $scree in /*) ;; *) scree=$PWD/$scree ;; esac
runs=100 seed=1
while [ $# -gt 1 ]; do
    case $1 in
        --runs) runs=$2 ;;
        --seed) seed=$2 ;;
        *) echo "kill_ranks: options are --runs N and --seed S" >&2; exit 2 ;;
    esac
    shift 2
done
scenes=$(cd "$(dirname "$0")/../../examples/scenes" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# mpirun itself may wait for ever once a process is gone: it has a limit
# more ranks than processors, as root, in containers: a rank that waits gives its core away
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl=self,vader \
    OMPI_MCA_pml=ob1 OMPI_MCA_btl_vader_single_copy_mechanism=none

# a number from 0 to below $1
below() {
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    below=$((seed / 65536 % $1))
}
digest_of() { sed -n 's/^  "digest": "\(.*\)",*$/\1/p' "$1/run.json"; }

# scenes, and how many steps of each take a second or two
names='settling granular_gas hopper triaxial'
steps_of() {
    case $1 in settling) echo 2000 ;; granular_gas) echo 300 ;; hopper) echo 300 ;; *) echo 150 ;; esac
}
for name in $names; do
    { cat "$scenes/$name.lua"; echo 'checkpoint { every_steps = 20, keep = 2 }'; } > "$name.lua"
    "$scree" run "$name.lua" --steps "$(steps_of "$name")" --out "whole-$name" --quiet --threads 1 ||
        { echo "kill_ranks: $name cannot be run" >&2; exit 1; }
    # how long it takes on ranks: most that are killed within that are killed before their end
    began=$(date +%s%N)
    timeout -k 5 120 mpirun -n 2 "$scree" run "$name.lua" --steps "$(steps_of "$name")" --out timed --quiet > said 2>&1 < /dev/null ||
        { echo "kill_ranks: $name cannot be run on ranks" >&2; cat said; exit 1; }
    echo $((($(date +%s%N) - began) / 1000000)) > "ms-$name"
    rm -rf timed
done

# shellcheck disable=SC2016 # the shell that mpirun starts looks at it
each='echo $$ > "pid-$OMPI_COMM_WORLD_RANK"; exec "$0" "$@"'
equal=0 killed=0 run=0
while [ $run -lt "$runs" ]; do
    run=$((run + 1))
    below 4; name=$(echo "$names" | cut -d ' ' -f $((below + 1)))
    below 3; before=$((below + 2))
    below "$before"; victim=$below
    below 4; after=$((below + 1))
    below "$(cat "ms-$name")"; wait_ms=$below
    rm -rf victim pid-*
    timeout -k 5 120 mpirun -n "$before" sh -c "$each" "$scree" run "$name.lua" --steps "$(steps_of "$name")" --out victim --quiet > said 2>&1 < /dev/null &
    started=$!
    sleep "$((wait_ms / 1000)).$(printf %03d $((wait_ms % 1000)))"
    [ ! -f "pid-$victim" ] || kill -9 "$(cat "pid-$victim")" 2> /dev/null
    ended=killed
    if wait $started; then ended=whole; else killed=$((killed + 1)); fi
    # killed before it had a folder
    if [ ! -f victim/run.json ]; then
        rm -rf victim
        set -- run "$name.lua" --steps "$(steps_of "$name")" --out victim --quiet
    else
        set -- run --resume victim --quiet
    fi
    if [ "$after" -gt 1 ]; then
        timeout -k 5 120 mpirun -n "$after" "$scree" "$@" > said 2>&1 < /dev/null
    else
        "$scree" "$@" > said 2>&1 < /dev/null
    fi
    code=$?
    if [ $code -eq 0 ] && [ "$(digest_of victim)" = "$(digest_of "whole-$name")" ]; then
        equal=$((equal + 1))
    else
        echo "FAILED: run $run: $name on $before ranks, rank $victim killed after $wait_ms ms ($ended), then on $after: exit code $code"
        head -n 3 said
    fi
done
echo "$runs runs, $killed of them killed before their end"
echo "$equal passed, $((runs - equal)) failed"
[ $equal -eq "$runs" ]
