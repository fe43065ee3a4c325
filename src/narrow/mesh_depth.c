/*  The boxes are those of the meshes in their own frames. They are apart along a normal of a face of one of them, or along
    a direction that is perpendicular to an edge of each. */
#include "narrow/mesh_depth.h"

#include "base/vector.h"

#include <math.h>

/*  The box around a mesh in its own frame, in the world: its middle, and half edges. */
typedef struct turned_box
{
    double middle[3], edge[3][3];
} turned_box;

static turned_box box_of(const scree_mesh_body *body)
{
    const scree_mesh *mesh = body->mesh;
    double middle[3];
    turned_box box;

    for (int j = 0; j < 3; j++) {
        middle[j] = 0.5 * (mesh->lower[j] + mesh->upper[j]);
        for (int k = 0; k < 3; k++)
            box.edge[j][k] = body->pose.turn[k][j] * 0.5 * (mesh->upper[j] - mesh->lower[j]);
    }
    scree_mesh_place(&body->pose, middle, box.middle);
    return box;
}

static double half_width(const turned_box *box, const double way[3])
{
    return fabs(scree_dot(box->edge[0], way)) + fabs(scree_dot(box->edge[1], way)) +
           fabs(scree_dot(box->edge[2], way));
}

/*  How far one of two boxes must move along a direction until they are apart. */
static double way_apart(const turned_box box[2], const bool is_wall[2], const double way[3])
{
    const double length = scree_length(way),
                 wide[2] = {half_width(&box[0], way), half_width(&box[1], way)};
    double between[3];

    if (!(length > 0))
        return INFINITY;
    for (int k = 0; k < 3; k++)
        between[k] = box[1].middle[k] - box[0].middle[k];
    double apart = wide[0] + wide[1] - fabs(scree_dot(between, way));
    for (int side = 0; side < 2; side++)
        if (is_wall[1 - side])
            apart = fmin(apart, 2 * wide[side]);
    return apart / length;
}

double scree_mesh_largest_depth(const scree_mesh_body bodies[2], const bool is_wall[2])
{
    const turned_box box[2] = {box_of(&bodies[0]), box_of(&bodies[1])};
    double depth = INFINITY, across[3];

    for (int i = 0; i < 3; i++) {
        depth = fmin(depth, way_apart(box, is_wall, box[0].edge[i]));
        depth = fmin(depth, way_apart(box, is_wall, box[1].edge[i]));
        for (int j = 0; j < 3; j++) {
            scree_cross(box[0].edge[i], box[1].edge[j], across);
            /* parallel edges have no common normal */
            if (scree_length(across) >
                1e-6 * scree_length(box[0].edge[i]) * scree_length(box[1].edge[j]))
                depth = fmin(depth, way_apart(box, is_wall, across));
        }
    }
    return fmax(depth, 0) * (1 + 0x1p-20);
}
