/*  How the cost of insertion-sort grows with the number of bodies (IS-H8). In "few", one
    body in a hundred moves by 0.05 r between two runs and the others hardly: nearly static. In "all", every body
    moves so: a list of all bounds along one axis has N^(2/3) of them in a cross-section, so each passes
    more and more others on that way, and an insertion sort pays for each. */
#include "claims/stage.h"
#include "claims/yade_internal.h"
#include "measure/measure.h"

#include <math.h>

/*  Allowance, and a speed that uses it up in ten steps. */
#define LENGTH 0.05
#define FAST 0.0052

/*  The cost of a check by the caller: how far has each body moved from its position in the list? */
static double check_by_hand(const scree_compression *c, double *const reference[3], double *seconds)
{
    double most = 0, begin = scree_thread_seconds();
    for (size_t i = 0; i < c->count; i++) {
        double square = 0;
        for (int k = 0; k < 3; k++) {
            double d = c->x[k][i] - reference[k][i];
            square += d * d;
        }
        most = square > most ? square : most;
    }
    *seconds += scree_thread_seconds() - begin;
    return most;
}

typedef struct costs
{
    double run, quiet, trusted, by_hand, inversions; /* ns a body; exchanges a body and run */
} costs;

static void keep_costs(const scree_stage *s, costs *result)
{
    const scree_observer *looking = &s->observer[0], *trusting = &s->observer[1];
    double bodies = (double)s->c.count, runs = (double)looking->runs;
    double quiet = (double)(looking->steps - looking->runs);
    double trusted = (double)(trusting->steps - trusting->runs);
    result->run = looking->sec_runs / runs / bodies * 1e9;
    result->quiet = (looking->sec - looking->sec_runs) / quiet / bodies * 1e9;
    result->trusted = (trusting->sec - trusting->sec_runs) / trusted / bodies * 1e9;
    result->inversions = (double)looking->inversions / runs / bodies;
}

/*  Speeds are such that each tenth step runs; `moving` bodies have them. */
static scree_status measure_costs(size_t n, size_t moving, uint64_t seed, uint64_t steps,
                                  costs *result, scree_error *error)
{
    scree_stage s;
    double by_hand = 0, farthest = 0;
    scree_status status = scree_stage_open(&s, n, seed, 0, error);
    scree_margin_def margin = scree_margin_of(SCREE_MARGIN_DISTANCE, LENGTH);
    if (status == SCREE_OK)
        status = scree_stage_invite(&s, "distance", &margin, error);
    margin.trust_velocities = true;
    if (status == SCREE_OK)
        status = scree_stage_invite(&s, "trusting", &margin, error);
    if (status == SCREE_OK) {
        scree_stage_set_speeds(&s, moving, FAST / 100, FAST, seed);
        status = scree_stage_play(&s, 1, error);
    }
    scree_stage_reset(&s);
    if (status == SCREE_OK)
        status = scree_stage_play(&s, steps, error);
    for (uint64_t step = 0; step < steps && status == SCREE_OK; step++)
        farthest = fmax(farthest, check_by_hand(&s.c, s.c.low, &by_hand));
    if (status == SCREE_OK) {
        keep_costs(&s, result);
        /* the farthest is used, so that no compiler leaves the check out */
        result->by_hand = farthest >= 0 ? by_hand / (double)steps / (double)n * 1e9 : 0;
    }
    scree_stage_close(&s);
    return status;
}

/*  "1000: 250, 13.0, 3.4, 1.0; ..." */
static void say_costs(scree_claim *claim, size_t n, const costs *few, const costs *all)
{
    scree_claim_say(claim, "%s%zu: %.0f, %.1f, %.1f, %.1f, %.0f (%.1f)",
                    claim->figure[0] ? "\n" : "", n, few->run, few->quiet, few->trusted,
                    few->by_hand, all->run, all->inversions);
}

scree_status scree_yade_sizes(scree_study *study, scree_error *error)
{
    static const size_t sizes[] = {1000, 3000, 10000, 30000, 100000, 300000, 1000000};
    size_t count = study->quick ? 5 : SCREE_COUNT_OF(sizes);
    double x[SCREE_COUNT_OF(sizes)], few_run[SCREE_COUNT_OF(sizes)];
    double all_run[SCREE_COUNT_OF(sizes)], worst = 0;
    scree_claim *claim = scree_study_claim(
        study, "IS-H8", "IS-26",
        "nearly static: a run is O(N), exponent 1.0 +- 0.1; a step without one costs no more\n"
        "              than looking at the bodies: at most 5 % of a run");
    scree_chart *chart =
        scree_study_chart(study, "insertion-sort-size.svg", "Steps with and without a run",
                          "insertion-sort, distance 0.05 r", "bodies", "ns a body and step");
    scree_curve *all_curve = scree_chart_curve(chart, "run, all have moved");
    scree_curve *few_curve = scree_chart_curve(chart, "run, 1 in 100 has moved");
    scree_curve *quiet = scree_chart_curve(chart, "no run");
    scree_curve *trusted = scree_chart_curve(chart, "no run, by velocities");
    scree_curve *by_hand = scree_chart_curve(chart, "a loop over the bodies");
    by_hand->dashed = true;
    for (size_t k = 0; k < count; k++) {
        costs few, all;
        uint64_t steps = sizes[k] <= 10000 ? 300 : sizes[k] <= 100000 ? 60 : 20;
        scree_study_tell(study, "IS-H8: %zu spheres", sizes[k]);
        scree_status status =
            measure_costs(sizes[k], sizes[k] / 100, study->seed, steps, &few, error);
        if (status == SCREE_OK)
            status = measure_costs(sizes[k], sizes[k], study->seed, steps, &all, error);
        if (status != SCREE_OK)
            return status;
        x[k] = (double)sizes[k];
        few_run[k] = few.run * x[k];
        all_run[k] = all.run * x[k];
        worst = fmax(worst, few.quiet / few.run);
        scree_curve_add(all_curve, x[k], all.run);
        scree_curve_add(few_curve, x[k], few.run);
        scree_curve_add(quiet, x[k], few.quiet);
        scree_curve_add(trusted, x[k], few.trusted);
        scree_curve_add(by_hand, x[k], few.by_hand);
        say_costs(claim, sizes[k], &few, &all);
    }
    double p = scree_fit_exponent(x, few_run, count);
    scree_claim_say(
        claim,
        "\n(ns a body: run, no run, no run by velocities, a loop over the bodies, run when "
        "all have moved (exchanges a body))\n"
        "exponent of a run %.2f, %.2f if all have moved; without one at most %.1f %% of a "
        "run",
        p, scree_fit_exponent(x, all_run, count), 100 * worst);
    claim->pass = fabs(p - 1) <= 0.1 && worst <= 0.05;
    return SCREE_OK;
}
