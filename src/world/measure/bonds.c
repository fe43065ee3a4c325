/*  Makes and lists bonds. The state of a bond is in the history of its contact (law_bond.inc.h), so snapshots, digests
    and copies include it.

    To make some, contacts are found as at the beginning of a step. Those of pairs to be bonded go on from there with a
    bond that is unstrained now; those there were go on as they are; others that have been found are left for the
    step to come. */
#include "base/sized_definition.h"
#include "law/law_builtin.h"
#include "law/law_table_row.h"
#include "world/forces/sphere_forces.h"
#include "world/step/bond_failures.h"
#include "world/step/room_data.h"
#include "world/step/step.h"
#include "world/step/world_data.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define BOND_COOKIE 0x51deb0d5u

void scree_init_bond_def(scree_bond_def *def, size_t size)
{
    static const scree_bond_def own = {
        .cookie = BOND_COOKIE, .size = sizeof(scree_bond_def), .groups = UINT64_MAX};

    scree_definition_write(def, size, &own, sizeof own);
}

static scree_status check_def(const scree_body_arrays *bodies, const scree_bond_def *def,
                              scree_error *error)
{
    const scree_body_id ids[2] = {def->first, def->second};
    bool is_pair = def->first.index1 || def->second.index1;

    if (!(def->gap >= 0 && def->gap < INFINITY))
        return scree_fail(error, SCREE_BAD_VALUE, "bonds: gap is %g, must be 0 or more and finite",
                          def->gap);
    if (def->groups == 0)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "bonds: groups is 0, so no body would be in one of them");
    for (int k = 0; k < 2 && is_pair; k++)
        if (scree_bodies_slot(bodies, ids[k]) == SIZE_MAX)
            return scree_fail(error, SCREE_BAD_ARGUMENT, "bonds: %s names no body (index1 %u)",
                              k ? "second" : "first", ids[k].index1);
    if (is_pair && def->first.index1 == def->second.index1)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "bonds: first and second are the same body (index1 %u)",
                          def->first.index1);
    return SCREE_OK;
}

/*  The overlap of a pair, as in a batch. */
static double overlap_of(const scree_geometry *geometry, scree_simd simd, scree_batch_room *room,
                         const scree_contact_list *list, uint32_t c)
{
    for (uint32_t k = 0; k < SCREE_ROOM_STEP; k++) {
        room->first[k] = list->first[c][0];
        room->second[k] = list->second[c][0];
    }
    scree_geometry_kernels[simd](geometry, 1, room);
    return room->overlap[0];
}

static bool is_wanted(const scree_body_arrays *bodies, const scree_contact_list *list,
                      const scree_bond_def *def, uint32_t c)
{
    uint32_t first = list->first[c][0], second = list->second[c][0];
    uint32_t a = bodies->id[first][0].index1, b = bodies->id[second][0].index1;

    if (def->first.index1 && !(def->first.index1 == a && def->second.index1 == b) &&
        !(def->first.index1 == b && def->second.index1 == a))
        return false;
    return (bodies->groups[first][0] & def->groups) && (bodies->groups[second][0] & def->groups);
}

/*  Whether a contact may get a bond, if it is within the distance. `state` is its present bond state. */
static bool may_take_bond(const scree_rule_slot *slot, double state)
{
    return scree_law_has_bonds(slot->law) && !slot->refused && state != SCREE_BOND_INTACT;
}

/*  Continues contacts in `next`. */
static uint64_t make_bonds(scree_world *world, const scree_bond_def *def)
{
    scree_contact_list *list = &world->pairs;
    scree_geometry geometry = scree_world_geometry(world);
    uint64_t made = 0;

    for (uint32_t c = 0; c < list->count; c++) {
        bool is_old = list->touches[c][0];
        if (!list->touches_next[c][0])
            continue;
        const scree_rule_slot *slot = &world->rules.slots[list->slot[c][0]];
        uint32_t planes = slot->law->memory_count;
        double memory[SCREE_MAX_MEMORY] = {0}, at = 0;
        for (uint32_t m = 0; m < planes && is_old; m++)
            memory[m] = list->history[m][c];
        bool bonds = may_take_bond(slot, memory[SCREE_BOND_STATE]) &&
                     is_wanted(&world->bodies, list, def, c);
        if (bonds) {
            at = overlap_of(&geometry, world->simd, &world->scratch[0].room, list, c);
            bonds = at >= -def->gap;
        }
        list->touches_next[c][0] = is_old || bonds;
        if (bonds) {
            memset(memory + SCREE_BOND_MEMORY, 0,
                   sizeof memory - SCREE_BOND_MEMORY * sizeof *memory);
            memory[SCREE_BOND_MADE] = at;
            memory[SCREE_BOND_STATE] = SCREE_BOND_INTACT;
            made++;
        }
        for (uint32_t m = 0; m < planes; m++)
            world->contacts.next[m][c] = memory[m];
    }
    return made;
}

static scree_status refuse_pair(const scree_body_arrays *bodies, const scree_bond_def *def,
                                scree_error *error)
{
    uint64_t first = bodies->serial[scree_bodies_slot(bodies, def->first)][0];
    uint64_t second = bodies->serial[scree_bodies_slot(bodies, def->second)][0];

    return scree_fail(
        error, SCREE_BAD_ARGUMENT,
        "bonds: bodies %" PRIu64 " and %" PRIu64
        " get none: they must be two spheres whose law is \"bonded\", at most %g apart "
        "and within the law's bond_reach, in the groups asked for, and not bonded",
        first, second, def->gap);
}

scree_status scree_world_add_bonds(scree_world *world, const scree_bond_def *def, uint64_t *made)
{
    scree_status status;
    uint64_t count;

    if (!world || !def)
        return SCREE_BAD_ARGUMENT;
    if (made)
        *made = 0;
    scree_bond_def own = scree_default_bond_def();
    if (!scree_definition_read(&own, def))
        return scree_fail(&world->error, SCREE_BAD_DEF,
                          "bonds: not made by scree_default_bond_def of this version");
    def = &own;
    status = check_def(&world->bodies, def, &world->error);
    if (!status)
        status = scree_world_renew_rows(world);
    if (status)
        return status;
    count = make_bonds(world, def);
    /* force records also include the contacts that were left out */
    world->rows_are_stale = true;
    if (count == 0 && def->first.index1)
        return refuse_pair(&world->bodies, def, &world->error);
    if (made)
        *made = count;
    if (count == 0)
        return SCREE_OK;
    scree_contact_list_accept(&world->pairs);
    scree_contact_sets_accept(&world->contacts, &world->pairs);
    world->clock.unprimed = 1;
    world->breaks.course.made += count;
    return SCREE_OK;
}

/* ---- list of bonds ---- */

static bool is_bond(const scree_rules *rules, const scree_contact *contact)
{
    return scree_contact_bond_state(rules, contact) != SCREE_BOND_NONE;
}

static void read_bond(const scree_rules *rules, const scree_contact *contact, scree_bond *bond)
{
    const double *memory = contact->memory + SCREE_BOND_MEMORY;
    int state = scree_contact_bond_state(rules, contact);

    *bond = (scree_bond){.first = contact->first,
                         .second = contact->second,
                         .is_intact = state == SCREE_BOND_INTACT,
                         .cause = scree_break_cause_of(state)};
    if (!bond->is_intact)
        return;
    bond->stretch = contact->memory[SCREE_BOND_MADE] - contact->overlap;
    for (int a = 0; a < 3; a++) {
        bond->shear[a] = -memory[a];
        bond->bending[a] = -memory[3 + a];
    }
    bond->twisting = -memory[6];
}

scree_status scree_world_bonds(scree_world *world, const scree_bond **bonds, size_t *count)
{
    scree_contact_filter_def filter = scree_default_contact_filter_def();
    const scree_contact *contacts;
    scree_status status;
    size_t many, found = 0;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (!bonds || !count)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT, "world: bonds or count is NULL");
    filter.bodies_only = true;
    status = scree_world_contacts(world, &filter, &contacts, &many);
    if (status)
        return status;
    for (size_t k = 0; k < many; k++)
        found += is_bond(&world->rules, &contacts[k]);
    if (scree_memory_reserve(&world->memory, &world->bonds, &world->bond_capacity, found,
                             sizeof *world->bonds))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: bonds: out of memory");
    *count = 0;
    for (size_t k = 0; k < many; k++)
        if (is_bond(&world->rules, &contacts[k]))
            read_bond(&world->rules, &contacts[k], &world->bonds[(*count)++]);
    *bonds = world->bonds;
    return SCREE_OK;
}
