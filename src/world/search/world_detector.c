/*  The detector of a world: made, and changed for another. */
#include "world/search/world_detector.h"

#include "world/step/world_data.h"

#include <stdio.h>
#include <string.h>

scree_status scree_world_make_detector(scree_world *world, const char *method,
                                       const scree_margin_def *margin, scree_detector **made,
                                       scree_error *error)
{
    scree_detector_def def = scree_default_detector_def();

    /* bodies change places in memory, are moved by hosts and by the border: no speed foretells that */
    if (margin->trust_velocities)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "world def: margin.trust_velocities must be false: a world looks at "
                          "positions in every step");
    def.method = method;
    def.dimensions = world->def.dimensions;
    def.simd = world->simd;
    if (world->workers.count > 1)
        def.tasks = world->workers.tasks;
    def.allocator = world->memory.allocator;
    def.log = world->def.log;
    def.margin = *margin;
    /* a body that rests wakes: it needs room though it does not move */
    if (world->rest.is_on && margin->kind == SCREE_MARGIN_PER_BODY)
        def.margin.target_steps = -1;
    def.error = error;
    memcpy(def.period, world->cell.now.period, sizeof def.period);
    memcpy(def.tilt, world->cell.now.tilt, sizeof def.tilt);
    return scree_detector_create(&def, made);
}

scree_status scree_world_keep_method(scree_world *world, const char *method, scree_error *error)
{
    if (!method)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "world def: method is NULL");
    if (!scree_method_by_name(method))
        return scree_fail(error, SCREE_UNKNOWN_METHOD, "world def: there is no method \"%.40s\"",
                          method);
    snprintf(world->method, sizeof world->method, "%s", method);
    world->def.method = world->method;
    return SCREE_OK;
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
    world->margin_is_of_rest = world->rest.is_on;
    world->cell.shown = world->cell.now;
    world->search_anew = true;
    return SCREE_OK;
}

scree_status scree_world_follow_rest(scree_world *world)
{
    if (world->margin_is_of_rest == world->rest.is_on)
        return SCREE_OK;
    return scree_world_change_detector(world, world->method, &world->def.margin);
}
