/*  Exports, read again by readers of our own that know nothing of the writers: what comes back equals the world,
    number for number. */
#include "harness/export_maker.h"

#include "base/quaternion.h"
#include "scree/wear.h"

/*  Bodies by global id, as the world tells them one by one. */
static size_t sorted_bodies(scree_world *world, scree_body *bodies)
{
    scree_bodies_view view = scree_world_bodies(world);
    uint64_t last = 0;
    for (size_t n = 0; n < view.count; n++) {
        size_t next = SIZE_MAX;
        for (size_t i = 0; i < view.count; i++)
            if (scree_uint64_at(view.serial, i) > last &&
                (next == SIZE_MAX ||
                 scree_uint64_at(view.serial, i) < scree_uint64_at(view.serial, next)))
                next = i;
        CHECK(scree_world_get_body(world, scree_body_id_at(view.id, next), &bodies[n]) == SCREE_OK);
        last = scree_uint64_at(view.serial, next);
    }
    return view.count;
}

TEST(bodies_as_vtp)
{
    static const struct
    {
        const char *name;
        int width;
        size_t offset;
        bool whole;
    } fields[] = {
        {"serial", 1, offsetof(scree_body, serial), true},
        {"user", 1, offsetof(scree_body, user), true},
        {"mass", 1, offsetof(scree_body, mass), false},
        {"radius", 1, offsetof(scree_body, shape.radius), false},
        {"velocity", 3, offsetof(scree_body, velocity), false},
        {"spin", 3, offsetof(scree_body, spin), false},
        {"orientation", 4, offsetof(scree_body, orientation), false},
        {"force", 3, offsetof(scree_body, force), false},
        {"torque", 3, offsetof(scree_body, torque), false},
        {"Points", 3, offsetof(scree_body, position), false},
    };
    begin_folder();
    scree_world *world = make_scene(3, NULL);
    scree_body bodies[40];
    size_t count = sorted_bodies(world, bodies);
    CHECK_EQUAL(count, 35);
    export_to(world, SCREE_EXPORT_VTP_BODIES, NULL);
    vtp_file file = vtp_read(path);
    CHECK_EQUAL(file.points, count);
    CHECK_EQUAL(file.verts, count);
    CHECK_EQUAL(file.lines + file.polys, 0);
    CHECK(file.time == scree_world_clock(world).time);
    for (size_t f = 0; f < SCREE_COUNT_OF(fields); f++) {
        const vtp_array *array = vtp_find(&file, NULL, fields[f].name);
        CHECK_EQUAL(array->width, fields[f].width);
        CHECK_TEXT(array->type, fields[f].whole ? "UInt64" : "Float64");
        for (size_t i = 0; i < count; i++)
            CHECK(memcmp(array->data + 8 * (size_t)array->width * i,
                         (const char *)&bodies[i] + fields[f].offset,
                         8 * (size_t)array->width) == 0);
    }
    for (size_t i = 0; i < count; i++) {
        CHECK_EQUAL(vtp_whole(vtp_find(&file, "PointData", "id"), i), bodies[i].id.index1);
        CHECK_EQUAL(vtp_whole(vtp_find(&file, "PointData", "material"), i), 1);
        CHECK_EQUAL(vtp_whole(vtp_find(&file, "Verts", "connectivity"), i), i);
        CHECK_EQUAL(vtp_whole(vtp_find(&file, "Verts", "offsets"), i), i + 1);
    }
    vtp_free(&file);
    scree_world_destroy(world);
    end_folder();
}

TEST(contacts_as_vtp)
{
    begin_folder();
    scree_world *world = make_scene(3, NULL);
    const scree_contact *contact;
    size_t count, of_walls = 0;
    export_to(world, SCREE_EXPORT_VTP_CONTACTS, NULL);
    CHECK(scree_world_contacts(world, NULL, &contact, &count) == SCREE_OK);
    CHECK(count > 20);
    vtp_file file = vtp_read(path);
    CHECK_EQUAL(file.lines, count);
    CHECK_EQUAL(file.points, 2 * count);
    for (size_t c = 0; c < count; c++) {
        const double *force = contact[c].force, *n = contact[c].normal;
        double *end[2], *written = vtp_reals(vtp_find(&file, "CellData", "force"), c);
        scree_body first = body_of(world, contact[c].first);
        double normal = -(force[0] * n[0] + force[1] * n[1] + force[2] * n[2]), along = 0;
        CHECK(memcmp(written, force, 24) == 0);
        CHECK(*vtp_reals(vtp_find(&file, "CellData", "overlap"), c) == contact[c].overlap);
        CHECK_NEAR(*vtp_reals(vtp_find(&file, "CellData", "normal_force"), c), normal, 1e-9);
        for (int k = 0; k < 3; k++)
            along += (force[k] + normal * n[k]) * (force[k] + normal * n[k]);
        CHECK_NEAR(*vtp_reals(vtp_find(&file, "CellData", "tangential_force"), c), sqrt(along),
                   1e-9);
        CHECK_EQUAL(vtp_whole(vtp_find(&file, "CellData", "first"), c), first.serial);
        CHECK_EQUAL(vtp_whole(vtp_find(&file, "CellData", "facet"), c), contact[c].facet);
        CHECK_EQUAL(vtp_whole(vtp_find(&file, "CellData", "rule"), c), contact[c].rule);
        CHECK_EQUAL(vtp_whole(vtp_find(&file, "CellData", "wall"), c), contact[c].wall.index1);
        CHECK_EQUAL(vtp_whole(vtp_find(&file, "Lines", "offsets"), c), 2 * c + 2);
        for (size_t e = 0; e < 2; e++) {
            CHECK_EQUAL(vtp_whole(vtp_find(&file, "Lines", "connectivity"), 2 * c + e), 2 * c + e);
            end[e] = vtp_reals(vtp_find(&file, "Points", "Points"), 2 * c + e);
        }
        CHECK(memcmp(end[0], first.position, 24) == 0);
        if (!contact[c].second.index1) {
            CHECK(memcmp(end[1], contact[c].point, 24) == 0);
            CHECK_EQUAL(vtp_whole(vtp_find(&file, "CellData", "second"), c), 0);
            of_walls++;
            continue;
        }
        /* to the partner, or to its image one period on */
        scree_body second = body_of(world, contact[c].second);
        CHECK_EQUAL(vtp_whole(vtp_find(&file, "CellData", "second"), c), second.serial);
        double gap = fabs(end[1][0] - second.position[0]);
        CHECK(gap < 1e-12 || fabs(gap - 10.25) < 1e-12);
        CHECK_NEAR(end[1][1], second.position[1], 1e-12);
        CHECK_NEAR(end[1][2], second.position[2], 1e-12);
    }
    CHECK(of_walls > 0 && of_walls < count);
    vtp_free(&file);
    scree_world_destroy(world);
    end_folder();
}

/*  Two stones, and a ball on one of them: lines end in centres, of the stones across the boundary in that of the image. */
TEST(contacts_of_triangles_as_vtp)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def glass = scree_default_material_def();
    scree_globe_def globe = scree_default_globe_def();
    const double x[3] = {0.9, -0.9, 0.9}, z[3] = {0, 0.02, 0.16};
    scree_material_id material;
    const scree_contact *contact;
    scree_world *world;
    scree_mesh *mesh;
    size_t count;

    begin_folder();
    def.step.dt = 1e-6;
    def.domain.boundary[0] = SCREE_BOUNDARY_PERIODIC;
    def.domain.lower[0] = -1;
    def.domain.upper[0] = 1;
    CHECK(scree_world_create(&def, &world) == SCREE_OK);
    CHECK(scree_world_add_material(world, &glass, &material) == SCREE_OK);
    globe.facets = 80;
    globe.radius = 0.1;
    CHECK(scree_mesh_globe(&globe, &mesh) == SCREE_OK);
    for (int i = 0; i < 3; i++) {
        scree_body_def body = scree_default_body_def();
        body.shape = i < 2 ? scree_shape_mesh(mesh, 0.02) : scree_shape_sphere(0.05);
        body.material = material;
        body.position[0] = x[i];
        body.position[2] = z[i];
        CHECK(scree_world_add_body(world, &body, NULL) == SCREE_OK);
    }
    scree_mesh_destroy(mesh);
    CHECK(scree_world_step(world, 1) == SCREE_OK);
    CHECK(scree_world_contacts(world, NULL, &contact, &count) == SCREE_OK && count >= 2);
    export_to(world, SCREE_EXPORT_VTP_CONTACTS, NULL);
    vtp_file file = vtp_read(path);
    bool across = false, on_it = false;
    for (size_t c = 0; c < count; c++) {
        const double *end[2];
        bool is_stone = vtp_whole(vtp_find(&file, "CellData", "second"), c) == 2;
        for (size_t e = 0; e < 2; e++)
            end[e] = vtp_reals(vtp_find(&file, "Points", "Points"), 2 * c + e);
        CHECK_EQUAL(vtp_whole(vtp_find(&file, "CellData", "first"), c), 1);
        CHECK_NEAR(end[0][0], x[0], 1e-6);
        CHECK_NEAR(end[0][2], z[0], 1e-6);
        CHECK_NEAR(end[1][0], is_stone ? x[1] + 2 : x[2], 1e-6);
        CHECK_NEAR(end[1][2], is_stone ? z[1] : z[2], 1e-6);
        across |= is_stone;
        on_it |= !is_stone;
    }
    CHECK(across && on_it);
    vtp_free(&file);
    scree_world_destroy(world);
    end_folder();
}

/*  A point of a mesh wall, turned by the quaternion's matrix: not by the function that the writer uses. */
static void place(const scree_wall *wall, const double v[3], double p[3])
{
    const double *q = wall->orientation;
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                      {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                      {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int k = 0; k < 3; k++)
        p[k] = m[k][0] * v[0] + m[k][1] * v[1] + m[k][2] * v[2] + wall->position[k];
}

/*  Lets the wall wear for some steps. */
static scree_facet_wear *wear_mesh(scree_world *world, scree_wall_id id)
{
    scree_wall wall;
    scree_wear_def wear = scree_default_wear_def();
    bool is_worn = false;

    CHECK_EQUAL(scree_world_get_wall(world, id, &wall), SCREE_OK);
    const size_t facets = scree_mesh_describe(wall.mesh).facet_count;
    scree_facet_wear *worn = malloc(facets * sizeof *worn);
    wear.coefficient = 1;
    CHECK_EQUAL(scree_world_set_wear(world, id, &wear), SCREE_OK);
    CHECK_EQUAL(scree_world_step(world, 3), SCREE_OK);
    CHECK_EQUAL(scree_world_wear(world, id, worn, facets), SCREE_OK);
    for (size_t f = 0; f < facets; f++)
        is_worn |= worn[f].depth != 0;
    CHECK(is_worn);
    return worn;
}

static void check_walls(int dimensions)
{
    scree_world *world = make_scene(dimensions, NULL);
    scree_wall_id id[2];
    scree_wall plane, wall;
    CHECK_EQUAL(scree_world_walls(world, id, 2), 2);
    scree_facet_wear *worn = wear_mesh(world, id[1]);
    CHECK(scree_world_get_wall(world, id[0], &plane) == SCREE_OK);
    CHECK(scree_world_get_wall(world, id[1], &wall) == SCREE_OK);
    scree_mesh_info mesh = scree_mesh_describe(wall.mesh);
    size_t corners = (size_t)dimensions, of_plane = dimensions == 2 ? 1 : 2;
    size_t plane_points = dimensions == 2 ? 2 : 4;
    scree_wall_belt_def belt = scree_default_wall_belt_def();
    belt.velocity[0] = 5;
    belt.velocity[1] = 7;
    CHECK_EQUAL(scree_world_set_wall_belt(world, id[0], &belt), SCREE_OK);
    export_to(world, SCREE_EXPORT_VTP_WALLS, NULL);
    vtp_file file = vtp_read(path);
    const char *section = dimensions == 2 ? "Lines" : "Polys";
    CHECK_EQUAL(file.points, plane_points + mesh.vertex_count);
    CHECK_EQUAL(dimensions == 2 ? file.lines : file.polys, of_plane + mesh.facet_count);
    CHECK_EQUAL(dimensions == 2 ? file.polys : file.lines, 0);
    for (size_t v = 0; v < plane_points; v++) {
        const double *p = vtp_reals(vtp_find(&file, "Points", "Points"), v);
        CHECK_NEAR((p[0] - plane.position[0]) * plane.normal[0] +
                       (p[1] - plane.position[1]) * plane.normal[1] +
                       (p[2] - plane.position[2]) * plane.normal[2],
                   0, 1e-12);
    }
    for (size_t v = 0; v < mesh.vertex_count; v++) {
        const double *p = vtp_reals(vtp_find(&file, "Points", "Points"), plane_points + v);
        double wanted[3];
        place(&wall, mesh.vertices + 3 * v, wanted);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(p[k], wanted[k], 1e-14);
    }
    for (size_t f = 0; f < mesh.facet_count; f++) {
        size_t row = of_plane + f;
        double middle[3] = {0, 0, 0};
        for (size_t c = 0; c < corners; c++) {
            uint64_t corner =
                vtp_whole(vtp_find(&file, section, "connectivity"), corners * row + c);
            CHECK_EQUAL(corner, plane_points + mesh.facets[corners * f + c]);
            for (int k = 0; k < 3; k++)
                middle[k] +=
                    vtp_reals(vtp_find(&file, "Points", "Points"), corner)[k] / (double)corners;
        }
        CHECK_EQUAL(vtp_whole(vtp_find(&file, section, "offsets"), row), corners * (row + 1));
        CHECK_EQUAL(vtp_whole(vtp_find(&file, "CellData", "wall"), row), id[1].index1);
        CHECK_EQUAL(vtp_whole(vtp_find(&file, "CellData", "material"), row), 1);
        CHECK_EQUAL(vtp_whole(vtp_find(&file, "CellData", "facet"), row), f);
        /* it turns about the axis through 0 at 2 / s, and rises at 3 m/s */
        const double *v = vtp_reals(vtp_find(&file, "CellData", "velocity"), row);
        CHECK_NEAR(v[0], -2 * (middle[1] - 3 * scree_world_clock(world).time), 1e-12);
        CHECK_NEAR(v[1], 3 + 2 * middle[0], 1e-12);
        CHECK(v[2] == 0);
    }
    CHECK_EQUAL(vtp_whole(vtp_find(&file, "CellData", "wall"), 0), id[0].index1);
    const double *on_plane = vtp_reals(vtp_find(&file, "CellData", "velocity"), 0);
    const double along = 5 * plane.normal[0] + 7 * plane.normal[1];
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(on_plane[k] - plane.velocity[k], belt.velocity[k] - along * plane.normal[k],
                   1e-12);
    CHECK(vtp_reals(vtp_find(&file, "CellData", "wear"), 0)[0] == 0);
    for (size_t f = 0; f < mesh.facet_count; f++)
        CHECK(*vtp_reals(vtp_find(&file, "CellData", "wear"), of_plane + f) == worn[f].depth);
    free(worn);
    vtp_free(&file);
    scree_world_destroy(world);
}

TEST(walls_as_vtp)
{
    begin_folder();
    check_walls(3);
    check_walls(2);
    end_folder();
}

TEST(walls_as_stl)
{
    begin_folder();
    scree_world *world = make_scene(3, NULL);
    scree_mesh *again;
    scree_error error = {SCREE_OK, ""};
    scree_wall_id id[2];
    scree_wall wall;
    export_to(world, SCREE_EXPORT_STL, NULL);
    if (scree_mesh_read(path, NULL, &again, &error))
        FAIL("%s", error.text);
    scree_world_walls(world, id, 2);
    CHECK(scree_world_get_wall(world, id[1], &wall) == SCREE_OK);
    scree_mesh_info b = scree_mesh_describe(again), a = scree_mesh_describe(wall.mesh);
    CHECK_EQUAL(b.facet_count, a.facet_count);
    CHECK(b.open_edges == 0 && b.flipped_edges == 0);
    for (size_t c = 0; c < 36; c++) {
        double wanted[3];
        place(&wall, a.vertices + 3 * (size_t)a.facets[c], wanted);
        for (size_t k = 0; k < 3; k++)
            CHECK_NEAR(b.vertices[3 * (size_t)b.facets[c] + k], wanted[k], 1e-6);
    }
    scree_mesh_destroy(again);
    scree_world_destroy(world);

    world = make_scene(2, NULL);
    CHECK(scree_export(world, SCREE_EXPORT_STL, path, NULL, &error) == SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "no wall is a mesh of triangles");
    scree_world_destroy(world);
    end_folder();
}

/*  Every corner is where the body's frame puts it. */
static void check_corner(scree_world *world, const scree_body *body, size_t vertex,
                         const double *is, double tolerance)
{
    double origin[3], turn[4], wanted[3];
    scree_mesh_info info = scree_mesh_describe(body->shape.mesh);
    CHECK(scree_world_body_frame(world, body->id, origin, turn) == SCREE_OK);
    scree_quaternion_turn(turn, info.vertices + 3 * vertex, wanted);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(is[k], origin[k] + wanted[k], tolerance);
}

TEST(bodies_of_triangles_as_vtp)
{
    begin_folder();
    scree_world *world = make_scene(3, NULL);
    scree_body bodies[40];
    add_stones(world);
    size_t count = sorted_bodies(world, bodies), points = 0, triangles = 0;
    export_to(world, SCREE_EXPORT_VTP_SOLIDS, NULL);
    vtp_file file = vtp_read(path);
    const vtp_array *corners = vtp_find(&file, "Polys", "connectivity");
    for (size_t i = 0; i < count; i++) {
        const scree_body *body = &bodies[i];
        if (body->shape.kind != SCREE_SHAPE_MESH)
            continue;
        scree_mesh_info info = scree_mesh_describe(body->shape.mesh);
        for (size_t v = 0; v < info.vertex_count; v++)
            check_corner(world, body, v, vtp_reals(vtp_find(&file, "Points", "Points"), points + v),
                         1e-14);
        for (size_t f = 0; f < info.facet_count; f++) {
            size_t row = triangles + f;
            double middle[3] = {0};
            for (size_t c = 0; c < 3; c++) {
                size_t corner = vtp_whole(corners, 3 * row + c);
                CHECK_EQUAL(corner, points + info.facets[3 * f + c]);
                for (size_t k = 0; k < 3; k++)
                    middle[k] += vtp_reals(vtp_find(&file, "Points", "Points"), corner)[k] / 3;
            }
            CHECK_EQUAL(vtp_whole(vtp_find(&file, "CellData", "serial"), row), body->serial);
            CHECK_EQUAL(vtp_whole(vtp_find(&file, "CellData", "material"), row), 1);
            CHECK_EQUAL(vtp_whole(vtp_find(&file, "CellData", "user"), row), 7);
            CHECK_EQUAL(vtp_whole(vtp_find(&file, "CellData", "facet"), row), f);
            CHECK_EQUAL(vtp_whole(vtp_find(&file, "Polys", "offsets"), row), 3 * (row + 1));
            const double *velocity = vtp_reals(vtp_find(&file, "CellData", "velocity"), row);
            for (int k = 0; k < 3; k++) {
                int a = (k + 1) % 3, b = (k + 2) % 3;
                CHECK_NEAR(velocity[k],
                           body->velocity[k] + body->spin[a] * (middle[b] - body->position[b]) -
                               body->spin[b] * (middle[a] - body->position[a]),
                           1e-12);
            }
        }
        points += info.vertex_count;
        triangles += info.facet_count;
    }
    CHECK(triangles == 40 && file.points == points && file.polys == triangles);
    vtp_free(&file);
    scree_world_destroy(world);
    end_folder();
}

TEST(bodies_of_triangles_as_stl)
{
    begin_folder();
    scree_world *world = make_scene(3, NULL);
    scree_error error = {SCREE_OK, ""};
    scree_body bodies[40];
    scree_mesh *again;
    size_t row = 0;
    CHECK(scree_export(world, SCREE_EXPORT_STL_SOLIDS, path, NULL, &error) == SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "there is no mesh or block");
    add_stones(world);
    export_to(world, SCREE_EXPORT_STL_SOLIDS, NULL);
    if (scree_mesh_read(path, NULL, &again, &error))
        FAIL("%s", error.text);
    scree_mesh_info all = scree_mesh_describe(again);
    CHECK(all.facet_count == 40 && all.open_edges == 0 && all.flipped_edges == 0);
    for (size_t i = 0, count = sorted_bodies(world, bodies); i < count; i++) {
        scree_mesh_info info = {0};
        if (bodies[i].shape.kind == SCREE_SHAPE_MESH)
            info = scree_mesh_describe(bodies[i].shape.mesh);
        for (size_t f = 0; f < info.facet_count; f++, row++)
            for (size_t c = 0; c < 3; c++)
                check_corner(world, &bodies[i], info.facets[3 * f + c],
                             all.vertices + 3 * (size_t)all.facets[3 * row + c], 1e-6);
    }
    scree_mesh_destroy(again);
    /* where no float is large enough */
    scree_body_def far = ball(1, 0, 1e45, 0);
    scree_globe_def globe = scree_default_globe_def();
    CHECK(scree_mesh_globe(&globe, &again) == SCREE_OK);
    far.shape = scree_shape_mesh(again, 0.1);
    add(world, &far);
    CHECK(scree_export(world, SCREE_EXPORT_STL_SOLIDS, path, NULL, &error) == SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "triangle 40: y is 1e+45, too large for STL's floats");
    scree_mesh_destroy(again);
    scree_world_destroy(world);
    end_folder();
}

/* ---- text ---- */

/*  Columns of a body in the order of the file, by strtod. */
static void check_rows(const char *text, const char *separators, const scree_body *bodies,
                       size_t count, bool dump)
{
    char *at = strdup(text), *line = at;
    for (size_t i = 0; i < count; i++) {
        const scree_body *b = &bodies[i];
        double wanted[25], *w = wanted;
        const double *parts[] = {b->position, &b->mass,       &b->shape.radius, b->velocity,
                                 b->spin,     b->orientation, b->force,         b->torque};
        static const int widths[] = {3, 1, 1, 3, 3, 4, 3, 3};
        char *end = strchr(line, '\n');
        CHECK(end != NULL);
        *end = 0;
        *w++ = (double)b->serial;
        *w++ = dump ? 1 : (double)b->id.index1;
        if (!dump) {
            *w++ = 1;
            *w++ = (double)b->user;
        }
        for (int p = 0; p < 8; p++) {
            for (int k = 0; k < widths[p]; k++)
                *w++ = parts[p][k];
            if (p == 0 && dump) {
                *w++ = (double)b->id.index1;
                *w++ = (double)b->user;
            }
        }
        CHECK_EQUAL(w - wanted, 25);
        char *word = strtok(line, separators);
        for (int c = 0; c < 25; c++, word = strtok(NULL, separators)) {
            CHECK(word != NULL);
            if (strtod(word, NULL) != wanted[c])
                FAIL("row %zu, column %d: %s, not %.17g", i, c, word, wanted[c]);
        }
        CHECK(word == NULL);
        line = end + 1;
    }
    CHECK_TEXT(line, "");
    free(at);
}

TEST(bodies_as_csv)
{
    static const char head[] = "serial,id,material,user,x,y,z,mass,radius,vx,vy,vz,wx,wy,wz,qw,qx,"
                               "qy,qz,fx,fy,fz,tx,ty,tz\n";
    begin_folder();
    scree_world *world = make_scene(3, NULL);
    scree_body bodies[40];
    size_t count = sorted_bodies(world, bodies);
    export_to(world, SCREE_EXPORT_CSV, NULL);
    char *text = read_text(path);
    CHECK(strncmp(text, head, strlen(head)) == 0);
    check_rows(text + strlen(head), ",", bodies, count, false);
    free(text);
    scree_world_destroy(world);
    end_folder();
}

TEST(bodies_as_dump)
{
    begin_folder();
    scree_world *world = make_scene(3, NULL);
    scree_body bodies[40];
    size_t count = sorted_bodies(world, bodies);
    char head[400];
    double lower = INFINITY, upper = -INFINITY, low_z = INFINITY, high_z = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        lower = fmin(lower, bodies[i].position[1] - bodies[i].shape.radius);
        upper = fmax(upper, bodies[i].position[1] + bodies[i].shape.radius);
        low_z = fmin(low_z, bodies[i].position[2] - bodies[i].shape.radius);
        high_z = fmax(high_z, bodies[i].position[2] + bodies[i].shape.radius);
    }
    export_to(world, SCREE_EXPORT_LAMMPS, NULL);
    char *text = read_text(path), *at;
    snprintf(head, sizeof head,
             "ITEM: TIMESTEP\n3\nITEM: NUMBER OF ATOMS\n%zu\nITEM: BOX BOUNDS pp ff ff\n-5 5.25\n",
             count);
    CHECK(strncmp(text, head, strlen(head)) == 0);
    CHECK(strtod(text + strlen(head), &at) == lower && strtod(at, &at) == upper);
    CHECK(strtod(at, &at) == low_z && strtod(at, &at) == high_z);
    snprintf(head, sizeof head, "%s",
             "\nITEM: ATOMS id type x y z i_index i_user mass radius vx vy vz omegax omegay omegaz "
             "quatw quati quatj quatk fx fy fz tqx tqy tqz\n");
    CHECK(strncmp(at, head, strlen(head)) == 0);
    check_rows(at + strlen(head), " ", bodies, count, true);
    free(text);
    scree_world_destroy(world);
    end_folder();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(bodies_as_vtp),
        CASE(contacts_as_vtp),
        CASE(contacts_of_triangles_as_vtp),
        CASE(walls_as_vtp),
        CASE(walls_as_stl),
        CASE(bodies_of_triangles_as_vtp),
        CASE(bodies_of_triangles_as_stl),
        CASE(bodies_as_csv),
        CASE(bodies_as_dump),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
