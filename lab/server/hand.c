/*  Mouse interaction: pour bodies, drag one, push with a ball, erase them, and query a box. */
#include "lab_internal.h"

#include "base/error.h"
#include "common/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POUR_MOST 1000u
/*  A dragged body follows like a damped spring, with a lag of at least several batches of steps and several intervals
    between mouse messages, so that it moves as evenly as the mouse and flies on with its speed. The force is limited to
    this many times its weight, so that it does not push others through each other. */
#define GRIP_PORTIONS 4.0
#define GRIP_GAPS 2.0
#define GRIP_GAP_LEAST 0.016 /* s of wall-clock time: a picture */
#define GRIP_GAP_MOST 0.25   /* s, after a pause of the mouse */
#define GRIP_WEIGHTS 30.0
#define GRIP_GRAVITY 9.81 /* if the scene has no gravity */

/*  number: a position, a velocity, a radius, the spread. */
scree_status scree_lab_pour(scree_lab *lab, const scree_lab_message *message, scree_error *error)
{
    scree_scene_handful handful = {0};
    uint32_t added = 0;

    memcpy(handful.point, message->number, sizeof handful.point);
    memcpy(handful.velocity, message->number + 3, sizeof handful.velocity);
    handful.radius = message->number[6];
    handful.reach = message->number[7];
    handful.material = 1;
    handful.count = message->whole[0] < POUR_MOST ? message->whole[0] : POUR_MOST;
    handful.seed = lab->pours++;
    if (scree_world_body_count(lab->world) + handful.count > lab->def.max_bodies)
        return scree_fail(error, SCREE_TOO_LARGE, "the lab has reached its limit of bodies");
    scree_status status = scree_scene_add(lab->scene, lab->world, &handful, &added, error);
    lab->has_changed = true;
    return status;
}

/* ---- one body -------------------------------------------------------------------------------------------- */

/*  By slot and number, so that it cannot be another body that reuses the slot. */
static bool find_body(scree_lab *lab, const scree_lab_message *message, scree_body_id *id)
{
    scree_bodies_view view = scree_world_bodies(lab->world);

    for (size_t i = 0; i < view.count; i++)
        if (scree_body_id_at(view.id, i).index1 == message->whole[0] + 1 &&
            (uint32_t)scree_uint64_at(view.serial, i) == message->whole[1]) {
            *id = scree_body_id_at(view.id, i);
            return true;
        }
    return false;
}

static scree_body_id newest_body(scree_lab *lab)
{
    scree_bodies_view view = scree_world_bodies(lab->world);
    scree_body_id newest = {0};
    uint64_t serial = 0;

    for (size_t i = 0; i < view.count; i++)
        if (scree_uint64_at(view.serial, i) > serial) {
            serial = scree_uint64_at(view.serial, i);
            newest = scree_body_id_at(view.id, i);
        }
    return newest;
}

static void set_load(scree_lab *lab, const double force[3])
{
    scree_body body;

    if (scree_world_get_body(lab->world, lab->grip.body, &body))
        return;
    memset(body.load, 0, sizeof body.load);
    for (int k = 0; k < 3; k++)
        body.load[k] = force ? force[k] : 0;
    scree_world_set_body(lab->world, lab->grip.body, &body);
}

void scree_lab_let_go(scree_lab *lab)
{
    scree_lab_end_paused_drag(lab);
    if (lab->grip.holds && lab->world && lab->grip.is_ball) {
        scree_world_remove_body(lab->world, lab->grip.body);
        lab->has_changed = true;
    } else if (lab->grip.holds && lab->world) {
        set_load(lab, NULL);
    }
    lab->grip.holds = lab->grip.is_ball = false;
    lab->grip.steps_left = 0;
}

static void hold(scree_lab *lab, uint32_t client, const double target[3])
{
    lab->grip.holds = true;
    lab->grip.is_blocked = false;
    lab->grip.client = client;
    memcpy(lab->grip.target, target, sizeof lab->grip.target);
    lab->grip.told = scree_lab_now();
    lab->grip.gap = GRIP_GAP_LEAST;
}

scree_status scree_lab_grab(scree_lab *lab, uint32_t client, const scree_lab_message *message,
                            scree_error *error)
{
    scree_lab_let_go(lab);
    if (!find_body(lab, message, &lab->grip.body))
        return scree_fail(error, SCREE_BAD_ARGUMENT, "that body has been removed");
    scree_lab_keep_undo(lab, client, SCREE_LAB_GRAB, false);
    hold(lab, client, message->number);
    return SCREE_OK;
}

/*  number: a position, a radius. A ball of the first material that pushes others, until it is released. */
scree_status scree_lab_ball(scree_lab *lab, uint32_t client, const scree_lab_message *message,
                            scree_error *error)
{
    scree_scene_handful handful = {.material = 1, .count = 1, .radius = message->number[3]};
    uint32_t added = 0;

    scree_lab_let_go(lab);
    memcpy(handful.point, message->number, sizeof handful.point);
    handful.reach = handful.radius;
    handful.seed = lab->pours++;
    if (scree_world_body_count(lab->world) >= lab->def.max_bodies)
        return scree_fail(error, SCREE_TOO_LARGE, "the lab has reached its limit of bodies");
    scree_lab_keep_undo(lab, client, SCREE_LAB_BALL, false);
    scree_status status = scree_scene_add(lab->scene, lab->world, &handful, &added, error);
    if (!status && added == 0)
        status = scree_fail(error, SCREE_BAD_ARGUMENT,
                            "there is no room for a ball of radius %g m here: begin beside the "
                            "bodies, or choose a smaller radius",
                            handful.radius);
    if (status) {
        scree_lab_cancel_undo(lab);
        return status;
    }
    lab->grip.body = newest_body(lab);
    lab->grip.is_ball = true;
    hold(lab, client, message->number);
    lab->has_changed = true;
    return SCREE_OK;
}

void scree_lab_move_hand(scree_lab *lab, uint32_t client, const scree_lab_message *message)
{
    double now = scree_lab_now();

    if (!lab->grip.holds || lab->grip.client != client)
        return;
    memcpy(lab->grip.target, message->number, sizeof lab->grip.target);
    lab->grip.gap += (fmin(now - lab->grip.told, GRIP_GAP_MOST) - lab->grip.gap) / 4;
    lab->grip.told = now;
    scree_lab_drag_paused(lab);
}

/*  Seconds of the scene per second of wall-clock time. */
static double speed_of_run(const scree_lab *lab, double dt)
{
    double fastest = lab->cost > 0 ? dt / lab->cost : lab->rate;

    if (!lab->plays)
        return 0;
    return lab->rate > 0 ? fmin(lab->rate, fastest) : fastest;
}

static double lag(const scree_lab *lab, uint64_t steps)
{
    double dt = scree_world_clock(lab->world).dt;
    return fmax(GRIP_PORTIONS * (double)steps * dt,
                GRIP_GAPS * fmax(lab->grip.gap, GRIP_GAP_LEAST) * speed_of_run(lab, dt));
}

/*  A damped spring with omega = 1 / lag, plus the weight, because the spring is weak if the lag is long: m (omega^2
    (target - x) - 2 omega v - g). */
void scree_lab_pull(scree_lab *lab, uint64_t steps)
{
    double gravity[3], force[3] = {0}, weight = 0, sum = 0;
    scree_body body;

    scree_lab_end_paused_drag(lab);
    lab->grip.steps_left = 0;
    if (!lab->grip.holds)
        return;
    if (scree_world_get_body(lab->world, lab->grip.body, &body)) {
        lab->grip.holds = lab->grip.is_ball = false;
        return;
    }
    scree_world_get_gravity(lab->world, gravity);
    double omega = 1 / lag(lab, steps);
    for (int k = 0; k < scree_scene_plan_of(lab->scene)->world.dimensions; k++) {
        force[k] = body.mass * (omega * omega * (lab->grip.target[k] - body.position[k]) -
                                2 * omega * body.velocity[k] - gravity[k]);
        sum += force[k] * force[k];
        weight += gravity[k] * gravity[k];
    }
    double most = GRIP_WEIGHTS * body.mass * fmax(sqrt(weight), GRIP_GRAVITY);
    for (int k = 0; k < 3 && sum > most * most; k++)
        force[k] *= most / sqrt(sum);
    set_load(lab, force);
}

scree_status scree_lab_delete(scree_lab *lab, const scree_lab_message *message, scree_error *error)
{
    scree_body_id id;

    if (!find_body(lab, message, &id))
        return SCREE_OK; /* it has already been removed */
    lab->has_changed = true;
    scree_status status = scree_world_remove_body(lab->world, id);
    return status ? scree_fail(error, status, "%s", scree_world_message(lab->world)) : SCREE_OK;
}

/* ---- a box of bodies ------------------------------------------------------------------------------- */

/*  number: lower and upper corner. In two dimensions z is ignored. */
static bool is_inside(const scree_lab *lab, const double number[6], const double position[4])
{
    int dimensions = scree_scene_plan_of(lab->scene)->world.dimensions;
    for (int k = 0; k < dimensions; k++)
        if (!(position[k] >= number[k] && position[k] <= number[3 + k]))
            return false;
    return true;
}

scree_status scree_lab_clear(scree_lab *lab, const scree_lab_message *message, scree_error *error)
{
    scree_bodies_view view = scree_world_bodies(lab->world);
    scree_body_id *ids = malloc((view.count + 1) * sizeof *ids);
    size_t count = 0;

    if (!ids)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "delete: out of memory");
    for (size_t i = 0; i < view.count; i++)
        if (is_inside(lab, message->number, scree_row_at(view.position, i)))
            ids[count++] = scree_body_id_at(view.id, i);
    lab->has_changed = true;
    scree_status status = scree_world_remove_bodies(lab->world, ids, count);
    free(ids);
    return status ? scree_fail(error, status, "%s", scree_world_message(lab->world)) : SCREE_OK;
}

void scree_lab_find(scree_lab *lab, uint32_t client, const scree_lab_message *message)
{
    scree_bodies_view view = scree_world_bodies(lab->world);
    double mass = 0, momentum[3] = {0}, speed = 0, kinetic = 0, radius = 0;
    char *text = NULL;
    size_t count = 0, bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    for (size_t i = 0; i < view.count; i++) {
        const double *v = scree_row_at(view.velocity, i);
        if (!is_inside(lab, message->number, scree_row_at(view.position, i)))
            continue;
        double m = v[3] > 0 ? 1 / v[3] : 0, square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        count++;
        mass += m;
        speed += sqrt(square);
        kinetic += m * square / 2;
        radius += scree_double_at(view.radius, i);
        for (int k = 0; k < 3; k++)
            momentum[k] += m * v[k];
    }
    if (!out)
        return;
    double bodies = count ? (double)count : 1;
    scree_json json = scree_json_begin(out, true);
    scree_json_text(&json, "kind", "found");
    scree_json_count(&json, "bodies", count);
    scree_json_real(&json, "mass", mass);
    scree_json_real(&json, "speed", speed / bodies);
    scree_json_real(&json, "radius", radius / bodies);
    scree_json_real(&json, "kinetic", kinetic);
    scree_json_list(&json, "velocity");
    for (int k = 0; k < 3; k++)
        scree_json_real(&json, NULL, mass > 0 ? momentum[k] / mass : 0);
    scree_json_end(&json);
    scree_json_finish(&json);
    fclose(out);
    scree_lab_post(lab, SCREE_LAB_FOUND, client, true, (uint8_t *)text, bytes);
}
