/*  What was measured, three times: a table for each case as soon as it is done, all figures as CSV or
    JSON, and a page with one matrix for each number of bodies, a chart next to it. */
#include "app/bench/peers.h"
#include "app/bench/published.h"
#include "common/machine.h"
#include "common/out_file.h"
#include "common/report.h"
#include "measure/bars.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static double ns_per_body(const scree_peer_case *c, double sec)
{
    return sec * 1e9 / (double)c->n;
}

static double times_scree(const scree_peer_case *c, size_t e)
{
    return c->figures[e].sec / c->figures[0].sec;
}

/*  "1234", "56.7" or "8.91". */
static const char *format_short(double value, char text[24])
{
    snprintf(text, 24, value >= 100 ? "%.0f" : "%.3g", value);
    return text;
}

/* ---- one case ---- */

/*  Indexes of the measured entries, the fastest first. */
static size_t sort_entries(const scree_peer_job *job, const scree_peer_case *c,
                           size_t order[SCREE_PEER_ENTRIES])
{
    size_t count = 0;
    for (size_t e = 0; e < job->entry_count; e++) {
        if (!c->figures[e].measured)
            continue;
        size_t k = count++;
        for (; k > 0 && c->figures[order[k - 1]].sec > c->figures[e].sec; k--)
            order[k] = order[k - 1];
        order[k] = e;
    }
    return count;
}

static const scree_report_column case_columns[] = {
    {"peer", true, false},    {"ns_per_body", false, false},
    {"times", false, false},  {"build", false, false},
    {"find", false, false},   {"filter", false, false},
    {"median", false, false}, {"worst", false, false},
    {"runs", false, false},   {"bytes_per_body", false, false},
};

/*  Those left out, with their reasons; entries with the same reason together. */
static void print_left_out(const scree_peer_job *job, const scree_peer_case *c)
{
    bool said[SCREE_PEER_ENTRIES] = {false};
    for (size_t e = 0; e < job->entry_count; e++) {
        const char *note = c->figures[e].note;
        if (c->figures[e].measured || said[e])
            continue;
        const char *before = "left out: ";
        for (size_t k = e; k < job->entry_count; k++)
            if (!c->figures[k].measured && strcmp(c->figures[k].note, note) == 0) {
                printf("%s%s", before, job->entry[k].name);
                before = ", ";
                said[k] = true;
            }
        printf(" (%s)\n", note);
    }
}

int scree_peers_print_case(const scree_peer_job *job, size_t index)
{
    const scree_peer_case *c = &job->cases[index];
    size_t order[SCREE_PEER_ENTRIES], count = sort_entries(job, c, order);
    bool moving = strcmp(c->motion, "none") != 0;
    scree_report report;
    printf("%sscene %s, n = %" PRIu64 ", %.0f pairs, motion %s: ns a body%s\n", index ? "\n" : "",
           c->scene, c->n, c->figures[0].pairs, c->motion, moving ? " and step" : "");
    scree_report_begin(&report, case_columns, SCREE_COUNT_OF(case_columns));
    for (size_t k = 0; k < count; k++) {
        const scree_peer_figures *f = &c->figures[order[k]];
        scree_report_add(&report, "%s", job->entry[order[k]].name);
        scree_report_add(&report, "%.1f", ns_per_body(c, f->sec));
        scree_report_add(&report, "%.2f", times_scree(c, order[k]));
        scree_report_add(&report, "%.1f", ns_per_body(c, f->build));
        scree_report_add(&report, "%.1f", ns_per_body(c, f->find));
        scree_report_add(&report, "%.1f", ns_per_body(c, f->filter));
        scree_report_add(&report, "%.1f", ns_per_body(c, f->median));
        scree_report_add(&report, "%.1f", ns_per_body(c, f->worst));
        scree_report_add(&report, "%u", f->runs);
        scree_report_add(&report, "%.0f", f->bytes / (double)c->n);
    }
    int code = scree_report_end(&report, SCREE_REPORT_TABLE, stdout);
    print_left_out(job, c);
    fflush(stdout);
    return code;
}

/* ---- all figures ---- */

static const scree_report_column all_columns[] = {
    {"scene", true, false},        {"n", false, false},
    {"motion", true, false},       {"peer", true, false},
    {"ns_per_body", false, false}, {"times", false, false},
    {"build", false, false},       {"find", false, false},
    {"filter", false, false},      {"median", false, false},
    {"worst", false, false},       {"runs", false, false},
    {"pairs", false, false},       {"bytes_per_body", false, false},
    {"note", true, false},
};

int scree_peers_print_all(const scree_peer_job *job, int format, FILE *out)
{
    scree_report report;
    scree_report_begin(&report, all_columns, SCREE_COUNT_OF(all_columns));
    for (size_t k = 0; k < job->case_count; k++)
        for (size_t e = 0; e < job->entry_count; e++) {
            const scree_peer_case *c = &job->cases[k];
            const scree_peer_figures *f = &c->figures[e];
            const double values[] = {ns_per_body(c, f->sec),
                                     f->measured ? times_scree(c, e) : 0,
                                     ns_per_body(c, f->build),
                                     ns_per_body(c, f->find),
                                     ns_per_body(c, f->filter),
                                     ns_per_body(c, f->median),
                                     ns_per_body(c, f->worst),
                                     f->runs,
                                     f->pairs,
                                     f->bytes / (double)c->n};
            scree_report_add(&report, "%s", c->scene);
            scree_report_add(&report, "%" PRIu64, c->n);
            scree_report_add(&report, "%s", c->motion);
            scree_report_add(&report, "%s", job->entry[e].name);
            for (size_t v = 0; v < SCREE_COUNT_OF(values); v++)
                scree_report_add(&report, "%.10g", values[v]);
            scree_report_add(&report, "%s", f->note);
        }
    return scree_report_end(&report, format, out);
}

/* ---- the chart ---- */

#define MAX_BARS 2048

/*  Is this the fastest variant of its library? All methods of scree are shown. */
static bool is_best(const scree_peer_job *job, const scree_peer_case *c, const size_t *order,
                    size_t at)
{
    const scree_peer_entry *entry = &job->entry[order[at]];
    for (size_t k = 0; k < at && !entry->is_scree; k++)
        if (strcmp(job->entry[order[k]].package, entry->package) == 0)
            return false;
    return c->figures[order[at]].measured;
}

typedef struct chart
{
    const scree_peer_job *job;
    uint64_t n;
} chart;

static void write_chart(const void *data, FILE *out)
{
    static scree_bar bars[MAX_BARS];
    static char notes[MAX_BARS][24], names[SCREE_PEER_CASES][2 * SCREE_PEER_NAME + 16];
    static scree_bar_group groups[SCREE_PEER_CASES];
    const chart *shown = data;
    const scree_peer_job *job = shown->job;
    size_t used = 0, group_count = 0;
    for (size_t k = 0; k < job->case_count; k++) {
        const scree_peer_case *c = &job->cases[k];
        size_t order[SCREE_PEER_ENTRIES], count = sort_entries(job, c, order), begin = used;
        if (c->n != shown->n)
            continue;
        for (size_t at = 0; at < count && used < MAX_BARS; at++) {
            const scree_peer_entry *entry = &job->entry[order[at]];
            if (!is_best(job, c, order, at))
                continue;
            snprintf(notes[used], sizeof notes[used], "(%.1f x)", times_scree(c, order[at]));
            bars[used] = (scree_bar){entry->name, ns_per_body(c, c->figures[order[at]].sec),
                                     notes[used], entry->is_scree};
            used++;
        }
        bool moving = strcmp(c->motion, "none") != 0;
        snprintf(names[group_count], sizeof names[0], "%s%s%s", c->scene, moving ? ", moving " : "",
                 moving ? c->motion : "");
        groups[group_count] = (scree_bar_group){names[group_count], bars + begin, used - begin};
        group_count++;
    }
    char title[96];
    snprintf(title, sizeof title, "All pairs of %" PRIu64 " bodies", shown->n);
    scree_bars page = {
        title,
        "build and all pairs, or a step where bodies move; the fastest variant of each "
        "library, and times scree",
        "ns a body, one thread", groups, group_count};
    scree_bars_write(&page, out);
}

/* ---- the page ---- */

static const char preface[] =
    "The same bodies, the same rule, one process for each library, one thread. Bodies are\n"
    "handed over as arrays of doubles; a library gets boxes that are never smaller than the\n"
    "volumes (in floats where it works in floats), and every candidate it reports is put to\n"
    "scree's rule for spheres or boxes, in doubles, within the measured time. So all end with\n"
    "the same pairs in memory: a checksum of the pairs is compared in every step, and they are\n"
    "equal wherever a figure stands here.\n"
    "\n"
    "Still bodies: from unsorted arrays to the last pair, the median of the repeats; making the\n"
    "objects that a library wants is part of it, making its world is not. Moving bodies\n"
    "(`all:0.01`: each by 1 % of its radius a step; `few:1:0.1`: 1 % of them by a tenth of their\n"
    "radius): the mean of a step, in which the library follows as its makers intend, and all\n"
    "pairs are found. Libraries that keep enlarged pairs from step to step, and `+skin` and\n"
    "`+tolerance` of scree, put those to the rule in every step.\n"
    "\n"
    "Time is processor time of the process, with memory that it already has: the first repeat,\n"
    "which waits for the kernel, is one of several. Libraries that are headers alone are\n"
    "compiled for this machine, the others are as Debian compiled them.\n";

static void write_settings(const scree_peer_job *job, FILE *out)
{
    fputs("\n## Settings\n\n| peer | settings |\n|---|---|\n", out);
    for (size_t e = 0; e < job->entry_count; e++)
        fprintf(out, "| %s | %s |\n", job->entry[e].name, job->entry[e].settings);
    if (job->missing[0])
        fprintf(out, "\nNot on this machine: %s.\n", job->missing);
}

/*  The cases of one matrix, or of one page of it. */
typedef struct matrix
{
    const scree_peer_job *job;
    size_t list[SCREE_PEER_CASES], count;
    bool moving;
} matrix;

static void write_row(const matrix *m, size_t e, FILE *out)
{
    char text[24];
    fprintf(out, "| %s |", m->job->entry[e].name);
    for (size_t k = 0; k < m->count; k++) {
        const scree_peer_case *c = &m->job->cases[m->list[k]];
        const scree_peer_figures *f = &c->figures[e];
        if (!f->measured) {
            fputs(" - |", out);
            continue;
        }
        fprintf(out, " %s", format_short(ns_per_body(c, f->sec), text));
        if (m->moving)
            fprintf(out, " / %s", format_short(ns_per_body(c, f->worst), text));
        fprintf(out, " (%s) |", format_short(times_scree(c, e), text));
    }
    fputc('\n', out);
}

static bool has_figure(const matrix *m, size_t e)
{
    for (size_t k = 0; k < m->count; k++)
        if (m->job->cases[m->list[k]].figures[e].measured)
            return true;
    return false;
}

/*  Why an entry has no figures, each reason with all its cases. */
static void write_reasons(const matrix *m, size_t e, FILE *out)
{
    bool said[SCREE_PEER_CASES] = {false};
    for (size_t k = 0; k < m->count; k++) {
        const scree_peer_figures *f = &m->job->cases[m->list[k]].figures[e];
        /* what a peer is not made for is seen from its name */
        if (f->measured || said[k] || strstr(f->note, "for "))
            continue;
        fprintf(out, "- %s", m->job->entry[e].name);
        for (size_t other = k; other < m->count; other++) {
            const scree_peer_case *c = &m->job->cases[m->list[other]];
            if (c->figures[e].measured || strcmp(c->figures[e].note, f->note) != 0)
                continue;
            fprintf(out, ", %s%s%s", c->scene, m->moving ? " " : "", m->moving ? c->motion : "");
            said[other] = true;
        }
        fprintf(out, ": %s\n", f->note);
    }
}

/*  Entries over the cases with this many bodies, still ones or moving ones. */
static void write_matrix(const scree_peer_job *job, uint64_t n, bool moving, FILE *out)
{
    matrix m = {.job = job, .moving = moving};
    for (size_t k = 0; k < job->case_count; k++)
        if (job->cases[k].n == n && (strcmp(job->cases[k].motion, "none") != 0) == moving)
            m.list[m.count++] = k;
    if (m.count == 0)
        return;
    fprintf(out, "\n### %s\n\nns a body%s (times %s)\n\n| peer |", moving ? "Moving" : "Still",
            moving ? " and step, the mean / the worst step" : "", job->entry[0].name);
    for (size_t k = 0; k < m.count; k++)
        fprintf(out, " %s%s%s |", job->cases[m.list[k]].scene, moving ? " " : "",
                moving ? job->cases[m.list[k]].motion : "");
    fputs("\n|---|", out);
    for (size_t k = 0; k < m.count; k++)
        fputs("---|", out);
    fputc('\n', out);
    for (size_t e = 0; e < job->entry_count; e++)
        if (has_figure(&m, e))
            write_row(&m, e, out);
    fputc('\n', out);
    for (size_t e = 0; e < job->entry_count; e++)
        write_reasons(&m, e, out);
}

/*  The index-th number of bodies that cases have; false if there are not so many. */
static bool find_size(const scree_peer_job *job, size_t index, uint64_t *n)
{
    for (size_t k = 0; k < job->case_count; k++) {
        bool is_new = true;
        for (size_t before = 0; before < k; before++)
            is_new = is_new && job->cases[before].n != job->cases[k].n;
        if (is_new && index-- == 0) {
            *n = job->cases[k].n;
            return true;
        }
    }
    return false;
}

static void write_page(const void *data, FILE *out)
{
    const scree_peer_job *job = data;
    char processor[128], date[32];
    uint64_t n;
    scree_machine_processor(processor);
    scree_machine_date(date);
    fprintf(
        out,
        "# scree beside other libraries\n\nMeasured %s on %s (%s), with a %s when it began, by\n"
        "`scree-bench peers`, scree %s, seed %" PRIu64 ", %" PRIu64 " repeats or %" PRIu64
        " steps, fewer where\nthey took long. Versions: %s.\n\n%s",
        date, processor, scree_simd_name(scree_simd_resolve(SCREE_SIMD_AUTO)), job->load,
        SCREE_VERSION_TEXT, job->seed, job->repeats, job->steps, job->versions, preface);
    for (size_t k = 0; find_size(job, k, &n); k++) {
        fprintf(out, "\n## %" PRIu64 " bodies\n\n![bars](peers-%" PRIu64 ".svg)\n", n, n);
        write_matrix(job, n, false, out);
        write_matrix(job, n, true, out);
    }
    write_settings(job, out);
}

static void write_all(const void *data, FILE *out)
{
    scree_peers_print_all(data, SCREE_REPORT_CSV, out);
}

int scree_peers_write(const scree_peer_job *job, const char *folder)
{
    uint64_t n;
    int code = scree_make_folder(folder);
    if (code == SCREE_EXIT_OK)
        code = scree_write_into(folder, "peers.md", write_page, job);
    if (code == SCREE_EXIT_OK)
        code = scree_write_into(folder, "peers.csv", write_all, job);
    for (size_t k = 0; code == SCREE_EXIT_OK && find_size(job, k, &n); k++) {
        char name[48];
        chart shown = {job, n};
        snprintf(name, sizeof name, "peers-%" PRIu64 ".svg", n);
        code = scree_write_into(folder, name, write_chart, &shown);
    }
    return code;
}
