/*  Lists of neighbours in 32 bits: whether the two ways to make them give the same, how many entries they can
    number, and that ids far apart change nothing. Each way is compared with the
    pairs in all scenes of the differential suite as well (harness/compare.c). */
#include "detect/csr.h"

#include "base/random.h"
#include "scree/detect.h"
#include "test.h"

#include <math.h>

TEST(entries_that_32_bits_do_not_number_are_refused)
{
    scree_error why = {SCREE_OK, ""};
    uint32_t entries = 0;
    CHECK_EQUAL(scree_csr_count(UINT32_MAX, true, &entries, &why), SCREE_OK);
    CHECK_EQUAL(entries, UINT32_MAX);
    CHECK_EQUAL(scree_csr_count(UINT32_MAX / 2, false, &entries, &why), SCREE_OK);
    CHECK_EQUAL(entries, UINT32_MAX - 1);
    CHECK_EQUAL(scree_csr_count(1ull << 31, false, &entries, &why), SCREE_TOO_LARGE);
    CHECK_SAYS(why.text, "there are 2147483648 pairs");
    CHECK_SAYS(why.text, "ask for half");
    CHECK_EQUAL(scree_csr_count(1ull << 32, true, &entries, &why), SCREE_TOO_LARGE);
    CHECK_SAYS(why.text, "call scree_detector_neighbors");
}

/*  Equal spheres at random, 3.5 pairs a body. */
typedef struct cloud
{
    size_t count;
    double *x[4];
} cloud;

static cloud make_cloud(size_t count)
{
    scree_random random = scree_random_stream(5, count);
    cloud c = {count, {NULL}};
    for (int k = 0; k < 4; k++) {
        c.x[k] = malloc(count * sizeof *c.x[k]);
        for (size_t i = 0; i < count; i++)
            c.x[k][i] = k < 3 ? scree_random_range(&random, 0, cbrt((double)count)) : 0.6;
    }
    return c;
}

static scree_table table_of(const cloud *c)
{
    return scree_table_spheres(c->count, scree_doubles(c->x[0], 8), scree_doubles(c->x[1], 8),
                               scree_doubles(c->x[2], 8), scree_doubles(c->x[3], 8));
}

static void free_cloud(cloud *c)
{
    for (int k = 0; k < 4; k++)
        free(c->x[k]);
}

static scree_detector *open_detector(const char *method, uint32_t threads)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    def.method = method;
    def.thread_count = threads;
    CHECK_EQUAL(scree_detector_create(&def, &d), SCREE_OK);
    return d;
}

/*  One thread counts and fills; eight sort by ranges of bodies. */
TEST(any_number_of_threads_gives_the_same_list)
{
    static const char *const methods[] = {"flat", "bvh8", "hash-grids", "insertion-sort"};
    cloud c = make_cloud(9000);
    scree_table table = table_of(&c);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        for (int form = 0; form < 4; form++) {
            scree_csr_options options = {(form & 1) != 0, (form & 2) != 0};
            scree_detector *one = open_detector(methods[m], 1),
                           *many = open_detector(methods[m], 8);
            scree_csr alone, together;
            CHECK_EQUAL(scree_detector_csr_of(one, &table, &options, &alone), SCREE_OK);
            CHECK_EQUAL(scree_detector_csr_of(many, &table, &options, &together), SCREE_OK);
            CHECK(alone.count > 2 * c.count && alone.count == together.count);
            CHECK(memcmp(alone.start, together.start, (c.count + 1) * sizeof *alone.start) == 0);
            CHECK(memcmp(alone.neighbor, together.neighbor, alone.count * sizeof *alone.neighbor) ==
                  0);
            scree_detector_destroy(one);
            scree_detector_destroy(many);
        }
    }
    free_cloud(&c);
}

/*  Most ids are not there, and have no neighbours. */
TEST(ids_far_apart)
{
    const double x[] = {0, 1, 2, 9}, zero[4] = {0}, r[] = {1, 1, 1, 1};
    const uint32_t ids[] = {3000000, 0, 77, 5};
    scree_table table = scree_table_spheres(4, scree_doubles(x, 8), scree_doubles(zero, 8),
                                            scree_doubles(zero, 8), scree_doubles(r, 8));
    scree_detector *d = open_detector("flat", 1);
    scree_csr csr;
    table.ids = scree_integer_view(ids, sizeof *ids);
    CHECK_EQUAL(scree_detector_csr_of(d, &table, NULL, &csr), SCREE_OK);
    CHECK_EQUAL(csr.id_bound, 3000001);
    CHECK_EQUAL(csr.count, 6);
    CHECK(csr.start[0] == 0 && csr.start[1] == 2 && csr.start[77] == 2 && csr.start[78] == 4);
    CHECK(csr.start[3000000] == 4 && csr.start[3000001] == 6);
    CHECK_EQUAL(csr.neighbor[0] + csr.neighbor[1], 3000077);
    CHECK_EQUAL(csr.neighbor[4] + csr.neighbor[5], 77);
    scree_detector_destroy(d);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(entries_that_32_bits_do_not_number_are_refused),
        CASE(any_number_of_threads_gives_the_same_list),
        CASE(ids_far_apart),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
