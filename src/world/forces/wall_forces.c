/*  Forces of contacts with walls: the same contact models, with a wall of infinite mass as the second body. */
#include "world/forces/wall_forces.h"

#include "base/vector.h"
#include "world/contacts/batches.h"
#include "world/forces/sphere_forces.h"
#include "world/forces/wall_geometry.h"
#include "world/state/wall_path.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct wall_contact_run
{
    const scree_force_job *job;
    scree_wall_contacts *wall_contacts;
    bool has_belts;
    uint32_t worker;
} wall_contact_run;

/*  Work of a wall on a body in dt: force times its velocity at the contact, and moment times its angular velocity. */
static double work_of_wall(const wall_contact_run *run, uint32_t c)
{
    const scree_wall_contact_list *list = &run->wall_contacts->next;
    const scree_wall_record *record = &run->job->walls->wall[list->wall[c][0]];
    const scree_wall_pose *wall = &record->next;
    double surface[3], belt[3], power = 0;

    scree_wall_velocity_at(wall->position, wall->velocity, wall->spin, list->point[c], surface);
    scree_wall_belt_at(record, list->point[c], list->normal[c], belt);
    for (int a = 0; a < 3; a++)
        power += list->row[c][a] * (surface[a] + belt[a]) + list->moment[c][a] * wall->spin[a];
    return power * run->job->step->dt;
}

/*  Writes the force record of a contact, for later readers. */
static void write_row(scree_wall_contact_list *list, const scree_batch_room *room, uint32_t k,
                      const scree_law *law)
{
    uint32_t c = room->contact[k];
    double force[3], normal[3], turn[3], *row = list->row[c];

    for (int a = 0; a < 3; a++) {
        force[a] = room->force[a][k];
        normal[a] = room->normal[a][k];
        list->moment[c][a] = law->has_moment ? room->moment[a][k] : 0;
    }
    list->moment[c][3] = 0;
    scree_cross(normal, force, turn);
    for (int a = 0; a < 3; a++) {
        row[a] = force[a];
        row[4 + a] = room->arm[0][k] * turn[a] + list->moment[c][a];
    }
    row[3] = row[7] = 0;
}

static void write_account(const wall_contact_run *run, const scree_batch_room *room, uint32_t k)
{
    double *account = run->wall_contacts->next.account[room->contact[k]];

    account[0] = room->energy[k];
    for (int loss = 0; loss < SCREE_LOSSES; loss++)
        account[1 + loss] = room->loss[loss][k];
    account[1 + SCREE_LOSSES] = work_of_wall(run, room->contact[k]);
}

static void write_contacts(const wall_contact_run *run, const scree_batch_room *room,
                           uint32_t count, const scree_law *law)
{
    scree_wall_contact_list *list = &run->wall_contacts->next;

    for (uint32_t m = 0; m < list->planes; m++)
        for (uint32_t k = 0; k < count; k++)
            list->history[m][room->contact[k]] = m < law->memory_count ? room->next[m][k] : 0;
    for (uint32_t k = 0; k < count; k++) {
        if (run->wall_contacts->has_rows)
            write_row(list, room, k, law);
        memset(list->account[room->contact[k]], 0, sizeof *list->account);
        if (run->job->step->def->energy_balance)
            write_account(run, room, k);
    }
}

/*  Adds the results of the batch to the sums of bodies. */
static void push_batch(const wall_contact_run *run, const scree_batch_room *room, uint32_t count,
                       const scree_law *law)
{
    const scree_force_job *job = run->job;
    scree_pushes pushes = {.count = count,
                           .first = room->first,
                           .arm = {room->arm[0], room->arm[1]},
                           .mass = room->mass,
                           .radius = room->radius,
                           .rule = job->sums->rule};

    for (int a = 0; a < 3; a++) {
        pushes.force[a] = room->force[a];
        pushes.normal[a] = room->normal[a];
        pushes.moment[a] = law->has_moment ? room->moment[a] : NULL;
    }
    scree_push_kernels[job->step->simd](job->sums, run->worker, &pushes);
}

/*  Past `count` the last contact is repeated, up to a full vector. */
static void fill_room(const wall_contact_run *run, scree_batch_room *room, const uint32_t *contacts,
                      uint32_t count)
{
    const scree_body_arrays *bodies = run->job->bodies;
    const scree_wall_contact_list *list = &run->wall_contacts->next;
    const scree_wall_geometry geometry = {.position = bodies->position[0],
                                          .velocity = bodies->velocity[0],
                                          .spin = bodies->spin[0],
                                          .point = list->point[0],
                                          .normal = list->normal[0],
                                          .body = list->body[0],
                                          .wall = list->wall[0],
                                          .wall_rows = run->wall_contacts->wall_rows[0][0],
                                          .has_belts = run->has_belts};
    uint32_t full = (count + SCREE_ROOM_STEP - 1) / SCREE_ROOM_STEP * SCREE_ROOM_STEP;

    for (uint32_t k = 0; k < full; k++)
        room->contact[k] = contacts[k < count ? k : count - 1];
    scree_wall_geometry_kernels[run->job->step->simd](&geometry, count, room);
    for (uint32_t m = 0; m < SCREE_MAX_MEMORY; m++)
        for (uint32_t k = count; k < full; k++)
            room->memory[m][k] = 0;
}

static void run_batch(void *data, scree_batch_room *room, const uint32_t *contacts, uint32_t count,
                      const scree_rule_slot *slot)
{
    const wall_contact_run *run = data;
    const scree_step *step = run->job->step;
    scree_wall_contacts *wall_contacts = run->wall_contacts;
    scree_batch batch =
        scree_batch_of_room(step->def, room, count, step->dt, slot->law, run->job->wants_stiffness);

    fill_room(run, room, contacts, count);
    scree_batch_inherit(room, count, slot->law->memory_count, wall_contacts->next.previous,
                        wall_contacts->now.history, wall_contacts->now.planes);
    scree_batch_begin(step->def, room, count, wall_contacts->next.previous, step->dt);
    if (run->job->wants_stiffness)
        scree_stiffness_await(room);
    slot->force(&batch, slot->constants, slot->user);
    push_batch(run, room, count, slot->law);
    write_contacts(run, room, count, slot->law);
    if (run->job->wants_stiffness)
        scree_stiffness_write(&batch, room, slot, wall_contacts->stiffness);
}

static void run_tile(void *data, size_t tile, uint32_t worker)
{
    wall_contact_run run = *(const wall_contact_run *)data;
    const scree_wall_contact_list *list = &run.wall_contacts->next;

    run.worker = worker;
    scree_batch_list_tile(run.job->step->rules, &run.job->scratch[worker].room, list->slot,
                          list->count, tile, run_batch, &run);
}

/*  Of contacts that are too deep, reports that of the body with the smallest global id. */
static scree_status refuse_depth(const scree_force_job *job, const scree_wall_contact_list *list)
{
    const double limit = job->step->def->overlap_limit;
    const scree_body_arrays *bodies = job->bodies;
    size_t worst = SIZE_MAX;

    for (size_t c = 0; c < list->count; c++) {
        uint32_t slot = list->body[c][0];
        if (list->point[c][3] > limit * bodies->position[slot][3] &&
            (worst == SIZE_MAX ||
             bodies->serial[slot][0] < bodies->serial[list->body[worst][0]][0]))
            worst = c;
    }
    if (worst == SIZE_MAX)
        return SCREE_OK;
    uint32_t slot = list->body[worst][0];
    const scree_wall_record *wall = &job->walls->wall[list->wall[worst][0]];
    char facet[32] = "";
    if (wall->def.kind != SCREE_WALL_PLANE)
        (void)snprintf(facet, sizeof facet, " (facet %" PRIu32 ")", list->memory[worst][0].facet);
    return scree_fail(job->step->error, SCREE_UNSTABLE,
                      "world: step %" PRIu64 ": body %" PRIu64 " overlaps wall %" PRIu32
                      "%s by %.3g of its radius, the limit is %g",
                      job->step->number, bodies->serial[slot][0], wall->id.index1, facet,
                      list->point[worst][3] / bodies->position[slot][3], limit);
}

/*  Positions and velocities of walls and belts as rows. */
static void write_wall_rows(const scree_walls *walls, double (*rows)[SCREE_WALL_ROWS][4])
{
    for (size_t w = 0; w < walls->count; w++) {
        const scree_wall_pose *pose = &walls->wall[w].next;
        memset(rows[w], 0, sizeof *rows);
        memcpy(rows[w][0], pose->position, sizeof pose->position);
        memcpy(rows[w][1], pose->velocity, sizeof pose->velocity);
        memcpy(rows[w][2], pose->spin, sizeof pose->spin);
        scree_wall_belt_motion(&walls->wall[w], rows[w][3], rows[w][4]);
    }
}

static scree_status reserve(const scree_force_job *job, scree_wall_contacts *wall_contacts)
{
    scree_memory *memory = job->step->memory;

    if (scree_memory_reserve(memory, &wall_contacts->wall_rows, &wall_contacts->wall_row_capacity,
                             job->walls->count, sizeof *wall_contacts->wall_rows))
        return SCREE_OUT_OF_MEMORY;
    if (!job->wants_stiffness)
        return SCREE_OK;
    return scree_memory_reserve(memory, &wall_contacts->stiffness,
                                &wall_contacts->stiffness_capacity, wall_contacts->next.count,
                                sizeof *wall_contacts->stiffness);
}

scree_status scree_wall_contacts_forces(const scree_force_job *job,
                                        scree_wall_contacts *wall_contacts)
{
    wall_contact_run run = {.job = job,
                            .wall_contacts = wall_contacts,
                            .has_belts = scree_walls_have_belts(job->walls)};
    scree_status status = refuse_depth(job, &wall_contacts->next);

    if (status || wall_contacts->next.count == 0)
        return status;
    if (reserve(job, wall_contacts))
        return scree_fail(job->step->error, SCREE_OUT_OF_MEMORY, "world: forces of walls: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    write_wall_rows(job->walls, wall_contacts->wall_rows);
    scree_workers_run(job->step->workers, scree_block_count(wall_contacts->next.count, SCREE_TILE),
                      run_tile, &run);
    return SCREE_OK;
}
