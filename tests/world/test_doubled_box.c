/*  A periodic box beside one twice as long that holds its bodies twice: both are the same gas of grains, so each body and both its
    copies must go the same way, through contacts across the boundary as well. What parts them is rounding alone: coordinates
    of the copies are larger, and contacts make small differences larger. */
#include "scree/scree.h"
#include "test.h"

#include "base/random.h"

#include <math.h>

#define R 0.01
#define SIDE 0.09
#define MOST 100

typedef struct box
{
    scree_world *world;
    scree_body_id body[2 * MOST];
} box;

typedef struct box_case
{
    int dimensions, axis; /* which is doubled */
    uint32_t count, steps;
    const char *method;
} box_case;

static double noise(scree_random *random)
{
    return scree_random_range(random, -1, 1);
}

/*  On a lattice that fills the box, each somewhat off its place, and some of them over the boundary. */
static void place(const box_case *c, uint32_t k, scree_random *random, scree_body_def *def)
{
    const uint32_t many = c->dimensions == 2 ? 8 : 4;
    const uint32_t at[3] = {k % many, k / many % many, k / many / many};
    const double pitch = SIDE / many;

    def->shape = scree_shape_sphere(c->dimensions == 2 ? R / 2 : R);
    for (int axis = 0; axis < c->dimensions; axis++) {
        def->position[axis] = pitch * (at[axis] + 0.08 * noise(random));
        def->velocity[axis] = noise(random);
        def->spin[axis] = c->dimensions == 3 ? 20 * noise(random) : 0;
    }
    def->spin[2] = 20 * noise(random);
}

static box open_box(const box_case *c, bool is_doubled)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_body_def body = scree_default_body_def();
    scree_random random = scree_random_stream(5, (uint64_t)c->axis);
    box b = {.world = NULL};

    def.dimensions = c->dimensions;
    def.detection.method = c->method;
    def.step.dt = 2e-5;
    for (int axis = 0; axis < c->dimensions; axis++) {
        def.domain.boundary[axis] = SCREE_BOUNDARY_PERIODIC;
        def.domain.lower[axis] = 0;
        def.domain.upper[axis] = SIDE * (is_doubled && axis == c->axis ? 2 : 1);
    }
    CHECK_EQUAL(scree_world_create(&def, &b.world), SCREE_OK);
    material.density = c->dimensions == 2 ? 10 : 2500;
    material.young = 1e7;
    material.friction = 0.5;
    material.restitution = 0.9;
    CHECK_EQUAL(scree_world_add_material(b.world, &material, &body.material), SCREE_OK);
    for (uint32_t k = 0; k < c->count; k++) {
        place(c, k, &random, &body);
        for (uint32_t copy = 0; copy < (is_doubled ? 2u : 1u); copy++) {
            scree_body_def moved = body;
            moved.position[c->axis] += copy * SIDE;
            CHECK_EQUAL(scree_world_add_body(b.world, &moved, &b.body[k + copy * MOST]), SCREE_OK);
        }
    }
    return b;
}

static scree_body body_of(const box *b, uint32_t k)
{
    scree_body body;

    CHECK_EQUAL(scree_world_get_body(b->world, b->body[k], &body), SCREE_OK);
    return body;
}

/*  How far apart, the nearest way round the small box. */
static double distance(const scree_body *a, const scree_body *b, int dimensions)
{
    double sum = 0;

    for (int axis = 0; axis < dimensions; axis++) {
        double d = a->position[axis] - b->position[axis];
        d -= SIDE * round(d / SIDE);
        sum += d * d;
    }
    return sqrt(sum);
}

/*  Contacts, and those whose bodies lie at opposite sides. */
static size_t count_contacts(const box *b, int dimensions, size_t *across)
{
    const scree_contact *contacts;
    size_t count;

    CHECK_EQUAL(scree_world_contacts(b->world, NULL, &contacts, &count), SCREE_OK);
    for (size_t k = 0; k < count && across; k++) {
        scree_body first, second;
        CHECK_EQUAL(scree_world_get_body(b->world, contacts[k].first, &first), SCREE_OK);
        CHECK_EQUAL(scree_world_get_body(b->world, contacts[k].second, &second), SCREE_OK);
        for (int axis = 0; axis < dimensions; axis++)
            if (fabs(first.position[axis] - second.position[axis]) > SIDE / 2) {
                ++*across;
                break;
            }
    }
    return count;
}

static double compare(const box_case *c)
{
    box one = open_box(c, false), two = open_box(c, true);
    size_t contacts = 0, across = 0;
    double worst = 0, moved = 0;
    scree_body start[MOST];

    for (uint32_t k = 0; k < c->count; k++)
        start[k] = body_of(&one, k);
    for (uint32_t done = 0; done < c->steps; done += 20) {
        if (scree_world_step(one.world, 20) || scree_world_step(two.world, 20))
            FAIL("%s, %s", scree_world_message(one.world), scree_world_message(two.world));
        size_t now = count_contacts(&one, c->dimensions, &across);
        CHECK_EQUAL(count_contacts(&two, c->dimensions, NULL), 2 * now);
        contacts += now;
        for (uint32_t k = 0; k < c->count; k++) {
            scree_body body = body_of(&one, k);
            moved = fmax(moved, distance(&start[k], &body, c->dimensions));
            for (uint32_t copy = 0; copy < 2; copy++) {
                scree_body reference = body_of(&two, k + copy * MOST);
                worst = fmax(worst, distance(&body, &reference, c->dimensions));
            }
        }
    }
    /* something happens, at the boundary too */
    CHECK(contacts > c->steps / 20 && across > contacts / 10 && moved > R);
    scree_world_destroy(one.world);
    scree_world_destroy(two.world);
    return worst;
}

TEST(pfc_05_a_trajectory_is_that_of_the_doubled_box)
{
    static const char *const methods[] = {"auto", "cell-space", "insertion-sort", "hash-grids"};
    const uint32_t steps = TEST_EFFORT(1500, 4000);
    /* discs run into each other more often, and soon make any difference a large one */
    const uint32_t disc_steps = 1500;
    double worst = 0;

    for (int axis = 0; axis < 3; axis++) {
        const box_case c = {3, axis, 64, steps, methods[axis]};
        worst = fmax(worst, compare(&c));
    }
    for (int axis = 0; axis < 2; axis++) {
        const box_case c = {2, axis, 64, disc_steps, methods[2 + axis]};
        worst = fmax(worst, compare(&c));
    }
    CHECK(worst < 1e-10);
    FIGURE("at most %.2g m apart in %u steps, radius 0.01 m", worst, steps);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(pfc_05_a_trajectory_is_that_of_the_doubled_box)};
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
