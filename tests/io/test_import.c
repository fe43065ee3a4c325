/*  Bodies from files of other programs, and from what we write ourselves; files that must be refused; memory that
    runs out; and everything that may be cut off or changed in a file. */
#include "harness/failing_allocator.h"
#include "harness/world_maker.h"
#include "io/body_fields.h"
#include "io/import_list.h"
#include "io_broken.h"
#include "scree/heat.h"

#include "base/common.h"

#include <math.h>
#include <unistd.h>

#define PI 3.14159265358979323846

static scree_status read_list(const void *bytes, size_t count, scree_error *error)
{
    scree_body_list list;
    scree_status status = scree_import_bytes(bytes, count, "t", NULL, &list, error);
    CHECK((status == SCREE_OK) == (list.bodies != NULL) || list.count == 0);
    scree_body_list_free(&list);
    return status;
}

static scree_body_list import_with(const scree_import_def *def, const char *text)
{
    scree_error error = {SCREE_OK, ""};
    scree_body_list list;
    if (scree_import_bytes(text, strlen(text), "t", def, &list, &error))
        FAIL("%s", error.text);
    return list;
}

static void check_place(const scree_body_def *body, double x, double y, double z, double r)
{
    if (body->position[0] != x || body->position[1] != y || body->position[2] != z ||
        body->shape.radius != r || body->shape.kind != SCREE_SHAPE_SPHERE)
        FAIL("body at %.17g %.17g %.17g, radius %.17g", body->position[0], body->position[1],
             body->position[2], body->shape.radius);
}

/* ---- LAMMPS data ---- */

static const char data[] =
    "LAMMPS data file, 12 atoms of words\n\n3 atoms # here\n2 atom types\n0 bonds\n\n"
    "-1 1 xlo xhi\n-2 2.5 ylo yhi\n0 3e0 zlo zhi\n0 0 0 xy xz yz\n\nMasses\n\n1 1.0\n2 3\n\n"
    "Pair Coeffs # granular\n\n1 a b c\n\nAtoms # sphere\n\n30 1 0.5 2500 0.1 0.2 0.3\n"
    "10 2 1 1000 -0.1 0 0 1 0 -1 # moved\n\n20 1 2 100 1 1 1\nVelocities\n\n"
    "10 1 2 3\n20 0 0 1 4 5 6\n30 0 0 0 0 0 7\n";

TEST(lammps_data)
{
    scree_body_list list = import_with(NULL, data);
    CHECK_EQUAL(list.count, 3);
    CHECK_EQUAL(list.type_count, 2);
    CHECK(list.has_box && !list.has_step && list.frame_count == 1);
    CHECK(list.lower[0] == -1 && list.upper[1] == 2.5 && list.upper[2] == 3);
    check_place(&list.bodies[0], -0.1, 0, 0, 0.5);
    check_place(&list.bodies[1], 1, 1, 1, 1);
    check_place(&list.bodies[2], 0.1, 0.2, 0.3, 0.25);
    CHECK(list.types[0] == 2 && list.types[1] == 1 && list.types[2] == 1);
    CHECK(list.bodies[0].user == 10 && list.bodies[0].serial == 0);
    CHECK(list.bodies[0].velocity[2] == 3 && list.bodies[0].spin[2] == 0);
    CHECK(list.bodies[1].velocity[2] == 1 && list.bodies[1].spin[1] == 5);
    CHECK(list.bodies[2].spin[2] == 7);
    CHECK_NEAR(list.bodies[0].mass, 1000 * 4 / 3.0 * PI * 0.125, 1e-10);
    CHECK(list.bodies[0].material.index1 == 0);
    scree_body_list_free(&list);
}

TEST(types_become_materials)
{
    scree_material_id materials[2] = {{7}, {9}};
    scree_import_def def = scree_default_import_def();
    scree_error error;
    def.materials = materials;
    def.material_count = 2;
    def.keep_serials = true;
    scree_body_list list = import_with(&def, data);
    CHECK(list.bodies[0].material.index1 == 9 && list.bodies[1].material.index1 == 7);
    CHECK(list.bodies[0].serial == 10 && list.bodies[2].serial == 30);
    scree_body_list_free(&list);
    def.material_count = 1;
    CHECK(scree_import_bytes(data, strlen(data), "t", &def, &list, &error) == SCREE_BAD_FILE);
    CHECK_SAYS(error.text, "t:24: type: 2, but only 1 materials were given");
    CHECK(scree_import_bytes("1 2 3 4\n", 8, "t", &def, &list, &error) == SCREE_BAD_FILE);
    CHECK_SAYS(error.text, "no column id to keep as global ids");
}

/* ---- LAMMPS dumps ---- */

#define FRAME(step, count)                                                                         \
    "ITEM: TIMESTEP\n" step "\nITEM: NUMBER OF ATOMS\n" count                                      \
    "\nITEM: BOX BOUNDS pp ff ff\n0 2\n0 4\n-1 1\n"

TEST(lammps_dumps)
{
    const char dump[] = FRAME("0", "1") "ITEM: ATOMS id type x y z radius\n1 1 9 9 9 9\n" FRAME(
        "100",
        "2") "ITEM: ATOMS id type xs ys zs vx vy vz diameter c_1[2] f_a omegax omegay omegaz quatw "
             "quati quatj quatk mass\n"
             "5 3 0.5 0.25 0.75 1 2 3 0.5 abc 7 4 5 6 0 2 0 0 1.5\n2 1 0 1 0 0 0 0 1 - - 0 0 0 1 0 "
             "0 0 2\n" FRAME("200", "1") "ITEM: ATOMS x y z xu yu zu radius\n1 2 3 4 5 6 .5\n";
    scree_import_def def = scree_default_import_def();
    scree_body_list list = import_with(NULL, dump);
    scree_error error;
    CHECK(list.count == 1 && list.frame_count == 3 && list.has_step && list.step == 200);
    check_place(&list.bodies[0], 4, 5, 6, 0.5);
    CHECK(list.bodies[0].user == 0 && list.types[0] == 1);
    scree_body_list_free(&list);
    for (int i = 0; i < 2; i++) {
        def.frame = i ? 1 : -2;
        list = import_with(&def, dump);
        CHECK(list.count == 2 && list.step == 100 && list.type_count == 3);
        CHECK(list.has_box && list.lower[2] == -1 && list.upper[1] == 4);
        check_place(&list.bodies[0], 0, 4, -1, 0.5);
        check_place(&list.bodies[1], 1, 1, 0.5, 0.25);
        CHECK(list.bodies[1].velocity[1] == 2 && list.bodies[1].spin[2] == 6);
        CHECK(list.bodies[1].orientation[0] == 0 && list.bodies[1].orientation[1] == 1);
        CHECK(list.bodies[1].mass == 1.5 && list.types[1] == 3);
        scree_body_list_free(&list);
    }
    for (int frame = 3; frame > -5; frame -= 7) {
        def.frame = frame;
        CHECK(scree_import_bytes(dump, strlen(dump), "t", &def, &list, &error) ==
              SCREE_BAD_ARGUMENT);
        CHECK_SAYS(error.text, "the file has 3");
    }
    const char more[] = "ITEM: UNITS\nsi\nITEM: TIME\n0.5\nITEM: TIMESTEP\n-5\nITEM: BOX BOUNDS xy "
                        "xz yz pp pp pp\n0 1 0.5\n0 1 0\n0 1 0\n"
                        "ITEM: NUMBER OF ATOMS\n0\nITEM: ATOMS id x y z radius\n";
    def.frame = 0;
    list = import_with(&def, more);
    CHECK(list.count == 0 && !list.has_box && list.step == -5);
    scree_body_list_free(&list);
}

/* ---- Yade, CSV ---- */

TEST(yade)
{
    scree_body_list list = import_with(NULL, "#format x_y_z_r\n1 2 3 0.5\n\n4\t5\t6\t1e0\n");
    CHECK_EQUAL(list.count, 2);
    check_place(&list.bodies[1], 4, 5, 6, 1);
    scree_body_list_free(&list);
    list = import_with(NULL, "# made by hand\n1 2 3 0.5 6\n4 5 6 1 1\n");
    CHECK_EQUAL(list.count, 2);
    CHECK(list.bodies[0].groups == 6 && list.bodies[0].mask == 6 && list.bodies[1].groups == 1);
    scree_body_list_free(&list);
    list = import_with(NULL, "#format id_x_y_z_r_matId\n1 1 2 3 0.5 0\n0 4 5 6 1 2\n");
    CHECK(list.types[0] == 3 && list.types[1] == 1 && list.bodies[0].user == 1);
    check_place(&list.bodies[0], 4, 5, 6, 1);
    scree_body_list_free(&list);
    scree_import_def def = scree_default_import_def();
    def.format = SCREE_IMPORT_YADE;
    list = import_with(&def, "1 2 3 0.5");
    check_place(&list.bodies[0], 1, 2, 3, 0.5);
    scree_body_list_free(&list);
}

TEST(csv)
{
    scree_import_def def = scree_default_import_def();
    scree_body_list list =
        import_with(NULL, "\xef\xbb\xbf# a comment\nx,y,r\n1,2,0.5\n\"3\", 4 ,1\n");
    CHECK_EQUAL(list.count, 2);
    check_place(&list.bodies[1], 3, 4, 0, 1);
    scree_body_list_free(&list);
    list = import_with(NULL, "1,2,0.5\n");
    check_place(&list.bodies[0], 1, 2, 0, 0.5);
    scree_body_list_free(&list);
    list = import_with(NULL, "1;2;3;0.5\n");
    check_place(&list.bodies[0], 1, 2, 3, 0.5);
    scree_body_list_free(&list);
    list = import_with(NULL, "x y z radius density\n1 2 3 0.5 8\n");
    CHECK_NEAR(list.bodies[0].mass, 8 * 4 / 3.0 * PI / 8, 1e-12);
    scree_body_list_free(&list);
    def.radius = 0.125;
    list = import_with(&def, "z\ty\tx\n1\t2\t3\n");
    check_place(&list.bodies[0], 3, 2, 1, 0.125);
    scree_body_list_free(&list);
    def.ignore_columns = true;
    list = import_with(&def, "x,y,z,colour\n1,2,3,red\n");
    check_place(&list.bodies[0], 1, 2, 3, 0.125);
    scree_body_list_free(&list);
}

/*  What scree writes, scree reads: the same numbers. */
TEST(our_own_files_come_back)
{
    char path[] = "/tmp/scree_import_XXXXXX";
    scree_world_def def = scree_default_world_def();
    scree_import_def import = scree_default_import_def();
    scree_material_id material = {1};
    scree_error error = {SCREE_OK, ""};
    int descriptor = mkstemp(path);
    CHECK(descriptor >= 0 && close(descriptor) == 0);
    def.step.dt = 1e-3;
    scree_world *world = make_world(&def, NULL), *again;
    for (int i = 0; i < 30; i++) {
        scree_body_def grain = ball(0.1 + i / 97.0, i / 3.0, i / 7.0, -i / 11.0);
        grain.velocity[0] = i / 13.0;
        grain.spin[1] = -i / 17.0;
        grain.orientation[2] = i / 19.0;
        scree_body_id id = add(world, &grain);
        if (i % 5 == 4)
            CHECK(scree_world_remove_body(world, id) == SCREE_OK);
    }
    import.materials = &material;
    import.material_count = 1;
    import.keep_serials = true;
    for (int f = 0; f < 2; f++) {
        scree_body_list list;
        scree_export_format format = f ? SCREE_EXPORT_LAMMPS : SCREE_EXPORT_CSV;
        CHECK(scree_export(world, format, path, NULL, &error) == SCREE_OK);
        if (scree_import_bodies(path, &import, &list, &error))
            FAIL("%s", error.text);
        CHECK_EQUAL(list.count, scree_world_body_count(world));
        again = make_world(&def, NULL);
        CHECK(scree_world_add_bodies(again, list.bodies, list.count, NULL) == SCREE_OK);
        scree_bodies_view a = scree_world_bodies(world), b = scree_world_bodies(again);
        for (size_t i = 0; i < a.count; i++)
            for (size_t j = 0; j < b.count; j++)
                if (scree_uint64_at(a.serial, i) == scree_uint64_at(b.serial, j)) {
                    CHECK(memcmp(scree_row_at(a.position, i), scree_row_at(b.position, j), 24) ==
                          0);
                    CHECK(memcmp(scree_row_at(a.velocity, i), scree_row_at(b.velocity, j), 24) ==
                          0);
                    CHECK(scree_double_at(a.radius, i) == scree_double_at(b.radius, j));
                    CHECK(scree_double_at(a.inverse_mass, i) == scree_double_at(b.inverse_mass, j));
                    CHECK(memcmp(scree_row_at(a.spin, i), scree_row_at(b.spin, j), 24) == 0);
                    /* normalised again, which may move the last digit */
                    for (int k = 0; k < 4; k++)
                        CHECK_NEAR(scree_row_at(a.orientation, i)[k],
                                   scree_row_at(b.orientation, j)[k], 3e-16);
                }
        scree_body_list_free(&list);
        scree_world_destroy(again);
    }
    scree_world_destroy(world);
    unlink(path);
}

/*  All that a format can write, of a world that has it all. Columns of a dump that are unknown are passed over,
    so their names are looked at, too. */
TEST(every_field_is_read_again)
{
    char path[] = "/tmp/scree_import_XXXXXX";
    scree_world_def def = scree_default_world_def();
    scree_heat_def heat = scree_default_heat_def();
    scree_export_def options = scree_default_export_def();
    const char *fields[64];
    scree_error error = {SCREE_OK, ""};
    int descriptor = mkstemp(path);
    CHECK(descriptor >= 0 && close(descriptor) == 0);
    def.step.dt = 1e-3;
    scree_world *world = make_world(&def, NULL);
    for (int i = 0; i < 3; i++) {
        scree_body_def grain = ball(0.5, 0.99 * i, i, -i);
        add(world, &grain);
    }
    CHECK(scree_world_set_heat(world, &heat) == SCREE_OK);
    options.fields = fields;
    for (int f = 0; f < 2; f++) {
        scree_body_list list;
        scree_export_format format = f ? SCREE_EXPORT_LAMMPS : SCREE_EXPORT_CSV;
        for (options.field_count = 0; scree_export_field_name(format, options.field_count);)
            options.field_count++;
        for (size_t i = 0; i < options.field_count; i++)
            fields[i] = scree_export_field_name(format, i);
        if (scree_export(world, format, path, &options, &error) ||
            scree_import_bodies(path, NULL, &list, &error))
            FAIL("%s", error.text);
        CHECK_EQUAL(list.count, 3);
        for (int i = 0; i < 3; i++)
            check_place(&list.bodies[i], 0.99 * i, i, -i, 0.5);
        scree_body_list_free(&list);
    }
    scree_world_destroy(world);
    unlink(path);
}

TEST(every_column_of_an_export_is_known)
{
    for (int f = 0; f < SCREE_BODY_COLUMNS; f++) {
        const scree_body_field *field = &scree_body_fields[f];
        CHECK(field->width >= 1 && field->width <= 4);
        CHECK((field->name == NULL) == (f == SCREE_BODY_POSITION));
        for (int k = 0; k < field->width; k++)
            for (int dump = 0; dump < 2; dump++) {
                const char *name = dump ? field->dump[k] : field->csv[k];
                if (!name)
                    FAIL("field %d has no name of number %d", f, k);
                if (scree_import_column_of((scree_span){name, name + strlen(name)}) ==
                    SCREE_COLUMN_UNKNOWN)
                    FAIL("%s is not known", name);
            }
    }
}

/* ---- what must be refused ---- */

#define ATOMS_HEAD "t\n2 atoms\nAtoms\n\n"
#define DUMP_HEAD                                                                                  \
    "ITEM: TIMESTEP\n1\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS ff ff ff\n0 1\n0 1\n0 1\n"

static const broken_file files[] = {
    {"", "t:0: there is neither a header nor a row"},
    {"# nothing\n", "t:1: there is neither"},
    {"1,2\n", "t:1: there are 2 columns without names; known are 3"},
    {"1,2,3,4,5\n", "t:1: there are 5 columns without names"},
    {"x,y,z\n", "t:1: there is no column radius or diameter"},
    {"x,z,r\n", "t:1: column y is missing"},
    {"y,z,r\n", "t:1: column x is missing"},
    {"x,y,z,r,vx\n", "t:1: column vy is missing"},
    {"x,y,z,r,qw,qx,qz\n", "t:1: column qy is missing"},
    {"r,type\n", "t:1: there are no columns x, y and z"},
    {"x,y,z,raduis\n", "t:1: column \"raduis\" is not known; did you mean \"radius\"?"},
    {"x,y,z,r,nonsensical\n", "t:1: column \"nonsensical\" is not known"},
    {"x,y,z,r,radius\n", "t:1: column \"radius\": \"radius\" is given already"},
    {"x,y,z,x,r\n", "t:1: column \"x\": \"x\" is given already"},
    {"x,y,z,r\n1,2,3\n", "t:2: this line has 3 columns, must have 4"},
    {"x,y,z,r\n1,2,3,4,5\n", "t:2: \"5\" is one column too many"},
    {"x,y,z,r\n1,2,3,4,\n", "t:2: \"\" is one column too many"},
    {"x,y,z,r\n1,2,,4\n", "t:2: z: \"\" is not a number"},
    {"x,y,z,r\n1,2,3,4\n\n1,2,3,abc\n", "t:4: radius: \"abc\" is not a number"},
    {"x,y,z,r\n1,2,3,0\n", "t:2: radius: 0 must be above 0"},
    {"x,y,z,r\n1,2,3,-1\n", "t:2: radius: -1 must be above 0"},
    {"x,y,z,diameter\n1,2,3,-1\n", "t:2: diameter: -1 must be above 0"},
    {"x,y,z,r\nnan,2,3,1\n", "t:2: x: nan must be finite and at most 1e+60"},
    {"x,y,z,r\n1,1e61,3,1\n", "t:2: y: 1e61 must be finite"},
    {"x,y,z,r,mass\n1,1,3,1,0\n", "t:2: mass: 0 must be above 0"},
    {"x,y,z,r,density\n1,1,3,1,-2\n", "t:2: density: -2 must be above 0"},
    {"x,y,z,r,qw,qx,qy,qz\n1,1,3,1,0,0,0,0\n", "t:2: orientation: its length is 0"},
    {"id,x,y,z,r\n7,1,2,3,1\n8,1,2,3,1\n7,1,2,3,1\n", "t:4: id: 7 is also that of line 2"},
    {"id,x,y,z,r\n0,1,2,3,1\n", "t:2: id: \"0\" is not a whole number from 1"},
    {"id,x,y,z,r\n1.5,1,2,3,1\n", "t:2: id: \"1.5\" is not a whole number"},
    {"type,x,y,z,r\n0,1,2,3,1\n", "t:2: type: \"0\" is not a whole number from 1 to 4294967295"},
    {"type,x,y,z,r\n4294967296,1,2,3,1\n", "t:2: type: \"4294967296\""},

    {"#format x_y_z\n1 2 3\n", "t:1: there is no column radius"},
    {"#format x_y_z_r_bogus\n", "t:1: format: \"bogus\" is not known"},
    {"#format x_y_z_r_r\n", "t:1: column \"r\": \"radius\" is given already"},
    {"#format x_y_z_r\n", "t:1: there are no spheres in it"},
    {"#format x_y_z_r\n1 2 3\n", "t:2: this line has 3 columns, must have 4"},
    {"#format x_y_z_r\n1 2 3 4 5\n", "t:2: \"5\" is one column too many"},
    {"#format x_y_z_r\n1 2 3 x\n", "t:2: radius: \"x\" is not a number"},
    {"#format x_y_z_r_matId\n1 2 3 4 -1\n", "t:2: matId: \"-1\" is not a whole number from 0"},
    {"#format id_x_y_z_r\na 1 2 3 4\n", "t:2: id: \"a\" is not a whole number"},
    {"1 2 3 4 5\n1 2 3 4\n", "t:2: this line has 4 columns, must have 5"},
    {"1 2 3 4 0\n", "t:1: mask: \"0\" is not a whole number from 1"},

    {"ITEM: ATOMS id x y z radius\n", "t:1: no TIMESTEP before the atoms"},
    {"ITEM: TIMESTEP\n", "t:1: the file ends, the step must follow"},
    {"ITEM: TIMESTEP\n\n", "t:2: the step is missing"},
    {"ITEM: TIMESTEP\n1 2\n", "t:2: the step: \"2\" is one word too many"},
    {"ITEM: TIMESTEP\n1.5\n", "t:2: step: \"1.5\" is not a whole number"},
    {"ITEM: TIMESTEP\n1\n", "t:2: the file ends before \"ITEM: ATOMS\""},
    {"ITEM: TIMESTEP\n1\nITEM: ATOMS x y z radius\n", "t:3: no NUMBER OF ATOMS before the atoms"},
    {"ITEM: TIMESTEP\n1\nITEM: NUMBER OF ATOMS\n-1\n",
     "t:4: number of atoms: \"-1\" is not a whole number"},
    {"ITEM: TIMESTEP\n1\nITEM: NUMBER OF ATOMS\n4294967296\n",
     "t:4: number of atoms: \"4294967296\""},
    {"ITEM: TIMESTEP\n1\nITEM: ENTRIES a\n",
     "t:3: \"ITEM: ENTRIES a\" is not an item of a dump of atoms"},
    {"ITEM: TIMESTEP\n1\nITEM: ATOMSY a\n", "t:3: \"ITEM: ATOMSY a\" is not an item"},
    {"ITEM: TIMESTEP\n1\nwords\n", "t:3: \"words\" is not an item"},
    {"ITEM: TIMESTEP\n1\nITEM: BOX BOUNDS\n0 1\n", "t:4: the file ends, ylo must follow"},
    {"ITEM: TIMESTEP\n1\nITEM: BOX BOUNDS\n0\n", "t:4: xhi is missing"},
    {"ITEM: TIMESTEP\n1\nITEM: BOX BOUNDS\n0 1 0 0\n", "t:4: box bounds: more than 3 numbers"},
    {"ITEM: TIMESTEP\n1\nITEM: BOX BOUNDS\n1 0\n", "t:4: xlo: 1 is above xhi, 0"},
    {"ITEM: TIMESTEP\n1\nITEM: BOX BOUNDS\n0 abc\n", "t:4: xhi: \"abc\" is not a number"},
    {DUMP_HEAD "ITEM: ATOMS x y radius\n", "t:9: column z is missing"},
    {DUMP_HEAD "ITEM: ATOMS x y z\n", "t:9: there is no column radius"},
    {DUMP_HEAD "ITEM: ATOMS x y z x radius\n", "t:9: column \"x\": \"x\" is given already"},
    {DUMP_HEAD "ITEM: ATOMS x y z radius\n1 2 3 1\n", "t:10: the file ends: 1 of 2 atoms"},
    {DUMP_HEAD "ITEM: ATOMS x y z radius\n1 2 3 1\n1 2 3\n",
     "t:11: this line has 3 columns, must have 4"},
    {DUMP_HEAD "ITEM: ATOMS x y z radius\n1 2 3 1\n1 2 3 1 7\n",
     "t:11: \"7\" is one column too many"},
    {DUMP_HEAD "ITEM: ATOMS x y z radius\n1 2 3 1\n1 2 3 1\n\n1 2 3 1\n",
     "t:13: more than 2 atoms"},
    {DUMP_HEAD "ITEM: ATOMS id x y z radius\n4 2 3 1 1\n4 2 3 1 1\n",
     "t:11: id: 4 is also that of line 10"},
    {"ITEM: TIMESTEP\n1\nITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS xs ys zs radius\n",
     "t:5: scaled coordinates, but no BOX BOUNDS before"},
    {"ITEM: TIMESTEP\n1\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS xy xz yz\n0 1 1\n0 1 0\n0 1 "
     "0\nITEM: ATOMS xs ys zs radius\n",
     "scaled coordinates in a tilted box cannot be read"},

    {"t\n2 atoms\n", "t:2: the file ends without a section Atoms"},
    {"t\n2 atoms\nBodies\n", "t:3: \"Bodies\" is not a section for spheres"},
    {"t\n2 atoms\nVelocities\n", "t:3: Velocities before Atoms"},
    {"t\n2 atoms\nAtoms # atomic\n", "t:3: atom_style atomic: must be sphere"},
    {"t\n2 atoms\n1 abc xlo xhi\n", "t:3: xhi: \"abc\" is not a number"},
    {"t\n2 atoms\n1 0 xlo xhi\n", "t:3: xlo: 1 is above xhi, 0"},
    {"t\n2 atoms\n0 0.5 0 xy xz yz\n", "t:3: tilt: 0.5, tilted boxes cannot be read"},
    {"t\n2 atoms\n0 a 0 xy xz yz\n", "t:3: tilt: \"a\" is not a number"},
    {"t\n2 atoms\n-5 bonds\n", "t:3: \"-5 bonds\" is not a line of the head"},
    {"t\n2 atoms\n5\n", "t:3: \"5\" is not a line of the head"},
    {"t\n2 atoms\n5 6\n", "t:3: \"5 6\" is not a line of the head"},
    {"t\n4294967296 atoms\n", "t:2: atoms: \"4294967296\" is not a whole number"},
    {ATOMS_HEAD "1 1 1 1 0 0 0\n", "t:5: Atoms: 1 rows, but the head says 2"},
    {ATOMS_HEAD "1 1 1 1 0 0 0\nVelocities\n", "t:6: Atoms: 1 rows, but the head says 2"},
    {ATOMS_HEAD "1 1 1 1 0 0 0\n2 1 1 1 0 0 0\n3 1 1 1 0 0 0\n",
     "t:7: Atoms: more than the 2 that the head says"},
    {ATOMS_HEAD "1 1 1 1 0 0\n", "t:5: Atoms: 6 columns; atom_style sphere has 7, or 10"},
    {ATOMS_HEAD "1 1 1 1 0 0 0 1 1\n", "t:5: Atoms: 9 columns"},
    {ATOMS_HEAD "1 1 1 1 0 0 0 1 1 x\n", "t:5: image flag: \"x\" is not a whole number"},
    {ATOMS_HEAD "1 1 0 1 0 0 0\n", "t:5: diameter: 0 must be above 0"},
    {ATOMS_HEAD "1 1 1 0 0 0 0\n", "t:5: density: 0 must be above 0"},
    {ATOMS_HEAD "1 1 1 1 0 0 0\n1 1 1 1 0 0 0\n", "t:6: id: 1 is also that of line 5"},
    {ATOMS_HEAD "1 1 1 1 0 0 0\n2 1 1 1 0 0 0\nAtoms\n", "t:7: Atoms appears twice"},
    {ATOMS_HEAD "1 1 1 1 0 0 0\n2 1 1 1 0 0 0\nVelocities\n1 0 0\n",
     "t:8: Velocities: 3 columns, must be 4 or 7"},
    {ATOMS_HEAD "1 1 1 1 0 0 0\n2 1 1 1 0 0 0\nVelocities\n3 0 0 0\n",
     "t:8: id: there is no atom 3"},
    {ATOMS_HEAD "1 1 1 1 0 0 0\n2 1 1 1 0 0 0\nVelocities\nx 0 0 0\n",
     "t:8: Velocities: 0 rows, must be 2"},
    {ATOMS_HEAD "1 1 1 1 0 0 0\n2 1 1 1 0 0 0\nVelocities\n+1 0 0 0\n",
     "t:8: id: \"+1\" is not a whole number"},
    {ATOMS_HEAD "1 1 1 1 0 0 0\n2 1 1 1 0 0 0\nVelocities\n1 0 0 -\n",
     "t:8: vz: \"-\" is not a number"},
    {ATOMS_HEAD "1 1 1 1 0 0 0\n2 1 1 1 0 0 0\nVelocities\n1 0 0 0 0 0 -\n",
     "t:8: wz: \"-\" is not a number"},
    {ATOMS_HEAD "1 1 1 1 0 0 0\n2 1 1 1 0 0 0\nVelocities\n1 0 0 0\n",
     "t:8: Velocities: 1 rows, must be 2"},
    {ATOMS_HEAD "1 1 1 1 0 0 0\n2 1 1 1 0 0 0\nVelocities\n1 0 0 0\n2 0 0 0\nVelocities\n",
     "t:10: Velocities appears twice"},
    {"t\n2 atoms\n0 atoms\nAtoms\n1 1 1 1 0 0 0\n", "t:5: Atoms: more than the 0"},
};

/*  Of the last frame the first would not be read. */
TEST(a_frame_has_atoms)
{
    const char text[] = "ITEM: TIMESTEP\n1\nITEM: TIMESTEP\n2\n";
    scree_import_def def = scree_default_import_def();
    scree_error error = {SCREE_OK, ""};
    scree_body_list list;

    def.frame = 0;
    CHECK_EQUAL(scree_import_bytes(text, sizeof text - 1, "t", &def, &list, &error),
                SCREE_BAD_FILE);
    CHECK_TEXT(error.text, "t:3: the frame has no atoms before the next one");
    scree_body_list_free(&list);
}

TEST(broken_files)
{
    CHECK(check_broken_files(read_list, files, sizeof files / sizeof *files) >= 100);
    char many[3000] = "x";
    for (int i = 0; i < 256; i++)
        strcat(many, ",fx");
    strcat(many, "\n");
    check_refused_text(read_list, many, "t:1: more than 256 columns");
}

TEST(calls_that_make_no_sense)
{
    scree_import_def def = scree_default_import_def();
    scree_body_list list;
    scree_error error;
    static const char *const names[] = {"auto", "lammps-data", "lammps-dump", "yade", "csv"};
    for (int f = 0; f < SCREE_IMPORT_FORMATS; f++)
        CHECK_TEXT(scree_import_format_name((scree_import_format)f), names[f]);
    CHECK(scree_import_format_name(SCREE_IMPORT_FORMATS) == NULL);
    CHECK(scree_import_format_name((scree_import_format)-1) == NULL);
    CHECK(scree_import_bodies(NULL, NULL, &list, &error) == SCREE_BAD_ARGUMENT);
    CHECK(scree_import_bodies("x", NULL, NULL, &error) == SCREE_BAD_ARGUMENT);
    CHECK(scree_import_bytes("x", 1, "t", NULL, NULL, &error) == SCREE_BAD_ARGUMENT);
    CHECK(scree_import_bytes(NULL, 1, "t", NULL, &list, &error) == SCREE_BAD_ARGUMENT);
    CHECK(scree_import_bodies("/nonexistent/x", NULL, &list, &error) == SCREE_IO_ERROR);
    CHECK_SAYS(error.text, "/nonexistent/x: cannot be opened");
    CHECK(scree_import_bytes("", 0, NULL, NULL, &list, &error) == SCREE_BAD_FILE);
    CHECK_SAYS(error.text, "bodies:0: ");
    def.frame = 1;
    CHECK(scree_import_bytes("1 2 3 1\n", 8, "t", &def, &list, &error) == SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "there is no frame 1, this format has one");
    def = scree_default_import_def(), def.radius = -1;
    CHECK(scree_import_bodies("x", &def, &list, &error) == SCREE_BAD_VALUE);
    CHECK(scree_import_bytes("x", 1, "t", &def, &list, &error) == SCREE_BAD_VALUE);
    def = scree_default_import_def(), def.format = SCREE_IMPORT_FORMATS;
    CHECK(scree_import_bytes("x", 1, "t", &def, &list, &error) == SCREE_BAD_ARGUMENT);
    def = scree_default_import_def(), def.cookie = 0;
    CHECK(scree_import_bytes("x", 1, "t", &def, &list, &error) == SCREE_BAD_DEF);
    def = scree_default_import_def(), def.allocator.allocate = failing_allocator_allocate;
    CHECK(scree_import_bytes("x", 1, "t", &def, &list, &error) == SCREE_BAD_DEF);
    CHECK(scree_import_bodies("x", &def, &list, &error) == SCREE_BAD_DEF);
    def = scree_default_import_def(), def.format = SCREE_IMPORT_LAMMPS_DATA;
    CHECK(scree_import_bytes("t\nAtoms\n", 8, "t", &def, &list, &error) == SCREE_BAD_FILE);
    CHECK_SAYS(error.text, "t:2: Atoms, but no number of atoms before");
    def.format = SCREE_IMPORT_LAMMPS_DUMP;
    CHECK(scree_import_bytes("ITEM: TIME\n0\n", 13, "t", &def, &list, &error) == SCREE_BAD_FILE);
    scree_body_list_free(NULL);
    list = (scree_body_list){0};
    scree_body_list_free(&list);
}

/*  From bytes, or from a file of them. */
static void fail_each_request(const char *text, const char *path)
{
    for (size_t k = 1;; k++) {
        failing_allocator memory = {.fail_at = k};
        scree_import_def def = scree_default_import_def();
        scree_body_list list;
        scree_error error = {SCREE_OK, ""};
        scree_status status;
        def.allocator = failing_allocator_hooks(&memory);
        status = path ? scree_import_bodies(path, &def, &list, &error)
                      : scree_import_bytes(text, strlen(text), "t", &def, &list, &error);
        CHECK(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);
        CHECK((status == SCREE_OK) == (memory.failures == 0));
        if (status)
            CHECK_SAYS(error.text, path ? "memory" : "out of memory");
        scree_body_list_free(&list);
        CHECK(failing_allocator_is_clean(&memory));
        if (memory.requests < k)
            break;
    }
}

TEST(memory_may_run_out)
{
    static const char *const texts[] = {
        data, DUMP_HEAD "ITEM: ATOMS id x y z radius\n2 2 3 1 1\n1 2 3 1 1\n",
        "#format x_y_z_r\n1 2 3 4\n5 6 7 8\n", "x,y,r\n1,2,3\n4,5,6\n"};
    for (size_t t = 0; t < SCREE_COUNT_OF(texts); t++) {
        char path[] = "/tmp/scree_import_XXXXXX";
        int file = mkstemp(path);
        size_t length = strlen(texts[t]);
        CHECK(file >= 0 && write(file, texts[t], length) == (ssize_t)length && close(file) == 0);
        fail_each_request(texts[t], NULL);
        fail_each_request(NULL, path);
        CHECK(unlink(path) == 0);
    }
}

TEST(every_prefix_and_every_bit)
{
    static const char *const texts[] = {
        data, DUMP_HEAD "ITEM: ATOMS id x y z radius\n2 2 3 1 1\n1 2 3 1 1\n",
        "#format x_y_z_r\n1 2 3 4\n5 6 7 8\n", "id,x,y,r\n7,1,2,3\n8,4,5,6\n"};
    for (size_t t = 0; t < SCREE_COUNT_OF(texts); t++)
        for (size_t n = 0; n < strlen(texts[t]); n++) {
            scree_error error;
            char changed[1024];
            scree_status status = read_exact(read_list, texts[t], n, &error);
            CHECK(status == SCREE_OK || status == SCREE_BAD_FILE);
            if (status)
                CHECK(strncmp(error.text, "t:", 2) == 0);
            for (int bit = 0; bit < 8; bit++) {
                strcpy(changed, texts[t]);
                changed[n] = (char)(changed[n] ^ 1 << bit);
                status = read_exact(read_list, changed, strlen(texts[t]), &error);
                CHECK(status == SCREE_OK || status == SCREE_BAD_FILE ||
                      status == SCREE_BAD_ARGUMENT);
            }
        }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(lammps_data),
        CASE(types_become_materials),
        CASE(lammps_dumps),
        CASE(yade),
        CASE(csv),
        CASE(our_own_files_come_back),
        CASE(every_field_is_read_again),
        CASE(every_column_of_an_export_is_known),
        CASE(a_frame_has_atoms),
        CASE(broken_files),
        CASE(calls_that_make_no_sense),
        CASE(memory_may_run_out),
        CASE(every_prefix_and_every_bit),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
