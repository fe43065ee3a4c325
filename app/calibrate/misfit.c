/*  How well tries fit. */
#include "app/calibrate/calibration.h"

#include <math.h>

double scree_misfit(const scree_calibration *c, const scree_try *tried)
{
    double sum = 0;

    if (!tried->is_done || tried->code)
        return NAN;
    for (size_t t = 0; t < c->target_count; t++) {
        double error = (tried->measured[t] - c->target[t].value) / c->target[t].tolerance;
        sum += error * error;
    }
    double misfit = sqrt(sum / (double)c->target_count);
    return isfinite(misfit) ? misfit : NAN;
}

bool scree_is_met(const scree_calibration *c, const scree_try *tried)
{
    bool met = !isnan(scree_misfit(c, tried));
    for (size_t t = 0; met && t < c->target_count; t++)
        met = fabs(tried->measured[t] - c->target[t].value) <= c->target[t].tolerance;
    return met;
}

/*  One that meets all targets comes before one that does not. */
size_t scree_best_try(const scree_calibration *c, const scree_try *tries, size_t count)
{
    size_t best = count;
    double least = INFINITY;
    bool is_met = false;

    for (size_t k = 0; k < count; k++) {
        double misfit = scree_misfit(c, &tries[k]);
        bool meets = scree_is_met(c, &tries[k]);
        if (isnan(misfit) || (is_met && !meets) || (meets == is_met && !(misfit < least)))
            continue;
        best = k;
        least = misfit;
        is_met = meets;
    }
    return best;
}
