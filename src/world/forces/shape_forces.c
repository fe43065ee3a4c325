/*  Contact forces of non-spherical bodies: the same contact models, but the contact point may be off the line of
    centres, so each body has its own lever arm and torque. */
#include "world/forces/shape_forces.h"

#include "base/vector.h"
#include "world/contacts/batches.h"
#include "world/forces/contact_sums.h"
#include "world/forces/sphere_forces.h"
#include "world/state/wall_path.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct shape_run
{
    const scree_force_job *job;
    const scree_strain *cell;
    scree_shape_contacts *contacts;
    uint32_t worker;
} shape_run;

/* ---- one contact ---- */

/*  Velocity of a body or wall at the contact, and its angular velocity. */
static void motion_at(const scree_force_job *job, uint32_t slot, uint32_t wall, const double arm[3],
                      const double point[3], double velocity[3], double spin[3])
{
    if (slot == UINT32_MAX) {
        const scree_wall_pose *pose = &job->walls->wall[wall].next;
        scree_wall_velocity_at(pose->position, pose->velocity, pose->spin, point, velocity);
        memcpy(spin, pose->spin, sizeof pose->spin);
        return;
    }
    memcpy(spin, job->bodies->spin[slot], 3 * sizeof *spin);
    scree_cross(spin, arm, velocity);
    for (int k = 0; k < 3; k++)
        velocity[k] += job->bodies->velocity[slot][k];
}

/*  Velocity of the belt that a body rests on; 0 between bodies. */
static void belt_at(const shape_run *run, uint32_t second, uint32_t wall, uint32_t c,
                    double velocity[3])
{
    const scree_shape_contact_list *list = &run->contacts->next;

    if (second == UINT32_MAX)
        scree_wall_belt_at(&run->job->walls->wall[wall], list->point[c], list->normal[c], velocity);
    else
        memset(velocity, 0, 3 * sizeof *velocity);
}

/*  Motion of a contact with a share: see shape_contact_list.h. `apart` is the velocity of the first relative to the second, `roll`
    their relative angular velocity. */
static void put_on_lever(const double *lever, const double apart[3], scree_batch_room *room,
                         uint32_t k)
{
    const double share = lever[3];

    room->overlap[k] = lever[7];
    room->approach[k] *= share;
    for (int a = 0; a < 3; a++) {
        room->approach[k] -= lever[a] * apart[a] + lever[4 + a] * room->roll[a][k];
        room->slide[a][k] *= share;
    }
    for (int a = 0; a < 3; a++)
        room->roll[a][k] *= share;
}

static void fill_shape(const shape_run *run, scree_batch_room *room, uint32_t k, uint32_t c)
{
    const scree_shape_contact_list *list = &run->contacts->next;
    const double *normal = list->normal[c], *arm = list->arm[c];
    double speed[2][3], spin[2][3], image[3], belt[3], twist = 0, approach = 0;
    uint32_t first, second, wall;

    scree_shape_contacts_placed(list, c, &first, &second, &wall);
    motion_at(run->job, first, wall, arm, list->point[c], speed[0], spin[0]);
    motion_at(run->job, second, wall, arm + 4, list->point[c], speed[1], spin[1]);
    if (run->cell->is_moving && second != UINT32_MAX) {
        scree_strain_image_speed(run->cell, run->job->bodies, first, second, image);
        for (int a = 0; a < 3; a++)
            speed[1][a] += image[a];
    }
    for (int a = 0; a < 3; a++) {
        speed[0][a] -= speed[1][a];
        approach += speed[0][a] * normal[a];
        twist += (spin[0][a] + spin[1][a]) * normal[a];
    }
    belt_at(run, second, wall, c, belt);
    room->overlap[k] = list->point[c][3];
    room->approach[k] = approach;
    room->twist[k] = 0.5 * twist;
    for (int a = 0; a < 3; a++) {
        room->normal[a][k] = normal[a];
        room->slide[a][k] = speed[0][a] - approach * normal[a] - belt[a];
        room->roll[a][k] = spin[0][a] - spin[1][a];
    }
    if (list->lever[c][3] > 0)
        put_on_lever(list->lever[c], speed[0], room, k);
    room->radius[k] = list->size[c][0];
    room->mass[k] = list->size[c][1];
    room->arm[0][k] = sqrt(arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2]);
    room->arm[1][k] = sqrt(arm[4] * arm[4] + arm[5] * arm[5] + arm[6] * arm[6]);
    room->contact[k] = c;
}

/*  Work of a wall in dt: force times its velocity at the contact, and moment times its angular velocity. */
static double work_of_wall(const shape_run *run, uint32_t c)
{
    const scree_shape_contact_list *list = &run->contacts->next;
    double surface[3], spin[3], belt[3], power = 0;
    uint32_t first, second, wall;

    scree_shape_contacts_placed(list, c, &first, &second, &wall);
    if (second != UINT32_MAX)
        return 0;
    motion_at(run->job, second, wall, NULL, list->point[c], surface, spin);
    belt_at(run, second, wall, c, belt);
    for (int a = 0; a < 3; a++)
        power += list->row[c][a] * (surface[a] + belt[a]) + list->moment[c][a] * spin[a];
    return power * run->job->step->dt;
}

static void push_shape(const shape_run *run, uint32_t c)
{
    const scree_force_job *job = run->job;
    const scree_shape_contact_list *list = &run->contacts->next;
    const double *row = list->row[c], opposite[3] = {-row[0], -row[1], -row[2]};
    uint32_t first, second, wall;

    scree_shape_contacts_placed(list, c, &first, &second, &wall);
    const scree_quantum quantum =
        second != UINT32_MAX ? scree_pair_quantum(&job->sums->rule, job->bodies, first, second)
                             : scree_wall_quantum(&job->sums->rule, job->bodies, first);
    scree_sums_add(job->sums, run->worker, first, &quantum, row, row + 4);
    if (second != UINT32_MAX)
        scree_sums_add(job->sums, run->worker, second, &quantum, opposite, row + 8);
}

/*  The force on the first, and the moment that it does not explain, of the law's force on a contact with a share. */
static void take_from_lever(const double *lever, const double normal[3], double row[3],
                            double moment[3])
{
    const double share = lever[3], along = -scree_dot(row, normal);

    for (int a = 0; a < 3; a++) {
        row[a] = share * row[a] + along * lever[a];
        moment[a] = share * moment[a] + along * lever[4 + a];
    }
}

static void write_shape_contact(const shape_run *run, const scree_batch_room *room, uint32_t k,
                                const scree_law *law)
{
    scree_shape_contact_list *list = &run->contacts->next;
    uint32_t c = room->contact[k];
    double *row = list->row[c], *moment = list->moment[c], turn[2][3];
    const double *lever = list->lever[c];
    const double share = lever[3];
    /* the share is in the force already */
    const double weight = share > 0 ? list->size[c][2] / (share * share) : list->size[c][2];

    for (int a = 0; a < 3; a++) {
        row[a] = weight * room->force[a][k];
        moment[a] = law->has_moment ? weight * room->moment[a][k] : 0;
    }
    if (share > 0)
        take_from_lever(lever, list->normal[c], row, moment);
    scree_cross(list->arm[c], row, turn[0]);
    scree_cross(list->arm[c] + 4, row, turn[1]);
    for (int a = 0; a < 3; a++) {
        row[4 + a] = turn[0][a] + moment[a];
        row[8 + a] = -turn[1][a] - moment[a];
    }
    row[3] = row[7] = row[11] = moment[3] = 0;
    push_shape(run, c);
    for (uint32_t m = 0; m < list->planes; m++)
        list->history[m][c] = m < law->memory_count ? room->next[m][k] : 0;
    memset(list->account[c], 0, sizeof list->account[c]);
    if (run->job->step->def->energy_balance) {
        list->account[c][0] = weight * room->energy[k];
        for (int loss = 0; loss < SCREE_LOSSES; loss++)
            list->account[c][1 + loss] = weight * room->loss[loss][k];
        list->account[c][4] = work_of_wall(run, c);
    }
}

/*  A normal force also rotates a body if the contact point is off the line of centres. The larger of both
    stiffnesses with the whole lever arm is an upper bound for each axis. */
static void bound_rotation(double *row, double share)
{
    double *about = row + SCREE_ROW_ABOUT, shear = 0.5 * (about[0] + about[1] + about[2]);
    double normal = row[0] + row[1] + row[2] - 2 * shear;

    for (int a = 0; a < 3; a++) {
        row[a] *= share;
        about[a] = share * (shear > normal ? shear : normal);
    }
}

static void write_stiffness(const scree_shape_contact_list *list, const scree_batch *batch,
                            scree_batch_room *room, const scree_rule_slot *slot,
                            scree_stiffness_row *rows)
{
    scree_stiffness_write(batch, room, slot, rows);
    for (uint32_t k = 0; k < batch->count; k++) {
        double share = list->size[room->contact[k]][2];
        bound_rotation(rows[room->contact[k]], share);
        bound_rotation(rows[room->contact[k]] + SCREE_ROW_DASHPOTS, share);
    }
}

/* ---- batches ---- */

static void run_shape_batch(void *data, scree_batch_room *room, const uint32_t *numbers,
                            uint32_t count, const scree_rule_slot *slot)
{
    const shape_run *run = data;
    const scree_step *step = run->job->step;
    scree_shape_contacts *contacts = run->contacts;
    scree_batch batch =
        scree_batch_of_room(step->def, room, count, step->dt, slot->law, run->job->wants_stiffness);

    for (uint32_t k = 0; k < count; k++)
        fill_shape(run, room, k, numbers[k]);
    scree_batch_inherit(room, count, slot->law->memory_count, contacts->next.previous,
                        contacts->now.history, contacts->now.planes);
    scree_batch_begin(step->def, room, count, contacts->next.previous, step->dt);
    scree_batch_pad(room, count);
    if (run->job->wants_stiffness)
        scree_stiffness_await(room);
    slot->force(&batch, slot->constants, slot->user);
    for (uint32_t k = 0; k < count; k++)
        write_shape_contact(run, room, k, slot->law);
    if (run->job->wants_stiffness)
        write_stiffness(&contacts->next, &batch, room, slot, contacts->stiffness);
}

static void run_shape_tile(void *data, size_t tile, uint32_t worker)
{
    shape_run run = *(const shape_run *)data;
    const scree_shape_contact_list *list = &run.contacts->next;

    run.worker = worker;
    scree_batch_list_tile(run.job->step->rules, &run.job->scratch[worker].room, list->slot,
                          list->count, tile, run_shape_batch, &run);
}

/* ---- refusal ---- */

static double skins_of(const scree_force_job *job, uint32_t first, uint32_t second)
{
    const scree_body_arrays *bodies = job->bodies;

    return scree_body_skin(bodies, first) +
           (second != UINT32_MAX ? scree_body_skin(bodies, second) : 0);
}

/*  The overlap limit of a contact: see scree_shape_found. */
static double deepest_of(const scree_force_job *job, const scree_shape_contact_list *list, size_t c,
                         uint32_t first, uint32_t second)
{
    const double least = list->size[c][3], limit = job->step->def->overlap_limit;

    return limit * fabs(least) + (least > 0 ? 0 : skins_of(job, first, second));
}

static bool is_too_deep(const scree_force_job *job, const scree_shape_contact_list *list, size_t c)
{
    uint32_t first, second, wall;
    double overlap = list->point[c][3], deepest;

    scree_shape_contacts_placed(list, c, &first, &second, &wall);
    deepest = deepest_of(job, list, c, first, second);
    return list->size[c][3] != 0 ? overlap > deepest : overlap >= deepest;
}

/*  Reports the first contact that is too deep. */
static scree_status refuse_depth_of_shapes(const scree_force_job *job,
                                           const scree_shape_contact_list *list)
{
    const double limit = job->step->def->overlap_limit;
    const scree_body_arrays *bodies = job->bodies;
    uint32_t first, second, wall;
    char why[160];
    size_t c = 0;

    if (limit == INFINITY)
        return SCREE_OK;
    while (c < list->count && !is_too_deep(job, list, c))
        c++;
    if (c == list->count)
        return SCREE_OK;
    scree_shape_contacts_placed(list, c, &first, &second, &wall);
    double overlap = list->point[c][3], least = list->size[c][3];
    if (least > 0)
        snprintf(why, sizeof why, "%.3g of the smaller radius, the limit is %g", overlap / least,
                 limit);
    else if (least < 0)
        snprintf(
            why, sizeof why,
            "%.3g: surfaces are %.3g of the smaller radius deep in each other, the limit is %g",
            overlap, (overlap - skins_of(job, first, second)) / -least, limit);
    else
        snprintf(
            why, sizeof why,
            "%.3g: the contact skin, %.3g, is used up (a thicker one, a stiffer law or a shorter "
            "step keep surfaces apart)",
            overlap, deepest_of(job, list, c, first, second));
    return scree_fail(
        job->step->error, SCREE_UNSTABLE,
        "world: step %" PRIu64 ": body %" PRIu64 " overlaps %s %" PRIu64 " by %s",
        job->step->number, bodies->serial[first][0], second != UINT32_MAX ? "body" : "wall",
        second != UINT32_MAX ? bodies->serial[second][0] : job->walls->wall[wall].id.index1, why);
}

scree_status scree_shape_forces(const scree_force_job *job, const scree_strain *cell,
                                scree_shape_contacts *contacts)
{
    shape_run run = {job, cell, contacts, 0};
    scree_status status = refuse_depth_of_shapes(job, &contacts->next);

    if (status)
        return status;
    if (job->wants_stiffness &&
        scree_memory_reserve(contacts->memory, &contacts->stiffness, &contacts->stiffness_capacity,
                             contacts->next.count, sizeof *contacts->stiffness))
        return scree_fail(job->step->error, SCREE_OUT_OF_MEMORY, "world: stiffness of solids: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    scree_workers_run(job->step->workers, scree_block_count(contacts->next.count, SCREE_TILE),
                      run_shape_tile, &run);
    return SCREE_OK;
}
