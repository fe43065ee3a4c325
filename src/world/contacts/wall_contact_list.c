/*  Contacts of bodies with walls, in the order of bodies. */
#include "world/contacts/wall_contact_list.h"

#include "world/contacts/history_columns.h"

#include <math.h>
#include <string.h>

/* ---- lists ---- */

void scree_wall_contact_list_free(scree_wall_contact_list *list, scree_memory *memory)
{
    SCREE_SURFACE_FIELDS(SCREE_GIVE_COLUMN)
    scree_history_columns_free(memory, &list->history, &list->history_capacity);
    scree_memory_give(memory, &list->begin, list->begin_capacity, sizeof *list->begin);
    scree_memory_give(memory, &list->end, list->end_capacity, sizeof *list->end);
}

scree_status scree_wall_contact_list_reserve(scree_wall_contact_list *list, scree_memory *memory,
                                             size_t wanted, uint32_t planes, size_t bodies)
{
    SCREE_SURFACE_FIELDS(SCREE_RESERVE_COLUMN)
    if (scree_history_columns_reserve(memory, &list->history, &list->history_capacity, planes,
                                      wanted) ||
        scree_memory_reserve(memory, &list->begin, &list->begin_capacity, bodies,
                             sizeof *list->begin) ||
        scree_memory_reserve(memory, &list->end, &list->end_capacity, bodies, sizeof *list->end))
        return SCREE_OUT_OF_MEMORY;
    list->planes = planes;
    return SCREE_OK;
}

void scree_wall_contacts_accept(scree_wall_contacts *wall_contacts)
{
    scree_wall_contact_list kept = wall_contacts->now;

    wall_contacts->now = wall_contacts->next;
    wall_contacts->next = kept;
}

/* ---- candidates ---- */

void scree_wall_contacts_renew(scree_wall_contacts *wall_contacts, uint32_t slot)
{
    wall_contacts->search.left[slot] = wall_contacts->search.clear[slot] = -INFINITY;
    wall_contacts->search.room[slot] = -1;
}

void scree_wall_contacts_renew_all(scree_wall_contacts *wall_contacts, uint32_t count)
{
    for (uint32_t slot = 0; slot < count; slot++)
        scree_wall_contacts_renew(wall_contacts, slot);
}

/* ---- bodies and walls that come and go ---- */

uint64_t scree_wall_contact_list_living(const scree_wall_contact_list *list, uint32_t bodies)
{
    uint64_t count = 0;

    for (uint32_t slot = 0; list->count && slot < bodies; slot++)
        for (uint32_t c = list->begin[slot]; c < list->end[slot]; c++)
            count += list->wall[c][0] != UINT32_MAX;
    return count;
}

scree_status scree_wall_contacts_admit(scree_wall_contacts *wall_contacts, uint32_t from,
                                       uint32_t to)
{
    scree_wall_contact_search *search = &wall_contacts->search;
    scree_memory *memory = wall_contacts->memory;

    if (scree_memory_reserve(memory, &search->left, &search->left_capacity, to,
                             sizeof *search->left) ||
        scree_memory_reserve(memory, &search->clear, &search->clear_capacity, to,
                             sizeof *search->clear) ||
        scree_memory_reserve(memory, &search->room, &search->room_capacity, to,
                             sizeof *search->room) ||
        scree_memory_reserve(memory, &search->begin, &search->begin_capacity, to,
                             sizeof *search->begin) ||
        scree_memory_reserve(memory, &search->end, &search->end_capacity, to,
                             sizeof *search->end) ||
        scree_wall_contact_list_reserve(&wall_contacts->now, memory, wall_contacts->now.count,
                                        wall_contacts->now.planes, to))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t slot = from; slot < to; slot++) {
        scree_wall_contacts_renew(wall_contacts, slot);
        search->begin[slot] = search->end[slot] = 0;
        wall_contacts->now.begin[slot] = wall_contacts->now.end[slot] = 0;
    }
    return SCREE_OK;
}

void scree_wall_contacts_clear_search(scree_wall_contacts *wall_contacts, uint32_t count)
{
    (void)scree_wall_contacts_admit(wall_contacts, 0, count);
    wall_contacts->search.count = wall_contacts->search.unused = 0;
    wall_contacts->search.travel = 0;
}

bool scree_wall_contacts_forget_body(scree_wall_contacts *wall_contacts, uint32_t to, uint32_t from)
{
    scree_wall_contact_search *search = &wall_contacts->search;
    scree_wall_contact_list *now = &wall_contacts->now;
    bool touched = now->begin[to] != now->end[to];

    for (uint32_t c = now->begin[to]; c < now->end[to]; c++)
        now->body[c][0] = UINT32_MAX;
    search->unused += search->end[to] - search->begin[to];
    for (uint32_t c = now->begin[from]; to != from && c < now->end[from]; c++)
        now->body[c][0] = to;
    now->begin[to] = now->begin[from];
    now->end[to] = now->end[from];
    search->left[to] = search->left[from];
    search->clear[to] = search->clear[from];
    search->room[to] = search->room[from];
    search->begin[to] = search->begin[from];
    search->end[to] = search->end[from];
    return touched;
}

/*  Contacts of the wall stay in the list with no body; the remaining contacts of each body are contiguous. */
void scree_wall_contacts_forget_wall(scree_wall_contacts *wall_contacts, uint32_t wall)
{
    scree_wall_contact_list *now = &wall_contacts->now;

    for (size_t c = 0; c < now->count; c++) {
        if (now->wall[c][0] == wall)
            now->wall[c][0] = UINT32_MAX;
        else if (now->wall[c][0] > wall && now->wall[c][0] != UINT32_MAX)
            now->wall[c][0]--;
    }
}

#define X_PERMUTE_ROWS(column)                                                                     \
    memcpy(buffer, column, count * sizeof *(column));                                              \
    for (uint32_t slot = 0; slot < count; slot++)                                                  \
        memcpy(&(column)[slot], (char *)buffer + order[slot] * sizeof *(column), sizeof *(column));

void scree_wall_contacts_permute(scree_wall_contacts *wall_contacts, const uint32_t *order,
                                 uint32_t count, void *buffer)
{
    scree_wall_contact_search *search = &wall_contacts->search;
    scree_wall_contact_list *now = &wall_contacts->now;

    X_PERMUTE_ROWS(search->left)
    X_PERMUTE_ROWS(search->clear)
    X_PERMUTE_ROWS(search->room)
    X_PERMUTE_ROWS(search->begin)
    X_PERMUTE_ROWS(search->end)
    X_PERMUTE_ROWS(now->begin)
    X_PERMUTE_ROWS(now->end)
    for (uint32_t slot = 0; slot < count; slot++)
        for (uint32_t c = now->begin[slot]; c < now->end[slot]; c++)
            now->body[c][0] = slot;
}
