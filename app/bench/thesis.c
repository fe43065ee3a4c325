/*  scree-bench thesis: the claims of the thesis, the figures of this machine, and whether they agree. */
#include "claims/thesis.h"
#include "app/bench/published.h"
#include "app/bench/verbs.h"
#include "common/out_file.h"

/* ---- charts ---- */

/*  What a curve shows at a point of its series. */
typedef double curve_fn(const scree_thesis_set *set, const scree_thesis_series *series, size_t k);

static double ns_per_body(const scree_thesis_set *set, const scree_thesis_series *series, size_t k)
{
    (void)set;
    return series->ms[k] * 1e6 / series->x[k];
}

static double growth(const scree_thesis_set *set, const scree_thesis_series *series, size_t k)
{
    (void)set;
    return series->ms[k] / series->ms[0];
}

static double over_dess(const scree_thesis_set *set, const scree_thesis_series *series, size_t k)
{
    const scree_thesis_series *dess = scree_thesis_find(set, "dess");
    return dess && k < dess->count ? series->ms[k] / dess->ms[k] : 0;
}

static void draw(scree_chart *chart, const scree_thesis_set *set, curve_fn *y)
{
    chart->x_label = set->x_label;
    for (size_t s = 0; s < set->series_count; s++) {
        const scree_thesis_series *series = &set->series[s];
        scree_curve *curve = scree_chart_curve(chart, series->name);
        curve->dashed = series->naive;
        for (size_t k = 0; k < series->count; k++)
            scree_curve_add(curve, series->x[k], y(set, series, k));
    }
}

static void draw_all(const scree_thesis *thesis, scree_study *study)
{
    draw(scree_study_chart(study, "thesis-test1.svg", "Test 1: time over the number of discs",
                           "nanoseconds a disc and step; a horizontal line is linear time", "",
                           "ns a disc"),
         &thesis->test1, ns_per_body);
    draw(scree_study_chart(study, "thesis-test1-dess.svg", "Test 1: against DESS",
                           "time of a step over that of dess", "", "time / dess"),
         &thesis->test1, over_dess);
    draw(scree_study_chart(study, "thesis-test2.svg",
                           "Test 2: discs of different size on the lattice",
                           "800 discs; time over that at ratio 1", "", "time / time at ratio 1"),
         &thesis->test2, growth);
    draw(scree_study_chart(study, "thesis-test2-even.svg", "Size ratio at equal contacts",
                           "800 discs with about 6 neighbours each; time over that at ratio 1", "",
                           "time / time at ratio 1"),
         &thesis->even, growth);
}

/* ---- all figures ---- */

static void write_set_csv(const scree_thesis_set *set, FILE *out)
{
    for (size_t s = 0; s < set->series_count; s++) {
        const scree_thesis_series *series = &set->series[s];
        for (size_t k = 0; k < series->count; k++)
            fprintf(out, "%s,%s,%s,%g,%.6g,%.6g,%.6g,%.0f,%.0f,%.0f,%.3f\n", set->title,
                    series->name, set->x_label, series->x[k], series->ms[k], series->ms_update[k],
                    series->ms_rest[k], series->tested[k], series->pairs[k], series->inversions[k],
                    series->spread[k]);
    }
}

static void write_csv(const void *data, FILE *out)
{
    const scree_thesis *thesis = data;
    fputs("set,series,axis,x,ms,ms_update,ms_rest,tested,pairs,inversions,spread\n", out);
    write_set_csv(&thesis->test1, out);
    write_set_csv(&thesis->test2, out);
    write_set_csv(&thesis->even, out);
    write_set_csv(&thesis->accuracy, out);
}

/* ---- without a claim ---- */

/*  GC-30: dess-rtree compared with dess and rtree. */
static void note_dess_rtree(const scree_thesis *thesis, scree_study *study)
{
    static const char *const names[] = {"dess-rtree", "dess", "rtree"};
    scree_claim *note = scree_study_note(study, "Test 1", "GC-30");
    note->pass = true;
    for (size_t k = 0; k < SCREE_COUNT_OF(names); k++) {
        const scree_thesis_series *series = scree_thesis_find(&thesis->test1, names[k]);
        bool is_there = series && series->count > 1;
        scree_claim_say(note, "%s%s exponent %.2f", k ? ", " : "", names[k],
                        is_there ? scree_fit_exponent(series->x, series->ms, series->count) : 0);
        note->pass = note->pass && is_there;
    }
}

/* ---- the verb ---- */

static int run_bench_thesis(const scree_arguments *arguments)
{
    static scree_thesis thesis;
    static scree_study study;
    const scree_verb *verb = &scree_verb_bench_thesis;
    scree_error error = {SCREE_OK, ""};
    const char *folder = scree_argument(verb, arguments, "plots");
    study = scree_published_begin(verb, arguments);
    scree_thesis_options options = {study.quick, study.seed, study.progress};
    scree_status status = scree_thesis_run(&options, &thesis, &error);
    for (size_t k = 0; k < SCREE_THESIS_CLAIMS && status == SCREE_OK; k++)
        study.claim[study.claim_count++] = thesis.claim[k];
    if (status == SCREE_OK)
        note_dess_rtree(&thesis, &study);
    draw_all(&thesis, &study);
    int code = scree_published_end(verb, arguments, &study, NULL, status, &error);
    if (folder && code == SCREE_EXIT_OK)
        code = scree_write_into(folder, "thesis.csv", write_csv, &thesis);
    return code;
}

const scree_verb scree_verb_bench_thesis = {
    .name = "thesis",
    .summary = "Measures the claims of Perkins' thesis (1999) again, GC-H1 to GC-H12.",
    .text =
        "Prints each claim, the measured figure, and pass or miss. A miss is no error: nature may\n"
        "disagree with the thesis. docs/results/thesis.md explains. Exit code 1 only if methods\n"
        "find different pairs.",
    .example = "scree-bench thesis --quick",
    .options = scree_published_options,
    .run = run_bench_thesis,
};
