/*  Memory for the history of contacts. */
#include "world/contacts/history_columns.h"

scree_status scree_history_columns_reserve(scree_memory *memory,
                                           double *(*history)[SCREE_MAX_MEMORY],
                                           size_t (*capacity)[SCREE_MAX_MEMORY], uint32_t columns,
                                           size_t contacts)
{
    for (uint32_t k = 0; k < columns; k++)
        if (scree_memory_reserve_lines(memory, &(*history)[k], &(*capacity)[k], contacts,
                                       sizeof(double)))
            return SCREE_OUT_OF_MEMORY;
    return SCREE_OK;
}

void scree_history_columns_free(scree_memory *memory, double *(*history)[SCREE_MAX_MEMORY],
                                size_t (*capacity)[SCREE_MAX_MEMORY])
{
    for (uint32_t k = 0; k < SCREE_MAX_MEMORY; k++)
        scree_memory_give_lines(memory, &(*history)[k], (*capacity)[k], sizeof(double));
}
