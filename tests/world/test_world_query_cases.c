/*  Queries on a world whose answers are known by hand, and what is refused. */
#include "base/random.h"
#include "harness/failing_allocator.h"
#include "harness/solid_maker.h"

#include <stdlib.h>

#define SIDE 1.0

/*  A sphere at the origin, a clump of two pebbles, and a cube with a wide skin. */
TEST(surfaces_are_closed_and_have_no_skin)
{
    scree_world_def def = plain_def(1e-6);
    scene s = open_scene(&def, "linear", 0.5, 0);
    const scree_pebble pebbles[2] = {{{-1, 0, 0}, 0.5}, {{1, 0, 0}, 0.5}};
    scree_clump *two = clump_of(3, pebbles, 2);
    scree_mesh *box = cube(2);
    scree_body_def ball = body_at(&s, scree_shape_sphere(1), 0, 0, 0);
    scree_body_def dumbbell = body_at(&s, scree_shape_clump(two), 10, 0, 0);
    scree_body_def solid = body_at(&s, scree_shape_mesh(box, 0.25), 20, 0, 0);
    scree_body_id ids[3] = {add(&s, &ball), add(&s, &dumbbell), add(&s, &solid)};
    scree_body_hit hits[3];
    size_t count;

    scree_query query = scree_query_ray((double[3]){-5, 0, 0}, (double[3]){2, 0, 0}, INFINITY);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 3, &count, NULL), SCREE_OK);
    CHECK_EQUAL(count, 3);
    for (int k = 0; k < 3; k++)
        CHECK(scree_body_id_equal(hits[k].id, ids[k]));
    CHECK_NEAR(hits[0].distance, 2, 1e-15);
    CHECK_NEAR(hits[1].distance, 6.75, 1e-14);
    CHECK_NEAR(hits[2].distance, 12, 1e-14);
    CHECK_NEAR(hits[2].point[0], 19, 1e-14);
    query.t_max = 2;
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 3, &count, NULL), SCREE_OK);
    CHECK_EQUAL(count, 1);
    /* through the gap between the pebbles, and past the cube in its skin */
    query = scree_query_ray((double[3]){10, -5, 0}, (double[3]){0, 1, 0}, INFINITY);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 3, &count, NULL), SCREE_OK);
    CHECK_EQUAL(count, 0);
    query = scree_query_ray((double[3]){15, 1.1, 0}, (double[3]){1, 0, 0}, INFINITY);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 3, &count, NULL), SCREE_OK);
    CHECK_EQUAL(count, 0);
    /* what just touches is found, and inside everything is at 0 */
    query = scree_query_sphere((double[3]){3, 0, 0}, 2);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 3, &count, NULL), SCREE_OK);
    CHECK_EQUAL(count, 1);
    query = scree_query_box((double[3]){1, -1, -1}, (double[3]){2, 1, 1});
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 3, &count, NULL), SCREE_OK);
    CHECK_EQUAL(count, 1);
    query = scree_query_nearest((double[3]){20.5, 0.25, 0}, 1);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 3, &count, NULL), SCREE_OK);
    CHECK(count == 1 && hits[0].distance == 0 && hits[0].point[0] == 20.5);
    query = scree_query_nearest((double[3]){22, 0.25, 0}, 1);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 3, &count, NULL), SCREE_OK);
    CHECK_NEAR(hits[0].distance, 1, 1e-14);
    CHECK_NEAR(hits[0].point[1], 0.25, 1e-14);
    scree_world_destroy(s.world);
    scree_mesh_destroy(box);
    scree_clump_destroy(two);
}

/*  At the sides of a cube, its edges and its corners, from outside, to the last bit. */
TEST(boxes_that_just_touch_a_cube_are_found)
{
    scree_world_def def = plain_def(1e-6);
    scree_random random = scree_random_stream(11, 0);
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_mesh *box = cube(2);
    scree_body_def mesh = body_at(&s, scree_shape_mesh(box, 0.25), 0, 0, 0);
    scree_body_id id = add(&s, &mesh);

    for (int n = 0; n < 20000; n++) {
        double lower[3], upper[3];
        int touching = 1 + n % 3;
        size_t count;
        scree_body_hit hit;
        for (int k = 0; k < 3; k++) {
            lower[k] = scree_random_range(&random, -0.9, 0.5);
            upper[k] = lower[k] + scree_random_range(&random, 0, 0.4);
        }
        for (int k = 0; k < touching; k++) {
            int axis = (n / 3 + k) % 3;
            double width = scree_random_range(&random, 0, 3);
            bool is_below = scree_random_below(&random, 2);
            lower[axis] = is_below ? -1 - width : 1;
            upper[axis] = is_below ? -1 : 1 + width;
        }
        scree_query query = scree_query_box(lower, upper);
        CHECK_EQUAL(scree_world_hits(s.world, &query, &hit, 1, &count, NULL), SCREE_OK);
        if (count != 1)
            FAIL("%d: lower %.17g %.17g %.17g upper %.17g %.17g %.17g", n, lower[0], lower[1],
                 lower[2], upper[0], upper[1], upper[2]);
        CHECK(scree_body_id_equal(hit.id, id));
        /* one bit away it touches no more */
        int axis = n / 3 % 3;
        if (lower[axis] == 1)
            lower[axis] = nextafter(1, 2);
        else
            upper[axis] = nextafter(-1, -2);
        query = scree_query_box(lower, upper);
        CHECK_EQUAL(scree_world_hits(s.world, &query, &hit, 1, &count, NULL), SCREE_OK);
        CHECK(count == 0 || lower[axis] > upper[axis]);
    }
    scree_world_destroy(s.world);
    scree_mesh_destroy(box);
}

/*  In two dimensions z is not looked at; a polygon is what its segments enclose. */
TEST(queries_in_the_plane)
{
    scree_world_def def = plain_def(1e-6);
    def.dimensions = 2;
    scene s = open_scene(&def, "linear", 0.5, 0);
    const double corners[4][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    scree_hull_def hull = scree_default_hull_def();
    scree_mesh *square;
    scree_body_hit hits[2];
    size_t count;

    hull.points = corners[0];
    hull.point_count = 4;
    hull.corners = 2;
    CHECK_EQUAL(scree_mesh_hull(&hull, &square), SCREE_OK);
    scree_body_def block = body_at(&s, scree_shape_block(square, 0.1), 5, 0, 0);
    scree_body_def disc = body_at(&s, scree_shape_sphere(1), 0, 0, 0);
    scree_body_id ids[2] = {add(&s, &disc), add(&s, &block)};

    scree_query query = scree_query_ray((double[3]){-3, 0.5, 77}, (double[3]){1, 0, NAN}, INFINITY);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 2, &count, NULL), SCREE_OK);
    CHECK_EQUAL(count, 2);
    CHECK(scree_body_id_equal(hits[0].id, ids[0]) && scree_body_id_equal(hits[1].id, ids[1]));
    CHECK_NEAR(hits[1].distance, 7, 1e-14);
    query = scree_query_nearest((double[3]){5.5, 0.5, 0}, 1);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 2, &count, NULL), SCREE_OK);
    CHECK(scree_body_id_equal(hits[0].id, ids[1]) && hits[0].distance == 0);
    query = scree_query_box((double[3]){4.75, -0.25, 0}, (double[3]){5, 0.25, 0});
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 2, &count, NULL), SCREE_OK);
    CHECK_EQUAL(count, 1);
    query = scree_query_sphere((double[3]){3, 2, 0}, 1.42);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 2, &count, NULL), SCREE_OK);
    CHECK_EQUAL(count, 1);
    query.radius = 1.41;
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 2, &count, NULL), SCREE_OK);
    CHECK_EQUAL(count, 0);
    scree_world_destroy(s.world);
    scree_mesh_destroy(square);
}

/*  So far away that periods cannot be counted: the query, or a body that the host put there. */
TEST(far_from_the_domain_is_refused)
{
    scree_world_def def = plain_def(1e-6);
    const double far[3] = {1e17, 0.5, 0.5}, near[3] = {-0.9e6, 0.5, 0.5};
    scree_body_hit hit;
    scree_error why;
    size_t count;

    for (int k = 0; k < 3; k++) {
        def.domain.boundary[k] = SCREE_BOUNDARY_PERIODIC;
        def.domain.upper[k] = SIDE;
    }
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_body_def ball = body_at(&s, scree_shape_sphere(0.1), 0.5, 0.5, 0.5);
    scree_body_id id = add(&s, &ball);
    const scree_query queries[] = {scree_query_sphere(far, 0.2), scree_query_box(far, far),
                                   scree_query_nearest(far, 1),
                                   scree_query_ray(far, (double[3]){0, 1, 0}, 1),
                                   scree_query_sphere((double[3]){0.5, 0.5, -1.1e6}, 0.2)};
    for (size_t k = 0; k < sizeof queries / sizeof *queries; k++) {
        CHECK_EQUAL(scree_world_hits(s.world, &queries[k], &hit, 1, &count, &why), SCREE_TOO_LARGE);
        CHECK_SAYS(why.text, "periods from the domain, must be at most 1e+06");
    }
    scree_query query = scree_query_sphere(near, 0.7);
    CHECK_EQUAL(scree_world_hits(s.world, &query, &hit, 1, &count, &why), SCREE_OK);
    CHECK_EQUAL(count, 1);
    CHECK_EQUAL(scree_body_set_position(s.world, id, far), SCREE_OK);
    query = scree_query_sphere((double[3]){0.5, 0.5, 0.5}, 0.2);
    CHECK_EQUAL(scree_world_hits(s.world, &query, &hit, 1, &count, &why), SCREE_TOO_LARGE);
    CHECK_SAYS(why.text, "body 1 is more than 1e+06 periods from the domain");
    scree_world_destroy(s.world);
}

static int stop_at_second(const scree_body_hit *hit, void *user)
{
    (void)hit;
    return ++*(int *)user == 2;
}

/*  Changes of the host are seen at once; an empty world has no hits; what cannot be is refused with a sentence. */
TEST(queries_that_are_refused_and_worlds_that_are_empty)
{
    scree_world_def def = plain_def(1e-6);
    static const double origin[3] = {0}, bad[3] = {0, NAN, 0}, way[3] = {1, 0, 0};
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_query query = scree_query_sphere(origin, 1);
    scree_body_hit hits[4];
    scree_error why;
    size_t count = 77;
    int calls = 0;

    CHECK_EQUAL(scree_world_hits(s.world, &query, NULL, 0, &count, &why), SCREE_OK);
    CHECK_EQUAL(count, 0);
    for (int k = 0; k < 4; k++) {
        scree_body_def ball = body_at(&s, scree_shape_sphere(0.5), 0.1 * k, 0, 0);
        add(&s, &ball);
    }
    CHECK_EQUAL(scree_world_hits(s.world, &query, NULL, 0, &count, &why), SCREE_TOO_SMALL);
    CHECK_EQUAL(count, 4);
    CHECK_SAYS(why.text, "4 are needed");
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 2, &count, NULL), SCREE_TOO_SMALL);
    CHECK(hits[0].id.index1 == 1 && hits[1].id.index1 == 2);
    CHECK_EQUAL(scree_world_query(s.world, &query, stop_at_second, &calls, NULL), SCREE_OK);
    CHECK_EQUAL(calls, 2);
    /* a box that is empty, and none of the nearest */
    query = scree_query_box(way, origin);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 4, &count, NULL), SCREE_OK);
    CHECK_EQUAL(count, 0);
    query = scree_query_nearest(origin, 0);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 4, &count, NULL), SCREE_OK);
    CHECK_EQUAL(count, 0);
    /* what is wrong */
    query = scree_query_ray(bad, way, 1);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 4, &count, &why), SCREE_BAD_VALUE);
    CHECK_SAYS(why.text, "origin y is nan");
    query = scree_query_ray(origin, origin, 1);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 4, &count, &why), SCREE_BAD_VALUE);
    query = scree_query_sphere(origin, -1);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 4, &count, &why), SCREE_BAD_VALUE);
    query = scree_query_box(NULL, way);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 4, &count, &why), SCREE_BAD_VALUE);
    query.cookie = 0;
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 4, &count, &why), SCREE_BAD_DEF);
    CHECK_EQUAL(scree_world_hits(s.world, NULL, hits, 4, &count, &why), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_hits(s.world, &query, NULL, 4, &count, &why), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 4, NULL, &why), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_hits(NULL, &query, hits, 4, &count, &why), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_query(s.world, &query, NULL, NULL, &why), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_query(NULL, &query, stop_at_second, NULL, NULL), SCREE_BAD_ARGUMENT);
    scree_world_destroy(s.world);

    def.domain.boundary[0] = SCREE_BOUNDARY_PERIODIC;
    def.domain.upper[0] = 1;
    s = open_scene(&def, "linear", 0.5, 0);
    query = scree_query_ray(origin, way, INFINITY);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 4, &count, &why), SCREE_TOO_LARGE);
    CHECK_SAYS(why.text, "smaller t_max");
    query = scree_query_ray(origin, (double[3]){0, 1, 0}, INFINITY);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hits, 4, &count, &why), SCREE_OK);
    scree_world_destroy(s.world);
}

/*  So large a body has more images than anybody can look at; there may be one, since only steps refuse it. */
TEST(a_body_of_many_periods_is_refused)
{
    const double origin[3] = {0}, way[3] = {1, 0, 0};
    scree_query queries[] = {scree_query_nearest(origin, 4), scree_query_sphere(origin, 1),
                             scree_query_ray(origin, way, 1), scree_query_box(origin, way)};
    scree_world_def def = plain_def(1e-6);
    scree_body_hit hit;
    scree_error why;
    size_t count;

    def.domain.boundary[1] = SCREE_BOUNDARY_PERIODIC;
    def.domain.upper[1] = 2;
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_body_def huge = body_at(&s, scree_shape_sphere(3e14), 0, 0, 0),
                   large = body_at(&s, scree_shape_sphere(19), 0, 0, 0);
    (void)add(&s, &large);
    for (size_t k = 0; k < sizeof queries / sizeof *queries; k++)
        CHECK_EQUAL(scree_world_hits(s.world, &queries[k], &hit, 1, &count, &why), SCREE_OK);
    (void)add(&s, &huge);
    for (size_t k = 0; k < sizeof queries / sizeof *queries; k++) {
        CHECK_EQUAL(scree_world_hits(s.world, &queries[k], &hit, 1, &count, &why), SCREE_TOO_LARGE);
        CHECK_SAYS(why.text, "body 2 has a radius of 1.5e+14 periods along y, must be at most 10");
    }
    scree_world_destroy(s.world);
}

/*  Far away along an axis that has no images, a body has as many of them to look at as one that is near. */
TEST(the_nearest_is_found_where_bodies_have_flown_away)
{
    const double origin[3] = {0}, here[3] = {0.1, 0.2, 0.3};
    const scree_query query = scree_query_nearest(here, 4);
    const scree_pebble pebbles[] = {{{0, 0, 0}, 0.1}, {{0.1, 0, 0}, 0.1}};
    scree_world_def def = plain_def(1e-6);
    scree_body_hit hit[4];
    scree_error why;
    size_t count;

    def.domain.boundary[1] = def.domain.boundary[2] = SCREE_BOUNDARY_PERIODIC;
    def.domain.upper[1] = def.domain.upper[2] = 2;
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_body_def far = body_at(&s, scree_shape_sphere(0.1), 1e13, 1.7, 0.1),
                   near = body_at(&s, scree_shape_sphere(0.1), 0.1, 0.2, 1.9);
    scree_body_id far_id = add(&s, &far), near_id = add(&s, &near);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hit, 4, &count, &why), SCREE_OK);
    CHECK_EQUAL(count, 2);
    CHECK(hit[0].id.index1 == near_id.index1 && hit[1].id.index1 == far_id.index1);
    CHECK_NEAR(hit[0].distance, 0.3, 1e-12);
    CHECK_NEAR(hit[0].point[2], 0, 1e-12);
    CHECK_NEAR(hit[1].distance, 1e13, 1);

    scree_clump *clump = clump_of(3, pebbles, 2);
    near.shape = scree_shape_clump(clump);
    near.position[0] = 1e5;
    scree_body_id clump_id = add(&s, &near);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hit, 4, &count, &why), SCREE_OK);
    CHECK(count == 3 && hit[1].id.index1 == clump_id.index1);
    near.position[0] = 3e6;
    (void)add(&s, &near);
    CHECK_EQUAL(scree_world_hits(s.world, &query, hit, 4, &count, &why), SCREE_TOO_LARGE);
    CHECK_SAYS(why.text, "body 4 is more than 1e+06 periods from the point");
    /* others do not ask how far it is */
    scree_query ball_query = scree_query_sphere(origin, 0.5);
    CHECK_EQUAL(scree_world_hits(s.world, &ball_query, hit, 4, &count, &why), SCREE_OK);
    CHECK_EQUAL(count, 1);
    scree_clump_destroy(clump);
    scree_world_destroy(s.world);
}

/*  Without memory it says so, and gives back what it took. */
TEST(queries_may_run_out_of_memory)
{
    failing_allocator memory = {0};
    scree_world_def def = plain_def(1e-6);
    static const double origin[3] = {0};
    scree_query query = scree_query_sphere(origin, 1);
    scree_body_hit hit;
    scree_error why;
    size_t count;

    def.hooks.allocator = failing_allocator_hooks(&memory);
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_body_def ball = body_at(&s, scree_shape_sphere(0.5), 0, 0, 0);
    add(&s, &ball);
    memory.fail_at = memory.requests + 1;
    CHECK_EQUAL(scree_world_hits(s.world, &query, &hit, 1, &count, &why), SCREE_OUT_OF_MEMORY);
    CHECK_SAYS(why.text, "out of memory");
    memory.fail_at = 0;
    CHECK_EQUAL(scree_world_hits(s.world, &query, &hit, 1, &count, &why), SCREE_OK);
    scree_world_destroy(s.world);
    CHECK(failing_allocator_is_clean(&memory));
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(surfaces_are_closed_and_have_no_skin),
        CASE(boxes_that_just_touch_a_cube_are_found),
        CASE(far_from_the_domain_is_refused),
        CASE(queries_in_the_plane),
        CASE(queries_that_are_refused_and_worlds_that_are_empty),
        CASE(a_body_of_many_periods_is_refused),
        CASE(the_nearest_is_found_where_bodies_have_flown_away),
        CASE(queries_may_run_out_of_memory),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
