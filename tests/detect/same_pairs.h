/*  Two lists of pairs, entry by entry; the first that differs is shown. */
#ifndef SAME_PAIRS_H
#define SAME_PAIRS_H

#include "scree/detect.h"
#include "test.h"

static void check_same(const scree_pairs *pairs, const scree_pairs *expected)
{
    CHECK_EQUAL(pairs->count, expected->count);
    for (uint64_t k = 0; k < expected->count; k++)
        if (pairs->first[k] != expected->first[k] || pairs->second[k] != expected->second[k])
            FAIL("pair %" PRIu64 " is {%u, %u}, not {%u, %u}", k, pairs->first[k], pairs->second[k],
                 expected->first[k], expected->second[k]);
}

#endif
