/*  Memory of a batch of contacts, and their history. */
#include "world/contacts/batch_room.h"

#include "world/state/settings.h"

#include <string.h>

scree_batch scree_batch_of_room(const scree_world_def *def, scree_batch_room *room, uint32_t count,
                                double dt, const scree_law *law, bool wants_stiffness)
{
    double ahead = scree_def_ahead(def, dt);
    scree_batch batch = {
        .count = count,
        .dt = dt - ahead,
        .ahead = ahead,
        .overlap = room->overlap,
        .normal = {room->normal[0], room->normal[1], room->normal[2]},
        .approach = room->approach,
        .slide = {room->slide[0], room->slide[1], room->slide[2]},
        .roll = {room->roll[0], room->roll[1], room->roll[2]},
        .twist = room->twist,
        .radius = room->radius,
        .mass = room->mass,
        .arm = {room->arm[0], room->arm[1]},
        .force = {room->force[0], room->force[1], room->force[2]},
    };
    for (uint32_t k = 0; k < law->memory_count; k++) {
        batch.memory[k] = room->memory[k];
        batch.next[k] = room->next[k];
    }
    for (int k = 0; law->has_moment && k < 3; k++)
        batch.moment[k] = room->moment[k];
    for (int k = 0; def->energy_balance && k < SCREE_LOSSES; k++)
        batch.loss[k] = room->loss[k];
    batch.energy = def->energy_balance ? room->energy : NULL;
    batch.stiffness = wants_stiffness ? room->stiffness : NULL;
    batch.shear_stiffness = wants_stiffness ? room->shear_stiffness : NULL;
    return batch;
}

#define AT_ONCE 8u

/*  Whether the contacts from k on are consecutive in the list, enough to copy at once, and none is new. Past `count`
    the last contact is repeated, so indices do not ascend there. */
static bool is_run(const scree_batch_room *room, uint32_t k, uint32_t count)
{
    uint64_t new_ones;

    if (count - k < AT_ONCE)
        return false;
    memcpy(&new_ones, room->is_new + k, sizeof new_ones);
    return room->contact[k + AT_ONCE - 1] - room->contact[k] == AT_ONCE - 1 && new_ones == 0;
}

void scree_fill_memory(const scree_contact_list *list, scree_batch_room *room, uint32_t count,
                       uint32_t planes)
{
    uint32_t full = (count + AT_ONCE - 1) & ~(AT_ONCE - 1);

    for (uint32_t k = 0; k < full; k += AT_ONCE) {
        bool at_once = is_run(room, k, count);
        for (uint32_t m = 0; at_once && m < planes; m++)
            memcpy(room->memory[m] + k, list->history[m] + room->contact[k],
                   AT_ONCE * sizeof *room->memory[m]);
        for (uint32_t m = 0; !at_once && m < planes; m++)
            for (uint32_t i = k; i < k + AT_ONCE; i++)
                room->memory[m][i] = room->is_new[i] ? 0 : list->history[m][room->contact[i]];
    }
}

static bool are_side_by_side(const uint32_t place[SCREE_BATCH])
{
    return place[SCREE_BATCH - 1] - place[0] == SCREE_BATCH - 1;
}

bool scree_lend_planes(const scree_contact_list *list, const scree_contact_sets *sets,
                       const scree_batch_room *room, uint32_t count, uint32_t planes,
                       const double *memory[], double *next[])
{
    bool may = count == SCREE_BATCH && are_side_by_side(room->contact);

    for (uint32_t k = 0; may && k < SCREE_BATCH; k++)
        may = !room->is_new[k];
    for (uint32_t m = 0; may && m < planes; m++) {
        memory[m] = list->history[m] + room->contact[0];
        next[m] = sets->next[m] + room->contact[0];
    }
    return may;
}

void scree_write_memory(scree_contact_sets *sets, const scree_batch_room *room, uint32_t count,
                        uint32_t planes)
{
    for (uint32_t k = 0; k < count; k += AT_ONCE) {
        uint32_t many = count - k < AT_ONCE ? count - k : AT_ONCE;
        bool at_once = is_run(room, k, count);
        for (uint32_t m = 0; at_once && m < planes; m++)
            memcpy(sets->next[m] + room->contact[k], room->next[m] + k,
                   AT_ONCE * sizeof *room->next[m]);
        for (uint32_t m = 0; !at_once && m < planes; m++)
            for (uint32_t i = k; i < k + many; i++)
                sets->next[m][room->contact[i]] = room->next[m][i];
    }
}
