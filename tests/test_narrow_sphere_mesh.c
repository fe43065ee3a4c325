/*  Contacts of spheres with meshes: exact cases; planes cut at random; and bumpy surfaces against a slow twin
    that walks down the surface to each local minimum. Sides and memory over many steps. */
#include "narrow/sphere_mesh.h"

#include "base/quaternion.h"
#include "failing_allocator.h"
#include "mesh_maker.h"
#include "slow_nearest.h"

/* ---- a sphere at a mesh, step by step ---- */

typedef struct grain
{
    scree_memory memory;
    scree_sphere_mesh work;
    scree_facet_list near;
    scree_mesh_memory old[64];
    size_t old_count;
} grain;

static void grain_begin(grain *g)
{
    memset(g, 0, sizeof *g);
    CHECK(scree_memory_init(&g->memory, NULL) == SCREE_OK);
}

static void grain_end(grain *g)
{
    scree_sphere_mesh_free(&g->work, &g->memory);
    scree_facet_list_free(&g->near, &g->memory);
    CHECK_EQUAL(g->memory.bytes, 0);
}

/*  One step at `centre`, with what was remembered; contacts are in g->work. */
static size_t grain_step(grain *g, const scree_mesh *mesh, const double centre[3], double radius)
{
    CHECK(scree_mesh_near(mesh, centre, 1.3 * radius, &g->memory, &g->near) == SCREE_OK);
    CHECK(scree_sphere_mesh_contacts(&g->work, &g->memory, mesh, NULL, g->near.facet, g->near.count,
                                     centre, radius, g->old, g->old_count) == SCREE_OK);
    CHECK(g->work.count <= SCREE_COUNT_OF(g->old));
    for (size_t i = 0; i < g->work.count; i++) {
        const scree_mesh_contact *c = &g->work.contacts[i];
        CHECK_NEAR(c->normal[0] * c->normal[0] + c->normal[1] * c->normal[1] +
                       c->normal[2] * c->normal[2],
                   1, 1e-12);
        CHECK(c->overlap > 0);
        CHECK(c->from == SCREE_NO_CONTACT || c->from < g->old_count);
        for (size_t j = 0; j < i; j++)
            CHECK(c->from == SCREE_NO_CONTACT || c->from != g->work.contacts[j].from);
        g->old[i] = c->memory;
    }
    g->old_count = g->work.count;
    return g->work.count;
}

static size_t grain_fresh(grain *g, const scree_mesh *mesh, double x, double y, double z,
                          double radius)
{
    double centre[3] = {x, y, z};
    g->old_count = 0;
    return grain_step(g, mesh, centre, radius);
}

static const scree_mesh_contact *only(const grain *g)
{
    CHECK_EQUAL(g->work.count, 1);
    return g->work.contacts;
}

static void check_contact(const scree_mesh_contact *c, double x, double y, double z, double overlap,
                          double tolerance)
{
    CHECK_NEAR(c->normal[0], x, tolerance);
    CHECK_NEAR(c->normal[1], y, tolerance);
    CHECK_NEAR(c->normal[2], z, tolerance);
    CHECK_NEAR(c->overlap, overlap, tolerance * 1.0);
}

static void turn_maker(maker *m, const double q[4], const double shift[3])
{
    for (size_t i = 0; i < m->vertex_count; i++) {
        scree_quaternion_turn(q, m->vertex + 3 * i, m->vertex + 3 * i);
        for (size_t k = 0; k < 3; k++)
            m->vertex[3 * i + k] += shift[k];
    }
}

static void random_turn(scree_random *random, double q[4])
{
    for (int k = 0; k < 4; k++)
        q[k] = scree_random_normal(random);
    CHECK(scree_quaternion_normalise(q));
}

/* ---- planes ---- */

/*  A place over the plane: anywhere, on an edge, on a vertex, or next to one. */
static void place_over(const maker *m, scree_random *random, double p[2])
{
    const uint32_t *f = m->facet + 3 * (size_t)scree_random_below(random, m->facet_count);
    double share[3] = {scree_random_unit(random), scree_random_unit(random), 0};
    uint32_t kind = scree_random_below(random, 5);
    if (kind == 0) { /* a vertex, exactly */
        share[0] = 1;
        share[1] = 0;
    } else if (kind == 1) { /* on an edge */
        share[1] = 1 - share[0];
    } else if (kind == 2) { /* next to an edge, down to the last bits */
        share[1] = 1 - share[0] - scree_random_log_uniform(random, 1e-17, 1e-3);
    } else if (kind == 3) { /* next to a vertex */
        share[0] = 1 - scree_random_log_uniform(random, 1e-17, 1e-3);
        share[1] = 1 - share[0];
    } else if (share[0] + share[1] > 1) {
        share[0] = 1 - share[0];
        share[1] = 1 - share[1];
    }
    share[2] = 1 - share[0] - share[1];
    for (size_t k = 0; k < 2; k++)
        p[k] = share[0] * m->vertex[3 * (size_t)f[0] + k] +
               share[1] * m->vertex[3 * (size_t)f[1] + k] +
               share[2] * m->vertex[3 * (size_t)f[2] + k];
}

static void check_over_plane(uint32_t cells, double jitter, int places, uint64_t seed, bool turned)
{
    scree_random random = scree_random_stream(seed, cells);
    maker m = maker_plane(cells, 10, jitter, &random);
    double q[4] = {1, 0, 0, 0}, shift[3] = {0, 0, 0}, radius = 0.5, up[3] = {0, 0, 1};
    maker there = maker_soup(&m, 0, &random);
    if (turned) {
        random_turn(&random, q);
        for (int k = 0; k < 3; k++)
            shift[k] = scree_random_range(&random, -10, 10);
        turn_maker(&there, q, shift);
        scree_quaternion_turn(q, up, up);
    }
    scree_mesh *mesh = maker_mesh(&there);
    CHECK_EQUAL(mesh->facet_count, 2 * cells * cells);
    grain g;
    grain_begin(&g);
    for (int i = 0; i < places; i++) {
        double p[2], height = radius * (1 - scree_random_log_uniform(&random, 1e-6, 0.9));
        place_over(&m, &random, p);
        if (scree_random_below(&random, 2))
            height = -height;
        double centre[3] = {p[0], p[1], height};
        scree_quaternion_turn(q, centre, centre);
        for (int k = 0; k < 3; k++)
            centre[k] += shift[k];
        grain_fresh(&g, mesh, centre[0], centre[1], centre[2], radius);
        if (g.work.count != 1)
            FAIL("%zu contacts at %.17g %.17g %.17g, cells %u", g.work.count, p[0], p[1], height,
                 cells);
        double sign = height > 0 ? -1 : 1;
        /* 1e-12 of the radius; where the mesh is turned, its vertices (up to 20) are rounded, which tilts a
           facet by that over its height */
        double tolerance = 1e-12 * (turned ? 1 + 1e-3 * cells * cells : 1);
        check_contact(only(&g), sign * up[0], sign * up[1], sign * up[2], radius - fabs(height),
                      tolerance);
    }
    grain_end(&g);
    scree_mesh_destroy(mesh);
    maker_free(&m);
    maker_free(&there);
}

TEST(over_a_plane_there_is_one_contact_everywhere)
{
    check_over_plane(1, 0, 20000, 1, false);
    check_over_plane(10, 0, 20000, 2, false);
    check_over_plane(10, 0.24, 20000, 3, false);
    check_over_plane(100, 0, 20000, 4, false);
    check_over_plane(100, 0.24, 20000, 5, false);
}

TEST(over_a_plane_that_is_turned_and_rounded_as_well)
{
    for (uint64_t seed = 0; seed < 4; seed++) {
        check_over_plane(1, 0, 3000, seed, true);
        check_over_plane(10, 0.24, 3000, seed, true);
        check_over_plane(100, 0.24, 3000, seed, true);
    }
}

/*  Vertices in single precision, as in STL files, make concave edges of 1e-5 radians. */
TEST(over_a_plane_from_a_file_in_single_precision)
{
    scree_random random = scree_random_stream(19, 0);
    for (int round = 0; round < 4; round++) {
        maker m = maker_plane(30, 10, 0.2, &random), there = maker_soup(&m, 0, &random);
        double q[4], shift[3] = {0, 0, 0}, up[3] = {0, 0, 1};
        random_turn(&random, q);
        scree_quaternion_turn(q, up, up);
        turn_maker(&there, q, shift);
        for (size_t i = 0; i < 3 * (size_t)there.vertex_count; i++)
            there.vertex[i] = (double)(float)there.vertex[i];
        scree_mesh *mesh = maker_mesh(&there);
        grain g;
        grain_begin(&g);
        for (int i = 0; i < 5000; i++) {
            double c[3] = {0, 0, i & 1 ? 0.45 : -0.3};
            place_over(&m, &random, c);
            if (c[0] < 1e-5 || c[0] > 10 - 1e-5 || c[1] < 1e-5 || c[1] > 10 - 1e-5)
                continue; /* rounded away from under the centre */
            scree_quaternion_turn(q, c, c);
            CHECK_EQUAL(grain_fresh(&g, mesh, c[0], c[1], c[2], 0.5), 1);
            double sign = i & 1 ? -1 : 1;
            check_contact(only(&g), sign * up[0], sign * up[1], sign * up[2], i & 1 ? 0.05 : 0.2,
                          3e-5);
        }
        grain_end(&g);
        scree_mesh_destroy(mesh);
        maker_free(&m);
        maker_free(&there);
    }
}

/*  Fans of slivers about a vertex: the sphere over it, and over all of them. */
TEST(over_fans_and_slivers_there_is_one_contact)
{
    for (uint32_t count = 5; count <= 5000; count *= 10) {
        scree_random random = scree_random_stream(6, count);
        maker m = maker_new(count + 1, count);
        maker_vertex(&m, 0, 0, 0);
        for (uint32_t i = 0; i < count; i++) {
            double a = (i + 0.9 * scree_random_unit(&random)) * 6.28318530717958648 / count;
            maker_vertex(&m, cos(a), sin(a), 0);
        }
        for (uint32_t i = 0; i < count; i++)
            maker_facet(&m, 0, 1 + i, 1 + (i + 1) % count);
        scree_mesh *mesh = maker_mesh(&m);
        grain g;
        grain_begin(&g);
        for (int i = 0; i < 1000; i++) {
            double away = i == 0 ? 0 : scree_random_log_uniform(&random, 1e-15, 0.3);
            double a = scree_random_range(&random, 0, 6.3);
            CHECK_EQUAL(grain_fresh(&g, mesh, away * cos(a), away * sin(a), 0.2, 0.3), 1);
            check_contact(only(&g), 0, 0, -1, 0.1, 1e-12);
        }
        grain_end(&g);
        scree_mesh_destroy(mesh);
        maker_free(&m);
    }
}

/*  Two sheets of one plane, cut differently along the line where they meet, so that vertices of one lie in
    edges of the other; and with a gap that a file's rounding would make. */
TEST(sheets_that_meet_without_shared_vertices_are_one)
{
    double gaps[] = {0, 1e-9, -1e-9};
    for (size_t which = 0; which < 3; which++) {
        scree_random random = scree_random_stream(7, which);
        maker a = maker_plane(3, 3, 0.2, &random), b = maker_plane(7, 3, 0.2, &random);
        maker both = maker_new(16 + 64, 18 + 98);
        for (uint32_t i = 0; i < a.vertex_count; i++)
            maker_vertex(&both, a.vertex[3 * i], a.vertex[3 * i + 1], 0);
        for (uint32_t i = 0; i < b.vertex_count; i++)
            maker_vertex(&both, b.vertex[3 * i] + 3 + gaps[which], b.vertex[3 * i + 1], 0);
        for (uint32_t i = 0; i < 54; i += 3)
            maker_facet(&both, a.facet[i], a.facet[i + 1], a.facet[i + 2]);
        for (uint32_t i = 0; i < 294; i += 3)
            maker_facet(&both, b.facet[i] + 16, b.facet[i + 1] + 16, b.facet[i + 2] + 16);
        scree_mesh_def def = maker_def(&both);
        scree_mesh *mesh;
        def.weld = 1e-12;
        CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
        grain g;
        grain_begin(&g);
        for (int i = 0; i < 5000; i++) {
            double near = scree_random_log_uniform(&random, 1e-17, 0.5);
            double x = 3 + (i & 1 ? near : -near), y = scree_random_range(&random, 0.1, 2.9);
            if (i % 7 == 0)
                y = 3.0 / 7.0 * (1 + scree_random_below(&random, 6));
            if (i % 11 == 0)
                x = 3;
            CHECK_EQUAL(grain_fresh(&g, mesh, x, y, 0.4, 0.5), 1);
            /* over a gap of 1e-9 the nearest point is off by up to that */
            check_contact(only(&g), 0, 0, -1, 0.1, gaps[which] == 0 ? 1e-12 : 3e-9);
        }
        g.old_count = 0; /* and what is remembered goes across */
        for (int i = 0; i <= 200; i++) {
            double c[3] = {2.5 + i * 0.005, 1.1 + i * 0.003, 0.4};
            grain_step(&g, mesh, c, 0.5);
            CHECK((only(&g)->from == 0) == (i > 0));
        }
        grain_end(&g);
        scree_mesh_destroy(mesh);
        maker_free(&a);
        maker_free(&b);
        maker_free(&both);
    }
}

/* ---- boxes ---- */

TEST(a_box_from_outside)
{
    double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1}, r = 0.3, s = sqrt(0.5), t = sqrt(1.0 / 3);
    maker m = maker_box(lower, upper);
    scree_mesh *mesh = maker_mesh(&m);
    grain g;
    grain_begin(&g);
    grain_fresh(&g, mesh, 0.4, 0.7, 1.2, r);
    check_contact(only(&g), 0, 0, -1, 0.1, 1e-15);
    CHECK(only(&g)->memory.feature == SCREE_ON_FACE && only(&g)->memory.side == 1);
    grain_fresh(&g, mesh, 0.4, 0.4, 1.2, r); /* over the diagonal */
    check_contact(only(&g), 0, 0, -1, 0.1, 1e-15);
    grain_fresh(&g, mesh, 0.4, 1.1, 1.1, r); /* an edge */
    check_contact(only(&g), 0, -s, -s, r - sqrt(0.02), 1e-14);
    CHECK(only(&g)->memory.feature >= SCREE_ON_EDGE && only(&g)->memory.feature < SCREE_ON_VERTEX);
    CHECK(only(&g)->memory.side == 1);
    grain_fresh(&g, mesh, 1.1, 1.1, 1.1, r); /* a vertex */
    check_contact(only(&g), -t, -t, -t, r - sqrt(0.03), 1e-14);
    CHECK(only(&g)->memory.feature >= SCREE_ON_VERTEX && only(&g)->memory.side == 1);
    CHECK_NEAR(only(&g)->memory.point[1], 1, 0);
    CHECK_EQUAL(grain_fresh(&g, mesh, 0.5, 0.5, 1.3, r), 0); /* touching is not overlap */
    CHECK_EQUAL(grain_fresh(&g, mesh, 1.2, 1.2, 1.2, r), 0);
    CHECK_EQUAL(grain_fresh(&g, mesh, 9, 9, 9, r), 0);
    /* one that is larger than the box still meets one side */
    grain_fresh(&g, mesh, 0.5, 0.5, 4, 3.5);
    check_contact(only(&g), 0, 0, -1, 0.5, 1e-14);
    grain_end(&g);
    scree_mesh_destroy(mesh);
    maker_free(&m);
}

TEST(a_box_from_inside_has_a_contact_for_each_wall_in_reach)
{
    double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
    scree_random random = scree_random_stream(8, 0);
    maker m = maker_box(lower, upper);
    scree_mesh *mesh = maker_mesh(&m);
    grain g;
    grain_begin(&g);
    for (int i = 0; i < 20000; i++) {
        double c[3], r = scree_random_range(&random, 0.05, 0.6);
        size_t wanted = 0;
        for (int k = 0; k < 3; k++) {
            c[k] = scree_random_range(&random, 0.01, 0.99);
            if (scree_random_below(&random, 4) == 0)
                c[k] = 0.5;
            wanted += (size_t)(c[k] < r) + (1 - c[k] < r);
        }
        if (scree_random_below(&random, 4) == 0) { /* over a diagonal */
            wanted += 2 * ((size_t)(c[0] < r) + (1 - c[0] < r));
            wanted -= (size_t)(c[0] < r) + (1 - c[0] < r) + (c[1] < r) + (1 - c[1] < r);
            c[1] = c[0];
        }
        CHECK_EQUAL(grain_fresh(&g, mesh, c[0], c[1], c[2], r), wanted);
        for (size_t j = 0; j < g.work.count; j++) {
            const scree_mesh_contact *contact = &g.work.contacts[j];
            double out = 0, gap = 0;
            for (int k = 0; k < 3; k++) {
                out += fabs(contact->normal[k]);
                gap += contact->normal[k] > 0.5 ? 1 - c[k] : contact->normal[k] < -0.5 ? c[k] : 0;
            }
            CHECK_NEAR(out, 1, 1e-12);
            CHECK_NEAR(contact->overlap, r - gap, 1e-14);
            CHECK_EQUAL(contact->memory.side, -1);
        }
    }
    grain_end(&g);
    scree_mesh_destroy(mesh);
    maker_free(&m);
}

/*  A plate thinner than the overlap: its far side is nearer than the radius, but behind the near one. */
TEST(what_is_hidden_behind_a_nearer_wall_does_not_count)
{
    double lower[3] = {-1, -1, -0.01}, upper[3] = {1, 1, 0};
    maker m = maker_box(lower, upper);
    scree_mesh *mesh = maker_mesh(&m);
    grain g;
    grain_begin(&g);
    for (double x = -0.9; x < 0.9; x += 0.01)
        for (double y = -0.9; y < 0.9; y += 0.1) {
            grain_fresh(&g, mesh, x, y, 0.25, 0.3);
            check_contact(only(&g), 0, 0, -1, 0.05, 1e-14);
        }
    grain_end(&g);
    scree_mesh_destroy(mesh);
    maker_free(&m);
}

/* ---- against the slow twin ---- */

/*  From a facet's nearest point to that of a nearer facet which contains it, until there is none. */
static void walk_down(const scree_mesh *mesh, uint32_t facet, const double c[3],
                      long double point[3])
{
    long double best = nearest_slowly(mesh, facet, c, point);
    for (bool moved = true; moved;) {
        double place[3];
        moved = false;
        for (int k = 0; k < 3; k++)
            place[k] = (double)((long double)c[k] + point[k]);
        for (uint32_t f = 0; f < mesh->facet_count && !moved; f++) {
            long double unused[3], other[3];
            if (nearest_slowly(mesh, f, place, unused) > 1e-26L)
                continue;
            long double d_sq = nearest_slowly(mesh, f, c, other);
            if (d_sq < best - 1e-15L) {
                best = d_sq;
                memcpy(point, other, sizeof other);
                moved = true;
            }
        }
    }
}

/*  Whether some facet crosses the way from the centre to the point, well before its end. */
static bool is_hidden_slowly(const scree_mesh *mesh, const double c[3], const long double point[3])
{
    for (uint32_t f = 0; f < mesh->facet_count; f++) {
        const double *n = mesh->normals + 3 * (size_t)f;
        const double *a = mesh->vertices + 3 * (size_t)mesh->facets[3 * (size_t)f];
        long double h = 0, way = 0, unused[3];
        double at[3];
        for (int k = 0; k < 3; k++) {
            h += (long double)n[k] * ((long double)a[k] - (long double)c[k]);
            way += (long double)n[k] * point[k];
        }
        if (way == 0 || h / way <= 0 || h / way > 1 - 1e-5L)
            continue;
        for (int k = 0; k < 3; k++)
            at[k] = (double)((long double)c[k] + point[k] * (h / way));
        if (nearest_slowly(mesh, f, at, unused) < 1e-16L)
            return true;
    }
    return false;
}

static void check_against_walks(const scree_mesh *mesh, grain *g, const double c[3], double r)
{
    bool met[64] = {false};
    g->old_count = 0;
    grain_step(g, mesh, c, r);
    for (uint32_t f = 0; f < mesh->facet_count; f++) {
        long double point[3], length_sq = 0;
        bool found = false;
        if (nearest_slowly(mesh, f, c, point) >= (long double)r * (long double)r)
            continue;
        walk_down(mesh, f, c, point);
        for (size_t i = 0; i < g->work.count; i++) {
            long double apart = 0;
            for (int k = 0; k < 3; k++) {
                long double d =
                    (long double)g->work.contacts[i].memory.point[k] - (long double)c[k] - point[k];
                apart += d * d;
            }
            if (apart < 4e-8L * (long double)r * (long double)r)
                met[i] = found = true;
        }
        for (int k = 0; k < 3; k++)
            length_sq += point[k] * point[k];
        if (!found && !is_hidden_slowly(mesh, c, point))
            FAIL("a local minimum is missing: %Lg %Lg %Lg, at %.17g of %g, centre %.17g %.17g "
                 "%.17g",
                 point[0], point[1], point[2], (double)sqrtl(length_sq), r, c[0], c[1], c[2]);
    }
    for (size_t i = 0; i < g->work.count; i++)
        if (!met[i])
            FAIL("contact %zu is no local minimum: facet %u, feature %u", i,
                 g->work.contacts[i].memory.facet, g->work.contacts[i].memory.feature);
}

TEST(bumpy_surfaces_agree_with_walks_down_to_each_minimum)
{
    scree_random random = scree_random_stream(9, 0);
    size_t contacts = 0;
    for (int round = 0; round < 40; round++) {
        maker m;
        double bumps = round % 4 * 0.15;
        if (round & 1) {
            m = maker_plane(6, 2, 0.3, &random);
            for (size_t i = 0; i < m.vertex_count; i++)
                m.vertex[3 * i + 2] = scree_random_range(&random, -bumps, bumps);
        } else {
            maker ball = maker_ball(3);
            scree_mesh *welded = maker_mesh(&ball);
            m = maker_new(welded->vertex_count, welded->facet_count);
            m.vertex_count = welded->vertex_count;
            m.facet_count = welded->facet_count;
            memcpy(m.facet, welded->facets, 3 * (size_t)m.facet_count * sizeof(uint32_t));
            for (size_t i = 0; i < m.vertex_count; i++)
                for (size_t k = 0; k < 3; k++)
                    m.vertex[3 * i + k] =
                        welded->vertices[3 * i + k] + scree_random_range(&random, -bumps, bumps);
            scree_mesh_destroy(welded);
            maker_free(&ball);
        }
        scree_mesh *mesh = maker_mesh(&m);
        grain g;
        grain_begin(&g);
        for (int i = 0; i < 60; i++) {
            double c[3], r = scree_random_range(&random, 0.1, 0.6);
            const double *v =
                mesh->vertices + 3 * (size_t)scree_random_below(&random, mesh->vertex_count);
            for (int k = 0; k < 3; k++)
                c[k] = v[k] + scree_random_range(&random, -0.4, 0.4);
            check_against_walks(mesh, &g, c, r);
            contacts += g.work.count;
        }
        grain_end(&g);
        scree_mesh_destroy(mesh);
        maker_free(&m);
    }
    CHECK(contacts > 2000);
}

TEST(the_order_of_candidates_does_not_matter)
{
    scree_random random = scree_random_stream(10, 0);
    maker m = maker_plane(8, 2, 0.3, &random);
    for (size_t i = 0; i < m.vertex_count; i++)
        m.vertex[3 * i + 2] = scree_random_range(&random, -0.2, 0.2);
    scree_mesh *mesh = maker_mesh(&m);
    grain g;
    grain_begin(&g);
    for (int i = 0; i < 500; i++) {
        double c[3] = {scree_random_range(&random, 0, 2), scree_random_range(&random, 0, 2),
                       scree_random_range(&random, -0.5, 0.5)};
        scree_mesh_contact first[64];
        size_t count = grain_fresh(&g, mesh, c[0], c[1], c[2], 0.5);
        memcpy(first, g.work.contacts, count * sizeof *first);
        for (int again = 0; again < 4; again++) {
            for (size_t j = g.near.count; j > 1; j--) {
                uint32_t k = scree_random_below(&random, (uint32_t)j);
                uint32_t swap = g.near.facet[k];
                g.near.facet[k] = g.near.facet[j - 1];
                g.near.facet[j - 1] = swap;
            }
            CHECK(scree_sphere_mesh_contacts(&g.work, &g.memory, mesh, NULL, g.near.facet,
                                             g.near.count, c, 0.5, NULL, 0) == SCREE_OK);
            CHECK_EQUAL(g.work.count, count);
            for (size_t j = 0; j < count; j++) {
                const scree_mesh_contact *a = &first[j], *b = &g.work.contacts[j];
                CHECK(a->memory.facet == b->memory.facet && a->overlap == b->overlap &&
                      a->memory.feature == b->memory.feature && a->memory.side == b->memory.side &&
                      same_bits(a->normal, b->normal, sizeof a->normal) &&
                      same_bits(a->memory.point, b->memory.point, sizeof a->normal));
            }
        }
    }
    grain_end(&g);
    scree_mesh_destroy(mesh);
    maker_free(&m);
}

/* ---- sides ---- */

TEST(a_grain_that_is_pressed_through_is_still_pushed_back)
{
    scree_random random = scree_random_stream(11, 0);
    uint32_t cuts[] = {1, 10, 60};
    for (size_t which = 0; which < 3; which++) {
        maker m = maker_plane(cuts[which], 10, 0.3, &random);
        scree_mesh *mesh = maker_mesh(&m);
        grain g;
        grain_begin(&g);
        for (int i = 0; i < 200; i++) {
            double p[2], r = 0.4, c[3], sign = i & 1 ? 1 : -1;
            place_over(&m, &random, p);
            if (p[0] < 1 || p[0] > 9 || p[1] < 1 || p[1] > 9)
                continue;
            double drift = i % 3 ? scree_random_range(&random, -0.01, 0.01) : 0;
            g.old_count = 0;
            for (int step = 0; step <= 80; step++) {
                /* down to 0.8 of the radius behind the plane, and back up */
                double height = r * (0.9 - 1.7 / 40 * (step < 40 ? step : 80 - step));
                c[0] = p[0] + drift * step;
                c[1] = p[1];
                c[2] = sign * height;
                grain_step(&g, mesh, c, r);
                check_contact(only(&g), 0, 0, -sign, r - height, 1e-12);
                CHECK((only(&g)->from == 0) == (step > 0));
                CHECK_EQUAL(only(&g)->memory.side, sign);
            }
        }
        grain_end(&g);
        scree_mesh_destroy(mesh);
        maker_free(&m);
    }
}

/*  Along a random walk around a convex body, and up to 0.8 of the radius into it, there is one contact, whose
    overlap changes no faster than the centre moves: nothing jumps at edges, at vertices, nor as the centre
    passes into the body. */
static void check_walk_around(const scree_mesh *mesh, uint64_t seed, double extent, double r,
                              double depth)
{
    scree_random random = scree_random_stream(12, seed);
    grain g;
    grain_begin(&g);
    for (int walk = 0; walk < 40; walk++) {
        double c[3], last = 0, way[3] = {0, 0, 0};
        size_t steps = 0;
        for (int k = 0; k < 3; k++)
            c[k] = 0;
        c[walk % 3] = (walk & 4 ? -1 : 1) * (extent + 0.7 * r);
        g.old_count = 0;
        for (int step = 0; step < 2000; step++) {
            double moved = 0, before[3] = {c[0], c[1], c[2]};
            scree_mesh_memory old = g.old[0];
            size_t old_count = g.old_count;
            for (int k = 0; k < 3; k++) {
                way[k] = 0.97 * way[k] + scree_random_normal(&random) * 0.002 * r;
                c[k] += way[k];
                moved += way[k] * way[k];
            }
            grain_step(&g, mesh, c, r);
            const scree_mesh_contact *now = g.work.contacts;
            if (g.work.count != 1 || now->overlap > r + depth || now->overlap < 0.02 * r) {
                /* away again, the way it came */
                if (g.work.count > 1)
                    FAIL("%zu contacts in step %d of walk %d", g.work.count, step, walk);
                memcpy(c, before, sizeof c);
                for (int k = 0; k < 3; k++)
                    way[k] = -way[k];
                moved = 0;
                g.old[0] = old;
                g.old_count = old_count;
                grain_step(&g, mesh, c, r);
                now = g.work.contacts;
            }
            CHECK_EQUAL(g.work.count, 1);
            CHECK_EQUAL(now->memory.side, 1);
            if (step > 0) {
                CHECK_EQUAL(now->from, 0);
                if (!(fabs(now->overlap - last) <= sqrt(moved) + 1e-12))
                    FAIL("overlap from %g to %g, moved %g, step %d of walk %d", last, now->overlap,
                         sqrt(moved), step, walk);
            }
            last = now->overlap;
            steps++;
        }
        CHECK(steps > 0);
    }
    grain_end(&g);
}

TEST(nothing_jumps_on_the_way_around_a_convex_body)
{
    double lower[3] = {-1, -1, -1}, upper[3] = {1, 1, 1};
    maker box = maker_box(lower, upper), ball = maker_ball(5);
    scree_mesh *mesh = maker_mesh(&box);
    check_walk_around(mesh, 1, 1, 0.5, -0.001);
    scree_mesh_destroy(mesh);
    mesh = maker_mesh(&ball);
    check_walk_around(mesh, 2, 1, 0.5, -0.001);
    scree_mesh_destroy(mesh);
    maker_free(&box);
    maker_free(&ball);
}

/*  Pressed into a box at its faces, edges and corners, up to half the radius: one contact, that pushes out on
    the side it came from. */
TEST(pressed_into_a_convex_body_there_is_one_contact_that_pushes_out)
{
    double lower[3] = {-1, -1, -1}, upper[3] = {1, 1, 1}, r = 0.4;
    scree_random random = scree_random_stream(13, 0);
    maker m = maker_box(lower, upper);
    for (int i = 0; i < 400; i++) {
        if (i & 1 && i < 200) { /* turned facets make no difference */
            uint32_t *f = m.facet + 3 * (size_t)scree_random_below(&random, 12), swap = f[0];
            f[0] = f[1];
            f[1] = swap;
        }
        scree_mesh *mesh = maker_mesh(&m);
        grain g;
        double start[3], way[3], c[3];
        grain_begin(&g);
        /* begins outside, next to a face, an edge or a corner, and is moved towards the centre */
        for (int k = 0; k < 3; k++) {
            start[k] = scree_random_range(&random, -1, 1);
            if (scree_random_below(&random, 3) == 0 || k == i % 3)
                start[k] = (scree_random_below(&random, 2) ? 1 : -1) * (1 + 0.3 * r);
            way[k] = -start[k];
        }
        for (int step = 0; step < 60; step++) {
            double inside = INFINITY, out = 0;
            for (int k = 0; k < 3; k++) {
                c[k] = start[k] + way[k] * 0.005 * step;
                inside = 1 - fabs(c[k]) < inside ? 1 - fabs(c[k]) : inside;
            }
            if (inside > 0.5 * r)
                break;
            if (grain_step(&g, mesh, c, r) == 0)
                continue; /* off a corner, not there yet */
            const scree_mesh_contact *now = only(&g);
            for (int k = 0; k < 3; k++)
                out -= now->normal[k] * c[k];
            CHECK(out > 0);
            if (inside > 0) {
                CHECK(now->overlap > r);
                CHECK(now->overlap >= r + inside - 1e-12);
            }
        }
        grain_end(&g);
        scree_mesh_destroy(mesh);
    }
    maker_free(&m);
}

/*  As long as the centre does not pass through the surface, what is remembered changes neither normals nor
    overlaps: nobody is taken to be behind. It may keep a contact that has come to lie behind another. */
static size_t check_walk_with_memory(const scree_mesh *mesh, scree_random *random, double c[3],
                                     double r, int steps)
{
    grain with, fresh;
    double way[3] = {0, 0, 0};
    size_t contacts = 0;
    grain_begin(&with);
    grain_begin(&fresh);
    for (int step = 0; step < steps; step++) {
        double next[3];
        bool is_near = false;
        for (int k = 0; k < 3; k++) {
            way[k] = 0.97 * way[k] + scree_random_normal(random) * 0.004 * r;
            next[k] = c[k] + way[k];
        }
        grain_fresh(&fresh, mesh, next[0], next[1], next[2], r);
        for (size_t i = 0; i < fresh.work.count; i++)
            is_near |= fresh.work.contacts[i].overlap > 0.7 * r;
        if (is_near || fresh.work.count == 0) { /* back, so that it stays at the surface */
            for (int k = 0; k < 3; k++)
                way[k] = -way[k];
            if (is_near || step > 0)
                continue;
        }
        memcpy(c, next, sizeof next);
        grain_step(&with, mesh, c, r);
        for (size_t i = 0, j = 0; i < with.work.count; i++) {
            const scree_mesh_contact *a = &with.work.contacts[i], *b = &fresh.work.contacts[j];
            bool same = j < fresh.work.count && a->memory.facet == b->memory.facet &&
                        a->memory.feature == b->memory.feature;
            CHECK(a->overlap < r);
            if (same) {
                CHECK(a->overlap == b->overlap);
                CHECK(same_bits(a->normal, b->normal, sizeof a->normal));
                j++;
            } else {
                CHECK(a->from != SCREE_NO_CONTACT);
            }
            contacts++;
            if (i + 1 == with.work.count)
                CHECK_EQUAL(j, fresh.work.count);
        }
    }
    grain_end(&with);
    grain_end(&fresh);
    return contacts;
}

TEST(memory_changes_nothing_while_the_centre_stays_on_its_side)
{
    scree_random random = scree_random_stream(20, 0);
    size_t contacts = 0;
    for (int round = 0; round < 60; round++) {
        double c[3] = {1, 1, 0.5}, r = scree_random_range(&random, 0.1, 0.4);
        double bumps = round % 3 * 0.1;
        maker m;
        if (round & 1) { /* over hills, from which it may roll over the rim to the other side */
            m = maker_plane(8, 2, 0.2, &random);
            for (size_t i = 0; i < m.vertex_count; i++)
                m.vertex[3 * i + 2] = scree_random_range(&random, -bumps, bumps);
            c[2] = bumps + 0.5 * r;
        } else { /* in a ball, and around it */
            m = maker_ball(5);
            for (size_t i = 0; i < 3 * (size_t)m.vertex_count; i++)
                m.vertex[i] *= 1 + 0.3 * bumps * sin((double)(i % 3 + 1) * 7 * m.vertex[i]);
            c[0] = c[1] = 0;
            c[2] = round & 2 ? 1 + 0.8 * r : 1 - 0.8 * r;
        }
        scree_mesh *mesh = maker_mesh(&m);
        contacts += check_walk_with_memory(mesh, &random, c, r, 1500);
        scree_mesh_destroy(mesh);
        maker_free(&m);
    }
    CHECK(contacts > 10000);
}

/*  From the upper side of a sheet round its open rim to the lower one: no side is kept, nothing jumps. */
TEST(a_grain_rolls_round_the_rim_of_a_sheet)
{
    scree_random random = scree_random_stream(14, 0);
    maker m = maker_plane(4, 4, 0.2, &random);
    scree_mesh *mesh = maker_mesh(&m);
    grain g;
    double r = 0.5, gap = 0.45, last = 0;
    grain_begin(&g);
    for (int step = 0; step <= 600; step++) {
        double a = step < 200 || step > 400 ? 0 : (step - 200) * 3.14159265358979 / 200;
        double along = step < 200 ? 200 - step : step > 400 ? step - 400 : 0;
        double c[3] = {along * 0.005, 1.7, 0};
        if (step < 200) {
            c[2] = gap;
        } else if (step > 400) {
            c[2] = -gap;
        } else {
            c[0] = -gap * sin(a);
            c[2] = gap * cos(a);
        }
        grain_step(&g, mesh, c, r);
        CHECK_NEAR(only(&g)->overlap, r - gap, 1e-12);
        CHECK((only(&g)->from == 0) == (step > 0));
        if (step != 200 && step != 400)
            CHECK_EQUAL(only(&g)->memory.side, step < 200 ? 1 : step > 400 ? -1 : 0);
        if (step > 0)
            CHECK_NEAR(only(&g)->overlap, last, 1e-12);
        last = only(&g)->overlap;
    }
    CHECK_NEAR(only(&g)->normal[2], 1, 1e-15);
    grain_end(&g);
    scree_mesh_destroy(mesh);
    maker_free(&m);
}

/*  In the trough of two walls, one of which it is pressed through. */
TEST(in_a_trough_each_wall_keeps_its_own_side)
{
    double v[] = {0, 0, 0, 10, 0, 0, 10, 5, 0, 0, 5, 0, 10, 0, 5, 0, 0, 5};
    uint32_t f[] = {0, 1, 2, 0, 2, 3, 0, 4, 1, 0, 5, 4};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh;
    def.vertices = v;
    def.vertex_count = 6;
    def.facets = f;
    def.facet_count = 4;
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    grain g;
    double r = 0.5;
    grain_begin(&g);
    for (int step = 0; step <= 100; step++) { /* along, crossing both diagonals */
        double c[3] = {1 + 0.08 * step, 0.45, 0.4};
        CHECK_EQUAL(grain_step(&g, mesh, c, r), 2);
        for (size_t i = 0; i < 2; i++) {
            const scree_mesh_contact *now = &g.work.contacts[i];
            bool is_floor = now->normal[2] < -0.5;
            CHECK_NEAR(now->overlap, is_floor ? 0.1 : 0.05, 1e-13);
            CHECK_EQUAL(now->memory.side, 1);
            if (step > 0)
                CHECK_EQUAL(now->from, i);
        }
    }
    for (int step = 0; step <= 40; step++) { /* down through the floor: it still lifts */
        double c[3] = {5, 0.45, 0.4 - 0.02 * step};
        grain_step(&g, mesh, c, r);
        bool is_lifted = false;
        for (size_t i = 0; i < g.work.count; i++) {
            const scree_mesh_contact *now = &g.work.contacts[i];
            is_lifted |= now->normal[2] < -0.5 && fabs(now->overlap - (r - c[2])) < 1e-13;
            CHECK(now->normal[2] < 0.5);
        }
        CHECK(is_lifted);
    }
    for (int step = 0; step <= 60;
         step++) { /* towards the edge, and through it too: never let go */
        double c[3] = {5, 0.45 - 0.012 * step, -0.1};
        grain_step(&g, mesh, c, r);
        CHECK(g.work.count >= 1);
        double lift = 0;
        for (size_t i = 0; i < g.work.count; i++)
            lift -= g.work.contacts[i].normal[2] * g.work.contacts[i].overlap;
        CHECK(lift > 0);
    }
    grain_end(&g);
    scree_mesh_destroy(mesh);
}

TEST(a_centre_in_the_surface_has_a_normal)
{
    double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
    double at[3][3] = {{0.4, 0.5, 1}, {0.5, 1, 1}, {1, 1, 1}};
    maker m = maker_box(lower, upper);
    scree_mesh *mesh = maker_mesh(&m);
    grain g;
    grain_begin(&g);
    for (int i = 0; i < 3; i++) {
        for (int inside = 0; inside < 2; inside++) {
            double from = inside ? 0.9 : 1.1, c[3];
            for (int k = 0; k < 3; k++)
                c[k] = at[i][k] == 1 ? from : at[i][k];
            g.old_count = 0;
            grain_step(&g, mesh, c, 0.3);
            grain_step(&g, mesh, at[i], 0.3);
            CHECK(g.work.count >= 1);
            for (size_t j = 0; j < g.work.count; j++) {
                CHECK_NEAR(g.work.contacts[j].overlap, 0.3, 1e-15);
                double out = 0;
                for (int k = 0; k < 3; k++)
                    out += g.work.contacts[j].normal[k] * (at[i][k] - 0.5);
                CHECK(inside ? out > 0 : out < 0);
            }
        }
        grain_fresh(&g, mesh, at[i][0], at[i][1], at[i][2], 0.3);
        CHECK_EQUAL(only(&g)->memory.side, 1);
    }
    scree_mesh_destroy(mesh);
    maker_free(&m);
    /* at a rim there is no side, but a normal */
    double v[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    scree_mesh_def def = scree_default_mesh_def();
    def.vertices = v;
    def.vertex_count = 3;
    def.facet_count = 1;
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    grain_fresh(&g, mesh, 0.5, 0, 0, 0.3);
    check_contact(only(&g), 0, 0, -1, 0.3, 0);
    CHECK(only(&g)->memory.side == 0 || only(&g)->memory.feature == SCREE_ON_FACE);
    grain_fresh(&g, mesh, 0, 0, 0, 0.3);
    check_contact(only(&g), 0, 0, -1, 0.3, 0);
    grain_end(&g);
    scree_mesh_destroy(mesh);
}

/*  A thin spike, one face of which is cut into many slivers: these must not outvote the others at the tip,
    from where the centre can be in any direction but down. */
TEST(the_tip_of_a_spike_is_outside_however_it_is_cut)
{
    scree_random random = scree_random_stream(18, 0);
    maker m = maker_new(100, 200);
    double base[4][2] = {{-0.1, -0.1}, {0.1, -0.1}, {0.1, 0.1}, {-0.1, 0.1}};
    uint32_t tip = maker_vertex(&m, 0, 0, 1), middle = maker_vertex(&m, 0, 0, 0);
    uint32_t corner[60], count = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < (i == 3 ? 50 : 1); k++) {
            double share = i == 3 ? k / 50. : 0;
            const double *a = base[i], *b = base[(i + 1) % 4];
            corner[count++] =
                maker_vertex(&m, a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), 0);
        }
    for (uint32_t i = 0; i < count; i++) {
        maker_facet(&m, tip, corner[i], corner[(i + 1) % count]);
        maker_facet(&m, middle, corner[(i + 1) % count], corner[i]);
    }
    scree_mesh *mesh = maker_mesh(&m);
    CHECK_EQUAL(mesh->open_edges + mesh->turned_edges + mesh->crowded_edges, 0);
    grain g;
    grain_begin(&g);
    size_t at_tip = 0;
    for (int i = 0; i < 2000; i++) {
        double a = scree_random_range(&random, 0, 6.3), up = scree_random_range(&random, 0.15, 1);
        grain_fresh(&g, mesh, 0.1 * cos(a), 0.1 * sin(a), 1 + 0.1 * up, 0.2);
        if (only(&g)->memory.feature < SCREE_ON_VERTEX)
            continue;
        CHECK_EQUAL(only(&g)->memory.side, 1);
        at_tip++;
    }
    CHECK(at_tip > 1500);
    grain_end(&g);
    scree_mesh_destroy(mesh);
    maker_free(&m);
}

/* ---- memory ---- */

TEST(memory_is_handed_on_over_small_facets_and_large_steps)
{
    scree_random random = scree_random_stream(15, 0);
    maker m = maker_plane(100, 1, 0.24, &random);
    scree_mesh *mesh = maker_mesh(&m);
    double steps[] = {0.001, 0.003, 0.03}; /* facets are 0.01 wide */
    grain g;
    grain_begin(&g);
    for (size_t which = 0; which < 3; which++) {
        double x = 0.02, y = 0.1;
        g.old_count = 0;
        for (int i = 0; x < 0.98; i++) {
            double c[3] = {x, y, 0.29};
            grain_step(&g, mesh, c, 0.3);
            CHECK((only(&g)->from == 0) == (i > 0));
            x += steps[which];
            y += 0.7 * steps[which];
        }
        /* farther than an eighth of the radius, and no vertex shared: another contact */
        double c[3] = {0.5, 0.2, 0.29};
        grain_step(&g, mesh, c, 0.3);
        CHECK(only(&g)->from == SCREE_NO_CONTACT);
    }
    grain_end(&g);
    scree_mesh_destroy(mesh);
    maker_free(&m);
}

/*  Rolling over a ball's facets, edges and vertices: one memory from beginning to end. */
TEST(rolling_over_a_ball_keeps_one_memory)
{
    maker m = maker_ball(8);
    scree_mesh *mesh = maker_mesh(&m);
    grain g;
    grain_begin(&g);
    for (int i = 0; i < 20000; i++) {
        double a = i * 0.001, b = i * 0.00037, d = 1.15;
        double c[3] = {d * cos(a) * cos(b), d * sin(a) * cos(b), d * sin(b)};
        grain_step(&g, mesh, c, 0.2);
        CHECK((only(&g)->from == 0) == (i > 0));
        CHECK_EQUAL(only(&g)->memory.side, 1);
    }
    grain_end(&g);
    scree_mesh_destroy(mesh);
    maker_free(&m);
}

/*  Two floors that hang together by a line which a wall below shares: sides are not known across it, but
    what else is remembered is. */
TEST(memory_is_handed_on_across_a_line_of_three_facets)
{
    double v[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0, 2, 1, 0, 1, 0.5, -1};
    uint32_t f[] = {0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2, 1, 2, 6};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh;
    def.vertices = v;
    def.vertex_count = 7;
    def.facets = f;
    def.facet_count = 5;
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    CHECK(mesh->crowded_edges == 1 && mesh->patch[0] != mesh->patch[2]);
    grain g;
    grain_begin(&g);
    for (int i = 0; i <= 200; i++) {
        double c[3] = {0.5 + i * 0.005, 0.6, 0.2};
        grain_step(&g, mesh, c, 0.25);
        check_contact(only(&g), 0, 0, -1, 0.05, 1e-14);
        CHECK((only(&g)->from == 0) == (i > 0));
    }
    grain_end(&g);
    scree_mesh_destroy(mesh);
}

/*  Six old contacts at one place, on facets beside those that are touched now: each finds an heir. */
TEST(many_contacts_find_their_heirs)
{
    double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1}, c[3] = {0.45, 0.55, 0.51};
    maker m = maker_box(lower, upper);
    scree_mesh *mesh = maker_mesh(&m);
    grain g;
    grain_begin(&g);
    CHECK_EQUAL(grain_fresh(&g, mesh, c[0], c[1], c[2], 0.6), 6);
    for (size_t i = 0; i < 6; i++) {
        g.old[i].facet ^= 1; /* the other half of the side */
        for (int k = 0; k < 3; k++)
            g.old[i].point[k] = 0.5;
    }
    CHECK_EQUAL(grain_step(&g, mesh, c, 0.6), 6);
    for (size_t i = 0; i < 6; i++)
        CHECK(g.work.contacts[i].from != SCREE_NO_CONTACT);
    /* the mesh's own vertices are as good as none */
    CHECK(scree_sphere_mesh_contacts(&g.work, &g.memory, mesh, mesh->vertices, g.near.facet,
                                     g.near.count, c, 0.6, g.old, 6) == SCREE_OK);
    for (uint32_t i = 0; i < 6; i++)
        CHECK_EQUAL(g.work.contacts[i].from, i);
    grain_end(&g);
    scree_mesh_destroy(mesh);
    maker_free(&m);
}

TEST(old_contacts_are_taken_by_the_nearest_of_the_new)
{
    /* two old contacts next to two new ones on other facets, given in the wrong order */
    scree_random random = scree_random_stream(16, 0);
    maker m = maker_plane(1, 4, 0, &random);
    for (size_t i = 0; i < 4; i++) /* a valley along the diagonal */
        m.vertex[3 * i + 2] = fabs(m.vertex[3 * i] - m.vertex[3 * i + 1]) * 0.5;
    m.facet_count = 0;
    maker_facet(&m, 0, 2, 3);
    maker_facet(&m, 0, 3, 1);
    scree_mesh *mesh = maker_mesh(&m);
    grain g;
    grain_begin(&g);
    CHECK_EQUAL(grain_fresh(&g, mesh, 2, 2, 0.5, 0.6), 2);
    scree_mesh_memory swapped[3] = {g.old[1], g.old[0], g.old[0]};
    g.old_count = 2;
    g.old[0] = swapped[0];
    g.old[1] = swapped[1];
    double c[3] = {2.01, 2, 0.5};
    CHECK_EQUAL(grain_step(&g, mesh, c, 0.6), 2);
    CHECK(g.work.contacts[0].from == 1 && g.work.contacts[1].from == 0);
    /* the same feature comes before what is nearer */
    double valley[2][3];
    memcpy(valley[0], g.work.contacts[0].memory.point, sizeof valley[0]);
    memcpy(valley[1], g.work.contacts[1].memory.point, sizeof valley[1]);
    for (uint32_t one = 0; one < 2; one++) {
        CHECK_EQUAL(grain_fresh(&g, mesh, 2, 2, 0.5, 0.6), 2);
        g.old[0] = g.old[one];
        memcpy(g.old[0].point, valley[1 - one], sizeof valley[0]);
        g.old_count = 1;
        grain_step(&g, mesh, c, 0.6);
        CHECK(g.work.contacts[one].from == 0);
        CHECK(g.work.contacts[1 - one].from == SCREE_NO_CONTACT);
    }
    /* twice the same: it is taken once, and the other contact is new */
    g.old[0] = g.old[1] = swapped[1];
    g.old_count = 2;
    CHECK_EQUAL(grain_step(&g, mesh, c, 0.6), 2);
    CHECK(g.work.contacts[0].from == 0);
    scree_mesh_destroy(mesh);
    maker_free(&m);

    /* neighbours do not continue what was farther away than the radius, the same facet does */
    m = maker_plane(1, 10, 0, &random);
    mesh = maker_mesh(&m);
    uint32_t from, facet;
    grain_fresh(&g, mesh, 8, 1, 0.5, 0.6);
    facet = only(&g)->memory.facet;
    for (int i = 0; i < 2; i++) {
        double there[3] = {i ? 2 : 7, i ? 7 : 1, 0.5};
        grain_step(&g, mesh, there, 0.6);
        from = only(&g)->from;
        CHECK((from == 0) == (only(&g)->memory.facet == facet));
        facet = only(&g)->memory.facet;
    }
    CHECK_EQUAL(from, SCREE_NO_CONTACT);
    grain_end(&g);
    scree_mesh_destroy(mesh);
    maker_free(&m);
}

/* ---- meshes that were moved, segments, and memory that runs out ---- */

TEST(moved_vertices_give_the_same_contacts_moved)
{
    scree_random random = scree_random_stream(17, 0);
    maker m = maker_ball(4);
    scree_mesh *mesh = maker_mesh(&m);
    double *moved = malloc(3 * (size_t)mesh->vertex_count * sizeof *moved);
    grain g, h;
    grain_begin(&g);
    grain_begin(&h);
    for (int i = 0; i < 300; i++) {
        double q[4], shift[3] = {3, -2, 7}, c[3], there[3], r = 0.3;
        random_turn(&random, q);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            scree_quaternion_turn(q, mesh->vertices + 3 * (size_t)v, moved + 3 * (size_t)v);
            for (uint32_t k = 0; k < 3; k++)
                moved[3 * (size_t)v + k] += shift[k];
        }
        for (int k = 0; k < 3; k++)
            c[k] = scree_random_range(&random, -1, 1);
        size_t count = grain_fresh(&g, mesh, c[0], c[1], c[2], r);
        scree_quaternion_turn(q, c, there);
        for (int k = 0; k < 3; k++)
            there[k] += shift[k];
        CHECK(scree_sphere_mesh_contacts(&h.work, &h.memory, mesh, moved, g.near.facet,
                                         g.near.count, there, r, NULL, 0) == SCREE_OK);
        CHECK_EQUAL(h.work.count, count);
        for (size_t j = 0; j < count; j++) {
            const scree_mesh_contact *a = &g.work.contacts[j], *b = &h.work.contacts[j];
            double normal[3];
            scree_quaternion_turn(q, a->normal, normal);
            CHECK(a->memory.facet == b->memory.facet && a->memory.side == b->memory.side);
            check_contact(b, normal[0], normal[1], normal[2], a->overlap, 1e-12);
        }
    }
    free(moved);
    grain_end(&g);
    grain_end(&h);
    scree_mesh_destroy(mesh);
    maker_free(&m);
}

TEST(discs_and_segments)
{
    /* a square whose sides are cut, its border closed, and a tail: outside is to the right of the way */
    maker m = maker_new(50, 50);
    for (uint32_t i = 0; i < 40; i++) {
        double t = (i % 10) * 0.1;
        double x = i < 10 ? t : i < 20 ? 1 : i < 30 ? 1 - t : 0;
        double y = i < 10 ? 0 : i < 20 ? t : i < 30 ? 1 : 1 - t;
        maker_vertex(&m, x, y, 0);
    }
    for (uint32_t i = 0; i < 40; i++) {
        m.facet[2 * i] = i;
        m.facet[2 * i + 1] = (i + 1) % 40;
    }
    scree_mesh_def def = maker_def(&m);
    scree_mesh *mesh;
    def.corners = 2;
    def.facet_count = 40;
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    grain g;
    grain_begin(&g);
    for (int i = 0; i <= 160; i++) { /* along a side, on its vertices too */
        grain_fresh(&g, mesh, i * 0.00625, -0.2, 0, 0.25);
        check_contact(only(&g), 0, 1, 0, 0.05, 1e-14);
        CHECK_EQUAL(only(&g)->memory.side, -1);
    }
    grain_fresh(&g, mesh, -0.03, -0.04, 0, 0.25); /* a corner */
    check_contact(only(&g), 0.6, 0.8, 0, 0.2, 1e-14);
    CHECK_EQUAL(grain_fresh(&g, mesh, 0.2, 0.2, 0, 0.25), 2); /* inside, two walls */
    CHECK_EQUAL(grain_fresh(&g, mesh, 0.5, 0.5, 0, 0.6), 4);
    for (int inside = 0; inside < 2;
         inside++) { /* the centre comes to lie in a corner, and in a side */
        double near = inside ? 0.01 : -0.01, corner[3] = {near, near, 0}, zero[3] = {0, 0, 0};
        g.old_count = 0;
        grain_step(&g, mesh, corner, 0.25);
        grain_step(&g, mesh, zero, 0.25);
        check_contact(only(&g), inside ? -sqrt(0.5) : sqrt(0.5), inside ? -sqrt(0.5) : sqrt(0.5), 0,
                      0.25, 1e-15);
        double over[3] = {0.25, near, 0}, on[3] = {0.25, 0, 0};
        g.old_count = 0;
        grain_step(&g, mesh, over, 0.24);
        grain_step(&g, mesh, on, 0.24);
        check_contact(only(&g), 0, inside ? -1 : 1, 0, 0.24, 1e-15);
    }
    g.old_count = 0;
    for (int i = 0; i < 60; i++) { /* pressed in, over a vertex */
        double c[3] = {0.3, -0.2 + 0.005 * i, 0};
        grain_step(&g, mesh, c, 0.25);
        check_contact(only(&g), 0, 1, 0, 0.25 + c[1], 1e-14);
        CHECK((only(&g)->from == 0) == (i > 0));
    }
    scree_mesh_destroy(mesh);
    def.facet_count =
        10; /* the lower side alone: at its open end there are no sides, but a normal */
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    grain_fresh(&g, mesh, 0, 0, 0, 0.05);
    check_contact(only(&g), 0, -1, 0, 0.05, 0);
    CHECK_EQUAL(only(&g)->memory.side, 0);
    grain_end(&g);
    scree_mesh_destroy(mesh);
    maker_free(&m);
}

TEST(running_out_of_memory_gives_no_contacts)
{
    double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1}, c[3] = {0.1, 0.1, 0.1};
    maker m = maker_box(lower, upper);
    scree_mesh *mesh = maker_mesh(&m);
    uint32_t all[12];
    for (uint32_t f = 0; f < 12; f++)
        all[f] = f;
    for (size_t k = 1;; k++) {
        failing_allocator hooks = {.fail_at = k};
        scree_allocator allocator = failing_allocator_hooks(&hooks);
        scree_memory memory;
        scree_sphere_mesh work = {0};
        scree_mesh_memory old[3] = {
            {0, 0, -1, {0.5, 0.1, 0.1}}, {2, 0, -1, {0.5, 0.1, 0.1}}, {4, 0, -1, {0.5, 0.1, 0.1}}};
        CHECK(scree_memory_init(&memory, &allocator) == SCREE_OK);
        scree_status status =
            scree_sphere_mesh_contacts(&work, &memory, mesh, NULL, all, 12, c, 0.9, old, 3);
        CHECK(status == (hooks.requests < k ? SCREE_OK : SCREE_OUT_OF_MEMORY));
        CHECK_EQUAL(work.count, status ? 0 : 3);
        scree_sphere_mesh_free(&work, &memory);
        CHECK(failing_allocator_is_clean(&hooks));
        if (!status)
            break;
        CHECK(k < 100);
    }
    scree_mesh_destroy(mesh);
    maker_free(&m);
}

TEST(planes_push_to_one_side)
{
    double point[3] = {1, 2, 3}, normal[3] = {0, 0, 1}, over[3] = {9, 9, 3.75},
           under[3] = {0, 0, 0};
    CHECK(scree_sphere_plane_overlap(point, normal, over, 1) == 0.25);
    CHECK(scree_sphere_plane_overlap(point, normal, over, 0.5) == -0.25);
    CHECK(scree_sphere_plane_overlap(point, normal, under, 1) == 4);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(over_a_plane_there_is_one_contact_everywhere),
        CASE(over_a_plane_that_is_turned_and_rounded_as_well),
        CASE(over_a_plane_from_a_file_in_single_precision),
        CASE(over_fans_and_slivers_there_is_one_contact),
        CASE(sheets_that_meet_without_shared_vertices_are_one),
        CASE(a_box_from_outside),
        CASE(a_box_from_inside_has_a_contact_for_each_wall_in_reach),
        CASE(what_is_hidden_behind_a_nearer_wall_does_not_count),
        CASE(bumpy_surfaces_agree_with_walks_down_to_each_minimum),
        CASE(the_order_of_candidates_does_not_matter),
        CASE(a_grain_that_is_pressed_through_is_still_pushed_back),
        CASE(nothing_jumps_on_the_way_around_a_convex_body),
        CASE(pressed_into_a_convex_body_there_is_one_contact_that_pushes_out),
        CASE(memory_changes_nothing_while_the_centre_stays_on_its_side),
        CASE(a_grain_rolls_round_the_rim_of_a_sheet),
        CASE(in_a_trough_each_wall_keeps_its_own_side),
        CASE(a_centre_in_the_surface_has_a_normal),
        CASE(the_tip_of_a_spike_is_outside_however_it_is_cut),
        CASE(memory_is_handed_on_over_small_facets_and_large_steps),
        CASE(rolling_over_a_ball_keeps_one_memory),
        CASE(memory_is_handed_on_across_a_line_of_three_facets),
        CASE(many_contacts_find_their_heirs),
        CASE(old_contacts_are_taken_by_the_nearest_of_the_new),
        CASE(moved_vertices_give_the_same_contacts_moved),
        CASE(discs_and_segments),
        CASE(running_out_of_memory_gives_no_contacts),
        CASE(planes_push_to_one_side),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
