/*  The index of neighbour pairs by body. Pairs are counted when a list is made, and the index is filled only when it
    is needed: most lists are replaced before the host reads them. */
#include "base/tasks.h"
#include "world/contacts/candidates.h"
#include "world/state/sums.h"

#include <string.h>

static uint32_t partner_of(const scree_contact_list *list, uint32_t entry)
{
    return entry & 1 ? list->first[entry >> 1][0] : list->second[entry >> 1][0];
}

static uint64_t serial_of_partner(const scree_contact_list *list, const scree_body_arrays *bodies,
                                  uint32_t entry)
{
    return bodies->serial[partner_of(list, entry)][0];
}

static void sort_few(const scree_contact_list *list, const scree_body_arrays *bodies,
                     uint32_t *entry, size_t count)
{
    for (size_t k = 1; k < count; k++) {
        uint32_t moved = entry[k];
        uint64_t serial = serial_of_partner(list, bodies, moved);
        size_t at = k;
        for (; at > 0 && serial_of_partner(list, bodies, entry[at - 1]) > serial; at--)
            entry[at] = entry[at - 1];
        entry[at] = moved;
    }
}

static void sink_entry(const scree_contact_list *list, const scree_body_arrays *bodies,
                       uint32_t *entry, size_t at, size_t count)
{
    uint32_t moved = entry[at];
    uint64_t serial = serial_of_partner(list, bodies, moved);

    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && serial_of_partner(list, bodies, entry[child + 1]) >
                                     serial_of_partner(list, bodies, entry[child]))
            child++;
        if (serial_of_partner(list, bodies, entry[child]) <= serial)
            break;
        entry[at] = entry[child];
        at = child;
    }
    entry[at] = moved;
}

/*  Heap sort, since a very large body may have a million contacts. */
static void sort_many(const scree_contact_list *list, const scree_body_arrays *bodies,
                      uint32_t *entry, size_t count)
{
    for (size_t k = count / 2; k-- > 0;)
        sink_entry(list, bodies, entry, k, count);
    for (size_t left = count; left-- > 1;) {
        uint32_t largest = entry[0];
        entry[0] = entry[left];
        entry[left] = largest;
        sink_entry(list, bodies, entry, 0, left);
    }
}

/*  If slots are in the order of global ids, entries are sorted already. */
static void sort_by_partner(const scree_contact_list *list, const scree_body_arrays *bodies,
                            uint32_t *entry, size_t count)
{
    bool sorted = true;

    for (size_t k = 1; k < count && sorted; k++)
        sorted = serial_of_partner(list, bodies, entry[k - 1]) <
                 serial_of_partner(list, bodies, entry[k]);
    if (sorted)
        return;
    if (count <= 32)
        sort_few(list, bodies, entry, count);
    else
        sort_many(list, bodies, entry, count);
}

/* ---- counting ---- */

static void count_both(scree_contact_list *list)
{
    for (size_t c = 0; c < list->count; c++) {
        list->end[list->first[c][0]]++;
        list->end[list->second[c][0]]++;
    }
}

/*  Whether each body of a tile has few pairs. */
static void look_at_tile(void *data, size_t tile, uint32_t worker)
{
    scree_contact_list *list = data;
    const size_t end = scree_block_end(tile, SCREE_TILE, list->count);
    uint32_t most = 0;

    (void)worker;
    for (size_t c = tile * SCREE_TILE; c < end; c++) {
        uint32_t first = list->end[list->first[c][0]], second = list->end[list->second[c][0]];
        most = first > most ? first : most;
        most = second > most ? second : most;
    }
    list->few[tile] = most <= SCREE_FEW_CONTACTS;
}

scree_status scree_contact_list_reserve_index(scree_contact_list *list, uint32_t bodies)
{
    if (list->count > UINT32_MAX / 2)
        return SCREE_TOO_LARGE;
    if (scree_memory_reserve(list->memory, &list->begin, &list->begin_capacity, bodies,
                             sizeof *list->begin) ||
        scree_memory_reserve(list->memory, &list->end, &list->end_capacity, bodies,
                             sizeof *list->end) ||
        scree_memory_reserve(list->memory, &list->entry, &list->entry_capacity, 2 * list->count,
                             sizeof *list->entry) ||
        scree_memory_reserve(list->memory, &list->few, &list->few_capacity,
                             scree_block_count(list->count, SCREE_TILE), sizeof *list->few))
        return SCREE_OUT_OF_MEMORY;
    return SCREE_OK;
}

scree_status scree_contact_list_count(scree_contact_list *list, uint32_t bodies,
                                      const scree_workers *workers)
{
    const scree_status status = scree_contact_list_reserve_index(list, bodies);

    if (status)
        return status;
    list->is_indexed = false;
    if (bodies)
        memset(list->end, 0, bodies * sizeof *list->end);
    count_both(list);
    scree_workers_run(workers, scree_block_count(list->count, SCREE_TILE), look_at_tile, list);
    return SCREE_OK;
}

/* ---- filling ---- */

void scree_contact_list_index(scree_contact_list *list, const scree_body_arrays *bodies)
{
    uint32_t sum = 0;

    if (list->is_indexed)
        return;
    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        uint32_t many = list->end[slot];
        list->begin[slot] = list->end[slot] = sum;
        sum += many;
    }
    for (uint32_t c = 0; c < list->count; c++) {
        list->entry[list->end[list->first[c][0]]++] = 2 * c;
        list->entry[list->end[list->second[c][0]]++] = 2 * c + 1;
    }
    for (uint32_t slot = 0; list->count && slot < bodies->count; slot++)
        sort_by_partner(list, bodies, list->entry + list->begin[slot],
                        list->end[slot] - list->begin[slot]);
    list->is_indexed = true;
}

/* ---- lookup ---- */

/*  Searches the body with fewer pairs. */
static size_t find_pair(const scree_contact_list *list, uint32_t first, uint32_t second,
                        bool must_touch)
{
    uint32_t many_first = list->end[first] - list->begin[first];
    uint32_t many_second = list->end[second] - list->begin[second];
    uint32_t at = many_first <= many_second ? first : second;
    uint32_t partner = at == first ? second : first;

    for (uint32_t e = list->begin[at]; e < list->end[at]; e++)
        if (partner_of(list, list->entry[e]) == partner &&
            (!must_touch || list->touches[list->entry[e] >> 1][0]))
            return list->entry[e] >> 1;
    return SIZE_MAX;
}

size_t scree_contact_list_find(const scree_contact_list *list, uint32_t first, uint32_t second)
{
    return find_pair(list, first, second, false);
}

size_t scree_contact_list_find_contact(const scree_contact_list *list, uint32_t first,
                                       uint32_t second)
{
    return list->count ? find_pair(list, first, second, true) : SIZE_MAX;
}
