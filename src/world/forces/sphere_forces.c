/*  Contacts of bodies, from candidates to forces: which touch, their geometry, the law, the sums. Tiles of candidates go to
    whichever worker is free, which writes only what belongs to its contacts, and adds to sums of its own. */
#include "world/forces/sphere_forces.h"

#include "world/contacts/contact_onset.h"
#include "world/contacts/pair_law.h"
#include "world/contacts/persistent.h"
#include "world/contacts/sleep_tiles.h"
#include "world/forces/dry_contacts.h"
#include "world/state/settings.h"
#include "world/step/world_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct evaluation
{
    scree_world *world;
    scree_geometry geometry;
    double dt;
    bool is_survey;     /* stiffness alone */
    bool is_within_law; /* geometry reaches as far as the one law that there is */
    size_t tile;        /* candidates that are worked on together */
} evaluation;

/* ---- one batch: all of one slot of the table of laws ---- */

/*  Candidates into the room; past the last one, the last one again. */
static void fill_room(const scree_contact_list *list, scree_batch_room *room,
                      const uint32_t *candidates, uint32_t count)
{
    uint32_t full = (count + SCREE_ROOM_STEP - 1) & ~(SCREE_ROOM_STEP - 1);

    for (uint32_t k = 0; k < full; k++) {
        uint32_t c = candidates[k < count ? k : count - 1];
        room->contact[k] = c;
        room->is_new[k] = !list->touches[c][0];
        room->first[k] = list->first[c][0];
        room->second[k] = list->second[c][0];
    }
}

static void write_rest(const scree_world *world, scree_contact_sets *sets,
                       const scree_batch_room *room, const scree_law *law, uint32_t count)
{
    bool has_moments = sets->has_moments && sets->has_rows;

    if (has_moments && law->has_moment)
        scree_moments_kernels[world->simd](room, count, sets->moment);
    for (uint32_t k = 0; has_moments && !law->has_moment && k < count; k++)
        memset(sets->moment[room->contact[k]], 0, sizeof *sets->moment);
    for (uint32_t k = 0; sets->has_account && k < count; k++) {
        double *account = sets->account[room->contact[k]];
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

/*  Joins two counts; the order in which workers meet changes nothing. */
static void join_deep(const scree_world *world, scree_deep_pairs *all, const scree_deep_pairs *more)
{
    if (more->count == 0)
        return;
    if (all->count == 0 || comes_before(world, more->first, all->first)) {
        all->first = more->first;
        all->depth_of_first = more->depth_of_first;
    }
    if (all->count == 0 || more->depth_of_deepest > all->depth_of_deepest ||
        (more->depth_of_deepest == all->depth_of_deepest &&
         comes_before(world, more->deepest, all->deepest))) {
        all->deepest = more->deepest;
        all->depth_of_deepest = more->depth_of_deepest;
    }
    all->count += more->count;
}

static void note_deep(const scree_world *world, scree_force_scratch *scratch,
                      const uint32_t *candidates, const double *depth, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        const scree_deep_pairs one = {1, candidates[k], candidates[k], depth[k], depth[k]};
        if (depth[k] > world->def.overlap_limit)
            join_deep(world, &scratch->deep, &one);
    }
}

static void note_depth(const scree_world *world, scree_force_scratch *scratch, uint32_t count)
{
    const scree_batch_room *room = &scratch->room;
    double limit = world->def.overlap_limit;
    int some = 0;

    for (uint32_t k = 0; k < count; k++)
        some |= room->depth[k] > limit;
    if (some)
        note_deep(world, scratch, room->contact, room->depth, count);
}

/*  Rows of force in floats, of a law that computes in doubles. */
static void round_rows(const scree_batch_room *room, uint32_t count, float (*row)[8])
{
    for (uint32_t k = 0; k < count; k++) {
        float *to = row[room->contact[k]];
        for (int a = 0; a < 3; a++) {
            int b = (a + 1) % 3, c = (a + 2) % 3;
            to[a] = (float)room->force[a][k];
            to[4 + a] = (float)(room->normal[b][k] * room->force[c][k] -
                                room->normal[c][k] * room->force[b][k]);
        }
        to[3] = (float)room->arm[0][k];
        to[7] = (float)room->arm[1][k];
    }
}

/*  What the batch exerts, added to the sums of bodies: what rows hold, and no more of it where they are floats. */
static void push_batch(scree_world *world, scree_force_scratch *scratch, uint32_t count,
                       const scree_law *law)
{
    const scree_contact_sets *sets = &world->contacts;
    scree_batch_room *room = &scratch->room;
    scree_pushes pushes = {.count = count, .first = room->first, .second = room->second};

    for (uint32_t k = 0; sets->is_mixed && k < count; k++) {
        for (int n = 0; n < 8; n++)
            room->row[n][k] = (double)sets->float_row[room->contact[k]][n];
        scree_pair_size(&world->bodies, room->first[k], room->second[k], &room->mass[k],
                        &room->radius[k]);
    }
    for (int a = 0; a < 3; a++) {
        pushes.force[a] = sets->is_mixed ? room->row[a] : room->force[a];
        pushes.normal[a] = sets->is_mixed ? NULL : room->normal[a];
        pushes.turn[a] = room->row[4 + a];
        pushes.moment[a] = law->has_moment ? room->moment[a] : NULL;
    }
    pushes.mass = room->mass;
    pushes.radius = room->radius;
    pushes.rule = world->quanta;
    for (int side = 0; side < 2; side++)
        pushes.arm[side] = sets->is_mixed ? room->row[3 + 4 * side] : room->arm[side];
    scree_push_kernels[world->simd](&world->sums, (uint32_t)(scratch - world->scratch), &pushes);
}

static void begin_contacts(const scree_world *world, scree_batch_room *room, uint32_t count,
                           double dt)
{
    for (uint32_t k = 0; scree_contacts_begin_slowly(&world->def, dt) && k < count; k++)
        if (room->is_new[k])
            room->approach[k] = scree_beginning_approach(room->approach[k], room->overlap[k], dt);
}

static void run_batch(const evaluation *run, scree_force_scratch *scratch, uint32_t count,
                      const scree_rule_slot *slot)
{
    scree_world *world = run->world;
    scree_contact_sets *sets = &world->contacts;
    scree_batch_room *room = &scratch->room;
    scree_batch batch;
    bool are_lent;

    if (world->def.precision == SCREE_MIXED && slot->float_force) {
        if (scree_world_run_in_floats(world, &run->geometry, scratch, count, slot, run->dt,
                                      run->is_survey))
            note_depth(world, scratch, count);
        if (!run->is_survey)
            push_batch(world, scratch, count, slot->law);
        return;
    }
    batch =
        scree_batch_of_room(&world->def, room, count, run->dt, slot->law, world->wants_stiffness);
    scree_geometry_kernels[world->simd](&run->geometry, count, room);
    begin_contacts(world, room, count, run->dt);
    are_lent = scree_lend_planes(&world->pairs, sets, room, count, slot->law->memory_count,
                                 batch.memory, batch.next);
    if (!are_lent)
        scree_fill_memory(&world->pairs, room, count, slot->law->memory_count);
    if (world->wants_stiffness)
        scree_stiffness_await(room);
    slot->force(&batch, slot->constants, slot->user);
    if (!run->is_survey) {
        note_depth(world, scratch, count);
        if (sets->is_mixed)
            round_rows(room, count, sets->float_row);
        else if (sets->has_rows)
            scree_rows_kernels[world->simd](room, count, sets->row);
        if (!are_lent)
            scree_write_memory(sets, room, count, slot->law->memory_count);
        write_rest(world, sets, room, slot->law, count);
        push_batch(world, scratch, count, slot->law);
    }
    if (world->wants_stiffness)
        scree_stiffness_write(&batch, room, slot, world->stiffness);
}

/* ---- a tile: who touches ---- */

/*  As the batch has it. */
static double joint_radius(const scree_world *world, uint32_t c)
{
    double r1 = world->bodies.position[world->pairs.first[c][0]][3];
    double r2 = world->bodies.position[world->pairs.second[c][0]][3];

    return r1 * r2 / (r1 + r2);
}

/*  Where all have the same law the test itself can go by its reach, unless that goes with a root. */
static void reach_as_the_law(evaluation *run)
{
    const scree_contact_list *list = &run->world->pairs;
    const scree_law_reach *reach = &run->world->rules.slots[list->alike].reach;

    run->is_within_law = list->alike && !list->has_lawless && !(reach->root > 0);
    if (run->is_within_law) {
        run->geometry.reach = reach->fixed;
        run->geometry.share = reach->share;
    }
}

/*  Takes out those that lie beyond the reach of their own law, for the test was made with the greatest; and
    those without a law. */
static uint32_t keep_within_reach(const evaluation *run, uint32_t *touching, uint32_t count)
{
    const scree_world *world = run->world;
    scree_geometry geometry = run->geometry;
    uint32_t kept = 0, found;

    for (uint32_t k = 0; k < count; k++) {
        uint32_t c = touching[k], one[9],
                 slot = scree_pair_law_of(&world->rules, &world->bodies, &world->pairs, c);
        geometry.reach = slot ? scree_rules_reach(&world->rules, slot, joint_radius(world, c)) : 0;
        found = scree_touch_kernels[SCREE_SIMD_SCALAR](&geometry, c, (size_t)c + 1, one);
        touching[kept] = c;
        kept += slot ? found : 0;
    }
    return kept;
}

/*  Into `touching`; returns how many. */
static uint32_t find_touching(const evaluation *run, size_t begin, size_t end, uint32_t *touching)
{
    const scree_world *world = run->world;
    const scree_contact_list *list = &world->pairs;
    uint32_t count = scree_touch_kernels[world->simd](&run->geometry, begin, end, touching);

    if (!run->is_within_law && (run->geometry.reach > 0 || list->has_lawless))
        count = keep_within_reach(run, touching, count);
    if (world->rules.some_last)
        count = scree_lasting_join(&world->rules, list, begin, end, touching, count);
    return count;
}

/*  Notes who touches. Those that begin get their law, which counts only if the step is taken. */
static void note_touching(scree_world *world, const uint32_t *touching, uint32_t count,
                          size_t begin, size_t end)
{
    scree_contact_list *list = &world->pairs;

    memset(list->touches_next[begin], 0, (end - begin) * sizeof *list->touches_next);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t c = touching[k];
        list->touches_next[c][0] = 1;
        if (!list->touches[c][0])
            list->slot[c][0] =
                list->alike ? list->alike
                            : scree_pair_law_of(&world->rules, &world->bodies, &world->pairs, c);
    }
}

/* ---- and its forces ---- */

/*  Takes those out that have the law of the first; returns how many these are. The others keep their order. */
static uint32_t take_alike(const scree_contact_list *list, uint32_t *candidates, uint32_t *count,
                           uint32_t *alike)
{
    uint32_t slot = list->slot[candidates[0]][0], taken = 0, left = 0;

    for (uint32_t k = 0; k < *count; k++) {
        if (list->slot[candidates[k]][0] == slot)
            alike[taken++] = candidates[k];
        else
            candidates[left++] = candidates[k];
    }
    *count = left;
    return taken;
}

static void run_alike(const evaluation *run, scree_force_scratch *scratch,
                      const uint32_t *candidates, uint32_t count, const scree_rule_slot *slot)
{
    scree_world *world = run->world;

    for (uint32_t at = 0; at < count; at += SCREE_BATCH) {
        uint32_t many = count - at < SCREE_BATCH ? count - at : SCREE_BATCH;
        fill_room(&world->pairs, &scratch->room, candidates + at, many);
        run_batch(run, scratch, many, slot);
        if (world->rest.is_on && !run->is_survey)
            scree_rest_keep_memory(&world->pairs, &world->contacts, &world->bodies, &scratch->room,
                                   many, slot->law->memory_count);
    }
}

/*  Whether contacts of this law can go by its kernel of dry contacts; NULL: they go by batches. */
static scree_dry_fn *dry_kernel_of(const evaluation *run, const scree_rule_slot *slot)
{
    const scree_world *world = run->world;

    if (run->is_survey || world->contacts.has_rows || world->contacts.has_account ||
        world->wants_stiffness || world->rest.is_on ||
        scree_contacts_begin_slowly(&world->def, run->dt))
        return NULL;
    return scree_dry_kernel(world->simd, slot->force);
}

static void run_dry(const evaluation *run, scree_force_scratch *scratch, scree_dry_fn *kernel,
                    uint32_t *candidates, uint32_t count, const scree_rule_slot *slot)
{
    scree_world *world = run->world;
    double ahead = scree_def_ahead(&world->def, run->dt);
    const scree_dry_run dry = {.geometry = &run->geometry,
                               .list = &world->pairs,
                               .next =
                                   world->in_place ? world->pairs.remembered : world->contacts.next,
                               .sums = &world->sums,
                               .worker = (uint32_t)(scratch - world->scratch),
                               .rule = world->quanta,
                               .constants = slot->constants,
                               .dt = run->dt - ahead,
                               .ahead = ahead,
                               .deepest = world->def.overlap_limit,
                               .depth = scratch->depth};

    if (kernel(&dry, candidates, count))
        note_deep(world, scratch, candidates, scratch->depth, count);
}

/*  Candidates that touch and have one law. There is room for a full vector of them. */
static void run_law(const evaluation *run, scree_force_scratch *scratch, uint32_t *candidates,
                    uint32_t count, const scree_rule_slot *slot)
{
    scree_dry_fn *dry = count ? dry_kernel_of(run, slot) : NULL;

    for (uint32_t k = 0; count && k < SCREE_ROOM_STEP; k++)
        candidates[count + k] = candidates[count - 1];
    if (dry)
        run_dry(run, scratch, dry, candidates, count, slot);
    else
        run_alike(run, scratch, candidates, count, slot);
}

static void run_tile(void *data, size_t block, uint32_t worker)
{
    const evaluation *run = data;
    scree_world *world = run->world;
    scree_contact_list *list = &world->pairs;
    scree_force_scratch *scratch = &world->scratch[worker];
    uint32_t *touching = scratch->touching;
    size_t begin = block * run->tile, end = scree_block_end(block, run->tile, list->count);

    if (world->rest.is_on &&
        scree_rest_spares_tile(&world->rest, &world->bodies, list, block, begin, end)) {
        scratch->spared += end - begin;
        for (size_t c = begin; c < end; c++)
            scratch->contacts += list->touches_next[c][0];
        return;
    }
    uint32_t count = find_touching(run, begin, end, touching);
    scratch->contacts += count;
    note_touching(world, touching, count, begin, end);
    if (list->alike)
        run_law(run, scratch, touching, count, &world->rules.slots[list->alike]);
    while (!list->alike && count > 0) {
        uint32_t taken = take_alike(list, touching, &count, scratch->alike);
        run_law(run, scratch, scratch->alike, taken,
                &world->rules.slots[list->slot[scratch->alike[0]][0]]);
    }
    if (world->rest.is_on && !run->is_survey)
        scree_rest_look_at_tile(&world->rest, &world->bodies, list, block, begin, end);
}

/* ---- refusal ---- */

/*  The longest step that would be stable for this contact as it is, were it alone. */
static double stable_alone(const evaluation *run, uint32_t candidate)
{
    scree_world *world = run->world;
    scree_batch_room *room = &world->scratch[0].room;
    const scree_rule_slot *slot =
        &world->rules
             .slots[scree_pair_law_of(&world->rules, &world->bodies, &world->pairs, candidate)];
    scree_batch batch = scree_batch_of_room(&world->def, room, 1, run->dt, slot->law, true);
    scree_stiffness_row row[1];
    double fastest = 0;

    fill_room(&world->pairs, room, &candidate, 1);
    scree_fill_memory(&world->pairs, room, 1, slot->law->memory_count);
    room->contact[0] = 0;
    scree_geometry_kernels[world->simd](&run->geometry, 1, room);
    scree_stiffness_await(room);
    slot->force(&batch, slot->constants, slot->user);
    scree_stiffness_write(&batch, room, slot, row);
    double one = world->bodies.velocity[world->pairs.first[candidate][0]][3];
    double other = world->bodies.velocity[world->pairs.second[candidate][0]][3];
    for (int k = 0; k < 3; k++)
        fastest = fmax(fastest, scree_stable_rate(row[0][k], row[0][SCREE_ROW_ABOUT + k],
                                                  row[0][SCREE_ROW_DASHPOTS + k],
                                                  one > other ? one : other));
    return 1 / fastest;
}

static scree_status refuse_depth(const evaluation *run)
{
    scree_world *world = run->world;
    const scree_contact_list *list = &world->pairs;
    scree_deep_pairs deep = {0};
    char more[160] = "";

    for (uint32_t w = 0; w < world->workers.count; w++)
        join_deep(world, &deep, &world->scratch[w].deep);
    if (deep.count == 0)
        return SCREE_OK;
    uint64_t(*serial)[1] = world->bodies.serial;
    if (deep.count > 1)
        (void)snprintf(more, sizeof more,
                       "; so do %" PRIu32 " pairs, the deepest bodies %" PRIu64 " and %" PRIu64
                       " by %.3g",
                       deep.count, serial[list->first[deep.deepest][0]][0],
                       serial[list->second[deep.deepest][0]][0], deep.depth_of_deepest);
    return scree_fail(
        &world->error, SCREE_UNSTABLE,
        "world: step %" PRIu64 ": bodies %" PRIu64 " and %" PRIu64
        " overlap by %.3g of the smaller radius, the limit is %g (dt %.3g; for so stiff a "
        "contact at most %.3g)%s",
        world->clock.steps + 1, serial[list->first[deep.first][0]][0],
        serial[list->second[deep.first][0]][0], deep.depth_of_first, world->def.overlap_limit,
        run->dt, stable_alone(run, deep.first), more);
}

scree_geometry scree_world_geometry(const scree_world *world)
{
    const scree_crowd *bodies = &world->bodies;
    scree_geometry geometry = {.position = bodies->position[0],
                               .velocity = bodies->velocity[0],
                               .spin = bodies->spin[0],
                               .first = world->pairs.first[0],
                               .second = world->pairs.second[0],
                               .reach = world->reach};

    for (int k = 0; k < 3; k++) {
        geometry.period[k] = world->cell.next.period[k];
        geometry.is_periodic |= geometry.period[k] > 0;
    }
    geometry.asks_ahead = bodies->count >= SCREE_MANY_BODIES;
    geometry.is_tilted = world->cell.next.is_tilted;
    geometry.is_moving = world->cell.is_moving;
    memcpy(geometry.tilt, world->cell.next.tilt, sizeof geometry.tilt);
    memcpy(geometry.gradient, world->cell.gradient, sizeof geometry.gradient);
    return geometry;
}

static scree_status reserve_results(scree_world *world)
{
    const scree_rules *rules = &world->rules;

    if (scree_contact_list_reserve_memory(&world->pairs, rules->planes) ||
        scree_contact_sets_reserve(&world->contacts, world->pairs.count, rules->planes,
                                   world->def.precision == SCREE_MIXED, rules->has_moments,
                                   world->def.ledger))
        return SCREE_OUT_OF_MEMORY;
    if (world->wants_stiffness &&
        scree_memory_reserve(&world->memory, &world->stiffness, &world->stiffness_capacity,
                             world->pairs.count, sizeof *world->stiffness))
        return SCREE_OUT_OF_MEMORY;
    return SCREE_OK;
}

static scree_status run_tiles(evaluation *run)
{
    scree_world *world = run->world;
    size_t tiles;

    run->tile = world->rest.is_on ? SCREE_REST_TILE : SCREE_TILE;
    tiles = scree_block_count(world->pairs.count, run->tile);
    if (reserve_results(world))
        return SCREE_OUT_OF_MEMORY;
    if (world->rest.is_on &&
        scree_rest_begin(&world->rest, &world->memory, run->dt, run->is_survey,
                         !world->list_is_new && !world->wants_stiffness && !world->cell.is_moving,
                         tiles))
        return SCREE_OUT_OF_MEMORY;
    run->geometry = scree_world_geometry(world);
    reach_as_the_law(run);
    for (uint32_t w = 0; w < world->workers.count; w++) {
        world->scratch[w].deep = (scree_deep_pairs){0};
        world->scratch[w].contacts = world->scratch[w].spared = 0;
    }
    scree_workers_run(&world->workers, tiles, run_tile, run);
    for (uint32_t w = 0; w < world->workers.count; w++) {
        world->contacts.touching += world->scratch[w].contacts;
        world->rest.spared += world->scratch[w].spared;
    }
    return SCREE_OK;
}

bool scree_world_contacts_are_dry(const scree_world *world)
{
    const scree_contact_list *list = &world->pairs;

    return list->alike && !list->has_lawless && !world->rules.some_last &&
           scree_dry_kernel(world->simd, world->rules.slots[list->alike].force) != NULL;
}

scree_status scree_world_pair_forces(scree_world *world, double dt)
{
    evaluation run = {.world = world, .dt = dt};

    /* a new list may be another */
    if (world->in_place && !scree_world_contacts_are_dry(world))
        return SCREE_BAD_VALUE;

    world->contacts.touching = 0;
    world->rest.is_used = false;
    if (world->pairs.count == 0 && !world->rest.is_on)
        return SCREE_OK;
    world->pairs.rows_are_next = true;
    if (run_tiles(&run))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: contacts: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    return refuse_depth(&run);
}

scree_status scree_world_pair_stiffness(scree_world *world)
{
    evaluation run = {.world = world, .is_survey = true};

    world->rest.is_used = false;
    if (world->pairs.count == 0)
        return SCREE_OK;
    /* who touches is found anew: rows of who touched before are to be, too */
    world->rows_are_stale |= world->pairs.rows_are_next;
    if (run_tiles(&run))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: stiffness of contacts: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    return SCREE_OK;
}
