/*  The definition of a detector: its defaults, and the checks of every field. */
#include "detect/definition.h"

#include "base/sized_definition.h"
#include "detect/cell.h"
#include "detect/margin.h"

#include <math.h>

#define DEF_COOKIE 0xde7ec701u

void scree_init_detector_def(scree_detector_def *def, size_t size)
{
    static const scree_detector_def own = {
        .cookie = DEF_COOKIE,
        .size = sizeof(scree_detector_def),
        .method = "auto",
        .dimensions = 3,
        .volume = SCREE_SPHERES,
        .unusable = SCREE_REFUSE_CALL,
        .thread_count = 1,
        .cell_factor = 1,
        .bin_factor = 1.5,
        .stripe_factor = 2,
        .rtree_max_entries = 16,
        .rtree_min_entries = 6,
        .hash_grids = {.cells = {16, 16, 16},
                       .list_capacity = 16,
                       .occupied_capacity = 256,
                       .minimal_density = 8,
                       .factor = 2,
                       .activation = 32},
        .cell_space =
            {
                .target = 10,
                .merge_below = 2,
                .factor = 20,
                .max_children = 64,
                .depth = 10,
            },
        .insertion_sort = {.sort_axis = -1},
        .margin = {.kind = SCREE_MARGIN_NONE,
                   .length = -0.05,
                   .speed_factor = 1.05,
                   .extent = {1. / 32, 1. / 32, 1. / 32, 1. / 32},
                   .reach = 2,
                   .bin_count = 5,
                   .bin_ratio = 2,
                   .bin_overlap = 0.8,
                   .bin_max_change = 0.3,
                   .target_steps = 50,
                   .min_fraction = 0.1},
    };

    scree_definition_write(def, size, &own, sizeof own);
}

/*  Parameters above this make no sense and could overflow. */
#define MAX_FACTOR 1e6

static scree_status check_factor(const char *name, double value, double lowest, bool open,
                                 scree_error *error)
{
    bool ok = open ? value > lowest : value >= lowest;
    if (ok && value <= MAX_FACTOR)
        return SCREE_OK;
    return scree_fail(error, SCREE_BAD_ARGUMENT,
                      "detector def: %s is %g, must be %s %g and at most %g", name, value,
                      open ? "above" : "at least", lowest, MAX_FACTOR);
}

static scree_status check_parameters(const scree_detector_def *def, scree_error *error)
{
    if (check_factor("cell_factor", def->cell_factor, 1, false, error) ||
        check_factor("bin_factor", def->bin_factor, 0, true, error) ||
        check_factor("stripe_factor", def->stripe_factor, 0, true, error))
        return SCREE_BAD_ARGUMENT;
    if (def->rtree_max_entries < 4 || def->rtree_max_entries > 64)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "detector def: rtree_max_entries is %u, must be 4 to 64",
                          def->rtree_max_entries);
    if (def->rtree_min_entries < 2 || def->rtree_min_entries > def->rtree_max_entries / 2)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "detector def: rtree_min_entries is %u, must be 2 to %u",
                          def->rtree_min_entries, def->rtree_max_entries / 2);
    return SCREE_OK;
}

scree_status scree_detector_def_check(const scree_detector_def *def, const scree_method **method,
                                      scree_error *error)
{
    if (def->dimensions != 2 && def->dimensions != 3)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "detector def: dimensions is %d, must be 2 or 3", def->dimensions);
    if (def->volume != SCREE_SPHERES && def->volume != SCREE_BOXES)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "detector def: volume is %d, must be SCREE_SPHERES or SCREE_BOXES",
                          (int)def->volume);
    if (def->unusable != SCREE_REFUSE_CALL && def->unusable != SCREE_SKIP_BODY)
        return scree_fail(
            error, SCREE_BAD_ARGUMENT,
            "detector def: unusable is %d, must be SCREE_REFUSE_CALL or SCREE_SKIP_BODY",
            (int)def->unusable);
    if (def->simd > SCREE_SIMD_AVX512)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "detector def: simd is %d, must be a scree_simd", (int)def->simd);
    if (!def->method)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "detector def: method is NULL");
    *method = scree_method_find(def->method);
    if (!*method)
        return scree_fail(error, SCREE_UNKNOWN_METHOD,
                          "detector def: there is no method \"%.60s\"; scree_method_at lists them",
                          def->method);
    if (scree_margin_check(&def->margin, error) ||
        scree_cell_check(def->period, def->tilt, def->dimensions, error))
        return SCREE_BAD_ARGUMENT;
    return check_parameters(def, error);
}
