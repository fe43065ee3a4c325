/*  What a scene is like, from a sample: the larger the scene, the larger the sample, as its square root,
    so that looking costs next to nothing and still shows clusters. Places of the sample are put into
    cells, as many as there are bodies or somewhat fewer; how many pairs of the sample share a cell, over
    how many would in a uniform scene, is how crowded it is. */
#include "detect/auto.h"

#include "base/portable_math.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MIN_SAMPLE 48u
/*  Fewer bodies are all paired whatever they are like, unless few move. More than the least sample. */
#define MIN_LOOKED 128u
/*  Cells are made finer by a quarter so many times at most: until they are a millionth wide. */
#define MAX_REFINEMENTS 62

/*  Of cells: twice the sample, a power of two. */
#define TABLE 4096u
#define NO_CELL UINT64_MAX

/*  One instruction each: fmax and fmin are calls, of which there would be a thousand. No NaN comes here. */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

typedef struct looking
{
    const scree_bodies *bodies;
    uint32_t count; /* of the sample */
    uint32_t id[SCREE_AUTO_SAMPLE];
    double lower[3], upper[3]; /* where nearly all bodies are */
    double edge[3];            /* of boxes, mean on each axis */
    double radius[3];          /* of spheres, mean of its first, second and third power */
} looking;

/*  Cells that have been seen, and how often. */
typedef struct cell_table
{
    uint32_t slots; /* that are used: a power of two, twice the sample at least */
    uint64_t cell[TABLE];
    uint16_t count[TABLE];
} cell_table;

static double centre_of(const scree_bodies *bodies, uint32_t id, int k)
{
    return bodies->sphere ? bodies->sphere[id][k]
                          : bodies->box[id].lower[k] / 2 + bodies->box[id].upper[k] / 2;
}

/*  The sample, not in step with whatever order the bodies have. They lie anywhere in memory, so all are fetched
    at once: only speed. */
static void take_sample(looking *look)
{
    const scree_bodies *bodies = look->bodies;
    uint32_t stride = bodies->active_count / look->count;
    for (uint32_t s = 0; s < look->count; s++) {
        uint32_t id = bodies->active[s * stride + (s * 2654435761u >> 8) % stride];
        look->id[s] = id;
#if defined(__GNUC__)
        __builtin_prefetch(bodies->sphere ? (const void *)bodies->sphere[id]
                                          : (const void *)&bodies->box[id]);
#endif
    }
}

/* ---- sizes ---- */

/*  A number that grows as the logarithm to base 2 does, nearly. x > 0. */
static double nearly_log2(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (double)bits * 0x1p-52;
}

/*  The longest edge, or radius; *slenderness is the former over the mean edge. */
static double size_of(const scree_bodies *bodies, uint32_t id, double *slenderness)
{
    double sum = 0, most = 0;
    *slenderness = 1;
    if (bodies->sphere)
        return bodies->sphere[id][3];
    for (int k = 0; k < bodies->dimensions; k++) {
        double edge = bodies->box[id].upper[k] - bodies->box[id].lower[k];
        sum += edge;
        most = larger(most, edge);
    }
    if (sum > 0)
        *slenderness = most / sum * bodies->dimensions;
    return most;
}

/*  One more of the sample in the means. */
static void add_to_means(looking *look, uint32_t id)
{
    const scree_bodies *bodies = look->bodies;
    double share = 1. / look->count, power = share;
    for (int k = 0; k < 3; k++) {
        if (bodies->sphere)
            look->radius[k] += power *= bodies->sphere[id][3];
        else
            look->edge[k] += share * (bodies->box[id].upper[k] - bodies->box[id].lower[k]);
    }
}

static void look_at_sizes(looking *look, scree_auto_features *features)
{
    double largest = 0, smallest = INFINITY, slenderness = 0, mean = 0, slender;
    uint32_t large = 0, solid = 0;
    for (uint32_t s = 0; s < look->count; s++) {
        double size = size_of(look->bodies, look->id[s], &slender);
        slenderness += slender;
        add_to_means(look, look->id[s]);
        if (!(size > 0))
            continue;
        largest = larger(largest, size);
        smallest = smaller(smallest, size);
        mean += nearly_log2(size);
        solid++;
    }
    for (uint32_t s = 0; s < look->count && solid; s++) {
        double size = size_of(look->bodies, look->id[s], &slender);
        large += size > 0 && nearly_log2(size) > mean / solid + 1;
    }
    features->size_ratio = largest > 0 ? largest / smallest : 1;
    features->large_share = (double)large / look->count;
    features->slenderness = slenderness / look->count;
}

/* ---- places ---- */

/*  The sample falls into groups. Two or three groups may have outliers, so the third innermost of their
    bounds is taken; far is what lies outside of that by more than a third of the width. */
#define GROUPS 8u
#define INNERMOST 2u

/*  The third smallest. */
static double third_of_groups(double bounds[GROUPS])
{
    for (uint32_t i = 1; i < GROUPS; i++) {
        double bound = bounds[i];
        uint32_t at = i;
        for (; at > 0 && bounds[at - 1] > bound; at--)
            bounds[at] = bounds[at - 1];
        bounds[at] = bound;
    }
    return bounds[INNERMOST];
}

static void find_region(looking *look)
{
    for (int k = 0; k < look->bodies->dimensions; k++) {
        /* of -x and of x, so that both are upper bounds */
        double lower[GROUPS], upper[GROUPS], least = INFINITY, most = -INFINITY;
        for (uint32_t g = 0; g < GROUPS; g++)
            lower[g] = upper[g] = -INFINITY;
        for (uint32_t s = 0; s < look->count; s++) {
            double centre = centre_of(look->bodies, look->id[s], k);
            lower[s % GROUPS] = larger(lower[s % GROUPS], -centre);
            upper[s % GROUPS] = larger(upper[s % GROUPS], centre);
            least = smaller(least, centre);
            most = larger(most, centre);
        }
        double low = -third_of_groups(lower), high = third_of_groups(upper);
        double room = 0.35 * fabs(high - low);
        look->lower[k] = larger(least, low - room);
        look->upper[k] = smaller(most, high + room);
    }
}

/*  Cells of a body, all axes in one number; NO_CELL for far ones. */
static uint64_t cell_of(const looking *look, uint32_t id, double edge, uint64_t cells)
{
    uint64_t cell = 0;
    for (int k = 0; k < look->bodies->dimensions; k++) {
        double centre = centre_of(look->bodies, id, k);
        if (!(centre >= look->lower[k] && centre <= look->upper[k]))
            return NO_CELL;
        double at = edge > 0 ? (centre - look->lower[k]) / edge : 0;
        cell = cell * cells + (uint64_t)smaller(at, (double)cells - 1);
    }
    return cell;
}

/*  The edge of cells of which the region has `wanted`: that of a cube, or less where it is flat. */
static double choose_edge(const looking *look, double wanted, double *cell_count)
{
    double widest = 0, edge, count = 0;
    int dimensions = look->bodies->dimensions;
    for (int k = 0; k < dimensions; k++)
        widest = larger(widest, look->upper[k] - look->lower[k]);
    edge = widest * 1.25 / scree_pow(wanted, 1. / dimensions);
    for (int finer = 0; finer < MAX_REFINEMENTS && count < wanted; finer++) {
        edge *= 0.8;
        count = 1;
        for (int k = 0; k < dimensions && edge > 0; k++)
            count *= ceil((look->upper[k] - look->lower[k]) / edge + 0x1p-20);
    }
    *cell_count = count;
    return edge;
}

/*  How many of the sample were in this cell before. */
static uint32_t count_in_cell(cell_table *table, uint64_t cell)
{
    uint64_t at = (cell * 0x9e3779b97f4a7c15u >> 40) % table->slots;
    while (table->cell[at] != NO_CELL && table->cell[at] != cell)
        at = (at + 1) % table->slots;
    if (table->cell[at] == NO_CELL)
        table->count[at] = 0;
    table->cell[at] = cell;
    return table->count[at]++;
}

static void look_at_places(looking *look, scree_auto_features *features)
{
    cell_table table;
    find_region(look);
    /* fewer cells than bodies, or the sample would have nothing to share in a uniform scene */
    double cells, wanted = smaller(features->bodies, look->count * (double)look->count / 64);
    double edge = choose_edge(look, wanted, &cells), shared = 0;
    uint32_t near = 0;
    for (table.slots = 64; table.slots < 2 * look->count;)
        table.slots *= 2;
    for (uint32_t at = 0; at < table.slots; at++)
        table.cell[at] = NO_CELL;
    for (uint32_t s = 0; s < look->count; s++) {
        uint64_t cell = cell_of(look, look->id[s], edge, 1u << 21);
        if (cell == NO_CELL)
            continue;
        shared += count_in_cell(&table, cell);
        near++;
    }
    double pairs = 0.5 * near * ((double)near - 1);
    features->crowding = pairs > 0 ? larger(1, shared / pairs * cells) : 1;
    features->far_share = 1 - (double)near / look->count;
}

/* ---- pairs ---- */

/*  The space in which the centre of a body overlaps another, mean over all pairs: of spheres
    4/3 pi (r_i + r_j)^3, of discs pi (r_i + r_j)^2, of boxes the product of the sums of their edges. */
static double overlap_space(const looking *look)
{
    const double pi = 3.14159265358979323846, *r = look->radius, *edge = look->edge;
    bool is_plane = look->bodies->dimensions == 2;
    if (look->bodies->sphere)
        return is_plane ? 2 * pi * (r[1] + r[0] * r[0]) : pi * (8. / 3 * r[2] + 8 * r[1] * r[0]);
    return is_plane ? 4 * edge[0] * edge[1] : 8 * edge[0] * edge[1] * edge[2];
}

/*  If places are random in the region. How crowded they are is not known well enough to count. */
static double expect_pairs(const looking *look, const scree_auto_features *features)
{
    double room = 1, near = features->bodies * (1 - features->far_share);
    if (features->crowding > SCREE_AUTO_CROWDED)
        return SCREE_AUTO_USUAL_PAIRS;
    for (int k = 0; k < look->bodies->dimensions; k++)
        room *= look->upper[k] - look->lower[k];
    double pairs = overlap_space(look) * near / 2;
    return pairs < SCREE_AUTO_MAX_PAIRS * room ? pairs / room : SCREE_AUTO_MAX_PAIRS;
}

void scree_auto_look(scree_auto_features *features, const scree_bodies *bodies)
{
    double wanted = 2 * sqrt(bodies->active_count);
    looking look;
    look.bodies = bodies;
    memset(look.edge, 0, sizeof look.edge);
    memset(look.radius, 0, sizeof look.radius);
    look.count = wanted < MIN_SAMPLE ? MIN_SAMPLE : (uint32_t)smaller(wanted, SCREE_AUTO_SAMPLE);
    features->bodies = bodies->active_count;
    features->dimensions = bodies->dimensions;
    features->has_spheres = bodies->sphere != NULL;
    features->size_ratio = features->slenderness = features->crowding = 1;
    features->far_share = features->large_share = 0;
    features->expected = SCREE_AUTO_USUAL_PAIRS;
    if (bodies->active_count < MIN_LOOKED)
        return;
    take_sample(&look);
    look_at_sizes(&look, features);
    look_at_places(&look, features);
    features->expected = expect_pairs(&look, features);
}
