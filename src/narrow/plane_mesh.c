/*  A box of the tree is skipped if even its corner that is lowest along the normal is above the interaction range.
    Boxes are floats in units of the mesh's extent, each off by at most 2^-24, and the plane is brought into their frame
    by sums of a few rounded products. `slack` is many times the sum of these errors. The decision is made for the
    vertex in the world, by scree_mesh_place. */
#include "narrow/plane_mesh.h"

#include <math.h>
#include <stdlib.h>

/*  The plane in the tree's units: the height of u above it is base + normal . u. */
typedef struct tree_plane
{
    double base, normal[3], most;
} tree_plane;

static tree_plane bring_plane(const scree_mesh_body *body, const double point[3],
                              const double normal[3], double reach)
{
    const scree_mesh_tree *tree = &body->mesh->tree;
    const scree_mesh_pose *pose = &body->pose;
    double origin[3], size = fabs(reach) + 1 / tree->scale;
    tree_plane plane = {.base = 0};

    scree_mesh_place(pose, tree->origin, origin);
    for (int k = 0; k < 3; k++) {
        plane.base += normal[k] * (origin[k] - point[k]);
        size += fabs(origin[k]) + fabs(point[k]) + fabs(tree->origin[k]);
        for (int j = 0; j < 3; j++)
            plane.normal[k] += pose->turn[j][k] * normal[j] / tree->scale;
    }
    /* covers rounding of boxes, and of sums of numbers no larger than `size` */
    plane.most = reach + 0x1p-20 / tree->scale + 0x1p-46 * size;
    return plane;
}

static bool box_is_near(const tree_plane *plane, const scree_mesh_group *group, size_t box)
{
    double lowest = plane->base;

    for (int k = 0; k < 3; k++)
        lowest +=
            plane->normal[k] * (plane->normal[k] > 0 ? group->lower[k][box] : group->upper[k][box]);
    return lowest <= plane->most;
}

/*  A vertex is tested with the first of its facets. */
static scree_status test_facet(scree_plane_mesh *work, scree_memory *memory,
                               const scree_mesh_body *body, uint32_t facet, const double point[3],
                               const double normal[3], double reach)
{
    const scree_mesh *mesh = body->mesh;

    for (size_t c = 0; c < 3; c++) {
        uint32_t vertex = mesh->facets[3 * (size_t)facet + c];
        scree_mesh_touch touch = {.facet = {vertex, 0}};
        if (mesh->vertex_facet[mesh->vertex_start[vertex]] != facet)
            continue;
        scree_mesh_place(&body->pose, mesh->vertices + 3 * (size_t)vertex, touch.point[0]);
        for (int k = 0; k < 3; k++)
            touch.distance += normal[k] * (touch.point[0][k] - point[k]);
        if (!(touch.distance < reach))
            continue;
        for (int k = 0; k < 3; k++)
            touch.point[1][k] = touch.point[0][k] - touch.distance * normal[k];
        if (scree_memory_reserve(memory, &work->contacts, &work->capacity, work->count + 1,
                                 sizeof *work->contacts))
            return SCREE_OUT_OF_MEMORY;
        work->contacts[work->count++] = touch;
    }
    return SCREE_OK;
}

static int compare_vertices(const void *a, const void *b)
{
    uint32_t first = ((const scree_mesh_touch *)a)->facet[0];
    uint32_t second = ((const scree_mesh_touch *)b)->facet[0];

    return (first > second) - (first < second);
}

scree_status scree_mesh_find_plane(scree_plane_mesh *work, scree_memory *memory,
                                   const scree_mesh_body *body, const double point[3],
                                   const double normal[3], double reach)
{
    const scree_mesh_tree *tree = &body->mesh->tree;
    tree_plane plane = bring_plane(body, point, normal, reach);
    /* groups still to be tested: index within the level, and level */
    size_t stack[SCREE_MESH_WIDTH * SCREE_MESH_LEVELS], height = 0;
    int level_of[SCREE_MESH_WIDTH * SCREE_MESH_LEVELS];
    scree_status status = SCREE_OK;

    work->count = 0;
    stack[height] = 0;
    level_of[height++] = tree->levels - 1;
    while (height > 0) {
        size_t number = stack[--height], first = number * SCREE_MESH_WIDTH;
        int level = level_of[height];
        const scree_mesh_group *group = tree->groups + tree->level_start[level] + number;
        size_t below = level ? tree->level_start[level] - tree->level_start[level - 1]
                             : body->mesh->facet_count;
        for (size_t i = first; i < first + SCREE_MESH_WIDTH && i < below && !status; i++) {
            if (!box_is_near(&plane, group, i - first))
                continue;
            if (level == 0) {
                status = test_facet(work, memory, body, tree->facet[i], point, normal, reach);
            } else {
                stack[height] = i;
                level_of[height++] = level - 1;
            }
        }
    }
    if (status)
        work->count = 0;
    if (work->count > 1)
        qsort(work->contacts, work->count, sizeof *work->contacts, compare_vertices);
    return status;
}

void scree_plane_mesh_free(scree_plane_mesh *work, scree_memory *memory)
{
    scree_memory_give(memory, &work->contacts, work->capacity, sizeof *work->contacts);
    work->count = work->capacity = 0;
}
