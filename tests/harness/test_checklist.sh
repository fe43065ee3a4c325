#!/bin/sh
# What tests record of rows of the checklist (test.h, record.sh), and the table that ./do checklist makes of it.
# Usage: test_checklist.sh PROGRAM BUILD-FOLDER
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
tab=$(printf '\t')
unset SCREE_TEST_RECORD SCREE_TEST_EFFORT

good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAILED: $1"
}
same() { if [ "$2" = "$3" ]; then good; else bad "$1 should be '$3', not '$2'"; fi; }
has() { if grep -qxF -- "$2" "$1"; then good; else bad "$1 should have the line: $2"; cat "$1"; fi; }

# ---- a program with tests that pass, fail, and are not run ----------------------------------------

mkdir -p "$work/some" "$work/record"
cat > "$work/test_some.c" <<'C'
#include "test.h"

TEST(pfc_01_hg_02_passes)
{
    PROVES("NW-03 IS-04");
    FIGURE("ratio %.1f", 1.5);
    FIGURE("a\tb\nc");
}

TEST(gc_05_fails)
{
    FIGURE("of %d", 3);
    CHECK(getenv("NEVER_THERE"));
    FIGURE("never said");
}

TEST(is_6_and_pfc_07_prove_nothing)
{
}

TEST(hg_09x_ends_it_all)
{
    PROVES("NW-08");
    if (getenv("END_IT_ALL"))
        exit(0);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(pfc_01_hg_02_passes), CASE(gc_05_fails),
                                      CASE(is_6_and_pfc_07_prove_nothing), CASE(hg_09x_ends_it_all)};
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
C
if ! ${CC:-cc} -I "$here/.." -o "$work/some/test_some" "$work/test_some.c" > "$work/log" 2>&1; then
    echo "test_checklist: skipped, there is no C compiler"
    cat "$work/log"
    exit 77
fi

record=$work/record file=$work/record/some_test_some.txt
"$work/some/test_some" > "$work/log"
same 'exit code of a test that fails' $? 1
same 'files without a folder for them' "$(ls "$record")" ''

SCREE_TEST_RECORD=$record SCREE_TEST_EFFORT=full "$work/some/test_some" > "$work/log"
same 'exit code with a record' $? 1
is="some/test_some${tab}pfc_01_hg_02_passes${tab}ratio 1.5; a b c${tab}full"
cat > "$work/wanted" <<W
PFC-01${tab}passed${tab}$is
HG-02${tab}passed${tab}$is
NW-03${tab}passed${tab}$is
IS-04${tab}passed${tab}$is
GC-05${tab}failed${tab}some/test_some${tab}gc_05_fails${tab}of 3${tab}full
NW-08${tab}passed${tab}some/test_some${tab}hg_09x_ends_it_all${tab}${tab}full
# ended
W
if cmp -s "$work/wanted" "$file"; then good; else bad 'the record should be another'; diff "$work/wanted" "$file"; fi

(cd "$work" && SCREE_TEST_RECORD=$record some/test_some ends > log)
same 'lines of a run by name' "$(cat "$file")" "NW-08${tab}passed${tab}some/test_some${tab}hg_09x_ends_it_all${tab}${tab}quick
# ended"
(cd "$work/some" && SCREE_TEST_RECORD=$record ./test_some ends > log)
same 'the name of a program that is called without its folder' "$(ls -A "$record")" 'some_test_some.txt
test_some.txt'
rm -f "$record/test_some.txt"
SCREE_TEST_RECORD=$record END_IT_ALL=1 "$work/some/test_some" > "$work/log"
same 'the end of a record of a program that does not get there' "$(tail -n 1 "$file" | cut -f 1)" GC-05
SCREE_TEST_RECORD=/nowhere/at/all "$work/some/test_some" ends > "$work/log"
same 'exit code where there can be no record' $? 1
rm -f "$file"

# ---- a shell test ------------------------------------------------------------------------------------

cat > "$work/shell.sh" <<'S'
. "$1"
failed=0
record_begin some/shell
proves 'HG-02 HG-03' first
proved 'two rows'
proves GC-05 second
failed=1
proved
record_end
S
SCREE_TEST_RECORD=$record sh "$work/shell.sh" "$here/record.sh"
has "$record/some_shell.txt" "HG-03${tab}passed${tab}some/shell${tab}first${tab}two rows${tab}quick"
has "$record/some_shell.txt" "GC-05${tab}failed${tab}some/shell${tab}second${tab}${tab}quick"
has "$record/some_shell.txt" '# ended'
sh "$work/shell.sh" "$here/record.sh"
same 'exit code of a shell test without a record' $? 0
rm -f "$record/some_shell.txt"

# ---- the table -----------------------------------------------------------------------------------------

cat > "$work/rows.md" <<'R'
## Some

| id | feature or claim | verified by | state |
|---|---|---|---|
| PFC-01 | holds \|v\| | a test |  |
| PFC-02 | fails | a test |  |
| PFC-03 | does not hold | a benchmark | nature says no |
| PFC-99 | never run | a test |  |
| PFC-98 | not yet | a test | later |
R
line() {
    to=$1
    shift
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$@" >> "$record/$to.txt"
}
line tests PFC-01 passed detect/test_a pfc_01_a '' full
line tests PFC-01 passed detect/test_a pfc_01_b 'at most 3 | 4' full
line tests PFC-02 passed detect/test_a pfc_02_a 'good' full
line tests PFC-02 failed detect/test_a pfc_02_b 'bad' full
line claims PFC-03 passed 'bench some' H1 'ratio 1' '20 steps'
line claims PFC-03 miss 'bench some' H2 'ratio 9' '20 steps'
echo '# ended' >> "$record/tests.txt"
echo '# ended' >> "$record/claims.txt"
touch -t 202601020304 "$record/tests.txt" "$record/claims.txt"
table() { sh "$here/../../tools/checklist.sh" --record "$record" --rows "$work/rows.md" "$@" > "$work/table" 2> "$work/err"; }

table
same 'exit code with a row that failed' $? 1
has "$work/table" 'record of commit unknown. Tests: full. Benchmarks: 20 steps.'
has "$work/table" 'PFC-01  holds    2026-01-02 detect/test_a pfc_01_b (+1): at most 3 | 4'
has "$work/table" 'PFC-02  failed   2026-01-02 detect/test_a pfc_02_b (1 of 2 hold): bad'
has "$work/table" 'PFC-03  refuted  2026-01-02 bench some H2 (1 of 2 hold): as measured: ratio 9 [20 steps] -- nature says no'
has "$work/table" 'PFC-99  not run             no check'
has "$work/table" 'PFC-98  later               no check'
has "$work/table" '5 rows: 1 hold, 1 refuted as measured, 1 failed, 1 not run, 1 later'
table open
same 'exit code of open' $? 1
same 'rows that are open' "$(grep -c '^PFC' "$work/table")" 3

echo abc > "$record/commit"
table
has "$work/table" 'record of commit abc. Tests: full. Benchmarks: 20 steps.'
table --write "$work/page.md"
has "$work/page.md" '| PFC-01 | holds \|v\| | holds | detect/test_a pfc_01_b (+1) | at most 3 \| 4 | 2026-01-02 |'
has "$work/page.md" '| PFC-99 | never run | not run | no check |  |  |'

# nothing failed, but one was not run; then it was, and a miss is no failure
grep -v "failed" "$record/tests.txt" > "$work/kept"
cp "$work/kept" "$record/tests.txt"
table
same 'exit code with a row that was not run' $? 1
line more PFC-99 passed detect/test_b pfc_99_a '' quick
echo '# ended' >> "$record/more.txt"
table
has "$work/table" "PFC-99  holds    $(date +%F) detect/test_b pfc_99_a: asserted"
same 'exit code where all were run' $? 0
has "$work/table" 'record of commit abc, unknown. Tests: quick; full. Benchmarks: 20 steps.'
has "$work/table" 'PFC-02  holds    '"$(date +%F) detect/test_a pfc_02_a: good"
has "$work/table" '5 rows: 3 hold, 1 refuted as measured, 0 failed, 0 not run, 1 later'

# a program that did not come to its end has proven nothing
sed '/# ended/d' "$record/more.txt" > "$work/kept"
cp "$work/kept" "$record/more.txt"
table
same 'exit code with a program that broke off' $? 1
has "$work/table" "PFC-99  failed   $(date +%F) detect/test_b pfc_99_a: the program did not come to its end"

# rows that no page has, and words that are no option
line more PFC-55 passed detect/test_b pfc_55_a '' quick
table
same 'exit code with a row that is not there' $? 2
table --nonsense
same 'exit code of nonsense' $? 2

echo "test_checklist: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
