/*  Whether two surfaces are far apart, for callers that plan and do not need contacts: by surrogates, and by facets if
    these are near. Processes one pair at a time in double, so that the answer is the same on all machines. */
#include "narrow/mesh_surrogate_parts.h"

#include "narrow/triangle_distance.h"

/*  Number of comparisons after which two surfaces count as near. */
#define MAX_LOOKS 400
/*  Size of the stack: opening a pair adds at most 7 more. */
#define MAX_WAITING (1 + MAX_LOOKS * (SCREE_SURROGATE_WIDTH - 1))

/*  A surrogate, or a facet, which has no halo of its own. As in searches, facets are numbered after the last node. */
typedef struct thing
{
    double corner[3][3], radius;
    uint32_t first, count; /* its children; count 0: it is a facet */
} thing;

static thing find_thing(const scree_mesh_body *body, uint32_t number)
{
    const scree_surrogate *tree = body->tree;
    const scree_mesh *mesh = body->mesh;
    thing found = {.radius = 0, .count = 0};

    if (number >= tree->node_count) {
        const uint32_t *corners = mesh->facets + 3 * (size_t)tree->facet[number - tree->node_count];
        for (int k = 0; k < 3; k++)
            scree_mesh_place(&body->pose, mesh->vertices + 3 * (size_t)corners[k], found.corner[k]);
        return found;
    }
    const scree_surrogate_node *node = &tree->nodes[number];
    for (int k = 0; k < 3; k++)
        scree_mesh_place(&body->pose, node->corner[k], found.corner[k]);
    found.radius = node->radius;
    found.first = node->children ? node->child : tree->node_count + node->begin;
    found.count = node->children ? node->children : node->end - node->begin;
    return found;
}

static bool things_are_apart(const thing pair[2], double way)
{
    scree_gap gap = scree_triangle_distance((const double(*)[3])pair[0].corner,
                                            (const double(*)[3])pair[1].corner);

    return gap.distance > (pair[0].radius + pair[1].radius + way) * (1 + 0x1p-40);
}

bool scree_surrogates_are_apart(const scree_mesh_body *a, const scree_mesh_body *b, double way)
{
    uint32_t waiting[MAX_WAITING][2] = {{0, 0}}, count = 1;

    way += a->skin + b->skin + scree_surrogate_place_error(a) + scree_surrogate_place_error(b);
    for (int looks = 0; count > 0; looks++) {
        const uint32_t number[2] = {waiting[count - 1][0], waiting[count - 1][1]};
        const thing pair[2] = {find_thing(a, number[0]), find_thing(b, number[1])};
        if (looks == MAX_LOOKS)
            return false;
        count--;
        if (things_are_apart(pair, way))
            continue;
        if (pair[0].count == 0 && pair[1].count == 0)
            return false;
        /* the one with the larger halo is replaced by its children */
        int opened = pair[0].count == 0 || (pair[1].count && pair[1].radius > pair[0].radius);
        for (uint32_t k = 0; k < pair[opened].count; k++, count++) {
            waiting[count][opened] = pair[opened].first + k;
            waiting[count][!opened] = number[!opened];
        }
    }
    return true;
}
