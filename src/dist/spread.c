#include "dist/spread.h"

#include "base/vector.h"
#include "dist/unload.h"
#include "law/law.h"
#include "world/step/time_step.h"

#include <math.h>

/*  Share of the smallest radius that a body may move between two distributions, and number of steps aimed at between
    them. */
#define ROOM_OF_RADIUS 0.2
#define ROOM_OF_STEPS 4
/*  Space is cut again if a rank has this many times its share of bodies. */
#define MOST_OF_SHARE 1.1

void scree_spread_free(scree_spread *spread)
{
    scree_memory *memory = spread->memory;
    const size_t size = spread->start_capacity;

    scree_partition_free(&spread->partition, memory);
    scree_halo_list_free(&spread->sent, memory);
    scree_cargo_free(&spread->cargo, memory);
    scree_cargo_free(&spread->copies, memory);
    scree_memory_give(memory, &spread->copy_start, size, sizeof *spread->copy_start);
    scree_memory_give(memory, &spread->origin, spread->origin_capacity, sizeof *spread->origin);
    scree_memory_give(memory, &spread->out, spread->out_capacity, sizeof *spread->out);
    scree_memory_give(memory, &spread->in, spread->in_capacity, sizeof *spread->in);
    scree_memory_give(memory, &spread->parcels, spread->parcel_capacity, sizeof *spread->parcels);
    scree_memory_give(memory, &spread->to, spread->to_capacity, sizeof *spread->to);
}

/* ---- owners ---- */

static scree_places places_of(const scree_world *world, uint32_t count)
{
    return (scree_places){(const double(*)[4])world->bodies.position, count};
}

static void find_owners(const scree_spread *spread, const scree_places *places)
{
    for (size_t k = 0; k < places->count; k++)
        spread->to[k] = scree_partition_owner(&spread->partition, places->row[k]);
}

/*  Whether a rank would have too many bodies. Counts are summed over ranks: a word for each rank. */
static scree_status find_imbalance(const scree_spread *spread, const scree_places *places,
                                   bool *is_uneven)
{
    const scree_comm *comm = spread->comm;
    uint64_t *counts = NULL, all = 0, most = 0;
    scree_status status = scree_comm_agree(
        comm, scree_memory_take(spread->memory, comm->size, sizeof *counts, &counts));

    if (!status) {
        memset(counts, 0, comm->size * sizeof *counts);
        for (size_t k = 0; k < places->count; k++)
            counts[spread->to[k]]++;
        status = comm->reduce(comm->user, SCREE_REDUCE_SUM, counts, comm->size);
    }
    for (uint32_t r = 0; r < comm->size && !status; r++) {
        all += counts[r];
        most = counts[r] > most ? counts[r] : most;
    }
    *is_uneven = (double)most * comm->size > MOST_OF_SHARE * (double)all + comm->size;
    scree_memory_give(spread->memory, &counts, comm->size, sizeof *counts);
    return status;
}

static scree_status choose_owners(scree_spread *spread, const scree_places *places)
{
    const scree_comm *comm = spread->comm;
    bool is_uneven = true;
    scree_status status = scree_comm_agree(
        comm, scree_memory_reserve(spread->memory, &spread->to, &spread->to_capacity, places->count,
                                   sizeof *spread->to));

    if (!status && spread->partition.count) {
        find_owners(spread, places);
        status = find_imbalance(spread, places, &is_uneven);
    }
    if (status || !is_uneven)
        return status;
    status = scree_partition_make(&spread->partition, spread->memory, comm, places, comm->size);
    if (!status)
        find_owners(spread, places);
    return status;
}

/* ---- copies ---- */

/*  The largest and the smallest radius over all ranks. */
static scree_status find_radii(const scree_spread *spread, const scree_world *part, double *largest,
                               double *smallest)
{
    const scree_comm *comm = spread->comm;
    double most = 0, least = INFINITY;

    for (uint32_t slot = 0; slot < spread->owned; slot++) {
        const double radius = part->bodies.position[slot][3];
        most = radius > most ? radius : most;
        least = radius < least ? radius : least;
    }
    uint64_t words[2] = {scree_word_of_double(most), scree_word_of_double(-least)};
    const scree_status status = comm->reduce(comm->user, SCREE_REDUCE_MAX, words, 2);
    *largest = scree_double_of_word(words[0]);
    *smallest = -scree_double_of_word(words[1]);
    return status;
}

/*  The margin of radii: half of the interaction range, and the displacement of both bodies. */
static scree_status find_margin(scree_spread *spread, const scree_world *part, double way,
                                double *margin)
{
    double largest, smallest;
    const scree_status status = find_radii(spread, part, &largest, &smallest);

    if (status)
        return status;
    spread->room = fmax(smallest < INFINITY ? ROOM_OF_RADIUS * smallest : 0, ROOM_OF_STEPS * way);
    *margin = spread->room * (1 + 0x1p-20) +
              scree_law_reach_at(&part->rules.reach, largest / 2 * (1 + 0x1p-40)) / 2;
    return SCREE_OK;
}

/*  Rows sent in the first round, which are all that the second round needs. */
static scree_status exchange_rows(const scree_spread *spread, const scree_halo_list *list,
                                  const scree_places *places, scree_parcel *parcels,
                                  uint64_t *counts, size_t *start, double (**rows)[4], size_t *room)
{
    const scree_comm *comm = spread->comm;
    double(*sent)[4] = NULL;
    uint64_t *from = counts + comm->size;
    size_t out = 0, in = 0;

    for (uint32_t r = 0; r < comm->size; r++)
        counts[r] = list->start[r + 1] - list->start[r];
    scree_status status = comm->deal(comm->user, counts, from, 1);
    if (status)
        return status;
    start[0] = 0;
    for (uint32_t r = 0; r < comm->size; r++)
        start[r + 1] = start[r] + (size_t)from[r];
    status = scree_memory_reserve(spread->memory, rows, room, start[comm->size], sizeof **rows);
    const size_t all = list->start[comm->size];
    if (!status)
        status = scree_memory_take(spread->memory, all, sizeof *sent, &sent);
    status = scree_comm_agree(comm, status);
    for (size_t k = 0; k < all && !status; k++)
        memcpy(sent[k], places->row[list->body[k]], sizeof *sent);
    for (uint32_t r = 0; r < comm->size && !status; r++) {
        if (counts[r])
            parcels[out++] =
                (scree_parcel){r, (size_t)counts[r] * sizeof *sent, sent + list->start[r]};
        if (from[r])
            parcels[comm->size + in++] =
                (scree_parcel){r, (size_t)from[r] * sizeof *sent, *rows + start[r]};
    }
    if (!status)
        status = comm->exchange(comm->user, parcels, out, parcels + comm->size, in);
    scree_memory_give(spread->memory, &sent, all, sizeof *sent);
    return status;
}

static scree_status reserve_by_rank(scree_spread *spread)
{
    const size_t size = spread->comm->size;

    return scree_memory_reserve(spread->memory, &spread->copy_start, &spread->start_capacity,
                                size + 1, sizeof *spread->copy_start) ||
                   scree_memory_reserve(spread->memory, &spread->parcels, &spread->parcel_capacity,
                                        2 * size, sizeof *spread->parcels)
               ? SCREE_OUT_OF_MEMORY
               : SCREE_OK;
}

/*  Both rounds, see halo.h: `sent` gets the result. */
static scree_status choose_copies(scree_spread *spread, const scree_world *part, double margin)
{
    const scree_comm *comm = spread->comm;
    const scree_places places = places_of(part, spread->owned);
    scree_halo_list first = {0};
    double(*rows)[4] = NULL;
    uint64_t *counts = NULL;
    size_t room = 0;
    scree_status status = reserve_by_rank(spread);

    if (!status)
        status = scree_memory_take(spread->memory, 2 * (size_t)comm->size, sizeof *counts, &counts);
    if (!status)
        status =
            scree_halo_first(&first, spread->memory, &spread->partition, comm, &places, margin);
    status = scree_comm_agree(comm, status);
    if (!status)
        status = exchange_rows(spread, &first, &places, spread->parcels, counts, spread->copy_start,
                               &rows, &room);
    if (!status) {
        const scree_halo_copies copies = {(const double(*)[4])rows, spread->copy_start};
        status = scree_comm_agree(comm, scree_halo_all(&spread->sent, spread->memory, &first, comm,
                                                       &places, &copies, margin));
    }
    scree_halo_list_free(&first, spread->memory);
    scree_memory_give(spread->memory, &rows, room, sizeof *rows);
    scree_memory_give(spread->memory, &counts, 2 * (size_t)comm->size, sizeof *counts);
    return status;
}

/* ---- messages of a step ---- */

static scree_status plan_messages(scree_spread *spread, const scree_world *part)
{
    const uint32_t size = spread->comm->size;
    const size_t out = spread->sent.start[size], in = spread->copies.body_count;

    if (scree_memory_reserve(spread->memory, &spread->out, &spread->out_capacity, out,
                             sizeof *spread->out) ||
        scree_memory_reserve(spread->memory, &spread->in, &spread->in_capacity, in,
                             sizeof *spread->in) ||
        scree_memory_reserve(spread->memory, &spread->origin, &spread->origin_capacity,
                             spread->owned, sizeof *spread->origin))
        return SCREE_OUT_OF_MEMORY;
    memcpy(spread->copy_start, spread->copies.body_start, (size + 1) * sizeof *spread->copy_start);
    spread->out_parcels = spread->in_parcels = 0;
    for (uint32_t r = 0; r < size; r++) {
        const size_t sent = spread->sent.start[r + 1] - spread->sent.start[r];
        const size_t come = spread->copy_start[r + 1] - spread->copy_start[r];
        if (sent)
            spread->parcels[spread->out_parcels++] =
                (scree_parcel){r, sent * sizeof *spread->out, spread->out + spread->sent.start[r]};
        if (come)
            spread->parcels[size + spread->in_parcels++] =
                (scree_parcel){r, come * sizeof *spread->in, spread->in + spread->copy_start[r]};
    }
    for (uint32_t slot = 0; slot < spread->owned; slot++)
        memcpy(spread->origin[slot], part->bodies.position[slot], sizeof *spread->origin);
    return SCREE_OK;
}

scree_status scree_spread_share(const scree_spread *spread, scree_world *part)
{
    const scree_comm *comm = spread->comm;
    scree_crowd *bodies = &part->bodies;
    const size_t out = spread->sent.start[comm->size], in = spread->copy_start[comm->size];

    for (size_t k = 0; k < out; k++) {
        const uint32_t slot = spread->sent.body[k];
        memcpy(spread->out[k], bodies->position[slot], 3 * sizeof(double));
        memcpy(spread->out[k] + 3, bodies->velocity[slot], 3 * sizeof(double));
        memcpy(spread->out[k] + 6, bodies->spin[slot], 3 * sizeof(double));
    }
    const scree_status status = comm->exchange(comm->user, spread->parcels, spread->out_parcels,
                                               spread->parcels + comm->size, spread->in_parcels);
    for (size_t k = 0; k < in && !status; k++) {
        const uint32_t slot = spread->owned + (uint32_t)k;
        memcpy(bodies->position[slot], spread->in[k], 3 * sizeof(double));
        memcpy(bodies->velocity[slot], spread->in[k] + 3, 3 * sizeof(double));
        memcpy(bodies->spin[slot], spread->in[k] + 6, 3 * sizeof(double));
    }
    return status;
}

/* ---- all ---- */

static uint64_t count_moved(const scree_spread *spread, size_t count)
{
    uint64_t moved = 0;

    for (size_t k = 0; k < count; k++)
        moved += spread->to[k] != spread->comm->rank;
    return moved;
}

scree_status scree_spread_bodies(scree_spread *spread, const scree_world *from, uint32_t count,
                                 scree_world *part, double way)
{
    const scree_comm *comm = spread->comm;
    const scree_places places = places_of(from, count);
    double margin = 0;
    scree_status status = choose_owners(spread, &places);

    if (!status)
        status = scree_cargo_send(&spread->cargo, spread->memory, comm, from, count, spread->to);
    if (status)
        return status;
    spread->count++;
    spread->moved += count_moved(spread, count);
    status = scree_comm_agree(comm, scree_unload_bodies(&spread->cargo, part));
    spread->owned = part->bodies.count;
    if (!status)
        status = find_margin(spread, part, way, &margin);
    if (!status)
        status = choose_copies(spread, part, margin);
    if (!status)
        status = scree_cargo_send_copies(&spread->copies, spread->memory, comm, part,
                                         spread->sent.body, spread->sent.start);
    if (status)
        return status;
    status = scree_unload_copies(&spread->copies, part);
    if (!status)
        status = scree_unload_contacts(&spread->cargo, part, spread->owned);
    if (!status)
        status = plan_messages(spread, part);
    part->next_sort = UINT64_MAX;
    return scree_comm_agree(comm, status);
}

/*  An upper bound of the steps that scree_world_choose_dt can choose. */
static double longest_step(const scree_world *world)
{
    const scree_world_def *def = &world->def;
    double longest = def->dt > 0 ? def->dt : INFINITY;

    if (def->time == SCREE_TIME_FIXED)
        return longest;
    if (world->clock.stable > 0)
        longest = fmin(longest, def->safety_factor * world->clock.stable);
    if (world->clock.steps > 0 && world->clock.dt > 0)
        longest = fmin(longest, def->max_growth * world->clock.dt);
    return longest;
}

/*  Upper bound of a body's displacement in a step for any integrator: |v| dt + |a| dt^2, with an allowance for
    rounding. In automatic steps it is at most scree_body_most_move. */
static double way_of(const scree_world *world, uint32_t slot, double dt)
{
    const scree_crowd *bodies = &world->bodies;
    double way = scree_length(bodies->velocity[slot]) * dt +
                 scree_length(bodies->force[slot]) * bodies->velocity[slot][3] * dt * dt;

    /* NaN is no displacement: the step finds values that are not finite */
    if (world->def.time != SCREE_TIME_FIXED && !(way < scree_body_most_move(bodies, slot)))
        way = scree_body_most_move(bodies, slot);
    return way * (1 + 0x1p-40);
}

double scree_spread_reach(const scree_spread *spread, const scree_world *part)
{
    const double dt = longest_step(part);
    double most = 0;

    for (uint32_t slot = 0; slot < spread->owned; slot++) {
        const double far =
            scree_apart(part->bodies.position[slot], spread->origin[slot]) + way_of(part, slot, dt);
        most = far > most ? far : most;
    }
    return most;
}

double scree_spread_way(const scree_world *part, uint32_t owned)
{
    const double dt = longest_step(part);
    double most = 0;

    for (uint32_t slot = 0; slot < owned; slot++) {
        const double way = way_of(part, slot, dt);
        most = way > most ? way : most;
    }
    return most;
}
