/*  Contacts of spheres with meshes over many steps: on which side a centre is, and that nothing jumps. */
#include "harness/slow_nearest.h"
#include "mesh_grain.h"

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

/*  As long as the centre does not pass through the surface, what is stored changes neither normals nor
    overlaps: no body is taken to be behind. It may keep a contact that has come to lie behind another. */
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
    CHECK_EQUAL(mesh->open_edges + mesh->flipped_edges + mesh->nonmanifold_edges, 0);
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

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_grain_that_is_pressed_through_is_still_pushed_back),
        CASE(nothing_jumps_on_the_way_around_a_convex_body),
        CASE(pressed_into_a_convex_body_there_is_one_contact_that_pushes_out),
        CASE(memory_changes_nothing_while_the_centre_stays_on_its_side),
        CASE(a_grain_rolls_round_the_rim_of_a_sheet),
        CASE(in_a_trough_each_wall_keeps_its_own_side),
        CASE(a_centre_in_the_surface_has_a_normal),
        CASE(the_tip_of_a_spike_is_outside_however_it_is_cut),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
