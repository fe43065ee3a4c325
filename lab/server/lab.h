/*  A laboratory: a scene that runs in a thread of its own while people look at it, and change it. Where there are no
    threads, as in a page without a server, whoever made it gives it its turns.

    Whoever serves the pages tells it messages and takes what is newest: clouds of bodies, and boards, each of which
    says one thing. The world is never waited for, and never waits: what nobody has taken in time is replaced. */
#ifndef SCREE_LAB_H
#define SCREE_LAB_H

#include "cloud.h"
#include "message.h"

typedef struct scree_lab scree_lab;

typedef struct scree_lab_def
{
    const char *scene;        /* a file; NULL: an example */
    uint32_t threads;         /* that there are to compute; 1 or more */
    uint32_t at_work;         /* of them, until a page wants another number; 0: all */
    uint64_t most_bodies;     /* a world with more is refused, or stops */
    size_t most_bytes;        /* of memory, for scene and world */
    bool is_driven;           /* no thread is started: scree_lab_turn is called instead */
    void (*wake)(void *user); /* called by the lab's thread when there is something new */
    void *user;
} scree_lab_def;

/*  Reads the scene, makes its world, and starts the thread, in which nothing moves until it is told to. What
    scree_scene_open, _build and _start return; SCREE_OUT_OF_MEMORY also where there is no thread to be had. */
scree_status scree_lab_create(const scree_lab_def *def, scree_lab **lab, scree_error *error);
void scree_lab_destroy(scree_lab *lab); /* NULL is fine; waits for the step that is under way */

/* ---- of a laboratory that is driven ---------------------------------------------------------------------------- */

/*  Carries out what it was told, takes a portion of the steps that are due, and shows what is new. The seconds until
    it is due again, unless it is told something before: 0 while there are more steps to take. */
double scree_lab_turn(scree_lab *lab);
/*  Of the world as it is: scree_world_digest. */
uint64_t scree_lab_digest(scree_lab *lab);

/* ---- of each --------------------------------------------------------------------------------------------------- */

/*  Messages of a client are carried out in their order; those for which there is no room are dropped, and that is
    said. What the message points to is copied. */
bool scree_lab_tell(scree_lab *lab, uint32_t client, const scree_lab_message *message);
/*  A client is gone: what it holds is let go. */
void scree_lab_forget(scree_lab *lab, uint32_t client);

/*  From now on a cloud is wanted; the lab wakes when there is one that differs from the last. */
void scree_lab_want(scree_lab *lab);
/*  The newest cloud in exchange for an old one, which may be zeros; false: there is none since the last. */
bool scree_lab_take(scree_lab *lab, scree_lab_cloud *cloud);

typedef enum scree_lab_board
{
    SCREE_LAB_HELLO,  /* text: examples, methods, limits; for whoever comes */
    SCREE_LAB_STAGE,  /* text: the scene that is there */
    SCREE_LAB_WALLS,  /* its surfaces */
    SCREE_LAB_SHAPES, /* what bodies look like that are no spheres */
    SCREE_LAB_STATUS, /* text: clock, energies, contacts, what it costs */
    SCREE_LAB_NOTE,   /* text: what went wrong, or was done */
    SCREE_LAB_TIMES,  /* text: methods compared */
    SCREE_LAB_FOUND,  /* text: what is in a region; for one client */
    SCREE_LAB_SAVED,  /* a checkpoint; for one client */
    SCREE_LAB_LINES,  /* what is laid over the bodies */
    SCREE_LAB_BOARDS,
} scree_lab_board;

#define SCREE_LAB_EVERYBODY 0u

typedef struct scree_lab_sheet
{
    uint64_t version; /* 0: nothing was written on it yet */
    uint32_t client;  /* whom it is for, or everybody */
    bool is_text;
    uint8_t *bytes; /* the caller's, to be freed; after `before` bytes of room */
    size_t count;
} scree_lab_sheet;

/*  Its version, at no cost. */
uint64_t scree_lab_board_version(scree_lab *lab, scree_lab_board board);
/*  A copy of what is on it, with room before it. SCREE_OUT_OF_MEMORY. */
scree_status scree_lab_board_read(scree_lab *lab, scree_lab_board board, size_t before,
                                  scree_lab_sheet *sheet);

#endif
