/*  scree run under mpirun: rank 0 does everything that a single process would do, except steps, which all ranks
    take. The others read the same scene and serve rank 0; they write nothing. */
#ifndef SCREE_RUN_RANKS_H
#define SCREE_RUN_RANKS_H

#include "dist/comm_module.h"
#include "dist/ranks.h"
#include "scree/checkpoint.h"

struct scree_run;
struct scree_run_options;

/*  State of a rank before and after its world exists. */
typedef struct scree_run_ranks
{
    scree_mpi mpi;
    uint64_t command_line;  /* a digest of everything that must be the same on all ranks */
    scree_rank_team *ranks; /* NULL: not opened yet */
    bool has_answered;      /* other ranks know whether this one has a world */
} scree_run_ranks;

/*  Whether a run takes its steps on ranks: it was started with mpirun, or an option asks for it. */
bool scree_run_is_on_ranks(bool is_asked);

/*  Digest of the scene, its settings, the values of a sweep and the given folder, which may be NULL. */
uint64_t scree_run_ranks_digest(const struct scree_run_options *options, const char *const *sweeps,
                                size_t sweep_count, const char *out);
/*  Initialises MPI. Returns an exit code; one rank has printed what is wrong. */
int scree_run_ranks_begin(scree_run_ranks *on, const struct scree_run_options *options);
/*  On ranks other than 0: makes the world of a run and takes part until rank 0 is done. */
void scree_run_ranks_serve(scree_run_ranks *on, const struct scree_run_options *options);
/*  The exit code of rank 0, on all ranks; `on` NULL: `code`. */
int scree_run_ranks_agree(const scree_run_ranks *on, int code);
/*  Whether this process prints and writes: it is no rank, or rank 0. */
bool scree_run_ranks_leads(const scree_run_ranks *on);
/*  On rank 0, once there is a world: from now on all ranks take its steps. Returns an exit code. */
int scree_run_ranks_open(struct scree_run *run);
/*  Writes a checkpoint: all ranks together, or this process if it is none. Statuses of scree_checkpoint_write. */
scree_status scree_run_ranks_checkpoint(struct scree_run *run, const char *path,
                                        const scree_checkpoint_part *parts, size_t part_count,
                                        scree_error *error);
/*  On rank 0: whether the world has no state that may be saved, because ranks could not be reached. */
bool scree_run_ranks_have_lost_world(const struct scree_run *run);
/*  At the end, on rank 0: how evenly bodies and time were shared, in a line, and a table in the log. */
void scree_run_ranks_say(struct scree_run *run);
/*  Called before the world is destroyed: releases the other ranks. */
void scree_run_ranks_close(struct scree_run *run);
/*  At the end, on all ranks. */
void scree_run_ranks_end(scree_run_ranks *on);

/*  Threads of a rank, if neither options nor the scene give a number: ranks on a machine share its processors. */
uint32_t scree_run_ranks_threads(const scree_run_ranks *on);

#endif
