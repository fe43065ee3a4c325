/*  Pairs of bodies are put to tests that cost more and more, and it is counted which of them parted a pair (GC-40). */
#include "harness/solid_maker.h"

#define SIDE 0.1
#define SKIN 0.001

static uint64_t all_apart(const scree_local_counts *counts)
{
    uint64_t sum = 0;

    for (int test = 0; test < SCREE_LOCAL_TESTS; test++)
        sum += counts->apart[test];
    return sum;
}

/*  Two bodies that do not move, looked at in three steps; detection brings them from far. */
static scree_local_counts look_at(scree_shape first, scree_shape second, double x, double y,
                                  const double *turn)
{
    scree_world_def def = plain_def(1e-6);
    def.detection.margin.kind = SCREE_MARGIN_SKIN;
    def.detection.margin.length = SIDE;
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_body_def body = body_at(&s, first, 0, 0, 0);

    add(&s, &body);
    body = body_at(&s, second, x, y, 0);
    if (turn)
        memcpy(body.orientation, turn, sizeof body.orientation);
    add(&s, &body);
    step(&s, 3);
    scree_local_counts counts = scree_world_local_counts(s.world);
    CHECK(counts.pairs >= 3);
    CHECK_EQUAL(all_apart(&counts) + counts.touching, counts.pairs);
    scree_world_destroy(s.world);
    return counts;
}

static void parted_by(scree_local_test test, const scree_local_counts *counts)
{
    CHECK_EQUAL(counts->apart[test], counts->pairs);
}

/*  Two cubes, a side apart, as one body. */
static scree_mesh *pair_of_cubes(void)
{
    maker both = maker_new(16, 24);

    for (uint32_t c = 0; c < 2; c++) {
        double shift = c == 0 ? -1.5 * SIDE : 0.5 * SIDE;
        const double lower[3] = {shift, -SIDE / 2, -SIDE / 2};
        const double upper[3] = {shift + SIDE, SIDE / 2, SIDE / 2};
        maker box = maker_box(lower, upper);
        for (uint32_t v = 0; v < 8; v++)
            maker_vertex(&both, box.vertex[3 * v], box.vertex[3 * v + 1], box.vertex[3 * v + 2]);
        for (uint32_t f = 0; f < 12; f++)
            maker_facet(&both, box.facet[3 * f] + 8 * c, box.facet[3 * f + 1] + 8 * c,
                        box.facet[3 * f + 2] + 8 * c);
        maker_free(&box);
    }
    scree_mesh *mesh = maker_mesh(&both);
    maker_free(&both);
    return mesh;
}

TEST(each_test_parts_what_it_can)
{
    PROVES("GC-40");
    const double eighth[4] = {0.92387953251128674, 0, 0, 0.38268343236508977}; /* about z */
    scree_mesh *mesh = cube(SIDE), *two = pair_of_cubes(), *small = cube(0.5 * SIDE);
    scree_shape box = scree_shape_mesh(mesh, SKIN);
    scree_local_counts counts;

    counts = look_at(box, box, 1.8 * SIDE, 0, NULL);
    parted_by(SCREE_TEST_BALLS, &counts);
    counts = look_at(box, box, 1.2 * SIDE, 0, NULL);
    parted_by(SCREE_TEST_BOXES, &counts);
    /* a corner before a face */
    counts = look_at(box, box, 0.95 * SIDE, 0.95 * SIDE, eighth);
    parted_by(SCREE_TEST_PLANE, &counts);
    counts = look_at(scree_shape_mesh(two, SKIN), scree_shape_mesh(small, SKIN), 0, 0, NULL);
    parted_by(SCREE_TEST_TREES, &counts);
    /* a corner before a ball, which is no body of triangles and has no tests in between */
    counts = look_at(box, scree_shape_sphere(0.5 * SIDE), 0.9 * SIDE, 0.9 * SIDE, NULL);
    parted_by(SCREE_TEST_SHAPES, &counts);
    counts = look_at(box, box, 1.01 * SIDE, 0, NULL);
    CHECK_EQUAL(counts.touching, counts.pairs);
    FIGURE("5 tests part pairs, each those that it should");
    scree_mesh_destroy(mesh);
    scree_mesh_destroy(two);
    scree_mesh_destroy(small);
}

/*  Spheres are no business of these tests, and no world has none. */
TEST(spheres_are_not_counted)
{
    const scree_shape sphere = scree_shape_sphere(SIDE);
    scree_world_def def = plain_def(1e-6);
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_body_def body = body_at(&s, sphere, 0, 0, 0);

    add(&s, &body);
    body = body_at(&s, sphere, 1.9 * SIDE, 0, 0);
    add(&s, &body);
    step(&s, 3);
    CHECK_EQUAL(scree_world_local_counts(s.world).pairs, 0);
    CHECK_EQUAL(scree_world_local_counts(NULL).pairs, 0);
    scree_world_destroy(s.world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(each_test_parts_what_it_can),
        CASE(spheres_are_not_counted),
    };

    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
