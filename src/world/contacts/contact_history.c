/*  Room for contacts, and their change from step to step. */
#include "world/contacts/contact_history.h"

#include <string.h>

static void free_set(scree_contact_set *set, scree_memory *memory)
{
    scree_memory_give_lines(memory, &set->slot, set->slot_capacity, sizeof *set->slot);
    for (uint32_t m = 0; m < SCREE_MAX_MEMORY; m++)
        scree_memory_give_lines(memory, &set->remembered[m], set->plane_capacity[m],
                                sizeof *set->remembered[m]);
}

#define X_FREE_EXERTED(type, name, n)                                                              \
    scree_memory_give_lines(sets->memory, &sets->name, sets->name##_capacity, sizeof *sets->name);

void scree_contact_sets_free(scree_contact_sets *sets)
{
    free_set(&sets->now, sets->memory);
    free_set(&sets->next, sets->memory);
    SCREE_EXERTED_FIELDS(X_FREE_EXERTED)
}

#define RESERVE_EXERTED(name)                                                                      \
    if (scree_memory_reserve_lines(sets->memory, &sets->name, &sets->name##_capacity, wanted + 1,  \
                                   sizeof *sets->name))                                            \
        return SCREE_OUT_OF_MEMORY;                                                                \
    memset(sets->name[0], 0, sizeof *sets->name);

scree_status scree_contact_sets_reserve(scree_contact_sets *sets, size_t wanted, uint32_t planes,
                                        bool is_mixed, bool has_moments, bool has_account)
{
    scree_contact_set *next = &sets->next;

    if (scree_memory_reserve_lines(sets->memory, &next->slot, &next->slot_capacity, wanted,
                                   sizeof *next->slot))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t m = 0; m < planes; m++)
        if (scree_memory_reserve_lines(sets->memory, &next->remembered[m], &next->plane_capacity[m],
                                       wanted, sizeof *next->remembered[m]))
            return SCREE_OUT_OF_MEMORY;
    if (is_mixed) {
        RESERVE_EXERTED(float_row)
    } else {
        RESERVE_EXERTED(row)
    }
    if (has_moments) {
        RESERVE_EXERTED(moment)
        if (!sets->has_moments)
            memset(sets->moment, 0, sets->moment_capacity * sizeof *sets->moment);
    }
    if (has_account) {
        RESERVE_EXERTED(account)
        if (!sets->has_account)
            memset(sets->account, 0, sets->account_capacity * sizeof *sets->account);
    }
    sets->is_mixed = is_mixed;
    sets->has_moments = has_moments;
    sets->has_account = has_account;
    return SCREE_OK;
}

void scree_contact_exerts(const scree_contact_sets *sets, size_t number, double row[8])
{
    if (!sets->is_mixed) {
        memcpy(row, sets->row[number], sizeof *sets->row);
        return;
    }
    for (int k = 0; k < 8; k++)
        row[k] = (double)sets->float_row[number][k];
}

void scree_contact_sets_accept(scree_contact_sets *sets)
{
    scree_contact_set kept = sets->now;

    sets->now = sets->next;
    sets->next = kept;
}
