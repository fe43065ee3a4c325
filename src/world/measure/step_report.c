/*  What steps have come to, as a host reads it. */
#include "world/search/neighbours.h"
#include "world/step/room_data.h"
#include "world/step/world_data.h"

#include <string.h>

scree_certificate scree_world_certificate(const scree_world *world)
{
    scree_certificate certificate = {0};

    if (world) {
        certificate = world->certificate;
        certificate.compared = scree_solids_compared(&world->solids);
        const scree_search_look look = scree_world_search_look(world);
        certificate.displacement = certificate.slack = 0;
        /* until a list is made anew slots are not what the detector knows */
        if (!world->search_anew)
            scree_search_measure_leeway(&look, world->detector,
                                        world->walls.count ? &world->surfaces.search : NULL,
                                        &certificate);
    }
    return certificate;
}

scree_local_counts scree_world_local_counts(const scree_world *world)
{
    scree_local_counts none = {0};
    return world ? scree_solids_local_counts(&world->solids) : none;
}

const scree_detector *scree_world_detector(const scree_world *world)
{
    return world ? world->detector : NULL;
}

void scree_world_time_phases(scree_world *world, bool on)
{
    if (!world)
        return;
    world->is_timed = on;
    memset(&world->phases, 0, sizeof world->phases);
}

scree_phases scree_world_phases(const scree_world *world)
{
    scree_phases none = {0};
    return world ? world->phases : none;
}

scree_body_id scree_world_culprit(const scree_world *world)
{
    return world ? world->culprit : (scree_body_id){0, 0};
}

size_t scree_world_unsettled(const scree_world *world, scree_unsettled *list, size_t capacity)
{
    const scree_unsettled_list *from = world ? &world->picard.unsettled : NULL;
    size_t count = from ? from->count : 0;

    if (list && count > 0 && capacity > 0)
        memcpy(list, from->worst, (count < capacity ? count : capacity) * sizeof *list);
    return count;
}

scree_paces scree_world_paces(const scree_world *world)
{
    const scree_paces none = {{0}, 0, 0, 0, 0};

    return world ? world->paces : none;
}
