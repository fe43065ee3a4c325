/*  Units: the mean radius, the step, and the mass of a sphere of radius 1. A step is first detection
    and forces, then velocities, then places (symplectic Euler). */
#include "claims/compression.h"

#include "measure/measure.h"

#include "base/error.h"
#include "base/portable_math.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/*  The fastest mode, with a dozen neighbours, is about sqrt(12 k) = 0.6 a step; the limit is 2. */
#define STIFFNESS 0.03

/*  Force over the speed at which two spheres close in: two of mass 1 lose a good part of it. */
#define DASHPOT 0.05

/*  Share that a sphere loses in a step of its velocity against an air that shrinks with the box. It
    brakes what no dashpot does, sliding, and spheres loose in a cage: friction is not modelled. */
#define DRAG 0.25

/*  Radii are uniform over these. */
#define SMALLEST 0.7
#define LARGEST 1.3

/*  Volume fraction at first and at last, and the steps in which what is missing falls by e. */
#define LOOSE 0.30
#define DENSE 0.64
#define FADING 220.0

/*  A start on a lattice is forgotten when each body is moved by so much of the spacing. */
#define JITTER 0.2

static scree_status take_columns(scree_compression *c)
{
    double **column[] = {&c->x[0],    &c->x[1],    &c->x[2],    &c->v[0],   &c->v[1],   &c->v[2],
                         &c->f[0],    &c->f[1],    &c->f[2],    &c->low[0], &c->low[1], &c->low[2],
                         &c->high[0], &c->high[1], &c->high[2], &c->radius};
    for (size_t k = 0; k < SCREE_COUNT_OF(column); k++) {
        scree_status status = scree_memory_take(&c->memory, c->count, sizeof(double), column[k]);
        if (status != SCREE_OK)
            return status;
        memset(*column[k], 0, c->count * sizeof(double));
    }
    return SCREE_OK;
}

/*  Rows, columns and layers of a lattice, shaken; all move with the walls. */
static void place(scree_compression *c, uint64_t seed)
{
    scree_random random = scree_random_stream(seed, (uint64_t)4 << 32);
    double volume = 0;
    size_t side = 1;
    while (side * side * side < c->count)
        side++;
    for (size_t i = 0; i < c->count; i++) {
        double r = scree_random_range(&random, SMALLEST, LARGEST);
        c->radius[i] = r;
        volume += 4.0 / 3 * PI * r * r * r;
    }
    c->first_half = scree_pow(volume / LOOSE, 1.0 / 3) / 2;
    c->last_half = scree_pow(volume / DENSE, 1.0 / 3) / 2;
    c->half = c->first_half;
    double spacing = 2 * c->half / (double)side;
    double rate = (c->first_half - c->last_half) / FADING / c->half;
    for (size_t i = 0; i < c->count; i++) {
        size_t at[3] = {i % side, i / side % side, i / side / side};
        for (int k = 0; k < 3; k++) {
            double shake = JITTER * scree_random_range(&random, -1, 1);
            c->x[k][i] = ((double)at[k] + 0.5 + shake) * spacing - c->half;
            c->v[k][i] = -rate * c->x[k][i];
        }
    }
}

void scree_compression_refresh(scree_compression *c)
{
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < c->count; i++) {
            c->low[k][i] = c->x[k][i] - c->radius[i];
            c->high[k][i] = c->x[k][i] + c->radius[i];
        }
}

scree_status scree_compression_create(size_t n, uint64_t seed, scree_compression *c,
                                      scree_error *error)
{
    scree_detector_def def = scree_default_detector_def();
    memset(c, 0, sizeof *c);
    scree_status status = scree_memory_init(&c->memory, NULL);
    c->count = n;
    if (status == SCREE_OK)
        status = take_columns(c);
    if (status != SCREE_OK) {
        scree_compression_free(c);
        return scree_fail(error, status, "compression: no memory for %zu bodies", n);
    }
    place(c, seed);
    scree_compression_refresh(c);
    def.method = "hash-grids";
    def.error = error;
    def.margin.kind = SCREE_MARGIN_SKIN;
    def.margin.length = 0.15;
    status = scree_detector_create(&def, &c->detector);
    if (status != SCREE_OK)
        scree_compression_free(c);
    return status;
}

void scree_compression_free(scree_compression *c)
{
    for (int k = 0; k < 3; k++) {
        scree_memory_give(&c->memory, &c->x[k], c->count, sizeof(double));
        scree_memory_give(&c->memory, &c->v[k], c->count, sizeof(double));
        scree_memory_give(&c->memory, &c->f[k], c->count, sizeof(double));
        scree_memory_give(&c->memory, &c->low[k], c->count, sizeof(double));
        scree_memory_give(&c->memory, &c->high[k], c->count, sizeof(double));
    }
    scree_memory_give(&c->memory, &c->radius, c->count, sizeof(double));
    scree_memory_give(&c->memory, &c->first, c->first_capacity, sizeof *c->first);
    scree_memory_give(&c->memory, &c->second, c->second_capacity, sizeof *c->second);
    scree_detector_destroy(c->detector);
    memset(c, 0, sizeof *c);
}

scree_table scree_compression_table(const scree_compression *c)
{
    scree_view lower[3], upper[3];
    for (int k = 0; k < 3; k++) {
        lower[k] = scree_doubles(c->low[k], sizeof(double));
        upper[k] = scree_doubles(c->high[k], sizeof(double));
    }
    return scree_table_boxes(c->count, lower, upper);
}

scree_motion scree_compression_motion(const scree_compression *c)
{
    scree_motion motion;
    memset(&motion, 0, sizeof motion);
    for (int k = 0; k < 3; k++)
        motion.velocity[k] = scree_doubles(c->v[k], sizeof(double));
    return motion;
}

double scree_compression_speed(const scree_compression *c)
{
    double most = 0;
    for (size_t i = 0; i < c->count; i++) {
        double x = c->v[0][i], y = c->v[1][i], z = c->v[2][i];
        most = fmax(most, x * x + y * y + z * z);
    }
    return sqrt(most);
}

/* ---- a step ---- */

/*  Finds the pairs that may touch. The list is kept while no body has left its margin. */
static scree_status find_pairs(scree_compression *c)
{
    scree_pairs pairs;
    scree_advance did;
    size_t stride = sizeof(double);
    scree_table table = scree_table_spheres(
        c->count, scree_doubles(c->x[0], stride), scree_doubles(c->x[1], stride),
        scree_doubles(c->x[2], stride), scree_doubles(c->radius, stride));
    scree_status status = scree_detector_advance(c->detector, &table, NULL, 1, &did);
    if (status != SCREE_OK || !did.ran)
        return status;
    status = scree_detector_pairs(c->detector, NULL, &pairs);
    size_t count = (size_t)pairs.count;
    if (status == SCREE_OK)
        status = scree_memory_reserve(&c->memory, &c->first, &c->first_capacity, count,
                                      sizeof *c->first);
    if (status == SCREE_OK)
        status = scree_memory_reserve(&c->memory, &c->second, &c->second_capacity, count,
                                      sizeof *c->second);
    if (status != SCREE_OK)
        return status;
    if (count) {
        memcpy(c->first, pairs.first, count * sizeof *c->first);
        memcpy(c->second, pairs.second, count * sizeof *c->second);
    }
    c->pair_count = count;
    return SCREE_OK;
}

static void push_apart(scree_compression *c, uint32_t i, uint32_t j)
{
    double d[3], square = 0, closing = 0, reach = c->radius[i] + c->radius[j];
    for (int k = 0; k < 3; k++) {
        d[k] = c->x[k][i] - c->x[k][j];
        square += d[k] * d[k];
        closing -= d[k] * (c->v[k][i] - c->v[k][j]);
    }
    if (square >= reach * reach || square == 0)
        return;
    double distance = sqrt(square);
    double force = STIFFNESS * (reach - distance) + DASHPOT * closing / distance;
    c->contacts++;
    for (int k = 0; k < 3; k++) {
        c->f[k][i] += force * d[k] / distance;
        c->f[k][j] -= force * d[k] / distance;
    }
}

static void push_off_walls(scree_compression *c, int k)
{
    for (size_t i = 0; i < c->count; i++) {
        double below = -c->half - (c->x[k][i] - c->radius[i]);
        double above = c->x[k][i] + c->radius[i] - c->half;
        c->f[k][i] += STIFFNESS * (fmax(0, below) - fmax(0, above));
    }
}

static void integrate(scree_compression *c, int k, double rate)
{
    for (size_t i = 0; i < c->count; i++) {
        double r = c->radius[i];
        c->v[k][i] += c->f[k][i] / (r * r * r) - DRAG * (c->v[k][i] - rate * c->x[k][i]);
        c->x[k][i] += c->v[k][i];
    }
}

/*  An engine has done its part of the step; the next one begins. */
static void note_time(scree_compression *c, scree_compression_engine engine, double *begin)
{
    double now = scree_thread_seconds();
    c->sec[engine] += now - *begin;
    *begin = now;
}

scree_status scree_compression_step(scree_compression *c, scree_error *error)
{
    scree_status status = find_pairs(c);
    if (status != SCREE_OK)
        return scree_fail(error, status, "%s", scree_detector_message(c->detector));
    double begin = scree_thread_seconds();
    c->contacts = 0;
    for (int k = 0; k < 3; k++)
        memset(c->f[k], 0, c->count * sizeof(double));
    note_time(c, SCREE_ENGINE_RESET, &begin);
    for (uint64_t p = 0; p < c->pair_count; p++)
        push_apart(c, c->first[p], c->second[p]);
    note_time(c, SCREE_ENGINE_INTERACTIONS, &begin);
    double closing = (c->last_half - c->half) / FADING;
    c->half += closing;
    for (int k = 0; k < 3; k++)
        push_off_walls(c, k);
    note_time(c, SCREE_ENGINE_WALLS, &begin);
    for (int k = 0; k < 3; k++)
        integrate(c, k, closing / c->half);
    note_time(c, SCREE_ENGINE_INTEGRATOR, &begin);
    scree_compression_refresh(c);
    note_time(c, SCREE_ENGINE_BOUNDS, &begin);
    c->step++;
    return SCREE_OK;
}

double scree_compression_seconds(const scree_compression *c)
{
    double sum = 0;
    for (int k = 0; k < SCREE_ENGINES; k++)
        sum += k == SCREE_ENGINE_BOUNDS ? 0 : c->sec[k];
    return sum;
}

void scree_compression_reset_clocks(scree_compression *c)
{
    memset(c->sec, 0, sizeof c->sec);
}
