/*  What rays see: the caster and its tree compared with the detector's ray queries and against plain loops. */
#include "picture/tile.h"

#include "harness/failing_allocator.h"
#include "picture_maker.h"

static const scree_workers alone = {.count = 1};

/*  Balls in view space, without a world. */
typedef struct stage
{
    scree_memory memory;
    scree_subject subject;
    scree_picture_def def;
    scree_tile tile;
} stage;

static void set_stage(stage *s, bool orthographic, uint32_t width, uint32_t height, size_t balls,
                      double smallest, double largest)
{
    scree_random random = scree_random_stream(balls + orthographic, 0);
    memset(s, 0, sizeof *s);
    CHECK_EQUAL(scree_memory_init(&s->memory, NULL), SCREE_OK);
    s->def = small_picture(width, height);
    s->subject.memory = &s->memory;
    s->subject.workers = &alone;
    s->subject.def = &s->def;
    s->subject.lens.orthographic = orthographic;
    s->subject.lens.step = 0.8 / height;
    s->subject.lens.left = -0.4 * width / height;
    s->subject.lens.top = 0.4;
    s->tile.subject = &s->subject;
    s->tile.memory = &s->memory;
    s->tile.samples = 1;
    CHECK_EQUAL(scree_memory_reserve(&s->memory, &s->subject.ball, &s->subject.ball_capacity, balls,
                                     sizeof *s->subject.ball),
                SCREE_OK);
    s->subject.ball_count = balls;
    for (size_t i = 0; i < balls; i++) {
        double *ball = s->subject.ball[i];
        ball[0] = scree_random_range(&random, -0.6, 0.6);
        ball[1] = scree_random_range(&random, -0.5, 0.5);
        ball[2] = scree_random_range(&random, -0.3, 2);
        ball[3] = scree_random_log_uniform(&random, smallest, largest);
    }
    CHECK_EQUAL(scree_ball_tree_build(&s->subject.balls, &s->memory, &alone,
                                      (const double(*)[4])s->subject.ball, balls),
                SCREE_OK);
}

static void clear_stage(stage *s)
{
    scree_tile_free(&s->tile);
    scree_subject_free(&s->subject);
    CHECK_EQUAL(s->memory.bytes, 0);
}

static scree_detector *detector_of(const stage *s)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    const double *first = s->subject.ball[0];
    size_t row = sizeof s->subject.ball[0];
    scree_table table = scree_table_spheres(
        s->subject.ball_count, scree_doubles(first, row), scree_doubles(first + 1, row),
        scree_doubles(first + 2, row), scree_doubles(first + 3, row));
    def.method = "bvh8";
    CHECK_EQUAL(scree_detector_create(&def, &detector), SCREE_OK);
    CHECK_EQUAL(scree_detector_update(detector, &table, NULL), SCREE_OK);
    return detector;
}

/*  The first ball that does not hold the origin, as the detector sees it. */
static uint32_t first_seen(const scree_detector *detector, const double origin[3],
                           const double direction[3], double *distance)
{
    scree_hit hits[64];
    size_t count;
    scree_query query = scree_query_ray(origin, direction, 1e9);
    scree_status status = scree_detector_hits(detector, &query, hits, 64, &count, NULL);
    CHECK(status == SCREE_OK || status == SCREE_TOO_SMALL);
    for (size_t k = 0; k < count && k < 64; k++)
        if (hits[k].distance > 0) {
            *distance = hits[k].distance;
            return hits[k].id;
        }
    *distance = INFINITY;
    return SCREE_TILE_NOTHING;
}

/*  Every sample of all tiles; returns how many rays there were. */
static uint32_t compare_tiles(stage *s, const scree_detector *detector)
{
    uint32_t rays = 0;
    bool flat = s->subject.lens.orthographic;
    for (uint32_t y = 0; y < s->def.height; y += SCREE_TILE_SIDE)
        for (uint32_t x = 0; x < s->def.width; x += SCREE_TILE_SIDE) {
            scree_tile *t = &s->tile;
            t->x = x;
            t->y = y;
            t->width = s->def.width - x < SCREE_TILE_SIDE ? s->def.width - x : SCREE_TILE_SIDE;
            t->height = s->def.height - y < SCREE_TILE_SIDE ? s->def.height - y : SCREE_TILE_SIDE;
            CHECK_EQUAL(scree_tile_cast(t), SCREE_OK);
            for (uint32_t k = 0; k < t->columns * t->rows; k++, rays++) {
                double at_x = t->across[k % t->columns], at_y = t->down[k / t->columns], distance;
                const double origin[3] = {flat ? at_x : 0, flat ? at_y : 0, 0};
                const double direction[3] = {flat ? 0 : at_x, flat ? 0 : at_y, 1};
                uint32_t seen = first_seen(detector, origin, direction, &distance);
                if (seen == t->hit[k])
                    continue;
                /* both formulas are exact to some roundings: only what begins at the same place to
                   these, or is just touched, may differ */
                double ours = t->depth[k];
                if (ours < INFINITY && distance < INFINITY && fabs(ours - distance) < 1e-12)
                    continue;
                uint32_t touched = ours < distance ? t->hit[k] : seen;
                const double *ball = s->subject.ball[touched];
                double z = ours < distance ? ours : distance;
                double from[3] = {at_x * (flat ? 1 : z) - ball[0], at_y * (flat ? 1 : z) - ball[1],
                                  z - ball[2]};
                double slant = scree_dot(from, direction) / ball[3];
                if (fabs(slant) > 1e-5)
                    FAIL("ray (%.17g, %.17g): %u at %.17g, not %u at %.17g", at_x, at_y, t->hit[k],
                         ours, seen, distance);
            }
        }
    return rays;
}

TEST(rays_see_what_the_detector_says)
{
    static const struct
    {
        bool orthographic;
        size_t balls;
        double smallest, largest;
    } cases[] = {
        {false, 3000, 0.005, 0.05}, {true, 3000, 0.005, 0.05},    {false, 500, 0.0005, 0.5},
        {true, 1, 0.3, 0.3},        {false, 20000, 0.004, 0.012},
    };
    uint32_t rays = 0;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        stage s;
        set_stage(&s, cases[c].orthographic, 203, 131, cases[c].balls, cases[c].smallest,
                  cases[c].largest);
        scree_detector *detector = detector_of(&s);
        rays += compare_tiles(&s, detector);
        scree_detector_destroy(detector);
        clear_stage(&s);
    }
    CHECK(rays > 100000);
}

/*  A hard light reaches a point unless a ray to it meets a ball. */
TEST(shadows_fall_where_rays_to_the_light_are_stopped)
{
    stage s;
    scree_random random = scree_random_stream(3, 0);
    uint32_t dark = 0, compared = 0;
    set_stage(&s, true, 8, 8, 2000, 0.005, 0.06);
    scree_detector *detector = detector_of(&s);
    for (int k = 0; k < 20000; k++) {
        double point[3], towards[3], distance;
        float p[3], l[3];
        for (int a = 0; a < 3; a++) {
            p[a] = (float)scree_random_range(&random, -0.5, 0.5);
            point[a] = p[a];
            towards[a] = scree_random_normal(&random);
        }
        scree_view_normalise(towards);
        for (int a = 0; a < 3; a++) {
            l[a] = (float)towards[a];
            towards[a] = l[a];
        }
        uint32_t stopped = first_seen(detector, point, towards, &distance);
        float light = scree_ball_tree_light(&s.subject.balls, p, l, 0, SCREE_NO_BALL);
        bool lit = light > 0, open = stopped == SCREE_TILE_NOTHING;
        /* a point within a ball, and rays that pass a boundary by less than floats can tell */
        bool doubtful = false;
        for (size_t i = 0; i < s.subject.ball_count && !doubtful; i++) {
            double from[3], off[3];
            for (int a = 0; a < 3; a++)
                from[a] = s.subject.ball[i][a] - point[a];
            scree_cross(from, towards, off);
            double r = s.subject.ball[i][3], away = sqrt(scree_dot(off, off));
            doubtful = scree_dot(from, from) <= r * r * 1.0001 || fabs(away - r) < 2e-6;
        }
        if (doubtful)
            continue;
        compared++;
        dark += !open;
        if (lit != open)
            FAIL("point %d: light %g, but the ray meets %u", k, (double)light, stopped);
    }
    CHECK(compared > 1000 && dark > 100 && dark < compared);
    scree_detector_destroy(detector);
    clear_stage(&s);
}

/*  Soft light is between the two, and the sum over all balls agrees with the tree's. */
TEST(trees_find_the_light_that_loops_find)
{
    stage s, one;
    scree_random random = scree_random_stream(4, 0);
    set_stage(&s, true, 8, 8, 700, 0.005, 0.08);
    set_stage(&one, true, 8, 8, 1, 0.1, 0.1);
    for (int k = 0; k < 2000; k++) {
        float p[3], n[3], light = 1, sky = 1;
        double towards[3];
        for (int a = 0; a < 3; a++) {
            p[a] = (float)scree_random_range(&random, -0.5, 0.5);
            towards[a] = scree_random_normal(&random);
        }
        scree_view_normalise(towards);
        for (int a = 0; a < 3; a++)
            n[a] = (float)towards[a];
        /* trees of one ball have no branches that could be missed */
        for (uint32_t i = 0; i < s.subject.ball_count; i++) {
            scree_ball_tree lone = one.subject.balls;
            scree_ball_group group = lone.groups[0];
            const double *ball = s.subject.ball[i];
            group.x[0] = (float)ball[0];
            group.y[0] = (float)ball[1];
            group.z[0] = (float)ball[2];
            group.radius[0] = (float)ball[3];
            group.reach[0] = SCREE_SKY_REACH * (float)ball[3];
            lone.groups = &group;
            light *= scree_ball_tree_light(&lone, p, n, 0.06f, SCREE_NO_BALL);
            sky *= scree_ball_tree_sky(&lone, p, n, SCREE_NO_BALL);
        }
        /* products in another order: a rounding for each factor; what is almost dark is dark */
        double found = scree_ball_tree_light(&s.subject.balls, p, n, 0.06f, SCREE_NO_BALL);
        CHECK_NEAR(found, (double)light, light < 0.01f ? 0.01 : 1e-4);
        CHECK_NEAR((double)scree_ball_tree_sky(&s.subject.balls, p, n, SCREE_NO_BALL), (double)sky,
                   1e-4);
    }
    clear_stage(&one);
    clear_stage(&s);
}

TEST(the_nearest_ball_is_the_nearest)
{
    stage s;
    scree_random random = scree_random_stream(8, 0);
    scree_ball_tree empty = {0};
    const float origin[3] = {0, 0, 0};
    CHECK_EQUAL(scree_ball_tree_nearest(&empty, origin), SCREE_NO_BALL);
    set_stage(&s, true, 8, 8, 999, 0.001, 0.2);
    for (int k = 0; k < 2000; k++) {
        float p[3];
        double best = INFINITY, found = INFINITY;
        for (int a = 0; a < 3; a++)
            p[a] = (float)scree_random_range(&random, -1, 1);
        uint32_t nearest = scree_ball_tree_nearest(&s.subject.balls, p);
        for (uint32_t i = 0; i < s.subject.ball_count; i++) {
            double from[3];
            for (int a = 0; a < 3; a++)
                from[a] = s.subject.ball[i][a] - (double)p[a];
            double gap = sqrt(scree_dot(from, from)) - s.subject.ball[i][3];
            best = gap < best ? gap : best;
            found = i == nearest ? gap : found;
        }
        CHECK_NEAR(found, best, 1e-6); /* floats */
    }
    clear_stage(&s);
}

/*  No ray slips between the facets of a surface that covers the screen, and depth is that of the plane. */
static void check_cover(bool orthographic)
{
    stage s;
    scree_random random = scree_random_stream(2, 0);
    maker m = maker_plane(40, 3, 0.2, &random);
    double(*ball)[4] = calloc(m.facet_count, sizeof *ball);
    set_stage(&s, orthographic, 203, 131, 0, 1, 1);
    s.subject.facet_capacity = m.facet_count;
    CHECK_EQUAL(
        scree_memory_take(&s.memory, m.facet_count, sizeof *s.subject.facet, &s.subject.facet),
        SCREE_OK);
    s.subject.facet_count = m.facet_count;
    memset(s.subject.facet, 0, m.facet_count * sizeof *s.subject.facet);
    for (uint32_t f = 0; f < m.facet_count; f++) {
        for (int i = 0; i < 3; i++) {
            const double *v = m.vertex + 3 * (size_t)m.facet[3 * f + (uint32_t)i];
            double *corner = s.subject.facet[f].corner[i];
            corner[0] = v[0] - 1.5;
            corner[1] = v[1] - 1.5;
            corner[2] = 1 + 0.3 * corner[0] - 0.2 * corner[1];
            for (int a = 0; a < 3; a++)
                ball[f][a] += corner[a] / 3;
        }
        ball[f][3] = 0.15; /* longer than any edge */
    }
    CHECK_EQUAL(scree_ball_tree_build(&s.subject.facets, &s.memory, &alone,
                                      (const double(*)[4])ball, m.facet_count),
                SCREE_OK);
    s.tile.width = s.tile.height = 64;
    CHECK_EQUAL(scree_tile_cast(&s.tile), SCREE_OK);
    for (uint32_t k = 0; k < s.tile.columns * s.tile.rows; k++) {
        double x = s.tile.across[k % s.tile.columns], y = s.tile.down[k / s.tile.columns];
        double z = orthographic ? 1 + 0.3 * x - 0.2 * y : 1 / (1 - 0.3 * x + 0.2 * y);
        CHECK_NEAR(s.tile.depth[k], z, 1e-12); /* a few roundings of numbers of size 1 */
    }
    free(ball);
    maker_free(&m);
    clear_stage(&s);
}

TEST(surfaces_have_no_cracks)
{
    check_cover(true);
    check_cover(false);
}

TEST(trees_survive_every_failed_allocation)
{
    for (size_t k = 1;; k++) {
        failing_allocator books = {.fail_at = k};
        scree_allocator hooks = failing_allocator_hooks(&books);
        scree_memory memory;
        scree_ball_tree tree;
        double ball[100][4] = {{0}};
        scree_ball_list list = {0};
        scree_window all = {{{0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}}};
        for (int i = 0; i < 100; i++)
            ball[i][0] = i;
        CHECK_EQUAL(scree_memory_init(&memory, &hooks), SCREE_OK);
        scree_status status =
            scree_ball_tree_build(&tree, &memory, &alone, (const double(*)[4])ball, 100);
        if (!status)
            status = scree_ball_tree_look(&tree, &all, &memory, &list);
        CHECK_EQUAL(status, books.requests >= k ? SCREE_OUT_OF_MEMORY : SCREE_OK);
        if (!status)
            CHECK_EQUAL(list.count, 100);
        scree_memory_give(&memory, &list.ball, list.capacity, sizeof *list.ball);
        scree_ball_tree_free(&tree, &memory);
        CHECK(failing_allocator_is_clean(&books));
        if (books.requests < k)
            break;
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(rays_see_what_the_detector_says),
        CASE(shadows_fall_where_rays_to_the_light_are_stopped),
        CASE(trees_find_the_light_that_loops_find),
        CASE(the_nearest_ball_is_the_nearest),
        CASE(surfaces_have_no_cracks),
        CASE(trees_survive_every_failed_allocation),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
