/*  Islands: bodies that might touch each other before the end of a step.

    Bounding spheres show which bodies are near. For two bodies of triangles, surrogates show more: if they prove
    that the surfaces are farther apart than both can move, the two are not linked although their spheres overlap,
    unless they are blocks and one contains the other. Surrogates are used in this way whatever the world's search
    method is, so results do not depend on it. */
#include "base/quaternion.h"
#include "base/vector.h"
#include "world/collide/shape_pair.h"
#include "world/local/local_steps.h"
#include "world/step/room_data.h"
#include "world/step/world_data.h"

#include <math.h>
#include <string.h>

void scree_local_periods(const scree_world_def *def, const scree_domain *domain, double period[3])
{
    for (int k = 0; k < 3; k++)
        period[k] = def->domain.boundary[k] == SCREE_BOUNDARY_PERIODIC ? domain->period[k] : 0;
}

double scree_local_distance_sq(const double a[3], const double b[3], const double period[3])
{
    double sum = 0;

    for (int k = 0; k < 3; k++) {
        double way = a[k] - b[k];
        if (period[k] > 0)
            way -= period[k] * nearbyint(way / period[k]);
        sum += way * way;
    }
    return sum;
}

/*  Displacement of the farthest point of a body by rotation: the chord, 2 sin(angle / 2) times its radius. */
static double way_of_turn(const double from[4], const double to[4])
{
    const double back[4] = {from[0], -from[1], -from[2], -from[3]};
    double turn[4];

    scree_quaternion_multiply(to, back, turn);
    return 2 * sqrt(turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
}

double scree_local_displacement(const scree_body_arrays *bodies, uint32_t slot,
                                const scree_body_arrays *part, uint32_t place,
                                const double period[3])
{
    const double *start = bodies->position[slot], *now = part->position[place];
    double way = sqrt(scree_local_distance_sq(now, start, period));

    if (scree_is_not_sphere(bodies, slot))
        way += now[3] * way_of_turn(bodies->orientation[slot], part->orientation[place]);
    return way;
}

/* ---- links ---- */

static bool balls_are_near(const scree_body_arrays *bodies, double reach, uint32_t a, uint32_t b,
                           const double period[3])
{
    const double *one = bodies->position[a], *other = bodies->position[b];
    double near = (1 + SCREE_LOCAL_SHARE) * (one[3] + other[3]) + reach;

    return scree_local_distance_sq(one, other, period) <= near * near;
}

/*  Whether a block contains a corner of the other. */
static bool holds_corner(const scree_shape_side *block, const scree_shape_side *other)
{
    const scree_block_body outer = scree_block_of(block), inner = scree_block_of(other);
    double point[3], local[3];
    bool is_within = true;

    scree_mesh_place(&inner.pose, inner.convex->corner[0], point);
    scree_shape_to_mesh(&outer.pose, point, local);
    for (uint32_t f = 0; f < outer.convex->face_count && is_within; f++)
        is_within = scree_dot(outer.convex->face[f], local) <= outer.convex->face[f][3];
    return is_within;
}

/*  Blocks are solid: a block deep inside another touches it, although the surfaces are far apart. Then one corner is
    sufficient to decide. */
static bool blocks_are_nested(const scree_shape_side *one, const scree_shape_side *other)
{
    return one->kind == SCREE_SIDE_BLOCK && other->kind == SCREE_SIDE_BLOCK &&
           (holds_corner(one, other) || holds_corner(other, one));
}

static bool surfaces_are_far(const scree_shape_job *job, double reach, uint32_t a, uint32_t b)
{
    const scree_body_arrays *bodies = job->bodies;
    scree_shape_side one, other;
    double way = SCREE_LOCAL_SHARE * (bodies->position[a][3] + bodies->position[b][3]) + reach;

    if (!scree_is_of_triangles(bodies, a) || !scree_is_of_triangles(bodies, b))
        return false;
    scree_shape_place(job, a, NULL, &one);
    scree_shape_place(job, b, one.centre, &other);
    return one.mesh.tree && other.mesh.tree &&
           scree_surrogates_are_apart(&one.mesh, &other.mesh, way) &&
           !blocks_are_nested(&one, &other);
}

static uint32_t find_root(uint32_t *root, uint32_t slot)
{
    while (root[slot] != slot) {
        root[slot] = root[root[slot]];
        slot = root[slot];
    }
    return slot;
}

static void join_roots(uint32_t *root, uint32_t a, uint32_t b)
{
    uint32_t one = find_root(root, a), other = find_root(root, b);

    if (one < other)
        root[other] = one;
    else
        root[one] = other;
}

static void link_shapes(const scree_shape_job *job, double reach, uint32_t *root,
                        const double period[3])
{
    const scree_shape_contacts *shapes = job->contacts;

    for (size_t k = 0; k < shapes->candidate_count; k++) {
        uint32_t a = shapes->candidates[k].slot[0], b = shapes->candidates[k].slot[1];
        /* two bodies in the same island need no test */
        if (find_root(root, a) != find_root(root, b) &&
            balls_are_near(job->bodies, reach, a, b, period) && !surfaces_are_far(job, reach, a, b))
            join_roots(root, a, b);
    }
}

/*  All pairs at this distance are in the neighbour list (neighbours.c). */
scree_status scree_local_find_islands(scree_world *world, uint32_t *root)
{
    const scree_contact_list *list = &world->pairs;
    double period[3];
    scree_status status =
        world->bodies.nonspheres
            ? scree_shape_table_grow_trees(&world->shape_finder.meshes, &world->error)
            : SCREE_OK;

    if (status)
        return status;
    scree_local_periods(&world->def, &world->cell.now, period);
    for (uint32_t slot = 0; slot < world->bodies.count; slot++)
        root[slot] = slot;
    for (size_t c = 0; c < list->count; c++)
        if (balls_are_near(&world->bodies, world->reach, list->first[c][0], list->second[c][0],
                           period))
            join_roots(root, list->first[c][0], list->second[c][0]);
    if (world->bodies.nonspheres) {
        const scree_step step = scree_world_this_step(world, 0);
        const scree_shape_job job = scree_world_shape_job(world, &step);
        link_shapes(&job, world->reach, root, period);
    }
    for (uint32_t slot = 0; slot < world->bodies.count; slot++)
        root[slot] = find_root(root, slot);
    return SCREE_OK;
}
