/*  Carries out messages: each has one effect, or reports why it cannot have it. */
#include "lab_internal.h"

#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static scree_status answer(scree_lab *lab, scree_status status, scree_error *error)
{
    return status ? scree_fail(error, status, "%s", scree_world_message(lab->world)) : SCREE_OK;
}

static scree_status take_steps(scree_lab *lab, uint32_t count, scree_error *error)
{
    uint64_t steps = count < 1 ? 1 : count > 100000 ? 100000 : count;

    lab->plays = false;
    lab->has_changed = lab->is_untold = true;
    /* a held body moves with these steps from here on, and can be thrown by them */
    lab->grip.is_blocked = true;
    return scree_lab_take_steps(lab, steps, error);
}

static scree_status set_dt(scree_lab *lab, double dt, scree_error *error)
{
    scree_time_mode mode = scree_scene_plan_of(lab->scene)->world.step.mode;
    scree_status status = dt > 0 ? scree_world_set_dt(lab->world, SCREE_TIME_FIXED, dt)
                                 : scree_world_set_dt(lab->world, mode, scree_scene_dt(lab->scene));
    return answer(lab, status, error);
}

static scree_status set_friction(scree_lab *lab, double friction, scree_error *error)
{
    const scree_material_id all = {0};

    return answer(lab, scree_world_set_friction(lab->world, all, friction), error);
}

/*  The sums start with the current bodies. */
static scree_status set_energy_balance(scree_lab *lab, bool is_kept, scree_error *error)
{
    bool was_kept = lab->keeps_energy_balance;

    lab->keeps_energy_balance = is_kept;
    scree_status status = scree_lab_open(lab, &lab->source, error);
    if (status)
        lab->keeps_energy_balance = was_kept;
    return status;
}

static scree_status set_speed(scree_lab *lab, double rate, scree_error *error)
{
    if (!(rate >= 0 && rate <= 1e6))
        return scree_fail(error, SCREE_BAD_VALUE, "speed: %g, should be 0 to 1e6", rate);
    lab->rate = rate;
    lab->credit = 0;
    return SCREE_OK;
}

static scree_status set_method(scree_lab *lab, const scree_lab_message *message, scree_error *error)
{
    char name[sizeof lab->method];

    snprintf(name, sizeof name, "%.*s", (int)message->byte_count, (const char *)message->bytes);
    scree_status status = scree_world_set_method(lab->world, name);
    if (!status)
        memcpy(lab->method, name, sizeof name);
    return answer(lab, status, error);
}

/*  Kinds by their numbers in scree/detect.h. The size is in radii of the smallest body; for a tolerance it is a
    fraction of each body's size. */
static scree_status set_margin(scree_lab *lab, uint32_t kind, double size, scree_error *error)
{
    scree_margin_def margin = scree_default_world_def().detection.margin;

    if (kind > SCREE_MARGIN_PER_BODY || !(size >= 0 && size <= 10))
        return scree_fail(error, SCREE_BAD_VALUE, "there is no margin %u of size %g",
                          (unsigned)kind, size);
    margin.kind = (scree_margin_kind)kind;
    margin.length = -size;
    for (int k = 0; k < SCREE_PIECE_KINDS; k++)
        margin.extent[k] = size;
    scree_status status = scree_world_set_margin(lab->world, &margin);
    if (!status) {
        lab->margin = margin;
        lab->has_margin = lab->is_untold = true;
    }
    return answer(lab, status, error);
}

static scree_status set_threads(scree_lab *lab, uint32_t count, scree_error *error)
{
    uint32_t most = lab->crew.all.worker_count;

    if (count == 0 || count > most)
        return scree_fail(error, SCREE_BAD_VALUE, "threads: %u, should be 1 to %u", (unsigned)count,
                          (unsigned)most);
    lab->crew.at_work = count;
    return SCREE_OK;
}

static scree_status set_overlay(scree_lab *lab, uint32_t overlay, uint32_t level)
{
    lab->overlay = overlay & (SCREE_LAB_SHOW_STRUCTURE | SCREE_LAB_SHOW_CHAINS |
                              SCREE_LAB_SHOW_SURROGATES | SCREE_LAB_SHOW_PAIRS);
    lab->overlay_level = level;
    lab->has_changed = lab->is_untold = true;
    lab->lines_due = 0;
    return SCREE_OK;
}

static scree_status set_field(scree_lab *lab, uint32_t field, scree_error *error)
{
    if (field >= SCREE_LAB_FIELDS)
        return scree_fail(error, SCREE_BAD_VALUE, "there is no field %u", (unsigned)field);
    lab->field = (scree_lab_field)field;
    lab->upper = 0;
    lab->has_changed = true;
    return SCREE_OK;
}

void scree_lab_play(scree_lab *lab, bool plays)
{
    lab->plays = plays;
    lab->grip.is_blocked = false;
    lab->has_begun = true;
    lab->credit = 0;
    lab->then = scree_lab_now();
}

/*  An action that has failed cannot be undone. */
static scree_status cancel_if(scree_lab *lab, scree_status status)
{
    if (status)
        scree_lab_cancel_undo(lab);
    return status;
}

static scree_status obey(scree_lab *lab, uint32_t client, const scree_lab_message *m,
                         scree_error *error)
{
    switch (m->kind) {
    case SCREE_LAB_PLAY:
        scree_lab_play(lab, m->whole[0] != 0);
        return SCREE_OK;
    case SCREE_LAB_STEP:
        return take_steps(lab, m->whole[0], error);
    case SCREE_LAB_SPEED:
        return set_speed(lab, m->number[0], error);
    case SCREE_LAB_RESET:
        return scree_lab_open(lab, &lab->source, error);
    case SCREE_LAB_EXAMPLE:
        return scree_lab_open_example(lab, m->whole[0], error);
    case SCREE_LAB_SCENE:
        return scree_lab_open_text(lab, m->bytes, m->byte_count, error);
    case SCREE_LAB_EDIT:
        return scree_lab_edit(lab, m->bytes, m->byte_count, error);
    case SCREE_LAB_PARTS_OF:
        return scree_lab_tell_parts(lab, client, m->bytes, m->byte_count, error);
    case SCREE_LAB_SETTING:
        return scree_lab_set(lab, m->bytes, m->byte_count, error);
    case SCREE_LAB_GRAVITY:
        scree_lab_keep_undo(lab, client, m->kind, true);
        return answer(lab, scree_world_set_gravity(lab->world, m->number), error);
    case SCREE_LAB_DT:
        return set_dt(lab, m->number[0], error);
    case SCREE_LAB_FRICTION:
        return set_friction(lab, m->number[0], error);
    case SCREE_LAB_ENERGY_BALANCE:
        return set_energy_balance(lab, m->whole[0] != 0, error);
    case SCREE_LAB_THREADS:
        return set_threads(lab, m->whole[0], error);
    case SCREE_LAB_DAMPING:
        return answer(lab, scree_world_set_damping(lab->world, m->number[0], m->number[1]), error);
    case SCREE_LAB_METHOD:
        return set_method(lab, m, error);
    case SCREE_LAB_FIELD:
        return set_field(lab, m->whole[0], error);
    case SCREE_LAB_POUR:
        scree_lab_keep_undo(lab, client, m->kind, true);
        return scree_lab_pour(lab, m, error);
    case SCREE_LAB_GRAB:
        return scree_lab_grab(lab, client, m, error);
    case SCREE_LAB_PULL:
        scree_lab_move_hand(lab, client, m);
        return SCREE_OK;
    case SCREE_LAB_RELEASE:
        if (lab->grip.client == client)
            scree_lab_let_go(lab);
        return SCREE_OK;
    case SCREE_LAB_DELETE:
        scree_lab_keep_undo(lab, client, m->kind, true);
        return scree_lab_delete(lab, m, error);
    case SCREE_LAB_REGION:
        scree_lab_find(lab, client, m);
        return SCREE_OK;
    case SCREE_LAB_CLEAR:
        scree_lab_keep_undo(lab, client, m->kind, false);
        return scree_lab_clear(lab, m, error);
    case SCREE_LAB_RACE:
        scree_lab_race(lab);
        return SCREE_OK;
    case SCREE_LAB_SAVE:
        return scree_lab_save(lab, client, error);
    case SCREE_LAB_LOAD:
        return scree_lab_load(lab, m->bytes, m->byte_count, error);
    case SCREE_LAB_MARGIN:
        return set_margin(lab, m->whole[0], m->number[0], error);
    case SCREE_LAB_OVERLAY:
        return set_overlay(lab, m->whole[0], m->whole[1]);
    case SCREE_LAB_UNDO:
        scree_lab_let_go(lab);
        return scree_lab_undo(lab, error);
    case SCREE_LAB_BALL:
        return scree_lab_ball(lab, client, m, error);
    case SCREE_LAB_EXPLODE:
        scree_lab_keep_undo(lab, client, m->kind, false);
        return cancel_if(lab, scree_lab_explode(lab, m, error));
    case SCREE_LAB_CUT:
        scree_lab_keep_undo(lab, client, m->kind, true);
        scree_lab_cut(lab, m);
        return SCREE_OK;
    case SCREE_LAB_WALL:
        scree_lab_keep_undo(lab, client, m->kind, false);
        return cancel_if(lab, scree_lab_draw_wall(lab, m, error));
    default: /* the server handles SCREE_LAB_READY */
        return SCREE_OK;
    }
}

/*  A paused drag has a copy of the world, which is then out of date. */
static bool may_change_world(scree_lab_kind kind)
{
    return kind != SCREE_LAB_PULL && kind != SCREE_LAB_FIELD && kind != SCREE_LAB_REGION &&
           kind != SCREE_LAB_OVERLAY && kind != SCREE_LAB_SPEED && kind != SCREE_LAB_SAVE &&
           kind != SCREE_LAB_PARTS_OF;
}

void scree_lab_act(scree_lab *lab, uint32_t client, const scree_lab_message *message)
{
    scree_error error = {SCREE_OK, ""};

    if (may_change_world(message->kind))
        scree_lab_end_paused_drag(lab);
    if (obey(lab, client, message, &error))
        scree_lab_say(lab, true, "%s", error.text);
    lab->is_untold = true;
}
