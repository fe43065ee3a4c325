/*  Bumpy bodies of triangles through a funnel of triangles, in small: one digest, and energies that add up. In full by
    `./do digest --funnel`. */
#include "harness/funnel.h"
#include "test.h"

#include <math.h>

static const funnel_scene small = {.stones = 30, .facets = 80, .forms = 5};
#define STEPS 2500

static scree_world *open_funnel(const drum_way *way, scree_mesh_engine engine)
{
    scree_error error = {SCREE_OK, ""};
    scree_world *world = funnel_scene_open(&small, way, engine, &error);

    if (!world)
        FAIL("%s", error.text);
    return world;
}

static void advance(scree_world *world, uint64_t steps)
{
    if (scree_world_step(world, steps))
        FAIL("%s", scree_world_message(world));
}

static uint64_t digest_of(const drum_way *way, scree_mesh_engine engine)
{
    scree_world *world = open_funnel(way, engine);

    advance(world, STEPS);
    uint64_t digest = scree_world_digest(world);
    scree_world_destroy(world);
    return digest;
}

/*  What is lost in steps of 2e-5 s is a share of what collisions turn over; a term left out is all of it. */
TEST(energies_add_up)
{
    const drum_way plain = {0};
    scree_world *world = open_funnel(&plain, SCREE_MESH_ENGINE_AUTO);
    double worst = 0;

    for (int k = 0; k < 10; k++) {
        advance(world, STEPS / 10);
        worst = fmax(worst, fabs(funnel_scene_gap(world)));
    }
    scree_energy e = scree_world_energy(world);
    CHECK(e.damping > 0.1 * (e.kinetic + e.rotational) && e.friction > 0);
    CHECK(scree_world_detection_stats(world).contacts > 2);
    if (!(worst < 0.01))
        FAIL("the energy error is %g", worst);
    scree_world_destroy(world);
}

TEST(one_digest_however_it_is_computed)
{
    const drum_way plain = {0};
    uint64_t digest = digest_of(&plain, SCREE_MESH_ENGINE_BOXES);

    for (uint32_t threads = 2; threads <= 3; threads++) {
        const drum_way way = {.threads = threads, .method = "bvh8"};
        CHECK_EQUAL(digest_of(&way, SCREE_MESH_ENGINE_AUTO), digest);
    }
    for (int level = SCREE_SIMD_SCALAR; level <= SCREE_SIMD_AVX512; level++) {
        const drum_way way = {.simd = (scree_simd)level, .sort_every = 8};
        CHECK_EQUAL(digest_of(&way, SCREE_MESH_ENGINE_AUTO), digest);
    }
    CHECK_EQUAL(digest_of(&plain, SCREE_MESH_ENGINE_SURROGATE), digest);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(energies_add_up),
        CASE(one_digest_however_it_is_computed),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
