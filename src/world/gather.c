/*  What all its contacts come to for each body. A sum's order is that of the partners' serial numbers, then
    walls in their order: it does not depend on who computed what, nor on where bodies lie in memory. Sums
    begin at +0, so that a candidate that does not touch, whose row is zero, leaves no trace. */
#include "world/body_kernels.h"
#include "world/ledger.h"
#include "world/pair_forces.h"

#include "world/turn.h"

#include <inttypes.h>
#include <math.h>

#define BODIES_PER_BLOCK 1024u

/*  Zero times a finite number is zero. */
static bool is_sound(const double force[3], const double torque[3])
{
    double probe =
        0 * force[0] + 0 * force[1] + 0 * force[2] + 0 * torque[0] + 0 * torque[1] + 0 * torque[2];
    return probe == 0;
}

static void note_unsound(const scree_world *world, scree_force_scratch *scratch, uint32_t slot)
{
    if (world->bodies.serial[slot][0] < scratch->unsound_serial) {
        scratch->unsound_serial = world->bodies.serial[slot][0];
        scratch->unsound = slot;
    }
}

static void sum_block(void *data, size_t block, uint32_t worker)
{
    const scree_sum_run *run = data;
    scree_world *world = run->world;
    const scree_crowd *bodies = &world->bodies;
    uint32_t begin = (uint32_t)(block * BODIES_PER_BLOCK);
    uint32_t end = (uint32_t)scree_block_end(block, BODIES_PER_BLOCK, bodies->count);

    if (scree_sum_kernels[world->simd](run, begin, end))
        return;
    for (uint32_t slot = begin; slot < end; slot++)
        if (!is_sound(bodies->force[slot], bodies->torque[slot]))
            note_unsound(world, &world->scratch[worker], slot);
}

/* ---- damping ---- */

/*  Global: a drag in proportion to momentum. Local (Cundall 1987): a share of the resultant, against the
    motion. */
static void damp_block(void *data, size_t block, uint32_t worker)
{
    scree_world *world = data;
    scree_crowd *bodies = &world->bodies;
    double drag = world->def.global_damping, share = world->def.local_damping;
    size_t end = scree_block_end(block, BODIES_PER_BLOCK, bodies->count);

    for (uint32_t slot = (uint32_t)(block * BODIES_PER_BLOCK); slot < end; slot++) {
        double *force = bodies->force[slot], *torque = bodies->torque[slot];
        const double *velocity = bodies->velocity[slot], *spin = bodies->spin[slot];
        double mass = bodies->inertia[slot][3], moment[3];
        scree_body_momentum(bodies, slot, moment);
        for (int k = 0; k < 3; k++) {
            force[k] -= share * copysign(fabs(force[k]), velocity[k]) * (velocity[k] != 0);
            force[k] -= drag * mass * velocity[k];
            torque[k] -= share * copysign(fabs(torque[k]), spin[k]) * (spin[k] != 0);
            torque[k] -= drag * moment[k];
        }
        if (!is_sound(force, torque))
            note_unsound(world, &world->scratch[worker], slot);
    }
}

/* ---- refusal ---- */

static bool row_is_sound(const double row[8])
{
    return is_sound(row, row + 4);
}

/*  `kind` and `number` say whom the body touches. */
static scree_status blame_contact(scree_world *world, uint64_t serial, const char *kind,
                                  uint64_t number, uint32_t rule_slot)
{
    scree_error why;

    if (scree_rules_explain(&world->rules, rule_slot, &why))
        return scree_fail(&world->error, SCREE_BAD_VALUE,
                          "world: step %" PRIu64 ": body %" PRIu64 " touches %s %" PRIu64 ": %s",
                          world->clock.steps + 1, serial, kind, number, why.text);
    return scree_fail(&world->error, SCREE_BAD_VALUE,
                      "world: step %" PRIu64 ": body %" PRIu64
                      ": the force of its contact with %s %" PRIu64 " is not finite (law %s)",
                      world->clock.steps + 1, serial, kind, number,
                      world->rules.slots[rule_slot].law->name);
}

/*  Which contact of the body is to blame. */
static scree_status blame(scree_world *world, uint32_t slot)
{
    const scree_crowd *bodies = &world->bodies;
    const scree_contact_list *list = &world->pairs;
    const scree_contact_sets *sets = &world->contacts;
    const scree_surface_list *walls = &world->surfaces.next;
    uint64_t serial = bodies->serial[slot][0];

    for (uint32_t e = list->begin[slot]; e < list->end[slot]; e++) {
        uint32_t c = list->entry[e] >> 1;
        uint32_t partner = list->entry[e] & 1 ? list->first[c][0] : list->second[c][0];
        uint32_t number = list->number_next[c][0];
        if (!row_is_sound(sets->row[number]) ||
            (sets->has_moments && !is_sound(sets->moment[number], sets->moment[number])))
            return blame_contact(world, serial, "body", bodies->serial[partner][0],
                                 sets->next.slot[number - 1]);
    }
    for (uint32_t c = walls->count ? walls->begin[slot] : 0; walls->count && c < walls->end[slot];
         c++) {
        if (!row_is_sound(walls->row[c]))
            return blame_contact(world, serial, "wall",
                                 world->walls.wall[walls->wall[c][0]].id.index1, walls->slot[c][0]);
    }
    return scree_fail(&world->error, SCREE_BAD_VALUE,
                      "world: step %" PRIu64 ": body %" PRIu64
                      ": the sum of its forces is not finite",
                      world->clock.steps + 1, serial);
}

static scree_status refuse_unsound(scree_world *world)
{
    const scree_force_scratch *worst = &world->scratch[0];

    for (uint32_t w = 1; w < world->workers.count; w++)
        if (world->scratch[w].unsound_serial < worst->unsound_serial)
            worst = &world->scratch[w];
    return worst->unsound_serial == UINT64_MAX ? SCREE_OK : blame(world, worst->unsound);
}

scree_status scree_world_gather(scree_world *world, double time, double dt)
{
    size_t blocks = scree_block_count(world->bodies.count, BODIES_PER_BLOCK);
    bool has_damping = world->def.global_damping != 0 || world->def.local_damping != 0;
    scree_sum_run run = {world, dt > 0 && scree_world_may_finish_early(world), dt / 2};
    scree_status status = SCREE_OK;

    for (uint32_t w = 0; w < world->workers.count; w++)
        world->scratch[w].unsound_serial = UINT64_MAX;
    world->is_finished = run.finishes;
    scree_workers_run(&world->workers, blocks, sum_block, &run);
    status = refuse_unsound(world);
    if (status)
        return status;
    if (world->force && world->bodies.count) {
        scree_bodies_view view = scree_world_bodies(world);
        status = scree_ledger_before_host(world);
        if (status)
            return status;
        status =
            world->force(&view, time, world->bodies.force, world->bodies.torque, world->force_user);
        if (status)
            return scree_fail(&world->error, status,
                              "world: step %" PRIu64 ": the host's force function: %s",
                              world->clock.steps + 1, scree_status_name(status));
        scree_ledger_after_host(world);
    }
    if (has_damping || world->force)
        scree_workers_run(&world->workers, blocks, damp_block, world);
    return refuse_unsound(world);
}
