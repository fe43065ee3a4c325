/*  Which body is named where a step came to numbers that are not finite: the body that has gone wrong itself, not one
    that it touches; and without it the others go on. */
#include "scree/scree.h"
#include "test.h"

#include <math.h>

#define RADIUS 0.01
#define APART 0.0199 /* of touching bodies */

typedef struct row_of_bodies
{
    scree_world *world;
    scree_material_id material;
    scree_body_id id[8];
    uint32_t count;
} row_of_bodies;

static row_of_bodies make_row(const scree_world_def *def, const scree_law *law)
{
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    row_of_bodies row = {0};

    CHECK_EQUAL(scree_world_create(def, &row.world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(row.world, &material, &row.material), SCREE_OK);
    rule.own_law = law;
    if (law)
        CHECK_EQUAL(scree_world_add_rule(row.world, &rule), SCREE_OK);
    return row;
}

static void add(row_of_bodies *row, double x)
{
    scree_body_def body = scree_default_body_def();

    body.shape = scree_shape_sphere(RADIUS);
    body.material = row->material;
    body.position[0] = x;
    body.user = row->count + 1;
    CHECK_EQUAL(scree_world_add_body(row->world, &body, &row->id[row->count++]), SCREE_OK);
}

/*  The number of the body that failed, from 1 in the order in which they came; 0: none. */
static uint32_t failed_body(const row_of_bodies *row)
{
    scree_body_id id = scree_world_failed_body(row->world);

    for (uint32_t k = 0; k < row->count; k++)
        if (id.index1 && id.index1 == row->id[k].index1 && id.generation == row->id[k].generation)
            return k + 1;
    CHECK_EQUAL(id.index1, 0);
    return 0;
}

static scree_world_def calm_def(void)
{
    scree_world_def def = scree_default_world_def();

    def.step.dt = 1e-6;
    return def;
}

/* ---- laws ---- */

static scree_status prepare_nothing(const scree_law_input *input,
                                    double constants[SCREE_MAX_CONSTANTS], void *user)
{
    (void)input;
    (void)constants;
    (void)user;
    return SCREE_OK;
}

/*  A drag on what slides at the contact, so large that a spin beyond all bounds shows. */
static void drag(const scree_batch *batch, const double *constants, void *user)
{
    (void)constants;
    for (uint32_t k = 0; k < batch->count; k++)
        for (int a = 0; a < 3; a++) {
            batch->force[a][k] = -*(const double *)user * batch->slide[a][k];
            if (batch->moment[a])
                batch->moment[a][k] = 0;
        }
}

static void moment_that_is_none(const scree_batch *batch, const double *constants, void *user)
{
    (void)constants;
    (void)user;
    for (uint32_t k = 0; k < batch->count; k++)
        for (int a = 0; a < 3; a++) {
            batch->force[a][k] = 0;
            batch->moment[a][k] = NAN;
        }
}

typedef void force_fn(const scree_batch *batch, const double *constants, void *user);

static scree_law law_of(force_fn *force, double *user, bool has_moment)
{
    return (scree_law){.name = "drag",
                       .prepare = prepare_nothing,
                       .force = force,
                       .user = user,
                       .has_moment = has_moment};
}

/*  The host pushes or turns bodies from a number on. */
typedef struct host
{
    uint64_t first;
    double force, torque;
} host;

static scree_status push(scree_force_sink *sink, const scree_bodies_view *bodies, double time,
                         void *user)
{
    const host *h = user;

    (void)time;
    for (size_t i = 0; i < bodies->count; i++)
        if (scree_uint64_at(bodies->user, i) >= h->first)
            scree_force_sink_add_row(sink, i, (double[3]){h->force, 0, 0},
                                     (double[3]){0, h->torque, 0});
    return SCREE_OK;
}

/* ---- tests ---- */

TEST(no_body_failed_in_a_step_that_was_taken)
{
    scree_world_def def = calm_def();
    row_of_bodies row = make_row(&def, NULL);

    CHECK_EQUAL(scree_world_failed_body(NULL).index1, 0);
    CHECK_EQUAL(failed_body(&row), 0);
    add(&row, 0);
    CHECK_EQUAL(scree_world_step(row.world, 3), SCREE_OK);
    CHECK_EQUAL(failed_body(&row), 0);
    scree_world_destroy(row.world);
}

/*  Two bodies touch, and the second has turned faster and faster until its spin was not finite: both forces are
    not, and the second is to blame. */
TEST(the_body_that_has_gone_wrong_itself_is_named)
{
    scree_world_def def = calm_def();
    double factor = 1;
    scree_law law = law_of(drag, &factor, false);
    row_of_bodies row = make_row(&def, &law);
    host turn = {.first = 3, .torque = 1e308};

    for (int k = 0; k < 3; k++)
        add(&row, APART * k);
    CHECK_EQUAL(scree_world_step(row.world, 1), SCREE_OK);
    scree_world_set_force(row.world, push, &turn);
    scree_status status = SCREE_OK;
    for (int k = 0; k < 5 && !status; k++)
        status = scree_world_step(row.world, 1);
    CHECK_EQUAL(status, SCREE_BAD_VALUE);
    CHECK_EQUAL(failed_body(&row), 3);
    CHECK_SAYS(scree_world_message(row.world), "body 3: the force of its contact with body 2");
    CHECK_EQUAL(scree_world_remove_body(row.world, row.id[2]), SCREE_OK);
    CHECK_EQUAL(scree_world_step(row.world, 10), SCREE_OK);
    CHECK_EQUAL(failed_body(&row), 0);
    scree_world_destroy(row.world);
}

/*  All states are finite; the one in the middle spins so fast that both its contacts come to more than there are
    numbers for. */
TEST(the_body_with_the_largest_number_of_bad_contacts_failed)
{
    scree_world_def def = calm_def();
    double factor = 1e250;
    scree_law law = law_of(drag, &factor, false);
    row_of_bodies row = make_row(&def, &law);
    scree_body body;

    for (int k = 0; k < 3; k++)
        add(&row, APART * k);
    CHECK_EQUAL(scree_world_get_body(row.world, row.id[1], &body), SCREE_OK);
    body.spin[2] = 1e99;
    CHECK_EQUAL(scree_world_set_body(row.world, row.id[1], &body), SCREE_OK);
    CHECK_EQUAL(scree_world_step(row.world, 1), SCREE_BAD_VALUE);
    CHECK_EQUAL(failed_body(&row), 2);
    scree_world_destroy(row.world);
}

/*  Where two are as much to blame it is the first by global id, wherever they lie. */
TEST(of_two_alike_the_first_is_to_blame)
{
    scree_world_def def = calm_def();
    double factor = NAN;
    scree_law law = law_of(drag, &factor, false);
    row_of_bodies row = make_row(&def, &law);

    add(&row, 9);
    for (int k = 0; k < 2; k++)
        add(&row, APART * (1 - k));
    /* the last comes into the slot of the first */
    CHECK_EQUAL(scree_world_remove_body(row.world, row.id[0]), SCREE_OK);
    CHECK_EQUAL(scree_world_step(row.world, 1), SCREE_BAD_VALUE);
    CHECK_EQUAL(failed_body(&row), 2);
    scree_world_destroy(row.world);
}

TEST(moments_count_as_well)
{
    scree_world_def def = calm_def();
    double nothing = 0;
    scree_law law = law_of(moment_that_is_none, &nothing, true);
    row_of_bodies row = make_row(&def, &law);

    add(&row, 0);
    add(&row, APART);
    CHECK_EQUAL(scree_world_step(row.world, 1), SCREE_BAD_VALUE);
    CHECK_EQUAL(failed_body(&row), 1);
    CHECK_SAYS(scree_world_message(row.world), "contact with body 2 is not finite (law drag)");
    scree_world_destroy(row.world);
}

TEST(a_wall_of_which_the_law_knows_nothing)
{
    scree_world_def def = calm_def();
    row_of_bodies row = make_row(&def, NULL);
    scree_wall_def wall = scree_default_wall_def();
    scree_material_def rigid = scree_default_material_def();

    rigid.young = INFINITY;
    add(&row, 0);
    CHECK_EQUAL(scree_world_add_material(row.world, &rigid, &row.material), SCREE_OK);
    add(&row, 0.5);
    wall.material = row.material;
    wall.point[2] = -0.999 * RADIUS;
    CHECK_EQUAL(scree_world_add_wall(row.world, &wall, NULL), SCREE_OK);
    CHECK_EQUAL(scree_world_step(row.world, 1), SCREE_BAD_VALUE);
    CHECK_EQUAL(failed_body(&row), 2);
    CHECK_SAYS(scree_world_message(row.world), "body 2 touches wall 1");
    CHECK_EQUAL(scree_world_remove_body(row.world, row.id[1]), SCREE_OK);
    CHECK_EQUAL(scree_world_step(row.world, 1), SCREE_OK);
    scree_world_destroy(row.world);
}

/*  Detection takes places and speeds up to 1e100. */
TEST(a_body_beyond_all_places)
{
    for (int by_speed = 0; by_speed < 2; by_speed++) {
        scree_world_def def = calm_def();
        row_of_bodies row = make_row(&def, NULL);
        /* in a step of 1e-6 s so fast that it does not get far, or so far */
        host far_off = {.first = 3, .force = by_speed ? 1e105 : -1e300};

        for (int k = 0; k < 4; k++)
            add(&row, k);
        CHECK_EQUAL(scree_world_remove_body(row.world, row.id[0]), SCREE_OK);
        scree_world_set_force(row.world, push, &far_off);
        scree_status status = SCREE_OK;
        for (int k = 0; k < 5 && !status; k++)
            status = scree_world_step(row.world, 1);
        CHECK_EQUAL(status, SCREE_BAD_VALUE);
        CHECK_EQUAL(failed_body(&row), 3);
        CHECK_SAYS(scree_world_message(row.world), "body 3 is so far away or so fast");
        CHECK_EQUAL(scree_world_remove_body(row.world, row.id[2]), SCREE_OK);
        CHECK_EQUAL(scree_world_step(row.world, 1), SCREE_BAD_VALUE);
        CHECK_EQUAL(failed_body(&row), 4);
        CHECK_EQUAL(scree_world_remove_body(row.world, row.id[3]), SCREE_OK);
        CHECK_EQUAL(scree_world_step(row.world, 1), SCREE_OK);
        scree_world_destroy(row.world);
    }
}

static scree_status refuse(scree_force_sink *sink, const scree_bodies_view *bodies, double time,
                           void *user)
{
    (void)bodies;
    (void)time;
    (void)sink;
    (void)user;
    return SCREE_BAD_VALUE;
}

TEST(a_step_refused_for_another_reason_is_nobodys_fault)
{
    scree_world_def def = calm_def();
    row_of_bodies row = make_row(&def, NULL);

    add(&row, 0);
    scree_world_set_force(row.world, refuse, NULL);
    CHECK_EQUAL(scree_world_step(row.world, 1), SCREE_BAD_VALUE);
    CHECK_EQUAL(failed_body(&row), 0);
    scree_world_destroy(row.world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(no_body_failed_in_a_step_that_was_taken),
        CASE(the_body_that_has_gone_wrong_itself_is_named),
        CASE(the_body_with_the_largest_number_of_bad_contacts_failed),
        CASE(of_two_alike_the_first_is_to_blame),
        CASE(moments_count_as_well),
        CASE(a_wall_of_which_the_law_knows_nothing),
        CASE(a_body_beyond_all_places),
        CASE(a_step_refused_for_another_reason_is_nobodys_fault),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
