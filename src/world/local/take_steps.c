/*  Calls of hosts that take steps. */
#include "base/clock.h"
#include "world/device/device.h"
#include "world/local/local_steps.h"
#include "world/step/evaluate.h"
#include "world/step/in_place.h"
#include "world/step/step_hooks.h"
#include "world/step/world_data.h"

static const scree_local_way local_way = {scree_local_take_step, scree_local_record,
                                          scree_local_renew_parts};

static scree_status step_on_host(scree_world *world, uint64_t count)
{
    scree_status status = SCREE_OK;

    for (uint64_t k = 0; k < count && !status; k++) {
        world->host_may_read = k + 1 == count;
        world->lap = world->is_timed ? scree_clock_seconds() : 0;
        status = scree_world_take_step_of_call(world, &local_way, k == 0, count - 1 - k);
        scree_world_end_phase(world, &world->timings.other);
        world->timings.steps += world->is_timed;
    }
    return status;
}

scree_status scree_world_take_more_steps(scree_world *world, uint64_t count)
{
    scree_status status;

    if (world->hooks && world->hooks->take_steps)
        status = world->hooks->take_steps(world->hooks->user, world, count);
    else
        status = world->device ? scree_device_take_steps(world, &local_way, count)
                               : step_on_host(world, count);
    /* hosts read contacts by body, and remove bodies */
    world->wants_index = true;
    scree_contact_list_index(&world->pairs, &world->bodies);
    world->lap = 0;
    scree_local_close(world);
    return status;
}

scree_status scree_world_step(scree_world *world, uint64_t count)
{
    if (!world)
        return SCREE_BAD_ARGUMENT;
    scree_events_begin(&world->events);
    return scree_world_take_more_steps(world, count);
}
