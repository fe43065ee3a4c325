/*  The list of neighbour pairs: memory, and updates when bodies are added, removed or sorted. */
#include "world/contacts/candidates.h"

#include "world/contacts/history_columns.h"

#include <string.h>

void scree_contact_list_init(scree_contact_list *list, scree_memory *memory)
{
    memset(list, 0, sizeof *list);
    list->memory = memory;
}

void scree_contact_list_free(scree_contact_list *list)
{
    scree_memory *memory = list->memory;

    SCREE_CANDIDATE_FIELDS(SCREE_GIVE_COLUMN)
    scree_history_columns_free(list->memory, &list->history, &list->history_capacity);
    scree_memory_give(list->memory, &list->packed, list->packed_capacity, sizeof *list->packed);
    scree_memory_give(list->memory, &list->few, list->few_capacity, sizeof *list->few);
    scree_gaps_free(&list->gaps, list->memory);
    scree_memory_give(list->memory, &list->begin, list->begin_capacity, sizeof *list->begin);
    scree_memory_give(list->memory, &list->end, list->end_capacity, sizeof *list->end);
    scree_memory_give(list->memory, &list->entry, list->entry_capacity, sizeof *list->entry);
}

void scree_contact_list_drop(scree_contact_list *list)
{
    scree_memory *memory = list->memory;

    scree_contact_list_free(list);
    scree_contact_list_init(list, memory);
}

scree_status scree_contact_list_reserve(scree_contact_list *list, size_t wanted)
{
    scree_memory *memory = list->memory;

    SCREE_CANDIDATE_FIELDS(SCREE_RESERVE_COLUMN)
    return SCREE_OK;
}

scree_status scree_contact_list_reserve_memory(scree_contact_list *list, uint32_t planes)
{
    if (scree_history_columns_reserve(list->memory, &list->history, &list->history_capacity, planes,
                                      list->count))
        return SCREE_OUT_OF_MEMORY;
    list->planes = planes > list->planes ? planes : list->planes;
    return SCREE_OK;
}

scree_status scree_contact_list_admit(scree_contact_list *list, uint32_t from, uint32_t to)
{
    if (scree_memory_reserve(list->memory, &list->begin, &list->begin_capacity, to,
                             sizeof *list->begin) ||
        scree_memory_reserve(list->memory, &list->end, &list->end_capacity, to, sizeof *list->end))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t slot = from; slot < to; slot++)
        list->begin[slot] = list->end[slot] = 0;
    return SCREE_OK;
}

bool scree_contact_list_forget(scree_contact_list *list, uint32_t slot)
{
    bool touched = false;

    for (uint32_t e = list->begin[slot]; e < list->end[slot]; e++) {
        size_t candidate = list->entry[e] >> 1;
        touched |= list->touches[candidate][0] != 0;
        list->touches[candidate][0] = 0;
    }
    list->end[slot] = list->begin[slot];
    return touched;
}

void scree_contact_list_follow_names(scree_contact_list *list, uint32_t from, uint32_t to)
{
    for (uint32_t e = list->begin[from]; e < list->end[from]; e++) {
        size_t candidate = list->entry[e] >> 1;
        if (list->entry[e] & 1)
            list->second[candidate][0] = to;
        else
            list->first[candidate][0] = to;
    }
}

void scree_contact_list_follow(scree_contact_list *list, uint32_t from, uint32_t to)
{
    list->begin[to] = list->begin[from];
    list->end[to] = list->end[from];
}

void scree_contact_list_accept(scree_contact_list *list)
{
    uint8_t(*kept)[1] = list->touches;
    size_t capacity = list->touches_capacity;

    list->touches = list->touches_next;
    list->touches_capacity = list->touches_next_capacity;
    list->touches_next = kept;
    list->touches_next_capacity = capacity;
    list->rows_are_next = false;
}

static void move_rows(uint32_t *rows, const uint32_t *place, uint32_t count, uint32_t *buffer)
{
    for (uint32_t slot = 0; slot < count; slot++)
        buffer[place[slot]] = rows[slot];
    memcpy(rows, buffer, count * sizeof *rows);
}

void scree_contact_list_rename(scree_contact_list *list, const uint32_t *place, uint32_t count)
{
    for (size_t c = 0; c < list->count; c++) {
        uint32_t first = list->first[c][0], second = list->second[c][0];
        list->first[c][0] = first < count ? place[first] : 0;
        list->second[c][0] = second < count ? place[second] : 0;
    }
}

void scree_contact_list_permute(scree_contact_list *list, const uint32_t *place, uint32_t count,
                                uint32_t *buffer)
{
    scree_contact_list_rename(list, place, count);
    /* bodies may be removed before the next list is made */
    move_rows(list->begin, place, count, buffer);
    move_rows(list->end, place, count, buffer);
}

uint64_t scree_contact_list_touching(const scree_contact_list *list)
{
    uint64_t count = 0;

    for (size_t c = 0; c < list->count; c++)
        count += list->touches[c][0];
    return count;
}
