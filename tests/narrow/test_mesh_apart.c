/*  Planes between meshes: what they keep apart does not touch, and they are found where bodies are round. */
#include "narrow/mesh_apart.h"

#include "harness/mesh_maker.h"
#include "harness/mesh_pair.h"
#include "test.h"

static const double identity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static bool are_apart(const scree_mesh_boxes *first, const scree_mesh_boxes *second,
                      const double turn[3][3], const double shift[3], double widen,
                      uint64_t *looked)
{
    uint64_t by_level[SCREE_SIMD_AVX512 + 1] = {0};
    bool is_apart[SCREE_SIMD_AVX512 + 1] = {false};
    for (int level = SCREE_SIMD_SCALAR; level <= (int)scree_simd_resolve(SCREE_SIMD_AVX512);
         level++) {
        is_apart[level] = scree_mesh_are_apart(&scree_mesh_sifters[level], first, second, turn,
                                               shift, widen, &by_level[level]);
        CHECK_EQUAL(is_apart[level], is_apart[SCREE_SIMD_SCALAR]);
        CHECK_EQUAL(by_level[level], by_level[SCREE_SIMD_SCALAR]);
    }
    *looked += by_level[SCREE_SIMD_SCALAR];
    return is_apart[SCREE_SIMD_SCALAR];
}

static solid globe(uint32_t facets, double bumps, uint64_t seed)
{
    solid s;
    CHECK(solid_globe(facets, bumps, 1, 1, seed, &s));
    return s;
}

/*  A cube and its double, shifted along an axis and beside it: apart by what the shift says, to the last bits of a float. */
TEST(as_far_as_widened)
{
    const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
    maker m = maker_box(lower, upper);
    solid cube;
    uint64_t looked = 0;
    CHECK(solid_of(maker_mesh(&m), &cube));
    maker_free(&m);
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2)
            for (int beside = 0; beside < 2; beside++) {
                double shift[3] = {0.01 * beside, 0.02 * beside, 0.03 * beside};
                shift[axis] = side * 1.25;
                /* only the best direction gets all of it */
                CHECK(are_apart(&cube.boxes, &cube.boxes, identity, shift, beside ? 0.2 : 0.2499,
                                &looked));
                CHECK(!are_apart(&cube.boxes, &cube.boxes, identity, shift, 0.2501, &looked));
                shift[axis] = side * 0.999;
                CHECK(!are_apart(&cube.boxes, &cube.boxes, identity, shift, 0, &looked));
            }
    CHECK(looked > 0);
    solid_free(&cube);
}

/*  Where nothing can be between: one in the other, on the same middle. */
TEST(none_where_they_meet)
{
    static const double nowhere[3] = {0, 0, 0};
    solid a = globe(320, 1.4, 1);
    uint64_t looked = 0;
    CHECK(!are_apart(&a.boxes, &a.boxes, identity, nowhere, 0, &looked));
    CHECK_EQUAL(looked, 0);
    solid_free(&a);
}

/*  Random poses of round and bumpy bodies, apart and in each other, and one a little farther off than it touches. */
TEST(what_is_apart_does_not_touch)
{
    static const uint32_t facets[] = {12, 80, 320};
    static const double bumps[] = {1, 1.4, 2.6};
    scree_memory memory;
    scree_mesh_finder all, boxes;
    uint64_t touching = 0, apart = 0;
    CHECK(scree_memory_init(&memory, NULL) == SCREE_OK);
    CHECK(scree_mesh_finder_init(&all, &memory, SCREE_SIMD_AUTO) == SCREE_OK);
    CHECK(scree_mesh_finder_init(&boxes, &memory, SCREE_SIMD_AUTO) == SCREE_OK);
    for (size_t k = 0; k < 9; k++) {
        solid a = globe(facets[k / 3], bumps[k % 3], k), b = globe(80, bumps[k % 3], k + 9);
        for (uint64_t n = 0; n < TEST_EFFORT(40, 200); n++) {
            scree_random random = scree_random_stream(k, n);
            scree_mesh_body body[2];
            random_bodies(&random, &a, &b, 0.03, 0, body);
            CHECK(scree_mesh_find_all(&all, &body[0], &body[1]) == SCREE_OK);
            CHECK(scree_mesh_find_boxes(&boxes, &body[0], &body[1]) == SCREE_OK);
            CHECK_EQUAL(boxes.contact_count, all.contact_count);
            touching += all.contact_count > 0;
            apart += all.contact_count == 0;
        }
        solid_free(&a);
        solid_free(&b);
    }
    CHECK(touching > TEST_EFFORT(20, 100));
    CHECK(apart > TEST_EFFORT(20, 100));
    scree_mesh_finder_free(&all);
    scree_mesh_finder_free(&boxes);
}

/*  Round bodies, turned anyhow, a twentieth of their size apart: told without a walk down both trees, and no triangle
    is brought into the world. */
TEST(near_misses_take_few_boxes)
{
    scree_memory memory;
    scree_mesh_finder boxes;
    solid a = globe(1280, 1, 1), b = globe(1280, 1.2, 2);
    CHECK(scree_memory_init(&memory, NULL) == SCREE_OK);
    CHECK(scree_mesh_finder_init(&boxes, &memory, SCREE_SIMD_AUTO) == SCREE_OK);
    for (uint64_t n = 0; n < 100; n++) {
        scree_random random = scree_random_stream(3, n);
        double at[2][3], q[4];
        scree_mesh_body body[2];
        for (int s = 0; s < 2; s++) {
            for (int k = 0; k < 3; k++)
                at[s][k] = scree_random_normal(&random);
            random_turn(&random, q);
            body[s] = body_at(s ? &b : &a, at[s], q, 0.01);
        }
        double length = 0, apart = 1.05 * (a.radius + b.radius);
        for (int k = 0; k < 3; k++)
            length += (at[1][k] - at[0][k]) * (at[1][k] - at[0][k]);
        for (int k = 0; k < 3; k++)
            body[1].pose.place[k] = at[0][k] + (at[1][k] - at[0][k]) * apart / sqrt(length);
        boxes.counts = (scree_mesh_counts){0};
        CHECK(scree_mesh_find_boxes(&boxes, &body[0], &body[1]) == SCREE_OK);
        CHECK_EQUAL(boxes.contact_count, 0);
        CHECK_EQUAL(boxes.counts.candidates, 0);
        CHECK(boxes.counts.boxes < 600);
    }
    solid_free(&a);
    solid_free(&b);
    scree_mesh_finder_free(&boxes);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(as_far_as_widened),
        CASE(none_where_they_meet),
        CASE(what_is_apart_does_not_touch),
        CASE(near_misses_take_few_boxes),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
