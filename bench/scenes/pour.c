/*  Random places for spheres, none touching another: a sphere is tried until it fits, the largest first. */
#include "scenes/worlds.h"

#include "base/error.h"
#include "base/portable_math.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>

#define TRIALS 20000

/*  Number density ~ r^-4 gives each class of ln r the same volume: 1 / r^3 is then even. */
static double draw_radius(scree_random *random, double smallest, double largest)
{
    double most = 1 / (smallest * smallest * smallest), least = 1 / (largest * largest * largest);
    double cube = scree_random_range(random, least, most);
    double radius = cube > 0 ? scree_pow(cube, -1.0 / 3) : largest;
    return radius < smallest ? smallest : radius > largest ? largest : radius;
}

static int compare_down(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static int refuse(const scree_hit *hit, void *user)
{
    (void)hit;
    *(bool *)user = true;
    return 1;
}

static bool is_free(const scree_detector *detector, const double centre[3], double radius)
{
    scree_query query = scree_query_sphere(centre, radius);
    bool taken = false;
    return scree_detector_query(detector, &query, refuse, &taken, NULL) == SCREE_OK && !taken;
}

static bool find_place(const scree_pour_plan *plan, const scree_detector *detector,
                       scree_random *random, double radius, double centre[3])
{
    for (int trial = 0; trial < TRIALS; trial++) {
        for (int k = 0; k < 3; k++)
            centre[k] =
                scree_random_range(random, plan->lower[k] + radius, plan->upper[k] - radius);
        if ((!plan->inside || plan->inside(centre, radius, plan->user)) &&
            is_free(detector, centre, radius))
            return true;
    }
    return false;
}

static scree_status place_all(const scree_pour_plan *plan, scree_detector *detector,
                              scree_random *random, uint32_t count, double (*centre)[3],
                              const double *radius, scree_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!find_place(plan, detector, random, radius[i], centre[i]))
            return scree_fail(error, SCREE_TOO_LARGE, "pour: no place for sphere %u of %u", i,
                              count);
        scree_table one =
            scree_table_spheres(1, scree_doubles(&centre[i][0], 8), scree_doubles(&centre[i][1], 8),
                                scree_doubles(&centre[i][2], 8), scree_doubles(&radius[i], 8));
        scree_status status = scree_detector_insert(detector, &one, NULL);
        if (status)
            return scree_fail(error, status, "pour: %s", scree_detector_message(detector));
    }
    return SCREE_OK;
}

scree_status scree_pour(const scree_pour_plan *plan, uint32_t count, double (*centre)[3],
                        double *radius, scree_error *error)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    scree_random random = scree_random_stream(plan->seed, 0);

    for (uint32_t i = 0; i < count; i++)
        radius[i] = draw_radius(&random, plan->smallest, plan->largest);
    qsort(radius, count, sizeof *radius, compare_down);
    /* grows with what is inserted, and answers queries by its grids */
    def.method = "hash-grids";
    def.error = error;
    scree_status status = scree_detector_create(&def, &detector);
    if (status)
        return status;
    status = place_all(plan, detector, &random, count, centre, radius, error);
    scree_detector_destroy(detector);
    return status;
}
