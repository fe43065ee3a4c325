/*  Shared by the parts of `scree run`: one run, from its scene to its folder. */
#ifndef SCREE_RUN_H
#define SCREE_RUN_H

#include "app/run/folder.h"
#include "app/run/lines.h"
#include "app/run/notes.h"
#include "app/run/progress.h"
#include "common/json.h"

#include "scene.h"
#include "schedule.h"
#include "scree/checkpoint.h"

/*  Options from the command line, or from another host. */
typedef struct scree_run_options
{
    const char *scene; /* file of the scene; NULL with resume, */
    const char *text;  /* or with a text of the scene; */
    const char *name;  /* its name in messages, */
    const char *base;  /* and the folder of files that it names */
    const char *const *settings;
    size_t setting_count;
    const char *folder;
    bool resume, force, no_film;
    const char *with;              /* with resume: a scene that replaces the run's own; NULL */
    uint64_t threads;              /* 0: as in the scene, or all processors */
    uint64_t steps;                /* end of the run; 0: as in the scene */
    bool whole;                    /* to the scene's end, whatever an earlier call said */
    uint64_t audit;                /* 0: as in the scene */
    const char *device;            /* NULL: as in the scene */
    struct scree_run_ranks *ranks; /* take the steps; NULL: this process does */
    double wall_limit;             /* s; 0: none */
    scree_progress_mode mode;
    bool has_host; /* the process belongs to a host: signals never end it */
} scree_run_options;

typedef enum scree_run_state
{
    SCREE_RUN_RUNNING,
    SCREE_RUN_FINISHED,
    SCREE_RUN_STOPPED, /* by a signal, out of time, or too much to write: can be continued */
    SCREE_RUN_FAILED,  /* a step was refused, bodies are missing, or the disk is full */
} scree_run_state;

typedef enum scree_run_kind
{
    SCREE_KIND_BODIES,
    SCREE_KIND_WALLS,
    SCREE_KIND_CONTACTS,
    SCREE_KIND_LAMMPS,
    SCREE_KIND_CSV,
    SCREE_KIND_STL,
    SCREE_KIND_SOLIDS,
    SCREE_KIND_STL_SOLIDS,
    SCREE_KIND_PEBBLES,
    SCREE_KIND_VTKHDF,
    SCREE_KIND_PICTURE,
    SCREE_KIND_FIELDS,
    SCREE_KIND_FILM,
} scree_run_kind;

/*  A series of exports or pictures of one output of the scene. */
typedef struct scree_run_series
{
    scree_run_kind kind;
    size_t output; /* index in the plan's outputs, pictures or fields */
    scree_schedule schedule;
    scree_schedule sample; /* of fields */
    scree_schedule said;   /* schedule of the scene; stages may have their own */
    uint64_t base;         /* number of the last frame before the stage */
    bool is_last_alone;    /* only one, at the end of the run */
    /*  Existing frames, for collections. */
    struct scree_run_frame
    {
        uint64_t number;
        double time;
    } * frame;
    size_t frame_count, frame_capacity, listed;
    double frame_bytes;      /* of the newest file */
    uint64_t missed;         /* frames that could not be written */
    uint32_t failures, wait; /* consecutive failures; frames to skip before the next try */
} scree_run_series;

/*  Schedule of film frames, from a time on whose frame has the number `base`. */
typedef struct scree_run_film
{
    bool is_known;
    scree_scene_every every; /* both 0: never */
    scree_clock origin;
    uint64_t base;
} scree_run_film;

/*  Statistics of detection and timings, over all calls of a run, including steps that were lost and made again. */
typedef struct scree_run_detection
{
    uint64_t steps, searches, wall_searches, late, audits, missing, deep;
    double search, pairs, walls, sums, motion, scene, writing;
} scree_run_detection;

/*  The last timed batch of steps, and its duration in s; see detection.c. */
typedef struct scree_run_times
{
    scree_timings timings;
    double took;
    uint64_t portion;
    bool is_on;
} scree_run_times;

typedef struct scree_run
{
    const scree_run_options *options;
    scree_scene *scene;
    const scree_scene_plan *plan;
    scree_world *world;
    scree_pool *pool;
    uint32_t threads;
    scree_run_folder folder;
    scree_progress progress;
    scree_notes notes;

    /*  The end: in steps if that is not 0, otherwise in time. */
    uint64_t end_steps, set_steps; /* set: from the command line, of this or an earlier call; */
                                   /* before the first checkpoint also the scene's */
    double end_time, growth;       /* growth: see scree_schedule_room */

    uint32_t stages_ended; /* number that have been reported */
    bool stage_row;        /* a row of metrics is due because a stage has ended */
    uint32_t intervals;    /* the stage whose intervals are in use */
    scree_schedule metrics_said;

    scree_lines metrics;
    scree_lines_mark metrics_mark, breaks_mark; /* of the checkpoint from which the run continues */
    double row_bytes;                           /* of the newest rows of metrics and detection */
    scree_schedule metrics_due, sample_due;
    scree_lines breaks; /* only in scenes with bonds */
    double *measured;   /* a value for each column of the scene */
    scree_lines detection;
    scree_run_detection
        detection_so_far; /* counts of earlier calls; timings of all, without writing */

    scree_run_series *series;
    size_t series_count;
    scree_run_film film;

    bool forecast_made; /* see forecast.h; and the number of bodies then */
    uint64_t forecast_bodies;

    scree_schedule checkpoint_due;
    double checkpoint_wall;       /* s: time of the last attempt */
    double checkpoint_seconds;    /* the longest duration */
    uint32_t checkpoint_failures; /* consecutive */
    bool has_checkpoint;
    uint64_t checkpoint_step; /* of the newest valid one */

    char *kept; /* of the checkpoint from which the run continues: see scree_run_keep */
    size_t kept_bytes;
    char *changes; /* changes by --with, a line each; NULL: none */

    char started[32];
    double wall_before;     /* s of earlier calls */
    double writing_seconds; /* of this call: metrics, frames, pictures, checkpoints */
    scree_run_times times;
    uint64_t resumed;    /* number of restarts */
    uint64_t first_step; /* of this call */
    scree_run_state state;
    int signal;        /* signal that stopped it */
    char message[512]; /* why it failed */
    bool is_unstable;  /* because the world refused a step */
} scree_run;

/*  Runs from beginning to end, or from the last checkpoint. Returns an exit code; *digest is set if the run has
    reached its end. */
int scree_run_go(const scree_run_options *options, uint64_t *digest);
/*  The same, in sweep.c: on ranks, rank 0 does it, and the others make the world and take part until it is done. The exit
    code is that of rank 0, on all of them; `digest` is set on rank 0. */
int scree_run_together(const scree_run_options *options, uint64_t *digest);

/* ---- hooks.c ---- */

/*  Seconds since this call began. */
double scree_run_wall(const scree_run *run);
/*  The hooks of a world in this run; makes its thread pool at the first call. */
scree_world_def scree_run_hooks(scree_run *run);
/*  Opens the scene of a run: `def` says where it is. Returns an exit code. */
int scree_run_open_scene(scree_run *run, scree_scene_def def);

/* ---- sweep.c ---- */

/*  Runs all combinations of "name=v1,v2,..." one after the other, each in a folder of its own in `base`, or, if
    `base` is NULL, in folders named after the scene. Returns the first exit code that is not 0. */
int scree_run_sweep(const scree_run_options *options, const char *const *sweeps, size_t sweep_count,
                    const char *base);

/* ---- open.c: everything that comes before the first step ---- */

int scree_run_open(scree_run *run, const scree_run_options *options);
void scree_run_close(scree_run *run);

/* ---- resume.c: the newest state that is good ---- */

/*  Sets scene, plan, world and kept from a checkpoint of the folder; without one only scene and plan. Returns an
    exit code. */
int scree_run_resume(scree_run *run);

/* ---- remedies.c ---- */

/*  After a refused step: adds which wall of the scene the message names, and what to change. */
void scree_run_say_remedies(scree_run *run);

/* ---- change.c: another scene for a run that continues ---- */

/*  Takes the scene of the options with the state from which the run continues, and reports differences. Returns an
    exit code; if something does not fit, nothing has changed. */
int scree_run_change(scree_run *run);

/* ---- change_list.c ---- */

/*  A line of the list of changes, as in a checkpoint. False without memory. */
bool scree_run_add_change(scree_run *run, const char *text, size_t length);
void scree_run_record_changes(const scree_run *run, scree_json *json);

/* ---- checkpoint.c ---- */

/*  Writes the state, and removes all but the last few. False with a warning. */
bool scree_run_checkpoint(scree_run *run);
/*  Only the file. */
scree_status scree_run_write_state(scree_run *run, const char *path, scree_error *error);
/*  Steps of the checkpoints in the folder, newest first, to be freed. False without memory or folder. */
bool scree_run_checkpoint_list(const scree_run *run, uint64_t **steps, size_t *count);
char *scree_run_checkpoint_path(const scree_run *run, uint64_t step);
/*  The run's own records in a checkpoint, in addition to world and scene, as text. */
char *scree_run_keep(const scree_run *run);
/*  False: not such a text; then nothing changes. */
bool scree_run_recall(scree_run *run, const char *text, size_t bytes);

/* ---- metrics.c ---- */

bool scree_run_metrics_open(scree_run *run, bool is_resumed);
void scree_run_metrics_write(scree_run *run);
/*  A row of the present state, to be freed. */
scree_status scree_run_metrics_row(scree_run *run, char **line, scree_error *error);

/* ---- detection.c ---- */

/*  Opens detection.csv; from now on phases of steps are timed. False with a message. */
bool scree_run_detection_open(scree_run *run, bool is_resumed);
/*  A row of the present state, to be freed; NULL without memory. */
char *scree_run_detection_row(const scree_run *run);
void scree_run_detection_write(scree_run *run);
/*  Records the duration of a batch of `steps`; decides whether the next one is timed. */
void scree_run_detection_time(scree_run *run, uint64_t steps, double took);
/*  False with a warning. */
bool scree_run_detection_flush(scree_run *run, bool to_disk);
scree_run_detection scree_run_detection_of(const scree_run *run, const scree_detection_stats *seen);
/*  Its part of run.json, and reading a value that an earlier call has written there. */
void scree_run_detection_record(const scree_run *run, scree_json *json);
void scree_run_detection_recall(scree_run *run, const char *key, const char *value);
/*  The summary at the end. */
void scree_run_detection_say(scree_run *run);

/* ---- breaks.c ---- */

/*  Opens breaks.csv, if the scene has bonds. False with a message. */
bool scree_run_breaks_open(scree_run *run, bool is_resumed);
/*  Adds bonds broken since the last call. */
void scree_run_breaks_note(scree_run *run);
/*  False with a warning. */
bool scree_run_breaks_flush(scree_run *run, bool to_disk);

/* ---- stages.c: what stages have come to ---- */

/*  After a step at which a stage has ended: writes a line to the log, and makes a row of metrics due. */
void scree_run_stages_note(scree_run *run);
/*  Restores what had been reported up to the state from which the run continues. */
void scree_run_stages_recall(scree_run *run);
/*  Sets their intervals: after everything was opened, and before the next stage begins. */
void scree_run_stages_open(scree_run *run);
bool scree_run_stages_begin(scree_run *run); /* whether a stage begins */
/*  Their part of run.json, and of the summary. */
void scree_run_stages_record(const scree_run *run, scree_json *json);
void scree_run_stages_say(scree_run *run);

/* ---- outputs.c ---- */

/*  An exit code. */
int scree_run_outputs_open(scree_run *run);
/*  After a restart: warns of frames that are missing. */
void scree_run_outputs_look(scree_run *run);
void scree_run_outputs_write(scree_run *run, bool is_end);
/*  Samples the fields that are due for it. */
void scree_run_outputs_sample(scree_run *run);
/*  Writes collections that list the frames. */
void scree_run_outputs_list(scree_run *run);
void scree_run_outputs_close(scree_run *run);
/*  Writes a frame of a series from the present state. */
scree_status scree_run_write_frame(scree_run *run, const scree_run_series *series, const char *path,
                                   scree_error *error);
/*  Its name in counts: "pictures", "vtp-bodies". */
const char *scree_run_series_name(const scree_run_series *series);
/*  Adds an existing frame, from a checkpoint. False without memory. */
bool scree_run_series_add(scree_run_series *series, uint64_t number, double time);

/* ---- film.c ---- */

/*  Writes a film frame of the present state. */
scree_status scree_run_write_film(scree_run *run, const char *path, scree_error *error);

/* ---- film_times.c ---- */

/*  The interval for a new run: that of the first output or picture, otherwise a hundredth of the run; both 0 if the
    run has no end. */
scree_scene_every scree_run_film_every(const scree_run *run);
/*  Called once series exist, the checkpoint was read, and the end is known. */
void scree_run_film_open(scree_run *run);
/*  Its line in the run's records of a checkpoint; recall returns false for any other line. */
void scree_run_film_keep(const scree_run *run, FILE *out);
bool scree_run_film_recall(scree_run *run, const char *line, size_t length);

/* ---- record.c ---- */

/*  Writes run.json. `digest` is used if the run has ended. False with a warning. */
bool scree_run_record(scree_run *run, uint64_t digest);
/*  Reads start time and duration of earlier calls from it. */
void scree_run_record_read(scree_run *run);

#endif
