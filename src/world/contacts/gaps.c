/*  Gaps between pairs that do not touch: see gaps.h. */
#include "world/contacts/gaps.h"

#include "base/tasks.h"
#include "scree/detect.h"
#include "world/contacts/candidates.h"

#include <math.h>

void scree_gaps_free(scree_gaps *gaps, scree_memory *memory)
{
    scree_memory_give(memory, &gaps->until, gaps->until_capacity, sizeof *gaps->until);
    scree_memory_give(memory, &gaps->tile, gaps->tile_capacity, sizeof *gaps->tile);
}

scree_status scree_gaps_reserve(scree_gaps *gaps, scree_memory *memory, size_t candidates)
{
    scree_status status =
        scree_memory_reserve(memory, &gaps->until, &gaps->until_capacity,
                             scree_block_count(candidates, SCREE_PACK), sizeof *gaps->until);

    if (!status)
        status =
            scree_memory_reserve(memory, &gaps->tile, &gaps->tile_capacity,
                                 scree_block_count(candidates, SCREE_TILE), sizeof *gaps->tile);
    return status;
}

void scree_gaps_begin_tile(scree_gaps *gaps, size_t begin, size_t end, const uint32_t (*first)[1],
                           const uint32_t (*second)[1])
{
    scree_gap_tile *tile = &gaps->tile[begin / SCREE_TILE];
    uint32_t least = UINT32_MAX, most = 0;

    for (size_t c = begin; c < end; c++) {
        uint32_t one = first[c][0], other = second[c][0];
        uint32_t lower = one < other ? one : other, upper = one < other ? other : one;
        least = lower < least ? lower : least;
        most = upper > most ? upper : most;
    }
    *tile = (scree_gap_tile){0, least / SCREE_TRAVEL_ROWS, most / SCREE_TRAVEL_ROWS};
    for (size_t k = begin / SCREE_PACK; k < scree_block_count(end, SCREE_PACK); k++)
        gaps->until[k] = 0;
}

void scree_gaps_travel(scree_gap_tile *tile, const double *travel)
{
    double most = 0;

    /* NaN stays, so no pair of the tile is skipped */
    for (uint32_t block = tile->first; block <= tile->last; block++)
        if (travel[block] > most || isnan(travel[block]))
            most = travel[block];
    tile->travelled = (tile->travelled + 2 * most) * (1 + 0x1p-40);
}
