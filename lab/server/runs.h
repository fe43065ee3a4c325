/*  Runs that a page can open: their films, tables and shapes, as files of the server. A page names a run by its index and
    a frame by its number, never a path. Nothing is kept between two requests, so a run may go on meanwhile.

        /runs                 JSON: names of the runs
        /runs/0/list          JSON: frames that are complete, and how many files are not
        /runs/0/frame/17      a frame, as the run wrote it (common/film_format.h)
        /runs/0/metrics       metrics.csv, or nothing
        /runs/0/parts         meshes of walls and shapes of bodies, of the newest checkpoint */
#ifndef SCREE_LAB_RUNS_H
#define SCREE_LAB_RUNS_H

#include "scree/base.h"

typedef struct scree_lab_runs
{
    const char *const *paths; /* folders */
    size_t count;
    bool (*is_going)(const char *path); /* whether another process works in the folder */
    size_t max_bytes;                   /* of a checkpoint and its world */
} scree_lab_runs;

typedef struct scree_lab_answer
{
    const char *type; /* "application/json" */
    uint8_t *bytes;   /* the caller frees them */
    size_t count;
} scree_lab_answer;

#define SCREE_LAB_RUN_FILE_MOST ((size_t)256 << 20) /* bytes of a frame or a table */

/*  Whether a path of a request is one of these; they need the token, unlike the files of the page. */
bool scree_lab_is_run_path(const char *path);
/*  SCREE_BAD_ARGUMENT: there is no such run or file; SCREE_IO_ERROR; SCREE_TOO_LARGE; SCREE_OUT_OF_MEMORY. */
scree_status scree_lab_runs_answer(const scree_lab_runs *runs, const char *path,
                                   scree_lab_answer *answer);

/* ---- run_parts.c ---- */
/*  Meshes and shapes of its newest checkpoint, as film_parts.h describes. SCREE_OUT_OF_MEMORY. */
scree_status scree_lab_run_parts(const char *run, size_t max_bytes, scree_lab_answer *answer);

#endif
