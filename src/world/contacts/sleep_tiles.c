/*  Skips forces that cannot have changed between sleeping bodies: sleep_tiles.h explains why this is valid. */
#include "world/contacts/sleep_tiles.h"

scree_status scree_rest_begin(scree_rest *rest, scree_memory *memory, double dt, bool is_survey,
                              bool may_be_used, size_t tiles)
{
    if (scree_memory_reserve(memory, &rest->settled, &rest->settled_capacity, tiles,
                             sizeof *rest->settled) ||
        scree_memory_reserve(memory, &rest->spares, &rest->spares_capacity, tiles,
                             sizeof *rest->spares))
        return SCREE_OUT_OF_MEMORY;
    rest->is_used =
        rest->is_valid && rest->dt == dt && !rest->computes_all && !is_survey && may_be_used;
    rest->is_valid = false;
    rest->was_complete = !is_survey;
    rest->dt = dt;
    return SCREE_OK;
}

void scree_rest_accept(scree_rest *rest)
{
    rest->is_valid = rest->was_complete;
    rest->was_complete = false;
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

bool scree_rest_spares_tile(scree_rest *rest, const scree_body_arrays *bodies,
                            const scree_contact_list *list, size_t tile, size_t begin, size_t end)
{
    rest->spares[tile] =
        rest->is_used && rest->settled[tile] && have_all_settled(bodies, list, begin, end);
    return rest->spares[tile] != 0;
}

void scree_rest_look_at_tile(scree_rest *rest, const scree_body_arrays *bodies,
                             const scree_contact_list *list, size_t tile, size_t begin, size_t end)
{
    bool has_settled = have_all_settled(bodies, list, begin, end);

    for (size_t c = begin; c < end && has_settled; c++)
        has_settled = list->touches[c][0] == list->touches_next[c][0];
    rest->settled[tile] = has_settled;
}

void scree_rest_keep_memory(const scree_contact_list *list, scree_contact_sets *sets,
                            const scree_body_arrays *bodies, const scree_batch_room *room,
                            uint32_t count, uint32_t planes)
{
    uint8_t(*still)[1] = bodies->still;

    for (uint32_t k = 0; k < count; k++) {
        uint8_t both = still[room->first[k]][0] & still[room->second[k]][0];
        if (!(both & SCREE_HAS_SETTLED) || room->is_new[k])
            continue;
        for (uint32_t m = 0; m < planes; m++)
            sets->next[m][room->contact[k]] = list->remembered[m][room->contact[k]];
    }
}

/* ---- sums ---- */

/*  Wall contacts and contacts of non-spherical bodies are found again in each step, and so are their sums. */
bool scree_rest_spares_sum(const scree_rest *rest, const scree_body_arrays *bodies,
                           const scree_contact_list *list, const scree_surfaces *walls,
                           uint32_t slot)
{
    if (!rest->is_used || !(bodies->still[slot][0] & SCREE_HAS_SETTLED) || bodies->solids)
        return false;
    if (walls && (walls->now.begin[slot] != walls->now.end[slot] ||
                  walls->next.begin[slot] != walls->next.end[slot]))
        return false;
    for (uint32_t e = list->begin[slot]; e < list->end[slot]; e++)
        if (!rest->spares[list->entry[e] / 2 / SCREE_REST_TILE])
            return false;
    return true;
}
