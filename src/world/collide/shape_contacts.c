/*  Finds potential contacts and contacts of non-spherical bodies, in the order of global ids. Any free worker takes
    the next pair. Results are joined in the order of pairs, so they do not depend on the worker. */
#include "world/collide/pairs_apart.h"
#include "world/collide/shape_pairs.h"
#include "world/state/rotation_batch.h"

#include <string.h>

#define PAIRS_PER_BLOCK 4u
#define FRAMES_PER_BLOCK 256u

void scree_shape_finder_init(scree_shape_finder *finder, scree_memory *memory,
                             const scree_workers *workers, scree_simd simd, bool by_surrogates)
{
    memset(finder, 0, sizeof *finder);
    finder->memory = finder->meshes.memory = memory;
    finder->simd = simd;
    finder->meshes.workers = workers;
    finder->meshes.wants_trees = by_surrogates;
}

static void free_shape_worker(scree_shape_worker *worker, scree_memory *memory)
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

static void free_shape_workers(scree_shape_finder *finder, uint32_t made, uint32_t count)
{
    for (uint32_t w = 0; w < made; w++)
        free_shape_worker(&finder->workers[w], finder->memory);
    scree_memory_give(finder->memory, &finder->workers, count, sizeof *finder->workers);
}

void scree_shape_finder_free(scree_shape_finder *finder)
{
    scree_memory *memory = finder->memory;

    free_shape_workers(finder, finder->worker_count, finder->worker_count);
    scree_shape_cuts_free(&finder->cuts, memory);
    scree_memory_give(memory, &finder->frames, finder->frame_capacity, sizeof *finder->frames);
    scree_memory_give(memory, &finder->ways, finder->way_capacity, sizeof *finder->ways);
    scree_memory_give(memory, &finder->work, finder->work_capacity, sizeof *finder->work);
    scree_memory_give(memory, &finder->work_before, finder->work_before_capacity,
                      sizeof *finder->work_before);
    scree_shape_table_free(&finder->meshes);
}

scree_status scree_shape_finder_make_workers(const scree_shape_job *job)
{
    scree_shape_finder *finder = job->finder;
    uint32_t count = job->step->workers->count;

    if (finder->workers)
        return SCREE_OK;
    if (scree_memory_take(finder->memory, count, sizeof *finder->workers, &finder->workers))
        return SCREE_OUT_OF_MEMORY;
    memset(finder->workers, 0, count * sizeof *finder->workers);
    for (uint32_t w = 0; w < count; w++) {
        scree_shape_worker *worker = &finder->workers[w];
        if (scree_mesh_finder_init(&worker->finder, finder->memory, finder->simd)) {
            free_shape_workers(finder, w, count);
            return SCREE_OUT_OF_MEMORY;
        }
        worker->block.simd = finder->simd;
        scree_mesh_merger_init(&worker->merger, finder->memory);
        scree_surrogate_search_init(&worker->search, finder->memory);
    }
    finder->worker_count = count;
    return SCREE_OK;
}

/* ---- the work of a step ---- */

static scree_shape_rank rank_of(const scree_body_arrays *bodies, uint32_t first, uint32_t second,
                                uint32_t wall)
{
    bool is_wall = second == UINT32_MAX;

    return (scree_shape_rank){bodies->serial[first][0], is_wall ? wall : bodies->serial[second][0],
                              is_wall};
}

scree_shape_rank scree_shape_rank_of(const scree_body_arrays *bodies, const scree_shape_work *work)
{
    return rank_of(bodies, work->first, work->second, work->wall);
}

static scree_status push_work(scree_shape_finder *finder, uint32_t first, uint32_t second,
                              uint32_t wall)
{
    if (finder->work_count == finder->work_capacity &&
        scree_memory_reserve(finder->memory, &finder->work, &finder->work_capacity,
                             finder->work_count + 1, sizeof *finder->work))
        return SCREE_OUT_OF_MEMORY;
    finder->work[finder->work_count++] =
        (scree_shape_work){.first = first, .second = second, .wall = wall, .before = UINT32_MAX};
    return SCREE_OK;
}

/*  Walls that the bounding sphere of one body may reach. */
static scree_status push_walls(const scree_shape_job *job, uint32_t slot)
{
    const scree_wall_contact_search *search = job->near;
    scree_status status = SCREE_OK;

    if (job->walls->count == 0 || !scree_wall_contacts_may_touch(search, slot))
        return SCREE_OK;
    for (uint32_t k = search->begin[slot]; k < search->end[slot] && !status; k++) {
        const scree_wall_def *wall = &job->walls->wall[search->near[k].wall].def;
        /* in two dimensions, and for clumps and superquadrics, no search trees are needed */
        if (wall->kind == SCREE_WALL_MESH && job->step->def->dimensions == 3 &&
            scree_shape_has_skin(&job->bodies->shape[slot][0]))
            status =
                scree_shape_table_take(&job->finder->meshes, wall->mesh, SCREE_MESH_AS_WALL, NULL);
        if (!status)
            status = push_work(job->finder, slot, UINT32_MAX, search->near[k].wall);
    }
    return status;
}

/*  A neighbour pair, unless it cannot touch. */
static scree_status push_pair(const scree_shape_job *job, size_t at)
{
    scree_shape_finder *finder = job->finder;
    const scree_shape_candidate *pair = &job->contacts->candidates[at];

    if (finder->follows_ways && scree_shape_stays_apart(finder, pair)) {
        finder->tested_elsewhere.pairs++;
        finder->tested_elsewhere.apart[pair->test]++;
        return SCREE_OK;
    }
    if (push_work(finder, pair->slot[0], pair->slot[1], UINT32_MAX))
        return SCREE_OUT_OF_MEMORY;
    finder->work[finder->work_count - 1].candidate1 = (uint32_t)at + 1;
    return SCREE_OK;
}

/*  In each pair at least one body is non-spherical, and the first has the smaller global id: so all pairs are
    covered. */
static scree_status list_work(const scree_shape_job *job)
{
    size_t at = 0;

    for (size_t k = 0; k < job->contacts->body_count; k++) {
        const scree_shape_candidate *body = &job->contacts->bodies[k];
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
static void find_old(const scree_shape_job *job)
{
    scree_shape_finder *finder = job->finder;
    uint32_t first, second, wall, c = 0, count = (uint32_t)job->contacts->now.count;

    for (size_t k = 0; k < finder->work_count; k++) {
        scree_shape_work *work = &finder->work[k];
        scree_shape_rank wanted = scree_shape_rank_of(job->bodies, work);
        int order = -1;
        for (; c < count; c++) {
            if (!scree_shape_contacts_resolve(job->bodies, job->walls, job->contacts->now.pair[c],
                                              &first, &second, &wall))
                continue;
            scree_shape_rank has = rank_of(job->bodies, first, second, wall);
            order = scree_shape_rank_compare(&has, &wanted);
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
static uint32_t law_of_pair(const scree_shape_job *job, const scree_shape_work *work)
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
static double reach_of_slot(const scree_shape_job *job, const scree_shape_work *work, uint32_t slot)
{
    double radius = job->bodies->position[work->first][3], other = 0;

    if (work->second != UINT32_MAX)
        other = job->bodies->position[work->second][3];
    return scree_rules_reach(job->step->rules, slot, other > radius ? other : radius);
}

/*  The largest interaction range of any contact of the pair. */
static double reach_of_pair(const scree_shape_job *job, const scree_shape_work *work)
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
static void frame_some(const scree_shape_job *job, scree_tumblers *some)
{
    double turn[SCREE_TUMBLERS][3][3];

    if (some->count)
        scree_matrices_kernels[job->step->simd](job->bodies, some, turn);
    for (uint32_t k = 0; k < some->count; k++) {
        scree_posed_shape *frame = &job->finder->frames[some->slot[k]];
        memcpy(frame->turn, turn[k], sizeof turn[k]);
        frame->mesh = NULL;
    }
    some->count = 0;
}

static void frame_block_of_shapes(void *data, size_t block, uint32_t worker)
{
    const scree_shape_job *job = data;
    const scree_shape_finder *finder = job->finder;
    size_t end = scree_block_end(block, FRAMES_PER_BLOCK, job->contacts->body_count);

    scree_tumblers some = {0};

    (void)worker;
    for (size_t k = block * FRAMES_PER_BLOCK; k < end; k++) {
        uint32_t slot = job->contacts->bodies[k].slot[0];
        if (job->bodies->shape[slot][0].kind != SCREE_SHAPE_CLUMP) {
            scree_posed_shape_of(job, slot, &finder->frames[slot]);
            continue;
        }
        some.slot[some.count++] = slot;
        if (some.count == SCREE_TUMBLERS)
            frame_some(job, &some);
    }
    frame_some(job, &some);
}

static scree_status find_frames(scree_shape_job *job)
{
    scree_shape_finder *finder = job->finder;

    if (scree_memory_reserve(finder->memory, &finder->frames, &finder->frame_capacity,
                             job->bodies->count, sizeof *finder->frames))
        return SCREE_OUT_OF_MEMORY;
    scree_workers_run(job->step->workers,
                      scree_block_count(job->contacts->body_count, FRAMES_PER_BLOCK),
                      frame_block_of_shapes, job);
    return SCREE_OK;
}

static void touch_block_of_shapes(void *data, size_t block, uint32_t number)
{
    const scree_shape_job *job = data;
    scree_shape_finder *finder = job->finder;
    scree_shape_worker *worker = &finder->workers[number];
    size_t end = scree_block_end(block, PAIRS_PER_BLOCK, finder->work_count);

    for (size_t k = block * PAIRS_PER_BLOCK; k < end; k++) {
        scree_shape_work *work = &finder->work[k];
        work->worker = number;
        work->found_begin = (uint32_t)worker->count;
        if (!worker->status && work->before != UINT32_MAX)
            worker->status = scree_shape_finder_take_again(finder, worker, work);
        else if (!worker->status)
            worker->status = scree_shape_pair_touch(job, worker, work, reach_of_pair(job, work));
        work->found_end = (uint32_t)worker->count;
    }
}

/* ---- side by side ---- */

static void take_shape(const scree_shape_job *job, const scree_shape_work *work,
                       const scree_shape_found *found, uint32_t slot)
{
    scree_shape_contact_list *next = &job->contacts->next;
    const scree_body_arrays *bodies = job->bodies;
    size_t c = next->count++;
    scree_shape_partners *pair = next->pair[c];
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
    next->lever[c][3] = found->lever[3];
    if (found->lever[3] > 0)
        memcpy(next->lever[c], found->lever, sizeof found->lever);
}

/*  The contacts of a pair share its mass. n dashpots in parallel, in weight, each computed for 1 / n of the mass, damp
    the whole mass as one does.

    In implicit steps only continuing contacts share it, and each new contact gets the share that it would have if it
    were the only new one. Otherwise a new contact would reduce the damping of all others at once, and the step might
    have no solution (contact_onset.h). */
static void share_mass(const scree_shape_job *job, const scree_shape_work *work)
{
    scree_shape_contact_list *next = &job->contacts->next;
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

static void take_pair_of_shapes(const scree_shape_job *job, scree_shape_work *work)
{
    scree_shape_finder *finder = job->finder;
    uint32_t begun = work->found_begin < work->found_end ? law_of_pair(job, work) : 0;
    bool is_deep = false;

    work->begin = (uint32_t)job->contacts->next.count;
    for (uint32_t k = work->found_begin; k < work->found_end; k++) {
        const scree_shape_found *found = &finder->workers[work->worker].found[k];
        uint32_t slot =
            found->previous != UINT32_MAX ? job->contacts->now.slot[found->previous][0] : begun;
        if (slot && found->overlap > -reach_of_slot(job, work, slot))
            take_shape(job, work, found, slot);
        is_deep |= found->memory.side == SCREE_SIDE_DEEP;
    }
    /* on ranks with the first body */
    finder->tested_elsewhere.deep += is_deep && !scree_is_ghost(job->bodies, work->first);
    work->end = (uint32_t)job->contacts->next.count;
    work->is_steady = job->sleep->is_on && scree_shape_contacts_are_steady(job->contacts, work);
    share_mass(job, work);
}

static scree_status join_shapes(const scree_shape_job *job)
{
    scree_shape_finder *finder = job->finder;
    size_t total = 0;

    for (uint32_t w = 0; w < finder->worker_count; w++) {
        if (finder->workers[w].status)
            return finder->workers[w].status;
        total += finder->workers[w].count;
    }
    if (scree_shape_contact_list_reserve(&job->contacts->next, finder->memory, total,
                                         job->step->rules->planes))
        return SCREE_OUT_OF_MEMORY;
    for (size_t k = 0; k < finder->work_count; k++)
        take_pair_of_shapes(job, &finder->work[k]);
    return scree_shape_contacts_index(finder->memory, job->bodies, job->walls, &job->contacts->next,
                                      true);
}

scree_status scree_shape_finder_evaluate(scree_shape_job *job)
{
    scree_shape_finder *finder = job->finder;
    scree_status status;

    job->contacts->next.count = 0;
    scree_shape_finder_keep_found(job);
    if (job->bodies->nonspheres == 0)
        return SCREE_OK;
    status = scree_shape_finder_make_workers(job);
    if (!status)
        status = scree_shape_ways_follow(job);
    if (!status)
        status = list_work(job);
    /* adding walls may have added meshes and moved the table */
    if (!status)
        status = find_frames(job);
    if (!status && finder->cuts.is_on)
        status = scree_shape_cuts_follow(finder, job->bodies);
    if (!status) {
        find_old(job);
        scree_shape_finder_find_again(job);
        scree_workers_run(job->step->workers,
                          scree_block_count(finder->work_count, PAIRS_PER_BLOCK),
                          touch_block_of_shapes, job);
        status = join_shapes(job);
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
    sum->deep += counts->deep;
    for (int test = 0; test < SCREE_LOCAL_TESTS; test++)
        sum->apart[test] += counts->apart[test];
}

uint64_t scree_shape_finder_take_deep(scree_shape_finder *finder)
{
    const uint64_t sum = finder->tested_elsewhere.deep;

    finder->tested_elsewhere.deep = 0;
    return sum;
}

uint64_t scree_shape_finder_compared(const scree_shape_finder *finder)
{
    uint64_t sum = finder->compared_elsewhere;

    /* comparisons by a surrogate search were counted before */
    for (uint32_t w = 0; w < finder->worker_count; w++)
        sum += finder->workers[w].search.counts.compared -
               finder->workers[w].search.counts.offered +
               finder->workers[w].finder.counts.candidates;
    return sum;
}

scree_local_counts scree_shape_finder_local_counts(const scree_shape_finder *finder)
{
    scree_local_counts sum = finder->tested_elsewhere;

    for (uint32_t w = 0; w < finder->worker_count; w++)
        add_tested(&sum, &finder->workers[w].tested);
    return sum;
}

void scree_shape_finder_take_counts(scree_shape_finder *finder, scree_shape_finder *from)
{
    const scree_local_counts tested = scree_shape_finder_local_counts(from);

    finder->compared_elsewhere += scree_shape_finder_compared(from);
    add_tested(&finder->tested_elsewhere, &tested);
    from->compared_elsewhere = 0;
    memset(&from->tested_elsewhere, 0, sizeof from->tested_elsewhere);
    for (uint32_t w = 0; w < from->worker_count; w++) {
        memset(&from->workers[w].search.counts, 0, sizeof from->workers[w].search.counts);
        memset(&from->workers[w].finder.counts, 0, sizeof from->workers[w].finder.counts);
        memset(&from->workers[w].tested, 0, sizeof from->workers[w].tested);
    }
}
