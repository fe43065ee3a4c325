/*  Internals of the lab. */
#ifndef SCREE_LAB_INTERNAL_H
#define SCREE_LAB_INTERNAL_H

#include "bounded.h"
#include "lab.h"
#include "shapes.h"

#include "scene.h"

#include "scree/checkpoint.h"

#include <pthread.h>

#define LAB_WALL_MOST 4096u     /* largest number of walls shown */
#define LAB_FACET_MOST 2000000u /* of all walls together */
#define LAB_SETTINGS 64u

/*  The source of the scene. A scene sent by a page must not name files. */
typedef struct lab_source
{
    char *text;
    bool is_file;        /* the file that the program was started with: def.scene */
    const char *example; /* name of the example that it is; NULL: none */
    char *settings[LAB_SETTINGS];
    size_t setting_count;
} lab_source;

/*  The worker pool, including this thread. Used by the lab's thread only. */
typedef struct lab_crew
{
    scree_tasks all;
    uint32_t at_work; /* number of working threads; 1: this thread only */
    uint32_t helping; /* helpers that have a task now */
} lab_crew;

typedef struct lab_note lab_note; /* a queued message */

/*  The body that a client drags. */
typedef struct lab_grip
{
    bool holds;
    uint32_t client;
    scree_body_id body;
    double target[3];
    double told, gap; /* when the mouse last moved, and the interval between such messages, s */
    bool is_ball;     /* the body is there only as long as it is held */
    /*  While the scene is paused: a copy of the world in which the body moves; NULL: none. */
    scree_world *copy;
    uint32_t steps_left;
    double min_mass, min_radius; /* of the bodies of the copy */
    double share;                /* of the speed at which the body may move there */
    bool
        is_blocked; /* it moves only with steps: it could not be moved, or steps are taken one by one */
} lab_grip;

/*  The state before an action of the hand. */
typedef struct lab_undo
{
    scree_snapshot *state;
    void *course;
    size_t course_bytes;
    scree_wall_id wall; /* drawn by the action; none: 0 */
} lab_undo;

#define LAB_UNDOS 10u
#define LAB_DRAWN_MOST 100u /* walls drawn by hand */

/*  Oldest first. The messages of a stroke have one state: kind, client and time are those of its last message. */
typedef struct lab_undo_list
{
    lab_undo state[LAB_UNDOS];
    size_t count;
    scree_lab_kind kind;
    uint32_t client;
    double when;
} lab_undo_list;

struct scree_lab
{
    scree_lab_def def;
    pthread_t thread;
    bool has_thread;

    /* ---- shared, under `lock` ---- */
    pthread_mutex_t lock;
    pthread_cond_t news;
    bool ends, wants, is_looked_at;
    lab_note *first, **last;
    size_t note_count, note_bytes;
    scree_lab_sheet board[SCREE_LAB_BOARDS];
    scree_lab_cloud ready;
    bool has_ready;

    /* ---- used by the lab's thread only ---- */
    lab_bounded memory;
    scree_pool *pool;
    lab_crew crew;
    scree_scene *scene;
    scree_world *world;
    lab_source source;
    char method[64];
    bool has_margin; /* overrides that of the scene */
    scree_margin_def margin;
    bool keeps_energy_balance;       /* even if the scene does not request it */
    uint32_t overlay, overlay_level; /* overlay: SCREE_LAB_SHOW_..., and its level */
    bool has_lines;                  /* the overlay board is not empty */
    double lines_due;
    bool plays, has_begun;
    bool is_edited; /* the scene that begins now comes from an edit of the last one */
    double rate;    /* seconds of the scene per second of wall-clock time; 0: as fast as possible */
    double credit;  /* s of the scene that are due */
    double then;    /* time of the last update */
    double cost;    /* s of wall-clock time per step, recent mean */
    lab_grip grip;
    lab_undo_list undo;
    uint32_t drawn_walls; /* walls of the world that were drawn by hand */
    scree_wall_id drawn[LAB_DRAWN_MOST];
    scree_lab_cloud cloud;
    scree_lab_shapes shapes;
    double shapes_due; /* when shapes may be sent again */
    scree_lab_field field;
    uint32_t epoch;
    scree_lab_grain grain;
    float upper;
    double lower_corner[3], upper_corner[3];
    bool has_changed; /* since the last cloud */
    bool is_untold;   /* since the last status */
    double told;      /* time of the last status */
    double status_due;
    double busy; /* s of steps since then */
    double busy_spent,
        told_spent;   /* processor time: of these steps, and of the thread at the last status */
    double shown;     /* s of clouds, overlays and boards since then */
    double told_time; /* time of the scene at the last status */
    uint64_t told_steps;
    uint64_t checksum, checksum_steps; /* of the contacts, and the step at which it was computed */
    double checksum_due;
    double stable_dt,
        stable_due; /* the stable step, where the scene is slower than wanted; 0: unknown */
    uint64_t pours;
};

/* ---- boards.c: state channels for the server's thread ---- */
void scree_lab_post(scree_lab *lab, scree_lab_board board, uint32_t client, bool is_text,
                    uint8_t *bytes,
                    size_t count); /* takes ownership of the bytes; NULL: does nothing */
/*  "error" or "done" with a message; the line of the scene is parsed from "scene:7: ". */
void scree_lab_say(scree_lab *lab, bool is_error, const char *format, ...) SCREE_PRINTF(3, 4);

/* ---- show.c ---- */
void scree_lab_show(scree_lab *lab); /* takes the cloud, if one is requested */

/* ---- load.c: scenes and checkpoints ---- */
scree_status scree_lab_open(scree_lab *lab, lab_source *source, scree_error *error);
scree_status scree_lab_open_example(scree_lab *lab, uint32_t index, scree_error *error);
scree_status scree_lab_open_text(scree_lab *lab, const uint8_t *text, size_t count,
                                 scree_error *error);
scree_status scree_lab_set(scree_lab *lab, const uint8_t *text, size_t count, scree_error *error);
scree_status scree_lab_save(scree_lab *lab, uint32_t client, scree_error *error);
scree_status scree_lab_load(scree_lab *lab, const uint8_t *bytes, size_t count, scree_error *error);
void scree_lab_close(scree_lab *lab);
void scree_lab_source_free(lab_source *source);
/*  A text that a page has sent, as a source without parameters. */
scree_status scree_lab_copy_source(const scree_lab *lab, const char *text, size_t count,
                                   lab_source *source, scree_error *error);
scree_status scree_lab_read_scene(scree_lab *lab, const lab_source *source, scree_scene **scene,
                                  scree_error *error);
/*  The world of a scene, for a saved course unless it is NULL, and with the values of `old` unless that is NULL. */
scree_status scree_lab_build(scree_lab *lab, scree_scene *scene, const scree_scene *old,
                             const scree_checkpoint_part *course, scree_world **world,
                             scree_error *error);
/*  Replaces the current scene, world and source. */
void scree_lab_change_over(scree_lab *lab, scree_scene *scene, scree_world *world,
                           lab_source *source);

/* ---- edit.c ---- */
/*  Continues with an edited scene, or starts it where it cannot; a note says which. An empty text is the present one, with
    the parameters that were set since. */
scree_status scree_lab_edit(scree_lab *lab, const uint8_t *text, size_t count, scree_error *error);

/* ---- act.c ---- */
void scree_lab_play(scree_lab *lab, bool plays);
void scree_lab_act(scree_lab *lab, uint32_t client, const scree_lab_message *message);

/* ---- steps.c ---- */
scree_status scree_lab_take_steps(scree_lab *lab, uint64_t steps, scree_error *error);

/* ---- crew.c: the worker pool ---- */
void scree_lab_crew_begin(lab_crew *crew, scree_pool *pool, uint32_t at_work); /* 0: all */
scree_tasks scree_lab_crew_tasks(lab_crew *crew); /* `crew` must not be moved */

/* ---- hand.c: mouse interaction ---- */
scree_status scree_lab_pour(scree_lab *lab, const scree_lab_message *message, scree_error *error);
scree_status scree_lab_grab(scree_lab *lab, uint32_t client, const scree_lab_message *message,
                            scree_error *error);
scree_status scree_lab_ball(scree_lab *lab, uint32_t client, const scree_lab_message *message,
                            scree_error *error);
void scree_lab_move_hand(scree_lab *lab, uint32_t client, const scree_lab_message *message);
void scree_lab_pull(scree_lab *lab, uint64_t steps); /* before a batch of steps */
void scree_lab_let_go(scree_lab *lab);
scree_status scree_lab_delete(scree_lab *lab, const scree_lab_message *message, scree_error *error);
scree_status scree_lab_clear(scree_lab *lab, const scree_lab_message *message, scree_error *error);
void scree_lab_find(scree_lab *lab, uint32_t client, const scree_lab_message *message);

/* ---- paused_hand.c: dragging while paused ---- */
/*  The mouse has moved: the body will follow, if the scene is paused. */
void scree_lab_drag_paused(scree_lab *lab);
bool scree_lab_move_paused(scree_lab *lab);     /* for a few ms; false: nothing to do */
void scree_lab_end_paused_drag(scree_lab *lab); /* frees the copy, which is out of date */

/* ---- tools.c: other tools of the hand ---- */
scree_status scree_lab_explode(scree_lab *lab, const scree_lab_message *message,
                               scree_error *error);
void scree_lab_cut(scree_lab *lab, const scree_lab_message *message);
scree_status scree_lab_draw_wall(scree_lab *lab, const scree_lab_message *message,
                                 scree_error *error);

/* ---- drawn_walls.c ---- */
/*  A parallelogram: corner + s u + t v, with s and t from 0 to 1. With v = 0 a segment. */
typedef struct lab_sheet_wall
{
    double corner[3], u[3], v[3];
} lab_sheet_wall;

/*  Adds a wall of the first material. SCREE_BAD_ARGUMENT; SCREE_OUT_OF_MEMORY. */
scree_status scree_lab_add_sheet(scree_world *world, int dimensions, const lab_sheet_wall *sheet,
                                 scree_wall_id *id, scree_error *error);
void scree_lab_forget_drawn(scree_lab *lab, scree_wall_id wall); /* it has been removed */
/*  The drawn walls as a part of a checkpoint; `bytes` has room for LAB_DRAWN_BYTES each. SCREE_BAD_ARGUMENT: they could
    not be loaded. */
#define LAB_DRAWN_BYTES 80u
scree_status scree_lab_write_drawn(scree_lab *lab, uint8_t *bytes, scree_error *error);
/*  Adds the walls of such a part to a world, with the same handles. `ids` gets at most LAB_DRAWN_MOST. SCREE_BAD_FILE. */
scree_status scree_lab_read_drawn(scree_world *world, int dimensions, const uint8_t *bytes,
                                  size_t count, scree_wall_id *ids, scree_error *error);

/* ---- undo.c ---- */
/*  Before an action: takes the state, unless the message continues the stroke of the last one. */
void scree_lab_keep_undo(scree_lab *lab, uint32_t client, scree_lab_kind kind, bool is_stroke);
void scree_lab_cancel_undo(scree_lab *lab); /* the action has failed */
/*  The action, whose state has just been taken, has drawn this wall. */
void scree_lab_note_wall(scree_lab *lab, scree_wall_id wall);
scree_status scree_lab_undo(scree_lab *lab, scree_error *error); /* nothing is held */
void scree_lab_forget_undo(scree_lab *lab);                      /* all states */

/* ---- report.c ---- */
void scree_lab_tell_hello(scree_lab *lab);
void scree_lab_tell_stage(scree_lab *lab);
void scree_lab_tell_status(scree_lab *lab, double now);

/* ---- walls.c ---- */
void scree_lab_tell_walls(scree_lab *lab);
bool scree_lab_pose_walls(scree_lab *lab, scree_lab_cloud *cloud);
/*  The box around bodies and meshes, extended to nearby planes. */
void scree_lab_measure_box(scree_world *world, double lower[3], double upper[3]);
/*  The walls board; planes are squares as large as the box. The caller frees the bytes. Returns false without memory. */
bool scree_lab_write_walls(scree_world *world, int dimensions, uint32_t epoch,
                           const double lower[3], const double upper[3], uint8_t **bytes,
                           size_t *size);

/* ---- film_parts.c ---- */
/*  Meshes and shapes of a checkpoint that a page has sent, for the film of its run. SCREE_OUT_OF_MEMORY. */
scree_status scree_lab_tell_parts(scree_lab *lab, uint32_t client, const uint8_t *data,
                                  size_t data_bytes, scree_error *error);

/* ---- overlay.c ---- */
#define SCREE_LAB_SHOW_STRUCTURE 1u
#define SCREE_LAB_SHOW_CHAINS 2u
#define SCREE_LAB_SHOW_SURROGATES 4u
#define SCREE_LAB_SHOW_PAIRS 8u
/*  Updates the overlay if one is wanted and the cost is within its share of the time. */
void scree_lab_tell_lines(scree_lab *lab);

/* ---- race.c ---- */
void scree_lab_race(scree_lab *lab);

/* ---- times.c ---- */
double scree_lab_now(void);
/*  Processor time of this thread, s; wall-clock time if unknown. */
double scree_lab_spent(void);

/* ---- epoch.c ---- */
/*  Sends everything again from here on. */
void scree_lab_begin_epoch(scree_lab *lab);

#endif
