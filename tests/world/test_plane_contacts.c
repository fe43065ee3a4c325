/*  Spheres against planes within a call, where contacts stay in a list of their own: to the bits of steps that are a call each. */
#include "base/random.h"
#include "sound_world.h"

#define GRAINS 120

typedef struct box
{
    scree_world *world;
    scree_material_id material[2];
    scree_wall_id wall[6];
} box;

/*  A contact model for all contacts. */
typedef struct model
{
    const char *law;
    double rolling; /* its parameter: 1 a constant torque, 2 spring and dashpot */
    bool is_rough_at_one_side;
} model;

/*  Grains that slide, spin and hop in a box under a gravity that brings each hop back within some steps. */
static box make_box(scree_simd simd, uint32_t threads, const model *m)
{
    scree_world_def def = sound_world();
    scree_material_def material = scree_default_material_def();
    scree_wall_def wall = scree_default_wall_def();
    scree_body_def body = scree_default_body_def();
    scree_rule_def rule = scree_default_rule_def();
    static const char *const names[] = {"rolling"};
    scree_random random = scree_random_stream(5, 0);
    box b = {0};

    def.compute.simd = simd;
    def.compute.thread_count = threads;
    def.step.dt = 5e-6;
    def.gravity[2] = -3000;
    b.world = open_world(&def);
    material.young = 1e9;
    material.restitution = 0.95;
    material.friction = 0.3;
    material.rolling_friction = 0.2;
    material.twisting_friction = 0.1;
    CHECK_EQUAL(scree_world_add_material(b.world, &material, &b.material[0]), SCREE_OK);
    material.friction = 0.05;
    CHECK_EQUAL(scree_world_add_material(b.world, &material, &b.material[1]), SCREE_OK);
    rule.law = m->law;
    rule.names = names;
    rule.values = &m->rolling;
    rule.value_count = m->rolling > 0;
    CHECK_EQUAL(scree_world_add_rule(b.world, &rule), SCREE_OK);
    for (int side = 0; side < 6; side++) {
        wall.material = b.material[m->is_rough_at_one_side && side == 1];
        for (int a = 0; a < 3; a++) {
            wall.normal[a] = a == side / 2 ? (side % 2 ? -1 : 1) : 0;
            wall.point[a] = a == side / 2 && side % 2 ? 0.124 : 0;
        }
        CHECK_EQUAL(scree_world_add_wall(b.world, &wall, &b.wall[side]), SCREE_OK);
    }
    body.material = b.material[0];
    for (int k = 0; k < GRAINS; k++) {
        body.shape = scree_shape_sphere(scree_random_range(&random, 0.003, 0.005));
        body.position[0] = 0.006 + 0.011 * (k % 11);
        body.position[1] = 0.006 + 0.011 * (k / 11);
        body.position[2] = 0.00501 + scree_random_range(&random, 0, 1e-5);
        for (int a = 0; a < 3; a++) {
            body.velocity[a] = scree_random_range(&random, -1, 1) * (a < 2 ? 2 : 0.3);
            body.spin[a] = scree_random_range(&random, -300, 300);
        }
        CHECK_EQUAL(scree_world_add_body(b.world, &body, NULL), SCREE_OK);
    }
    return b;
}

static size_t count_contacts(scree_world *world)
{
    const scree_contact *contacts;
    size_t count;

    CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &count), SCREE_OK);
    return count;
}

static const model hertz = {.law = "hertz"};

/*  What the hosts of both do before each call. */
typedef void act_fn(const box *b, int call);

static void check_calls(const model *m, act_fn *act)
{
    size_t contacts = 0, hops = 0;

    for (int simd = SCREE_SIMD_SCALAR; simd <= SCREE_SIMD_AVX512; simd++) {
        const box one = make_box((scree_simd)simd, 1 + (uint32_t)simd % 2, m);
        const box many = make_box(SCREE_SIMD_AUTO, 1, m);
        for (int call = 0; call < TEST_EFFORT(4, 20); call++) {
            size_t before = count_contacts(many.world), now = 0;
            if (act) {
                act(&one, call);
                act(&many, call);
            }
            advance(one.world, 300);
            for (int k = 0; k < 300; k++, before = now) {
                advance(many.world, 1);
                now = scree_world_detection_stats(many.world).contacts;
                hops += now != before;
            }
            CHECK(scree_world_digest(one.world) == scree_world_digest(many.world));
            CHECK_EQUAL(scree_world_detection_stats(one.world).contacts, now);
            CHECK_EQUAL(count_contacts(one.world), count_contacts(many.world));
            contacts += now;
        }
        scree_world_destroy(one.world);
        scree_world_destroy(many.world);
    }

    CHECK(contacts > 100 && hops > 1000);
}

TEST(hopping_grains_forget_what_a_contact_stored)
{
    check_calls(&hertz, NULL);
}

TEST(one_side_of_another_law_is_met_within_a_call)
{
    const model rough = {.law = "hertz", .is_rough_at_one_side = true};

    check_calls(&rough, NULL);
}

/*  Grains roll and spin up to their limits, and history of rolling and twisting is kept in place as well. */
TEST(rolling_contacts_are_the_same_within_a_call)
{
    static const model models[] = {{.law = "linear-rolling", .rolling = 2},
                                   {.law = "hertz-rolling", .rolling = 2},
                                   {.law = "hertz-rolling", .rolling = 1}};

    for (size_t k = 0; k < COUNT_OF(models); k++)
        check_calls(&models[k], NULL);
}

/*  Turns about y, for a while within a call. */
static void turn_a_while(double time, double shift[3], double velocity[3], double turn[4],
                         double spin[3], void *user)
{
    const double rate = 0.5, last = 4e-4, angle = rate * (time < last ? time : last);

    (void)user;
    for (int a = 0; a < 3; a++)
        shift[a] = velocity[a] = spin[a] = 0;
    spin[1] = time < last ? rate : 0;
    turn[0] = cos(angle / 2);
    turn[1] = turn[3] = 0;
    turn[2] = sin(angle / 2);
}

/*  The floor rises and falls, a side slides along itself, and one turns for a while. */
static void move_walls(const box *b, int call)
{
    scree_wall_path path = {0};

    path.velocity[2] = call % 2 ? -0.5 : 0.5;
    CHECK_EQUAL(scree_world_set_wall_path(b->world, b->wall[4], &path), SCREE_OK);
    path = (scree_wall_path){0};
    path.velocity[1] = 2;
    CHECK_EQUAL(scree_world_set_wall_path(b->world, b->wall[0], &path), SCREE_OK);
    if (call % 2) {
        path = (scree_wall_path){.function = turn_a_while};
        CHECK_EQUAL(scree_world_set_wall_path(b->world, b->wall[4], &path), SCREE_OK);
    }
}

TEST(planes_that_move_and_turn)
{
    check_calls(&hertz, move_walls);
}

/*  Bodies come and go, so that slots are others. */
static void change_bodies(const box *b, int call)
{
    scree_body_id id[GRAINS + 32];
    scree_bodies_view view = scree_world_bodies(b->world);
    scree_body_def body = scree_default_body_def();

    for (uint32_t k = 0; k < view.count && k < GRAINS + 32; k++)
        id[k] = scree_body_id_at(view.id, k);
    CHECK_EQUAL(scree_world_remove_body(b->world, id[3 * call]), SCREE_OK);
    body.material = b->material[0];
    body.shape = scree_shape_sphere(0.004);
    body.position[0] = 0.02 + 0.02 * call;
    body.position[1] = 0.06;
    body.position[2] = 0.03;
    body.velocity[2] = -5;
    CHECK_EQUAL(scree_world_add_body(b->world, &body, NULL), SCREE_OK);
}

TEST(bodies_that_come_and_go_between_calls)
{
    check_calls(&hertz, change_bodies);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(hopping_grains_forget_what_a_contact_stored),
        CASE(one_side_of_another_law_is_met_within_a_call),
        CASE(rolling_contacts_are_the_same_within_a_call),
        CASE(planes_that_move_and_turn),
        CASE(bodies_that_come_and_go_between_calls),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
