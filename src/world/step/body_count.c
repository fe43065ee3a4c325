#include "world/step/body_count.h"

#include "base/error.h"
#include "world/step/world_data.h"

#include <inttypes.h>

static bool has_its_slot(const scree_body_arrays *bodies, uint32_t name)
{
    uint32_t slot = bodies->names[name].slot;

    return slot < bodies->count && bodies->id[slot][0].index1 == name + 1;
}

/*  The bodies in slots behind the last one are still there in memory, which tells which are missing. */
static scree_status say_missing(const scree_body_arrays *bodies, uint32_t name, uint64_t step,
                                scree_error *error)
{
    uint32_t slot = bodies->names[name].slot;

    if (slot >= bodies->position_capacity)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "world: step %" PRIu64 ": the body of id %" PRIu32 " is lost", step,
                          name + 1);
    const double *at = bodies->position[slot];
    return scree_fail(error, SCREE_BAD_VALUE,
                      "world: step %" PRIu64 ": the body of id %" PRIu32
                      " is lost; it was last seen at (%g, %g, %g)",
                      step, name + 1, at[0], at[1], at[2]);
}

scree_status scree_world_call_roll(scree_world *world)
{
    const scree_body_arrays *bodies = &world->bodies;

    if (bodies->count == bodies->added - bodies->removed)
        return SCREE_OK;
    for (uint32_t name = 0; name < bodies->name_count; name++)
        if (bodies->names[name].taken && !has_its_slot(bodies, name))
            return say_missing(bodies, name, world->clock.steps + 1, &world->error);
    return scree_fail(&world->error, SCREE_BAD_VALUE,
                      "world: step %" PRIu64 ": %" PRIu32 " bodies are there, but %" PRIu64
                      " came and %" PRIu64 " went",
                      world->clock.steps + 1, bodies->count, bodies->added, bodies->removed);
}
