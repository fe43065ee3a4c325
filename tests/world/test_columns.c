/*  Columns of all bodies: where they lie, what they say, and that others can read them where they lie. */
#include "scree/body.h"
#include "sound_world.h"

#define SIDE 5
#define COUNT (SIDE * SIDE * SIDE)

/*  Spheres of three radii on a lattice, some of which overlap, that move and spin. */
static scree_world *make_lattice(int dimensions)
{
    scree_world_def def = sound_world();
    scree_material_def material = scree_default_material_def();
    scree_body_def body = scree_default_body_def();

    def.dimensions = dimensions;
    scree_world *world = open_world(&def);
    CHECK_EQUAL(scree_world_add_material(world, &material, &body.material), SCREE_OK);
    for (int i = 0; i < (dimensions == 3 ? COUNT : SIDE * SIDE); i++) {
        body.shape = scree_shape_sphere(0.01 * (1 + i % 3 * 0.1));
        body.position[0] = 0.02 * (i % SIDE);
        body.position[1] = 0.0225 * (i / SIDE % SIDE);
        body.position[2] = 0.0221 * (i / SIDE / SIDE);
        body.velocity[0] = 0.001 * i;
        body.spin[2] = 0.01 * i;
        body.user = (uint64_t)i << 40;
        CHECK_EQUAL(scree_world_add_body(world, &body, NULL), SCREE_OK);
    }
    return world;
}

TEST(columns_say_what_bodies_say)
{
    scree_world *world = make_lattice(3);

    advance(world, 20);
    scree_bodies_view view = scree_world_bodies(world);
    CHECK_EQUAL(view.count, COUNT);
    for (size_t i = 0; i < view.count; i++) {
        scree_body body;
        CHECK_EQUAL(scree_world_get_body(world, scree_body_id_at(view.id, i), &body), SCREE_OK);
        CHECK_EQUAL(scree_uint64_at(view.serial, i), body.serial);
        CHECK_EQUAL(scree_uint64_at(view.user, i), body.user);
        CHECK_EQUAL(scree_uint32_at(view.material, i), body.material.index1);
        const struct
        {
            scree_view column;
            const double *value;
            size_t bytes;
        } rows[] = {
            {view.position, body.position, 24},
            {view.velocity, body.velocity, 24},
            {view.spin, body.spin, 24},
            {view.force, body.force, 24},
            {view.orientation, body.orientation, 32},
            {view.torque, body.torque, 24},
        };
        for (size_t k = 0; k < COUNT_OF(rows); k++)
            CHECK(memcmp(scree_row_at(rows[k].column, i), rows[k].value, rows[k].bytes) == 0);
        CHECK(scree_double_at(view.radius, i) == body.shape.radius);
        CHECK(scree_double_at(view.inverse_mass, i) == 1 / body.mass);
        CHECK(scree_double_at(view.inverse_inertia, i) == 1 / body.inertia[2]);
    }
    scree_world_destroy(world);
}

/*  Columns are the memory of the world: a change is seen in a view that was taken before it. */
TEST(columns_are_not_copies)
{
    scree_world *world = make_lattice(3);
    scree_bodies_view before = scree_world_bodies(world);
    const double place[3] = {7, 8, 9};

    CHECK_EQUAL(scree_body_set_position(world, scree_body_id_at(before.id, 3), place), SCREE_OK);
    CHECK(memcmp(scree_row_at(before.position, 3), place, sizeof place) == 0);
    CHECK(scree_world_bodies(world).position.data == before.position.data);
    scree_world_destroy(world);
}

TEST(without_bodies_there_are_no_columns)
{
    scree_world_def def = sound_world();
    scree_world *world = open_world(&def);
    const scree_bodies_view none = {0}, view = scree_world_bodies(world);

    CHECK_EQUAL(view.count, 0);
    CHECK(view.position.data == none.position.data && view.id.data == none.id.data);
    CHECK(!scree_view_component(view.position, 2).data);
    CHECK_EQUAL(scree_world_bodies(NULL).count, 0);
    scree_world_destroy(world);
}

static uint64_t hash_of(scree_detector *detector, const scree_table *table)
{
    const scree_pairs_options canonical = {.canonical = true};
    uint64_t hash = 1;
    scree_pairs pairs;

    if (scree_detector_pairs_of(detector, table, &canonical, &pairs))
        FAIL("%s", scree_detector_message(detector));
    CHECK(pairs.count > 20);
    for (uint64_t k = 0; k < pairs.count; k++)
        hash = hash * 0x9e3779b97f4a7c15 + ((uint64_t)pairs.first[k] << 32 | pairs.second[k]);
    return hash;
}

/*  An array of structs of a host, of odd size, and the columns of a world: the same pairs as from arrays. */
TEST(a_detector_reads_columns_where_they_lie)
{
#pragma pack(push, 1)
    static struct
    {
        char name[5];
        double centre[3], radius;
        uint16_t colour;
    } host[COUNT];
#pragma pack(pop)
    static double x[COUNT], y[COUNT], z[COUNT], r[COUNT];

    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scree_world *world = make_lattice(dimensions);
        scree_detector_def def = scree_default_detector_def();
        scree_detector *detector;
        scree_bodies_view view = scree_world_bodies(world);
        for (size_t i = 0; i < view.count; i++) {
            const double *at = scree_row_at(view.position, i);
            memcpy(host[i].centre, at, sizeof host[i].centre);
            host[i].radius = r[i] = scree_double_at(view.radius, i);
            x[i] = at[0];
            y[i] = at[1];
            z[i] = at[2];
        }
        def.dimensions = dimensions;
        CHECK_EQUAL(scree_detector_create(&def, &detector), SCREE_OK);
        const scree_view third = scree_doubles(z, 8);
        const scree_table tables[] = {
            scree_table_spheres(view.count, scree_doubles(x, 8), scree_doubles(y, 8),
                                dimensions == 3 ? third : (scree_view){0}, scree_doubles(r, 8)),
            scree_table_centres(view.count, view.position, view.radius),
            scree_table_centres(view.count,
                                (scree_view){&host[0].centre, sizeof *host, SCREE_FLOAT64},
                                (scree_view){&host[0].radius, sizeof *host, SCREE_FLOAT64})};
        CHECK(hash_of(detector, &tables[0]) == hash_of(detector, &tables[1]));
        CHECK(hash_of(detector, &tables[0]) == hash_of(detector, &tables[2]));
        scree_detector_destroy(detector);
        scree_world_destroy(world);
    }
}

TEST(a_column_is_refused_by_name)
{
    const double row[2][4] = {{0, 0, 0, 1}, {1, 0, 0, 1}};
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    scree_pairs pairs;

    CHECK_EQUAL(scree_detector_create(&def, &detector), SCREE_OK);
    scree_table table =
        scree_table_centres(2, scree_doubles(row[0], 7), scree_doubles(&row[0][3], 32));
    CHECK_EQUAL(scree_detector_pairs_of(detector, &table, NULL, &pairs), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_detector_message(detector),
               "stride of column x is 7 bytes, must be at least 8");
    table = scree_table_centres(2, (scree_view){0}, scree_doubles(&row[0][3], 32));
    CHECK_EQUAL(scree_detector_pairs_of(detector, &table, NULL, &pairs), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_detector_message(detector), "column x is NULL");
    scree_detector_destroy(detector);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(columns_say_what_bodies_say),         CASE(columns_are_not_copies),
        CASE(without_bodies_there_are_no_columns), CASE(a_detector_reads_columns_where_they_lie),
        CASE(a_column_is_refused_by_name),
    };
    return test_main(argc, argv, tests, COUNT_OF(tests));
}
