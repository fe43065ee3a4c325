/*  One engine on one bed: a process of its own, one thread, with each of a few settings. */
#include "app/bench/engines.h"

#include "engines/engine_log.h"
#include "engines/own_hertz.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const scree_engine scree_engines[SCREE_ENGINES] = {
    {"scree", NULL, NULL, "Hertz, Mindlin, restitution"},
    {"LAMMPS", "lmp", "lammps", "granular: Hertz, Mindlin, restitution"},
    {"LAMMPS gran", "lmp", "lammps", "gran/hertz/history: its own damping"},
    {"LIGGGHTS", "liggghts", "liggghts", "Hertz, Mindlin, restitution"},
    {"Yade", "yade", "yade", "Hertz, Mindlin, restitution"},
};

/*  Skins in radii. */
static const double skins[] = {0.05, 0.1, 0.2, 0.3, 0.5};
static const double quick_skins[] = {0.1, 0.3};
/*  Scree has no settings to try: it is measured as often. */
#define OWN_TRIES 3

/* ---- who there is ---- */

static void find_in_path(const char *program, char path[512])
{
    const char *at = getenv("PATH");

    while (at && *at) {
        size_t length = strcspn(at, ":");
        snprintf(path, 512, "%.*s/%s", (int)length, at, program);
        if (access(path, X_OK) == 0)
            return;
        at += length + (at[length] == ':');
    }
    path[0] = 0;
}

/*  What Debian says of a package; "" elsewhere. */
static void ask_version(const char *package, char *text, size_t bytes)
{
    static char answer[SCREE_PEER_TEXT];
    char path[512], why[SCREE_PEER_NOTE], show[] = "-W", form[] = "-f=${Version}", name[32];
    char *argv[] = {path, show, form, name, NULL};
    scree_peer_limits limits = {10, (uint64_t)1 << 32, SCREE_PEER_FILE_BYTES};

    snprintf(name, sizeof name, "%s", package);
    find_in_path("dpkg-query", path);
    text[0] = 0;
    if (path[0] && scree_peer_call(argv, &limits, answer, why))
        snprintf(text, bytes, "%.80s", answer);
}

void scree_engines_find(scree_engine_job *job)
{
    for (int e = SCREE_ENGINE_LAMMPS; e < SCREE_ENGINES; e++) {
        const scree_engine *engine = &scree_engines[e];
        char version[96];
        find_in_path(engine->program, job->path[e]);
        if (e == SCREE_ENGINE_LAMMPS_GRAN)
            continue;
        if (!job->path[e][0]) {
            fprintf(stderr, "scree-bench: engines: %s is not there, and left out\n", engine->name);
            continue;
        }
        ask_version(engine->package, version, sizeof version);
        size_t used = strlen(job->versions);
        snprintf(job->versions + used, sizeof job->versions - used, ", %s %s", engine->name,
                 version[0] ? version : "of unknown version");
    }
}

/* ---- one run ---- */

/*  Parameters of a run; each engine uses those that it knows. */
typedef struct settings
{
    double skin; /* m */
    const char *mode;
    uint64_t warm, steps;
} settings;

#define MAX_WORDS 40

typedef struct command
{
    char text[MAX_WORDS][512];
    char *argv[MAX_WORDS + 1];
    size_t count;
} command;

static void add_word(command *c, const char *word)
{
    snprintf(c->text[c->count], sizeof c->text[0], "%s", word);
    c->argv[c->count] = c->text[c->count];
    c->argv[++c->count] = NULL;
}

static void add_variable(command *c, const char *name, const char *value)
{
    add_word(c, "-var");
    add_word(c, name);
    add_word(c, value);
}

static void add_number(command *c, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", value);
    add_variable(c, name, text);
}

static void add_script(command *c, const scree_engine_job *job, int e, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", job->scripts, name);
    add_word(c, job->path[e]);
    if (e != SCREE_ENGINE_YADE)
        add_word(c, "-in");
    else {
        add_word(c, "-j1");
        add_word(c, "-n");
        add_word(c, "-x");
    }
    add_word(c, path);
}

static void build_lammps(const scree_engine_job *job, const scree_engine_case *c, int e,
                         const settings *s, command *out)
{
    bool is_lammps = e != SCREE_ENGINE_LIGGGHTS;
    add_script(out, job, e, is_lammps ? "lammps.in" : "liggghts.in");
    add_word(out, "-log");
    add_word(out, "none");
    add_variable(out, "data", c->data);
    add_number(out, "skin", s->skin);
    add_number(out, "warm", (double)s->warm);
    add_number(out, "steps", (double)s->steps);
    if (is_lammps) {
        add_variable(out, "mode", s->mode);
        add_variable(out, "law", e == SCREE_ENGINE_LAMMPS ? "granular" : "history");
    } else {
        /* seconds of a turn at 4 rad/s, as the bed's drum turns */
        add_variable(out, "drum", c->kind == SCREE_BED_DRUM ? "1" : "0");
        add_variable(out, "mesh", c->mesh[0] ? c->mesh : "none");
        add_number(out, "period", 1.5707963267948966);
    }
}

static void put_environment(const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", value);
    setenv(name, text, 1);
}

static void build_yade(const scree_engine_job *job, const scree_engine_case *c, const settings *s,
                       command *out)
{
    add_script(out, job, SCREE_ENGINE_YADE, "yade.py");
    setenv("DATA", c->data, 1);
    put_environment("SKIN", s->skin);
    put_environment("WARM", (double)s->warm);
    put_environment("STEPS", (double)s->steps);
}

static void build_scree(const scree_engine_case *c, const settings *s, command *out)
{
    char number[32];
    add_word(out, "/proc/self/exe");
    add_word(out, "engines");
    add_word(out, "--measure");
    add_word(out, c->data);
    add_word(out, "--warm");
    snprintf(number, sizeof number, "%" PRIu64, s->warm);
    add_word(out, number);
    add_word(out, "--steps");
    snprintf(number, sizeof number, "%" PRIu64, s->steps);
    add_word(out, number);
}

/*  Processor seconds of the steps; false with a note. */
static bool call_engine(const scree_engine_job *job, const scree_engine_case *c, int e,
                        const settings *s, double *seconds, double *kinetic, char *note)
{
    static char text[SCREE_PEER_TEXT];
    static command line;
    bool understood;

    line.count = 0;
    if (e == SCREE_ENGINE_SCREE)
        build_scree(c, s, &line);
    else if (e == SCREE_ENGINE_YADE)
        build_yade(job, c, s, &line);
    else
        build_lammps(job, c, e, s, &line);
    if (!scree_peer_call(line.argv, &job->limits, text, note)) {
        const char *said = strstr(text, "ERROR");
        if (said)
            snprintf(note, SCREE_PEER_NOTE, "%.*s", (int)strcspn(said, "\n"), said);
        return false;
    }
    if (e == SCREE_ENGINE_LIGGGHTS)
        understood = scree_log_ran_for(text, seconds);
    else if (e == SCREE_ENGINE_LAMMPS || e == SCREE_ENGINE_LAMMPS_GRAN)
        understood = scree_log_lammps(text, seconds);
    else
        understood = scree_log_number(text, "processor seconds ", seconds);
    understood = scree_log_number(text, "kinetic ", kinetic) && understood;
    if (!understood)
        snprintf(note, SCREE_PEER_NOTE, "what it printed is not understood");
    return understood;
}

/* ---- one engine ---- */

static void keep(scree_engine_figures *f, double ns, double kinetic, const char *text)
{
    if (!f->measured || ns < f->ns) {
        f->ns = ns;
        f->kinetic = kinetic;
        snprintf(f->settings, sizeof f->settings, "%s", text);
    }
    f->worst = f->worst > ns ? f->worst : ns;
    f->measured = true;
    f->tries++;
}

static bool has_nothing_for(const scree_engine_job *job, const scree_engine_case *c, int e,
                            char *note)
{
    bool drum = c->kind == SCREE_BED_DRUM;
    if (!job->path[e][0])
        snprintf(note, SCREE_PEER_NOTE, "not installed");
    else if (drum && e == SCREE_ENGINE_YADE)
        snprintf(note, SCREE_PEER_NOTE, "its script has no drum");
    else if (drum && e != SCREE_ENGINE_LIGGGHTS)
        snprintf(note, SCREE_PEER_NOTE, "has no walls of triangles for grains");
    else
        return false;
    return true;
}

static void measure_engine(const scree_engine_job *job, const scree_engine_case *c, int e,
                           scree_engine_figures *f)
{
    bool is_lammps = e == SCREE_ENGINE_LAMMPS || e == SCREE_ENGINE_LAMMPS_GRAN;
    bool sizes = c->kind == SCREE_BED_SIZES || c->kind == SCREE_BED_SIZES_MOVING;
    const double *list = job->quick ? quick_skins : skins;
    size_t many = job->quick ? SCREE_COUNT_OF(quick_skins) : SCREE_COUNT_OF(skins);
    double per = 1e9 / ((double)c->count * (double)c->steps), kinetic;
    char note[SCREE_PEER_NOTE];

    if (has_nothing_for(job, c, e, f->note))
        return;
    for (size_t k = 0; k < many * (is_lammps && sizes ? 2 : 1); k++) {
        const char *mode = k >= many ? "multi" : "bin";
        settings s = {list[k % many] * SCREE_BED_RADIUS, mode, c->warm, c->steps};
        double seconds;
        char text[80];
        snprintf(text, sizeof text, "skin %.3g mm%s%s", s.skin * 1e3, is_lammps ? ", " : "",
                 is_lammps ? mode : "");
        if (!call_engine(job, c, e, &s, &seconds, &kinetic, note))
            memcpy(f->note, note, sizeof note);
        else
            keep(f, seconds * per, kinetic, text);
    }
    if (f->measured)
        f->note[0] = 0;
}

static bool measure_scree(const scree_engine_job *job, scree_engine_case *c)
{
    const settings s = {0, "", c->warm, c->steps};
    double per = 1e9 / ((double)c->count * (double)c->steps), seconds, kinetic;
    scree_engine_figures *f = &c->figures[SCREE_ENGINE_SCREE];

    for (int turn = 0; turn < OWN_TRIES; turn++) {
        if (!call_engine(job, c, SCREE_ENGINE_SCREE, &s, &seconds, &kinetic, f->note)) {
            fprintf(stderr, "scree-bench: engines: scree, %s, n %" PRIu32 ": %s\n",
                    scree_bed_name(c->kind), c->count, f->note);
            return false;
        }
        keep(f, seconds * per, kinetic, "none to set");
    }
    return true;
}

int scree_engines_measure(scree_engine_job *job, scree_engine_case *c)
{
    setenv("OMP_NUM_THREADS", "1", 1);
    if (!measure_scree(job, c))
        return SCREE_EXIT_CHECK;
    for (int e = SCREE_ENGINE_LAMMPS; e < SCREE_ENGINES; e++)
        measure_engine(job, c, e, &c->figures[e]);
    return SCREE_EXIT_OK;
}

/* ---- scree's own run ---- */

static void print_run(scree_world *world, double bodies, uint64_t steps, double processor,
                      double clock)
{
    scree_detection_stats seen = scree_world_detection_stats(world);
    double body_steps = (double)steps * bodies;

    printf("processor seconds %.6f\nkinetic %.9g\n", processor, scree_world_energy(world).kinetic);
    printf("ns a body and step %.1f\nby the clock %.1f\n", processor * 1e9 / body_steps,
           clock * 1e9 / body_steps);
    printf("contacts a body %.2f\ncandidates a body %.2f\n"
           "searches %" PRIu64 "\nwall searches %" PRIu64 "\nbytes a body %.0f\n"
           "digest %016" PRIx64 "\n",
           (double)seen.contacts / bodies, (double)seen.potential_contacts / bodies, seen.rebuilds,
           seen.wall_rebuilds, (double)scree_world_totals(world).bytes / bodies,
           scree_world_digest(world));
}

static scree_status use_own_law(scree_world *world)
{
    const scree_law law = scree_own_hertz();
    scree_rule_def rule = scree_default_rule_def();

    rule.own_law = &law;
    return scree_world_add_rule(world, &rule);
}

static scree_status use_formulas(scree_world *world, scree_error *error)
{
    scree_formula_law_def def = scree_default_formula_law_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_law *law;

    def.name = "hertz by formulas";
    def.where = "a = sqrt(R * d); root = sqrt(2 * E * a * m)";
    def.normal = "max(0, 4/3 * E * a * d + 2 * sqrt(5/6) * zeta * root * vn)";
    def.spring_stiffness = "8 * G * a";
    def.spring_damping = "2 * sqrt(5/6) * zeta * sqrt(4 * G / E) * root";
    def.spring_limit = "mu * fn";
    def.error = error;
    scree_status status = scree_formula_law_create(&def, &law);
    if (status)
        return status;
    rule.own_law = law;
    status = scree_world_add_rule(world, &rule);
    scree_formula_law_destroy(law);
    return status;
}

static scree_status step_bed(const scree_bed *bed, const scree_world_def *def,
                             const scree_engine_run *run, scree_error *error)
{
    scree_world *world;
    scree_status status = scree_bed_world(bed, def, &world, error);

    if (status)
        return status;
    if (run->law == 1)
        status = use_own_law(world);
    if (run->law == 2)
        status = use_formulas(world, error);
    if (!status)
        status = scree_world_step(world, run->warm);
    double processor = scree_thread_seconds(), clock = scree_clock_seconds();
    if (!status)
        status = scree_world_step(world, run->steps);
    processor = scree_thread_seconds() - processor;
    clock = scree_clock_seconds() - clock;
    if (status)
        snprintf(error->text, sizeof error->text, "%s", scree_world_message(world));
    else
        print_run(world, bed->count, run->steps, processor, clock);
    scree_world_destroy(world);
    return status;
}

int scree_engines_run_scree(const char *path, const scree_engine_run *run)
{
    scree_world_def def = scree_default_world_def();
    scree_error error = {SCREE_OK, ""};
    scree_bed bed;
    FILE *in = fopen(path, "r");

    if (!in)
        return scree_system_error(path, "cannot open");
    scree_status status = scree_bed_read(in, &bed, &error);
    fclose(in);
    if (status == SCREE_BAD_VALUE) {
        fprintf(stderr, "scree-bench: %s: %s\n", path, error.text);
        return SCREE_EXIT_INPUT;
    }
    if (!status) {
        def.step.dt = SCREE_BED_STEP;
        def.compute.thread_count = run->threads;
        status = step_bed(&bed, &def, run, &error);
        scree_bed_free(&bed);
    }
    return status ? scree_status_error(status, error.text) : SCREE_EXIT_OK;
}
