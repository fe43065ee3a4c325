/*  Skips tests of pairs that are apart. A vector of pairs whose smallest gap is g is skipped while no two bodies of
    its tile have moved by g together since the gap was measured. That is known only while steps are made in place,
    since these measure displacements. In all other steps every pair is tested. */
#ifndef SCREE_WORLD_GAPS_H
#define SCREE_WORLD_GAPS_H

#include "base/memory.h"

/*  Of a tile of pairs. */
typedef struct scree_gap_tile
{
    double travelled; /* bounds the displacement of any two of its bodies together */
    uint32_t first,
        last; /* range of blocks of SCREE_TRAVEL_ROWS bodies that contains all its bodies */
} scree_gap_tile;

typedef struct scree_gaps
{
    double *until; /* for each SCREE_PACK pairs: none of them touches while `travelled` is less */
    scree_gap_tile *tile;
    size_t until_capacity, tile_capacity;
    bool is_known;
} scree_gaps;

void scree_gaps_free(scree_gaps *gaps, scree_memory *memory);
/*  Reserves room for pairs. Contents are kept. SCREE_OUT_OF_MEMORY. */
scree_status scree_gaps_reserve(scree_gaps *gaps, scree_memory *memory, size_t candidates);
/*  Resets the pairs begin .. end - 1 of a tile, and finds its range of bodies. */
void scree_gaps_begin_tile(scree_gaps *gaps, size_t begin, size_t end, const uint32_t (*first)[1],
                           const uint32_t (*second)[1]);
/*  Adds displacements: `travel` has the largest of each SCREE_TRAVEL_ROWS bodies. */
void scree_gaps_travel(scree_gap_tile *tile, const double *travel);

#endif
