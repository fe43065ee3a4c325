/*  What meshes enclose, against closed forms, and whether they pass through themselves, against all pairs. */
#include "base/quaternion.h"
#include "harness/failing_allocator.h"
#include "harness/mesh_maker.h"

static scree_mesh_solid solid_of(const scree_mesh *mesh, double density)
{
    scree_error error = {SCREE_OK, ""};
    scree_mesh_solid solid;
    if (scree_mesh_solid_of(mesh, density, &solid, &error))
        FAIL("%s", error.text);
    return solid;
}

static void check_relative(double value, double wanted, double share)
{
    CHECK_NEAR(value, wanted, share * fabs(wanted));
}

/*  The tensor is what its principal moments make of it. */
static void check_frame(const scree_mesh_solid *s, double share)
{
    double size = s->principal[0] + s->principal[1] + s->principal[2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) {
                double axis[3] = {k == 0, k == 1, k == 2}, turned[3];
                scree_quaternion_turn(s->orientation, axis, turned);
                sum += s->principal[k] * turned[i] * turned[j];
            }
            CHECK_NEAR(sum, s->inertia[i][j], share * size);
        }
}

TEST(boxes)
{
    PROVES("NW-01");
    double lower[3] = {1, -2, 3}, upper[3] = {2, 1, 3.5}, size[3] = {1, 3, 0.5};
    for (int far = 0; far < 2; far++) {
        double shift = far ? 3000 : 0, share = far ? 1e-9 : 1e-12;
        for (int k = 0; k < 3; k++) {
            lower[k] += shift;
            upper[k] += shift;
        }
        maker box = maker_box(lower, upper);
        scree_mesh *mesh = maker_mesh(&box);
        scree_mesh_solid s = solid_of(mesh, 2000);
        check_relative(s.volume, 1.5, share);
        check_relative(s.mass, 3000, share);
        check_relative(s.area, 2 * (3 + 1.5 + 0.5), share);
        CHECK(!s.inward);
        for (int k = 0; k < 3; k++) {
            double b = size[(k + 1) % 3], c = size[(k + 2) % 3];
            check_relative(s.centre[k], 0.5 * (lower[k] + upper[k]), share);
            check_relative(s.principal[k], 3000 * (b * b + c * c) / 12, share);
        }
        CHECK_NEAR(s.orientation[0], 1, 1e-9); /* the mesh's axes are principal */
        check_frame(&s, 1e-12);
        scree_mesh_destroy(mesh);
        maker_free(&box);
    }
}

/*  0, a, b, c along the axes: volume abc / 6, centroid a / 4, and by integration about the corner
    int x^2 = V a^2 / 10, int x y = V a b / 20. */
TEST(tetrahedra)
{
    PROVES("NW-01");
    double side[3] = {1, 2, 3}, v[] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
    uint32_t f[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    for (int inward = 0; inward < 2; inward++) {
        maker m = {v, f, 4, 4};
        for (int i = 0; i < 12 && inward; i += 3) {
            uint32_t swap = f[i];
            f[i] = f[i + 1];
            f[i + 1] = swap;
        }
        scree_mesh *mesh = maker_mesh(&m);
        scree_mesh_solid s = solid_of(mesh, 1);
        CHECK(s.inward == (inward == 1));
        check_relative(s.volume, 1, 1e-12);
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            check_relative(s.centre[k], side[k] / 4, 1e-12);
            /* about the centroid: 1/10 - 1/16 = 3/80, and 1/20 - 1/16 = -1/80 */
            check_relative(s.inertia[k][k], 3.0 / 80 * (side[i] * side[i] + side[j] * side[j]),
                           1e-12);
            check_relative(s.inertia[k][i], side[k] * side[i] / 80, 1e-12);
        }
        check_frame(&s, 1e-13);
        scree_mesh_destroy(mesh);
    }
}

/*  Whatever corner a facet begins with, whatever order they come in, and however the body is turned. */
TEST(order_and_turning_do_not_matter)
{
    scree_random random = scree_random_stream(8, 0);
    double lower[3] = {0, 0, 0}, upper[3] = {1, 2, 4};
    maker box = maker_box(lower, upper);
    for (int round = 0; round < 500; round++) {
        double q[4];
        for (int k = 0; k < 4; k++)
            q[k] = scree_random_range(&random, -1, 1);
        CHECK(scree_quaternion_normalise(q));
        maker turned = maker_box(lower, upper);
        for (size_t v = 0; v < 8; v++)
            scree_quaternion_turn(q, box.vertex + 3 * v, turned.vertex + 3 * v);
        for (uint32_t f = 0; f < 12; f++) {
            uint32_t other = scree_random_below(&random, 12), from = scree_random_below(&random, 3);
            uint32_t kept[3];
            memcpy(kept, turned.facet + 3 * f, sizeof kept);
            memcpy(turned.facet + 3 * f, turned.facet + 3 * other, sizeof kept);
            for (uint32_t c = 0; c < 3; c++)
                turned.facet[3 * other + c] = kept[(c + from) % 3];
        }
        scree_mesh *mesh = maker_mesh(&turned);
        scree_mesh_solid s = solid_of(mesh, 1);
        double wanted[3] = {8 * (4 + 16) / 12.0, 8 * (1 + 16) / 12.0, 8 * (1 + 4) / 12.0};
        double half[3] = {0.5, 1, 2}, centre[3];
        bool used[3] = {false, false, false};
        scree_quaternion_turn(q, half, centre);
        check_relative(s.volume, 8, 1e-12);
        for (int k = 0; k < 3; k++) {
            int found = 0;
            CHECK_NEAR(s.centre[k], centre[k], 1e-12 * 4);
            while (found < 3 && (used[found] || fabs(s.principal[found] - wanted[k]) > 1e-11))
                found++;
            CHECK(found < 3);
            used[found] = true;
        }
        check_frame(&s, 1e-13);
        scree_mesh_destroy(mesh);
        maker_free(&turned);
    }
    maker_free(&box);
}

/*  Balls of ever more facets come to the ball as the square of the facets' size. */
TEST(balls)
{
    PROVES("NW-01");
    double error_before = 1;
    for (uint32_t cuts = 8; cuts <= 64; cuts *= 2) {
        maker ball = maker_ball(cuts);
        scree_mesh *mesh = maker_mesh(&ball);
        scree_mesh_solid s = solid_of(mesh, 1);
        double full = 4.0 / 3 * 3.14159265358979323846, error = 1 - s.volume / full;
        CHECK(error > 0 && error < error_before / 3.8);
        /* symmetric in the axes, though not beyond rounding */
        check_relative(s.principal[1], s.principal[0], 1e-12);
        CHECK_NEAR(s.centre[0], 0, 1e-13);
        CHECK(fabs(s.inertia[0][0] / s.mass - 0.4) < 2 * error);
        error_before = error;
        if (cuts == 64)
            FIGURE("volume of a ball of 64 cuts off by %.1e", error);
        scree_mesh_destroy(mesh);
        maker_free(&ball);
    }
}

/*  A torus of flat facets has no closed form, but a prism ring has: outer box less an inner one turned inside
    out, as cavity. */
TEST(cavities_count_negative)
{
    double lower[3] = {-2, -2, -2}, upper[3] = {2, 2, 2}, low[3] = {-1, -1, -1},
           high[3] = {1, 1, 1};
    maker outer = maker_box(lower, upper), inner = maker_box(low, high), both = maker_new(16, 24);
    for (size_t v = 0; v < 8; v++)
        maker_vertex(&both, outer.vertex[3 * v], outer.vertex[3 * v + 1], outer.vertex[3 * v + 2]);
    for (size_t v = 0; v < 8; v++)
        maker_vertex(&both, inner.vertex[3 * v], inner.vertex[3 * v + 1], inner.vertex[3 * v + 2]);
    for (uint32_t f = 0; f < 12; f++)
        maker_facet(&both, outer.facet[3 * f], outer.facet[3 * f + 1], outer.facet[3 * f + 2]);
    for (uint32_t f = 0; f < 12; f++)
        maker_facet(&both, 8 + inner.facet[3 * f + 1], 8 + inner.facet[3 * f],
                    8 + inner.facet[3 * f + 2]);
    scree_mesh *mesh = maker_mesh(&both);
    scree_mesh_solid s = solid_of(mesh, 1);
    check_relative(s.volume, 64 - 8, 1e-12);
    check_relative(s.principal[2], (64 * 32 - 8 * 8) / 12.0, 1e-12);
    scree_mesh_destroy(mesh);

    /* one facet turned over: of one part it can be told which is right, of two not */
    uint32_t swap = both.facet[0];
    both.facet[0] = both.facet[1];
    both.facet[1] = swap;
    mesh = maker_mesh(&both);
    scree_error error;
    CHECK(scree_mesh_solid_of(mesh, 1, &s, &error) == SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "at 3 edges the facets have opposite orientation");
    scree_mesh_destroy(mesh);
    swap = outer.facet[0];
    outer.facet[0] = outer.facet[1];
    outer.facet[1] = swap;
    mesh = maker_mesh(&outer);
    s = solid_of(mesh, 1);
    check_relative(s.volume, 64, 1e-12);
    scree_mesh_destroy(mesh);
    maker_free(&both);
    maker_free(&inner);
    maker_free(&outer);
}

/*  The projective plane of six vertices: closed, and with one side, so it passes through itself. */
TEST(surfaces_with_one_side_enclose_nothing)
{
    double v[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0.3, 0.2, 1, 1};
    uint32_t f[] = {0, 1, 4, 0, 1, 5, 0, 2, 3, 0, 2, 5, 0, 3, 4,
                    1, 2, 3, 1, 2, 4, 1, 3, 5, 2, 4, 5, 3, 4, 5};
    maker m = {v, f, 6, 10};
    scree_mesh *mesh = maker_mesh(&m);
    scree_mesh_report report;
    scree_mesh_solid s;
    scree_error error;
    CHECK(scree_mesh_check(mesh, &report, NULL) == SCREE_OK);
    CHECK(report.closed && !report.oriented && !report.orientable && report.patches == 1);
    CHECK(report.crossings > 0);
    CHECK(scree_mesh_solid_of(mesh, 1, &s, &error) == SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "the surface has only one side");
    scree_mesh_destroy(mesh);
}

TEST(what_encloses_nothing_is_refused)
{
    double v[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1e-17};
    uint32_t open[] = {0, 1, 2}, flat[] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh;
    scree_mesh_solid s;
    scree_error error;
    def.vertices = v;
    def.vertex_count = 4;
    def.facets = open;
    def.facet_count = 1;
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    CHECK(scree_mesh_solid_of(mesh, 1, &s, &error) == SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "not closed: of 3 edges 3 have one facet and 0 more than two");
    CHECK(scree_mesh_solid_of(NULL, 1, &s, &error) == SCREE_BAD_ARGUMENT);
    CHECK(scree_mesh_solid_of(mesh, 1, NULL, &error) == SCREE_BAD_ARGUMENT);
    scree_mesh_destroy(mesh);
    def.facets = flat;
    def.facet_count = 4;
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    CHECK(scree_mesh_solid_of(mesh, 1, &s, &error) == SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "nothing inside");
    scree_mesh_destroy(mesh);
    v[5] = 1;
    v[10] = 2;
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    double bad[] = {0, -1, (double)NAN, INFINITY, 1e308};
    for (size_t i = 0; i < SCREE_COUNT_OF(bad); i++)
        CHECK(scree_mesh_solid_of(mesh, bad[i], &s, &error) ==
              (i < 4 ? SCREE_BAD_VALUE : SCREE_OK));
    scree_mesh_destroy(mesh);
    for (size_t i = 0; i < 12; i++)
        v[i] *= 1e55;
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    CHECK(scree_mesh_solid_of(mesh, 1e250, &s, &error) == SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "must be above 0 and finite");
    scree_mesh_destroy(mesh);
    def.corners = 2;
    def.facet_count = 1;
    v[2] = v[5] = v[8] = v[11] = 0;
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    CHECK(scree_mesh_solid_of(mesh, 1, &s, &error) == SCREE_BAD_ARGUMENT);
    scree_mesh_report report;
    CHECK(scree_mesh_check(mesh, &report, &error) == SCREE_BAD_ARGUMENT);
    CHECK(scree_mesh_check(NULL, &report, &error) == SCREE_BAD_ARGUMENT);
    CHECK(scree_mesh_check(mesh, NULL, &error) == SCREE_BAD_ARGUMENT);
    scree_mesh_destroy(mesh);
}

/* ---- crossings ---- */

static scree_mesh_report report_of(const maker *m)
{
    scree_mesh *mesh = maker_mesh(m);
    scree_mesh_report report;
    CHECK(scree_mesh_check(mesh, &report, NULL) == SCREE_OK);
    scree_mesh_destroy(mesh);
    return report;
}

TEST(sound_meshes_have_no_crossings)
{
    scree_random random = scree_random_stream(9, 0);
    double lower[3] = {0, 0, 0}, upper[3] = {1, 2, 3};
    maker box = maker_box(lower, upper), ball = maker_ball(20);
    maker plane = maker_plane(20, 1, 0.2, &random);
    scree_mesh_report a = report_of(&box), b = report_of(&ball), c = report_of(&plane);
    CHECK(a.closed && a.oriented && a.orientable && a.patches == 1 && a.crossings == 0);
    CHECK(b.closed && b.oriented && b.orientable && b.patches == 1 && b.crossings == 0);
    CHECK(!c.closed && c.oriented && c.orientable && c.patches == 1 && c.crossings == 0);
    maker_free(&box);
    maker_free(&ball);
    maker_free(&plane);
}

/*  Two boxes as one surface. */
static maker two_of(const maker *a, const maker *b)
{
    maker both = maker_new(16, 24);

    for (size_t v = 0; v < 16; v++) {
        const double *p = v < 8 ? a->vertex + 3 * v : b->vertex + 3 * (v - 8);
        maker_vertex(&both, p[0], p[1], p[2]);
    }
    for (uint32_t f = 0; f < 24; f++) {
        const uint32_t *p = f < 12 ? a->facet + 3 * f : b->facet + 3 * (f - 12);
        uint32_t up = f < 12 ? 0 : 8;
        maker_facet(&both, p[0] + up, p[1] + up, p[2] + up);
    }
    return both;
}

TEST(crossings_are_found)
{
    /* two boxes, one a corner in the other; and two that touch with a face */
    double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1}, low[3] = {0.6, 0.7, 0.8},
           high[3] = {2, 2, 2};
    for (int touch = 0; touch < 2; touch++) {
        if (touch)
            low[0] = 1, low[1] = 0.25, low[2] = 0.25, high[1] = high[2] = 0.75;
        maker a = maker_box(lower, upper), b = maker_box(low, high), both = two_of(&a, &b);
        scree_mesh_report report = report_of(&both);
        CHECK_EQUAL(report.patches, 2);
        CHECK(report.closed && report.oriented);
        CHECK((report.crossings > 0) == !touch);
        CHECK(touch || (report.first[0] < 12 && report.first[1] >= 12));
        maker_free(&a);
        maker_free(&b);
        maker_free(&both);
    }
}

/*  Of two boxes, apart or one in the other, one may be turned inside out. */
static scree_status weigh_two(double from, double to, bool is_turned, double *volume,
                              scree_error *error)
{
    const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
    const double low[3] = {from, from, from}, high[3] = {to, to, to};
    maker a = maker_box(lower, upper), b = maker_box(low, high), both = two_of(&a, &b);
    scree_mesh_solid solid = {0};

    for (uint32_t f = 12; f < 24 && is_turned; f++) {
        uint32_t kept = both.facet[3 * f];
        both.facet[3 * f] = both.facet[3 * f + 1];
        both.facet[3 * f + 1] = kept;
    }
    scree_mesh *mesh = maker_mesh(&both);
    scree_status status = scree_mesh_solid_of(mesh, 1, &solid, error);
    *volume = solid.volume;
    scree_mesh_destroy(mesh);
    maker_free(&a);
    maker_free(&b);
    maker_free(&both);
    return status;
}

TEST(shells_are_turned_as_they_lie)
{
    scree_error error = {SCREE_OK, ""};
    double volume;

    CHECK_EQUAL(weigh_two(2, 4, false, &volume, &error), SCREE_OK);
    CHECK_NEAR(volume, 9, 1e-12);
    CHECK_EQUAL(weigh_two(2, 4, true, &volume, &error), SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "of its 2 closed parts the one of facet 12 is turned the wrong way: it "
                           "lies in 0 others");
    CHECK_EQUAL(weigh_two(2, 3, true, &volume, &error), SCREE_BAD_VALUE);
    /* a cavity */
    CHECK_EQUAL(weigh_two(0.25, 0.75, true, &volume, &error), SCREE_OK);
    CHECK_NEAR(volume, 0.875, 1e-12);
    CHECK_EQUAL(weigh_two(0.25, 0.75, false, &volume, &error), SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "it lies in 1 others, so its normals must point against");
    /* through each other: each for itself */
    CHECK_EQUAL(weigh_two(0.5, 1.5, false, &volume, &error), SCREE_OK);
    CHECK_NEAR(volume, 2, 1e-12);
    CHECK_EQUAL(weigh_two(0.5, 1.5, true, &volume, &error), SCREE_BAD_VALUE);
}

/*  Two cubes of which one is shifted along the diagonal: edges go through edges alone. */
TEST(crossings_at_edges_are_found)
{
    static const double shifts[] = {0.25, 0.4, 0.5, 0.75};

    for (size_t k = 0; k < sizeof shifts / sizeof *shifts; k++) {
        const double h = shifts[k], lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
        const double low[3] = {h, h, h}, high[3] = {1 + h, 1 + h, 1 + h};
        maker a = maker_box(lower, upper), b = maker_box(low, high), both = two_of(&a, &b);
        scree_mesh_report report = report_of(&both);
        CHECK(report.crossings > 0);
        maker_free(&a);
        maker_free(&b);
        maker_free(&both);
    }
}

/*  Random soups of facets, some with common corners: as many as a look at all pairs finds, by solving for the
    point where an edge meets a plane. */
static bool edge_meets(const double *p, const double *q, const double *a, const double *b,
                       const double *c)
{
    double u[3], v[3], n[3], before = 0, behind = 0, point[3], w[3];
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    for (int k = 0; k < 3; k++) {
        before += n[k] * (p[k] - a[k]);
        behind += n[k] * (q[k] - a[k]);
    }
    if (before * behind >= 0)
        return false;
    for (int k = 0; k < 3; k++) {
        point[k] = p[k] + (q[k] - p[k]) * before / (before - behind);
        w[k] = point[k] - a[k];
    }
    double uu = 0, uv = 0, vv = 0, wu = 0, wv = 0;
    for (int k = 0; k < 3; k++) {
        uu += u[k] * u[k];
        uv += u[k] * v[k];
        vv += v[k] * v[k];
        wu += w[k] * u[k];
        wv += w[k] * v[k];
    }
    double s = (wu * vv - wv * uv) / (uu * vv - uv * uv);
    double t = (wv * uu - wu * uv) / (uu * vv - uv * uv);
    return s > 0 && t > 0 && s + t < 1;
}

TEST(crossings_equal_those_of_all_pairs)
{
    scree_random random = scree_random_stream(10, 0);
    for (int round = 0; round < 200; round++) {
        enum
        {
            VERTICES = 20,
            FACETS = 24
        };
        maker m = maker_new(VERTICES, FACETS);
        for (int v = 0; v < VERTICES; v++)
            maker_vertex(&m, scree_random_unit(&random), scree_random_unit(&random),
                         scree_random_unit(&random));
        for (int f = 0; f < FACETS; f++) {
            uint32_t a = scree_random_below(&random, VERTICES), b, c;
            do
                b = scree_random_below(&random, VERTICES);
            while (b == a);
            do
                c = scree_random_below(&random, VERTICES);
            while (c == a || c == b);
            maker_facet(&m, a, b, c);
        }
        scree_mesh *mesh = maker_mesh(&m);
        scree_mesh_info info = scree_mesh_describe(mesh);
        scree_mesh_report report;
        uint32_t crossings = 0;
        CHECK(scree_mesh_check(mesh, &report, NULL) == SCREE_OK);
        for (uint32_t f = 0; f < info.facet_count; f++)
            for (uint32_t g = f + 1; g < info.facet_count; g++) {
                const uint32_t *x = info.facets + 3 * (size_t)f, *y = info.facets + 3 * (size_t)g;
                bool crosses = false;
                int common = 0;
                for (int i = 0; i < 9; i++)
                    common += x[i / 3] == y[i % 3];
                for (int side = 0; side < 2 && common < 2; side++) {
                    const uint32_t *e = side ? y : x, *t = side ? x : y;
                    for (int i = 0; i < 3; i++) {
                        uint32_t p = e[i], q = e[(i + 1) % 3];
                        if (p == t[0] || p == t[1] || p == t[2] || q == t[0] || q == t[1] ||
                            q == t[2])
                            continue;
                        crosses |= edge_meets(
                            info.vertices + 3 * (size_t)p, info.vertices + 3 * (size_t)q,
                            info.vertices + 3 * (size_t)t[0], info.vertices + 3 * (size_t)t[1],
                            info.vertices + 3 * (size_t)t[2]);
                    }
                }
                crossings += crosses;
            }
        CHECK_EQUAL(report.crossings, crossings);
        CHECK(crossings > 0);
        scree_mesh_destroy(mesh);
        maker_free(&m);
    }
}

TEST(strips_with_one_side_are_told)
{
    /* Moebius: five squares around, the last joined to the first upside down */
    enum
    {
        N = 12
    };
    maker m = maker_new(2 * N, 2 * N);
    for (int i = 0; i < N; i++) {
        double turn = 2 * 3.14159265358979323846 * i / N, half = turn / 2;
        for (int side = -1; side < 2; side += 2)
            maker_vertex(&m, (2 + side * 0.5 * cos(half)) * cos(turn),
                         (2 + side * 0.5 * cos(half)) * sin(turn), side * 0.5 * sin(half));
    }
    for (uint32_t i = 0; i < N; i++) {
        uint32_t a = 2 * i, b = a + 1, c = i + 1 < N ? a + 2 : 1, d = i + 1 < N ? a + 3 : 0;
        maker_facet(&m, a, b, c);
        maker_facet(&m, b, d, c);
    }
    scree_mesh_report report = report_of(&m);
    CHECK(!report.closed && !report.orientable && report.patches == 1 && report.crossings == 0);
    maker_free(&m);
}

TEST(memory_for_shells_may_run_out)
{
    const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1}, low[3] = {2, 2, 2},
                 high[3] = {3, 3, 3};
    maker a = maker_box(lower, upper), b = maker_box(low, high), both = two_of(&a, &b);

    for (size_t k = 1; k < 4; k++) {
        failing_allocator memory = {0};
        scree_mesh_def def = maker_def(&both);
        scree_error error = {SCREE_OK, ""};
        scree_mesh_solid solid;
        scree_mesh *mesh;
        def.allocator = failing_allocator_hooks(&memory);
        CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
        memory.requests = 0;
        memory.fail_at = k;
        CHECK_EQUAL(scree_mesh_solid_of(mesh, 1, &solid, &error),
                    k < 3 ? SCREE_OUT_OF_MEMORY : SCREE_OK);
        scree_mesh_destroy(mesh);
        CHECK(failing_allocator_is_clean(&memory));
    }
    maker_free(&a);
    maker_free(&b);
    maker_free(&both);
}

TEST(memory_for_the_check_may_run_out)
{
    maker ball = maker_ball(3);
    for (size_t k = 1;; k++) {
        failing_allocator memory = {0};
        scree_mesh_def def = maker_def(&ball);
        scree_error error = {SCREE_OK, ""};
        scree_mesh_report report;
        scree_mesh *mesh;
        def.allocator = failing_allocator_hooks(&memory);
        CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
        memory.requests = 0;
        memory.fail_at = k;
        scree_status status = scree_mesh_check(mesh, &report, &error);
        CHECK(status == (memory.requests < k ? SCREE_OK : SCREE_OUT_OF_MEMORY));
        scree_mesh_destroy(mesh);
        CHECK(failing_allocator_is_clean(&memory));
        if (!status)
            break;
    }
    maker_free(&ball);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(boxes),
        CASE(tetrahedra),
        CASE(order_and_turning_do_not_matter),
        CASE(balls),
        CASE(cavities_count_negative),
        CASE(surfaces_with_one_side_enclose_nothing),
        CASE(what_encloses_nothing_is_refused),
        CASE(sound_meshes_have_no_crossings),
        CASE(crossings_are_found),
        CASE(crossings_at_edges_are_found),
        CASE(shells_are_turned_as_they_lie),
        CASE(memory_for_shells_may_run_out),
        CASE(crossings_equal_those_of_all_pairs),
        CASE(strips_with_one_side_are_told),
        CASE(memory_for_the_check_may_run_out),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
