/*  How far bodies may travel before candidates that are apart need be tested again. A vector of candidates whose least gap is g is
    passed over while the bodies of their tile, two at a time, have not travelled by g since. That is known while steps are made
    in place, which measure how far bodies go; of any other step nothing is known, and all are tested. */
#ifndef SCREE_WORLD_GAPS_H
#define SCREE_WORLD_GAPS_H

#include "base/memory.h"

/*  Of a tile of candidates. */
typedef struct scree_gap_tile
{
    double travelled;     /* by two of its bodies together, at most, since it is known */
    uint32_t first, last; /* blocks of SCREE_TRAVEL_ROWS bodies that it names, and all in between */
} scree_gap_tile;

typedef struct scree_gaps
{
    double
        *until; /* of each SCREE_PACK candidates: none of them touches while `travelled` is less */
    scree_gap_tile *tile;
    size_t until_capacity, tile_capacity;
    bool is_known;
} scree_gaps;

void scree_gaps_free(scree_gaps *gaps, scree_memory *memory);
/*  Room for so many candidates; what is known is kept. SCREE_OUT_OF_MEMORY. */
scree_status scree_gaps_reserve(scree_gaps *gaps, scree_memory *memory, size_t candidates);
/*  Nothing is known of candidates begin .. end - 1, those of a tile; it names these bodies. */
void scree_gaps_begin_tile(scree_gaps *gaps, size_t begin, size_t end, const uint32_t (*first)[1],
                           const uint32_t (*second)[1]);
/*  Bodies have gone as far as `travel` says, of each SCREE_TRAVEL_ROWS of them. */
void scree_gaps_travel(scree_gap_tile *tile, const double *travel);

#endif
