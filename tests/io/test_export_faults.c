/*  Exports: what can be chosen, what is refused, the same state gives bit-identical files, and what fails keeps the old file. */
#include "harness/export_maker.h"
#include "harness/failing_allocator.h"
#include "io/export_stl.h"
#include "scree/cell.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* ---- options ---- */

TEST(fields_can_be_chosen)
{
    static const char *const chosen[] = {"velocity", "radius"};
    static const struct
    {
        scree_export_format format;
        const char *has, *lacks;
    } expected[] = {
        {SCREE_EXPORT_CSV, "x,y,z,radius,vx,vy,vz\n", "serial"},
        {SCREE_EXPORT_LAMMPS, "ITEM: ATOMS id type x y z radius vx vy vz\n", "mass"},
        {SCREE_EXPORT_VTP_BODIES, "Name=\"velocity\"", "Name=\"spin\""},
    };
    scree_export_def options = scree_default_export_def();
    begin_folder();
    scree_world *world = make_scene(3, NULL);
    options.fields = chosen;
    options.field_count = 2;
    for (size_t i = 0; i < SCREE_COUNT_OF(expected); i++) {
        export_to(world, expected[i].format, &options);
        char *text = read_text(path);
        CHECK_SAYS(text, expected[i].has);
        CHECK(strstr(text, expected[i].lacks) == NULL);
        free(text);
    }
    options.field_count = 0; /* none: positions alone */
    export_to(world, SCREE_EXPORT_CSV, &options);
    char *text = read_text(path);
    CHECK(strncmp(text, "x,y,z\n", 6) == 0);
    free(text);
    export_to(world, SCREE_EXPORT_VTP_CONTACTS, &options);
    export_to(world, SCREE_EXPORT_VTP_WALLS, &options);
    text = read_text(path);
    CHECK(strstr(text, "CellData") == NULL);
    free(text);
    scree_world_destroy(world);
    end_folder();
}

TEST(what_makes_no_sense_is_refused)
{
    static const char *const names[] = {"vtp", "contacts", "walls",      "lammps", "csv",
                                        "stl", "solids",   "solids-stl", "pebbles"};
    const char *field = "velocty";
    scree_export_def options = scree_default_export_def();
    scree_error error;
    begin_folder();
    scree_world *world = make_scene(3, NULL);
    for (int f = 0; f < SCREE_EXPORT_FORMATS; f++) {
        CHECK_TEXT(scree_export_format_name((scree_export_format)f), names[f]);
        CHECK(scree_export_suffix((scree_export_format)f)[0] == '.');
    }
    CHECK(scree_export_format_name(SCREE_EXPORT_FORMATS) == NULL);
    CHECK(scree_export_suffix((scree_export_format)-1) == NULL);
    CHECK_TEXT(scree_export_field_name(SCREE_EXPORT_CSV, 0), "serial");
    CHECK_TEXT(scree_export_field_name(SCREE_EXPORT_VTP_CONTACTS, 8), "rule");
    CHECK_TEXT(scree_export_field_name(SCREE_EXPORT_VTP_WALLS, 4), "pressure");
    CHECK(scree_export_field_name(SCREE_EXPORT_VTP_WALLS, 8) == NULL);
    CHECK(scree_export_field_name(SCREE_EXPORT_VTP_WALLS, 999) == NULL);
    CHECK(scree_export_field_name(SCREE_EXPORT_STL, 0) == NULL);
    CHECK(scree_export_field_name(SCREE_EXPORT_FORMATS, 0) == NULL);

    CHECK(scree_export(NULL, SCREE_EXPORT_CSV, path, NULL, &error) == SCREE_BAD_ARGUMENT);
    CHECK(scree_export(world, SCREE_EXPORT_CSV, NULL, NULL, &error) == SCREE_BAD_ARGUMENT);
    CHECK(scree_export(world, SCREE_EXPORT_FORMATS, path, NULL, &error) == SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "there is no format 9");
    options.fields = &field;
    options.field_count = 1;
    CHECK(scree_export(world, SCREE_EXPORT_CSV, path, &options, &error) == SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "csv has no field \"velocty\"; did you mean \"velocity\"?");
    CHECK(scree_export(world, SCREE_EXPORT_STL, path, &options, &error) == SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "stl has no field \"velocty\"");
    field = "zzzzzzzz";
    CHECK(scree_export(world, SCREE_EXPORT_CSV, path, &options, &error) == SCREE_BAD_ARGUMENT);
    CHECK(strstr(error.text, "did you mean") == NULL);
    field = NULL;
    CHECK(scree_export(world, SCREE_EXPORT_CSV, path, &options, &error) == SCREE_BAD_ARGUMENT);
    options.cookie = 0;
    CHECK(scree_export(world, SCREE_EXPORT_CSV, path, &options, &error) == SCREE_BAD_DEF);
    CHECK(access(path, F_OK) != 0);
    scree_world_destroy(world);
    end_folder();
}

/*  No bodies, no contacts, no walls: files that say so. */
TEST(empty_worlds)
{
    scree_world_def def = scree_default_world_def();
    scree_wall_def floor = scree_default_wall_def();
    begin_folder();
    def.step.dt = 1e-3;
    scree_world *world = make_world(&def, NULL);
    static const scree_export_format of_vtk[] = {SCREE_EXPORT_VTP_BODIES, SCREE_EXPORT_VTP_CONTACTS,
                                                 SCREE_EXPORT_VTP_WALLS, SCREE_EXPORT_VTP_SOLIDS,
                                                 SCREE_EXPORT_VTP_PEBBLES};
    for (int f = 0; f < 5; f++) {
        export_to(world, of_vtk[f], NULL);
        vtp_file file = vtp_read(path);
        CHECK_EQUAL(file.points + file.verts + file.lines + file.polys, 0);
        vtp_free(&file);
    }
    export_to(world, SCREE_EXPORT_LAMMPS, NULL);
    char *text = read_text(path);
    CHECK_SAYS(text, "BOX BOUNDS ff ff ff\n-0.5 0.5\n-0.5 0.5\n-0.5 0.5\n");
    free(text);
    /* planes in all directions have corners on them, and a size */
    static const double normals[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 2, 3}, {-3, 2, 1}};
    floor.material.index1 = 1;
    for (size_t i = 0; i < SCREE_COUNT_OF(normals); i++) {
        memcpy(floor.normal, normals[i], sizeof floor.normal);
        CHECK(scree_world_add_wall(world, &floor, NULL) == SCREE_OK);
    }
    export_to(world, SCREE_EXPORT_VTP_WALLS, NULL);
    vtp_file file = vtp_read(path);
    CHECK_EQUAL(file.polys, 10);
    for (size_t v = 0; v < 20; v++) {
        const double *p = vtp_reals(vtp_find(&file, "Points", "Points"), v), *n = normals[v / 4];
        CHECK_NEAR(p[0] * n[0] + p[1] * n[1] + p[2] * n[2], 0, 1e-14);
        CHECK_NEAR(p[0] * p[0] + p[1] * p[1] + p[2] * p[2], 2, 1e-14);
    }
    vtp_free(&file);
    scree_world_destroy(world);
    end_folder();
}

/*  LAMMPS wants the box around the corners of a tilted cell. */
TEST(boxes_of_tilted_cells)
{
    scree_world_def def = scree_default_world_def();
    begin_folder();
    def.step.dt = 1e-3;
    for (int k = 0; k < 3; k++) {
        def.domain.boundary[k] = SCREE_BOUNDARY_PERIODIC;
        def.domain.upper[k] = 8;
    }
    scree_world *world = make_world(&def, NULL);
    scree_cell_def cell;
    CHECK(scree_world_get_cell(world, &cell) == SCREE_OK);
    cell.tilt[0] = 1;
    cell.tilt[1] = -0.5;
    cell.tilt[2] = -2;
    CHECK(scree_world_set_cell(world, &cell) == SCREE_OK);
    export_to(world, SCREE_EXPORT_LAMMPS, NULL);
    char *text = read_text(path);
    CHECK_SAYS(text, "BOX BOUNDS xy xz yz pp pp pp\n-0.5 9 1\n-2 8 -0.5\n0 8 -2\n");
    free(text);
    scree_world_destroy(world);
    end_folder();
}

/*  Files of triangles have a number of 32 bits. */
TEST(as_many_triangles_as_a_file_has)
{
    scree_error error = {SCREE_OK, ""};

    CHECK_EQUAL(scree_stl_check_count(UINT32_MAX, "none", "a.stl", &error), SCREE_OK);
    CHECK_EQUAL(scree_stl_check_count((size_t)UINT32_MAX + 1, "none", "a.stl", &error),
                SCREE_TOO_LARGE);
    CHECK_TEXT(error.text, "a.stl: stl: 4294967296 triangles, at most 4294967295");
    CHECK_EQUAL(scree_stl_check_count(0, "there are none", "a.stl", &error), SCREE_BAD_ARGUMENT);
    CHECK_TEXT(error.text, "a.stl: stl: there are none");
}

TEST(series)
{
    static const char *const files[] = {"a_0.vtp", "b<&>\"c\".vtp"};
    double times[] = {0, 0.1};
    scree_error error = {SCREE_OK, ""};
    begin_folder();
    CHECK(scree_export_series(path, files, times, 2, &error) == SCREE_OK);
    char *text = read_text(path);
    CHECK_TEXT(text, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n"
                     "<Collection>\n<DataSet timestep=\"0\" part=\"0\" file=\"a_0.vtp\"/>\n"
                     "<DataSet timestep=\"0.1\" part=\"0\" "
                     "file=\"b&lt;&amp;>&quot;c&quot;.vtp\"/>\n</Collection>\n</VTKFile>\n");
    free(text);
    CHECK(scree_export_series(path, NULL, NULL, 0, &error) == SCREE_OK);
    CHECK(scree_export_series(NULL, files, times, 2, &error) == SCREE_BAD_ARGUMENT);
    CHECK(scree_export_series(path, NULL, times, 2, &error) == SCREE_BAD_ARGUMENT);
    CHECK(scree_export_series(path, files, NULL, 2, &error) == SCREE_BAD_ARGUMENT);
    CHECK(scree_export_series("/nonexistent/a", files, times, 2, &error) == SCREE_IO_ERROR);
    times[1] = (double)NAN;
    CHECK(scree_export_series(path, files, times, 2, &error) == SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "time 1 is nan");
    const char *none[] = {NULL};
    CHECK(scree_export_series(path, none, times, 1, &error) == SCREE_BAD_ARGUMENT);
    end_folder();
}

/* ---- bit-identical files, and faults ---- */

static void check_same_file(const char *a, const char *b)
{
    FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
    int c, d;
    CHECK(x && y);
    do {
        c = fgetc(x);
        d = fgetc(y);
        CHECK_EQUAL(c, d);
    } while (c != EOF);
    fclose(x);
    fclose(y);
}

/*  A copy of the world has its bodies in other places of memory. */
TEST(the_same_state_gives_the_same_output)
{
    scree_world_def hooks = scree_default_world_def();
    scree_world *world = make_scene(3, NULL), *copy;
    char other[80];
    begin_folder();
    add_stones(world);
    snprintf(other, sizeof other, "%s.2", path);
    hooks.step.dt = 1;
    CHECK(scree_world_copy(world, &hooks, &copy) == SCREE_OK);
    scree_body_def extra = ball(0.1, 0, 50, 0);
    scree_body_id id = add(copy, &extra);
    CHECK(scree_world_remove_body(copy, id) == SCREE_OK);
    for (int f = 0; f < SCREE_EXPORT_FORMATS; f++) {
        scree_error error = {SCREE_OK, ""};
        export_to(world, (scree_export_format)f, NULL);
        CHECK(scree_export(copy, (scree_export_format)f, other, NULL, &error) == SCREE_OK);
        check_same_file(path, other);
    }
    unlink(other);
    scree_world_destroy(copy);
    scree_world_destroy(world);
    end_folder();
}

/*  Each request for memory fails once. */
static void export_without_memory(scree_world *world, scree_export_format format,
                                  const scree_export_def *options, failing_allocator *memory)
{
    scree_error error;

    for (size_t k = 1;; k++) {
        size_t bytes = memory->live_bytes;
        FILE *old = fopen(path, "wb");
        CHECK(old && fputs("old", old) >= 0 && fclose(old) == 0);
        memory->requests = 0;
        memory->fail_at = k;
        scree_status status = scree_export(world, format, path, options, &error);
        memory->fail_at = 0;
        if (status == SCREE_OK && memory->requests < k)
            break;
        CHECK_EQUAL(status, SCREE_OUT_OF_MEMORY);
        CHECK_SAYS(error.text, "memory");
        char *text = read_text(path);
        CHECK_TEXT(text, "old");
        free(text);
        /* the world may keep a longer list of contacts */
        CHECK(format == SCREE_EXPORT_VTP_CONTACTS || memory->live_bytes == bytes);
    }
}

TEST(running_out_of_memory_keeps_the_old_file)
{
    static const char *const chosen[] = {"chain"};
    failing_allocator memory = {0};
    scree_allocator hooks = failing_allocator_hooks(&memory);
    scree_export_def chains = scree_default_export_def();
    begin_folder();
    scree_world *world = make_scene(3, &hooks);
    add_stones(world);
    for (int f = 0; f < SCREE_EXPORT_FORMATS; f++)
        export_without_memory(world, (scree_export_format)f, NULL, &memory);
    chains.fields = chosen;
    chains.field_count = 1;
    export_without_memory(world, SCREE_EXPORT_CSV, &chains, &memory);
    scree_world_destroy(world);
    CHECK(failing_allocator_is_clean(&memory));
    end_folder();
}

/*  A full disk, as a limit on the length of files: the old file stays, and no temporary one. In a process of its
    own, as limits stay. */
TEST(a_full_disk_keeps_the_old_file)
{
    begin_folder();
    scree_world *world = make_scene(3, NULL);
    add_stones(world);
    for (int f = 0; f < SCREE_EXPORT_FORMATS; f++) {
        FILE *old = fopen(path, "wb");
        int result;
        CHECK(old && fputs("old", old) >= 0 && fclose(old) == 0);
        pid_t child = fork();
        if (child == 0) {
            struct rlimit limit = {100, 100};
            scree_error error = {SCREE_OK, ""};
            signal(SIGXFSZ, SIG_IGN);
            setrlimit(RLIMIT_FSIZE, &limit);
            _exit(scree_export(world, (scree_export_format)f, path, NULL, &error) ==
                              SCREE_IO_ERROR &&
                          strstr(error.text, path) != NULL
                      ? 0
                      : 1);
        }
        CHECK(child > 0 && waitpid(child, &result, 0) == child);
        CHECK_EQUAL(result, 0);
        char *text = read_text(path);
        CHECK_TEXT(text, "old");
        free(text);
    }
    scree_error error;
    CHECK(scree_export(world, SCREE_EXPORT_CSV, "/nonexistent/a.csv", NULL, &error) ==
          SCREE_IO_ERROR);
    CHECK_SAYS(error.text, "/nonexistent/a.csv");
    scree_world_destroy(world);
    end_folder();
}

TEST(walls_too_far_for_floats)
{
    double v[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    scree_world_def def = scree_default_world_def();
    scree_wall_def wall = scree_default_wall_def();
    scree_mesh_def mesh_def = scree_default_mesh_def();
    scree_mesh *mesh;
    scree_error error;
    begin_folder();
    mesh_def.vertices = v;
    mesh_def.vertex_count = 3;
    mesh_def.facet_count = 1;
    CHECK(scree_mesh_create(&mesh_def, &mesh) == SCREE_OK);
    def.step.dt = 1e-3;
    scree_world *world = make_world(&def, NULL);
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = mesh;
    wall.material.index1 = 1;
    wall.path.velocity[0] = 1e48; /* where it is after a step no float tells */
    CHECK(scree_world_add_wall(world, &wall, NULL) == SCREE_OK);
    CHECK(scree_world_step(world, 1) == SCREE_OK);
    CHECK(scree_export(world, SCREE_EXPORT_STL, path, NULL, &error) == SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "triangle 0: x is 1e+45, too large for STL's floats");
    scree_mesh_destroy(mesh);
    scree_world_destroy(world);
    end_folder();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(fields_can_be_chosen),
        CASE(what_makes_no_sense_is_refused),
        CASE(empty_worlds),
        CASE(boxes_of_tilted_cells),
        CASE(as_many_triangles_as_a_file_has),
        CASE(series),
        CASE(the_same_state_gives_the_same_output),
        CASE(running_out_of_memory_keeps_the_old_file),
        CASE(a_full_disk_keeps_the_old_file),
        CASE(walls_too_far_for_floats),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
