/*  What is found to be apart is. A direction is of length 1 but for roundings; corners are those that a leaf keeps, off by one
    rounding to floats in each coordinate. With u = 2^-24 and g as in mesh_boxes.c, sums of three products in floats err by 4 u g
    on each side, for boxes that are not opened as for corners, and so does the direction that they are taken along: with
    places and limits all of it is below 32 u g, where `widen` has 64 u g beyond the reach. */
#include "narrow/mesh_apart.h"

#include <math.h>

#define WIDTH SCREE_MESH_WIDTH

/*  Directions that are tried: bodies that do touch pay for all of them. */
#define TRIES 4

/* ---- how far one mesh reaches ---- */

/*  How far boxes and corners reach along a direction; of places that are not used whatever comes out. */
static void reaches_of_boxes(const scree_mesh_group *boxes, const float along[3],
                             float reach[WIDTH])
{
    const float *x = along[0] > 0 ? boxes->upper[0] : boxes->lower[0];
    const float *y = along[1] > 0 ? boxes->upper[1] : boxes->lower[1];
    const float *z = along[2] > 0 ? boxes->upper[2] : boxes->lower[2];
    for (size_t i = 0; i < WIDTH; i++)
        reach[i] = along[0] * x[i] + along[1] * y[i] + along[2] * z[i];
}

static void reaches_of_corners(const scree_mesh_leaf *leaf, const float along[3],
                               float reach[3][WIDTH])
{
    for (size_t c = 0; c < 3; c++)
        for (size_t i = 0; i < WIDTH; i++)
            reach[c][i] = along[0] * leaf->corner[3 * c][i] +
                          along[1] * leaf->corner[3 * c + 1][i] +
                          along[2] * leaf->corner[3 * c + 2][i];
}

/*  A corner that is far along a direction, and how far: down the boxes that reach farthest, and no others. */
static float go_far(const scree_mesh_boxes *boxes, const float along[3], double corner[3],
                    uint64_t *looked)
{
    const scree_mesh *mesh = boxes->mesh;
    uint32_t group = 0;
    int best = 0, best_corner = 0, places;
    float reach[3][WIDTH];
    for (int level = mesh->tree.levels - 1; level > 0; level--) {
        places = scree_mesh_boxes_in_group(mesh, level, group);
        reaches_of_boxes(mesh->tree.groups + mesh->tree.level_start[level] + group, along,
                         reach[0]);
        best = 0;
        for (int i = 1; i < places; i++)
            best = reach[0][i] > reach[0][best] ? i : best;
        group = WIDTH * group + (uint32_t)best;
        *looked += WIDTH;
    }
    const scree_mesh_leaf *leaf = boxes->leaves + group;
    places = scree_mesh_boxes_in_group(mesh, 0, group);
    reaches_of_corners(leaf, along, reach);
    best = 0;
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < places; i++)
            if (reach[c][i] > reach[best_corner][best]) {
                best_corner = c;
                best = i;
            }
    for (int k = 0; k < 3; k++)
        corner[k] = (double)leaf->corner[3 * best_corner + k][best];
    return reach[best_corner][best];
}

/*  The best so far, or a corner of the leaf that is farther. */
static float farther_of(float reach[3][WIDTH], int places, float best)
{
    float top[WIDTH];
    for (size_t i = 0; i < WIDTH; i++) {
        float two = reach[0][i] > reach[1][i] ? reach[0][i] : reach[1][i];
        top[i] = two > reach[2][i] ? two : reach[2][i];
    }
    for (int i = 0; i < places; i++)
        best = top[i] > best ? top[i] : best;
    return best;
}

/*  The farthest of all corners, from one that is far; false as soon as one is beyond the limit. Boxes are opened that reach
    farther than any corner so far. */
static bool ends_before(const scree_mesh_boxes *boxes, const float along[3], float limit,
                        float *farthest, uint64_t *looked)
{
    const scree_mesh *mesh = boxes->mesh;
    uint32_t stack[WIDTH * SCREE_MESH_LEVELS];
    int level_of[WIDTH * SCREE_MESH_LEVELS], height = 1;
    float reach[3][WIDTH], best = *farthest;
    stack[0] = 0;
    level_of[0] = mesh->tree.levels - 1;
    while (height > 0 && best <= limit) {
        uint32_t group = stack[--height];
        int level = level_of[height], places = scree_mesh_boxes_in_group(mesh, level, group);
        *looked += WIDTH;
        if (level == 0) {
            reaches_of_corners(boxes->leaves + group, along, reach);
            best = farther_of(reach, places, best);
            continue;
        }
        reaches_of_boxes(mesh->tree.groups + mesh->tree.level_start[level] + group, along,
                         reach[0]);
        for (int i = 0; i < places; i++) {
            stack[height] = WIDTH * group + (uint32_t)i;
            level_of[height] = level - 1;
            height += reach[0][i] > best;
        }
    }
    *farthest = best;
    return best <= limit;
}

/* ---- directions ---- */

typedef struct two_meshes
{
    const scree_mesh_boxes *first, *second;
    const double (*turn)[3], *shift;
} two_meshes;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void place_second(const two_meshes *two, const double local[3], double to[3])
{
    for (int k = 0; k < 3; k++)
        to[k] = dot(two->turn[k], local) + two->shift[k];
}

/*  The middle of a tree's boxes, in its units. */
static void middle_of(const scree_mesh *mesh, double middle[3])
{
    for (int k = 0; k < 3; k++)
        middle[k] = 0.5 * (mesh->upper[k] - mesh->tree.origin[k]) * mesh->tree.scale;
}

/*  Whether a direction keeps them apart. First two corners that are far along it, which say at most how far, for little, and
    between which is the way that is left behind; if that is enough, all others are looked for. */
static bool separates(const two_meshes *two, const double direction[3], double widen, double way[3],
                      uint64_t *looked)
{
    float along[3], back[3], end, begin;
    double corner[2][3], second[3], between = dot(direction, two->shift) - widen;
    for (int j = 0; j < 3; j++) {
        along[j] = (float)direction[j];
        back[j] = (float)-(two->turn[0][j] * direction[0] + two->turn[1][j] * direction[1] +
                           two->turn[2][j] * direction[2]);
    }
    end = go_far(two->first, along, corner[0], looked);
    begin = go_far(two->second, back, corner[1], looked);
    place_second(two, corner[1], second);
    for (int k = 0; k < 3; k++)
        way[k] = second[k] - corner[0][k];
    return (double)end + (double)begin < between &&
           ends_before(two->first, along, (float)(between - (double)begin), &end, looked) &&
           ends_before(two->second, back, (float)(between - (double)end), &begin, looked) &&
           (double)end + (double)begin < between;
}

/*  `nearest` becomes the point nearest to the origin on the way from there to `other`; false where that changes nothing. */
static bool come_nearer(double nearest[3], const double other[3])
{
    double along[3], share, length_sq;
    for (int k = 0; k < 3; k++)
        along[k] = other[k] - nearest[k];
    length_sq = dot(along, along);
    share = -dot(nearest, along);
    if (!(share > 0))
        return false;
    share = share < length_sq ? share / length_sq : 1;
    for (int k = 0; k < 3; k++)
        nearest[k] += share * along[k];
    return true;
}

bool scree_mesh_are_apart(const scree_mesh_boxes *first, const scree_mesh_boxes *second,
                          const double turn[3][3], const double shift[3], double widen,
                          uint64_t *looked)
{
    const two_meshes two = {first, second, turn, shift};
    double nearest[3], middle[2][3], direction[3], way[3];
    middle_of(first->mesh, middle[0]);
    middle_of(second->mesh, middle[1]);
    place_second(&two, middle[1], nearest);
    for (int k = 0; k < 3; k++)
        nearest[k] -= middle[0][k];
    for (int n = 0; n < TRIES; n++) {
        double length = sqrt(dot(nearest, nearest));
        /* middles that coincide, or hulls that meet: there is no plane between */
        if (!(length > widen))
            return false;
        for (int k = 0; k < 3; k++)
            direction[k] = nearest[k] / length;
        if (separates(&two, direction, widen, way, looked))
            return true;
        if (n == 0)
            for (int k = 0; k < 3; k++)
                nearest[k] = way[k];
        else if (!come_nearer(nearest, way))
            return false;
    }
    return false;
}
