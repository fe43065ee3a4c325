/*  Searches of the tree. Each descends with a stack of groups, and tests eight balls of a group at once. Sums are in
    the order of the traversal, which depends on the balls only. */
#include "picture/ball_tree.h"

#include "picture/eight.h"

#include <math.h>

/*  Size of the stack: at most seven groups per level and the one to be opened. */
#define STACK (8 * SCREE_BALL_LEVELS)

typedef struct walk
{
    size_t group[STACK]; /* index within its level */
    int level[STACK];
    int height;
} walk;

static void start_walk(const scree_ball_tree *tree, walk *w)
{
    w->height = tree->levels > 0;
    w->group[0] = 0;
    w->level[0] = tree->levels - 1;
}

/*  The next group, or NULL; *number is its index within its level. */
static const scree_ball_group *next_group(const scree_ball_tree *tree, walk *w, size_t *number,
                                          int *level)
{
    if (w->height == 0)
        return NULL;
    w->height--;
    *number = w->group[w->height];
    *level = w->level[w->height];
    return tree->groups + tree->level_start[*level] + *number;
}

/*  Pushes the groups below a group, one for each bit. */
static void push_groups(walk *w, size_t number, int level, uint32_t hits)
{
    for (size_t i = 8 * number; hits != 0; i++, hits >>= 1)
        if (hits & 1) {
            w->group[w->height] = i;
            w->level[w->height++] = level - 1;
        }
}

/* ---- windows ---- */

/*  More than the rounding of a float, in proportion to the distance of the ball. */
#define WINDOW_ROUNDING 4e-6f

static scree_eight times(const float *numbers, float factor)
{
    return scree_eight_mul(scree_eight_load(numbers), scree_eight_set(factor));
}

static uint32_t seen_in_window(const scree_ball_group *g, const scree_window *window)
{
    scree_eight least = scree_eight_set(INFINITY);
    float room[8];
    for (int p = 0; p < SCREE_WINDOW_PLANES; p++) {
        const float *n = window->plane[p];
        scree_eight inside = scree_eight_add(times(g->x, n[0]), times(g->y, n[1]));
        inside = scree_eight_add(inside, times(g->z, n[2]));
        least = scree_eight_min(least, scree_eight_add(inside, scree_eight_set(n[3])));
    }
    for (int i = 0; i < 8; i++)
        room[i] =
            g->radius[i] + WINDOW_ROUNDING * (fabsf(g->x[i]) + fabsf(g->y[i]) + fabsf(g->z[i]) + 1);
    return scree_eight_less(scree_eight_set(0), scree_eight_add(least, scree_eight_load(room)));
}

scree_status scree_ball_tree_look(const scree_ball_tree *tree, const scree_window *window,
                                  scree_memory *memory, scree_ball_list *list)
{
    const scree_ball_group *group;
    walk w;
    size_t number;
    int level;

    list->count = 0;
    start_walk(tree, &w);
    while ((group = next_group(tree, &w, &number, &level))) {
        uint32_t hits = seen_in_window(group, window);
        if (level > 0) {
            push_groups(&w, number, level, hits);
            continue;
        }
        scree_status status = scree_memory_reserve(memory, &list->ball, &list->capacity,
                                                   list->count + 8, sizeof *list->ball);
        if (status)
            return status;
        for (size_t i = 8 * number; hits != 0; i++, hits >>= 1)
            if (hits & 1)
                list->ball[list->count++] = tree->order[i];
    }
    return SCREE_OK;
}

/* ---- light ---- */

/*  A cone from the point that contains the light. */
typedef struct cone
{
    float point[3], towards[3], spread;
} cone;

/*  Balls that the cone meets; the distance of each centre along the axis, and its squared distance from it. By the
    cross product, since the difference of two large squares would lose small balls. */
static uint32_t meets_cone(const scree_ball_group *g, const cone *c, float along[8],
                           float away_sq[8])
{
    scree_eight x = scree_eight_sub(scree_eight_load(g->x), scree_eight_set(c->point[0]));
    scree_eight y = scree_eight_sub(scree_eight_load(g->y), scree_eight_set(c->point[1]));
    scree_eight z = scree_eight_sub(scree_eight_load(g->z), scree_eight_set(c->point[2]));
    scree_eight lx = scree_eight_set(c->towards[0]), ly = scree_eight_set(c->towards[1]),
                lz = scree_eight_set(c->towards[2]), radius = scree_eight_load(g->radius);
    scree_eight b = scree_eight_add(scree_eight_mul(x, lx), scree_eight_mul(y, ly));
    b = scree_eight_add(b, scree_eight_mul(z, lz));
    scree_eight u = scree_eight_sub(scree_eight_mul(y, lz), scree_eight_mul(z, ly));
    scree_eight v = scree_eight_sub(scree_eight_mul(z, lx), scree_eight_mul(x, lz));
    scree_eight w = scree_eight_sub(scree_eight_mul(x, ly), scree_eight_mul(y, lx));
    scree_eight sq = scree_eight_add(scree_eight_mul(u, u), scree_eight_mul(v, v));
    sq = scree_eight_add(sq, scree_eight_mul(w, w));
    scree_eight ahead = scree_eight_add(b, radius);
    scree_eight room = scree_eight_add(radius, scree_eight_mul(scree_eight_set(c->spread), ahead));
    scree_eight_store(along, b);
    scree_eight_store(away_sq, sq);
    return scree_eight_less(scree_eight_set(0), ahead) &
           scree_eight_less(sq, scree_eight_mul(room, room));
}

/*  The part of the light that a ball covers: the overlap of two discs, seen from the point, as a smooth curve. */
static float covered(float along, float away, float radius, float spread)
{
    float light = spread * along; /* radius of the light at the ball's distance */
    float share = light > 0 ? 0.5f * (radius + light - away) / light : away < radius ? 1.0f : 0.0f;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    share = share * share * (3 - 2 * share);
    return radius < light ? share * (radius / light) * (radius / light) : share;
}

float scree_ball_tree_light(const scree_ball_tree *tree, const float point[3],
                            const float towards[3], float spread, uint32_t self)
{
    const cone c = {{point[0], point[1], point[2]}, {towards[0], towards[1], towards[2]}, spread};
    const scree_ball_group *group;
    float light = 1, along[8], away_sq[8];
    walk w;
    size_t number;
    int level;

    start_walk(tree, &w);
    while ((group = next_group(tree, &w, &number, &level))) {
        uint32_t hits = meets_cone(group, &c, along, away_sq);
        if (level > 0) {
            push_groups(&w, number, level, hits);
            continue;
        }
        for (int i = 0; hits != 0; i++, hits >>= 1) {
            if (!(hits & 1) || !(along[i] > 0) || tree->order[8 * number + (size_t)i] == self)
                continue;
            light *= 1 - covered(along[i], sqrtf(away_sq[i]), group->radius[i], spread);
            if (light < 0.004f)
                return 0;
        }
    }
    return light;
}

/* ---- sky ---- */

/*  Balls that dim the sky over a surface; the squared distance of each centre, and its height above the surface. A
    group whose ball is below it has none. */
static uint32_t dims_point(const scree_ball_group *g, const float point[3], const float normal[3],
                           float distance_sq[8], float above[8])
{
    scree_eight x = scree_eight_sub(scree_eight_load(g->x), scree_eight_set(point[0]));
    scree_eight y = scree_eight_sub(scree_eight_load(g->y), scree_eight_set(point[1]));
    scree_eight z = scree_eight_sub(scree_eight_load(g->z), scree_eight_set(point[2]));
    scree_eight sq = scree_eight_add(scree_eight_mul(x, x), scree_eight_mul(y, y));
    sq = scree_eight_add(sq, scree_eight_mul(z, z));
    scree_eight up = scree_eight_add(scree_eight_mul(x, scree_eight_set(normal[0])),
                                     scree_eight_mul(y, scree_eight_set(normal[1])));
    up = scree_eight_add(up, scree_eight_mul(z, scree_eight_set(normal[2])));
    scree_eight reach = scree_eight_load(g->reach), zero = scree_eight_set(0);
    scree_eight_store(distance_sq, sq);
    scree_eight_store(above, up);
    return scree_eight_less(zero, reach) & scree_eight_less(sq, scree_eight_mul(reach, reach)) &
           scree_eight_less(zero, scree_eight_add(up, scree_eight_load(g->radius)));
}

float scree_ball_tree_sky(const scree_ball_tree *tree, const float point[3], const float normal[3],
                          uint32_t self)
{
    const scree_ball_group *group;
    float open = 1, distance_sq[8], above[8];
    walk w;
    size_t number;
    int level;

    start_walk(tree, &w);
    while ((group = next_group(tree, &w, &number, &level))) {
        uint32_t hits = dims_point(group, point, normal, distance_sq, above);
        if (level > 0) {
            push_groups(&w, number, level, hits);
            continue;
        }
        for (int i = 0; hits != 0; i++, hits >>= 1) {
            if (!(hits & 1) || !(above[i] > 0) || tree->order[8 * number + (size_t)i] == self)
                continue;
            /* cosine times the solid angle over pi, decreasing to 0 at the end of its reach */
            float share = group->radius[i] * group->radius[i] / distance_sq[i];
            float fade = 1 - distance_sq[i] / (group->reach[i] * group->reach[i]);
            share = share > 1 ? 1 : share;
            open *= 1 - above[i] / sqrtf(distance_sq[i]) * share * fade;
        }
    }
    return open;
}

/* ---- nearest ---- */

static void distance_minus_radius(const scree_ball_group *g, const float point[3], float gap[8])
{
    for (int i = 0; i < 8; i++) {
        float x = g->x[i] - point[0], y = g->y[i] - point[1], z = g->z[i] - point[2];
        gap[i] = sqrtf(x * x + y * y + z * z) - g->radius[i];
    }
}

uint32_t scree_ball_tree_nearest(const scree_ball_tree *tree, const float point[3])
{
    const scree_ball_group *group;
    uint32_t nearest = SCREE_NO_BALL;
    float best = INFINITY;
    walk w;
    size_t number;
    int level;

    start_walk(tree, &w);
    while ((group = next_group(tree, &w, &number, &level))) {
        float gap[8];
        uint32_t hits = 0;
        distance_minus_radius(group, point, gap);
        for (int i = 0; i < 8 && group->radius[i] >= 0; i++) {
            if (!(gap[i] < best))
                continue;
            if (level > 0) {
                hits |= 1u << i;
                continue;
            }
            best = gap[i];
            nearest = tree->order[8 * number + (size_t)i];
        }
        push_groups(&w, number, level, hits);
    }
    return nearest;
}
