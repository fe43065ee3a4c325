/*  The ends of ranges are found bit by bit, each with one sum over all ranks: so they are exact, however ids are distributed. */
#include "dist/id_ranges.h"

static const scree_workers no_workers = {.count = 1};

/*  Number of sorted ids below `limit`. */
static size_t count_below(const uint64_t *id, size_t count, uint64_t limit)
{
    size_t low = 0, high = count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (id[middle] < limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- ends of ranges ---- */

/*  The largest number of which no more ids are smaller than the rows before a range: the id of the first of these. */
static scree_status find_ends(scree_id_ranges *ranges, const uint64_t *id, size_t count,
                              uint64_t *sums)
{
    const scree_comm *comm = ranges->comm;

    memset(ranges->begin, 0, (comm->size + (size_t)1) * sizeof *ranges->begin);
    for (int bit = 63; bit >= 0; bit--) {
        const uint64_t more = (uint64_t)1 << bit;
        for (uint32_t r = 0; r < comm->size; r++)
            sums[r] = count_below(id, count, ranges->begin[r] | more);
        const scree_status status = comm->reduce(comm->user, SCREE_REDUCE_SUM, sums, comm->size);
        if (status)
            return status;
        for (uint32_t r = 0; r < comm->size; r++)
            if (sums[r] <= scree_id_ranges_first_row(ranges, r))
                ranges->begin[r] |= more;
    }
    ranges->begin[0] = 0;
    ranges->begin[comm->size] = UINT64_MAX;
    return SCREE_OK;
}

static scree_status reserve(scree_id_ranges *ranges, size_t owned, uint64_t **own, uint64_t **sums)
{
    const size_t size = ranges->comm->size;

    return scree_memory_take(ranges->memory, size + 1, sizeof *ranges->begin, &ranges->begin) ||
                   scree_memory_take(ranges->memory, owned, sizeof **own, own) ||
                   scree_memory_take(ranges->memory, size, sizeof **sums, sums)
               ? SCREE_OUT_OF_MEMORY
               : SCREE_OK;
}

scree_status scree_id_ranges_make(scree_id_ranges *ranges, scree_memory *memory,
                                  const scree_comm *comm, const scree_body_arrays *bodies,
                                  uint32_t owned)
{
    uint64_t *own = NULL, *sums = NULL;

    *ranges = (scree_id_ranges){.memory = memory, .comm = comm, .total = owned};
    scree_status status = comm->reduce(comm->user, SCREE_REDUCE_SUM, &ranges->total, 1);
    if (status)
        return status;
    status = reserve(ranges, owned, &own, &sums);
    for (uint32_t slot = 0; slot < owned && !status; slot++)
        own[slot] = bodies->serial[slot][0];
    if (!status && owned)
        status = scree_sort_u64(&ranges->sorter, memory, &no_workers, own, NULL, owned);
    status = scree_comm_agree(comm, status);
    if (!status)
        status = find_ends(ranges, own, owned, sums);
    scree_memory_give(memory, &own, owned, sizeof *own);
    scree_memory_give(memory, &sums, comm->size, sizeof *sums);
    return status;
}

void scree_id_ranges_free(scree_id_ranges *ranges)
{
    scree_memory_give(ranges->memory, &ranges->begin, ranges->comm->size + (size_t)1,
                      sizeof *ranges->begin);
    scree_memory_give(ranges->memory, &ranges->id, ranges->id_capacity, sizeof *ranges->id);
    scree_sorter_free(&ranges->sorter, ranges->memory);
}

uint32_t scree_id_ranges_owner(const scree_id_ranges *ranges, uint64_t id)
{
    uint32_t low = 0, high = ranges->comm->size;

    /* the last range that begins at or before it: those in front of it may be empty */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (ranges->begin[middle] <= id)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- rows of other ranges ---- */

/*  Ids sorted by the ranks that are asked, and from where in the caller's list they are. */
typedef struct questions
{
    uint64_t *asked, *answered;
    size_t *from;
    size_t *start; /* of the ids for rank r, and behind it those that rank r asks */
    uint64_t *counts;
    scree_rank_message *messages;
    size_t count, asked_of_us;
} questions;

static scree_status reserve_questions(const scree_id_ranges *ranges, questions *q, size_t count)
{
    const size_t size = ranges->comm->size;
    scree_memory *memory = ranges->memory;

    q->count = count;
    if (scree_memory_take(memory, count, sizeof *q->asked, &q->asked) ||
        scree_memory_take(memory, count, sizeof *q->from, &q->from) ||
        scree_memory_take(memory, 2 * (size + 1), sizeof *q->start, &q->start) ||
        scree_memory_take(memory, 2 * size, sizeof *q->counts, &q->counts) ||
        scree_memory_take(memory, 2 * size, sizeof *q->messages, &q->messages))
        return SCREE_OUT_OF_MEMORY;
    memset(q->counts, 0, 2 * size * sizeof *q->counts);
    return SCREE_OK;
}

static void free_questions(const scree_id_ranges *ranges, questions *q)
{
    const size_t size = ranges->comm->size;
    scree_memory *memory = ranges->memory;

    scree_memory_give(memory, &q->asked, q->count, sizeof *q->asked);
    scree_memory_give(memory, &q->from, q->count, sizeof *q->from);
    scree_memory_give(memory, &q->start, 2 * (size + 1), sizeof *q->start);
    scree_memory_give(memory, &q->counts, 2 * size, sizeof *q->counts);
    scree_memory_give(memory, &q->messages, 2 * size, sizeof *q->messages);
    scree_memory_give(memory, &q->answered, q->asked_of_us, sizeof *q->answered);
}

static void add_up(const uint64_t *counts, uint32_t size, size_t *start)
{
    start[0] = 0;
    for (uint32_t r = 0; r < size; r++)
        start[r + 1] = start[r] + (size_t)counts[r];
}

/*  Sorts ids by the ranks that know their rows. */
static void address(const scree_id_ranges *ranges, const uint64_t *ids, questions *q)
{
    const uint32_t size = ranges->comm->size;
    size_t *at = q->start + size + 1; /* until the other ranks' counts are known */

    for (size_t k = 0; k < q->count; k++)
        q->counts[scree_id_ranges_owner(ranges, ids[k])]++;
    add_up(q->counts, size, q->start);
    memcpy(at, q->start, (size + (size_t)1) * sizeof *at);
    for (size_t k = 0; k < q->count; k++) {
        const size_t place = at[scree_id_ranges_owner(ranges, ids[k])]++;
        q->asked[place] = ids[k];
        q->from[place] = k;
    }
}

static size_t list_messages(scree_rank_message *messages, uint32_t size, const size_t *start,
                            uint64_t *words)
{
    size_t count = 0;

    for (uint32_t r = 0; r < size; r++)
        if (start[r + 1] > start[r])
            messages[count++] = (scree_rank_message){r, (start[r + 1] - start[r]) * sizeof *words,
                                                     words + start[r]};
    return count;
}

static void answer(const scree_id_ranges *ranges, uint64_t *words, size_t count)
{
    const uint64_t first = scree_id_ranges_first_row(ranges, ranges->comm->rank);

    for (size_t k = 0; k < count; k++) {
        const size_t at = count_below(ranges->id, ranges->count, words[k]);
        words[k] = at < ranges->count && ranges->id[at] == words[k] ? first + at : UINT64_MAX;
    }
}

/*  Ids go, and rows come back on the same way. */
static scree_status ask(const scree_id_ranges *ranges, questions *q)
{
    const scree_comm *comm = ranges->comm;
    size_t *start_of_others = q->start + comm->size + 1;
    scree_rank_message *own = q->messages, *others = q->messages + comm->size;
    scree_status status = comm->all_to_all(comm->user, q->counts, q->counts + comm->size, 1);

    if (status)
        return status;
    add_up(q->counts + comm->size, comm->size, start_of_others);
    q->asked_of_us = start_of_others[comm->size];
    status = scree_comm_agree(
        comm, scree_memory_take(ranges->memory, q->asked_of_us, sizeof *q->answered, &q->answered));
    if (status)
        return status;
    const size_t out = list_messages(own, comm->size, q->start, q->asked),
                 in = list_messages(others, comm->size, start_of_others, q->answered);
    status = comm->exchange(comm->user, own, out, others, in);
    if (status)
        return status;
    answer(ranges, q->answered, q->asked_of_us);
    return comm->exchange(comm->user, others, in, own, out);
}

scree_status scree_id_ranges_find_rows(const scree_id_ranges *ranges, uint64_t *ids, size_t count)
{
    questions q = {0};
    scree_status status = scree_comm_agree(ranges->comm, reserve_questions(ranges, &q, count));

    if (!status) {
        address(ranges, ids, &q);
        status = ask(ranges, &q);
    }
    for (size_t k = 0; k < count && !status; k++)
        ids[q.from[k]] = q.asked[k];
    free_questions(ranges, &q);
    return status;
}
