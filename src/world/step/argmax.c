#include "world/step/argmax.h"

static bool is_before(const scree_body_arrays *bodies, double number, uint32_t slot,
                      double other_number, uint32_t other)
{
    if (number != other_number || number == 0 || other == UINT32_MAX)
        return number > other_number;
    return bodies->serial[slot][0] < bodies->serial[other][0];
}

void scree_argmax_take(scree_force_scratch *scratch, const scree_body_arrays *bodies, double number,
                       uint32_t slot)
{
    if (is_before(bodies, number, slot, scratch->largest, scratch->largest_slot)) {
        scratch->largest = number;
        scratch->largest_slot = slot;
    }
}

double scree_argmax(const scree_workers *workers, scree_force_scratch *scratch,
                    const scree_body_arrays *bodies, scree_body_block_fn *look, void *data,
                    uint32_t *slot)
{
    double largest = 0;

    *slot = UINT32_MAX;
    for (uint32_t w = 0; w < workers->count; w++) {
        scratch[w].largest = 0;
        scratch[w].largest_slot = UINT32_MAX;
    }
    scree_body_blocks_run(workers, bodies->count, look, data);
    for (uint32_t w = 0; w < workers->count; w++)
        if (is_before(bodies, scratch[w].largest, scratch[w].largest_slot, largest, *slot)) {
            largest = scratch[w].largest;
            *slot = scratch[w].largest_slot;
        }
    return largest;
}
