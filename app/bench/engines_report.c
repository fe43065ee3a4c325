/*  What scree-bench engines prints and writes. */
#include "app/bench/engines.h"
#include "app/bench/published.h"
#include "common/machine.h"
#include "common/out_file.h"
#include "common/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MARK "<!-- from here on written by hand -->\n"

static double times_scree(const scree_engine_case *c, int e)
{
    return c->figures[e].ns / c->figures[SCREE_ENGINE_SCREE].ns;
}

/* ---- one case ---- */

static const scree_report_column case_columns[] = {
    {"engine", true, false},  {"ns", false, false},    {"times", false, false},
    {"worst", false, false},  {"tries", false, false}, {"kinetic_J", false, false},
    {"settings", true, false}};

static const char *judge_aim(const scree_engine_case *c, char text[48])
{
    double ns = c->figures[SCREE_ENGINE_SCREE].ns;
    if (c->aim > 0)
        snprintf(text, 48, "aim %.0f: %s", c->aim, ns <= c->aim ? "met" : "miss");
    else
        snprintf(text, 48, "no aim");
    return text;
}

void scree_engines_print_case(const scree_engine_job *job, const scree_engine_case *c)
{
    char text[48];
    scree_report report;
    printf("%s%s, n = %" PRIu32 ", %" PRIu64 " steps: ns of processor time a body and step; %s\n",
           c == job->cases ? "" : "\n", scree_bed_name(c->kind), c->count, c->steps,
           judge_aim(c, text));
    scree_report_begin(&report, case_columns, SCREE_COUNT_OF(case_columns));
    for (int e = 0; e < SCREE_ENGINES; e++) {
        const scree_engine_figures *f = &c->figures[e];
        if (!f->measured)
            continue;
        scree_report_add(&report, "%s", scree_engines[e].name);
        scree_report_add(&report, "%.1f", f->ns);
        scree_report_add(&report, "%.2f", times_scree(c, e));
        scree_report_add(&report, "%.1f", f->worst);
        scree_report_add(&report, "%" PRIu32, f->tries);
        scree_report_add(&report, "%.4g", f->kinetic);
        scree_report_add(&report, "%s", f->settings);
    }
    scree_report_end(&report, SCREE_REPORT_TABLE, stdout);
    for (int e = 0; e < SCREE_ENGINES; e++)
        if (!c->figures[e].measured)
            printf("left out: %s (%s)\n", scree_engines[e].name, c->figures[e].note);
    fflush(stdout);
}

/* ---- all figures ---- */

static const scree_report_column all_columns[] = {
    {"state", true, false},  {"n", false, false},         {"steps", false, false},
    {"engine", true, false}, {"law", true, false},        {"ns", false, false},
    {"times", false, false}, {"aim", false, false},       {"worst", false, false},
    {"tries", false, false}, {"kinetic_J", false, false}, {"settings", true, false},
    {"note", true, false}};

int scree_engines_print_all(const scree_engine_job *job, int format, FILE *out)
{
    scree_report report;
    scree_report_begin(&report, all_columns, SCREE_COUNT_OF(all_columns));
    for (size_t k = 0; k < job->case_count; k++)
        for (int e = 0; e < SCREE_ENGINES; e++) {
            const scree_engine_case *c = &job->cases[k];
            const scree_engine_figures *f = &c->figures[e];
            scree_report_add(&report, "%s", scree_bed_name(c->kind));
            scree_report_add(&report, "%" PRIu32, c->count);
            scree_report_add(&report, "%" PRIu64, c->steps);
            scree_report_add(&report, "%s", scree_engines[e].name);
            scree_report_add(&report, "%s", scree_engines[e].law);
            scree_report_add(&report, "%.6g", f->ns);
            scree_report_add(&report, "%.6g", f->measured ? times_scree(c, e) : 0);
            scree_report_add(&report, "%.6g", e == SCREE_ENGINE_SCREE ? c->aim : 0);
            scree_report_add(&report, "%.6g", f->worst);
            scree_report_add(&report, "%" PRIu32, f->tries);
            scree_report_add(&report, "%.6g", f->kinetic);
            scree_report_add(&report, "%s", f->settings);
            scree_report_add(&report, "%s", f->note);
        }
    return scree_report_end(&report, format, out);
}

/* ---- the page ---- */

static const char equalised[] =
    "What is the same: places, velocities, spins and radii at the start, to the last digit,\n"
    "from one file that scree made and settled itself; five plane walls, or the drum's 1,920\n"
    "triangles; gravity; Hertz's law with tangential history, Young's modulus 1e7 Pa,\n"
    "Poisson's ratio 0.3, restitution 0.5, friction 0.5, of grains and walls; steps of 5e-6 s\n"
    "and their number; one thread, one process. Contacts remember nothing at the start. The\n"
    "first steps of each run are not counted.\n"
    "\n"
    "What is not the same: `LAMMPS gran` has gran/hertz/history, whose damping and tangential\n"
    "stiffness are its own, and cost less than a restitution and Mindlin's; Yade's and\n"
    "LIGGGHTS's formulas for restitution differ from each other in detail. LAMMPS, LIGGGHTS\n"
    "and Yade run as Debian compiled them, without the vector instructions of this machine;\n"
    "scree chooses what the machine has when it runs. Kinetic energies at the end say whether\n"
    "the same was simulated.\n"
    "\n"
    "Time is processor time: of scree and Yade that of the process around its steps; of\n"
    "LAMMPS \"Loop time\" times \"% CPU use\"; of LIGGGHTS, which prints no processor time, what\n"
    "the kernel says of the process before and after. On a busy machine processor time is\n"
    "also longer than on a quiet one, because caches and the core's other half are shared;\n"
    "all engines suffer, not alike. One run for each setting, of scree the best of three:\n"
    "differences below a tenth say nothing.\n";

static void write_cell(const scree_engine_case *c, int e, FILE *out)
{
    const scree_engine_figures *f = &c->figures[e];
    if (!f->measured)
        fputs(" - |", out);
    else if (e == SCREE_ENGINE_SCREE)
        fprintf(out, " %.0f |", f->ns);
    else
        fprintf(out, " %.0f (%.2f) |", f->ns, times_scree(c, e));
}

static void write_figures(const scree_engine_job *job, FILE *out)
{
    fputs("\n## Nanoseconds of processor time a body and step (times scree)\n\n| state | bodies | "
          "aim "
          "|",
          out);
    for (int e = 0; e < SCREE_ENGINES; e++)
        fprintf(out, " %s |%s", scree_engines[e].name, e ? "" : " aim met |");
    fputs("\n|---|---|---|---|---|---|---|---|---|\n", out);
    for (size_t k = 0; k < job->case_count; k++) {
        const scree_engine_case *c = &job->cases[k];
        bool met = c->figures[SCREE_ENGINE_SCREE].ns <= c->aim;
        fprintf(out, "| %s | %" PRIu32 " |", scree_bed_name(c->kind), c->count);
        if (c->aim > 0)
            fprintf(out, " %.0f |", c->aim);
        else
            fputs(" - |", out);
        write_cell(c, SCREE_ENGINE_SCREE, out);
        fputs(c->aim <= 0 ? " - |" : met ? " met |" : " miss |", out);
        for (int e = SCREE_ENGINE_SCREE + 1; e < SCREE_ENGINES; e++)
            write_cell(c, e, out);
        fputc('\n', out);
    }
}

static void write_settings(const scree_engine_job *job, FILE *out)
{
    fputs(
        "\n## Settings that were best, what the worst cost, and energies\n\n"
        "| state | bodies | engine | best of | settings | ns | ns with the worst | kinetic energy, "
        "J |\n"
        "|---|---|---|---|---|---|---|---|\n",
        out);
    for (size_t k = 0; k < job->case_count; k++)
        for (int e = 0; e < SCREE_ENGINES; e++) {
            const scree_engine_case *c = &job->cases[k];
            const scree_engine_figures *f = &c->figures[e];
            fprintf(out, "| %s | %" PRIu32 " | %s |", scree_bed_name(c->kind), c->count,
                    scree_engines[e].name);
            if (f->measured)
                fprintf(out, " %" PRIu32 " | %s | %.1f | %.1f | %.4g |\n", f->tries, f->settings,
                        f->ns, f->worst, f->kinetic);
            else
                fprintf(out, " - | left out: %s | - | - | - |\n", f->note);
        }
}

/*  What stands below the mark in a page that is there; NULL: nothing. */
static char *read_notes(const char *folder)
{
    char path[600], *text = NULL, *notes = NULL;
    size_t size;
    FILE *there;

    snprintf(path, sizeof path, "%s/engines.md", folder);
    there = fopen(path, "r");
    if (!there)
        return NULL;
    fclose(there);
    if (scree_read_file(path, &text, &size) != SCREE_EXIT_OK)
        return NULL;
    for (size_t at = 0; at + strlen(MARK) <= size && !notes; at++)
        if (memcmp(text + at, MARK, strlen(MARK)) == 0) {
            size_t length = size - at;
            notes = malloc(length + 1);
            if (notes) {
                memcpy(notes, text + at, length);
                notes[length] = 0;
            }
        }
    free(text);
    return notes;
}

typedef struct page
{
    const scree_engine_job *job;
    const char *notes;
} page;

static void write_page(const void *data, FILE *out)
{
    const page *p = data;
    const scree_engine_job *job = p->job;
    char processor[128], date[32];

    scree_machine_processor(processor);
    scree_machine_date(date);
    fprintf(out,
            "# scree beside other engines\n\nMeasured %s on %s (%s) by\n"
            "`./do bench engines%s%s%s --work %" PRIu64 "`, scree %s%s.\n"
            "The machine had a %s when it began, and a %s at the end.\n\n%s",
            date, processor, scree_simd_name(scree_simd_resolve(SCREE_SIMD_AUTO)),
            job->quick ? " --quick" : "", job->states ? " --state " : "",
            job->states ? job->states : "", job->body_steps, SCREE_VERSION_TEXT, job->versions,
            job->load, job->load_after, equalised);
    write_figures(job, out);
    write_settings(job, out);
    fprintf(out, "\n%s", p->notes ? p->notes : MARK);
}

static void write_all(const void *data, FILE *out)
{
    const page *p = data;
    scree_engines_print_all(p->job, SCREE_REPORT_CSV, out);
}

int scree_engines_write(const scree_engine_job *job, const char *folder)
{
    char *notes = read_notes(folder);
    page p = {job, notes};
    int code = scree_make_folder(folder);

    if (code == SCREE_EXIT_OK)
        code = scree_write_into(folder, "engines.md", write_page, &p);
    if (code == SCREE_EXIT_OK)
        code = scree_write_into(folder, "engines.csv", write_all, &p);
    free(notes);
    return code;
}
