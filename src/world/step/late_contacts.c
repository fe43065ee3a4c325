/*  Late contacts: pairs that a search has added to the list, that overlapped at the end of the last step and were
    not in the list. As long as margins are sufficient there are none. */
#include "world/step/late_contacts.h"

#include "world/collide/shape_pairs.h"
#include "world/forces/sphere_forces.h"
#include "world/step/audit.h"
#include "world/step/room_data.h"
#include "world/step/world_data.h"

/* ---- spheres ---- */

/*  Pairs that overlapped then, except continuing contacts, which were in the list. They are written where the index
    of the list will be; returns their number. */
static size_t find_suspects(const scree_step *step, const scree_geometry *geometry,
                            scree_contact_list *list)
{
    uint32_t touching[SCREE_TILE + SCREE_ROOM_STEP];
    size_t count = 0;

    for (size_t begin = 0; begin < list->count; begin += SCREE_TILE) {
        const size_t end = scree_block_end(begin / SCREE_TILE, SCREE_TILE, list->count);
        const uint32_t found = scree_touch_kernels[step->simd](geometry, begin, end, touching);
        for (uint32_t k = 0; k < found; k++)
            if (!list->touches[touching[k]][0])
                list->entry[count++] = touching[k];
    }
    return count;
}

/* ---- bodies of other shapes ---- */

/*  Whether surfaces overlap with their contact skins at the present positions. */
static scree_status find_overlap(const scree_shape_job *job, const scree_shape_candidate *candidate,
                                 bool *overlap)
{
    scree_shape_worker *worker = &job->finder->workers[0];
    scree_shape_work work = {.first = candidate->slot[0], .second = candidate->slot[1]};
    size_t count = worker->count;
    scree_status status;

    /* the result of the last evaluation cannot be reused */
    *overlap = false;
    status = scree_shape_pair_touch(job, worker, &work, 0);
    for (size_t k = count; k < worker->count && !status; k++)
        *overlap |= worker->found[k].overlap > 0;
    worker->count = count;
    return status;
}

/*  The bodies existed in the previous search, so the workers' memory exists: the list was not rebuilt because of new
    bodies. */
static scree_status count_late_shapes(const scree_shape_job *job, uint64_t *late)
{
    const scree_shape_contacts *shapes = job->contacts;
    scree_status status = SCREE_OK;
    bool overlap;

    for (size_t k = 0; k < shapes->candidate_count && !status; k++) {
        const scree_shape_candidate *candidate = &shapes->candidates[k];
        if (scree_shape_contacts_were_candidates(shapes, candidate) ||
            !scree_must_be_known(job->step->rules, job->bodies, candidate->slot[0],
                                 candidate->slot[1]))
            continue;
        status = find_overlap(job, candidate, &overlap);
        *late += !status && overlap;
    }
    return status;
}

/*  Comparisons here are not part of a step: counters of work exclude them, and active sets stay. */
static scree_status count_late_apart(const scree_shape_job *job, uint64_t *late)
{
    scree_shape_finder *finder = job->finder;
    bool by_cuts = finder->cuts.is_on;
    scree_mesh_counts found;
    scree_surrogate_counts searched;
    scree_local_counts tested;
    scree_status status;

    if (job->contacts->candidate_count == 0)
        return SCREE_OK;
    found = finder->workers[0].finder.counts;
    searched = finder->workers[0].search.counts;
    tested = finder->workers[0].tested;
    finder->cuts.is_on = false;
    status = count_late_shapes(job, late);
    finder->cuts.is_on = by_cuts;
    finder->workers[0].finder.counts = found;
    finder->workers[0].search.counts = searched;
    finder->workers[0].tested = tested;
    return status;
}

scree_status scree_world_count_late(scree_world *world)
{
    const scree_domain next = world->cell.next;
    const scree_step step = scree_world_this_step(world, 0);
    const scree_shape_job shape_job = scree_world_shape_job(world, &step);
    size_t suspects;
    scree_status status;

    scree_bodies_swap(&world->bodies);
    world->cell.next = world->cell.now;
    if (world->pairs.count) {
        const scree_geometry geometry = scree_world_geometry(world);
        suspects = find_suspects(&step, &geometry, &world->pairs);
        world->detection_stats.late_contacts += scree_contact_list_count_new(
            &world->pairs, &world->spare, world->bodies.count, suspects);
    }
    status = count_late_apart(&shape_job, &world->detection_stats.late_contacts);
    scree_bodies_swap(&world->bodies);
    world->cell.next = next;
    if (status)
        return scree_fail(&world->error, status, "world: late contacts: %s",
                          scree_status_name(status));
    return SCREE_OK;
}
