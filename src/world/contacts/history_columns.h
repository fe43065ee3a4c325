/*  Memory for lists of contacts, whose columns are arrays with a row for each contact: those that all contacts have,
    and their history, an array for each number that a law keeps. Lists have SCREE_MAX_MEMORY pointers and capacities
    for history, of which the laws of a world use the first. */
#ifndef SCREE_WORLD_HISTORY_COLUMNS_H
#define SCREE_WORLD_HISTORY_COLUMNS_H

#include "base/memory.h"
#include "scree/law.h"

/*  For lists of fields X(type, name, n): free the columns of `list`, or reserve `wanted` rows in each and return from
    the function if there is no memory. */
#define SCREE_GIVE_COLUMN(type, name, n)                                                           \
    scree_memory_give(memory, &list->name, list->name##_capacity, sizeof *list->name);
#define SCREE_RESERVE_COLUMN(type, name, n)                                                        \
    if (scree_memory_reserve(memory, &list->name, &list->name##_capacity, wanted,                  \
                             sizeof *list->name))                                                  \
        return SCREE_OUT_OF_MEMORY;

/*  Reserves room for a number of contacts in the first `columns`. Contents are kept. SCREE_OUT_OF_MEMORY. */
scree_status scree_history_columns_reserve(scree_memory *memory,
                                           double *(*history)[SCREE_MAX_MEMORY],
                                           size_t (*capacity)[SCREE_MAX_MEMORY], uint32_t columns,
                                           size_t contacts);
void scree_history_columns_free(scree_memory *memory, double *(*history)[SCREE_MAX_MEMORY],
                                size_t (*capacity)[SCREE_MAX_MEMORY]);

#endif
