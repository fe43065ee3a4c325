/*  The body of radix_sort.c, included once for each width. `sort_key` is the type of a key; SORT_FN makes the name of a
    function for this width. */
/* no include guard */

typedef struct SORT_FN(sort_job)
{
    sort_key *keys, *to_keys;
    uint32_t *payload, *to_payload; /* both NULL, or neither */
    uint32_t *counts;
    size_t count;
    unsigned shift;             /* digit of this pass */
    _Atomic sort_key differing; /* bits in which not all keys agree */
    atomic_bool unordered;
} SORT_FN(sort_job);

/*  Stable insertion sort. */
static void SORT_FN(sort_by_insertion)(sort_key *keys, uint32_t *payload, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        sort_key key = keys[i];
        uint32_t carried = payload ? payload[i] : 0;
        size_t j = i;

        for (; j > 0 && keys[j - 1] > key; j--) {
            keys[j] = keys[j - 1];
            if (payload)
                payload[j] = payload[j - 1];
        }
        keys[j] = key;
        if (payload)
            payload[j] = carried;
    }
}

/*  Scans all keys once. Joining with atomic `or` does not depend on the order of the blocks. */
static void SORT_FN(look_at_block)(void *data, size_t block, uint32_t worker)
{
    SORT_FN(sort_job) *job = data;
    const sort_key *keys = job->keys;
    size_t i = block * SORT_BLOCK, end = scree_block_end(block, SORT_BLOCK, job->count);
    sort_key before = keys[i > 0 ? i - 1 : 0], differing = 0;
    unsigned descents = 0;

    (void)worker;
    for (; i < end; i++) {
        differing |= keys[i] ^ keys[0];
        descents |= keys[i] < before;
        before = keys[i];
    }
    atomic_fetch_or_explicit(&job->differing, differing, memory_order_relaxed);
    if (descents)
        atomic_store_explicit(&job->unordered, true, memory_order_relaxed);
}

static void SORT_FN(count_block)(void *data, size_t block, uint32_t worker)
{
    const SORT_FN(sort_job) *job = data;
    const sort_key *keys = job->keys;
    uint32_t *counts = job->counts + block * SORT_DIGITS;
    size_t end = scree_block_end(block, SORT_BLOCK, job->count);
    unsigned shift = job->shift;

    (void)worker;
    memset(counts, 0, SORT_DIGITS * sizeof *counts);
    for (size_t i = block * SORT_BLOCK; i < end; i++)
        counts[(keys[i] >> shift) % SORT_DIGITS]++;
}

static void SORT_FN(move_block)(void *data, size_t block, uint32_t worker)
{
    const SORT_FN(sort_job) *job = data;
    const sort_key *restrict keys = job->keys;
    const uint32_t *restrict payload = job->payload;
    sort_key *restrict to_keys = job->to_keys;
    uint32_t *restrict to_payload = job->to_payload;
    uint32_t *restrict places = job->counts + block * SORT_DIGITS;
    size_t end = scree_block_end(block, SORT_BLOCK, job->count);
    unsigned shift = job->shift;

    (void)worker;
    for (size_t i = block * SORT_BLOCK; i < end; i++) {
        uint32_t place = places[(keys[i] >> shift) % SORT_DIGITS]++;
        to_keys[place] = keys[i];
        if (payload)
            to_payload[place] = payload[i];
    }
}

static void SORT_FN(copy_block)(void *data, size_t block, uint32_t worker)
{
    const SORT_FN(sort_job) *job = data;
    size_t begin = block * SORT_BLOCK, n = scree_block_end(block, SORT_BLOCK, job->count) - begin;

    (void)worker;
    memcpy(job->to_keys + begin, job->keys + begin, n * sizeof *job->keys);
    if (job->payload)
        memcpy(job->to_payload + begin, job->payload + begin, n * sizeof *job->payload);
}

static void SORT_FN(swap_sides)(SORT_FN(sort_job) * job)
{
    sort_key *keys = job->keys;
    uint32_t *payload = job->payload;

    job->keys = job->to_keys;
    job->payload = job->to_payload;
    job->to_keys = keys;
    job->to_payload = payload;
}

scree_status SORT_FN(scree_sort)(scree_sorter *sorter, scree_memory *memory,
                                 const scree_workers *workers, sort_key *keys, uint32_t *payload,
                                 size_t count)
{
    size_t block_count = scree_block_count(count, SORT_BLOCK);
    SORT_FN(sort_job) job = {.keys = keys, .payload = payload, .count = count};
    scree_status status;
    sort_key differing;

    if (count < SORT_FEW) {
        SORT_FN(sort_by_insertion)(keys, payload, count);
        return SCREE_OK;
    }
    if (count > UINT32_MAX) /* positions have 32 bits */
        return SCREE_TOO_LARGE;
    scree_workers_run(workers, block_count, SORT_FN(look_at_block), &job);
    if (!atomic_load_explicit(&job.unordered, memory_order_relaxed))
        return SCREE_OK;

    status =
        reserve_scratch(sorter, memory, count * sizeof *keys, payload ? count : 0, block_count);
    if (status)
        return status;
    job.to_keys = sorter->keys;
    job.to_payload = payload ? sorter->payload : NULL;
    job.counts = sorter->histograms;

    /* a digit that is equal in all keys needs no pass */
    differing = atomic_load_explicit(&job.differing, memory_order_relaxed);
    for (; job.shift < 8 * sizeof(sort_key); job.shift += 8) {
        if ((differing >> job.shift) % SORT_DIGITS == 0)
            continue;
        scree_workers_run(workers, block_count, SORT_FN(count_block), &job);
        places_of_counts(job.counts, block_count);
        scree_workers_run(workers, block_count, SORT_FN(move_block), &job);
        SORT_FN(swap_sides)(&job);
    }

    /* an odd number of passes leaves the result in the scratch arrays */
    if (job.keys != keys)
        scree_workers_run(workers, block_count, SORT_FN(copy_block), &job);
    return SCREE_OK;
}
