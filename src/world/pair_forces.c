/*  Contacts of bodies, from candidates to rows of force: which touch, their geometry, the law, the rows. Tiles
    of candidates go to whichever worker is free; each writes only what belongs to its candidates. */
#include "world/pair_forces.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

scree_batch scree_batch_of_room(const scree_world *world, scree_batch_room *room, uint32_t count,
                                double dt, const scree_law *law, bool wants_stiffness)
{
    /* Verlet's bodies moved with velocities of the middle of the step, Euler's with those of its end */
    double ahead = world->def.stepper == SCREE_VELOCITY_VERLET ? dt / 2 : 0;
    scree_batch batch = {
        .count = count,
        .dt = dt - ahead,
        .ahead = ahead,
        .overlap = room->overlap,
        .normal = {room->normal[0], room->normal[1], room->normal[2]},
        .approach = room->approach,
        .slide = {room->slide[0], room->slide[1], room->slide[2]},
        .roll = {room->roll[0], room->roll[1], room->roll[2]},
        .twist = room->twist,
        .radius = room->radius,
        .mass = room->mass,
        .force = {room->force[0], room->force[1], room->force[2]},
    };
    for (uint32_t k = 0; k < law->memory_count; k++) {
        batch.memory[k] = room->memory[k];
        batch.next[k] = room->next[k];
    }
    for (int k = 0; law->has_moment && k < 3; k++)
        batch.moment[k] = room->moment[k];
    for (int k = 0; world->def.ledger && k < SCREE_LOSSES; k++)
        batch.loss[k] = room->loss[k];
    batch.energy = world->def.ledger ? room->energy : NULL;
    batch.stiffness = wants_stiffness ? room->stiffness : NULL;
    batch.shear_stiffness = wants_stiffness ? room->shear_stiffness : NULL;
    return batch;
}

typedef struct evaluation
{
    scree_world *world;
    scree_geometry geometry;
    double dt;
    bool is_survey; /* stiffness alone */
} evaluation;

/* ---- one batch: all of one slot of the table of laws ---- */

/*  The room's numbers of candidates, and what they remember; past the last one, the last one again. */
static void fill_room(const scree_contact_list *list, scree_batch_room *room,
                      const uint32_t *candidates, uint32_t count, uint32_t planes)
{
    uint32_t full = (count + 7) & ~7u;

    for (uint32_t k = 0; k < full; k++) {
        uint32_t c = candidates[k < count ? k : count - 1];
        room->candidate[k] = c;
        room->first[k] = 4 * list->first[c][0];
        room->second[k] = 4 * list->second[c][0];
        double lasts = list->touches[c][0];
        for (uint32_t m = 0; m < planes; m++)
            room->memory[m][k] = lasts != 0 ? list->remembered[m][c] : 0;
    }
}

static void write_rows(scree_contact_list *list, const scree_batch_room *room, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        double *row = list->row[room->candidate[k]];
        double fx = room->force[0][k], fy = room->force[1][k], fz = room->force[2][k];
        double nx = room->normal[0][k], ny = room->normal[1][k], nz = room->normal[2][k];
        row[0] = fx;
        row[1] = fy;
        row[2] = fz;
        row[3] = room->arm[0][k];
        row[4] = ny * fz - nz * fy;
        row[5] = nz * fx - nx * fz;
        row[6] = nx * fy - ny * fx;
        row[7] = room->arm[1][k];
    }
}

static void write_rest(scree_contact_list *list, const scree_batch_room *room, const scree_law *law,
                       uint32_t count)
{
    for (uint32_t m = 0; m < law->memory_count; m++)
        for (uint32_t k = 0; k < count; k++)
            list->next[m][room->candidate[k]] = room->next[m][k];
    for (uint32_t m = law->memory_count; m < list->planes; m++)
        for (uint32_t k = 0; k < count; k++)
            list->next[m][room->candidate[k]] = 0;
    for (uint32_t k = 0; list->has_moments && k < count; k++)
        for (int axis = 0; axis < 3; axis++)
            list->moment[room->candidate[k]][axis] = law->has_moment ? room->moment[axis][k] : 0;
    for (uint32_t k = 0; list->has_account && k < count; k++) {
        double *account = list->account[room->candidate[k]];
        account[0] = room->energy[k];
        for (int loss = 0; loss < SCREE_LOSSES; loss++)
            account[1 + loss] = room->loss[loss][k];
    }
}

/*  Of contacts that are too deep, the first by serials: the same one whoever worked on it. */
static bool comes_before(const scree_world *world, uint32_t candidate, uint32_t other)
{
    const scree_contact_list *list = &world->pairs;
    uint64_t(*serial)[1] = world->bodies.serial;
    uint64_t first = serial[list->first[candidate][0]][0];
    uint64_t other_first = serial[list->first[other][0]][0];

    if (first != other_first)
        return first < other_first;
    return serial[list->second[candidate][0]][0] < serial[list->second[other][0]][0];
}

static void note_depth(const scree_world *world, scree_force_scratch *scratch, uint32_t count)
{
    const scree_batch_room *room = &scratch->room;
    double deepest = 0;

    for (uint32_t k = 0; k < count; k++)
        deepest = room->depth[k] > deepest ? room->depth[k] : deepest;
    if (!(deepest > world->def.overlap_limit))
        return;
    for (uint32_t k = 0; k < count; k++) {
        if (room->depth[k] > world->def.overlap_limit &&
            (scratch->too_deep == UINT32_MAX ||
             comes_before(world, room->candidate[k], scratch->too_deep))) {
            scratch->too_deep = room->candidate[k];
            scratch->depth = room->depth[k];
        }
    }
}

static void run_batch(const evaluation *run, scree_force_scratch *scratch,
                      const uint32_t *candidates, uint32_t count, const scree_rule_slot *slot)
{
    scree_world *world = run->world;
    scree_batch_room *room = &scratch->room;
    scree_batch batch =
        scree_batch_of_room(world, room, count, run->dt, slot->law, world->wants_stiffness);

    fill_room(&world->pairs, room, candidates, count, slot->law->memory_count);
    scree_geometry_kernels[world->simd](&run->geometry, count, room);
    if (world->wants_stiffness)
        scree_stiffness_await(room);
    slot->force(&batch, slot->constants, slot->user);
    if (!run->is_survey) {
        note_depth(world, scratch, count);
        write_rows(&world->pairs, room, count);
        write_rest(&world->pairs, room, slot->law, count);
    }
    if (world->wants_stiffness)
        scree_stiffness_write(&batch, room, slot, world->stiffness);
}

/* ---- one tile ---- */

/*  Rows of what has parted become zero. `touching` are those of begin .. end - 1 that touch, ascending. */
static void mark_touching(scree_contact_list *list, size_t begin, size_t end,
                          const uint32_t *touching, uint32_t count)
{
    uint32_t next = 0;

    for (size_t c = begin; c < end; c++) {
        bool touches = next < count && touching[next] == c;
        next += touches;
        if (!touches && list->touches_next[c][0]) {
            memset(list->row[c], 0, sizeof list->row[c]);
            if (list->has_moments)
                memset(list->moment[c], 0, sizeof list->moment[c]);
            if (list->has_account)
                memset(list->account[c], 0, sizeof list->account[c]);
        }
        list->touches_next[c][0] = touches;
    }
}

/*  Takes out those that lie beyond the reach of their own law: the test was made with the greatest. */
static uint32_t keep_within_reach(const evaluation *run, uint32_t *touching, uint32_t count)
{
    const scree_world *world = run->world;
    const scree_contact_list *list = &world->pairs;
    scree_geometry geometry = run->geometry;
    uint32_t kept = 0, found;

    for (uint32_t k = 0; k < count; k++) {
        uint32_t c = touching[k], one[9];
        const scree_law *law = world->rules.slots[list->slot[c][0]].law;
        geometry.reach = law->reach;
        found = scree_touch_kernels[SCREE_SIMD_SCALAR](&geometry, c, (size_t)c + 1, one);
        touching[kept] = c;
        kept += found;
    }
    return kept;
}

/*  Takes the candidates of one slot to the front; returns how many. Those that stay behind keep their order. */
static uint32_t part_by_slot(const scree_contact_list *list, uint32_t *touching, uint32_t count,
                             uint32_t *room)
{
    uint32_t slot = list->slot[touching[0]][0], alike = 0, others = 0;

    for (uint32_t k = 0; k < count; k++) {
        if (list->slot[touching[k]][0] == slot)
            touching[alike++] = touching[k];
        else
            room[others++] = touching[k];
    }
    memcpy(touching + alike, room, others * sizeof *room);
    return alike;
}

static void run_tile(void *data, size_t block, uint32_t worker)
{
    const evaluation *run = data;
    scree_world *world = run->world;
    scree_contact_list *list = &world->pairs;
    scree_force_scratch *scratch = &world->scratch[worker];
    size_t begin = block * SCREE_TILE, end = scree_block_end(block, SCREE_TILE, list->count);
    uint32_t *touching = scratch->touching, others[SCREE_TILE];
    uint32_t count = scree_touch_kernels[world->simd](&run->geometry, begin, end, touching);

    if (run->geometry.reach > 0)
        count = keep_within_reach(run, touching, count);
    if (world->wants_stiffness)
        memset(world->stiffness[begin], 0, (end - begin) * sizeof *world->stiffness);
    if (!run->is_survey) {
        mark_touching(list, begin, end, touching, count);
        scratch->contacts += count;
    }
    while (count > 0) {
        const scree_rule_slot *slot = &world->rules.slots[list->slot[touching[0]][0]];
        uint32_t alike =
            world->rules.slot_count == 2 ? count : part_by_slot(list, touching, count, others);
        for (uint32_t at = 0; at < alike; at += SCREE_BATCH)
            run_batch(run, scratch, touching + at,
                      alike - at < SCREE_BATCH ? alike - at : SCREE_BATCH, slot);
        touching += alike;
        count -= alike;
    }
}

/*  The longest step that would be stable for this contact as it is, were it alone. */
static double stable_alone(const evaluation *run, uint32_t candidate)
{
    scree_world *world = run->world;
    scree_batch_room *room = &world->scratch[0].room;
    const scree_rule_slot *slot = &world->rules.slots[world->pairs.slot[candidate][0]];
    scree_batch batch = scree_batch_of_room(world, room, 1, run->dt, slot->law, true);
    double row[1][8], stiffest = 0;

    fill_room(&world->pairs, room, &candidate, 1, slot->law->memory_count);
    scree_geometry_kernels[world->simd](&run->geometry, 1, room);
    scree_stiffness_await(room);
    slot->force(&batch, slot->constants, slot->user);
    room->candidate[0] = 0;
    scree_stiffness_write(&batch, room, slot, row);
    for (int k = 0; k < 3; k++)
        stiffest = row[0][k] > stiffest ? row[0][k] : stiffest;
    double one = world->bodies.velocity[world->pairs.first[candidate][0]][3];
    double other = world->bodies.velocity[world->pairs.second[candidate][0]][3];
    return 1 / sqrt(stiffest * (one > other ? one : other));
}

static scree_status refuse_depth(const evaluation *run)
{
    scree_world *world = run->world;
    const scree_contact_list *list = &world->pairs;
    uint32_t worst = UINT32_MAX;
    double depth = 0;

    for (uint32_t w = 0; w < world->workers.count; w++) {
        const scree_force_scratch *scratch = &world->scratch[w];
        if (scratch->too_deep != UINT32_MAX &&
            (worst == UINT32_MAX || comes_before(world, scratch->too_deep, worst))) {
            worst = scratch->too_deep;
            depth = scratch->depth;
        }
    }
    if (worst == UINT32_MAX)
        return SCREE_OK;
    return scree_fail(
        &world->error, SCREE_UNSTABLE,
        "world: step %" PRIu64 ": bodies %" PRIu64 " and %" PRIu64
        " overlap by %.3g of the smaller radius, the limit is %g (dt %.3g; for so stiff a "
        "contact at most %.3g)",
        world->clock.steps + 1, world->bodies.serial[list->first[worst][0]][0],
        world->bodies.serial[list->second[worst][0]][0], depth, world->def.overlap_limit, run->dt,
        stable_alone(run, worst));
}

scree_geometry scree_world_geometry(const scree_world *world)
{
    const scree_crowd *bodies = &world->bodies;
    scree_geometry geometry = {.position = bodies->position[0],
                               .velocity = bodies->velocity[0],
                               .spin = bodies->spin[0],
                               .first = world->pairs.first[0],
                               .second = world->pairs.second[0],
                               .reach = world->rules.reach};

    for (int k = 0; k < world->def.dimensions; k++) {
        if (world->def.boundary[k] == SCREE_BOUNDARY_PERIODIC) {
            geometry.period[k] = world->def.upper[k] - world->def.lower[k];
            geometry.is_periodic = true;
        }
    }
    return geometry;
}

static scree_status reserve_stiffness(scree_world *world)
{
    if (!world->wants_stiffness ||
        !scree_memory_reserve(&world->memory, &world->stiffness, &world->stiffness_capacity,
                              world->pairs.count, sizeof *world->stiffness))
        return SCREE_OK;
    return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: stiffness of contacts: %s",
                      scree_status_name(SCREE_OUT_OF_MEMORY));
}

scree_status scree_world_pair_forces(scree_world *world, double dt)
{
    if (world->pairs.count == 0)
        return SCREE_OK;
    if (reserve_stiffness(world))
        return SCREE_OUT_OF_MEMORY;
    evaluation run = {.world = world, .geometry = scree_world_geometry(world), .dt = dt};
    for (uint32_t w = 0; w < world->workers.count; w++) {
        world->scratch[w].contacts = 0;
        world->scratch[w].too_deep = UINT32_MAX;
    }
    scree_workers_run(&world->workers, scree_block_count(world->pairs.count, SCREE_TILE), run_tile,
                      &run);
    return refuse_depth(&run);
}

scree_status scree_world_pair_stiffness(scree_world *world)
{
    if (world->pairs.count == 0)
        return SCREE_OK;
    if (reserve_stiffness(world))
        return SCREE_OUT_OF_MEMORY;
    evaluation run = {.world = world, .geometry = scree_world_geometry(world), .dt = 0};
    run.is_survey = true;
    scree_workers_run(&world->workers, scree_block_count(world->pairs.count, SCREE_TILE), run_tile,
                      &run);
    return SCREE_OK;
}
