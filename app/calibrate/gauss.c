/*  The correlations of n points are factorised for each guess of lengths and noise: n^3 / 6 multiplications, little next to a
    run. Mean and variance of the function follow from them in closed form. */
#include "app/calibrate/gauss.h"

#include "base/portable_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*  Without it points that are close to each other have a matrix that cannot be factorised. */
#define MIN_NOISE 1e-8
#define MAX_NOISE 1.0
#define SHORTEST 0.05
#define LONGEST 20.0

bool scree_gauss_create(scree_gauss *g, size_t dimensions, size_t capacity)
{
    *g = (scree_gauss){.dimensions = dimensions, .capacity = capacity, .noise = 1e-4};
    g->points = malloc(capacity * dimensions * sizeof *g->points);
    g->values = malloc(capacity * sizeof *g->values);
    g->factor = malloc(capacity * capacity * sizeof *g->factor);
    g->weights = malloc(capacity * sizeof *g->weights);
    g->scratch = malloc(capacity * sizeof *g->scratch);
    for (size_t d = 0; d < dimensions; d++)
        g->length[d] = 1;
    if (g->points && g->values && g->factor && g->weights && g->scratch)
        return true;
    scree_gauss_free(g);
    return false;
}

void scree_gauss_free(scree_gauss *g)
{
    free(g->points);
    free(g->values);
    free(g->factor);
    free(g->weights);
    free(g->scratch);
    *g = (scree_gauss){0};
}

void scree_gauss_add(scree_gauss *g, const double *point, double value)
{
    memcpy(g->points + g->count * g->dimensions, point, g->dimensions * sizeof *point);
    g->values[g->count++] = value;
}

static double correlation(const scree_gauss *g, const double *a, const double *b)
{
    double sum = 0;
    for (size_t d = 0; d < g->dimensions; d++) {
        double apart = (a[d] - b[d]) / g->length[d];
        sum += apart * apart;
    }
    double r = sqrt(5 * sum);
    return (1 + r + r * r / 3) * scree_exp(-r);
}

/*  Cholesky's factor of the correlations plus noise. False: the matrix is singular as far as doubles can tell. */
static bool factorise(scree_gauss *g)
{
    size_t n = g->count;

    for (size_t i = 0; i < n; i++) {
        double *row = g->factor + i * n;
        for (size_t j = 0; j <= i; j++) {
            const double *other = g->factor + j * n;
            double sum = i == j ? 1 + g->noise
                                : correlation(g, g->points + i * g->dimensions,
                                              g->points + j * g->dimensions);
            for (size_t k = 0; k < j; k++)
                sum -= row[k] * other[k];
            if (i == j && !(sum > 0))
                return false;
            row[j] = i == j ? sqrt(sum) : sum / other[j];
        }
    }
    return true;
}

static void solve_lower(const scree_gauss *g, double *x)
{
    size_t n = g->count;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            x[i] -= g->factor[i * n + k] * x[k];
        x[i] /= g->factor[i * n + i];
    }
}

static void solve_upper(const scree_gauss *g, double *x)
{
    size_t n = g->count;
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            x[i] -= g->factor[k * n + i] * x[k];
        x[i] /= g->factor[i * n + i];
    }
}

/*  Mean and variance that are most likely, and the logarithm of that likelihood (a constant is left out); minus infinity
    if the correlations cannot be factorised. */
static double update(scree_gauss *g)
{
    size_t n = g->count;
    double over = 0, under = 0, square = 0, determinant = 0;

    if (!factorise(g))
        return -INFINITY;
    /* L a = y and L b = 1 give the mean of generalised least squares, a.b / b.b */
    for (size_t i = 0; i < n; i++) {
        g->weights[i] = g->values[i];
        g->scratch[i] = 1;
        determinant += scree_ln(g->factor[i * n + i]);
    }
    solve_lower(g, g->weights);
    solve_lower(g, g->scratch);
    for (size_t i = 0; i < n; i++) {
        over += g->weights[i] * g->scratch[i];
        under += g->scratch[i] * g->scratch[i];
    }
    g->mean = over / under;
    for (size_t i = 0; i < n; i++) {
        g->weights[i] -= g->mean * g->scratch[i];
        square += g->weights[i] * g->weights[i];
    }
    g->variance = square / (double)n;
    solve_upper(g, g->weights);
    return -0.5 * (double)n * scree_ln(fmax(g->variance, 1e-300)) - determinant;
}

/*  Few points say little of lengths: those of the size of the box are assumed, within a factor of e or so. */
static double posterior(scree_gauss *g)
{
    double sum = update(g);
    for (size_t d = 0; d < g->dimensions; d++) {
        double far = scree_ln(g->length[d]);
        sum -= 0.5 * far * far / 2;
    }
    double quiet = scree_ln(g->noise / 1e-5);
    return sum - 0.5 * quiet * quiet / 16;
}

/*  One number after the other goes up and down by a factor that shrinks. */
void scree_gauss_fit(scree_gauss *g)
{
    double *number[SCREE_GAUSS_DIMENSIONS + 1];

    g->noise = 1e-5;
    number[g->dimensions] = &g->noise;
    for (size_t d = 0; d < g->dimensions; d++) {
        g->length[d] = 1;
        number[d] = &g->length[d];
    }
    double best = posterior(g);
    for (double factor = 4; factor > 1.05; factor = sqrt(factor)) {
        for (size_t k = 0; k < 4 * (g->dimensions + 1); k++) {
            size_t which = k % (g->dimensions + 1);
            bool is_noise = which == g->dimensions;
            double kept = *number[which], found = kept;
            double step = is_noise ? factor * factor : factor;
            for (int up = 0; up < 2; up++) {
                *number[which] =
                    fmin(fmax(up ? kept * step : kept / step, is_noise ? MIN_NOISE : SHORTEST),
                         is_noise ? MAX_NOISE : LONGEST);
                double value = posterior(g);
                if (value > best) {
                    best = value;
                    found = *number[which];
                }
            }
            *number[which] = found;
        }
    }
    scree_gauss_update(g);
}

void scree_gauss_update(scree_gauss *g)
{
    while (update(g) == -INFINITY && g->noise < MAX_NOISE)
        g->noise *= 10;
}

void scree_gauss_predict(scree_gauss *g, const double *point, double *mean, double *deviation)
{
    double explained = 0;

    *mean = g->mean;
    for (size_t i = 0; i < g->count; i++) {
        g->scratch[i] = correlation(g, g->points + i * g->dimensions, point);
        *mean += g->scratch[i] * g->weights[i];
    }
    solve_lower(g, g->scratch);
    for (size_t i = 0; i < g->count; i++)
        explained += g->scratch[i] * g->scratch[i];
    *deviation = sqrt(g->variance * fmax(1 - explained, 0));
}
