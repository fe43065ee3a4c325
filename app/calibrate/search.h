/*  Where to try next. The first tries cover the box evenly. Then each measured quantity is a Gaussian process over the box,
    and the next try is where the expected improvement of the misfit is largest: the quantities are modelled one by one and
    not the misfit, which has a sharp minimum. What is proposed depends on the tries so far and on the seed alone. */
#ifndef SCREE_CALIBRATE_SEARCH_H
#define SCREE_CALIBRATE_SEARCH_H

#include "app/calibrate/calibration.h"

/*  Number of first tries. */
size_t scree_search_start(const scree_calibration *calibration);
/*  Sets `unit` and `parameter` of tries[done .. done + count - 1] from those before. The first ones, if `done` is 0, are at
    most scree_search_start of them. Of a longer batch a shorter one is the beginning. SCREE_OUT_OF_MEMORY. */
scree_status scree_search_next(const scree_calibration *calibration, scree_try *tries, size_t done,
                               size_t count);

/*  Ranges of the parameters in which, according to the models, all targets are met within their tolerances: around the best
    try. False without memory, or if they are met nowhere near it. */
bool scree_search_ranges(const scree_calibration *calibration, const scree_try *tries, size_t count,
                         double lower[SCREE_GAUSS_DIMENSIONS],
                         double upper[SCREE_GAUSS_DIMENSIONS]);
/*  By how much each measured value scatters about its model from run to run: one standard deviation. False without memory. */
bool scree_search_scatter(const scree_calibration *calibration, const scree_try *tries,
                          size_t count, double *scatter);

#endif
