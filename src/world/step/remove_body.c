/*  Bodies that are removed: each leaves what it was part of, and the last one comes into its slot. They go in the
    order in which they are named, as sums and the names that are free again depend on it.

    A body that comes into a slot takes along its contacts, which know it by its slot. One of a million contacts may be
    the last time and again while others are removed: where many are, contacts learn the slots once, in the end. */
#include "world/step/remove_body.h"

#include "world/state/body_heat.h"
#include "world/step/energy_balance.h"
#include "world/step/events.h"
#include "world/step/world_data.h"

#include <string.h>

/*  From how many on, and then if at least this part of all, names are told once. */
#define FEWEST_AT_ONCE 32
#define PART_AT_ONCE 64

static uint32_t slot_of(const scree_crowd *bodies, const scree_body_id *ids, size_t stride,
                        size_t k)
{
    const scree_body_id *id = (const scree_body_id *)((const char *)ids + k * stride);

    return (uint32_t)scree_bodies_slot(bodies, *id);
}

/*  The last body comes into this slot. `origin` says of each slot from where its body came; NULL: contacts are told
    at once. */
static void take_out(scree_world *world, uint32_t slot, uint32_t *origin)
{
    scree_crowd *bodies = &world->bodies;
    uint32_t last = bodies->count - 1;

    scree_ledger_leave(&world->def, bodies, slot, &world->clock);
    scree_heat_leave(&world->heat, bodies, slot);
    scree_events_leave(world, slot);
    bool touched = scree_contact_list_forget(&world->pairs, slot);
    touched |= scree_surfaces_forget_body(&world->surfaces, slot, last);
    touched |= scree_solids_touch(&world->solid_contacts, bodies->id[slot][0]);
    if (touched)
        world->clock.unprimed = 1;
    if (slot != last && origin)
        origin[slot] = origin[last];
    else if (slot != last)
        scree_contact_list_follow_names(&world->pairs, last, slot);
    if (slot != last)
        scree_contact_list_follow(&world->pairs, last, slot);
    scree_bodies_remove(bodies, slot);
    bodies->removed++;
}

/*  `bodies` are left of those `before`. */
static void tell_contacts(scree_contact_list *pairs, const uint32_t *origin, uint32_t bodies,
                          uint32_t *place, uint32_t before)
{
    memset(place, 0, before * sizeof *place);
    for (uint32_t slot = 0; slot < bodies; slot++)
        place[origin[slot]] = slot;
    scree_contact_list_rename(pairs, place, before);
}

void scree_world_take_out(scree_world *world, const scree_body_id *ids, size_t stride, size_t count)
{
    scree_crowd *bodies = &world->bodies;
    const uint32_t before = bodies->count;
    uint32_t *origin = NULL;

    /* what the border removes may be told of as an event, by the names that its contacts have */
    if (count >= FEWEST_AT_ONCE && count >= before / PART_AT_ONCE && !world->step_is_taken) {
        /* the state before the step is of no more use */
        origin = (void *)bodies->position_twin;
        for (uint32_t slot = 0; slot < before; slot++)
            origin[slot] = slot;
    }
    for (size_t k = 0; k < count; k++)
        take_out(world, slot_of(bodies, ids, stride, k), origin);
    if (origin)
        tell_contacts(&world->pairs, origin, bodies->count, (void *)bodies->velocity_twin, before);
    world->search_anew = true;
}
