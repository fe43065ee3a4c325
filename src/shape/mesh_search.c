/*  Searches go down the tree with a stack. Boxes are floats in the tree's units, where the mesh is in [0, 1]; what they
    are compared with is enlarged by more than the rounding, so no facet is missed. */
#include "shape/mesh_search.h"

#include "shape/facet_point.h"

#include <math.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define WIDTH SCREE_MESH_WIDTH
#define STACK (SCREE_MESH_WIDTH * SCREE_MESH_LEVELS)

/* ---- a ball ---- */

/* the boxes are below */
#define MESH_WALK_HAS_BOXES
#include "shape/mesh_walk.inc.h"

/*  Bit i: box i of the group is within reach. Unused places are infinitely far, so only a reach that is not finite
    selects them; the caller checks this. */
#if defined(__SSE2__)
static __m128 four_outside_sq(const scree_mesh_group *group, int first, int k, const probe *p)
{
    __m128 x = _mm_set1_ps(p->centre[k]);
    __m128 below = _mm_sub_ps(_mm_loadu_ps(group->lower[k] + first), x);
    __m128 above = _mm_sub_ps(x, _mm_loadu_ps(group->upper[k] + first));
    __m128 outside = _mm_max_ps(_mm_max_ps(below, above), _mm_setzero_ps());
    return _mm_mul_ps(outside, outside);
}

static __m128 four_away_sq(const scree_mesh_group *group, int first, const probe *p)
{
    __m128 sum =
        _mm_add_ps(four_outside_sq(group, first, 0, p), four_outside_sq(group, first, 1, p));

    return _mm_add_ps(sum, four_outside_sq(group, first, 2, p));
}

static uint32_t four_in_reach(__m128 away_sq, const probe *p)
{
    return (uint32_t)_mm_movemask_ps(_mm_cmple_ps(away_sq, _mm_set1_ps(p->reach_sq)));
}

static uint32_t boxes_in_reach(const scree_mesh_group *group, const probe *p)
{
    return four_in_reach(four_away_sq(group, 0, p), p) | four_in_reach(four_away_sq(group, 4, p), p)
                                                             << 4;
}

/*  The same, and the squared distances of all. */
static uint32_t boxes_away(const scree_mesh_group *group, const probe *p, float away_sq[WIDTH])
{
    const __m128 low = four_away_sq(group, 0, p), high = four_away_sq(group, 4, p);

    _mm_storeu_ps(away_sq, low);
    _mm_storeu_ps(away_sq + 4, high);
    return four_in_reach(low, p) | four_in_reach(high, p) << 4;
}
#else
/*  The same, and the squared distances of all. */
static uint32_t boxes_away(const scree_mesh_group *group, const probe *p, float away_sq[WIDTH])
{
    uint32_t hits = 0;
    for (int i = 0; i < (int)WIDTH; i++) {
        away_sq[i] = 0;
        for (int k = 0; k < 3; k++) {
            float below = group->lower[k][i] - p->centre[k];
            float above = p->centre[k] - group->upper[k][i];
            float outside = below > above ? below : above;
            away_sq[i] += outside > 0 ? outside * outside : 0;
        }
        hits |= (uint32_t)(away_sq[i] <= p->reach_sq) << i;
    }
    return hits;
}

static uint32_t boxes_in_reach(const scree_mesh_group *group, const probe *p)
{
    float away_sq[WIDTH];

    return boxes_away(group, p, away_sq);
}
#endif

/* ---- facets within reach, by groups ---- */

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

/* ---- half-spaces ---- */

/*  In the tree's units. */
typedef struct tree_space
{
    float normal[3], limit;
} tree_space;

static tree_space space_in_tree(const scree_mesh *mesh, const scree_half_space *space)
{
    const scree_mesh_tree *tree = &mesh->tree;
    double limit = space->limit;
    tree_space to;

    for (int k = 0; k < 3; k++) {
        limit -= space->normal[k] * tree->origin[k];
        to.normal[k] = (float)space->normal[k];
    }
    limit *= tree->scale;
    limit += 0x1p-20 * (4 + fabs(limit));
    to.limit = limit > FAR_AWAY ? INFINITY : limit < -FAR_AWAY ? -INFINITY : (float)limit;
    return to;
}

/*  Bit i: box i of the group is outside of the half-space. Undefined for unused places. */
#if defined(__SSE2__)
static uint32_t four_outside(const float *const end[3], int first, const tree_space *space)
{
    __m128 along = _mm_mul_ps(_mm_set1_ps(space->normal[0]), _mm_loadu_ps(end[0] + first));

    for (int k = 1; k < 3; k++)
        along = _mm_add_ps(along,
                           _mm_mul_ps(_mm_set1_ps(space->normal[k]), _mm_loadu_ps(end[k] + first)));
    return (uint32_t)_mm_movemask_ps(_mm_cmpgt_ps(along, _mm_set1_ps(space->limit)));
}

static uint32_t boxes_outside(const float *const end[3], const tree_space *space)
{
    return four_outside(end, 0, space) | four_outside(end, 4, space) << 4;
}
#else
static uint32_t boxes_outside(const float *const end[3], const tree_space *space)
{
    uint32_t outside = 0;

    for (int i = 0; i < (int)WIDTH; i++) {
        float along = space->normal[0] * end[0][i] + space->normal[1] * end[1][i] +
                      space->normal[2] * end[2][i];
        outside |= (uint32_t)(along > space->limit) << i;
    }
    return outside;
}
#endif

/*  Bit i: box i reaches into each of the half-spaces. */
static uint32_t boxes_within(const scree_mesh_group *group, const tree_space *spaces, int count)
{
    uint32_t within = (1u << WIDTH) - 1;

    for (int s = 0; s < count && within != 0; s++) {
        const float *end[3];
        /* the corner that is deepest in the half-space */
        for (int k = 0; k < 3; k++)
            end[k] = spaces[s].normal[k] > 0 ? group->lower[k] : group->upper[k];
        within &= ~boxes_outside(end, &spaces[s]);
    }
    return within;
}

/* ---- from near to far ---- */

/*  A group that is still to be compared. */
typedef struct tree_place
{
    size_t index;
    int level;
    float away_sq; /* of its box */
} tree_place;

static size_t items_below(const scree_mesh *mesh, int level)
{
    const size_t *start = mesh->tree.level_start + level;

    return level > 0 ? start[0] - start[-1] : mesh->facet_count;
}

/*  Puts the boxes of a group that are within reach onto the stack, the nearest last. */
static size_t push_near_boxes(const probe *p, const tree_space *space, const tree_place *place,
                              tree_place *stack, size_t height)
{
    const scree_mesh_tree *tree = &p->mesh->tree;
    const size_t bottom = height, items = items_below(p->mesh, place->level);
    float away_sq[WIDTH];
    const scree_mesh_group *group = tree->groups + tree->level_start[place->level] + place->index;
    uint32_t hits = boxes_away(group, p, away_sq) & boxes_within(group, space, space != NULL);

    for (size_t i = 0; hits != 0 && place->index * WIDTH + i < items; i++, hits >>= 1) {
        size_t at = height;
        if (!(hits & 1))
            continue;
        for (; at > bottom && stack[at - 1].away_sq < away_sq[i]; at--)
            stack[at] = stack[at - 1];
        stack[at] = (tree_place){place->index * WIDTH + i, place->level - 1, away_sq[i]};
        height++;
    }
    return height;
}

/*  The plane of a facet is farther away than the reach, by more than rounding errors. */
static bool is_plane_beyond(const scree_mesh *mesh, uint32_t facet, const double point[3],
                            double reach)
{
    const double *normal = mesh->normals + 3 * (size_t)facet;
    const double *corner =
        mesh->vertices + 3 * (size_t)mesh->facets[(size_t)facet * (size_t)mesh->corners];
    double height = 0, size = 0;

    for (int k = 0; k < 3; k++) {
        height += normal[k] * (point[k] - corner[k]);
        size += fabs(point[k]) + fabs(corner[k]);
    }
    return fabs(height) > reach * (1 + 0x1p-30) + 0x1p-40 * size;
}

/*  Visits the facets of a group of level 0. Returns the reach from then on. */
static double visit_facets(probe *p, const tree_space *space, size_t group, const double point[3],
                           double reach, scree_facet_visit *visit, void *user)
{
    const scree_mesh *mesh = p->mesh;
    float away_sq[WIDTH];
    uint32_t hits = boxes_away(mesh->tree.groups + group, p, away_sq) &
                    boxes_within(mesh->tree.groups + group, space, space != NULL);

    for (size_t i = 0; hits != 0 && group * WIDTH + i < mesh->facet_count; i++, hits >>= 1) {
        const uint32_t facet = mesh->tree.facet[group * WIDTH + i];
        if (!(hits & 1) || !(away_sq[i] <= p->reach_sq) ||
            is_plane_beyond(mesh, facet, point, reach))
            continue;
        reach = visit(user, facet);
        set_reach(p, reach);
    }
    return reach;
}

void scree_mesh_search(const scree_mesh *mesh, const double point[3], double reach,
                       const scree_half_space *within, scree_facet_visit *visit, void *user)
{
    const tree_space in_tree = within ? space_in_tree(mesh, within) : (tree_space){.limit = 0};
    const tree_space *space = within ? &in_tree : NULL;
    probe p = make_probe(mesh, point, reach);
    tree_place stack[STACK];
    size_t height = 0;

    stack[height++] = (tree_place){0, mesh->tree.levels - 1, 0};
    while (height > 0) {
        const tree_place place = stack[--height];
        if (!(place.away_sq <= p.reach_sq))
            continue;
        if (place.level > 0)
            height = push_near_boxes(&p, space, &place, stack, height);
        else
            reach = visit_facets(&p, space, place.index, point, reach, visit, user);
    }
}

/* ---- within half-spaces ---- */

static scree_status take_facet(const scree_mesh *mesh, size_t place, scree_memory *memory,
                               scree_facet_list *list)
{
    scree_status status = scree_memory_reserve(memory, &list->facet, &list->capacity,
                                               list->count + 1, sizeof *list->facet);

    if (!status)
        list->facet[list->count++] = mesh->tree.facet[place];
    return status;
}

scree_status scree_mesh_within(const scree_mesh *mesh, const scree_half_space *spaces, int count,
                               scree_memory *memory, scree_facet_list *list)
{
    const scree_mesh_tree *tree = &mesh->tree;
    tree_space inside[SCREE_MAX_HALF_SPACES];
    tree_place stack[STACK];
    size_t height = 0;
    scree_status status = SCREE_OK;

    for (int s = 0; s < count; s++)
        inside[s] = space_in_tree(mesh, &spaces[s]);
    list->count = 0;
    stack[height++] = (tree_place){0, tree->levels - 1, 0};
    while (height > 0 && !status) {
        const tree_place place = stack[--height];
        const size_t items = items_below(mesh, place.level), first = place.index * WIDTH;
        uint32_t hits = boxes_within(tree->groups + tree->level_start[place.level] + place.index,
                                     inside, count);
        for (size_t i = first; hits != 0 && i < items && !status; i++, hits >>= 1) {
            if (!(hits & 1))
                continue;
            if (place.level == 0)
                status = take_facet(mesh, i, memory, list);
            else
                stack[height++] = (tree_place){i, place.level - 1, 0};
        }
    }
    return status;
}
