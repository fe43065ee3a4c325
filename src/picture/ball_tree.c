/*  Creates the tree: balls in Morton order, bounds from the bottom up. */
#include "picture/ball_tree.h"

#include "base/morton.h"
#include "base/radix_sort.h"

#include <math.h>

#define BALLS_PER_BLOCK 4096u
/*  More than the rounding of a float of magnitude 1, or of the sum of a few; larger numbers add their own. */
#define ROUNDING 1e-6f

typedef struct growth
{
    scree_ball_tree *tree;
    const double (*ball)[4];
    uint64_t *key;
    double lower[3], scale[3];
    int level;
} growth;

static void find_curve(growth *g)
{
    double upper[3];
    for (int k = 0; k < 3; k++) {
        g->lower[k] = INFINITY;
        upper[k] = -INFINITY;
    }
    for (size_t i = 0; i < g->tree->count; i++)
        for (int k = 0; k < 3; k++) {
            g->lower[k] = g->ball[i][k] < g->lower[k] ? g->ball[i][k] : g->lower[k];
            upper[k] = g->ball[i][k] > upper[k] ? g->ball[i][k] : upper[k];
        }
    for (int k = 0; k < 3; k++)
        g->scale[k] = upper[k] > g->lower[k] ? 0x1.fffffp20 / (upper[k] - g->lower[k]) : 0;
}

static void key_block(void *data, size_t block, uint32_t worker)
{
    const growth *g = data;
    size_t end = scree_block_end(block, BALLS_PER_BLOCK, g->tree->count);
    (void)worker;
    for (size_t i = block * BALLS_PER_BLOCK; i < end; i++) {
        g->key[i] = 0;
        for (int k = 0; k < 3; k++)
            g->key[i] |=
                scree_morton_spread((uint64_t)((g->ball[i][k] - g->lower[k]) * g->scale[k])) << k;
        g->tree->order[i] = (uint32_t)i;
    }
}

/*  The bounding ball of the balls of a group, slightly enlarged. */
static void set_bound(const scree_ball_group *below, scree_ball_group *group, int place)
{
    const float *const centre[3] = {below->x, below->y, below->z};
    float middle[3], radius = 0, reach = 0;
    for (int k = 0; k < 3; k++) {
        float lower = INFINITY, upper = -INFINITY;
        for (int i = 0; i < 8 && below->radius[i] >= 0; i++) {
            float low = centre[k][i] - below->radius[i], high = centre[k][i] + below->radius[i];
            lower = low < lower ? low : lower;
            upper = high > upper ? high : upper;
        }
        middle[k] = 0.5f * (lower + upper);
    }
    for (int i = 0; i < 8 && below->radius[i] >= 0; i++) {
        float x = below->x[i] - middle[0], y = below->y[i] - middle[1], z = below->z[i] - middle[2];
        float away = sqrtf(x * x + y * y + z * z);
        radius = away + below->radius[i] > radius ? away + below->radius[i] : radius;
        reach = away + below->reach[i] > reach ? away + below->reach[i] : reach;
    }
    group->x[place] = middle[0];
    group->y[place] = middle[1];
    group->z[place] = middle[2];
    float size = fabsf(middle[0]) + fabsf(middle[1]) + fabsf(middle[2]) + radius;
    group->radius[place] = radius + ROUNDING * size;
    group->reach[place] = reach + ROUNDING * size;
}

static void set_leaf(const double ball[4], scree_ball_group *group, int place)
{
    group->x[place] = (float)ball[0];
    group->y[place] = (float)ball[1];
    group->z[place] = (float)ball[2];
    group->radius[place] = (float)ball[3];
    group->reach[place] = SCREE_SKY_REACH * (float)ball[3];
}

static void set_empty(scree_ball_group *group, int place)
{
    group->x[place] = group->y[place] = group->z[place] = 0;
    group->radius[place] = group->reach[place] = -1e30f;
}

/*  The groups of one level, from the level below. */
static void fill_block(void *data, size_t block, uint32_t worker)
{
    const growth *g = data;
    scree_ball_tree *tree = g->tree;
    size_t items = tree->count;
    (void)worker;
    for (int level = 0; level < g->level; level++)
        items = scree_block_count(items, 8);
    scree_ball_group *groups = tree->groups + tree->level_start[g->level];
    const scree_ball_group *below =
        g->level > 0 ? tree->groups + tree->level_start[g->level - 1] : NULL;
    size_t end = scree_block_end(block, BALLS_PER_BLOCK, scree_block_count(items, 8) * 8);
    for (size_t i = block * BALLS_PER_BLOCK; i < end; i++) {
        if (i >= items)
            set_empty(&groups[i / 8], (int)(i % 8));
        else if (below)
            set_bound(&below[i], &groups[i / 8], (int)(i % 8));
        else
            set_leaf(g->ball[tree->order[i]], &groups[i / 8], (int)(i % 8));
    }
}

static scree_status sort_balls(growth *g, scree_memory *memory, const scree_workers *workers)
{
    scree_sorter sorter = {0};
    size_t count = g->tree->count;
    scree_status status = scree_memory_take(memory, count, sizeof *g->key, &g->key);
    if (status)
        return status;
    find_curve(g);
    scree_workers_run(workers, scree_block_count(count, BALLS_PER_BLOCK), key_block, g);
    status = scree_sort_u64(&sorter, memory, workers, g->key, g->tree->order, count);
    scree_sorter_free(&sorter, memory);
    scree_memory_give(memory, &g->key, count, sizeof *g->key);
    return status;
}

scree_status scree_ball_tree_build(scree_ball_tree *tree, scree_memory *memory,
                                   const scree_workers *workers, const double (*ball)[4],
                                   size_t count)
{
    growth g = {.tree = tree, .ball = ball};
    size_t items = count;
    scree_status status;

    *tree = (scree_ball_tree){.count = count};
    if (count == 0)
        return SCREE_OK;
    do {
        tree->level_start[tree->levels++] = tree->group_count;
        items = scree_block_count(items, 8);
        tree->group_count += items;
    } while (items > 1);
    status = scree_memory_take(memory, count, sizeof *tree->order, &tree->order);
    if (!status)
        status = scree_memory_take(memory, tree->group_count, sizeof *tree->groups, &tree->groups);
    if (!status)
        status = sort_balls(&g, memory, workers);
    if (status) {
        scree_ball_tree_free(tree, memory);
        return status;
    }
    items = count;
    for (g.level = 0; g.level < tree->levels; g.level++) {
        size_t places = scree_block_count(items, 8) * 8;
        scree_workers_run(workers, scree_block_count(places, BALLS_PER_BLOCK), fill_block, &g);
        items = places / 8;
    }
    return SCREE_OK;
}

void scree_ball_tree_free(scree_ball_tree *tree, scree_memory *memory)
{
    scree_memory_give(memory, &tree->order, tree->count, sizeof *tree->order);
    scree_memory_give(memory, &tree->groups, tree->group_count, sizeof *tree->groups);
    *tree = (scree_ball_tree){0};
}
