/*  Contacts of spheres with meshes over many steps: what is handed on from feature to feature; meshes that
    were moved, segments, and memory that runs out. */
#include "harness/failing_allocator.h"
#include "mesh_grain.h"

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
    what else is stored is. */
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
    CHECK(mesh->nonmanifold_edges == 1 && mesh->patch[0] != mesh->patch[2]);
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

/*  Six old contacts at one place, on facets beside those that are touched now: each finds a predecessor. */
TEST(many_contacts_find_their_predecessors)
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
    /* a square whose sides are cut, its boundary closed, and a tail: outside is to the right of the way */
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
        scree_mesh_memory old[3] = {{0, 0, -1, 0, {0.5, 0.1, 0.1}},
                                    {2, 0, -1, 0, {0.5, 0.1, 0.1}},
                                    {4, 0, -1, 0, {0.5, 0.1, 0.1}}};
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
        CASE(memory_is_handed_on_over_small_facets_and_large_steps),
        CASE(rolling_over_a_ball_keeps_one_memory),
        CASE(memory_is_handed_on_across_a_line_of_three_facets),
        CASE(many_contacts_find_their_predecessors),
        CASE(old_contacts_are_taken_by_the_nearest_of_the_new),
        CASE(moved_vertices_give_the_same_contacts_moved),
        CASE(discs_and_segments),
        CASE(running_out_of_memory_gives_no_contacts),
        CASE(planes_push_to_one_side),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
