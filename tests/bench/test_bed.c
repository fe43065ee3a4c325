/*  Beds: what is written is read back exactly, what is not a bed is refused, and a bed's grains are where its
    name says. */
#include "scenes/bed.h"
#include "test.h"

static char bytes[100000];

static FILE *temporary(const char *text)
{
    FILE *file = tmpfile();
    CHECK(file != NULL);
    if (text)
        fputs(text, file);
    rewind(file);
    return file;
}

static void write_and_read(const scree_bed *bed, scree_bed *back)
{
    scree_error error = {SCREE_OK, ""};
    FILE *file = temporary(NULL);
    scree_bed_write(bed, file);
    rewind(file);
    scree_status status = scree_bed_read(file, back, &error);
    fclose(file);
    if (status)
        FAIL("%s", error.text);
}

TEST(come_back_exactly)
{
    for (int kind = 0; kind < SCREE_BED_KINDS; kind++) {
        if (kind == SCREE_BED_SETTLED || kind == SCREE_BED_SIZES || kind == SCREE_BED_DRUM)
            continue; /* those take thousands of steps */
        scree_bed bed, back;
        CHECK(scree_bed_make((scree_bed_kind)kind, 200, &bed, NULL) == SCREE_OK);
        write_and_read(&bed, &back);
        CHECK(back.kind == bed.kind && back.count == bed.count && back.facets == bed.facets);
        CHECK(memcmp(back.lower, bed.lower, sizeof bed.lower) == 0);
        CHECK(memcmp(back.upper, bed.upper, sizeof bed.upper) == 0);
        CHECK(memcmp(back.radius, bed.radius, 200 * sizeof *bed.radius) == 0);
        CHECK(memcmp(back.centre, bed.centre, 200 * sizeof *bed.centre) == 0);
        CHECK(memcmp(back.velocity, bed.velocity, 200 * sizeof *bed.velocity) == 0);
        CHECK(memcmp(back.spin, bed.spin, 200 * sizeof *bed.spin) == 0);
        scree_bed_free(&bed);
        scree_bed_free(&back);
    }
}

TEST(settle_in_their_box)
{
    scree_bed bed;
    double energy = 0; /* twice that of a kilogram */
    CHECK(scree_bed_make(SCREE_BED_SETTLED, 300, &bed, NULL) == SCREE_OK);
    for (uint32_t i = 0; i < bed.count; i++) {
        const double *x = bed.centre[i], *v = bed.velocity[i];
        /* overlaps of weight are far below a hundredth of a radius */
        for (int k = 0; k < 3; k++)
            CHECK(x[k] > bed.lower[k] + 0.99 * bed.radius[i]);
        CHECK(x[0] < bed.upper[0] - 0.99 * bed.radius[i]);
        CHECK(x[1] < bed.upper[1] - 0.99 * bed.radius[i]);
        /* loose it took 0.34 of its room, at rest it takes more than half: its top has come down */
        CHECK(x[2] < 0.75 * bed.upper[2]);
        energy += (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / bed.count;
    }
    /* a twentieth of the speed that the top came down with: a few grains still roll, the rest lie */
    CHECK(energy < 0.06 * 0.06);
    scree_bed_free(&bed);
}

TEST(drum_keeps_its_grains)
{
    scree_bed bed, back;
    CHECK(scree_bed_make(SCREE_BED_DRUM, 100, &bed, NULL) == SCREE_OK);
    for (uint32_t i = 0; i < bed.count; i++) {
        const double *x = bed.centre[i], room = bed.drum_radius - 0.95 * bed.radius[i];
        CHECK(x[0] * x[0] + x[2] * x[2] < room * room);
        CHECK(x[1] * x[1] < bed.drum_length * bed.drum_length / 4);
    }
    write_and_read(&bed, &back);
    CHECK_EQUAL(scree_mesh_describe(back.drum).facet_count, 1920);
    FILE *file = temporary(NULL);
    scree_bed_write_drum(&back, file);
    rewind(file);
    int facets = 0;
    char line[128];
    while (fgets(line, sizeof line, file))
        facets += strncmp(line, "facet normal ", 13) == 0;
    fclose(file);
    CHECK_EQUAL(facets, 1920);
    scree_bed_free(&bed);
    scree_bed_free(&back);
}

TEST(others_are_refused)
{
    scree_bed bed;
    CHECK(scree_bed_make(SCREE_BED_FALLING, 20, &bed, NULL) == SCREE_OK);
    FILE *file = temporary(NULL);
    scree_bed_write(&bed, file);
    rewind(file);
    size_t length = fread(bytes, 1, sizeof bytes - 1, file);
    fclose(file);
    scree_bed_free(&bed);
    CHECK(length > 1000 && length < sizeof bytes - 1);
    /* cut short anywhere but within the last number: some places, each a number of primes apart */
    for (size_t end = 0; end + 30 < length; end += 37) {
        char kept = bytes[end];
        scree_error error = {SCREE_OK, ""};
        bytes[end] = 0;
        file = temporary(bytes);
        bytes[end] = kept;
        CHECK(scree_bed_read(file, &bed, &error) == SCREE_BAD_VALUE);
        fclose(file);
        CHECK(strstr(error.text, "not a bed") != NULL);
        CHECK(bed.radius == NULL);
    }
    file = temporary("scree-bed 9 facets 0 drum 0 0 0 height 1\n\n1 atoms\n");
    CHECK(scree_bed_read(file, &bed, NULL) == SCREE_BAD_VALUE);
    fclose(file);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(come_back_exactly),
        CASE(settle_in_their_box),
        CASE(drum_keeps_its_grains),
        CASE(others_are_refused),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
