/*  Balanced k-means: centres are initialised far from each other (Arthur and Vassilvitskii 2007, k-means++), moved ten
    times to the mean of their nearest facets (Lloyd 1982), and then facets are assigned in order of decreasing regret,
    the cost of their second choice, until a cluster is full. Facets at the same place have no regret and are assigned
    in order. Everything follows the order of facets, with random numbers that depend on seed and node only. */
#include "shape/surrogate.h"
#include "shape/surrogate_fit.h"

#include "base/random.h"
#include "base/vector.h"

#include <math.h>
#include <string.h>

#define LLOYD_STEPS 10

typedef struct cluster_job
{
    uint32_t *order;
    uint32_t count, parts;
    const scree_cluster_room *room;
    double centre[SCREE_SURROGATE_WIDTH][3];
} cluster_job;

static const double *middle_of(const cluster_job *job, uint32_t i)
{
    return job->room->middle[job->order[i]];
}

/*  The first at random, each further one with a probability proportional to the squared distance to the nearest so far,
    which `regret` holds. */
static void sow_centres(cluster_job *job, uint64_t seed, uint64_t stream)
{
    scree_random random = scree_random_stream(seed, stream);
    double *nearest = job->room->regret;
    uint32_t chosen = scree_random_below(&random, job->count);
    for (uint32_t i = 0; i < job->count; i++)
        nearest[i] = INFINITY;
    for (uint32_t p = 0; p < job->parts; p++) {
        double sum = 0, lot;
        memcpy(job->centre[p], middle_of(job, chosen), sizeof job->centre[p]);
        for (uint32_t i = 0; i < job->count; i++) {
            nearest[i] =
                scree_smaller_of(nearest[i], scree_apart_sq(middle_of(job, i), job->centre[p]));
            sum += nearest[i];
        }
        lot = scree_random_unit(&random) * sum;
        /* the last one is taken if rounding leaves a remainder */
        for (chosen = 0; chosen + 1 < job->count && lot >= nearest[chosen]; chosen++)
            lot -= nearest[chosen];
    }
}

static uint32_t nearest_centre(const cluster_job *job, const double middle[3], double *way_sq)
{
    uint32_t best = 0;
    *way_sq = INFINITY;
    for (uint32_t p = 0; p < job->parts; p++) {
        double d = scree_apart_sq(middle, job->centre[p]);
        if (d < *way_sq) {
            *way_sq = d;
            best = p;
        }
    }
    return best;
}

/*  A centre without near facets does not move. */
static void move_centres(cluster_job *job)
{
    double sum[SCREE_SURROGATE_WIDTH][3] = {{0}};
    uint32_t near[SCREE_SURROGATE_WIDTH] = {0};
    for (uint32_t i = 0; i < job->count; i++) {
        const double *middle = middle_of(job, i);
        double way_sq;
        uint32_t p = nearest_centre(job, middle, &way_sq);
        near[p]++;
        for (int k = 0; k < 3; k++)
            sum[p][k] += middle[k];
    }
    for (uint32_t p = 0; p < job->parts; p++)
        for (int k = 0; k < 3 && near[p] > 0; k++)
            job->centre[p][k] = sum[p][k] / near[p];
}

/*  How much farther the second nearest centre is. */
static void find_regrets(const cluster_job *job)
{
    for (uint32_t i = 0; i < job->count; i++) {
        const double *middle = middle_of(job, i);
        double best = INFINITY, second = INFINITY;
        for (uint32_t p = 0; p < job->parts; p++) {
            double d = scree_apart_sq(middle, job->centre[p]);
            second = scree_smaller_of(second, scree_larger_of(best, d));
            best = scree_smaller_of(best, d);
        }
        job->room->regret[i] = sqrt(second) - sqrt(best);
    }
}

/*  Merge sort by decreasing regret, stable: runs of twice the length are merged until there is one. */
static uint32_t *rank_by_regret(const cluster_job *job)
{
    const double *regret = job->room->regret;
    uint32_t *from = job->room->rank, *to = job->room->spare, *swap;
    for (uint32_t i = 0; i < job->count; i++)
        from[i] = i;
    for (size_t run = 1; run < job->count; run *= 2) {
        for (size_t begin = 0; begin < job->count; begin += 2 * run) {
            size_t middle = begin + run < job->count ? begin + run : job->count;
            size_t end = middle + run < job->count ? middle + run : job->count;
            size_t a = begin, b = middle;
            for (size_t at = begin; at < end; at++) {
                bool first = b == end || (a < middle && regret[from[a]] >= regret[from[b]]);
                to[at] = first ? from[a++] : from[b++];
            }
        }
        swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/*  Assigns each to the nearest cluster that has room; `larger` of them have room for one more than the others. */
static void choose_clusters(const cluster_job *job, const uint32_t *rank, uint32_t *size)
{
    uint32_t least = job->count / job->parts, larger = job->count % job->parts;
    memset(size, 0, job->parts * sizeof *size);
    for (uint32_t r = 0; r < job->count; r++) {
        const double *middle = middle_of(job, rank[r]);
        double best = INFINITY;
        uint32_t chosen = SCREE_SURROGATE_WIDTH;
        for (uint32_t p = 0; p < job->parts; p++) {
            double d = scree_apart_sq(middle, job->centre[p]);
            bool has_room = size[p] < least || (size[p] == least && larger > 0);
            if (has_room && (d < best || chosen == SCREE_SURROGATE_WIDTH)) {
                best = d;
                chosen = p;
            }
        }
        larger -= size[chosen] == least;
        size[chosen]++;
        job->room->cluster[rank[r]] = chosen;
    }
}

/*  Cluster by cluster, each in its previous order. */
static void gather_clusters(const cluster_job *job, const uint32_t *size)
{
    uint32_t start[SCREE_SURROGATE_WIDTH], begin = 0;
    for (uint32_t p = 0; p < job->parts; p++) {
        start[p] = begin;
        begin += size[p];
    }
    for (uint32_t i = 0; i < job->count; i++)
        job->room->spare[start[job->room->cluster[i]]++] = job->order[i];
    memcpy(job->order, job->room->spare, job->count * sizeof *job->order);
}

void scree_surrogate_split(uint32_t *order, uint32_t count, uint32_t parts, uint64_t seed,
                           uint64_t stream, const scree_cluster_room *room, uint32_t *size)
{
    cluster_job job = {.order = order, .count = count, .parts = parts, .room = room};
    sow_centres(&job, seed, stream);
    for (int step = 0; step < LLOYD_STEPS; step++)
        move_centres(&job);
    find_regrets(&job);
    choose_clusters(&job, rank_by_regret(&job), size);
    gather_clusters(&job, size);
}
