/*  How much of bodies lies in a ball: against closed forms, points thrown at random, and the parts that a body is cut into. */
#include "harness/failing_allocator.h"
#include "harness/solid_maker.h"

#include "base/memory.h"
#include "base/quaternion.h"
#include "base/random.h"
#include "base/vector.h"
#include "scree/cell.h"
#include "scree/fields.h"
#include "shape/ball_part.h"
#include "shape/clump.h"
#include "shape/mesh.h"

#include <float.h>

#define PI 3.14159265358979323846

static double ball_volume(double r, int dimensions)
{
    return dimensions == 2 ? PI * r * r : 4 * PI / 3 * r * r * r;
}

/* ---- balls ---- */

/*  The lens as a stack of slices: the smaller of two discs at each height, or of two chords. Simpson's rule with a change
    of variable that takes away the square roots at the ends. */
static double lens_by_slices(double a, double b, double d, int dimensions)
{
    const int cuts = 20000;
    double from = fmax(-a, d - b), to = fmin(a, d + b), sum = 0;

    for (int k = 0; k <= cuts; k++) {
        double s = -1 + 2.0 * k / cuts,
               at = (from + to) / 2 + (to - from) / 2 * s * (3 - s * s) / 2;
        double one = a * a - at * at, other = b * b - (at - d) * (at - d);
        double least = fmax(0, fmin(one, other));
        double slice = dimensions == 2 ? 2 * sqrt(least) : PI * least;
        sum += slice * (3 - 3 * s * s) / 2 * (k == 0 || k == cuts ? 1 : k % 2 ? 4 : 2);
    }
    return sum * (to - from) / 2 * 2 / (3.0 * cuts);
}

TEST(balls_share_a_lens)
{
    static const double cases[][3] = {{1, 1, 1},      {1, 2, 1.5},  {0.3, 5, 4.9},   {1, 1, 1.999},
                                      {2, 1, 1.0001}, {1, 1, 0.01}, {0.01, 3, 3.005}};

    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            double a = cases[k][0], b = cases[k][1], d = cases[k][2];
            double part = scree_ball_part_of_ball(a, d, b, dimensions);
            CHECK_NEAR(part, lens_by_slices(a, b, d, dimensions),
                       2e-7 * ball_volume(fmin(a, b), dimensions));
            CHECK_NEAR(part, scree_ball_part_of_ball(b, d, a, dimensions), 1e-13 * part + 1e-15);
        }
        CHECK(scree_ball_part_of_ball(1, 3, 2, dimensions) == 0);
        CHECK_NEAR(scree_ball_part_of_ball(1, 0.9, 2, dimensions), ball_volume(1, dimensions),
                   1e-15);
        CHECK_NEAR(scree_ball_part_of_ball(3, 1, 2, dimensions), ball_volume(2, dimensions), 1e-14);
        /* it continues where one comes to lie in the other */
        CHECK_NEAR(scree_ball_part_of_ball(1, 1 + 1e-9, 2, dimensions), ball_volume(1, dimensions),
                   1e-12);
        CHECK_NEAR(scree_ball_part_of_ball(1, 3 - 1e-9, 2, dimensions), 0, 1e-12);
    }
    /* two caps of the height 1/2 */
    CHECK_NEAR(scree_ball_part_of_ball(1, 1, 1, 3), 5 * PI / 12, 1e-15);
    CHECK_NEAR(scree_ball_part_of_ball(1, 1, 1, 2), 2 * PI / 3 - sqrt(3) / 2, 1e-15);
}

/* ---- polyhedra ---- */

static scree_mesh *box_of(double x0, double y0, double z0, double x1, double y1, double z1)
{
    const double lower[3] = {x0, y0, z0}, upper[3] = {x1, y1, z1};
    maker m = maker_box(lower, upper);
    scree_mesh *mesh = maker_mesh(&m);

    maker_free(&m);
    return mesh;
}

static double part(const scree_mesh *mesh, double x, double y, double z, double ball)
{
    const double centre[3] = {x, y, z};
    return scree_ball_part_of_mesh(mesh, centre, ball);
}

TEST(boxes_cut_balls_in_closed_forms)
{
    scree_mesh *box = box_of(0, 0, 0, 10, 10, 10);
    double all = ball_volume(1, 3);

    CHECK_NEAR(part(box, 5, 5, 5, 1), all, 1e-13);
    CHECK_NEAR(part(box, 5, 5, 5, 100), 1000, 1e-9);
    CHECK_NEAR(part(box, 5, 5, 0, 1), all / 2, 1e-13);
    CHECK_NEAR(part(box, 0, 5, 10, 1), all / 4, 1e-13);
    CHECK_NEAR(part(box, 0, 0, 0, 1), all / 8, 1e-13);
    CHECK_NEAR(part(box, 10, 0, 10, 1), all / 8, 1e-13);
    CHECK(part(box, -1, 5, 5, 1) < 1e-14 && part(box, -7, -7, -7, 1) < 1e-13);
    for (double h = -0.99; h < 1; h += 0.09) {
        double cap = PI * (1 - h) * (1 - h) * (2 + h) / 3; /* beyond a plane h away */
        CHECK_NEAR(part(box, 5, 5, -h, 1), cap, 1e-13);
        CHECK_NEAR(part(box, 5, -h, 0, 1), cap / 2, 1e-13);
        /* two caps of a slab */
        scree_mesh *slab = box_of(-5, -5, -h, 5, 5, 0.995);
        double above = PI * 0.005 * 0.005 * (2 + 0.995) / 3;
        CHECK_NEAR(part(slab, 0, 0, 0, 1), all - cap - above, 1e-12);
        scree_mesh_destroy(slab);
    }
    scree_mesh_destroy(box);
    /* a rod that goes right through: a cylinder would be 2 pi / 3 (1 - (1 - r^2)^(3/2)) twice; a thin square is its area times 2 */
    box = box_of(-0.001, -0.001, -9, 0.001, 0.001, 9);
    CHECK_NEAR(part(box, 0, 0, 0, 1), 4e-6 * 2 * (1 - 1e-6 / 3), 1e-14);
    scree_mesh_destroy(box);
}

/*  Tetrahedra about a point within a body fill it together. */
TEST(parts_of_a_body_add_up)
{
    scree_random random = scree_random_stream(5, 0);
    scree_mesh *whole = globe(320, 1, 1.1);
    double apex[3] = {0.02, -0.05, 0.03};

    for (int trial = 0; trial < 40; trial++) {
        double centre[3], ball = scree_random_range(&random, 0.05, 2), sum = 0;
        for (int k = 0; k < 3; k++)
            centre[k] = scree_random_range(&random, -1.2, 1.2);
        if (trial == 0) /* in the plane of a facet, at a corner */
            memcpy(centre, whole->vertices, sizeof centre);
        for (uint32_t f = 0; f < whole->facet_count; f++) {
            const uint32_t *v = whole->facets + 3 * (size_t)f;
            maker m = maker_new(4, 4);
            uint32_t corner[4];
            for (int k = 0; k < 3; k++)
                corner[k] =
                    maker_vertex(&m, whole->vertices[3 * v[k]], whole->vertices[3 * v[k] + 1],
                                 whole->vertices[3 * v[k] + 2]);
            corner[3] = maker_vertex(&m, apex[0], apex[1], apex[2]);
            maker_facet(&m, corner[0], corner[1], corner[2]);
            maker_facet(&m, corner[1], corner[0], corner[3]);
            maker_facet(&m, corner[2], corner[1], corner[3]);
            maker_facet(&m, corner[0], corner[2], corner[3]);
            scree_mesh *tetrahedron = maker_mesh(&m);
            maker_free(&m);
            sum += scree_ball_part_of_mesh(tetrahedron, centre, ball);
            scree_mesh_destroy(tetrahedron);
        }
        CHECK_NEAR(scree_ball_part_of_mesh(whole, centre, ball), sum,
                   1e-11 * (1 + ball * ball * ball));
    }
    scree_mesh_destroy(whole);
}

/* ---- points at random ---- */

/*  Whether a ray along a direction that meets no edge crosses an odd number of facets. */
static bool is_inside(const scree_mesh *mesh, const double p[3])
{
    static const double way[3] = {0.5377, 0.3101, 0.7842};
    bool inside = false;

    for (uint32_t f = 0; f < mesh->facet_count; f++) {
        double from[3][3], n[3], sign[3];
        for (int k = 0; k < 3; k++)
            for (int a = 0; a < 3; a++)
                from[k][a] =
                    mesh->vertices[3 * mesh->facets[3 * f + (uint32_t)k] + (uint32_t)a] - p[a];
        for (int k = 0; k < 3; k++) {
            scree_cross(from[k], from[(k + 1) % 3], n);
            sign[k] = scree_dot(n, way);
        }
        bool hits = (sign[0] > 0) == (sign[1] > 0) && (sign[1] > 0) == (sign[2] > 0);
        double ab[3], ac[3];
        for (int a = 0; a < 3; a++) {
            ab[a] = from[1][a] - from[0][a];
            ac[a] = from[2][a] - from[0][a];
        }
        scree_cross(ab, ac, n);
        inside ^= hits && scree_dot(from[0], n) / scree_dot(way, n) > 0;
    }
    return inside;
}

/*  Within five times what chance does. */
static void check_by_chance(double found, double whole, size_t hits, size_t points)
{
    double share = (double)hits / (double)points;
    double chance = sqrt(share * (1 - share) / (double)points) + 1.0 / (double)points;

    CHECK_NEAR(found, whole * share, 5 * whole * chance);
}

static void throw_point(scree_random *random, const double centre[3], double ball, double p[3])
{
    double away = 2;

    while (away > 1) {
        away = 0;
        for (int k = 0; k < 3; k++) {
            p[k] = scree_random_range(random, -1, 1);
            away += p[k] * p[k];
        }
    }
    for (int k = 0; k < 3; k++)
        p[k] = centre[k] + ball * p[k];
}

TEST(meshes_agree_with_points_thrown_at_random)
{
    scree_random random = scree_random_stream(7, 0);
    scree_mesh *stone = globe(80, 1, 1.1);

    for (int trial = 0; trial < 30; trial++) {
        double centre[3], p[3], ball = scree_random_range(&random, 0.2, 1.5);
        size_t hits = 0, points = 4000;
        for (int k = 0; k < 3; k++)
            centre[k] = scree_random_range(&random, -1, 1);
        for (size_t k = 0; k < points; k++) {
            throw_point(&random, centre, ball, p);
            hits += is_inside(stone, p);
        }
        check_by_chance(scree_ball_part_of_mesh(stone, centre, ball), ball_volume(ball, 3), hits,
                        points);
    }
    scree_mesh_destroy(stone);
}

/* ---- clumps ---- */

static double clump_part(const scree_clump *clump, const double centre[3], double ball)
{
    scree_memory memory;
    double volume;

    scree_memory_init(&memory, NULL);
    CHECK_EQUAL(scree_ball_part_of_clump(clump, centre, ball, &memory, &volume), SCREE_OK);
    return volume;
}

TEST(clumps_are_cut_where_their_pebbles_are)
{
    scree_random random = scree_random_stream(9, 0);

    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        /* apart: two lenses */
        const scree_pebble apart[] = {{{-2, 0, 0}, 1}, {{2, 0, 0}, 0.5}};
        scree_clump *clump = clump_of(dimensions, apart, 2);
        for (int trial = 0; trial < 20; trial++) {
            double centre[3] = {0}, ball = scree_random_range(&random, 0.5, 3), sum = 0;
            for (int k = 0; k < dimensions; k++)
                centre[k] = scree_random_range(&random, -3, 3);
            for (size_t k = 0; k < 2; k++)
                sum += scree_ball_part_of_ball(clump->local[k][3],
                                               sqrt(scree_apart_sq(centre, clump->local[k])), ball,
                                               dimensions);
            CHECK_NEAR(clump_part(clump, centre, ball), sum,
                       1e-11 * ball_volume(fmax(ball, 1), dimensions));
        }
        scree_clump_destroy(clump);
    }
    /* overlapping */
    const scree_pebble close[] = {{{0, 0, 0}, 1}, {{0.8, 0, 0}, 0.7}, {{0.2, 0.9, 0.3}, 0.6}};
    scree_clump *clump = clump_of(3, close, 3);
    for (int trial = 0; trial < 10; trial++) {
        double centre[3], p[3], ball = scree_random_range(&random, 0.3, 1.5);
        size_t hits = 0, points = 20000;
        for (int k = 0; k < 3; k++)
            centre[k] = scree_random_range(&random, -1, 1);
        for (size_t n = 0; n < points; n++) {
            bool in = false;
            throw_point(&random, centre, ball, p);
            for (size_t k = 0; k < 3; k++)
                in |= scree_apart_sq(p, clump->local[k]) < clump->local[k][3] * clump->local[k][3];
            hits += in;
        }
        check_by_chance(clump_part(clump, centre, ball), ball_volume(ball, 3), hits, points);
    }
    scree_clump_destroy(clump);
}

/* ---- worlds ---- */

static double solid_at(scree_world *world, double x, double y, double z, double radius)
{
    const double centre[3] = {x, y, z};
    double volume = -1;

    if (scree_world_solid_volume(world, centre, radius, &volume))
        FAIL("%s", scree_world_message(world));
    return volume;
}

/*  The densest packing, in which a ball of 3.5 radii holds what points thrown at random find, not what centres say. */
TEST(a_dense_packing_has_its_density)
{
    scree_world_def def = plain_def(1e-6);
    def.overlap_limit = INFINITY;
    scene s = open_scene(&def, "hertz", 0.5, 0.5);
    const double r = 0.5, side = sqrt(2), ball = 3.5 * r;
    double place[1000][3];
    size_t count = 0;

    for (int i = -4; i <= 4; i++)
        for (int j = -4; j <= 4; j++)
            for (int k = -4; k <= 4; k++) {
                if ((i + j + k) % 2)
                    continue;
                place[count][0] = i * side / 2, place[count][1] = j * side / 2,
                place[count][2] = k * side / 2;
                scree_body_def body = body_at(&s, scree_shape_sphere(r), place[count][0],
                                              place[count][1], place[count][2]);
                add(&s, &body);
                count++;
            }
    scree_random random = scree_random_stream(11, 0);
    const double centre[3] = {0.1, 0.2, 0.05};
    size_t hits = 0, points = 200000;
    for (size_t n = 0; n < points; n++) {
        double p[3];
        bool in = false;
        throw_point(&random, centre, ball, p);
        for (size_t k = 0; k < count && !in; k++)
            in = scree_apart_sq(p, place[k]) < r * r;
        hits += in;
    }
    double found = solid_at(s.world, centre[0], centre[1], centre[2], ball);
    check_by_chance(found, ball_volume(ball, 3), hits, points);
    CHECK_NEAR(found / ball_volume(ball, 3), PI / sqrt(18), 0.02);
    scree_world_destroy(s.world);
}

/*  Turned bodies of all shapes, of which the ball is in the middle of one or cuts it: the sum is the bodies' own, in their
    frames. */
TEST(bodies_of_all_shapes_are_added_up)
{
    scree_world_def def = plain_def(1e-6);
    scene s = open_scene(&def, "hertz", 0.5, 0.5);
    scree_mesh *stone = globe(80, 0.01, 1.1), *brick = cube(0.02);
    scree_clump *clump = jack(0.01, 0.012);
    scree_shape shapes[] = {scree_shape_sphere(0.01), scree_shape_mesh(stone, 1e-4),
                            scree_shape_block(brick, 1e-3), scree_shape_clump(clump)};
    double sum = 0, turn[4] = {0.4, 0.7, -0.3, 0.5};

    scree_quaternion_normalise(turn);
    for (int k = 0; k < 4; k++) {
        scree_body_def body = body_at(&s, shapes[k], 0.1 * k, 0, 0);
        memcpy(body.orientation, turn, sizeof turn);
        scree_body_id id = add(&s, &body);
        scree_mass mass;
        CHECK_EQUAL(scree_shape_mass(&shapes[k], 1, 3, &mass, NULL), SCREE_OK);
        CHECK_NEAR(solid_at(s.world, 0.1 * k, 0, 0, 0.04), mass.volume, 1e-12 * mass.volume);
        sum += mass.volume;
        double cut = solid_at(s.world, 0.1 * k + 0.008, 0.003, -0.002, 0.01), origin[3], frame[4];
        double seen[3] = {0.1 * k + 0.008, 0.003, -0.002}, wanted = 0;
        CHECK_EQUAL(scree_world_body_frame(s.world, id, origin, frame), SCREE_OK);
        for (int a = 0; a < 3; a++)
            seen[a] -= k == 3 ? (a == 0 ? 0.1 * k : 0) : origin[a];
        scree_quaternion_turn_back(k == 3 ? turn : frame, seen, seen);
        wanted = k == 0   ? scree_ball_part_of_ball(0.01, sqrt(scree_dot(seen, seen)), 0.01, 3)
                 : k == 3 ? clump_part(clump, seen, 0.01)
                          : scree_ball_part_of_mesh(k == 1 ? stone : brick, seen, 0.01);
        CHECK(wanted > 0.05 * mass.volume && wanted < 0.95 * mass.volume);
        CHECK_NEAR(cut, wanted, 1e-12 * wanted);
    }
    CHECK_NEAR(solid_at(s.world, 0.15, 0, 0, 1), sum, 1e-12 * sum);
    scree_world_destroy(s.world);
    scree_clump_destroy(clump);
    scree_mesh_destroy(stone);
    scree_mesh_destroy(brick);
}

TEST(images_across_the_boundary_count)
{
    scree_world_def def = plain_def(1e-6);
    for (int k = 0; k < 3; k++) {
        def.domain.boundary[k] = SCREE_BOUNDARY_PERIODIC;
        def.domain.upper[k] = 1;
    }
    scene s = open_scene(&def, "hertz", 0.5, 0.5);
    scree_body_def body = body_at(&s, scree_shape_sphere(0.2), 0.95, 0.5, 0.1);
    add(&s, &body);
    /* the same wherever one looks from */
    for (double x = -1; x <= 2; x += 0.25)
        CHECK_NEAR(solid_at(s.world, x, 0.5, 0.1, 0.3),
                   scree_ball_part_of_ball(0.2, fabs(x + 0.05 - floor(x + 0.05 + 0.5)), 0.3, 3),
                   1e-14);
    /* each image once: a ball of 2.5 periods has as much as the places that it can see say */
    double sum = 0;
    for (int i = -4; i <= 4; i++)
        for (int j = -4; j <= 4; j++)
            for (int k = -4; k <= 4; k++) {
                double d[3] = {i + 0.95 - 0.3, j + 0.5 - 0.4, k + 0.1 - 0.5};
                sum += scree_ball_part_of_ball(0.2, sqrt(scree_dot(d, d)), 2.5, 3);
            }
    CHECK_NEAR(solid_at(s.world, 0.3, 0.4, 0.5, 2.5), sum, 1e-12 * sum);
    scree_world_destroy(s.world);
}

/*  In a domain that is tilted an image is where three edges together say. */
TEST(images_of_domains_that_tilt_count_once)
{
    scree_world_def def = plain_def(1e-6);
    const double tilt[3] = {0.3, -0.2, 0.15};
    scree_random random = scree_random_stream(13, 0);

    for (int k = 0; k < 3; k++) {
        def.domain.boundary[k] = SCREE_BOUNDARY_PERIODIC;
        def.domain.upper[k] = 1 + 0.1 * k;
    }
    scene s = open_scene(&def, "hertz", 0.5, 0.5);
    scree_cell_def cell;
    scree_world_get_cell(s.world, &cell);
    memcpy(cell.tilt, tilt, sizeof tilt);
    CHECK_EQUAL(scree_world_set_cell(s.world, &cell), SCREE_OK);
    scree_body_def body = body_at(&s, scree_shape_sphere(0.2), 0.95, 0.5, 0.1);
    add(&s, &body);
    for (int trial = 0; trial < 60; trial++) {
        double at[3], ball = scree_random_range(&random, 0.1, 1.5), sum = 0;
        for (int k = 0; k < 3; k++)
            at[k] = scree_random_range(&random, -1, 2);
        for (int i = -8; i <= 8; i++)
            for (int j = -6; j <= 6; j++)
                for (int k = -5; k <= 5; k++) {
                    const double d[3] = {0.95 + i + 0.3 * j - 0.2 * k - at[0],
                                         0.5 + 1.1 * j + 0.15 * k - at[1], 0.1 + 1.2 * k - at[2]};
                    sum += scree_ball_part_of_ball(0.2, sqrt(scree_dot(d, d)), ball, 3);
                }
        CHECK_NEAR(solid_at(s.world, at[0], at[1], at[2], ball), sum, 1e-12 * (1 + sum));
    }
    scree_world_destroy(s.world);
}

TEST(two_dimensions)
{
    scree_world_def def = plain_def(1e-6);
    def.dimensions = 2;
    scene s = open_scene(&def, "hertz", 0.5, 0.5);
    const double corners[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    scree_mesh_def square = scree_default_mesh_def();
    scree_mesh *mesh;

    square.corners = 2;
    square.vertices = corners;
    square.vertex_count = 4;
    square.facets = (const uint32_t[]){0, 1, 1, 2, 2, 3, 3, 0};
    square.facet_count = 4;
    CHECK_EQUAL(scree_mesh_create(&square, &mesh), SCREE_OK);
    CHECK_NEAR(part(mesh, 0.5, 0.5, 0, 0.4), PI * 0.16, 1e-15);
    CHECK_NEAR(part(mesh, 0.5, 0.5, 0, 0.8), 1, 1e-15);
    CHECK_NEAR(part(mesh, 0, 0, 0, 0.5), PI * 0.25 / 4, 1e-15);
    CHECK_NEAR(part(mesh, 0.5, 0, 0, 0.5), PI * 0.25 / 2, 1e-15);
    CHECK_NEAR(part(mesh, 0.5, 0.5, 0, 0.6),
               PI * 0.36 - 4 * (0.36 * acos(0.5 / 0.6) - 0.5 * sqrt(0.11)), 1e-14);
    scree_body_def body = body_at(&s, scree_shape_sphere(1), 0, 0, 0);
    add(&s, &body);
    body = body_at(&s, scree_shape_block(mesh, 0.01), 5, 5, 0);
    add(&s, &body);
    CHECK_NEAR(solid_at(s.world, 1, 0, 0, 1), 2 * PI / 3 - sqrt(3) / 2, 1e-14);
    CHECK_NEAR(solid_at(s.world, 5, 5, 0, 0.1), PI * 0.01, 1e-14);
    CHECK_NEAR(solid_at(s.world, 4.5, 4.5, 0, 0.1), PI * 0.01 / 4, 1e-14);
    CHECK_NEAR(solid_at(s.world, 2, 2, 0, 9), PI + 1, 1e-14);
    scree_world_destroy(s.world);
    scree_mesh_destroy(mesh);
}

TEST(nonsense_is_refused)
{
    scree_world_def def = plain_def(1e-6);
    def.domain.boundary[0] = SCREE_BOUNDARY_PERIODIC;
    def.domain.upper[0] = 1;
    scene s = open_scene(&def, "hertz", 0.5, 0.5);
    double centre[3] = {0, 0, 0}, volume = 7;

    CHECK_EQUAL(scree_world_solid_volume(NULL, centre, 1, &volume), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_solid_volume(s.world, NULL, 1, &volume), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_solid_volume(s.world, centre, 1, NULL), SCREE_BAD_ARGUMENT);
    for (int k = 0; k < 3; k++) {
        static const double radii[] = {0, -1, NAN};
        CHECK_EQUAL(scree_world_solid_volume(s.world, centre, radii[k], &volume), SCREE_BAD_VALUE);
        CHECK_SAYS(scree_world_message(s.world), "solid volume: radius is ");
    }
    CHECK_EQUAL(scree_world_solid_volume(s.world, centre, 8.1, &volume), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(s.world), "at most 8 periods");
    centre[1] = INFINITY;
    CHECK_EQUAL(scree_world_solid_volume(s.world, centre, 1, &volume), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(s.world), "solid volume: centre[1] is inf");
    CHECK(volume == 7);
    /* where there is no boundary it may be anywhere; else so near that edges can be counted */
    centre[1] = 1e20;
    CHECK_EQUAL(scree_world_solid_volume(s.world, centre, 1, &volume), SCREE_OK);
    CHECK(volume == 0);
    scree_body_def body = body_at(&s, scree_shape_sphere(0.1), 0.5, 0, 0);
    add(&s, &body);
    centre[0] = 1e20;
    CHECK_EQUAL(scree_world_solid_volume(s.world, centre, 1, &volume), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(s.world), "solid volume: centre[0] is 1e+20, must be within");
    centre[0] = -1e12;
    centre[1] = 0;
    CHECK_EQUAL(scree_world_solid_volume(s.world, centre, 0.5, &volume), SCREE_OK);
    CHECK_NEAR(volume, 2 * scree_ball_part_of_ball(0.1, 0.5, 0.5, 3), 1e-3 * volume);
    scree_world_destroy(s.world);
}

TEST(no_request_for_memory_may_fail_badly)
{
    for (size_t k = 1;; k++) {
        failing_allocator memory = {0};
        scree_world_def def = plain_def(1e-6);
        const double centre[3] = {0.01, 0, 0};
        double volume = 7;
        def.hooks.allocator = failing_allocator_hooks(&memory);
        scene s = open_scene(&def, "hertz", 0.5, 0.5);
        scree_clump *clump = jack(0.01, 0.012);
        scree_body_def body = body_at(&s, scree_shape_clump(clump), 0, 0, 0);
        add(&s, &body);
        memory.requests = 0;
        memory.fail_at = k;
        scree_status status = scree_world_solid_volume(s.world, centre, 0.01, &volume);
        bool done = memory.requests < k;
        memory.fail_at = 0;
        CHECK(done ? status == SCREE_OK && volume != 7
                   : status == SCREE_OUT_OF_MEMORY && volume == 7);
        scree_world_destroy(s.world);
        scree_clump_destroy(clump);
        CHECK(failing_allocator_is_clean(&memory));
        if (done)
            break;
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(balls_share_a_lens),
        CASE(boxes_cut_balls_in_closed_forms),
        CASE(parts_of_a_body_add_up),
        CASE(meshes_agree_with_points_thrown_at_random),
        CASE(clumps_are_cut_where_their_pebbles_are),
        CASE(a_dense_packing_has_its_density),
        CASE(bodies_of_all_shapes_are_added_up),
        CASE(images_across_the_boundary_count),
        CASE(images_of_domains_that_tilt_count_once),
        CASE(two_dimensions),
        CASE(nonsense_is_refused),
        CASE(no_request_for_memory_may_fail_badly),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
