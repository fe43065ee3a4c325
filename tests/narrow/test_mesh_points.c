/*  Contact points: what is one contact is one point, in one order, with a direction also where bodies cross. */
#include "harness/mesh_pair.h"

#include "harness/failing_allocator.h"
#include "harness/mesh_maker.h"
#include "narrow/mesh_points.h"
#include "test.h"

static const double nowhere[3] = {0, 0, 0}, upright[4] = {1, 0, 0, 0};

static solid globe(uint32_t facets, double bumps, double scale, uint64_t seed)
{
    solid s;
    CHECK(solid_globe(facets, bumps, 1, scale, seed, &s));
    return s;
}

typedef struct merge_bench
{
    scree_memory memory;
    scree_mesh_finder finder;
    scree_mesh_merger merger;
} merge_bench;

static void begin(merge_bench *m)
{
    CHECK(scree_memory_init(&m->memory, NULL) == SCREE_OK);
    CHECK(scree_mesh_finder_init(&m->finder, &m->memory, SCREE_SIMD_AUTO) == SCREE_OK);
    scree_mesh_merger_init(&m->merger, &m->memory);
}

static void end(merge_bench *m)
{
    scree_mesh_finder_free(&m->finder);
    scree_mesh_merger_free(&m->merger);
}

static void find_and_merge(merge_bench *m, const scree_mesh_body body[2])
{
    CHECK(scree_mesh_find_boxes(&m->finder, &body[0], &body[1]) == SCREE_OK);
    CHECK(scree_mesh_merge(&m->merger, &body[0], &body[1], m->finder.contacts,
                           m->finder.contact_count) == SCREE_OK);
}

/*  Five triangles round a corner of each, so 25 pairs, and one contact. */
TEST(corner_to_corner_is_one_point)
{
    PROVES("NW-03 NW-06");
    merge_bench m;
    solid s = globe(20, 1, 1, 0);
    const double *corner = s.mesh->vertices;
    double at[3];
    begin(&m);
    /* its mirror image in the point just beyond the corner: an icosahedron is its own */
    for (int k = 0; k < 3; k++)
        at[k] = corner[k] * (2 + 0.02);
    scree_mesh_body body[2] = {body_at(&s, nowhere, upright, 0.006),
                               body_at(&s, at, upright, 0.006)};
    find_and_merge(&m, body);
    CHECK_EQUAL(m.finder.contact_count, 25);
    CHECK_EQUAL(m.merger.count, 1);
    CHECK_EQUAL(m.merger.points[0].pairs, 25);
    CHECK_NEAR(m.merger.points[0].distance, 0.01, 1e-6);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(m.merger.points[0].position[k], corner[k] * 1.01, 1e-6);
        CHECK_NEAR(m.merger.points[0].normal[k], corner[k] / 0.5, 1e-4);
    }
    FIGURE("%zu pairs of triangles, 1 point", m.finder.contact_count);
    CHECK_EQUAL(m.merger.points[0].facet[0], m.finder.contacts[0].facet[0]);
    solid_free(&s);
    end(&m);
}

/*  The upper edge of a cube along x, and the lower edge of another along y, a hundredth over it. */
TEST(edge_over_edge_is_one_point)
{
    PROVES("NW-03");
    static const double lower[3] = {-0.5, -0.5, -0.5}, upper[3] = {0.5, 0.5, 0.5};
    const double along_x[4] = {cos(atan(1) / 2), sin(atan(1) / 2), 0, 0};
    const double along_y[4] = {cos(atan(1) / 2), 0, sin(atan(1) / 2), 0};
    const double at[3] = {0.1, 0.2, 2 * sqrt(0.5) + 0.01};
    merge_bench m;
    solid cube;
    maker box = maker_box(lower, upper);

    CHECK(solid_of(maker_mesh(&box), &cube));
    maker_free(&box);
    begin(&m);
    scree_mesh_body body[2] = {body_at(&cube, nowhere, along_x, 0.006),
                               body_at(&cube, at, along_y, 0.006)};
    find_and_merge(&m, body);
    CHECK_EQUAL(m.merger.count, 1);
    CHECK_NEAR(m.merger.points[0].distance, 0.01, 1e-6);
    const double middle[3] = {0.1, 0, sqrt(0.5) + 0.005};
    FIGURE("edge over edge: distance off by %.1e", fabs(m.merger.points[0].distance - 0.01));
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(m.merger.points[0].position[k], middle[k], 1e-6);
        CHECK_NEAR(m.merger.points[0].normal[k], k == 2, 1e-4);
    }
    solid_free(&cube);
    end(&m);
}

/*  A body of two globes on a slab touches it with both poles. */
TEST(two_contacts_are_two_points)
{
    PROVES("NW-03 NW-48");
    static const double low[3] = {-5, -5, -1}, high[3] = {5, 5, 0}, at[3] = {0, 0, 0.51};
    merge_bench m;
    solid ball = globe(36, 1, 1, 0), both, slab;
    uint32_t vertices = ball.mesh->vertex_count;
    maker pair = maker_new(2 * (size_t)vertices, 72), floor_of = maker_box(low, high);
    for (int k = 0; k < 2; k++) {
        for (uint32_t v = 0; v < vertices; v++) {
            const double *x = ball.mesh->vertices + 3 * (size_t)v;
            maker_vertex(&pair, x[0] + 3 * k + 0.2, x[1] + 0.3, x[2]);
        }
        for (uint32_t f = 0; f < 36; f++) {
            const uint32_t *corner = ball.mesh->facets + 3 * (size_t)f;
            uint32_t first = (uint32_t)k * vertices;
            maker_facet(&pair, first + corner[0], first + corner[1], first + corner[2]);
        }
    }
    CHECK(solid_of(maker_mesh(&pair), &both));
    CHECK(solid_of(maker_mesh(&floor_of), &slab));
    maker_free(&pair);
    maker_free(&floor_of);
    begin(&m);
    scree_mesh_body body[2] = {body_at(&slab, nowhere, upright, 0.01),
                               body_at(&both, at, upright, 0.01)};
    find_and_merge(&m, body);
    CHECK(m.finder.contact_count >= 12);
    CHECK_EQUAL(m.merger.count, 2);
    for (size_t p = 0; p < 2; p++) {
        CHECK_NEAR(m.merger.points[p].normal[2], 1, 1e-5);
        CHECK_NEAR(m.merger.points[p].position[2], 0.005, 1e-6);
        CHECK_NEAR(m.merger.points[p].position[1], 0.3, 1e-3);
    }
    CHECK_NEAR(fabs(m.merger.points[0].position[0] - m.merger.points[1].position[0]), 3, 1e-3);
    solid_free(&ball);
    solid_free(&both);
    solid_free(&slab);
    end(&m);
}

/* ---- the slow reference ---- */

typedef struct slow_point
{
    double sum[3], mean[3], distance;
    uint32_t pairs, facet[2];
} slow_point;

static size_t merge_slowly(const scree_mesh_touch *contacts, size_t count, double share,
                           double radius, slow_point *points)
{
    size_t found = 0;
    for (size_t n = 0; n < count; n++) {
        const scree_mesh_touch *c = &contacts[n];
        double at[3];
        size_t p = 0;
        for (int k = 0; k < 3; k++)
            at[k] = c->point[0][k] + share * (c->point[1][k] - c->point[0][k]);
        for (; p < found; p++) {
            double x = at[0] - points[p].mean[0], y = at[1] - points[p].mean[1];
            double z = at[2] - points[p].mean[2];
            if (x * x + y * y + z * z <= radius * radius)
                break;
        }
        if (p == found)
            points[found++] = (slow_point){.facet = {c->facet[0], c->facet[1]}};
        points[p].pairs++;
        points[p].distance += c->distance;
        for (int k = 0; k < 3; k++) {
            points[p].sum[k] += at[k] - contacts[0].point[0][k];
            points[p].mean[k] = contacts[0].point[0][k] + points[p].sum[k] / points[p].pairs;
        }
    }
    return found;
}

TEST(points_are_those_of_the_slow_reference)
{
    PROVES("NW-06");
    enum
    {
        MOST = 4000
    };
    static scree_mesh_touch contacts[MOST];
    static slow_point slow[MOST];
    merge_bench m;
    solid s = globe(20, 1, 1, 0);
    begin(&m);
    for (uint64_t seed = 0; seed < 60; seed++) {
        scree_random random = scree_random_stream(20, seed);
        size_t count = 1 + scree_random_below(&random, seed % 3 ? 200 : MOST - 1);
        double skin[2] = {scree_random_log_uniform(&random, 1e-3, 1), 0};
        skin[1] = seed % 4 ? scree_random_log_uniform(&random, 1e-3, 1) : 0;
        double reach = skin[0] + skin[1], offset = seed % 5 ? 0 : 1e6;
        for (size_t n = 0; n < count; n++) {
            scree_mesh_touch *c = &contacts[n];
            double square = 0;
            c->facet[0] = (uint32_t)n;
            c->facet[1] = scree_random_below(&random, 100);
            for (int k = 0; k < 3; k++) {
                double way = scree_random_range(&random, -0.5, 0.5) * reach;
                c->point[0][k] = offset + scree_random_range(&random, -1, 1);
                c->point[1][k] = c->point[0][k] + way;
                square += way * way;
            }
            c->distance = sqrt(square);
        }
        scree_mesh_body body[2] = {body_at(&s, nowhere, upright, skin[0]),
                                   body_at(&s, nowhere, upright, skin[1])};
        CHECK(scree_mesh_merge(&m.merger, &body[0], &body[1], contacts, count) == SCREE_OK);
        size_t found = merge_slowly(contacts, count, skin[0] / reach, reach / 2, slow);
        CHECK_EQUAL(m.merger.count, found);
        for (size_t p = 0; p < found; p++) {
            const scree_mesh_point *point = &m.merger.points[p];
            CHECK(same_bits(point->position, slow[p].mean, sizeof point->position));
            CHECK_EQUAL(point->pairs, slow[p].pairs);
            CHECK_EQUAL(point->facet[0], slow[p].facet[0]);
            CHECK_EQUAL(point->facet[1], slow[p].facet[1]);
            CHECK(point->distance == slow[p].distance / slow[p].pairs);
            double length = 0;
            for (int k = 0; k < 3; k++)
                length += point->normal[k] * point->normal[k];
            CHECK_NEAR(length, 1, 1e-14);
        }
    }
    solid_free(&s);
    end(&m);
}

/* ---- directions ---- */

/*  The point divides the way as the skins do, whichever is first. */
TEST(unequal_skins_weigh)
{
    PROVES("NW-04");
    merge_bench m;
    solid a = globe(20, 1, 1, 0), b = globe(80, 1, 1, 0);
    const double *corner = a.mesh->vertices;
    scree_mesh_point first;
    double at[3];
    begin(&m);
    for (int k = 0; k < 3; k++)
        at[k] = corner[k] * (2 + 0.02);
    scree_mesh_body body[2] = {body_at(&a, nowhere, upright, 0.009),
                               body_at(&b, at, upright, 0.003)};
    find_and_merge(&m, body);
    CHECK_EQUAL(m.merger.count, 1);
    first = m.merger.points[0];
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(first.position[k], corner[k] * (1 + 0.02 * 0.75), 1e-6);
    const scree_mesh_body other[2] = {body[1], body[0]};
    find_and_merge(&m, other);
    CHECK_EQUAL(m.merger.count, 1);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(m.merger.points[0].position[k], first.position[k], 1e-9);
        CHECK_NEAR(m.merger.points[0].normal[k], -first.normal[k], 1e-9);
    }
    solid_free(&a);
    solid_free(&b);
    end(&m);
}

/*  A corner that has gone through a large face: out of the face, to the one that came through. */
TEST(crossing_triangles_have_a_direction)
{
    static const double lower[3] = {-5, -5, -1}, upper[3] = {5, 5, 0};
    merge_bench m;
    solid grain = globe(20, 1, 1, 0), floor_of;
    maker box = maker_box(lower, upper);
    double lowest = 0;
    CHECK(solid_of(maker_mesh(&box), &floor_of));
    maker_free(&box);
    begin(&m);
    for (size_t v = 0; v < grain.mesh->vertex_count; v++)
        lowest = fmin(lowest, grain.mesh->vertices[3 * v + 2]);
    double at[3] = {1.3, 0.7, -lowest - 0.001};
    scree_mesh_body body[2] = {body_at(&floor_of, nowhere, upright, 1e-9),
                               body_at(&grain, at, upright, 1e-9)};
    find_and_merge(&m, body);
    CHECK(m.merger.count > 0);
    for (size_t p = 0; p < m.merger.count; p++)
        CHECK(m.merger.points[p].distance == 0 && m.merger.points[p].normal[2] == 1);
    /* and with the grain first, the other way */
    const scree_mesh_body other[2] = {body[1], body[0]};
    find_and_merge(&m, other);
    CHECK(m.merger.count > 0 && m.merger.points[0].normal[2] == -1);
    solid_free(&grain);
    solid_free(&floor_of);
    end(&m);
}

/*  Crossings whose normals cancel: from middle to middle; with one middle, any way. */
TEST(directions_of_last_resort)
{
    static const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1}, aside[3] = {0, 0.25, 0};
    scree_mesh_touch crossing[2] = {{.facet = {0, 0}}, {.facet = {0, 0}}};
    merge_bench m;
    solid s;
    maker box = maker_box(lower, upper);
    CHECK(solid_of(maker_mesh(&box), &s));
    maker_free(&box);
    begin(&m);
    /* two facets of the box that are opposite each other */
    for (uint32_t f = 1; f < 12; f++)
        for (int k = 0; k < 3; k++)
            if (s.mesh->normals[3 * f + (uint32_t)k] == -1 && s.mesh->normals[k] == 1)
                crossing[1].facet[0] = f;
            else if (s.mesh->normals[3 * f + (uint32_t)k] == 1 && s.mesh->normals[k] == -1)
                crossing[1].facet[0] = f;
    CHECK(crossing[1].facet[0] != 0);
    scree_mesh_body body[2] = {body_at(&s, nowhere, upright, 0.1),
                               body_at(&s, aside, upright, 0.1)};
    CHECK(scree_mesh_merge(&m.merger, &body[0], &body[1], crossing, 2) == SCREE_OK);
    CHECK_EQUAL(m.merger.count, 1);
    CHECK(m.merger.points[0].normal[1] == 1);
    CHECK(scree_mesh_merge(&m.merger, &body[0], &body[0], crossing, 2) == SCREE_OK);
    CHECK(m.merger.points[0].normal[2] == 1);
    CHECK(scree_mesh_merge(&m.merger, &body[0], &body[0], crossing, 0) == SCREE_OK);
    CHECK_EQUAL(m.merger.count, 0);
    solid_free(&s);
    end(&m);
}

TEST(merging_without_memory)
{
    static scree_mesh_touch contacts[100];
    solid s = globe(20, 1, 1, 0);
    scree_mesh_body body[2] = {body_at(&s, nowhere, upright, 0.1),
                               body_at(&s, nowhere, upright, 0.1)};
    for (size_t n = 0; n < 100; n++)
        contacts[n].distance = contacts[n].point[1][0] = 0.1;
    for (size_t k = 1;; k++) {
        failing_allocator books = {.fail_at = k};
        scree_allocator hooks = failing_allocator_hooks(&books);
        scree_memory memory;
        scree_mesh_merger merger;
        CHECK(scree_memory_init(&memory, &hooks) == SCREE_OK);
        scree_mesh_merger_init(&merger, &memory);
        scree_status status = scree_mesh_merge(&merger, &body[0], &body[1], contacts, 100);
        CHECK(status == (books.failures ? SCREE_OUT_OF_MEMORY : SCREE_OK));
        CHECK_EQUAL(merger.count, status ? 0 : 1);
        scree_mesh_merger_free(&merger);
        CHECK(failing_allocator_is_clean(&books));
        if (books.requests < k)
            break;
    }
    solid_free(&s);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(corner_to_corner_is_one_point), CASE(edge_over_edge_is_one_point),
        CASE(two_contacts_are_two_points),   CASE(points_are_those_of_the_slow_reference),
        CASE(unequal_skins_weigh),           CASE(crossing_triangles_have_a_direction),
        CASE(directions_of_last_resort),     CASE(merging_without_memory),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
