/*  Removal of bodies. Each body is removed from everything that refers to it, and the last body moves to its slot.
    Bodies are removed in the given order, since sums and reused names depend on it.

    A body that moves to another slot takes its contacts along, which refer to slots. A body with a million contacts
    may be the last one again and again. So if many bodies are removed, contacts are renamed once at the end. */
#include "world/step/remove_body.h"

#include "world/state/body_heat.h"
#include "world/step/energy_balance.h"
#include "world/step/events.h"
#include "world/step/joint_step.h"
#include "world/step/world_data.h"

#include <string.h>

/*  Contacts are renamed at the end if at least this many bodies, and at least this part of all, are removed. */
#define FEWEST_AT_ONCE 32
#define PART_AT_ONCE 64

static uint32_t slot_of(const scree_body_arrays *bodies, const scree_body_id *ids, size_t stride,
                        size_t k)
{
    const scree_body_id *id = (const scree_body_id *)((const char *)ids + k * stride);

    return (uint32_t)scree_bodies_slot(bodies, *id);
}

/*  The last body moves to this slot. `origin` records for each slot where its body came from; NULL: contacts are
    renamed at once. */
static void take_out(scree_world *world, uint32_t slot, uint32_t *origin)
{
    scree_body_arrays *bodies = &world->bodies;
    uint32_t last = bodies->count - 1;

    scree_energy_balance_leave(&world->def, bodies, slot, &world->clock);
    scree_heat_leave(&world->heat, bodies, slot);
    scree_ambient_leave(&world->ambient, bodies, slot);
    scree_events_leave(world, slot);
    bool touched = scree_contact_list_forget(&world->pairs, slot);
    touched |= scree_wall_contacts_forget_body(&world->wall_contacts, slot, last);
    touched |= scree_shape_contacts_touch(&world->shape_contacts, bodies->id[slot][0]);
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

/*  Renames contacts: `bodies` remain of `before`. */
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
    scree_body_arrays *bodies = &world->bodies;
    const uint32_t before = bodies->count;
    uint32_t *origin = NULL;

    /* removal at the boundary is an event, which needs the handles of contacts */
    if (count >= FEWEST_AT_ONCE && count >= before / PART_AT_ONCE && !world->step_is_taken) {
        /* the previous state is no longer needed: its memory is reused */
        origin = (void *)bodies->position_before;
        for (uint32_t slot = 0; slot < before; slot++)
            origin[slot] = slot;
    }
    for (size_t k = 0; k < count; k++)
        take_out(world, slot_of(bodies, ids, stride, k), origin);
    if (origin)
        tell_contacts(&world->pairs, origin, bodies->count, (void *)bodies->velocity_before,
                      before);
    scree_joints_drop(world);
    world->needs_search = true;
}
