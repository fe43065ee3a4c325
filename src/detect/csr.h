/*  Neighbours by body in numbers of 32 bits, each body's in the order in which its pairs were found. No pair is
    sorted, and none is copied but into the list itself: counting and filling read what the search has stored. */
#ifndef SCREE_CSR_H
#define SCREE_CSR_H

#include "detect/collect.h"

/*  Entries of a list of `pairs`. SCREE_TOO_LARGE if 32 bits do not number them. */
scree_status scree_csr_count(uint64_t pairs, bool half, uint32_t *entries, scree_error *error);

/*  Whether scree_csr_fill takes less time than scree_pair_rows. */
bool scree_csr_is_quick(const scree_workers *workers);

/*  Fills start[0 .. bound] and neighbor from a search that has just stored its pairs. */
void scree_csr_fill(const scree_search *search, uint32_t bound, bool half, uint32_t *start,
                    uint32_t *neighbor);

/*  Starts in 32 bits from those in 64. */
void scree_csr_shorten(const uint64_t *start, uint32_t bound, uint32_t *short_start);

#endif
