/*  From the world of the host to the parts, and back. */
#include "dist/rank_team.h"

#include "dist/bond_exchange.h"
#include "dist/event_exchange.h"
#include "dist/surroundings_exchange.h"
#include "dist/wear_exchange.h"
#include "dist/whole_intake.h"
#include "world/save/surroundings.h"

static scree_host_state state_of(const scree_world *world)
{
    scree_host_state state;

    memset(&state, 0, sizeof state);
    state.physics = scree_physics_of(&world->def);
    state.clock = world->clock;
    state.next_serial = world->bodies.next_serial;
    state.has_loads = world->bodies.keeps[SCREE_KEEP_LOADS];
    state.has_shapes = world->bodies.nonspheres != 0;
    state.heat_changes = world->heat.changes;
    state.sleep_changes = world->sleep.changes;
    state.computes_all = world->sleep.computes_all;
    state.has_force = world->force != NULL;
    state.lists_events = world->def.events;
    state.audit = world->def.detection.audit;
    state.bonds = world->breaks.course;
    return state;
}

scree_status scree_rank_distribute_whole(scree_rank_team *ranks)
{
    scree_world *part = ranks->part;
    scree_host_state state;
    scree_status status;

    memset(&state, 0, sizeof state);
    if (ranks->whole)
        state = state_of(ranks->whole);
    status = scree_comm_tell_all(&ranks->comm, &state, sizeof state);
    if (!status)
        status = scree_share_surroundings(&ranks->comm, &ranks->memory, ranks->whole, part);
    scree_walls_clear_wear(&part->walls);
    part->def.events = ranks->distribution.has_events = state.lists_events != 0;
    part->def.detection.audit = (uint32_t)state.audit;
    if (!status && part->def.events)
        status = scree_give_early_events(&ranks->comm, ranks->whole, part);
    if (!status && state.has_loads)
        status = scree_comm_agree(&ranks->comm, scree_bodies_keep(&part->bodies, SCREE_KEEP_LOADS));
    if (status)
        return status;
    const scree_world *from = ranks->whole ? ranks->whole : part;
    const uint32_t count = ranks->whole ? ranks->whole->bodies.count : 0;
    double dt, way;
    status = scree_rank_bound_step(ranks, from, count, &dt);
    way = ranks->whole ? scree_distribution_step_bound(from, count, dt) : 0;
    if (!status)
        status = scree_rank_largest(ranks, &way);
    ranks->distribution.partition.count = 0;
    ranks->distribution.has_shapes = state.has_shapes != 0;
    ranks->distribution.has_heat = part->heat.is_on;
    ranks->distribution.has_sleep = part->sleep.is_on;
    part->sleep.computes_all = state.computes_all != 0;
    scree_world_set_force(part, state.has_force ? scree_rank_ask_host : NULL, ranks);
    if (!status)
        status = scree_share_shapes(
            &ranks->comm, &ranks->memory, ranks->whole ? &from->shape_finder.meshes : NULL,
            &ranks->told_shapes, part->def.dimensions, &part->shape_finder.meshes);
    if (!status)
        status = scree_distribute_bodies(&ranks->distribution, from, count, part, way,
                                         scree_rounds_of(ranks->comm.size, false));
    part->bodies.next_serial = state.next_serial;
    /* rank 0 had room for all bodies in these */
    scree_distribution_shrink(&ranks->distribution);
    return status;
}

/*  Counts of all ranks since the last call: bodies that fell asleep and woke, pairs that were skipped, contacts that
    audits have missed, and pairs whose surfaces crossed. */
enum
{
    COUNT_FELL,
    COUNT_WOKE,
    COUNT_SPARED,
    COUNT_MISSED,
    COUNT_DEEP,
    COUNTS,
};

static scree_status gather_counts(const scree_comm *comm, scree_world *part,
                                  uint64_t counts[COUNTS])
{
    scree_sleep_state *sleep = &part->sleep;
    scree_detection_stats *stats = &part->detection_stats;

    counts[COUNT_FELL] = sleep->fell;
    counts[COUNT_WOKE] = sleep->woke;
    counts[COUNT_SPARED] = sleep->spared;
    counts[COUNT_MISSED] = stats->missed_contacts;
    counts[COUNT_DEEP] = scree_shape_finder_take_deep(&part->shape_finder);
    sleep->fell = sleep->woke = sleep->spared = stats->missed_contacts = 0;
    return comm->reduce(comm->user, SCREE_REDUCE_SUM, counts, COUNTS);
}

/*  Each audit is one of all ranks. */
static void add_counts(const uint64_t counts[COUNTS], scree_world *part, scree_world *whole)
{
    whole->sleep.fell += counts[COUNT_FELL];
    whole->sleep.woke += counts[COUNT_WOKE];
    whole->sleep.spared += counts[COUNT_SPARED];
    whole->detection_stats.missed_contacts += counts[COUNT_MISSED];
    whole->shape_finder.tested_elsewhere.deep += counts[COUNT_DEEP];
    whole->detection_stats.audits += part->detection_stats.audits;
    part->detection_stats.audits = 0;
}

/*  Contacts that end if the boundary removes all bodies. */
static size_t count_leaving(const scree_world *whole, const size_t incoming[SCREE_RECORDS])
{
    return whole && scree_def_removes_bodies(&whole->def)
               ? incoming[SCREE_RECORD_PAIR] + incoming[SCREE_RECORD_WALL] +
                     incoming[SCREE_RECORD_SHAPE]
               : 0;
}

/*  All bodies of this rank go to rank 0, and so do ghosts, which are sent by their owners. */
static scree_status send_to_host(scree_rank_team *ranks, scree_sending *sending)
{
    scree_distribution *distribution = &ranks->distribution;
    const uint32_t all = ranks->part->bodies.count;
    const scree_status status =
        scree_comm_agree(&ranks->comm, scree_memory_reserve(distribution->memory, &distribution->to,
                                                            &distribution->to_capacity, all,
                                                            sizeof *distribution->to));

    if (status)
        return status;
    if (all)
        memset(distribution->to, 0, all * sizeof *distribution->to);
    return scree_sending_begin(sending, &distribution->received, distribution->memory, &ranks->comm,
                               ranks->part, distribution->owned, distribution->to,
                               scree_rounds_of(ranks->comm.size, true));
}

/*  Makes room for all that will arrive, on rank 0. */
static scree_status begin_intake(scree_rank_team *ranks, const scree_sending *sending,
                                 scree_whole_intake *intake)
{
    const scree_comm *comm = &ranks->comm;
    uint64_t ids = scree_sum_of_ids(&ranks->part->bodies, ranks->distribution.owned);
    const scree_status status = comm->reduce(comm->user, SCREE_REDUCE_SUM, &ids, 1);

    if (status)
        return status;
    return scree_comm_agree(
        comm, ranks->whole ? scree_whole_intake_begin(intake, ranks->whole, sending->incoming, ids)
                           : SCREE_OK);
}

/*  Nothing but a rank that cannot be reached can stop it; then the host's world is lost. */
static scree_status take_rounds(scree_rank_team *ranks, scree_sending *sending,
                                scree_whole_intake *intake)
{
    scree_received *received = &ranks->distribution.received;
    scree_status status = SCREE_OK, taken = SCREE_OK;

    ranks->is_torn = ranks->whole != NULL;
    for (uint32_t round = 0; round < sending->rounds.count && !status; round++) {
        status = scree_sending_round(sending, received, round);
        if (ranks->whole && !status && !taken)
            taken = scree_whole_intake_add(intake, received);
    }
    if (ranks->whole && !status && !taken)
        taken = scree_whole_intake_accept(intake);
    status = status ? status : taken;
    ranks->is_torn = ranks->whole && status;
    return status;
}

/*  Lists of the host's world that are gathered before its state: they go back if that fails. */
typedef struct lists_before
{
    scree_bond_course bonds;
    size_t breaks, events;
} lists_before;

static lists_before lists_of(const scree_world *whole)
{
    return whole ? (lists_before){whole->breaks.course, whole->breaks.count, whole->events.count}
                 : (lists_before){0};
}

static void take_back_lists(const lists_before *before, scree_world *whole)
{
    whole->breaks.course = before->bonds;
    whole->breaks.count = before->breaks;
    whole->events.count = before->events;
    whole->events.record_count = whole->events.kept_count = 0;
}

void scree_rank_note_host(scree_rank_team *ranks)
{
    const scree_world *whole = ranks->whole;

    ranks->gathered = state_of(whole);
    ranks->added = whole->bodies.added;
    ranks->removed = whole->bodies.removed;
    ranks->restores = whole->restores;
    ranks->is_gathered = true;
}

static void take_surroundings(const scree_rank_team *ranks, const uint64_t counts[COUNTS])
{
    scree_world *whole = ranks->whole;

    whole->clock = ranks->part->clock;
    whole->rows_are_stale = ranks->part->rows_are_stale;
    scree_gather_surroundings(ranks->part, whole);
    add_counts(counts, ranks->part, whole);
}

/*  Lists, and then the state of bodies and contacts. */
static scree_status gather_all(scree_rank_team *ranks, scree_sending *sending,
                               scree_whole_intake *intake)
{
    const scree_comm *comm = &ranks->comm;
    scree_world *part = ranks->part, *whole = ranks->whole;
    scree_status status = SCREE_OK;

    if (part->breaks.course.made)
        status = scree_gather_breaks(comm, &ranks->memory, part, whole);
    if (!status)
        status = send_to_host(ranks, sending);
    if (!status)
        status = begin_intake(ranks, sending, intake);
    if (!status && part->def.events)
        status = scree_gather_events(comm, &ranks->memory, part, whole,
                                     count_leaving(whole, sending->incoming));
    return status ? status : take_rounds(ranks, sending, intake);
}

scree_status scree_rank_gather(scree_rank_team *ranks)
{
    scree_world *whole = ranks->whole;
    const lists_before before = lists_of(whole);
    scree_whole_intake intake = {.whole = NULL};
    scree_sending sending = {.comm = &ranks->comm, .memory = &ranks->memory};
    scree_wear_parcel wear = {.words = NULL};
    uint64_t counts[COUNTS] = {0};
    scree_status status = SCREE_OK;

    if (ranks->part->sleep.is_on || ranks->part->def.detection.audit ||
        ranks->distribution.has_shapes)
        status = gather_counts(&ranks->comm, ranks->part, counts);
    if (!status)
        status = scree_wear_collect(&ranks->comm, &ranks->memory, &ranks->part->walls, &wear);
    if (!status)
        status = gather_all(ranks, &sending, &intake);
    if (whole && status)
        take_back_lists(&before, whole);
    if (whole && !status) {
        take_surroundings(ranks, counts);
        scree_rank_note_host(ranks);
    }
    if (intake.whole)
        scree_whole_intake_end(&intake, !status);
    scree_sending_end(&sending);
    status = scree_comm_agree(&ranks->comm, status);
    if (!status)
        scree_wear_deliver(&wear, &ranks->part->walls, whole ? &whole->walls : NULL);
    scree_wear_parcel_free(&wear, &ranks->memory);
    return status;
}

bool scree_rank_host_has_changed(const scree_rank_team *ranks)
{
    const scree_world *whole = ranks->whole;
    const scree_host_state now = state_of(whole);

    return !ranks->is_gathered || memcmp(&now, &ranks->gathered, sizeof now) != 0 ||
           whole->clock.unprimed || whole->bodies.added != ranks->added ||
           whole->bodies.removed != ranks->removed || whole->restores != ranks->restores ||
           scree_world_digest_of_surroundings(whole) !=
               scree_world_digest_of_surroundings(ranks->part);
}
