#!/bin/sh
# A campaign as long as a test may be: pairs of triangles against the double, of every kind and at every level.
# Usage: test_campaign.sh PROGRAM BUILD-FOLDER
set -u
build=${2:?usage: test_campaign.sh PROGRAM BUILD-FOLDER}
pairs=100000
[ "${SCREE_TEST_EFFORT:-quick}" = quick ] || pairs=1000000

if found=$("$build/tests/campaign/campaign" triangles --pairs $pairs) &&
    echo "$found" | grep -q 'missed 0, unfounded 0, other bits 0'; then
    echo "test_campaign: 1 passed, 0 failed"
else
    echo "FAILED: $found"
    echo "test_campaign: 0 passed, 1 failed"
    exit 1
fi
