/*  The order of a step, and its undo. Everything before `accept` writes to second copies, to new contact history and
    forces, and to touches_next, so a step that fails leaves the state before it. */
#include "world/step/step.h"

#include "world/boundaries/cell_motion.h"
#include "world/boundaries/cell_servo.h"
#include "world/boundaries/domain_boundary.h"
#include "world/boundaries/free_wall.h"
#include "world/boundaries/wall_servo.h"
#include "world/boundaries/wall_wear.h"
#include "world/contacts/sleep_tiles.h"
#include "world/motion/heat_flow.h"
#include "world/motion/sleep.h"
#include "world/search/sort_bodies.h"
#include "world/step/ambient_step.h"
#include "world/step/body_count.h"
#include "world/step/bond_failures.h"
#include "world/step/energy_balance.h"
#include "world/step/evaluate.h"
#include "world/step/events.h"
#include "world/step/joint_step.h"
#include "world/step/remove_body.h"
#include "world/step/room_data.h"
#include "world/step/step_hooks.h"
#include "world/step/time_step.h"
#include "world/step/world_data.h"

#include <string.h>

static void accept(scree_world *world, double time, double dt)
{
    scree_contact_list_accept(&world->pairs);
    scree_contact_sets_accept(&world->contacts, &world->pairs);
    scree_wall_contacts_accept(&world->wall_contacts);
    scree_shape_contacts_accept(&world->shape_contacts);
    scree_sleep_accept(&world->sleep);
    scree_walls_accept(&world->walls);
    if (world->list_is_new)
        scree_contact_list_drop(&world->spare);
    world->list_is_new = false;
    world->rows_are_stale = !world->contacts.has_rows;
    world->clock.time = time;
    world->clock.steps++;
    world->clock.dt = dt;
    world->clock.stable = world->found_stable;
    world->clock.longest = dt > world->clock.longest ? dt : world->clock.longest;
    world->detection_stats.contacts =
        world->contacts.touching + world->wall_contacts.now.count + world->shape_contacts.now.count;
}

/*  Only memory can run out, on one rank alone. */
static scree_status agree_on_events(scree_world *world, scree_status status)
{
    const scree_step_hooks *hooks = world->hooks;

    return (world->def.events || world->breaks.course.made) && hooks && hooks->agree
               ? hooks->agree(hooks->user, world, status)
               : status;
}

/*  Evaluates forces at the present state, as a step of length 0. */
static scree_status evaluate_here(scree_world *world)
{
    scree_bodies_swap(&world->bodies);
    scree_world_move_bodies(world, 0);
    scree_status status = scree_world_evaluate(world, world->clock.time, 0);
    if (!status)
        status = agree_on_events(world, scree_events_find_parted(world));
    if (status)
        scree_world_undo(world);
    /* separated contacts have been recorded, so the list is not undone */
    world->list_is_new = false;
    return status;
}

/*  Evaluates forces, and keeps nothing else. */
static scree_status prime(scree_world *world)
{
    scree_body_arrays *bodies = &world->bodies;
    scree_status status = evaluate_here(world);

    if (status)
        return status;
    /* even a drift of length 0 may change last bits, such as -0 to 0 */
    scree_bodies_swap(bodies);
    if (bodies->count) {
        memcpy(bodies->force, bodies->force_before, bodies->count * sizeof *bodies->force);
        memcpy(bodies->torque, bodies->torque_before, bodies->count * sizeof *bodies->torque);
    }
    status = scree_energy_balance_find_change(world);
    if (status)
        return status;
    scree_ambient_record_forces(world);
    world->clock.unprimed = 0;
    world->clock.stable = world->found_stable;
    return SCREE_OK;
}

scree_status scree_world_renew_rows(scree_world *world)
{
    scree_status status;

    world->host_may_read = true;
    status = evaluate_here(world);
    if (status)
        return status;
    scree_bodies_swap(&world->bodies);
    world->rows_are_stale = false;
    return SCREE_OK;
}

static bool sort_is_due(const scree_world *world)
{
    return world->def.detection.sort_every != 0 && world->clock.steps >= world->next_sort;
}

/*  Changes slots, so that the detector's indices are out of date. */
static scree_status sort_bodies(scree_world *world)
{
    const scree_step step = scree_world_this_step(world, 0);
    scree_status status;

    if (world->bodies.count < 2)
        return SCREE_OK;
    status = scree_bodies_sort(&step, &world->order, &world->bodies, &world->pairs,
                               &world->wall_contacts);
    world->needs_search |= !status;
    return status;
}

scree_status scree_world_make_ready(scree_world *world, const scree_local_way *local)
{
    const bool was_unprimed = world->clock.unprimed != 0;
    scree_status status = SCREE_OK;

    if (sort_is_due(world)) {
        status = sort_bodies(world);
        if (status)
            return scree_fail(&world->error, status, "world: bodies could not be sorted: %s",
                              scree_status_name(status));
        world->next_sort = world->clock.steps + world->def.detection.sort_every;
    }
    if (world->clock.unprimed ||
        (world->def.step.mode != SCREE_TIME_FIXED && world->clock.stable == 0))
        status = prime(world);
    if (was_unprimed)
        local->drop_parts(world);
    return status;
}

static scree_status prepare(scree_world *world, const scree_local_way *local, double *dt)
{
    scree_status status = scree_world_make_ready(world, local);

    if (!status && scree_integrator_is_implicit(world->def.step.integrator))
        status = scree_picard_reserve(world);
    /* a snapshot may have changed the integrator after meshes were added */
    if (!status && scree_integrator_has_surrogates(world->def.step.integrator))
        status = scree_shape_table_want_trees(&world->shape_finder.meshes, &world->error);
    return status ? status : scree_world_choose_dt(world, dt);
}

/*  With surrogates active sets persist from step to step: a cache, which changes no contact. */
static scree_status evaluate_explicit(scree_world *world, double time, double dt)
{
    scree_shape_cuts *cuts = &world->shape_finder.cuts;

    cuts->is_exact = cuts->dives = cuts->is_on =
        world->shape_finder.meshes.wants_trees && world->def.step.picard.keeps_sets;
    scree_status status = scree_world_evaluate(world, time, dt);
    cuts->is_on = false;
    return status;
}

/*  Moves to the end of the step and evaluates forces. Or the step is too long, and *dt is shorter now. */
static scree_status go(scree_world *world, const scree_local_way *local, double *dt,
                       bool *is_too_long)
{
    const double tried = *dt;
    const scree_error said = world->error;

    *is_too_long = false;
    if (scree_integrator_is_implicit(world->def.step.integrator))
        return scree_world_iterate(world, dt, is_too_long);
    if (world->def.step.local_steps && world->bodies.count)
        return local->go(world, dt, is_too_long);
    scree_bodies_swap(&world->bodies);
    scree_world_move_bodies(world, tried);
    scree_status status = evaluate_explicit(world, world->clock.time + tried, tried);
    *is_too_long = status == SCREE_UNSTABLE && scree_world_shorten_for_crossing(world, dt);
    if (!*is_too_long)
        return status;
    world->error = said;
    world->failed_body = (scree_body_id){0, 0};
    return SCREE_OK;
}

/*  What happens in the step, if it is accepted. */
static scree_status find_events(scree_world *world)
{
    scree_status status = scree_events_find(world);

    if (!status)
        status = scree_breaks_find(world);
    if (!status)
        status = scree_events_find_breaks(world);
    return agree_on_events(world, status);
}

/*  Ranks agree on the flows, and on whether each can accept them. */
static scree_status find_heat(scree_world *world, double dt)
{
    const scree_step step = scree_world_this_step(world, dt);
    const scree_found_contacts contacts = scree_world_found_contacts(world);
    const scree_step_hooks *hooks = world->hooks && world->hooks->agree ? world->hooks : NULL;
    scree_status status;

    if (!world->heat.is_on)
        return SCREE_OK;
    status = scree_heat_find(&step, &contacts, &world->heat);
    if (hooks)
        status = hooks->agree(hooks->user, world, status);
    if (status)
        return status;
    status = scree_heat_check(&step, &contacts, &world->heat);
    return hooks ? hooks->agree(hooks->user, world, status) : status;
}

/*  Moves to the end of the step, and repeats it with a shorter dt as often as it turns out too long. */
static scree_status arrive(scree_world *world, const scree_local_way *local, double *dt)
{
    bool is_too_long = true;
    scree_status status = SCREE_OK;

    world->picard.halvings = 0;
    while (!status && is_too_long) {
        status = go(world, local, dt, &is_too_long);
        if (!status && !is_too_long)
            status = scree_world_shorten(world, dt, &is_too_long);
        if (!status && !is_too_long)
            status = find_events(world);
        if (!status && !is_too_long)
            status = find_heat(world, *dt);
        if (status || is_too_long)
            scree_world_undo(world);
    }
    return status;
}

void scree_world_let_go(scree_world *world)
{
    const scree_boundary_data data = {.def = &world->def,
                                      .cell = &world->cell,
                                      .bodies = &world->bodies,
                                      .wall_contacts = &world->wall_contacts,
                                      .sleep = &world->sleep,
                                      .wraps = &world->wraps,
                                      .needs_search = &world->needs_search,
                                      .wraps_ghosts = world->hooks && world->hooks->share};
    const scree_leaver *leavers;
    size_t count = scree_boundary_apply(&data, &leavers);

    if (count == 0)
        return;
    if (world->hooks && world->hooks->leave) {
        world->hooks->leave(world->hooks->user, count);
        return;
    }
    world->step_is_taken = true;
    scree_world_take_out(world, &leavers->id, sizeof *leavers, count);
    world->step_is_taken = false;
    world->bodies.destroyed += count;
}

scree_status scree_world_take_step(scree_world *world, const scree_local_way *local)
{
    const scree_course before = world->clock;
    double dt = 0;
    scree_status status;
    scree_found_contacts contacts;
    scree_step step;

    world->failed_body = (scree_body_id){0, 0};
    scree_unconverged_clear(&world->picard.unconverged);
    scree_events_clear(world);
    status = scree_world_call_roll(world);
    step = scree_world_this_step(world, dt);
    if (!status)
        status = scree_crossings_reserve(world);
    if (!status)
        status = scree_cell_servo_admit(&step, &world->cell.drive, &world->bodies);
    if (!status)
        status = prepare(world, local, &dt);
    if (status && world->hooks && world->hooks->fail)
        status = world->hooks->fail(world->hooks->user, world, status);
    if (!status)
        status = arrive(world, local, &dt);
    if (status) {
        /* forces are evaluated again, since more may change before the next try */
        world->clock = before;
        return status;
    }
    if (!world->is_finished)
        scree_world_finish(world, dt);
    if (world->def.step.local_steps && world->bodies.count)
        local->book(world);
    scree_energy_balance_record_step(world, dt);
    scree_ambient_record_step(world, dt);
    step = scree_world_this_step(world, dt);
    scree_sleep_decide(&step, &world->sleep, &world->bodies, world->cell.is_moving);
    scree_events_take(world, dt);
    contacts = scree_world_found_contacts(world);
    scree_heat_take_step(&step, &contacts, &world->bodies, &world->walls, &world->heat);
    scree_wear_take_step(&step, &contacts, &world->walls);
    scree_servo_decide(&step, &contacts, &world->walls);
    scree_cell_servo_decide(&step, &contacts, &world->cell);
    scree_free_wall_push(&step, &contacts, &world->walls);
    accept(world, world->clock.time + dt, dt);
    scree_joints_accept(world, dt);
    scree_breaks_accept(world);
    scree_strain_accept(&step, &world->cell, &world->bodies);
    scree_world_let_go(world);
    scree_joints_list_lost(world);
    scree_events_close(world);
    return SCREE_OK;
}
