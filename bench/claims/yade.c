/*  The claims of Yade's makers about striding. The source ran compression tests of its own; here the
    small simulation of compression.h moves the spheres, and detectors look on. Boxes are detected, as
    in Yade; a real contact is one whose spheres overlap. */
#include "claims/yade.h"

#include "claims/compression.h"
#include "claims/speed_up.h"
#include "claims/yade_internal.h"
#include "measure/observer.h"

#include <string.h>

/*  A compression with those who look on. */
typedef struct theatre
{
    scree_compression c;
    scree_observer observer[6];
    size_t count;
} theatre;

static scree_status invite(theatre *t, const char *name, const scree_margin_def *margin,
                           scree_error *error)
{
    scree_status status =
        scree_observer_open(&t->observer[t->count], name, SCREE_BOXES, margin, error);
    t->count += status == SCREE_OK;
    return status;
}

/*  As Yade does it: velocities are looked at, places are not. */
static scree_margin_def stride_of(double length)
{
    scree_margin_def margin = scree_margin_of(SCREE_MARGIN_STRIDE, length);
    margin.trust_velocities = true;
    return margin;
}

static void close_theatre(theatre *t)
{
    for (size_t k = 0; k < t->count; k++)
        scree_observer_close(&t->observer[k]);
    scree_compression_free(&t->c);
}

static scree_status look(theatre *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_table table = scree_compression_table(&t->c);
    scree_motion motion = scree_compression_motion(&t->c);
    for (size_t k = 0; k < t->count && status == SCREE_OK; k++)
        status = scree_observer_look(&t->observer[k], &table, &motion, error);
    return status;
}

/*  Without observers. */
static scree_status play_alone(theatre *t, uint64_t steps, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (uint64_t step = 0; step < steps && status == SCREE_OK; step++)
        status = scree_compression_step(&t->c, error);
    /* the first look builds all, and does not count */
    return status == SCREE_OK ? look(t, error) : status;
}

/*  Sums of the observers are those of these steps. */
static scree_status play(theatre *t, uint64_t steps, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_compression_reset_clocks(&t->c);
    for (size_t k = 0; k < t->count; k++)
        scree_observer_reset(&t->observer[k]);
    for (uint64_t step = 0; step < steps && status == SCREE_OK; step++) {
        status = scree_compression_step(&t->c, error);
        if (status == SCREE_OK)
            status = look(t, error);
    }
    return status;
}

/* ---- IS-H1, IS-H3: 8,000 spheres ---- */

/*  The largest speed that the source's 14 runs in 500 steps imply, 0.05 r in 35.7 steps with a factor
    of 1.05. Step numbers are the source's own; here the window begins when motion has calmed down to
    this over so many steps. */
#define CALM 1.33e-3
#define CALM_STEPS 50
#define MAX_STEPS 12000

static scree_status wait_for_calm(theatre *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    int calm = 0;
    while (status == SCREE_OK && calm < CALM_STEPS && t->c.step < MAX_STEPS) {
        status = scree_compression_step(&t->c, error);
        calm = scree_compression_speed(&t->c) <= CALM ? calm + 1 : 0;
    }
    return status == SCREE_OK ? look(t, error) : status;
}

/*  Those who look on, in this order. */
enum onlookers
{
    OFF,
    STRIDE,
    CAREFUL, /* places are looked at as well */
    FIRST_SKIN,
};

static void judge_stride(scree_study *study, const theatre *t, size_t n)
{
    const scree_observer *off = &t->observer[OFF], *stride = &t->observer[STRIDE];
    const scree_observer *careful = &t->observer[CAREFUL];
    double runs = (double)stride->runs / (double)stride->steps;
    double pairs = (double)stride->pair_count / (double)off->pair_count;
    double gain = off->sec / stride->sec, rest = scree_compression_seconds(&t->c);
    double share = stride->sec / (stride->sec + rest);
    double to_ns = 1e9 / (double)(n * stride->steps);
    scree_claim *claim = scree_study_claim(
        study, "IS-H1", "IS-11 IS-13",
        "8,000 spheres, stride 0.05 r: runs <= 3 % of steps, share of time < 2 %,\n"
        "              potential pairs <= +15 %, collider time at least 15 times less");
    scree_claim_say(claim,
                    "%llu runs in %llu steps (%.1f %%), share %.1f %% (%.1f %% without stride),",
                    (unsigned long long)stride->runs, (unsigned long long)stride->steps, 100 * runs,
                    100 * share, 100 * off->sec / (off->sec + rest));
    scree_claim_say(claim,
                    "\npairs +%.1f %%, collider time %.1f times less; %.1f times if places are "
                    "looked at",
                    100 * (pairs - 1), gain, off->sec / careful->sec);
    scree_claim_say(claim,
                    "\n%.1f ns a sphere and step without, %.1f with stride, %.1f with places, %.1f "
                    "for the rest of a step of the stand-in;\n%zu spheres, from step %llu on",
                    off->sec * to_ns, stride->sec * to_ns, careful->sec * to_ns, rest * to_ns, n,
                    (unsigned long long)(t->c.step - stride->steps));
    claim->pass = runs <= 0.03 && share < 0.02 && pairs <= 1.15 && gain >= 15;
}

/*  The table of the source: where the time of a step goes, without and with stride (row IS-27). The
    spheres are moved once, so all but the collider is the same in both halves; the parts of the
    collider are steps without a run, mapping, and the search. */
static void tabulate_engines(scree_study *study, const theatre *t)
{
    static const char *const names[SCREE_ENGINES] = {
        [SCREE_ENGINE_RESET] = "force reset",         [SCREE_ENGINE_BOUNDS] = "bounding volumes",
        [SCREE_ENGINE_INTERACTIONS] = "interactions", [SCREE_ENGINE_WALLS] = "walls",
        [SCREE_ENGINE_INTEGRATOR] = "integrator",
    };
    static const char *const runs[2] = {"off", "stride 0.05 r"};
    scree_engine_row rows[SCREE_ENGINES + 4] = {{.name = "collider"},
                                                {.name = "is a run due?", .is_part = true},
                                                {.name = "map and sort", .is_part = true},
                                                {.name = "search", .is_part = true}};
    for (int r = 0; r < 2; r++) {
        const scree_observer *o = &t->observer[r == 0 ? OFF : STRIDE];
        rows[0].count[r] = rows[2].count[r] = rows[3].count[r] = o->runs;
        rows[1].count[r] = o->steps - o->runs;
        rows[0].seconds[r] = o->sec;
        rows[1].seconds[r] = o->sec - o->sec_runs;
        rows[2].seconds[r] = o->sec_runs - o->sec_pairs;
        rows[3].seconds[r] = o->sec_pairs;
        for (int k = 0; k < SCREE_ENGINES; k++) {
            rows[4 + k].name = names[k];
            rows[4 + k].count[r] = o->steps;
            rows[4 + k].seconds[r] = t->c.sec[k];
        }
    }
    scree_study_engines(study, runs, rows, SCREE_COUNT_OF(rows));
    scree_study_write(study, "%-26s", "interactions (real ratio)");
    for (int r = 0; r < 2; r++) {
        uint64_t pairs = t->observer[r == 0 ? OFF : STRIDE].pair_count;
        scree_study_write(study, " %21llu (%.4f)", (unsigned long long)pairs,
                          (double)t->c.contacts / (double)pairs);
    }
    scree_study_write(study, "\n");
}

static void judge_sweeps(scree_study *study, const theatre *t)
{
    static const double sweep[] = {0, 0.05, 0.1, 0.2};
    static const double published[] = {0.56, 0.50, 0.43};
    double ratio[4];
    static const size_t which[] = {OFF, FIRST_SKIN, FIRST_SKIN + 1, FIRST_SKIN + 2};
    scree_claim *claim = scree_study_claim(
        study, "IS-H3", "IS-11 IS-12",
        "real / potential contacts at sweep 0, 0.05, 0.1, 0.2 r: 0.56, ~0.50, ~0.43, "
        "lower");
    scree_chart *chart =
        scree_study_chart(study, "insertion-sort-sweep.svg", "Real over potential contacts",
                          "dense packing of the stand-in; boxes enlarged by the sweep",
                          "sweep / r + 0.01", "real / potential");
    scree_curve *curve = scree_chart_curve(chart, "stand-in");
    scree_curve *source = scree_chart_curve(chart, "published");
    source->dashed = true;
    claim->pass = true;
    for (size_t k = 0; k < 4; k++) {
        ratio[k] = (double)t->c.contacts / (double)t->observer[which[k]].pair_count;
        scree_claim_say(claim, "%s%.3f", k ? ", " : "", ratio[k]);
        scree_curve_add(curve, sweep[k] + 0.01, ratio[k]);
        if (k < 3) {
            scree_curve_add(source, sweep[k] + 0.01, published[k]);
            claim->pass =
                claim->pass && ratio[k] > published[k] - 0.06 && ratio[k] < published[k] + 0.06;
        }
    }
    scree_claim_say(claim, "; %.2f contacts a sphere (within 0.06 passes)",
                    2 * (double)t->c.contacts / (double)t->c.count);
    claim->pass = claim->pass && ratio[3] < ratio[2];
}

static scree_status measure_stride(scree_study *study, scree_error *error)
{
    theatre t;
    size_t n = study->quick ? 2000 : 8000;
    memset(&t, 0, sizeof t);
    scree_study_tell(study, "IS-H1, IS-H3: %zu spheres", n);
    scree_status status = scree_compression_create(n, study->seed, &t.c, error);
    if (status != SCREE_OK)
        return status;
    const scree_margin_def margins[] = {
        scree_margin_of(SCREE_MARGIN_NONE, 0),      stride_of(0.05),
        scree_margin_of(SCREE_MARGIN_STRIDE, 0.05), scree_margin_of(SCREE_MARGIN_SKIN, 0.05),
        scree_margin_of(SCREE_MARGIN_SKIN, 0.1),    scree_margin_of(SCREE_MARGIN_SKIN, 0.2),
    };
    static const char *const names[] = {"off",       "stride",   "careful",
                                        "skin 0.05", "skin 0.1", "skin 0.2"};
    for (size_t k = 0; k < SCREE_COUNT_OF(margins) && status == SCREE_OK; k++)
        status = invite(&t, names[k], &margins[k], error);
    if (status == SCREE_OK)
        status = wait_for_calm(&t, error);
    if (status == SCREE_OK)
        status = play(&t, 500, error);
    if (status == SCREE_OK) {
        judge_stride(study, &t, n);
        tabulate_engines(study, &t);
        judge_sweeps(study, &t);
    }
    close_theatre(&t);
    return status;
}

/* ---- IS-H2: 50,000 spheres ---- */

#define BLOCK 500

static scree_status measure_blocks(scree_study *study, scree_error *error)
{
    theatre t;
    uint64_t before = UINT64_MAX;
    size_t n = study->quick ? 5000 : 50000;
    memset(&t, 0, sizeof t);
    scree_study_tell(study, "IS-H2: %zu spheres", n);
    scree_status status = scree_compression_create(n, study->seed, &t.c, error);
    const scree_margin_def margin = stride_of(0.1);
    if (status == SCREE_OK)
        status = invite(&t, "stride", &margin, error);
    if (status == SCREE_OK)
        status = play_alone(&t, 1000, error);
    scree_claim *claim = scree_study_claim(
        study, "IS-H2", "IS-14",
        "50,000 spheres, 0.1 r: runs fall over four blocks of 500 steps, to <= 7 % in the last");
    scree_chart *chart = scree_study_chart(
        study, "insertion-sort-blocks.svg", "Runs as the motion fades",
        "stride 0.1 r, blocks of 500 steps after the first 1000", "block", "runs in 500 steps");
    scree_curve *curve = scree_chart_curve(chart, "stand-in");
    scree_curve *source = scree_chart_curve(chart, "published");
    static const double published[] = {374, 156, 84, 34};
    source->dashed = true;
    claim->pass = true;
    for (uint64_t block = 0; block < 4 && status == SCREE_OK; block++) {
        scree_observer *stride = &t.observer[0];
        status = play(&t, BLOCK, error);
        scree_claim_say(claim, "%s%llu", block ? ", " : "", (unsigned long long)stride->runs);
        scree_curve_add(curve, (double)block + 1, (double)stride->runs);
        scree_curve_add(source, (double)block + 1, published[block]);
        claim->pass = claim->pass && stride->runs < before;
        before = stride->runs;
    }
    scree_claim_say(claim, " of 500 steps (%zu spheres, %.4f r a step at the end)", n,
                    scree_compression_speed(&t.c));
    claim->pass = claim->pass && (double)before <= 0.07 * BLOCK;
    close_theatre(&t);
    return status;
}

/* ---- threads ---- */

static scree_status measure_threads(scree_study *study, scree_error *error)
{
    scree_entry entry = scree_entry_make("insertion-sort", "uniform", study->quick ? 20000 : 100000,
                                         study->seed, SCREE_MOTION_ALL, 0.05, 20);
    return scree_study_speed_up(study, "IS-31", &entry, error);
}

scree_status scree_bench_yade(scree_study *study, scree_error *error)
{
    static scree_study_part *const parts[] = {
        measure_stride,   measure_blocks,   scree_yade_mixed_speeds, scree_yade_audits,
        scree_yade_sizes, scree_yade_churn, measure_threads,
    };
    scree_status status = SCREE_OK;
    for (size_t k = 0; k < SCREE_COUNT_OF(parts) && status == SCREE_OK; k++)
        status = parts[k](study, error);
    return status;
}
