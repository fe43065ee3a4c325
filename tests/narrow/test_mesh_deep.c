/*  Features of meshes whose surfaces cross: those of a look at everything, bit for bit, at a cost that grows with the
    surfaces that are inside. */
#include "harness/mesh_pair.h"

#include "base/vector.h"
#include "harness/mesh_maker.h"
#include "narrow/mesh_depth.h"
#include "narrow/mesh_feature_parts.h"
#include "test.h"

/* ---- the slow way ---- */

static void vertices_of_all(scree_mesh_features *work, scree_memory *memory,
                            const scree_feature_search *search, int from)
{
    const scree_mesh *mesh = search->bodies[from].mesh, *other = search->bodies[1 - from].mesh;

    for (uint32_t f = 0; f < mesh->facet_count; f++)
        for (size_t c = 0; c < 3; c++) {
            const uint32_t vertex = mesh->facets[3 * (size_t)f + c];
            if (mesh->vertex_facet[mesh->vertex_start[vertex]] != f)
                continue;
            scree_feature_vertex v = scree_feature_place_vertex(search, from, f, vertex);
            for (uint32_t n = 0; n < other->facet_count; n++)
                scree_feature_compare_vertex(search, &v, n);
            CHECK_EQUAL(scree_feature_take_vertex(work, memory, search, &v), SCREE_OK);
        }
}

/*  Whether an edge has an end inside the other body, or is near its surface. */
static bool may_have_passed(const scree_feature_search *search, const scree_mesh_finder *finder,
                            const scree_feature_edge *e)
{
    double to[3], way[3];

    for (size_t k = 0; k < finder->contact_count; k++)
        if (finder->contacts[k].facet[e->side] == e->facet)
            return true;
    for (int k = 0; k < 3; k++)
        to[k] = e->from[k] + e->along[k];
    return scree_feature_outside(search, 1 - e->side, e->from, way) == 0 ||
           scree_feature_outside(search, 1 - e->side, to, way) == 0;
}

static void edges_of_facets(scree_mesh_features *work, scree_memory *memory,
                            const scree_feature_search *search, const scree_mesh_finder *finder,
                            uint32_t f, uint32_t g)
{
    for (size_t c = 0; c < 3; c++)
        for (size_t d = 0; d < 3; d++) {
            if (!scree_feature_begins_edge(search->bodies[0].mesh, f, c) ||
                !scree_feature_begins_edge(search->bodies[1].mesh, g, d))
                continue;
            const scree_feature_edge a = scree_feature_place_edge(search, 0, f, c);
            const scree_feature_edge b = scree_feature_place_edge(search, 1, g, d);
            const size_t count = work->count;
            CHECK_EQUAL(scree_feature_take_edges(work, memory, search, &a, &b), SCREE_OK);
            if (work->count > count && work->features[count].distance < 0 &&
                !(may_have_passed(search, finder, &a) && may_have_passed(search, finder, &b)))
                work->count = count;
        }
}

static void features_of_all(scree_mesh_features *work, scree_memory *memory,
                            const scree_feature_search *search, const scree_mesh_finder *finder)
{
    work->count = 0;
    for (int from = 0; from < 2; from++)
        vertices_of_all(work, memory, search, from);
    for (uint32_t f = 0; f < search->bodies[0].mesh->facet_count; f++)
        for (uint32_t g = 0; g < search->bodies[1].mesh->facet_count; g++)
            edges_of_facets(work, memory, search, finder, f, g);
}

/*  The distance of the nearest facet from a vertex, among all, each times a factor: it is 1 if at least half of the way is
    along the vertex's mean normal, 4 if nothing is, and in between a parabola. Both bodies are closed. */
static double way_out_of_all(const scree_mesh_body body[2], int from, uint32_t vertex,
                             double largest)
{
    const scree_mesh *mesh = body[from].mesh, *other = body[1 - from].mesh;
    double normal[3] = {0, 0, 0}, at[3], step[3], local[3], nearest = INFINITY;

    scree_mesh_place(&body[from].pose, mesh->vertices + 3 * (size_t)vertex, at);
    for (int k = 0; k < 3; k++)
        step[k] = at[k] - body[1 - from].pose.place[k];
    scree_feature_to_local(&body[1 - from].pose, step, local);
    for (uint32_t n = mesh->vertex_start[vertex]; n < mesh->vertex_start[vertex + 1]; n++)
        for (size_t k = 0; k < 3; k++)
            for (size_t j = 0; j < 3; j++)
                normal[k] += body[from].pose.turn[k][j] *
                             mesh->normals[3 * (size_t)mesh->vertex_facet[n] + j];
    scree_feature_to_local(&body[1 - from].pose, normal, step);
    for (uint32_t f = 0; f < other->facet_count; f++) {
        const double *facing = other->normals + 3 * (size_t)f;
        const scree_facet_point point =
            scree_facet_nearest(other, other->vertices, facing, f, local);
        const double distance = sqrt(point.away_sq);
        const double along =
            distance > 0 ? scree_dot(point.away, step) / distance : scree_dot(facing, step);
        const double part = fmax(0, fmin(1, -along / scree_length(step) / 0.5)) - 1;
        if (distance <= largest)
            nearest = fmin(nearest, distance * (1 + 3 * part * part));
    }
    return nearest;
}

static void check_ways_out(const scree_mesh_features *work, const scree_mesh_body body[2],
                           double largest)
{
    for (size_t k = 0; k < work->count; k++) {
        const scree_mesh_feature *feature = &work->features[k];
        if (feature->kind != SCREE_FEATURE_EDGES && feature->distance < 0)
            CHECK_NEAR(
                -feature->distance * feature->share,
                way_out_of_all(body, feature->kind == SCREE_FEATURE_SECOND, feature->id, largest),
                1e-12);
    }
}

/* ---- helpers ---- */

static double *areas_of(const scree_mesh *mesh)
{
    double *area = calloc(mesh->vertex_count, sizeof *area);

    CHECK(area != NULL);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        area[v] = 1e-4 * (1 + v % 7);
    return area;
}

typedef struct looker
{
    scree_memory memory;
    scree_mesh_finder finder;
    scree_mesh_features fast, slow;
    size_t crossing, features, inside, passed;
} looker;

static void looker_begin(looker *l)
{
    memset(l, 0, sizeof *l);
    CHECK_EQUAL(scree_memory_init(&l->memory, NULL), SCREE_OK);
    CHECK_EQUAL(scree_mesh_finder_init(&l->finder, &l->memory, SCREE_SIMD_AUTO), SCREE_OK);
}

static void looker_end(looker *l)
{
    scree_mesh_features_free(&l->fast, &l->memory);
    scree_mesh_features_free(&l->slow, &l->memory);
    scree_mesh_finder_free(&l->finder);
    CHECK_EQUAL(l->memory.bytes, 0);
}

static void count_features(looker *l)
{
    l->crossing++;
    l->features += l->fast.count;
    for (size_t k = 0; k < l->fast.count; k++) {
        const scree_mesh_feature *feature = &l->fast.features[k];
        bool is_edge = feature->kind == SCREE_FEATURE_EDGES;
        l->inside += !is_edge && feature->distance < 0;
        l->passed += is_edge && feature->distance < 0;
    }
}

static bool surfaces_cross(const scree_mesh_finder *finder)
{
    for (size_t k = 0; k < finder->contact_count; k++)
        if (finder->contacts[k].distance == 0)
            return true;
    return false;
}

/*  The second body may be a wall, whose sides are told by the centre of the first. */
static void compare(looker *l, const scree_mesh_body body[2], bool is_wall, const char *what,
                    uint64_t n)
{
    double *area[2] = {areas_of(body[0].mesh), areas_of(body[1].mesh)};
    const scree_mesh_skin skins[2] = {{area[0], 1}, {area[1], is_wall ? 0 : 1}};
    const bool walls[2] = {false, is_wall};
    const scree_mesh_depth depth = {scree_mesh_largest_depth(body, walls),
                                    {body[0].pose.place, body[1].pose.place}};
    const double reach = body[0].skin + body[1].skin;
    const scree_feature_search search = {body, skins, reach, reach, &depth};

    CHECK_EQUAL(scree_mesh_find_boxes(&l->finder, &body[0], &body[1]), SCREE_OK);
    if (surfaces_cross(&l->finder)) {
        CHECK_EQUAL(scree_mesh_find_deep_features(&l->fast, &l->memory, body, skins, reach, reach,
                                                  &depth, l->finder.contacts,
                                                  l->finder.contact_count),
                    SCREE_OK);
        features_of_all(&l->slow, &l->memory, &search, &l->finder);
        if (l->fast.count != l->slow.count || !same_bits(l->fast.features, l->slow.features,
                                                         l->slow.count * sizeof *l->slow.features))
            FAIL("%s %llu: %zu features, of %zu", what, (unsigned long long)n, l->fast.count,
                 l->slow.count);
        if (!is_wall)
            check_ways_out(&l->fast, body, depth.largest);
        count_features(l);
    }
    free(area[0]);
    free(area[1]);
}

static solid globe_of(uint32_t facets, double bumps, uint64_t seed)
{
    solid s;

    CHECK(solid_globe(facets, bumps, 1.3, 1, seed, &s));
    return s;
}

static solid made(maker m)
{
    solid s;

    CHECK(solid_of(maker_mesh(&m), &s));
    maker_free(&m);
    return s;
}

static solid bar(double x, double y, double z)
{
    const double lower[3] = {-x, -y, -z}, upper[3] = {x, y, z};

    return made(maker_box(lower, upper));
}

/* ---- tests ---- */

static void compare_many(looker *l, const solid *a, const solid *b, int count, const char *what)
{
    scree_random random = scree_random_stream(7, (uint64_t)count);

    for (int n = 0; n < count; n++) {
        scree_mesh_body body[2];
        random_bodies(&random, a, b, 0.1, n % 5 ? 0 : 1e3, body);
        compare(l, body, false, what, (uint64_t)n);
    }
}

TEST(features_are_those_of_a_look_at_everything)
{
    solid s[] = {globe_of(80, 1, 1), globe_of(140, 1.5, 2), globe_of(320, 1.2, 3),
                 bar(0.5, 0.4, 0.6), bar(1.2, 0.1, 0.1),    bar(0.8, 0.8, 0.02)};
    const size_t count = SCREE_COUNT_OF(s);
    looker l;

    looker_begin(&l);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            compare_many(&l, &s[i], &s[j], TEST_EFFORT(30, 300), "pair");
    CHECK(l.crossing > 100);
    CHECK(l.inside > 100);
    CHECK(l.passed > 100);
    FIGURE("%zu pairs that cross: %zu features, %zu vertices inside, %zu edges that have passed",
           l.crossing, l.features, l.inside, l.passed);
    looker_end(&l);
    for (size_t i = 0; i < count; i++)
        solid_free(&s[i]);
}

TEST(aligned_boxes_too)
{
    static const double shift[] = {0, 0.25, 0.5, 0.9, 1};
    static const double upright[4] = {1, 0, 0, 0}, turned[4] = {1, 0, 0, 1};
    solid box = bar(0.5, 0.5, 0.5), plate = bar(1, 1, 0.1);
    const double zero[3] = {0, 0, 0};
    looker l;

    looker_begin(&l);
    for (uint64_t n = 0; n < 125; n++) {
        const double at[3] = {shift[n % 5], shift[n / 5 % 5], shift[n / 25]};
        const scree_mesh_body boxes[2] = {body_at(&box, zero, upright, 0.01),
                                          body_at(&box, at, upright, 0.02)};
        const scree_mesh_body plates[2] = {body_at(&plate, zero, upright, 0.01),
                                           body_at(&box, at, turned, 0.02)};
        compare(&l, boxes, false, "boxes", n);
        compare(&l, plates, false, "plate and box", n);
    }
    CHECK(l.inside > 100);
    looker_end(&l);
    solid_free(&box);
    solid_free(&plate);
}

TEST(walls_too)
{
    scree_random random = scree_random_stream(11, 0);
    solid sheet = made(maker_plane(9, 4, 0.2, &random)), grain = globe_of(140, 1.4, 5),
          box = bar(0.5, 0.3, 0.4);
    looker l;

    looker_begin(&l);
    for (uint64_t n = 0; n < TEST_EFFORT(60, 600); n++) {
        const solid *s = n % 2 ? &grain : &box;
        double q[4],
            at[3] = {scree_random_range(&random, -0.2, 4.2), scree_random_range(&random, -0.2, 4.2),
                     scree_random_range(&random, -0.5, 0.5)};
        const double zero[3] = {0, 0, 0}, upright[4] = {1, 0, 0, 0};
        random_turn(&random, q);
        const scree_mesh_body body[2] = {body_at(s, at, q, 0.02),
                                         body_at(&sheet, zero, upright, 0)};
        compare(&l, body, true, "wall", n);
    }
    CHECK(l.inside > 100);
    looker_end(&l);
    solid_free(&sheet);
    solid_free(&grain);
    solid_free(&box);
}

/*  The wedge of a flat edge is the same on both of its sides: where edges have passed each other by less than the contact
    skins, the side decides, or they would pull the bodies together. */
TEST(edges_push_bodies_apart)
{
    scree_random random = scree_random_stream(13, 0);
    solid globe;
    size_t edges = 0;
    looker l;

    CHECK(solid_globe(320, 1, 1, 1, 1, &globe));
    looker_begin(&l);
    for (uint64_t n = 0; n < 100; n++) {
        double q[2][4], way[3] = {1.9 * globe.radius, 0, 0};
        const double zero[3] = {0, 0, 0};
        random_turn(&random, q[0]);
        random_turn(&random, q[1]);
        const scree_mesh_body body[2] = {body_at(&globe, zero, q[0], 0.1 * globe.radius),
                                         body_at(&globe, way, q[1], 0.1 * globe.radius)};
        compare(&l, body, false, "globes", n);
        for (size_t k = 0; k < l.fast.count; k++)
            if (l.fast.features[k].kind == SCREE_FEATURE_EDGES) {
                CHECK(l.fast.features[k].normal[0] > 0);
                edges++;
            }
    }
    CHECK(edges > 100);
    looker_end(&l);
    solid_free(&globe);
}

/*  Two globes that overlap by half have 3.4 million pairs of edges. */
TEST(the_cost_is_not_that_of_all_pairs)
{
    solid a = globe_of(1224, 1, 1);
    const double way[3] = {0.6 * a.radius, 0.5 * a.radius, 0.6 * a.radius}, zero[3] = {0, 0, 0};
    const double q[2][4] = {{1, 0, 0, 0}, {0.3, 0.4, 0.5, 0.6}};
    const scree_mesh_body body[2] = {body_at(&a, zero, q[0], 0.01), body_at(&a, way, q[1], 0.01)};
    looker l;

    looker_begin(&l);
    compare(&l, body, false, "globes", 0);
    CHECK(l.inside > 100);
    CHECK(l.fast.pair_count > 0);
    CHECK(l.fast.pair_count < 4 * a.mesh->edge_count);
    FIGURE("%zu pairs of edges, of %zu and %zu that are inside; %zu features", l.fast.pair_count,
           l.fast.edges[0].count, l.fast.edges[1].count, l.features);
    looker_end(&l);
    solid_free(&a);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(features_are_those_of_a_look_at_everything),
        CASE(aligned_boxes_too),
        CASE(walls_too),
        CASE(edges_push_bodies_apart),
        CASE(the_cost_is_not_that_of_all_pairs),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
