/*  Error bounds of a separating direction. A direction has length 1 except for rounding. Corners are those that a leaf
    stores, each coordinate rounded to float. With u = 2^-24 and g as in mesh_boxes.c, sums of three float products err
    by 4 u g on each side, for unopened boxes as for corners, and so do sums along the rounded direction. Together with
    positions and limits all errors are below 32 u g; `widen` includes 64 u g in addition to the interaction range. */
#include "narrow/mesh_apart.h"

#include "base/vector.h"

#include <math.h>

#define WIDTH SCREE_MESH_WIDTH

/*  Number of directions tried: bodies that do touch pay for all of them. */
#define TRIES 4

/* ---- extent of one mesh along a direction ---- */

/*  One of the two meshes, and the direction along which it is seen. */
typedef struct apart_side
{
    const scree_mesh_sifter *sifter;
    const scree_mesh_boxes *boxes;
    float along[3];
    uint64_t *looked; /* counts boxes */
} apart_side;

/*  Index of the first largest value. */
static int farthest_of(const float reach[WIDTH], int places)
{
    int best = 0;
    for (int i = 1; i < places; i++)
        best = reach[i] > reach[best] ? i : best;
    return best;
}

/*  The corner of a leaf triangle that is farthest along the direction. */
static void farthest_corner(const apart_side *side, const scree_mesh_leaf *leaf, int place,
                            double corner[3])
{
    const float *along = side->along;
    float reach[3];
    int best;
    for (int c = 0; c < 3; c++)
        reach[c] = along[0] * leaf->corner[3 * c][place] +
                   along[1] * leaf->corner[3 * c + 1][place] +
                   along[2] * leaf->corner[3 * c + 2][place];
    best = reach[1] > reach[0];
    best = reach[2] > reach[best] ? 2 : best;
    for (int k = 0; k < 3; k++)
        corner[k] = (double)leaf->corner[3 * best + k][place];
}

/*  Finds a corner that is far along a direction, and its extent, by descending only into the farthest boxes. */
static float go_far(const apart_side *side, double corner[3])
{
    const scree_mesh *mesh = side->boxes->mesh;
    const scree_mesh_leaf *leaf;
    uint32_t group = 0;
    float reach[WIDTH];
    int best;
    for (int level = mesh->tree.levels - 1; level > 0; level--) {
        side->sifter->reach_of_boxes(mesh->tree.groups + mesh->tree.level_start[level] + group,
                                     side->along, 0, reach);
        best = farthest_of(reach, scree_mesh_boxes_in_group(mesh, level, group));
        group = WIDTH * group + (uint32_t)best;
        *side->looked += WIDTH;
    }
    leaf = side->boxes->leaves + group;
    side->sifter->reach_of_leaf(leaf, side->along, 0, reach);
    best = farthest_of(reach, scree_mesh_boxes_in_group(mesh, 0, group));
    farthest_corner(side, leaf, best, corner);
    return reach[best];
}

/*  Finds the farthest corner, starting from one that is far. Returns false as soon as one is beyond the limit. Opens
    boxes that extend farther than any corner so far. */
static bool ends_before(const apart_side *side, float limit, float *farthest)
{
    const scree_mesh *mesh = side->boxes->mesh;
    uint32_t stack[WIDTH * SCREE_MESH_LEVELS];
    int level_of[WIDTH * SCREE_MESH_LEVELS], height = 1;
    float reach[WIDTH], best = *farthest;
    stack[0] = 0;
    level_of[0] = mesh->tree.levels - 1;
    while (height > 0 && best <= limit) {
        uint32_t group = stack[--height], far;
        int level = level_of[height], places = scree_mesh_boxes_in_group(mesh, level, group);
        uint32_t used = (1u << places) - 1;
        *side->looked += WIDTH;
        if (level == 0) {
            far =
                side->sifter->reach_of_leaf(side->boxes->leaves + group, side->along, best, reach);
            far &= used;
            for (int i = 0; far; far >>= 1, i++)
                best = (far & 1) && reach[i] > best ? reach[i] : best;
            continue;
        }
        far = side->sifter->reach_of_boxes(
            mesh->tree.groups + mesh->tree.level_start[level] + group, side->along, best, reach);
        far &= used;
        for (uint32_t i = 0; far; far >>= 1, i++) {
            stack[height] = WIDTH * group + i;
            level_of[height] = level - 1;
            height += (int)(far & 1);
        }
    }
    *farthest = best;
    return best <= limit;
}

/* ---- directions ---- */

typedef struct two_meshes
{
    apart_side first, second;
    const double (*turn)[3], *shift;
} two_meshes;

static void place_second(const two_meshes *two, const double local[3], double to[3])
{
    for (int k = 0; k < 3; k++)
        to[k] = scree_dot(two->turn[k], local) + two->shift[k];
}

/*  The middle of a tree's boxes, in its units. */
static void middle_of(const scree_mesh *mesh, double middle[3])
{
    for (int k = 0; k < 3; k++)
        middle[k] = 0.5 * (mesh->upper[k] - mesh->tree.origin[k]) * mesh->tree.scale;
}

/*  Whether a direction separates the two. First two corners that are far along it give, at low cost, an upper bound of
    the separation and the vector between them, which is returned. If the bound suffices, the true extents are computed.
    */
static bool separates(two_meshes *two, const double direction[3], double widen, double way[3])
{
    float end, begin;
    double corner[2][3], second[3], between = scree_dot(direction, two->shift) - widen;
    for (int j = 0; j < 3; j++) {
        two->first.along[j] = (float)direction[j];
        two->second.along[j] =
            (float)-(two->turn[0][j] * direction[0] + two->turn[1][j] * direction[1] +
                     two->turn[2][j] * direction[2]);
    }
    end = go_far(&two->first, corner[0]);
    begin = go_far(&two->second, corner[1]);
    place_second(two, corner[1], second);
    for (int k = 0; k < 3; k++)
        way[k] = second[k] - corner[0][k];
    return (double)end + (double)begin < between &&
           ends_before(&two->first, (float)(between - (double)begin), &end) &&
           ends_before(&two->second, (float)(between - (double)end), &begin) &&
           (double)end + (double)begin < between;
}

/*  `nearest` becomes the point nearest to the origin on the segment from there to `other`. Returns false if that
    changes nothing. */
static bool come_nearer(double nearest[3], const double other[3])
{
    double along[3], share, length_sq;
    for (int k = 0; k < 3; k++)
        along[k] = other[k] - nearest[k];
    length_sq = scree_dot(along, along);
    share = -scree_dot(nearest, along);
    if (!(share > 0))
        return false;
    share = share < length_sq ? share / length_sq : 1;
    for (int k = 0; k < 3; k++)
        nearest[k] += share * along[k];
    return true;
}

bool scree_mesh_are_apart(const scree_mesh_sifter *sifter, const scree_mesh_boxes *first,
                          const scree_mesh_boxes *second, const double turn[3][3],
                          const double shift[3], double widen, uint64_t *looked)
{
    two_meshes two = {{sifter, first, {0}, looked}, {sifter, second, {0}, looked}, turn, shift};
    double nearest[3], middle[2][3], direction[3], way[3];
    middle_of(first->mesh, middle[0]);
    middle_of(second->mesh, middle[1]);
    place_second(&two, middle[1], nearest);
    for (int k = 0; k < 3; k++)
        nearest[k] -= middle[0][k];
    for (int n = 0; n < TRIES; n++) {
        double length = scree_length(nearest);
        /* middles that coincide, or hulls that overlap: no plane separates them */
        if (!(length > widen))
            return false;
        for (int k = 0; k < 3; k++)
            direction[k] = nearest[k] / length;
        if (separates(&two, direction, widen, way))
            return true;
        if (n == 0)
            for (int k = 0; k < 3; k++)
                nearest[k] = way[k];
        else if (!come_nearer(nearest, way))
            return false;
    }
    return false;
}
