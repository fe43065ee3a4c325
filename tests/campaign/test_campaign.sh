#!/bin/sh
# Campaigns as long as a test may be: pairs of triangles against the double, of every kind and at every level; worlds
# against a slow reference; tables in periodic cells.
# Usage: test_campaign.sh PROGRAM BUILD-FOLDER
set -u
build=${2:?usage: test_campaign.sh PROGRAM BUILD-FOLDER}
pairs=100000 worlds=400 scenes=150
[ "${SCREE_TEST_EFFORT:-quick}" = quick ] || pairs=1000000 worlds=5000 scenes=3000
passed=0 failed=0

# holds WORDS CAMPAIGN...: it succeeds, and says so
holds() {
    words=$1
    shift
    if found=$("$build/tests/campaign/campaign" "$@") && echo "$found" | grep -q "$words"; then
        passed=$((passed + 1))
    else
        echo "FAILED: campaign $*: $found"
        failed=$((failed + 1))
    fi
}

holds 'missed 0, unfounded 0, other bits 0' triangles --pairs $pairs
holds 'periodic scenes x .* no difference' periodic --scenes $scenes --seed 1000
holds ': 0 differ, 0 refused; ' worlds --worlds $worlds
echo "test_campaign: $passed passed, $failed failed"
[ $failed -eq 0 ]
