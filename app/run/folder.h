/*  The folder of a run: where everything that it leaves behind is. One process at a time works in it.

        scene.lua      the scene, settings put in: it reproduces the run
        run.json       what ran where, how far it got, and its digest
        log.txt        what was said
        metrics.csv    figures over time
        breaks.csv     bonds that broke, where bodies are glued
        detection.csv  what detection did, and where the time went
        checkpoints/   the last states, from which the run goes on
        film/          small frames, for scree render
        frames/        exports: VTK, LAMMPS dump, CSV, STL
        pictures/      PNG */
#ifndef SCREE_RUN_FOLDER_H
#define SCREE_RUN_FOLDER_H

#include "scree/base.h"

typedef enum scree_folder_state
{
    SCREE_FOLDER_NEW,      /* not there, or empty */
    SCREE_FOLDER_FOREIGN,  /* holds something, but no run */
    SCREE_FOLDER_FINISHED, /* a run that came to its end */
    SCREE_FOLDER_STOPPED,  /* one that did not: it was stopped, killed, or a step was refused */
    SCREE_FOLDER_BUSY,     /* another process works there */
} scree_folder_state;

typedef struct scree_run_folder
{
    char *path;
    int lock; /* a descriptor of run.lock; -1: none */
} scree_run_folder;

/*  What is there. */
scree_folder_state scree_folder_look(const char *path);

/*  Makes the folder with its sub-folders and keeps others out. With `resume` it must hold a run; else it must be
    new, or `force` is given and what an earlier run left is removed. An exit code, with a message on
    stderr; then nothing is changed. */
int scree_folder_open(scree_run_folder *folder, const char *path, bool resume, bool force);
/*  Whether it could be opened so, as far as can be seen: an exit code, with a message. Changes nothing. */
int scree_folder_check(const char *path, bool resume, bool force);
void scree_folder_close(scree_run_folder *folder);

/*  "FOLDER/first second", to be freed; NULL without memory. */
char *scree_folder_path(const scree_run_folder *folder, const char *format, ...) SCREE_PRINTF(2, 3);

/*  "out/drum-rate=8" from "scenes/drum.lua" and its settings, or from settings alone; to be freed; NULL
    without memory. */
char *scree_folder_name(const char *base, const char *scene, const char *const *settings,
                        size_t count);

/*  Whether a name in a folder is that of a file being written, which a kill has left. */
bool scree_folder_is_temporary(const char *name);

#endif
