/*  Checks during a run that detection misses nothing, by independent means: pairs by another method without margin,
    facets by testing all of them. Missing pairs are counted and reported. The neighbour list is rebuilt, so the next
    step is correct. */
#include "world/step/audit.h"

#include "world/collide/shape_pairs.h"
#include "world/forces/sphere_forces.h"
#include "world/search/wall_neighbours.h"
#include "world/step/room_data.h"
#include "world/step/world_data.h"

#include <inttypes.h>
#include <string.h>

/* ---- pairs ---- */

static scree_status make_auditor(const scree_step *step, const scree_domain *domain,
                                 scree_detector **auditor)
{
    scree_detector_def def = scree_default_detector_def();

    def.method =
        strcmp(step->def->detection.method, "hash-grids") == 0 ? "rtree-packed" : "hash-grids";
    def.dimensions = step->def->dimensions;
    def.simd = step->simd;
    def.allocator = step->memory->allocator;
    def.error = step->error;
    memcpy(def.period, domain->period, sizeof def.period);
    memcpy(def.tilt, domain->tilt, sizeof def.tilt);
    return scree_detector_create(&def, auditor);
}

static scree_status find_true_pairs(const scree_step *step, const scree_body_arrays *bodies,
                                    scree_detector *auditor, scree_pairs *pairs)
{
    size_t stride = sizeof *bodies->position;
    const double *place = bodies->position[0];
    scree_view z = {0};

    if (step->def->dimensions == 3)
        z = scree_doubles(place + 2, stride);
    scree_table table =
        scree_table_spheres(bodies->count, scree_doubles(place, stride),
                            scree_doubles(place + 1, stride), z, scree_doubles(place + 3, stride));
    scree_status status = scree_detector_update(auditor, &table, NULL);
    if (!status)
        status = scree_detector_pairs(auditor, NULL, pairs);
    if (status)
        return scree_fail(step->error, status, "world: audit: %s", scree_detector_message(auditor));
    return SCREE_OK;
}

static void report_missing(const scree_step *step, scree_detection_stats *detection_stats,
                           const char *what, uint64_t a, uint64_t b)
{
    detection_stats->missed_contacts++;
    scree_log_write(&step->def->hooks.log, SCREE_LOG_WARNING, SCREE_LOG_CONTACT_MISSING,
                    "world: step %" PRIu64 ": body %" PRIu64 " touches %s %" PRIu64
                    ", which detection does not know",
                    step->number, a, what, b);
}

bool scree_must_be_known(const scree_rules *rules, const scree_body_arrays *bodies, uint32_t a,
                         uint32_t b)
{
    return scree_bodies_meet(bodies, a, b) &&
           scree_rules_find(rules, SCREE_CONTACT_BODIES, bodies->material[a][0],
                            bodies->material[b][0], bodies->groups[a][0],
                            bodies->groups[b][0]) != 0;
}

static bool is_known(const scree_body_arrays *bodies, const scree_contact_list *pairs,
                     const scree_shape_contacts *shapes, uint32_t a, uint32_t b)
{
    if (scree_is_not_sphere(bodies, a) || scree_is_not_sphere(bodies, b))
        return scree_shape_contacts_are_candidates(shapes, bodies->serial[a][0],
                                                   bodies->serial[b][0]);
    return scree_contact_list_find(pairs, a, b) != SIZE_MAX;
}

static scree_status audit_pairs(const scree_step *step, const scree_found_contacts *contacts,
                                const scree_shape_contacts *shapes, const scree_joints *joints,
                                scree_detection_stats *detection_stats)
{
    const scree_body_arrays *bodies = contacts->bodies;
    scree_detector *auditor = NULL;
    scree_pairs pairs = {0, NULL, NULL};
    scree_status status = make_auditor(step, contacts->domain, &auditor);

    if (!status)
        status = find_true_pairs(step, bodies, auditor, &pairs);
    for (uint64_t k = 0; k < pairs.count && !status; k++) {
        uint32_t a = pairs.first[k], b = pairs.second[k];
        if (scree_must_be_known(step->rules, bodies, a, b) &&
            !scree_joints_part(joints, bodies->serial[a][0], bodies->serial[b][0]) &&
            !is_known(bodies, contacts->pairs, shapes, a, b))
            report_missing(step, detection_stats, "body", bodies->serial[a][0],
                           bodies->serial[b][0]);
    }
    scree_detector_destroy(auditor);
    return status;
}

/* ---- walls ---- */

static bool is_candidate(const scree_wall_contact_search *search, uint32_t slot, uint32_t wall,
                         uint32_t facet)
{
    for (uint32_t k = search->begin[slot];
         scree_wall_contacts_may_touch(search, slot) && k < search->end[slot]; k++)
        if (search->near[k].wall == wall && search->near[k].facet == facet &&
            scree_wall_contacts_may_touch_one(search, slot, &search->near[k]))
            return true;
    return false;
}

static void audit_mesh(const scree_wall_contact_job *job, uint32_t slot, uint32_t w,
                       scree_detection_stats *detection_stats)
{
    const scree_wall_record *wall = &job->walls->wall[w];
    const scree_mesh *mesh = wall->def.mesh;
    const double *place = job->bodies->position[slot];
    double local[3];

    scree_wall_to_mesh(wall, place, local);
    for (uint32_t f = 0; f < mesh->facet_count; f++) {
        scree_facet_point nearest =
            scree_facet_nearest(mesh, mesh->vertices, mesh->normals + 3 * (size_t)f, f, local);
        /* whether the wall contacts of a body of triangles are complete */
        if (nearest.away_sq < place[3] * place[3] &&
            !is_candidate(&job->wall_contacts->search, slot, w,
                          scree_is_not_sphere(job->bodies, slot) ? 0 : f))
            report_missing(job->step, detection_stats, "a facet of wall",
                           job->bodies->serial[slot][0], wall->id.index1);
    }
}

static void audit_wall(const scree_wall_contact_job *job, uint32_t slot, uint32_t w,
                       scree_detection_stats *detection_stats)
{
    const scree_wall_record *wall = &job->walls->wall[w];
    const double *place = job->bodies->position[slot];

    if (wall->def.kind == SCREE_WALL_MESH)
        audit_mesh(job, slot, w, detection_stats);
    else if (scree_sphere_plane_overlap(wall->next.position, wall->next.normal, place, place[3]) >
                 0 &&
             !is_candidate(&job->wall_contacts->search, slot, w, 0))
        report_missing(job->step, detection_stats, "wall", job->bodies->serial[slot][0],
                       wall->id.index1);
}

scree_status scree_world_audit(scree_world *world)
{
    const scree_step step = scree_world_this_step(world, 0);
    const scree_found_contacts contacts = scree_world_found_contacts(world);
    const scree_wall_contact_job walls = scree_world_wall_contact_job(world, &step);
    const uint64_t missing = world->detection_stats.missed_contacts;
    scree_status status = SCREE_OK;

    if (world->bodies.count)
        status = audit_pairs(&step, &contacts, &world->shape_contacts, &world->joints,
                             &world->detection_stats);
    for (uint32_t w = 0; w < world->walls.count && !status; w++)
        for (uint32_t slot = 0; slot < world->bodies.count; slot++)
            if (scree_wall_contacts_meet(&world->bodies, &world->joints, slot,
                                         &world->walls.wall[w]))
                audit_wall(&walls, slot, w, &world->detection_stats);
    world->needs_search |= world->detection_stats.missed_contacts != missing;
    world->detection_stats.audits += status == SCREE_OK;
    return status;
}
