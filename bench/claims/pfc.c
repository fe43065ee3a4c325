/*  The claims of PFC's manual about its cell space. The scene of the source is `burst`: balls that
    overlap, flying apart in a domain with room for ten times as many; extents are enlarged by a
    quarter of the radius on each side, which is a tolerance with extent 1/16 and reach 2. */
#include "claims/pfc.h"

#include "claims/automatic_step.h"
#include "claims/speed_up.h"
#include "measure/contest.h"

#include <math.h>
#include <string.h>

/*  A ball's way in a cycle, in radii. It leaves its tolerance, 1/8 of a radius, every seventh one. */
#define SPEED 0.02

/*  Extents that fit into the domain of `burst`, for each ball. */
#define EXTENTS_PER_BALL (120.0 / 11.0)

static scree_entry burst_entry(const scree_study *study, size_t n, uint32_t steps)
{
    scree_entry entry =
        scree_entry_make("cell-space", "burst", n, study->seed, SCREE_MOTION_ALL, SPEED, steps);
    entry.trial.advances = entry.trial.in_box = true;
    entry.trial.skipped = 0;
    entry.def.margin.kind = SCREE_MARGIN_TOLERANCE;
    for (int kind = 0; kind < SCREE_PIECE_KINDS; kind++)
        entry.def.margin.extent[kind] = 1.0 / 16;
    entry.group = 1;
    return entry;
}

static double min_ms(const scree_entry *entries, size_t count)
{
    double least = INFINITY;
    for (size_t k = 0; k < count; k++)
        least = fmin(least, entries[k].ms);
    return least;
}

/* ---- CS-H1: extents per cell ---- */

static scree_status measure_target(scree_study *study, scree_error *error)
{
    static const double extents[] = {0.5, 1, 2, 5, 10, 20, 50, 100, 200};
    enum
    {
        COUNT = SCREE_COUNT_OF(extents)
    };
    scree_entry entry[COUNT];
    size_t n = study->quick ? 3000 : 11000;
    scree_study_tell(study, "CS-H1: extents per cell, %zu balls", n);
    for (size_t k = 0; k < COUNT; k++) {
        entry[k] = burst_entry(study, n, study->quick ? 70 : 250);
        entry[k].def.cell_space.depth = 0;
        entry[k].def.cell_space.cells = (uint32_t)((double)n * EXTENTS_PER_BALL / extents[k] + 0.5);
    }
    scree_status status = scree_contest_run(entry, COUNT, study->quick ? 1 : 3, error);
    if (status != SCREE_OK)
        return status;

    scree_claim *claim = scree_study_claim(
        study, "CS-H1", "PFC-40",
        "slowdown at most 1.1 at 5 to 20 extents a cell, clearly more (1.2) at <= 1 and >= 100");
    scree_chart *chart = scree_study_chart(
        study, "cell-space-target.svg", "Extents per cell",
        "unrefined cell space, the manual's scene; remapping and search, over the best",
        "extents "
        "that fit into a cell",
        "time / best");
    scree_curve *curve = scree_chart_curve(chart, "cell-space");
    double best = min_ms(entry, COUNT), plateau = 0, ends = INFINITY;
    for (size_t k = 0; k < COUNT; k++) {
        double slowdown = entry[k].ms / best;
        scree_curve_add(curve, extents[k], slowdown);
        scree_claim_say(claim, "%s%g: %.2f", k ? ", " : "", extents[k], slowdown);
        if (extents[k] >= 5 && extents[k] <= 20)
            plateau = fmax(plateau, slowdown);
        if (extents[k] <= 1 || extents[k] >= 100)
            ends = fmin(ends, slowdown);
    }
    scree_claim_say(claim,
                    "\n%.3f ms a cycle at best; the update alone takes %.3f ms at 0.5, %.3f at 10, "
                    "%.3f at 200",
                    best, entry[0].ms_update, entry[4].ms_update, entry[COUNT - 1].ms_update);
    claim->pass = plateau <= 1.1 && ends >= 1.2;
    return SCREE_OK;
}

/* ---- CS-H2: linear time ---- */

static scree_status measure_sizes(scree_study *study, scree_error *error)
{
    static const size_t sizes[] = {1000, 3000, 10000, 30000, 100000, 300000, 1000000};
    size_t count = study->quick ? 5 : SCREE_COUNT_OF(sizes);
    double x[SCREE_COUNT_OF(sizes)], y[SCREE_COUNT_OF(sizes)];
    scree_claim *claim = scree_study_claim(study, "CS-H2", "PFC-10",
                                           "time is proportional to N: exponent 1.0 +- 0.1");
    scree_chart *chart = scree_study_chart(
        study, "cell-space-size.svg", "Time over the number of balls",
        "the manual's scene at constant density; a horizontal line is linear time", "balls",
        "ns a ball and cycle");
    scree_curve *curve = scree_chart_curve(chart, "cell-space");
    for (size_t k = 0; k < count; k++) {
        /* whole periods of seven cycles, in which each ball is mapped once */
        uint32_t steps = 7 * (uint32_t)fmax(2, fmin(20, 60000 / (double)sizes[k]));
        scree_entry entry = burst_entry(study, sizes[k], steps);
        entry.trial.skipped = 1;
        scree_study_tell(study, "CS-H2: %zu balls", sizes[k]);
        scree_status status = scree_contest_run(&entry, 1, sizes[k] > 100000 ? 1 : 3, error);
        if (status != SCREE_OK)
            return status;
        x[k] = (double)sizes[k];
        y[k] = entry.ms;
        scree_curve_add(curve, x[k], y[k] * 1e6 / x[k]);
        scree_claim_say(claim, "%s%zu: %.0f ns", k ? ", " : "", sizes[k], y[k] * 1e6 / x[k]);
    }
    double p = scree_fit_exponent(x, y, count);
    scree_claim_say(claim, "\nexponent %.2f", p);
    claim->pass = fabs(p - 1) <= 0.1;
    return SCREE_OK;
}

/* ---- CS-H3: centre-mapped cells ---- */

/*  Bodies in a cell of edge `factor` diameters: the centres of `burst` fill a cube where balls of
    radius 2/3 are 0.3 of the volume; those of a mixture the whole. */
static double bodies_per_cell(double fraction_of_unit_balls, double factor)
{
    return fraction_of_unit_balls / (4.0 / 3 * 3.14159265358979) * 8 * factor * factor * factor;
}

static scree_status measure_centres_in(scree_study *study, const char *scene, double fraction,
                                       scree_chart *chart, double *optimum, scree_error *error)
{
    static const double factors[] = {1, 1.25, 1.5, 2, 2.5, 3, 4, 5};
    enum
    {
        COUNT = SCREE_COUNT_OF(factors)
    };
    scree_entry entry[COUNT];
    size_t n = study->quick ? 4000 : 11000;
    scree_study_tell(study, "CS-H3: %s", scene);
    for (size_t k = 0; k < COUNT; k++) {
        entry[k] = scree_entry_make("hashing2", scene, n, study->seed, SCREE_MOTION_ALL, SPEED,
                                    study->quick ? 4 : 20);
        entry[k].def.cell_factor = factors[k];
        entry[k].group = 1;
    }
    scree_status status = scree_contest_run(entry, COUNT, study->quick ? 3 : 7, error);
    if (status != SCREE_OK)
        return status;
    scree_curve *curve = scree_chart_curve(chart, scene);
    double best = min_ms(entry, COUNT);
    for (size_t k = 0; k < COUNT; k++) {
        double bodies = bodies_per_cell(fraction, factors[k]);
        scree_curve_add(curve, bodies, entry[k].ms / best);
        if (entry[k].ms == best)
            *optimum = bodies;
    }
    return SCREE_OK;
}

static scree_status measure_centres(scree_study *study, scree_error *error)
{
    double dense = 0, medium = 0, thin = 0;
    scree_claim *claim =
        scree_study_claim(study, "CS-H3", "PFC-41",
                          "cells mapped by centre are best at 1 to 5 bodies a cell (Mio 2007)");
    scree_chart *chart =
        scree_study_chart(study, "cell-space-centres.svg", "Linked cells mapped by centre",
                          "hashing2 with larger and larger cells, time over the best",
                          "bodies per cell", "time / best");
    scree_status status = measure_centres_in(study, "burst", 0.3 * 27 / 8, chart, &dense, error);
    if (status == SCREE_OK)
        status = measure_centres_in(study, "mixture:1:0.3", 0.3, chart, &medium, error);
    if (status == SCREE_OK)
        status = measure_centres_in(study, "mixture:1:0.05", 0.05, chart, &thin, error);
    scree_claim_say(claim,
                    "hashing2: best at %.1f bodies a cell in burst (1.9 is the smallest cell that "
                    "is possible),\n%.1f at volume fraction 0.3, %.1f at 0.05",
                    dense, medium, thin);
    claim->pass = dense >= 1 && dense <= 5;
    return status;
}

/* ---- CS-H4: few move ---- */

static scree_status measure_few(scree_study *study, scree_error *error)
{
    scree_entry entry[2];
    size_t n = study->quick ? 30000 : 100000;
    scree_study_tell(study, "CS-H4: 1 %% of %zu balls move", n);
    entry[0] = scree_entry_make("cell-space", "mixture:1:0.6", n, study->seed, SCREE_MOTION_FEW, 1,
                                study->quick ? 5 : 20);
    entry[1] = entry[0];
    entry[1].trial.motion.kind = SCREE_MOTION_ALL;
    entry[1].trial.motion.amount = 0.01;
    scree_status status = scree_contest_run(entry, 2, study->quick ? 3 : 7, error);
    if (status != SCREE_OK)
        return status;
    scree_claim *claim =
        scree_study_claim(study, "CS-H4", "PFC-25",
                          "1 % of the pieces move: the update takes at most 5 % of a full one");
    double share = entry[0].ms_update / entry[1].ms_update;
    scree_claim_say(claim, "%.3f ms of %.2f ms, %.1f %% (%zu balls)", entry[0].ms_update,
                    entry[1].ms_update, 100 * share, n);
    scree_claim_say(claim, "; with the search %.2f and %.2f ms", entry[0].ms, entry[1].ms);
    claim->pass = share <= 0.05;
    return SCREE_OK;
}

/* ---- CS-H5: refinement needs no tuning ---- */

#define GRIDS 7

/*  Time of the default, of the best uniform cells, and of those sized for the largest body. */
typedef struct contrast
{
    double adaptive, best, best_bodies, largest;
} contrast;

/*  Uniform grids from cells that the smallest fill to cells that the largest fill. */
static scree_status measure_ratio(const scree_study *study, const char *scene, double ratio,
                                  contrast *c, scree_error *error)
{
    scree_entry entry[GRIDS + 1];
    size_t n = study->quick ? 5000 : 20000;
    scree_scene shape;
    scree_status status = scree_scene_create(scene, n, study->seed, NULL, &shape, error);
    if (status != SCREE_OK)
        return status;
    double side = shape.upper[0] - shape.lower[0];
    scree_scene_free(&shape);
    for (size_t k = 0; k <= GRIDS; k++) {
        entry[k] = scree_entry_make("cell-space", scene, n, study->seed, SCREE_MOTION_ALL, 0.02,
                                    study->quick ? 2 : 4);
        entry[k].trial.in_box = true;
        entry[k].group = 1;
        if (k == GRIDS)
            continue;
        /* the last has cells as wide as the largest body, the others ever smaller ones */
        double cells =
            k + 1 == GRIDS ? pow(side / (2 * ratio), 3) : (double)n * 2 / pow(4, (double)k);
        entry[k].def.cell_space.cells = (uint32_t)fmin(fmax(1, cells), 1 << 24);
        entry[k].def.cell_space.depth = 0;
    }
    status = scree_contest_run(entry, GRIDS + 1, study->quick ? 1 : 3, error);
    if (status != SCREE_OK)
        return status;
    c->best = INFINITY;
    for (size_t k = 0; k < GRIDS; k++)
        if (entry[k].ms < c->best) {
            c->best = entry[k].ms;
            c->best_bodies = (double)n / entry[k].def.cell_space.cells;
        }
    c->adaptive = entry[GRIDS].ms;
    c->largest = entry[GRIDS - 1].ms;
    return SCREE_OK;
}

static scree_status measure_family(scree_study *study, const char *family, scree_claim *claim,
                                   scree_chart *chart, double *worst, double *gain,
                                   scree_error *error)
{
    char name[40];
    snprintf(name, sizeof name, "%s, best cells", family);
    scree_curve *best = scree_chart_curve(chart, name);
    snprintf(name, sizeof name, "%s, cells for largest", family);
    scree_curve *largest = scree_chart_curve(chart, name);
    *worst = 0;
    scree_claim_say(claim, "%s%s, adaptive / best uniform:", claim->figure[0] ? "\n" : "", family);
    for (unsigned ratio = 1; ratio <= 64; ratio *= 2) {
        contrast c;
        snprintf(name, sizeof name, "%s:%u:0.3", family, ratio);
        scree_study_tell(study, "CS-H5: %s", name);
        scree_status status = measure_ratio(study, name, ratio, &c, error);
        if (status != SCREE_OK)
            return status;
        *worst = fmax(*worst, c.adaptive / c.best);
        if (ratio == 32)
            *gain = c.largest / c.adaptive;
        scree_claim_say(claim, " %.2f", c.adaptive / c.best);
        scree_curve_add(best, ratio, c.best / c.adaptive);
        scree_curve_add(largest, ratio, c.largest / c.adaptive);
    }
    scree_claim_say(claim, "; cells for the largest at 32: %.1f times", *gain);
    return SCREE_OK;
}

static scree_status measure_refinement(scree_study *study, scree_error *error)
{
    double worst[2] = {0, 0}, gain[2] = {0, 0};
    scree_claim *claim = scree_study_claim(
        study, "CS-H5", "PFC-42",
        "within 2 of the best uniform cells at ratio 1 to 64; uniform cells lose by 5 at 32");
    scree_chart *chart = scree_study_chart(
        study, "cell-space-ratio.svg", "Uniform cells against refinement",
        "time with uniform cells over time with the defaults", "size ratio", "uniform / adaptive");
    scree_status status =
        measure_family(study, "bimodal", claim, chart, &worst[0], &gain[0], error);
    if (status == SCREE_OK)
        status = measure_family(study, "power", claim, chart, &worst[1], &gain[1], error);
    claim->pass = fmax(worst[0], worst[1]) <= 2 && fmin(gain[0], gain[1]) >= 5;
    return status;
}

/* ---- CS-H6: nothing late ---- */

static scree_status measure_guarantee(scree_study *study, scree_error *error)
{
    scree_automatic_step run;
    size_t n = study->quick ? 500 : 1500;
    scree_study_tell(study, "CS-H6: automatic steps");
    memset(&run, 0, sizeof run);
    scree_status status =
        scree_automatic_step_run(n, study->quick ? 150 : 500, study->seed, &run, error);
    if (status != SCREE_OK)
        return status;
    scree_claim *claim =
        scree_study_claim(study, "CS-H6", "PFC-26",
                          "automatic steps: no contact is made in or after the cycle of its force");
    scree_claim_say(claim,
                    "%llu of %llu new overlaps were late, checked by all pairs in %u cycles of %zu "
                    "balls;\nwith steps 10 times as long as automatic ones: %llu of %llu",
                    (unsigned long long)run.late, (unsigned long long)run.begun, run.cycles, n,
                    (unsigned long long)run.late_forced, (unsigned long long)run.begun_forced);
    claim->pass = run.late == 0 && run.begun > 0 && run.late_forced > 0;
    return SCREE_OK;
}

/* ---- threads ---- */

static scree_status measure_threads(scree_study *study, scree_error *error)
{
    scree_entry entry = burst_entry(study, study->quick ? 20000 : 100000, 21);
    return scree_study_speed_up(study, "PFC-43", &entry, error);
}

scree_status scree_bench_pfc(scree_study *study, scree_error *error)
{
    static scree_status (*const parts[])(scree_study *, scree_error *) = {
        measure_target,     measure_sizes,     measure_centres, measure_few,
        measure_refinement, measure_guarantee, measure_threads,
    };
    scree_status status = SCREE_OK;
    for (size_t k = 0; k < SCREE_COUNT_OF(parts) && status == SCREE_OK; k++)
        status = parts[k](study, error);
    return status;
}
