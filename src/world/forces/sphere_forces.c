/*  Contacts between spheres, from neighbour pairs to forces: which pairs touch, geometry, contact model, sums. Any
    free worker takes the next tile of pairs. It writes only results of these pairs, and adds to its own sums. */
#include "world/forces/sphere_forces.h"

#include "world/contacts/contact_onset.h"
#include "world/contacts/pair_law.h"
#include "world/contacts/persistent.h"
#include "world/contacts/sleep_tiles.h"
#include "world/forces/dry_contacts.h"
#include "world/state/settings.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct evaluation
{
    const scree_pair_job *job;
    scree_geometry geometry;
    double dt;
    bool is_survey;     /* only stiffness is computed */
    bool is_within_law; /* the distance test uses the range of the only model */
    size_t tile;        /* pairs per unit of work */
    bool passes_over;   /* skips pairs that cannot touch yet, see gaps.h */
    scree_dry_fn *dry;  /* all contacts have one dry model without range: its kernel */
} evaluation;

/* ---- one batch: contacts with the same pair parameters ---- */

/*  Loads pairs into the batch; behind the last one it is repeated. */
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

static void write_sleep(const scree_pair_job *job, scree_contact_sets *sets,
                        const scree_batch_room *room, const scree_law *law, uint32_t count)
{
    bool has_moments = sets->has_moments && sets->has_rows;

    if (has_moments && law->has_moment)
        scree_moments_kernels[job->step->simd](room, count, sets->moment);
    for (uint32_t k = 0; has_moments && !law->has_moment && k < count; k++)
        memset(sets->moment[room->contact[k]], 0, sizeof *sets->moment);
    for (uint32_t k = 0; sets->has_account && k < count; k++) {
        double *account = sets->account[room->contact[k]];
        account[0] = room->energy[k];
        for (int loss = 0; loss < SCREE_LOSSES; loss++)
            account[1 + loss] = room->loss[loss][k];
    }
}

/*  Of contacts that are too deep, the first by global ids is reported: the result does not depend on the worker. */
static bool comes_before(const scree_pair_job *job, uint32_t candidate, uint32_t other)
{
    const scree_contact_list *list = job->pairs;
    uint64_t(*serial)[1] = job->bodies->serial;
    uint64_t first = serial[list->first[candidate][0]][0];
    uint64_t other_first = serial[list->first[other][0]][0];

    if (first != other_first)
        return first < other_first;
    return serial[list->second[candidate][0]][0] < serial[list->second[other][0]][0];
}

/*  Joins the results of two workers; the order makes no difference. */
static void join_deep(const scree_pair_job *job, scree_deep_pairs *all,
                      const scree_deep_pairs *more)
{
    if (more->count == 0)
        return;
    if (all->count == 0 || comes_before(job, more->first, all->first)) {
        all->first = more->first;
        all->depth_of_first = more->depth_of_first;
    }
    if (all->count == 0 || more->depth_of_deepest > all->depth_of_deepest ||
        (more->depth_of_deepest == all->depth_of_deepest &&
         comes_before(job, more->deepest, all->deepest))) {
        all->deepest = more->deepest;
        all->depth_of_deepest = more->depth_of_deepest;
    }
    all->count += more->count;
}

static void note_deep(const scree_pair_job *job, scree_force_scratch *scratch,
                      const uint32_t *candidates, const double *depth, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        const scree_deep_pairs one = {1, candidates[k], candidates[k], depth[k], depth[k]};
        if (depth[k] > job->step->def->overlap_limit)
            join_deep(job, &scratch->deep, &one);
    }
}

static void note_depth(const scree_pair_job *job, scree_force_scratch *scratch, uint32_t count)
{
    const scree_batch_room *room = &scratch->room;
    double limit = job->step->def->overlap_limit;
    int some = 0;

    for (uint32_t k = 0; k < count; k++)
        some |= room->depth[k] > limit;
    if (some)
        note_deep(job, scratch, room->contact, room->depth, count);
}

/*  Adds the results of the batch to the sums of bodies. */
static void push_batch(const scree_pair_job *job, scree_force_scratch *scratch, uint32_t count,
                       const scree_law *law)
{
    const scree_batch_room *room = &scratch->room;
    scree_pushes pushes = {.count = count, .first = room->first, .second = room->second};

    for (int a = 0; a < 3; a++) {
        pushes.force[a] = room->force[a];
        pushes.normal[a] = room->normal[a];
        pushes.moment[a] = law->has_moment ? room->moment[a] : NULL;
    }
    pushes.mass = room->mass;
    pushes.radius = room->radius;
    pushes.rule = job->sums->rule;
    for (int side = 0; side < 2; side++)
        pushes.arm[side] = room->arm[side];
    scree_push_kernels[job->step->simd](job->sums, (uint32_t)(scratch - job->scratch), &pushes);
}

static void begin_contacts(const scree_pair_job *job, scree_batch_room *room, uint32_t count,
                           double dt)
{
    for (uint32_t k = 0; scree_contacts_begin_slowly(job->step->def, dt) && k < count; k++)
        if (room->is_new[k])
            room->approach[k] = scree_beginning_approach(room->approach[k], room->overlap[k], dt);
}

static void run_batch(const evaluation *run, scree_force_scratch *scratch, uint32_t count,
                      const scree_rule_slot *slot)
{
    const scree_pair_job *job = run->job;
    scree_contact_sets *sets = job->contacts;
    scree_batch_room *room = &scratch->room;
    scree_batch batch;
    bool are_lent;

    batch =
        scree_batch_of_room(job->step->def, room, count, run->dt, slot->law, job->wants_stiffness);
    scree_geometry_kernels[job->step->simd](&run->geometry, count, room);
    begin_contacts(job, room, count, run->dt);
    are_lent = scree_lend_planes(job->pairs, sets, room, count, slot->law->memory_count,
                                 batch.memory, batch.next);
    if (!are_lent)
        scree_fill_memory(job->pairs, room, count, slot->law->memory_count);
    if (job->wants_stiffness)
        scree_stiffness_await(room);
    slot->force(&batch, slot->constants, slot->user);
    if (!run->is_survey) {
        note_depth(job, scratch, count);
        if (sets->has_rows)
            scree_rows_kernels[job->step->simd](room, count, sets->row);
        if (!are_lent)
            scree_write_memory(sets, room, count, slot->law->memory_count);
        write_sleep(job, sets, room, slot->law, count);
        push_batch(job, scratch, count, slot->law);
    }
    if (job->wants_stiffness)
        scree_stiffness_write(&batch, room, slot, job->contacts->stiffness);
}

/* ---- a tile: which pairs touch ---- */

/*  Effective radius, as in the batch. */
static double joint_radius(const scree_pair_job *job, uint32_t c)
{
    double r1 = job->bodies->position[job->pairs->first[c][0]][3];
    double r2 = job->bodies->position[job->pairs->second[c][0]][3];

    return r1 * r2 / (r1 + r2);
}

/*  If all contacts have the same model, the distance test uses its interaction range, unless that depends on a root. */
static void reach_as_the_law(evaluation *run)
{
    const scree_contact_list *list = run->job->pairs;
    const scree_law_reach *reach = &run->job->step->rules->slots[list->alike].reach;

    run->is_within_law = list->alike && !list->has_pairs_without_law && !(reach->root > 0);
    if (run->is_within_law) {
        run->geometry.reach = reach->fixed;
        run->geometry.share = reach->share;
    }
}

/*  Removes pairs that are beyond the interaction range of their own model, since the test used the largest range;
    and pairs without an interaction. */
static uint32_t keep_within_reach(const evaluation *run, uint32_t *touching, uint32_t count)
{
    const scree_pair_job *job = run->job;
    scree_geometry geometry = run->geometry;
    uint32_t kept = 0, found;

    for (uint32_t k = 0; k < count; k++) {
        uint32_t c = touching[k], one[9],
                 slot = scree_pair_law_of(job->step->rules, job->bodies, job->pairs, c);
        geometry.reach = slot ? scree_rules_reach(job->step->rules, slot, joint_radius(job, c)) : 0;
        found = scree_touch_kernels[SCREE_SIMD_SCALAR](&geometry, c, (size_t)c + 1, one);
        touching[kept] = c;
        kept += slot ? found : 0;
    }
    return kept;
}

/*  Writes indices to `touching`; returns their number. */
static uint32_t find_touching(const evaluation *run, size_t begin, size_t end, uint32_t *touching)
{
    const scree_pair_job *job = run->job;
    const scree_contact_list *list = job->pairs;
    uint32_t count = scree_touch_kernels[job->step->simd](&run->geometry, begin, end, touching);

    if (!run->is_within_law && (run->geometry.reach > 0 || list->has_pairs_without_law))
        count = keep_within_reach(run, touching, count);
    if (job->step->rules->some_last)
        count = scree_persistent_join(job->step->rules, list, begin, end, touching, count);
    return count;
}

/*  Records which pairs touch. New contacts get their pair parameters, which take effect only if the step is
    accepted. */
static void note_touching(const scree_pair_job *job, const uint32_t *touching, uint32_t count,
                          size_t begin, size_t end)
{
    scree_contact_list *list = job->pairs;

    memset(list->touches_next[begin], 0, (end - begin) * sizeof *list->touches_next);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t c = touching[k];
        list->touches_next[c][0] = 1;
        if (!list->touches[c][0])
            list->slot[c][0] =
                list->alike ? list->alike
                            : scree_pair_law_of(job->step->rules, job->bodies, job->pairs, c);
    }
}

/* ---- forces ---- */

/*  Takes out the pairs with the pair parameters of the first; returns their number. The others keep their order. */
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
    const scree_pair_job *job = run->job;

    for (uint32_t at = 0; at < count; at += SCREE_BATCH) {
        uint32_t many = count - at < SCREE_BATCH ? count - at : SCREE_BATCH;
        fill_room(job->pairs, &scratch->room, candidates + at, many);
        run_batch(run, scratch, many, slot);
        if (job->sleep->is_on && !run->is_survey)
            scree_sleep_keep_memory(job->pairs, job->contacts, job->bodies, &scratch->room, many,
                                    slot->law->memory_count);
    }
}

/*  The kernel of dry contacts for these pair parameters; NULL: use batches. */
static scree_dry_fn *dry_kernel_of(const evaluation *run, const scree_rule_slot *slot)
{
    const scree_pair_job *job = run->job;

    if (run->is_survey || job->contacts->has_rows || job->contacts->has_account ||
        job->wants_stiffness || job->sleep->is_on ||
        scree_contacts_begin_slowly(job->step->def, run->dt))
        return NULL;
    return scree_dry_kernel(job->step->simd, slot);
}

static scree_dry_fn *dry_kernel_of_all(const evaluation *run)
{
    const scree_pair_job *job = run->job;
    const scree_geometry *geometry = &run->geometry;

    if (!run->is_within_law || geometry->reach != 0 || geometry->share != 0 ||
        job->step->rules->some_last)
        return NULL;
    return dry_kernel_of(run, &job->step->rules->slots[job->pairs->alike]);
}

/*  Computes contacts that may be too deep by batches. */
static void look_at_depth(const evaluation *run, scree_force_scratch *scratch,
                          const uint32_t *candidates, uint32_t count)
{
    const scree_pair_job *job = run->job;

    for (uint32_t at = 0; at < count; at += SCREE_BATCH) {
        uint32_t many = count - at < SCREE_BATCH ? count - at : SCREE_BATCH;
        fill_room(job->pairs, &scratch->room, candidates + at, many);
        scree_geometry_kernels[job->step->simd](&run->geometry, many, &scratch->room);
        note_depth(job, scratch, many);
    }
}

/*  Runs the kernel on `packed` contiguous pairs and on the listed pairs; returns how many touch. */
static uint32_t run_dry(const evaluation *run, scree_force_scratch *scratch, scree_dry_fn *kernel,
                        size_t begin, uint32_t packed, const uint32_t *candidates, uint32_t count,
                        const scree_rule_slot *slot)
{
    const scree_pair_job *job = run->job;
    double ahead = scree_def_ahead(job->step->def, run->dt);
    const scree_dry_run dry = {.geometry = &run->geometry,
                               .list = job->pairs,
                               .next = job->in_place ? job->pairs->history : job->contacts->next,
                               .sums = job->sums,
                               .worker = (uint32_t)(scratch - job->scratch),
                               .rule = job->sums->rule,
                               .constants = slot->constants,
                               .force = slot->force,
                               .user = slot->user,
                               .planes = slot->law->memory_count,
                               .dt = run->dt - ahead,
                               .ahead = ahead,
                               .are_few = packed && job->pairs->few[begin / SCREE_TILE],
                               .deepest = job->step->def->overlap_limit};
    scree_dry_result result = kernel(&dry, (uint32_t)begin, packed, candidates, count);

    if (result.may_be_deep) {
        look_at_depth(run, scratch, candidates, count);
        for (uint32_t k = 0; k < packed; k++)
            scratch->alike[k] = (uint32_t)begin + k;
        look_at_depth(run, scratch, scratch->alike, packed);
    }
    return result.contacts;
}

static void fill_vector(uint32_t *candidates, uint32_t count)
{
    for (uint32_t k = 0; count && k < SCREE_ROOM_STEP; k++)
        candidates[count + k] = candidates[count - 1];
}

/*  Computes touching pairs with the same contact model. There is room for a full vector of them. */
static void run_law(const evaluation *run, scree_force_scratch *scratch, uint32_t *candidates,
                    uint32_t count, const scree_rule_slot *slot)
{
    scree_dry_fn *dry = count ? dry_kernel_of(run, slot) : NULL;

    fill_vector(candidates, count);
    if (dry)
        (void)run_dry(run, scratch, dry, 0, 0, candidates, count, slot);
    else
        run_alike(run, scratch, candidates, count, slot);
}

/*  Finds the touching pairs of a tile behind its contiguous part. */
static uint32_t find_apart(const evaluation *run, size_t begin, size_t end, uint32_t *touching)
{
    const scree_pair_job *job = run->job;
    scree_contact_list *list = job->pairs;
    scree_gaps *gaps = &list->gaps;
    scree_gap_tile *tile;

    if (!run->passes_over || begin == end)
        return scree_touch_kernels[job->step->simd](&run->geometry, begin, end, touching);
    tile = &gaps->tile[begin / SCREE_TILE];
    if (gaps->is_known)
        scree_gaps_travel(tile, job->travel);
    else
        scree_gaps_begin_tile(gaps, begin, end, (const uint32_t(*)[1])list->first,
                              (const uint32_t(*)[1])list->second);
    return scree_touch_apart_kernels[job->step->simd](&run->geometry, begin, end, tile->travelled,
                                                      gaps->until, touching);
}

/*  All contacts of the tile have one dry model. The kernel itself tests which of the contiguous pairs touch. */
static void run_dry_tile(const evaluation *run, scree_force_scratch *scratch, size_t begin,
                         size_t end)
{
    const scree_pair_job *job = run->job;
    scree_contact_list *list = job->pairs;
    const scree_rule_slot *slot = &job->step->rules->slots[list->alike];
    const size_t tile = begin / SCREE_TILE;
    const uint32_t packed = tile < list->packed_tiles ? list->packed[tile] : 0;
    uint32_t *touching = scratch->touching;
    uint32_t count = find_apart(run, begin + packed, end, touching);

    memcpy(list->touches_next[begin], list->touches[begin], packed * sizeof *list->touches_next);
    note_touching(job, touching, count, begin + packed, end);
    fill_vector(touching, count);
    scratch->contacts += run_dry(run, scratch, run->dry, begin, packed, touching, count, slot);
}

static void run_tile(void *data, size_t block, uint32_t worker)
{
    const evaluation *run = data;
    const scree_pair_job *job = run->job;
    scree_contact_list *list = job->pairs;
    scree_force_scratch *scratch = &job->scratch[worker];
    uint32_t *touching = scratch->touching;
    size_t begin = block * run->tile, end = scree_block_end(block, run->tile, list->count);

    if (run->dry) {
        run_dry_tile(run, scratch, begin, end);
        return;
    }
    if (job->sleep->is_on &&
        scree_sleep_spares_tile(job->sleep, job->bodies, list, block, begin, end)) {
        scratch->spared += end - begin;
        for (size_t c = begin; c < end; c++)
            scratch->contacts += list->touches_next[c][0];
        return;
    }
    uint32_t count = find_touching(run, begin, end, touching);
    scratch->contacts += count;
    note_touching(job, touching, count, begin, end);
    if (list->alike)
        run_law(run, scratch, touching, count, &job->step->rules->slots[list->alike]);
    while (!list->alike && count > 0) {
        uint32_t taken = take_alike(list, touching, &count, scratch->alike);
        run_law(run, scratch, scratch->alike, taken,
                &job->step->rules->slots[list->slot[scratch->alike[0]][0]]);
    }
    if (job->sleep->is_on && !run->is_survey)
        scree_sleep_look_at_tile(job->sleep, job->bodies, list, block, begin, end);
}

/* ---- refusal ---- */

/*  The longest stable step of this contact alone, in its present state. */
static double stable_alone(const evaluation *run, uint32_t candidate)
{
    const scree_pair_job *job = run->job;
    scree_batch_room *room = &job->scratch[0].room;
    const scree_rule_slot *slot =
        &job->step->rules
             ->slots[scree_pair_law_of(job->step->rules, job->bodies, job->pairs, candidate)];
    scree_batch batch = scree_batch_of_room(job->step->def, room, 1, run->dt, slot->law, true);
    scree_stiffness_row row[1];
    double fastest = 0;

    fill_room(job->pairs, room, &candidate, 1);
    scree_fill_memory(job->pairs, room, 1, slot->law->memory_count);
    room->contact[0] = 0;
    scree_geometry_kernels[job->step->simd](&run->geometry, 1, room);
    scree_stiffness_await(room);
    slot->force(&batch, slot->constants, slot->user);
    scree_stiffness_write(&batch, room, slot, row);
    double one = job->bodies->velocity[job->pairs->first[candidate][0]][3];
    double other = job->bodies->velocity[job->pairs->second[candidate][0]][3];
    for (int k = 0; k < 3; k++)
        fastest = fmax(fastest, scree_stable_rate(row[0][k], row[0][SCREE_ROW_ABOUT + k],
                                                  row[0][SCREE_ROW_DASHPOTS + k],
                                                  one > other ? one : other));
    return 1 / fastest;
}

static scree_status refuse_depth(const evaluation *run)
{
    const scree_pair_job *job = run->job;
    const scree_contact_list *list = job->pairs;
    scree_deep_pairs deep = {0};
    char more[160] = "";

    for (uint32_t w = 0; w < job->step->workers->count; w++)
        join_deep(job, &deep, &job->scratch[w].deep);
    if (deep.count == 0)
        return SCREE_OK;
    uint64_t(*serial)[1] = job->bodies->serial;
    if (deep.count > 1)
        (void)snprintf(more, sizeof more,
                       "; so do %" PRIu32 " pairs, the deepest bodies %" PRIu64 " and %" PRIu64
                       " by %.3g",
                       deep.count, serial[list->first[deep.deepest][0]][0],
                       serial[list->second[deep.deepest][0]][0], deep.depth_of_deepest);
    return scree_fail(
        job->step->error, SCREE_UNSTABLE,
        "world: step %" PRIu64 ": bodies %" PRIu64 " and %" PRIu64
        " overlap by %.3g of the smaller radius, the limit is %g (dt %.3g; for so stiff a "
        "contact at most %.3g)%s",
        job->step->number, serial[list->first[deep.first][0]][0],
        serial[list->second[deep.first][0]][0], deep.depth_of_first, job->step->def->overlap_limit,
        run->dt, stable_alone(run, deep.first), more);
}

scree_geometry scree_pair_geometry(const scree_body_arrays *bodies, const scree_contact_list *pairs,
                                   const scree_strain *cell, double reach)
{
    scree_geometry geometry = {.position = bodies->position[0],
                               .velocity = bodies->velocity[0],
                               .spin = bodies->spin[0],
                               .first = pairs->first[0],
                               .second = pairs->second[0],
                               .reach = reach};

    for (int k = 0; k < 3; k++) {
        geometry.period[k] = cell->next.period[k];
        geometry.is_periodic |= geometry.period[k] > 0;
    }
    geometry.asks_ahead = bodies->count >= SCREE_MANY_BODIES;
    geometry.is_tilted = cell->next.is_tilted;
    geometry.is_moving = cell->is_moving;
    memcpy(geometry.tilt, cell->next.tilt, sizeof geometry.tilt);
    memcpy(geometry.gradient, cell->gradient, sizeof geometry.gradient);
    return geometry;
}

static scree_status reserve_results(const scree_pair_job *job)
{
    const scree_rules *rules = job->step->rules;

    if (scree_contact_list_reserve_memory(job->pairs, rules->planes) ||
        scree_contact_sets_reserve(job->contacts, job->pairs->count, rules->planes,
                                   rules->has_moments, job->step->def->energy_balance))
        return SCREE_OUT_OF_MEMORY;
    if (job->wants_stiffness &&
        scree_memory_reserve(job->step->memory, &job->contacts->stiffness,
                             &job->contacts->stiffness_capacity, job->pairs->count,
                             sizeof *job->contacts->stiffness))
        return SCREE_OUT_OF_MEMORY;
    return SCREE_OK;
}

static scree_status run_tiles(evaluation *run)
{
    const scree_pair_job *job = run->job;
    size_t tiles;

    run->tile = job->sleep->is_on ? SCREE_SLEEP_TILE : SCREE_TILE;
    tiles = scree_block_count(job->pairs->count, run->tile);
    if (reserve_results(job))
        return SCREE_OUT_OF_MEMORY;
    if (job->sleep->is_on &&
        scree_sleep_begin(job->sleep, job->step->memory, run->dt, run->is_survey,
                          !job->list_is_new && !job->wants_stiffness && !job->cell->is_moving,
                          tiles))
        return SCREE_OUT_OF_MEMORY;
    run->geometry = scree_pair_geometry(job->bodies, job->pairs, job->cell, job->reach);
    reach_as_the_law(run);
    run->dry = dry_kernel_of_all(run);
    run->passes_over = run->dry && job->travel && !run->geometry.is_periodic;
    if (run->passes_over &&
        scree_gaps_reserve(&job->pairs->gaps, job->step->memory, job->pairs->count))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t w = 0; w < job->step->workers->count; w++) {
        job->scratch[w].deep = (scree_deep_pairs){0};
        job->scratch[w].contacts = job->scratch[w].spared = 0;
    }
    scree_workers_run(job->step->workers, tiles, run_tile, run);
    job->pairs->gaps.is_known = run->passes_over;
    for (uint32_t w = 0; w < job->step->workers->count; w++) {
        job->contacts->touching += job->scratch[w].contacts;
        job->sleep->spared += job->scratch[w].spared;
    }
    return SCREE_OK;
}

bool scree_pairs_are_dry(const scree_pair_job *job)
{
    const scree_contact_list *list = job->pairs;

    return list->alike && !list->has_pairs_without_law && !job->step->rules->some_last &&
           scree_dry_kernel(job->step->simd, &job->step->rules->slots[list->alike]) != NULL;
}

scree_status scree_pair_forces(const scree_pair_job *job)
{
    evaluation run = {.job = job, .dt = job->step->dt};

    /* a new list may have other contact models */
    if (job->in_place && !scree_pairs_are_dry(job))
        return SCREE_BAD_VALUE;
    job->contacts->touching = 0;
    job->sleep->is_used = false;
    if (job->pairs->count == 0 && !job->sleep->is_on)
        return SCREE_OK;
    job->pairs->rows_are_next = true;
    if (run_tiles(&run))
        return scree_fail(job->step->error, SCREE_OUT_OF_MEMORY, "world: contacts: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    return refuse_depth(&run);
}

scree_status scree_pair_stiffness(const scree_pair_job *job)
{
    evaluation run = {.job = job, .is_survey = true};

    job->sleep->is_used = false;
    if (job->pairs->count == 0)
        return SCREE_OK;
    if (run_tiles(&run))
        return scree_fail(job->step->error, SCREE_OUT_OF_MEMORY, "world: stiffness of contacts: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    return SCREE_OK;
}
