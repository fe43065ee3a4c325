/*  The folder of a run, which has all its output. Only one process at a time works in it.

        scene.lua      the scene with its settings: it reproduces the run
        run.json       what ran where, how far, and its digest
        log.txt        all messages
        metrics.csv    measurements over time
        breaks.csv     broken bonds, in scenes with bonds
        detection.csv  statistics of detection, and timings
        checkpoints/   the last states, for restarts
        film/          small frames, for scree render
        frames/        exports: VTK, LAMMPS dump, CSV, STL
        pictures/      PNG */
#ifndef SCREE_RUN_FOLDER_H
#define SCREE_RUN_FOLDER_H

#include "scree/base.h"

typedef enum scree_folder_state
{
    SCREE_FOLDER_NEW,      /* missing or empty */
    SCREE_FOLDER_FOREIGN,  /* contains something, but no run */
    SCREE_FOLDER_FINISHED, /* a run that is complete */
    SCREE_FOLDER_STOPPED,  /* a run that is not: it was stopped or killed, or a step was refused */
    SCREE_FOLDER_BUSY,     /* another process works in it */
} scree_folder_state;

typedef struct scree_run_folder
{
    char *path;
    int lock; /* a descriptor of the lock; -1: none */
} scree_run_folder;

/*  State of a folder. */
scree_folder_state scree_folder_look(const char *path);

/*  Makes the folder with its sub-folders and locks it. With `resume` it must contain a run. Otherwise it must be
    new, or `force` is given and the previous output is removed. Returns an exit code, with a message on stderr; then
    nothing has changed. */
int scree_folder_open(scree_run_folder *folder, const char *path, bool resume, bool force);
/*  Whether it could be opened this way, as far as can be known: an exit code, with a message. Changes nothing. */
int scree_folder_check(const char *path, bool resume, bool force);
void scree_folder_close(scree_run_folder *folder);

/*  "FOLDER/first second", to be freed; NULL without memory. */
char *scree_folder_path(const scree_run_folder *folder, const char *format, ...) SCREE_PRINTF(2, 3);

/*  "out/drum-rate=8" from "scenes/drum.lua" and its settings, or from settings alone; to be freed; NULL
    without memory. */
char *scree_folder_name(const char *base, const char *scene, const char *const *settings,
                        size_t count);

/*  Whether a name in a folder is that of a temporary file, which a killed process has left. */
bool scree_folder_is_temporary(const char *name);

#endif
