/*  Finds potential contacts and contacts of non-spherical bodies, in the order of global ids. Any free worker takes
    the next pair. Results are joined in the order of pairs, so they do not depend on the worker. */
#include "world/collide/pairs_apart.h"
#include "world/collide/shape_pairs.h"
#include "world/state/rotation_batch.h"

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
    scree_memory_give(memory, &solids->ways, solids->way_capacity, sizeof *solids->ways);
    scree_memory_give(memory, &solids->work, solids->work_capacity, sizeof *solids->work);
    scree_memory_give(memory, &solids->work_before, solids->work_before_capacity,
                      sizeof *solids->work_before);
    scree_solid_meshes_free(&solids->meshes);
}

scree_status scree_solids_make_workers(const scree_solid_job *job)
{
    scree_solids *solids = job->solids;
    uint32_t count = job->step->workers->count;

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
        worker->block.simd = solids->simd;
        scree_mesh_merger_init(&worker->merger, solids->memory);
        scree_surrogate_search_init(&worker->search, solids->memory);
    }
    solids->worker_count = count;
    return SCREE_OK;
}

/* ---- the work of a step ---- */

static scree_solid_rank rank_of(const scree_body_arrays *bodies, uint32_t first, uint32_t second,
                                uint32_t wall)
{
    bool is_wall = second == UINT32_MAX;

    return (scree_solid_rank){bodies->serial[first][0], is_wall ? wall : bodies->serial[second][0],
                              is_wall};
}

scree_solid_rank scree_solid_rank_of(const scree_body_arrays *bodies, const scree_solid_work *work)
{
    return rank_of(bodies, work->first, work->second, work->wall);
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

/*  Walls that the bounding sphere of one body may reach. */
static scree_status push_walls(const scree_solid_job *job, uint32_t slot)
{
    const scree_wall_contact_search *search = job->near;
    scree_status status = SCREE_OK;

    if (job->walls->count == 0 || !scree_wall_contacts_may_touch(search, slot))
        return SCREE_OK;
    for (uint32_t k = search->begin[slot]; k < search->end[slot] && !status; k++) {
        const scree_wall_def *wall = &job->walls->wall[search->near[k].wall].def;
        /* in two dimensions, and for clumps, no search trees are needed */
        if (wall->kind == SCREE_WALL_MESH && job->step->def->dimensions == 3 &&
            scree_is_of_triangles(job->bodies, slot))
            status =
                scree_solid_meshes_take(&job->solids->meshes, wall->mesh, SCREE_MESH_AS_WALL, NULL);
        if (!status)
            status = push_work(job->solids, slot, UINT32_MAX, search->near[k].wall);
    }
    return status;
}

/*  A neighbour pair, unless it cannot touch. */
static scree_status push_pair(const scree_solid_job *job, size_t at)
{
    scree_solids *solids = job->solids;
    const scree_solid_candidate *pair = &job->contacts->candidates[at];

    if (solids->follows_ways && scree_solid_stays_apart(solids, pair)) {
        solids->tested_elsewhere.pairs++;
        solids->tested_elsewhere.apart[pair->test]++;
        return SCREE_OK;
    }
    if (push_work(solids, pair->slot[0], pair->slot[1], UINT32_MAX))
        return SCREE_OUT_OF_MEMORY;
    solids->work[solids->work_count - 1].candidate1 = (uint32_t)at + 1;
    return SCREE_OK;
}

/*  In each pair at least one body is non-spherical, and the first has the smaller global id: so all pairs are
    covered. */
static scree_status list_work(const scree_solid_job *job)
{
    size_t at = 0;

    for (size_t k = 0; k < job->contacts->body_count; k++) {
        const scree_solid_candidate *body = &job->contacts->bodies[k];
        for (; at < job->contacts->candidate_count &&
               job->contacts->candidates[at].serial[0] <= body->serial[0];
             at++)
            if (push_pair(job, at))
                return SCREE_OUT_OF_MEMORY;
        if (push_walls(job, body->slot[0]))
            return SCREE_OUT_OF_MEMORY;
    }
    return SCREE_OK;
}

/*  Both lists have the same order; dead contacts may be anywhere. */
static void find_old(const scree_solid_job *job)
{
    scree_solids *solids = job->solids;
    uint32_t first, second, wall, c = 0, count = (uint32_t)job->contacts->now.count;

    for (size_t k = 0; k < solids->work_count; k++) {
        scree_solid_work *work = &solids->work[k];
        scree_solid_rank wanted = scree_solid_rank_of(job->bodies, work);
        int order = -1;
        for (; c < count; c++) {
            if (!scree_solids_resolve(job->bodies, job->walls, job->contacts->now.pair[c], &first,
                                      &second, &wall))
                continue;
            scree_solid_rank has = rank_of(job->bodies, first, second, wall);
            order = scree_solid_rank_compare(&has, &wanted);
            if (order >= 0)
                break;
        }
        work->old_begin = c;
        if (order == 0 && c < count)
            while (c < count &&
                   memcmp(job->contacts->now.pair[c], job->contacts->now.pair[work->old_begin],
                          sizeof *job->contacts->now.pair) == 0)
                c++;
        work->old_end = c;
    }
}

/* ---- contacts of a pair ---- */

/*  The pair parameters of a new contact of the pair; 0: no interaction. */
static uint32_t law_of_pair(const scree_solid_job *job, const scree_solid_work *work)
{
    const scree_body_arrays *bodies = job->bodies;
    uint32_t a = work->first, b = work->second;

    if (b == UINT32_MAX) {
        const scree_wall_def *wall = &job->walls->wall[work->wall].def;
        return scree_rules_find(job->step->rules, SCREE_CONTACT_WALLS, bodies->material[a][0],
                                wall->material.index1, bodies->groups[a][0], wall->groups);
    }
    return scree_rules_find(job->step->rules, SCREE_CONTACT_BODIES, bodies->material[a][0],
                            bodies->material[b][0], bodies->groups[a][0], bodies->groups[b][0]);
}

/*  The larger of the two radii is an upper bound of the effective radius. */
static double reach_of_slot(const scree_solid_job *job, const scree_solid_work *work, uint32_t slot)
{
    double radius = job->bodies->position[work->first][3], other = 0;

    if (work->second != UINT32_MAX)
        other = job->bodies->position[work->second][3];
    return scree_rules_reach(job->step->rules, slot, other > radius ? other : radius);
}

/*  The largest interaction range of any contact of the pair. */
static double reach_of_pair(const scree_solid_job *job, const scree_solid_work *work)
{
    const scree_law_reach *most = &job->step->rules->reach;

    if (most->fixed == 0 && most->root == 0 && most->share == 0)
        return 0;
    double reach = reach_of_slot(job, work, law_of_pair(job, work));

    for (uint32_t c = work->old_begin; c < work->old_end; c++) {
        double other = reach_of_slot(job, work, job->contacts->now.slot[c][0]);
        reach = other > reach ? other : reach;
    }
    return reach;
}

/*  Of clumps, whose only frame is that of the body. */
static void frame_some(const scree_solid_job *job, scree_tumblers *some)
{
    double turn[SCREE_TUMBLERS][3][3];

    if (some->count)
        scree_matrices_kernels[job->step->simd](job->bodies, some, turn);
    for (uint32_t k = 0; k < some->count; k++) {
        scree_solid_frame *frame = &job->solids->frames[some->slot[k]];
        memcpy(frame->turn, turn[k], sizeof turn[k]);
        frame->mesh = NULL;
    }
    some->count = 0;
}

static void frame_block_of_solids(void *data, size_t block, uint32_t worker)
{
    const scree_solid_job *job = data;
    const scree_solids *solids = job->solids;
    size_t end = scree_block_end(block, FRAMES_PER_BLOCK, job->contacts->body_count);

    scree_tumblers some = {0};

    (void)worker;
    for (size_t k = block * FRAMES_PER_BLOCK; k < end; k++) {
        uint32_t slot = job->contacts->bodies[k].slot[0];
        if (job->bodies->shape[slot][0].kind != SCREE_SHAPE_CLUMP) {
            scree_solid_frame_of(job, slot, &solids->frames[slot]);
            continue;
        }
        some.slot[some.count++] = slot;
        if (some.count == SCREE_TUMBLERS)
            frame_some(job, &some);
    }
    frame_some(job, &some);
}

static scree_status find_frames(scree_solid_job *job)
{
    scree_solids *solids = job->solids;

    if (scree_memory_reserve(solids->memory, &solids->frames, &solids->frame_capacity,
                             job->bodies->count, sizeof *solids->frames))
        return SCREE_OUT_OF_MEMORY;
    scree_workers_run(job->step->workers,
                      scree_block_count(job->contacts->body_count, FRAMES_PER_BLOCK),
                      frame_block_of_solids, job);
    return SCREE_OK;
}

static void touch_block_of_solids(void *data, size_t block, uint32_t number)
{
    const scree_solid_job *job = data;
    scree_solids *solids = job->solids;
    scree_solid_worker *worker = &solids->workers[number];
    size_t end = scree_block_end(block, PAIRS_PER_BLOCK, solids->work_count);

    for (size_t k = block * PAIRS_PER_BLOCK; k < end; k++) {
        scree_solid_work *work = &solids->work[k];
        work->worker = number;
        work->found_begin = (uint32_t)worker->count;
        if (!worker->status && work->before != UINT32_MAX)
            worker->status = scree_solids_take_again(solids, worker, work);
        else if (!worker->status)
            worker->status = scree_solids_touch_pair(job, worker, work, reach_of_pair(job, work));
        work->found_end = (uint32_t)worker->count;
    }
}

/* ---- side by side ---- */

static void take_solid(const scree_solid_job *job, const scree_solid_work *work,
                       const scree_solid_found *found, uint32_t slot)
{
    scree_solid_list *next = &job->contacts->next;
    const scree_body_arrays *bodies = job->bodies;
    size_t c = next->count++;
    scree_solid_pair *pair = next->pair[c];
    double mass = 1 / bodies->velocity[work->first][3];

    memset(pair, 0, sizeof *pair);
    pair->first = bodies->id[work->first][0];
    if (work->second == UINT32_MAX) {
        pair->wall = job->walls->wall[work->wall].id;
    } else {
        pair->second = bodies->id[work->second][0];
        mass = 1 / (bodies->velocity[work->first][3] + bodies->velocity[work->second][3]);
    }
    next->place[c][0] = work->first;
    next->place[c][1] = work->second;
    next->place[c][2] = work->second == UINT32_MAX ? work->wall : UINT32_MAX;
    next->slot[c][0] = slot;
    next->previous[c][0] = found->previous;
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

/*  The contacts of a pair share its mass. n dashpots in parallel, in weight, each computed for 1 / n of the mass, damp
    the whole mass as one does.

    In implicit steps only continuing contacts share it, and each new contact gets the share that it would have if it
    were the only new one. Otherwise a new contact would reduce the damping of all others at once, and the step might
    have no solution (contact_onset.h). */
static void share_mass(const scree_solid_job *job, const scree_solid_work *work)
{
    scree_solid_list *next = &job->contacts->next;
    bool is_implicit = scree_integrator_is_implicit(job->step->def->step.integrator);
    double weight = 0;

    for (uint32_t c = work->begin; c < work->end; c++)
        if (!is_implicit || next->previous[c][0] != UINT32_MAX)
            weight += next->size[c][2];
    for (uint32_t c = work->begin; c < work->end; c++) {
        bool comes = is_implicit && next->previous[c][0] == UINT32_MAX;
        next->size[c][1] /= comes ? weight + next->size[c][2] : weight;
    }
}

static void take_pair_of_solids(const scree_solid_job *job, scree_solid_work *work)
{
    scree_solids *solids = job->solids;
    uint32_t begun = work->found_begin < work->found_end ? law_of_pair(job, work) : 0;

    work->begin = (uint32_t)job->contacts->next.count;
    for (uint32_t k = work->found_begin; k < work->found_end; k++) {
        const scree_solid_found *found = &solids->workers[work->worker].found[k];
        uint32_t slot =
            found->previous != UINT32_MAX ? job->contacts->now.slot[found->previous][0] : begun;
        if (slot && found->overlap > -reach_of_slot(job, work, slot))
            take_solid(job, work, found, slot);
    }
    work->end = (uint32_t)job->contacts->next.count;
    work->is_steady = job->sleep->is_on && scree_solids_are_steady(job->contacts, work);
    share_mass(job, work);
}

static scree_status join_solids(const scree_solid_job *job)
{
    scree_solids *solids = job->solids;
    size_t total = 0;

    for (uint32_t w = 0; w < solids->worker_count; w++) {
        if (solids->workers[w].status)
            return solids->workers[w].status;
        total += solids->workers[w].count;
    }
    if (scree_solid_list_reserve(&job->contacts->next, solids->memory, total,
                                 job->step->rules->planes))
        return SCREE_OUT_OF_MEMORY;
    for (size_t k = 0; k < solids->work_count; k++)
        take_pair_of_solids(job, &solids->work[k]);
    return scree_solids_index(solids->memory, job->bodies, job->walls, &job->contacts->next, true);
}

scree_status scree_solids_evaluate(scree_solid_job *job)
{
    scree_solids *solids = job->solids;
    scree_status status;

    job->contacts->next.count = 0;
    scree_solids_keep_found(job);
    if (job->bodies->solids == 0)
        return SCREE_OK;
    status = scree_solids_make_workers(job);
    if (!status)
        status = scree_solid_ways_follow(job);
    if (!status)
        status = list_work(job);
    /* adding walls may have added meshes and moved the table */
    if (!status)
        status = find_frames(job);
    if (!status && solids->cuts.is_on)
        status = scree_solid_cuts_follow(solids, job->bodies);
    if (!status) {
        find_old(job);
        scree_solids_find_again(job);
        scree_workers_run(job->step->workers,
                          scree_block_count(solids->work_count, PAIRS_PER_BLOCK),
                          touch_block_of_solids, job);
        status = join_solids(job);
    }
    if (status)
        return scree_fail(job->step->error, status, "world: contacts of solids: %s",
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

    /* comparisons by a surrogate search were counted before */
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
