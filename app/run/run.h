/*  What the parts of `scree run` share: one run, from its scene to its folder.
 */
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

/*  What the command line asks for, or another host. */
typedef struct scree_run_options
{
    const char *scene; /* its file; NULL with resume, or with */
    const char *text;  /* the scene itself; of it */
    const char *name;  /* what messages call it */
    const char *base;  /* the folder of files that it names */
    const char *const *settings;
    size_t setting_count;
    const char *folder;
    bool resume, force, no_film;
    const char *with;              /* of a run that goes on: a scene instead of its own; NULL */
    uint64_t threads;              /* 0: what the scene says, or all processors */
    uint64_t steps;                /* the end, instead of the scene's; 0: the scene's */
    uint64_t audit;                /* 0: what the scene says */
    const char *device;            /* NULL: what the scene says */
    struct scree_run_ranks *ranks; /* that take the steps; NULL: this process does */
    double wall_limit;             /* s; 0: none */
    scree_progress_mode mode;
    bool has_host; /* the process is another's: signals never end it */
} scree_run_options;

typedef enum scree_run_state
{
    SCREE_RUN_RUNNING,
    SCREE_RUN_FINISHED,
    SCREE_RUN_STOPPED, /* asked to, out of time, or too much to write: can go on */
    SCREE_RUN_FAILED,  /* a step was refused, bodies do not add up, the disk is
                        full */
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

/*  One export or picture of one output of the scene, frame after frame. */
typedef struct scree_run_series
{
    scree_run_kind kind;
    size_t output; /* of the plan's outputs, or of its pictures, or fields */
    scree_schedule schedule;
    scree_schedule sample; /* of fields */
    scree_schedule said;   /* of the scene, where stages have their own */
    uint64_t base;         /* number of the last frame before the stage */
    bool is_last_alone;    /* one at the end of the run */
    /*  Frames that are there, for collections. */
    struct scree_run_frame
    {
        uint64_t number;
        double time;
    } * frame;
    size_t frame_count, frame_capacity, listed;
    double frame_bytes;      /* of the newest file */
    uint64_t missed;         /* could not be written */
    uint32_t failures, wait; /* in a row; so many due times are passed over before
                              the next try */
} scree_run_series;

/*  When frames of the film are due, from a moment on whose frame has the number `base`. */
typedef struct scree_run_film
{
    bool is_known;
    scree_scene_every every; /* both 0: never */
    scree_clock origin;
    uint64_t base;
} scree_run_film;

/*  What detection did, and how many seconds what took: of all calls of a run together, also of steps that were lost and
    made again. */
typedef struct scree_run_detection
{
    uint64_t steps, searches, wall_searches, late, audits, missing;
    double search, pairs, walls, sums, motion, scene, writing;
} scree_run_detection;

/*  The last portion whose phases were timed, and how long it took, s; see detection.c. */
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

    /*  The end: of steps if that is not 0, else of time. */
    uint64_t end_steps, set_steps; /* set: from the command line, of this or an earlier call */
    double end_time, growth;       /* growth: see scree_schedule_room */

    uint32_t stages_ended; /* that have been noted */
    bool stage_row;        /* a row of metrics is due as a stage has ended */
    uint32_t intervals;    /* the stage whose intervals are set */
    scree_schedule metrics_said;

    scree_lines metrics;
    scree_lines_mark metrics_mark, breaks_mark; /* of the checkpoint that the run goes on from */
    double row_bytes;                           /* of the newest rows of metrics and detection */
    scree_schedule metrics_due, sample_due;
    scree_lines breaks; /* only where the scene glues bodies */
    double *measured;   /* a value for each column of the scene */
    scree_lines detection;
    scree_run_detection
        detection_so_far; /* counts of earlier calls, and all seconds but of writing now */

    scree_run_series *series;
    size_t series_count;
    scree_run_film film;

    bool forecast_made; /* see forecast.h; and with so many bodies */
    uint64_t forecast_bodies;

    scree_schedule checkpoint_due;
    double checkpoint_wall;       /* s: when the last was tried */
    double checkpoint_seconds;    /* the longest took */
    uint32_t checkpoint_failures; /* in a row */
    bool has_checkpoint;
    uint64_t checkpoint_step; /* of the newest that is good */

    char *kept; /* of the checkpoint that the run goes on from: see scree_run_keep
               */
    size_t kept_bytes;
    char *changes; /* what --with has changed, a line each; NULL: nothing */

    char started[32];
    double wall_before;     /* s that earlier calls took */
    double writing_seconds; /* of this call: metrics, frames, pictures, checkpoints */
    scree_run_times times;
    uint64_t resumed;    /* how many times */
    uint64_t first_step; /* of this call */
    scree_run_state state;
    int signal;        /* that stopped it */
    char message[512]; /* why it failed */
    bool is_unstable;  /* as the world has refused a step */
} scree_run;

/*  One run from beginning to end, or from where it was. An exit code; *digest
 * is set if it came to its end. */
int scree_run_go(const scree_run_options *options, uint64_t *digest);

/* ---- hooks.c ---- */

/*  Seconds since this call began. */
double scree_run_wall(const scree_run *run);
/*  The hooks of a world in this run; makes its pool of threads when first called. */
scree_world_def scree_run_hooks(scree_run *run);

/* ---- sweep.c
 * ----------------------------------------------------------------------------------
 */

/*  All combinations of "name=v1,v2,..." one after the other, each in a folder
   of its own in `base`, or beside the others named after the scene if `base` is
   NULL. An exit code: the first that is not 0. */
int scree_run_sweep(const scree_run_options *options, const char *const *sweeps, size_t sweep_count,
                    const char *base);

/* ---- open.c: everything that comes before the first step
 * ------------------------------------- */

int scree_run_open(scree_run *run, const scree_run_options *options);
void scree_run_close(scree_run *run);

/* ---- resume.c: the newest state that is good
 * -------------------------------------------------- */

/*  Sets scene, plan, world and kept from a checkpoint of the folder; without
   one the scene and plan alone. An exit code. */
int scree_run_resume(scree_run *run);

/* ---- remedies.c ---- */

/*  Of a run whose step was refused with its message: which wall of the scene that names, and what to change. */
void scree_run_say_remedies(scree_run *run);

/* ---- change.c: another scene for a run that goes on ---- */

/*  Takes that of the options, with the state that the run goes on from, and says what differs. An exit code; what does not fit
    is refused, and nothing has changed. */
int scree_run_change(scree_run *run);

/* ---- change_list.c ---- */

/*  A line of what has changed, as a checkpoint has it. False without memory. */
bool scree_run_add_change(scree_run *run, const char *text, size_t length);
void scree_run_record_changes(const scree_run *run, scree_json *json);

/* ---- checkpoint.c
 * ------------------------------------------------------------------------------
 */

/*  Writes the state, and removes what is older than the last few. False with a
 * warning. */
bool scree_run_checkpoint(scree_run *run);
/*  The file alone. */
scree_status scree_run_write_state(scree_run *run, const char *path, scree_error *error);
/*  Steps of the checkpoints in the folder, newest first, to be freed. False
 * without memory or folder. */
bool scree_run_checkpoint_list(const scree_run *run, uint64_t **steps, size_t *count);
char *scree_run_checkpoint_path(const scree_run *run, uint64_t step);
/*  What a run keeps beside the world and the scene, as text in the checkpoint.
 */
char *scree_run_keep(const scree_run *run);
/*  False: not such a text; then nothing changes. */
bool scree_run_recall(scree_run *run, const char *text, size_t bytes);

/* ---- metrics.c
 * ---------------------------------------------------------------------------------
 */

bool scree_run_metrics_open(scree_run *run, bool is_resumed);
void scree_run_metrics_write(scree_run *run);
/*  A row as the world is now, to be freed. */
scree_status scree_run_metrics_row(scree_run *run, char **line, scree_error *error);

/* ---- detection.c ---- */

/*  detection.csv; from now on phases of steps are timed. False with a message. */
bool scree_run_detection_open(scree_run *run, bool is_resumed);
/*  A row as the world is now, to be freed; NULL without memory. */
char *scree_run_detection_row(const scree_run *run);
void scree_run_detection_write(scree_run *run);
/*  A portion of `steps` took so many seconds; decides whether the next is timed. */
void scree_run_detection_time(scree_run *run, uint64_t steps, double took);
/*  False with a warning. */
bool scree_run_detection_flush(scree_run *run, bool to_disk);
scree_run_detection scree_run_detection_of(const scree_run *run, const scree_detection_stats *seen);
/*  Its part of run.json, and a value of it that an earlier call has left there. */
void scree_run_detection_record(const scree_run *run, scree_json *json);
void scree_run_detection_recall(scree_run *run, const char *key, const char *value);
/*  The last words about it. */
void scree_run_detection_say(scree_run *run);

/* ---- breaks.c ---- */

/*  breaks.csv, if the scene glues bodies. False with a message. */
bool scree_run_breaks_open(scree_run *run, bool is_resumed);
/*  What broke since the last time. */
void scree_run_breaks_note(scree_run *run);
/*  False with a warning. */
bool scree_run_breaks_flush(scree_run *run, bool to_disk);

/* ---- stages.c: what stages have come to ---- */

/*  At a step at which one has ended: a line of the log, and a row of metrics is due. */
void scree_run_stages_note(scree_run *run);
/*  What had been said up to the state that the run goes on from. */
void scree_run_stages_recall(scree_run *run);
/*  Their intervals: once all is open, and where the next stage is about to begin. */
void scree_run_stages_open(scree_run *run);
bool scree_run_stages_begin(scree_run *run); /* whether one is */
/*  Their part of run.json, and of the last words. */
void scree_run_stages_record(const scree_run *run, scree_json *json);
void scree_run_stages_say(scree_run *run);

/* ---- outputs.c
 * ---------------------------------------------------------------------------------
 */

/*  An exit code. */
int scree_run_outputs_open(scree_run *run);
/*  Of a run that goes on: warns of frames that are gone. */
void scree_run_outputs_look(scree_run *run);
void scree_run_outputs_write(scree_run *run, bool is_end);
/*  Fields that are due for a sample get one. */
void scree_run_outputs_sample(scree_run *run);
/*  Collections that name the frames. */
void scree_run_outputs_list(scree_run *run);
void scree_run_outputs_close(scree_run *run);
/*  One frame of a series, as the world is now. */
scree_status scree_run_write_frame(scree_run *run, const scree_run_series *series, const char *path,
                                   scree_error *error);
/*  What it is called where it is counted: "pictures", "vtp-bodies". */
const char *scree_run_series_name(const scree_run_series *series);
/*  Takes in that a frame is there, as a checkpoint says. False without memory.
 */
bool scree_run_series_add(scree_run_series *series, uint64_t number, double time);

/* ---- film.c ---- */

/*  A frame of the film, as the world is now. */
scree_status scree_run_write_film(scree_run *run, const char *path, scree_error *error);

/* ---- film_times.c ---- */

/*  What a run that begins chooses: as often as the first output, or picture, else a hundred times; both 0: there is no end. */
scree_scene_every scree_run_film_every(const scree_run *run);
/*  Once the series are there, what the checkpoint says is read, and the end is known. */
void scree_run_film_open(scree_run *run);
/*  As a line of what a run keeps in checkpoints; false: it is no such line. */
void scree_run_film_keep(const scree_run *run, FILE *out);
bool scree_run_film_recall(scree_run *run, const char *line, size_t length);

/* ---- record.c
 * ----------------------------------------------------------------------------------
 */

/*  run.json, anew. `digest` counts if the run has ended in any way. False with
 * a warning. */
bool scree_run_record(scree_run *run, uint64_t digest);
/*  What an earlier call has left there of when it began and how long it took.
 */
void scree_run_record_read(scree_run *run);

#endif
