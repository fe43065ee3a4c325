/*  The search loop of double-ended sorting, integers only. Bodies stand in the order of their lower
    ends on one axis, the master. Body i overlaps there exactly with those up to stop[i] (those that
    begin before it ends), and with earlier ones that have said so themselves: each pair is found by
    the one that begins first. In the case diagram of the thesis these are columns 4 and 5, of each
    case one form and not the other.

    On the other axes a body has two ranks: lower, its place among the lower ends; upper, how many
    lower ends come before its upper end. All that overlap asks is whether a lower end comes before
    an upper one, so upper ends need not be counted, and ranks fit 32 bits with their sign, for
    which every processor has vector comparisons. */
#ifndef SCREE_RANK_SEARCH_H
#define SCREE_RANK_SEARCH_H

#include "base/common.h"

typedef struct scree_ranks
{
    int32_t *lower, *upper;
} scree_ranks;

/*  At most this many bodies are tested in one call. */
#define SCREE_RANK_CHUNK 512u

/*  Which of the bodies [first, last) overlap body i on `count` other axes, 1 or 2. They are put
    into hits, ascending; returns how many. last - first is at most SCREE_RANK_CHUNK. */
size_t scree_rank_search(const scree_ranks *other, int count, size_t i, size_t first, size_t last,
                         uint32_t *hits);

#endif
