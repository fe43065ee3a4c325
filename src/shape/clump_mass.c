/*  Mass properties of the union of pebbles, in which overlaps count once.

    A plane z = const. cuts balls in discs, whose union has area and moments in closed form (disc_union.h). These
    functions of z are integrated between heights at which the boundary of the union changes its pattern: where a ball
    begins or ends, where the intersection circle of two balls does, and where three balls meet, each only if no other
    ball covers the place. In between they are smooth, and behave like square roots at the ends: with z = s (3 - s^2) /
    2 these become polynomials, and Gaussian quadrature converges as for smooth functions. An interval is halved until
    that changes nothing, or no more than rounding does.

    Lengths are in units of the extent, relative to its middle. */
#include "shape/clump.h"
#include "shape/disc_union.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*  1, x y z, xx yy zz, xy yz zx. */
#define MOMENTS 10
#define HALVINGS 40
/*  Heights whose difference is below this fraction of the extent count as one. */
#define GRAIN 1e-13
#define NODES 8

/*  The positive ones of 16 Gauss points in [-1, 1], and their weights. */
static const double gauss[NODES][2] = {
    {0.09501250983763744018, 0.18945061045506849628},
    {0.28160355077925891323, 0.18260341504492358886},
    {0.45801677765722738634, 0.16915651939500253818},
    {0.61787624440264374844, 0.14959598881657673208},
    {0.75540440835500303389, 0.12462897125553387205},
    {0.86563120238783174388, 0.09515851168249278480},
    {0.94457502307323257607, 0.06225352393864789286},
    {0.98940093499164993259, 0.02715245941175409485},
};

typedef struct weighing
{
    double (*ball)[4]; /* centre and radius */
    size_t count;
    double (*disc)[3];
    uint32_t *alive; /* balls that the interval cuts; the discs of others have radius 0 */
    size_t alive_count;
    /*  Balls that overlap: near[start[i]] .. near[start[i + 1] - 1] of ball i, ascending. */
    size_t *start;
    uint32_t *near;
    size_t near_capacity, max_near;
    scree_arc *arcs;
    double *height; /* where the pattern changes */
    size_t height_count, height_capacity;
    scree_memory *memory;
} weighing;

/* ---- a slice ---- */

static void add_slice(const weighing *w, double z, double weight, double moments[MOMENTS])
{
    double slice[SCREE_DISC_MOMENTS];
    const scree_near_discs which = {w->alive, w->alive_count, w->start, w->near};

    for (size_t n = 0; n < w->alive_count; n++) {
        uint32_t k = w->alive[n];
        const double *ball = w->ball[k];
        double away = fabs(z - ball[2]);
        w->disc[k][0] = ball[0];
        w->disc[k][1] = ball[1];
        w->disc[k][2] = away < ball[3] ? sqrt((ball[3] - away) * (ball[3] + away)) : 0;
    }
    scree_disc_union((const double(*)[3])w->disc, &which, w->arcs, slice);
    moments[0] += weight * slice[0];
    moments[1] += weight * slice[1];
    moments[2] += weight * slice[2];
    moments[3] += weight * z * slice[0];
    moments[4] += weight * slice[3];
    moments[5] += weight * slice[4];
    moments[6] += weight * z * z * slice[0];
    moments[7] += weight * slice[5];
    moments[8] += weight * z * slice[2];
    moments[9] += weight * z * slice[1];
}

static void integrate_stretch(const weighing *w, double begin, double end, double moments[MOMENTS])
{
    double half = 0.5 * (end - begin), middle = begin + half;

    memset(moments, 0, MOMENTS * sizeof *moments);
    for (int k = 0; k < NODES; k++) {
        double s = gauss[k][0], weight = half * 1.5 * (1 - s) * (1 + s) * gauss[k][1];
        double z = half * (0.5 * s * (3 - s * s));
        add_slice(w, middle - z, weight, moments);
        add_slice(w, middle + z, weight, moments);
    }
}

static void choose_alive(weighing *w, double begin, double end)
{
    w->alive_count = 0;
    for (size_t k = 0; k < w->count; k++) {
        const double *ball = w->ball[k];
        w->disc[k][2] = 0;
        if (ball[2] - ball[3] < end && ball[2] + ball[3] > begin)
            w->alive[w->alive_count++] = (uint32_t)k;
    }
}

/*  Rounding error per unit of height: that of the sum along each circle is its length times its position. */
static double noise_of(const weighing *w)
{
    double sum = 0;

    for (size_t n = 0; n < w->alive_count; n++)
        sum += w->ball[w->alive[n]][3];
    return 4 * DBL_EPSILON * sum;
}

/*  Adds the integral over the interval; `whole` is its estimate by one rule. An error below rounding stays so when
    intervals are halved, because it is proportional to the length. */
static void refine(const weighing *w, double begin, double end, const double whole[MOMENTS],
                   double least, double noise, int halvings, double moments[MOMENTS])
{
    double middle = begin + 0.5 * (end - begin), part[2][MOMENTS];
    double most = fmax(least, noise * (end - begin));
    bool is_good = true;

    integrate_stretch(w, begin, middle, part[0]);
    integrate_stretch(w, middle, end, part[1]);
    for (int k = 0; k < MOMENTS; k++)
        is_good &= fabs(part[0][k] + part[1][k] - whole[k]) <= most;
    if (!is_good && halvings > 0) {
        refine(w, begin, middle, part[0], least, noise, halvings - 1, moments);
        refine(w, middle, end, part[1], least, noise, halvings - 1, moments);
        return;
    }
    for (int k = 0; k < MOMENTS; k++)
        moments[k] += part[0][k] + part[1][k];
}

/* ---- overlapping balls ---- */

/*  Vector from ball i to ball j, and its length. */
static double way_between(const weighing *w, size_t i, size_t j, double way[3])
{
    double away_sq = 0;

    for (int k = 0; k < 3; k++) {
        way[k] = w->ball[j][k] - w->ball[i][k];
        away_sq += way[k] * way[k];
    }
    return sqrt(away_sq);
}

static scree_status find_near(weighing *w)
{
    size_t count = 0;
    double way[3];

    for (size_t i = 0; i < w->count; i++) {
        w->start[i] = count;
        for (size_t j = 0; j < w->count; j++) {
            if (j == i || way_between(w, i, j, way) >= w->ball[i][3] + w->ball[j][3])
                continue;
            if (scree_memory_reserve(w->memory, &w->near, &w->near_capacity, count + 1,
                                     sizeof *w->near))
                return SCREE_OUT_OF_MEMORY;
            w->near[count++] = (uint32_t)j;
        }
        w->max_near = count - w->start[i] > w->max_near ? count - w->start[i] : w->max_near;
    }
    w->start[w->count] = count;
    return SCREE_OK;
}

/* ---- heights at which the pattern changes ---- */

/*  Whether a ball other than i, j and l contains the point, which is on ball i. */
static bool is_covered(const weighing *w, const double place[3], size_t i, size_t j, size_t l)
{
    for (size_t n = w->start[i]; n < w->start[i + 1]; n++) {
        uint32_t k = w->near[n];
        const double *ball = w->ball[k];
        double x = place[0] - ball[0], y = place[1] - ball[1], z = place[2] - ball[2];
        if (k != j && k != l && x * x + y * y + z * z < ball[3] * ball[3])
            return true;
    }
    return false;
}

static scree_status push_height(weighing *w, const double place[3], size_t i, size_t j, size_t l)
{
    if (is_covered(w, place, i, j, l))
        return SCREE_OK;
    if (scree_memory_reserve(w->memory, &w->height, &w->height_capacity, w->height_count + 1,
                             sizeof *w->height))
        return SCREE_OUT_OF_MEMORY;
    w->height[w->height_count++] = place[2];
    return SCREE_OK;
}

static scree_status push_ends(weighing *w, size_t i)
{
    const double *ball = w->ball[i];
    double lowest[3] = {ball[0], ball[1], ball[2] - ball[3]};
    double highest[3] = {ball[0], ball[1], ball[2] + ball[3]};
    scree_status status = push_height(w, lowest, i, i, i);

    return status ? status : push_height(w, highest, i, i, i);
}

static bool surfaces_meet(const weighing *w, size_t i, size_t j)
{
    double way[3], away = way_between(w, i, j, way), a = w->ball[i][3], b = w->ball[j][3];

    return away < a + b && away > fabs(a - b);
}

/*  The lowest and the highest point of the intersection circle of two balls. */
static scree_status push_circle(weighing *w, size_t i, size_t j)
{
    const double *a = w->ball[i], *b = w->ball[j];
    double way[3], away = way_between(w, i, j, way), place[2][3];
    double along = 0.5 * (away + (a[3] - b[3]) * (a[3] + b[3]) / away);
    double radius = sqrt((a[3] - along) * (a[3] + along));
    double flat = sqrt(way[0] * way[0] + way[1] * way[1]) / away;

    for (int k = 0; k < 3; k++) {
        double middle = a[k] + along / away * way[k], up = flat;
        /* the upward direction within the circle's plane; for a level circle only the height matters */
        if (k < 2)
            up = flat > 0 ? -way[2] * way[k] / (away * away * flat) : 0;
        place[0][k] = middle - radius * up;
        place[1][k] = middle + radius * up;
    }
    scree_status status = push_height(w, place[0], i, j, j);
    return status ? status : push_height(w, place[1], i, j, j);
}

/*  The two points, if any, that lie on three balls. */
static scree_status push_corners(weighing *w, size_t i, size_t j, size_t l)
{
    double x[3], y[3], z[3], to[3], place[2][3], along = 0, across = 0;
    double away = way_between(w, i, j, x), ri = w->ball[i][3], rj = w->ball[j][3];
    double rl = w->ball[l][3];

    way_between(w, i, l, to);
    for (int k = 0; k < 3; k++) {
        x[k] /= away;
        along += x[k] * to[k];
    }
    for (int k = 0; k < 3; k++) {
        y[k] = to[k] - along * x[k];
        across += y[k] * y[k];
    }
    across = sqrt(across);
    if (!(across > GRAIN))
        return SCREE_OK;
    double at_x = 0.5 * (away + (ri - rj) * (ri + rj) / away);
    double at_y = 0.5 * ((ri - rl) * (ri + rl) + along * along + across * across) / across -
                  along * at_x / across;
    double at_z_sq = ri * ri - at_x * at_x - at_y * at_y;
    if (!(at_z_sq > 0))
        return SCREE_OK;
    for (int k = 0; k < 3; k++)
        y[k] /= across;
    for (int k = 0; k < 3; k++) {
        int m = (k + 1) % 3, n = (k + 2) % 3;
        z[k] = x[m] * y[n] - x[n] * y[m];
        double middle = w->ball[i][k] + at_x * x[k] + at_y * y[k];
        place[0][k] = middle - sqrt(at_z_sq) * z[k];
        place[1][k] = middle + sqrt(at_z_sq) * z[k];
    }
    scree_status status = push_height(w, place[0], i, j, l);
    return status ? status : push_height(w, place[1], i, j, l);
}

/*  For ball i and the overlapping balls with larger indices. */
static scree_status push_meetings(weighing *w, size_t i)
{
    scree_status status = SCREE_OK;

    for (size_t m = w->start[i]; m < w->start[i + 1] && !status; m++) {
        size_t j = w->near[m];
        if (j < i || !surfaces_meet(w, i, j))
            continue;
        status = push_circle(w, i, j);
        for (size_t n = m + 1; n < w->start[i + 1] && !status; n++)
            if (surfaces_meet(w, i, w->near[n]) && surfaces_meet(w, j, w->near[n]))
                status = push_corners(w, i, j, w->near[n]);
    }
    return status;
}

static int compare_heights(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;

    return (first > second) - (first < second);
}

static scree_status find_heights(weighing *w)
{
    scree_status status = SCREE_OK;

    for (size_t i = 0; i < w->count && !status; i++) {
        status = push_ends(w, i);
        if (!status)
            status = push_meetings(w, i);
    }
    if (!status)
        qsort(w->height, w->height_count, sizeof *w->height, compare_heights);
    return status;
}

/* ---- the whole computation ---- */

static void integrate_all(weighing *w, double moments[MOMENTS])
{
    double coarse[MOMENTS], volume = 0, from = w->height[0];

    for (size_t k = 1; k < w->height_count; k++) {
        choose_alive(w, w->height[k - 1], w->height[k]);
        integrate_stretch(w, w->height[k - 1], w->height[k], coarse);
        volume += coarse[0];
    }
    for (size_t k = 1; k < w->height_count; k++) {
        if (!(w->height[k] - from > GRAIN))
            continue;
        choose_alive(w, from, w->height[k]);
        integrate_stretch(w, from, w->height[k], coarse);
        refine(w, from, w->height[k], coarse, 1e-14 * volume, noise_of(w), HALVINGS, moments);
        from = w->height[k];
    }
}

/*  From moments in units about a middle to mass properties of a body of density 1; `power` is that of the volume. */
static void set_mass(const double m[MOMENTS], const double middle[3], double unit, int power,
                     scree_clump_mass *mass)
{
    double centre[3], second[3][3], scale = unit * unit;

    scale = power == 3 ? scale * unit : scale;
    mass->volume = m[0] * scale;
    for (int k = 0; k < 3; k++) {
        centre[k] = m[1 + k] / m[0];
        mass->centre[k] = middle[k] + unit * centre[k];
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3;
        second[k][k] = m[4 + k] - m[0] * centre[k] * centre[k];
        second[k][i] = second[i][k] = m[7 + k] - m[0] * centre[k] * centre[i];
    }
    scale *= unit * unit;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            mass->inertia[i][j] =
                i == j
                    ? scale * (second[(i + 1) % 3][(i + 1) % 3] + second[(i + 2) % 3][(i + 2) % 3])
                    : -scale * second[i][j];
}

/*  The middle of the pebbles' bounding box, and its largest half extent. */
static double find_extent(const scree_pebble *pebbles, size_t count, double middle[3])
{
    double most = 0;

    for (int k = 0; k < 3; k++) {
        double lower = INFINITY, upper = -INFINITY;
        for (size_t p = 0; p < count; p++) {
            double centre = pebbles[p].centre[k], radius = pebbles[p].radius;
            lower = centre - radius < lower ? centre - radius : lower;
            upper = centre + radius > upper ? centre + radius : upper;
        }
        double half = 0.5 * (upper - lower);
        middle[k] = lower + half;
        most = half > most ? half : most;
    }
    return most;
}

static void weigh_discs(weighing *w, double moments[MOMENTS])
{
    choose_alive(w, -INFINITY, INFINITY);
    const scree_near_discs which = {w->alive, w->alive_count, w->start, w->near};
    double flat[SCREE_DISC_MOMENTS];

    for (size_t k = 0; k < w->count; k++) {
        w->disc[k][0] = w->ball[k][0];
        w->disc[k][1] = w->ball[k][1];
        w->disc[k][2] = w->ball[k][3];
    }
    scree_disc_union((const double(*)[3])w->disc, &which, w->arcs, flat);
    moments[0] = flat[0];
    moments[1] = flat[1];
    moments[2] = flat[2];
    moments[4] = flat[3];
    moments[5] = flat[4];
    moments[7] = flat[5];
}

static scree_status weigh_balls(weighing *w, double moments[MOMENTS])
{
    scree_status status = find_heights(w);

    if (!status)
        integrate_all(w, moments);
    return status;
}

static scree_status begin_weighing(weighing *w, const scree_pebble *pebbles, const double middle[3],
                                   double unit)
{
    if (scree_memory_take(w->memory, w->count, sizeof *w->ball, &w->ball) ||
        scree_memory_take(w->memory, w->count, sizeof *w->disc, &w->disc) ||
        scree_memory_take(w->memory, w->count, sizeof *w->alive, &w->alive) ||
        scree_memory_take(w->memory, w->count + 1, sizeof *w->start, &w->start))
        return SCREE_OUT_OF_MEMORY;
    for (size_t p = 0; p < w->count; p++) {
        for (int k = 0; k < 3; k++)
            w->ball[p][k] = (pebbles[p].centre[k] - middle[k]) / unit;
        w->ball[p][3] = pebbles[p].radius / unit;
    }
    if (find_near(w))
        return SCREE_OUT_OF_MEMORY;
    return scree_memory_take(w->memory, 2 * w->max_near, sizeof *w->arcs, &w->arcs);
}

scree_status scree_clump_weigh(const scree_pebble *pebbles, size_t count, int dimensions,
                               scree_memory *memory, scree_clump_mass *mass)
{
    weighing w = {.count = count, .memory = memory};
    double moments[MOMENTS] = {0}, middle[3], unit = find_extent(pebbles, count, middle);
    scree_status status = begin_weighing(&w, pebbles, middle, unit);

    if (!status && dimensions == 2)
        weigh_discs(&w, moments);
    else if (!status)
        status = weigh_balls(&w, moments);
    if (!status)
        set_mass(moments, middle, unit, dimensions, mass);
    scree_memory_give(memory, &w.height, w.height_capacity, sizeof *w.height);
    scree_memory_give(memory, &w.arcs, 2 * w.max_near, sizeof *w.arcs);
    scree_memory_give(memory, &w.near, w.near_capacity, sizeof *w.near);
    scree_memory_give(memory, &w.start, count + 1, sizeof *w.start);
    scree_memory_give(memory, &w.alive, count, sizeof *w.alive);
    scree_memory_give(memory, &w.disc, count, sizeof *w.disc);
    scree_memory_give(memory, &w.ball, count, sizeof *w.ball);
    return status;
}
