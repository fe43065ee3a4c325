/*  Fields as files: images that VTK reads, and lines. */
#include "harness/export_maker.h"
#include "harness/io_vtp.h"

#include "scree/io.h"

/*  A grid with other numbers in each cell. */
static void make_fields(scree_fields_def *def, scree_field fields[24], int dimensions)
{
    *def = scree_default_fields_def();
    def->width = 0.125;
    def->cells[0] = 4;
    def->cells[1] = dimensions == 3 ? 1 : 6;
    def->cells[2] = dimensions == 3 ? 6 : 1;
    def->lower[0] = -1;
    def->upper[0] = 1;
    def->lower[1] = def->upper[1] = 5; /* no length */
    if (dimensions == 2)
        def->upper[1] = 8;
    def->upper[2] = dimensions == 3 ? 3 : 0;
    for (size_t i = 0; i < 24; i++)
        for (size_t k = 0; k < sizeof *fields / sizeof(double); k++)
            ((double *)&fields[i])[k] = 1 + (double)(i * 100 + k) / 3;
}

static const double *image_row(const vtp_file *file, const char *name, int width, size_t row)
{
    const vtp_array *array = vtp_find(file, "CellData", name);

    CHECK_EQUAL(array->width, width);
    return vtp_reals(array, row);
}

TEST(an_image_has_all_values)
{
    begin_folder();
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scree_fields_def def;
        scree_field fields[24];
        scree_error error = {SCREE_OK, ""};

        make_fields(&def, fields, dimensions);
        CHECK_EQUAL(scree_export_fields(&def, dimensions, 0.75, fields, 24, path, &error),
                    SCREE_OK);
        vtp_file file = vtp_read(path);
        CHECK(file.time == 0.75);
        CHECK_EQUAL(file.polys, 24);
        CHECK_EQUAL(file.array_count, 10);
        CHECK(file.origin[0] == -1 && file.spacing[0] == 0.5);
        CHECK(file.origin[1] == (dimensions == 3 ? 4.875 : 5));
        CHECK(file.spacing[1] == (dimensions == 3 ? 0.25 : 0.5));
        CHECK(file.origin[2] == (dimensions == 3 ? 0 : -0.125));
        CHECK(file.spacing[2] == (dimensions == 3 ? 0.5 : 0.25));
        for (size_t i = 0; i < 24; i++) {
            scree_field_values v = scree_field_read(&fields[i], dimensions);
            CHECK(*image_row(&file, "density", 1, i) == v.density);
            CHECK(*image_row(&file, "solid_fraction", 1, i) == v.solid_fraction);
            CHECK(*image_row(&file, "temperature", 1, i) == v.temperature);
            CHECK(*image_row(&file, "pressure", 1, i) == v.pressure);
            CHECK(*image_row(&file, "shear_stress", 1, i) == v.shear_stress);
            CHECK(*image_row(&file, "coordination", 1, i) == v.coordination);
            CHECK(memcmp(image_row(&file, "velocity", 3, i), v.velocity, sizeof v.velocity) == 0);
            CHECK(memcmp(image_row(&file, "kinetic_stress", 6, i), v.kinetic_stress,
                         sizeof v.kinetic_stress) == 0);
            CHECK(memcmp(image_row(&file, "contact_stress", 9, i), v.contact_stress,
                         sizeof v.contact_stress) == 0);
            CHECK(memcmp(image_row(&file, "fabric", 6, i), v.fabric, sizeof v.fabric) == 0);
        }
        vtp_free(&file);
    }
    end_folder();
}

TEST(lines_have_all_values)
{
    char csv[sizeof path + 4], line[4096];
    scree_fields_def def;
    scree_field fields[24];
    scree_error error = {SCREE_OK, ""};

    begin_folder();
    snprintf(csv, sizeof csv, "%s.csv", path);
    make_fields(&def, fields, 3);
    CHECK_EQUAL(scree_export_fields(&def, 3, 0, fields, 24, csv, &error), SCREE_OK);
    FILE *file = fopen(csv, "r");
    CHECK(file && fgets(line, sizeof line, file));
    CHECK_SAYS(line, "x,y,z,density,solid_fraction,velocity_x,velocity_y,");
    CHECK_SAYS(line, ",contact_stress_zx,contact_stress_zy,contact_stress_zz,pressure,");
    for (size_t i = 0; i < 24; i++) {
        scree_field_values v = scree_field_read(&fields[i], 3);
        const double places[] = {-0.75 + 0.5 * (double)(i % 4), 5, 0.25 + 0.5 * (double)(i / 4)};
        const double *wanted[] = {places, &v.density, v.velocity};
        const int count[] = {3, 2, 3};
        CHECK(fgets(line, sizeof line, file) != NULL);
        char *at = line;
        for (int part = 0; part < 3; part++)
            for (int k = 0; k < count[part]; k++, at++)
                CHECK(strtod(at, &at) == wanted[part][k]);
        char *last = strrchr(line, ',');
        CHECK(last && strtod(last + 1, NULL) == v.fabric[5]);
    }
    CHECK(fgets(line, sizeof line, file) == NULL);
    fclose(file);
    unlink(csv);
    CHECK(rmdir(folder) == 0);
}

TEST(what_cannot_be_written_is_refused)
{
    scree_fields_def def, stale;
    scree_field fields[24];
    scree_error error = {SCREE_OK, ""};

    begin_folder();
    make_fields(&def, fields, 3);
    stale = def;
    stale.cookie = 0;
    CHECK_EQUAL(scree_export_fields(NULL, 3, 0, fields, 24, path, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "def is NULL");
    CHECK_EQUAL(scree_export_fields(&def, 3, 0, NULL, 24, path, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "fields is NULL");
    CHECK_EQUAL(scree_export_fields(&def, 3, 0, fields, 24, NULL, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "path is NULL");
    CHECK_EQUAL(scree_export_fields(&stale, 3, 0, fields, 24, path, &error), SCREE_BAD_DEF);
    for (int wrong = 0; wrong < 4; wrong++) {
        const int dimensions[] = {3, 3, 1, 4};
        const size_t counts[] = {23, 0, 24, 24};
        CHECK_EQUAL(
            scree_export_fields(&def, dimensions[wrong], 0, fields, counts[wrong], path, &error),
            SCREE_BAD_ARGUMENT);
        CHECK_SAYS(error.text, "4 x 1 x 6 cells");
    }
    CHECK_EQUAL(scree_export_fields(&def, 3, 0, fields, 24, "/nowhere/at/all", &error),
                SCREE_IO_ERROR);
    CHECK_SAYS(error.text, "/nowhere/at/all");
    CHECK_EQUAL(scree_export_fields(&def, 3, 0, fields, 24, "/dev/full", &error), SCREE_IO_ERROR);
    CHECK(access(path, F_OK) != 0);
    CHECK(rmdir(folder) == 0);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(an_image_has_all_values),
        CASE(lines_have_all_values),
        CASE(what_cannot_be_written_is_refused),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
