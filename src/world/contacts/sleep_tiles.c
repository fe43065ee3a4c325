/*  Skips forces that cannot have changed between sleeping bodies: sleep_tiles.h explains why this is valid. */
#include "world/contacts/sleep_tiles.h"

scree_status scree_sleep_begin(scree_sleep_state *sleep, scree_memory *memory, double dt,
                               bool is_survey, bool may_be_used, size_t tiles)
{
    if (scree_memory_reserve(memory, &sleep->settled, &sleep->settled_capacity, tiles,
                             sizeof *sleep->settled) ||
        scree_memory_reserve(memory, &sleep->spares, &sleep->spares_capacity, tiles,
                             sizeof *sleep->spares))
        return SCREE_OUT_OF_MEMORY;
    sleep->is_used =
        sleep->is_valid && sleep->dt == dt && !sleep->computes_all && !is_survey && may_be_used;
    sleep->is_valid = false;
    sleep->was_complete = !is_survey;
    sleep->dt = dt;
    return SCREE_OK;
}

void scree_sleep_accept(scree_sleep_state *sleep)
{
    sleep->is_valid = sleep->was_complete;
    sleep->was_complete = false;
}

/* ---- tiles ---- */

static bool have_all_settled(const scree_body_arrays *bodies, const scree_contact_list *list,
                             size_t begin, size_t end)
{
    uint8_t(*still)[1] = bodies->still, all = SCREE_HAS_SETTLED;

    for (size_t c = begin; c < end; c++)
        all &= still[list->first[c][0]][0] & still[list->second[c][0]][0];
    return all != 0;
}

bool scree_sleep_spares_tile(scree_sleep_state *sleep, const scree_body_arrays *bodies,
                             const scree_contact_list *list, size_t tile, size_t begin, size_t end)
{
    sleep->spares[tile] =
        sleep->is_used && sleep->settled[tile] && have_all_settled(bodies, list, begin, end);
    return sleep->spares[tile] != 0;
}

void scree_sleep_look_at_tile(scree_sleep_state *sleep, const scree_body_arrays *bodies,
                              const scree_contact_list *list, size_t tile, size_t begin, size_t end)
{
    bool has_settled = have_all_settled(bodies, list, begin, end);

    for (size_t c = begin; c < end && has_settled; c++)
        has_settled = list->touches[c][0] == list->touches_next[c][0];
    sleep->settled[tile] = has_settled;
}

void scree_sleep_keep_memory(const scree_contact_list *list, scree_contact_sets *sets,
                             const scree_body_arrays *bodies, const scree_batch_room *room,
                             uint32_t count, uint32_t planes)
{
    uint8_t(*still)[1] = bodies->still;

    for (uint32_t k = 0; k < count; k++) {
        uint8_t both = still[room->first[k]][0] & still[room->second[k]][0];
        if (!(both & SCREE_HAS_SETTLED) || room->is_new[k])
            continue;
        for (uint32_t m = 0; m < planes; m++)
            sets->next[m][room->contact[k]] = list->history[m][room->contact[k]];
    }
}

/* ---- sums ---- */

/*  Wall contacts and contacts of non-spherical bodies are found again in each step, and so are their sums. */
bool scree_sleep_spares_sum(const scree_sleep_state *sleep, const scree_body_arrays *bodies,
                            const scree_contact_list *list, const scree_wall_contacts *walls,
                            uint32_t slot)
{
    if (!sleep->is_used || !(bodies->still[slot][0] & SCREE_HAS_SETTLED) || bodies->nonspheres)
        return false;
    if (walls && (walls->now.begin[slot] != walls->now.end[slot] ||
                  walls->next.begin[slot] != walls->next.end[slot]))
        return false;
    for (uint32_t e = list->begin[slot]; e < list->end[slot]; e++)
        if (!sleep->spares[list->entry[e] / 2 / SCREE_SLEEP_TILE])
            return false;
    return true;
}
