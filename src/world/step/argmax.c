#include "world/step/argmax.h"

#include "world/step/world_data.h"

static bool is_before(const scree_world *world, double number, uint32_t slot, double other_number,
                      uint32_t other)
{
    if (number != other_number || number == 0 || other == UINT32_MAX)
        return number > other_number;
    return world->bodies.serial[slot][0] < world->bodies.serial[other][0];
}

void scree_foremost_take(scree_world *world, uint32_t worker, double number, uint32_t slot)
{
    scree_force_scratch *scratch = &world->scratch[worker];

    if (is_before(world, number, slot, scratch->foremost, scratch->foremost_slot)) {
        scratch->foremost = number;
        scratch->foremost_slot = slot;
    }
}

double scree_world_foremost(scree_world *world, scree_block_fn *look, void *data, uint32_t *slot)
{
    double greatest = 0;

    *slot = UINT32_MAX;
    for (uint32_t w = 0; w < world->workers.count; w++) {
        world->scratch[w].foremost = 0;
        world->scratch[w].foremost_slot = UINT32_MAX;
    }
    scree_workers_run(&world->workers, scree_block_count(world->bodies.count, SCREE_FOREMOST_BLOCK),
                      look, data);
    for (uint32_t w = 0; w < world->workers.count; w++) {
        const scree_force_scratch *scratch = &world->scratch[w];
        if (is_before(world, scratch->foremost, scratch->foremost_slot, greatest, *slot)) {
            greatest = scratch->foremost;
            *slot = scratch->foremost_slot;
        }
    }
    return greatest;
}
