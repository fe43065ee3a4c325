/*  The path of a non-spherical body relative to another body or a wall. The functions that find contacts also find
    the distance of surfaces. So both objects are advanced along their paths by that distance, or by a small amount
    where they are close, until they overlap deeply or can no longer meet (conservative advancement).

    This uses scratch arrays with two bodies and one wall, which have the poses of the real ones at a fraction of the
    step. */
#include "base/error.h"
#include "base/vector.h"
#include "world/collide/shape_pairs.h"
#include "world/state/rotation.h"
#include "world/step/crossings.h"
#include "world/step/room_data.h"
#include "world/step/world_data.h"

#include <math.h>
#include <string.h>

/*  In units of the shortest path that can pass: the advance where surfaces are close, */
#define MIN_ADVANCE 0.25
/*  and the overlap that counts as a crossing. */
#define DEEP 0.5
/*  After this many advances the result is unknown, and the step is refused. */
#define MAX_ADVANCES 2000

/*  Both objects at a fraction of the step. */
typedef struct shape_passing
{
    scree_crossing_look *look;
    uint32_t slot[2];
    uint32_t body_count;
    double position[2][4], orientation[2][4];
    scree_shape shape[2][1];
    scree_body_arrays arrays;
    scree_wall_record wall;
    const scree_wall_record *real_wall; /* NULL: there is none */
    scree_walls walls;
    scree_posed_shape frames[2];
    scree_shape_finder finder;
    scree_shape_contacts contacts;
    scree_shape_job job;
} shape_passing;

/*  Shape comparison reads only these rows of bodies. */
static void gather(shape_passing *p, const scree_step *step, uint32_t first, uint32_t second,
                   uint32_t wall)
{
    scree_world *world = p->look->world;
    const scree_body_arrays *bodies = &world->bodies;

    p->slot[0] = first;
    p->slot[1] = second;
    p->body_count = second == UINT32_MAX ? 1 : 2;
    p->arrays.count = p->body_count;
    p->arrays.nonspheres = 1;
    p->arrays.position = p->position;
    p->arrays.orientation = p->orientation;
    p->arrays.shape = p->shape;
    for (uint32_t k = 0; k < p->body_count; k++) {
        p->shape[k][0] = bodies->shape[p->slot[k]][0];
        p->position[k][3] = bodies->position[p->slot[k]][3];
    }
    p->real_wall = wall == UINT32_MAX ? NULL : &world->walls.wall[wall];
    p->walls = world->walls;
    p->walls.wall = &p->wall;
    p->walls.count = 1;
    p->finder = world->shape_finder;
    p->finder.frames = p->frames;
    p->finder.cuts.is_on = false;
    p->finder.frozen = NULL;
    p->job = scree_world_shape_job(world, step);
    p->job.bodies = &p->arrays;
    p->job.walls = &p->walls;
    p->job.finder = &p->finder;
    p->job.contacts = &p->contacts;
}

static scree_status put_at(shape_passing *p, double share)
{
    scree_world *world = p->look->world;
    const scree_body_arrays *bodies = &world->bodies;
    double dt = p->look->dt;

    for (uint32_t k = 0; k < p->body_count; k++) {
        uint32_t slot = p->slot[k];
        double spin[3];
        for (int j = 0; j < 3; j++) {
            double from = bodies->position_before[slot][j], to = bodies->position[slot][j];
            p->position[k][j] = from + share * (to - from);
            spin[j] = (bodies->spin_before[slot][j] + bodies->spin[slot][j]) / 2;
        }
        scree_turn(bodies->orientation_before[slot], spin, share * dt, p->orientation[k]);
        if (scree_is_not_sphere(&p->arrays, k))
            scree_posed_shape_of(&p->job, k, &p->frames[k]);
    }
    if (!p->real_wall)
        return SCREE_OK;
    return scree_wall_at_share(p->real_wall, p->look->time, dt, world->walls.dimensions, share,
                               &p->wall, &world->error);
}

/*  Overlap; below 0 if they are apart; -INFINITY: farther apart than `reach`. */
static scree_status find_depth(shape_passing *p, double reach, double *depth)
{
    scree_shape_worker *worker = &p->finder.workers[0];
    scree_shape_work work = {.first = 0, .second = p->body_count == 2 ? 1 : UINT32_MAX, .wall = 0};
    size_t count = worker->count;
    scree_status status = scree_shape_pair_touch(&p->job, worker, &work, reach);

    *depth = -INFINITY;
    for (size_t k = count; k < worker->count && !status; k++)
        *depth = fmax(*depth, worker->found[k].overlap);
    worker->count = count;
    return status;
}

/*  The nearest features decide, so the search begins with a short reach: of bodies that overlap all facets are within a
    long one. */
static scree_status depth_at(shape_passing *p, double share, double reach, double *depth)
{
    scree_status status = put_at(p, share);

    if (!status)
        status = find_depth(p, 0, depth);
    for (double part = 0x1p-6; part <= 1 && reach > 0 && !status && *depth == -INFINITY; part *= 8)
        status = find_depth(p, part * reach, depth);
    return status;
}

/*  Advances from the start to the end of the step, or until the result is known. */
static scree_status advance(shape_passing *p, double way, double rush, double most, bool *passes)
{
    double share = 0, depth, end;
    scree_status status = depth_at(p, 0, way, &depth);

    /* a contact at the start or the end is known to the step */
    if (status || depth > 0 || depth == -INFINITY)
        return status;
    status = depth_at(p, 1, 0, &end);
    if (status || end > 0)
        return status;
    for (int n = 0; n < MAX_ADVANCES; n++) {
        share += fmax(-depth, MIN_ADVANCE * most) / rush;
        if (!(share < 1))
            return SCREE_OK;
        status = depth_at(p, share, fmin(way, rush * (1 - share)), &depth);
        if (status || depth == -INFINITY)
            return status;
        if (depth > DEEP * most) {
            *passes = true;
            return SCREE_OK;
        }
    }
    *passes = true;
    return SCREE_OK;
}

/*  A wall that has been near no body yet has no search trees. */
static scree_status make_ready(const shape_passing *p)
{
    scree_world *world = p->look->world;

    if (!p->real_wall || p->real_wall->def.kind != SCREE_WALL_MESH || world->def.dimensions != 3 ||
        !scree_shape_has_skin(&p->shape[0][0]))
        return SCREE_OK;
    return scree_shape_table_take(&world->shape_finder.meshes, p->real_wall->def.mesh,
                                  SCREE_MESH_AS_WALL, NULL);
}

/* ---- comparisons here are not counted as work of a step: see late_contacts.c ---- */

typedef struct kept_counts
{
    scree_mesh_counts found;
    scree_surrogate_counts searched;
    scree_local_counts tested;
} kept_counts;

static kept_counts keep_counts(const scree_shape_worker *worker)
{
    return (kept_counts){worker->finder.counts, worker->search.counts, worker->tested};
}

static void restore_counts(scree_shape_worker *worker, const kept_counts *kept)
{
    worker->finder.counts = kept->found;
    worker->search.counts = kept->searched;
    worker->tested = kept->tested;
}

/*  Preparing a mesh may move the storage of meshes. */
static scree_status begin(shape_passing *p, const scree_step *step, uint32_t first, uint32_t second,
                          uint32_t wall)
{
    scree_world *world = p->look->world;
    scree_status status = scree_shape_finder_make_workers(
        &(scree_shape_job){.step = step, .finder = &world->shape_finder});

    if (!status) {
        gather(p, step, first, second, wall);
        status = make_ready(p);
    }
    if (status)
        return status;
    gather(p, step, first, second, wall);
    return SCREE_OK;
}

static scree_status end(scree_world *world, scree_status status)
{
    /* errors of a path have their own message */
    if (!status || status == SCREE_BAD_VALUE)
        return status;
    return scree_fail(&world->error, status, "world: ways of solids: %s",
                      scree_status_name(status));
}

/*  For bodies of triangles the overlap is that of contact skins; it is deep if surfaces cross. */
scree_status scree_crossing_look_at_shapes(scree_crossing_look *look, uint32_t first,
                                           uint32_t second, uint32_t wall, double way, double rush,
                                           double size, bool *passes)
{
    const scree_step step = scree_world_this_step(look->world, look->dt);
    shape_passing p = {.look = look};
    scree_status status = begin(&p, &step, first, second, wall);

    *passes = false;
    if (status)
        return end(look->world, status);
    const kept_counts kept = keep_counts(p.finder.workers);
    status = advance(&p, way, rush, size, passes);
    restore_counts(p.finder.workers, &kept);
    return end(look->world, status);
}

scree_status scree_crossing_shape_touches(scree_crossing_look *look, uint32_t slot, uint32_t wall,
                                          double share, bool *touches)
{
    const scree_step step = scree_world_this_step(look->world, look->dt);
    shape_passing p = {.look = look};
    double depth = -INFINITY;
    scree_status status = begin(&p, &step, slot, UINT32_MAX, wall);

    *touches = false;
    if (status)
        return end(look->world, status);
    const kept_counts kept = keep_counts(p.finder.workers);
    status = depth_at(&p, share, 0, &depth);
    restore_counts(p.finder.workers, &kept);
    *touches = depth > 0;
    return end(look->world, status);
}
