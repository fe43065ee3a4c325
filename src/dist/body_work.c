/*  Constants were measured with one thread (docs/results/engines.md, worlds.md, meshes.md): of a bed of spheres that touch
    six others, 40 % of a step is for bodies and the rest for contacts; blocks and meshes fall, and rest on each other. */
#include "dist/body_work.h"

/*  In units of ten nanoseconds: a body by itself, */
#define SPHERE 12u
#define PEBBLE 8u
#define SOLID 33u
/*  and each of its contacts, of which another body has as much; of solids a contact is one of several points. */
#define PAIR 3u
#define BLOCK_POINT 6u
#define MESH_POINT 25u
#define QUADRIC_POINT 50u

static uint32_t work_alone(const scree_body_arrays *bodies, uint32_t slot)
{
    if (!scree_is_not_sphere(bodies, slot))
        return SPHERE;
    const scree_shape *shape = &bodies->shape[slot][0];
    return shape->kind == SCREE_SHAPE_CLUMP
               ? SPHERE + PEBBLE * scree_clump_describe(shape->clump).pebble_count
               : SOLID;
}

static uint32_t work_of_point(const scree_body_arrays *bodies, uint32_t slot)
{
    if (!scree_is_not_sphere(bodies, slot))
        return PAIR;
    switch (bodies->shape[slot][0].kind) {
    case SCREE_SHAPE_MESH:
        return MESH_POINT;
    case SCREE_SHAPE_BLOCK:
        return BLOCK_POINT;
    case SCREE_SHAPE_SUPERQUADRIC:
        return QUADRIC_POINT;
    default:
        return PAIR;
    }
}

static void add_pairs(const scree_contact_list *list, uint32_t count, uint32_t *work)
{
    for (size_t c = 0; c < list->count; c++) {
        const uint32_t first = list->first[c][0], second = list->second[c][0];
        if (!list->touches[c][0])
            continue;
        if (first < count)
            work[first] += PAIR;
        if (second < count)
            work[second] += PAIR;
    }
}

static void add_points(const scree_world *world, uint32_t count, uint32_t *work)
{
    const scree_shape_contact_list *list = &world->shape_contacts.now;
    uint32_t slot[2], wall;

    for (size_t c = 0; c < list->count; c++) {
        if (!scree_shape_contacts_resolve(&world->bodies, &world->walls, list->pair[c], &slot[0],
                                          &slot[1], &wall))
            continue;
        for (int k = 0; k < 2; k++)
            if (slot[k] < count)
                work[slot[k]] += work_of_point(&world->bodies, slot[k]);
    }
}

void scree_find_body_work(const scree_world *world, uint32_t count, uint32_t *work)
{
    for (uint32_t slot = 0; slot < count; slot++)
        work[slot] = work_alone(&world->bodies, slot);
    add_pairs(&world->pairs, count, work);
    add_points(world, count, work);
}
