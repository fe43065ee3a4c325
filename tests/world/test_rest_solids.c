/*  Rest of blocks, clumps and bodies of triangles among balls, on planes and on walls of triangles: where they touch is not
    looked for again, and that changes no bit. */
#include "harness/law_needs.h"
#include "harness/solid_maker.h"

#include "scree/sleep.h"

#define SIZE 0.02 /* from the centre to the surface, about */
#define SKIN 2e-3
#define PITCH 0.056
#define ACROSS 3
#define LAYERS 2
#define FILLING 24000
#define LOOKS 12

/*  How a bin is computed, and what happens to it. */
typedef struct way
{
    const char *law;
    bool computes_all, by_surrogates, meddles;
    uint32_t threads;
} way;

typedef struct shapes
{
    scree_mesh *cube, *globe, *floor;
    scree_clump *jack;
} shapes;

static shapes make_shapes(void)
{
    const double corners[] = {-1, -1, 0, 1, -1, 0, 0, 2, 0};
    const uint32_t facet[] = {0, 1, 2};
    scree_mesh_def def = scree_default_mesh_def();
    shapes made = {cube(1.6 * SIZE), globe(80, SIZE - SKIN, 1), NULL, jack(0.6 * SIZE, 0.5 * SIZE)};

    def.vertices = corners;
    def.vertex_count = 3;
    def.facets = facet;
    def.facet_count = 1;
    CHECK_EQUAL(scree_mesh_create(&def, &made.floor), SCREE_OK);
    return made;
}

static void free_shapes(const shapes *made)
{
    scree_mesh_destroy(made->cube);
    scree_mesh_destroy(made->globe);
    scree_mesh_destroy(made->floor);
    scree_clump_destroy(made->jack);
}

static void fill(const scene *s, const shapes *made)
{
    const scree_shape kinds[] = {scree_shape_block(made->cube, SKIN),
                                 scree_shape_mesh(made->globe, SKIN), scree_shape_clump(made->jack),
                                 scree_shape_sphere(SIZE)};

    for (int k = 0; k < ACROSS * ACROSS * LAYERS; k++) {
        int x = k % ACROSS, y = k / ACROSS % ACROSS, z = k / ACROSS / ACROSS;
        scree_body_def body = body_at(s, kinds[(k + k / 4) % 4], (x + 0.5) * PITCH + 1e-3 * z,
                                      (y + 0.5) * PITCH, 0.03 + z * 0.05);
        add(s, &body);
    }
}

static scene open_bin(const way *w, const shapes *made, scree_wall_id *floor)
{
    scree_world_def def = plain_def(5e-5);
    scree_sleep_def rest = scree_default_sleep_def();
    scree_rule_def rule = scree_default_rule_def();

    def.gravity[2] = -9.81;
    def.local_damping = 0.3;
    def.global_damping = 4;
    def.compute.thread_count = w->threads;
    def.detection.sort_every = w->threads * 100;
    if (w->by_surrogates)
        def.detection.mesh_engine = SCREE_MESH_ENGINE_SURROGATE;
    scene s = open_scene(&def, "linear", 0.2, 0.5);
    set_law(&rule, w->law);
    CHECK_EQUAL(scree_world_add_rule(s.world, &rule), SCREE_OK);
    *floor = add_wall(&s, made->floor);
    for (int side = 0; side < 4; side++) {
        scree_wall_def wall = scree_default_wall_def();
        wall.material = s.material;
        wall.normal[2] = 0;
        wall.normal[side % 2] = side < 2 ? 1 : -1;
        wall.point[side % 2] = side < 2 ? 0 : ACROSS * PITCH;
        CHECK_EQUAL(scree_world_add_wall(s.world, &wall, NULL), SCREE_OK);
    }
    fill(&s, made);
    rest.speed = 4e-3;
    rest.acceleration = 1;
    rest.steps = 40;
    rest.computes_all = w->computes_all;
    CHECK_EQUAL(scree_world_set_sleep(s.world, &rest), SCREE_OK);
    return s;
}

/*  What wakes some or all, and what could mislead who looks at the step before alone. */
static void meddle(const scene *s, scree_wall_id floor, int look)
{
    scree_wall_path path = {.velocity = {0, 0, 0}};
    scree_bodies_view view = scree_world_bodies(s->world);
    scree_body_id some = scree_body_id_at(view.id, view.count / 2);
    scree_body_def ball =
        body_at(s, scree_shape_sphere(0.8 * SIZE), 1.5 * PITCH, 1.5 * PITCH, 0.25);
    scree_snapshot *snapshot;
    scree_body body;

    switch (look) {
    case 6:
        /* so slowly that no body wakes at once */
        path.velocity[2] = 2e-5;
        CHECK_EQUAL(scree_world_set_wall_path(s->world, floor, &path), SCREE_OK);
        break;
    case 7:
        path.velocity[2] = 0;
        CHECK_EQUAL(scree_world_set_wall_path(s->world, floor, &path), SCREE_OK);
        break;
    case 8:
        CHECK_EQUAL(scree_world_remove_body(s->world, some), SCREE_OK);
        break;
    case 9:
        CHECK_EQUAL(scree_world_snapshot(s->world, &snapshot), SCREE_OK);
        CHECK_EQUAL(scree_world_restore(s->world, snapshot), SCREE_OK);
        scree_snapshot_destroy(snapshot);
        body = body_of(s, some);
        body.velocity[0] = 0.1;
        CHECK_EQUAL(scree_world_set_body(s->world, some, &body), SCREE_OK);
        break;
    case 10:
        ball.velocity[2] = -1.5;
        add(s, &ball);
        break;
    default:
        break;
    }
}

typedef struct course
{
    uint64_t digest[LOOKS];
    scree_sleep_counts counts;
    double rested;
} course;

static course course_of(const way *w)
{
    const shapes made = make_shapes();
    course c = {.rested = 0};
    scree_wall_id floor;
    scene s = open_bin(w, &made, &floor);

    for (int look = 0; look < LOOKS; look++) {
        if (w->meddles)
            meddle(&s, floor, look);
        step(&s, FILLING / LOOKS);
        c.digest[look] = scree_world_digest(s.world);
        c.counts = scree_world_sleep_counts(s.world);
        c.rested = fmax(c.rested, (double)c.counts.asleep / (ACROSS * ACROSS * LAYERS));
    }
    scree_world_destroy(s.world);
    free_shapes(&made);
    return c;
}

static void check_way(way w)
{
    w.computes_all = true;
    const course all = course_of(&w);
    w.computes_all = false;
    const course some = course_of(&w);

    for (int look = 0; look < LOOKS; look++)
        if (all.digest[look] != some.digest[look])
            FAIL("%s: digest %d is another one", w.law, look);
    CHECK_EQUAL(all.counts.skipped, 0);
    if (some.rested < 0.5 || some.counts.skipped < 10000)
        FAIL("%s: %g rested, %d spared", w.law, some.rested, (int)some.counts.skipped);
}

TEST(the_shortcut_changes_no_bit)
{
    static const char *const laws[] = {"linear", "hertz", "linear-rolling", "jkr", "capillary"};

    for (size_t k = 0; k < TEST_EFFORT(1, SCREE_COUNT_OF(laws)); k++)
        check_way((way){.law = laws[k], .threads = 1 + (uint32_t)k % 3});
}

TEST(nor_where_meshes_go_by_surrogates)
{
    check_way((way){.law = "linear", .threads = 1, .by_surrogates = true});
}

TEST(hosts_may_meddle)
{
    if (test_is_full())
        check_way((way){.law = "linear", .threads = 2, .meddles = true});
    check_way((way){.law = "hertz-rolling", .threads = 1, .meddles = true});
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(the_shortcut_changes_no_bit),
        CASE(nor_where_meshes_go_by_surrogates),
        CASE(hosts_may_meddle),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
