/*  Finds the cause of a step with values that are not finite. Such a contact force acts on both bodies, and on all
    that touch the bad one. The failed body is one that is itself not finite, otherwise the one with the most bad
    contacts. Of several it is the first by global id, so the result does not depend on the order in memory. */
#include "world/step/diagnose.h"

#include "world/forces/sphere_forces.h"
#include "world/step/room_data.h"
#include "world/step/world_data.h"

#include <inttypes.h>
#include <math.h>

/* ---- forces ---- */

/*  Whether the values of a pair are finite and fit into the sums. */
static bool pair_is_sound(const scree_sums *sums, const scree_found_contacts *contacts, uint32_t c)
{
    const scree_contact_sets *sets = contacts->exerted;
    const double *row = contacts->pair_row[c];
    double torque[3];

    for (int k = 0; k < 3; k++) {
        double arm = fabs(row[3]) > fabs(row[7]) ? row[3] : row[7];
        torque[k] = arm * row[4 + k] + (sets->has_moments ? sets->moment[c][k] : 0);
    }
    return scree_force_is_sound(row, row + 4) && scree_sums_may_hold(sums, row, torque);
}

static bool contact_is_sound(const scree_sums *sums, const scree_found_contacts *contacts,
                             const scree_found_contact *found)
{
    const double *row = scree_force_of(contacts, found);

    if (found->list == SCREE_IN_PAIRS)
        return pair_is_sound(sums, contacts, found->index);
    return scree_sums_may_hold(sums, row, row + 4) &&
           (found->list == SCREE_IN_WALL_CONTACTS || scree_sums_may_hold(sums, row, row + 8));
}

/*  Tests the state before the step, since the forces have already changed the state at its end. */
static bool state_is_sound(const scree_body_arrays *bodies, uint32_t slot)
{
    return scree_force_is_sound(bodies->velocity_before[slot], bodies->spin_before[slot]) &&
           scree_force_is_sound(bodies->position[slot], bodies->orientation[slot] + 1) &&
           isfinite(bodies->orientation[slot][0]);
}

/*  Contacts of a body with forces that are not finite: their number and the first. */
typedef struct unsound_contacts
{
    uint32_t count;
    uint32_t partner, wall; /* its slot; UINT32_MAX: a wall, by its index */
    uint32_t law;           /* pair parameters */
} unsound_contacts;

static unsound_contacts find_unsound(const scree_sums *sums, const scree_found_contacts *contacts,
                                     uint32_t slot)
{
    scree_contact_walk walk = scree_contacts_of(contacts, slot);
    unsound_contacts found = {0};

    for (scree_found_contact c; scree_next_contact(&walk, &c);) {
        if (contact_is_sound(sums, contacts, &c) || found.count++ > 0)
            continue;
        found.partner = scree_partner_of(&c);
        found.wall = c.wall;
        found.law = scree_law_slot_of(contacts, &c);
    }
    return found;
}

/*  The body that caused the failure. There must be one. */
static uint32_t find_failed_body(const scree_sums *sums, const scree_found_contacts *contacts)
{
    const scree_body_arrays *bodies = contacts->bodies;
    uint32_t worst = 0, most = 0;
    bool found = false;

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        uint32_t count = find_unsound(sums, contacts, slot).count;
        /* values that are not finite were not added to the sum */
        if (count == 0 && scree_force_is_sound(bodies->force[slot], bodies->torque[slot]))
            continue;
        if (!state_is_sound(bodies, slot))
            count = UINT32_MAX;
        if (!found || count > most ||
            (count == most && bodies->serial[slot][0] < bodies->serial[worst][0])) {
            worst = slot;
            most = count;
        }
        found = true;
    }
    return worst;
}

/* ---- words ---- */

/*  The message with the contact of the body, if a contact is the cause. */
static scree_status say_contact(const scree_step *step, const scree_found_contacts *contacts,
                                uint32_t slot, const unsound_contacts *found)
{
    const scree_body_arrays *bodies = contacts->bodies;
    const uint64_t serial = bodies->serial[slot][0];
    scree_error why;

    if (found->count == 0)
        return scree_fail(step->error, SCREE_BAD_VALUE,
                          "world: step %" PRIu64 ": body %" PRIu64
                          ": the sum of its forces is not finite",
                          step->number, serial);
    const bool at_wall = found->partner == UINT32_MAX;
    const char *kind = at_wall ? "wall" : "body";
    const uint64_t number =
        at_wall ? contacts->walls->wall[found->wall].id.index1 : bodies->serial[found->partner][0];
    if (scree_rules_explain(step->rules, found->law, &why))
        return scree_fail(step->error, SCREE_BAD_VALUE,
                          "world: step %" PRIu64 ": body %" PRIu64 " touches %s %" PRIu64 ": %s",
                          step->number, serial, kind, number, why.text);
    return scree_fail(step->error, SCREE_BAD_VALUE,
                      "world: step %" PRIu64 ": body %" PRIu64
                      ": the force of its contact with %s %" PRIu64 " is not finite (law %s)",
                      step->number, serial, kind, number, step->rules->slots[found->law].law->name);
}

scree_status scree_world_diagnose_force(scree_world *world)
{
    const scree_step step = scree_world_this_step(world, 0);
    const scree_found_contacts contacts = scree_world_found_contacts(world);
    const uint32_t slot = find_failed_body(&world->sums, &contacts);
    const unsound_contacts found = find_unsound(&world->sums, &contacts, slot);

    world->failed_body = world->bodies.id[slot][0];
    return say_contact(&step, &contacts, slot, &found);
}

/* ---- places ---- */

/*  The test that detection makes. */
static bool place_is_usable(const double place[4], const double velocity[4])
{
    double speed =
        sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2]);

    return fabs(place[0]) <= SCREE_MAX_COORDINATE && fabs(place[1]) <= SCREE_MAX_COORDINATE &&
           fabs(place[2]) <= SCREE_MAX_COORDINATE && speed <= SCREE_MAX_COORDINATE;
}

scree_status scree_world_diagnose_position(scree_world *world, scree_status status)
{
    const scree_body_arrays *bodies = &world->bodies;
    const char *why = scree_detector_message(world->detector);
    uint32_t worst = UINT32_MAX;

    for (uint32_t slot = 0; status == SCREE_BAD_VALUE && slot < bodies->count; slot++)
        if (!place_is_usable(bodies->position[slot], bodies->velocity[slot]) &&
            (worst == UINT32_MAX || bodies->serial[slot][0] < bodies->serial[worst][0]))
            worst = slot;
    if (worst == UINT32_MAX)
        return scree_fail(&world->error, status, "world: detection: %s", why);
    world->failed_body = bodies->id[worst][0];
    return scree_fail(&world->error, status,
                      "world: step %" PRIu64 ": body %" PRIu64
                      " is so far away or so fast that its numbers are too large: detection: %s",
                      world->clock.steps + 1, bodies->serial[worst][0], why);
}
