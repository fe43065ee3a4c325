/*  The contacts of a pair come from one rank, in their order, so sorting by pair is enough to restore the order of all. */
#include "dist/unpack_shapes.h"

#include <stdlib.h>

scree_status scree_slot_table_make(scree_serials *table, scree_memory *memory,
                                   const scree_body_arrays *bodies)
{
    *table = (scree_serials){NULL, 0, 0};
    if (scree_serials_reserve(table, memory, bodies->count))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t slot = 0; slot < bodies->count; slot++)
        scree_serials_add(table, bodies->serial[slot][0], slot + 1);
    return SCREE_OK;
}

/* ---- meshes and clumps ---- */

/*  A mesh that is also a block is preferred. */
scree_status scree_geometry_index_make(scree_geometry_index *index, const scree_shape_table *shapes)
{
    *index = (scree_geometry_index){.shapes = shapes};
    if (shapes->count == 0)
        return SCREE_OK;
    if (scree_serials_reserve(&index->place, shapes->memory, shapes->count))
        return SCREE_OUT_OF_MEMORY;
    for (size_t k = 0; k < shapes->count; k++) {
        const scree_shape_data *shape = &shapes->mesh[k];
        scree_serial_entry *entry = scree_serials_find(&index->place, shape->digest);
        if (!shape->is_body)
            continue;
        if (!entry)
            scree_serials_add(&index->place, shape->digest, (uint32_t)k + 1);
        else if (shape->is_block && !shapes->mesh[entry->index1 - 1].is_block)
            entry->index1 = (uint32_t)k + 1;
    }
    return SCREE_OK;
}

void scree_geometry_index_free(scree_geometry_index *index)
{
    scree_serials_free(&index->place, index->shapes->memory);
}

scree_status scree_geometry_index_shape(const scree_geometry_index *index,
                                        const scree_body_record *record, scree_shape *shape)
{
    *shape = record->shape[0];
    if (!record->geometry)
        return SCREE_OK;
    const scree_serial_entry *entry = scree_serials_find(&index->place, record->geometry);
    if (!entry)
        return SCREE_BAD_VALUE;
    const scree_shape_data *found = &index->shapes->mesh[entry->index1 - 1];
    if (scree_shape_is_of_triangles(shape))
        shape->mesh = found->mesh;
    else
        shape->clump = found->clump;
    return SCREE_OK;
}

/* ---- contacts ---- */

static int compare_arrivals(const void *a, const void *b)
{
    const scree_shape_arrival *p = a, *q = b;
    const int order = scree_shape_rank_compare(&p->rank, &q->rank);

    return order ? order : (p->row > q->row) - (p->row < q->row);
}

void scree_shape_arrivals_sort(scree_shape_arrival *arrivals, size_t count)
{
    if (count > 1)
        qsort(arrivals, count, sizeof *arrivals, compare_arrivals);
}

#define X_UNPACK_SHAPE(name, n) memcpy(list->name[c], record->name, sizeof record->name);

static void put_shape(const scree_shape_contact_record *record, const uint32_t slot[2],
                      const scree_world *world, scree_shape_contact_list *list)
{
    const size_t c = list->count++;
    scree_shape_partners *pair = list->pair[c];

    memset(pair, 0, sizeof *pair);
    pair->first = world->bodies.id[slot[0]][0];
    if (record->second)
        pair->second = world->bodies.id[slot[1]][0];
    else
        pair->wall = world->walls.wall[record->wall].id;
    list->facet[c][0] = record->facet;
    list->slot[c][0] = scree_packed_law_slot(&world->rules, &record->law);
    list->previous[c][0] = UINT32_MAX;
    list->memory[c][0] = record->memory;
    SCREE_SHAPE_CONTACT_COLUMNS(X_UNPACK_SHAPE)
    for (uint32_t m = 0; m < list->planes; m++)
        list->history[m][c] = record->history[m];
}

/*  One row more than there are contacts: sorting needs it. */
scree_status scree_shape_intake_begin(scree_shape_intake *intake, scree_world *world, size_t most)
{
    scree_shape_contacts *contacts = &world->shape_contacts;

    *intake = (scree_shape_intake){.world = world};
    contacts->next.count = 0;
    if (most == 0)
        return SCREE_OK;
    if (scree_memory_take(contacts->memory, most, sizeof *intake->places, &intake->places))
        return SCREE_OUT_OF_MEMORY;
    intake->capacity = most;
    return scree_shape_contact_list_reserve(&contacts->next, contacts->memory, most + 1,
                                            (uint32_t)world->rules.planes);
}

scree_status scree_shape_intake_add(scree_shape_intake *intake, const scree_received *received,
                                    uint32_t owned, const scree_serials *table)
{
    scree_shape_contact_list *list = &intake->world->shape_contacts.next;

    for (size_t k = 0; k < received->shape_count; k++) {
        const scree_shape_contact_record *record = &received->shape[k];
        scree_shape_arrival at = {{record->first, record->second, false}, list->count};
        uint32_t slot[2] = {UINT32_MAX, UINT32_MAX};
        bool is_used = true;
        if (record->second) {
            is_used = scree_slots_of_pair(table, record->first, record->second,
                                          record->goes_with_second, owned, &slot[0], &slot[1]);
        } else {
            at.rank = (scree_shape_rank){record->first, record->wall, true};
            slot[0] = scree_slot_of_serial(table, record->first);
        }
        if (slot[0] == UINT32_MAX && slot[1] == UINT32_MAX)
            return SCREE_BAD_VALUE;
        if (!is_used)
            continue;
        intake->places[list->count] = at;
        put_shape(record, slot, intake->world, list);
    }
    return SCREE_OK;
}

#define X_COPY_ROW(name, n) memcpy(list->name[to], list->name[from], sizeof *list->name);

static void copy_row(scree_shape_contact_list *list, size_t from, size_t to)
{
    list->pair[to][0] = list->pair[from][0];
    list->facet[to][0] = list->facet[from][0];
    list->slot[to][0] = list->slot[from][0];
    list->previous[to][0] = list->previous[from][0];
    list->memory[to][0] = list->memory[from][0];
    SCREE_SHAPE_CONTACT_COLUMNS(X_COPY_ROW)
    for (uint32_t m = 0; m < list->planes; m++)
        list->history[m][to] = list->history[m][from];
}

/*  Rows move along each cycle of the permutation; the first of a cycle waits in the row behind the last. */
void scree_shape_intake_sort(scree_shape_intake *intake)
{
    scree_shape_contact_list *list = &intake->world->shape_contacts.next;
    scree_shape_arrival *places = intake->places;

    scree_shape_arrivals_sort(places, list->count);
    for (size_t first = 0; first < list->count; first++) {
        size_t to = first;
        if (places[first].row == first)
            continue;
        copy_row(list, first, list->count);
        while (places[to].row != first) {
            const size_t from = places[to].row;
            copy_row(list, from, to);
            places[to].row = to;
            to = from;
        }
        copy_row(list, list->count, to);
        places[to].row = to;
    }
}

void scree_shape_intake_end(scree_shape_intake *intake)
{
    scree_memory_give(intake->world->shape_contacts.memory, &intake->places, intake->capacity,
                      sizeof *intake->places);
}
