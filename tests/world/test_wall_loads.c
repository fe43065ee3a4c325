/*  What bodies do to facets of walls: against forces known in closed form, the wall's own, and contacts one by one. */
#include "harness/export_maker.h"
#include "harness/failing_allocator.h"

#include "base/quaternion.h"
#include "base/random.h"
#include "base/vector.h"
#include "scree/fields.h"
#include "scree/wall.h"
#include "shape/mesh.h"

#include <math.h>

static scree_world_def some_def(int dimensions)
{
    scree_world_def def = scree_default_world_def();

    def.dimensions = dimensions;
    def.step.dt = 1e-5;
    def.overlap_limit = INFINITY;
    return def;
}

static scree_wall_id add_mesh_wall(scree_world *world, const scree_mesh *mesh)
{
    scree_wall_def wall = scree_default_wall_def();
    scree_wall_id id;

    wall.kind = SCREE_WALL_MESH;
    wall.mesh = mesh;
    wall.material.index1 = 1;
    CHECK_EQUAL(scree_world_add_wall(world, &wall, &id), SCREE_OK);
    return id;
}

static void loads_of(scree_world *world, scree_wall_id id, scree_facet_load *loads, size_t count)
{
    if (scree_world_wall_loads(world, id, loads, count))
        FAIL("%s", scree_world_message(world));
}

/*  A square of two triangles in the plane z = 0. */
static scree_mesh *square(double side)
{
    maker m = maker_new(4, 2);
    uint32_t v[4];

    for (int k = 0; k < 4; k++)
        v[k] = maker_vertex(&m, k == 1 || k == 2 ? side : 0, k >= 2 ? side : 0, 0);
    maker_facet(&m, v[0], v[1], v[2]);
    maker_facet(&m, v[0], v[2], v[3]);
    scree_mesh *mesh = maker_mesh(&m);
    maker_free(&m);
    return mesh;
}

/*  One body above one triangle, one below the other, as deep: what the law says of one is the pressure of both. */
TEST(pressure_is_force_over_area_from_either_side)
{
    scree_world_def def = some_def(3);
    scree_world *world = make_world(&def, NULL);
    scree_mesh *mesh = square(2);
    scree_wall_id id = add_mesh_wall(world, mesh);
    scree_facet_load loads[2];
    scree_body_def body = ball(0.1, 1.5, 0.5, 0.099);

    body.velocity[1] = 0.5;
    scree_body_id above = add(world, &body);
    body = ball(0.1, 0.5, 1.5, -0.099);
    scree_body_id below = add(world, &body);
    step(world, 1);
    loads_of(world, id, loads, 2);
    for (int k = 0; k < 2; k++) {
        scree_body on = body_of(world, k ? below : above);
        CHECK_EQUAL(loads[k].contacts, 1);
        CHECK_NEAR(loads[k].area, 2, 1e-12);
        CHECK(fabs(on.force[2]) > 1);
        CHECK_NEAR(loads[k].pressure, fabs(on.force[2]) / 2, 1e-9 * fabs(on.force[2]));
        for (int a = 0; a < 3; a++) {
            CHECK_NEAR(loads[k].force[a], -on.force[a], 1e-12 * fabs(on.force[2]));
            CHECK_NEAR(loads[k].shear[a], a == 2 ? 0 : -on.force[a] / 2, 1e-9 * fabs(on.force[2]));
        }
    }
    CHECK(loads[0].shear[1] > 0 && loads[1].shear[1] == 0); /* dragged along */
    scree_world_destroy(world);
    scree_mesh_destroy(mesh);
}

/*  A turned and moving box full of bodies: sums are those of the wall, rows those of its contacts. */
TEST(rows_are_sums_of_contacts)
{
    scree_random random = scree_random_stream(3, 0);
    scree_world_def def = some_def(3);
    scree_world *world = make_world(&def, NULL);
    const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
    maker box = maker_box(lower, upper);
    scree_mesh *mesh = maker_mesh(&box);
    scree_wall_def wall = scree_default_wall_def();
    scree_wall_id id;
    scree_facet_load loads[12];
    const scree_contact *contacts;
    size_t count;
    double sum[3] = {0};

    wall.kind = SCREE_WALL_MESH;
    wall.mesh = mesh;
    wall.material.index1 = 1;
    wall.path.velocity[0] = 0.1;
    scree_quaternion_about((const double[3]){0.6, 0, 0.8}, 0.7, wall.orientation);
    CHECK_EQUAL(scree_world_add_wall(world, &wall, &id), SCREE_OK);
    for (int k = 0; k < 60; k++) {
        double place[3], at[3];
        for (int a = 0; a < 3; a++)
            place[a] = scree_random_range(&random, -0.08, 1.08);
        place[k % 3] = k % 2 ? -0.09 : 0.91;
        scree_quaternion_turn(wall.orientation, place, at);
        scree_body_def body = ball(0.1, at[0], at[1], at[2]);
        for (int a = 0; a < 3; a++)
            body.velocity[a] = scree_random_range(&random, -1, 1);
        add(world, &body);
    }
    step(world, 20);
    loads_of(world, id, loads, 12);
    scree_wall now;
    CHECK_EQUAL(scree_world_get_wall(world, id, &now), SCREE_OK);
    scree_contact_filter_def filter = scree_default_contact_filter_def();
    filter.wall = id;
    for (uint32_t f = 0; f < 12; f++) {
        double force[3] = {0}, normal[3], pressure = 0;
        filter.facet1 = f + 1;
        CHECK_EQUAL(scree_world_contacts(world, &filter, &contacts, &count), SCREE_OK);
        CHECK_EQUAL(loads[f].contacts, count);
        CHECK_NEAR(loads[f].area, 0.5, 1e-12);
        scree_quaternion_turn(now.orientation, mesh->normals + 3 * f, normal);
        for (size_t c = 0; c < count; c++) {
            double across = -scree_dot(contacts[c].force, normal);
            pressure += (scree_dot(contacts[c].normal, normal) > 0 ? across : -across) / 0.5;
            for (int a = 0; a < 3; a++)
                force[a] -= contacts[c].force[a];
        }
        double scale = 1 + sqrt(scree_dot(force, force));
        CHECK_NEAR(loads[f].pressure, pressure, 1e-9 * scale);
        for (int a = 0; a < 3; a++) {
            CHECK_NEAR(loads[f].force[a], force[a], 1e-12 * scale);
            CHECK_NEAR(loads[f].shear[a], (force[a] - scree_dot(force, normal) * normal[a]) / 0.5,
                       1e-9 * scale);
            sum[a] += loads[f].force[a];
        }
        CHECK(loads[f].contacts > 0 && loads[f].pressure > 0);
    }
    for (int a = 0; a < 3; a++)
        CHECK_NEAR(sum[a], now.force[a], 1e-9 * sqrt(scree_dot(now.force, now.force)));
    scree_world_destroy(world);
    scree_mesh_destroy(mesh);
    maker_free(&box);
}

TEST(lines_and_planes)
{
    scree_world_def def = some_def(2);
    scree_world *world = make_world(&def, NULL);
    const double rail[] = {0, 0, 0, 4, 0, 0};
    scree_mesh_def mesh_def = scree_default_mesh_def();
    scree_wall_def wall = scree_default_wall_def();
    scree_wall_id plane;
    scree_facet_load load;
    scree_mesh *mesh;

    mesh_def.corners = 2;
    mesh_def.vertices = rail;
    mesh_def.vertex_count = 2;
    mesh_def.facet_count = 1;
    CHECK_EQUAL(scree_mesh_create(&mesh_def, &mesh), SCREE_OK);
    scree_wall_id id = add_mesh_wall(world, mesh);
    wall.material.index1 = 1;
    wall.normal[0] = 1, wall.normal[1] = wall.normal[2] = 0;
    wall.point[0] = -1;
    CHECK_EQUAL(scree_world_add_wall(world, &wall, &plane), SCREE_OK);
    scree_body_def body = ball(0.1, 2, 0.099, 0);
    scree_body_id on_rail = add(world, &body);
    body = ball(0.1, -0.901, 5, 0);
    scree_body_id at_plane = add(world, &body);
    step(world, 1);
    loads_of(world, id, &load, 1);
    CHECK_NEAR(load.pressure, body_of(world, on_rail).force[1] / 4, 1e-9 * load.pressure);
    CHECK(load.pressure > 0);
    loads_of(world, plane, &load, 1);
    CHECK(load.pressure == 0 && load.shear[1] == 0 && load.area == INFINITY);
    CHECK_EQUAL(load.contacts, 1);
    CHECK(load.force[0] < 0);
    CHECK_NEAR(load.force[0], -body_of(world, at_plane).force[0], 1e-12 * -load.force[0]);
    scree_world_destroy(world);
    scree_mesh_destroy(mesh);
}

TEST(nonsense_is_refused)
{
    scree_world_def def = some_def(3);
    scree_world *world = make_world(&def, NULL);
    scree_mesh *mesh = square(2);
    scree_wall_id id = add_mesh_wall(world, mesh);
    scree_facet_load loads[3] = {{.contacts = 7}};

    CHECK_EQUAL(scree_world_wall_loads(NULL, id, loads, 2), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_wall_loads(world, id, NULL, 2), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "wall loads: loads is NULL");
    CHECK_EQUAL(scree_world_wall_loads(world, id, loads, 3), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "wall loads: count is 3, the wall has 2 facets");
    CHECK_EQUAL(scree_world_wall_loads(world, (scree_wall_id){9, 1}, loads, 2), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "wall loads: there is no such wall");
    CHECK_EQUAL(loads[0].contacts, 7);
    scree_world_destroy(world);
    scree_mesh_destroy(mesh);
}

static scree_fields_def grid_of(double lower, double upper, uint32_t x, uint32_t y, uint32_t z)
{
    scree_fields_def def = scree_default_fields_def();

    for (int k = 0; k < 3; k++) {
        def.lower[k] = lower;
        def.upper[k] = upper;
    }
    def.cells[0] = x, def.cells[1] = y, def.cells[2] = z;
    return def;
}

TEST(no_request_for_memory_may_fail_badly)
{
    begin_folder();
    for (size_t k = 1;; k++) {
        failing_allocator memory = {0};
        scree_allocator hooks = failing_allocator_hooks(&memory);
        scree_world *world = make_scene(3, &hooks);
        scree_facet_load load = {.contacts = 7};
        scree_wall_id id;
        scree_error error = {SCREE_OK, ""};
        CHECK(scree_world_walls(world, &id, 1) > 0);
        memory.requests = 0;
        memory.fail_at = k;
        scree_status status = scree_world_wall_loads(world, id, &load, 1);
        CHECK(status == SCREE_OK || (status == SCREE_OUT_OF_MEMORY && load.contacts == 7));
        scree_fields_def grid = grid_of(-3, 3, 2, 2, 2);
        scree_wall_load sums[8] = {{0}};
        scree_status added = scree_world_add_wall_loads(world, id, &grid, 1, sums, 8);
        CHECK(added == SCREE_OK || (added == SCREE_OUT_OF_MEMORY && sums[0].area == 0));
        scree_status written = scree_export(world, SCREE_EXPORT_VTP_WALLS, path, NULL, &error);
        CHECK(written == SCREE_OK || written == SCREE_OUT_OF_MEMORY);
        bool done = memory.requests < k;
        memory.fail_at = 0;
        CHECK(!done || (!status && !written && !added));
        scree_world_destroy(world);
        CHECK(failing_allocator_is_clean(&memory));
        if (done)
            break;
    }
    end_folder();
}

/* ---- grids ---- */

static void add_loads(scree_world *world, scree_wall_id id, const scree_fields_def *def,
                      double weight, scree_wall_load *loads, size_t count)
{
    if (scree_world_add_wall_loads(world, id, def, weight, loads, count))
        FAIL("%s", scree_world_message(world));
}

/*  A wall turned anyhow is cut into pieces that are all of it; a plane by a cube through its middle is what geometry says. */
TEST(grids_cut_walls_in_pieces)
{
    scree_random random = scree_random_stream(4, 0);
    const double lower[3] = {-1, -1, -1}, upper[3] = {1, 1, 1};
    maker box = maker_box(lower, upper);
    scree_mesh *mesh = maker_mesh(&box);

    for (int trial = 0; trial < 20; trial++) {
        scree_world_def def = some_def(3);
        scree_world *world = make_world(&def, NULL);
        scree_wall_def wall = scree_default_wall_def();
        scree_fields_def grid = grid_of(-2, 2, 3, 4, 5);
        scree_wall_load loads[60] = {{0}};
        scree_wall_id id, plane;
        double sum = 0, q[4], n[3] = {1, 1, 1};
        wall.kind = SCREE_WALL_MESH;
        wall.mesh = mesh;
        wall.material.index1 = 1;
        for (int k = 0; k < 4; k++)
            q[k] = scree_random_range(&random, -1, 1);
        scree_quaternion_normalise(q);
        memcpy(wall.orientation, q, sizeof q);
        CHECK_EQUAL(scree_world_add_wall(world, &wall, &id), SCREE_OK);
        add_loads(world, id, &grid, 0.5, loads, 60);
        add_loads(world, id, &grid, 0.5, loads, 60);
        for (int k = 0; k < 60; k++) {
            sum += loads[k].area;
            CHECK(loads[k].push == 0 && loads[k].contacts == 0);
        }
        CHECK_NEAR(sum, 24, 1e-10);
        /* the hexagon across a cube of side 4: 3 sqrt(3) / 4 of the square on its diagonal */
        wall = scree_default_wall_def();
        wall.material.index1 = 1;
        memcpy(wall.normal, n, sizeof n);
        CHECK_EQUAL(scree_world_add_wall(world, &wall, &plane), SCREE_OK);
        memset(loads, 0, sizeof loads);
        add_loads(world, plane, &grid, 1, loads, 60);
        sum = 0;
        for (int k = 0; k < 60; k++)
            sum += loads[k].area;
        CHECK_NEAR(sum, 3 * sqrt(3) / 4 * 16, 1e-10);
        scree_world_destroy(world);
    }
    scree_mesh_destroy(mesh);
    maker_free(&box);
}

/*  Forces lie where contacts are, and are those of the wall. */
TEST(grids_have_all_forces)
{
    scree_world_def def = some_def(3);
    scree_world *world = make_world(&def, NULL);
    scree_wall_def wall = scree_default_wall_def();
    scree_fields_def grid = grid_of(-1.5, 2.5, 4, 4, 4);
    scree_wall_load loads[64] = {{0}};
    scree_wall_id id;

    wall.material.index1 = 1;
    CHECK_EQUAL(scree_world_add_wall(world, &wall, &id), SCREE_OK);
    for (int k = 0; k < 4; k++) {
        scree_body_def body = ball(0.1, -1 + k, 0.1 * k, 0.099);
        body.velocity[0] = k;
        add(world, &body);
    }
    step(world, 1);
    add_loads(world, id, &grid, 1, loads, 64);
    for (int k = 0; k < 4; k++) {
        /* z = 0 lies in the second layer, y from 0 to 0.3 in the second row */
        const scree_wall_load *load = &loads[16 + 4 + k];
        scree_body body = body_of(world, (scree_body_id){(uint32_t)k + 1, 1});
        CHECK(body.force[2] > 0 && load->contacts == 1);
        CHECK_NEAR(load->area, 1, 1e-12);
        CHECK_NEAR(load->push, body.force[2], 1e-12 * body.force[2]);
        CHECK_NEAR(load->shear[0], -body.force[0], 1e-12 * body.force[2]);
        CHECK((k > 0) == (load->shear[0] > 0));
    }
    scree_world_destroy(world);
}

TEST(grids_cut_lines)
{
    scree_world_def def = some_def(2);
    scree_world *world = make_world(&def, NULL);
    scree_wall_def wall = scree_default_wall_def();
    scree_fields_def grid = grid_of(0, 4, 4, 2, 1);
    scree_wall_load loads[8] = {{0}};
    scree_wall_id id;

    wall.material.index1 = 1;
    wall.normal[0] = -3, wall.normal[1] = 4, wall.normal[2] = 0; /* y = 3/4 x */
    CHECK_EQUAL(scree_world_add_wall(world, &wall, &id), SCREE_OK);
    add_loads(world, id, &grid, 1, loads, 8);
    const double wanted[8] = {1.25, 1.25, 2.5 / 3, 0, 0, 0, 1.25 / 3, 1.25};
    for (int k = 0; k < 8; k++)
        CHECK_NEAR(loads[k].area, wanted[k], 1e-12);
    /* the third axis says nothing */
    grid.lower[2] = NAN, grid.upper[2] = INFINITY;
    add_loads(world, id, &grid, 1, loads, 8);
    for (int k = 0; k < 8; k++)
        CHECK_NEAR(loads[k].area, 2 * wanted[k], 1e-12);
    grid.upper[1] = 0;
    grid.cells[1] = 1;
    CHECK_EQUAL(scree_world_add_wall_loads(world, id, &grid, 1, loads, 4), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(world), "axis 1 of a wall's grid has no length");
    CHECK_EQUAL(scree_world_add_wall_loads(NULL, id, &grid, 1, loads, 4), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_add_wall_loads(world, id, NULL, 1, loads, 4), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_add_wall_loads(world, (scree_wall_id){7, 1}, &grid, 1, loads, 4),
                SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "there is no such wall");
    grid.upper[1] = 4;
    CHECK_EQUAL(scree_world_add_wall_loads(world, id, &grid, 1, loads, 5), SCREE_BAD_ARGUMENT);
    grid.cookie = 0;
    CHECK_EQUAL(scree_world_add_wall_loads(world, id, &grid, 1, loads, 4), SCREE_BAD_DEF);
    scree_world_destroy(world);
}

/* ---- exports ---- */

static scree_status write_loads(const scree_fields_def *def, int dimensions,
                                const scree_wall_load *loads, size_t count, scree_error *error)
{
    *error = (scree_error){SCREE_OK, ""};
    return scree_export_wall_loads(def, dimensions, 0.5, loads, count, path, error);
}

/*  A row for each cell; where the grid has nothing of the wall nothing presses. */
TEST(grids_are_written)
{
    const scree_wall_load loads[2] = {{2, 6, {1, -2, 4}, 3}, {0, 5, {1, 1, 1}, 1}};
    scree_fields_def grid = grid_of(0, 2, 2, 1, 1), bad = grid;
    char text[300] = "";
    scree_error error;

    begin_folder();
    CHECK_EQUAL(write_loads(&grid, 3, loads, 2, &error), SCREE_OK);
    CHECK_EQUAL(scree_export_wall_loads(&grid, 3, 0, loads, 2, "loads.csv", &error), SCREE_OK);
    FILE *file = fopen("loads.csv", "rb");
    CHECK(file && fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    remove("loads.csv");
    CHECK_TEXT(text, "x,y,z,area,pressure,shear_x,shear_y,shear_z,push,contacts\n"
                     "0.5,1,1,2,3,0.5,-1,2,6,3\n1.5,1,1,0,0,0,0,0,5,1\n");

    CHECK_EQUAL(write_loads(NULL, 3, loads, 2, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "wall loads: def is NULL");
    CHECK_EQUAL(write_loads(&grid, 3, NULL, 2, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "wall loads: loads is NULL");
    CHECK_EQUAL(scree_export_wall_loads(&grid, 3, 0, loads, 2, NULL, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "wall loads: path is NULL");
    bad.cookie = 0;
    CHECK_EQUAL(write_loads(&bad, 3, loads, 2, &error), SCREE_BAD_DEF);
    CHECK_SAYS(error.text, "wall loads: not made by scree_default_fields_def");
    CHECK_EQUAL(write_loads(&grid, 4, loads, 2, &error), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(write_loads(&grid, 3, loads, 0, &error), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(write_loads(&grid, 3, loads, 3, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "wall loads: 3 in 3 dimensions for 2 x 1 x 1 cells");
    CHECK_EQUAL(scree_export_wall_loads(&grid, 3, 0, loads, 2, "no/such/loads.vti", &error),
                SCREE_IO_ERROR);
    CHECK_SAYS(error.text, "no/such/loads.vti");
    end_folder();
}

TEST(walls_as_vtp_have_them)
{
    begin_folder();
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scree_world *world = make_scene(dimensions, NULL);
        scree_wall_id ids[8];
        size_t walls = scree_world_walls(world, ids, 8), row = 0;
        CHECK_EQUAL(scree_export(world, SCREE_EXPORT_VTP_WALLS, path, NULL, NULL), SCREE_OK);
        vtp_file file = vtp_read(path);
        double pushed = 0;
        for (size_t cells = dimensions == 2 ? file.lines : file.polys; row < cells;) {
            uint64_t number = vtp_whole(vtp_find(&file, "CellData", "wall"), row);
            scree_facet_load loads[64];
            scree_wall wall;
            size_t w = 0;
            while (w < walls && ids[w].index1 != number)
                w++;
            CHECK(w < walls);
            CHECK_EQUAL(scree_world_get_wall(world, ids[w], &wall), SCREE_OK);
            size_t count = wall.mesh ? scree_mesh_describe(wall.mesh).facet_count : 1;
            size_t shown = wall.mesh ? count : dimensions == 2 ? 1 : 2;
            loads_of(world, ids[w], loads, count);
            for (size_t c = 0; c < shown; c++, row++) {
                const scree_facet_load *load = &loads[wall.mesh ? c : 0];
                double *force = vtp_reals(vtp_find(&file, "CellData", "force"), row);
                CHECK(*vtp_reals(vtp_find(&file, "CellData", "pressure"), row) == load->pressure);
                CHECK(memcmp(vtp_reals(vtp_find(&file, "CellData", "shear"), row), load->shear,
                             24) == 0);
                for (int k = 0; k < 3; k++)
                    CHECK(force[k] == load->force[k] / (wall.mesh ? 1.0 : (double)shown));
                pushed += load->pressure;
            }
        }
        CHECK(pushed > 0);
        vtp_free(&file);
        /* without them contacts are not read */
        const char *field = "facet";
        scree_export_def options = scree_default_export_def();
        options.fields = &field;
        options.field_count = 1;
        CHECK_EQUAL(scree_export(world, SCREE_EXPORT_VTP_WALLS, path, &options, NULL), SCREE_OK);
        file = vtp_read(path);
        CHECK_EQUAL(vtp_find(&file, "CellData", "facet")->width, 1);
        vtp_free(&file);
        scree_world_destroy(world);
    }
    end_folder();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(pressure_is_force_over_area_from_either_side),
        CASE(rows_are_sums_of_contacts),
        CASE(lines_and_planes),
        CASE(nonsense_is_refused),
        CASE(no_request_for_memory_may_fail_badly),
        CASE(grids_cut_walls_in_pieces),
        CASE(grids_have_all_forces),
        CASE(grids_cut_lines),
        CASE(grids_are_written),
        CASE(walls_as_vtp_have_them),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
