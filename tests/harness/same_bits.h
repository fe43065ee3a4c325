/*  Whether numbers are the same as bytes: -0.0 is not 0.0 here. */
#ifndef SCREE_TESTS_SAME_BITS_H
#define SCREE_TESTS_SAME_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool same_bits(const void *a, const void *b, size_t bytes)
{
    return memcmp(a, b, bytes) == 0;
}

#endif
