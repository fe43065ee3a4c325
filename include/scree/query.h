/*  scree/query.h: which bodies are in a box or a sphere, which a ray hits, which are nearest to a point.

        scree_query query = scree_query_ray_first(eye, direction, 100);
        scree_body_hit hit;
        size_t count;
        if (!scree_world_hits(world, &query, &hit, 1, &count, NULL) && count)
            scree_body_apply_impulse(world, hit.id, impulse, hit.point);

    Make a query with the functions of scree/detect.h (scree_query_box, _sphere, _ray, _ray_first, _nearest), and set its
    `groups` to find only bodies in some groups. A query looks at the bodies as they are now, also if the host has just
    changed them, and takes time in proportion to their number. The queries of the detector of a world
    (scree_world_detector) are faster for many bodies, but find enlarged volumes, as of the last step, by rows.

    WHAT IS FOUND. Bodies with their own surfaces: spheres; clumps, as the union of their pebbles, found once, by the handle
    of the clump; meshes and blocks, as the solid that their facets enclose, without the contact skin or rounding around
    it. Surfaces belong to the body, so what just touches is found. In two dimensions z is not looked at. Ghosts are
    bodies of this world, and are found. Walls are not.

    PERIODIC DOMAINS. A body is found if any of its images is, once, with the nearest one. A query must not be more than
    1000 periods wide, so a ray across periods needs a finite t_max. Neither it nor a body that the host has moved may
    be more than 1e6 periods from the domain. Positions are not wrapped: `point` is near the
    query, not near the stored position of the body.

    THREADS. Queries do not change the world, so several threads may make them at the same time, while none changes it.
    They then call the allocator of the world from several threads at the same time. */
#ifndef SCREE_QUERY_H
#define SCREE_QUERY_H

#include "scree/detect.h"
#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  A body that a query found. */
typedef struct scree_body_hit
{
    scree_body_id id; /* the body */
    /*  Ray: t at which it enters the body, 0 if it starts inside. Nearest: distance from the point to the body, m, 0
        inside. Otherwise 0. */
    double distance;
    /*  Ray: where it enters the body; nearest: the nearest point of the body. Otherwise 0. */
    double point[3];
} scree_body_hit;

/*  Called for each hit. Return nonzero to stop, which is no error. All hits are found before the first call, so it may
    change the world. */
typedef int scree_body_hit_fn(const scree_body_hit *hit, void *user);

/*  Calls a function for each hit: for boxes and spheres by global id, for rays and nearest by distance, then global
    id. The message of a failure goes to `error`, which may be NULL. SCREE_BAD_ARGUMENT: a pointer is NULL;
    SCREE_BAD_DEF; SCREE_BAD_VALUE: a number is not finite or out of range; SCREE_TOO_LARGE: more than 1000 periods
    wide, or 1e6 from the domain, or a body has a radius of more than 10 periods, or, of a clump, mesh or block, is more
    than 1e6 periods away from the point of a nearest query; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_query(const scree_world *world, const scree_query *query,
                                         scree_body_hit_fn *action, void *user, scree_error *error);

/*  Writes the hits to an array, in the same order. *count gets the number of hits, also with SCREE_TOO_SMALL; then only
    the first `capacity` are written. `hits` may be NULL if capacity is 0. Statuses of scree_world_query;
    SCREE_TOO_SMALL. */
SCREE_API scree_status scree_world_hits(const scree_world *world, const scree_query *query,
                                        scree_body_hit *hits, size_t capacity, size_t *count,
                                        scree_error *error);

#ifdef __cplusplus
}
#endif

#endif
