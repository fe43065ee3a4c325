/*  run, solver, margin: length of the run, integration and detection. */
#include "base/error.h"
#include "base/nearest_name.h"
#include "language.h"

#include <string.h>

/* ---- solver ---------------------------------------------------------------------------------------------- */

enum
{
    TIME_UNSAID = -1
};

typedef struct solver_record
{
    scree_world_def def;
    int time, on_nan;
    uint32_t act_every;
} solver_record;

static const scene_word time_words[] = {{"auto", SCREE_TIME_AUTOMATIC},
                                        {"fixed", SCREE_TIME_FIXED},
                                        {"mass-scaling", SCREE_TIME_MASS_SCALING},
                                        {NULL, 0}};
static const scene_old_word old_time_words[] = {{"scaled", "mass-scaling"}, {NULL, NULL}};
static const scene_word integrator_words[] = {{"verlet", SCREE_VELOCITY_VERLET},
                                              {"euler", SCREE_SYMPLECTIC_EULER},
                                              {"explicit-euler", SCREE_EXPLICIT_EULER},
                                              {"implicit", SCREE_IMPLICIT_EULER},
                                              {"implicit-surrogate", SCREE_IMPLICIT_SURROGATE},
                                              {"implicit-multiscale", SCREE_IMPLICIT_MULTISCALE},
                                              {NULL, 0}};
static const scene_word simd_words[] = {
    {"auto", SCREE_SIMD_AUTO}, {"scalar", SCREE_SIMD_SCALAR}, {"simd128", SCREE_SIMD_128},
    {"avx2", SCREE_SIMD_AVX2}, {"avx512", SCREE_SIMD_AVX512}, {NULL, 0}};
static const scene_word engine_words[] = {{"auto", SCREE_MESH_ENGINE_AUTO},
                                          {"boxes", SCREE_MESH_ENGINE_BOXES},
                                          {"surrogate", SCREE_MESH_ENGINE_SURROGATE},
                                          {"all", SCREE_MESH_ENGINE_ALL},
                                          {NULL, 0}};
static const scene_word nan_words[] = {{"stop", 0}, {"quarantine", 1}, {NULL, 0}};

static const char *const of_implicit[] = {"tolerance", "iterations", "halvings"};

static const char *next_method(const void *list, size_t index)
{
    const scree_method_info *info = scree_method_at(index);
    (void)list;
    return info ? info->name : NULL;
}

static void read_method(scene_reader *reader, void *target)
{
    if (lua_type(reader->L, reader->index) != LUA_TSTRING)
        scene_refuse_value(reader, "the name of a method, as \"auto\"; `scree methods` lists them");
    const char *text = lua_tostring(reader->L, reader->index);
    const scree_method_info *info = scree_method_by_name(text);
    const char *nearest = info ? NULL : scree_nearest_name(text, next_method, NULL);
    if (nearest)
        scene_refuse(reader, "there is no method \"%.40s\"; did you mean \"%s\"?", text, nearest);
    if (!info)
        scene_refuse(reader, "there is no method \"%.40s\"; `scree methods` lists them", text);
    *(const char **)target = info->name;
}

/*  Removed, but still read, so that older scenes and runs continue to work. */
static void read_precision(scene_reader *reader, void *target)
{
    const char *text = lua_type(reader->L, reader->index) == LUA_TSTRING
                           ? lua_tostring(reader->L, reader->index)
                           : "";

    (void)target;
    if (strcmp(text, "mixed") == 0)
        scree_log_write(&reader->scene->log, SCREE_LOG_WARNING, SCREE_LOG_REMOVED,
                        "%s:%d: solver: precision: was removed, all worlds compute in double: "
                        "leave it out",
                        reader->scene->name, reader->line);
    else if (strcmp(text, "double") != 0)
        scene_refuse(reader, "was removed, all worlds compute in double: leave it out");
}

static void begin_solver(scene_reader *reader, void *record)
{
    solver_record *r = record;

    r->def = reader->scene->plan.world;
    r->time = TIME_UNSAID;
    r->act_every = reader->scene->plan.act_every;
}

static int end_solver(scene_reader *reader, void *record)
{
    solver_record *r = record;
    scree_scene_plan *plan = &reader->scene->plan;
    scree_world_def *def = &r->def;
    bool has_dt = scene_is_given(reader, "dt");

    def->step.mode = r->time != TIME_UNSAID ? (scree_time_mode)r->time
                     : has_dt               ? SCREE_TIME_FIXED
                                            : SCREE_TIME_AUTOMATIC;
    if (def->step.mode != SCREE_TIME_AUTOMATIC && !has_dt)
        scene_refuse(reader, "`dt` is missing: a %s step needs its length",
                     def->step.mode == SCREE_TIME_FIXED ? "fixed" : "mass-scaling");
    if (def->step.mode == SCREE_TIME_MASS_SCALING && def->step.integrator >= SCREE_IMPLICIT_EULER)
        scene_refuse(
            reader, "time: \"mass-scaling\" is for explicit integrators; an implicit step needs no "
                    "larger masses");
    for (size_t k = 0;
         def->step.integrator < SCREE_IMPLICIT_EULER && k < SCREE_COUNT_OF(of_implicit); k++)
        if (scene_is_given(reader, of_implicit[k]))
            scene_refuse(reader, "%s: is for implicit integrators", of_implicit[k]);
    if (def->step.integrator < SCREE_IMPLICIT_SURROGATE && scene_is_given(reader, "keep_sets"))
        scene_refuse(reader, "keep_sets: is for implicit-surrogate and implicit-multiscale");
    if (def->step.integrator < SCREE_IMPLICIT_MULTISCALE && scene_is_given(reader, "skip_levels"))
        scene_refuse(reader, "skip_levels: is for implicit-multiscale");
    if (def->step.mode != SCREE_TIME_AUTOMATIC && scene_is_given(reader, "max_growth"))
        scene_refuse(reader, "max_growth: is for time = \"auto\"; other steps are all `dt` long");
    if (def->step.mode == SCREE_TIME_FIXED && scene_is_given(reader, "safety_factor"))
        scene_refuse(reader, "safety_factor: is for time = \"auto\" and \"mass-scaling\"; a fixed "
                             "step is `dt` long");
    /* domain may come before or after it */
    scree_world_def so_far = plan->world;
    plan->world = *def;
    plan->world.dimensions = so_far.dimensions;
    memcpy(plan->world.gravity, so_far.gravity, sizeof so_far.gravity);
    plan->world.domain = so_far.domain;
    plan->world.detection.margin = so_far.detection.margin;
    plan->chooses_dt = !has_dt;
    plan->act_every = r->act_every;
    plan->threads = scene_is_given(reader, "threads") ? def->compute.thread_count : 0;
    plan->quarantines = r->on_nan == 1;
    return 0;
}

#define OF(member) .offset = offsetof(solver_record, member)
static const scene_field solver_fields[] = {
    {.name = "dt",
     .type = SCENE_NUMBER,
     OF(def.step.dt),
     SCENE_ABOVE(0),
     .unit = "s",
     .standard = "automatic",
     .help = "the time step; with time = \"auto\" the longest"},
    {.name = "time",
     .type = SCENE_WORD,
     OF(time),
     .words = time_words,
     .old_words = old_time_words,
     .standard = "\"auto\", with dt \"fixed\"",
     .help = "\"auto\": as long as stiffness and speed allow; \"fixed\"; \"mass-scaling\": masses "
             "are raised until dt is stable, for static states"},
    {.name = "safety_factor",
     .old_name = "safety",
     .type = SCENE_NUMBER,
     OF(def.step.safety_factor),
     .lower = 0,
     .upper = 1,
     .above = true,
     .standard = "0.2",
     .help = "the time step over the stable step of springs"},
    {.name = "max_growth",
     .old_name = "increase",
     .type = SCENE_NUMBER,
     OF(def.step.max_growth),
     SCENE_ABOVE(1),
     .standard = "1.05",
     .help = "time = \"auto\": largest ratio of a step to the previous one"},
    {.name = "integrator",
     .old_name = "stepper",
     .type = SCENE_WORD,
     OF(def.step.integrator),
     .words = integrator_words,
     .standard = "\"verlet\"",
     .help =
         "\"verlet\" (velocity Verlet), \"euler\" (symplectic), \"explicit-euler\" (gains "
         "energy), \"implicit\" (Euler with forces of the end of the step, found by iteration: "
         "steps may be longer than stable); \"implicit-surrogate\", the same with meshes searched "
         "by surrogates; \"implicit-multiscale\", whose first guesses see surrogates, the last "
         "ones real triangles alone"},
    {.name = "tolerance",
     .type = SCENE_NUMBER,
     OF(def.step.picard.tolerance),
     .lower = 0,
     .upper = 1,
     .above = true,
     .below = true,
     .standard = "0.01",
     .help = "implicit: largest residual of the forces on a body, as a fraction of them"},
    {.name = "iterations",
     .type = SCENE_WHOLE32,
     OF(def.step.picard.iterations),
     SCENE_WITHIN(1, 10000),
     .standard = "30",
     .help = "implicit: largest number of iterations in a step"},
    {.name = "halvings",
     .type = SCENE_WHOLE32,
     OF(def.step.picard.halvings),
     SCENE_WITHIN(0, 60),
     .standard = "10",
     .help = "implicit: a step that does not converge is halved up to this many times, then the "
             "run stops"},
    {.name = "keep_sets",
     .type = SCENE_SWITCH,
     OF(def.step.picard.keeps_sets),
     .standard = "true",
     .help = "implicit-surrogate and -multiscale, and mesh_engine = \"surrogate\": a step starts "
             "with the active sets of the last step, not with the coarsest surrogates"},
    {.name = "skip_levels",
     .type = SCENE_SWITCH,
     OF(def.step.picard.skips_levels),
     .standard = "false",
     .help = "implicit-multiscale: if iterations do not improve, refine to triangles at once"},
    {.name = "accelerate",
     .type = SCENE_SWITCH,
     OF(def.step.picard.accelerates),
     .standard = "false",
     .help = "implicit: over-relaxation by up to half, where forces keep their direction"},
    {.name = "local_steps",
     .type = SCENE_WHOLE32,
     OF(def.step.local_steps),
     SCENE_WITHIN(0, SCREE_MAX_LOCAL_STEPS),
     .standard = "0",
     .help = "explicit steps, time = \"fixed\": local time stepping: clusters of bodies for which "
             "dt is too long use steps down to dt / 2^local_steps; 0: off"},
    {.name = "precision", .type = SCENE_OWN, .read = read_precision, .is_removed = true},
    {.name = "method",
     .type = SCENE_OWN,
     OF(def.detection.method),
     .read = read_method,
     .standard = "\"auto\"",
     .accepts = "the name of a method",
     .help = "method of contact detection; results do not depend on it"},
    {.name = "mesh_engine",
     .type = SCENE_WORD,
     OF(def.detection.mesh_engine),
     .words = engine_words,
     .standard = "\"auto\"",
     .help = "how contacts of bodies of triangles are found: \"boxes\", \"surrogate\", or \"all\" "
             "pairs of triangles; results do not depend on it"},
    {.name = "threads",
     .type = SCENE_WHOLE32,
     OF(def.compute.thread_count),
     SCENE_WITHIN(1, 1024),
     .standard = "`scree run`: all processors, else 1",
     .help = "results do not depend on it; --threads overrides it"},
    {.name = "device",
     .type = SCENE_TEXT,
     OF(def.compute.device),
     .standard = "\"cpu\"",
     .accepts = "\"cpu\", \"gpu\", \"gpu:1\" or part of a device's name",
     .help =
         "the device that computes the steps; results do not depend on it; `scree info --devices` "
         "lists devices, `scree check` says what they cannot do yet; --device overrides it"},
    {.name = "simd",
     .type = SCENE_WORD,
     OF(def.compute.simd),
     .words = simd_words,
     .standard = "\"auto\"",
     .help = "vector instructions; results do not depend on them"},
    {.name = "sort_every",
     .type = SCENE_WHOLE32,
     OF(def.detection.sort_every),
     SCENE_WITHIN(0, 4294967295.0),
     .standard = "1000",
     .help = "steps between spatial sorts of the bodies in memory; 0: never"},
    {.name = "damping",
     .type = SCENE_NUMBER,
     OF(def.global_damping),
     SCENE_FROM(0),
     .unit = "1/s",
     .standard = "0",
     .help = "rate at which velocities and angular velocities decay"},
    {.name = "local_damping",
     .type = SCENE_NUMBER,
     OF(def.local_damping),
     .lower = 0,
     .upper = 1,
     .below = true,
     .standard = "0",
     .help = "fraction of the resultant force that opposes motion"},
    {.name = "overlap_limit",
     .type = SCENE_NUMBER,
     OF(def.overlap_limit),
     SCENE_ABOVE(0),
     .endless = true,
     .standard = "0.5",
     .help =
         "of the smaller radius; a contact deeper than that ends the run; math.huge: none does"},
    {.name = "energy_balance",
     .old_name = "ledger",
     .type = SCENE_SWITCH,
     OF(def.energy_balance),
     .standard = "false",
     .help = "record energies by cause, in metrics.csv"},
    {.name = "events",
     .type = SCENE_SWITCH,
     OF(def.events),
     .standard = "false",
     .help =
         "list contacts that begin and end, bonds that break, and bodies that fall asleep, wake or "
         "leave: for hosts of the library, a scene cannot read the list"},
    {.name = "audit",
     .type = SCENE_WHOLE32,
     OF(def.detection.audit),
     SCENE_WITHIN(0, 4294967295.0),
     .standard = "0",
     .help = "every so many steps, check the contacts with an independent method; 0: never"},
    {.name = "on_nan",
     .type = SCENE_WORD,
     OF(on_nan),
     .words = nan_words,
     .standard = "\"stop\"",
     .help = "if the numbers of a body are not finite any more: \"stop\" keeps the last good "
             "state; \"quarantine\" removes the body, reports and counts it, and continues"},
    {.name = "act_every",
     .type = SCENE_WHOLE32,
     OF(act_every),
     SCENE_WITHIN(1, 1000000),
     .standard = "50",
     .help = "steps between updates of sources, sinks and counting planes"},
};
#undef OF

/* ---- margin ---------------------------------------------------------------------------------------------- */

static const scene_word margin_words[] = {
    {"none", SCREE_MARGIN_NONE},           {"skin", SCREE_MARGIN_SKIN},
    {"tolerance", SCREE_MARGIN_TOLERANCE}, {"stride", SCREE_MARGIN_STRIDE},
    {"distance", SCREE_MARGIN_DISTANCE},   {"bins", SCREE_MARGIN_BINS},
    {"per_body", SCREE_MARGIN_PER_BODY},   {NULL, 0}};

static void begin_margin(scene_reader *reader, void *record)
{
    *(scree_margin_def *)record = reader->scene->plan.world.detection.margin;
}

static int end_margin(scene_reader *reader, void *record)
{
    reader->scene->plan.world.detection.margin = *(scree_margin_def *)record;
    return 0;
}

#define OF(member) .offset = offsetof(scree_margin_def, member)
static const scene_field margin_fields[] = {
    {.name = "kind",
     .type = SCENE_WORD,
     OF(kind),
     .words = margin_words,
     .standard = "\"per_body\"",
     .help = "\"none\", \"skin\", \"tolerance\", \"stride\", \"distance\", \"bins\", \"per_body\""},
    {.name = "length",
     .type = SCENE_NUMBER,
     OF(length),
     SCENE_ANY,
     .unit = "m",
     .or_share = true,
     .standard = "-0.05",
     .help = "by how much bodies are enlarged; negative: times the smallest radius"},
    {.name = "speed_factor",
     .type = SCENE_NUMBER,
     OF(speed_factor),
     SCENE_WITHIN(1, 1e6),
     .standard = "1.05",
     .help = "stride: overestimate of the speed"},
    {.name = "velocity",
     .type = SCENE_NUMBER,
     OF(velocity),
     SCENE_FROM(0),
     .standard = "0",
     .help = "tolerance: part that grows with speed times dt"},
    {.name = "extent",
     .type = SCENE_NUMBER,
     OF(extent),
     SCENE_FROM(0),
     .standard = "1/32",
     .help = "tolerance: part that grows with size"},
    {.name = "constant",
     .type = SCENE_NUMBER,
     OF(constant),
     SCENE_FROM(0),
     .unit = "m",
     .standard = "0",
     .help = "tolerance: part that is the same for all"},
    {.name = "reach",
     .type = SCENE_NUMBER,
     OF(reach),
     SCENE_WITHIN(1, 1e6),
     .standard = "2",
     .help = "tolerance: 2: known before the step with a force; 1: in that step"},
    {.name = "bin_count",
     .type = SCENE_WHOLE32,
     OF(bin_count),
     SCENE_WITHIN(1, 100),
     .standard = "5",
     .help = "bins: number of speed classes"},
    {.name = "bin_ratio",
     .type = SCENE_NUMBER,
     OF(bin_ratio),
     SCENE_ABOVE(1),
     .standard = "2",
     .help = "bins: speed of one class over the next"},
    {.name = "bin_overlap",
     .type = SCENE_NUMBER,
     OF(bin_overlap),
     .lower = 0,
     .upper = 1,
     .above = true,
     .below = true,
     .standard = "0.8",
     .help = "bins: a body leaves its class below this share of it"},
    {.name = "bin_max_change",
     .type = SCENE_NUMBER,
     OF(bin_max_change),
     SCENE_ANY,
     .standard = "0.3",
     .help = "bins: the reference speed follows by this share; 0: at once"},
    {.name = "target_steps",
     .type = SCENE_NUMBER,
     OF(target_steps),
     SCENE_ANY,
     .standard = "50",
     .help = "per_body: steps that the growth should last; negative: `length`"},
    {.name = "min_fraction",
     .type = SCENE_NUMBER,
     OF(min_fraction),
     SCENE_WITHIN(0, 1),
     .standard = "0.1",
     .help = "per_body: least growth over `length`"},
};
#undef OF

/* ---- run ------------------------------------------------------------------------------------------------- */

typedef struct run_record
{
    double time;
    uint64_t steps, seed;
    const char *title;
    uint32_t stop, check_every;
} run_record;

static void begin_run(scene_reader *reader, void *record)
{
    (void)reader;
    ((run_record *)record)->seed = 1;
    ((run_record *)record)->title = "";
    ((run_record *)record)->check_every = 50;
}

static int end_run(scene_reader *reader, void *record)
{
    run_record *r = record;
    scree_scene_plan *plan = &reader->scene->plan;

    if (scene_is_given(reader, "time") && scene_is_given(reader, "steps"))
        scene_refuse(reader, "has `time` and `steps`; give one of them");
    if (scene_is_given(reader, "check_every") && !r->stop)
        scene_refuse(reader, "check_every: is for `stop`, and there is none");
    plan->end_time = r->time;
    plan->end_steps = r->steps;
    plan->seed = r->seed;
    plan->title = r->title;
    plan->stop = r->stop;
    plan->stop_every = r->check_every;
    reader->scene->run_line = reader->line;
    return 0;
}

#define OF(member) .offset = offsetof(run_record, member)
static const scene_field run_fields[] = {
    {.name = "time",
     .type = SCENE_NUMBER,
     OF(time),
     SCENE_ABOVE(0),
     .unit = "s",
     .standard = "none",
     .help = "simulated time"},
    {.name = "steps",
     .type = SCENE_WHOLE,
     OF(steps),
     SCENE_WITHIN(1, 1e15),
     .standard = "none",
     .help = "or number of steps"},
    {.name = "seed",
     .type = SCENE_WHOLE,
     OF(seed),
     SCENE_FROM(0),
     .standard = "1",
     .help =
         "of the random numbers of sources; the same seed gives the same bodies on every machine"},
    {.name = "stop",
     .type = SCENE_OWN,
     OF(stop),
     .read = scene_read_condition,
     .standard = "none",
     .accepts = "a condition",
     .help = "a condition that ends the run before that"},
    {.name = "check_every",
     .type = SCENE_WHOLE32,
     OF(check_every),
     SCENE_WITHIN(1, 1000000),
     .standard = "50",
     .help = "steps between looks at `stop`"},
    {.name = "title",
     .type = SCENE_TEXT,
     OF(title),
     .standard = "the scene's name",
     .help = "for readers"},
};
#undef OF

#define RUN(word, what, how, list, record, start, finish, single)                                  \
    {                                                                                              \
        .name = word, .chapter = "The run", .summary = what, .example = how, .fields = list,       \
        .field_count = SCREE_COUNT_OF(list), .record_bytes = sizeof(record), .begin = start,       \
        .end = finish, .once = single                                                              \
    }

const scene_function scene_run_functions[] = {
    RUN("run",
        "How long. Each scene has one; a scene with stages may leave it out, or say when the run "
        "ends at the "
        "latest.",
        "run { time = 5, title = \"a drum\" }\n"
        "\n"
        "run { steps = 10000, seed = 2 }\n"
        "\n"
        "fill { count = 10, shape = sphere { radius = 0.001 }, material = glass, region = box { "
        "lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} } }\n"
        "run { time = 5, stop = quiet { energy = 1e-9, during = 0.1 }, check_every = 100 }",
        run_fields, run_record, begin_run, end_run, true),
    RUN("solver", "Time step, detection, books. All of it has defaults.",
        "solver { integrator = \"euler\", threads = 2 }\n"
        "\n"
        "solver { time = \"auto\", max_growth = 1.02, simd = \"avx2\", "
        "sort_every = 500, damping = 0.1, overlap_limit = 0.2 }\n"
        "\n"
        "solver { dt = 1e-4, integrator = \"implicit-multiscale\", tolerance = 0.001, iterations = "
        "50, halvings = 5, keep_sets = false, skip_levels = true, accelerate = true }\n"
        "\n"
        "solver { dt = 1e-6, local_damping = 0.7, events = true, audit = 1000, act_every = 10 }",
        solver_fields, solver_record, begin_solver, end_solver, true),
    RUN("margin", "The margin (Verlet skin) of detection; results do not depend on it.",
        "margin { kind = \"skin\", length = 0.0002 }\n"
        "\n"
        "margin { kind = \"stride\", length = 0.0002, speed_factor = 1.2 }\n"
        "\n"
        "margin { kind = \"tolerance\", constant = 0.0001, reach = 1 }\n"
        "\n"
        "margin { kind = \"bins\", length = 0.0002, bin_count = 4, bin_ratio = 3, bin_overlap = "
        "0.7, bin_max_change = 0.2 }\n"
        "\n"
        "margin { kind = \"per_body\", length = 0.0002, target_steps = 100, min_fraction = 0.2 }",
        margin_fields, scree_margin_def, begin_margin, end_margin, true),
};
const size_t scene_run_function_count = SCREE_COUNT_OF(scene_run_functions);
