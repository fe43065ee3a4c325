/*  A scene: a Lua 5.4 script that describes a run. It is read in a sandbox into a plan of plain structs, from which a
    world is made.

        scree_error why = {0};
        scree_scene_def def = scree_default_scene_def();
        def.path = "drum.lua";
        def.error = &why;
        scree_scene *scene;
        scree_world *world;
        if (scree_scene_open(&def, &scene)) puts(why.text);      "drum.lua:7: material: ..."
        scree_scene_build(scene, NULL, &world, &why);            without bodies
        scree_scene_start(scene, world, &why);                   the initial bodies
        scree_scene_step(scene, world, 1000, &why);              sources and sinks act between steps
        scree_scene_close(scene);

    A scene depends only on its text, its settings and the files that it names, not on the machine, the locale or the
    clock. It can open only the files that it names as meshes and lists of bodies.

    In a program built without Lua, scree_scene_open fails with a message, and the reference is empty. */
#ifndef SCREE_SCENE_H
#define SCREE_SCENE_H

#include "plan.h"

#include "scree/world.h"

typedef struct scree_scene scree_scene;

typedef struct scree_scene_def
{
    uint32_t cookie;
    const char *path; /* of the script; */
    const char *text; /* or the script itself, `text_bytes` long (0: zero-terminated) */
    size_t text_bytes;
    const char *name; /* of the text, for messages; "scene" */
    /*  Files named by the scene are relative to the script, or with `text` to this folder; NULL: the working folder. */
    const char *folder;
    bool without_files;          /* refuse scenes that name files: for untrusted texts; false */
    const char *const *settings; /* "name=value" each, for the scene's parameters; NULL */
    size_t setting_count;
    uint64_t instruction_budget; /* of Lua; four times as many for its functions; 5e8 */
    size_t memory_budget;        /* bytes of Lua and the plan together; 2^31 */
    double seconds;              /* processor time of the script; 30 */
    bool (*stops)(void *user);   /* called while the script runs: true stops it; NULL */
    void *stop_user;
    scree_allocator allocator;
    scree_log log;      /* also gets what the script prints, as SCREE_LOG_INFO with id 0 */
    scree_error *error; /* NULL */
} scree_scene_def;

scree_scene_def scree_default_scene_def(void);

/*  Whether scenes can be read: the program was built with Lua. */
bool scree_scene_available(void);

/*  Reads and checks the whole script and opens the files it names. SCREE_BAD_DEF, SCREE_BAD_FILE (the
    script: file:line, field, value and what would be right), SCREE_IO_ERROR, SCREE_OUT_OF_MEMORY,
    SCREE_BAD_ARGUMENT (settings; a program without Lua). On failure *scene is NULL. */
scree_status scree_scene_open(const scree_scene_def *def, scree_scene **scene);
void scree_scene_close(scree_scene *scene); /* NULL is fine */

/*  Valid as long as the scene. */
const scree_scene_plan *scree_scene_plan_of(const scree_scene *scene);
/*  Number of initial bodies; approximate for a fill by mass or solid fraction. */
double scree_scene_start_bodies(const scree_scene *scene);
/*  The same with the fills of all stages, without removals in between: an upper bound for hosts to check before
    running. */
double scree_scene_filled_bodies(const scree_scene *scene);

/*  Whether the scenes have the same effect on bodies from a moment on: walls and their motions, sources, sinks,
    conditions, and changes by stages, except limits and values of conditions and changes. Otherwise the text says
    which part of the other scene differs first. */
bool scree_scene_is_same(const scree_scene *old, const scree_scene *other, char *text, size_t room);

/*  Names the first setting of the solver that differs and that a state cannot take over; NULL: none does. */
const char *scree_scene_other_solver(const scree_scene *old, const scree_scene *other);
/*  Whether a run of `old` can continue as one of `other`, which has been edited meanwhile: both are the same, also in their initial
    bodies, but for settings, values of materials and rules, and paths and belts of walls. Otherwise the text says what differs first. */
bool scree_scene_can_follow(const scree_scene *old, const scree_scene *other, char *text,
                            size_t room);

/*  The text of a scene that reproduces the run without settings and from any folder. The settings are in its first
    line, so that messages name the same lines as before. */
const char *scree_scene_resolved(const scree_scene *scene);

/*  The world without bodies: domain, materials, interactions, walls. `hooks` gives the allocator, log, tasks,
    threads if not 1, method if not "auto", device, and requests an energy balance in addition to the scene; NULL:
    none. If the world refuses something, the message has the line of the scene. After a failure *world is NULL. */
scree_status scree_scene_build(scree_scene *scene, const scree_world_def *hooks,
                               scree_world **world, scree_error *error);
/*  The same for a saved course, with the walls of its stage: the state of that moment can be restored into this
    world, followed by scree_scene_course_load. Also SCREE_BAD_FILE: not a course of this scene. */
scree_status scree_scene_build_at(scree_scene *scene, const scree_world_def *hooks,
                                  const void *course, size_t course_bytes, scree_world **world,
                                  scree_error *error);
/*  The same for the state of a scene with other values of materials and rules, of as many and of the same kinds
    (scree_scene_is_same): the world has the old scene's until scree_scene_take_values. */
scree_status scree_scene_build_with(scree_scene *scene, const scree_scene *old,
                                    const scree_world_def *hooks, const void *course,
                                    size_t course_bytes, scree_world **world, scree_error *error);
/*  A value that differs, of a material or a rule, by its number. */
typedef void scree_scene_value_fn(bool is_rule, uint32_t index, const char *name, double before,
                                  double after, void *user);
/*  Gives that world, into which the state has been restored, the scene's own values, but for those that a stage has set; each that
    differs is told. What a law refuses is told with its message. */
scree_status scree_scene_take_values(scree_scene *scene, const scree_scene *old, scree_world *world,
                                     scree_scene_value_fn *note, void *user, scree_error *error);
/*  What has changed, as text, such as "gravity {0, 0, -9.81} m/s^2 is now {0, 0, -1.62} m/s^2". */
typedef void scree_scene_note_fn(const char *text, void *user);
/*  Gives that world the settings that the scenes say differently: time step, damping, gravity, sleep; each is told. */
scree_status scree_scene_take_settings(const scree_scene *scene, const scree_scene *old,
                                       scree_world *world, scree_scene_note_fn *note, void *user,
                                       scree_error *error);
/*  The same for paths and belts of walls: they begin now, where the walls are. */
scree_status scree_scene_take_paths(const scree_scene *scene, const scree_scene *old,
                                    scree_world *world, scree_scene_note_fn *note, void *user,
                                    scree_error *error);
/*  Adds the initial bodies to a world just built: those named one by one, then each fill. Starts the course of the
    scene. SCREE_TOO_LARGE: a fill does not fit. After a failure the world has some of the bodies, and must be
    destroyed. */
scree_status scree_scene_start(scree_scene *scene, scree_world *world, scree_error *error);

/*  Takes `steps` steps. Sources, sinks and counting planes act when the number of steps is a multiple of
    plan.act_every: the division into calls makes no difference to the result. Stops if the world refuses a step. With
    plan.quarantines, if the cause is a value of one body, that body is removed, which is logged as
    SCREE_LOG_BODY_QUARANTINED, and the step is tried again.

    Stages begin and end in between. After the last stage has ended, or the condition of the run holds, no more steps
    are taken. If a stage does not end within its time limit: SCREE_BAD_VALUE, with the condition it waited for. */
scree_status scree_scene_step(scree_scene *scene, scree_world *world, uint64_t steps,
                              scree_error *error);

/*  The same, but returns at the end of a stage, before the next one begins, with fewer steps than requested. */
scree_status scree_scene_advance(scree_scene *scene, scree_world *world, uint64_t steps,
                                 scree_error *error);

/* ---- stages ---------------------------------------------------------------------------------------- */

/*  No step will follow. */
bool scree_scene_is_over(const scree_scene *scene);
/*  False: a stage has begun only in part, because the world refused a part of it. Then the course cannot be saved. */
bool scree_scene_is_whole(const scree_scene *scene);
/*  The stage in progress, or that has just ended, from 1; 0: the scene has none, or has not been started. */
uint32_t scree_scene_stage_number(const scree_scene *scene);
/*  The time step that the scene sets for the present stage, s; 0: it sets none. */
double scree_scene_dt(const scree_scene *scene);

/*  How a stage ended. */
typedef struct scree_scene_stage_report
{
    bool has_begun, has_ended;
    bool is_by_limit; /* its time limit was reached, and not its condition */
    uint64_t began_step, ended_step;
    double began_time, ended_time;
    double value; /* of the condition by which it ended or for which it waits; 0 if several */
    char condition[400]; /* as text with values */
} scree_scene_stage_report;

scree_scene_stage_report scree_scene_report_stage(const scree_scene *scene, uint32_t number);
/*  The condition of the run that has ended it; false: it has not ended by one. */
bool scree_scene_report_stop(const scree_scene *scene, char *text, size_t size);
/*  A condition of the plan, from 1, as text. */
void scree_scene_say_end(const scree_scene *scene, uint32_t condition, char *text, size_t size);

/*  Adds bodies between steps: equal spheres, each at a free position with its centre at most `reach` from the point. */
typedef struct scree_scene_handful
{
    double point[3], reach, radius, velocity[3];
    uint32_t material; /* from 1 */
    uint32_t count;
    uint64_t seed; /* for the positions that are tried */
} scree_scene_handful;

/*  *added: number of bodies for which there was room, possibly 0. They do not belong to a source. SCREE_BAD_ARGUMENT
    (no such material), SCREE_BAD_VALUE: none was added. SCREE_OUT_OF_MEMORY: *added of them were added. */
scree_status scree_scene_add(scree_scene *scene, scree_world *world,
                             const scree_scene_handful *handful, uint32_t *added,
                             scree_error *error);

/* ---- measurements ---------------------------------------------------------------------------------- */

/*  Columns of metrics.csv that every run has: "time", "kinetic" and so on. Their number and names follow from the
    plan. */
#define SCREE_SCENE_MAX_STANDARD 64
size_t scree_scene_standard_count(const scree_scene *scene);
const char *scree_scene_standard_name(const scree_scene *scene, size_t column);
const char *scree_scene_standard_unit(const scree_scene *scene, size_t column);
/*  Their present values, scree_scene_standard_count of them. */
void scree_scene_standard(const scree_scene *scene, const scree_world *world, double *values);

/*  Columns that the scene asks for: measurements, sources, sinks, then those by formulas. Names as "outlet.mass_flow",
    units as "kg/s". */
size_t scree_scene_column_count(const scree_scene *scene);
const char *scree_scene_column_name(const scree_scene *scene, size_t column);
const char *scree_scene_column_unit(const scree_scene *scene, size_t column);
/*  The current values of all columns. Rates are averages over the time since the last call, which is part of the scene's
    state. Columns with `mean` are averages of the samples since then or, without samples, current values.
    SCREE_OUT_OF_MEMORY. */
scree_status scree_scene_measure(scree_scene *scene, scree_world *world, double *values,
                                 scree_error *error);

/*  Takes a sample for the columns with `mean`. SCREE_BAD_ARGUMENT (not started), SCREE_OUT_OF_MEMORY: no sample was
    taken. */
scree_status scree_scene_sample(scree_scene *scene, scree_world *world, scree_error *error);
/*  The same for plan.fields[index]; does nothing if it is not sampled. */
scree_status scree_scene_sample_fields(scree_scene *scene, scree_world *world, size_t index,
                                       scree_error *error);
/*  Writes the average of the samples or, without samples, the current values, like scree_export_fields. Samples are kept
    until scree_scene_restart_fields. SCREE_BAD_ARGUMENT, SCREE_IO_ERROR, SCREE_OUT_OF_MEMORY. */
scree_status scree_scene_write_fields(const scree_scene *scene, scree_world *world, size_t index,
                                      const char *path, scree_error *error);
void scree_scene_restart_fields(scree_scene *scene, size_t index);

/*  Totals of sources and sinks. */
typedef struct scree_scene_tally
{
    uint64_t poured; /* bodies added by sources since the start */
    double poured_mass;
    uint64_t sunk; /* bodies removed by sinks */
    double sunk_mass;
    uint64_t waiting;     /* due by the rates of sources, but there is no room */
    uint64_t quarantined; /* bodies removed because their values were not finite */
    double quarantined_mass;
    uint64_t removed; /* bodies taken out by stages */
    double removed_mass;
} scree_scene_tally;

scree_scene_tally scree_scene_count(const scree_scene *scene);

/*  Totals of plan.sources[index] after its last action. */
typedef struct scree_scene_yield
{
    uint64_t made;    /* bodies */
    uint64_t waiting; /* due, but there is no room */
    double mass;      /* of those made, kg */
} scree_scene_yield;

scree_scene_yield scree_scene_yield_of(const scree_scene *scene, size_t index);

/* ---- the course: the state of a scene, for checkpoints ----------------------------------------------- */

size_t scree_scene_course_bytes(const scree_scene *scene);
/*  Writes that many bytes, the same on every machine. SCREE_TOO_SMALL. */
scree_status scree_scene_course_save(const scree_scene *scene, void *bytes, size_t capacity,
                                     scree_error *error);
/*  Instead of scree_scene_start, for a restored world. SCREE_BAD_FILE: not the state of a scene, or of another scene; then
    nothing changes. */
scree_status scree_scene_course_load(scree_scene *scene, const void *bytes, size_t count,
                                     scree_error *error);

/* ---- the language ------------------------------------------------------------------------------------ */

/*  The reference of all scene functions as Markdown (docs/guide/reference.md), or one function's entry for
    a terminal. Each piece of text is given to `put`. False: there is no such function. */
typedef void scree_scene_put_fn(const char *text, void *user);
void scree_scene_write_reference(scree_scene_put_fn *put, void *user);
bool scree_scene_write_help(const char *function, scree_scene_put_fn *put, void *user);
/*  Names of the scene functions by index, in the order of the reference; NULL past the end. */
const char *scree_scene_function_at(size_t index);
/*  The function with the most similar name; NULL if none is similar. */
const char *scree_scene_nearest_function(const char *word);

/*  The example scenes that the program carries, by index; NULL past the end. */
typedef struct scree_scene_example
{
    const char *name;    /* "drum" */
    const char *group;   /* "lab": small and soft, for play in real time; "guide": the others */
    const char *summary; /* its first line of comment */
    const char *text;
} scree_scene_example;

const scree_scene_example *scree_scene_example_at(size_t index);

#endif
