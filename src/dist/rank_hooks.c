/*  What a step asks of the other ranks: positions of ghosts, agreement, minima and sums. */
#include "dist/rank_team.h"

#include "base/exact_sum.h"
#include "base/hash.h"
#include "dist/unpack.h"

#include <math.h>

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
    scree_rank_team *ranks = user;

    forget_crossings(&world->crossings);
    ranks->has_failed_halfway = false;
    return scree_update_ghosts(&ranks->distribution, world);
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

/*  The one agreement of an evaluation that has failed, as all ranks know: the one at its end is left out. */
static scree_status halfway(void *user, scree_world *world, scree_status status)
{
    scree_rank_team *ranks = user;
    const scree_status agreed = agree_on(ranks, world, status, 0);

    ranks->has_failed_halfway = agreed != SCREE_OK;
    return agreed;
}

static scree_status agree(void *user, scree_world *world, scree_status status)
{
    scree_rank_team *ranks = user;

    return ranks->has_failed_halfway ? status : agree_on(ranks, world, status, 0);
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

/*  Values of a call. */
#define MAX_VALUES 8

static scree_status largest(void *user, double *values, size_t count)
{
    const scree_rank_team *ranks = user;
    uint64_t words[MAX_VALUES];

    for (size_t k = 0; k < count; k++)
        words[k] = scree_word_of_double(values[k]);
    const scree_status status =
        ranks->comm.reduce(ranks->comm.user, SCREE_REDUCE_MAX, words, count);
    for (size_t k = 0; k < count; k++)
        values[k] = scree_double_of_word(words[k]);
    return status;
}

static scree_status add(void *user, uint64_t *words, size_t count)
{
    const scree_rank_team *ranks = user;

    return ranks->comm.reduce(ranks->comm.user, SCREE_REDUCE_SUM, words, count);
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

scree_status scree_rank_ask_host(scree_force_sink *sink, const scree_bodies_view *view, double time,
                                 void *user)
{
    scree_rank_team *ranks = user;

    (void)view;
    return scree_ask_host(&ranks->host_forces, &ranks->memory, &ranks->comm, ranks->whole,
                          ranks->distribution.owned, time, sink);
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

scree_step_hooks scree_rank_hooks(scree_rank_team *ranks)
{
    return (scree_step_hooks){.user = ranks,
                              .share = share,
                              .halfway = halfway,
                              .agree = agree,
                              .least = least,
                              .largest = largest,
                              .add = add,
                              .sum = sum_over_ranks,
                              .share_heat = share_heat,
                              .leave = leave,
                              .fail = fail};
}
