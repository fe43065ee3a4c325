/*  Forces of contacts with walls: the same laws, with a wall as the second, whose mass is without end. */
#include "world/forces/wall_forces.h"

#include "base/vector.h"
#include "world/contacts/batches.h"
#include "world/forces/contact_sums.h"
#include "world/forces/sphere_forces.h"
#include "world/state/wall_path.h"
#include "world/step/world_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct surface_run
{
    scree_world *world;
    double dt;
    uint32_t worker;
} surface_run;

/*  One contact's place in the room. */
static void fill_contact(const scree_world *world, scree_batch_room *room, uint32_t k, uint32_t c)
{
    const scree_surface_list *list = &world->surfaces.next;
    const scree_crowd *bodies = &world->bodies;
    uint32_t slot = list->body[c][0];
    const scree_wall_pose *wall = &world->walls.wall[list->wall[c][0]].next;
    const double *normal = list->normal[c], *spin = bodies->spin[slot];
    double overlap = list->point[c][3], radius = bodies->position[slot][3];
    double arm = radius - overlap, surface[3], turning[3], speed[3], twist = 0, approach = 0;

    scree_wall_velocity_at(wall->position, wall->velocity, wall->spin, list->point[c], surface);
    scree_cross(spin, normal, turning);
    for (int a = 0; a < 3; a++) {
        speed[a] = bodies->velocity[slot][a] + arm * turning[a] - surface[a];
        approach += speed[a] * normal[a];
        twist += (spin[a] + wall->spin[a]) * normal[a];
    }
    room->overlap[k] = overlap;
    room->approach[k] = approach;
    room->twist[k] = 0.5 * twist;
    for (int a = 0; a < 3; a++) {
        room->normal[a][k] = normal[a];
        room->slide[a][k] = speed[a] - approach * normal[a];
        room->roll[a][k] = spin[a] - wall->spin[a];
    }
    room->radius[k] = radius;
    room->mass[k] = 1 / bodies->velocity[slot][3];
    room->arm[0][k] = arm;
    room->arm[1][k] = 0;
    room->contact[k] = c;
}

/*  What a wall gives to a body in dt: force times its own speed there, and moment times its spin. */
static double work_of_wall(const scree_world *world, uint32_t c, double dt)
{
    const scree_surface_list *list = &world->surfaces.next;
    const scree_wall_pose *wall = &world->walls.wall[list->wall[c][0]].next;
    double surface[3], power = 0;

    scree_wall_velocity_at(wall->position, wall->velocity, wall->spin, list->point[c], surface);
    for (int a = 0; a < 3; a++)
        power += list->row[c][a] * surface[a] + list->moment[c][a] * wall->spin[a];
    return power * dt;
}

static void write_contact(const surface_run *run, const scree_batch_room *room, uint32_t k,
                          const scree_law *law)
{
    scree_surface_list *list = &run->world->surfaces.next;
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
    const scree_quantum quantum = scree_wall_quantum(run->world, list->body[c][0]);
    scree_sums_add(&run->world->sums, run->worker, list->body[c][0], &quantum, row, row + 4);
    for (uint32_t m = 0; m < list->planes; m++)
        list->remembered[m][c] = m < law->memory_count ? room->next[m][k] : 0;
    memset(list->account[c], 0, sizeof list->account[c]);
    if (run->world->def.ledger) {
        list->account[c][0] = room->energy[k];
        for (int loss = 0; loss < SCREE_LOSSES; loss++)
            list->account[c][1 + loss] = room->loss[loss][k];
        list->account[c][4] = work_of_wall(run->world, c, run->dt);
    }
}

static void run_batch(void *data, scree_batch_room *room, const uint32_t *contacts, uint32_t count,
                      const scree_rule_slot *slot)
{
    const surface_run *run = data;
    scree_world *world = run->world;
    scree_batch batch = scree_batch_of_room(&world->def, room, count, run->dt, slot->law,
                                            world->wants_wall_stiffness);

    for (uint32_t k = 0; k < count; k++)
        fill_contact(world, room, k, contacts[k]);
    scree_batch_inherit(room, count, slot->law->memory_count, world->surfaces.next.heir,
                        world->surfaces.now.remembered, world->surfaces.now.planes);
    scree_batch_begin(&world->def, room, count, world->surfaces.next.heir, run->dt);
    scree_batch_pad(room, count);
    if (world->wants_wall_stiffness)
        scree_stiffness_await(room);
    slot->force(&batch, slot->constants, slot->user);
    for (uint32_t k = 0; k < count; k++)
        write_contact(run, room, k, slot->law);
    if (world->wants_wall_stiffness)
        scree_stiffness_write(&batch, room, slot, world->wall_stiffness);
}

static void run_tile(void *data, size_t tile, uint32_t worker)
{
    surface_run run = *(const surface_run *)data;
    const scree_surface_list *list = &run.world->surfaces.next;

    run.worker = worker;
    scree_batch_list_tile(&run.world->rules, &run.world->scratch[worker].room, list->slot,
                          list->count, tile, run_batch, &run);
}

/*  Of contacts that are too deep, the one of the body with the smallest serial. */
static scree_status refuse_depth(scree_world *world)
{
    const scree_surface_list *list = &world->surfaces.next;
    const scree_crowd *bodies = &world->bodies;
    size_t worst = SIZE_MAX;

    for (size_t c = 0; c < list->count; c++) {
        uint32_t slot = list->body[c][0];
        if (list->point[c][3] > world->def.overlap_limit * bodies->position[slot][3] &&
            (worst == SIZE_MAX ||
             bodies->serial[slot][0] < bodies->serial[list->body[worst][0]][0]))
            worst = c;
    }
    if (worst == SIZE_MAX)
        return SCREE_OK;
    uint32_t slot = list->body[worst][0];
    const scree_wall_record *wall = &world->walls.wall[list->wall[worst][0]];
    char facet[32] = "";
    if (wall->def.kind != SCREE_WALL_PLANE)
        (void)snprintf(facet, sizeof facet, " (facet %" PRIu32 ")", list->memory[worst][0].facet);
    return scree_fail(&world->error, SCREE_UNSTABLE,
                      "world: step %" PRIu64 ": body %" PRIu64 " overlaps wall %" PRIu32
                      "%s by %.3g of its radius, the limit is %g",
                      world->clock.steps + 1, bodies->serial[slot][0], wall->id.index1, facet,
                      list->point[worst][3] / bodies->position[slot][3], world->def.overlap_limit);
}

scree_status scree_surfaces_forces(scree_world *world, double dt)
{
    surface_run run = {world, dt, 0};
    scree_status status = refuse_depth(world);

    if (!status && world->wants_wall_stiffness &&
        scree_memory_reserve(&world->memory, &world->wall_stiffness,
                             &world->wall_stiffness_capacity, world->surfaces.next.count,
                             sizeof *world->wall_stiffness))
        status = scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: stiffness of walls: %s",
                            scree_status_name(SCREE_OUT_OF_MEMORY));
    if (!status)
        scree_workers_run(&world->workers,
                          scree_block_count(world->surfaces.next.count, SCREE_TILE), run_tile,
                          &run);
    return status;
}
