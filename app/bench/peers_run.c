/*  Case by case, all entries one after the other, scree first: what it finds is what the others must
    find, step by step. An entry that took long is not asked to do more than it can. */
#include "app/bench/peers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const scree_peer_libraries[] = {"grid",   "cgal",     "boost", "nanoflann",
                                            "embree", "bullet",   "ode",   "fcl",
                                            "box2d",  "chipmunk", NULL};

static void name_program(const scree_peer_job *job, const char *library, char path[512])
{
    snprintf(path, 512, "%s/peer_%s", job->programs, library);
}

/* ---- who there is ---- */

/*  Is it in the list of wanted names? */
static bool is_wanted(const scree_peer_job *job, const char *library, const char *name)
{
    const char *at = job->wanted;
    while (at && *at) {
        size_t length = strcspn(at, ",");
        if ((strlen(library) == length && memcmp(library, at, length) == 0) ||
            (strlen(name) == length && memcmp(name, at, length) == 0))
            return true;
        at += length + (at[length] == ',');
    }
    return !job->wanted;
}

static void append(char *text, size_t bytes, const char *before, const char *word)
{
    size_t used = strlen(text);
    snprintf(text + used, bytes - used, "%s%s", used ? before : "", word);
}

/*  "variant NAME SETTINGS" */
static void take_variant(scree_peer_job *job, const char *library, const char *line)
{
    if (strncmp(line, "variant ", 8) != 0 || job->entry_count == SCREE_PEER_ENTRIES)
        return;
    scree_peer_entry *entry = &job->entry[job->entry_count];
    size_t length = strcspn(line + 8, " ");
    memset(entry, 0, sizeof *entry);
    snprintf(entry->package, sizeof entry->package, "%s", library);
    snprintf(entry->name, sizeof entry->name, "%.*s", (int)length, line + 8);
    snprintf(entry->settings, sizeof entry->settings, "%s",
             line[8 + length] ? line + 9 + length : "");
    job->entry_count += is_wanted(job, library, entry->name);
}

static void ask_library(scree_peer_job *job, const char *library)
{
    static char text[SCREE_PEER_TEXT];
    char path[512], why[SCREE_PEER_NOTE], version[SCREE_PEER_NOTE] = "", word[] = "list";
    char *argv[] = {path, word, NULL};
    size_t before = job->entry_count;
    name_program(job, library, path);
    if (access(path, X_OK) != 0) {
        append(job->missing, sizeof job->missing, ", ", library);
        return;
    }
    if (!scree_peer_call(argv, &job->limits, text, why)) {
        fprintf(stderr, "scree-bench: peers: %s is left out: %s\n", path, why);
        return;
    }
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        if (strncmp(line, "version ", 8) == 0)
            snprintf(version, sizeof version, "%s %.60s", library, line + 8);
        take_variant(job, library, line);
    }
    if (job->entry_count > before)
        append(job->versions, sizeof job->versions, ", ", version);
}

int scree_peers_find(scree_peer_job *job)
{
    char path[512];
    name_program(job, "scree", path);
    if (access(path, X_OK) != 0) {
        int code = scree_system_error(path, "cannot run");
        fputs("scree-bench: peers: ./do bench peers builds the programs\n", stderr);
        return code;
    }
    for (size_t k = 0; scree_peer_libraries[k]; k++)
        ask_library(job, scree_peer_libraries[k]);
    if (job->missing[0])
        fprintf(stderr, "scree-bench: peers: not there, and left out: %s\n", job->missing);
    return SCREE_EXIT_OK;
}

/* ---- one entry, one case ---- */

/*  The number after " NAME=", 0 if it is not there. */
static double read_figure(const char *text, const char *name)
{
    char key[32];
    snprintf(key, sizeof key, " %s=", name);
    const char *at = strstr(text, key);
    return at ? strtod(at + strlen(key), NULL) : 0;
}

static bool read_figures(const char *text, scree_peer_figures *figures)
{
    if (strncmp(text, "left out: ", 10) == 0) {
        snprintf(figures->note, sizeof figures->note, "%.*s", (int)strcspn(text + 10, "\n"),
                 text + 10);
        return false;
    }
    figures->sec = read_figure(text, "sec");
    figures->build = read_figure(text, "build");
    figures->find = read_figure(text, "find");
    figures->filter = read_figure(text, "filter");
    figures->median = read_figure(text, "median");
    figures->worst = read_figure(text, "worst");
    figures->bytes = read_figure(text, "bytes");
    figures->pairs = read_figure(text, "pairs");
    figures->runs = (uint32_t)read_figure(text, "runs");
    figures->measured = strncmp(text, "done ", 5) == 0 && figures->sec > 0 && figures->runs > 0;
    if (!figures->measured)
        snprintf(figures->note, sizeof figures->note, "its answer is not understood");
    return figures->measured;
}

/*  Checksums of the steps both have done; the first that differs, or -1. */
static long first_difference(const char *ours, const char *theirs)
{
    const char *a = strstr(ours, " sums="), *b = strstr(theirs, " sums=");
    if (!a || !b)
        return 0;
    a += 6;
    b += 6;
    for (long step = 0;; step++) {
        size_t length = strcspn(a, ",\n");
        if (length == 0 || strcspn(b, ",\n") != length || memcmp(a, b, length) != 0)
            return step;
        if (a[length] != ',' || b[length] != ',')
            return -1;
        a += length + 1;
        b += length + 1;
    }
}

/*  With fewer bodies of the same scene it took at least so long for each; time is linear at best. */
static bool would_take_too_long(const scree_peer_job *job, size_t index, size_t e, char *note)
{
    const scree_peer_case *now = &job->cases[index];
    for (size_t k = index; k-- > 0;) {
        const scree_peer_case *before = &job->cases[k];
        const scree_peer_figures *f = &before->figures[e];
        if (strcmp(before->scene, now->scene) != 0 || strcmp(before->motion, now->motion) != 0)
            return false;
        bool stopped = !f->measured && strncmp(f->note, "stopped after", 13) == 0;
        bool slow =
            f->measured && f->sec * (double)now->n / (double)before->n > job->limits.seconds / 2;
        if (stopped || slow) {
            if (stopped)
                snprintf(note, SCREE_PEER_NOTE, "%" PRIu64 " bodies took too long", before->n);
            else
                snprintf(note, SCREE_PEER_NOTE, "%" PRIu64 " bodies took %.3g s", before->n,
                         f->sec);
            return true;
        }
    }
    return false;
}

/*  Calls one program; its whole answer is in `text`. */
static void measure_entry(const scree_peer_job *job, size_t index, size_t e,
                          char text[SCREE_PEER_TEXT], scree_peer_figures *figures)
{
    const scree_peer_case *c = &job->cases[index];
    char path[512], word[] = "run", name[SCREE_PEER_NAME], scene[SCREE_PEER_NAME],
                    motion[SCREE_PEER_NAME], number[5][32];
    name_program(job, job->entry[e].package, path);
    snprintf(name, sizeof name, "%s", job->entry[e].name);
    snprintf(scene, sizeof scene, "%s", c->scene);
    snprintf(motion, sizeof motion, "%s", c->motion);
    snprintf(number[0], sizeof number[0], "%" PRIu64, c->n);
    snprintf(number[1], sizeof number[1], "%" PRIu64, job->steps);
    snprintf(number[2], sizeof number[2], "%" PRIu64, job->repeats);
    snprintf(number[3], sizeof number[3], "%" PRIu64, job->seed);
    /* repeats and steps end early enough that the limit is for those that cannot end */
    snprintf(number[4], sizeof number[4], "%.3f", job->limits.seconds / 3);
    char *argv[] = {path,      word,      name,      scene,     number[0], motion,
                    number[1], number[2], number[3], number[4], NULL};
    if (scree_peer_call(argv, &job->limits, text, figures->note))
        read_figures(text, figures);
}

/*  Times of one that finds other pairs are no figures. */
static int compare_with_scree(const scree_peer_job *job, scree_peer_case *c, size_t e,
                              const char *reference, const char *text)
{
    long step = first_difference(reference, text);
    if (step < 0)
        return SCREE_EXIT_OK;
    c->figures[e].measured = false;
    snprintf(c->figures[e].note, sizeof c->figures[e].note, "it found other pairs in step %ld",
             step);
    fprintf(stderr,
            "scree-bench: peers: %s and %s disagree: scene %s, n %" PRIu64
            ", motion %s, seed %" PRIu64 ", step %ld\n",
            job->entry[0].name, job->entry[e].name, c->scene, c->n, c->motion, job->seed, step);
    return SCREE_EXIT_CHECK;
}

int scree_peers_measure(scree_peer_job *job, size_t index)
{
    static char reference[SCREE_PEER_TEXT], text[SCREE_PEER_TEXT];
    scree_peer_case *c = &job->cases[index];
    bool moving = strcmp(c->motion, "none") != 0;
    int code = SCREE_EXIT_OK;
    for (size_t e = 0; e < job->entry_count; e++) {
        scree_peer_figures *figures = &c->figures[e];
        if (job->entry[e].only_moving && !moving) {
            snprintf(figures->note, sizeof figures->note, "margins are for moving bodies");
            continue;
        }
        if (e > 0 && would_take_too_long(job, index, e, figures->note))
            continue;
        measure_entry(job, index, e, e ? text : reference, figures);
        if (e == 0 && !figures->measured) {
            fprintf(stderr, "scree-bench: peers: %s, scene %s, n %" PRIu64 ": %s\n",
                    job->entry[0].name, c->scene, c->n, figures->note);
            return SCREE_EXIT_CHECK;
        }
        if (e > 0 && figures->measured &&
            compare_with_scree(job, c, e, reference, text) != SCREE_EXIT_OK)
            code = SCREE_EXIT_CHECK;
    }
    return code;
}
