/*  The list of candidates: room, who has which, and what is handed on from list to list. */
#include "world/contacts/candidates.h"

#include "base/tasks.h"
#include "world/state/sums.h"

#include <string.h>

void scree_contact_list_init(scree_contact_list *list, scree_memory *memory)
{
    memset(list, 0, sizeof *list);
    list->memory = memory;
}

#define X_FREE(type, name, n)                                                                      \
    scree_memory_give(list->memory, &list->name, list->name##_capacity, sizeof *list->name);

void scree_contact_list_free(scree_contact_list *list)
{
    SCREE_CANDIDATE_FIELDS(X_FREE)
    for (uint32_t m = 0; m < SCREE_MAX_MEMORY; m++)
        scree_memory_give_lines(list->memory, &list->remembered[m], list->remembered_capacity[m],
                                sizeof *list->remembered[m]);
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

#define X_RESERVE(type, name, n)                                                                   \
    if (scree_memory_reserve(list->memory, &list->name, &list->name##_capacity, wanted,            \
                             sizeof *list->name))                                                  \
        return SCREE_OUT_OF_MEMORY;

scree_status scree_contact_list_reserve(scree_contact_list *list, size_t wanted)
{
    SCREE_CANDIDATE_FIELDS(X_RESERVE)
    return SCREE_OK;
}

scree_status scree_contact_list_reserve_memory(scree_contact_list *list, uint32_t planes)
{
    for (uint32_t m = 0; m < planes; m++)
        if (scree_memory_reserve_lines(list->memory, &list->remembered[m],
                                       &list->remembered_capacity[m], list->count,
                                       sizeof *list->remembered[m]))
            return SCREE_OUT_OF_MEMORY;
    list->planes = planes > list->planes ? planes : list->planes;
    return SCREE_OK;
}

/* ---- who has which contacts ---- */

static uint32_t partner_of(const scree_contact_list *list, uint32_t entry)
{
    return entry & 1 ? list->first[entry >> 1][0] : list->second[entry >> 1][0];
}

static uint64_t serial_of_partner(const scree_contact_list *list, const scree_crowd *bodies,
                                  uint32_t entry)
{
    return bodies->serial[partner_of(list, entry)][0];
}

static void sort_few(const scree_contact_list *list, const scree_crowd *bodies, uint32_t *entry,
                     size_t count)
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

static void sink_entry(const scree_contact_list *list, const scree_crowd *bodies, uint32_t *entry,
                       size_t at, size_t count)
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

/*  A heap: a giant may have a million contacts. */
static void sort_many(const scree_contact_list *list, const scree_crowd *bodies, uint32_t *entry,
                      size_t count)
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

/*  Where slots are in the order of serials, entries come sorted already. */
static void sort_by_partner(const scree_contact_list *list, const scree_crowd *bodies,
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

static void find_few(scree_contact_list *list)
{
    for (size_t tile = 0; tile < scree_block_count(list->count, SCREE_TILE); tile++) {
        size_t end = scree_block_end(tile, SCREE_TILE, list->count);
        uint32_t most = 0;
        for (size_t c = tile * SCREE_TILE; c < end; c++)
            for (int side = 0; side < 2; side++) {
                uint32_t slot = side ? list->second[c][0] : list->first[c][0];
                uint32_t many = list->end[slot] - list->begin[slot];
                most = many > most ? many : most;
            }
        list->few[tile] = most <= SCREE_FEW_CONTACTS;
    }
}

scree_status scree_contact_list_index(scree_contact_list *list, const scree_crowd *bodies)
{
    uint32_t sum = 0;

    if (list->count > UINT32_MAX / 2)
        return SCREE_TOO_LARGE;
    if (scree_memory_reserve(list->memory, &list->begin, &list->begin_capacity, bodies->count,
                             sizeof *list->begin) ||
        scree_memory_reserve(list->memory, &list->end, &list->end_capacity, bodies->count,
                             sizeof *list->end) ||
        scree_memory_reserve(list->memory, &list->entry, &list->entry_capacity, 2 * list->count,
                             sizeof *list->entry) ||
        scree_memory_reserve(list->memory, &list->few, &list->few_capacity,
                             scree_block_count(list->count, SCREE_TILE), sizeof *list->few))
        return SCREE_OUT_OF_MEMORY;
    if (bodies->count)
        memset(list->end, 0, bodies->count * sizeof *list->end);
    for (size_t c = 0; c < list->count; c++) {
        list->end[list->first[c][0]]++;
        list->end[list->second[c][0]]++;
    }
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
    find_few(list);
    return SCREE_OK;
}

/* ---- from list to list ---- */

/*  Looked for at the one with fewer. */
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

/*  Those that touch, and those that are apart by their gap: far ones need be tested less often than near ones. */
#define CLASSES 5u

/*  By how far two spheres are from touching where they are: 0: they overlap; a guess, for images and shapes of others are left
    out. */
static uint8_t class_of(const scree_crowd *bodies, uint32_t first, uint32_t second)
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

/*  Where each candidate was in the old list, as far as it touched there, from 1; 0: it did not. It is put down where
    indices go. And its class, where the next evaluation will note who touches: those that touched come first, and those that will
    by the looks of it. */
static void find_old(scree_contact_list *list, const scree_contact_list *old,
                     const scree_crowd *bodies)
{
    for (size_t c = 0; c < list->count; c++) {
        uint32_t first = list->first[c][0], second = list->second[c][0];
        size_t was = scree_contact_list_find_contact(old, first, second);
        list->entry[c] = was != SIZE_MAX ? (uint32_t)was + 1 : 0;
        list->touches_next[c][0] = was != SIZE_MAX ? 0 : class_of(bodies, first, second);
    }
}

/*  So many candidates of a tile, a few more than touch, if there are any. */
static uint32_t full_vectors(size_t touching, size_t all)
{
    size_t more = (touching + SCREE_PACK - 1) & ~(size_t)(SCREE_PACK - 1);

    return (uint32_t)(more <= all ? more : touching & ~(size_t)(SCREE_PACK - 1));
}

/*  Candidates of one class lie side by side, and keep their order, so that bodies are met in the order of their places. */
static void sort_tile(scree_contact_list *list, size_t begin, size_t end, uint32_t many[CLASSES])
{
    struct
    {
        uint32_t first, second, was;
        uint8_t class;
    } kept[SCREE_TILE] = {{0}};
    uint32_t at[CLASSES] = {0};

    memset(many, 0, CLASSES * sizeof *many);
    for (size_t c = begin; c < end; c++) {
        kept[c - begin].first = list->first[c][0];
        kept[c - begin].second = list->second[c][0];
        kept[c - begin].was = list->entry[c];
        kept[c - begin].class = list->touches_next[c][0];
        many[list->touches_next[c][0]]++;
    }
    for (uint32_t k = 1; k < CLASSES; k++)
        at[k] = at[k - 1] + many[k - 1];
    for (size_t k = 0; k < end - begin; k++) {
        const size_t to = begin + at[kept[k].class]++;
        list->first[to][0] = kept[k].first;
        list->second[to][0] = kept[k].second;
        list->entry[to] = kept[k].was;
    }
}

static void put_touching_first(scree_contact_list *list)
{
    for (size_t begin = 0; begin < list->count; begin += SCREE_TILE) {
        size_t end = list->count - begin < SCREE_TILE ? list->count : begin + SCREE_TILE;
        uint32_t many[CLASSES];
        sort_tile(list, begin, end, many);
        list->packed[begin / SCREE_TILE] = full_vectors(many[0], end - begin);
    }
    list->packed_tiles = scree_block_count(list->count, SCREE_TILE);
}

scree_status scree_contact_list_inherit(scree_contact_list *list, const scree_contact_list *old,
                                        const scree_crowd *bodies)
{
    if (list->count > UINT32_MAX / 2)
        return SCREE_TOO_LARGE;
    if (scree_memory_reserve(list->memory, &list->entry, &list->entry_capacity, 2 * list->count,
                             sizeof *list->entry) ||
        scree_memory_reserve(list->memory, &list->packed, &list->packed_capacity,
                             scree_block_count(list->count, SCREE_TILE), sizeof *list->packed) ||
        scree_contact_list_reserve_memory(list, old->planes))
        return SCREE_OUT_OF_MEMORY;
    find_old(list, old, bodies);
    put_touching_first(list);
    for (size_t c = 0; c < list->count; c++) {
        uint32_t was = list->entry[c];
        list->touches[c][0] = was != 0;
        if (!was)
            continue;
        list->slot[c][0] = old->slot[was - 1][0];
        for (uint32_t m = 0; m < old->planes; m++)
            list->remembered[m][c] = old->remembered[m][was - 1];
    }
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
