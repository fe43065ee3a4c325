/*  Statistics of steps as hosts read them. */
#include "world/search/neighbours.h"
#include "world/step/room_data.h"
#include "world/step/world_data.h"

#include <string.h>

scree_detection_stats scree_world_detection_stats(const scree_world *world)
{
    scree_detection_stats detection_stats = {0};

    if (world) {
        detection_stats = world->detection_stats;
        detection_stats.triangle_tests = scree_shape_finder_compared(&world->shape_finder);
        const scree_search_look look = scree_world_search_look(world);
        detection_stats.displacement = detection_stats.remaining_margin = 0;
        /* the detector's indices are out of date until the neighbour list has been rebuilt */
        if (!world->needs_search)
            scree_search_measure_leeway(&look, world->detector,
                                        world->walls.count ? &world->wall_contacts.search : NULL,
                                        &detection_stats);
    }
    return detection_stats;
}

scree_local_counts scree_world_local_counts(const scree_world *world)
{
    scree_local_counts none = {0};
    return world ? scree_shape_finder_local_counts(&world->shape_finder) : none;
}

const scree_detector *scree_world_detector(const scree_world *world)
{
    return world ? world->detector : NULL;
}

void scree_world_enable_timings(scree_world *world, bool on)
{
    if (!world)
        return;
    world->is_timed = on;
    memset(&world->timings, 0, sizeof world->timings);
}

scree_timings scree_world_timings(const scree_world *world)
{
    scree_timings none = {0};
    return world ? world->timings : none;
}

scree_body_id scree_world_failed_body(const scree_world *world)
{
    return world ? world->failed_body : (scree_body_id){0, 0};
}

size_t scree_world_unconverged(const scree_world *world, scree_unconverged *list, size_t capacity)
{
    const scree_unconverged_list *from = world ? &world->picard.unconverged : NULL;
    size_t count = from ? from->count : 0;

    if (list && count > 0 && capacity > 0)
        memcpy(list, from->worst, (count < capacity ? count : capacity) * sizeof *list);
    return count;
}

scree_local_step_stats scree_world_local_step_stats(const scree_world *world)
{
    const scree_local_step_stats none = {{0}, 0, 0, 0, 0};

    return world ? world->local_step_stats : none;
}
