/*  The definition of a detector: defaults are those that the header states, and every number is accepted
    up to its limits and refused beyond. A limit that is off by one is seen nowhere else. */
#include "scree/detect.h"
#include "test.h"

#include <math.h>
#include <stddef.h>

TEST(defaults_are_as_stated)
{
    scree_detector_def def = scree_default_detector_def();
    CHECK_TEXT(def.method, "auto");
    CHECK_EQUAL(def.dimensions, 3);
    CHECK_EQUAL(def.volume, SCREE_SPHERES);
    CHECK_EQUAL(def.unusable, SCREE_REFUSE_CALL);
    CHECK(!def.coarse);
    CHECK_EQUAL(def.simd, SCREE_SIMD_AUTO);
    CHECK_EQUAL(def.thread_count, 1);
    CHECK(!def.tasks.enqueue && !def.allocator.allocate && !def.log.write && !def.error);
    for (int k = 0; k < 3; k++)
        CHECK(def.period[k] == 0 && def.tilt[k] == 0);
    CHECK(def.cell_factor == 1 && def.bin_factor == 1.5 && def.stripe_factor == 2);
    CHECK(!def.stripe_naive && !def.sort_by_insertion);
    CHECK_EQUAL(def.rtree_max_entries, 16);
    CHECK_EQUAL(def.rtree_min_entries, 6);
}

TEST(defaults_of_grids_are_as_stated)
{
    scree_detector_def def = scree_default_detector_def();
    for (int k = 0; k < 3; k++) {
        CHECK_EQUAL(def.hash_grids.cells[k], 16);
        CHECK(def.cell_space.lower[k] == 0 && def.cell_space.upper[k] == 0);
    }
    CHECK_EQUAL(def.hash_grids.list_capacity, 16);
    CHECK_EQUAL(def.hash_grids.occupied_capacity, 256);
    CHECK_EQUAL(def.hash_grids.minimal_density, 8);
    CHECK_EQUAL(def.hash_grids.activation, 32);
    CHECK(def.hash_grids.factor == 2);
    CHECK_EQUAL(def.hash_grids.size, SCREE_HASH_SIZE_BOX);
    CHECK_EQUAL(def.hash_grids.point, SCREE_HASH_POINT_AUTO);
    CHECK(!def.hash_grids.rebuild);
    CHECK_EQUAL(def.cell_space.cells, 0);
    CHECK_EQUAL(def.cell_space.target, 10);
    CHECK_EQUAL(def.cell_space.merge_below, 2);
    CHECK(def.cell_space.factor == 20);
    CHECK_EQUAL(def.cell_space.max_children, 64);
    CHECK_EQUAL(def.cell_space.depth, 10);
    CHECK_EQUAL(def.insertion_sort.sort_axis, -1);
    CHECK(!def.insertion_sort.sort_then_collide);
}

TEST(defaults_of_margins_are_as_stated)
{
    scree_margin_def margin = scree_default_detector_def().margin;
    CHECK_EQUAL(margin.kind, SCREE_MARGIN_NONE);
    CHECK(margin.length == -0.05 && margin.speed_factor == 1.05);
    for (int kind = 0; kind < SCREE_PIECE_KINDS; kind++)
        CHECK(margin.velocity[kind] == 0 && margin.extent[kind] == 1. / 32);
    CHECK(margin.constant == 0 && margin.interaction == 0 && margin.reach == 2);
    CHECK_EQUAL(margin.bin_count, 5);
    CHECK(margin.bin_ratio == 2 && margin.bin_overlap == 0.8 && margin.bin_max_change == 0.3);
    CHECK(margin.target_steps == 50 && margin.min_fraction == 0.1);
    CHECK(!margin.trust_velocities);
}

/* ---- limits ---- */

typedef enum number_type
{
    REAL,
    COUNT, /* uint32_t */
    WHOLE, /* int, or an enumeration */
} number_type;

typedef struct limit
{
    const char *name; /* as messages have it */
    const char *method;
    size_t offset;
    number_type type;
    double least, most;
    bool above_least, below_most; /* the limit itself is refused */
} limit;

#define AT(field) #field, NULL, offsetof(scree_detector_def, field)
#define OF(method, field) #field, method, offsetof(scree_detector_def, field)

static const limit limits[] = {
    {AT(dimensions), WHOLE, 2, 3, false, false},
    {AT(volume), WHOLE, SCREE_SPHERES, SCREE_BOXES, false, false},
    {AT(unusable), WHOLE, SCREE_REFUSE_CALL, SCREE_SKIP_BODY, false, false},
    {AT(simd), WHOLE, SCREE_SIMD_AUTO, SCREE_SIMD_AVX512, false, false},
    {AT(cell_factor), REAL, 1, 1e6, false, false},
    {AT(bin_factor), REAL, 0, 1e6, true, false},
    {AT(stripe_factor), REAL, 0, 1e6, true, false},
    {AT(rtree_min_entries), COUNT, 2, 8, false, false},
    {AT(margin.kind), WHOLE, SCREE_MARGIN_NONE, SCREE_MARGIN_PER_BODY, false, false},
    {AT(margin.length), REAL, -1e6, SCREE_MAX_COORDINATE, false, false},
    {AT(margin.speed_factor), REAL, 1, 1e6, false, false},
    {AT(margin.velocity[0]), REAL, 0, 1e6, false, false},
    {AT(margin.velocity[3]), REAL, 0, 1e6, false, false},
    {AT(margin.extent[0]), REAL, 0, 1e6, false, false},
    {AT(margin.extent[3]), REAL, 0, 1e6, false, false},
    {AT(margin.constant), REAL, 0, SCREE_MAX_COORDINATE, false, false},
    {AT(margin.interaction), REAL, 0, SCREE_MAX_COORDINATE, false, false},
    {AT(margin.reach), REAL, 1, 1e6, false, false},
    {AT(margin.bin_count), COUNT, 1, 100, false, false},
    {AT(margin.bin_ratio), REAL, 1, 1e6, true, false},
    {AT(margin.bin_overlap), REAL, 0, 1, true, true},
    {AT(margin.bin_max_change), REAL, -1e6, 1e6, false, false},
    {AT(margin.target_steps), REAL, -1e9, 1e9, false, false},
    {AT(margin.min_fraction), REAL, 0, 1, false, false},
    {OF("hash-grids", hash_grids.list_capacity), COUNT, 1, 65536, false, false},
    {OF("hash-grids", hash_grids.occupied_capacity), COUNT, 1, 65536, false, false},
    {OF("hash-grids", hash_grids.minimal_density), COUNT, 1, 4096, false, false},
    {OF("hash-grids", hash_grids.activation), COUNT, 0, 65536, false, false},
    {OF("hash-grids", hash_grids.factor), REAL, 1.01, 1e6, false, false},
    {OF("hash-grids", hash_grids.size), WHOLE, 0, SCREE_HASH_SIZE_SPHERE, false, false},
    {OF("hash-grids", hash_grids.point), WHOLE, 0, SCREE_HASH_POINT_CENTRE, false, false},
    {OF("cell-space", cell_space.cells), COUNT, 0, 1u << 24, false, false},
    {OF("cell-space", cell_space.merge_below), COUNT, 0, 10, false, false},
    {OF("cell-space", cell_space.factor), REAL, 2, 1000, false, false},
    {OF("cell-space", cell_space.max_children), COUNT, 2, 64, false, false},
    {OF("cell-space", cell_space.depth), COUNT, 0, 16, false, false},
    {OF("insertion-sort", insertion_sort.sort_axis), WHOLE, -1, 2, false, false},
};

static void set_number(scree_detector_def *def, const limit *l, double value)
{
    char *field = (char *)def + l->offset;
    uint32_t count = l->type == COUNT ? (uint32_t)value : 0;
    int whole = l->type == WHOLE ? (int)value : 0;
    if (l->type == REAL)
        memcpy(field, &value, sizeof value);
    else if (l->type == COUNT)
        memcpy(field, &count, sizeof count);
    else
        memcpy(field, &whole, sizeof whole);
}

static scree_status try_definition(const scree_detector_def *def, scree_error *why)
{
    scree_detector_def with = *def;
    scree_detector *detector = NULL;
    with.error = why;
    scree_status status = scree_detector_create(&with, &detector);
    CHECK((detector != NULL) == (status == SCREE_OK));
    scree_detector_destroy(detector);
    return status;
}

static void check_limit(const limit *l, double value, bool ok)
{
    scree_detector_def def = scree_default_detector_def();
    scree_error why = {SCREE_OK, ""};
    def.method = l->method ? l->method : "pairing";
    set_number(&def, l, value);
    scree_status status = try_definition(&def, &why);
    if (status != (ok ? SCREE_OK : SCREE_BAD_ARGUMENT))
        FAIL("%s is %.17g: %s, \"%s\"", l->name, value, scree_status_name(status), why.text);
    const char *field = strrchr(l->name, '.');
    if (!ok)
        CHECK_SAYS(why.text, field ? field + 1 : l->name);
}

TEST(numbers_have_their_limits)
{
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        const limit *l = &limits[k];
        bool real = l->type == REAL;
        double below = real ? nextafter(l->least, -INFINITY) : l->least - 1;
        double above = real ? nextafter(l->most, INFINITY) : l->most + 1;
        check_limit(l, l->least, !l->above_least);
        check_limit(l, l->most, !l->below_most);
        if (real || l->least > 0 || l->type == WHOLE)
            check_limit(l, below, false);
        check_limit(l, above, false);
        if (!real)
            continue;
        if (l->above_least)
            check_limit(l, nextafter(l->least, INFINITY), true);
        if (l->below_most)
            check_limit(l, nextafter(l->most, -INFINITY), true);
        check_limit(l, NAN, false);
    }
}

TEST(nodes_of_trees_have_two_limits)
{
    for (uint32_t max = 2; max <= 66; max++)
        for (uint32_t min = 0; min <= 34; min++) {
            scree_detector_def def = scree_default_detector_def();
            def.rtree_max_entries = max;
            def.rtree_min_entries = min;
            bool ok = max >= 4 && max <= 64 && min >= 2 && min <= max / 2;
            CHECK_EQUAL(try_definition(&def, NULL), ok ? SCREE_OK : SCREE_BAD_ARGUMENT);
        }
}

TEST(grids_have_powers_of_two)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int k = 0; k < 3; k++)
            for (uint32_t cells = 0; cells <= 2050; cells++) {
                scree_detector_def def = scree_default_detector_def();
                def.method = "hash-grids";
                def.dimensions = dimensions;
                def.hash_grids.cells[k] = cells;
                bool ok = k >= dimensions || cells == 4 || cells == 8 || cells == 16 ||
                          cells == 32 || cells == 64 || cells == 128 || cells == 256 ||
                          cells == 512 || cells == 1024;
                CHECK_EQUAL(try_definition(&def, NULL), ok ? SCREE_OK : SCREE_BAD_ARGUMENT);
            }
}

TEST(a_plane_has_two_axes_to_sort_by)
{
    scree_detector_def def = scree_default_detector_def();
    def.method = "insertion-sort";
    def.dimensions = 2;
    for (int axis = -2; axis <= 3; axis++) {
        def.insertion_sort.sort_axis = axis;
        CHECK_EQUAL(try_definition(&def, NULL),
                    axis >= -1 && axis < 2 ? SCREE_OK : SCREE_BAD_ARGUMENT);
    }
}

/*  One number above 0 is enough, any one. */
TEST(tolerances_must_not_all_be_zero)
{
    scree_detector_def def = scree_default_detector_def();
    def.margin.kind = SCREE_MARGIN_TOLERANCE;
    for (int kind = 0; kind < SCREE_PIECE_KINDS; kind++)
        def.margin.extent[kind] = 0;
    CHECK_EQUAL(try_definition(&def, NULL), SCREE_BAD_ARGUMENT);
    for (int kind = 0; kind < SCREE_PIECE_KINDS; kind++) {
        scree_detector_def one = def;
        one.margin.extent[kind] = 1e-9;
        CHECK_EQUAL(try_definition(&one, NULL), SCREE_OK);
        one.margin.extent[kind] = 0;
        one.margin.velocity[kind] = 1e-9;
        CHECK_EQUAL(try_definition(&one, NULL), SCREE_OK);
    }
    def.margin.constant = 1e-9;
    CHECK_EQUAL(try_definition(&def, NULL), SCREE_OK);
}

TEST(cells_merge_below_their_target)
{
    for (uint32_t target = 0; target <= 1002; target += target < 20 || target > 995 ? 1 : 25)
        for (uint32_t below = 0; below <= 21; below++) {
            scree_detector_def def = scree_default_detector_def();
            def.method = "cell-space";
            def.cell_space.target = target;
            def.cell_space.merge_below = below;
            bool ok = target >= 1 && target <= 1000 && below <= target;
            CHECK_EQUAL(try_definition(&def, NULL), ok ? SCREE_OK : SCREE_BAD_ARGUMENT);
        }
}

TEST(domains_have_two_ends)
{
    static const struct
    {
        double lower, upper;
        bool ok;
    } cases[] = {
        {1, 1, true},
        {1, 0.5, false},
        {-SCREE_MAX_COORDINATE, SCREE_MAX_COORDINATE, true},
        {-1.0000000001 * SCREE_MAX_COORDINATE, 0, false},
        {0, 1.0000000001 * SCREE_MAX_COORDINATE, false},
        {NAN, 1, false},
        {0, NAN, false},
    };
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int k = 0; k < 3; k++)
            for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
                scree_detector_def def = scree_default_detector_def();
                def.method = "cell-space";
                def.dimensions = dimensions;
                def.cell_space.lower[k] = cases[c].lower;
                def.cell_space.upper[k] = cases[c].upper;
                bool ok = cases[c].ok || k >= dimensions;
                CHECK_EQUAL(try_definition(&def, NULL), ok ? SCREE_OK : SCREE_BAD_ARGUMENT);
            }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(defaults_are_as_stated),
        CASE(defaults_of_grids_are_as_stated),
        CASE(defaults_of_margins_are_as_stated),
        CASE(numbers_have_their_limits),
        CASE(nodes_of_trees_have_two_limits),
        CASE(grids_have_powers_of_two),
        CASE(a_plane_has_two_axes_to_sort_by),
        CASE(cells_merge_below_their_target),
        CASE(domains_have_two_ends),
        CASE(tolerances_must_not_all_be_zero),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
