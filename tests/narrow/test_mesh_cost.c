/*  What searches are foretold to cost, and what is chosen by it. */
#include "harness/solid_maker.h"
#include "narrow/mesh_cost.h"
#include "test.h"

TEST(more_triangles_cost_more)
{
    for (int w = 0; w < SCREE_MESH_WAYS; w++) {
        scree_mesh_way way = (scree_mesh_way)w;
        for (uint32_t n = 1; n < 1u << 30; n *= 2)
            for (uint32_t m = 1; m < 1u << 30; m *= 2) {
                double cost = scree_mesh_cost(way, n, m);
                CHECK(cost > 0);
                CHECK(cost == scree_mesh_cost(way, m, n));
                CHECK(cost < scree_mesh_cost(way, n, 2 * m));
            }
    }
}

/*  Each with each where there are very few, boxes where there are many: and never the costlier of the two. */
TEST(the_cheaper_is_chosen)
{
    CHECK_EQUAL(scree_mesh_cheapest(1, 1), SCREE_MESH_BY_ALL);
    CHECK_EQUAL(scree_mesh_cheapest(4, 4), SCREE_MESH_BY_ALL);
    CHECK_EQUAL(scree_mesh_cheapest(80, 80), SCREE_MESH_BY_BOXES);
    CHECK_EQUAL(scree_mesh_cheapest(1u << 30, 1u << 30), SCREE_MESH_BY_BOXES);
    for (uint32_t n = 1; n < 1u << 30; n *= 2)
        for (uint32_t m = 1; m < 1u << 30; m *= 2) {
            double all = scree_mesh_cost(SCREE_MESH_BY_ALL, n, m);
            double boxes = scree_mesh_cost(SCREE_MESH_BY_BOXES, n, m);
            CHECK_EQUAL(scree_mesh_cheapest(n, m),
                        all < boxes ? SCREE_MESH_BY_ALL : SCREE_MESH_BY_BOXES);
        }
}

/*  That a world need not grow trees to choose well: if this fails after new measurements, it must. */
TEST(surrogates_are_nowhere_the_cheapest)
{
    for (uint32_t n = 1; n < 1u << 30; n *= 2)
        for (uint32_t m = 1; m < 1u << 30; m *= 2)
            CHECK(scree_mesh_cost(SCREE_MESH_BY_SURROGATES, n, m) >
                  scree_mesh_cost(scree_mesh_cheapest(n, m), n, m));
}

static scree_mesh *tetrahedron(void)
{
    static const double vertices[12] = {0.29,  0.29, 0.29,  0.29,  -0.29, -0.29,
                                        -0.29, 0.29, -0.29, -0.29, -0.29, 0.29};
    static const uint32_t facets[12] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh = NULL;
    def.vertices = vertices;
    def.vertex_count = 4;
    def.facets = facets;
    def.facet_count = 4;
    CHECK_EQUAL(scree_mesh_create(&def, &mesh), SCREE_OK);
    return mesh;
}

/*  Two tetrahedra that meet: what a world comes to, and how many pairs of triangles it compared for that. */
static uint64_t meet(scree_mesh_engine engine, uint64_t *compared)
{
    scree_world_def def = plain_def(1e-4);
    scree_mesh *mesh = tetrahedron();
    def.detection.mesh_engine = engine;
    scene s = open_scene(&def, "linear", 0.5, 0.5);
    scree_body_def body = body_at(&s, scree_shape_mesh(mesh, 0.01), 0, 0, 0);
    scree_body_id first = add(&s, &body);
    body.position[0] = 0.75;
    body.orientation[1] = 0.3;
    body.velocity[0] = -0.5;
    add(&s, &body);
    step(&s, 6000);
    uint64_t digest = scree_world_digest(s.world);
    *compared = scree_world_detection_stats(s.world).triangle_tests;
    CHECK(body_of(&s, first).velocity[0] < 0);
    scree_world_destroy(s.world);
    scree_mesh_release(mesh);
    return digest;
}

TEST(worlds_choose_and_come_to_the_same)
{
    uint64_t compared[3];
    uint64_t digest = meet(SCREE_MESH_ENGINE_AUTO, &compared[0]);
    CHECK_EQUAL(meet(SCREE_MESH_ENGINE_ALL, &compared[1]), digest);
    CHECK_EQUAL(meet(SCREE_MESH_ENGINE_BOXES, &compared[2]), digest);
    CHECK_EQUAL(compared[0], compared[1]);
    CHECK(compared[2] < compared[1]);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(more_triangles_cost_more),
        CASE(the_cheaper_is_chosen),
        CASE(surrogates_are_nowhere_the_cheapest),
        CASE(worlds_choose_and_come_to_the_same),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
