/*  Notices before bodies are sorted that they are crowded into few cells, by a sample: sorting them in order to find out
    would be work for nothing. It affects only speed. */
#include "detect/flat.h"

#include <stdlib.h>

/*  Bodies in the sample, and one in how many is in it at least. */
#define SAMPLE 128u
#define STRIDE 64u
/*  Pairs of the sample that must share a cell: fewer may do so by chance. */
#define MIN_PAIRS 24u

/*  Returns the cell of the first level, as a number of its own. */
static uint64_t cell_of(const scree_flat *self, const scree_bodies *bodies, uint32_t id)
{
    const scree_flat_level *level = &self->level[0];
    const scree_flat_frame *frame = &self->island[0].frame;
    const double *at = bodies->sphere ? bodies->sphere[id] : bodies->box[id].lower;
    uint64_t cell = 0;

    for (int k = 0; k < self->dimensions; k++)
        cell = cell * level->cells[k] +
               scree_flat_cell(level, k, scree_flat_to_frame(frame, k, at[k]));
    return cell;
}

static int compare_cells(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

    return (first > second) - (first < second);
}

double scree_flat_sampled_crowding(const scree_flat *self, const scree_bodies *bodies)
{
    const uint32_t n = bodies->active_count, stride = n / SAMPLE;
    uint64_t cell[SAMPLE];
    uint32_t pairs = 0;

    if (stride < STRIDE || self->level_count != 1)
        return 0;
    /* the stride does not match any order of the bodies */
    for (uint32_t s = 0; s < SAMPLE; s++)
        cell[s] =
            cell_of(self, bodies, bodies->active[s * stride + (s * 2654435761u >> 8) % stride]);
    qsort(cell, SAMPLE, sizeof *cell, compare_cells);
    for (uint32_t s = 0, first = 0; s < SAMPLE; s++) {
        if (cell[s] != cell[first])
            first = s;
        pairs += s - first;
    }
    if (pairs < MIN_PAIRS)
        return 0;
    return 2.0 * pairs / (SAMPLE * (SAMPLE - 1.0)) * n;
}
