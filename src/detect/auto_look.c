/*  What a scene is like, from a sample: the larger the scene, the larger the sample, as its square root,
    so that looking costs next to nothing and still shows a crowd. Places of the sample are put into
    cells, as many as there are bodies or somewhat fewer; how many pairs of the sample share a cell, over
    how many would in a uniform scene, is how crowded it is. */
#include "detect/auto.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define LEAST_SAMPLE 48u
/*  Cells are made finer by a quarter so many times at most: until they are a millionth wide. */
#define MOST_FINER 62

typedef struct looking
{
    const scree_bodies *bodies;
    uint32_t count;            /* of the sample */
    double lower[3], upper[3]; /* where nearly all bodies are */
    uint64_t key[SCREE_AUTO_SAMPLE];
} looking;

/*  The sample, not in step with whatever order the bodies have. */
static uint32_t sample_id(const looking *look, uint32_t s)
{
    uint32_t stride = look->bodies->active_count / look->count;
    return look->bodies->active[s * stride + (s * 2654435761u >> 8) % stride];
}

static double centre_of(const scree_bodies *bodies, uint32_t id, int k)
{
    return bodies->sphere ? bodies->sphere[id][k]
                          : bodies->box[id].lower[k] / 2 + bodies->box[id].upper[k] / 2;
}

/* ---- sizes ---- */

static void look_at_sizes(const looking *look, scree_auto_features *features)
{
    double largest = 0, smallest = INFINITY, slenderness = 0;
    for (uint32_t s = 0; s < look->count; s++) {
        uint32_t id = sample_id(look, s);
        const scree_box *box = &look->bodies->box[id];
        double sum = 0, most = 0;
        for (int k = 0; k < look->bodies->dimensions; k++) {
            double edge = box->upper[k] - box->lower[k];
            sum += edge;
            most = fmax(most, edge);
        }
        if (look->bodies->sphere)
            most = look->bodies->sphere[id][3];
        largest = fmax(largest, most);
        smallest = most > 0 ? fmin(smallest, most) : smallest;
        slenderness +=
            look->bodies->sphere || !(sum > 0) ? 1 : most / sum * look->bodies->dimensions;
    }
    features->size_ratio = largest > 0 ? largest / smallest : 1;
    features->slenderness = slenderness / look->count;
}

/* ---- places ---- */

/*  What scree_key_of_double makes a key from. */
static double double_of_key(uint64_t key)
{
    uint64_t sign = (uint64_t)1 << 63, bits = key ^ (key & sign ? sign : ~(uint64_t)0);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/*  Bounds of all but one in sixteen at each end; what is outside them by more than a fifth of their width
    is far. */
static scree_status find_region(scree_auto *self, const scree_method_env *env, looking *look)
{
    uint32_t skipped = look->count / 16;
    for (int k = 0; k < 3; k++) {
        for (uint32_t s = 0; s < look->count; s++)
            look->key[s] = scree_key_of_double(centre_of(look->bodies, sample_id(look, s), k));
        if (scree_sort_u64(&self->sorter, env->memory, env->workers, look->key, NULL, look->count))
            return SCREE_OUT_OF_MEMORY;
        double lower = double_of_key(look->key[skipped]);
        double upper = double_of_key(look->key[look->count - 1 - skipped]);
        double least = double_of_key(look->key[0]);
        double most = double_of_key(look->key[look->count - 1]);
        double room = 0.2 * (upper - lower);
        look->lower[k] = fmax(least, lower - room);
        look->upper[k] = fmin(most, upper + room);
    }
    return SCREE_OK;
}

/*  Cells of a body, all axes in one number; UINT64_MAX for far ones. */
static uint64_t cell_of(const looking *look, uint32_t id, double edge, uint64_t cells)
{
    uint64_t cell = 0;
    for (int k = 0; k < look->bodies->dimensions; k++) {
        double centre = centre_of(look->bodies, id, k);
        if (!(centre >= look->lower[k] && centre <= look->upper[k]))
            return UINT64_MAX;
        double at = edge > 0 ? (centre - look->lower[k]) / edge : 0;
        cell = cell * cells + (uint64_t)fmin(at, (double)cells - 1);
    }
    return cell;
}

/*  The edge of cells of which the region has `wanted`. */
static double choose_edge(const looking *look, double wanted, double *cell_count)
{
    double widest = 0, edge, count;
    for (int k = 0; k < look->bodies->dimensions; k++)
        widest = fmax(widest, look->upper[k] - look->lower[k]);
    edge = widest;
    count = 0;
    for (int finer = 0; finer < MOST_FINER && count < wanted; finer++) {
        edge *= 0.8;
        count = 1;
        for (int k = 0; k < look->bodies->dimensions && edge > 0; k++)
            count *= ceil((look->upper[k] - look->lower[k]) / edge + 0x1p-20);
    }
    *cell_count = count;
    return edge;
}

static scree_status look_at_places(scree_auto *self, const scree_method_env *env, looking *look)
{
    scree_auto_features *features = &self->features;
    if (find_region(self, env, look))
        return SCREE_OUT_OF_MEMORY;
    /* fewer cells than bodies, or the sample would have nothing to share in a uniform scene */
    double cells, wanted = fmin(features->bodies, look->count * (double)look->count / 64);
    double edge = choose_edge(look, wanted, &cells);
    for (uint32_t s = 0; s < look->count; s++)
        look->key[s] = cell_of(look, sample_id(look, s), edge, 1u << 21);
    if (scree_sort_u64(&self->sorter, env->memory, env->workers, look->key, NULL, look->count))
        return SCREE_OUT_OF_MEMORY;

    uint32_t near = look->count, run = 0;
    double shared = 0;
    while (near > 0 && look->key[near - 1] == UINT64_MAX)
        near--;
    for (uint32_t s = 1; s < near; s++) {
        run = look->key[s] == look->key[s - 1] ? run + 1 : 0;
        shared += run;
    }
    double pairs = 0.5 * near * ((double)near - 1);
    features->crowding = pairs > 0 ? fmax(1, shared / pairs * cells) : 1;
    features->far_share = 1 - (double)near / look->count;
    return SCREE_OK;
}

scree_status scree_auto_look(scree_auto *self, const scree_method_env *env,
                             const scree_bodies *bodies)
{
    looking look;
    scree_auto_features *features = &self->features;
    double wanted = 2 * sqrt(bodies->active_count);
    look.bodies = bodies;
    look.count = wanted < LEAST_SAMPLE ? LEAST_SAMPLE : (uint32_t)fmin(wanted, SCREE_AUTO_SAMPLE);
    features->bodies = bodies->active_count;
    features->dimensions = bodies->dimensions;
    features->size_ratio = features->slenderness = features->crowding = 1;
    features->far_share = 0;
    self->looks++;
    /* so few bodies are all paired whatever they are like */
    if (bodies->active_count < look.count)
        return SCREE_OK;
    look_at_sizes(&look, features);
    return look_at_places(self, env, &look);
}
