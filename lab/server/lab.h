/*  A lab: a scene that runs in its own thread while people watch and change it. Without threads, as in a page
    without a server, its owner calls scree_lab_turn.

    The server passes messages to it and takes the newest output: point clouds of bodies, and boards, each of which is
    one state channel. Neither side waits for the other: output that is not taken in time is replaced. */
#ifndef SCREE_LAB_H
#define SCREE_LAB_H

#include "cloud.h"
#include "message.h"

typedef struct scree_lab scree_lab;

typedef struct scree_lab_def
{
    const char *scene;        /* a file; NULL: an example */
    uint32_t threads;         /* number of computing threads; 1 or more */
    uint32_t at_work;         /* number of these that work until a page changes it; 0: all */
    uint64_t max_bodies;      /* a world with more is refused, or stops */
    size_t max_bytes;         /* memory limit for scene and world */
    bool is_driven;           /* no thread is started: the owner calls scree_lab_turn */
    bool starts;              /* plays as soon as a page looks; false: paused */
    void (*wake)(void *user); /* called by the lab's thread when there is new output */
    void *user;
} scree_lab_def;

/*  Reads the scene, creates its world, and starts the thread. Returns the statuses of scree_scene_open, _build
    and _start; SCREE_OUT_OF_MEMORY also if no thread can be started. */
scree_status scree_lab_create(const scree_lab_def *def, scree_lab **lab, scree_error *error);
void scree_lab_destroy(scree_lab *lab); /* NULL is allowed; waits for the current step */

/* ---- for a lab without a thread ---- */

/*  Carries out messages, takes a batch of the steps that are due, and updates the output. Returns the seconds until it
    must be called again, if no message arrives earlier: 0 while more steps are due. */
double scree_lab_turn(scree_lab *lab);
/*  scree_world_digest of the current world. */
uint64_t scree_lab_digest(scree_lab *lab);

/* ---- for every lab ---- */

/*  Messages of a client are carried out in order. If the queue is full they are dropped, with a note. The data of the
    message is copied. */
bool scree_lab_tell(scree_lab *lab, uint32_t client, const scree_lab_message *message);
/*  A client has disconnected: releases the body it drags. */
void scree_lab_forget(scree_lab *lab, uint32_t client);

/*  Requests a point cloud; the lab wakes when there is one that differs from the last. */
void scree_lab_want(scree_lab *lab);
/*  Exchanges an old cloud, which may be zeros, for the newest. Returns false if there is no new one. */
bool scree_lab_take(scree_lab *lab, scree_lab_cloud *cloud);

typedef enum scree_lab_board
{
    SCREE_LAB_HELLO,      /* text: examples, methods, limits; for new clients */
    SCREE_LAB_STAGE,      /* text: the current scene */
    SCREE_LAB_WALLS,      /* surfaces of the walls */
    SCREE_LAB_SHAPES,     /* shapes of bodies that are not spheres */
    SCREE_LAB_STATUS,     /* text: time, energies, contacts, cost */
    SCREE_LAB_NOTE,       /* text: an error, or a completed action */
    SCREE_LAB_TIMES,      /* text: comparison of methods */
    SCREE_LAB_FOUND,      /* text: content of a region; for one client */
    SCREE_LAB_SAVED,      /* a checkpoint; for one client */
    SCREE_LAB_LINES,      /* overlay over the bodies */
    SCREE_LAB_FILM_PARTS, /* meshes and shapes of a checkpoint; for one client */
    SCREE_LAB_BOARDS,
} scree_lab_board;

#define SCREE_LAB_EVERYBODY 0u

typedef struct scree_lab_sheet
{
    uint64_t version; /* 0: empty so far */
    uint32_t client;  /* the recipient; 0: everybody */
    bool is_text;
    uint8_t *bytes; /* owned by the caller; after `before` reserved bytes */
    size_t count;
} scree_lab_sheet;

/*  Its version; cheap. */
uint64_t scree_lab_board_version(scree_lab *lab, scree_lab_board board);
/*  A copy of its content, with reserved bytes before it. SCREE_OUT_OF_MEMORY. */
scree_status scree_lab_board_read(scree_lab *lab, scree_lab_board board, size_t before,
                                  scree_lab_sheet *sheet);

#endif
