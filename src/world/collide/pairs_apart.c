/*  Ways of bodies, and pairs that are left out. See pairs_apart.h. */
#include "world/collide/pairs_apart.h"

#include <math.h>
#include <string.h>

#define BODIES_PER_BLOCK 256u
/*  A way is the sum of at most so many terms, and so known to 2^-33 of itself; then all restart at 0. */
#define MAX_TERMS 0x1p20
#define WAY_ROUNDING 0x1p-30
/*  As a share of the radii: gaps are found to rounding, and touch from scratch may see them closed by a grain. */
#define GAP_ROUNDING 1e-7

/*  An upper bound of the motion of any point of a body from one pose to another. */
static double way_between(const scree_shape_way *from, const double place[4], const double turn[4])
{
    double step_sq = 0, turn_sq = 0;

    for (int k = 0; k < 3; k++)
        step_sq += (place[k] - from->place[k]) * (place[k] - from->place[k]);
    for (int k = 0; k < 4; k++)
        turn_sq += (turn[k] - from->turn[k]) * (turn[k] - from->turn[k]);
    return sqrt(step_sq) + 2 * fmax(place[3], from->place[3]) * sqrt(turn_sq) +
           fabs(place[3] - from->place[3]);
}

static void follow_block(void *data, size_t block, uint32_t worker)
{
    const scree_shape_job *job = data;
    const scree_body_arrays *bodies = job->bodies;
    size_t end = scree_block_end(block, BODIES_PER_BLOCK, job->contacts->body_count);

    (void)worker;
    for (size_t k = block * BODIES_PER_BLOCK; k < end; k++) {
        const uint32_t slot = job->contacts->bodies[k].slot[0];
        scree_shape_way *way = &job->finder->ways[slot];
        way->sum += way_between(way, bodies->position[slot], bodies->orientation[slot]);
        memcpy(way->place, bodies->position[slot], sizeof way->place);
        memcpy(way->turn, bodies->orientation[slot], sizeof way->turn);
    }
}

static bool is_same_domain(const scree_domain *a, const scree_domain *b)
{
    return memcmp(a->lower, b->lower, sizeof a->lower) == 0 &&
           memcmp(a->upper, b->upper, sizeof a->upper) == 0 &&
           memcmp(a->period, b->period, sizeof a->period) == 0 &&
           memcmp(a->tilt, b->tilt, sizeof a->tilt) == 0;
}

/*  All ways are 0 again, and nothing is known of any pair. */
static scree_status restart(const scree_shape_job *job)
{
    scree_shape_finder *finder = job->finder;
    const size_t count = job->bodies->count;

    if (scree_memory_reserve(finder->memory, &finder->ways, &finder->way_capacity, count,
                             sizeof *finder->ways))
        return SCREE_OUT_OF_MEMORY;
    memset(finder->ways, 0, count * sizeof *finder->ways);
    for (size_t k = 0; k < job->contacts->candidate_count; k++)
        job->contacts->candidates[k].way_to = 0;
    finder->way_count = count;
    finder->way_domain = *job->domain;
    finder->way_terms = 0;
    return SCREE_OK;
}

/*  Laws that act at a distance need the pair. Active sets are those of the pairs of the last evaluation. */
static bool pairs_may_stay(const scree_shape_job *job)
{
    const scree_law_reach *most = &job->step->rules->reach;

    return most->fixed == 0 && most->root == 0 && most->share == 0 && !job->finder->cuts.is_on &&
           !job->domain->is_tilted;
}

scree_status scree_shape_ways_follow(scree_shape_job *job)
{
    scree_shape_finder *finder = job->finder;
    bool is_known = finder->follows_ways && finder->way_count == job->bodies->count &&
                    finder->way_terms < MAX_TERMS &&
                    is_same_domain(&finder->way_domain, job->domain);

    finder->follows_ways = pairs_may_stay(job);
    if (!finder->follows_ways)
        return SCREE_OK;
    if (!is_known && restart(job))
        return SCREE_OUT_OF_MEMORY;
    finder->way_terms++;
    scree_workers_run(job->step->workers,
                      scree_block_count(job->contacts->body_count, BODIES_PER_BLOCK), follow_block,
                      job);
    return SCREE_OK;
}

/*  How far the centres of a pair may move until another image of the second is the nearest. */
static double way_to_image(const scree_shape_job *job, const scree_shape_work *work)
{
    const scree_domain *domain = job->domain;
    double step[3], n[3], least = INFINITY;

    scree_domain_step(domain, job->bodies->position[work->first],
                      job->bodies->position[work->second], step, n);
    for (int k = 0; k < 3; k++)
        if (domain->period[k] > 0)
            least = fmin(least, 0.5 * domain->period[k] - fabs(step[k]));
    return least;
}

void scree_shape_note_apart(const scree_shape_job *job, const scree_shape_work *work, double gap,
                            scree_local_test test)
{
    const scree_shape_finder *finder = job->finder;
    const double radii =
        job->bodies->position[work->first][3] + job->bodies->position[work->second][3];
    const double sum = finder->ways[work->first].sum + finder->ways[work->second].sum;
    scree_shape_candidate *pair = &job->contacts->candidates[work->candidate1 - 1];
    const double left = fmin(gap, way_to_image(job, work)) - GAP_ROUNDING * radii;

    pair->way_to = left > 0 ? (sum + left) * (1 - WAY_ROUNDING) : 0;
    pair->test = (uint8_t)test;
}
