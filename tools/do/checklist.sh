# Verbs of ./do, which reads this file and has its variables: rows of the published systems, and what proves them.
# shellcheck shell=sh disable=SC2154

record=build/record

# ./do checklist [open] [--write] [--run [--quick]]
do_checklist() {
    run='' strength=full
    for word; do
        shift
        case $word in
            --run) run=1 ;;
            --quick) strength=quick ;;
            *) set -- "$@" "$word" ;;
        esac
    done
    [ "$run" ] || [ "$strength" = full ] || die "--quick goes with --run"
    [ -z "$run" ] || run_checklist
    sh tools/checklist.sh "$@"
}

# a check that fails is in the record, and in the table
run_checklist() {
    need_test
    ready
    configure release
    tests=$(sh tools/checklist.sh --places | cut -f 3 | sed -n 's,^tests/\(.*/test_.*\)[.][cs]h*$,\1,p' | sort -u)
    # scripts are not built
    programs=$(for test in $tests; do [ -e "tests/$test.sh" ] || echo "$test"; done | tr / _)
    # $programs is a list of words
    # shellcheck disable=SC2086
    build release --target scree_program scree_bench_program campaign_campaign lab_speed $programs
    rm -rf "$record"
    mkdir -p "$record"
    (
        SCREE_TEST_RECORD=$PWD/$record SCREE_TEST_EFFORT=$strength
        export SCREE_TEST_RECORD SCREE_TEST_EFFORT
        suite release -R "^($(echo "$tests" | paste -s -d '|' -))\$" || say "not all tests passed"
        build/release/tests/lab/speed || say "lab/speed did not pass"
        run_campaigns
    )
    run_claims
    commit=$(git rev-parse --short HEAD 2>/dev/null) || commit=unknown
    git diff --quiet HEAD 2>/dev/null || commit="$commit and changes"
    echo "$commit" >"$record/commit"
}

# many more pairs of triangles than a test has
run_campaigns() {
    # shellcheck disable=SC2034 # record.sh counts with it
    failed=0
    pairs=10000000
    [ "$strength" = full ] || pairs=100000
    # shellcheck source=tests/harness/record.sh
    . tests/harness/record.sh
    record_begin campaign/campaign
    proves 'NW-10 NW-13' triangles
    # shellcheck disable=SC2034
    build/release/tests/campaign/campaign triangles --pairs $pairs || failed=1
    proved "$pairs pairs against the double"
    record_end
}

# claims that miss are figures, not errors
run_claims() {
    quick=
    [ "$strength" = full ] || quick=--quick
    for study in thesis pfc yade hash-grids; do
        say "bench $study"
        # shellcheck disable=SC2086
        build/release/scree-bench $study $quick --record "$record" >"$scratch/claims" || say "bench $study failed"
    done
    for part in '' --blocks; do
        say "bench triaxial $part"
        # shellcheck disable=SC2086
        sh tools/triaxial.sh build/release/scree $quick $part --record "$record" >"$scratch/claims" ||
            say "bench triaxial $part failed"
    done
    for table in 1 2 3 4 5 6 7 8 9; do
        size=
        if [ "$strength" = quick ]; then
            case $table in
                2 | 3) size='--pairs 5000' ;;
                4 | 5 | 6 | 7 | 8) size='--steps 20' ;;
                9) size='--n 64 --steps 2' ;;
            esac
        fi
        say "bench surrogate, table $table"
        # $size is a list of words
        # shellcheck disable=SC2086
        build/release/scree-bench surrogate --table $table $size --record "$record" >"$scratch/claims" ||
            say "bench surrogate --table $table failed"
    done
}
