/*  Coarse-grained fields: against integrals known in closed form, the balance of momentum, and themselves in other
    places and orders. */
#include "scree/fields.h"
#include "scree/wall.h"

#include "harness/failing_allocator.h"
#include "harness/world_maker.h"

#include "base/random.h"

#include <math.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define PI 3.14159265358979323846
#define R 0.01

static scree_world_def some_def(int dimensions)
{
    scree_world_def def = scree_default_world_def();

    def.dimensions = dimensions;
    def.step.dt = 1e-6;
    return def;
}

static void look(scree_world *world, const scree_fields_def *def, scree_field *fields)
{
    size_t count = (size_t)def->cells[0] * def->cells[1] * def->cells[2];

    memset(fields, 0, count * sizeof *fields);
    if (scree_world_add_fields(world, def, 1, fields, count))
        FAIL("%s", scree_world_message(world));
}

/*  At one place. */
static scree_field at(scree_world *world, scree_field_kernel kernel, double width, double x,
                      double y, double z)
{
    scree_fields_def def = scree_default_fields_def();
    const double place[3] = {x, y, z};
    scree_field field;

    def.kernel = kernel;
    def.width = width;
    memcpy(def.lower, place, sizeof place);
    memcpy(def.upper, place, sizeof place);
    look(world, &def, &field);
    return field;
}

static double volume_of_ball(double r, int dimensions)
{
    return dimensions == 2 ? PI * r * r : 4.0 / 3 * PI * r * r * r;
}

TEST(a_ball_is_a_measuring_sphere)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scree_world_def def = some_def(dimensions);
        scree_world *world = make_world(&def, NULL);
        scree_body_def body = ball(R, 0.1, 0, 0);
        double volume = volume_of_ball(0.3, dimensions);

        body.velocity[0] = 2;
        scree_body_id id = add(world, &body);
        double mass = 1 / scree_double_at(scree_world_bodies(world).inverse_mass, 0);
        scree_field in = at(world, SCREE_KERNEL_BALL, 0.3, 0.399, 0, 0);
        CHECK_NEAR(in.mass, mass / volume, 1e-12 * in.mass);
        CHECK_NEAR(in.number, 1 / volume, 1e-12 * in.number);
        CHECK_NEAR(in.solid, volume_of_ball(R, dimensions) / volume, 1e-12 * in.solid);
        CHECK_NEAR(in.momentum[0], 2 * in.mass, 1e-12 * in.mass);
        CHECK_NEAR(in.flow[0], 4 * in.mass, 1e-12 * in.mass);
        CHECK(in.momentum[1] == 0 && in.contact_ends == 0 && in.contact[0] == 0);
        scree_field out = at(world, SCREE_KERNEL_BALL, 0.3, 0.401, 0, 0);
        CHECK(out.mass == 0 && out.number == 0 && out.flow[0] == 0);
        CHECK(body_of(world, id).velocity[0] == 2);
        scree_world_destroy(world);
    }
}

/*  Sums over a fine grid, times the volume of a cell. */
static void integrate(scree_world *world, scree_field_kernel kernel, int dimensions,
                      scree_field *sum)
{
    enum
    {
        CELLS = 60
    };
    static scree_field fields[CELLS * CELLS * CELLS];
    scree_fields_def def = scree_default_fields_def();
    double cell = 1;

    def.kernel = kernel;
    def.width = 0.06;
    for (int k = 0; k < dimensions; k++) {
        def.lower[k] = -0.1;
        def.upper[k] = 0.1;
        def.cells[k] = CELLS;
        cell *= 0.2 / CELLS;
    }
    look(world, &def, fields);
    memset(sum, 0, sizeof *sum);
    for (size_t i = 0; i < (size_t)(dimensions == 3 ? CELLS : 1) * CELLS * CELLS; i++)
        for (size_t k = 0; k < sizeof *sum / sizeof(double); k++)
            ((double *)sum)[k] += cell * ((const double *)&fields[i])[k];
}

/*  Balls of two sizes that press on each other and on a floor, and move. */
static scree_world *pressed(const scree_world_def *def)
{
    scree_world *world = make_world(def, NULL);
    scree_wall_def floor = scree_default_wall_def();
    scree_body_def bodies[] = {ball(R, 0, 0, 0), ball(R, 1.9 * R, 0.3 * R, 0),
                               ball(2 * R, 0.8 * R, 2.6 * R, 0)};

    floor.normal[0] = floor.normal[2] = 0;
    floor.normal[1] = 1;
    floor.point[1] = -0.95 * R;
    floor.material.index1 = 1;
    CHECK_EQUAL(scree_world_add_wall(world, &floor, NULL), SCREE_OK);
    for (size_t b = 0; b < COUNT_OF(bodies); b++) {
        bodies[b].velocity[0] = 0.3 - 0.2 * (double)b;
        bodies[b].velocity[1] = -0.1 * (double)b;
        bodies[b].spin[2] = 3 * (double)b;
        add(world, &bodies[b]);
    }
    step(world, 20);
    return world;
}

TEST(the_whole_is_what_bodies_and_contacts_have)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int kernel = SCREE_KERNEL_SMOOTH; kernel <= SCREE_KERNEL_BALL; kernel++) {
            scree_world_def def = some_def(dimensions);
            scree_world *world = pressed(&def);
            const double tolerance = kernel == SCREE_KERNEL_SMOOTH ? 1e-5 : 0.02;
            double stress[9] = {0}, mass = 0, momentum = 0, largest = 0;
            const scree_contact *contacts;
            scree_field sum;
            size_t count, ends = 0;

            scree_bodies_view view = scree_world_bodies(world);
            for (size_t i = 0; i < view.count; i++) {
                mass += 1 / scree_double_at(view.inverse_mass, i);
                momentum +=
                    scree_row_at(view.velocity, i)[0] / scree_double_at(view.inverse_mass, i);
            }
            CHECK(!scree_world_contacts(world, NULL, &contacts, &count));
            CHECK_EQUAL(count, 4);
            for (size_t c = 0; c < count; c++) {
                scree_body first = body_of(world, contacts[c].first), second;
                const double *to = contacts[c].point;
                if (contacts[c].second.index1) {
                    second = body_of(world, contacts[c].second);
                    to = second.position;
                }
                for (int k = 0; k < 9; k++)
                    stress[k] += contacts[c].force[k / 3] * (first.position[k % 3] - to[k % 3]);
                ends += contacts[c].second.index1 ? 2 : 1;
            }
            integrate(world, (scree_field_kernel)kernel, dimensions, &sum);
            CHECK_NEAR(sum.number, 3, 3 * tolerance);
            CHECK_NEAR(sum.mass, mass, mass * tolerance);
            CHECK_NEAR(sum.momentum[0], momentum, 0.3 * mass * tolerance);
            CHECK_NEAR(sum.contact_ends, (double)ends, (double)ends * tolerance);
            CHECK_NEAR(sum.fabric[0] + sum.fabric[1] + sum.fabric[2], (double)ends,
                       (double)ends * tolerance);
            for (int k = 0; k < 9; k++)
                largest = fmax(largest, fabs(stress[k]));
            CHECK(largest > 0 && stress[4] > 0);
            for (int k = 0; k < 9; k++)
                CHECK_NEAR(sum.contact[k], stress[k], largest * tolerance);
            scree_world_destroy(world);
        }
}

/*  - div P is the force that bodies have of contacts, less that which the wall has, each smeared where it acts. */
TEST(momentum_is_balanced_at_each_place)
{
    const double width = 4 * R, h = 1e-4 * R;
    const double places[][3] = {{0, 0, 0}, {R, 2 * R, 0.5 * R}, {-R, -R, R}, {2.5 * R, R, -R}};
    scree_world_def def = some_def(3);
    scree_world *world = pressed(&def);
    const scree_contact *contacts;
    size_t count;

    for (size_t p = 0; p < COUNT_OF(places); p++) {
        double force[3] = {0}, largest = 0;
        for (int b = 0; b < 3; b++) {
            double near[3], far[3];
            memcpy(near, places[p], sizeof near);
            memcpy(far, places[p], sizeof far);
            near[b] -= h;
            far[b] += h;
            scree_field less = at(world, SCREE_KERNEL_SMOOTH, width, near[0], near[1], near[2]);
            scree_field more = at(world, SCREE_KERNEL_SMOOTH, width, far[0], far[1], far[2]);
            for (int a = 0; a < 3; a++)
                force[a] -= (more.contact[3 * a + b] - less.contact[3 * a + b]) / (2 * h);
        }
        CHECK(!scree_world_contacts(world, NULL, &contacts, &count));
        double wanted[3] = {0};
        for (size_t c = 0; c < count; c++) {
            scree_body first = body_of(world, contacts[c].first), second;
            const double *other = contacts[c].point;
            if (contacts[c].second.index1) {
                second = body_of(world, contacts[c].second);
                other = second.position;
            }
            double kernel[2] = {0, 0};
            for (int e = 0; e < 2; e++) {
                const double *x = e ? other : first.position;
                double square = 0;
                for (int k = 0; k < 3; k++)
                    square += (x[k] - places[p][k]) * (x[k] - places[p][k]);
                double left = fmax(0, 1 - square / (width * width));
                kernel[e] = 315 / (64 * PI * width * width * width) * left * left * left;
            }
            for (int a = 0; a < 3; a++)
                wanted[a] += contacts[c].force[a] * (kernel[0] - kernel[1]);
        }
        for (int a = 0; a < 3; a++)
            largest = fmax(largest, fabs(wanted[a]));
        CHECK(largest > 0);
        for (int a = 0; a < 3; a++)
            CHECK_NEAR(force[a], wanted[a], 1e-5 * largest);
    }
    scree_world_destroy(world);
}

/*  A periodic lattice, each ball pressed by six: f / a^2 everywhere, and density m / a^3, if smeared wide. */
TEST(a_lattice_is_exact)
{
    enum
    {
        ACROSS = 4,
        CELLS = 6
    };
    const double a = 1.98 * R, h = 1e-9;
    scree_world_def def = some_def(3);
    scree_fields_def grid = scree_default_fields_def();
    static scree_field fields[CELLS * CELLS * CELLS];
    const scree_contact *contacts;
    size_t count;

    def.step.dt = h;
    for (int k = 0; k < 3; k++) {
        def.domain.boundary[k] = SCREE_BOUNDARY_PERIODIC;
        def.domain.lower[k] = -0.3 * a;
        def.domain.upper[k] = (ACROSS - 0.3) * a;
        grid.lower[k] = def.domain.lower[k];
        grid.upper[k] = def.domain.upper[k] - 0.5 * a;
        grid.cells[k] = CELLS;
    }
    grid.width = 7 * a;
    scree_world *world = make_world(&def, NULL);
    for (int i = 0; i < ACROSS * ACROSS * ACROSS; i++) {
        scree_body_def body =
            ball(R, i % ACROSS * a, i / ACROSS % ACROSS * a, (double)(i / (ACROSS * ACROSS)) * a);
        add(world, &body);
    }
    step(world, 1);
    CHECK(!scree_world_contacts(world, NULL, &contacts, &count));
    CHECK_EQUAL(count, 3 * ACROSS * ACROSS * ACROSS);
    double force = 0, mass = 1 / scree_double_at(scree_world_bodies(world).inverse_mass, 0);
    for (int k = 0; k < 3; k++)
        force += fabs(contacts[0].force[k]);
    look(world, &grid, fields);
    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        scree_field_values v = scree_field_read(&fields[i], 3);
        CHECK_NEAR(v.density, mass / (a * a * a), 1e-4 * v.density);
        CHECK_NEAR(v.coordination, 6, 1e-9);
        CHECK_NEAR(v.pressure, force / (a * a), 1e-4 * v.pressure);
        CHECK(v.shear_stress < 1e-4 * v.pressure);
        for (int k = 0; k < 9; k++)
            CHECK_NEAR(v.contact_stress[k], k % 4 == 0 ? force / (a * a) : 0, 2e-4 * v.pressure);
        for (int k = 0; k < 6; k++)
            CHECK_NEAR(v.fabric[k], k < 3 ? 1.0 / 3 : 0, 1e-9);
    }
    scree_world_destroy(world);
}

/*  Through a periodic boundary everything looks as it does in the middle. */
TEST(boundaries_that_are_periodic_are_not_seen)
{
    scree_field seen[2];

    for (int w = 0; w < 2; w++) {
        const double shift = w ? 0 : 0.5;
        scree_world_def def = some_def(3);
        for (int k = 0; k < 2; k++) {
            def.domain.boundary[k] = SCREE_BOUNDARY_PERIODIC;
            def.domain.lower[k] = -0.5;
            def.domain.upper[k] = 0.5;
        }
        scree_world *world = make_world(&def, NULL);
        for (int b = 0; b < 3; b++) {
            double x = shift + (b - 1) * 1.9 * R, y = shift + (b == 1 ? 0.3 * R : 0);
            scree_body_def body = ball(R, x - floor(x + 0.5), y - floor(y + 0.5), 0);
            body.velocity[1] = b;
            add(world, &body);
        }
        step(world, 3);
        seen[w] = at(world, SCREE_KERNEL_SMOOTH, 5 * R, shift + R, shift, R);
        CHECK(seen[w].contact[0] > 0 && seen[w].contact_ends > 0);
        scree_world_destroy(world);
    }
    for (size_t k = 0; k < sizeof *seen / sizeof(double); k++) {
        double here = ((double *)&seen[0])[k], there = ((double *)&seen[1])[k];
        CHECK_NEAR(here, there, 1e-8 * fabs(there) + 1e-12);
    }
}

/*  Of a gas without contacts: the pressure of the kinetic theory, and none of the stream. */
TEST(a_stream_is_no_heat)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scree_world_def def = some_def(dimensions);
        scree_world *world = make_world(&def, NULL);
        scree_random random = scree_random_stream(5, 0);
        double mean[3] = {0}, square = 0;

        for (int b = 0; b < 40; b++) {
            scree_body_def body = ball(R, 3 * R * (b % 7), 3 * R * (b / 7), 0);
            for (int k = 0; k < dimensions; k++) {
                body.velocity[k] = 100 + scree_random_normal(&random);
                mean[k] += body.velocity[k] / 40;
                square += body.velocity[k] * body.velocity[k] / 40;
            }
            add(world, &body);
        }
        for (int k = 0; k < 3; k++)
            square -= mean[k] * mean[k];
        scree_field field = at(world, SCREE_KERNEL_BALL, 1, 0, 0, 0);
        scree_field_values v = scree_field_read(&field, dimensions);
        CHECK_NEAR(v.velocity[1], mean[1], 1e-12 * mean[1]);
        CHECK_NEAR(v.temperature, square / dimensions, 1e-9);
        CHECK_NEAR(v.pressure, v.density * v.temperature, 1e-9 * v.pressure);
        CHECK(v.coordination == 0 && v.contact_stress[0] == 0 && v.fabric[0] == 0);
        scree_world_destroy(world);
    }
}

TEST(shear_is_what_is_not_pressure)
{
    scree_field field = {.mass = 1};

    field.contact[0] = 5;
    field.contact[4] = 1;
    field.contact[8] = 3;
    field.contact[1] = 4; /* half of it is a rotation */
    field.contact[3] = 2;
    scree_field_values v = scree_field_read(&field, 3);
    CHECK_NEAR(v.pressure, 3, 1e-15);
    CHECK_NEAR(v.shear_stress, sqrt((4 + 4) / 2.0 + 9), 1e-15);
    v = scree_field_read(&field, 2);
    CHECK_NEAR(v.pressure, 3, 1e-15);
    v = scree_field_read(NULL, 3);
    CHECK(v.density == 0 && v.pressure == 0);
    v = scree_field_read(&field, 4);
    CHECK(v.density == 0 && v.pressure == 0);
}

TEST(weights_make_means)
{
    scree_world_def def = some_def(3);
    scree_world *world = pressed(&def);
    scree_fields_def grid = scree_default_fields_def();
    scree_field once, twice = {0};

    grid.width = 5 * R;
    look(world, &grid, &once);
    for (int t = 0; t < 2; t++)
        CHECK_EQUAL(scree_world_add_fields(world, &grid, 0.5, &twice, 1), SCREE_OK);
    CHECK(once.contact[4] > 0);
    for (size_t k = 0; k < sizeof once / sizeof(double); k++)
        CHECK_NEAR(((double *)&once)[k], ((double *)&twice)[k], 1e-14 * fabs(((double *)&once)[k]));
    scree_world_destroy(world);
}

/*  Bodies that were sorted in memory, and that were not; ids that have been free. */
TEST(order_in_memory_is_not_seen)
{
    enum
    {
        CELLS = 5
    };
    scree_field fields[2][CELLS * CELLS * CELLS];
    uint64_t digest[2];

    for (int w = 0; w < 2; w++) {
        scree_world_def def = some_def(3);
        scree_fields_def grid = scree_default_fields_def();
        scree_random random = scree_random_stream(8, 0);
        scree_body_id gone = {0, 0};

        def.detection.sort_every = w ? 1 : 0;
        scree_world *world = make_world(&def, NULL);
        for (int b = 0; b < 200; b++) {
            scree_body_def body = ball(R * scree_random_range(&random, 0.95, 1), b % 6 * 1.9 * R,
                                       b / 6 % 6 * 1.9 * R, (double)(b / 36) * 1.9 * R);
            body.velocity[0] = scree_random_normal(&random);
            scree_body_id id = add(world, &body);
            if (b == 50)
                gone = id;
        }
        CHECK_EQUAL(scree_world_remove_body(world, gone), SCREE_OK);
        step(world, 4);
        for (int k = 0; k < 3; k++) {
            grid.upper[k] = 25 * R;
            grid.cells[k] = CELLS;
        }
        grid.width = 6 * R;
        digest[w] = scree_world_digest(world);
        look(world, &grid, fields[w]);
        CHECK(scree_world_digest(world) == digest[w]);
        scree_world_destroy(world);
    }
    CHECK(digest[0] == digest[1]);
    CHECK(fields[0][0].contact[0] != 0);
    CHECK(memcmp(fields[0], fields[1], sizeof fields[0]) == 0);
}

/*  A world whole, and in two that own a body each and have the other's as a ghost: fields and volumes add up. */
TEST(ghosts_are_seen_by_their_owners)
{
    scree_fields_def grid = scree_default_fields_def();
    scree_field whole[27], parts[27] = {{0}};
    double volume[3];
    const double centre[3] = {0.5 * R, 0, 0};

    for (int k = 0; k < 3; k++) {
        grid.lower[k] = -2 * R;
        grid.upper[k] = 4 * R;
        grid.cells[k] = 3;
    }
    grid.width = 3 * R;
    for (int w = 0; w < 3; w++) {
        scree_world_def def = some_def(3);
        def.step.dt = 1e-12; /* the ghosts are not moved */
        scree_world *world = make_world(&def, NULL);
        for (uint64_t b = 0; b < 2; b++) {
            scree_body_def body = ball(R, 1.9 * R * (double)b, 0, 0);
            body.velocity[0] = (double)b;
            body.serial = 1 + b;
            body.flags = w && w != 1 + (int)b ? SCREE_GHOST : 0;
            add(world, &body);
        }
        step(world, 1);
        CHECK_EQUAL(scree_world_detection_stats(world).contacts, 1);
        if (w)
            CHECK_EQUAL(scree_world_add_fields(world, &grid, 1, parts, 27), SCREE_OK);
        else
            look(world, &grid, whole);
        CHECK_EQUAL(scree_world_solid_volume(world, centre, 1.4 * R, &volume[w]), SCREE_OK);
        scree_world_destroy(world);
    }
    const double *one = (const double *)(const void *)whole;
    const double *sum = (const double *)(const void *)parts;
    CHECK(whole[0].mass > 0 && whole[13].contact[0] != 0 && whole[13].contact_ends > 0);
    for (size_t k = 0; k < 27 * (sizeof *whole / sizeof *one); k++)
        CHECK_NEAR(sum[k], one[k], 1e-6 * fabs(one[k]));
    CHECK_NEAR(volume[1] + volume[2], volume[0], 1e-6 * volume[0]);
}

typedef struct refusal
{
    const char *says;
    scree_status status;
    void (*spoil)(scree_fields_def *def);
} refusal;

static void no_cookie(scree_fields_def *def)
{
    def->cookie = 0;
}
static void no_width(scree_fields_def *def)
{
    def->width = 0;
}
static void nan_width(scree_fields_def *def)
{
    def->width = NAN;
}
static void other_kernel(scree_fields_def *def)
{
    def->kernel = (scree_field_kernel)7;
}
static void nan_lower(scree_fields_def *def)
{
    def->lower[1] = NAN;
}
static void turned_round(scree_fields_def *def)
{
    def->upper[2] = -1;
}
static void endless(scree_fields_def *def)
{
    def->upper[0] = INFINITY;
}
static void too_long(scree_fields_def *def)
{
    def->lower[1] = -1e308;
    def->upper[1] = 1e308;
}
static void no_cells(scree_fields_def *def)
{
    def->cells[1] = 0;
}
static void no_length(scree_fields_def *def)
{
    def->cells[1] = 2;
}
static void wide(scree_fields_def *def)
{
    def->width = 1e6;
}
static void far_away(scree_fields_def *def)
{
    def->lower[0] = def->upper[0] = -1e20;
}
static void another_count(scree_fields_def *def)
{
    def->upper[0] = 1;
    def->cells[0] = 2;
}
static void too_many(scree_fields_def *def)
{
    for (int k = 0; k < 3; k++) {
        def->upper[k] = 1;
        def->cells[k] = UINT32_MAX;
    }
}

TEST(what_cannot_be_is_refused)
{
    static const refusal refusals[] = {
        {"not made by scree_default_fields_def", SCREE_BAD_DEF, no_cookie},
        {"width is 0", SCREE_BAD_VALUE, no_width},
        {"width is nan", SCREE_BAD_VALUE, nan_width},
        {"there is no kernel 7", SCREE_BAD_VALUE, other_kernel},
        {"y from nan to 0", SCREE_BAD_VALUE, nan_lower},
        {"z from 0 to -1", SCREE_BAD_VALUE, turned_round},
        {"x from 0 to inf", SCREE_BAD_VALUE, endless},
        {"y from -1e+308 to 1e+308; must be finite, as what is between", SCREE_BAD_VALUE, too_long},
        {"0 cells along y", SCREE_BAD_VALUE, no_cells},
        {"2 cells along y, which has no length", SCREE_BAD_VALUE, no_length},
        {"along x the grid and twice the width, 1e+06, are 2e+06; at most 1000 periods",
         SCREE_BAD_VALUE, wide},
        {"x from -1e+20, must be within 1.09951e+12 periods of the domain, of 1", SCREE_BAD_VALUE,
         far_away},
        {"1 for 2 x 1 x 1 cells", SCREE_BAD_ARGUMENT, another_count},
        {"1 for 4294967295 x 4294967295", SCREE_BAD_ARGUMENT, too_many},
    };
    const double weights[] = {NAN, INFINITY, -INFINITY};
    scree_world_def def = some_def(3), flat_def = some_def(2);
    scree_field field, zero = {0};

    def.domain.boundary[0] = SCREE_BOUNDARY_PERIODIC;
    def.domain.upper[0] = 1;
    scree_world *world = make_world(&def, NULL), *flat = make_world(&flat_def, NULL);
    scree_fields_def good = scree_default_fields_def();
    good.width = R;
    field = zero;
    for (size_t r = 0; r < COUNT_OF(refusals); r++) {
        scree_fields_def bad = good;
        refusals[r].spoil(&bad);
        CHECK_EQUAL(scree_world_add_fields(world, &bad, 1, &field, 1), refusals[r].status);
        CHECK_SAYS(scree_world_message(world), refusals[r].says);
    }
    for (size_t w = 0; w < COUNT_OF(weights); w++) {
        CHECK_EQUAL(scree_world_add_fields(world, &good, weights[w], &field, 1), SCREE_BAD_VALUE);
        CHECK_SAYS(scree_world_message(world), "must be finite");
    }
    CHECK_EQUAL(scree_world_add_fields(NULL, &good, 1, &field, 1), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_add_fields(world, NULL, 1, &field, 1), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_add_fields(world, &good, 1, NULL, 1), SCREE_BAD_ARGUMENT);
    scree_fields_def deep = good;
    deep.cells[2] = 2;
    deep.upper[2] = 1;
    CHECK_EQUAL(scree_world_add_fields(flat, &deep, 1, &field, 2), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(flat), "must be 1 in two dimensions");
    CHECK(memcmp(&field, &zero, sizeof field) == 0);
    /* no body is there */
    CHECK_EQUAL(scree_world_add_fields(world, &good, 1, &field, 1), SCREE_OK);
    CHECK(memcmp(&field, &zero, sizeof field) == 0);
    scree_world_destroy(world);
    scree_world_destroy(flat);
}

TEST(without_memory_nothing_is_added)
{
    for (size_t k = 1;; k++) {
        failing_allocator memory = {0};
        scree_world_def def = some_def(3);
        scree_fields_def grid = scree_default_fields_def();
        scree_field field = {0};
        const scree_field zero = {0};

        def.hooks.allocator = failing_allocator_hooks(&memory);
        scree_world *world = pressed(&def);
        grid.width = 5 * R;
        memory.requests = 0;
        memory.fail_at = k;
        scree_status status = scree_world_add_fields(world, &grid, 1, &field, 1);
        bool is_last = memory.requests < k;
        CHECK(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);
        CHECK((status == SCREE_OK) == is_last);
        CHECK((memcmp(&field, &zero, sizeof field) != 0) == is_last);
        memory.fail_at = 0;
        scree_world_destroy(world);
        CHECK(failing_allocator_is_clean(&memory));
        if (is_last) {
            CHECK(k > 1);
            break;
        }
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_ball_is_a_measuring_sphere),
        CASE(the_whole_is_what_bodies_and_contacts_have),
        CASE(momentum_is_balanced_at_each_place),
        CASE(a_lattice_is_exact),
        CASE(boundaries_that_are_periodic_are_not_seen),
        CASE(a_stream_is_no_heat),
        CASE(shear_is_what_is_not_pressure),
        CASE(weights_make_means),
        CASE(order_in_memory_is_not_seen),
        CASE(ghosts_are_seen_by_their_owners),
        CASE(what_cannot_be_is_refused),
        CASE(without_memory_nothing_is_added),
    };
    return test_main(argc, argv, tests, COUNT_OF(tests));
}
