/*  The picture is of a world in which balls represent halos: a surrogate's halo is the volume that a ball of its radius
    sweeps over the triangle, and at the corners it is a ball. */
#include "app/convert/mesh_picture.h"

#include "app/convert/verbs.h"
#include "base/error.h"
#include "common/report.h"
#include "scree/picture.h"
#include "scree/wall.h"

#include <math.h>
#include <string.h>

static scree_status add_ball(scree_world *world, scree_material_id stuff, const double at[3],
                             double shift, double radius)
{
    scree_body_def ball = scree_default_body_def();

    ball.shape = scree_shape_sphere(radius);
    ball.material = stuff;
    memcpy(ball.position, at, sizeof ball.position);
    ball.position[0] += shift;
    return scree_world_add_body(world, &ball, NULL);
}

/*  Corners in the same place are one ball; halos of radius 0 are omitted. */
static scree_status add_surrogate(scree_world *world, scree_material_id stuff,
                                  const scree_surrogate_node *node, double shift)
{
    scree_status status = SCREE_OK;

    for (int c = 0; c < 3 && !status && node->radius > 0; c++) {
        bool is_new = true;
        for (int before = 0; before < c; before++)
            is_new &= memcmp(node->corner[c], node->corner[before], sizeof node->corner[c]) != 0;
        if (is_new)
            status = add_ball(world, stuff, node->corner[c], shift, node->radius);
    }
    return status;
}

static scree_status add_levels(scree_world *world, scree_material_id stuff,
                               const scree_surrogate *tree, const scree_mesh *mesh, double step)
{
    scree_wall_def wall = scree_default_wall_def();
    scree_status status = SCREE_OK;

    for (uint32_t level = 0; level < tree->level_count && !status; level++)
        for (uint32_t n = tree->level_start[level]; n < tree->level_start[level + 1] && !status;
             n++)
            status = add_surrogate(world, stuff, &tree->nodes[n], step * level);
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = mesh;
    wall.material = stuff;
    wall.point[0] = step * tree->level_count;
    return status ? status : scree_world_add_wall(world, &wall, NULL);
}

static double halo_radius(const scree_bodies_view *bodies, size_t row, void *user)
{
    (void)user;
    return scree_double_at(bodies->radius, row);
}

/*  Distance between consecutive levels. */
static double step_of(const scree_surrogate *tree)
{
    double least = INFINITY, most = -INFINITY;

    for (uint32_t n = 0; n < tree->node_count; n++)
        for (int c = 0; c < 3; c++) {
            const scree_surrogate_node *node = &tree->nodes[n];
            least = fmin(least, node->corner[c][0] - node->radius);
            most = fmax(most, node->corner[c][0] + node->radius);
        }
    return 1.1 * (most - least);
}

static scree_status draw(scree_world *world, const char *path, scree_error *error)
{
    scree_picture_def def = scree_default_picture_def();

    def.height = 540;
    def.own_field = halo_radius;
    def.field = "halo";
    def.own_unit = "m";
    def.time_label = false;
    def.walls = SCREE_PICTURE_WALLS_SOLID;
    def.camera.turn = 0;
    def.camera.rise = 0.3;
    def.camera.zoom = 1.3;
    return scree_picture_png(world, &def, path, error);
}

int scree_mesh_picture(const scree_surrogate *tree, const scree_mesh *mesh, const char *path)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_material_id stuff;
    scree_error error = {SCREE_OK, ""};
    scree_world *world;

    def.hooks.error = &error;
    def.step.dt = 1;
    scree_status status = scree_world_create(&def, &world);
    if (status)
        return scree_status_error(status, error.text);
    status = scree_world_add_material(world, &material, &stuff);
    if (!status)
        status = add_levels(world, stuff, tree, mesh, step_of(tree));
    if (status)
        scree_fail(&error, status, "%s: %s", path, scree_world_message(world));
    else
        status = draw(world, path, &error);
    scree_world_destroy(world);
    return status ? scree_status_error(status, error.text) : SCREE_EXIT_OK;
}
