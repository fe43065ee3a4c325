/*  Making meshes: what is refused, welding, dropping, and how facets hang together, the last against a reference
    that looks at all pairs. */
#include "harness/failing_allocator.h"
#include "harness/mesh_maker.h"

static const double unit_lower[3] = {0, 0, 0}, unit_upper[3] = {1, 1, 1};

/* ---- what is refused ---- */

static void check_refused(const scree_mesh_def *given, scree_status status, const char *says)
{
    scree_error error = {SCREE_OK, ""};
    scree_mesh_def def = *given;
    scree_mesh *mesh = (scree_mesh *)&error;
    def.error = &error;
    CHECK_EQUAL(scree_mesh_create(&def, &mesh), status);
    CHECK(mesh == NULL);
    CHECK_EQUAL(error.status, status);
    CHECK_SAYS(error.text, says);
    def.error = NULL;
    CHECK_EQUAL(scree_mesh_create(&def, &mesh), status);
}

TEST(bad_definitions_are_refused)
{
    double v[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    scree_mesh_def good = scree_default_mesh_def(), def;
    scree_mesh *mesh;
    good.vertices = v;
    good.vertex_count = 3;
    good.facet_count = 1;
    CHECK(scree_mesh_create(&good, &mesh) == SCREE_OK);
    scree_mesh_destroy(mesh);

    CHECK(scree_mesh_create(NULL, &mesh) == SCREE_BAD_ARGUMENT);
    CHECK(scree_mesh_create(&good, NULL) == SCREE_BAD_ARGUMENT);
    def = good, def.cookie = 0;
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_BAD_DEF && mesh == NULL);
    def = good, def.allocator.allocate = failing_allocator_allocate;
    check_refused(&def, SCREE_BAD_DEF, "allocator");
    def = good, def.corners = 4;
    check_refused(&def, SCREE_BAD_ARGUMENT, "corners is 4, must be 2 or 3");
    def = good, def.facet_count = 0;
    check_refused(&def, SCREE_BAD_ARGUMENT, "facet_count is 0");
    def = good, def.facet_count = 2000000000;
    check_refused(&def, SCREE_TOO_LARGE, "facet_count is 2000000000");
    def = good, def.vertices = NULL;
    check_refused(&def, SCREE_BAD_ARGUMENT, "vertices is NULL");
    double welds[] = {-1, (double)NAN, 0.2, 1e-15, INFINITY};
    for (size_t i = 0; i < SCREE_COUNT_OF(welds); i++) {
        def = good, def.weld = welds[i];
        check_refused(&def, SCREE_BAD_VALUE, "weld is");
    }
    def = good, def.facet_count = 2;
    check_refused(&def, SCREE_BAD_ARGUMENT, "facet 1, corner 0 is vertex 3, but vertex_count is 3");
    uint32_t past[] = {0, 1, 2, 2, 1, 7};
    def.facets = past;
    check_refused(&def, SCREE_BAD_ARGUMENT, "facet 1, corner 2 is vertex 7, but vertex_count is 3");
    scree_mesh_destroy(NULL);
    CHECK(scree_mesh_describe(NULL).facet_count == 0);
}

TEST(bad_coordinates_are_refused_with_their_place)
{
    double bad[] = {(double)NAN, INFINITY, -INFINITY, 1.1e60};
    for (size_t i = 0; i < SCREE_COUNT_OF(bad); i++) {
        double v[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 5, bad[i], 5};
        uint32_t f[] = {0, 1, 2, 0, 3, 1}, spared[] = {0, 1, 2, 0, 2, 1};
        scree_mesh_def def = scree_default_mesh_def();
        scree_mesh *mesh;
        def.vertices = v;
        def.vertex_count = 4;
        def.facets = f;
        def.facet_count = 2;
        check_refused(&def, SCREE_BAD_VALUE, "facet 1, corner 1 (vertex 3): y is");
        def.facets = spared; /* a vertex that no facet has does not matter */
        CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
        CHECK_EQUAL(scree_mesh_describe(mesh).vertex_count, 3);
        CHECK_EQUAL(scree_mesh_describe(mesh).dropped_duplicates, 1);
        scree_mesh_destroy(mesh);
    }
}

TEST(meshes_without_area_are_refused)
{
    double v[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4};
    scree_mesh_def def = scree_default_mesh_def();
    def.vertices = v;
    def.vertex_count = 6;
    def.facet_count = 2;
    check_refused(&def, SCREE_BAD_VALUE, "none of the 2 facets has an area");
    double tiny[] = {0, 0, 0, 1e-61, 0, 0, 0, 1e-61, 0};
    def.vertices = tiny;
    def.vertex_count = 3;
    def.facet_count = 1;
    check_refused(&def, SCREE_BAD_VALUE,
                  "it is too small: its extent is 1e-61, must be above 1e-60");
    def.corners = 2;
    check_refused(&def, SCREE_BAD_VALUE, "it is too small: its extent is 1e-61");
    double leaves[] = {0, 0, 0, 1, 0, 0.5};
    def.vertices = leaves;
    def.vertex_count = 2;
    check_refused(&def, SCREE_BAD_VALUE,
                  "facet 0, corner 1 (vertex 1): z is 0.5, must be 0 in a mesh of segments");
}

/* ---- cleaning ---- */

TEST(soups_are_welded)
{
    scree_random random = scree_random_stream(1, 0);
    maker box = maker_box(unit_lower, unit_upper), soup = maker_soup(&box, 3e-10, &random);
    scree_mesh *mesh = maker_mesh(&soup);
    scree_mesh_info info = scree_mesh_describe(mesh);
    CHECK_EQUAL(info.vertex_count, 8);
    CHECK_EQUAL(info.facet_count, 12);
    CHECK_EQUAL(info.edge_count, 18);
    CHECK(info.open_edges == 0 && info.nonmanifold_edges == 0 && info.flipped_edges == 0);
    CHECK(info.dropped_flat == 0 && info.dropped_duplicates == 0 && info.corners == 3);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(info.lower[k], 0, 1e-9);
        CHECK_NEAR(info.upper[k], 1, 1e-9);
    }
    for (uint32_t f = 0; f < 12; f++)
        CHECK_EQUAL(info.source[f], f);
    scree_mesh_destroy(mesh);

    scree_mesh_def def = maker_def(&soup);
    def.weld = 0; /* now each triangle is alone */
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    CHECK_EQUAL(scree_mesh_describe(mesh).vertex_count, 36);
    CHECK_EQUAL(scree_mesh_describe(mesh).open_edges, 36);
    scree_mesh_destroy(mesh);
    maker_free(&soup);
    soup = maker_soup(&box, 0, &random);
    def.vertices = soup.vertex;
    def.facets = NULL; /* which means 0 1 2, 3 4 5, ... */
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    CHECK_EQUAL(scree_mesh_describe(mesh).vertex_count, 8);
    scree_mesh_destroy(mesh);
    maker_free(&soup);
    maker_free(&box);
}

TEST(minus_zero_is_zero)
{
    double v[] = {0.0, 0, 0, 1, 0, 0, 0, 1, 0, -0.0, -0.0, 0, 0, -1, 0, 1, -0.0, -0.0};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh;
    def.vertices = v;
    def.vertex_count = 6;
    def.facet_count = 2;
    for (int i = 0; i < 2; i++) {
        def.weld = i ? 0 : 1e-9;
        CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
        CHECK_EQUAL(scree_mesh_describe(mesh).vertex_count, 4);
        scree_mesh_destroy(mesh);
    }
}

/*  Vertices on either side of a boundary of cells, at every distance around the welding one. */
TEST(the_welding_distance_is_kept)
{
    scree_random random = scree_random_stream(2, 0);
    for (int i = 0; i < 2000; i++) {
        double way[3], length = 0, x = scree_random_unit(&random), y = scree_random_unit(&random);
        double apart = 1e-3 * scree_random_range(&random, 0.5, 1.5);
        for (int k = 0; k < 3; k++) {
            way[k] = scree_random_normal(&random);
            length += way[k] * way[k];
        }
        for (int k = 0; k < 3; k++)
            way[k] *= apart / sqrt(length);
        /* the box [0, 1]^3 is spanned by the first two, the pair lies within */
        double p[3] = {0.1 + 0.8 * x, 0.1 + 0.8 * y, 0.4};
        double v[] = {0,
                      0,
                      0,
                      1,
                      0,
                      0,
                      0,
                      1,
                      0,
                      0,
                      0,
                      1,
                      p[0],
                      p[1],
                      p[2],
                      1,
                      1,
                      1,
                      p[0] + way[0],
                      p[1] + way[1],
                      p[2] + way[2],
                      0,
                      1,
                      1,
                      1,
                      0,
                      1};
        scree_mesh_def def = scree_default_mesh_def();
        scree_mesh *mesh;
        def.weld = 1e-3;
        def.vertices = v;
        def.vertex_count = 9;
        def.facet_count = 3;
        CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
        if (fabs(apart - 1e-3) > 1e-12)
            CHECK_EQUAL(scree_mesh_describe(mesh).vertex_count, apart < 1e-3 ? 8 : 9);
        scree_mesh_destroy(mesh);
    }
}

TEST(facets_without_area_and_duplicates_are_dropped)
{
    double v[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0.5, 0, 0.5, 0.5 + 1e-12, 0};
    uint32_t f[] = {0,
                    1,
                    2,
                    /* good */ 1,
                    1,
                    2, /* two corners in one */
                    1,
                    2,
                    4,
                    /* on a line */ 2,
                    0,
                    1,
                    /* reference */ 0,
                    2,
                    1, /* reference, turned */
                    1,
                    4,
                    5,
                    /* two corners near */ 3,
                    1,
                    0 /* good */};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh;
    def.vertices = v;
    def.vertex_count = 6;
    def.facets = f;
    def.facet_count = 7;
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    scree_mesh_info info = scree_mesh_describe(mesh);
    CHECK_EQUAL(info.facet_count, 2);
    CHECK_EQUAL(info.dropped_flat, 3);
    CHECK_EQUAL(info.dropped_duplicates, 2);
    CHECK_EQUAL(info.vertex_count, 4);
    CHECK(info.source[0] == 0 && info.source[1] == 6);
    CHECK_EQUAL(info.edge_count, 5);
    CHECK_EQUAL(info.open_edges, 4);
    const double *first = info.vertices + 3 * (size_t)info.facets[3];
    CHECK(first[0] == 0 && first[1] == 0 && first[2] == 1);
    scree_mesh_destroy(mesh);
}

/*  Of two that are near, the one that was given first: also where it lies in another cell of the grid. */
TEST(a_vertex_becomes_the_first_that_is_near)
{
    double v[] = {0.035, 0, 0, 0.0505, 0, 0, 0.043, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.5, 0.5, 1};
    uint32_t f[] = {3, 4, 5, 0, 5, 6, 1, 6, 5, 2, 4, 6};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh;
    def.vertices = v;
    def.vertex_count = 7;
    def.facets = f;
    def.facet_count = 4;
    def.weld = 0.01;
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    CHECK_EQUAL(mesh->vertex_count, 6);
    CHECK(mesh->facets[9] == mesh->facets[3] && mesh->facets[9] != mesh->facets[6]);
    CHECK(mesh->vertices[3 * (size_t)mesh->facets[9]] == 0.035);
    scree_mesh_destroy(mesh);
}

/*  No two corners are within welding distance, but one is that near to the edge across. */
TEST(triangles_no_higher_than_the_welding_distance_are_flat)
{
    double v[] = {0, 0, 0, 1, 0, 0, 0.5, 5e-10, 0, 0, 1, 0};
    uint32_t f[] = {0, 1, 2, 0, 1, 3};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh;
    def.vertices = v;
    def.vertex_count = 4;
    def.facets = f;
    def.facet_count = 2;
    for (int i = 0; i < 2; i++) {
        def.weld = i ? 1e-9 : 0;
        CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
        CHECK_EQUAL(mesh->dropped_flat, i);
        scree_mesh_destroy(mesh);
    }
}

TEST(slivers_are_kept_while_they_have_a_normal)
{
    for (double height = 3e-3; height > 1e-14; height *= 0.1) {
        double v[] = {0, 0, 0, 1, 0, 0, 0.3, height, 0};
        scree_mesh_def def = scree_default_mesh_def();
        scree_mesh *mesh;
        def.vertices = v;
        def.vertex_count = 3;
        def.facet_count = 1;
        def.weld = 0;
        if (height > 1e-10) {
            CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
            CHECK(mesh->normals[0] == 0 && mesh->normals[1] == 0 && mesh->normals[2] == 1);
            scree_mesh_destroy(mesh);
        } else {
            CHECK(scree_mesh_create(&def, &mesh) == SCREE_BAD_VALUE);
        }
    }
}

TEST(sizes_from_molecules_to_galaxies)
{
    for (double size = 1e-55; size < 1e60; size *= 1e5) {
        maker ball = maker_ball(4);
        for (size_t i = 0; i < 3 * (size_t)ball.vertex_count; i++)
            ball.vertex[i] *= size;
        scree_mesh *mesh = maker_mesh(&ball);
        CHECK_EQUAL(mesh->facet_count, 128);
        CHECK_EQUAL(mesh->vertex_count, 66);
        for (size_t f = 0; f < 128; f++) {
            const double *n = mesh->normals + 3 * f;
            CHECK_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-15);
        }
        scree_mesh_destroy(mesh);
        maker_free(&ball);
    }
}

/* ---- how facets hang together ---- */

static bool facet_has(const scree_mesh *mesh, uint32_t facet, uint32_t vertex)
{
    for (int i = 0; i < mesh->corners; i++)
        if (mesh->facets[facet * (uint32_t)mesh->corners + (uint32_t)i] == vertex)
            return true;
    return false;
}

/*  Every list of facets against a look at all facets. */
static void check_links(const scree_mesh *mesh)
{
    uint32_t corners = (uint32_t)mesh->corners, open = 0, crowded = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t at = mesh->vertex_start[v];
        for (uint32_t f = 0; f < mesh->facet_count; f++)
            if (facet_has(mesh, f, v))
                CHECK_EQUAL(mesh->vertex_facet[at++], f);
        CHECK_EQUAL(mesh->vertex_start[v + 1], at);
    }
    for (uint32_t f = 0; f < mesh->facet_count; f++)
        for (uint32_t k = 0; k < corners; k++) {
            uint32_t a = mesh->facets[f * corners + k];
            uint32_t b = mesh->facets[f * corners + (corners == 3 ? (k + 1) % 3 : k)];
            uint32_t e = mesh->edge_of[f * corners + k], at = mesh->edge_start[e];
            for (uint32_t g = 0; g < mesh->facet_count; g++)
                if (facet_has(mesh, g, a) && facet_has(mesh, g, b))
                    CHECK_EQUAL(mesh->edge_facet[at++], g);
            CHECK_EQUAL(mesh->edge_start[e + 1], at);
        }
    for (uint32_t e = 0; e < mesh->edge_count; e++) {
        open += mesh->edge_start[e + 1] - mesh->edge_start[e] == 1;
        crowded += mesh->edge_start[e + 1] - mesh->edge_start[e] > 2;
    }
    CHECK_EQUAL(open, mesh->open_edges);
    CHECK_EQUAL(crowded, mesh->nonmanifold_edges);
}

TEST(links_agree_with_a_look_at_all_facets)
{
    scree_random random = scree_random_stream(3, 0);
    for (int round = 0; round < 60; round++) {
        uint32_t vertices = 4 + scree_random_below(&random, 20);
        maker m = maker_new(vertices, 200);
        for (uint32_t i = 0; i < vertices; i++)
            maker_vertex(&m, scree_random_unit(&random), scree_random_unit(&random),
                         scree_random_unit(&random));
        uint32_t facets = 1 + scree_random_below(&random, 60);
        maker_facet(&m, 0, 1, 2);
        for (uint32_t i = 0; i < facets; i++)
            maker_facet(&m, scree_random_below(&random, vertices),
                        scree_random_below(&random, vertices),
                        scree_random_below(&random, vertices));
        scree_mesh *mesh = maker_mesh(&m);
        check_links(mesh);
        CHECK_EQUAL(mesh->facet_count + mesh->dropped_flat + mesh->dropped_duplicates, facets + 1);
        scree_mesh_destroy(mesh);
        maker_free(&m);
    }
}

TEST(sides_are_found_whatever_way_facets_are_turned)
{
    scree_random random = scree_random_stream(4, 0);
    for (int round = 0; round < 20; round++) {
        maker ball = maker_ball(6);
        for (uint32_t f = 0; f < ball.facet_count; f++)
            if (round > 0 && scree_random_below(&random, 2)) {
                uint32_t *v = ball.facet + 3 * (size_t)f, swap = v[0];
                v[0] = v[1];
                v[1] = swap;
            }
        scree_mesh *mesh = maker_mesh(&ball);
        int outward = 0;
        for (uint32_t f = 0; f < mesh->facet_count; f++) {
            const double *v = mesh->vertices + 3 * (size_t)mesh->facets[3 * (size_t)f];
            const double *n = mesh->normals + 3 * (size_t)f;
            double out = mesh->turn[f] * (n[0] * v[0] + n[1] * v[1] + n[2] * v[2]);
            outward += out > 0 ? 1 : -1;
            CHECK_EQUAL(mesh->patch[f], 0);
        }
        CHECK(abs(outward) == (int)mesh->facet_count);
        CHECK((mesh->flipped_edges == 0) == (round == 0));
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            CHECK(!mesh->vertex_is_rim[v]);
        for (uint32_t e = 0; e < mesh->edge_count; e++)
            CHECK(!mesh->edge_is_rim[e]);
        scree_mesh_destroy(mesh);
        maker_free(&ball);
    }
}

TEST(a_moebius_strip_has_no_sides)
{
    for (int twisted = 0; twisted < 2; twisted++) {
        maker m = maker_new(40, 40);
        for (uint32_t i = 0; i < 20; i++) {
            double a = i * 0.1 * 3.14159265358979, t = twisted * 0.5 * a;
            for (int j = -1; j <= 1; j += 2)
                maker_vertex(&m, (2 + j * cos(t)) * cos(a), (2 + j * cos(t)) * sin(a), j * sin(t));
        }
        for (uint32_t i = 0; i < 20; i++) {
            uint32_t a = 2 * i, b = a + 1, c = (a + 2) % 40, d = (a + 3) % 40;
            if (i == 19 && twisted) {
                c = 1;
                d = 0;
            }
            maker_facet(&m, a, b, c);
            maker_facet(&m, b, d, c);
        }
        scree_mesh *mesh = maker_mesh(&m);
        CHECK_EQUAL(mesh->facet_count, 40);
        CHECK_EQUAL(mesh->open_edges, 40);
        for (uint32_t f = 0; f < 40; f++)
            CHECK_EQUAL(mesh->turn[f], !twisted);
        for (uint32_t e = 0; e < mesh->edge_count; e++)
            CHECK_EQUAL(mesh->edge_is_rim[e],
                        twisted || mesh->edge_start[e + 1] - mesh->edge_start[e] == 1);
        scree_mesh_destroy(mesh);
        maker_free(&m);
    }
}

TEST(rims_are_edges_ends_junctions_and_pinches)
{
    /* two tetrahedra that share vertex 0 alone: a pinch, though every edge has two facets */
    maker m = maker_new(7, 8);
    maker_vertex(&m, 0, 0, 0);
    for (int s = -1; s <= 1; s += 2)
        for (int i = 0; i < 3; i++)
            maker_vertex(&m, s * (1 + (i == 0)), s * (1 + (i == 1)), s * (1 + (i == 2)));
    for (uint32_t t = 0; t < 2; t++) {
        uint32_t a = 1 + 3 * t, b = a + 1, c = a + 2;
        maker_facet(&m, 0, a, b);
        maker_facet(&m, 0, b, c);
        maker_facet(&m, 0, c, a);
        maker_facet(&m, a, c, b);
    }
    scree_mesh *mesh = maker_mesh(&m);
    CHECK_EQUAL(mesh->open_edges + mesh->nonmanifold_edges + mesh->flipped_edges, 0);
    CHECK(mesh->patch[0] == 0 && mesh->patch[3] == 0 && mesh->patch[4] == 1);
    for (uint32_t v = 0; v < 7; v++)
        CHECK_EQUAL(mesh->vertex_is_rim[v], v == 0);
    scree_mesh_destroy(mesh);
    maker_free(&m);

    /* a floor of 3 x 3 squares with a wall that stands on an inner line: that line is crowded */
    scree_random random = scree_random_stream(5, 0);
    maker floor = maker_plane(3, 3, 0, &random);
    m = maker_new(20, 30);
    memcpy(m.vertex, floor.vertex, 16 * 3 * sizeof(double));
    memcpy(m.facet, floor.facet, 18 * 3 * sizeof(uint32_t));
    m.vertex_count = 16;
    m.facet_count = 18;
    maker_facet(&m, 5, 9, maker_vertex(&m, 1.5, 1, 1));
    mesh = maker_mesh(&m);
    CHECK_EQUAL(mesh->nonmanifold_edges, 1);
    CHECK_EQUAL(mesh->open_edges, 14);
    CHECK(mesh->patch[18] == 1);
    for (uint32_t v = 0; v < 16; v++)
        CHECK_EQUAL(mesh->vertex_is_rim[v], v != 6 && v != 10);
    scree_mesh_destroy(mesh);
    maker_free(&m);
    maker_free(&floor);
}

TEST(segments_are_meshes_too)
{
    /* a square, a tail at vertex 0, and a segment that is turned */
    double v[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, -1, -1, 0, 5, 5, 0, 6, 5, 0, 7, 5, 0};
    uint32_t f[] = {0, 1, 1, 2, 2, 3, 3, 0, 0, 4, 5, 6, 7, 6, 1, 0, 2, 2};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh;
    def.corners = 2;
    def.vertices = v;
    def.vertex_count = 8;
    def.facets = f;
    def.facet_count = 9;
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    check_links(mesh);
    scree_mesh_info info = scree_mesh_describe(mesh);
    CHECK(info.facet_count == 7 && info.dropped_flat == 1 && info.dropped_duplicates == 1);
    CHECK(info.edge_count == 8 && info.vertex_count == 8 && info.corners == 2);
    CHECK_EQUAL(info.nonmanifold_edges, 1);
    CHECK_EQUAL(info.open_edges, 3);
    CHECK_EQUAL(info.flipped_edges, 1);
    CHECK(mesh->turn[5] == 1 && mesh->turn[6] == -1);
    CHECK(mesh->vertex_is_rim[0] && !mesh->vertex_is_rim[1] && mesh->vertex_is_rim[4]);
    /* to the left of its way */
    CHECK(mesh->normals[0] == 0 && mesh->normals[1] == 1 && mesh->normals[2] == 0);
    scree_mesh_destroy(mesh);
}

/* ---- life ---- */

TEST(a_mesh_lives_until_its_last_user_lets_go)
{
    failing_allocator memory = {.fail_at = 0};
    maker box = maker_box(unit_lower, unit_upper);
    scree_mesh_def def = maker_def(&box);
    scree_mesh *mesh;
    def.allocator = failing_allocator_hooks(&memory);
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    maker_free(&box); /* it was copied */
    scree_mesh_hold(mesh);
    scree_mesh_hold(mesh);
    scree_mesh_destroy(mesh);
    scree_mesh_release(mesh);
    CHECK(memory.live_blocks > 0);
    CHECK_EQUAL(scree_mesh_describe(mesh).facet_count, 12);
    scree_mesh_release(mesh);
    CHECK(failing_allocator_is_clean(&memory));
}

TEST(running_out_of_memory_leaves_nothing_behind)
{
    maker ball = maker_ball(5);
    size_t refused = 0;
    for (size_t k = 1;; k++) {
        failing_allocator memory = {.fail_at = k};
        scree_error error = {SCREE_OK, ""};
        scree_mesh_def def = maker_def(&ball);
        scree_mesh *mesh;
        def.allocator = failing_allocator_hooks(&memory);
        def.error = &error;
        scree_status status = scree_mesh_create(&def, &mesh);
        CHECK(status == (memory.requests < k ? SCREE_OK : SCREE_OUT_OF_MEMORY));
        if (status) {
            CHECK(mesh == NULL && error.status == SCREE_OUT_OF_MEMORY);
            CHECK_SAYS(error.text, "out of memory");
            refused++;
        }
        scree_mesh_destroy(mesh);
        CHECK(failing_allocator_is_clean(&memory));
        if (!status)
            break;
    }
    CHECK(refused > 20);
    maker_free(&ball);
}

/*  A fan of many facets around one vertex, and a cloud denser than the welding distance: nothing here may
    take the square of their number. */
TEST(large_fans_and_dense_clouds_take_no_longer)
{
    uint32_t count = 100000;
    maker m = maker_new(count + 1, count);
    maker_vertex(&m, 0, 0, 0);
    for (uint32_t i = 0; i < count; i++)
        maker_vertex(&m, cos(i * 6.28318530718 / count), sin(i * 6.28318530718 / count), 1);
    for (uint32_t i = 0; i < count; i++)
        maker_facet(&m, 0, 1 + i, 1 + (i + 1) % count);
    scree_mesh *mesh = maker_mesh(&m);
    CHECK_EQUAL(mesh->facet_count, count);
    CHECK(!mesh->vertex_is_rim[0] && mesh->vertex_is_rim[1]);
    scree_mesh_destroy(mesh);

    scree_random random = scree_random_stream(6, 0);
    m.facet[0] = 0;
    m.vertex[3] = 1e6; /* the extent; all others are within 1e-9 of it */
    for (size_t i = 6; i < 3 * (size_t)m.vertex_count; i++)
        m.vertex[i] = scree_random_range(&random, 0, 1e-2);
    scree_mesh_def def = maker_def(&m);
    def.weld = 1e-9;
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    CHECK(mesh->vertex_count > 100 &&
          mesh->vertex_count < 3000); /* (1e-2 / 1e-3)^3, and boundaries */
    scree_mesh_destroy(mesh);
    maker_free(&m);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(bad_definitions_are_refused),
        CASE(bad_coordinates_are_refused_with_their_place),
        CASE(meshes_without_area_are_refused),
        CASE(soups_are_welded),
        CASE(minus_zero_is_zero),
        CASE(the_welding_distance_is_kept),
        CASE(facets_without_area_and_duplicates_are_dropped),
        CASE(a_vertex_becomes_the_first_that_is_near),
        CASE(triangles_no_higher_than_the_welding_distance_are_flat),
        CASE(slivers_are_kept_while_they_have_a_normal),
        CASE(sizes_from_molecules_to_galaxies),
        CASE(links_agree_with_a_look_at_all_facets),
        CASE(sides_are_found_whatever_way_facets_are_turned),
        CASE(a_moebius_strip_has_no_sides),
        CASE(rims_are_edges_ends_junctions_and_pinches),
        CASE(segments_are_meshes_too),
        CASE(a_mesh_lives_until_its_last_user_lets_go),
        CASE(running_out_of_memory_leaves_nothing_behind),
        CASE(large_fans_and_dense_clouds_take_no_longer),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
