/*  Touching triangles of two meshes: every pair decided as the double decides it, and boxes find what a look at every
    pair finds, bit for bit. */
#include "harness/mesh_pair.h"

#include "harness/failing_allocator.h"
#include "harness/mesh_maker.h"
#include "test.h"

/* ---- helpers ---- */

static scree_memory memory;

static void begin(scree_mesh_finder *finder, scree_simd simd)
{
    CHECK(scree_memory_init(&memory, NULL) == SCREE_OK);
    CHECK(scree_mesh_finder_init(finder, &memory, simd) == SCREE_OK);
}

static solid globe(uint32_t facets, double bumps, double scale, uint64_t seed)
{
    solid s;
    CHECK(solid_globe(facets, bumps, 1, scale, seed, &s));
    return s;
}

static solid made(maker m)
{
    solid s;
    CHECK(solid_of(maker_mesh(&m), &s));
    maker_free(&m);
    return s;
}

static bool same_contacts(const scree_mesh_finder *a, const scree_mesh_finder *b)
{
    return a->contact_count == b->contact_count &&
           (a->contact_count == 0 ||
            same_bits(a->contacts, b->contacts, a->contact_count * sizeof *a->contacts));
}

/*  Both finders are asked, the first for all pairs. */
static void check_boxes(scree_mesh_finder *all, scree_mesh_finder *boxes,
                        const scree_mesh_body body[2], const char *what, uint64_t n)
{
    CHECK(scree_mesh_find_all(all, &body[0], &body[1]) == SCREE_OK);
    CHECK(scree_mesh_find_boxes(boxes, &body[0], &body[1]) == SCREE_OK);
    if (!same_contacts(all, boxes))
        FAIL("%s %llu: %zu contacts by boxes, %zu by all pairs", what, (unsigned long long)n,
             boxes->contact_count, all->contact_count);
}

static const double nowhere[3] = {0, 0, 0}, upright[4] = {1, 0, 0, 0};

/* ---- the truth ---- */

TEST(all_pairs_are_decided_as_the_double_decides)
{
    PROVES("NW-08 NW-50");
    static const double scales[] = {1, 1e-6, 1e6};
    scree_mesh_finder finder;
    scree_random random = scree_random_stream(1, 0);
    size_t contacts = 0;
    begin(&finder, SCREE_SIMD_AUTO);
    for (int n = 0; n < TEST_EFFORT(6, 60); n++) {
        double scale = scales[n % 3];
        solid a = globe(80, 1.4, scale, 1), b = globe(n % 2 ? 36 : 140, 1.6, scale, 2);
        scree_mesh_body body[2];
        random_bodies(&random, &a, &b, 0.2, n % 4 ? 0 : 100 * scale, body);
        CHECK(scree_mesh_find_all(&finder, &body[0], &body[1]) == SCREE_OK);
        CHECK_EQUAL(count_lies(body, finder.contacts, finder.contact_count), 0);
        CHECK_EQUAL(finder.counts.contacts - contacts, finder.contact_count);
        contacts += finder.contact_count;
        solid_free(&a);
        solid_free(&b);
    }
    CHECK(contacts > TEST_EFFORT(0, 100));
    FIGURE("%zu contacts, none decided otherwise", contacts);
    scree_mesh_finder_free(&finder);
}

/*  The points are those of the triangles in the world, as far apart as is said. */
TEST(points_are_on_the_triangles)
{
    PROVES("NW-03 NW-15");
    scree_mesh_finder finder;
    scree_random random = scree_random_stream(2, 0);
    solid a = globe(140, 1.5, 1, 3), b = globe(80, 1.2, 1, 4);
    begin(&finder, SCREE_SIMD_AUTO);
    for (int n = 0; n < 20; n++) {
        scree_mesh_body body[2];
        random_bodies(&random, &a, &b, 0.1, 0, body);
        CHECK(scree_mesh_find_boxes(&finder, &body[0], &body[1]) == SCREE_OK);
        for (size_t k = 0; k < finder.contact_count; k++) {
            const scree_mesh_touch *c = &finder.contacts[k];
            double square = 0;
            for (int s = 0; s < 2; s++) {
                double corner[3][3];
                facet_in_world(&body[s], c->facet[s], corner);
                CHECK(scree_point_triangle_distance(c->point[s], (const double(*)[3])corner)
                          .distance < 1e-7);
            }
            for (int i = 0; i < 3; i++)
                square += (c->point[1][i] - c->point[0][i]) * (c->point[1][i] - c->point[0][i]);
            CHECK_NEAR(sqrt(square), c->distance, 1e-9);
            CHECK(c->distance <= (body[0].skin + body[1].skin) * (1 + 1e-9));
            CHECK(k == 0 || c->facet[0] > c[-1].facet[0] ||
                  (c->facet[0] == c[-1].facet[0] && c->facet[1] > c[-1].facet[1]));
        }
    }
    scree_mesh_finder_free(&finder);
    solid_free(&a);
    solid_free(&b);
}

TEST(a_pose_turns_as_its_quaternion_does)
{
    scree_random random = scree_random_stream(3, 0);
    for (int n = 0; n < 100; n++) {
        double q[4], v[3], at[3], turned[3], placed[3];
        random_turn(&random, q);
        for (int k = 0; k < 3; k++) {
            v[k] = scree_random_normal(&random);
            at[k] = scree_random_normal(&random);
        }
        scree_mesh_pose pose = scree_mesh_pose_of(at, q);
        scree_mesh_place(&pose, v, placed);
        scree_quaternion_normalise(q);
        scree_quaternion_turn(q, v, turned);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(placed[k], turned[k] + at[k], 1e-14);
    }
}

/* ---- boxes ---- */

TEST(boxes_find_what_all_pairs_give)
{
    static const uint32_t facets[] = {12, 36, 80, 140, 320, 1224};
    static const double bumps[] = {1, 1.2, 2};
    scree_mesh_finder all, boxes;
    solid solids[6][3];
    uint64_t touching = 0;
    begin(&all, SCREE_SIMD_AUTO);
    begin(&boxes, SCREE_SIMD_AUTO);
    for (int f = 0; f < 6; f++)
        for (int k = 0; k < 3; k++)
            CHECK(solid_globe(facets[f], bumps[k], k == 0 ? 2.5 : 1, 1, (uint64_t)f + (uint64_t)k,
                              &solids[f][k]));
    for (uint64_t n = 0; n < TEST_EFFORT(200, 2500); n++) {
        scree_random random = scree_random_stream(4, n);
        uint32_t large = n % 20 == 0 ? 6 : 5;
        const solid *a =
            &solids[scree_random_below(&random, large)][scree_random_below(&random, 3)];
        const solid *b = &solids[scree_random_below(&random, 5)][scree_random_below(&random, 3)];
        scree_mesh_body body[2];
        random_bodies(&random, a, b, n % 3 ? 0.02 : 0.5, 0, body);
        check_boxes(&all, &boxes, body, "pose", n);
        touching += boxes.contact_count > 0;
    }
    CHECK(touching > TEST_EFFORT(40, 600));
    /* that is what they are for */
    CHECK(20 * boxes.counts.candidates < all.counts.candidates);
    for (int f = 0; f < 6; f++)
        for (int k = 0; k < 3; k++)
            solid_free(&solids[f][k]);
    scree_mesh_finder_free(&all);
    scree_mesh_finder_free(&boxes);
}

/*  Sizes that differ, units, and places far out, where the world's own rounding moves triangles. */
TEST(boxes_at_all_scales)
{
    static const double fars[] = {0, 1e3, 1e9, 1e14, 1e17};
    scree_mesh_finder all, boxes;
    begin(&all, SCREE_SIMD_AUTO);
    begin(&boxes, SCREE_SIMD_AUTO);
    for (uint64_t n = 0; n < TEST_EFFORT(40, 200); n++) {
        scree_random random = scree_random_stream(5, n);
        double scale = scree_random_log_uniform(&random, 1e-6, 1e6);
        double ratio = n % 2 ? 1 : scree_random_log_uniform(&random, 1e-3, 1e3);
        solid a = globe(n % 3 ? 80 : 320, 1.3, scale, n), b = globe(140, 1.3, scale * ratio, n);
        scree_mesh_body body[2];
        random_bodies(&random, &a, &b, n % 5 ? 0.05 : 1e-6, fars[n % 5] * scale, body);
        check_boxes(&all, &boxes, body, "scale", n);
        solid_free(&a);
        solid_free(&b);
    }
    scree_mesh_finder_free(&all);
    scree_mesh_finder_free(&boxes);
}

/*  The same mesh in nearly the same pose, or in the same. */
TEST(boxes_of_bodies_in_each_other)
{
    scree_mesh_finder all, boxes;
    solid s = globe(320, 1.8, 1, 7);
    begin(&all, SCREE_SIMD_AUTO);
    begin(&boxes, SCREE_SIMD_AUTO);
    for (uint64_t n = 0; n < 20; n++) {
        scree_random random = scree_random_stream(6, n);
        double off = n == 0 ? 0 : scree_random_log_uniform(&random, 1e-16, 1e-1), at[3], q[4];
        for (int k = 0; k < 3; k++)
            at[k] = off * scree_random_normal(&random);
        for (int k = 0; k < 4; k++)
            q[k] = (k == 0) + off * scree_random_normal(&random);
        scree_mesh_body body[2] = {body_at(&s, nowhere, upright, 1e-3), body_at(&s, at, q, 0)};
        check_boxes(&all, &boxes, body, "offset", n);
        CHECK(boxes.contact_count > 0);
        if (n == 0) /* each facet at least itself, and its neighbours */
            CHECK(boxes.contact_count >= (size_t)s.mesh->facet_count * 4);
    }
    solid_free(&s);
    scree_mesh_finder_free(&all);
    scree_mesh_finder_free(&boxes);
}

/*  Boxes, whose faces lie in planes: face on face, edge on edge, corner on corner, and just as far as the reach. */
TEST(boxes_of_bricks)
{
    static const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
    static const double gaps[] = {0, 0.0625, 0.125, 0.1250000001, 0.5};
    static const size_t face_on_face[] = {1, 1, 1, 0, 0};
    scree_mesh_finder all, boxes;
    solid brick = made(maker_box(lower, upper));
    begin(&all, SCREE_SIMD_AUTO);
    begin(&boxes, SCREE_SIMD_AUTO);
    for (int g = 0; g < 5; g++)
        for (int way = 1; way < 8; way++) {
            double at[3], q[4] = {1, 0, 0, 0};
            for (int k = 0; k < 3; k++)
                at[k] = way >> k & 1 ? 1 + gaps[g] : 0;
            scree_mesh_body body[2] = {body_at(&brick, nowhere, upright, 0.0625),
                                       body_at(&brick, at, q, 0.0625)};
            check_boxes(&all, &boxes, body, "brick", (uint64_t)g * 8 + (uint64_t)way);
            /* along one axis: exactly as far as they reach */
            if (way == 1 || way == 2 || way == 4)
                CHECK_EQUAL(boxes.contact_count > 0, face_on_face[g]);
        }
    solid_free(&brick);
    scree_mesh_finder_free(&all);
    scree_mesh_finder_free(&boxes);
}

/*  A corner over a face, a billionth of the body away and no more: floats cannot tell that from a miss. */
TEST(boxes_of_what_just_touches)
{
    PROVES("NW-02");
    static const double lower[3] = {-0.7, -0.9, -0.3}, upper[3] = {0.7, 0.9, 0.3};
    const double reach = 1e-9;
    scree_mesh_finder all, boxes;
    solid brick = made(maker_box(lower, upper)), grain = globe(80, 1.3, 0.6, 1);
    begin(&all, SCREE_SIMD_AUTO);
    begin(&boxes, SCREE_SIMD_AUTO);
    for (uint64_t n = 0; n < 200; n++) {
        scree_random random = scree_random_stream(10, n);
        size_t axis = n % 3;
        double q[4], at[3] = {0.1, 0.1, 0.1}, lowest = INFINITY;
        random_turn(&random, q);
        scree_mesh_body body[2] = {body_at(&brick, nowhere, upright, 0),
                                   body_at(&grain, at, q, reach)};
        for (size_t v = 0; v < grain.mesh->vertex_count; v++) {
            double placed[3];
            scree_mesh_place(&body[1].pose, grain.mesh->vertices + 3 * v, placed);
            lowest = fmin(lowest, placed[axis]);
        }
        body[1].pose.place[axis] += upper[axis] + 0.99 * reach - lowest;
        check_boxes(&all, &boxes, body, "corner", n);
        CHECK(boxes.contact_count > 0);
        body[1].pose.place[axis] += 0.02 * reach;
        check_boxes(&all, &boxes, body, "corner", n);
        CHECK_EQUAL(boxes.contact_count, 0);
    }
    FIGURE("200 corners: touching at 0.99 of the reach, apart at 1.01");
    solid_free(&brick);
    solid_free(&grain);
    scree_mesh_finder_free(&all);
    scree_mesh_finder_free(&boxes);
}

/*  Trees of unlike height, either way round, down to a single triangle. */
TEST(boxes_of_few_and_many)
{
    scree_mesh_finder all, boxes;
    uint32_t cuts = TEST_EFFORT(20, 71);
    solid large = globe(20 * cuts * cuts, 1.1, 1, 1), grain = globe(80, 1.5, 0.01, 2);
    solid fine = globe(5120, 1.1, 0.1, 3), coarse = globe(12, 1, 10, 0);
    maker m = maker_new(3, 1);
    maker_facet(&m, maker_vertex(&m, 0, 0, 0), maker_vertex(&m, 1, 0, 0),
                maker_vertex(&m, 0, 1, 0));
    solid one = made(m);
    const solid *pairs[][2] = {{&large, &grain}, {&grain, &large}, {&fine, &coarse},
                               {&coarse, &fine}, {&one, &fine},    {&one, &one},
                               {&large, &one}};
    begin(&all, SCREE_SIMD_AUTO);
    begin(&boxes, SCREE_SIMD_AUTO);
    for (uint64_t n = 0; n < 2 * SCREE_COUNT_OF(pairs); n += TEST_EFFORT(2, 1)) {
        scree_random random = scree_random_stream(7, n);
        const solid *const *pair = pairs[n / 2];
        /* as if one vertex of the first were where the second is */
        const double *vertex = pair[0]->mesh->vertices +
                               3 * (size_t)scree_random_below(&random, pair[0]->mesh->vertex_count);
        double q[4];
        random_turn(&random, q);
        scree_mesh_body body[2] = {body_at(pair[0], nowhere, upright, 1e-3),
                                   body_at(pair[1], vertex, q, 1e-4)};
        check_boxes(&all, &boxes, body, "few and many", n);
        CHECK(boxes.contact_count > 0 || pair[1] != &one);
    }
    solid_free(&large);
    solid_free(&grain);
    solid_free(&fine);
    solid_free(&coarse);
    solid_free(&one);
    scree_mesh_finder_free(&all);
    scree_mesh_finder_free(&boxes);
}

/*  A reach beyond all boxes: every pair. And bodies that are nowhere near: none, without a look at a triangle. */
TEST(boxes_at_the_ends)
{
    static const double beyond[3] = {3, 0, 0}, far_beyond[3] = {1e90, 0, 0};
    scree_mesh_finder all, boxes;
    solid a = globe(80, 1.2, 1, 1), b = globe(36, 1.2, 1, 2);
    begin(&all, SCREE_SIMD_AUTO);
    begin(&boxes, SCREE_SIMD_AUTO);
    scree_mesh_body body[2] = {body_at(&a, nowhere, upright, 1e12),
                               body_at(&b, beyond, upright, 0)};
    check_boxes(&all, &boxes, body, "reach", 0);
    CHECK_EQUAL(boxes.contact_count, 80 * 36);
    body[0].skin = 5;
    check_boxes(&all, &boxes, body, "reach", 1);
    CHECK_EQUAL(boxes.contact_count, 80 * 36);
    body[0].skin = 0.01;
    boxes.counts.candidates = boxes.counts.boxes = 0;
    check_boxes(&all, &boxes, body, "apart", 0);
    body[1] = body_at(&b, far_beyond, upright, 0);
    check_boxes(&all, &boxes, body, "apart", 1);
    CHECK_EQUAL(boxes.contact_count + boxes.counts.candidates + boxes.counts.boxes, 0);
    solid_free(&a);
    solid_free(&b);
    scree_mesh_finder_free(&all);
    scree_mesh_finder_free(&boxes);
}

/*  The pairs of b with a are those of a with b. */
TEST(the_order_of_boxes_does_not_matter)
{
    scree_mesh_finder one, other;
    solid a = globe(320, 1.4, 1, 1), b = globe(140, 1.4, 1.5, 2);
    begin(&one, SCREE_SIMD_AUTO);
    begin(&other, SCREE_SIMD_AUTO);
    for (uint64_t n = 0; n < 50; n++) {
        scree_random random = scree_random_stream(8, n);
        scree_mesh_body body[2];
        size_t known = 0;
        random_bodies(&random, &a, &b, 0.1, 0, body);
        CHECK(scree_mesh_find_boxes(&one, &body[0], &body[1]) == SCREE_OK);
        CHECK(scree_mesh_find_boxes(&other, &body[1], &body[0]) == SCREE_OK);
        CHECK_EQUAL(one.contact_count, other.contact_count);
        for (size_t k = 0; k < one.contact_count; k++)
            for (size_t j = 0; j < other.contact_count; j++)
                known += one.contacts[k].facet[0] == other.contacts[j].facet[1] &&
                         one.contacts[k].facet[1] == other.contacts[j].facet[0];
        CHECK_EQUAL(known, one.contact_count);
    }
    solid_free(&a);
    solid_free(&b);
    scree_mesh_finder_free(&one);
    scree_mesh_finder_free(&other);
}

TEST(levels_give_the_same_bits)
{
    enum
    {
        LEVELS = SCREE_SIMD_AVX512
    };
    scree_mesh_finder finder[LEVELS];
    solid a = globe(320, 1.5, 1, 1), b = globe(140, 1.5, 1, 2);
    for (int level = 0; level < LEVELS; level++)
        begin(&finder[level], (scree_simd)(SCREE_SIMD_SCALAR + level));
    for (uint64_t n = 0; n < 100; n++) {
        scree_random random = scree_random_stream(9, n);
        scree_mesh_body body[2];
        random_bodies(&random, &a, &b, 0.1, 0, body);
        for (int level = 0; level < LEVELS; level++) {
            CHECK(scree_mesh_find_boxes(&finder[level], &body[0], &body[1]) == SCREE_OK);
            CHECK(same_contacts(&finder[0], &finder[level]));
            CHECK(same_bits(&finder[0].counts, &finder[level].counts, sizeof finder[0].counts));
        }
    }
    solid_free(&a);
    solid_free(&b);
    for (int level = 0; level < LEVELS; level++)
        scree_mesh_finder_free(&finder[level]);
}

/* ---- memory ---- */

static scree_status search_with(scree_memory *from, const scree_mesh_body body[2])
{
    scree_mesh_finder finder;
    scree_status status = scree_mesh_finder_init(&finder, from, SCREE_SIMD_AUTO);
    if (status)
        return status;
    status = scree_mesh_find_boxes(&finder, &body[0], &body[1]);
    if (!status)
        status = scree_mesh_find_all(&finder, &body[0], &body[1]);
    else
        CHECK_EQUAL(finder.contact_count, 0);
    scree_mesh_finder_free(&finder);
    return status;
}

TEST(a_search_without_memory_finds_nothing)
{
    solid a = globe(80, 1.2, 1, 1), b = globe(36, 1.2, 1, 2);
    /* deep enough that candidates are decided more than once */
    scree_mesh_body body[2] = {body_at(&a, nowhere, upright, 0.3),
                               body_at(&b, nowhere, upright, 0)};
    size_t failed = 0;
    for (size_t k = 1;; k++) {
        failing_allocator books = {.fail_at = k};
        scree_allocator hooks = failing_allocator_hooks(&books);
        scree_memory from;
        CHECK(scree_memory_init(&from, &hooks) == SCREE_OK);
        scree_status status = search_with(&from, body);
        CHECK(failing_allocator_is_clean(&books));
        CHECK(status == (books.failures ? SCREE_OUT_OF_MEMORY : SCREE_OK));
        failed += status != SCREE_OK;
        if (books.requests < k)
            break;
    }
    CHECK(failed > 10);
    solid_free(&a);
    solid_free(&b);
}

TEST(boxes_without_memory)
{
    solid a = globe(80, 1.2, 1, 1);
    scree_mesh_boxes boxes;
    for (size_t k = 1; k <= 2; k++) {
        failing_allocator books = {.fail_at = k};
        scree_allocator hooks = failing_allocator_hooks(&books);
        scree_memory from;
        CHECK(scree_memory_init(&from, &hooks) == SCREE_OK);
        CHECK(scree_mesh_boxes_init(&boxes, a.mesh, &from) ==
              (k == 1 ? SCREE_OUT_OF_MEMORY : SCREE_OK));
        if (k == 2)
            scree_mesh_boxes_free(&boxes, &from);
        CHECK(failing_allocator_is_clean(&books));
    }
    solid_free(&a);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(all_pairs_are_decided_as_the_double_decides),
        CASE(points_are_on_the_triangles),
        CASE(a_pose_turns_as_its_quaternion_does),
        CASE(boxes_find_what_all_pairs_give),
        CASE(boxes_at_all_scales),
        CASE(boxes_of_bodies_in_each_other),
        CASE(boxes_of_bricks),
        CASE(boxes_of_what_just_touches),
        CASE(boxes_of_few_and_many),
        CASE(boxes_at_the_ends),
        CASE(the_order_of_boxes_does_not_matter),
        CASE(levels_give_the_same_bits),
        CASE(a_search_without_memory_finds_nothing),
        CASE(boxes_without_memory),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
