/*  scree-bench meshes --peers: other libraries on the same two meshes. The programs are built by ./do bench peers; each runs in
    a process of its own under limits, as those of scree-bench peers do. */
#include "app/bench/meshes_peers.h"

#include "app/bench/peers.h"
#include "cases/mesh_case.h"
#include "common/report.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static const char *const libraries[] = {"scree", "fcl", "cgal", "embree", "bullet", "ode", NULL};

#define MAX_VARIANTS 16

/*  For each call of a peer: of work, and of address space. */
#define LIMIT_SECONDS 30
#define LIMIT_BYTES ((uint64_t)8000000000)

typedef struct mesh_peer_entry
{
    char peer[SCREE_PEER_NAME], name[SCREE_PEER_NAME], question[SCREE_PEER_NOTE];
} mesh_peer_entry;

typedef struct mesh_peer_job
{
    const char *programs;
    uint64_t searches;
    scree_peer_limits limits;
    mesh_peer_entry entry[MAX_VARIANTS];
    size_t entry_count;
    char text[SCREE_PEER_TEXT];
} mesh_peer_job;

static void name_program(const mesh_peer_job *job, const char *library, char path[512])
{
    snprintf(path, 512, "%s/mesh_%s", job->programs, library);
}

/* ---- who there is ---- */

static void take_line(mesh_peer_job *job, const char *library, const char *line)
{
    mesh_peer_entry *entry = &job->entry[job->entry_count];
    size_t length;
    if (strncmp(line, "variant ", 8) != 0 || job->entry_count == MAX_VARIANTS)
        return;
    line += 8;
    length = strcspn(line, " ");
    snprintf(entry->peer, sizeof entry->peer, "%s", library);
    snprintf(entry->name, sizeof entry->name, "%.*s", (int)length, line);
    snprintf(entry->question, sizeof entry->question, "%s", line[length] ? line + length + 1 : "");
    job->entry_count++;
}

/*  A library that is missing, or cannot list what it offers, is left out and named in the report. */
static void ask_library(mesh_peer_job *job, const char *library)
{
    char path[512], why[SCREE_PEER_NOTE] = "it is not there", word[] = "list";
    char *argv[] = {path, word, NULL};
    name_program(job, library, path);
    if (access(path, X_OK) != 0 || !scree_peer_call(argv, &job->limits, job->text, why)) {
        fprintf(stderr, "scree-bench: meshes: %s is left out: %s\n", path, why);
        return;
    }
    for (char *line = job->text, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        take_line(job, library, line);
    }
}

/* ---- one variant, one case ---- */

static const scree_report_column columns[] = {
    {"bodies", true, false},   {"gap", false, false},     {"peer", true, false},
    {"question", true, false}, {"answer", false, false},  {"find_us", false, false},
    {"times", false, false},   {"move_us", false, false}, {"build_us", false, false},
    {"note", true, false},
};

typedef struct mesh_peer_figures
{
    double answer, find, move, build;
} mesh_peer_figures;

/*  False, with a note, where there are none. */
static bool measure(mesh_peer_job *job, const mesh_peer_entry *entry, size_t number,
                    mesh_peer_figures *figures, char note[SCREE_PEER_NOTE])
{
    char path[512], word[] = "run", name[SCREE_PEER_NAME], text[3][32];
    char *argv[] = {path, word, name, text[0], text[1], text[2], NULL};
    name_program(job, entry->peer, path);
    snprintf(name, sizeof name, "%s", entry->name);
    snprintf(text[0], sizeof text[0], "%zu", number);
    snprintf(text[1], sizeof text[1], "%" PRIu64, job->searches);
    /* early enough that the limit is for those that cannot end */
    snprintf(text[2], sizeof text[2], "%.3f", job->limits.seconds / 3);
    if (!scree_peer_call(argv, &job->limits, job->text, note))
        return false;
    if (sscanf(job->text, "done answer=%lf find=%lf move=%lf build=%lf", &figures->answer,
               &figures->find, &figures->move, &figures->build) == 4 &&
        figures->find > 0)
        return true;
    snprintf(note, SCREE_PEER_NOTE, "its answer is not understood");
    return false;
}

/*  The first of them is scree, to which the others' times are held. */
static void report_case(mesh_peer_job *job, size_t number, int format, scree_report *report)
{
    const char *none = format == SCREE_REPORT_TABLE ? "-" : "0";
    double first = 0;
    for (size_t e = 0; e < job->entry_count; e++) {
        mesh_peer_figures f = {0, 0, 0, 0};
        char note[SCREE_PEER_NOTE] = "";
        bool good = measure(job, &job->entry[e], number, &f, note);
        first = e == 0 ? f.find : first;
        const double values[] = {f.answer, f.find, first > 0 ? f.find / first : 0, f.move, f.build};
        scree_report_add(report, "%s", scree_mesh_case_name(number));
        scree_report_add(report, "%g", scree_mesh_case_gap(number));
        scree_report_add(report, "%s", job->entry[e].name);
        scree_report_add(report, "%s", job->entry[e].question);
        for (size_t v = 0; v < SCREE_COUNT_OF(values); v++)
            if (good)
                scree_report_add(report, "%.4g", values[v]);
            else
                scree_report_add(report, "%s", none);
        scree_report_add(report, "%s", note);
    }
}

int scree_bench_meshes_peers(const char *programs, uint64_t searches, int format)
{
    static mesh_peer_job job;
    scree_report report;
    job.programs = programs;
    job.searches = searches;
    job.limits = (scree_peer_limits){LIMIT_SECONDS, LIMIT_BYTES, SCREE_PEER_FILE_BYTES};
    for (size_t k = 0; libraries[k]; k++)
        ask_library(&job, libraries[k]);
    if (job.entry_count == 0 || strcmp(job.entry[0].peer, "scree") != 0) {
        fputs("scree-bench: meshes: ./do bench peers builds the programs\n", stderr);
        return SCREE_EXIT_SYSTEM;
    }
    scree_report_begin(&report, columns, SCREE_COUNT_OF(columns));
    for (size_t number = 0; number < SCREE_MESH_CASES; number++)
        report_case(&job, number, format, &report);
    int code = scree_report_end(&report, format, stdout);
    if (code == SCREE_EXIT_OK && format == SCREE_REPORT_TABLE)
        fputs("\nMicroseconds of processor time of two bodies of 1,280 triangles. No other library "
              "answers "
              "scree's\nquestion, so times compare different work: candidates still want their "
              "triangles tested,\na least distance is one pair of many. move: what a library does "
              "when a body has moved;\nbuild: once for each mesh.\n",
              stdout);
    return code;
}
