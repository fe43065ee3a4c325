/*  Energy over single impacts without friction and damping, for bodies of triangles and every kind of partner: while
    surfaces do not cross it is kept, with an error that falls as the square of the step. */
#include "harness/solid_maker.h"

#include "harness/superquadric_maker.h"

typedef struct partners
{
    scree_mesh *box, *ball, *grain, *dice, *ellipsoid, *floor;
    scree_clump *clump;
} partners;

static scree_mesh *floor_of_triangles(void)
{
    scree_random random = scree_random_stream(1, 0);
    maker m = maker_plane(4, 2, 0.1, &random);

    for (uint32_t v = 0; v < m.vertex_count; v++)
        for (uint32_t k = 0; k < 2; k++)
            m.vertex[3 * v + k] -= 1;
    scree_mesh *mesh = maker_mesh(&m);
    maker_free(&m);
    return mesh;
}

static partners make_partners(void)
{
    return (partners){cube(0.05),
                      globe(80, 0.03, 1),
                      globe(80, 0.03, 1.3),
                      superquadric(0.03, 0.03, 0.03, 5, 5),
                      superquadric(0.04, 0.03, 0.02, 2, 2),
                      floor_of_triangles(),
                      jack(0.02, 0.02)};
}

static void free_partners(const partners *p)
{
    scree_mesh_destroy(p->box);
    scree_mesh_destroy(p->ball);
    scree_mesh_destroy(p->grain);
    scree_mesh_destroy(p->dice);
    scree_mesh_destroy(p->ellipsoid);
    scree_mesh_destroy(p->floor);
    scree_clump_destroy(p->clump);
}

/*  A body of triangles and what it meets: another body, or a wall. */
typedef struct meeting
{
    const char *name;
    scree_shape mesh, other;
    bool is_wall;
    const scree_mesh *wall;
} meeting;

enum
{
    MEETINGS = 11
};

static void list_meetings(const partners *p, double skin, meeting list[MEETINGS])
{
    const scree_shape box = scree_shape_mesh(p->box, skin), ball = scree_shape_mesh(p->ball, skin);
    const scree_shape grain = scree_shape_mesh(p->grain, skin);
    const meeting all[MEETINGS] = {
        {"box, box", box, box, false, NULL},
        {"box, ball", box, ball, false, NULL},
        {"ball, ball", ball, ball, false, NULL},
        {"grain, grain", grain, grain, false, NULL},
        {"ball, block", ball, scree_shape_block(p->box, skin), false, NULL},
        {"box, sphere", box, scree_shape_sphere(0.03), false, NULL},
        {"box, clump", box, scree_shape_clump(p->clump), false, NULL},
        {"box, superquadric", box, scree_shape_superquadric(p->dice), false, NULL},
        {"ball, ellipsoid", ball, scree_shape_superquadric(p->ellipsoid), false, NULL},
        {"ball, plane", ball, box, true, NULL},
        {"ball, floor of triangles", ball, box, true, p->floor},
    };

    memcpy(list, all, sizeof all);
}

static void add_turned(const scene *s, scree_shape shape, scree_random *random, const double at[3],
                       const double velocity[3])
{
    scree_body_def body = body_at(s, shape, at[0], at[1], at[2]);
    const double speed = fabs(velocity[0]) + fabs(velocity[2]);

    for (int k = 0; k < 4; k++)
        body.orientation[k] = scree_random_normal(random);
    for (int k = 0; k < 3; k++) {
        body.velocity[k] = velocity[k];
        body.spin[k] = 3 * speed * scree_random_normal(random);
    }
    body.position[1] = 0.01 * scree_random_normal(random);
    add(s, &body);
}

/*  The relative gain of energy over one impact of bodies that have no order and spin. */
static double gain_of(const meeting *m, const char *law, double dt, double speed, uint64_t seed,
                      bool *is_deep)
{
    const scree_world_def def = plain_def(dt);
    const double low[3] = {0, 0, 0}, high[3] = {0.09, 0, 0}, above[3] = {0.1, 0, 0.08};
    const double right[3] = {speed / 2, 0, 0}, left[3] = {-speed / 2, 0, 0},
                 down[3] = {0, 0, -speed};
    const uint64_t several = (uint64_t)(2e-5 / dt + 0.5);
    scree_random random = scree_random_stream(seed, 3);
    scene s = open_scene(&def, law, 1, 0);
    bool touched = false;

    add_turned(&s, m->mesh, &random, m->is_wall ? above : low, m->is_wall ? down : right);
    if (m->is_wall)
        add_wall(&s, m->wall);
    else
        add_turned(&s, m->other, &random, high, left);
    const scree_energy had = scree_world_energy(s.world);
    for (int n = 0, apart = 0; n < 20000 && apart < 100; n++) {
        step(&s, several);
        const bool touches = scree_world_detection_stats(s.world).contacts > 0;
        touched |= touches;
        apart = touched && !touches ? apart + 1 : 0;
    }
    CHECK(touched && scree_world_detection_stats(s.world).contacts == 0);
    const scree_energy has = scree_world_energy(s.world);
    *is_deep = scree_world_local_counts(s.world).deep > 0;
    scree_world_destroy(s.world);
    return (has.kinetic + has.rotational) / (had.kinetic + had.rotational) - 1;
}

/* ---- within the contact skin ---- */

/*  The worst of some impacts. */
static double worst_of(const meeting *m, const char *law, double dt, uint64_t seeds)
{
    double worst = 0;

    for (uint64_t seed = 0; seed < seeds; seed++) {
        bool is_deep;
        worst = fmax(worst, fabs(gain_of(m, law, dt, 0.3, seed, &is_deep)));
        CHECK(!is_deep);
    }
    return worst;
}

TEST(every_pair_keeps_its_energy)
{
    static const char *const laws[] = {"linear", "hertz"};
    const partners p = make_partners();
    meeting list[MEETINGS];

    list_meetings(&p, 1e-3, list);
    for (int n = 0; n < MEETINGS; n++)
        for (int l = 0; l < 2; l++) {
            const double worst = worst_of(&list[n], laws[l], 2e-6, TEST_EFFORT(3u, 30u));
            if (!(worst < 1e-6))
                FAIL("%s, %s: %.2g of the energy came or went", list[n].name, laws[l], worst);
        }
    free_partners(&p);
}

TEST(errors_fall_as_the_square_of_the_step)
{
    const partners p = make_partners();
    meeting list[MEETINGS];

    list_meetings(&p, 1e-3, list);
    for (int n = 0; n < 4; n++) {
        const double coarse = worst_of(&list[n], "linear", 8e-6, 3),
                     fine = worst_of(&list[n], "linear", 1e-6, 3);
        if (!(fine < coarse / 24))
            FAIL("%s: %.2g with long steps, %.2g with an eighth", list[n].name, coarse, fine);
    }
    free_partners(&p);
}

/* ---- where surfaces cross ---- */

/*  The way out of a vertex changes its direction where another facet becomes nearer: the energy does not jump there, but the
    force does, in the middle of a step. */
TEST(deep_impacts_gain_next_to_nothing)
{
    const partners p = make_partners();
    meeting list[MEETINGS];
    double worst = 0;

    list_meetings(&p, 2e-4, list);
    for (int n = 0; n < MEETINGS; n++)
        for (uint64_t seed = 0; seed < TEST_EFFORT(4u, 30u); seed++) {
            bool is_deep;
            const double gain = gain_of(&list[n], "linear", 2e-6, 3, seed, &is_deep);
            if (!(fabs(gain) < 5e-3))
                FAIL("%s: %.2g of the energy came or went", list[n].name, gain);
            CHECK(is_deep || n > 4);
            worst = fmax(worst, fabs(gain));
        }
    printf("energy is kept to %.2g\n", worst);
    free_partners(&p);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(every_pair_keeps_its_energy),
        CASE(errors_fall_as_the_square_of_the_step),
        CASE(deep_impacts_gain_next_to_nothing),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
