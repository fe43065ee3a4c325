/*  Queries: what each kind hits, at which distance, in which order, and what is refused. */
#include "scree/scree.h"

#include "test.h"

#include <math.h>

/*  A row of unit spheres at x = 0, 3, 6, ... with an infinite body after them. */
#define COUNT 6
static double sphere[COUNT + 1][4];

static scree_detector *row_of_spheres(const char *method, int dimensions)
{
    static uint8_t flags[COUNT + 1];
    static uint64_t groups[COUNT + 1];
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    for (int i = 0; i <= COUNT; i++) {
        sphere[i][0] = 3 * i;
        sphere[i][3] = 1;
        flags[i] = i == COUNT ? SCREE_INFINITE : 0;
        groups[i] = i == COUNT ? 4 : i % 2 ? 2 : 1;
    }
    def.method = method;
    def.dimensions = dimensions;
    CHECK(scree_detector_create(&def, &d) == SCREE_OK);
    const size_t stride = sizeof *sphere;
    scree_table table = scree_table_spheres(
        COUNT + 1, scree_doubles(&sphere[0][0], stride), scree_doubles(&sphere[0][1], stride),
        scree_doubles(&sphere[0][2], stride), scree_doubles(&sphere[0][3], stride));
    table.flags = scree_integer_view(flags, 1);
    table.groups = scree_integer_view(groups, 8);
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
    return d;
}

/*  Hits as text: "0@0 3@1.5". */
static const char *hits_of(const scree_detector *d, scree_query query)
{
    static char text[512];
    scree_hit hits[2 * COUNT];
    size_t count, used = 0;
    scree_error why = {SCREE_OK, ""};
    if (scree_detector_hits(d, &query, hits, 2 * COUNT, &count, &why))
        return strcpy(text, why.text);
    text[0] = 0;
    for (size_t k = 0; k < count; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, k ? " %u@%g" : "%u@%g",
                                 hits[k].id, hits[k].distance);
    return text;
}

static const double origin[3] = {-4, 0, 0}, forward[3] = {2, 0, 0}, backward[3] = {-1, 0, 0};

TEST(boxes_and_spheres_hit_what_they_overlap)
{
    const double lower[3] = {1, -1, -1}, upper[3] = {5, 1, 1}, corner[3] = {0.8, 0.8, 0.8};
    const double centre[3] = {4.5, 0, 0};
    scree_detector *d = row_of_spheres("dess", 3);
    /* the box touches spheres 0 and 2 in a point */
    CHECK_TEXT(hits_of(d, scree_query_box(lower, upper)), "0@0 1@0 2@0 6@0");
    /* inside the box of sphere 0, outside the sphere */
    CHECK_TEXT(hits_of(d, scree_query_box(corner, corner)), "6@0");
    CHECK_TEXT(hits_of(d, scree_query_sphere(centre, 0.5)), "1@0 2@0 6@0");
    CHECK_TEXT(hits_of(d, scree_query_sphere(centre, 0.4999)), "6@0");
    /* an empty box hits nothing, and is no error */
    CHECK_TEXT(hits_of(d, scree_query_box(upper, lower)), "");
    scree_detector_destroy(d);
}

TEST(rays_hit_in_order)
{
    scree_detector *d = row_of_spheres("rtree", 3);
    CHECK_TEXT(hits_of(d, scree_query_ray(origin, forward, 5)), "6@0 0@1.5 1@3 2@4.5");
    CHECK_TEXT(hits_of(d, scree_query_ray_first(origin, forward, INFINITY)), "6@0");
    scree_query query = scree_query_ray_first(origin, forward, INFINITY);
    query.groups = 2;
    CHECK_TEXT(hits_of(d, query), "1@3");
    query = scree_query_ray(origin, backward, INFINITY);
    query.groups = 3;
    CHECK_TEXT(hits_of(d, query), "");
    /* from inside: at 0; grazing: hit */
    const double inside[3] = {3.5, 0, 0}, grazing[3] = {-4, 1, 0}, beside[3] = {-4, 1.0001, 0};
    query = scree_query_ray(inside, forward, 1.6);
    query.groups = 3;
    CHECK_TEXT(hits_of(d, query), "1@0 2@0.75");
    query = scree_query_ray(grazing, forward, 2);
    query.groups = 3;
    CHECK_TEXT(hits_of(d, query), "0@2");
    query = scree_query_ray(beside, forward, INFINITY);
    query.groups = 3;
    CHECK_TEXT(hits_of(d, query), "");
    scree_detector_destroy(d);
}

TEST(nearest_bodies_come_nearest_first)
{
    const double point[3] = {7, 0, 0}, far_away[3] = {1e6, 1e6, 0};
    scree_detector *d = row_of_spheres("hashing2", 2);
    scree_query query = scree_query_nearest(point, 3);
    query.groups = 3;
    /* in sphere 2; sphere 3 begins at 8, sphere 1 ends at 4 */
    CHECK_TEXT(hits_of(d, query), "2@0 3@1 1@3");
    query = scree_query_nearest(point, 100);
    CHECK_TEXT(hits_of(d, query), "2@0 6@0 3@1 1@3 4@4 0@6 5@7");
    query = scree_query_nearest(far_away, 1);
    query.groups = 3;
    const double dx = 1e6 - 15, distance = sqrt(dx * dx + 1e12) - 1;
    scree_hit hit;
    size_t count;
    CHECK_EQUAL(scree_detector_hits(d, &query, &hit, 1, &count, NULL), SCREE_OK);
    CHECK_EQUAL(hit.id, 5);
    CHECK_NEAR(hit.distance, distance, 1e-6);
    CHECK_TEXT(hits_of(d, scree_query_nearest(point, 0)), "");
    scree_detector_destroy(d);
}

TEST(boxes_are_asked_as_spheres_are)
{
    const double lower[] = {0, 10}, upper[] = {1, 12}, point[3] = {3, 0, 0}, aim[3] = {1, 0, 0};
    scree_view low[3], high[3];
    scree_detector_def def = scree_default_detector_def();
    scree_detector *d;
    def.volume = SCREE_BOXES;
    CHECK(scree_detector_create(&def, &d) == SCREE_OK);
    for (int k = 0; k < 3; k++) {
        low[k] = scree_doubles(lower, 8);
        high[k] = scree_doubles(upper, 8);
    }
    scree_table table = scree_table_boxes(2, low, high);
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
    CHECK_TEXT(hits_of(d, scree_query_nearest(point, 1)), "0@2");
    CHECK_TEXT(hits_of(d, scree_query_sphere(point, 2)), "0@0");
    CHECK_TEXT(hits_of(d, scree_query_sphere(point, 1.99)), "");
    const double above[3] = {-1, 0.5, 1};
    CHECK_TEXT(hits_of(d, scree_query_ray(above, aim, 100)), "0@1");
    CHECK_TEXT(hits_of(d, scree_query_ray(above, aim, 0.99)), "");
    scree_detector_destroy(d);
}

TEST(detectors_without_bodies_answer)
{
    scree_detector_def def = scree_default_detector_def();
    for (size_t m = 0; m < scree_method_count(); m++) {
        scree_detector *d;
        def.method = scree_method_at(m)->name;
        CHECK(scree_detector_create(&def, &d) == SCREE_OK);
        CHECK_TEXT(hits_of(d, scree_query_nearest(origin, 3)), "");
        CHECK_TEXT(hits_of(d, scree_query_ray(origin, forward, 1)), "");
        CHECK_TEXT(hits_of(d, scree_query_box(origin, origin)), "");
        scree_detector_destroy(d);
    }
}

static int stop_at_once(const scree_hit *hit, void *user)
{
    (void)hit;
    ++*(int *)user;
    return 1;
}

TEST(the_action_may_stop)
{
    int calls = 0;
    scree_detector *d = row_of_spheres("cgrid", 3);
    scree_query query = scree_query_ray(origin, forward, INFINITY);
    CHECK_EQUAL(scree_detector_query(d, &query, stop_at_once, &calls, NULL), SCREE_OK);
    CHECK_EQUAL(calls, 1);
    scree_detector_destroy(d);
}

TEST(small_buffers_say_what_is_needed)
{
    scree_hit hits[2];
    size_t count;
    scree_error why;
    scree_detector *d = row_of_spheres("dess", 3);
    scree_query query = scree_query_ray(origin, forward, 5);
    CHECK_EQUAL(scree_detector_hits(d, &query, hits, 2, &count, &why), SCREE_TOO_SMALL);
    CHECK_EQUAL(count, 4);
    CHECK_EQUAL(hits[1].id, 0);
    CHECK_SAYS(why.text, "4 are needed");
    CHECK_EQUAL(scree_detector_hits(d, &query, NULL, 0, &count, NULL), SCREE_TOO_SMALL);
    scree_detector_destroy(d);
}

TEST(bad_queries_are_refused)
{
    const double nan3[3] = {0, (double)NAN, 0}, huge[3] = {0, 0, 1e101}, zero[3] = {0, 0, 0};
    scree_detector *d = row_of_spheres("dess", 3);
    scree_query query;
    size_t count;
    CHECK_SAYS(hits_of(d, scree_query_box(nan3, zero)), "lower y is nan");
    CHECK_SAYS(hits_of(d, scree_query_box(zero, huge)), "upper z is 9.9999999999999998e+100");
    CHECK_SAYS(hits_of(d, scree_query_box(NULL, zero)), "lower x is nan");
    CHECK_SAYS(hits_of(d, scree_query_sphere(nan3, 1)), "centre y is nan");
    CHECK_SAYS(hits_of(d, scree_query_sphere(zero, -1)), "radius is -1");
    CHECK_SAYS(hits_of(d, scree_query_sphere(zero, (double)NAN)), "radius is nan");
    CHECK_SAYS(hits_of(d, scree_query_ray(nan3, forward, 1)), "origin y is nan");
    CHECK_SAYS(hits_of(d, scree_query_ray(zero, huge, 1)),
               "direction z is 9.9999999999999998e+100");
    CHECK_SAYS(hits_of(d, scree_query_ray(zero, zero, 1)), "direction is 0 long");
    CHECK_SAYS(hits_of(d, scree_query_ray(zero, forward, -1)), "t_max is -1");
    CHECK_SAYS(hits_of(d, scree_query_ray_first(zero, forward, (double)NAN)), "t_max is nan");
    query = scree_query_nearest(zero, 1);
    query.cookie = 0;
    CHECK_SAYS(hits_of(d, query), "not made by");
    query = scree_query_nearest(zero, 1);
    query.kind = (scree_query_kind)17;
    CHECK_SAYS(hits_of(d, query), "not made by");
    CHECK_EQUAL(scree_detector_hits(d, NULL, NULL, 0, &count, NULL), SCREE_BAD_ARGUMENT);
    query = scree_query_nearest(zero, 1);
    CHECK_EQUAL(scree_detector_hits(d, &query, NULL, 1, &count, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_hits(d, &query, NULL, 0, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_hits(NULL, &query, NULL, 0, &count, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_query(NULL, &query, stop_at_once, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_detector_query(d, &query, NULL, NULL, NULL), SCREE_BAD_ARGUMENT);
    scree_detector_destroy(d);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(boxes_and_spheres_hit_what_they_overlap), CASE(rays_hit_in_order),
        CASE(nearest_bodies_come_nearest_first),       CASE(boxes_are_asked_as_spheres_are),
        CASE(detectors_without_bodies_answer),         CASE(the_action_may_stop),
        CASE(small_buffers_say_what_is_needed),        CASE(bad_queries_are_refused),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
