/*  An eight-wide tree of boxes without pointers. Facets are in an order (mesh_order.c) in which eight neighbours make a
    group, eight groups a group of the next level, up to one. Boxes are floats in units of the mesh's extent. */
#include "shape/mesh.h"

#include "base/tasks.h"

#include <math.h>

#define WIDTH SCREE_MESH_WIDTH

/* ---- building ---- */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void set_frame(scree_mesh *mesh)
{
    double extent = 0;
    for (int k = 0; k < 3; k++) {
        mesh->tree.origin[k] = mesh->lower[k];
        extent = larger(extent, mesh->upper[k] - mesh->lower[k]);
    }
    mesh->tree.scale = 1 / extent; /* some facet is not flat, so this is above 0 */
}

static void empty_place(scree_mesh_group *group, int place)
{
    for (int k = 0; k < 3; k++) {
        group->lower[k][place] = INFINITY;
        group->upper[k][place] = -INFINITY;
    }
}

static void widen_to_point(scree_mesh_group *group, int place, int k, float x)
{
    group->lower[k][place] = x < group->lower[k][place] ? x : group->lower[k][place];
    group->upper[k][place] = x > group->upper[k][place] ? x : group->upper[k][place];
}

static void set_facet_box(const scree_mesh *mesh, uint32_t facet, scree_mesh_group *group,
                          int place)
{
    const uint32_t *vertex = mesh->facets + (size_t)facet * (size_t)mesh->corners;
    for (int i = 0; i < mesh->corners; i++)
        for (int k = 0; k < 3; k++) {
            double x = mesh->vertices[3 * (size_t)vertex[i] + (size_t)k];
            widen_to_point(group, place, k, (float)((x - mesh->tree.origin[k]) * mesh->tree.scale));
        }
}

static void set_group_box(const scree_mesh_group *child, scree_mesh_group *group, int place)
{
    for (int i = 0; i < (int)WIDTH; i++)
        for (int k = 0; k < 3; k++) {
            /* unused places are at the end, and at least one is used */
            if (child->lower[k][i] > child->upper[k][i])
                return;
            widen_to_point(group, place, k, child->lower[k][i]);
            widen_to_point(group, place, k, child->upper[k][i]);
        }
}

static void fill_level(scree_mesh *mesh, int level, size_t item_count)
{
    scree_mesh_group *groups = mesh->tree.groups + mesh->tree.level_start[level];
    size_t places = scree_block_count(item_count, WIDTH) * WIDTH;
    for (size_t i = 0; i < places; i++) {
        empty_place(&groups[i / WIDTH], (int)(i % WIDTH));
        if (i < item_count && level == 0)
            set_facet_box(mesh, mesh->tree.facet[i], &groups[i / WIDTH], (int)(i % WIDTH));
        else if (i < item_count)
            set_group_box(mesh->tree.groups + mesh->tree.level_start[level - 1] + i,
                          &groups[i / WIDTH], (int)(i % WIDTH));
    }
}

scree_status scree_mesh_grow_tree(scree_mesh *mesh)
{
    scree_mesh_tree *tree = &mesh->tree;
    size_t items = mesh->facet_count, groups = 0;
    scree_status status;
    do {
        tree->level_start[tree->levels++] = groups;
        items = scree_block_count(items, WIDTH);
        groups += items;
    } while (items > 1);
    set_frame(mesh);
    if ((status = scree_memory_take(&mesh->memory, groups, sizeof *tree->groups, &tree->groups)))
        return status;
    tree->group_count = groups;
    if ((status = scree_memory_take(&mesh->memory, mesh->facet_count, sizeof *tree->facet,
                                    &tree->facet)) ||
        (status = scree_mesh_order_facets(mesh)))
        return status;
    items = mesh->facet_count;
    for (int level = 0; level < tree->levels; level++) {
        fill_level(mesh, level, items);
        items = scree_block_count(items, WIDTH);
    }
    return SCREE_OK;
}
