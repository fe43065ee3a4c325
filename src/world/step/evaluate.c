/*  Evaluates all forces of a state, stage by stage, and undoes it. Everything is written to second copies, to new
    contact history and to force records, so a failure leaves the state before unchanged. */
#include "world/step/evaluate.h"

#include "base/clock.h"
#include "world/boundaries/cell_motion.h"
#include "world/boundaries/wall_motion.h"
#include "world/boundaries/wall_servo.h"
#include "world/collide/sphere_walls.h"
#include "world/forces/contact_sums.h"
#include "world/forces/plane_forces.h"
#include "world/forces/shape_forces.h"
#include "world/forces/sphere_forces.h"
#include "world/forces/sum_forces.h"
#include "world/forces/wall_forces.h"
#include "world/motion/integrate.h"
#include "world/search/neighbours.h"
#include "world/search/wall_neighbours.h"
#include "world/search/way_kernels.h"
#include "world/step/ambient_step.h"
#include "world/step/audit.h"
#include "world/step/coarse_places.h"
#include "world/step/crossings.h"
#include "world/step/diagnose.h"
#include "world/step/energy_balance.h"
#include "world/step/force_sink.h"
#include "world/step/late_contacts.h"
#include "world/step/room_data.h"
#include "world/step/step_hooks.h"
#include "world/step/time_step.h"
#include "world/step/world_data.h"
#include "world/step/world_detector.h"

#include <inttypes.h>

void scree_world_end_phase(scree_world *world, double *phase)
{
    if (world->lap == 0)
        return;
    double now = scree_clock_seconds();
    *phase += now - world->lap;
    world->lap = now;
}

/*  Which pairs joints keep from touching. If joints have changed, walls are searched again; scree_joints_changed has
    asked for the search for pairs. */
static scree_status find_apart(scree_world *world)
{
    if (!world->joints.sets_are_stale)
        return SCREE_OK;
    scree_wall_contacts_renew_all(&world->wall_contacts, world->bodies.count);
    return scree_joints_find_apart(&world->joints, &world->memory)
               ? scree_fail(&world->error, SCREE_OUT_OF_MEMORY,
                            "world: pairs that joints part: out of memory")
               : SCREE_OK;
}

scree_status scree_world_find_neighbours(scree_world *world, double dt)
{
    scree_search_outcome search;
    scree_status status = scree_world_follow_sleep(world);

    if (!status)
        status = find_apart(world);
    if (status)
        return status;
    const scree_step step = scree_world_this_step(world, dt);
    const scree_search_job job = scree_world_search_job(world, &step);
    const scree_wall_contact_job wall_contacts = scree_world_wall_contact_job(world, &step);
    status = scree_search_bodies(&job, &search);
    if (search.has_refused)
        return scree_world_diagnose_position(world, status);
    if (!status && search.may_be_late)
        status = scree_world_count_late(world);
    if (!status && world->list_is_new)
        scree_world_look_at_places(world);
    if (!status && world->wants_index)
        scree_contact_list_index(&world->pairs, &world->bodies);
    if (!status)
        status = scree_wall_contacts_search(&wall_contacts, search.dt,
                                            &world->detection_stats.wall_rebuilds);
    return status;
}

void scree_world_follow_bodies(scree_world *world, const double (*before)[4], uint32_t begin,
                               uint32_t end)
{
    if (world->walls.count)
        (void)scree_way_kernels[world->simd](&world->bodies, before, &world->wall_contacts.search,
                                             begin, end);
}

void scree_world_move_bodies(scree_world *world, double dt)
{
    const scree_step step = scree_world_this_step(world, dt);
    const scree_motion_job motion = scree_world_motion_job(world, &step);

    scree_bodies_drift(&motion);
}

void scree_world_finish(scree_world *world, double dt)
{
    const scree_step step = scree_world_this_step(world, dt);
    const scree_motion_job motion = scree_world_motion_job(world, &step);

    scree_bodies_finish(&motion);
}

/*  Calls the host's force function, and records its energy. */
static scree_status ask_host(scree_world *world, double time)
{
    scree_bodies_view view = scree_bodies_view_of(&world->bodies);
    scree_force_sink sink = {
        .bodies = &world->bodies, .step = world->clock.steps + 1, .error = &world->error};

    scree_energy_balance_before_host(world);
    world->host_is_asked = true;
    scree_status status = world->force(&sink, &view, time, world->force_user);
    world->host_is_asked = false;
    if (sink.status)
        return sink.status;
    if (status)
        return scree_fail(&world->error, status,
                          "world: step %" PRIu64 ": the host's force function: %s",
                          world->clock.steps + 1, scree_status_name(status));
    scree_energy_balance_after_host(world);
    return SCREE_OK;
}

/*  Whether force records must be stored: for hosts, which can read them only after the last step of a call, and for
    stages of the step that use them. */
static bool rows_are_wanted(const scree_world *world)
{
    return world->host_may_read || world->def.events || world->sleep.is_on ||
           world->cell.drive.is_on || (world->def.energy_balance && world->cell.is_moving) ||
           scree_integrator_is_implicit(world->def.step.integrator) || world->def.step.local_steps;
}

/*  Force records of walls are also needed by servo walls, free walls and walls that wear. */
static void put_rows_down(scree_world *world, bool are_wanted)
{
    bool is_asked = world->wants_wall_stiffness || world->def.energy_balance;

    for (size_t w = 0; w < world->walls.count; w++)
        is_asked |= world->walls.wall[w].is_free || world->walls.wall[w].wear.rows;
    world->contacts.has_rows = are_wanted;
    world->wall_contacts.has_rows = are_wanted || is_asked;
}

/*  Evaluates the known contacts again. */
static scree_status repeat_forces(scree_world *world, double dt)
{
    const scree_step step = scree_world_this_step(world, dt);
    const scree_pair_job pairs = scree_world_pair_job(world, &step);
    const scree_force_job forces = scree_world_force_job(world, &step);
    const scree_joint_job joints = scree_world_joint_job(world, &step);
    scree_status status = scree_pair_forces(&pairs);

    if (!status)
        status = scree_wall_contacts_forces(&forces, &world->wall_contacts);
    if (!status)
        status = scree_shape_forces(&forces, &world->cell, &world->shape_contacts);
    if (!status)
        status = scree_joint_forces(&joints);
    return status;
}

/*  Adds words while sums do not fit. A step in place cannot evaluate its contacts again. */
static scree_status fit_sums(scree_world *world, const scree_sum_job *sums)
{
    scree_status status = SCREE_OK;

    if (world->in_place)
        return scree_contact_sums_fit(sums) ? SCREE_OK : SCREE_TOO_LARGE;
    while (!status && !scree_contact_sums_fit(sums)) {
        status = scree_contact_sums_widen(sums);
        if (!status)
            status = repeat_forces(world, sums->step->dt);
    }
    return status;
}

/*  A sum is not finite. Restores the positions at which forces were evaluated, and evaluates them again with
    records. */
static scree_status refuse_forces(scree_world *world, const scree_sum_job *sums)
{
    const double dt = sums->step->dt;
    scree_status status = SCREE_OK;

    if (world->in_place)
        return SCREE_BAD_VALUE;
    if (!world->contacts.has_rows) {
        scree_world_move_bodies(world, dt);
        put_rows_down(world, true);
        status = scree_contact_sums_begin(sums);
        if (!status)
            status = repeat_forces(world, dt);
        if (!status)
            status = fit_sums(world, sums);
        if (!status)
            (void)scree_sums_gather(sums, false);
    }
    return status ? status : scree_world_diagnose_force(world);
}

/*  Forces of contacts, gravity and loads. If no other stage needs the bodies, also finishes the step. SCREE_BAD_VALUE if
    a sum is not finite, with body and contact. */
static scree_status sum_forces(scree_world *world, const scree_sum_job *sums)
{
    world->is_finished = sums->step->dt > 0 && !world->force &&
                         !scree_ambient_is_on(&world->ambient) &&
                         scree_bodies_may_finish_early(&world->def, &world->bodies, &world->sleep);
    return scree_sums_gather(sums, world->is_finished) ? SCREE_OK : refuse_forces(world, sums);
}

/*  Further forces, which need the sums of the first: the host's function, the fluid, force fields, damping. */
static scree_status add_forces(scree_world *world, double time, const scree_sum_job *sums)
{
    const bool has_damping = world->def.global_damping != 0 || world->def.local_damping != 0;
    scree_status status = SCREE_OK;

    if (world->force && (world->bodies.count || sums->step->add))
        status = ask_host(world, time);
    if (!status)
        status = scree_world_ambient_push(world, sums->step);
    if (!status && (has_damping || world->force) && !scree_sums_damp(sums))
        status = scree_world_diagnose_force(world);
    return status;
}

/*  Reserves what further forces need, and lets ranks agree where these need the bodies of all. */
static scree_status meet_halfway(scree_world *world, scree_status status)
{
    const scree_step_hooks *hooks = world->hooks;

    if (!status)
        status = scree_world_ambient_reserve(world);
    if (!status && world->force)
        status = scree_energy_balance_reserve_for_host(world);
    return hooks && hooks->halfway && (world->force || scree_world_sums_volumes(world))
               ? hooks->halfway(hooks->user, world, status)
               : status;
}

/*  Contacts of spheres with walls, and their forces. */
static scree_status press_walls(scree_world *world, const scree_step *step)
{
    const scree_force_job forces = scree_world_force_job(world, step);
    scree_wall_contact_job wall_contacts = scree_world_wall_contact_job(world, step);
    scree_status status;

    if (world->wall_contacts.planes.is_on)
        return scree_planes_press(&forces, &world->wall_contacts.planes,
                                  &world->wall_contact_count);
    status = scree_wall_contacts_evaluate(&wall_contacts);
    if (!status)
        status = scree_wall_contacts_forces(&forces, &world->wall_contacts);
    world->wall_contact_count = world->wall_contacts.next.count;
    return status;
}

static scree_status evaluate(scree_world *world, double time, double dt)
{
    const scree_step step = scree_world_this_step(world, dt);
    scree_shape_job shape_job = scree_world_shape_job(world, &step);
    const scree_sum_job sums = scree_world_sum_job(world, &step);
    scree_timings *timings = &world->timings;

    scree_world_end_phase(world, &timings->other);
    scree_status status = scree_walls_move(&world->walls, time, dt, &world->error);

    if (!status)
        status = scree_strain_advance(&step, &world->cell);
    /* iterates of implicit steps may be anywhere: only the end of the step is tested */
    if (!status)
        status = find_apart(world);
    if (!status && !scree_integrator_is_implicit(world->def.step.integrator))
        status = scree_world_find_crossings(world, dt);
    /* a list that was made before this evaluation is kept by an undo */
    world->list_is_new = false;
    world->wants_stiffness = scree_world_seeks_stable(world) || world->cell.drive.is_on;
    world->wants_wall_stiffness = world->wants_stiffness || scree_servo_is_on(&world->walls);
    put_rows_down(world, rows_are_wanted(world));
    const scree_force_job forces = scree_world_force_job(world, &step);
    world->detection_stats.force_evaluations++;
    if (!status)
        status = scree_world_find_neighbours(world, dt);
    scree_world_end_phase(world, &timings->search);
    if (!status && world->def.detection.audit &&
        (world->clock.steps + 1) % world->def.detection.audit == 0)
        status = scree_world_audit(world);
    scree_world_end_phase(world, &timings->other);
    const scree_pair_job pairs = scree_world_pair_job(world, &step);
    const scree_joint_job joints = scree_world_joint_job(world, &step);
    if (!status)
        status = scree_contact_sums_begin(&sums);
    if (!status)
        status = scree_pair_forces(&pairs);
    scree_world_end_phase(world, &timings->pairs);
    if (!status)
        status = press_walls(world, &step);
    if (!status)
        status = scree_shape_finder_evaluate(&shape_job);
    if (!status)
        status = scree_shape_forces(&forces, &world->cell, &world->shape_contacts);
    if (!status)
        status = scree_joint_forces(&joints);
    scree_world_end_phase(world, &timings->walls);
    if (!status)
        status = fit_sums(world, &sums);
    if (!status)
        status = sum_forces(world, &sums);
    status = meet_halfway(world, status);
    if (!status)
        status = add_forces(world, time, &sums);
    scree_world_end_phase(world, &timings->sums);
    if (!status)
        scree_world_find_stable(world);
    return status;
}

scree_status scree_world_evaluate(scree_world *world, double time, double dt)
{
    const scree_step_hooks *hooks = world->hooks;

    if (!hooks || !hooks->share)
        return evaluate(world, time, dt);
    scree_status status = hooks->share(hooks->user, world);
    if (!status)
        status = evaluate(world, time, dt);
    status = hooks->agree(hooks->user, world, status);
    if (!status)
        scree_world_find_stable_of_walls(world);
    return status;
}

static bool some_wall_moves(const scree_walls *walls)
{
    for (size_t w = 0; w < walls->count; w++)
        if (scree_wall_moves(&walls->wall[w]))
            return true;
    return false;
}

void scree_world_undo_search(scree_world *world)
{
    scree_contact_list kept = world->pairs;

    if (!world->list_is_new)
        return;
    world->pairs = world->spare;
    world->spare = kept;
    world->list_is_new = false;
    world->needs_search = true;
}

void scree_world_step_back(scree_world *world)
{
    /* the search for walls may have used positions that are no longer valid */
    scree_world_follow_bodies(world, (const double(*)[4])world->bodies.position_before, 0,
                              world->bodies.count);
    scree_bodies_swap(&world->bodies);
    world->cell.next = world->cell.now;
    scree_world_undo_search(world);
    world->rows_are_stale = true;
}

void scree_world_undo(scree_world *world)
{
    scree_world_step_back(world);
    /* wall contacts were searched at the poses after the refused step */
    if (some_wall_moves(&world->walls))
        scree_wall_contacts_renew_all(&world->wall_contacts, world->bodies.count);
}
