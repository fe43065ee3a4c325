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

/*  A record that is used, with what decides its place. */
typedef struct shape_place
{
    scree_shape_rank rank;
    size_t record;
    uint32_t slot[2];
} shape_place;

static int compare_places(const void *a, const void *b)
{
    const shape_place *p = a, *q = b;
    const int order = scree_shape_rank_compare(&p->rank, &q->rank);

    return order ? order : (p->record > q->record) - (p->record < q->record);
}

static scree_status find_places(const scree_received *received, uint32_t owned,
                                const scree_serials *table, shape_place *places, size_t *count)
{
    *count = 0;
    for (size_t k = 0; k < received->shape_count; k++) {
        const scree_shape_contact_record *record = &received->shape[k];
        shape_place at = {{record->first, record->second, false}, k, {0, UINT32_MAX}};
        bool is_used = true;
        if (record->second) {
            is_used =
                scree_slots_of_pair(table, record->first, record->second, record->goes_with_second,
                                    owned, &at.slot[0], &at.slot[1]);
        } else {
            at.rank = (scree_shape_rank){record->first, record->wall, true};
            at.slot[0] = scree_slot_of_serial(table, record->first);
        }
        if (at.slot[0] == UINT32_MAX && at.slot[1] == UINT32_MAX)
            return SCREE_BAD_VALUE;
        if (is_used)
            places[(*count)++] = at;
    }
    if (*count > 1)
        qsort(places, *count, sizeof *places, compare_places);
    return SCREE_OK;
}

#define X_UNPACK_SHAPE(name, n) memcpy(list->name[c], record->name, sizeof record->name);

static void put_shape(const scree_shape_contact_record *record, const shape_place *at,
                      const scree_world *world, scree_shape_contact_list *list)
{
    const size_t c = list->count++;
    scree_shape_partners *pair = list->pair[c];

    memset(pair, 0, sizeof *pair);
    pair->first = world->bodies.id[at->slot[0]][0];
    if (record->second)
        pair->second = world->bodies.id[at->slot[1]][0];
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

scree_status scree_unpack_shape_contacts(const scree_received *received, scree_world *world,
                                         uint32_t owned, const scree_serials *table)
{
    scree_shape_contacts *contacts = &world->shape_contacts;
    scree_shape_contact_list *list = &contacts->next;
    const size_t most = received->shape_count;
    shape_place *places = NULL;
    size_t count = 0;

    list->count = 0;
    if (most == 0)
        return SCREE_OK;
    if (scree_memory_take(contacts->memory, most, sizeof *places, &places))
        return SCREE_OUT_OF_MEMORY;
    scree_status status = find_places(received, owned, table, places, &count);
    if (!status)
        status = scree_shape_contact_list_reserve(list, contacts->memory, count,
                                                  (uint32_t)world->rules.planes);
    for (size_t k = 0; k < count && !status; k++)
        put_shape(&received->shape[places[k].record], &places[k], world, list);
    scree_memory_give(contacts->memory, &places, most, sizeof *places);
    return status;
}
