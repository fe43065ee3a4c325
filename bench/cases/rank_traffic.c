/*  Counts copies, messages and pairs of partitions. */
#include "cases/rank_traffic.h"

#include "base/error.h"
#include "base/radix_sort.h"
#include "dist/partition.h"

#include <math.h>
#include <string.h>

/*  Doubles that a step sends for a sphere: position, velocity, angular velocity. */
#define SENT_BYTES (9 * sizeof(double))
/*  Reductions of a step: its length, whether bodies must be distributed again, whether it has failed. */
#define REDUCTIONS 3
/*  Steps from one distribution to the next, in a bed that moves slowly. */
#define STEPS_A_DISTRIBUTION 100
/*  Part of the work of a body that does not depend on its pairs. */
#define OWN_WORK 0.4

/* ---- one process in the place of all ranks ---- */

static scree_status reduce_nothing(void *user, scree_reduction how, uint64_t *values, size_t count)
{
    (void)user, (void)how, (void)values, (void)count;
    return SCREE_OK;
}

static scree_status send_to_self(void *user, const uint64_t *to, uint64_t *from, size_t words)
{
    (void)user;
    memcpy(from, to, words * sizeof *to);
    return SCREE_OK;
}

static scree_status exchange_nothing(void *user, const scree_rank_message *out, size_t out_count,
                                     const scree_rank_message *in, size_t in_count)
{
    (void)user, (void)out, (void)out_count, (void)in, (void)in_count;
    return SCREE_OK;
}

static const scree_comm alone = {NULL, 0, 1, reduce_nothing, send_to_self, exchange_nothing};

/* ---- sets of (body, rank) ---- */

typedef struct key_set
{
    uint64_t *key; /* first << 32 | second */
    size_t count, capacity;
} key_set;

typedef struct counting
{
    scree_memory memory;
    scree_sorter sorter;
    const scree_scene *scene;
    double margin;
    uint32_t ranks;
    double (*row)[4];
    uint32_t *owner, *touched;
    uint64_t *of_rank; /* counts of each rank */
    scree_partition partition;
    key_set offered, copies;
} counting;

static scree_status add_key(counting *c, key_set *set, uint32_t first, uint32_t second)
{
    if (set->count == set->capacity &&
        scree_memory_reserve(&c->memory, &set->key, &set->capacity, 2 * set->count + 1024,
                             sizeof *set->key))
        return SCREE_OUT_OF_MEMORY;
    set->key[set->count++] = (uint64_t)first << 32 | second;
    return SCREE_OK;
}

static scree_status make_unique(counting *c, key_set *set)
{
    static const scree_workers one = {.count = 1};
    size_t kept = 0;

    if (scree_sort_u64(&c->sorter, &c->memory, &one, set->key, NULL, set->count))
        return SCREE_OUT_OF_MEMORY;
    for (size_t k = 0; k < set->count; k++)
        if (kept == 0 || set->key[k] != set->key[kept - 1])
            set->key[kept++] = set->key[k];
    set->count = kept;
    return SCREE_OK;
}

/* ---- copies ---- */

/*  First round: each body is offered to the ranks whose parts its box of twice its enlarged radius touches. */
static scree_status offer_by_boxes(counting *c)
{
    for (uint32_t i = 0; i < c->scene->count; i++) {
        const double *row = c->row[i], reach = 2 * (row[3] + c->margin);
        const double lower[3] = {row[0] - reach, row[1] - reach, row[2] - reach};
        const double upper[3] = {row[0] + reach, row[1] + reach, row[2] + reach};
        const uint32_t count = scree_partition_touched(&c->partition, lower, upper, c->touched);
        for (uint32_t k = 0; k < count; k++)
            if (c->touched[k] != c->owner[i] && add_key(c, &c->offered, i, c->touched[k]))
                return SCREE_OUT_OF_MEMORY;
    }
    return SCREE_OK;
}

/*  What is left after the answers: of a pair of two ranks, each has the other's body. */
static scree_status copy_by_pairs(counting *c, const scree_pairs *pairs)
{
    for (uint64_t k = 0; k < pairs->count; k++) {
        const uint32_t a = pairs->first[k], b = pairs->second[k];
        const uint32_t owner[2] = {c->owner[a], c->owner[b]};
        c->of_rank[owner[0]]++;
        if (owner[0] == owner[1])
            continue;
        c->of_rank[owner[1]]++;
        if (add_key(c, &c->copies, a, owner[1]) || add_key(c, &c->copies, b, owner[0]))
            return SCREE_OUT_OF_MEMORY;
    }
    return SCREE_OK;
}

static scree_status find_pairs(counting *c, scree_detector **detector, scree_pairs *pairs,
                               scree_error *error)
{
    scree_detector_def def = scree_default_detector_def();
    const size_t stride = sizeof *c->row;

    def.error = error;
    scree_status status = scree_detector_create(&def, detector);
    if (status)
        return status;
    for (size_t i = 0; i < c->scene->count; i++)
        c->row[i][3] += c->margin;
    const scree_table table =
        scree_table_centres(c->scene->count, scree_doubles(&c->row[0][0], stride),
                            scree_doubles(&c->row[0][3], stride));
    status = scree_detector_pairs_of(*detector, &table, NULL, pairs);
    for (size_t i = 0; i < c->scene->count; i++)
        c->row[i][3] -= c->margin;
    return status;
}

/* ---- counts ---- */

static double max_of(const uint64_t *of_rank, uint32_t ranks)
{
    uint64_t most = 0;

    for (uint32_t r = 0; r < ranks; r++)
        most = of_rank[r] > most ? of_rank[r] : most;
    return (double)most;
}

static void clear_counts(counting *c)
{
    memset(c->of_rank, 0, c->ranks * sizeof *c->of_rank);
}

static void count_bodies(counting *c, scree_rank_traffic *traffic)
{
    clear_counts(c);
    for (size_t i = 0; i < c->scene->count; i++)
        c->of_rank[c->owner[i]]++;
    traffic->bodies = (double)c->scene->count / c->ranks;
    traffic->imbalance = max_of(c->of_rank, c->ranks) / traffic->bodies;
}

static void count_copies(counting *c, scree_rank_traffic *traffic)
{
    double received, sent;

    clear_counts(c);
    for (size_t k = 0; k < c->copies.count; k++)
        c->of_rank[(uint32_t)c->copies.key[k]]++;
    received = max_of(c->of_rank, c->ranks);
    clear_counts(c);
    for (size_t k = 0; k < c->copies.count; k++)
        c->of_rank[c->owner[c->copies.key[k] >> 32]]++;
    sent = max_of(c->of_rank, c->ranks);
    traffic->copies = (double)c->copies.count / c->ranks;
    traffic->max_copies = fmax(received, sent);
    traffic->offered = c->copies.count > 0 ? (double)c->offered.count / (double)c->copies.count : 1;
}

/*  Turns copies into pairs of ranks. */
static scree_status count_messages(counting *c, scree_rank_traffic *traffic)
{
    for (size_t k = 0; k < c->copies.count; k++) {
        const uint64_t from = c->owner[c->copies.key[k] >> 32];
        c->copies.key[k] = from << 32 | (uint32_t)c->copies.key[k];
    }
    if (make_unique(c, &c->copies))
        return SCREE_OUT_OF_MEMORY;
    clear_counts(c);
    for (size_t k = 0; k < c->copies.count; k++)
        c->of_rank[c->copies.key[k] >> 32]++;
    traffic->messages = (double)c->copies.count / c->ranks;
    traffic->max_messages = max_of(c->of_rank, c->ranks);
    return SCREE_OK;
}

static scree_status count_all(counting *c, const scree_pairs *pairs, scree_rank_traffic *traffic)
{
    clear_counts(c);
    if (offer_by_boxes(c) || copy_by_pairs(c, pairs) || make_unique(c, &c->copies))
        return SCREE_OUT_OF_MEMORY;
    traffic->pairs = (double)pairs->count / c->ranks;
    traffic->max_pairs = max_of(c->of_rank, c->ranks);
    count_bodies(c, traffic);
    count_copies(c, traffic);
    return count_messages(c, traffic);
}

static scree_status cut(counting *c)
{
    const size_t n = c->scene->count;

    if (scree_memory_take(&c->memory, n, sizeof *c->row, &c->row) ||
        scree_memory_take(&c->memory, n, sizeof *c->owner, &c->owner) ||
        scree_memory_take(&c->memory, c->ranks, sizeof *c->touched, &c->touched) ||
        scree_memory_take(&c->memory, c->ranks, sizeof *c->of_rank, &c->of_rank))
        return SCREE_OUT_OF_MEMORY;
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++)
            c->row[i][k] = c->scene->centre[k][i];
        c->row[i][3] = c->scene->radius[i];
    }
    const scree_places places = {.row = (const double(*)[4])c->row, .count = n};
    scree_status status =
        scree_partition_make(&c->partition, &c->memory, &alone, &places, c->ranks);
    for (size_t i = 0; !status && i < n; i++)
        c->owner[i] = scree_partition_owner(&c->partition, c->row[i]);
    return status;
}

scree_status scree_bench_rank_traffic(const scree_scene *scene, double margin, uint32_t ranks,
                                      scree_rank_traffic *traffic, scree_error *error)
{
    counting c = {.scene = scene, .margin = margin, .ranks = ranks};
    scree_detector *detector = NULL;
    scree_pairs pairs;

    *traffic = (scree_rank_traffic){.ranks = ranks};
    (void)scree_memory_init(&c.memory, NULL);
    scree_status status = cut(&c);
    if (!status)
        status = find_pairs(&c, &detector, &pairs, error);
    if (!status)
        status = count_all(&c, &pairs, traffic);
    scree_detector_destroy(detector);
    scree_partition_free(&c.partition, &c.memory);
    scree_sorter_free(&c.sorter, &c.memory);
    scree_memory_give(&c.memory, &c.copies.key, c.copies.capacity, sizeof *c.copies.key);
    scree_memory_give(&c.memory, &c.offered.key, c.offered.capacity, sizeof *c.offered.key);
    scree_memory_give(&c.memory, &c.row, scene->count, sizeof *c.row);
    scree_memory_give(&c.memory, &c.owner, scene->count, sizeof *c.owner);
    scree_memory_give(&c.memory, &c.touched, ranks, sizeof *c.touched);
    scree_memory_give(&c.memory, &c.of_rank, ranks, sizeof *c.of_rank);
    return status && error && !error->text[0]
               ? scree_fail(error, status, "ranks: %s", scree_status_name(status))
               : status;
}

/* ---- the model ---- */

scree_rank_forecast scree_bench_rank_forecast(const scree_rank_traffic *traffic,
                                              const scree_cluster *cluster)
{
    const double bodies = cluster->bodies / traffic->ranks;
    const double length = cbrt(bodies / traffic->bodies), area = length * length;
    const double levels = ceil(log2(traffic->ranks)), latency_ms = 1e-3 * cluster->latency_us;
    const double ms_a_byte = 1e-6 / cluster->bandwidth, fair_ms = 1e-6 * cluster->body_ns * bodies;
    const double more_pairs = (traffic->max_pairs / traffic->pairs - 1) / length;
    scree_rank_forecast f = {.bodies = bodies, .copies = traffic->copies * area};

    f.kilobytes = 1e-3 * traffic->max_copies * area * SENT_BYTES;
    f.work_ms = fair_ms * (OWN_WORK * traffic->imbalance + (1 - OWN_WORK) * (1 + more_pairs));
    f.messages_ms = traffic->max_messages * latency_ms;
    f.bytes_ms = 1e3 * f.kilobytes * ms_a_byte;
    f.reductions_ms = REDUCTIONS * levels * latency_ms;
    f.distribution_ms =
        (levels * latency_ms + 4.0 * sizeof(uint64_t) * traffic->ranks * ms_a_byte) /
        STEPS_A_DISTRIBUTION;
    f.efficiency =
        fair_ms / (f.work_ms + f.messages_ms + f.bytes_ms + f.reductions_ms + f.distribution_ms);
    return f;
}
