/*  Position-based relaxation: in each round every overlapping pair is pushed apart along its line
   of centres, the lighter disc more, and each disc moves by the mean of its pushes, which cannot
   run away as a sum can. Discs grow to their size during the first half, so that large ones find
   room before small ones fill the gaps. */
#include "scenes/packing.h"

#include "base/error.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

#define ROUNDS 1200
#define RATIO 9.0
#define FILL                                                                                       \
    0.875          /* of the area under the slope: a little above what can be had without overlap \
                    */
#define TOUCH 1.01 /* discs touch if they overlap when enlarged so far */

/*  The ground, in units of the picture: a slope from (0, SLOPE_TOP) to (1, SLOPE_END), heights as a
    share of the height. */
#define SLOPE_TOP 0.93
#define SLOPE_END 0.24
#define PI 3.14159265358979323846

static scree_status take_arrays(scree_packing *p)
{
    double **columns[] = {&p->x, &p->y, &p->r, &p->shift[0], &p->shift[1]};
    scree_status status = SCREE_OK;
    for (size_t k = 0; k < SCREE_COUNT_OF(columns) && status == SCREE_OK; k++)
        status = scree_memory_take(&p->memory, p->count, sizeof(double), columns[k]);
    if (status == SCREE_OK)
        status = scree_memory_take(&p->memory, p->count, sizeof *p->shifts, &p->shifts);
    return status;
}

/*  Keeps a disc of radius r under the slope and between the walls. */
static void keep_inside(const scree_packing *p, double r, double *x, double *y)
{
    double rise = (SLOPE_END - SLOPE_TOP) * p->height,
           length = sqrt(p->width * p->width + rise * rise);
    /* normal of the slope, upward, and how far the disc sticks out */
    double nx = -rise / length, ny = p->width / length;
    double out = nx * *x + ny * (*y - SLOPE_TOP * p->height) + r;
    if (out > 0) {
        *x -= out * nx;
        *y -= out * ny;
    }
    *x = *x < r ? r : *x > p->width - r ? p->width - r : *x;
    *y = *y < r ? r : *y;
}

static void place(scree_packing *p, uint64_t seed)
{
    scree_random random = scree_random_stream(seed, 77);
    double area = 0, share = (SLOPE_TOP + SLOPE_END) / 2;
    for (size_t i = 0; i < p->count; i++) {
        p->r[i] = scree_random_log_uniform(&random, 1, RATIO);
        area += PI * p->r[i] * p->r[i];
    }
    /* 16 to 9 */
    double unit = sqrt(area / FILL / share / (16.0 * 9.0));
    p->width = 16 * unit;
    p->height = 9 * unit;
    for (size_t i = 0; i < p->count; i++) {
        do {
            p->x[i] = scree_random_range(&random, 0, p->width);
            p->y[i] = scree_random_range(&random, 0, p->height);
        } while (p->y[i] / p->height > SLOPE_TOP + (SLOPE_END - SLOPE_TOP) * p->x[i] / p->width);
        keep_inside(p, p->r[i] / 2, &p->x[i], &p->y[i]);
    }
}

/*  Pairs of discs enlarged by `scale`. */
static scree_status find_pairs(scree_packing *p, double scale, scree_pairs *pairs)
{
    scree_view none = {0};
    double *scaled = p->shift[0]; /* free between rounds */
    for (size_t i = 0; i < p->count; i++)
        scaled[i] = p->r[i] * scale;
    scree_table table = scree_table_spheres(p->count, scree_doubles(p->x, sizeof *p->x),
                                            scree_doubles(p->y, sizeof *p->y), none,
                                            scree_doubles(scaled, sizeof *scaled));
    scree_status status = scree_detector_update(p->detector, &table, NULL);
    scree_pairs_options options = {.canonical = true};
    if (status == SCREE_OK && pairs)
        status = scree_detector_pairs(p->detector, &options, pairs);
    return status;
}

/*  Half of the overlap is taken away in a round, shared as the other's area. */
static double push_pair(scree_packing *p, uint32_t i, uint32_t j, double scale)
{
    double dx = p->x[i] - p->x[j], dy = p->y[i] - p->y[j];
    double distance = sqrt(dx * dx + dy * dy), overlap = scale * (p->r[i] + p->r[j]) - distance;
    if (distance == 0 || overlap <= 0)
        return 0;
    double a = p->r[i] * p->r[i], b = p->r[j] * p->r[j];
    double step = 0.8 * overlap / distance / (a + b);
    p->shift[0][i] += step * b * dx;
    p->shift[1][i] += step * b * dy;
    p->shift[0][j] -= step * a * dx;
    p->shift[1][j] -= step * a * dy;
    p->shifts[i]++;
    p->shifts[j]++;
    return overlap / (p->r[i] < p->r[j] ? p->r[i] : p->r[j]);
}

static scree_status relax(scree_packing *p)
{
    for (int round = 0; round < ROUNDS; round++) {
        scree_pairs pairs;
        double grown = 2.0 * (round + 1) / ROUNDS, scale = grown < 1 ? sqrt(grown) : 1, sum = 0;
        scree_status status = find_pairs(p, scale, &pairs);
        if (status != SCREE_OK)
            return status;
        memset(p->shift[0], 0, p->count * sizeof(double));
        memset(p->shift[1], 0, p->count * sizeof(double));
        memset(p->shifts, 0, p->count * sizeof *p->shifts);
        for (uint64_t k = 0; k < pairs.count; k++)
            sum += push_pair(p, pairs.first[k], pairs.second[k], scale);
        for (size_t i = 0; i < p->count; i++) {
            double share = p->shifts[i] > 2 ? 2.0 / p->shifts[i] : 1;
            p->x[i] += share * p->shift[0][i];
            p->y[i] += share * p->shift[1][i];
            keep_inside(p, scale * p->r[i], &p->x[i], &p->y[i]);
        }
        p->pairs_found += pairs.count;
        p->overlap = pairs.count ? sum / (double)pairs.count : 0;
        p->rounds++;
    }
    return SCREE_OK;
}

scree_status scree_packing_create(size_t n, uint64_t seed, const char *method,
                                  scree_packing *packing, scree_error *error)
{
    memset(packing, 0, sizeof *packing);
    scree_detector_def def = scree_default_detector_def();
    def.method = method;
    def.dimensions = 2;
    def.error = error;
    packing->count = n;
    scree_status status = scree_memory_init(&packing->memory, NULL);
    if (status == SCREE_OK)
        status = scree_detector_create(&def, &packing->detector);
    if (status == SCREE_OK) {
        status = n > 0 ? take_arrays(packing) : SCREE_BAD_ARGUMENT;
        if (status != SCREE_OK)
            scree_fail(error, status, "packing: no memory for %zu discs", n);
    }
    if (status == SCREE_OK) {
        place(packing, seed);
        status = relax(packing);
        if (status != SCREE_OK)
            scree_fail(error, status, "%s", scree_detector_message(packing->detector));
    }
    if (status != SCREE_OK)
        scree_packing_free(packing);
    return status;
}

void scree_packing_free(scree_packing *p)
{
    double **columns[] = {&p->x, &p->y, &p->r, &p->shift[0], &p->shift[1]};
    for (size_t k = 0; k < SCREE_COUNT_OF(columns); k++)
        scree_memory_give(&p->memory, columns[k], p->count, sizeof(double));
    scree_memory_give(&p->memory, &p->shifts, p->count, sizeof *p->shifts);
    scree_detector_destroy(p->detector);
    p->detector = NULL;
    p->count = 0;
}

scree_status scree_packing_contacts(scree_packing *p, scree_neighbors *neighbors)
{
    scree_status status = find_pairs(p, TOUCH, NULL);
    return status == SCREE_OK ? scree_detector_neighbors(p->detector, NULL, neighbors) : status;
}
