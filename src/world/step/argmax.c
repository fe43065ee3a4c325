#include "world/step/argmax.h"

static bool is_before(const scree_body_arrays *bodies, double number, uint32_t slot,
                      double other_number, uint32_t other)
{
    if (number != other_number || number == 0 || other == UINT32_MAX)
        return number > other_number;
    return bodies->serial[slot][0] < bodies->serial[other][0];
}

void scree_foremost_take(scree_force_scratch *scratch, const scree_body_arrays *bodies,
                         double number, uint32_t slot)
{
    if (is_before(bodies, number, slot, scratch->foremost, scratch->foremost_slot)) {
        scratch->foremost = number;
        scratch->foremost_slot = slot;
    }
}

double scree_foremost(const scree_workers *workers, scree_force_scratch *scratch,
                      const scree_body_arrays *bodies, scree_block_fn *look, void *data,
                      uint32_t *slot)
{
    double greatest = 0;

    *slot = UINT32_MAX;
    for (uint32_t w = 0; w < workers->count; w++) {
        scratch[w].foremost = 0;
        scratch[w].foremost_slot = UINT32_MAX;
    }
    scree_workers_run(workers, scree_block_count(bodies->count, SCREE_FOREMOST_BLOCK), look, data);
    for (uint32_t w = 0; w < workers->count; w++)
        if (is_before(bodies, scratch[w].foremost, scratch[w].foremost_slot, greatest, *slot)) {
            greatest = scratch[w].foremost;
            *slot = scratch[w].foremost_slot;
        }
    return greatest;
}
