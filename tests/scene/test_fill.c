/*  Crowded fills: places that chance finds none of. Nothing overlaps, all lie in the region, by the same numbers
    every time; what cannot be is refused; and the parts that this is made of, against slow ones. */
#include "harness/failing_allocator.h"
#include "scene_internal.h"
#include "scene_maker.h"
#include "taken.h"

#include "base/random.h"

#include <math.h>

#define G "g = material { density = 2500, young = 1e6 }\n"
#define R "\nsolver { dt = 1e-9 }\nrun { steps = 1 }"

/*  The nearest way between two places, in a cell where that is periodic. */
static double apart(const scree_world_def *def, const double *a, const double *b)
{
    double sum = 0;

    for (int k = 0; k < 3; k++) {
        double way = a[k] - b[k], period = def->domain.upper[k] - def->domain.lower[k];
        if (def->domain.boundary[k] == SCREE_BOUNDARY_PERIODIC)
            way -= period * floor(way / period + 0.5);
        sum += way * way;
    }
    return sqrt(sum);
}

/*  No two bodies, and no body and wall, touch; those of the last fill lie in its region and keep their gap. */
static void check_fill(scree_scene *scene, scree_world *world)
{
    const scree_scene_plan *plan = scree_scene_plan_of(scene);
    const scree_scene_source *source = &plan->sources[plan->source_count - 1];
    scree_bodies_view view = scree_world_bodies(world);
    const scree_contact *contacts;
    size_t count;

    for (size_t i = 0; i < view.count; i++) {
        bool is_of_it = scree_uint64_at(view.user, i) == plan->source_count;
        for (size_t k = 0; k < i; k++) {
            double reach = scree_double_at(view.radius, i) + scree_double_at(view.radius, k);
            double wide = is_of_it && scree_uint64_at(view.user, k) == scree_uint64_at(view.user, i)
                              ? 1 + source->gap
                              : 1;
            double distance =
                apart(&plan->world, scree_row_at(view.position, i), scree_row_at(view.position, k));
            if (!(distance > reach * wide * (1 - 1e-12)))
                FAIL("bodies %zu and %zu of radii %g, %g are %g apart", i, k,
                     scree_double_at(view.radius, i), scree_double_at(view.radius, k), distance);
        }
        if (is_of_it &&
            !scene_holds_sphere(&source->region, plan->world.dimensions,
                                scree_row_at(view.position, i), scree_double_at(view.radius, i)))
            FAIL("body %zu is not in the region", i);
    }
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_OK);
    CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &count), SCREE_OK);
    CHECK_EQUAL(count, 0);
}

static const char *const crowded[] = {
    /* of one size, between planes */
    G "wall { shape = box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} }, material = g }\n"
      "fill { solid_fraction = 0.5, region = box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} },\n"
      "  shape = sphere { radius = 0.005 }, material = g, spread = 1 }" R,
    /* twice as large, in a round silo of facets */
    G "wall { shape = cylinder { from = {0, 0, 0}, to = {0, 0, 0.1}, radius = 0.05 }, material = g "
      "}\n"
      "fill { solid_fraction = 0.5, region = cylinder { from = {0, 0, 0}, to = {0, 0, 0.1}, radius "
      "= 0.0498 },\n  shape = sphere { radius = uniform(0.003, 0.006) }, material = g }" R,
    /* ten times, by mass, in a cone, with a gap */
    G "fill { solid_fraction = 0.55, region = cone { from = {0, 0, 0}, to = {0.05, 0, 0.1}, radius "
      "= 0.02, radius_to = 0.06 },\n  shape = sphere { radius = loguniform(0.002, 0.02) }, by = "
      "\"mass\", gap = 0.01, material = g }" R,
    /* a cone with a tip the other way round, and a ball as a region */
    G "fill { solid_fraction = 0.45, region = cone { from = {0, 0, 0}, to = {0, 0, 0.1}, radius = "
      "0.06, radius_to = 0 },\n  shape = sphere { radius = 0.004 }, material = g }" R,
    G "fill { solid_fraction = 0.5, region = sphere { centre = {1, 2, 3}, radius = 0.05 },\n"
      "  shape = sphere { radius = 0.004 }, material = g }" R,
    /* periodic: nothing at the boundary but the others' images */
    G "domain { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1}, boundary = \"periodic\" }\n"
      "fill { count = 5, region = box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} }, shape = "
      "sphere { radius = 0.01 }, material = g }\n"
      "fill { solid_fraction = 0.5, region = box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} },\n"
      "  shape = sphere { radius = 0.0055 }, material = g }" R,
    /* among bodies that are there, round a plate that stands in the middle */
    G
    "wall { shape = facets { vertices = {{0.05, -1, -1}, {0.05, 1, -1}, {0.05, 1, 1}, {0.05, -1, "
    "1}}, facets = {{1, 2, 3}, {1, 3, 4}} }, material = g, orientation = {0.99, 0.02, 0.05, 0} }\n"
    "body { shape = sphere { radius = 0.02 }, material = g, position = {0.02, 0.03, 0.05} }\n"
    "fill { solid_fraction = 0.4, region = box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} },\n"
    "  shape = sphere { radius = 0.005 }, material = g }" R,
    /* discs */
    G "domain { dimensions = 2 }\n"
      "wall { shape = facets { vertices = {{0, 0}, {1, 0}}, facets = {{1, 2}} }, material = g }\n"
      "fill { solid_fraction = 0.75, region = box { lower = {0, 0}, upper = {0.2, 0.1} },\n"
      "  shape = sphere { radius = uniform(0.002, 0.004) }, material = g }" R,
    G "domain { dimensions = 2 }\n"
      "fill { solid_fraction = 0.7, region = sphere { centre = {0, 0}, radius = 0.05 },\n"
      "  shape = sphere { radius = 0.002 }, material = g }" R,
    /* few in a narrow place: chance fails at the last */
    G "fill { count = 3, region = box { lower = {0, 0, 0}, upper = {0.031, 0.01001, 0.01001} },\n"
      "  shape = sphere { radius = 0.005 }, material = g }" R,
};

TEST(bodies_touch_nothing)
{
    for (size_t i = 0; i < sizeof crowded / sizeof *crowded; i++) {
        scree_world *world, *other;
        scree_scene *scene = must_start(crowded[i], &world);
        scree_scene *again = must_start(crowded[i], &other);
        const scree_scene_plan *plan = scree_scene_plan_of(scene);
        const scree_scene_source *source = &plan->sources[plan->source_count - 1];
        CHECK(scree_world_digest(world) == scree_world_digest(other));
        check_fill(scene, world);
        double solid = 0, whole = scene_volume(&source->region, plan->world.dimensions);
        scree_bodies_view view = scree_world_bodies(world);
        for (size_t k = 0; k < view.count; k++)
            if (scree_uint64_at(view.user, k) == plan->source_count)
                solid += scene_ball_volume(scree_double_at(view.radius, k), plan->world.dimensions);
        if (source->solid_fraction > 0)
            CHECK_NEAR(solid / whole, source->solid_fraction, 0.02);
        scree_world_destroy(world);
        scree_world_destroy(other);
        scree_scene_close(scene);
        scree_scene_close(again);
    }
}

static void refuses(const char *text, const char *says)
{
    scree_scene *scene = must_open(text);
    scree_world *world;
    scree_error error = {SCREE_OK, ""};

    CHECK_EQUAL(scree_scene_build(scene, NULL, &world, &error), SCREE_OK);
    CHECK_EQUAL(scree_scene_start(scene, world, &error), SCREE_TOO_LARGE);
    CHECK_SAYS(error.text, says);
    CHECK_EQUAL(scree_world_body_count(world), 0);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

TEST(what_cannot_be_is_refused)
{
    refuses(G
            "fill { solid_fraction = 0.7, region = box { lower = {0, 0, 0}, upper = {1, 1, 1} },\n"
            "  shape = sphere { radius = 0.07 }, material = g }" R,
            "scene.lua:2: fill: no room for 487 bodies: they would take 0.7 of the region; of one "
            "size about 0.58 fits");
    refuses(G "domain { dimensions = 2 }\n"
              "fill { solid_fraction = 0.95, region = box { lower = {0, 0}, upper = {1, 1} },\n"
              "  shape = sphere { radius = 0.03 }, material = g }" R,
            "they would take 0.95 of the region, and cannot take more than 0.9069; ask for fewer");
    refuses(G "domain { dimensions = 2 }\n"
              "fill { solid_fraction = 0.88, region = box { lower = {0, 0}, upper = {1, 1} },\n"
              "  shape = sphere { radius = 0.03 }, material = g }" R,
            "about 0.78 fits");
    /* at once, however many: no place is looked for */
    refuses(G "fill { count = 1000000, region = box { lower = {0, 0, 0}, upper = {1, 1, 1} },\n"
              "  shape = sphere { radius = 0.1 }, material = g }" R,
            "scene.lua:2: fill: no room for 1000000 bodies: they would take 4.19e+03 of the "
            "region, and cannot take more than 0.7405; ask for fewer, or a larger region");
    refuses(G "fill { count = 1000000, region = sphere { centre = {0, 0, 0}, radius = 1 },\n"
              "  shape = sphere { radius = uniform(0.1, 0.2) }, material = g }" R,
            "and cannot take more than 1; ask for fewer, or a larger region");
    /* a wall through all of it, so that there is no place at all */
    refuses(G "wall { shape = plane { point = {0, 0, 9} }, material = g }\n"
              "fill { count = 1, region = box { lower = {0, 0, 0}, upper = {1, 1, 1} },\n"
              "  shape = sphere { radius = 0.1 }, material = g }" R,
            "no room for 1 bodies");
    /* half as wide as the period */
    refuses(G "domain { lower = {0, 0, 0}, upper = {1, 1, 1}, boundary = \"periodic\" }\n"
              "fill { count = 2, region = box { lower = {0, 0, 0}, upper = {1, 1, 1} },\n"
              "  shape = sphere { radius = 0.4 }, material = g }" R,
            "no room for 2 bodies");
}

/*  What chance finds stays as it was: the places of a loose fill are those of a sequence of trials. */
TEST(loose_fills_are_those_of_chance)
{
    scree_world *world;
    scree_scene *scene =
        must_start(G "fill { count = 3, region = box { lower = {0, 0, 0}, upper = {1, 1, 1} },\n"
                     "  shape = sphere { radius = 0.01 }, material = g }" R,
                   &world);
    scree_random random = scree_random_stream(1, 0x100000001u);
    scree_bodies_view view = scree_world_bodies(world);

    for (size_t i = 0; i < view.count; i++)
        for (int k = 0; k < 3; k++)
            CHECK(scree_row_at(view.position, i)[k] == scree_random_range(&random, 0.01, 0.99));
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/* ---- parts ----------------------------------------------------------------------------------------------- */

/*  Against looking at all, with sizes of many orders of magnitude, near and far. */
TEST(what_is_taken_is_found)
{
    enum
    {
        MOST = 1500
    };
    static double spheres[MOST][4];

    for (int turn = 0; turn < 6; turn++) {
        int dimensions = turn % 2 ? 2 : 3;
        double smallest = turn < 2 ? 0.02 : turn < 4 ? 1e-4 : 1e-12;
        double origin[3] = {turn == 5 ? 1e12 : -0.5, 0, 0};
        scree_random random = scree_random_stream(5, (uint64_t)turn);
        scene_taken taken;
        int hits = 0;
        scene_taken_begin(&taken, NULL, dimensions, origin, 0.1);
        for (int i = 0; i < MOST; i++) {
            double place[3], radius = scree_random_log_uniform(&random, smallest, 0.1), deepest = 0;
            for (int k = 0; k < 3; k++)
                place[k] = scree_random_range(&random, -1, 1);
            bool overlaps = false;
            for (int j = 0; j < i; j++) {
                double sum = 0, reach = radius + spheres[j][3];
                for (int k = 0; k < dimensions; k++)
                    sum += (place[k] - spheres[j][k]) * (place[k] - spheres[j][k]);
                overlaps |= sum <= reach * reach;
                deepest = fmax(deepest, reach - sqrt(sum));
            }
            CHECK(scene_taken_overlaps(&taken, place, radius) == overlaps);
            CHECK_NEAR(scene_taken_depth(&taken, place, radius), deepest, 1e-15);
            hits += overlaps;
            CHECK_EQUAL(scene_taken_put(&taken, place, radius), SCREE_OK);
            memcpy(spheres[i], place, sizeof place);
            spheres[i][3] = radius;
        }
        CHECK(hits > 0 && hits < MOST);
        scene_taken_end(&taken);
    }
}

/*  Touching counts, as in detection; one larger than was foreseen is found as well. */
TEST(boundaries_of_what_is_taken)
{
    const double origin[3] = {0}, far_off[3] = {1e300, -1e300, 1e18}, at[3] = {1.5, 0, 0};
    scene_taken taken;

    scene_taken_begin(&taken, NULL, 3, origin, 1);
    CHECK(!scene_taken_overlaps(&taken, origin, 1));
    CHECK_EQUAL(scene_taken_put(&taken, origin, 0.5), SCREE_OK);
    CHECK(scene_taken_overlaps(&taken, at, 1));
    CHECK(scene_taken_depth(&taken, at, 1) == 0);
    CHECK(!scene_taken_overlaps(&taken, at, 0.999));
    CHECK_EQUAL(scene_taken_put(&taken, far_off, 0.5), SCREE_OK);
    CHECK(scene_taken_overlaps(&taken, far_off, 0.25));
    CHECK(!scene_taken_overlaps(&taken, at, 0.25));
    scene_taken_end(&taken);
}

/*  However far outside: inside afterwards, or in the middle of what is too small. */
TEST(spheres_are_pulled_inside)
{
    scree_scene_geometry regions[] = {
        {.form = SCREE_FORM_BOX, .lower = {-1, -2, -3}, .upper = {1, 2, 3}},
        {.form = SCREE_FORM_SPHERE, .from = {1, 0, 0}, .radius = 2},
        {.form = SCREE_FORM_CYLINDER,
         .from = {0, 0, -1},
         .to = {1, 1, 2},
         .radius = 1.5,
         .radius_to = 1.5},
        {.form = SCREE_FORM_CONE, .from = {0, 0, 0}, .to = {0, 0, 3}, .radius = 2},
        {.form = SCREE_FORM_CONE, .from = {0, 0, 0}, .to = {2, 0, 2}, .radius_to = 1.5},
        {.form = SCREE_FORM_CONE, .from = {0, 0, 0}, .to = {0, 3, 0}, .radius = 1, .radius_to = 2},
    };
    scree_random random = scree_random_stream(9, 0);

    for (size_t i = 0; i < sizeof regions / sizeof *regions; i++)
        for (int n = 0; n < 3000; n++) {
            double place[3], before[3], radius = scree_random_range(&random, 0.01, 0.4);
            for (int k = 0; k < 3; k++)
                before[k] = place[k] = scree_random_range(&random, -5, 5);
            bool inside = scene_holds_sphere(&regions[i], 3, place, radius);
            CHECK(scene_pull_inside(&regions[i], 3, place, radius) == !inside);
            if (inside)
                CHECK(memcmp(place, before, sizeof place) == 0);
            if (!scene_holds_sphere(&regions[i], 3, place, radius * (1 - 1e-9) - 1e-7))
                FAIL("region %zu: (%g, %g, %g) of radius %g came to (%g, %g, %g)", i, before[0],
                     before[1], before[2], radius, place[0], place[1], place[2]);
        }
    double place[3] = {5, 0, 0};
    CHECK(scene_pull_inside(&regions[0], 3, place, 4));
    CHECK(place[0] == 0 && place[1] == 0 && place[2] == 0);
    place[0] = 7;
    CHECK(scene_pull_inside(&regions[1], 3, place, 4));
    CHECK(place[0] == 1);
    CHECK(scene_pull_inside(&regions[2], 3, place, 4));
    CHECK(isfinite(place[0]) && isfinite(place[1]) && isfinite(place[2]));
}

static scree_status fill_with(const scree_allocator *hooks, uint64_t *digest)
{
    scree_scene_def def = scree_default_scene_def();
    scree_world_def world_def = scree_default_world_def();
    scree_error error = {SCREE_OK, ""};
    scree_scene *scene;
    scree_world *world = NULL;

    def.text = G "wall { shape = facets { vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, facets = "
                 "{{1, 2, 3}} }, material = g }\n"
                 "fill { solid_fraction = 0.4, region = box { lower = {0, 0, 0}, upper = {0.05, "
                 "0.05, 0.05} },\n  shape = sphere { radius = 0.005 }, material = g }" R;
    def.error = &error;
    def.allocator = world_def.hooks.allocator = *hooks;
    scree_status status = scree_scene_open(&def, &scene);
    if (status)
        return status;
    status = scree_scene_build(scene, &world_def, &world, &error);
    if (!status)
        status = scree_scene_start(scene, world, &error);
    if (!status)
        *digest = scree_world_digest(world);
    scree_world_destroy(world);
    scree_scene_close(scene);
    return status;
}

TEST(every_allocation_may_fail)
{
    scree_allocator plain = {0};
    uint64_t wanted = 0, digest;

    CHECK_EQUAL(fill_with(&plain, &wanted), SCREE_OK);
    for (size_t k = 1;; k += 1 + k / 40) {
        failing_allocator memory = {.fail_at = k, .fail_all_after = true};
        scree_allocator hooks = failing_allocator_hooks(&memory);
        digest = 0;
        scree_status status = fill_with(&hooks, &digest);
        CHECK(failing_allocator_is_clean(&memory));
        if (status != SCREE_OK)
            CHECK_EQUAL(status, SCREE_OUT_OF_MEMORY);
        else
            CHECK(digest == wanted);
        if (memory.requests < k)
            break;
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(bodies_touch_nothing),
        CASE(what_cannot_be_is_refused),
        CASE(loose_fills_are_those_of_chance),
        CASE(what_is_taken_is_found),
        CASE(boundaries_of_what_is_taken),
        CASE(spheres_are_pulled_inside),
        CASE(every_allocation_may_fail),
    };
    NEEDS_SCENES("test_scene_fill");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
