/*  Gaussian-process regression: from values at some points of the unit box to a mean and a standard deviation at any other
    (Rasmussen and Williams 2006, chapters 2, 4 and 5). The kernel is that of Matern with nu = 5/2 and one length for each
    dimension, which fits functions that are smooth but not analytic; noise is part of the fit, since results of many bodies
    scatter. Bit-identical on all machines. */
#ifndef SCREE_CALIBRATE_GAUSS_H
#define SCREE_CALIBRATE_GAUSS_H

#include <stdbool.h>
#include <stddef.h>

#define SCREE_GAUSS_DIMENSIONS 8

typedef struct scree_gauss
{
    size_t dimensions, count, capacity;
    double *points; /* count x dimensions */
    double *values;
    double *factor;  /* lower triangle of Cholesky's factor of the correlations, row by row */
    double *weights; /* inverse of the correlations times (values - mean) */
    double *scratch; /* a row */
    double length[SCREE_GAUSS_DIMENSIONS],
        noise; /* noise: variance of the noise over that of the function */
    double mean, variance;
} scree_gauss;

/*  For at most `capacity` points. False without memory. */
bool scree_gauss_create(scree_gauss *gauss, size_t dimensions, size_t capacity);
void scree_gauss_free(scree_gauss *gauss);

/*  Adds a value; it counts from the next call of fit or update. `count` must be below `capacity`. */
void scree_gauss_add(scree_gauss *gauss, const double *point, double value);
/*  Chooses lengths and noise for which the values are most likely, and updates. */
void scree_gauss_fit(scree_gauss *gauss);
/*  The same with the lengths and the noise of the last fit. */
void scree_gauss_update(scree_gauss *gauss);

/*  The function without its noise. */
void scree_gauss_predict(scree_gauss *gauss, const double *point, double *mean, double *deviation);

#endif
