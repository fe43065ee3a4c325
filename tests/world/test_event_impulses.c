/*  What events say of contacts that end: their impulse is the sum of what scree_contact said in each step, and no duration
    depends on how or when the end was found. */
#include "harness/solid_maker.h"

#define MOST 2000

/* ---- sums over steps ---- */

/*  All contacts of two bodies, or of a body and a wall: forces times dt, less the impulses of those that have ended. */
typedef struct account
{
    scree_body_id first, second;
    scree_wall_id wall;
    double left[3], size; /* size: the same without signs */
    double begin;         /* of the last one */
    uint64_t begin_step;
    int open;
} account;

typedef struct book
{
    account list[MOST];
    size_t count;
    size_t ends, of_solids, at_walls;
} book;

static account *find_account(book *b, scree_body_id first, scree_body_id second, scree_wall_id wall)
{
    for (size_t k = 0; k < b->count; k++) {
        account *a = &b->list[k];
        if (scree_body_id_equal(a->first, first) && scree_body_id_equal(a->second, second) &&
            a->wall.index1 == wall.index1)
            return a;
    }
    CHECK(b->count < MOST);
    b->list[b->count] = (account){.first = first, .second = second, .wall = wall};
    return &b->list[b->count++];
}

static void book_events(const scene *s, book *b)
{
    const scree_event *e;
    size_t count;

    CHECK_EQUAL(scree_world_events(s->world, &e, &count), SCREE_OK);
    for (size_t k = 0; k < count; k++) {
        if (e[k].kind != SCREE_EVENT_CONTACT_BEGIN && e[k].kind != SCREE_EVENT_CONTACT_END)
            continue;
        account *a = find_account(b, e[k].first, e[k].second, e[k].wall);
        if (e[k].kind == SCREE_EVENT_CONTACT_BEGIN) {
            a->open++;
            a->begin = e[k].time;
            a->begin_step = e[k].step;
            continue;
        }
        if (a->open-- == 1 && e[k].step > a->begin_step)
            CHECK_NEAR(e[k].duration, e[k].time - a->begin, 1e-12);
        for (int j = 0; j < 3; j++)
            a->left[j] -= e[k].impulse[j];
        if (a->open == 0)
            for (int j = 0; j < 3; j++)
                CHECK_NEAR(a->left[j], 0, 1e-11 * a->size);
        b->ends++;
        b->at_walls += e[k].wall.index1 != 0;
        b->of_solids += body_of(s, e[k].first).shape.kind != SCREE_SHAPE_SPHERE;
    }
}

static void book_forces(const scene *s, book *b)
{
    const double dt = scree_world_clock(s->world).dt;
    const scree_contact *c;
    size_t count;

    CHECK_EQUAL(scree_world_contacts(s->world, NULL, &c, &count), SCREE_OK);
    for (size_t k = 0; k < count; k++) {
        account *a = find_account(b, c[k].first, c[k].second, c[k].wall);
        CHECK(a->open > 0);
        for (int j = 0; j < 3; j++) {
            a->left[j] += c[k].force[j] * dt;
            a->size += fabs(c[k].force[j]) * dt;
        }
    }
}

/*  Spheres, clumps, meshes and blocks over a slope of triangles and a floor. */
TEST(impulses_are_the_sums_of_forces)
{
    static book b;
    scree_world_def def = plain_def(5e-5);
    scene s;

    def.gravity[2] = -9.81;
    def.detection.sort_every = 50;
    s = open_scene(&def, "linear", 0.5, 0.3);
    scree_mesh *box = cube(0.05), *ball = globe(80, 0.03, 1.3), *hill = slope();
    scree_clump *four = jack(0.02, 0.02);
    const scree_shape shapes[] = {scree_shape_sphere(0.025), scree_shape_clump(four),
                                  scree_shape_mesh(ball, 0.002), scree_shape_block(box, 0.004)};
    add_wall(&s, hill);
    add_wall(&s, NULL);
    for (int k = 0; k < 16; k++) {
        scree_body_def body = body_at(&s, shapes[k % 4], 0.09 * (k % 2) - 0.04,
                                      0.08 * (k / 2 % 2) - 0.04, 0.12 + 0.08 * (k / 4));
        body.velocity[0] = 0.4 * (k % 3 - 1);
        body.velocity[2] = -1;
        add(&s, &body);
    }
    b.count = b.ends = b.of_solids = b.at_walls = 0;
    for (int n = 0; n < 3000; n++) {
        step(&s, 1);
        book_events(&s, &b);
        book_forces(&s, &b);
    }
    CHECK(b.ends > 30 && b.of_solids > 10 && b.at_walls > 10 && b.at_walls < b.ends);
    scree_world_destroy(s.world);
    scree_mesh_destroy(box);
    scree_mesh_destroy(ball);
    scree_mesh_destroy(hill);
    scree_clump_destroy(four);
}

/*  A sphere that slides over edges between facets, pressed on by its weight: one contact, until it is lifted off. */
TEST(a_contact_continues_from_facet_to_facet)
{
    scree_world_def def = plain_def(5e-5);
    scree_random random = scree_random_stream(5, 0);
    maker m = maker_plane(6, 0.6, 0, &random);
    scree_mesh *sheet = maker_mesh(&m);
    const scree_contact *c;
    const scree_event *e;
    size_t count, passes = 0;
    uint32_t facet = UINT32_MAX;
    double sum[3] = {0}, lift[3] = {1, 0, 5};
    int begins = 0;
    scene s;

    maker_free(&m);
    def.gravity[2] = -9.81;
    s = open_scene(&def, "linear", 0.5, 0);
    add_wall(&s, sheet);
    scree_body_def body = body_at(&s, scree_shape_sphere(0.02), 0.11, 0.27, 0.02);
    body.velocity[0] = 1;
    scree_body_id id = add(&s, &body);
    for (int n = 0; n < 8000; n++) {
        if (n == 6000)
            CHECK_EQUAL(scree_body_set_velocity(s.world, id, lift), SCREE_OK);
        step(&s, 1);
        CHECK_EQUAL(scree_world_events(s.world, &e, &count), SCREE_OK);
        for (size_t k = 0; k < count; k++) {
            begins += e[k].kind == SCREE_EVENT_CONTACT_BEGIN;
            if (e[k].kind != SCREE_EVENT_CONTACT_END)
                continue;
            CHECK(n >= 6000 && e[k].facet == facet);
            CHECK_NEAR(e[k].impulse[2], sum[2], 1e-11 * sum[2]);
            CHECK(e[k].duration > 0.29);
            begins = -begins;
        }
        CHECK_EQUAL(scree_world_contacts(s.world, NULL, &c, &count), SCREE_OK);
        for (size_t k = 0; k < count; k++) {
            passes += facet != UINT32_MAX && facet != c[k].facet;
            facet = c[k].facet;
            for (int j = 0; j < 3; j++)
                sum[j] += c[k].force[j] * def.step.dt;
        }
    }
    CHECK_EQUAL(begins, -1);
    CHECK(passes >= 3);
    scree_world_destroy(s.world);
    scree_mesh_destroy(sheet);
}

/*  Another wall in the place of one that is gone: another contact. */
TEST(another_wall_is_another_contact)
{
    scree_world_def def = plain_def(1e-5);
    const scree_pebble pebbles[2] = {{{-0.02, 0, 0}, 0.03}, {{0.02, 0, 0}, 0.03}};
    static const double up[3] = {0, 0, 5};
    scree_clump *two = clump_of(3, pebbles, 2);
    const scree_event *e;
    size_t count;
    scene s;

    def.gravity[2] = -9.81;
    s = open_scene(&def, "linear", 0.5, 0);
    scree_wall_id wall = add_wall(&s, NULL), other;
    scree_body_def body = body_at(&s, scree_shape_clump(two), 0, 0, 0.03 - 1e-6);
    scree_body_id id = add(&s, &body);
    step(&s, 200);
    CHECK_EQUAL(scree_world_remove_wall(s.world, wall), SCREE_OK);
    other = add_wall(&s, NULL);
    CHECK(other.index1 == wall.index1 && other.generation != wall.generation);
    step(&s, 10);
    CHECK_EQUAL(scree_world_events(s.world, &e, &count), SCREE_OK);
    CHECK(count == 1 && e[0].kind == SCREE_EVENT_CONTACT_BEGIN);
    double begin = e[0].time;
    CHECK_EQUAL(scree_body_set_velocity(s.world, id, up), SCREE_OK);
    step(&s, 1000);
    CHECK_EQUAL(scree_world_events(s.world, &e, &count), SCREE_OK);
    CHECK(count == 1 && e[0].kind == SCREE_EVENT_CONTACT_END);
    CHECK_EQUAL(e[0].wall.generation, other.generation);
    CHECK_NEAR(e[0].duration, e[0].time - begin, 1e-15);
    scree_world_destroy(s.world);
    scree_clump_destroy(two);
}

/* ---- two spheres that the host parts ---- */

static int calls_until_failure;

static scree_status maybe_fail(scree_force_sink *sink, const scree_bodies_view *bodies, double time,
                               void *user)
{
    (void)sink, (void)bodies, (void)time, (void)user;
    return --calls_until_failure == 0 ? SCREE_UNSUPPORTED : SCREE_OK;
}

/*  They touch for three steps. */
static scene open_couple(double margin, scree_body_id ids[2])
{
    scree_world_def def = plain_def(1e-5);
    scene s;

    def.detection.margin.length = margin;
    s = open_scene(&def, "linear", 0.5, 0);
    for (int k = 0; k < 2; k++) {
        scree_body_def body = body_at(&s, scree_shape_sphere(0.01), 0.0199 * k, 0, 0);
        ids[k] = add(&s, &body);
    }
    calls_until_failure = 0;
    scree_world_set_force(s.world, maybe_fail, NULL);
    step(&s, 3);
    return s;
}

static void put_second(const scene *s, const scree_body_id ids[2], double x)
{
    const double place[3] = {x, 0, 0};

    CHECK_EQUAL(scree_body_set_position(s->world, ids[1], place), SCREE_OK);
}

/*  What ends lasted to the end of the step in which it ended, whether it still was a candidate or not. */
TEST(durations_do_not_depend_on_margins)
{
    static const double margins[] = {-0.05, -0.5};

    for (int k = 0; k < 2; k++) {
        const scree_event *e;
        scree_body_id ids[2];
        size_t count;
        scene s = open_couple(margins[k], ids);
        put_second(&s, ids, 0.0199 + 0.0012);
        step(&s, 1);
        CHECK_EQUAL(scree_world_events(s.world, &e, &count), SCREE_OK);
        CHECK(count == 1 && e[0].kind == SCREE_EVENT_CONTACT_END);
        CHECK_NEAR(e[0].duration, 3e-5, 1e-15);
        scree_world_destroy(s.world);
    }
}

/*  The first force is found before the step, the second in it. Nothing is lost if either fails, nor told twice, nor told of
    a body that the host has removed since. */
TEST(a_step_that_fails_loses_no_end)
{
    for (int fail = 0; fail < 3; fail++)
        for (int way = 0; way < 4; way++) {
            const scree_event *e;
            const scree_contact *c;
            scree_body_id ids[2];
            size_t count;
            scene s = open_couple(-0.05, ids);
            put_second(&s, ids, 1);
            calls_until_failure = fail;
            CHECK_EQUAL(scree_world_step(s.world, 1), fail ? SCREE_UNSUPPORTED : SCREE_OK);
            if (fail)
                CHECK_EQUAL(scree_world_contacts(s.world, NULL, &c, &count), SCREE_OK);
            if (way == 1)
                CHECK_EQUAL(scree_world_remove_body(s.world, ids[1]), SCREE_OK);
            if (way == 2)
                put_second(&s, ids, 0.0199);
            if (fail)
                step(&s, 1);
            CHECK_EQUAL(scree_world_events(s.world, &e, &count), SCREE_OK);
            if (way == 2 && fail) {
                /* they met again after they had parted, or never parted */
                CHECK(count == 0 || count == 2);
                CHECK(count == 0 || (e[0].kind == SCREE_EVENT_CONTACT_END &&
                                     e[1].kind == SCREE_EVENT_CONTACT_BEGIN));
            } else {
                CHECK_EQUAL(count, way == 1 && fail ? 0 : 1);
                CHECK(count == 0 || e[0].kind == SCREE_EVENT_CONTACT_END);
                CHECK(count == 0 || fabs(e[0].duration - 3e-5) < 1e-15);
            }
            scree_world_destroy(s.world);
        }
}

/*  The velocity of a wall that swings is that at the start of the step, as that of the body. */
TEST(walls_that_swing_are_met_at_the_speed_before)
{
    scree_world_def def = plain_def(1e-4);
    scree_wall_def wall = scree_default_wall_def();
    scree_wall_id id;
    scree_wall before;
    const scree_event *e;
    size_t count = 0;
    scene s = open_scene(&def, "linear", 0.5, 0);

    wall.material = s.material;
    wall.path.swing[2] = 0.01;
    wall.path.frequency = 50;
    CHECK_EQUAL(scree_world_add_wall(s.world, &wall, &id), SCREE_OK);
    scree_body_def body = body_at(&s, scree_shape_sphere(0.01), 0, 0, 0.015);
    add(&s, &body);
    while (count == 0) {
        CHECK_EQUAL(scree_world_get_wall(s.world, id, &before), SCREE_OK);
        step(&s, 1);
        CHECK_EQUAL(scree_world_events(s.world, &e, &count), SCREE_OK);
        CHECK(scree_world_clock(s.world).steps < 1000);
    }
    CHECK_EQUAL(e[0].kind, SCREE_EVENT_CONTACT_BEGIN);
    CHECK_NEAR(e[0].speed, before.velocity[2], 1e-12);
    scree_world_destroy(s.world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(impulses_are_the_sums_of_forces), CASE(a_contact_continues_from_facet_to_facet),
        CASE(another_wall_is_another_contact), CASE(durations_do_not_depend_on_margins),
        CASE(a_step_that_fails_loses_no_end),  CASE(walls_that_swing_are_met_at_the_speed_before),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
