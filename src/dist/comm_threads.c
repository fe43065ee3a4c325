/*  Each call has two parts: every rank publishes pointers to its data, and when all have done so, each copies what
    is for it. Barriers before and after copying keep the data valid until all have copied. */
#include "dist/comm_threads.h"

#include <pthread.h>

#define MAX_RANKS 64u

/*  Ranks that are in different calls would wait for ever, or read what is not there: such a call fails on all. */
typedef enum rank_call
{
    CALL_REDUCE,
    CALL_ALL_TO_ALL,
    CALL_EXCHANGE,
} rank_call;

/*  Data that a rank has published in the current call. */
typedef struct shown
{
    rank_call call;
    size_t count; /* of words, the same on all ranks */
    const uint64_t *words;
    const scree_rank_message *messages;
    size_t message_count;
} shown;

typedef struct meeting
{
    pthread_mutex_t lock;
    pthread_cond_t all_are_here;
    uint32_t size, here;
    uint64_t round; /* counter of barriers */
    bool is_off;    /* a thread could not be started: no rank runs */
    shown rank[MAX_RANKS];
} meeting;

typedef struct member
{
    meeting *at;
    scree_comm comm;
    scree_rank_fn *run;
    void *data;
    scree_status status;
} member;

static void wait_for_all(meeting *at)
{
    pthread_mutex_lock(&at->lock);
    const uint64_t round = at->round;
    if (++at->here == at->size) {
        at->here = 0;
        at->round++;
        pthread_cond_broadcast(&at->all_are_here);
    }
    while (at->round == round)
        pthread_cond_wait(&at->all_are_here, &at->lock);
    pthread_mutex_unlock(&at->lock);
}

/*  False if ranks are in different calls, for all of them. */
static bool show(const member *me, const shown *what)
{
    const meeting *at = me->at;
    bool all_alike = true;

    me->at->rank[me->comm.rank] = *what;
    wait_for_all(me->at);
    for (uint32_t r = 0; r < at->size; r++)
        all_alike &= at->rank[r].call == what->call && at->rank[r].count == what->count;
    if (!all_alike)
        wait_for_all(me->at);
    return all_alike;
}

static uint64_t join(scree_reduction how, uint64_t a, uint64_t b)
{
    switch (how) {
    case SCREE_REDUCE_SUM:
        return a + b;
    case SCREE_REDUCE_MIN:
        return b < a ? b : a;
    case SCREE_REDUCE_MAX:
        break;
    }
    return b > a ? b : a;
}

/*  Each rank reduces a part of the words in place, and then copies all parts. */
static scree_status reduce_words(void *user, scree_reduction how, uint64_t *values, size_t count)
{
    const member *me = user;
    const meeting *at = me->at;
    const size_t begin = count * me->comm.rank / at->size;
    const size_t end = count * (me->comm.rank + 1) / at->size;

    if (!show(me, &(shown){.call = CALL_REDUCE, .count = count, .words = values}))
        return SCREE_IO_ERROR;
    for (size_t k = begin; k < end; k++) {
        uint64_t joined = at->rank[0].words[k];
        for (uint32_t r = 1; r < at->size; r++)
            joined = join(how, joined, at->rank[r].words[k]);
        for (uint32_t r = 0; r < at->size; r++)
            ((uint64_t *)(uintptr_t)at->rank[r].words)[k] = joined;
    }
    wait_for_all(me->at);
    return SCREE_OK;
}

static scree_status all_to_all(void *user, const uint64_t *to, uint64_t *from, size_t words)
{
    const member *me = user;
    const meeting *at = me->at;

    if (!show(me, &(shown){.call = CALL_ALL_TO_ALL, .count = words, .words = to}))
        return SCREE_IO_ERROR;
    for (uint32_t r = 0; r < at->size; r++)
        memcpy(from + r * words, at->rank[r].words + me->comm.rank * words, words * sizeof *from);
    wait_for_all(me->at);
    return SCREE_OK;
}

static const scree_rank_message *find_message(const shown *of, uint32_t for_rank)
{
    for (size_t k = 0; k < of->message_count; k++)
        if (of->messages[k].rank == for_rank)
            return &of->messages[k];
    return NULL;
}

static scree_status exchange(void *user, const scree_rank_message *out, size_t out_count,
                             const scree_rank_message *in, size_t in_count)
{
    const member *me = user;
    scree_status status = SCREE_OK;

    if (!show(me, &(shown){.call = CALL_EXCHANGE, .messages = out, .message_count = out_count}))
        return SCREE_IO_ERROR;
    for (size_t k = 0; k < in_count; k++) {
        const scree_rank_message *sent = find_message(&me->at->rank[in[k].rank], me->comm.rank);
        if (!sent || sent->bytes != in[k].bytes)
            status = SCREE_IO_ERROR;
        else if (sent->bytes)
            memcpy(in[k].data, sent->data, sent->bytes);
    }
    wait_for_all(me->at);
    return status;
}

static void *run_member(void *data)
{
    member *me = data;

    /* wait until it is known that all threads were started */
    pthread_mutex_lock(&me->at->lock);
    const bool is_off = me->at->is_off;
    pthread_mutex_unlock(&me->at->lock);
    if (!is_off)
        me->status = me->run(&me->comm, me->data);
    return NULL;
}

static uint32_t start_all(meeting *at, member *members, pthread_t *threads)
{
    uint32_t started = 0;

    pthread_mutex_lock(&at->lock);
    while (started < at->size &&
           !pthread_create(&threads[started], NULL, run_member, &members[started]))
        started++;
    at->is_off = started < at->size;
    pthread_mutex_unlock(&at->lock);
    return started;
}

scree_status scree_run_ranks(uint32_t size, scree_rank_fn *rank, void *data)
{
    meeting at = {.size = size};
    member members[MAX_RANKS];
    pthread_t threads[MAX_RANKS];
    scree_status status = SCREE_OK;

    if (size == 0 || size > MAX_RANKS || !rank)
        return SCREE_BAD_ARGUMENT;
    pthread_mutex_init(&at.lock, NULL);
    pthread_cond_init(&at.all_are_here, NULL);
    for (uint32_t r = 0; r < size; r++)
        members[r] = (member){.at = &at,
                              .comm = {.user = &members[r],
                                       .rank = r,
                                       .size = size,
                                       .reduce = reduce_words,
                                       .all_to_all = all_to_all,
                                       .exchange = exchange},
                              .run = rank,
                              .data = data,
                              .status = SCREE_OK};
    const uint32_t started = start_all(&at, members, threads);
    for (uint32_t r = 0; r < started; r++)
        pthread_join(threads[r], NULL);
    for (uint32_t r = 0; r < size && !status; r++)
        status = members[r].status;
    pthread_cond_destroy(&at.all_are_here);
    pthread_mutex_destroy(&at.lock);
    return started < size ? SCREE_OUT_OF_MEMORY : status;
}
