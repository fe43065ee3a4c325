/*  Takes steps, and removes bodies whose values are not finite. The world refuses such a step and keeps the state
    before it. So the body is removed, and the step is tried again without it. This follows from the state alone: a
    run continued from an earlier checkpoint loses the same bodies in the same step. */
#include "base/error.h"
#include "scene_internal.h"

#include <inttypes.h>

static scree_status take_out(scree_scene *scene, scree_world *world, scree_error *error)
{
    scree_body_id id = scree_world_failed_body(world);
    scree_body body;
    scree_status status = scree_world_get_body(world, id, &body);
    scree_error why = {SCREE_OK, ""};

    scree_fail(&why, SCREE_BAD_VALUE, "%s", scree_world_message(world));
    if (!status)
        status = scree_world_remove_body(world, id);
    if (status)
        return scree_fail(error, status, "%s", scree_world_message(world));
    scene->course.quarantined++;
    scene->course.quarantined_mass += body.mass;
    scree_log_write(&scene->log, SCREE_LOG_WARNING, SCREE_LOG_BODY_QUARANTINED,
                    "body %" PRIu64 " is taken out before step %" PRIu64
                    ", at {%.9g, %.9g, %.9g} m: %s",
                    body.serial, scree_world_clock(world).steps + 1, body.position[0],
                    body.position[1], body.position[2], why.text);
    return SCREE_OK;
}

scree_status scene_take_steps(scree_scene *scene, scree_world *world, uint64_t count,
                              scree_error *error)
{
    uint64_t end = scree_world_clock(world).steps + count;
    scree_status status = scree_world_step(world, count);

    /* a step that is too long is not caused by one body */
    while (status == SCREE_BAD_VALUE && scene->plan.quarantines &&
           scree_world_failed_body(world).index1) {
        status = take_out(scene, world, error);
        if (status)
            return status;
        status = scree_world_step(world, end - scree_world_clock(world).steps);
    }
    return status ? scree_fail(error, status, "%s", scree_world_message(world)) : SCREE_OK;
}
