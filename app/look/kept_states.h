/*  The checkpoints of a run, sorted by step. */
#ifndef SCREE_KEPT_STATES_H
#define SCREE_KEPT_STATES_H

#include "scree/checkpoint.h"

typedef struct scree_kept_state
{
    char *path;
    uint64_t steps, digest;
} scree_kept_state;

typedef struct scree_kept_states
{
    scree_kept_state *state;
    size_t count;
} scree_kept_states;

/*  Appends all checkpoints of a run's folder, by step. A run without a folder of checkpoints adds none. Returns an exit
    code; the caller frees the list in any case. */
int scree_kept_states_list(const char *run, scree_kept_states *list);
void scree_kept_states_free(scree_kept_states *list);

/*  Returns an exit code, with a message on stderr. */
int scree_read_checkpoint(const char *path, scree_checkpoint **checkpoint);

#endif
