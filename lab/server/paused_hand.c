/*  Dragging while the scene is paused. Time stands still, so the body moves in a copy of the world, where all other bodies
    and all walls are fixed and nothing has weight: it slides along them and stops at them, by the contacts of the world.
    Its position is then that of the body in the world; all else stays as it is. */
#include "lab_internal.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 20u
#define BATCH_SECONDS 0.008
/*  Steps for one movement of the mouse. A body that is blocked never arrives. */
#define STEPS_MOST 4000u
/*  The body follows like a damped spring of limited speed, so slowly that in a batch it moves by less than a third of the
    smallest radius r: with q = sqrt(mass / smallest mass), by 0.015 r / q in a step. How stiff contacts are is not known
    here, so the limit is halved after each batch in which the body overlaps another by more than r / 20, and rises again
    after. */
#define SPEED_SHARE 0.015
#define LAG_STEPS 20.0
#define MAX_OVERLAP 0.05 /* of the smallest radius */
#define MIN_SHARE (1.0 / 1024)
#define SHARE_GROWTH 1.1
#define ARRIVED 1e-3 /* of the smallest radius */

void scree_lab_end_paused_drag(scree_lab *lab)
{
    scree_world_destroy(lab->grip.copy);
    lab->grip.copy = NULL;
}

/*  Walls stay where they are, and push with no force. */
static scree_status fix_walls(scree_world *copy)
{
    const scree_wall_path at_rest = scree_default_wall_def().path;
    size_t count = scree_world_walls(copy, NULL, 0);
    scree_wall_id *ids = malloc((count + 1) * sizeof *ids);
    scree_status status = ids ? SCREE_OK : SCREE_OUT_OF_MEMORY;

    if (ids)
        scree_world_walls(copy, ids, count);
    for (size_t i = 0; i < count && !status; i++) {
        status = scree_world_set_wall_servo(copy, ids[i], NULL);
        if (!status && scree_world_get_free_wall(copy, ids[i], NULL))
            status = scree_world_set_free_wall(copy, ids[i], NULL);
        if (!status)
            status = scree_world_set_wall_path(copy, ids[i], &at_rest);
    }
    free(ids);
    return status;
}

/*  The held body is at rest, and feels no load; the others are fixed. */
static scree_status fix_bodies(scree_world *copy, scree_body_id held)
{
    scree_bodies_view view = scree_world_bodies(copy);
    scree_body_id *ids = malloc((view.count + 1) * sizeof *ids);
    scree_status status = ids ? SCREE_OK : SCREE_OUT_OF_MEMORY;
    size_t count = view.count;

    for (size_t i = 0; i < count && ids; i++)
        ids[i] = scree_body_id_at(view.id, i);
    for (size_t i = 0; i < count && !status; i++) {
        scree_body body;
        status = scree_world_get_body(copy, ids[i], &body);
        if (status)
            break;
        memset(body.velocity, 0, sizeof body.velocity);
        memset(body.spin, 0, sizeof body.spin);
        memset(body.load, 0, sizeof body.load);
        body.type = ids[i].index1 == held.index1 ? SCREE_BODY_DYNAMIC : SCREE_BODY_STATIC;
        status = scree_world_set_body(copy, ids[i], &body);
    }
    free(ids);
    return status;
}

static void measure_bodies(scree_lab *lab)
{
    scree_bodies_view view = scree_world_bodies(lab->world);
    scree_body held;

    lab->grip.share = 1;
    lab->grip.min_mass = lab->grip.min_radius = INFINITY;
    for (size_t i = 0; i < view.count; i++) {
        double inverse_mass = scree_row_at(view.velocity, i)[3];
        lab->grip.min_radius = fmin(lab->grip.min_radius, scree_double_at(view.radius, i));
        if (inverse_mass > 0)
            lab->grip.min_mass = fmin(lab->grip.min_mass, 1 / inverse_mass);
    }
    if (!scree_world_get_body(lab->world, lab->grip.body, &held))
        lab->grip.min_mass = fmin(lab->grip.min_mass, held.mass);
}

static scree_status make_copy(scree_lab *lab, scree_error *error)
{
    static const double weightless[3] = {0};
    scree_world_def hooks = scree_default_world_def();

    hooks.hooks.allocator = scree_lab_bounded_hooks(&lab->memory);
    hooks.compute.tasks = scree_lab_crew_tasks(&lab->crew);
    hooks.detection.method = lab->method;
    scree_status status = scree_world_copy(lab->world, &hooks, &lab->grip.copy);
    if (status)
        return scree_fail(error, status, "the body cannot be dragged while paused: %s",
                          scree_world_message(lab->world));
    scree_world *copy = lab->grip.copy;
    measure_bodies(lab);
    status = scree_world_set_gravity(copy, weightless);
    if (!status)
        status = fix_walls(copy);
    if (!status)
        status = fix_bodies(copy, lab->grip.body);
    if (status) {
        scree_fail(error, status, "the body cannot be dragged while paused: %s",
                   scree_world_message(copy));
        scree_lab_end_paused_drag(lab);
    }
    return status;
}

void scree_lab_drag_paused(scree_lab *lab)
{
    if (!lab->plays && lab->grip.holds && !lab->grip.is_blocked)
        lab->grip.steps_left = STEPS_MOST;
}

/*  The world's body takes the place of the copy's, at rest. */
static scree_status take_place(scree_lab *lab, scree_error *error)
{
    scree_body moved, body;
    scree_status status = scree_world_get_body(lab->grip.copy, lab->grip.body, &moved);

    if (!status)
        status = scree_world_get_body(lab->world, lab->grip.body, &body);
    if (status)
        return scree_fail(error, status, "that body has been removed");
    memcpy(body.position, moved.position, sizeof body.position);
    memcpy(body.orientation, moved.orientation, sizeof body.orientation);
    memset(body.velocity, 0, sizeof body.velocity);
    memset(body.spin, 0, sizeof body.spin);
    memset(body.load, 0, sizeof body.load);
    status = scree_world_set_body(lab->world, lab->grip.body, &body);
    return status ? scree_fail(error, status, "%s", scree_world_message(lab->world)) : SCREE_OK;
}

static void limit_overlap(lab_grip *grip)
{
    scree_contact_filter_def filter = scree_default_contact_filter_def();
    const scree_contact *contacts;
    double deepest = 0;
    size_t count = 0;

    filter.body = grip->body;
    if (scree_world_contacts(grip->copy, &filter, &contacts, &count))
        return;
    for (size_t i = 0; i < count; i++)
        deepest = fmax(deepest, contacts[i].overlap);
    if (deepest > MAX_OVERLAP * grip->min_radius)
        grip->share = fmax(grip->share / 2, MIN_SHARE);
    else
        grip->share = fmin(grip->share * SHARE_GROWTH, 1);
}

/*  Its load for the next batch. True: it has arrived, and is at rest. */
static bool pull_copy(scree_lab *lab)
{
    scree_body body;
    double wanted[3] = {0}, apart = 0, speed = 0, fast = 0;

    if (scree_world_get_body(lab->grip.copy, lab->grip.body, &body))
        return true;
    double dt = scree_world_clock(lab->grip.copy).dt;
    double q = sqrt(body.mass / lab->grip.min_mass), lag = LAG_STEPS * q * dt;
    double max_speed = lab->grip.share * SPEED_SHARE * lab->grip.min_radius / (q * dt);
    for (int k = 0; k < scree_scene_plan_of(lab->scene)->world.dimensions; k++) {
        double away = lab->grip.target[k] - body.position[k];
        wanted[k] = away / (4 * lag); /* critical damping */
        apart = hypot(apart, away);
        speed = hypot(speed, body.velocity[k]);
        fast = hypot(fast, wanted[k]);
    }
    for (int k = 0; k < 3; k++) {
        double share = fast > max_speed ? max_speed / fast : 1;
        body.load[k] = body.mass * (share * wanted[k] - body.velocity[k]) / lag;
    }
    double near = ARRIVED * lab->grip.min_radius;
    return (apart < near && speed * lag < near) ||
           scree_world_set_body(lab->grip.copy, lab->grip.body, &body);
}

/*  A few ms of steps in the copy. */
static scree_status follow(scree_lab *lab, scree_error *error)
{
    double begin = scree_lab_now();
    scree_status status = lab->grip.copy ? SCREE_OK : make_copy(lab, error);

    if (status)
        return status;
    do {
        lab->grip.steps_left = pull_copy(lab) ? 0 : lab->grip.steps_left - BATCH;
        if (lab->grip.steps_left)
            status = scree_world_step(lab->grip.copy, BATCH);
        limit_overlap(&lab->grip);
    } while (!status && lab->grip.steps_left > 0 && scree_lab_now() - begin < BATCH_SECONDS);
    if (status)
        return scree_fail(error, status, "the body cannot be moved there: %s",
                          scree_world_message(lab->grip.copy));
    return take_place(lab, error);
}

bool scree_lab_move_paused(scree_lab *lab)
{
    scree_error error = {SCREE_OK, ""};

    if (lab->grip.steps_left == 0)
        return false;
    if (follow(lab, &error)) {
        scree_lab_say(lab, true, "%s", error.text);
        lab->grip.is_blocked = true;
        lab->grip.steps_left = 0;
        scree_lab_end_paused_drag(lab);
    }
    lab->has_changed = lab->is_untold = true;
    return true;
}
