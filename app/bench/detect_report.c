/*  The figures of scree-bench detect, and how they grow with the number of bodies. */
#include "app/bench/detect.h"
#include "common/report.h"

static const scree_report_column run_columns[] = {
    {"method", true, false},   {"scene", true, true},         {"n", false, true},
    {"steps", false, true},    {"threads", false, true},      {"simd", true, true},
    {"ms", false, false},      {"ns_per_body", false, false}, {"ns_per_pair", false, false},
    {"tested", false, false},  {"pairs", false, false},       {"bytes_per_body", false, false},
    {"checksum", true, false}, {"runs", false, false},        {"mapped", false, false},
    {"late", false, false},
};

/*  Those after the checksum are for runs with a margin. */
static size_t run_column_count(const scree_job *job)
{
    return SCREE_COUNT_OF(run_columns) - (job->trial.advances ? 0 : 3);
}

static void add_run(const scree_job *job, uint64_t n, const char *method,
                    const scree_measure *measure, scree_report *report)
{
    double steps = job->trial.steps, ns = measure->sec * 1e9;
    double pairs = (double)measure->pairs, bodies = (double)n * steps;
    scree_report_add(report, "%s", method);
    scree_report_add(report, "%s", job->trial.scene);
    scree_report_add(report, "%llu", (unsigned long long)n);
    scree_report_add(report, "%u", job->trial.steps);
    scree_report_add(report, "%u", job->trial.threads);
    scree_report_add(report, "%s", scree_simd_name(scree_simd_resolve(job->trial.simd)));
    scree_report_add(report, "%.3f", ns / steps / 1e6);
    scree_report_add(report, "%.1f", bodies > 0 ? ns / bodies : 0);
    scree_report_add(report, "%.1f", pairs > 0 ? ns / pairs : 0);
    scree_report_add(report, "%.0f", (double)measure->tested / steps);
    scree_report_add(report, "%.0f", pairs / steps);
    scree_report_add(report, "%.0f", n ? (double)measure->bytes / (double)n : 0);
    scree_report_add(report, "%016llx", (unsigned long long)measure->checksum);
    if (!job->trial.advances)
        return;
    scree_report_add(report, "%llu", (unsigned long long)measure->runs);
    scree_report_add(report, "%llu", (unsigned long long)measure->mapped);
    scree_report_add(report, "%llu", (unsigned long long)measure->late);
}

static int print_runs(const scree_job *job, const scree_job_row *rows)
{
    scree_report report;
    int code = SCREE_EXIT_OK;
    bool table = job->format == SCREE_REPORT_TABLE;
    scree_report_begin(&report, run_columns, run_column_count(job));
    for (size_t s = 0; s < job->size_count; s++) {
        for (size_t m = 0; m < job->method_count; m++)
            if (rows[s][m].measured)
                add_run(job, job->size[s], job->method[m], &rows[s][m].measure, &report);
        if (!table)
            continue;
        printf("%sscene %s, n = %llu, %u step%s, %u thread%s, %s\n", s ? "\n" : "",
               job->trial.scene, (unsigned long long)job->size[s], job->trial.steps,
               job->trial.steps == 1 ? "" : "s", job->trial.threads,
               job->trial.threads == 1 ? "" : "s",
               scree_simd_name(scree_simd_resolve(job->trial.simd)));
        code = scree_report_end(&report, job->format, stdout);
        scree_report_begin(&report, run_columns, run_column_count(job));
    }
    return table ? code : scree_report_end(&report, job->format, stdout);
}

/*  How far a fitted exponent may be from the claim: caches make small scenes look cheap. */
#define EXPONENT_TOLERANCE 0.15

static const scree_report_column scaling_columns[] = {
    {"method", true, false},  {"scene", true, true},      {"from", false, false},
    {"to", false, false},     {"exponent", false, false}, {"claim", false, false},
    {"verdict", true, false},
};

static void add_scaling(const scree_job *job, size_t m, int dimensions, const scree_job_row *rows,
                        scree_report *report)
{
    double x[SCREE_JOB_SIZES], y[SCREE_JOB_SIZES];
    size_t count = 0;
    double claim = scree_method_by_name(job->method[m])->exponent[dimensions - 2];
    for (size_t s = 0; s < job->size_count; s++)
        if (rows[s][m].measured) {
            x[count] = (double)job->size[s];
            y[count++] = rows[s][m].measure.sec;
        }
    if (count < 2)
        return;
    double exponent = scree_fit_exponent(x, y, count);
    const char *verdict = claim <= 0                              ? "no claim"
                          : exponent > claim + EXPONENT_TOLERANCE ? "worse"
                          : exponent < claim - EXPONENT_TOLERANCE ? "better"
                                                                  : "as claimed";
    scree_report_add(report, "%s", job->method[m]);
    scree_report_add(report, "%s", job->trial.scene);
    scree_report_add(report, "%.0f", x[0]);
    scree_report_add(report, "%.0f", x[count - 1]);
    scree_report_add(report, "%.2f", exponent);
    scree_report_add(report, "%.2f", claim);
    scree_report_add(report, "%s", verdict);
}

static int print_scaling(const scree_job *job, int dimensions, const scree_job_row *rows)
{
    scree_report report;
    if (job->format == SCREE_REPORT_TABLE)
        printf("\ntime ~ n^exponent\n");
    scree_report_begin(&report, scaling_columns, SCREE_COUNT_OF(scaling_columns));
    for (size_t m = 0; m < job->method_count; m++)
        add_scaling(job, m, dimensions, rows, &report);
    return scree_report_end(&report, job->format, stdout);
}

int scree_job_print(const scree_job *job, const scree_job_row *rows)
{
    scree_scene scene;
    scree_status status = scree_scene_create(job->trial.scene, 0, 0, NULL, &scene, NULL);
    if (status != SCREE_OK)
        return scree_status_error(status, NULL);
    int dimensions = scene.dimensions, code = SCREE_EXIT_OK;
    scree_scene_free(&scene);
    if (!job->scaling || job->format == SCREE_REPORT_TABLE)
        code = print_runs(job, rows);
    if (job->scaling && code == SCREE_EXIT_OK)
        code = print_scaling(job, dimensions, rows);
    return code;
}
