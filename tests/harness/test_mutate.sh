#!/bin/sh
# Faults planted in a library of one file, by tools/mutate.py: those that its test finds in quick effort, in full effort
# alone, and not at all, and one that changes nothing. Usage: test_mutate.sh
set -u
cd "$(dirname "$0")/../.." || exit 1
for command in python3 gcc gcov; do
    command -v $command >/dev/null || { echo "test_mutate: skipped, without $command"; exit 77; }
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

mkdir -p "$work/src/sum/parts" "$work/tests/sum" || exit 1
cp tests/test.h "$work/tests" || exit 1
cat >"$work/src/sum/parts/total.c" <<'SOURCE'
int sum_total(const int *values, int count);
int sum_spare(int value);

enum
{
    SPARE = 1,
};

int sum_total(const int *values, int count)
{
    int total = 0;
    if (count > 100)
        return -1;
    for (int k = 0; k < count; k++) {
        total += values[k];
    }
    return total;
}

int sum_spare(int value)
{
    return value + 7;
}
SOURCE
cat >"$work/tests/sum/test_total.c" <<'SOURCE'
#include "test.h"

int sum_total(const int *values, int count);

TEST(ones_are_counted)
{
    int ones[100], count = TEST_EFFORT(3, 100);
    for (int k = 0; k < 100; k++)
        ones[k] = 1;
    CHECK_EQUAL(sum_total(ones, count), count);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(ones_are_counted)};
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
SOURCE

mutate() {
    python3 tools/mutate.py --root "$work" --rooms sum --effort both --jobs 2 --least 0 --share 0 "$@" >"$work/said" 2>&1
}

# says WHAT LINE: the last run said it
says() {
    if grep -qF -- "$2" "$work/said"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1: it does not say \"$2\""
    fi
}

# its sum, its bound, the function without a test, and a number that nothing uses
source=src/sum/parts/total.c
for again in first later; do
    mutate --at $source:15 $source:12 $source:22 $source:6
    says "$again run, quick" "quick: killed by sum/test_total: ones_are_counted"
    says "$again run, full" "full: killed by sum/test_total: ones_are_counted"
    says "$again run, without a test" "quick: survived, not reached"
    says "$again run, a survivor's line" "    + return value - 7;"
    says "$again run, what counts" "9 faults planted; 2 more compile to the same code, 0 do not compile"
    says "$again run, quick figures" "quick effort: 3 of 9 faults killed"
    says "$again run, full figures" "full effort: 5 of 9 faults killed"
    says "$again run, share" "quick effort finds 60.0 % of what full effort finds"
done

[ $failed -eq 0 ] || cat "$work/said"
echo "test_mutate: $passed passed, $failed failed"
[ $failed -eq 0 ]
