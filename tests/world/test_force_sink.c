/*  What a force function of the host adds: one by one, by rows, by its own arrays; and what is refused. */
#include "scree/body.h"
#include "sound_world.h"

#define COUNT 12

typedef struct host
{
    enum
    {
        BY_HANDLE,
        BY_ROW,
        BY_DOUBLES,
        BY_FLOATS, /* in structs of odd size */
        IN_PARTS,  /* by several calls */
    } way;
    scree_status status, returned; /* of the last call; what the function returns */
    scree_body_id gone;
    const char *wrong;
    scree_view force, torque;
} host;

/*  Numbers that are exact as floats, too. */
static void force_on(const scree_bodies_view *bodies, size_t row, double force[3], double torque[3])
{
    const double serial = (double)scree_uint64_at(bodies->serial, row);

    for (int k = 0; k < 3; k++) {
        force[k] = serial / 64 - k;
        torque[k] = serial / 1024 + k / 512.;
    }
}

static scree_status by_arrays(scree_force_sink *sink, const scree_bodies_view *bodies, bool small)
{
    static double forces[COUNT][3], torques[COUNT][3];
#pragma pack(push, 1)
    static struct
    {
        char odd;
        float force[3], torque[3];
    } narrow[COUNT];
#pragma pack(pop)

    for (size_t row = 0; row < bodies->count; row++) {
        force_on(bodies, row, forces[row], torques[row]);
        for (int k = 0; k < 3; k++) {
            narrow[row].force[k] = (float)forces[row][k];
            narrow[row].torque[k] = (float)torques[row][k];
        }
    }
    if (small)
        return scree_force_sink_add_columns(
            sink, (scree_view){&narrow[0].force, sizeof *narrow, SCREE_FLOAT32},
            (scree_view){&narrow[0].torque, sizeof *narrow, SCREE_FLOAT32});
    return scree_force_sink_add_columns(sink, scree_doubles(forces[0], sizeof *forces),
                                        scree_doubles(torques[0], sizeof *torques));
}

static scree_status push(scree_force_sink *sink, const scree_bodies_view *bodies, double time,
                         void *user)
{
    const host *h = user;
    double force[3], torque[3];
    scree_status status = SCREE_OK;

    (void)time;
    if (h->way == BY_DOUBLES || h->way == BY_FLOATS)
        return by_arrays(sink, bodies, h->way == BY_FLOATS);
    for (size_t row = 0; row < bodies->count && !status; row++) {
        force_on(bodies, row, force, torque);
        if (h->way == BY_HANDLE)
            status = scree_force_sink_add(sink, scree_body_id_at(bodies->id, row), force, torque);
        if (h->way == BY_ROW)
            status = scree_force_sink_add_row(sink, row, force, torque);
        for (int part = 0; part < 4 && h->way == IN_PARTS && !status; part++) {
            const double half[3] = {force[0] / 2, force[1] / 2, force[2] / 2},
                         twist[3] = {torque[0] / 2, torque[1] / 2, torque[2] / 2};
            status = scree_force_sink_add_row(sink, row, part < 2 ? half : NULL,
                                              part < 2 ? NULL : twist);
        }
    }
    return status;
}

/*  Bodies that touch no body, and without gravity, so that nothing is added to but 0. */
static scree_world *make_row(void)
{
    scree_world_def def = sound_world();
    scree_material_def material = scree_default_material_def();
    scree_body_def body = scree_default_body_def();

    def.gravity[1] = 0;
    scree_world *world = open_world(&def);
    CHECK_EQUAL(scree_world_add_material(world, &material, &body.material), SCREE_OK);
    body.shape = scree_shape_sphere(0.1);
    for (int i = 0; i < COUNT; i++) {
        body.position[0] = i;
        CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    }
    return world;
}

TEST(all_ways_add_the_same)
{
    uint64_t digest = 0;

    for (int way = BY_HANDLE; way <= IN_PARTS; way++) {
        scree_world *world = make_row();
        host h = {.way = way};
        scree_world_set_force(world, push, &h);
        advance(world, 50);
        if (way == BY_HANDLE)
            digest = scree_world_digest(world);
        CHECK(scree_world_digest(world) == digest);
        scree_bodies_view view = scree_world_bodies(world);
        double mass = 1 / scree_double_at(view.inverse_mass, 0);
        double speed = ((double)scree_uint64_at(view.serial, 0) / 64 / mass) * 50e-5;
        CHECK_NEAR(scree_row_at(view.velocity, 0)[0], speed, 1e-6 * fabs(speed));
        scree_world_destroy(world);
    }
}

static scree_status spoil(scree_force_sink *sink, const scree_bodies_view *bodies, double time,
                          void *user)
{
    static const double one[3] = {1, 1, 1};
    host *h = user;

    (void)time;
    scree_force_sink_add_row(sink, 0, one, NULL);
    if (strcmp(h->wrong, "row") == 0)
        h->status = scree_force_sink_add_row(sink, bodies->count, one, one);
    else if (strcmp(h->wrong, "handle") == 0)
        h->status = scree_force_sink_add(sink, h->gone, one, one);
    else if (strcmp(h->wrong, "none") == 0)
        h->status = scree_force_sink_add(sink, scree_no_body(), one, one);
    else
        h->status = scree_force_sink_add_columns(sink, h->force, h->torque);
    /* what follows cannot make it good */
    scree_force_sink_add_row(sink, 0, one, one);
    return h->returned;
}

/*  Whatever the host returns: the step is refused, the sentence says why, and nothing has changed. */
static void refuses(const host *given, const char *says)
{
    for (int k = 0; k < 2; k++) {
        host h = *given;
        scree_world *world = make_row();
        h.gone = scree_body_id_at(scree_world_bodies(world).id, 2);
        CHECK_EQUAL(scree_world_remove_body(world, h.gone), SCREE_OK);
        h.returned = k ? SCREE_OK : SCREE_BAD_VALUE;
        uint64_t before = scree_world_digest(world);
        scree_world_set_force(world, spoil, &h);
        CHECK_EQUAL(scree_world_step(world, 1), SCREE_BAD_ARGUMENT);
        CHECK_EQUAL(h.status, SCREE_BAD_ARGUMENT);
        CHECK_SAYS(scree_world_message(world), "step 1: the host's force function: ");
        CHECK_SAYS(scree_world_message(world), says);
        CHECK(scree_world_digest(world) == before);
        scree_world_set_force(world, NULL, NULL);
        advance(world, 1);
        scree_world_destroy(world);
    }
}

TEST(what_is_wrong_refuses_the_step)
{
    static const double rows[COUNT][3];
    const scree_view good = scree_doubles(rows[0], sizeof *rows), none = {0};

    refuses(&(host){.wrong = "row"}, "row 11 does not exist, there are 11 bodies");
    refuses(&(host){.wrong = "handle"}, "a force is for a body that does not exist");
    refuses(&(host){.wrong = "none"}, "a force is for a body that does not exist");
    refuses(&(host){.wrong = "columns", .force = none, .torque = none},
            "neither a column of forces nor one of torques");
    refuses(&(host){.wrong = "columns", .force = scree_doubles(rows[0], 23), .torque = good},
            "stride of column force is 23 bytes, must be at least 24");
    refuses(&(host){.wrong = "columns", .force = good, .torque = {rows, 11, SCREE_FLOAT32}},
            "stride of column torque is 11 bytes, must be at least 12");
    refuses(&(host){.wrong = "columns", .force = {rows, 24, (scree_real)7}},
            "column force has unknown type 7");
}

TEST(without_a_sink_nothing_is_added)
{
    static const double one[3] = {1, 1, 1};

    CHECK_EQUAL(scree_force_sink_add(NULL, scree_no_body(), one, one), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_force_sink_add_row(NULL, 0, one, one), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_force_sink_add_columns(NULL, scree_doubles(one, 24), (scree_view){0}),
                SCREE_BAD_ARGUMENT);
}

static scree_status add_nan(scree_force_sink *sink, const scree_bodies_view *bodies, double time,
                            void *user)
{
    (void)bodies, (void)time;
    return scree_force_sink_add(sink, *(scree_body_id *)user, (double[3]){0, NAN, 0}, NULL);
}

TEST(a_force_that_is_no_number_names_its_body)
{
    scree_world *world = make_row();
    scree_body_id id = scree_body_id_at(scree_world_bodies(world).id, 5);
    uint64_t before = scree_world_digest(world);

    scree_world_set_force(world, add_nan, &id);
    CHECK_EQUAL(scree_world_step(world, 1), SCREE_BAD_VALUE);
    CHECK(scree_body_id_equal(scree_world_failed_body(world), id));
    CHECK(scree_world_digest(world) == before);
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(all_ways_add_the_same),
        CASE(what_is_wrong_refuses_the_step),
        CASE(without_a_sink_nothing_is_added),
        CASE(a_force_that_is_no_number_names_its_body),
    };
    return test_main(argc, argv, tests, COUNT_OF(tests));
}
