#!/bin/sh
# Published claims: each is printed with a verdict, and the plots are written. Quick effort takes one study of four.
# Usage: test_claims.sh PROGRAM
set -u
# shellcheck source=tests/app/program.sh
. "$(dirname "$0")/program.sh"
record_begin app/test_claims

# ---- published claims: each is printed with a verdict, and the plots are written --------------------

# claims VERB ROWS PLOTS
claims() {
    shown="scree-bench $1 --quick --plots plots --record rows"
    timeout 600 "$scree-bench" "$1" --quick --plots plots --record rows > out 2> err
    code=$?
    code_is 0; calm
    if [ "$(grep -c '^[A-Z][A-Z]-H[0-9]*  *\(pass\|miss\)  ' out)" -eq "$2" ]; then good; else bad "there should be $2 rows"; fi
    says "of $2 claims hold on this machine (quick: figures are rough)"
    if [ "$(grep -l '</svg>' plots/*.svg | wc -l)" -eq "$3" ]; then good; else bad "there should be $3 plots"; fi
    if grep -lw 'nan\|inf' plots/*.svg > /dev/null; then bad 'a plot has no number'; else good; fi
    if [ "$(tail -n 1 "rows/bench_$1.txt")" = '# ended' ] && grep -q 'quick$' "rows/bench_$1.txt"
    then good; else bad 'the rows of the checklist should be recorded'; fi
    rm -rf plots
}
# measuring needs a program built for speed: with sanitizers or counters it would take many minutes
case $scree in
    */release/*) studies=yade ;;
    *) studies= ;;
esac
if [ "$studies" ] && [ "${SCREE_TEST_EFFORT:-quick}" = full ]; then
    studies='thesis pfc yade hash-grids'
fi
for study in $studies; do
    case $study in
        thesis) claims thesis 12 4 ;;
        pfc) claims pfc 6 4 ;;
        hash-grids) claims hash-grids 7 6 ;;
        yade)
            claims yade 8 3
            # where the time of a step goes, by engine, without and with stride
            proves 'IS-27' times_of_engines
            for engine in collider '  search' 'force reset' 'bounding volumes' interactions walls integrator; do
                if grep -Eq "^$engine +500 +[0-9]+ +[0-9.]+ +[0-9]+ +[0-9]+ +[0-9.]+\$" out; then good; else bad "no times of $engine"; fi
            done
            if grep -Eq '^total +[0-9]+ +100 +[0-9]+ +100$' out; then good; else bad 'no total of times'; fi
            # shares are those of the total, engines add up to it, and so do the collider's parts to the collider
            awk '/^engine +count/ { on = 1; next } !on { next }
                $1 == "total" { all[0] = $2; all[1] = $4; on = 0; next }
                { part = /^  /; for (r = 0; r < 2; r++) { us[n, r] = $(NF - 4 + 3 * r); share[n, r] = $(NF - 3 + 3 * r)
                  if (part) parts[r] += us[n, r]; else { sum[r] += us[n, r]; if ($1 == "collider") collider[r] = us[n, r] } } n++ }
                function far(a, b, most) { return a - b > most || b - a > most }
                END { for (r = 0; r < 2; r++) { wrong = wrong || far(sum[r], all[r], 5) || far(parts[r], collider[r], 5)
                          for (k = 0; k < n; k++) wrong = wrong || far(share[k, r], 100 * us[k, r] / all[r], 0.01) }
                      exit wrong || n != 9 }' out
            code=$?; code_is 0
            proved "9 rows with count, time and percent, which add up: collider $(awk '$1 == "collider" { print $4 " % without stride, " $7 " % with" }' out)" ;;
    esac
done

program_end test_claims
