/*  The acquisition function is the expected improvement of a composite function (Astudillo and Frazier, "Bayesian optimization of
    composite functions", ICML 2019), by a fixed sample of normal numbers. In a batch the places chosen before count as if they had
    given what the models expect ("Kriging believer": Ginsbourger, Le Riche and Carraro 2010). */
#include "app/calibrate/search.h"

#include "base/portable_math.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 48         /* of the expected improvement */
#define CANDIDATES 1500    /* in the whole box */
#define NEAR 800           /* around the best try */
#define WALK 6000          /* steps that look for the ranges */
#define FAILURE_RADIUS 0.1 /* around a failed run little is expected, in edges of the box */

enum stream
{
    STREAM_SHIFT,
    STREAM_SAMPLES,
    STREAM_WALK,
    STREAM_CANDIDATES
};

typedef struct models
{
    const scree_calibration *calibration;
    const scree_try *tries;
    size_t done; /* tries with results */
    scree_gauss gauss[SCREE_CALIBRATE_MAX_TARGETS];
    double sample[SAMPLES][SCREE_CALIBRATE_MAX_TARGETS];
    double best; /* see loss_of */
} models;

void scree_axis_text(const scree_axis *axis, double unit, char text[SCREE_REAL_TEXT])
{
    double value = axis->is_logarithmic
                       ? axis->lower * scree_exp(unit * scree_ln(axis->upper / axis->lower))
                       : axis->lower + unit * (axis->upper - axis->lower);
    snprintf(text, SCREE_REAL_TEXT, "%.6g", value);
}

/*  What is set is what the text says, and so is the place in the box. */
static void place_try(const scree_calibration *c, const double *unit, scree_try *tried)
{
    *tried = (scree_try){0};
    for (size_t d = 0; d < c->axis_count; d++) {
        const scree_axis *axis = &c->axis[d];
        char text[SCREE_REAL_TEXT];
        scree_axis_text(axis, unit[d], text);
        (void)scree_text_to_real(text, strlen(text), &tried->parameter[d]);
        tried->parameter[d] = fmin(fmax(tried->parameter[d], axis->lower), axis->upper);
        tried->unit[d] =
            axis->is_logarithmic
                ? scree_ln(tried->parameter[d] / axis->lower) / scree_ln(axis->upper / axis->lower)
                : (tried->parameter[d] - axis->lower) / (axis->upper - axis->lower);
    }
}

/* ---- the first tries ---- */

size_t scree_search_start(const scree_calibration *c)
{
    size_t count = 4 * c->axis_count;
    return count < c->max_runs ? count : c->max_runs;
}

static double halton(size_t index, unsigned base)
{
    double sum = 0, part = 1;
    for (; index; index /= base) {
        part /= base;
        sum += part * (double)(index % base);
    }
    return sum;
}

/*  Halton's points, moved by a random vector and wrapped around (Cranley and Patterson 1976). */
static void halton_point(const scree_calibration *c, size_t index, double *unit)
{
    static const unsigned primes[SCREE_GAUSS_DIMENSIONS] = {2, 3, 5, 7, 11, 13, 17, 19};
    scree_random random = scree_random_stream(c->seed, STREAM_SHIFT);
    for (size_t d = 0; d < c->axis_count; d++) {
        double at = halton(index + 1, primes[d]) + scree_random_unit(&random);
        unit[d] = at - floor(at);
    }
}

/* ---- models ---- */

/*  Logarithm of 1 + the mean square of the errors over their tolerances: it tells apart far tries as well as near ones. */
static double loss_of(double square)
{
    return scree_ln(1 + square);
}

static void models_close(models *m)
{
    for (size_t t = 0; t < m->calibration->target_count; t++)
        scree_gauss_free(&m->gauss[t]);
}

/*  Of the means of the models: where results scatter, a lucky one is not taken for the best place. */
static double expected_loss(models *m, const double *unit)
{
    const scree_calibration *c = m->calibration;
    double square = 0;
    for (size_t t = 0; t < c->target_count; t++) {
        double mean, deviation;
        scree_gauss_predict(&m->gauss[t], unit, &mean, &deviation);
        mean = (mean - c->target[t].value) / c->target[t].tolerance;
        square += mean * mean;
    }
    return loss_of(square / (double)c->target_count);
}

static bool models_open(models *m, const scree_calibration *c, const scree_try *tries, size_t done,
                        size_t more)
{
    scree_random random = scree_random_stream(c->seed, STREAM_SAMPLES);
    bool good = true;

    *m = (models){.calibration = c, .tries = tries, .done = done, .best = INFINITY};
    for (size_t k = 0; k < SAMPLES; k++)
        for (size_t t = 0; t < c->target_count; t++)
            m->sample[k][t] = scree_random_normal(&random);
    for (size_t t = 0; good && t < c->target_count; t++) {
        good = scree_gauss_create(&m->gauss[t], c->axis_count, done + more);
        for (size_t k = 0; good && k < done; k++)
            if (!isnan(scree_misfit(c, &tries[k])))
                scree_gauss_add(&m->gauss[t], tries[k].unit, tries[k].measured[t]);
        if (good && m->gauss[t].count)
            scree_gauss_fit(&m->gauss[t]);
    }
    for (size_t k = 0; good && k < done; k++)
        if (!isnan(scree_misfit(c, &tries[k])))
            m->best = fmin(m->best, expected_loss(m, tries[k].unit));
    if (!good)
        models_close(m);
    return good;
}

/*  From now on the place counts as tried, with what the models expect. */
static void models_believe(models *m, const double *unit)
{
    for (size_t t = 0; t < m->calibration->target_count; t++) {
        double mean, deviation;
        if (!m->gauss[t].count)
            continue;
        scree_gauss_predict(&m->gauss[t], unit, &mean, &deviation);
        scree_gauss_add(&m->gauss[t], unit, mean);
        scree_gauss_update(&m->gauss[t]);
    }
}

static double distance_sq(const scree_calibration *c, const double *a, const double *b)
{
    double sum = 0;
    for (size_t d = 0; d < c->axis_count; d++)
        sum += (a[d] - b[d]) * (a[d] - b[d]);
    return sum;
}

/*  Share of the expected improvement that counts: little near failed runs, nothing where `count` tries were. */
static double share_of(const models *m, const double *unit, size_t count)
{
    double share = 1;
    for (size_t k = 0; k < count; k++) {
        double square = distance_sq(m->calibration, unit, m->tries[k].unit);
        if (square < 1e-12)
            return 0;
        if (k < m->done && isnan(scree_misfit(m->calibration, &m->tries[k])))
            share *= 1 - scree_exp(-square / (2 * FAILURE_RADIUS * FAILURE_RADIUS));
    }
    return share;
}

/*  Two scores, the second for places where no improvement is expected anywhere. */
typedef struct score
{
    double improvement, loss;
} score;

static score score_of(models *m, const double *unit, size_t count)
{
    const scree_calibration *c = m->calibration;
    double mean[SCREE_CALIBRATE_MAX_TARGETS], deviation[SCREE_CALIBRATE_MAX_TARGETS];
    double share = share_of(m, unit, count), square = 0, sum = 0;

    if (share == 0)
        return (score){0, INFINITY};
    for (size_t t = 0; t < c->target_count; t++) {
        scree_gauss_predict(&m->gauss[t], unit, &mean[t], &deviation[t]);
        mean[t] = (mean[t] - c->target[t].value) / c->target[t].tolerance;
        deviation[t] /= c->target[t].tolerance;
        square += mean[t] * mean[t] + deviation[t] * deviation[t];
    }
    for (size_t k = 0; k < SAMPLES; k++) {
        double misfit = 0;
        for (size_t t = 0; t < c->target_count; t++) {
            double error = mean[t] + deviation[t] * m->sample[k][t];
            misfit += error * error;
        }
        sum += fmax(m->best - loss_of(misfit / (double)c->target_count), 0);
    }
    return (score){share * sum / SAMPLES, square / share};
}

static bool is_better(score a, score b)
{
    return a.improvement > b.improvement || (a.improvement == b.improvement && a.loss < b.loss);
}

static double into_box(double value)
{
    return fmin(fmax(value, 0), 1);
}

/*  Around the best try, at all scales. */
static void near_point(const scree_calibration *c, const double *centre, scree_random *random,
                       size_t k, double *unit)
{
    double scale = 0.3 * scree_exp(-0.6 * (double)(k % 12));
    for (size_t d = 0; d < c->axis_count; d++)
        unit[d] = into_box(centre[d] + scale * scree_random_normal(random));
}

/*  The best of many places, then better ones next to it. */
static void choose_place(models *m, size_t count, double *chosen)
{
    const scree_calibration *c = m->calibration;
    scree_random random = scree_random_stream(c->seed, STREAM_CANDIDATES + count);
    size_t best_try = scree_best_try(c, m->tries, m->done), axes = c->axis_count;
    double unit[SCREE_GAUSS_DIMENSIONS];
    score best = {-1, INFINITY};

    for (size_t k = 0; k < CANDIDATES + NEAR; k++) {
        if (k < CANDIDATES)
            for (size_t d = 0; d < axes; d++)
                unit[d] = scree_random_unit(&random);
        else
            near_point(c, m->tries[best_try].unit, &random, k, unit);
        score s = score_of(m, unit, count);
        if (is_better(s, best)) {
            best = s;
            memcpy(chosen, unit, axes * sizeof *unit);
        }
    }
    for (double step = 0.05; step > 1e-4; step /= 2) {
        for (size_t k = 0; k < 2 * axes; k++) {
            memcpy(unit, chosen, axes * sizeof *unit);
            unit[k / 2] = into_box(unit[k / 2] + (k % 2 ? step : -step));
            score s = score_of(m, unit, count);
            if (is_better(s, best)) {
                best = s;
                memcpy(chosen, unit, axes * sizeof *unit);
            }
        }
    }
}

scree_status scree_search_next(const scree_calibration *c, scree_try *tries, size_t done,
                               size_t count)
{
    double unit[SCREE_GAUSS_DIMENSIONS];
    models m;

    if (scree_best_try(c, tries, done) == done) {
        /* nothing to learn from: the box is covered more densely */
        for (size_t k = done; k < done + count; k++) {
            halton_point(c, k, unit);
            place_try(c, unit, &tries[k]);
        }
        return SCREE_OK;
    }
    if (!models_open(&m, c, tries, done, count))
        return SCREE_OUT_OF_MEMORY;
    for (size_t k = done; k < done + count; k++) {
        choose_place(&m, k, unit);
        place_try(c, unit, &tries[k]);
        models_believe(&m, tries[k].unit);
    }
    models_close(&m);
    return SCREE_OK;
}

/* ---- ranges ---- */

static bool is_expected_to_fit(models *m, const double *unit)
{
    const scree_calibration *c = m->calibration;
    bool fits = true;
    for (size_t t = 0; fits && t < c->target_count; t++) {
        double mean, deviation;
        scree_gauss_predict(&m->gauss[t], unit, &mean, &deviation);
        fits = fabs(mean - c->target[t].value) <= c->target[t].tolerance;
    }
    return fits;
}

/*  A random walk inside the region, with steps of all scales. */
bool scree_search_ranges(const scree_calibration *c, const scree_try *tries, size_t count,
                         double lower[SCREE_GAUSS_DIMENSIONS], double upper[SCREE_GAUSS_DIMENSIONS])
{
    scree_random random = scree_random_stream(c->seed, STREAM_WALK);
    size_t best = scree_best_try(c, tries, count);
    double at[SCREE_GAUSS_DIMENSIONS], next[SCREE_GAUSS_DIMENSIONS];
    models m;

    if (best == count || !models_open(&m, c, tries, count, 0))
        return false;
    memcpy(at, tries[best].unit, sizeof at);
    bool fits = is_expected_to_fit(&m, at);
    memcpy(lower, at, sizeof at);
    memcpy(upper, at, sizeof at);
    for (size_t k = 0; fits && k < WALK; k++) {
        near_point(c, at, &random, k, next);
        if (!is_expected_to_fit(&m, next))
            continue;
        memcpy(at, next, sizeof at);
        for (size_t d = 0; d < c->axis_count; d++) {
            lower[d] = fmin(lower[d], at[d]);
            upper[d] = fmax(upper[d], at[d]);
        }
    }
    models_close(&m);
    return fits;
}

/* ---- scatter ---- */

bool scree_search_scatter(const scree_calibration *c, const scree_try *tries, size_t count,
                          double *scatter)
{
    models m;

    if (!models_open(&m, c, tries, count, 0))
        return false;
    for (size_t t = 0; t < c->target_count; t++)
        scatter[t] = sqrt(m.gauss[t].noise * m.gauss[t].variance);
    models_close(&m);
    return true;
}
