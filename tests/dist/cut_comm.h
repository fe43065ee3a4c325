/*  Ranks that cannot be reached from some moment on. */
#ifndef TEST_DIST_CUT_COMM_H
#define TEST_DIST_CUT_COMM_H

#include "dist/comm.h"

/*  From some exchange of messages on, none arrives. */
typedef struct cut_comm
{
    scree_comm whole;
    uint64_t exchanges, cut_at; /* 0: never */
} cut_comm;

static inline scree_status reduce_through(void *user, scree_reduction how, uint64_t *values,
                                          size_t count)
{
    const cut_comm *cut = user;

    return cut->whole.reduce(cut->whole.user, how, values, count);
}

static inline scree_status all_to_all_through(void *user, const uint64_t *to, uint64_t *from,
                                              size_t words)
{
    const cut_comm *cut = user;

    return cut->whole.all_to_all(cut->whole.user, to, from, words);
}

static inline scree_status exchange_or_fail(void *user, const scree_rank_message *out,
                                            size_t out_count, const scree_rank_message *in,
                                            size_t in_count)
{
    cut_comm *cut = user;

    if (cut->cut_at && ++cut->exchanges >= cut->cut_at)
        return SCREE_IO_ERROR;
    return cut->whole.exchange(cut->whole.user, out, out_count, in, in_count);
}

/*  Communication that can be cut: `cut` has the whole one. */
static inline scree_comm cut_through(cut_comm *cut)
{
    return (scree_comm){.user = cut,
                        .rank = cut->whole.rank,
                        .size = cut->whole.size,
                        .reduce = reduce_through,
                        .all_to_all = all_to_all_through,
                        .exchange = exchange_or_fail};
}

#endif
