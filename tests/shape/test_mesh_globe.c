/*  Globes: closed, as many facets as asked for, as round, bumpy or long as asked for. */
#include "harness/failing_allocator.h"
#include "shape/mesh.h"
#include "test.h"

#include <math.h>

static scree_mesh *globe_of(scree_globe_def def)
{
    scree_error error = {SCREE_OK, ""};
    scree_mesh *mesh = NULL;
    def.error = &error;
    if (scree_mesh_globe(&def, &mesh))
        FAIL("globe of %u: %s", def.facets, error.text);
    return mesh;
}

/*  Of the distances of vertices from the origin, with z shrunk back. */
static void measure_radii(const scree_mesh *mesh, double elongation, double *least, double *most)
{
    *least = INFINITY;
    *most = 0;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        const double *x = mesh->vertices + 3 * v;
        double z = x[2] / elongation, radius = sqrt(x[0] * x[0] + x[1] * x[1] + z * z);
        *least = fmin(*least, radius);
        *most = fmax(*most, radius);
    }
}

static void check_globe_of(uint32_t facets, double bumps, double elongation)
{
    scree_globe_def def = scree_default_globe_def();
    scree_mesh_report report;
    scree_mesh_solid solid;
    double least, most;
    def.facets = facets;
    def.bumps = bumps;
    def.elongation = elongation;
    scree_mesh *mesh = globe_of(def);
    scree_mesh_info info = scree_mesh_describe(mesh);
    CHECK_EQUAL(info.facet_count, facets);
    CHECK_EQUAL(info.dropped_flat + info.dropped_duplicates, 0);
    /* Euler: a closed surface without holes */
    CHECK_EQUAL(info.vertex_count, facets / 2 + 2);
    CHECK(scree_mesh_check(mesh, &report, NULL) == SCREE_OK);
    CHECK(report.closed && report.oriented && report.crossings == 0);
    CHECK_EQUAL(report.patches, 1);
    CHECK(scree_mesh_solid_of(mesh, 1, &solid, NULL) == SCREE_OK);
    CHECK(!solid.inward && solid.volume > 0);
    measure_radii(mesh, elongation, &least, &most);
    CHECK_NEAR(least, 0.5, 1e-12);
    CHECK_NEAR(most, 0.5 * bumps, 1e-12);
    if (bumps == 1)
        CHECK(solid.volume < 0.5236 * elongation &&
              solid.volume > 0.5236 * elongation * (1 - 25.0 / facets));
    scree_mesh_destroy(mesh);
}

TEST(globes_of_the_paper)
{
    PROVES("NW-37");
    static const uint32_t facets[] = {12, 36, 80, 140, 320, 1224, 1280, 5120};
    for (size_t k = 0; k < sizeof facets / sizeof *facets; k++) {
        check_globe_of(facets[k], 1, 1);
        check_globe_of(facets[k], 1, 2.6);
        check_globe_of(facets[k], 1.4, 1);
        check_globe_of(facets[k], 1.2, 1.8);
    }
}

static uint32_t max_facets_of_a_vertex(const scree_mesh *mesh)
{
    uint32_t most = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t count = mesh->vertex_start[v + 1] - mesh->vertex_start[v];
        most = count > most ? count : most;
    }
    return most;
}

TEST(globes_of_other_numbers)
{
    scree_globe_def def = scree_default_globe_def();
    scree_mesh *mesh;
    check_globe_of(20, 1, 1);
    check_globe_of(180, 1.2, 1);
    check_globe_of(6, 1, 1);
    check_globe_of(26, 1, 1); /* 13 slices, no more than two stacks */
    check_globe_of(1000, 1, 1);
    /* the same number in both ways */
    def.facets = 80;
    def.kind = SCREE_GLOBE_UV;
    mesh = globe_of(def);
    CHECK_EQUAL(max_facets_of_a_vertex(mesh), 8);
    scree_mesh_destroy(mesh);
    def.kind = SCREE_GLOBE_ICO;
    mesh = globe_of(def);
    CHECK_EQUAL(max_facets_of_a_vertex(mesh), 6);
    scree_mesh_destroy(mesh);
}

/*  Seeds differ, and a seed is the same again. */
TEST(noise_is_what_its_seed_says)
{
    scree_globe_def def = scree_default_globe_def();
    def.facets = 320;
    def.bumps = 1.5;
    scree_mesh *a = globe_of(def), *b = globe_of(def);
    def.seed = 2;
    scree_mesh *c = globe_of(def);
    def.octaves = 1;
    scree_mesh *d = globe_of(def);
    size_t bytes = 3 * sizeof(double) * (size_t)a->vertex_count;
    CHECK(memcmp(a->vertices, b->vertices, bytes) == 0);
    CHECK(memcmp(a->vertices, c->vertices, bytes) != 0);
    CHECK(memcmp(c->vertices, d->vertices, bytes) != 0);
    scree_mesh_destroy(a);
    scree_mesh_destroy(b);
    scree_mesh_destroy(c);
    scree_mesh_destroy(d);
}

/*  Neighbours are nearly as high: noise, not chance. */
TEST(noise_has_no_cliffs)
{
    scree_globe_def def = scree_default_globe_def();
    def.facets = 5120;
    def.bumps = 2;
    def.octaves = 1;
    scree_mesh *mesh = globe_of(def);
    double steepest = 0;
    for (size_t c = 0; c < 3 * (size_t)mesh->facet_count; c++) {
        const double *x = mesh->vertices + 3 * (size_t)mesh->facets[c];
        const double *y = mesh->vertices + 3 * (size_t)mesh->facets[c % 3 == 2 ? c - 2 : c + 1];
        double rx = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        double ry = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
        steepest = fmax(steepest, fabs(rx - ry));
    }
    CHECK(steepest < 0.15); /* of 0.5 from the lowest to the highest */
    scree_mesh_destroy(mesh);
}

static void check_refused(const scree_globe_def *like, scree_status wanted, const char *saying)
{
    scree_error error = {SCREE_OK, ""};
    scree_globe_def def = *like;
    scree_mesh *mesh = NULL;
    def.error = &error;
    CHECK(scree_mesh_globe(&def, &mesh) == wanted);
    CHECK(mesh == NULL);
    CHECK_SAYS(error.text, saying);
}

TEST(globes_that_cannot_be)
{
    const scree_globe_def good = scree_default_globe_def();
    scree_globe_def def = good;
    scree_mesh *mesh;
    CHECK(scree_mesh_globe(&good, NULL) == SCREE_BAD_ARGUMENT);
    CHECK(scree_mesh_globe(NULL, &mesh) == SCREE_BAD_ARGUMENT);
    def.cookie++;
    CHECK(scree_mesh_globe(&def, &mesh) == SCREE_BAD_DEF);
    def = good, def.facets = 13;
    check_refused(&def, SCREE_BAD_ARGUMENT, "facets is 13, must be 2 s t");
    def = good, def.facets = 4;
    check_refused(&def, SCREE_BAD_ARGUMENT, "facets is 4, must be 2 s t");
    def = good, def.facets = 36, def.kind = SCREE_GLOBE_ICO;
    check_refused(&def, SCREE_BAD_ARGUMENT, "facets is 36, must be 20 n^2");
    def = good, def.facets = 18, def.kind = SCREE_GLOBE_ICO;
    check_refused(&def, SCREE_BAD_ARGUMENT, "facets is 18");
    def = good, def.facets = 0;
    check_refused(&def, SCREE_BAD_VALUE, "facets is 0");
    def = good, def.facets = 4000000000u;
    check_refused(&def, SCREE_BAD_VALUE, "facets is 4e+09");
    def = good, def.kind = (scree_globe_kind)3;
    check_refused(&def, SCREE_BAD_ARGUMENT, "kind is 3");
    def = good, def.kind = (scree_globe_kind)-1;
    check_refused(&def, SCREE_BAD_ARGUMENT, "kind is");
    def = good, def.radius = 0;
    check_refused(&def, SCREE_BAD_VALUE, "radius is 0");
    def = good, def.radius = NAN;
    check_refused(&def, SCREE_BAD_VALUE, "radius is");
    def = good, def.bumps = 0.5;
    check_refused(&def, SCREE_BAD_VALUE, "bumps is 0.5, must be 1 to 10");
    def = good, def.waves = 0;
    check_refused(&def, SCREE_BAD_VALUE, "waves is 0");
    def = good, def.octaves = 17;
    check_refused(&def, SCREE_BAD_VALUE, "octaves is 17");
    def = good, def.elongation = 0.9;
    check_refused(&def, SCREE_BAD_VALUE, "elongation is 0.9");
    failing_allocator books = {0};
    def = good, def.allocator = failing_allocator_hooks(&books);
    def.allocator.release = NULL;
    check_refused(&def, SCREE_BAD_DEF, "allocator has some functions");
}

TEST(globes_without_memory)
{
    for (size_t k = 1;; k++) {
        failing_allocator books = {.fail_at = k};
        scree_error error = {SCREE_OK, ""};
        scree_globe_def def = scree_default_globe_def();
        scree_mesh *mesh;
        def.facets = 36;
        def.bumps = 1.5;
        def.allocator = failing_allocator_hooks(&books);
        def.error = &error;
        scree_status status = scree_mesh_globe(&def, &mesh);
        CHECK(status == (books.failures ? SCREE_OUT_OF_MEMORY : SCREE_OK));
        if (status)
            CHECK_SAYS(error.text, "out of memory");
        scree_mesh_destroy(mesh);
        CHECK(failing_allocator_is_clean(&books));
        if (books.requests < k)
            break;
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(globes_of_the_paper), CASE(globes_of_other_numbers), CASE(noise_is_what_its_seed_says),
        CASE(noise_has_no_cliffs), CASE(globes_that_cannot_be),   CASE(globes_without_memory),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
