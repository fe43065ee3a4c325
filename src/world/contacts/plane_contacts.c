/*  Conversion of wall contacts to plane contacts, and back: see plane_contacts.h. */
#include "world/contacts/plane_contacts.h"

#include "base/tasks.h"
#include "scree/detect.h"
#include "world/contacts/candidates.h"
#include "world/contacts/history_columns.h"
#include "world/contacts/wall_contact_list.h"

#include <math.h>
#include <string.h>

#define NONE UINT32_MAX

void scree_plane_contacts_free(scree_plane_contacts *planes, scree_memory *memory)
{
    scree_memory_give(memory, &planes->body, planes->body_capacity, sizeof *planes->body);
    scree_memory_give(memory, &planes->wall, planes->wall_capacity, sizeof *planes->wall);
    scree_memory_give(memory, &planes->next, planes->next_capacity, sizeof *planes->next);
    scree_memory_give(memory, &planes->touches, planes->touches_capacity, sizeof *planes->touches);
    scree_memory_give(memory, &planes->first, planes->first_capacity, sizeof *planes->first);
    scree_memory_give(memory, &planes->gone, planes->gone_capacity, sizeof *planes->gone);
    scree_memory_give(memory, &planes->least, planes->min_capacity, sizeof *planes->least);
    scree_memory_give(memory, &planes->wall_rows, planes->wall_row_capacity,
                      sizeof *planes->wall_rows);
    scree_history_columns_free(memory, &planes->history, &planes->history_capacity);
}

/*  Reserves room for one more contact, up to a full vector, and for all of them in the list to which they return. */
static scree_status reserve(scree_wall_contacts *wall_contacts, uint32_t memory_count,
                            size_t bodies)
{
    scree_plane_contacts *planes = &wall_contacts->planes;
    scree_memory *memory = wall_contacts->memory;
    const size_t wanted = planes->count + 1 + SCREE_PACK;

    if (scree_memory_reserve(memory, &planes->body, &planes->body_capacity, wanted,
                             sizeof *planes->body) ||
        scree_memory_reserve(memory, &planes->wall, &planes->wall_capacity, wanted,
                             sizeof *planes->wall) ||
        scree_memory_reserve(memory, &planes->next, &planes->next_capacity, wanted,
                             sizeof *planes->next) ||
        scree_memory_reserve(memory, &planes->touches, &planes->touches_capacity, wanted,
                             sizeof *planes->touches) ||
        scree_history_columns_reserve(memory, &planes->history, &planes->history_capacity,
                                      memory_count, wanted))
        return SCREE_OUT_OF_MEMORY;
    return scree_wall_contact_list_reserve(&wall_contacts->now, memory, wanted,
                                           wall_contacts->now.planes, bodies);
}

static uint32_t law_of(const scree_body_arrays *bodies, const scree_walls *walls,
                       const scree_rules *rules, uint32_t slot, uint32_t wall)
{
    const scree_wall_def *def = &walls->wall[wall].def;

    return scree_rules_find(rules, SCREE_CONTACT_WALLS, bodies->material[slot][0],
                            def->material.index1, bodies->groups[slot][0], def->groups);
}

/*  Whether all contacts have the same pair parameters, and the interaction range is 0. */
static bool takes_law(scree_plane_contacts *planes, const scree_rules *rules, uint32_t law)
{
    const scree_law_reach *reach = &rules->slots[law].reach;

    if (planes->law == 0 && reach->fixed == 0 && reach->share == 0 && reach->root == 0)
        planes->law = law;
    return planes->law == law;
}

static bool is_listed(const scree_plane_contacts *planes, uint32_t slot, uint32_t wall)
{
    uint32_t c = planes->first[slot];

    while (c != NONE && planes->wall[c] != wall)
        c = planes->next[c];
    return c != NONE;
}

/*  Adds a potential contact that is not listed. `old` is its contact, or NONE. */
static scree_status add(scree_wall_contacts *wall_contacts, const scree_rules *rules, uint32_t slot,
                        uint32_t wall, uint32_t old)
{
    scree_plane_contacts *planes = &wall_contacts->planes;
    const uint32_t memory_count = rules->slots[planes->law].law->memory_count;
    const uint32_t c = (uint32_t)planes->count;

    if (planes->count >= NONE - SCREE_PACK)
        return SCREE_TOO_LARGE;
    if (reserve(wall_contacts, memory_count, 0))
        return SCREE_OUT_OF_MEMORY;
    planes->body[c] = slot;
    planes->wall[c] = wall;
    planes->touches[c] = old != NONE;
    planes->next[c] = planes->first[slot];
    planes->first[slot] = c;
    for (uint32_t m = 0; m < memory_count; m++)
        planes->history[m][c] = old != NONE ? wall_contacts->now.history[m][old] : 0;
    planes->count++;
    /* the padding after the last entry must be valid numbers; it does not touch */
    for (uint32_t k = 1; k < SCREE_PACK; k++) {
        planes->body[c + k] = slot;
        planes->wall[c + k] = wall;
        planes->touches[c + k] = 0;
        for (uint32_t m = 0; m < memory_count; m++)
            planes->history[m][c + k] = 0;
    }
    return SCREE_OK;
}

scree_status scree_plane_contacts_follow(scree_wall_contacts *wall_contacts,
                                         const scree_body_arrays *bodies, const scree_walls *walls,
                                         const scree_rules *rules, uint32_t slot)
{
    scree_plane_contacts *planes = &wall_contacts->planes;
    const scree_wall_contact_search *search = &wall_contacts->search;
    scree_status status = SCREE_OK;

    for (uint32_t k = search->begin[slot]; k < search->end[slot] && !status; k++) {
        const uint32_t wall = search->near[k].wall;
        if (is_listed(planes, slot, wall))
            continue;
        const uint32_t law = law_of(bodies, walls, rules, slot, wall);
        if (law == 0)
            continue;
        planes->is_lost |= !takes_law(planes, rules, law);
        if (!planes->is_lost)
            status = add(wall_contacts, rules, slot, wall, NONE);
    }
    return status;
}

/*  Takes over the existing contacts. */
static scree_status take_contacts(scree_wall_contacts *wall_contacts, const scree_rules *rules)
{
    const scree_wall_contact_list *now = &wall_contacts->now;
    scree_plane_contacts *planes = &wall_contacts->planes;
    scree_status status = SCREE_OK;

    for (size_t c = 0; c < now->count && !status; c++) {
        planes->is_lost |= !takes_law(planes, rules, now->slot[c][0]);
        if (planes->is_lost)
            return SCREE_OK;
        status = add(wall_contacts, rules, now->body[c][0], now->wall[c][0], (uint32_t)c);
    }
    return status;
}

static bool are_planes(const scree_walls *walls)
{
    for (size_t w = 0; w < walls->count; w++)
        if (walls->wall[w].def.kind != SCREE_WALL_PLANE)
            return false;
    return walls->count > 0;
}

void scree_plane_contacts_measure(scree_wall_contacts *wall_contacts, size_t block, uint32_t bodies)
{
    const size_t end = scree_block_end(block, SCREE_TRAVEL_ROWS, bodies);
    const double *left = wall_contacts->search.left;
    double least = INFINITY;

    for (size_t slot = block * SCREE_TRAVEL_ROWS; slot < end; slot++)
        least = left[slot] < least ? left[slot] : least;
    wall_contacts->planes.least[block] = least;
}

static scree_status reserve_all(scree_wall_contacts *wall_contacts, uint32_t bodies, size_t walls)
{
    scree_plane_contacts *planes = &wall_contacts->planes;
    scree_memory *memory = wall_contacts->memory;
    const size_t blocks = scree_block_count(bodies, SCREE_TRAVEL_ROWS);

    if (scree_memory_reserve(memory, &planes->first, &planes->first_capacity, bodies,
                             sizeof *planes->first) ||
        scree_memory_reserve(memory, &planes->gone, &planes->gone_capacity, blocks,
                             sizeof *planes->gone) ||
        scree_memory_reserve(memory, &planes->least, &planes->min_capacity, blocks,
                             sizeof *planes->least) ||
        scree_memory_reserve(memory, &planes->wall_rows, &planes->wall_row_capacity, walls,
                             sizeof *planes->wall_rows))
        return SCREE_OUT_OF_MEMORY;
    return reserve(wall_contacts, 0, bodies);
}

scree_status scree_plane_contacts_begin(scree_wall_contacts *wall_contacts,
                                        const scree_body_arrays *bodies, const scree_walls *walls,
                                        const scree_rules *rules)
{
    scree_plane_contacts *planes = &wall_contacts->planes;
    scree_status status = SCREE_OK;

    planes->is_on = planes->is_lost = false;
    planes->count = planes->law = 0;
    if (!are_planes(walls) || bodies->nonspheres)
        return SCREE_OK;
    if (reserve_all(wall_contacts, bodies->count, walls->count))
        return SCREE_OUT_OF_MEMORY;
    for (size_t block = 0; block < scree_block_count(bodies->count, SCREE_TRAVEL_ROWS); block++) {
        planes->gone[block] = 0;
        scree_plane_contacts_measure(wall_contacts, block, bodies->count);
    }
    for (uint32_t slot = 0; slot < bodies->count; slot++)
        planes->first[slot] = NONE;
    status = take_contacts(wall_contacts, rules);
    for (uint32_t slot = 0; slot < bodies->count && !status && !planes->is_lost; slot++)
        status = scree_plane_contacts_follow(wall_contacts, bodies, walls, rules, slot);
    planes->is_on = !status && !planes->is_lost;
    return status;
}

/* ---- back to wall contacts ---- */

static void put_contact(scree_wall_contact_list *now, const scree_plane_contacts *planes,
                        uint32_t c, uint32_t memory_count)
{
    const size_t to = now->count++;

    now->body[to][0] = planes->body[c];
    now->wall[to][0] = planes->wall[c];
    now->slot[to][0] = planes->law;
    now->previous[to][0] = NONE;
    memset(now->memory[to], 0, sizeof now->memory[to]);
    for (uint32_t m = 0; m < now->planes; m++)
        now->history[m][to] = m < memory_count ? planes->history[m][c] : 0;
}

/*  The touching contact of a body with the smallest wall index from `least` on; NONE. */
static uint32_t next_of(const scree_plane_contacts *planes, uint32_t slot, uint32_t least)
{
    uint32_t found = NONE;

    for (uint32_t c = planes->first[slot]; c != NONE; c = planes->next[c])
        if (planes->touches[c] && planes->wall[c] >= least &&
            (found == NONE || planes->wall[c] < planes->wall[found]))
            found = c;
    return found;
}

/*  Subtracts a displacement and an upper bound of rounding errors. */
static void shorten(double *left, double way)
{
    *left -= way + fabs(*left) * 0x1p-50;
}

void scree_plane_contacts_end(scree_wall_contacts *wall_contacts, const scree_rules *rules,
                              uint32_t bodies)
{
    scree_plane_contacts *planes = &wall_contacts->planes;
    scree_wall_contact_list *now = &wall_contacts->now;
    const uint32_t memory_count = planes->law ? rules->slots[planes->law].law->memory_count : 0;

    now->count = 0;
    for (uint32_t slot = 0; slot < bodies; slot++) {
        const uint32_t begin = (uint32_t)now->count;
        const double gone = planes->gone[slot / SCREE_TRAVEL_ROWS];
        shorten(&wall_contacts->search.left[slot], gone);
        shorten(&wall_contacts->search.clear[slot], gone);
        for (uint32_t c = next_of(planes, slot, 0); c != NONE;
             c = next_of(planes, slot, planes->wall[c] + 1))
            put_contact(now, planes, c, memory_count);
        /* a body without contacts has 0 for both */
        now->begin[slot] = now->count == begin ? 0 : begin;
        now->end[slot] = now->count == begin ? 0 : (uint32_t)now->count;
    }
    planes->is_on = false;
}
