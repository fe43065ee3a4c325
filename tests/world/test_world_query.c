/*  Queries on a world, compared with a slow reference: every image of every body, in long double, by other formulas. */
#include "base/random.h"
#include "harness/failing_allocator.h"
#include "harness/slow_nearest.h"
#include "harness/solid_maker.h"

#include <stdlib.h>

#define COUNT 40
#define SIDE 1.0
/*  Where the reference says that so little decides, either answer is right. */
#define CLOSE 1e-9

/* ---- the reference ---- */

/*  An image of a body: points of its mesh or pebbles in space. */
typedef struct image
{
    const scree_body *body;
    double origin[3], turn[3][3]; /* of the frame of its mesh or clump */
} image;

static void to_space(const image *im, const double local[3], double point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] = im->origin[k] + im->turn[k][0] * local[0] + im->turn[k][1] * local[1] +
                   im->turn[k][2] * local[2];
}

static void to_local(const image *im, const double point[3], double local[3])
{
    for (int k = 0; k < 3; k++)
        local[k] = im->turn[0][k] * (point[0] - im->origin[0]) +
                   im->turn[1][k] * (point[1] - im->origin[1]) +
                   im->turn[2][k] * (point[2] - im->origin[2]);
}

static image image_of(const scree_world *world, const scree_body *body, const double shift[3])
{
    image im = {.body = body};
    double q[4];

    CHECK_EQUAL(scree_world_body_frame(world, body->id, im.origin, q), SCREE_OK);
    for (int k = 0; k < 3; k++)
        im.origin[k] += shift[k];
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double turn[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(im.turn, turn, sizeof turn);
    return im;
}

static const scree_mesh *mesh_of(const image *im)
{
    scree_shape_kind kind = im->body->shape.kind;

    return kind == SCREE_SHAPE_MESH || kind == SCREE_SHAPE_BLOCK ? im->body->shape.mesh : NULL;
}

/*  How many pebbles there are, a sphere is one; and the k-th in space, where there is one. */
static uint32_t balls_of(const image *im, uint32_t k, double ball[4])
{
    if (im->body->shape.kind == SCREE_SHAPE_SPHERE) {
        memcpy(ball, im->origin, 3 * sizeof *ball);
        ball[3] = im->body->shape.radius;
        return 1;
    }
    scree_clump_info info = scree_clump_describe(im->body->shape.clump);
    if (k >= info.pebble_count)
        return info.pebble_count;
    to_space(im, info.pebbles[k].centre, ball);
    ball[3] = info.pebbles[k].radius;
    return info.pebble_count;
}

/*  Where a ray meets a triangle: Moeller and Trumbore. NAN: nowhere. */
static long double meet_triangle(const scree_mesh *mesh, uint32_t facet, const double o[3],
                                 const double d[3])
{
    long double e[3], f[3], p[3], s[3], q[3], det = 0, u = 0, v = 0, t = 0;
    const double *a = &mesh->vertices[3 * mesh->facets[3 * facet]];
    const double *b = &mesh->vertices[3 * mesh->facets[3 * facet + 1]];
    const double *c = &mesh->vertices[3 * mesh->facets[3 * facet + 2]];

    for (int k = 0; k < 3; k++) {
        e[k] = (long double)b[k] - a[k];
        f[k] = (long double)c[k] - a[k];
        s[k] = (long double)o[k] - a[k];
    }
    for (int k = 0; k < 3; k++) {
        p[k] = d[(k + 1) % 3] * f[(k + 2) % 3] - d[(k + 2) % 3] * f[(k + 1) % 3];
        q[k] = s[(k + 1) % 3] * e[(k + 2) % 3] - s[(k + 2) % 3] * e[(k + 1) % 3];
    }
    for (int k = 0; k < 3; k++) {
        det += e[k] * p[k];
        u += s[k] * p[k];
        v += d[k] * q[k];
        t += f[k] * q[k];
    }
    if (det == 0 || u / det < 0 || v / det < 0 || (u + v) / det > 1)
        return (long double)NAN;
    return t / det;
}

/*  By how many facets a ray to far away passes. */
static bool is_inside(const image *im, const double point[3])
{
    static const double away[3] = {0.5377, 0.8339, -0.2588};
    const scree_mesh *mesh = mesh_of(im);
    unsigned met = 0;
    double local[3];

    to_local(im, point, local);
    for (uint32_t f = 0; f < mesh->facet_count; f++)
        met += meet_triangle(mesh, f, local, away) > 0;
    return met % 2;
}

static double slow_distance(const image *im, const double point[3])
{
    const scree_mesh *mesh = mesh_of(im);
    double ball[4], best = INFINITY, local[3];

    for (uint32_t k = 0; !mesh && k < balls_of(im, k, ball); k++) {
        double sq = 0;
        balls_of(im, k, ball);
        for (int j = 0; j < 3; j++)
            sq += (point[j] - ball[j]) * (point[j] - ball[j]);
        best = fmin(best, sqrt(sq) - ball[3]);
    }
    if (!mesh)
        return fmax(best, 0);
    if (is_inside(im, point))
        return 0;
    to_local(im, point, local);
    for (uint32_t f = 0; f < mesh->facet_count; f++) {
        long double near[3];
        best = fmin(best, sqrt((double)nearest_slowly(mesh, f, local, near)));
    }
    return best;
}

/*  INFINITY: it does not meet. */
static double slow_ray(const image *im, const double o[3], const double d[3])
{
    const scree_mesh *mesh = mesh_of(im);
    double ball[4], best = INFINITY, from[3], along[3];

    for (uint32_t k = 0; !mesh && k < balls_of(im, k, ball); k++) {
        long double a = 0, b = 0, c = 0;
        balls_of(im, k, ball);
        for (int j = 0; j < 3; j++) {
            long double x = (long double)o[j] - ball[j];
            a += (long double)d[j] * d[j];
            b += x * d[j];
            c += x * x;
        }
        c -= (long double)ball[3] * ball[3];
        if (c <= 0)
            best = 0;
        else if (b < 0 && b * b >= a * c)
            best = fmin(best, (double)((-b - sqrtl(b * b - a * c)) / a));
    }
    if (!mesh)
        return best;
    if (is_inside(im, o))
        return 0;
    to_local(im, o, from);
    for (int k = 0; k < 3; k++)
        along[k] = im->turn[0][k] * d[0] + im->turn[1][k] * d[1] + im->turn[2][k] * d[2];
    for (uint32_t f = 0; f < mesh->facet_count; f++) {
        long double t = meet_triangle(mesh, f, from, along);
        if (t >= 0 && t < best)
            best = (double)t;
    }
    return best;
}

/*  What is left of a triangle when it is cut by the six sides of a box: Sutherland and Hodgman. */
static bool triangle_is_in_box(double v[3][3], const double lower[3], const double upper[3])
{
    double polygon[16][3], next[16][3];
    int count = 3;

    memcpy(polygon, v, 3 * sizeof *polygon);
    for (int side = 0; side < 6 && count; side++) {
        int k = side / 2, left = 0;
        double sign = side % 2 ? 1 : -1, limit = side % 2 ? upper[k] : lower[k];
        for (int i = 0; i < count; i++) {
            const double *a = polygon[i], *b = polygon[(i + 1) % count];
            double at_a = sign * (a[k] - limit), at_b = sign * (b[k] - limit);
            if (at_a <= 0)
                memcpy(next[left++], a, sizeof *next);
            if ((at_a < 0 && at_b > 0) || (at_a > 0 && at_b < 0)) {
                for (int j = 0; j < 3; j++)
                    next[left][j] = a[j] + at_a / (at_a - at_b) * (b[j] - a[j]);
                left++;
            }
        }
        count = left;
        memcpy(polygon, next, sizeof next);
    }
    return count > 0;
}

static bool slow_box(const image *im, const double lower[3], const double upper[3])
{
    const scree_mesh *mesh = mesh_of(im);
    double ball[4], middle[3], v[3][3];

    for (uint32_t k = 0; !mesh && k < balls_of(im, k, ball); k++) {
        double sq = 0;
        balls_of(im, k, ball);
        for (int j = 0; j < 3; j++) {
            double near = fmin(fmax(ball[j], lower[j]), upper[j]);
            sq += (near - ball[j]) * (near - ball[j]);
        }
        if (sqrt(sq) <= ball[3])
            return true;
    }
    for (uint32_t f = 0; mesh && f < mesh->facet_count; f++) {
        for (int i = 0; i < 3; i++)
            to_space(im, &mesh->vertices[3 * mesh->facets[3 * f + (uint32_t)i]], v[i]);
        if (triangle_is_in_box(v, lower, upper))
            return true;
    }
    for (int k = 0; k < 3; k++)
        middle[k] = (lower[k] + upper[k]) / 2;
    return mesh && is_inside(im, middle);
}

/* ---- worlds ---- */

typedef struct zoo
{
    scene s;
    scree_mesh *box, *ball;
    scree_clump *jack;
    scree_body body[COUNT];
    bool is_periodic;
    double tilt;
} zoo;

static void turn_anyhow(scree_body_def *def, scree_random *random)
{
    for (int k = 0; k < 4; k++)
        def->orientation[k] = scree_random_normal(random);
}

/*  All kinds of shapes, at random places, some far from the domain's box. */
static zoo open_zoo(uint64_t seed, bool is_periodic, double tilt)
{
    scree_world_def def = plain_def(1e-6);
    scree_random random = scree_random_stream(seed, 1);
    zoo z = {.is_periodic = is_periodic, .tilt = tilt};

    for (int k = 0; k < 3 && is_periodic; k++) {
        def.domain.boundary[k] = SCREE_BOUNDARY_PERIODIC;
        def.domain.upper[k] = SIDE;
    }
    z.s = open_scene(&def, "linear", 0.5, 0);
    z.box = cube(0.1);
    z.ball = globe(80, 0.07, 1.6);
    z.jack = jack(0.04, 0.05);
    for (int k = 0; k < COUNT; k++) {
        const double room = is_periodic ? 0 : 0.3;
        const scree_shape shapes[] = {scree_shape_sphere(scree_random_range(&random, 0.01, 0.1)),
                                      scree_shape_clump(z.jack), scree_shape_mesh(z.ball, 0.002),
                                      scree_shape_block(z.box, 0.005)};
        scree_body_def body = body_at(&z.s, shapes[k % 4], 0, 0, 0);
        for (int j = 0; j < 3; j++)
            body.position[j] = scree_random_range(&random, -room, SIDE + room);
        turn_anyhow(&body, &random);
        body.groups = k % 3 ? 1 : 2;
        scree_body_id id = add(&z.s, &body);
        CHECK_EQUAL(scree_world_get_body(z.s.world, id, &z.body[k]), SCREE_OK);
    }
    if (tilt != 0) {
        scree_cell_def cell;
        scree_world_get_cell(z.s.world, &cell);
        for (int k = 0; k < 3; k++)
            cell.tilt[k] = tilt * (k + 1);
        CHECK_EQUAL(scree_world_set_cell(z.s.world, &cell), SCREE_OK);
    }
    return z;
}

static void close_zoo(zoo *z)
{
    scree_world_destroy(z->s.world);
    scree_mesh_destroy(z->box);
    scree_mesh_destroy(z->ball);
    scree_clump_destroy(z->jack);
}

/*  What the reference says of a body: distance of all images, where the query widened by `more` finds it; INFINITY: it does not. */
static double slow_answer(const zoo *z, const scree_query *query, int k, double more)
{
    const int most = z->is_periodic ? 2 : 0;
    double best = INFINITY, lower[3], upper[3];

    for (int j = 0; j < 3; j++) {
        lower[j] = query->lower[j] - more;
        upper[j] = query->upper[j] + more;
    }
    for (int n = 0; n < (2 * most + 1) * (2 * most + 1) * (2 * most + 1); n++) {
        const int width = 2 * most + 1;
        const double e[3] = {n % width - most, n / width % width - most, n / width / width - most};
        const double shift[3] = {e[0] * SIDE + e[1] * z->tilt + e[2] * 2 * z->tilt,
                                 e[1] * SIDE + e[2] * 3 * z->tilt, e[2] * SIDE};
        image im = image_of(z->s.world, &z->body[k], shift);
        double at = INFINITY;
        if (query->kind == SCREE_QUERY_NEAREST)
            at = slow_distance(&im, query->centre);
        else if (query->kind == SCREE_QUERY_SPHERE)
            at = slow_distance(&im, query->centre) <= query->radius + more ? 0 : INFINITY;
        else if (query->kind == SCREE_QUERY_BOX)
            at = slow_box(&im, lower, upper) ? 0 : INFINITY;
        else
            at = slow_ray(&im, query->centre, query->direction);
        best = at <= query->t_max + (query->kind == SCREE_QUERY_NEAREST ||
                                             query->kind == SCREE_QUERY_SPHERE ||
                                             query->kind == SCREE_QUERY_BOX
                                         ? INFINITY
                                         : more)
                   ? fmin(best, at)
                   : best;
    }
    return best;
}

static size_t hits_of(const zoo *z, const scree_query *query, scree_body_hit hits[COUNT])
{
    scree_error why = {SCREE_OK, ""};
    size_t count;

    if (scree_world_hits(z->s.world, query, hits, COUNT, &count, &why))
        FAIL("%s", why.text);
    return count;
}

static const scree_body_hit *find_hit(const scree_body_hit *hits, size_t count, scree_body_id id)
{
    for (size_t k = 0; k < count; k++)
        if (scree_body_id_equal(hits[k].id, id))
            return &hits[k];
    return NULL;
}

/*  Every body is found where the reference finds it, at its distance; and hits are in order. Returns how many. */
static size_t check_all(const zoo *z, const scree_query *query)
{
    scree_body_hit hits[COUNT];
    size_t count = hits_of(z, query, hits);

    for (int k = 0; k < COUNT; k++) {
        const scree_body_hit *hit = find_hit(hits, count, z->body[k].id);
        bool in_group = z->body[k].groups & query->groups;
        double surely = in_group ? slow_answer(z, query, k, -CLOSE) : INFINITY;
        double perhaps = in_group ? slow_answer(z, query, k, CLOSE) : INFINITY;
        if (surely < INFINITY && !hit)
            FAIL("kind %d: body %d at %g is not found", (int)query->kind, k, surely);
        if (perhaps == INFINITY && hit)
            FAIL("kind %d: body %d is found at %g", (int)query->kind, k, hit->distance);
        if (hit)
            CHECK_NEAR(hit->distance, perhaps, CLOSE);
    }
    for (size_t k = 1; k < count; k++)
        CHECK(hits[k].distance >= hits[k - 1].distance);
    return count;
}

/* ---- random queries ---- */

static void somewhere(scree_random *random, double point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] = scree_random_range(random, -0.2, SIDE + 0.2);
}

static void ask_all_kinds(const zoo *z, scree_random *random, size_t found[5])
{
    double point[3], other[3], way[3];

    somewhere(random, point);
    somewhere(random, other);
    for (int k = 0; k < 3; k++) {
        way[k] = other[k] - point[k];
        other[k] = point[k] + scree_random_range(random, 0, 0.3);
    }
    scree_query query = scree_query_box(point, other);
    found[0] += check_all(z, &query);
    query = scree_query_sphere(point, scree_random_range(random, 0, 0.25));
    found[1] += check_all(z, &query);
    query = scree_query_ray(point, way, 1);
    query.groups = scree_random_below(random, 2) ? 1 : UINT64_MAX;
    found[2] += check_all(z, &query);
    query = scree_query_nearest(point, COUNT);
    found[4] += check_all(z, &query);

    /* the first and the nearest are the heads of the whole lists */
    scree_body_hit all[COUNT], some[COUNT];
    size_t count = hits_of(z, &query, all);
    query.k = 5;
    CHECK_EQUAL(hits_of(z, &query, some), 5);
    for (int k = 0; k < 5; k++)
        CHECK(scree_body_id_equal(some[k].id, all[k].id) && some[k].distance == all[k].distance);
    query = scree_query_ray(point, way, 1);
    count = hits_of(z, &query, all);
    query = scree_query_ray_first(point, way, 1);
    CHECK_EQUAL(hits_of(z, &query, some), count > 0);
    CHECK(!count || scree_body_id_equal(some[0].id, all[0].id));
    found[3] += count > 0;
}

static void compare_with_reference(bool is_periodic, double tilt)
{
    size_t found[5] = {0};

    for (uint64_t seed = 1; seed <= 3; seed++) {
        zoo z = open_zoo(seed, is_periodic, tilt);
        scree_random random = scree_random_stream(seed, 2);
        for (int k = 0; k < (is_periodic ? 2 : 100); k++)
            ask_all_kinds(&z, &random, found);
        close_zoo(&z);
    }
    for (int k = 0; k < 5; k++)
        if (found[k] <= (is_periodic ? 0 : 30))
            FAIL("kind %d: %zu found", k, found[k]);
}

TEST(bodies_are_found_by_their_own_surfaces)
{
    compare_with_reference(false, 0);
}

TEST(images_across_periods_are_found)
{
    compare_with_reference(true, 0);
}

/*  A ray through a thousand periods of a world with one small sphere: images are looked at along it alone. */
TEST(rays_may_be_long)
{
    scree_world_def def = plain_def(1e-6);
    scree_body_hit hit;
    size_t count;

    for (int k = 0; k < 3; k++) {
        def.domain.boundary[k] = SCREE_BOUNDARY_PERIODIC;
        def.domain.upper[k] = SIDE;
    }
    scene s = open_scene(&def, "linear", 0.5, 0);
    scree_body_def ball = body_at(&s, scree_shape_sphere(0.01), 0.5, 0.5, 0.5);
    add(&s, &ball);
    /* up by one period in 900 along x, and so once through the middle of a cell */
    scree_query query = scree_query_ray_first((double[3]){0, -400, 0.5 - 899.5 / 1800},
                                              (double[3]){1, 1, 1.0 / 1800}, 900);
    CHECK_EQUAL(scree_world_hits(s.world, &query, &hit, 1, &count, NULL), SCREE_OK);
    CHECK_EQUAL(count, 1);
    const double along = hit.distance + 0.01 * sqrt(0.5);
    CHECK_NEAR(hit.point[2] - floor(hit.point[2]), 0.5, 0.0101);
    CHECK_NEAR(along - floor(along), 0.5, 0.01);
    query = scree_query_ray_first((double[3]){0, 0.25, 0}, (double[3]){1, 1, 1}, 900);
    CHECK_EQUAL(scree_world_hits(s.world, &query, &hit, 1, &count, NULL), SCREE_OK);
    CHECK_EQUAL(count, 0);
    query = scree_query_box((double[3]){0}, (double[3]){900, 900, 900});
    CHECK_EQUAL(scree_world_hits(s.world, &query, &hit, 1, &count, NULL), SCREE_OK);
    CHECK_EQUAL(count, 1);
    scree_world_destroy(s.world);
}

/*  Boxes and spheres of hundreds of periods: one image decides, also where none is found, as beside a body whose ball reaches into
    a thin box and its surface does not. */
TEST(boxes_and_spheres_may_be_wide)
{
    scree_world_def def = plain_def(1e-6);
    scree_body_hit hit;
    size_t count;

    for (int k = 0; k < 3; k++) {
        def.domain.boundary[k] = SCREE_BOUNDARY_PERIODIC;
        def.domain.upper[k] = SIDE;
    }
    scene s = open_scene(&def, "linear", 0.5, 0);
    const scree_pebble pebbles[] = {{{-0.2, 0, 0}, 0.02}, {{0.2, 0, 0}, 0.02}};
    scree_clump *clump = clump_of(3, pebbles, 2);
    scree_body_def rod = body_at(&s, scree_shape_clump(clump), 0, 0, 0);
    CHECK_EQUAL(scree_body_def_place(&rod, (double[3]){0.5, 0.5, 0.5}, (double[4]){1, 0, 0, 0}),
                SCREE_OK);
    add(&s, &rod);
    static const struct
    {
        double lower[3], upper[3];
        size_t count;
    } boxes[] = {
        {{-450, -450, -450}, {450, 450, 450}, 1},  {{-450, -450, 0.51}, {450, 450, 0.515}, 1},
        {{-450, -450, 0.6}, {450, 450, 0.61}, 0},  {{0.6, -450, -450}, {0.61, 450, 450}, 0},
        {{0.71, -450, -450}, {0.72, 450, 450}, 1}, {{-450, 0.6, -450}, {450, 0.61, 450}, 0},
        {{0.6, 0.6, -450}, {0.61, 0.61, 450}, 0},
    };
    for (size_t k = 0; k < sizeof boxes / sizeof *boxes; k++) {
        scree_query query = scree_query_box(boxes[k].lower, boxes[k].upper);
        CHECK_EQUAL(scree_world_hits(s.world, &query, &hit, 1, &count, NULL), SCREE_OK);
        CHECK_EQUAL(count, boxes[k].count);
    }
    scree_query query = scree_query_sphere((double[3]){0, 0, 0}, 450);
    CHECK_EQUAL(scree_world_hits(s.world, &query, &hit, 1, &count, NULL), SCREE_OK);
    CHECK_EQUAL(count, 1);
    query = scree_query_sphere((double[3]){0, 0, 0}, 0.7);
    CHECK_EQUAL(scree_world_hits(s.world, &query, &hit, 1, &count, NULL), SCREE_OK);
    CHECK_EQUAL(count, 0);
    scree_world_destroy(s.world);
    scree_clump_destroy(clump);
}

TEST(images_of_a_tilted_cell_are_found)
{
    compare_with_reference(true, 0.15);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(bodies_are_found_by_their_own_surfaces), CASE(images_across_periods_are_found),
        CASE(images_of_a_tilted_cell_are_found),      CASE(rays_may_be_long),
        CASE(boxes_and_spheres_may_be_wide),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
