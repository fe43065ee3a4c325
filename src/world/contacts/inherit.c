/*  Takes contacts over from the old neighbour list to the new: which continue, their history, and their new index.
    All workers do this tile by tile. They look up the contacts of the old list by first body. */
#include "base/tasks.h"
#include "world/contacts/candidates.h"

#include <string.h>

/*  Contacts of the old list whose first body is in slot s: contact[begin[s]] .. contact[end[s] - 1]. */
typedef struct inheritance
{
    scree_contact_list *list;
    const scree_contact_list *old;
    const scree_body_arrays *bodies;
    uint32_t *begin, *end, *contact;
} inheritance;

/* ---- contacts by body ---- */

/*  Uses the memory of the new list's index, behind one entry for each pair. */
static scree_status reserve(inheritance *run)
{
    scree_contact_list *list = run->list;
    const size_t contacts = (size_t)scree_contact_list_touching(run->old),
                 bodies = run->bodies->count;
    const size_t more = contacts > list->count ? contacts : list->count;

    if (scree_memory_reserve(list->memory, &list->begin, &list->begin_capacity, bodies,
                             sizeof *list->begin) ||
        scree_memory_reserve(list->memory, &list->end, &list->end_capacity, bodies,
                             sizeof *list->end) ||
        scree_memory_reserve(list->memory, &list->entry, &list->entry_capacity, list->count + more,
                             sizeof *list->entry) ||
        scree_memory_reserve(list->memory, &list->packed, &list->packed_capacity,
                             scree_block_count(list->count, SCREE_TILE), sizeof *list->packed) ||
        scree_contact_list_reserve_memory(list, run->old->planes))
        return SCREE_OUT_OF_MEMORY;
    run->begin = list->begin;
    run->end = list->end;
    run->contact = list->entry ? list->entry + list->count : NULL;
    return SCREE_OK;
}

static void sort_contacts(const inheritance *run)
{
    const scree_contact_list *old = run->old;
    uint32_t sum = 0;

    if (run->bodies->count)
        memset(run->end, 0, run->bodies->count * sizeof *run->end);
    for (size_t c = 0; c < old->count; c++)
        if (old->touches[c][0])
            run->end[old->first[c][0]]++;
    for (uint32_t slot = 0; slot < run->bodies->count; slot++) {
        uint32_t many = run->end[slot];
        run->begin[slot] = run->end[slot] = sum;
        sum += many;
    }
    for (uint32_t c = 0; c < old->count; c++)
        if (old->touches[c][0])
            run->contact[run->end[old->first[c][0]]++] = c;
}

/*  Index + 1 of the contact of these two bodies in the old list; 0: they did not touch. */
static uint32_t find_contact(const inheritance *run, uint32_t first, uint32_t second)
{
    for (uint32_t k = run->begin[first]; k < run->end[first]; k++)
        if (run->old->second[run->contact[k]][0] == second)
            return run->contact[k] + 1;
    return 0;
}

/* ---- order in a tile ---- */

/*  Classes of pairs: touching, and separated by increasing gaps. Distant pairs need to be tested less often. */
#define CLASSES 5u

/*  The class of two spheres by their gap; 0: they overlap. An estimate: periodic images and other shapes are not
    considered. */
static uint8_t class_of(const scree_body_arrays *bodies, uint32_t first, uint32_t second)
{
    const double *a = bodies->position[first], *b = bodies->position[second];
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2], reach = a[3] + b[3];
    double distance_sq = x * x + y * y + z * z, reach_sq = reach * reach;
    uint8_t far = distance_sq >= reach_sq;

    for (double more = 1.001; far && far < CLASSES - 1 && distance_sq > more * reach_sq;
         more *= more * more * more)
        far++;
    return far;
}

/*  A pair that is being moved to its new index. */
typedef struct moving
{
    uint32_t first, second, was;
    uint8_t class;
} moving;

static uint32_t count_classes(const inheritance *run, size_t begin, size_t end, moving *kept,
                              uint32_t at[CLASSES])
{
    const scree_contact_list *list = run->list;
    uint32_t many[CLASSES] = {0};

    for (size_t c = begin; c < end; c++) {
        moving *one = &kept[c - begin];
        one->first = list->first[c][0];
        one->second = list->second[c][0];
        one->was = find_contact(run, one->first, one->second);
        one->class = one->was ? 0 : class_of(run->bodies, one->first, one->second);
        many[one->class]++;
    }
    at[0] = 0;
    for (uint32_t k = 1; k < CLASSES; k++)
        at[k] = at[k - 1] + many[k - 1];
    return many[0];
}

/*  The number of touching pairs, rounded up to full vectors if the tile has that many pairs, otherwise down. */
static uint32_t full_vectors(size_t touching, size_t all)
{
    size_t more = (touching + SCREE_PACK - 1) & ~(size_t)(SCREE_PACK - 1);

    return (uint32_t)(more <= all ? more : touching & ~(size_t)(SCREE_PACK - 1));
}

/*  Sorts a tile by class, stable. Touching pairs, and pairs that appear to overlap, come first. */
static void sort_tile(const inheritance *run, size_t begin, size_t end)
{
    scree_contact_list *list = run->list;
    moving kept[SCREE_TILE];
    uint32_t at[CLASSES];
    const uint32_t touching = count_classes(run, begin, end, kept, at);

    for (size_t k = 0; k < end - begin; k++) {
        const size_t to = begin + at[kept[k].class]++;
        list->first[to][0] = kept[k].first;
        list->second[to][0] = kept[k].second;
        list->entry[to] = kept[k].was;
    }
    list->packed[begin / SCREE_TILE] = full_vectors(touching, end - begin);
}

static void run_tile(void *data, size_t tile, uint32_t worker)
{
    const inheritance *run = data;
    scree_contact_list *list = run->list;
    const scree_contact_list *old = run->old;
    const size_t begin = tile * SCREE_TILE, end = scree_block_end(tile, SCREE_TILE, list->count);

    (void)worker;
    sort_tile(run, begin, end);
    for (size_t c = begin; c < end; c++) {
        const uint32_t was = list->entry[c];
        list->touches[c][0] = was != 0;
        if (!was)
            continue;
        list->slot[c][0] = old->slot[was - 1][0];
        for (uint32_t m = 0; m < old->planes; m++)
            list->history[m][c] = old->history[m][was - 1];
    }
}

scree_status scree_contact_list_inherit(scree_contact_list *list, const scree_contact_list *old,
                                        const scree_body_arrays *bodies,
                                        const scree_workers *workers)
{
    inheritance run = {.list = list, .old = old, .bodies = bodies};

    if (list->count > UINT32_MAX / 2)
        return SCREE_TOO_LARGE;
    if (reserve(&run))
        return SCREE_OUT_OF_MEMORY;
    sort_contacts(&run);
    list->packed_tiles = scree_block_count(list->count, SCREE_TILE);
    scree_workers_run(workers, list->packed_tiles, run_tile, &run);
    list->is_indexed = false;
    return SCREE_OK;
}

/* ---- new pairs ---- */

#define NONE UINT32_MAX

size_t scree_contact_list_count_new(scree_contact_list *list, const scree_contact_list *old,
                                    uint32_t bodies, size_t count)
{
    const uint32_t *candidate = list->entry;
    uint32_t *last = list->begin, *before = list->entry + list->count;
    size_t left = count;

    if (count == 0)
        return 0;
    /* a linked list for each first body */
    memset(last, 0xff, bodies * sizeof *last);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t first = list->first[candidate[k]][0];
        before[k] = last[first];
        last[first] = k;
    }
    for (size_t c = 0; c < old->count; c++) {
        const uint32_t first = old->first[c][0];
        for (uint32_t k = first < bodies ? last[first] : NONE; k != NONE; k = before[k])
            left -= list->second[candidate[k]][0] == old->second[c][0];
    }
    return left;
}
