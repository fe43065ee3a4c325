/*  A few bodies with a margin, for tests that check it by numbers. */
#ifndef MARGIN_TROOP_H
#define MARGIN_TROOP_H

#include "detect/detector_internal.h"

#include "test.h"

#include <math.h>

#define TROOP_MAX 200

typedef struct troop
{
    scree_detector *detector;
    scree_volume volume;
    int dimensions;
    size_t count;
    double x[TROOP_MAX][3], r[TROOP_MAX];            /* spheres, */
    double lower[TROOP_MAX][3], upper[TROOP_MAX][3]; /* or boxes */
    double v[TROOP_MAX][3], spin[TROOP_MAX][3], arm[TROOP_MAX], constant[TROOP_MAX];
    uint8_t kinds[TROOP_MAX];
    bool has_constants;
    scree_advance did;
} troop;

static inline scree_detector_def troop_def(scree_margin_kind kind)
{
    scree_detector_def def = scree_default_detector_def();
    def.margin.kind = kind;
    return def;
}

/*  Unit spheres, or unit cubes, in a row, 10 apart, at rest. */
static inline void troop_open(troop *t, const scree_detector_def *def, size_t count)
{
    scree_detector_def with = *def;
    scree_error why = {SCREE_OK, ""};
    memset(t, 0, sizeof *t);
    t->volume = def->volume;
    t->dimensions = def->dimensions;
    t->count = count;
    for (size_t i = 0; i < count; i++) {
        t->x[i][0] = 10. * (double)i;
        t->r[i] = 1;
        for (int k = 0; k < 3; k++) {
            t->lower[i][k] = t->x[i][k] - 0.5;
            t->upper[i][k] = t->x[i][k] + 0.5;
        }
    }
    with.error = &why;
    if (scree_detector_create(&with, &t->detector))
        FAIL("%s", why.text);
}

static inline void troop_close(troop *t)
{
    scree_detector_destroy(t->detector);
}

static inline scree_table troop_table(const troop *t)
{
    scree_view centre[3], low[3], high[3];
    for (int k = 0; k < 3; k++) {
        centre[k] = scree_doubles(&t->x[0][k], sizeof t->x[0]);
        low[k] = scree_doubles(&t->lower[0][k], sizeof t->lower[0]);
        high[k] = scree_doubles(&t->upper[0][k], sizeof t->upper[0]);
    }
    return t->volume == SCREE_BOXES ? scree_table_boxes(t->count, low, high)
                                    : scree_table_spheres(t->count, centre[0], centre[1], centre[2],
                                                          scree_doubles(t->r, sizeof *t->r));
}

static inline scree_motion troop_motion(const troop *t)
{
    scree_motion motion;
    memset(&motion, 0, sizeof motion);
    for (int k = 0; k < 3; k++) {
        motion.velocity[k] = scree_doubles(&t->v[0][k], sizeof t->v[0]);
        motion.spin[k] = scree_doubles(&t->spin[0][k], sizeof t->spin[0]);
    }
    motion.arm = scree_doubles(t->arm, sizeof *t->arm);
    motion.kinds = scree_integer_view(t->kinds, sizeof *t->kinds);
    if (t->has_constants)
        motion.constant = scree_doubles(t->constant, sizeof *t->constant);
    return motion;
}

static inline scree_status troop_try(troop *t, double dt)
{
    scree_table table = troop_table(t);
    scree_motion motion = troop_motion(t);
    return scree_detector_advance(t->detector, &table, &motion, dt, &t->did);
}

/*  Returns whether detection ran. */
static inline bool troop_advance(troop *t, double dt)
{
    if (troop_try(t, dt))
        FAIL("%s", scree_detector_message(t->detector));
    return t->did.ran;
}

/*  All move as they say. */
static inline void troop_move(troop *t, double dt)
{
    for (size_t i = 0; i < t->count; i++)
        for (int k = 0; k < 3; k++) {
            t->x[i][k] += t->v[i][k] * dt;
            t->lower[i][k] += t->v[i][k] * dt;
            t->upper[i][k] += t->v[i][k] * dt;
        }
}

static inline double troop_growth(const troop *t, size_t i)
{
    return t->detector->margin.growth[i];
}

static inline double troop_allowance(const troop *t, size_t i)
{
    return t->detector->margin.allowance[i];
}

/*  True contacts that are not among the pairs. */
static inline size_t troop_missed(troop *t)
{
    static bool known[TROOP_MAX][TROOP_MAX];
    scree_pairs pairs;
    size_t missed = 0;
    memset(known, 0, sizeof known);
    if (scree_detector_pairs(t->detector, NULL, &pairs))
        FAIL("%s", scree_detector_message(t->detector));
    for (uint64_t k = 0; k < pairs.count; k++)
        known[pairs.first[k]][pairs.second[k]] = true;
    for (size_t i = 0; i < t->count; i++)
        for (size_t j = i + 1; j < t->count; j++) {
            double sum = 0, reach = t->r[i] + t->r[j];
            bool touch = true;
            for (int k = 0; k < t->dimensions; k++) {
                double d = t->x[i][k] - t->x[j][k];
                sum += d * d;
                touch &= t->lower[i][k] <= t->upper[j][k] && t->lower[j][k] <= t->upper[i][k];
            }
            if (t->volume == SCREE_SPHERES)
                touch = sum <= reach * reach;
            missed += touch && !known[i][j];
        }
    return missed;
}

/* ---- bodies that turn ---- */

/*  A rigid triangle that turns about an axis through the origin of its own, as the box of its
    vertices; or, as spheres, the three pebbles of a clump. */
typedef struct rotor
{
    double centre[3], corner[3][3], axis[3], rate;
} rotor;

static inline void rotor_point(const rotor *o, int corner, double angle, double point[3])
{
    const double *p = o->corner[corner], *a = o->axis;
    double c = cos(angle), s = sin(angle), dot = a[0] * p[0] + a[1] * p[1] + a[2] * p[2];
    const double cross[3] = {a[1] * p[2] - a[2] * p[1], a[2] * p[0] - a[0] * p[2],
                             a[0] * p[1] - a[1] * p[0]};
    for (int k = 0; k < 3; k++)
        point[k] = o->centre[k] + c * p[k] + s * cross[k] + (1 - c) * dot * a[k];
}

static inline double rotor_arm(const rotor *o)
{
    double arm = 0;
    for (int c = 0; c < 3; c++)
        arm = fmax(arm, sqrt(o->corner[c][0] * o->corner[c][0] + o->corner[c][1] * o->corner[c][1] +
                             o->corner[c][2] * o->corner[c][2]));
    return arm;
}

/*  Body i is the facet; or bodies 3 i to 3 i + 2 are the pebbles. */
static inline void troop_set_rotor(troop *t, size_t i, const rotor *o, double angle)
{
    size_t first = t->volume == SCREE_BOXES ? i : 3 * i,
           last = t->volume == SCREE_BOXES ? i : first + 2;
    double point[3][3];
    for (int c = 0; c < 3; c++)
        rotor_point(o, c, angle, point[c]);
    for (size_t b = first; b <= last; b++) {
        t->arm[b] = rotor_arm(o);
        for (int k = 0; k < 3; k++) {
            t->spin[b][k] = o->axis[k] * o->rate;
            t->lower[b][k] = fmin(point[0][k], fmin(point[1][k], point[2][k]));
            t->upper[b][k] = fmax(point[0][k], fmax(point[1][k], point[2][k]));
            t->x[b][k] = point[b - first][k];
        }
    }
}

#endif
