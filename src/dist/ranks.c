/*  Rank 0 sends a command of a few words to all ranks; then all execute it together. A step that fails on one rank
    fails on all, and none accepts it. */
#include "dist/ranks.h"

#include "base/clock.h"
#include "base/exact_sum.h"
#include "base/hash.h"
#include "dist/bond_exchange.h"
#include "dist/comm_meter.h"
#include "dist/distribution.h"
#include "dist/shape_exchange.h"
#include "dist/step_failure.h"
#include "dist/surroundings_exchange.h"
#include "dist/unpack.h"
#include "world/save/snapshot.h"
#include "world/save/surroundings.h"
#include "world/step/evaluate.h"
#include "world/step/step.h"
#include "world/step/step_hooks.h"

#include <math.h>

/*  Commands of rank 0. */
typedef enum command_kind
{
    COMMAND_CLOSE,
    COMMAND_STEP,
    COMMAND_TELL_LOADS,
} command_kind;

typedef struct command
{
    uint64_t kind, steps;
    uint64_t is_changed; /* the host has changed something: its world is distributed first */
} command;

/*  What tells that the host has changed its world, apart from the digest of surroundings. Only words. */
typedef struct host_state
{
    scree_physics physics;
    scree_course clock;
    uint64_t next_serial, has_loads, has_shapes, heat_changes;
    scree_bond_course bonds;
} host_state;

struct scree_rank_team
{
    scree_memory memory;
    scree_comm_meter meter;
    scree_comm comm; /* through the meter */
    scree_rank_load load;
    scree_world *whole; /* the host's; NULL on other ranks */
    scree_world *part;
    scree_distribution distribution;
    scree_told_shapes told_shapes;
    scree_step_hooks whole_hooks, part_hooks;
    bool has_chosen;         /* the length of the current step is known */
    bool has_failed;         /* on any rank */
    scree_status own_status; /* the reason, if it failed here */
    bool own_is_crossing;    /* a crossing was found here */
    uint64_t leaving;        /* bodies that the boundary removes, on this rank */
    /* state of the host's world when it was last gathered */
    host_state gathered;
    uint64_t added, removed, restores;
    bool is_gathered;
    scree_status broken; /* why ranks cannot continue: the others have left */
};

/*  Parts have no local time stepping, so there is nothing to drop. */
static void drop_nothing(scree_world *world)
{
    (void)world;
}

static const scree_local_way no_local_steps = {NULL, NULL, drop_nothing};

/* ---- hooks of a step ---- */

static scree_status share_heat(void *user, scree_body_arrays *bodies)
{
    return scree_update_temperatures(&((scree_rank_team *)user)->distribution, bodies);
}

/*  Results of an earlier step are not valid for this one. */
static void forget_crossings(scree_crossings *crossings)
{
    crossings->is_found = false;
    crossings->way = crossings->cell_way = crossings->walls_way = 0;
    crossings->smallest = INFINITY;
}

static scree_status share(void *user, scree_world *world)
{
    forget_crossings(&world->crossings);
    return scree_update_ghosts(&((scree_rank_team *)user)->distribution, world);
}

/*  Added to a status that a shorter step does not help against. */
#define FINAL ((uint64_t)1 << 32)

/*  Everything that affects decisions in a step is bit-identical on all ranks, since minima and maxima do not depend
    on order. A rank without bodies has examined no walls and gets their displacements from others. */
static scree_status agree_on(scree_rank_team *ranks, scree_world *world, scree_status status,
                             uint64_t is_final)
{
    scree_crossings *crossings = &world->crossings;
    scree_heat_limits *limits = &world->heat.limits;
    uint64_t words[] = {(uint64_t)status + is_final,
                        scree_word_of_double(-world->found_stable),
                        crossings->is_found,
                        scree_word_of_double(crossings->way),
                        scree_word_of_double(crossings->cell_way),
                        scree_word_of_double(crossings->walls_way),
                        scree_word_of_double(-crossings->smallest),
                        scree_word_of_double(limits->fastest),
                        scree_word_of_double(-limits->coldest),
                        scree_word_of_double(limits->cooling)};
    scree_status reached =
        ranks->comm.reduce(ranks->comm.user, SCREE_REDUCE_MAX, words, sizeof words / sizeof *words);

    if (!reached)
        reached = (scree_status)(words[0] % FINAL);
    ranks->own_is_crossing = crossings->is_found;
    world->found_stable = -scree_double_of_word(words[1]);
    crossings->is_found = words[2] != 0;
    crossings->way = scree_double_of_word(words[3]);
    crossings->cell_way = scree_double_of_word(words[4]);
    crossings->walls_way = scree_double_of_word(words[5]);
    crossings->smallest = -scree_double_of_word(words[6]);
    limits->fastest = scree_double_of_word(words[7]);
    limits->coldest = -scree_double_of_word(words[8]);
    limits->cooling = scree_double_of_word(words[9]);
    if (words[0] >= FINAL)
        forget_crossings(crossings);
    ranks->has_failed = reached != SCREE_OK;
    ranks->own_status = status;
    return reached;
}

static scree_status agree(void *user, scree_world *world, scree_status status)
{
    return agree_on(user, world, status, 0);
}

static scree_status least(void *user, double *value)
{
    scree_rank_team *ranks = user;
    uint64_t word = scree_word_of_double(*value);
    const scree_status status = ranks->comm.reduce(ranks->comm.user, SCREE_REDUCE_MIN, &word, 1);

    *value = scree_double_of_word(word);
    ranks->has_chosen = true;
    return status;
}

/*  Sums that are sent together. */
#define SUMS_AT_ONCE 32

static scree_status sum_over_ranks(void *user, scree_exact_sum *sums, size_t count)
{
    const scree_rank_team *ranks = user;
    scree_status status = SCREE_OK;

    for (size_t begin = 0; begin < count && !status; begin += SUMS_AT_ONCE) {
        const size_t many = count - begin < SUMS_AT_ONCE ? count - begin : SUMS_AT_ONCE;
        uint64_t words[SUMS_AT_ONCE][SCREE_EXACT_WORDS];
        for (size_t k = 0; k < many; k++)
            scree_exact_to_words(&sums[begin + k], words[k]);
        status = ranks->comm.reduce(ranks->comm.user, SCREE_REDUCE_SUM, words[0],
                                    many * SCREE_EXACT_WORDS);
        for (size_t k = 0; k < many; k++)
            scree_exact_from_words(&sums[begin + k], words[k]);
    }
    return status;
}

/*  Other ranks wait in the evaluation, so this rank takes part in it. They must not try a shorter step, since this
    rank does not. */
static scree_status fail(void *user, scree_world *world, scree_status status)
{
    scree_rank_team *ranks = user;
    double none = INFINITY;

    if (ranks->has_failed)
        return status;
    if (world->def.step.mode != SCREE_TIME_FIXED && !ranks->has_chosen)
        (void)least(user, &none);
    (void)share(user, world);
    return agree_on(ranks, world, status, FINAL);
}

static void leave(void *user, size_t count)
{
    ((scree_rank_team *)user)->leaving += count;
}

/* ---- steps ---- */

static scree_status largest_of_ranks(const scree_rank_team *ranks, double *value)
{
    uint64_t word = scree_word_of_double(*value);
    const scree_status status = ranks->comm.reduce(ranks->comm.user, SCREE_REDUCE_MAX, &word, 1);

    *value = scree_double_of_word(word);
    return status;
}

/*  An upper bound of the next step, the same on all ranks, for the first `count` bodies of `world`. */
static scree_status bound_step(const scree_rank_team *ranks, const scree_world *world,
                               uint32_t count, double *dt)
{
    scree_status status = SCREE_OK;

    *dt = scree_distribution_longest_step(world, count);
    if (!scree_bodies_bound_step(ranks->part))
        return status;
    uint64_t word = scree_word_of_double(*dt);
    status = ranks->comm.reduce(ranks->comm.user, SCREE_REDUCE_MIN, &word, 1);
    *dt = scree_double_of_word(word);
    return status;
}

/*  Distributes bodies before a step in which a body, or an image, may move farther than ghosts allow. */
static scree_status distribute_if_due(scree_rank_team *ranks)
{
    scree_world *part = ranks->part;
    const uint32_t owned = ranks->distribution.owned;
    double dt, reach;
    scree_status status = bound_step(ranks, part, owned, &dt);

    reach = scree_distribution_drift_bound(&ranks->distribution, part, dt);
    if (!status)
        status = largest_of_ranks(ranks, &reach);
    if (!status && reach > ranks->distribution.room) {
        double way = scree_distribution_step_bound(part, owned, dt);
        status = largest_of_ranks(ranks, &way);
        if (!status)
            status = scree_distribute_bodies(&ranks->distribution, part, owned, part, way);
    }
    if (!status)
        scree_distribution_note_step(&ranks->distribution, part, dt);
    return status;
}

static bool needs_forces(const scree_world *part)
{
    return part->clock.unprimed ||
           (part->def.step.mode != SCREE_TIME_FIXED && part->clock.stable == 0);
}

/*  A failure after ranks have agreed on forces happens on all ranks alike, since all have the same values. */
static scree_status take_step(scree_rank_team *ranks)
{
    scree_world *part = ranks->part;
    const double waited = ranks->meter.seconds;

    part->lap = scree_clock_seconds();
    const scree_status status = scree_world_take_step(part, &no_local_steps);
    scree_world_end_phase(part, &part->timings.other);
    part->lap = 0;
    /* a step communicates in this phase only */
    part->timings.other -= ranks->meter.seconds - waited;
    part->timings.steps++;

    if (status && !ranks->has_failed) {
        ranks->has_failed = true;
        ranks->own_status = status;
    }
    return status;
}

/*  Whether bodies are to be removed on any rank, after a step. */
static scree_status some_leave(const scree_rank_team *ranks, bool *some)
{
    uint64_t count = ranks->leaving;
    scree_status status = SCREE_OK;

    if (scree_def_removes_bodies(&ranks->part->def))
        status = ranks->comm.reduce(ranks->comm.user, SCREE_REDUCE_SUM, &count, 1);
    *some = count > 0;
    return status;
}

/*  Fewer steps than asked for if bodies are to be removed: rank 0 does that in the host's world. */
static scree_status take_steps(scree_rank_team *ranks, uint64_t count)
{
    scree_world *part = ranks->part;
    const scree_course before = part->clock;
    scree_status status = SCREE_OK;
    bool is_over = false;

    ranks->leaving = 0;
    part->error.text[0] = 0;
    /* forces are evaluated first: they bound displacements */
    part->host_may_read = false;
    /* stiffness, energies and heat flow are summed contact by contact, and bonds are found by their bodies */
    part->wants_index = part->def.step.mode != SCREE_TIME_FIXED || part->def.energy_balance ||
                        part->heat.is_on || part->breaks.course.made;
    if (count && needs_forces(part))
        status = scree_world_make_ready(part, &no_local_steps);
    for (uint64_t k = 0; k < count && !status && !is_over; k++) {
        part->host_may_read = k + 1 == count;
        ranks->has_chosen = false;
        status = distribute_if_due(ranks);
        if (!status)
            status = take_step(ranks);
        if (!status)
            status = some_leave(ranks, &is_over);
    }
    /* the same as in a step that fails if forces were not known before */
    if (status && part->clock.steps == before.steps)
        part->clock = before;
    return status;
}

/* ---- from the host's world to parts, and back ---- */

static host_state state_of(const scree_world *world)
{
    host_state state;

    memset(&state, 0, sizeof state);
    state.physics = scree_physics_of(&world->def);
    state.clock = world->clock;
    state.next_serial = world->bodies.next_serial;
    state.has_loads = world->bodies.keeps[SCREE_KEEP_LOADS];
    state.has_shapes = world->bodies.nonspheres != 0;
    state.heat_changes = world->heat.changes;
    state.bonds = world->breaks.course;
    return state;
}

static scree_status distribute_whole(scree_rank_team *ranks)
{
    scree_world *part = ranks->part;
    host_state state;
    scree_status status;

    memset(&state, 0, sizeof state);
    if (ranks->whole)
        state = state_of(ranks->whole);
    status = scree_comm_tell_all(&ranks->comm, &state, sizeof state);
    if (!status)
        status = scree_share_surroundings(&ranks->comm, &ranks->memory, ranks->whole, part);
    if (!status && state.has_loads)
        status = scree_comm_agree(&ranks->comm, scree_bodies_keep(&part->bodies, SCREE_KEEP_LOADS));
    if (status)
        return status;
    const scree_world *from = ranks->whole ? ranks->whole : part;
    const uint32_t count = ranks->whole ? ranks->whole->bodies.count : 0;
    double dt, way;
    status = bound_step(ranks, from, count, &dt);
    way = ranks->whole ? scree_distribution_step_bound(from, count, dt) : 0;
    if (!status)
        status = largest_of_ranks(ranks, &way);
    ranks->distribution.partition.count = 0;
    ranks->distribution.has_shapes = state.has_shapes != 0;
    ranks->distribution.has_heat = part->heat.is_on;
    if (!status)
        status = scree_share_shapes(
            &ranks->comm, &ranks->memory, ranks->whole ? &from->shape_finder.meshes : NULL,
            &ranks->told_shapes, part->def.dimensions, &part->shape_finder.meshes);
    if (!status)
        status = scree_distribute_bodies(&ranks->distribution, from, count, part, way);
    part->bodies.next_serial = state.next_serial;
    return status;
}

static scree_status gather(scree_rank_team *ranks)
{
    scree_distribution *distribution = &ranks->distribution;
    scree_world *whole = ranks->whole;
    const scree_comm *comm = &ranks->comm;
    const uint32_t all = ranks->part->bodies.count;
    const scree_bond_course bonds_before = whole ? whole->breaks.course : (scree_bond_course){0};
    const size_t breaks_before = whole ? whole->breaks.count : 0;
    scree_status status = scree_comm_agree(
        comm, scree_memory_reserve(distribution->memory, &distribution->to,
                                   &distribution->to_capacity, all, sizeof *distribution->to));

    if (status)
        return status;
    if (all)
        memset(distribution->to, 0, all * sizeof *distribution->to);
    if (ranks->part->breaks.course.made)
        status = scree_gather_breaks(comm, &ranks->memory, ranks->part, whole);
    if (!status)
        status = scree_send_bodies(&distribution->received, distribution->memory, comm, ranks->part,
                                   distribution->owned, distribution->to);
    if (!status && whole)
        status = scree_unpack_into_whole(&distribution->received, whole);
    if (whole && status) {
        whole->breaks.course = bonds_before;
        whole->breaks.count = breaks_before;
    }
    if (whole && !status) {
        whole->clock = ranks->part->clock;
        whole->rows_are_stale = ranks->part->rows_are_stale;
        scree_gather_surroundings(ranks->part, whole);
        ranks->gathered = state_of(whole);
        ranks->added = whole->bodies.added;
        ranks->removed = whole->bodies.removed;
        ranks->restores = whole->restores;
        ranks->is_gathered = true;
    }
    return scree_comm_agree(comm, status);
}

/* ---- commands ---- */

/*  After a failed step: earlier steps of the call count. If there are none, the host's world has not changed. */
static scree_status end_failed(scree_rank_team *ranks, bool some_are_taken, scree_status failed)
{
    scree_status status = some_are_taken ? gather(ranks) : SCREE_OK;

    ranks->is_gathered = false; /* the next call starts from the host's world */
    if (!status)
        status = scree_step_failure_report(&ranks->comm, ranks->part, ranks->own_status,
                                           ranks->own_is_crossing, failed, ranks->whole);
    ranks->has_failed = status == SCREE_OK;
    return status;
}

/*  The phases of the host's world are those of rank 0, without its waiting. */
static void gather_timings(const scree_timings *part, scree_timings *whole)
{
    whole->search += part->search;
    whole->pairs += part->pairs;
    whole->walls += part->walls;
    whole->sums += part->sums;
    whole->other += part->other;
    whole->steps += part->steps;
}

/*  Returns the status of the step; `is_over` is set if ranks cannot continue. */
static scree_status take_measured_steps(scree_rank_team *ranks, uint64_t count)
{
    const scree_comm_meter before = ranks->meter;
    const uint64_t steps = ranks->part->clock.steps;
    const double begin = scree_clock_seconds();

    memset(&ranks->part->timings, 0, sizeof ranks->part->timings);
    const scree_status status = take_steps(ranks, count);
    if (ranks->whole && ranks->whole->is_timed)
        gather_timings(&ranks->part->timings, &ranks->whole->timings);

    ranks->load.step_ns += (uint64_t)(1e9 * (scree_clock_seconds() - begin));
    ranks->load.waiting_ns += (uint64_t)(1e9 * (ranks->meter.seconds - before.seconds));
    ranks->load.messages += ranks->meter.messages - before.messages;
    ranks->load.bytes += ranks->meter.bytes - before.bytes;
    ranks->load.steps += ranks->part->clock.steps - steps;
    return status;
}

static scree_status do_steps(scree_rank_team *ranks, const command *said, bool *is_over)
{
    scree_status status = SCREE_OK, ended;

    *is_over = true;
    ranks->has_failed = ranks->own_is_crossing = false;
    ranks->own_status = SCREE_OK;
    if (said->is_changed)
        status = distribute_whole(ranks);
    if (status)
        return status;
    const uint64_t before = ranks->part->clock.steps;
    status = take_measured_steps(ranks, said->steps);
    if (status && !ranks->has_failed)
        return status;
    ended = status ? end_failed(ranks, ranks->part->clock.steps != before, status) : gather(ranks);
    *is_over = ended != SCREE_OK;
    return ended ? ended : status;
}

static bool host_has_changed_it(const scree_rank_team *ranks)
{
    const scree_world *whole = ranks->whole;
    const host_state now = state_of(whole);

    return !ranks->is_gathered || memcmp(&now, &ranks->gathered, sizeof now) != 0 ||
           whole->clock.unprimed || whole->bodies.added != ranks->added ||
           whole->bodies.removed != ranks->removed || whole->restores != ranks->restores ||
           scree_world_digest_of_surroundings(whole) !=
               scree_world_digest_of_surroundings(ranks->part);
}

static scree_status refuse(const scree_world *world, scree_error *error)
{
    char text[200];

    scree_ranks_refusals(world, text, sizeof text);
    return text[0] ? scree_fail(error, SCREE_UNSUPPORTED, "world: not with ranks yet: %s", text)
                   : SCREE_OK;
}

/*  Steps of all ranks, up to one after which bodies are removed. */
static scree_status step_together(scree_rank_team *ranks, scree_world *world, uint64_t count)
{
    command said = {COMMAND_STEP, count, host_has_changed_it(ranks)};
    bool is_over = true;
    scree_status status = scree_comm_tell_all(&ranks->comm, &said, sizeof said);

    if (!status)
        status = do_steps(ranks, &said, &is_over);
    ranks->broken = is_over ? status : SCREE_OK;
    if (status && !ranks->has_failed)
        scree_fail(&world->error, status, "world: ranks: %s", scree_status_name(status));
    if (!status)
        scree_world_let_go(world);
    return status;
}

/*  Steps of the host's world. */
static scree_status step_on_ranks(void *user, scree_world *world, uint64_t count)
{
    scree_rank_team *ranks = user;
    scree_status status = refuse(world, &world->error);

    if (ranks->broken)
        return scree_fail(&world->error, ranks->broken, "world: ranks cannot go on: %s",
                          scree_status_name(ranks->broken));
    if (!status && scree_world_has_host_functions(world) &&
        scree_world_digest_of_definitions(world) != scree_world_digest_of_definitions(ranks->part))
        status = scree_fail(&world->error, SCREE_UNSUPPORTED,
                            "world: not with ranks yet: walls or laws that change during a run, "
                            "where a law or the path of a wall is a function of the host");
    const uint64_t end = world->clock.steps + count;
    while (!status && world->clock.steps < end)
        status = step_together(ranks, world, end - world->clock.steps);
    return status;
}

/* ---- loads ---- */

/*  Each rank fills its own words, and all are added. */
static scree_status tell_loads(scree_rank_team *ranks, scree_rank_load *of_rank)
{
    const uint32_t size = ranks->comm.size;
    scree_rank_load *all = NULL;
    scree_status status = scree_memory_take(&ranks->memory, size, sizeof *all, &all);

    status = scree_comm_agree(&ranks->comm, status);
    if (status) {
        scree_memory_give(&ranks->memory, &all, size, sizeof *all);
        return status;
    }
    memset(all, 0, size * sizeof *all);
    all[ranks->comm.rank] = ranks->load;
    all[ranks->comm.rank].owned = ranks->distribution.owned;
    all[ranks->comm.rank].ghosts = ranks->part->bodies.count - ranks->distribution.owned;
    status = ranks->comm.reduce(ranks->comm.user, SCREE_REDUCE_SUM, (uint64_t *)all,
                                size * sizeof *all / sizeof(uint64_t));
    if (!status && of_rank)
        memcpy(of_rank, all, size * sizeof *all);
    scree_memory_give(&ranks->memory, &all, size, sizeof *all);
    return status;
}

scree_status scree_ranks_loads(scree_rank_team *ranks, scree_rank_load *of_rank)
{
    command said = {COMMAND_TELL_LOADS, 0, 0};

    if (ranks->broken)
        return ranks->broken;
    scree_status status = scree_comm_tell_all(&ranks->comm, &said, sizeof said);
    if (!status)
        status = tell_loads(ranks, of_rank);
    if (status == SCREE_IO_ERROR)
        ranks->broken = status;
    return status;
}

uint32_t scree_ranks_count(const scree_rank_team *ranks)
{
    return ranks->comm.size;
}

scree_status scree_ranks_serve(scree_rank_team *ranks)
{
    scree_status status = SCREE_OK;
    bool is_over = false;

    while (!is_over) {
        command said = {0, 0, 0};
        status = scree_comm_tell_all(&ranks->comm, &said, sizeof said);
        if (status || said.kind == COMMAND_CLOSE)
            return status;
        if (said.kind == COMMAND_STEP)
            status = do_steps(ranks, &said, &is_over);
        else if ((status = tell_loads(ranks, NULL)) == SCREE_IO_ERROR)
            return status;
    }
    return status;
}

/* ---- opening and closing ---- */

/*  Makes the world that has the bodies of rank 0: with the settings of the host's world, but without log. */
static scree_status make_part(const scree_rank_team *ranks, scree_world *world, scree_world **part,
                              scree_error *error)
{
    const scree_log silent = {0};
    scree_world_def def = world->def;

    if (ranks->comm.rank) {
        *part = world;
        return SCREE_OK;
    }
    def.hooks.log = silent;
    def.hooks.error = error;
    if (world->workers.count > 1)
        def.compute.tasks = world->workers.tasks;
    return scree_world_copy(world, &def, part);
}

/*  The number of dimensions and the domain, which no state changes. */
static uint64_t digest_of_frame(const scree_world *world)
{
    const scree_physics physics = scree_physics_of(&world->def);
    uint64_t hash = scree_hash_word(SCREE_HASH_START, physics.dimensions);

    hash = scree_hash_words(hash, physics.boundary, sizeof physics.boundary);
    hash = scree_hash_words(hash, physics.lower, sizeof physics.lower);
    return scree_hash_words(hash, physics.upper, sizeof physics.upper);
}

/*  Other ranks get what differs from rank 0, but not functions of the host. */
static scree_status check_alike(const scree_rank_team *ranks, const scree_world *world,
                                scree_error *error)
{
    const uint64_t own = scree_world_digest_of_definitions(world), frame = digest_of_frame(world);
    uint64_t words[] = {own, ~own, frame, ~frame, scree_world_has_host_functions(world)};
    const scree_status status =
        ranks->comm.reduce(ranks->comm.user, SCREE_REDUCE_MAX, words, sizeof words / sizeof *words);

    if (status)
        return scree_fail(error, status, "ranks: %s", scree_status_name(status));
    if (words[2] != ~words[3])
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "ranks: worlds differ in dimensions, boundaries or domain: all ranks "
                          "must make the same ones");
    if (words[4] && words[0] != ~words[1])
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "ranks: worlds differ in walls, materials or laws, and a law or the path "
                          "of a wall is a function of the host: all ranks must make the same ones");
    return SCREE_OK;
}

static void set_hooks(scree_rank_team *ranks)
{
    ranks->part_hooks = (scree_step_hooks){.user = ranks,
                                           .share = share,
                                           .agree = agree,
                                           .least = least,
                                           .sum = sum_over_ranks,
                                           .share_heat = share_heat,
                                           .leave = leave,
                                           .fail = fail};
    ranks->whole_hooks = (scree_step_hooks){.user = ranks, .take_steps = step_on_ranks};
    ranks->part->hooks = &ranks->part_hooks;
    if (ranks->whole)
        ranks->whole->hooks = &ranks->whole_hooks;
}

static void release(scree_rank_team *ranks)
{
    scree_memory memory;

    scree_distribution_free(&ranks->distribution);
    scree_told_shapes_free(&ranks->told_shapes, &ranks->memory);
    if (ranks->comm.rank == 0)
        scree_world_destroy(ranks->part);
    memory.allocator = ranks->memory.allocator;
    atomic_init(&memory.bytes, sizeof *ranks);
    scree_memory_give(&memory, &ranks, 1, sizeof *ranks);
}

scree_status scree_ranks_open(const scree_comm *comm, scree_world *world, scree_rank_team **ranks,
                              scree_error *error)
{
    scree_rank_team *made = NULL;
    scree_memory memory;
    scree_status status;

    *ranks = NULL;
    if (comm->size == 0 || comm->size > SCREE_MAX_RANKS)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "ranks: %u of them, must be 1 to %u",
                          (unsigned)comm->size, SCREE_MAX_RANKS);
    memory.allocator = world->memory.allocator;
    atomic_init(&memory.bytes, 0);
    status = scree_memory_take(&memory, 1, sizeof *made, &made);
    if (!status) {
        memset(made, 0, sizeof *made);
        made->memory.allocator = memory.allocator;
        atomic_init(&made->memory.bytes, 0);
        made->comm = scree_comm_metered(&made->meter, comm);
        made->distribution.memory = &made->memory;
        made->distribution.comm = &made->comm;
        made->whole = comm->rank ? NULL : world;
        status = refuse(world, error);
    } else {
        scree_fail(error, status, "ranks: %s", scree_status_name(status));
    }
    if (!status)
        status = make_part(made, world, &made->part, error);
    const scree_status agreed = scree_comm_agree(comm, status);
    if (agreed && !status)
        scree_fail(error, agreed, "ranks: another rank could not begin: %s",
                   scree_status_name(agreed));
    status = agreed;
    if (!status)
        status = check_alike(made, world, error);
    if (status) {
        if (made)
            release(made);
        return status;
    }
    set_hooks(made);
    *ranks = made;
    return SCREE_OK;
}

void scree_ranks_close(scree_rank_team *ranks)
{
    command said = {COMMAND_CLOSE, 0, 0};

    if (!ranks)
        return;
    if (ranks->whole) {
        ranks->whole->hooks = NULL;
        if (!ranks->broken)
            (void)scree_comm_tell_all(&ranks->comm, &said, sizeof said);
    } else {
        ranks->part->hooks = NULL;
    }
    release(ranks);
}

static uint64_t count_shared(const scree_world *part, uint32_t owned)
{
    const scree_contact_list *list = &part->pairs;
    const scree_shape_contact_list *shapes = &part->shape_contacts.now;
    uint32_t first, second, wall;
    uint64_t count = 0;

    for (size_t c = 0; c < list->count; c++)
        count += list->touches[c][0] && (list->first[c][0] >= owned || list->second[c][0] >= owned);
    for (size_t c = 0; c < shapes->count; c++)
        count += scree_shape_contacts_resolve(&part->bodies, &part->walls, shapes->pair[c], &first,
                                              &second, &wall) &&
                 second != UINT32_MAX && (first >= owned || second >= owned);
    return count;
}

scree_ranks_stats scree_ranks_stats_of(const scree_rank_team *ranks)
{
    return (scree_ranks_stats){
        .owned = ranks->distribution.owned,
        .ghosts = ranks->part->bodies.count - ranks->distribution.owned,
        .distributions = ranks->distribution.count,
        .moved = ranks->distribution.moved,
        .shared_contacts = count_shared(ranks->part, ranks->distribution.owned),
    };
}
