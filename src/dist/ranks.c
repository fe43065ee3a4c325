/*  Rank 0 sends a command of a few words to all ranks; then all execute it together. A step that fails on one rank
    fails on all, and none accepts it. */
#include "dist/ranks.h"

#include "base/clock.h"
#include "base/hash.h"
#include "dist/body_work.h"
#include "dist/rank_team.h"
#include "dist/step_failure.h"
#include "world/save/surroundings.h"
#include "world/step/step.h"

/*  Commands of rank 0. */
typedef enum command_kind
{
    COMMAND_CLOSE,
    COMMAND_STEP,
    COMMAND_TELL_LOADS,
    COMMAND_WORK,
} command_kind;

typedef struct command
{
    uint64_t kind, steps;
    uint64_t is_changed; /* the host has changed something: its world is distributed first */
} command;

/* ---- commands ---- */

/*  After a failed step: earlier steps of the call count. If there are none, the host's world has not changed. */
static scree_status end_failed(scree_rank_team *ranks, bool some_are_taken, scree_status failed)
{
    scree_status status = some_are_taken ? scree_rank_gather(ranks) : SCREE_OK;

    if (!status && some_are_taken && ranks->whole)
        scree_events_close(ranks->whole);
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
    const scree_status status = scree_rank_take_steps(ranks, count);
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
        status = scree_rank_distribute_whole(ranks);
    if (status)
        return status;
    const uint64_t before = ranks->part->clock.steps;
    status = take_measured_steps(ranks, said->steps);
    if (status && !ranks->has_failed)
        return status;
    ended = status ? end_failed(ranks, ranks->part->clock.steps != before, status)
                   : scree_rank_gather(ranks);
    *is_over = ended != SCREE_OK;
    return ended ? ended : status;
}

static scree_status refuse(const scree_world *world, scree_error *error)
{
    char text[220];

    scree_ranks_refusals(world, text, sizeof text);
    return text[0] ? scree_fail(error, SCREE_UNSUPPORTED, "world: not with ranks yet: %s", text)
                   : SCREE_OK;
}

/*  Steps of all ranks, up to one after which bodies are removed. */
static scree_status step_together(scree_rank_team *ranks, scree_world *world, uint64_t count)
{
    command said = {COMMAND_STEP, count, scree_rank_host_has_changed(ranks)};
    bool is_over = true;
    scree_status status = scree_comm_tell_all(&ranks->comm, &said, sizeof said);

    if (!status)
        status = do_steps(ranks, &said, &is_over);
    ranks->broken = is_over ? status : SCREE_OK;
    if (status && !ranks->has_failed)
        scree_fail(&world->error, status, "world: ranks: %s", scree_status_name(status));
    if (!status) {
        scree_world_let_go(world);
        scree_events_close(world);
    }
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

/* ---- work of a higher room ---- */

void scree_ranks_set_work(scree_rank_team *ranks, scree_rank_work_fn *work)
{
    ranks->work = work;
}

static scree_status do_work(scree_rank_team *ranks, const command *said, void *data, bool *is_over)
{
    uint64_t lacking = !ranks->work;
    scree_status status = ranks->comm.reduce(ranks->comm.user, SCREE_REDUCE_MAX, &lacking, 1);

    *is_over = true;
    if (!status && !lacking && said->is_changed)
        status = scree_rank_distribute_whole(ranks);
    if (status)
        return status;
    *is_over = false;
    if (lacking || !ranks->work)
        return SCREE_UNSUPPORTED;
    if (said->is_changed && ranks->whole)
        scree_rank_note_host(ranks);
    return ranks->work(ranks, data, is_over);
}

scree_status scree_ranks_work(scree_rank_team *ranks, void *data)
{
    const command said = {COMMAND_WORK, 0, !ranks->broken && scree_rank_host_has_changed(ranks)};
    command told = said;
    bool is_over = true;

    if (ranks->broken)
        return ranks->broken;
    scree_status status = scree_comm_tell_all(&ranks->comm, &told, sizeof told);
    if (!status)
        status = do_work(ranks, &said, data, &is_over);
    ranks->broken = is_over ? status : SCREE_OK;
    return status;
}

/* ---- loads ---- */

/*  Each rank fills its own words, and all are added. */
static scree_status tell_loads(scree_rank_team *ranks, scree_rank_load *of_rank)
{
    const uint32_t size = ranks->comm.size;
    scree_rank_load *all = NULL;
    scree_distribution *distribution = &ranks->distribution;
    scree_status status = scree_memory_take(&ranks->memory, size, sizeof *all, &all);

    if (!status)
        status = scree_memory_reserve(distribution->memory, &distribution->work,
                                      &distribution->work_capacity, distribution->owned,
                                      sizeof *distribution->work);
    status = scree_comm_agree(&ranks->comm, status);
    if (status) {
        scree_memory_give(&ranks->memory, &all, size, sizeof *all);
        return status;
    }
    memset(all, 0, size * sizeof *all);
    all[ranks->comm.rank] = ranks->load;
    all[ranks->comm.rank].owned = distribution->owned;
    all[ranks->comm.rank].ghosts = ranks->part->bodies.count - distribution->owned;
    scree_find_body_work(ranks->part, distribution->owned, distribution->work);
    for (uint32_t slot = 0; slot < distribution->owned; slot++)
        all[ranks->comm.rank].work += distribution->work[slot];
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

bool scree_ranks_have_lost_world(const scree_rank_team *ranks)
{
    return ranks->is_torn;
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
        else if (said.kind == COMMAND_WORK)
            status = do_work(ranks, &said, NULL, &is_over);
        else if ((status = tell_loads(ranks, NULL)) == SCREE_IO_ERROR)
            return status;
    }
    return status;
}

/* ---- opening and closing ---- */

/*  Makes the world that will have the bodies of rank 0: with the settings of the host's world, but without log. */
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
    return scree_world_copy_surroundings(world, &def, part);
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
    ranks->own = (scree_own_hooks){ranks->part->force, ranks->part->force_user,
                                   ranks->part->def.events, ranks->part->def.detection.audit};
    ranks->part_hooks = scree_rank_hooks(ranks);
    ranks->whole_hooks = (scree_step_hooks){.user = ranks, .take_steps = step_on_ranks};
    ranks->part->hooks = &ranks->part_hooks;
    if (ranks->whole)
        ranks->whole->hooks = &ranks->whole_hooks;
}

/*  The part of a rank other than 0 is the world of its host. */
static void give_back(const scree_rank_team *ranks, scree_world *world)
{
    world->hooks = NULL;
    world->events.is_part = false;
    scree_events_forget(&world->events);
    world->def.events = ranks->own.lists_events;
    world->def.detection.audit = ranks->own.audit;
    scree_world_set_force(world, ranks->own.force, ranks->own.force_user);
}

static void release(scree_rank_team *ranks)
{
    scree_memory memory;

    scree_distribution_free(&ranks->distribution);
    scree_told_shapes_free(&ranks->told_shapes, &ranks->memory);
    scree_host_forces_free(&ranks->host_forces, &ranks->memory);
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
        give_back(ranks, ranks->part);
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
