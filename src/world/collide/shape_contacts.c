/*  Whom solids may touch, and what was found of it, in an order that serial numbers give. Pairs go to
    whichever worker is free; what they come to is put side by side in the order of pairs, so it does not
    depend on who found it. */
#include "world/collide/shape_pairs.h"
#include "world/state/rotation_batch.h"
#include "world/step/world_data.h"

#include <string.h>

#define PAIRS_PER_BLOCK 4u
#define FRAMES_PER_BLOCK 256u

void scree_solids_init(scree_solids *solids, scree_memory *memory, const scree_workers *workers,
                       scree_simd simd, bool by_surrogates)
{
    memset(solids, 0, sizeof *solids);
    solids->memory = solids->meshes.memory = memory;
    solids->simd = simd;
    solids->meshes.workers = workers;
    solids->meshes.wants_trees = by_surrogates;
}

static void free_solid_worker(scree_solid_worker *worker, scree_memory *memory)
{
    scree_mesh_finder_free(&worker->finder);
    scree_surrogate_search_free(&worker->search);
    scree_mesh_merger_free(&worker->merger);
    scree_mesh_features_free(&worker->features, memory);
    scree_sphere_mesh_free(&worker->sphere, memory);
    scree_plane_mesh_free(&worker->plane, memory);
    scree_block_contact_free(&worker->block, memory);
    scree_facet_list_free(&worker->facets, memory);
    for (int k = 0; k < 2; k++)
        scree_memory_give(memory, &worker->near[k], worker->near_capacity[k],
                          sizeof *worker->near[k]);
    scree_memory_give(memory, &worker->taken, worker->taken_capacity, sizeof *worker->taken);
    scree_memory_give(memory, &worker->share, worker->share_capacity, sizeof *worker->share);
    scree_memory_give(memory, &worker->found, worker->capacity, sizeof *worker->found);
    scree_memory_give(memory, &worker->found_before, worker->before_capacity,
                      sizeof *worker->found_before);
}

static void free_solid_workers(scree_solids *solids, uint32_t made, uint32_t count)
{
    for (uint32_t w = 0; w < made; w++)
        free_solid_worker(&solids->workers[w], solids->memory);
    scree_memory_give(solids->memory, &solids->workers, count, sizeof *solids->workers);
}

void scree_solids_free(scree_solids *solids)
{
    scree_memory *memory = solids->memory;

    free_solid_workers(solids, solids->worker_count, solids->worker_count);
    scree_solid_cuts_free(&solids->cuts, memory);
    scree_memory_give(memory, &solids->frames, solids->frame_capacity, sizeof *solids->frames);
    scree_memory_give(memory, &solids->work, solids->work_capacity, sizeof *solids->work);
    scree_memory_give(memory, &solids->work_before, solids->work_before_capacity,
                      sizeof *solids->work_before);
    scree_solid_meshes_free(&solids->meshes);
}

static scree_status make_workers(scree_world *world)
{
    scree_solids *solids = &world->solids;
    uint32_t count = world->workers.count;

    if (solids->workers)
        return SCREE_OK;
    if (scree_memory_take(solids->memory, count, sizeof *solids->workers, &solids->workers))
        return SCREE_OUT_OF_MEMORY;
    memset(solids->workers, 0, count * sizeof *solids->workers);
    for (uint32_t w = 0; w < count; w++) {
        scree_solid_worker *worker = &solids->workers[w];
        if (scree_mesh_finder_init(&worker->finder, solids->memory, solids->simd)) {
            free_solid_workers(solids, w, count);
            return SCREE_OUT_OF_MEMORY;
        }
        scree_mesh_merger_init(&worker->merger, solids->memory);
        scree_surrogate_search_init(&worker->search, solids->memory);
    }
    solids->worker_count = count;
    return SCREE_OK;
}

/* ---- the work of a step ---- */

static scree_solid_rank rank_of(const scree_world *world, uint32_t first, uint32_t second,
                                uint32_t wall)
{
    const scree_crowd *bodies = &world->bodies;
    bool is_wall = second == UINT32_MAX;

    return (scree_solid_rank){bodies->serial[first][0], is_wall ? wall : bodies->serial[second][0],
                              is_wall};
}

scree_solid_rank scree_solid_rank_of(const scree_world *world, const scree_solid_work *work)
{
    return rank_of(world, work->first, work->second, work->wall);
}

static scree_status push_work(scree_solids *solids, uint32_t first, uint32_t second, uint32_t wall)
{
    if (solids->work_count == solids->work_capacity &&
        scree_memory_reserve(solids->memory, &solids->work, &solids->work_capacity,
                             solids->work_count + 1, sizeof *solids->work))
        return SCREE_OUT_OF_MEMORY;
    solids->work[solids->work_count++] =
        (scree_solid_work){.first = first, .second = second, .wall = wall, .before = UINT32_MAX};
    return SCREE_OK;
}

/*  Those of one body that its ball may reach. */
static scree_status push_walls(scree_world *world, uint32_t slot)
{
    const scree_surface_search *search = &world->surfaces.search;
    scree_status status = SCREE_OK;

    if (world->walls.count == 0 || !scree_surfaces_may_touch(search, slot))
        return SCREE_OK;
    for (uint32_t k = search->begin[slot]; k < search->end[slot] && !status; k++) {
        const scree_wall_def *wall = &world->walls.wall[search->near[k].wall].def;
        /* of two dimensions, and of clumps, no trees are asked */
        if (wall->kind == SCREE_WALL_MESH && world->def.dimensions == 3 &&
            scree_is_of_triangles(&world->bodies, slot))
            status = scree_solid_meshes_take(&world->solids.meshes, wall->mesh, SCREE_MESH_AS_WALL,
                                             NULL);
        if (!status)
            status = push_work(&world->solids, slot, UINT32_MAX, search->near[k].wall);
    }
    return status;
}

/*  One of every two candidates is a solid, and the first has the smaller serial: so none is left over. */
static scree_status list_work(scree_world *world)
{
    scree_solids *solids = &world->solids;
    size_t at = 0;

    for (size_t k = 0; k < world->solid_contacts.body_count; k++) {
        const scree_solid_candidate *body = &world->solid_contacts.bodies[k];
        for (; at < world->solid_contacts.candidate_count &&
               world->solid_contacts.candidates[at].serial[0] <= body->serial[0];
             at++)
            if (push_work(solids, world->solid_contacts.candidates[at].slot[0],
                          world->solid_contacts.candidates[at].slot[1], UINT32_MAX))
                return SCREE_OUT_OF_MEMORY;
        if (push_walls(world, body->slot[0]))
            return SCREE_OUT_OF_MEMORY;
    }
    return SCREE_OK;
}

/*  Both stand in the same order; dead ones may be anywhere. */
static void find_old(scree_world *world)
{
    scree_solids *solids = &world->solids;
    uint32_t first, second, wall, c = 0, count = (uint32_t)world->solid_contacts.now.count;

    for (size_t k = 0; k < solids->work_count; k++) {
        scree_solid_work *work = &solids->work[k];
        scree_solid_rank wanted = scree_solid_rank_of(world, work);
        int order = -1;
        for (; c < count; c++) {
            if (!scree_solids_resolve(&world->bodies, &world->walls,
                                      world->solid_contacts.now.pair[c], &first, &second, &wall))
                continue;
            scree_solid_rank has = rank_of(world, first, second, wall);
            order = scree_solid_rank_compare(&has, &wanted);
            if (order >= 0)
                break;
        }
        work->old_begin = c;
        if (order == 0 && c < count)
            while (c < count && memcmp(world->solid_contacts.now.pair[c],
                                       world->solid_contacts.now.pair[work->old_begin],
                                       sizeof *world->solid_contacts.now.pair) == 0)
                c++;
        work->old_end = c;
    }
}

/* ---- finding ---- */

/*  By which law a contact of the pair that begins acts; 0: none. */
static uint32_t law_of_pair(const scree_world *world, const scree_solid_work *work)
{
    const scree_crowd *bodies = &world->bodies;
    uint32_t a = work->first, b = work->second;

    if (b == UINT32_MAX) {
        const scree_wall_def *wall = &world->walls.wall[work->wall].def;
        return scree_rules_find(&world->rules, SCREE_CONTACT_WALLS, bodies->material[a][0],
                                wall->material.index1, bodies->groups[a][0], wall->groups);
    }
    return scree_rules_find(&world->rules, SCREE_CONTACT_BODIES, bodies->material[a][0],
                            bodies->material[b][0], bodies->groups[a][0], bodies->groups[b][0]);
}

/*  The greater of the two radii is above what laws see of both. */
static double reach_of_slot(const scree_world *world, const scree_solid_work *work, uint32_t slot)
{
    double radius = world->bodies.position[work->first][3], other = 0;

    if (work->second != UINT32_MAX)
        other = world->bodies.position[work->second][3];
    return scree_rules_reach(&world->rules, slot, other > radius ? other : radius);
}

/*  The farthest that any contact of the pair may act. */
static double reach_of_pair(const scree_world *world, const scree_solid_work *work)
{
    const scree_law_reach *most = &world->rules.reach;

    if (most->fixed == 0 && most->root == 0 && most->share == 0)
        return 0;
    double reach = reach_of_slot(world, work, law_of_pair(world, work));

    for (uint32_t c = work->old_begin; c < work->old_end; c++) {
        double other = reach_of_slot(world, work, world->solid_contacts.now.slot[c][0]);
        reach = other > reach ? other : reach;
    }
    return reach;
}

/*  Of clumps, which have no other frame than their own. */
static void frame_some(const scree_world *world, scree_tumblers *some)
{
    double turn[SCREE_TUMBLERS][3][3];

    if (some->count)
        scree_matrices_kernels[world->simd](&world->bodies, some, turn);
    for (uint32_t k = 0; k < some->count; k++) {
        scree_solid_frame *frame = &world->solids.frames[some->slot[k]];
        memcpy(frame->turn, turn[k], sizeof turn[k]);
        frame->mesh = NULL;
    }
    some->count = 0;
}

static void frame_block_of_solids(void *data, size_t block, uint32_t worker)
{
    const scree_world *world = data;
    const scree_solids *solids = &world->solids;
    size_t end = scree_block_end(block, FRAMES_PER_BLOCK, world->solid_contacts.body_count);

    scree_tumblers some = {0};

    (void)worker;
    for (size_t k = block * FRAMES_PER_BLOCK; k < end; k++) {
        uint32_t slot = world->solid_contacts.bodies[k].slot[0];
        if (world->bodies.shape[slot][0].kind != SCREE_SHAPE_CLUMP) {
            scree_solid_frame_of(world, slot, &solids->frames[slot]);
            continue;
        }
        some.slot[some.count++] = slot;
        if (some.count == SCREE_TUMBLERS)
            frame_some(world, &some);
    }
    frame_some(world, &some);
}

static scree_status find_frames(scree_world *world)
{
    scree_solids *solids = &world->solids;

    if (scree_memory_reserve(solids->memory, &solids->frames, &solids->frame_capacity,
                             world->bodies.count, sizeof *solids->frames))
        return SCREE_OUT_OF_MEMORY;
    scree_workers_run(&world->workers,
                      scree_block_count(world->solid_contacts.body_count, FRAMES_PER_BLOCK),
                      frame_block_of_solids, world);
    return SCREE_OK;
}

static void touch_block_of_solids(void *data, size_t block, uint32_t number)
{
    scree_world *world = data;
    scree_solids *solids = &world->solids;
    scree_solid_worker *worker = &solids->workers[number];
    size_t end = scree_block_end(block, PAIRS_PER_BLOCK, solids->work_count);

    for (size_t k = block * PAIRS_PER_BLOCK; k < end; k++) {
        scree_solid_work *work = &solids->work[k];
        work->worker = number;
        work->found_begin = (uint32_t)worker->count;
        if (!worker->status && work->before != UINT32_MAX)
            worker->status = scree_solids_take_again(solids, worker, work);
        else if (!worker->status)
            worker->status =
                scree_solids_touch_pair(world, worker, work, reach_of_pair(world, work));
        work->found_end = (uint32_t)worker->count;
    }
}

/* ---- side by side ---- */

static void take_solid(scree_world *world, const scree_solid_work *work,
                       const scree_solid_found *found, uint32_t slot)
{
    scree_solid_list *next = &world->solid_contacts.next;
    const scree_crowd *bodies = &world->bodies;
    size_t c = next->count++;
    scree_solid_pair *pair = next->pair[c];
    double mass = 1 / bodies->velocity[work->first][3];

    memset(pair, 0, sizeof *pair);
    pair->first = bodies->id[work->first][0];
    if (work->second == UINT32_MAX) {
        pair->wall = world->walls.wall[work->wall].id;
    } else {
        pair->second = bodies->id[work->second][0];
        mass = 1 / (bodies->velocity[work->first][3] + bodies->velocity[work->second][3]);
    }
    next->place[c][0] = work->first;
    next->place[c][1] = work->second;
    next->place[c][2] = work->second == UINT32_MAX ? work->wall : UINT32_MAX;
    next->slot[c][0] = slot;
    next->heir[c][0] = found->heir;
    next->facet[c][0] = found->facet;
    next->memory[c][0] = found->memory;
    for (int k = 0; k < 3; k++) {
        next->point[c][k] = found->point[k];
        next->normal[c][k] = found->normal[k];
        next->arm[c][k] = found->arm[0][k];
        next->arm[c][4 + k] = found->arm[1][k];
    }
    next->point[c][3] = found->overlap;
    next->normal[c][3] = next->arm[c][3] = next->arm[c][7] = 0;
    next->size[c][0] = found->radius;
    next->size[c][1] = mass;
    next->size[c][2] = found->weight;
    next->size[c][3] = found->least;
}

/*  A pair's mass is shared by its contacts: springs and dashpots side by side, n in weight and each as it would be made
    for 1 / n of the mass, damp the whole of it as one does.

    In implicit steps those share it that go on, and whoever comes has a share as if he came alone to these: else all others
    would be damped less at once where one begins, and there might be no end of the step (contact_onset.h). */
static void share_mass(scree_world *world, const scree_solid_work *work)
{
    scree_solid_list *next = &world->solid_contacts.next;
    bool is_implicit = scree_stepper_is_implicit(world->def.stepper);
    double weight = 0;

    for (uint32_t c = work->begin; c < work->end; c++)
        if (!is_implicit || next->heir[c][0] != UINT32_MAX)
            weight += next->size[c][2];
    for (uint32_t c = work->begin; c < work->end; c++) {
        bool comes = is_implicit && next->heir[c][0] == UINT32_MAX;
        next->size[c][1] /= comes ? weight + next->size[c][2] : weight;
    }
}

static void take_pair_of_solids(scree_world *world, scree_solid_work *work)
{
    scree_solids *solids = &world->solids;
    uint32_t begun = work->found_begin < work->found_end ? law_of_pair(world, work) : 0;

    work->begin = (uint32_t)world->solid_contacts.next.count;
    for (uint32_t k = work->found_begin; k < work->found_end; k++) {
        const scree_solid_found *found = &solids->workers[work->worker].found[k];
        uint32_t slot =
            found->heir != UINT32_MAX ? world->solid_contacts.now.slot[found->heir][0] : begun;
        if (slot && found->overlap > -reach_of_slot(world, work, slot))
            take_solid(world, work, found, slot);
    }
    work->end = (uint32_t)world->solid_contacts.next.count;
    work->is_steady = world->rest.is_on && scree_solids_are_steady(&world->solid_contacts, work);
    share_mass(world, work);
}

static scree_status join_solids(scree_world *world)
{
    scree_solids *solids = &world->solids;
    size_t total = 0;

    for (uint32_t w = 0; w < solids->worker_count; w++) {
        if (solids->workers[w].status)
            return solids->workers[w].status;
        total += solids->workers[w].count;
    }
    if (scree_solid_list_reserve(&world->solid_contacts.next, solids->memory, total,
                                 world->rules.planes))
        return SCREE_OUT_OF_MEMORY;
    for (size_t k = 0; k < solids->work_count; k++)
        take_pair_of_solids(world, &solids->work[k]);
    return scree_solids_index(solids->memory, &world->bodies, &world->walls,
                              &world->solid_contacts.next, true);
}

scree_status scree_solids_evaluate(scree_world *world)
{
    scree_solids *solids = &world->solids;
    scree_status status;

    world->solid_contacts.next.count = 0;
    scree_solids_keep_found(world);
    if (world->bodies.solids == 0)
        return SCREE_OK;
    status = make_workers(world);
    if (!status)
        status = list_work(world);
    /* walls may have brought meshes, after which these are elsewhere */
    if (!status)
        status = find_frames(world);
    if (!status && solids->cuts.is_on)
        status = scree_solid_cuts_follow(world);
    if (!status) {
        find_old(world);
        scree_solids_find_again(world);
        scree_workers_run(&world->workers, scree_block_count(solids->work_count, PAIRS_PER_BLOCK),
                          touch_block_of_solids, world);
        status = join_solids(world);
    }
    if (status)
        return scree_fail(&world->error, status, "world: contacts of solids: %s",
                          scree_status_name(status));
    return SCREE_OK;
}

static void add_tested(scree_local_counts *sum, const scree_local_counts *counts)
{
    sum->pairs += counts->pairs;
    sum->touching += counts->touching;
    for (int test = 0; test < SCREE_LOCAL_TESTS; test++)
        sum->apart[test] += counts->apart[test];
}

uint64_t scree_solids_compared(const scree_solids *solids)
{
    uint64_t sum = solids->compared_elsewhere;

    /* what a search by surrogates leaves to the finder it has compared before */
    for (uint32_t w = 0; w < solids->worker_count; w++)
        sum += solids->workers[w].search.counts.compared -
               solids->workers[w].search.counts.offered +
               solids->workers[w].finder.counts.candidates;
    return sum;
}

scree_local_counts scree_solids_local_counts(const scree_solids *solids)
{
    scree_local_counts sum = solids->tested_elsewhere;

    for (uint32_t w = 0; w < solids->worker_count; w++)
        add_tested(&sum, &solids->workers[w].tested);
    return sum;
}

void scree_solids_take_counts(scree_solids *solids, scree_solids *from)
{
    const scree_local_counts tested = scree_solids_local_counts(from);

    solids->compared_elsewhere += scree_solids_compared(from);
    add_tested(&solids->tested_elsewhere, &tested);
    from->compared_elsewhere = 0;
    memset(&from->tested_elsewhere, 0, sizeof from->tested_elsewhere);
    for (uint32_t w = 0; w < from->worker_count; w++) {
        memset(&from->workers[w].search.counts, 0, sizeof from->workers[w].search.counts);
        memset(&from->workers[w].finder.counts, 0, sizeof from->workers[w].finder.counts);
        memset(&from->workers[w].tested, 0, sizeof from->workers[w].tested);
    }
}
