#include "dist/bond_exchange.h"

#include "dist/gather_rows.h"
#include "dist/unpack_shapes.h"
#include "law/law_builtin.h"
#include "world/contacts/persistent.h"

#include <stdlib.h>

/* ---- ghosts ---- */

static int compare_wishes(const void *a, const void *b)
{
    const scree_ghost_wish *p = a, *q = b;

    if (p->rank != q->rank)
        return p->rank < q->rank ? -1 : 1;
    return (p->body > q->body) - (p->body < q->body);
}

/*  Bodies that touch are near each other, unless the host has moved one; then the event that the contact ends is found
    only where both are. */
static bool is_wish(const scree_pair_record *record, const scree_world *part, uint32_t rank)
{
    const scree_rules *rules = &part->rules;

    return record->other_rank != rank &&
           (part->def.events ||
            scree_persistent_is(&rules->slots[scree_packed_law_slot(rules, &record->law)],
                                record->history[SCREE_BOND_STATE]));
}

static bool is_wish_of_shapes(const scree_shape_contact_record *record, const scree_world *part,
                              uint32_t rank)
{
    return part->def.events && record->second && record->other_rank != rank;
}

static void add_wish(const scree_serials *table, uint64_t serial, uint32_t rank,
                     scree_ghost_wish *wishes, size_t *count)
{
    const uint32_t slot = scree_slot_of_serial(table, serial);

    if (slot != UINT32_MAX)
        wishes[(*count)++] = (scree_ghost_wish){rank, slot};
}

static size_t count_wishes(const scree_received *received, const scree_world *part, uint32_t rank)
{
    size_t count = 0;

    for (size_t k = 0; k < received->pair_count; k++)
        count += is_wish(&received->pair[k], part, rank);
    for (size_t k = 0; k < received->shape_count; k++)
        count += is_wish_of_shapes(&received->shape[k], part, rank);
    return count;
}

scree_status scree_find_bonded(const scree_received *received, const scree_world *part,
                               uint32_t rank, scree_memory *memory, scree_ghost_wish **wishes,
                               size_t *count, size_t *capacity)
{
    const size_t most = count_wishes(received, part, rank);
    scree_serials table = {NULL, 0, 0};

    *count = 0;
    if (most == 0)
        return SCREE_OK;
    scree_status status = scree_memory_reserve(memory, wishes, capacity, most, sizeof **wishes);
    if (!status)
        status = scree_slot_table_make(&table, memory, &part->bodies);
    for (size_t k = 0; k < received->pair_count && !status; k++) {
        const scree_pair_record *record = &received->pair[k];
        if (is_wish(record, part, rank))
            add_wish(&table, record->goes_with_second ? record->second : record->first,
                     record->other_rank, *wishes, count);
    }
    for (size_t k = 0; k < received->shape_count && !status; k++) {
        const scree_shape_contact_record *record = &received->shape[k];
        if (is_wish_of_shapes(record, part, rank))
            add_wish(&table, record->goes_with_second ? record->second : record->first,
                     record->other_rank, *wishes, count);
    }
    scree_serials_free(&table, memory);
    if (*count > 1)
        qsort(*wishes, *count, sizeof **wishes, compare_wishes);
    return status;
}

/* ---- bonds that broke ---- */

/*  By step, then as a step of one process has them. */
static int compare_breaks(const void *a, const void *b)
{
    const scree_break *x = a, *y = b;

    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    if (x->first_serial != y->first_serial)
        return x->first_serial < y->first_serial ? -1 : 1;
    return (x->second_serial > y->second_serial) - (x->second_serial < y->second_serial);
}

/*  Handles of the host's world. A body of a bond that broke is in it. */
static void take(scree_breaks *list, size_t count, const scree_body_arrays *bodies,
                 const scree_serials *table)
{
    scree_break *fresh = list->list + list->count;

    if (count)
        qsort(fresh, count, sizeof *fresh, compare_breaks);
    for (size_t k = 0; k < count; k++) {
        const uint32_t first = scree_slot_of_serial(table, fresh[k].first_serial),
                       second = scree_slot_of_serial(table, fresh[k].second_serial);
        if (first != UINT32_MAX)
            fresh[k].first = bodies->id[first][0];
        if (second != UINT32_MAX)
            fresh[k].second = bodies->id[second][0];
        list->course.broken[fresh[k].cause - SCREE_BREAK_TENSION]++;
    }
    list->count += count;
}

/*  Rank 0 knows how many come, and makes room for them. */
static scree_status make_room(size_t total, scree_world *whole, scree_serials *table)
{
    scree_breaks *list = whole ? &whole->breaks : NULL;

    if (!list || total == 0)
        return SCREE_OK;
    if (scree_memory_reserve(&whole->memory, &list->list, &list->capacity, list->count + total,
                             sizeof *list->list))
        return SCREE_OUT_OF_MEMORY;
    return scree_slot_table_make(table, &whole->memory, &whole->bodies);
}

scree_status scree_gather_breaks(const scree_comm *comm, scree_memory *memory, scree_world *part,
                                 scree_world *whole)
{
    scree_row_inbox inbox = {0};
    scree_serials table = {NULL, 0, 0};
    scree_status status = scree_rows_count(&inbox, memory, comm, part->breaks.count);

    if (!status)
        status = scree_comm_agree(comm, make_room(inbox.total, whole, &table));
    if (!status)
        status = scree_rows_gather(&inbox, comm, part->breaks.list,
                                   whole && inbox.total ? whole->breaks.list + whole->breaks.count
                                                        : NULL,
                                   sizeof *part->breaks.list);
    if (!status && whole)
        take(&whole->breaks, inbox.total, &whole->bodies, &table);
    if (!status)
        part->breaks.count = 0;
    if (whole)
        scree_serials_free(&table, &whole->memory);
    scree_row_inbox_free(&inbox, memory);
    return status;
}
