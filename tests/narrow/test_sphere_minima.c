/*  Contacts of spheres with bumpy surfaces, against a slow reference that walks down the surface to each local
    minimum. */
#include "harness/slow_nearest.h"
#include "mesh_grain.h"

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

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(bumpy_surfaces_agree_with_walks_down_to_each_minimum),
        CASE(the_order_of_candidates_does_not_matter),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
