/*  Walls as triangles, each in its own frame, sent once; and their poses, sent with every frame. A plane is infinite:
    it is shown as a square that is as large as the scene. */
#include "lab_internal.h"

#include "base/quaternion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*  All walls, at most LAB_WALL_MOST; the caller frees them. */
static scree_wall *get_walls(scree_world *world, size_t *count)
{
    size_t all = scree_world_walls(world, NULL, 0);
    scree_wall_id *ids = malloc((all + 1) * sizeof *ids);
    scree_wall *walls = malloc((all + 1) * sizeof *walls);

    *count = 0;
    if (ids && walls) {
        scree_world_walls(world, ids, all);
        for (size_t i = 0; i < all && i < LAB_WALL_MOST; i++)
            if (!scree_world_get_wall(world, ids[i], &walls[*count]))
                ++*count;
    }
    free(ids);
    return walls;
}

static void include(double lower[3], double upper[3], const double point[3], double radius)
{
    for (int k = 0; k < 3; k++) {
        lower[k] = fmin(lower[k], point[k] - radius);
        upper[k] = fmax(upper[k], point[k] + radius);
    }
}

static void include_mesh(double lower[3], double upper[3], const scree_wall *wall)
{
    scree_mesh_info mesh = scree_mesh_describe(wall->mesh);

    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        double point[3];
        scree_quaternion_turn(wall->orientation, mesh.vertices + 3 * (size_t)i, point);
        for (int k = 0; k < 3; k++)
            point[k] += wall->position[k];
        include(lower, upper, point, 0);
    }
}

/*  Extends the box to planes near enough for bodies to meet them, so that a floor is visible before anything lies on
    it. */
static void include_planes(double lower[3], double upper[3], const scree_wall *walls, size_t count)
{
    double centre[3], reach = 0;

    for (int k = 0; k < 3; k++) {
        centre[k] = (lower[k] + upper[k]) / 2;
        reach = hypot(reach, upper[k] - lower[k]);
    }
    for (size_t i = 0; i < count; i++) {
        const scree_wall *wall = &walls[i];
        double gap = 0, nearest[3];
        for (int k = 0; k < 3; k++)
            gap += (centre[k] - wall->position[k]) * wall->normal[k];
        for (int k = 0; k < 3; k++)
            nearest[k] = centre[k] - gap * wall->normal[k];
        if (wall->kind == SCREE_WALL_PLANE && fabs(gap) <= reach)
            include(lower, upper, nearest, 0);
    }
}

void scree_lab_measure_box(scree_world *world, double lower[3], double upper[3])
{
    scree_bodies_view bodies = scree_world_bodies(world);
    size_t count;
    scree_wall *walls = get_walls(world, &count);

    for (int k = 0; k < 3; k++) {
        lower[k] = INFINITY;
        upper[k] = -INFINITY;
    }
    for (size_t i = 0; i < bodies.count; i++)
        include(lower, upper, scree_row_at(bodies.position, i), scree_double_at(bodies.radius, i));
    for (size_t i = 0; i < count && walls; i++)
        if (walls[i].kind == SCREE_WALL_MESH)
            include_mesh(lower, upper, &walls[i]);
    /* only planes, or nothing */
    for (int k = 0; k < 3; k++)
        if (!(lower[k] <= upper[k])) {
            lower[k] = -0.5;
            upper[k] = 0.5;
        }
    if (walls)
        include_planes(lower, upper, walls, count);
    free(walls);
}

/* ---- geometry -------------------------------------------------------------------------------------------- */

static double diagonal(const double lower[3], const double upper[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double side = upper[k] - lower[k];
        sum += side * side;
    }
    return sqrt(sum);
}

static void put_whole(FILE *out, uint32_t value)
{
    for (int k = 0; k < 4; k++)
        putc((int)(value >> (8 * k) & 0xff), out);
}

static void put_float(FILE *out, double value)
{
    float single = (float)value;
    uint32_t bits;

    memcpy(&bits, &single, sizeof bits);
    put_whole(out, bits);
}

/*  A square about the origin, its normal along z; in two dimensions a segment, its normal along y. */
static void put_plane(FILE *out, double half, int dimensions)
{
    static const int square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    static const uint32_t facets[6] = {0, 1, 2, 0, 2, 3};
    uint32_t corners = (uint32_t)dimensions, count = dimensions == 2 ? 2 : 4;

    put_whole(out, corners | 0x100); /* a plane: drawn less prominently */
    put_whole(out, count);
    put_whole(out, dimensions == 2 ? 1 : 2);
    for (uint32_t i = 0; i < count; i++) {
        int x = dimensions == 2 ? (i ? 1 : -1) : square[i][0];
        put_float(out, half * x);
        put_float(out, dimensions == 2 ? 0 : half * square[i][1]);
        put_float(out, 0);
    }
    for (uint32_t i = 0; i < (dimensions == 2 ? 2u : 6u); i++)
        put_whole(out, facets[i]);
}

static void put_mesh(FILE *out, const scree_mesh *mesh, uint32_t *facets_left)
{
    scree_mesh_info info = scree_mesh_describe(mesh);
    bool fits = info.facet_count <= *facets_left;
    uint32_t vertices = fits ? info.vertex_count : 0, facets = fits ? info.facet_count : 0;

    *facets_left -= facets;
    put_whole(out, (uint32_t)info.corners);
    put_whole(out, vertices);
    put_whole(out, facets);
    for (size_t i = 0; i < 3 * (size_t)vertices; i++)
        put_float(out, info.vertices[i]);
    for (size_t i = 0; i < (size_t)info.corners * facets; i++)
        put_whole(out, info.facets[i]);
}

bool scree_lab_write_walls(scree_world *world, int dimensions, uint32_t epoch,
                           const double lower[3], const double upper[3], uint8_t **bytes,
                           size_t *size)
{
    uint32_t facets_left = LAB_FACET_MOST;
    char *text = NULL;
    size_t count;
    scree_wall *walls = get_walls(world, &count);
    FILE *out = walls ? open_memstream(&text, size) : NULL;

    if (out) {
        put_whole(out, 2);
        put_whole(out, epoch);
        put_whole(out, (uint32_t)count);
        for (size_t i = 0; i < count; i++)
            if (walls[i].kind == SCREE_WALL_PLANE)
                put_plane(out, 0.75 * diagonal(lower, upper), dimensions);
            else
                put_mesh(out, walls[i].mesh, &facets_left);
        fclose(out);
    }
    free(walls);
    *bytes = (uint8_t *)text;
    return text != NULL;
}

void scree_lab_tell_walls(scree_lab *lab)
{
    int dimensions = scree_scene_plan_of(lab->scene)->world.dimensions;
    uint8_t *bytes;
    size_t size;

    if (scree_lab_write_walls(lab->world, dimensions, lab->epoch, lab->lower_corner,
                              lab->upper_corner, &bytes, &size))
        scree_lab_post(lab, SCREE_LAB_WALLS, SCREE_LAB_EVERYBODY, false, bytes, size);
}

/* ---- poses ------------------------------------------------------------------------------------------- */

/*  The shortest rotation of z, or y, to the normal: (1 + a.n, a x n) normalised. */
static void turn_to(const double normal[3], int dimensions, double turn[4])
{
    double axis[3] = {0, dimensions == 2, dimensions != 2}, sum = 0;

    turn[0] = 1;
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        turn[0] += axis[k] * normal[k];
        turn[1 + k] = axis[a] * normal[b] - axis[b] * normal[a];
    }
    /* opposite: half a turn about a perpendicular axis */
    if (turn[0] < 1e-9) {
        turn[0] = turn[2] = 0;
        turn[1] = dimensions != 2;
        turn[3] = dimensions == 2;
    }
    for (int k = 0; k < 4; k++)
        sum += turn[k] * turn[k];
    for (int k = 0; k < 4; k++)
        turn[k] /= sqrt(sum);
}

static void pose_plane(const scree_lab *lab, const scree_wall *wall, int dimensions,
                       double position[3], double turn[4])
{
    double gap = 0, centre[3];

    /* the point of the plane nearest to the middle of the scene */
    for (int k = 0; k < 3; k++) {
        centre[k] = (lab->lower_corner[k] + lab->upper_corner[k]) / 2;
        gap += (centre[k] - wall->position[k]) * wall->normal[k];
    }
    for (int k = 0; k < 3; k++)
        position[k] = centre[k] - gap * wall->normal[k];
    turn_to(wall->normal, dimensions, turn);
}

bool scree_lab_pose_walls(scree_lab *lab, scree_lab_cloud *cloud)
{
    size_t count;
    scree_wall *walls = get_walls(lab->world, &count);
    int dimensions = scree_scene_plan_of(lab->scene)->world.dimensions;

    if (walls && count > cloud->pose_room) {
        scree_lab_pose *grown = realloc(cloud->poses, count * sizeof *grown);
        if (!grown) {
            free(walls);
            return false;
        }
        cloud->poses = grown;
        cloud->pose_room = count;
    }
    for (size_t i = 0; i < count && walls; i++) {
        double position[3], turn[4];
        memcpy(position, walls[i].position, sizeof position);
        memcpy(turn, walls[i].orientation, sizeof turn);
        if (walls[i].kind == SCREE_WALL_PLANE)
            pose_plane(lab, &walls[i], dimensions, position, turn);
        for (int k = 0; k < 3; k++)
            cloud->poses[i].position[k] = (float)position[k];
        for (int k = 0; k < 4; k++)
            cloud->poses[i].orientation[k] = (float)turn[k];
    }
    bool good = walls != NULL;
    cloud->pose_count = count;
    free(walls);
    return good;
}
