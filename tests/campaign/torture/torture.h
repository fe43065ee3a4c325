/*  Runs that are killed at any moment, and disks that fail at any call: whatever happens, every file is whole or
    absent, and the run continues to the bytes of one that nothing happened to. Needs the program itself. */
#ifndef SCREE_TORTURE_H
#define SCREE_TORTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct torture
{
    const char *program;
    char work[256];      /* a folder of its own, removed at the end */
    char scene[300];     /* the scene that is run */
    char reference[300]; /* the folder of the run that nothing happened to */
    char digest[17];     /* of its end */
    bool in_stages;
    double seconds; /* that it took */
    uint64_t passed, failed;
} torture;

/*  `in_stages`: a scene with stages, else one without. */
bool torture_begin(torture *t, const char *program, bool in_stages);
void torture_end(torture *t);

/* ---- process.c ----------------------------------------------------------------------------------- */

double torture_clock(void);
void torture_sleep(double seconds);
/*  Starts `program run ...`, NULL at the end; output and errors go to files in the working folder. `environment`
    is put in front: "NAME=value", NULL at the end; may be NULL. */
pid_t torture_start(const torture *t, const char *const *environment, const char *const *words);
/*  Its exit code; -N if signal N ended it. After `limit` seconds it is killed, which is 1000. */
int torture_wait(pid_t child, double limit);
/*  What it said on standard error: how many lines, and the first bytes. */
int torture_errors(const torture *t, char text[1000]);

/* ---- compare.c ----------------------------------------------------------------------------------- */

/*  The digest in run.json of a finished run; false if there is none. */
bool torture_digest(const char *folder, char digest[17]);
/*  Every file of a folder against the reference: bit-identical or, with `may_lack`, absent; with `running` a file of
    lines may also end early. Checkpoints are read. Otherwise false, with a word on what differs. */
bool torture_same(const torture *t, const char *folder, bool may_lack, bool running);
void torture_remove(const char *folder);

/* ---- kill.c, faults.c ------------------------------------------------------------------------------ */

int torture_kill(torture *t, uint64_t runs, uint64_t seed);
/*  `library` is failing_disk, which makes calls fail. `every`: one in so many calls is tried. */
int torture_faults(torture *t, const char *library, uint64_t every);

#endif
