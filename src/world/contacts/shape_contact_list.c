/*  Lists of neighbour pairs of non-spherical bodies, and of their contacts. */
#include "world/contacts/shape_contact_list.h"

#include "world/contacts/history_columns.h"

#include <stdlib.h>
#include <string.h>

/* ---- lists ---- */

static void free_shape_list(scree_shape_contact_list *list, scree_memory *memory)
{
    SCREE_SHAPE_CONTACT_FIELDS(SCREE_GIVE_COLUMN)
    scree_history_columns_free(memory, &list->history, &list->history_capacity);
    scree_memory_give(memory, &list->begin, list->begin_capacity, sizeof *list->begin);
    scree_memory_give(memory, &list->entry, list->entry_capacity, sizeof *list->entry);
    scree_memory_give(memory, &list->place, list->place_capacity, sizeof *list->place);
    scree_memory_give(memory, &list->lever, list->lever_capacity, sizeof *list->lever);
}

scree_status scree_shape_contact_list_reserve(scree_shape_contact_list *list, scree_memory *memory,
                                              size_t wanted, uint32_t planes)
{
    SCREE_SHAPE_CONTACT_FIELDS(SCREE_RESERVE_COLUMN)
    if (scree_memory_reserve(memory, &list->place, &list->place_capacity, wanted,
                             sizeof *list->place) ||
        scree_memory_reserve(memory, &list->lever, &list->lever_capacity, wanted,
                             sizeof *list->lever) ||
        scree_history_columns_reserve(memory, &list->history, &list->history_capacity, planes,
                                      wanted))
        return SCREE_OUT_OF_MEMORY;
    list->planes = planes;
    return SCREE_OK;
}

void scree_shape_contacts_free(scree_shape_contacts *contacts)
{
    scree_memory *memory = contacts->memory;

    free_shape_list(&contacts->now, memory);
    free_shape_list(&contacts->next, memory);
    scree_memory_give(memory, &contacts->candidates, contacts->candidate_capacity,
                      sizeof *contacts->candidates);
    scree_memory_give(memory, &contacts->before, contacts->before_capacity,
                      sizeof *contacts->before);
    scree_memory_give(memory, &contacts->bodies, contacts->body_capacity, sizeof *contacts->bodies);
    scree_memory_give(memory, &contacts->stiffness, contacts->stiffness_capacity,
                      sizeof *contacts->stiffness);
}

/* ---- candidates ---- */

static int compare_candidates(const void *a, const void *b)
{
    const uint64_t *first = ((const scree_shape_candidate *)a)->serial;
    const uint64_t *second = ((const scree_shape_candidate *)b)->serial;

    if (first[0] != second[0])
        return first[0] < second[0] ? -1 : 1;
    return (first[1] > second[1]) - (first[1] < second[1]);
}

static void keep_before(scree_shape_contacts *contacts)
{
    scree_shape_candidate *list = contacts->before;
    size_t capacity = contacts->before_capacity;

    contacts->before = contacts->candidates;
    contacts->before_count = contacts->candidate_count;
    contacts->before_capacity = contacts->candidate_capacity;
    contacts->candidates = list;
    contacts->candidate_capacity = capacity;
}

scree_status scree_shape_contacts_begin(scree_shape_contacts *contacts,
                                        const scree_body_arrays *bodies, size_t most)
{
    keep_before(contacts);
    contacts->candidate_count = contacts->body_count = 0;
    if (scree_memory_reserve(contacts->memory, &contacts->candidates, &contacts->candidate_capacity,
                             most, sizeof *contacts->candidates) ||
        scree_memory_reserve(contacts->memory, &contacts->bodies, &contacts->body_capacity,
                             bodies->nonspheres, sizeof *contacts->bodies))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t slot = 0; contacts->body_count < bodies->nonspheres; slot++)
        if (scree_is_not_sphere(bodies, slot))
            contacts->bodies[contacts->body_count++] =
                (scree_shape_candidate){{bodies->serial[slot][0], 0}, {slot, UINT32_MAX}, 0, 0};
    if (contacts->body_count > 1)
        qsort(contacts->bodies, contacts->body_count, sizeof *contacts->bodies, compare_candidates);
    return SCREE_OK;
}

void scree_shape_contacts_push(scree_shape_contacts *contacts, const scree_body_arrays *bodies,
                               uint32_t a, uint32_t b)
{
    contacts->candidates[contacts->candidate_count++] =
        (scree_shape_candidate){{bodies->serial[a][0], bodies->serial[b][0]}, {a, b}, 0, 0};
}

void scree_shape_contacts_end(scree_shape_contacts *contacts)
{
    if (contacts->candidate_count > 1)
        qsort(contacts->candidates, contacts->candidate_count, sizeof *contacts->candidates,
              compare_candidates);
}

bool scree_shape_contacts_are_candidates(const scree_shape_contacts *contacts, uint64_t serial,
                                         uint64_t other)
{
    scree_shape_candidate wanted = {{serial, other}, {0, 0}, 0, 0};

    if (serial > other) {
        wanted.serial[0] = other;
        wanted.serial[1] = serial;
    }
    return contacts->candidate_count &&
           bsearch(&wanted, contacts->candidates, contacts->candidate_count, sizeof wanted,
                   compare_candidates);
}

bool scree_shape_contacts_were_candidates(const scree_shape_contacts *contacts,
                                          const scree_shape_candidate *candidate)
{
    return contacts->before_count && bsearch(candidate, contacts->before, contacts->before_count,
                                             sizeof *candidate, compare_candidates);
}

/* ---- contacts ---- */

bool scree_shape_contacts_resolve(const scree_body_arrays *bodies, const scree_walls *walls,
                                  const scree_shape_partners *pair, uint32_t *first,
                                  uint32_t *second, uint32_t *wall)
{
    bool is_wall = !pair->second.index1;
    size_t one = scree_bodies_slot(bodies, pair->first);
    size_t other =
        is_wall ? scree_walls_place(walls, pair->wall) : scree_bodies_slot(bodies, pair->second);

    *first = (uint32_t)one;
    *second = is_wall ? UINT32_MAX : (uint32_t)other;
    *wall = is_wall ? (uint32_t)other : UINT32_MAX;
    return one != SIZE_MAX && other != SIZE_MAX;
}

uint64_t scree_shape_contact_list_living(const scree_shape_contact_list *list,
                                         const scree_body_arrays *bodies, const scree_walls *walls,
                                         uint64_t *at_walls)
{
    uint32_t first, second, wall;
    uint64_t count = 0;

    *at_walls = 0;
    for (size_t c = 0; c < list->count; c++)
        if (scree_shape_contacts_resolve(bodies, walls, list->pair[c], &first, &second, &wall)) {
            count++;
            *at_walls += second == UINT32_MAX;
        }
    return count;
}

bool scree_shape_contacts_touch(const scree_shape_contacts *contacts, scree_body_id id)
{
    for (size_t c = 0; c < contacts->now.count; c++) {
        const scree_shape_partners *pair = contacts->now.pair[c];
        if (memcmp(&pair->first, &id, sizeof id) == 0 || memcmp(&pair->second, &id, sizeof id) == 0)
            return true;
    }
    return false;
}

static bool find_pair(const scree_body_arrays *bodies, const scree_walls *walls,
                      const scree_shape_contact_list *list, size_t c, bool is_placed,
                      uint32_t *first, uint32_t *second)
{
    uint32_t wall;

    if (!is_placed)
        return scree_shape_contacts_resolve(bodies, walls, list->pair[c], first, second, &wall);
    scree_shape_contacts_placed(list, c, first, second, &wall);
    return true;
}

scree_status scree_shape_contacts_index(scree_memory *memory, const scree_body_arrays *bodies,
                                        const scree_walls *walls, scree_shape_contact_list *list,
                                        bool is_placed)
{
    size_t count = bodies->count;
    uint32_t first, second, sum = 0;

    if (scree_memory_reserve(memory, &list->begin, &list->begin_capacity, count + 1,
                             sizeof *list->begin) ||
        scree_memory_reserve(memory, &list->entry, &list->entry_capacity, 2 * list->count,
                             sizeof *list->entry))
        return SCREE_OUT_OF_MEMORY;
    memset(list->begin, 0, (count + 1) * sizeof *list->begin);
    for (size_t c = 0; c < list->count; c++) {
        if (!find_pair(bodies, walls, list, c, is_placed, &first, &second))
            continue;
        list->begin[first]++;
        if (second != UINT32_MAX)
            list->begin[second]++;
    }
    /* turns counts into ends; filling from the back turns these into begins */
    for (size_t slot = 0; slot <= count; slot++)
        list->begin[slot] = sum += list->begin[slot];
    for (size_t c = list->count; c-- > 0;) {
        if (!find_pair(bodies, walls, list, c, is_placed, &first, &second))
            continue;
        list->entry[--list->begin[first]] = 2 * (uint32_t)c;
        if (second != UINT32_MAX)
            list->entry[--list->begin[second]] = 2 * (uint32_t)c + 1;
    }
    return SCREE_OK;
}

void scree_shape_contacts_accept(scree_shape_contacts *contacts)
{
    scree_shape_contact_list kept = contacts->now;

    contacts->now = contacts->next;
    contacts->next = kept;
}
