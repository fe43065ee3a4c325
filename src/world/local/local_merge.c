/*  Merges the parts at the end of a step: bodies, contact history and contact forces, in the order in which one
    evaluation of the whole would have found them. */
#include "world/boundaries/wall_motion.h"
#include "world/local/local_steps.h"
#include "world/state/body_blocks.h"
#include "world/step/audit.h"
#include "world/step/evaluate.h"
#include "world/step/world_data.h"

#include <string.h>

/* ---- bodies ---- */

typedef struct merge_run
{
    scree_world *world;
    const scree_local_steps *local;
} merge_run;

static void find_places(const scree_body_arrays *bodies, const scree_local_steps *local)
{
    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        const scree_world *part = local->part[local->level[slot]].world;
        local->place[slot] = (uint32_t)scree_bodies_slot(&part->bodies, bodies->id[slot][0]);
    }
}

#define X_TAKE_ROW(type, name, n, when)                                                            \
    memcpy(bodies->name[slot], from->name[at], sizeof *bodies->name);

static void join_bodies(void *data, const scree_body_block *block)
{
    const merge_run *run = data;
    scree_body_arrays *bodies = &run->world->bodies;

    for (uint32_t slot = block->begin; slot < block->end; slot++) {
        const scree_body_arrays *from = &run->local->part[run->local->level[slot]].world->bodies;
        uint32_t at = run->local->place[slot];
        SCREE_MOTION_FIELDS(X_TAKE_ROW)
    }
    scree_world_follow_bodies(run->world,
                              (const double(*)[4])bodies->position_before + block->begin,
                              block->begin, block->end);
}

/* ---- contacts of bodies ---- */

/*  Copies the results of a part's contact to pair `to` of the whole. */
static void take_exerted(scree_contact_sets *sets, size_t to, const scree_contact_sets *from,
                         size_t candidate)
{
    memcpy(sets->row[to], from->row[candidate], sizeof *sets->row);
    if (sets->has_moments)
        memcpy(sets->moment[to], from->moment[candidate], sizeof *sets->moment);
    if (sets->has_account)
        memcpy(sets->account[to], from->account[candidate], sizeof *sets->account);
}

static scree_status join_pairs(scree_world *world, const scree_local_steps *local)
{
    scree_contact_list *list = &world->pairs;

    world->contacts.has_rows = true;
    if (scree_contact_list_reserve_memory(list, world->rules.planes) ||
        scree_contact_sets_reserve(&world->contacts, list->count, world->rules.planes,
                                   world->rules.has_moments, world->def.energy_balance))
        return SCREE_OUT_OF_MEMORY;
    world->contacts.touching = 0;
    for (size_t c = 0; c < list->count; c++) {
        uint32_t first = list->first[c][0], second = list->second[c][0];
        const scree_world *part = local->part[local->level[first]].world;
        size_t candidate = SIZE_MAX;
        list->touches_next[c][0] = 0;
        if (local->level[first] == local->level[second] && part->pairs.count)
            candidate =
                scree_contact_list_find(&part->pairs, local->place[first], local->place[second]);
        if (candidate == SIZE_MAX || !part->pairs.touches[candidate][0])
            continue;
        uint32_t slot = part->pairs.slot[candidate][0];
        const scree_law *law = world->rules.slots[slot].law;
        list->touches_next[c][0] = 1;
        list->slot[c][0] = slot;
        world->contacts.touching++;
        for (uint32_t m = 0; law && m < law->memory_count; m++)
            world->contacts.next[m][c] = part->pairs.history[m][candidate];
        take_exerted(&world->contacts, c, &part->contacts, candidate);
    }
    list->rows_are_next = true;
    return SCREE_OK;
}

/* ---- contacts with walls ---- */

#define X_TAKE_SURFACE(type, name, n) memcpy(list->name[to], from->name[c], sizeof *list->name);

static void take_wall_contact(scree_wall_contact_list *list, size_t to,
                              const scree_wall_contact_list *from, size_t c, uint32_t slot)
{
    SCREE_SURFACE_FIELDS(X_TAKE_SURFACE)
    list->body[to][0] = slot;
    list->previous[to][0] = UINT32_MAX;
    for (uint32_t m = 0; m < list->planes; m++)
        list->history[m][to] = from->history[m][c];
}

static scree_status join_wall_contacts(scree_wall_contacts *wall_contacts, uint32_t planes,
                                       uint32_t bodies, const scree_local_steps *local)
{
    scree_wall_contact_list *list = &wall_contacts->next;
    size_t most = 0;

    for (int k = 0; k < SCREE_LOCAL_LEVELS; k++)
        most += local->part[k].world ? local->part[k].world->wall_contacts.now.count : 0;
    list->count = 0;
    if (scree_wall_contact_list_reserve(list, wall_contacts->memory, most, planes, bodies))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t slot = 0; slot < bodies; slot++) {
        const scree_wall_contact_list *from =
            &local->part[local->level[slot]].world->wall_contacts.now;
        uint32_t at = local->place[slot];
        list->begin[slot] = (uint32_t)list->count;
        for (uint32_t c = from->count ? from->begin[at] : 0; from->count && c < from->end[at]; c++)
            take_wall_contact(list, list->count++, from, c, slot);
        list->end[slot] = (uint32_t)list->count;
    }
    return SCREE_OK;
}

/* ---- contacts of shapes ---- */

/*  The next contact of a part, from c on, of a body that belongs to it: removed bodies have theirs in other parts. */
static size_t next_shape(const scree_body_arrays *bodies, const scree_walls *walls,
                         const scree_local_steps *local, int level, size_t c,
                         scree_shape_rank *rank)
{
    const scree_shape_contact_list *list = &local->part[level].world->shape_contacts.now;
    scree_shape_work work = {0};

    for (; c < list->count; c++)
        if (scree_shape_contacts_resolve(bodies, walls, list->pair[c], &work.first, &work.second,
                                         &work.wall) &&
            local->level[work.first] == level) {
            *rank = scree_shape_rank_of(bodies, &work);
            return c;
        }
    return SIZE_MAX;
}

#define X_TAKE_SHAPE(type, name, n) memcpy(list->name[to], from->name[c], sizeof *list->name);

static void take_shape_contact(scree_shape_contact_list *list, size_t to,
                               const scree_shape_contact_list *from, size_t c)
{
    SCREE_SHAPE_CONTACT_FIELDS(X_TAKE_SHAPE)
    list->previous[to][0] = UINT32_MAX;
    for (uint32_t m = 0; m < list->planes; m++)
        list->history[m][to] = from->history[m][c];
}

/*  Each part has them in order, so the smallest of all is the next of the whole. */
static scree_status join_shape_contacts(const scree_body_arrays *bodies, const scree_walls *walls,
                                        scree_shape_contacts *contacts, uint32_t planes,
                                        const scree_local_steps *local)
{
    scree_shape_contact_list *list = &contacts->next;
    size_t at[SCREE_LOCAL_LEVELS], most = 0;
    scree_shape_rank rank[SCREE_LOCAL_LEVELS];

    for (int k = 0; k < SCREE_LOCAL_LEVELS; k++) {
        at[k] = SIZE_MAX;
        if (!local->part[k].world)
            continue;
        most += local->part[k].world->shape_contacts.now.count;
        at[k] = next_shape(bodies, walls, local, k, 0, &rank[k]);
    }
    list->count = 0;
    if (scree_shape_contact_list_reserve(list, contacts->memory, most, planes))
        return SCREE_OUT_OF_MEMORY;
    for (;;) {
        int first = -1;
        for (int k = 0; k < SCREE_LOCAL_LEVELS; k++)
            if (at[k] != SIZE_MAX &&
                (first < 0 || scree_shape_rank_compare(&rank[k], &rank[first]) < 0))
                first = k;
        if (first < 0)
            return scree_shape_contacts_index(contacts->memory, bodies, walls, list, false);
        take_shape_contact(list, list->count++, &local->part[first].world->shape_contacts.now,
                           at[first]);
        at[first] = next_shape(bodies, walls, local, first, at[first] + 1, &rank[first]);
    }
}

/* ---- all ---- */

scree_status scree_local_merge(scree_world *world, const scree_local_steps *local, double dt)
{
    merge_run run = {world, local};
    scree_status status;

    scree_bodies_swap(&world->bodies);
    find_places(&world->bodies, local);
    scree_body_blocks_run(&world->workers, world->bodies.count, join_bodies, &run);
    world->list_is_new = false;
    status = scree_walls_move(&world->walls, world->clock.time + dt, dt, &world->error);
    if (!status)
        status = scree_world_find_neighbours(world, dt);
    if (!status && world->def.detection.audit &&
        (world->clock.steps + 1) % world->def.detection.audit == 0)
        status = scree_world_audit(world);
    if (!status && (join_pairs(world, local) ||
                    join_wall_contacts(&world->wall_contacts, world->rules.planes,
                                       world->bodies.count, local) ||
                    (world->bodies.nonspheres &&
                     join_shape_contacts(&world->bodies, &world->walls, &world->shape_contacts,
                                         world->rules.planes, local))))
        status = scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: local steps: %s",
                            scree_status_name(SCREE_OUT_OF_MEMORY));
    world->is_finished = true;
    world->found_stable = 0;
    if (status)
        scree_local_renew_parts(world);
    return status;
}
