/*  The order of facets in a mesh's tree: recursively bisected along the widest axis of their middles, at positions that
    leave full groups of eight on the left at every level. So each group is as small a part of the surface as three cuts
    can make it. Along a space-filling curve eight neighbours may be on both sides of one of its jumps. */
#include "base/tasks.h"
#include "shape/mesh.h"

#include <math.h>

typedef struct facet_middle
{
    float at[3]; /* in the tree's units */
    uint32_t facet;
} facet_middle;

static facet_middle middle_of(const scree_mesh *mesh, uint32_t facet)
{
    const uint32_t *vertex = mesh->facets + (size_t)facet * (size_t)mesh->corners;
    facet_middle middle = {.facet = facet};
    for (size_t k = 0; k < 3; k++) {
        double sum = 0;
        for (int i = 0; i < mesh->corners; i++)
            sum += (mesh->vertices[3 * (size_t)vertex[i] + k] - mesh->tree.origin[k]) *
                   mesh->tree.scale;
        middle.at[k] = (float)sum;
    }
    return middle;
}

static int widest_axis(const facet_middle *list, size_t count)
{
    float widest = -1;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        float least = list[0].at[k], most = list[0].at[k];
        for (size_t i = 1; i < count; i++) {
            least = list[i].at[k] < least ? list[i].at[k] : least;
            most = list[i].at[k] > most ? list[i].at[k] : most;
        }
        if (most - least > widest) {
            widest = most - least;
            axis = k;
        }
    }
    return axis;
}

static void swap_middles(facet_middle *a, facet_middle *b)
{
    facet_middle keep = *a;
    *a = *b;
    *b = keep;
}

/*  Partitions along an axis: no element before `nth` is larger than any from there on (Hoare's selection, with equal
    elements separate, so that many of them cost nothing). Pivots are pseudo-random and always the same. */
static void select_nth(facet_middle *list, size_t count, size_t nth, int axis)
{
    size_t begin = 0, end = count;
    uint32_t chance = 1;
    while (end - begin > 1) {
        chance = chance * 1664525u + 1013904223u;
        float pivot = list[begin + (size_t)(((uint64_t)chance * (end - begin)) >> 32)].at[axis];
        size_t less = begin, next = begin, more = end;
        while (next < more)
            if (list[next].at[axis] < pivot)
                swap_middles(&list[less++], &list[next++]);
            else if (list[next].at[axis] > pivot)
                swap_middles(&list[next], &list[--more]);
            else
                next++;
        if (nth < less)
            end = less;
        else if (nth >= more)
            begin = more;
        else
            return;
    }
}

static void cut_in_two(facet_middle *list, size_t count)
{
    size_t block = SCREE_MESH_WIDTH, left;
    if (count <= block)
        return;
    while (block * SCREE_MESH_WIDTH < count)
        block *= SCREE_MESH_WIDTH;
    left = scree_block_count(count, block) / 2 * block;
    select_nth(list, count, left, widest_axis(list, count));
    cut_in_two(list, left);
    cut_in_two(list + left, count - left);
}

scree_status scree_mesh_order_facets(scree_mesh *mesh)
{
    facet_middle *list = NULL;
    scree_status status = scree_memory_take(&mesh->memory, mesh->facet_count, sizeof *list, &list);
    if (status)
        return status;
    for (uint32_t f = 0; f < mesh->facet_count; f++)
        list[f] = middle_of(mesh, f);
    cut_in_two(list, mesh->facet_count);
    for (uint32_t f = 0; f < mesh->facet_count; f++)
        mesh->tree.facet[f] = list[f].facet;
    scree_memory_give(&mesh->memory, &list, mesh->facet_count, sizeof *list);
    return SCREE_OK;
}
