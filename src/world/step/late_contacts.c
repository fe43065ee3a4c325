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
static scree_status find_overlap(const scree_solid_job *job, const scree_solid_candidate *candidate,
                                 bool *overlap)
{
    scree_solid_worker *worker = &job->solids->workers[0];
    scree_solid_work work = {.first = candidate->slot[0], .second = candidate->slot[1]};
    size_t count = worker->count;
    scree_status status;

    /* the result of the last evaluation cannot be reused */
    *overlap = false;
    status = scree_solids_touch_pair(job, worker, &work, 0);
    for (size_t k = count; k < worker->count && !status; k++)
        *overlap |= worker->found[k].overlap > 0;
    worker->count = count;
    return status;
}

/*  The bodies existed in the previous search, so the workers' memory exists: the list was not rebuilt because of new
    bodies. */
static scree_status count_late_solids(const scree_solid_job *job, uint64_t *late)
{
    const scree_solid_contacts *solids = job->contacts;
    scree_status status = SCREE_OK;
    bool overlap;

    for (size_t k = 0; k < solids->candidate_count && !status; k++) {
        const scree_solid_candidate *candidate = &solids->candidates[k];
        if (scree_solids_were_candidates(solids, candidate) ||
            !scree_must_be_known(job->step->rules, job->bodies, candidate->slot[0],
                                 candidate->slot[1]))
            continue;
        status = find_overlap(job, candidate, &overlap);
        *late += !status && overlap;
    }
    return status;
}

/*  Comparisons here are not part of a step: counters of work exclude them, and active sets stay. */
static scree_status count_late_apart(const scree_solid_job *job, uint64_t *late)
{
    scree_solids *solids = job->solids;
    bool by_cuts = solids->cuts.is_on;
    scree_mesh_counts found;
    scree_surrogate_counts searched;
    scree_local_counts tested;
    scree_status status;

    if (job->contacts->candidate_count == 0)
        return SCREE_OK;
    found = solids->workers[0].finder.counts;
    searched = solids->workers[0].search.counts;
    tested = solids->workers[0].tested;
    solids->cuts.is_on = false;
    status = count_late_solids(job, late);
    solids->cuts.is_on = by_cuts;
    solids->workers[0].finder.counts = found;
    solids->workers[0].search.counts = searched;
    solids->workers[0].tested = tested;
    return status;
}

scree_status scree_world_count_late(scree_world *world)
{
    const scree_domain next = world->cell.next;
    const scree_step step = scree_world_this_step(world, 0);
    const scree_solid_job solids = scree_world_solid_job(world, &step);
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
    status = count_late_apart(&solids, &world->detection_stats.late_contacts);
    scree_bodies_swap(&world->bodies);
    world->cell.next = next;
    if (status)
        return scree_fail(&world->error, status, "world: late contacts: %s",
                          scree_status_name(status));
    return SCREE_OK;
}
