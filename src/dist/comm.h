/*  Communication between ranks: a table of functions, so that no other file depends on the implementation. Ranks are
    processes (comm_module.h, by MPI) or threads of one process (comm_threads.h, for tests and machines without MPI).

    All functions are collective: every rank calls the same ones in the same order. Reductions use 64-bit integers,
    so a sum is the same in any order. Doubles are converted to integers with the same order. */
#ifndef SCREE_DIST_COMM_H
#define SCREE_DIST_COMM_H

#include "base/common.h"

#include <string.h>

typedef enum scree_reduction
{
    SCREE_REDUCE_SUM,
    SCREE_REDUCE_MIN,
    SCREE_REDUCE_MAX,
} scree_reduction;

/*  A message to a rank, or from one. Both sides know its length, and a pair of ranks exchanges at most one in each
    direction per call. */
typedef struct scree_rank_message
{
    uint32_t rank;
    size_t bytes;
    void *data;
} scree_rank_message;

/*  Each function returns SCREE_OK, SCREE_OUT_OF_MEMORY, or SCREE_IO_ERROR if another rank cannot be reached. */
typedef struct scree_comm
{
    void *user;
    uint32_t rank, size; /* rank is below size */
    /* values[k] becomes the sum, minimum or maximum of values[k] over all ranks */
    scree_status (*reduce)(void *user, scree_reduction how, uint64_t *values, size_t count);
    /* sends `words` words to each rank, from to + rank * words; receives as many from each, at from + rank * words */
    scree_status (*all_to_all)(void *user, const uint64_t *to, uint64_t *from, size_t words);
    scree_status (*exchange)(void *user, const scree_rank_message *out, size_t out_count,
                             const scree_rank_message *in, size_t in_count);
} scree_comm;

/*  An integer for a double, with the same order; -0 is below 0. */
static inline uint64_t scree_word_of_double(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static inline double scree_double_of_word(uint64_t word)
{
    uint64_t bits = word >> 63 ? word & ~((uint64_t)1 << 63) : ~word;
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/*  Sends words of rank 0 to all ranks: those of the others are 0, so a sum does. */
static inline scree_status scree_comm_tell_all(const scree_comm *comm, void *words, size_t bytes)
{
    return comm->reduce(comm->user, SCREE_REDUCE_SUM, words, bytes / sizeof(uint64_t));
}

/*  Whether all ranks have succeeded: the largest status of all. */
static inline scree_status scree_comm_agree(const scree_comm *comm, scree_status status)
{
    uint64_t largest = (uint64_t)status;
    scree_status reached = comm->reduce(comm->user, SCREE_REDUCE_MAX, &largest, 1);

    if (reached)
        return reached;
    return largest ? (scree_status)largest : status;
}

#endif
