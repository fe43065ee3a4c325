/*  Finds facets near a point: an eight-wide tree of boxes without pointers. Facets are in an order (mesh_order.c) in
    which eight neighbours make a group, eight groups a group of the next level, up to one. Boxes are floats in units of
    the mesh's extent. The search allows for their rounding, and checks results with the exact distance. */
#include "shape/facet_point.h"

#include "base/tasks.h"

#include <math.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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

/* ---- searching ---- */

#if defined(__SSE2__)
#define MESH_WALK_HAS_BOXES
#endif
#include "shape/mesh_walk.inc.h"

#if defined(__SSE2__)
static __m128 four_outside_sq(const scree_mesh_group *group, int first, int k, const probe *p)
{
    __m128 x = _mm_set1_ps(p->centre[k]);
    __m128 below = _mm_sub_ps(_mm_loadu_ps(group->lower[k] + first), x);
    __m128 above = _mm_sub_ps(x, _mm_loadu_ps(group->upper[k] + first));
    __m128 outside = _mm_max_ps(_mm_max_ps(below, above), _mm_setzero_ps());
    return _mm_mul_ps(outside, outside);
}

static uint32_t four_in_reach(const scree_mesh_group *group, int first, const probe *p)
{
    __m128 sum =
        _mm_add_ps(four_outside_sq(group, first, 0, p), four_outside_sq(group, first, 1, p));
    sum = _mm_add_ps(sum, four_outside_sq(group, first, 2, p));
    return (uint32_t)_mm_movemask_ps(_mm_cmple_ps(sum, _mm_set1_ps(p->reach_sq)));
}

static uint32_t boxes_in_reach(const scree_mesh_group *group, const probe *p)
{
    return four_in_reach(group, 0, p) | four_in_reach(group, 4, p) << 4;
}
#endif

/*  Lists are short and nearly in order. */
#define SORT_NAME sort_facet_list
#define SORT_ROW uint32_t
#define SORT_BEFORE(a, b) (*(a) < *(b))
#include "base/shell_sort.inc.h"

/*  Tests those facets of a group whose boxes are within reach. */
static scree_status take_facets(const scree_mesh *mesh, size_t first, uint32_t hits,
                                const double centre[3], double reach, scree_memory *memory,
                                scree_facet_list *list)
{
    for (size_t i = first; hits != 0 && i < mesh->facet_count; i++, hits >>= 1) {
        uint32_t facet = mesh->tree.facet[i];
        if (!(hits & 1))
            continue;
        scree_facet_point point = scree_facet_nearest(
            mesh, mesh->vertices, mesh->normals + 3 * (size_t)facet, facet, centre);
        if (!(point.away_sq <= reach * reach))
            continue;
        scree_status status = scree_memory_reserve(memory, &list->facet, &list->capacity,
                                                   list->count + 1, sizeof *list->facet);
        if (status)
            return status;
        list->facet[list->count++] = facet;
    }
    return SCREE_OK;
}

scree_status scree_mesh_near(const scree_mesh *mesh, const double centre[3], double reach,
                             scree_memory *memory, scree_facet_list *list)
{
    const probe p = make_probe(mesh, centre, reach);
    scree_status status = SCREE_OK;
    uint32_t hits;
    size_t first;
    mesh_walk walk;

    list->count = 0;
    begin_walk(mesh, &walk);
    while (!status && walk_on(mesh, &walk, &p, &first, &hits))
        status = take_facets(mesh, first, hits, centre, reach, memory, list);
    if (!status)
        sort_facet_list(list->facet, list->count);
    return status;
}

void scree_facet_list_free(scree_facet_list *list, scree_memory *memory)
{
    scree_memory_give(memory, &list->facet, list->capacity, sizeof *list->facet);
    list->count = list->capacity = 0;
}
