/*  A batch and its room, and what contacts remember from one step to the next. */
#include "world/contacts/batch_room.h"

#include "world/state/settings.h"

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
    for (int k = 0; def->ledger && k < SCREE_LOSSES; k++)
        batch.loss[k] = room->loss[k];
    batch.energy = def->ledger ? room->energy : NULL;
    batch.stiffness = wants_stiffness ? room->stiffness : NULL;
    batch.shear_stiffness = wants_stiffness ? room->shear_stiffness : NULL;
    return batch;
}

void scree_fill_memory(const scree_contact_set *now, scree_batch_room *room, uint32_t count,
                       uint32_t planes)
{
    uint32_t full = (count + SCREE_ROOM_STEP - 1) & ~(SCREE_ROOM_STEP - 1);

    for (uint32_t m = 0; m < planes; m++)
        for (uint32_t k = 0; k < full; k++)
            room->memory[m][k] = room->last[k] ? now->remembered[m][room->last[k] - 1] : 0;
}

static bool are_side_by_side(const uint32_t number[SCREE_BATCH])
{
    uint32_t differ = 0;

    for (uint32_t k = 0; k < SCREE_BATCH; k++)
        differ |= number[k] - number[0] - k;
    return differ == 0 && number[0] != 0;
}

scree_lent_planes scree_lend_planes(const scree_contact_sets *sets, const scree_batch_room *room,
                                    uint32_t count, uint32_t planes, const double *memory[],
                                    double *next[])
{
    bool may = count == SCREE_BATCH;
    scree_lent_planes lent = {may && are_side_by_side(room->last),
                              may && are_side_by_side(room->contact)};

    for (uint32_t m = 0; lent.memory && m < planes; m++)
        memory[m] = sets->now.remembered[m] + (room->last[0] - 1);
    for (uint32_t m = 0; lent.next && m < planes; m++)
        next[m] = sets->next.remembered[m] + (room->contact[0] - 1);
    return lent;
}

void scree_write_memory(scree_contact_set *next, const scree_batch_room *room, uint32_t count,
                        uint32_t planes)
{
    for (uint32_t m = 0; m < planes; m++)
        for (uint32_t k = 0; k < count; k++)
            next->remembered[m][room->contact[k] - 1] = room->next[m][k];
}
