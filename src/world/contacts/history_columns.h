/*  Memory for the history of a list of contacts: an array for each number that a contact keeps, one value for each
    contact. Lists have SCREE_MAX_MEMORY pointers and capacities, of which the laws of a world use the first. */
#ifndef SCREE_WORLD_HISTORY_COLUMNS_H
#define SCREE_WORLD_HISTORY_COLUMNS_H

#include "base/memory.h"
#include "scree/law.h"

/*  Reserves room for a number of contacts in the first `columns`. Contents are kept. SCREE_OUT_OF_MEMORY. */
scree_status scree_history_columns_reserve(scree_memory *memory,
                                           double *(*history)[SCREE_MAX_MEMORY],
                                           size_t (*capacity)[SCREE_MAX_MEMORY], uint32_t columns,
                                           size_t contacts);
void scree_history_columns_free(scree_memory *memory, double *(*history)[SCREE_MAX_MEMORY],
                                size_t (*capacity)[SCREE_MAX_MEMORY]);

#endif
