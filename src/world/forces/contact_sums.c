/*  Sums that contacts are added to; and the slow way to them, from rows of force, of contacts that were left as they are. */
#include "world/forces/contact_sums.h"

#include "world/contacts/sleep_tiles.h"
#include "world/step/world_data.h"

#include <math.h>

#define BODIES_PER_BLOCK 1024u

scree_quantum scree_pair_quantum(const scree_quantum_rule *rule, const scree_crowd *bodies,
                                 uint32_t first, uint32_t second)
{
    double mass, radius;

    scree_pair_size(bodies, first, second, &mass, &radius);
    return scree_quantum_of(rule, mass, radius);
}

scree_quantum scree_wall_quantum(const scree_quantum_rule *rule, const scree_crowd *bodies,
                                 uint32_t slot)
{
    return scree_quantum_of(rule, 1 / bodies->velocity[slot][3], bodies->position[slot][3]);
}

static scree_status begin(scree_world *world, uint32_t words, const scree_quantum *unit)
{
    if (scree_sums_begin(&world->sums, &world->memory, unit, words, world->workers.count,
                         world->bodies.count))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: sums of forces: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    world->sum_words = words;
    return SCREE_OK;
}

scree_status scree_contact_sums_begin(scree_world *world, double dt)
{
    const double *g = world->def.gravity;
    double gravity = fmax(fabs(g[0]), fmax(fabs(g[1]), fabs(g[2])));
    uint32_t words = world->sum_words ? world->sum_words : 1;
    scree_quantum unit;

    world->quanta = scree_quantum_rule_of(gravity, dt);
    scree_bodies_find_least(&world->bodies);
    unit = scree_quantum_least(&world->quanta, world->bodies.lightest, world->bodies.smallest);
    /* finer units may have needed more words than coarser ones do */
    if (unit.force != world->sums.unit.force)
        words = 1;
    return begin(world, words, &unit);
}

scree_status scree_contact_sums_widen(scree_world *world)
{
    const scree_quantum unit = world->sums.unit;
    return begin(world, world->sum_words + 1, &unit);
}

/*  To a body whose sum is found anew. */
static void add(scree_world *world, uint32_t worker, uint32_t slot, const scree_quantum *quantum,
                const double force[3], const double torque[3])
{
    if (!scree_sum_stays(&world->rest, &world->bodies, slot))
        scree_sums_add(&world->sums, worker, slot, quantum, force, torque);
}

static void add_pair(scree_world *world, uint32_t worker, size_t candidate)
{
    const scree_contact_list *list = &world->pairs;
    uint32_t first = list->first[candidate][0], second = list->second[candidate][0];
    double row[8], opposite[3], torque[2][3];

    if (!list->touches_next[candidate][0])
        return;
    scree_contact_exerts(&world->contacts, candidate, row);
    for (int k = 0; k < 3; k++) {
        double moment = world->contacts.has_moments ? world->contacts.moment[candidate][k] : 0;
        opposite[k] = -row[k];
        torque[0][k] = row[3] * row[4 + k] + moment;
        torque[1][k] = row[7] * row[4 + k] - moment;
    }
    const scree_quantum quantum = scree_pair_quantum(&world->quanta, &world->bodies, first, second);
    add(world, worker, first, &quantum, row, torque[0]);
    add(world, worker, second, &quantum, opposite, torque[1]);
}

/* ---- beside what rests ---- */

static void mark_block(void *data, size_t block, uint32_t worker)
{
    scree_world *world = data;
    scree_crowd *bodies = &world->bodies;
    const scree_surfaces *walls = world->walls.count ? &world->surfaces : NULL;
    size_t end = scree_block_end(block, BODIES_PER_BLOCK, bodies->count);

    (void)worker;
    for (uint32_t slot = (uint32_t)(block * BODIES_PER_BLOCK); slot < end; slot++) {
        bool stays = !world->force &&
                     scree_rest_spares_sum(&world->rest, bodies, &world->pairs, walls, slot);
        bodies->still[slot][0] &= (uint8_t)~SCREE_SUM_STAYS;
        bodies->still[slot][0] |= stays ? SCREE_SUM_STAYS : 0;
    }
}

static void add_tile(void *data, size_t tile, uint32_t worker)
{
    scree_world *world = data;
    size_t begin = tile * SCREE_REST_TILE;
    size_t end = scree_block_end(tile, SCREE_REST_TILE, world->pairs.count);

    if (world->rest.spares[tile])
        for (size_t c = begin; c < end; c++)
            add_pair(world, worker, c);
}

/*  Contacts of tiles that were left as they are, whose rows are what they were: for bodies that have others, too. */
static void add_spared(scree_world *world)
{
    scree_workers_run(&world->workers, scree_block_count(world->bodies.count, BODIES_PER_BLOCK),
                      mark_block, world);
    scree_workers_run(&world->workers, scree_block_count(world->pairs.count, SCREE_REST_TILE),
                      add_tile, world);
}

/* ---- whether they fit ---- */

static void check_block(void *data, size_t block, uint32_t worker)
{
    scree_world *world = data;
    size_t end = scree_block_end(block, BODIES_PER_BLOCK, world->bodies.count);
    double force[3], torque[3];

    (void)worker;
    for (size_t slot = block * BODIES_PER_BLOCK; slot < end; slot++)
        if (!scree_sums_read(&world->sums, (uint32_t)slot, force, torque))
            world->sums.is_over = true;
}

bool scree_contact_sums_fit(scree_world *world)
{
    if (world->rest.is_used)
        add_spared(world);
    /* they are looked at where they may not */
    if (!world->sums.is_over && world->sums.is_large)
        scree_workers_run(&world->workers, scree_block_count(world->bodies.count, BODIES_PER_BLOCK),
                          check_block, world);
    /* what fits in no number of words is as if it were not finite */
    if (world->sums.is_over && world->sum_words == SCREE_SUM_WORDS)
        world->sums.is_unsound = true;
    return !world->sums.is_over || world->sum_words == SCREE_SUM_WORDS;
}
