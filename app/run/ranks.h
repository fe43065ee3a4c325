/*  scree run under mpirun: rank 0 does all that one process would, but for the steps, which all ranks take. The others read the same scene
    and serve it; they write nothing. */
#ifndef SCREE_RUN_RANKS_H
#define SCREE_RUN_RANKS_H

#include "dist/comm_module.h"
#include "dist/ranks.h"

struct scree_run;
struct scree_run_options;

/*  What all ranks say to each other of before a world is there, and that world. */
typedef struct scree_run_ranks
{
    scree_mpi mpi;
    uint64_t command_line;  /* a digest of what must be the same on all ranks */
    scree_rank_team *ranks; /* NULL: none yet */
    bool has_answered;      /* other ranks know whether this one has a world */
} scree_run_ranks;

/*  Whether a run takes its steps on ranks: it was started so, or is asked to. */
bool scree_run_is_on_ranks(bool is_asked);

/*  Of the scene, its settings and the folder that was asked for, which may be NULL. */
uint64_t scree_run_ranks_digest(const struct scree_run_options *options, const char *out);
/*  Begins MPI. An exit code; what is wrong has been printed, by one rank. */
int scree_run_ranks_begin(scree_run_ranks *on, const struct scree_run_options *options);
/*  On ranks other than 0: makes the world and takes part until rank 0 is done. SCREE_EXIT_OK. */
int scree_run_ranks_serve(scree_run_ranks *on, const struct scree_run_options *options);
/*  On rank 0, once there is a world: its steps are those of all ranks from now on. An exit code. */
int scree_run_ranks_open(struct scree_run *run);
/*  Before the world is destroyed: the other ranks are let go. */
void scree_run_ranks_close(struct scree_run *run);
/*  At the end, on all ranks. */
void scree_run_ranks_end(scree_run_ranks *on);

/*  Threads of a rank, unless options or the scene say how many: ranks of a machine share its processors. */
uint32_t scree_run_ranks_threads(const scree_run_ranks *on);

#endif
