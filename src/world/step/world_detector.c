#include "world/step/world_detector.h"

#include "world/search/make_detector.h"
#include "world/step/room_data.h"
#include "world/step/world_data.h"

scree_status scree_world_make_detector(scree_world *world, const char *method,
                                       const scree_margin_def *margin, scree_detector **made,
                                       scree_error *error)
{
    const scree_detector_terms terms = {.method = method,
                                        .margin = margin,
                                        .domain = &world->cell.now,
                                        .has_sleep = world->sleep.is_on};
    scree_step step = scree_world_this_step(world, 0);

    step.error = error;
    return scree_search_make_detector(&step, &terms, made);
}

scree_status scree_world_change_detector(scree_world *world, const char *method,
                                         const scree_margin_def *margin)
{
    scree_detector *made = NULL;
    scree_status status = scree_world_make_detector(world, method, margin, &made, &world->error);

    if (status)
        return status;
    scree_detector_destroy(world->detector);
    world->detector = made;
    world->margin_is_of_rest = world->sleep.is_on;
    world->cell.shown = world->cell.now;
    world->needs_search = true;
    return SCREE_OK;
}

scree_status scree_world_follow_sleep(scree_world *world)
{
    if (world->margin_is_of_rest == world->sleep.is_on)
        return SCREE_OK;
    return scree_world_change_detector(world, world->method, &world->def.detection.margin);
}
