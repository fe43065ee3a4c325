#include "dist/distribution.h"

#include "base/vector.h"
#include "dist/body_work.h"
#include "dist/bond_exchange.h"
#include "dist/unpack.h"
#include "law/law.h"
#include "world/motion/sleep.h"
#include "world/step/time_step.h"

#include <math.h>

/*  Share of the smallest radius that a body may move between two distributions, and number of steps aimed at between
    them. */
#define ROOM_OF_RADIUS 0.2
#define ROOM_OF_STEPS 4
/*  Space is cut again if a rank has this many times its share of the work, and this much more: a few bodies. */
#define MAX_UNEVENNESS 1.1
#define SMALL_WORK 100

void scree_distribution_shrink(scree_distribution *distribution)
{
    scree_memory *memory = distribution->memory;

    scree_memory_give(memory, &distribution->to, distribution->to_capacity,
                      sizeof *distribution->to);
    scree_memory_give(memory, &distribution->work, distribution->work_capacity,
                      sizeof *distribution->work);
    scree_memory_give(memory, &distribution->wrapped, distribution->wrapped_capacity,
                      sizeof *distribution->wrapped);
    distribution->to_capacity = distribution->work_capacity = distribution->wrapped_capacity = 0;
}

void scree_distribution_free(scree_distribution *distribution)
{
    scree_memory *memory = distribution->memory;
    const size_t size = distribution->start_capacity;

    scree_distribution_shrink(distribution);
    scree_partition_free(&distribution->partition, memory);
    scree_ghost_list_free(&distribution->sent, memory);
    scree_received_free(&distribution->received, memory);
    scree_received_free(&distribution->ghosts, memory);
    scree_memory_give(memory, &distribution->copy_start, size, sizeof *distribution->copy_start);
    scree_memory_give(memory, &distribution->origin, distribution->origin_capacity,
                      sizeof *distribution->origin);
    scree_memory_give(memory, &distribution->out, distribution->out_capacity,
                      sizeof *distribution->out);
    scree_memory_give(memory, &distribution->in, distribution->in_capacity,
                      sizeof *distribution->in);
    scree_memory_give(memory, &distribution->messages, distribution->message_capacity,
                      sizeof *distribution->messages);
}

/* ---- places ---- */

/*  Into the box; the host may have put a body outside, which is wrapped at the end of the next step. */
static void wrap(const scree_domain *domain, double place[4])
{
    for (int k = 2; k >= 0; k--)
        if (domain->period[k] > 0) {
            const double edges = floor((place[k] - domain->lower[k]) / domain->period[k]);
            scree_domain_take(domain, k, edges, place);
            place[k] = fmin(fmax(place[k], domain->lower[k]), domain->upper[k]);
        }
}

/*  Of the first bodies of a world; in a periodic box wrapped into it. SCREE_OUT_OF_MEMORY. */
static scree_status find_places(scree_distribution *distribution, const scree_world *world,
                                uint32_t count, scree_places *places)
{
    const scree_domain *domain = &world->cell.now;

    *places = (scree_places){(const double(*)[4])world->bodies.position, count, NULL};
    if (!(domain->period[0] + domain->period[1] + domain->period[2] > 0))
        return SCREE_OK;
    if (scree_memory_reserve(distribution->memory, &distribution->wrapped,
                             &distribution->wrapped_capacity, count, sizeof *distribution->wrapped))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t slot = 0; slot < count; slot++) {
        memcpy(distribution->wrapped[slot], world->bodies.position[slot],
               sizeof *distribution->wrapped);
        wrap(domain, distribution->wrapped[slot]);
    }
    places->row = (const double(*)[4])distribution->wrapped;
    return SCREE_OK;
}

/* ---- owners ---- */

/*  Also of ghosts, which are behind the bodies of this rank: their owners have the same places. */
static void find_owners(const scree_distribution *distribution, const scree_places *places)
{
    for (size_t k = 0; k < places->count; k++)
        distribution->to[k] = scree_partition_owner(&distribution->partition, places->row[k]);
}

/*  Whether a rank would have too much work. Weights are summed over ranks: a word for each rank. */
static scree_status find_imbalance(const scree_distribution *distribution,
                                   const scree_places *places, bool *is_uneven)
{
    const scree_comm *comm = distribution->comm;
    uint64_t *sums = NULL, all = 0, most = 0;
    scree_status status = scree_comm_agree(
        comm, scree_memory_take(distribution->memory, comm->size, sizeof *sums, &sums));

    if (!status) {
        memset(sums, 0, comm->size * sizeof *sums);
        for (size_t k = 0; k < places->count; k++)
            sums[distribution->to[k]] += places->weight[k];
        status = comm->reduce(comm->user, SCREE_REDUCE_SUM, sums, comm->size);
    }
    for (uint32_t r = 0; r < comm->size && !status; r++) {
        all += sums[r];
        most = sums[r] > most ? sums[r] : most;
    }
    *is_uneven =
        (double)most * comm->size > MAX_UNEVENNESS * (double)all + SMALL_WORK * (double)comm->size;
    scree_memory_give(distribution->memory, &sums, comm->size, sizeof *sums);
    return status;
}

static scree_status choose_owners(scree_distribution *distribution, const scree_world *from,
                                  uint32_t count)
{
    const scree_comm *comm = distribution->comm;
    const uint32_t all = from->bodies.count > count ? from->bodies.count : count;
    scree_places everywhere;
    bool is_uneven = true;
    scree_status status = find_places(distribution, from, all, &everywhere);

    if (!status)
        status = scree_memory_reserve(distribution->memory, &distribution->to,
                                      &distribution->to_capacity, all, sizeof *distribution->to);
    if (!status)
        status =
            scree_memory_reserve(distribution->memory, &distribution->work,
                                 &distribution->work_capacity, count, sizeof *distribution->work);
    status = scree_comm_agree(comm, status);
    if (status)
        return status;
    const scree_places places = {everywhere.row, count, distribution->work};
    scree_find_body_work(from, count, distribution->work);
    if (distribution->partition.count) {
        find_owners(distribution, &everywhere);
        status = find_imbalance(distribution, &places, &is_uneven);
    }
    if (status || !is_uneven)
        return status;
    status = scree_partition_make(&distribution->partition, distribution->memory, comm, &places,
                                  comm->size);
    if (!status)
        find_owners(distribution, &everywhere);
    return status;
}

/* ---- ghosts ---- */

/*  The largest and the smallest radius over all ranks. */
static scree_status find_radii(const scree_distribution *distribution, const scree_world *part,
                               double *largest, double *smallest)
{
    const scree_comm *comm = distribution->comm;
    double most = 0, least = INFINITY;

    for (uint32_t slot = 0; slot < distribution->owned; slot++) {
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
static scree_status find_margin(scree_distribution *distribution, const scree_world *part,
                                double way, double *margin)
{
    double largest, smallest;
    const scree_status status = find_radii(distribution, part, &largest, &smallest);

    if (status)
        return status;
    distribution->room =
        fmax(smallest < INFINITY ? ROOM_OF_RADIUS * smallest : 0, ROOM_OF_STEPS * way);
    *margin = distribution->room * (1 + 0x1p-20) +
              scree_law_reach_at(&part->rules.reach, largest / 2 * (1 + 0x1p-40)) / 2;
    return SCREE_OK;
}

/*  Rows sent in the first round, which are all that the second round needs. */
static scree_status exchange_rows(const scree_distribution *distribution,
                                  const scree_ghost_list *list, const scree_places *places,
                                  scree_rank_message *messages, uint64_t *counts, size_t *start,
                                  double (**rows)[4], size_t *room)
{
    const scree_comm *comm = distribution->comm;
    double(*sent)[4] = NULL;
    uint64_t *from = counts + comm->size;
    size_t out = 0, in = 0;

    for (uint32_t r = 0; r < comm->size; r++)
        counts[r] = list->start[r + 1] - list->start[r];
    scree_status status = comm->all_to_all(comm->user, counts, from, 1);
    if (status)
        return status;
    start[0] = 0;
    for (uint32_t r = 0; r < comm->size; r++)
        start[r + 1] = start[r] + (size_t)from[r];
    status =
        scree_memory_reserve(distribution->memory, rows, room, start[comm->size], sizeof **rows);
    const size_t all = list->start[comm->size];
    if (!status)
        status = scree_memory_take(distribution->memory, all, sizeof *sent, &sent);
    status = scree_comm_agree(comm, status);
    for (size_t k = 0; k < all && !status; k++)
        memcpy(sent[k], places->row[list->body[k]], sizeof *sent);
    for (uint32_t r = 0; r < comm->size && !status; r++) {
        if (counts[r])
            messages[out++] =
                (scree_rank_message){r, (size_t)counts[r] * sizeof *sent, sent + list->start[r]};
        if (from[r])
            messages[comm->size + in++] =
                (scree_rank_message){r, (size_t)from[r] * sizeof *sent, *rows + start[r]};
    }
    if (!status)
        status = comm->exchange(comm->user, messages, out, messages + comm->size, in);
    scree_memory_give(distribution->memory, &sent, all, sizeof *sent);
    return status;
}

/*  Answers go back the way on which rows came: one byte for each. */
static scree_status exchange_answers(const scree_distribution *distribution,
                                     const scree_ghost_list *list, const size_t *start,
                                     uint8_t *answers, uint8_t *is_needed)
{
    const scree_comm *comm = distribution->comm;
    scree_rank_message *messages = distribution->messages;
    size_t out = 0, in = 0;

    for (uint32_t r = 0; r < comm->size; r++) {
        const size_t to = start[r + 1] - start[r], from = list->start[r + 1] - list->start[r];
        if (to)
            messages[out++] = (scree_rank_message){r, to, answers + start[r]};
        if (from)
            messages[comm->size + in++] = (scree_rank_message){r, from, is_needed + list->start[r]};
    }
    return comm->exchange(comm->user, messages, out, messages + comm->size, in);
}

static scree_status reserve_by_rank(scree_distribution *distribution)
{
    const size_t size = distribution->comm->size;

    return scree_memory_reserve(distribution->memory, &distribution->copy_start,
                                &distribution->start_capacity, size + 1,
                                sizeof *distribution->copy_start) ||
                   scree_memory_reserve(distribution->memory, &distribution->messages,
                                        &distribution->message_capacity, 2 * size,
                                        sizeof *distribution->messages)
               ? SCREE_OUT_OF_MEMORY
               : SCREE_OK;
}

/*  Chooses from the rows that were received: what they answer, and what is answered to those of this rank. */
static scree_status choose_by_answers(scree_distribution *distribution, const scree_world *part,
                                      const scree_places *places, const scree_ghost_list *first,
                                      const scree_ghost_rows *ghosts, double margin)
{
    const scree_comm *comm = distribution->comm;
    scree_memory *memory = distribution->memory;
    const size_t sent = first->start[comm->size];
    scree_ghost_answer answer = {0};
    scree_ghost_wish *wishes = NULL;
    uint8_t *is_needed = NULL;
    size_t wish_count = 0, wish_capacity = 0;
    scree_status status = scree_memory_take(memory, sent, sizeof *is_needed, &is_needed);

    if (!status)
        status =
            scree_ghosts_answer(&answer, memory, comm, places, &part->cell.now, ghosts, margin);
    status = scree_comm_agree(comm, status);
    if (!status)
        status = exchange_answers(distribution, first, ghosts->start, answer.needed, is_needed);
    if (!status) {
        status = scree_find_bonded(&distribution->received, part, comm->rank, memory, &wishes,
                                   &wish_count, &wish_capacity);
        if (!status)
            status = scree_ghosts_choose(&distribution->sent, memory, comm, places->count, first,
                                         is_needed, &answer.near, wishes, wish_count);
        status = scree_comm_agree(comm, status);
    }
    scree_memory_give(memory, &wishes, wish_capacity, sizeof *wishes);
    scree_memory_give(memory, &is_needed, sent, sizeof *is_needed);
    scree_ghost_answer_free(&answer, memory);
    return status;
}

/*  Both rounds, see ghosts.h: `sent` gets the result. */
static scree_status choose_copies(scree_distribution *distribution, const scree_world *part,
                                  double margin)
{
    const scree_comm *comm = distribution->comm;
    scree_places places;
    scree_ghost_list first = {0};
    double(*rows)[4] = NULL;
    uint64_t *counts = NULL;
    size_t room = 0;
    scree_status status = reserve_by_rank(distribution);

    if (!status)
        status = find_places(distribution, part, distribution->owned, &places);
    if (!status)
        status = scree_memory_take(distribution->memory, 2 * (size_t)comm->size, sizeof *counts,
                                   &counts);
    if (!status)
        status = scree_ghosts_first_round(&first, distribution->memory, &distribution->partition,
                                          comm, &places, &part->cell.now, margin);
    status = scree_comm_agree(comm, status);
    if (!status)
        status = exchange_rows(distribution, &first, &places, distribution->messages, counts,
                               distribution->copy_start, &rows, &room);
    if (!status) {
        const scree_ghost_rows ghosts = {(const double(*)[4])rows, distribution->copy_start};
        status = choose_by_answers(distribution, part, &places, &first, &ghosts, margin);
    }
    scree_ghost_list_free(&first, distribution->memory);
    scree_memory_give(distribution->memory, &rows, room, sizeof *rows);
    scree_memory_give(distribution->memory, &counts, 2 * (size_t)comm->size, sizeof *counts);
    return status;
}

/* ---- messages of a step ---- */

/*  Position, velocity and angular velocity. Where there are bodies that are no spheres also orientation, and the angular
    velocity at the end of the previous step, on which the path of a body depends: at its evaluation it was not final. */
#define SHARED_BY_SPHERES (size_t)9
#define SHARED_BY_SHAPES (size_t)16

/*  Events tell of velocities at the start of a step, of which ghosts know no more than before they were final. */
#define SHARED_BY_EVENTS (size_t)6

/*  With sleep the number of idle steps is the next number, with heat the temperature is the last one. */
static size_t count_shared(const scree_distribution *distribution)
{
    return (distribution->has_shapes ? SHARED_BY_SHAPES : SHARED_BY_SPHERES) +
           (distribution->has_events ? SHARED_BY_EVENTS : 0) + distribution->has_sleep +
           distribution->has_heat;
}

static size_t place_of_sleep(const scree_distribution *distribution)
{
    return distribution->shared - 1 - distribution->has_heat;
}

/*  After those of spheres and shapes. */
static size_t place_of_events(const scree_distribution *distribution)
{
    return distribution->has_shapes ? SHARED_BY_SHAPES : SHARED_BY_SPHERES;
}

static void write_shared(const scree_distribution *distribution, const scree_body_arrays *bodies,
                         uint32_t slot, double *to)
{
    memcpy(to, bodies->position[slot], 3 * sizeof *to);
    memcpy(to + 3, bodies->velocity[slot], 3 * sizeof *to);
    memcpy(to + 6, bodies->spin[slot], 3 * sizeof *to);
    if (distribution->has_heat)
        to[distribution->shared - 1] = bodies->heat[slot][SCREE_HEAT_TEMPERATURE];
    if (distribution->has_sleep)
        to[place_of_sleep(distribution)] = bodies->sleep[slot][SCREE_SLEEP_QUIET];
    if (distribution->has_events) {
        double *more = to + place_of_events(distribution);
        memcpy(more, bodies->velocity_before[slot], 3 * sizeof *to);
        memcpy(more + 3, bodies->spin_before[slot], 3 * sizeof *to);
    }
    if (!distribution->has_shapes)
        return;
    memcpy(to + 9, bodies->orientation[slot], 4 * sizeof *to);
    memcpy(to + 13, bodies->spin_before[slot], 3 * sizeof *to);
}

static void read_shared(const scree_distribution *distribution, const double *from,
                        scree_body_arrays *bodies, uint32_t slot)
{
    memcpy(bodies->position[slot], from, 3 * sizeof *from);
    memcpy(bodies->velocity[slot], from + 3, 3 * sizeof *from);
    memcpy(bodies->spin[slot], from + 6, 3 * sizeof *from);
    if (distribution->has_heat)
        bodies->heat[slot][SCREE_HEAT_TEMPERATURE] = from[distribution->shared - 1];
    if (distribution->has_sleep)
        bodies->sleep[slot][SCREE_SLEEP_QUIET] = from[place_of_sleep(distribution)];
    if (distribution->has_events) {
        const double *more = from + place_of_events(distribution);
        memcpy(bodies->velocity_before[slot], more, 3 * sizeof *from);
        memcpy(bodies->spin_before[slot], more + 3, 3 * sizeof *from);
    }
    if (!distribution->has_shapes)
        return;
    memcpy(bodies->orientation[slot], from + 9, 4 * sizeof *from);
    memcpy(bodies->spin_before[slot], from + 13, 3 * sizeof *from);
}

/*  Messages to or from all ranks: bodies start[r] .. start[r + 1] - 1 for rank r. Returns their number. */
static size_t list_messages(scree_rank_message *messages, uint32_t size, const size_t *start,
                            double *numbers, size_t shared)
{
    size_t count = 0;

    for (uint32_t r = 0; r < size; r++)
        if (start[r + 1] > start[r])
            messages[count++] =
                (scree_rank_message){r, (start[r + 1] - start[r]) * shared * sizeof *numbers,
                                     numbers + start[r] * shared};
    return count;
}

static scree_status plan_messages(scree_distribution *distribution, const scree_world *part)
{
    const uint32_t size = distribution->comm->size;
    const size_t out = distribution->sent.start[size], in = distribution->ghosts.body_count;
    const size_t shared = count_shared(distribution);

    if (scree_memory_reserve(distribution->memory, &distribution->out, &distribution->out_capacity,
                             out * shared, sizeof *distribution->out) ||
        scree_memory_reserve(distribution->memory, &distribution->in, &distribution->in_capacity,
                             in * shared, sizeof *distribution->in) ||
        scree_memory_reserve(distribution->memory, &distribution->origin,
                             &distribution->origin_capacity, distribution->owned,
                             sizeof *distribution->origin))
        return SCREE_OUT_OF_MEMORY;
    distribution->shared = shared;
    memcpy(distribution->copy_start, distribution->ghosts.body_start,
           (size + 1) * sizeof *distribution->copy_start);
    distribution->out_messages = list_messages(distribution->messages, size,
                                               distribution->sent.start, distribution->out, shared);
    distribution->in_messages = list_messages(distribution->messages + size, size,
                                              distribution->copy_start, distribution->in, shared);
    for (uint32_t slot = 0; slot < distribution->owned; slot++)
        memcpy(distribution->origin[slot], part->bodies.position[slot],
               sizeof *distribution->origin);
    return SCREE_OK;
}

static scree_status exchange_shared(const scree_distribution *distribution)
{
    const scree_comm *comm = distribution->comm;

    return comm->exchange(comm->user, distribution->messages, distribution->out_messages,
                          distribution->messages + comm->size, distribution->in_messages);
}

scree_status scree_update_ghosts(const scree_distribution *distribution, scree_world *part)
{
    const uint32_t size = distribution->comm->size;
    const size_t out = distribution->sent.start[size], in = distribution->copy_start[size],
                 shared = distribution->shared;

    for (size_t k = 0; k < out; k++)
        write_shared(distribution, &part->bodies, distribution->sent.body[k],
                     distribution->out + k * shared);
    const scree_status status = exchange_shared(distribution);
    for (size_t k = 0; k < in && !status; k++)
        read_shared(distribution, distribution->in + k * shared, &part->bodies,
                    distribution->owned + (uint32_t)k);
    /* the owner has decided at the end of the last step, after which the drift of ghosts has looked */
    if (distribution->has_sleep)
        scree_sleep_look_at_bodies(&part->sleep, &part->bodies, distribution->owned,
                                   part->bodies.count);
    return status;
}

/*  In the messages of a step, whose other numbers are not read: substeps are rare. */
scree_status scree_update_temperatures(const scree_distribution *distribution,
                                       scree_body_arrays *bodies)
{
    const uint32_t size = distribution->comm->size;
    const size_t out = distribution->sent.start[size], in = distribution->copy_start[size],
                 shared = distribution->shared;

    for (size_t k = 0; k < out; k++)
        distribution->out[k * shared + shared - 1] =
            bodies->heat[distribution->sent.body[k]][SCREE_HEAT_TEMPERATURE];
    const scree_status status = exchange_shared(distribution);
    for (size_t k = 0; k < in && !status; k++)
        bodies->heat[distribution->owned + k][SCREE_HEAT_TEMPERATURE] =
            distribution->in[k * shared + shared - 1];
    return status;
}

/* ---- all ---- */

static uint64_t count_moved(const scree_distribution *distribution, size_t count)
{
    uint64_t moved = 0;

    for (size_t k = 0; k < count; k++)
        moved += distribution->to[k] != distribution->comm->rank;
    return moved;
}

scree_status scree_distribute_bodies(scree_distribution *distribution, const scree_world *from,
                                     uint32_t count, scree_world *part, double way,
                                     scree_rounds rounds)
{
    const scree_comm *comm = distribution->comm;
    double margin = 0;
    scree_status status = choose_owners(distribution, from, count);

    if (!status)
        status = scree_send_bodies(&distribution->received, distribution->memory, comm, from, count,
                                   distribution->to, rounds);
    if (status)
        return status;
    distribution->count++;
    distribution->cell_way = 0;
    distribution->moved += count_moved(distribution, count);
    status = scree_comm_agree(comm, scree_unpack_bodies(&distribution->received, part));
    distribution->owned = part->bodies.count;
    if (!status)
        status = find_margin(distribution, part, way, &margin);
    if (!status)
        status = choose_copies(distribution, part, margin);
    if (!status)
        status = scree_send_ghosts(&distribution->ghosts, distribution->memory, comm, part,
                                   distribution->sent.body, distribution->sent.start);
    if (status)
        return status;
    status = scree_unpack_ghosts(&distribution->ghosts, part);
    if (!status)
        status = scree_unpack_contacts(&distribution->received, part, distribution->owned);
    if (!status)
        status = plan_messages(distribution, part);
    part->next_sort = UINT64_MAX;
    return scree_comm_agree(comm, status);
}

bool scree_bodies_bound_step(const scree_world *world)
{
    return world->cell.is_moving && world->def.step.mode == SCREE_TIME_AUTOMATIC;
}

/*  In automatic steps no body moves farther than scree_body_max_move. */
static double bound_by_bodies(const scree_body_arrays *bodies, uint32_t count)
{
    double longest = INFINITY;

    for (uint32_t slot = 0; slot < count; slot++)
        longest =
            fmin(longest, scree_body_time_to_move(bodies, slot, scree_body_max_move(bodies, slot)));
    return longest * (1 + 0x1p-40);
}

/*  Of the steps that scree_world_choose_dt can choose. */
double scree_distribution_longest_step(const scree_world *world, uint32_t count)
{
    const scree_world_def *def = &world->def;
    double longest = def->step.dt > 0 ? def->step.dt : INFINITY;

    /* with mass scaling the given step is stable for all */
    if (def->step.mode != SCREE_TIME_AUTOMATIC)
        return longest;
    if (world->clock.stable > 0)
        longest = fmin(longest, def->step.safety_factor * world->clock.stable);
    if (world->clock.steps > 0 && world->clock.dt > 0)
        longest = fmin(longest, def->step.max_growth * world->clock.dt);
    if (scree_bodies_bound_step(world))
        longest = fmin(longest, bound_by_bodies(&world->bodies, count));
    return longest;
}

/*  Upper bound of how far the edges of the cell move in a step, all together. Edges follow dh/dt = G h by the midpoint
    rule, and a step strains the cell by at most a tenth, so an eighth more is enough. A tilt that becomes less by a
    period is no motion: the lattice stays the same. */
static double way_of_cell(const scree_strain *cell, double dt)
{
    static const double edges[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    /* nothing limits a step in which nothing moves: scree_world_choose_dt takes 1 s */
    const double longest = dt < INFINITY ? dt : 1;
    double sum = 0;

    for (int k = 0; k < 3 && cell->is_moving; k++) {
        double edge[3], speed[3];
        scree_domain_vector(&cell->now, edges[k], edge);
        scree_gradient_apply(cell->gradient, edge, speed);
        sum += scree_length(speed) * longest;
    }
    return 1.125 * sum;
}

/*  Upper bound of a body's displacement in a step for any integrator: |v| dt + |a| dt^2, with an allowance for
    rounding. In automatic steps it is at most scree_body_max_move. With mass scaling the acceleration is that of the
    raised mass; the bound is largest for the longest step, although a shorter one raises masses less. */
static double way_of(const scree_world *world, uint32_t slot, double dt)
{
    const scree_body_arrays *bodies = &world->bodies;
    const double factor =
        scree_inertia_factor(scree_def_inertia_scale(&world->def, dt), bodies->force[slot][3]);
    double way = scree_length(bodies->velocity[slot]) * dt +
                 scree_length(bodies->force[slot]) * bodies->velocity[slot][3] / factor * dt * dt;

    /* NaN is no displacement: the step finds values that are not finite */
    if (world->def.step.mode == SCREE_TIME_AUTOMATIC && !(way < scree_body_max_move(bodies, slot)))
        way = scree_body_max_move(bodies, slot);
    return way * (1 + 0x1p-40);
}

/*  How far a body is from where it was, whether or not it has been wrapped since. */
static double drift_of(const scree_domain *domain, const double place[3], const double origin[3])
{
    double step[3], n[3];

    scree_domain_step(domain, origin, place, step, n);
    return scree_length(step);
}

/*  What the motion of the cell adds to the drift of a body. Let C be the way of the edges since the distribution. Two
    bodies that are near an image of each other are at most 2 edges along each axis apart from it, and each may have been
    wrapped by an edge since, which was another one then; its drift, which is measured with the present edges, is
    wrong by as much. So the distance of a pair has changed by the drifts of both and at most (2 + 2 + 2) C. */
#define SHARE_OF_CELL 3

double scree_distribution_drift_bound(const scree_distribution *distribution,
                                      const scree_world *part, double dt)
{
    double most = 0;

    for (uint32_t slot = 0; slot < distribution->owned; slot++) {
        const double far =
            drift_of(&part->cell.now, part->bodies.position[slot], distribution->origin[slot]) +
            way_of(part, slot, dt);
        most = far > most ? far : most;
    }
    return most + SHARE_OF_CELL * (distribution->cell_way + way_of_cell(&part->cell, dt));
}

double scree_distribution_step_bound(const scree_world *part, uint32_t owned, double dt)
{
    double most = 0;

    for (uint32_t slot = 0; slot < owned; slot++) {
        const double way = way_of(part, slot, dt);
        most = way > most ? way : most;
    }
    return most + SHARE_OF_CELL * way_of_cell(&part->cell, dt);
}

void scree_distribution_note_step(scree_distribution *distribution, const scree_world *part,
                                  double dt)
{
    distribution->cell_way += way_of_cell(&part->cell, dt);
}
