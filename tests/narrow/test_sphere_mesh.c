/*  Contacts of spheres with planes cut at random and with boxes: how many there are, and where. */
#include "mesh_grain.h"

/* ---- planes ---- */

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
        g.old_count = 0; /* and what is stored goes across */
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
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
