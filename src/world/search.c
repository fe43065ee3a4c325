/*  Who may touch whom. Every step the detector is told where bodies are; as long as each is within its margin
    the list of candidates stands. Else the detector's pairs make a new list, and contacts that last are
    found in it again.

    Pairs come sorted by slots, so that forces go through memory in order. Which of two bodies is the first
    goes by serial numbers, and so does the order of sums (contact_list.c): slots decide on speed alone. */
#include "world/world_internal.h"

#include <string.h>

static scree_status view_bodies(scree_world *world, scree_table *table, scree_motion *motion)
{
    const scree_bodies *bodies = &world->bodies;
    size_t stride = sizeof *bodies->position, count = bodies->count;
    const double *place = count ? bodies->position[0] : NULL;
    const double *velocity = count ? bodies->velocity[0] : NULL;
    scree_view radius = scree_doubles(place + 3, stride), z = scree_doubles(place + 2, stride);

    if (world->rules.reach > 0) {
        if (scree_memory_reserve(&world->memory, &world->reaches, &world->reach_capacity, count,
                                 sizeof *world->reaches))
            return SCREE_OUT_OF_MEMORY;
        for (size_t slot = 0; slot < count; slot++)
            world->reaches[slot] = bodies->position[slot][3] + world->rules.reach / 2;
        radius = scree_doubles(world->reaches, sizeof *world->reaches);
    }
    if (world->def.dimensions == 2)
        z = (scree_view){0};
    *table = scree_table_spheres(count, scree_doubles(place, stride),
                                 scree_doubles(place + 1, stride), z, radius);
    *motion = (scree_motion){.velocity = {scree_doubles(velocity, stride),
                                          scree_doubles(velocity + 1, stride),
                                          scree_doubles(velocity + 2, stride)}};
    return SCREE_OK;
}

/*  One candidate of the new list, or none where the two never exert forces. */
static void take_pair(scree_world *world, scree_contact_list *list, uint32_t a, uint32_t b)
{
    const scree_bodies *bodies = &world->bodies;
    size_t c = list->count;

    if (bodies->special && !scree_bodies_meet(bodies, a, b))
        return;
    if (bodies->serial[a][0] > bodies->serial[b][0]) {
        uint32_t kept = a;
        a = b;
        b = kept;
    }
    list->first[c][0] = a;
    list->second[c][0] = b;
    list->slot[c][0] =
        scree_rules_find(&world->rules, SCREE_CONTACT_BODIES, bodies->material[a][0],
                         bodies->material[b][0], bodies->groups[a][0], bodies->groups[b][0]);
    /* slot 0 exerts no force */
    list->count += list->slot[c][0] != 0;
}

static void clear_rows(scree_contact_list *list)
{
    if (list->count == 0)
        return;
    memset(list->row, 0, list->count * sizeof *list->row);
    memset(list->touches_next, 0, list->count * sizeof *list->touches_next);
    if (list->has_moments)
        memset(list->moment, 0, list->count * sizeof *list->moment);
    if (list->has_account)
        memset(list->account, 0, list->count * sizeof *list->account);
}

static scree_status make_list(scree_world *world)
{
    static const scree_pairs_options in_order = {.canonical = true};
    scree_contact_list *made = &world->spare, kept;
    scree_pairs pairs;
    scree_status status = scree_detector_pairs(world->detector, &in_order, &pairs);

    if (status)
        return scree_fail(&world->error, status, "world: detection: %s",
                          scree_detector_message(world->detector));
    made->count = 0;
    status = scree_contact_list_reserve(made, pairs.count, world->rules.planes,
                                        world->rules.has_moments, world->def.ledger);
    if (!status) {
        for (uint64_t k = 0; k < pairs.count; k++)
            take_pair(world, made, pairs.first[k], pairs.second[k]);
        status = scree_contact_list_index(made, &world->bodies);
    }
    if (status)
        return scree_fail(&world->error, status, "world: the list of contacts: %s",
                          scree_status_name(status));
    clear_rows(made);
    scree_contact_list_inherit(made, &world->pairs);
    kept = world->pairs;
    world->pairs = *made;
    world->spare = kept;
    world->search_anew = false;
    world->list_is_new = true;
    world->certificate.searches++;
    world->certificate.candidates = world->pairs.count;
    return SCREE_OK;
}

/*  Before the first step its length may not be known. It says how much room bodies are given, no more. */
#define SOME_DT 1e-9

scree_status scree_world_search(scree_world *world, double dt)
{
    scree_table table;
    scree_motion motion;
    scree_advance did;
    scree_status status = view_bodies(world, &table, &motion);

    if (!(dt > 0))
        dt = world->clock.dt > 0 ? world->clock.dt : SOME_DT;
    if (status)
        return scree_fail(&world->error, status, "world: search: %s", scree_status_name(status));
    status = scree_detector_advance(world->detector, &table, &motion, dt, &did);
    /* noted first: if the list cannot be made now, it must be later, and so if the detector has come half way */
    world->search_anew |= did.ran || status != SCREE_OK;
    if (status)
        return scree_fail(&world->error, status, "world: detection: %s",
                          scree_detector_message(world->detector));
    world->certificate.used = did.used;
    if (world->search_anew)
        status = make_list(world);
    if (!status)
        status = scree_surfaces_search(world, dt);
    return status;
}

void scree_world_undo_search(scree_world *world)
{
    scree_contact_list kept = world->pairs;

    if (!world->list_is_new)
        return;
    world->pairs = world->spare;
    world->spare = kept;
    world->list_is_new = false;
    world->search_anew = true;
}
