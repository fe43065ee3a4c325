/*  What a search remembers to be apart, against an adversary: two bodies that just touch are drawn apart along the way between
    their nearest points, to the first place at which they are found to be so far apart that they are stored, and come back by
    just as much as they are stored for. Places differ by single units of rounding, and reaches are so small that the
    double itself is noise there. */
#include "surrogate_bodies.h"

#include "narrow/mesh_surrogate_cut.h"

typedef struct adversary
{
    searchers s;
    body a, b;
    double begin[3], along[3]; /* where the second is, and its way */
    bool by_front;
    uint64_t stored; /* trials in which something was */
} adversary;

/*  One triangle: there is no other pair that could be stored. */
static body large_triangle(scree_random *random)
{
    maker m = maker_new(3, 1);

    for (int c = 0; c < 3; c++)
        maker_vertex(&m, scree_random_range(random, -0.5, 0.5),
                     scree_random_range(random, -0.5, 0.5), scree_random_range(random, -0.5, 0.5));
    maker_facet(&m, 0, 1, 2);
    return body_new(&m, true, 0);
}

/*  In the world. */
static void middle_of(const body *b, double middle[3])
{
    memset(middle, 0, 3 * sizeof *middle);
    for (size_t c = 0; c < 3; c++) {
        double corner[3];
        scree_mesh_place(&b->body.pose, b->mesh->vertices + 3 * c, corner);
        for (int k = 0; k < 3; k++)
            middle[k] += corner[k] / 3;
    }
}

static void put(adversary *v, double at)
{
    for (int k = 0; k < 3; k++)
        v->b.body.pose.place[k] = v->begin[k] + at * v->along[k];
}

static bool do_touch(adversary *v, double at)
{
    put(v, at);
    CHECK(scree_mesh_find_all(&v->s.truth, &v->a.body, &v->b.body) == SCREE_OK);
    return v->s.truth.contact_count > 0;
}

/*  Along a line from 0, where they touch, the last place at which they do; the line continues from there along the way
    between their nearest points. */
static void go_to_last_touch(adversary *v)
{
    double near = 0, far = 2, length = 0;

    while (far - near > 0x1p-50) {
        double middle = 0.5 * (near + far);
        *(do_touch(v, middle) ? &near : &far) = middle;
    }
    CHECK(do_touch(v, near));
    const scree_mesh_touch *touch = &v->s.truth.contacts[0];
    for (int k = 0; k < 3; k++) {
        double way = touch->point[1][k] - touch->point[0][k];
        v->begin[k] = v->b.body.pose.place[k];
        v->along[k] = way;
        length += way * way;
    }
    for (int k = 0; k < 3 && length > 0; k++)
        v->along[k] /= sqrt(length);
}

/*  Searches at one place and then at another; whether anything was stored there. Contacts are those of all pairs. */
static bool go(adversary *v, double from, double to)
{
    scree_surrogate_front front;
    scree_surrogate_cut cut;
    uint64_t before = 0;

    scree_surrogate_front_init(&front);
    scree_surrogate_cut_init(&cut);
    cut.dives = true;
    /* a front is made by the second search */
    for (int n = v->by_front ? 0 : 1; n < 3; n++) {
        before = v->s.search.counts.known_apart;
        put(v, n < 2 ? from : to);
        if (v->by_front)
            CHECK(scree_mesh_find_surrogates(&v->s.finder, &v->s.search, &front, &v->a.body,
                                             &v->b.body) == SCREE_OK);
        else
            CHECK(scree_mesh_find_cut(&v->s.finder, &v->s.search, &cut, &v->a.body, &v->b.body) ==
                  SCREE_OK);
    }
    do_touch(v, to);
    check_same_contacts(&v->s, (uint64_t)(from * 0x1p50));
    scree_surrogate_front_free(&front, &v->s.memory);
    scree_surrogate_cut_free(&cut, &v->s.memory);
    return v->s.search.counts.known_apart > before;
}

/*  Whether they are stored, where they stay. */
static bool are_far(adversary *v, double at)
{
    return go(v, at, at);
}

static void hunt(adversary *v, double reach, scree_random *random)
{
    const double grain = 0x1p-52;
    double near = 0, far = reach, back = 0;

    if (!are_far(v, far))
        return;
    while (far - near > grain) {
        double middle = 0.5 * (near + far);
        *(are_far(v, middle) ? &far : &near) = middle;
    }
    for (int n = 0; n < 50; n++) {
        double at = far - grain * scree_random_below(random, 200);
        far = are_far(v, at) ? at : far;
    }
    /* as far back as it is stored */
    for (near = far; near - back > grain;) {
        double middle = 0.5 * (near + back);
        *(go(v, far, middle) ? &near : &back) = middle;
    }
    v->stored += near < far;
    for (int n = 0; n < 50; n++)
        go(v, far, near + grain * scree_random_below(random, 200));
}

static void hunt_many(bool by_front, scree_triangle_method method)
{
    adversary v = {.by_front = by_front};

    searchers_begin(&v.s, SCREE_SIMD_AUTO);
    v.s.search.method = method;
    for (uint64_t seed = 0; seed < TEST_EFFORT(40, 400); seed++) {
        scree_random random = scree_random_stream(seed, 41);
        double reach = scree_random_log_uniform(&random, 1e-8, 0.1);
        double share = scree_random_unit(&random), length = 0;
        double middle[3];
        v.a = large_triangle(&random);
        v.b = large_triangle(&random);
        random_pose(&random, 0, &v.a.body.pose);
        random_pose(&random, 0, &v.b.body.pose);
        middle_of(&v.a, v.begin);
        middle_of(&v.b, middle);
        for (int k = 0; k < 3; k++) {
            v.begin[k] -= middle[k];
            v.along[k] = scree_random_normal(&random);
            length += v.along[k] * v.along[k];
        }
        for (int k = 0; k < 3; k++)
            v.along[k] /= sqrt(length);
        v.a.body.skin = share * reach;
        v.b.body.skin = (1 - share) * reach;
        go_to_last_touch(&v);
        hunt(&v, reach, &random);
        body_free(&v.a);
        body_free(&v.b);
    }
    searchers_end(&v.s);
    printf("%d hunts\n", (int)v.stored);
    CHECK(v.stored > TEST_EFFORT(2, 20));
}

TEST(sets_remember_nothing_that_touches)
{
    hunt_many(false, SCREE_TRIANGLES_CERTIFIED);
    hunt_many(false, SCREE_TRIANGLES_COMPARISON);
}

TEST(fronts_remember_nothing_that_touches)
{
    hunt_many(true, SCREE_TRIANGLES_CERTIFIED);
    hunt_many(true, SCREE_TRIANGLES_COMPARISON);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(sets_remember_nothing_that_touches),
        CASE(fronts_remember_nothing_that_touches),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
