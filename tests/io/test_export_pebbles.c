/*  Pebbles as points: where the frame of their clump puts them, as fast as a rigid body moves there. */
#include "harness/export_maker.h"

#include <math.h>

static const scree_pebble pebbles[] = {
    {{0.1, 0, 0}, 0.2}, {{0.4, 0.1, 0}, 0.12}, {{0, 0.35, 0.1}, 0.1}};
#define PEBBLES 3u

static void turn(const double q[4], const double v[3], double to[3])
{
    double t[3], u[3];

    for (int k = 0; k < 3; k++)
        t[k] = 2 * (q[1 + (k + 1) % 3] * v[(k + 2) % 3] - q[1 + (k + 2) % 3] * v[(k + 1) % 3]);
    for (int k = 0; k < 3; k++)
        u[k] = q[1 + (k + 1) % 3] * t[(k + 2) % 3] - q[1 + (k + 2) % 3] * t[(k + 1) % 3];
    for (int k = 0; k < 3; k++)
        to[k] = v[k] + q[0] * t[k] + u[k];
}

static double *reals(const vtp_file *file, const char *section, const char *name, size_t row)
{
    return vtp_reals(vtp_find(file, section, name), row);
}

TEST(all_spheres_are_points)
{
    scree_clump_def clump_def = scree_default_clump_def();
    scree_world_def def = scree_default_world_def();
    scree_globe_def globe = scree_default_globe_def();
    scree_clump *clump;
    scree_mesh *mesh;
    scree_body_id id[4];
    const double turned[4] = {0.5, 0.5, -0.5, 0.5};

    clump_def.pebbles = pebbles;
    clump_def.pebble_count = PEBBLES;
    CHECK_EQUAL(scree_clump_create(&clump_def, &clump), SCREE_OK);
    globe.facets = 80;
    globe.radius = 0.2;
    CHECK_EQUAL(scree_mesh_globe(&globe, &mesh), SCREE_OK);
    def.step.dt = 1e-4;
    scree_world *world = make_world(&def, NULL);
    for (int b = 0; b < 4; b++) {
        scree_body_def body = ball(0.3, 3 * b, 0, -b);
        if (b == 0)
            body.shape = scree_shape_mesh(mesh, 0.01);
        if (b == 1 || b == 3)
            body.shape = scree_shape_clump(clump);
        memcpy(body.orientation, turned, sizeof turned);
        body.velocity[1] = 5;
        body.spin[0] = b;
        body.spin[2] = -2;
        body.user = 70u + (uint64_t)b;
        id[b] = add(world, &body);
    }
    begin_folder();
    export_to(world, SCREE_EXPORT_VTP_PEBBLES, NULL);
    vtp_file file = vtp_read(path);
    CHECK_EQUAL(file.points, 2 * PEBBLES + 1);
    CHECK_EQUAL(file.verts, 2 * PEBBLES + 1);
    for (size_t row = 0; row < 2 * PEBBLES + 1; row++) {
        const int b = row < PEBBLES ? 1 : row == PEBBLES ? 2 : 3;
        const size_t p = row < PEBBLES ? row : row == PEBBLES ? 0 : row - PEBBLES - 1;
        scree_body body = body_of(world, id[b]);
        double origin[3], frame[4], place[3], arm[3];
        memcpy(place, body.position, sizeof place);
        if (b != 2) {
            CHECK_EQUAL(scree_world_body_frame(world, id[b], origin, frame), SCREE_OK);
            turn(frame, pebbles[p].centre, place);
            for (int k = 0; k < 3; k++)
                place[k] += origin[k];
        }
        for (int k = 0; k < 3; k++)
            arm[k] = place[k] - body.position[k];
        for (int k = 0; k < 3; k++) {
            double speed = body.velocity[k] + body.spin[(k + 1) % 3] * arm[(k + 2) % 3] -
                           body.spin[(k + 2) % 3] * arm[(k + 1) % 3];
            CHECK_NEAR(reals(&file, "Points", "Points", row)[k], place[k], 1e-14 * 10);
            CHECK_NEAR(reals(&file, "PointData", "velocity", row)[k], speed, 1e-13);
        }
        CHECK(*reals(&file, "PointData", "radius", row) == (b == 2 ? 0.3 : pebbles[p].radius));
        CHECK_EQUAL(vtp_whole(vtp_find(&file, "PointData", "pebble"), row), p);
        CHECK_EQUAL(vtp_whole(vtp_find(&file, "PointData", "serial"), row), b + 1);
        CHECK_EQUAL(vtp_whole(vtp_find(&file, "PointData", "material"), row), 1);
        CHECK_EQUAL(vtp_whole(vtp_find(&file, "PointData", "user"), row), 70 + b);
        CHECK_EQUAL(vtp_whole(vtp_find(&file, "Verts", "connectivity"), row), row);
    }
    vtp_free(&file);
    end_folder();
    scree_world_destroy(world);
    scree_clump_destroy(clump);
    scree_mesh_destroy(mesh);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(all_spheres_are_points)};
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
