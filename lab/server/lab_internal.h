/*  The laboratory from inside. */
#ifndef SCREE_LAB_INTERNAL_H
#define SCREE_LAB_INTERNAL_H

#include "bounded.h"
#include "lab.h"
#include "shapes.h"

#include "scene.h"

#include <pthread.h>

#define LAB_WALL_MOST 4096u     /* that are shown */
#define LAB_FACET_MOST 2000000u /* of all of them */
#define LAB_SETTINGS 64u

/*  Where the scene comes from. A scene that a page has sent may name no files. */
typedef struct lab_source
{
    char *text;
    bool is_file; /* that the program was started with: def.scene */
    char *settings[LAB_SETTINGS];
    size_t setting_count;
} lab_source;

/*  The threads that compute, this one among them. Of the lab's thread alone. */
typedef struct lab_crew
{
    scree_tasks all;
    uint32_t at_work; /* of all; 1: this thread alone */
    uint32_t helping; /* others that have a task now */
} lab_crew;

typedef struct lab_note lab_note; /* a message that waits */

/*  Whom somebody holds with the mouse. */
typedef struct lab_grip
{
    bool holds;
    uint32_t client;
    scree_body_id body;
    double target[3];
    double told, gap; /* when the hand moved last, and s between such times */
} lab_grip;

struct scree_lab
{
    scree_lab_def def;
    pthread_t thread;
    bool has_thread;

    /* ---- shared, under `lock` ---- */
    pthread_mutex_t lock;
    pthread_cond_t news;
    bool ends, wants;
    lab_note *first, **last;
    size_t note_count, note_bytes;
    scree_lab_sheet board[SCREE_LAB_BOARDS];
    scree_lab_cloud ready;
    bool has_ready;

    /* ---- of the thread alone ---- */
    lab_bounded memory;
    scree_pool *pool;
    lab_crew crew;
    scree_scene *scene;
    scree_world *world;
    lab_source source;
    char method[64];
    bool has_margin; /* another than the scene's */
    scree_margin_def margin;
    bool keeps_ledger; /* also where the scene does not ask for it */
    uint32_t overlay,
        overlay_level; /* what is laid over bodies: SCREE_LAB_SHOW_..., and how deep */
    bool has_lines;    /* something is on the board of lines */
    double lines_due;
    bool plays;
    double rate;   /* seconds of the scene in one of the clock on the wall; 0: as fast as can be */
    double credit; /* s of the scene that are due */
    double then;   /* when was looked last */
    double cost;   /* s of a step, lately */
    lab_grip grip;
    scree_lab_cloud cloud;
    scree_lab_shapes shapes;
    double shapes_due; /* when they may be told again */
    scree_lab_field field;
    uint32_t epoch;
    scree_lab_grain grain;
    float upper;
    double lower_corner[3], upper_corner[3];
    bool has_changed; /* since the last cloud */
    bool is_untold;   /* since the last status */
    double told;      /* when that was */
    double status_due;
    double busy;                   /* s of steps since then */
    double busy_spent, told_spent; /* of the processor: of these steps, and of the thread then */
    double shown;                  /* s of clouds, lines and boards since then */
    double told_time;              /* of the scene, then */
    uint64_t told_steps;
    uint64_t checksum, checksum_steps; /* of contacts, and when they were */
    double checksum_due;
    uint64_t pours;
};

/* ---- boards.c: what the server's thread sees ---- */
void scree_lab_post(scree_lab *lab, scree_lab_board board, uint32_t client, bool is_text,
                    uint8_t *bytes, size_t count); /* takes the bytes over; NULL: nothing happens */
/*  "error" or "done" with a sentence; a line of the scene is told from "scene:7: ". */
void scree_lab_say(scree_lab *lab, bool is_error, const char *format, ...) SCREE_PRINTF(3, 4);

/* ---- show.c ---- */
void scree_lab_show(scree_lab *lab); /* the cloud, if one is wanted */

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

/* ---- act.c ---- */
void scree_lab_act(scree_lab *lab, uint32_t client, const scree_lab_message *message);

/* ---- steps.c ---- */
scree_status scree_lab_take_steps(scree_lab *lab, uint64_t steps, scree_error *error);

/* ---- crew.c: how many threads compute ---- */
void scree_lab_crew_begin(lab_crew *crew, scree_pool *pool, uint32_t at_work); /* 0: all */
scree_tasks scree_lab_crew_tasks(lab_crew *crew); /* `crew` stays where it is */

/* ---- hand.c: what a mouse does ---- */
scree_status scree_lab_pour(scree_lab *lab, const scree_lab_message *message, scree_error *error);
scree_status scree_lab_grab(scree_lab *lab, uint32_t client, const scree_lab_message *message,
                            scree_error *error);
void scree_lab_move_hand(scree_lab *lab, uint32_t client, const scree_lab_message *message);
void scree_lab_pull(scree_lab *lab, uint64_t steps); /* before a portion of steps */
void scree_lab_let_go(scree_lab *lab);
scree_status scree_lab_delete(scree_lab *lab, const scree_lab_message *message, scree_error *error);
scree_status scree_lab_clear(scree_lab *lab, const scree_lab_message *message, scree_error *error);
void scree_lab_find(scree_lab *lab, uint32_t client, const scree_lab_message *message);

/* ---- report.c ---- */
void scree_lab_tell_hello(scree_lab *lab);
void scree_lab_tell_stage(scree_lab *lab);
void scree_lab_tell_status(scree_lab *lab, double now);

/* ---- walls.c ---- */
void scree_lab_tell_walls(scree_lab *lab);
bool scree_lab_pose_walls(scree_lab *lab, scree_lab_cloud *cloud);
/*  The box around bodies and meshes, and as far as planes that are near it. */
void scree_lab_measure_box(scree_lab *lab, double lower[3], double upper[3]);

/* ---- overlay.c ---- */
#define SCREE_LAB_SHOW_STRUCTURE 1u
#define SCREE_LAB_SHOW_CHAINS 2u
#define SCREE_LAB_SHOW_SURROGATES 4u
/*  If something is wanted, and it would not cost more than a part of the time. */
void scree_lab_tell_lines(scree_lab *lab);

/* ---- race.c ---- */
void scree_lab_race(scree_lab *lab);

/* ---- times.c ---- */
double scree_lab_now(void);
/*  Processor time of this thread, s; the clock's where that is not known. */
double scree_lab_spent(void);

/* ---- epoch.c ---- */
/*  Everything is shown again from here. */
void scree_lab_begin_epoch(scree_lab *lab);

#endif
