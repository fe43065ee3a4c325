/*  Statistics of a surrogate tree, level by level. */
#include "shape/surrogate.h"
#include "shape/surrogate_fit.h"

#include <math.h>
#include <string.h>

static double way_between(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

/*  About the middle of the bounding box of all corners. */
static double sphere_radius(const scree_facet_set *set)
{
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    double middle[3], radius = 0;
    for (uint32_t i = 0; i < 3 * set->count; i++)
        for (int k = 0; k < 3; k++) {
            lower[k] = scree_smaller_of(lower[k], scree_facet_corner(set, i / 3, i % 3)[k]);
            upper[k] = scree_larger_of(upper[k], scree_facet_corner(set, i / 3, i % 3)[k]);
        }
    for (int k = 0; k < 3; k++)
        middle[k] = lower[k] + 0.5 * (upper[k] - lower[k]);
    for (uint32_t i = 0; i < 3 * set->count; i++)
        radius =
            scree_larger_of(radius, way_between(scree_facet_corner(set, i / 3, i % 3), middle));
    return radius;
}

static void add_node_to_level(const scree_surrogate *tree, const scree_surrogate_node *node,
                              const scree_surface *surface, double eps,
                              scree_surrogate_level *level)
{
    const double pi = 3.14159265358979323846;
    const scree_facet_set set = {surface, tree->facet + node->begin, node->end - node->begin};
    const double(*corner)[3] = (const double(*)[3])node->corner;
    double radius = sphere_radius(&set) + eps;
    if (level->nodes++ == 0 || set.count < level->min_facets)
        level->min_facets = set.count;
    if (set.count > level->max_facets)
        level->max_facets = set.count;
    level->leaves += node->children == 0;
    for (int c = 0; c < 3; c++)
        level->longest_edge =
            scree_larger_of(level->longest_edge, way_between(corner[c], corner[(c + 1) % 3]));
    level->largest_radius = scree_larger_of(level->largest_radius, node->radius);
    level->halo_volume += scree_halo_volume(corner, node->radius + eps);
    level->sphere_volume += 4 * pi / 3 * radius * radius * radius;
}

void scree_surrogate_describe(const scree_surrogate *tree, const scree_surface *surface, double eps,
                              scree_surrogate_level level[SCREE_SURROGATE_LEVELS])
{
    memset(level, 0, SCREE_SURROGATE_LEVELS * sizeof *level);
    for (uint32_t k = 0; k < tree->level_count; k++)
        for (uint32_t n = tree->level_start[k]; n < tree->level_start[k + 1]; n++)
            add_node_to_level(tree, &tree->nodes[n], surface, eps, &level[k]);
}

/* ---- validity ---- */

/*  Children follow those of earlier nodes, divide their parent's facets in order, and sizes differ by one at most; a
    leaf has few. */
static bool node_is_sound(const scree_surrogate *tree, const scree_surrogate_node *node,
                          uint32_t next)
{
    uint32_t at = node->begin, least = UINT32_MAX, most = 0;
    if (node->children == 0)
        return node->child == 0 && node->end - node->begin <= SCREE_SURROGATE_WIDTH;
    if (node->children > SCREE_SURROGATE_WIDTH || node->child != next ||
        node->children > tree->node_count - next)
        return false;
    for (uint32_t c = 0; c < node->children; c++) {
        const scree_surrogate_node *child = &tree->nodes[next + c];
        uint32_t size = child->end - child->begin;
        if (child->begin != at || child->end <= at || child->end > node->end)
            return false;
        at = child->end;
        least = size < least ? size : least;
        most = size > most ? size : most;
    }
    return at == node->end && most - least <= 1;
}

static bool nodes_are_sound(const scree_surrogate *tree)
{
    uint32_t next = 1, level_end = 1, level = 0;
    if (tree->nodes[0].begin != 0 || tree->nodes[0].end != tree->facet_count ||
        tree->level_start[0] != 0)
        return false;
    for (uint32_t n = 0; n < tree->node_count; n++) {
        if (n == level_end) {
            if (++level == SCREE_SURROGATE_LEVELS || tree->level_start[level] != n || next == n)
                return false;
            level_end = next;
        }
        if (!node_is_sound(tree, &tree->nodes[n], next))
            return false;
        next += tree->nodes[n].children;
    }
    for (uint32_t k = level + 1; k <= SCREE_SURROGATE_LEVELS; k++)
        if (tree->level_start[k] != tree->node_count)
            return false;
    return SCREE_ALWAYS(next == tree->node_count) && tree->level_count == level + 1;
}

static bool halos_are_sound(const scree_surrogate *tree, const scree_surface *surface)
{
    for (uint32_t n = 0; n < tree->node_count; n++) {
        const scree_surrogate_node *node = &tree->nodes[n];
        const scree_facet_set set = {surface, tree->facet + node->begin, node->end - node->begin};
        const double(*corner)[3] = (const double(*)[3])node->corner;
        for (int k = 0; k < 9; k++)
            if (!(fabs(corner[k / 3][k % 3]) <= 4 * SCREE_MESH_LARGEST))
                return false;
        if (!(node->radius >= scree_surrogate_radius(&set, corner)))
            return false;
    }
    return true;
}

bool scree_surrogate_is_valid(const scree_surrogate *tree, const scree_surface *surface,
                              uint8_t *seen)
{
    if (tree->facet_count != surface->facet_count || !nodes_are_sound(tree))
        return false;
    memset(seen, 0, tree->facet_count);
    for (uint32_t f = 0; f < tree->facet_count; f++) {
        if (tree->facet[f] >= tree->facet_count || seen[tree->facet[f]])
            return false;
        seen[tree->facet[f]] = 1;
    }
    return halos_are_sound(tree, surface);
}
