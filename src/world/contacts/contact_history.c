/*  Memory of contacts, and its change from step to step. */
#include "world/contacts/contact_history.h"

#include "world/contacts/history_columns.h"

#include <string.h>

#define X_FREE_EXERTED(type, name, n)                                                              \
    scree_memory_give_lines(sets->memory, &sets->name, sets->name##_capacity, sizeof *sets->name);

void scree_contact_sets_free(scree_contact_sets *sets)
{
    scree_history_columns_free(sets->memory, &sets->next, &sets->next_capacity);
    scree_memory_give(sets->memory, &sets->stiffness, sets->stiffness_capacity,
                      sizeof *sets->stiffness);
    SCREE_EXERTED_FIELDS(X_FREE_EXERTED)
}

#define RESERVE_EXERTED(name)                                                                      \
    if (scree_memory_reserve_lines(sets->memory, &sets->name, &sets->name##_capacity, wanted,      \
                                   sizeof *sets->name))                                            \
        return SCREE_OUT_OF_MEMORY;

scree_status scree_contact_sets_reserve(scree_contact_sets *sets, size_t wanted, uint32_t planes,
                                        bool has_moments, bool has_account)
{
    if (scree_history_columns_reserve(sets->memory, &sets->next, &sets->next_capacity, planes,
                                      wanted))
        return SCREE_OUT_OF_MEMORY;
    if (sets->has_rows) {
        RESERVE_EXERTED(row)
    }
    if (sets->has_rows && has_moments) {
        RESERVE_EXERTED(moment)
        if (!sets->has_moments && sets->moment)
            memset(sets->moment, 0, sets->moment_capacity * sizeof *sets->moment);
    }
    if (has_account) {
        RESERVE_EXERTED(account)
        if (!sets->has_account && sets->account)
            memset(sets->account, 0, sets->account_capacity * sizeof *sets->account);
    }
    sets->has_moments = has_moments;
    sets->has_account = has_account;
    return SCREE_OK;
}

void scree_contact_sets_accept(scree_contact_sets *sets, scree_contact_list *list)
{
    for (uint32_t m = 0; m < SCREE_MAX_MEMORY; m++) {
        double *kept = list->history[m];
        size_t capacity = list->history_capacity[m];
        list->history[m] = sets->next[m];
        list->history_capacity[m] = sets->next_capacity[m];
        sets->next[m] = kept;
        sets->next_capacity[m] = capacity;
    }
}
