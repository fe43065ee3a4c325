/*  Candidates that the device finds, against all pairs one by one, and against the detector of the host. */
#include "device.h"

#include "base/random.h"
#include "detect/cell.h"
#include "gpu/device_search.h"
#include "gpu/search_layout.h"
#include "scree/detect.h"

#include <math.h>

/* ---- scenes ---- */

typedef struct sphere_scene
{
    const char *name;
    uint32_t count;
    double (*row)[4]; /* x, y, z, radius */
    scree_search_def def;
} sphere_scene;

static sphere_scene scene_of(const char *name, uint32_t count)
{
    sphere_scene scene = {.name = name, .count = count};

    scene.row = malloc(((size_t)count + 1) * sizeof *scene.row);
    memset(scene.row, 0, ((size_t)count + 1) * sizeof *scene.row);
    return scene;
}

static void scatter(sphere_scene *scene, uint64_t seed, double width, double smallest,
                    double largest)
{
    scree_random random = scree_random_stream(seed, 1);

    for (uint32_t i = 0; i < scene->count; i++) {
        for (int k = 0; k < 3; k++)
            scene->row[i][k] = scree_random_range(&random, 0, width);
        scene->row[i][3] = scree_random_log_uniform(&random, smallest, largest);
    }
}

/* ---- the slow truth ---- */

static bool are_near(const sphere_scene *scene, const scree_cell *cell, uint32_t i, uint32_t j)
{
    const double *a = scene->row[i], *b = scene->row[j];
    double d[3], n[3], by[3], reach = (a[3] + b[3]) + scene->def.margin;

    if (!(a[3] >= 0) || !(b[3] >= 0) || i == j)
        return false;
    for (int k = 0; k < 3; k++)
        d[k] = a[k] - b[k];
    scree_cell_nearest(cell, d, n);
    scree_cell_vector(cell, n, by);
    for (int k = 0; k < 3; k++)
        d[k] -= by[k];
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= reach * reach;
}

/* ---- the device's answer ---- */

typedef struct answer
{
    uint32_t *start, *partner, rows, count;
    scree_status status;
    char text[252];
} answer;

/*  One device and search for a whole test, so that what one search leaves behind is met by the next. */
typedef struct searching
{
    scree_error error;
    scree_gpu *gpu;
    scree_device_search *search;
    scree_candidate_rows found;
} searching;

static searching *begin(void)
{
    searching *s = calloc(1, sizeof *s);

    s->gpu = open_device(&s->error);
    scree_gpu_say_to(s->gpu, &s->error);
    if (scree_device_search_make(s->gpu, &s->search))
        FAIL("%s", s->error.text);
    return s;
}

static void end(searching *s)
{
    scree_device_search_free(s->search);
    scree_candidate_rows_free(s->gpu, &s->found);
    CHECK_EQUAL(scree_gpu_bytes(s->gpu), (uint64_t)0);
    scree_gpu_close(s->gpu);
    free(s);
}

static answer ask(searching *s, const sphere_scene *scene)
{
    answer a = {NULL, NULL, 0, 0, SCREE_OK, ""};
    scree_gpu_buffer spheres = {0};
    const size_t bytes = scene->count * sizeof *scene->row;

    CHECK_EQUAL(scree_gpu_reserve(s->gpu, &spheres, bytes, "spheres"), SCREE_OK);
    CHECK_EQUAL(scree_gpu_write(s->gpu, &spheres, 0, scene->row, bytes), SCREE_OK);
    a.status = scree_device_search_run(s->search, &spheres, scene->count, &scene->def, &s->found);
    memcpy(a.text, s->error.text, sizeof a.text);
    a.rows = s->found.rows;
    a.count = s->found.count;
    a.start = malloc(((size_t)a.rows + 1) * sizeof *a.start);
    a.partner = malloc(((size_t)a.count + 1) * sizeof *a.partner);
    a.start[0] = 0;
    if (!a.status) {
        CHECK_EQUAL(scree_gpu_read(s->gpu, &s->found.start, 0, a.start,
                                   ((size_t)a.rows + 1) * sizeof *a.start),
                    SCREE_OK);
        CHECK_EQUAL(
            scree_gpu_read(s->gpu, &s->found.partner, 0, a.partner, a.count * sizeof *a.partner),
            SCREE_OK);
    }
    scree_gpu_free(s->gpu, &spheres);
    return a;
}

static void free_answer(answer *a)
{
    free(a->start);
    free(a->partner);
}

/*  Goes through all pairs. */
static void check_all(searching *s, const sphere_scene *scene)
{
    const scree_cell cell = scree_cell_make(scene->def.period, scene->def.tilt, 3);
    answer a = ask(s, scene);
    uint32_t at = 0;

    if (a.status)
        FAIL("%s: %s", scene->name, a.text);
    CHECK_EQUAL(a.rows, scene->count);
    for (uint32_t i = 0; i < scene->count; i++) {
        if (a.start[i] != at)
            FAIL("%s: row %u begins at %u, not %u", scene->name, i, a.start[i], at);
        for (uint32_t j = scene->def.is_full ? 0 : i + 1; j < scene->count; j++) {
            if (!are_near(scene, &cell, i, j))
                continue;
            if (at >= a.count || a.partner[at] != j)
                FAIL("%s: place %u of %u, row %u: %u, not %u", scene->name, at, a.count, i,
                     at < a.count ? a.partner[at] : UINT32_MAX, j);
            at++;
        }
    }
    CHECK_EQUAL(a.start[scene->count], at);
    CHECK_EQUAL(a.count, at);
    free_answer(&a);
}

/*  Half and full rows, without and with a margin. */
static void check_scene(searching *s, sphere_scene *scene, double margin)
{
    for (int k = 0; k < 4; k++) {
        scene->def.is_full = k % 2;
        scene->def.margin = k < 2 ? 0 : margin;
        check_all(s, scene);
    }
    free(scene->row);
}

/* ---- tests ---- */

TEST(few_bodies_and_none)
{
    searching *s = begin();

    for (uint32_t count = 0; count <= 5; count++) {
        sphere_scene scene = scene_of("few", count);
        scatter(&scene, count, 1, 0.2, 0.4);
        check_scene(s, &scene, 0.1);
    }
    end(s);
}

TEST(random_spheres_of_equal_and_of_many_sizes)
{
    static const double ratios[] = {1, 1.9, 10, 1000};
    searching *s = begin();

    for (int k = 0; k < 4; k++)
        for (uint64_t seed = 0; seed < TEST_EFFORT(2u, 6u); seed++) {
            sphere_scene scene = scene_of("random", TEST_EFFORT(1000, 2000));
            scatter(&scene, seed, 1, 0.1 / ratios[k], 0.1);
            check_scene(s, &scene, 0.01);
        }
    end(s);
}

/*  Two clouds far from each other, each with a giant, and one body that has run away. */
TEST(clusters_in_empty_space)
{
    searching *s = begin();

    for (uint64_t seed = 0; seed < TEST_EFFORT(2u, 10u); seed++) {
        sphere_scene scene = scene_of("clusters", 1500);
        scatter(&scene, seed, 1, 0.002, 0.03);
        for (uint32_t i = 0; i < scene.count; i++)
            scene.row[i][i % 3] += i % 2 ? 1e4 : 0;
        for (int k = 0; k < 3; k++)
            scene.row[7][k] = -3e9;
        scene.row[0][3] = scene.row[11][3] = 0.6;
        check_scene(s, &scene, 0.003);
    }
    end(s);
}

/*  Rows of thousands: one giant that touches all, in the first, a middle and the last row. */
TEST(giants_with_long_rows)
{
    searching *s = begin();

    for (uint32_t giants = 1; giants <= 3; giants++) {
        sphere_scene scene = scene_of("giants", 4000);
        scatter(&scene, giants, 1, 0.001, 0.002);
        for (uint32_t g = 0; g < giants; g++) {
            double *row = scene.row[g == 0 ? 2000 : g == 1 ? 0 : 3999];
            for (int k = 0; k < 3; k++)
                row[k] = 0.5 + 0.01 * g;
            row[3] = g == 2 ? 0.3 : 1;
        }
        check_scene(s, &scene, 0.001);
    }
    end(s);
}

/*  Spheres that touch exactly, in a lattice whose planes lie on the boundaries of cells. */
TEST(lattices_that_just_touch)
{
    searching *s = begin();

    for (int k = 0; k < 3; k++) {
        const double spacing = k == 0 ? 1 : k == 1 ? 0.1 : 1.0 / 3;
        sphere_scene scene = scene_of("lattice", 12 * 12 * 12);
        for (uint32_t i = 0; i < scene.count; i++) {
            scene.row[i][0] = spacing * (i % 12);
            scene.row[i][1] = spacing * (i / 12 % 12);
            scene.row[i][2] = spacing * (i / 144) - (k == 2 ? 1e6 : 0);
            scene.row[i][3] = 0.5 * spacing;
        }
        check_scene(s, &scene, 0.5 * spacing);
    }
    end(s);
}

TEST(all_at_one_place_on_a_line_and_in_a_plane)
{
    searching *s = begin();

    for (int k = 0; k < 4; k++) {
        sphere_scene scene = scene_of("flat", 300);
        scatter(&scene, 5, 1, 0.01, 0.05);
        for (uint32_t i = 0; i < scene.count; i++) {
            for (int axis = k; axis < 3; axis++)
                scene.row[i][axis] = 0.25;
            if (k == 3)
                scene.row[i][3] = 0; /* points, of which some coincide */
            if (k == 3 && i % 10 == 0)
                memcpy(scene.row[i], scene.row[0], sizeof scene.row[0]);
        }
        check_scene(s, &scene, 0.02);
    }
    end(s);
}

TEST(bodies_that_are_none)
{
    searching *s = begin();
    sphere_scene scene = scene_of("none", 1000), empty = scene_of("all none", 100);

    scatter(&scene, 9, 1, 0.02, 0.1);
    for (uint32_t i = 0; i < scene.count; i += 3)
        scene.row[i][3] = i % 2 ? -1 : (double)NAN;
    scene.row[3][0] = INFINITY; /* no body: its place does not matter */
    check_scene(s, &scene, 0.02);
    for (uint32_t i = 0; i < empty.count; i++)
        empty.row[i][3] = -1;
    check_scene(s, &empty, 0.02);
    end(s);
}

/*  Boxes and sheared cells, periodic on some axes or all, with bodies outside, up to where an axis has one or two cells. */
TEST(periodic_cells)
{
    searching *s = begin();
    uint64_t scenes = TEST_EFFORT(24u, 200u);

    for (uint64_t seed = 0; seed < scenes; seed++) {
        scree_random random = scree_random_stream(77, seed);
        sphere_scene scene = scene_of("periodic", 400);
        double *period = scene.def.period, *tilt = scene.def.tilt;
        double largest = seed % 3 == 0 ? 0.24 : 0.06, ratio = seed % 2 ? 1 : 20;
        uint32_t axes = seed % 4 == 0 ? 7 : 1 + scree_random_below(&random, 7);
        for (int k = 0; k < 3; k++)
            period[k] = axes >> k & 1 ? scree_random_range(&random, 0.7, 1.5) : 0;
        tilt[0] =
            period[0] > 0 && period[1] > 0 ? scree_random_range(&random, -0.5, 0.5) * period[0] : 0;
        tilt[1] =
            period[0] > 0 && period[2] > 0 ? scree_random_range(&random, -0.5, 0.5) * period[0] : 0;
        tilt[2] =
            period[1] > 0 && period[2] > 0 ? scree_random_range(&random, -0.5, 0.5) * period[1] : 0;
        scatter(&scene, seed, 1.3, largest / ratio, largest);
        for (uint32_t i = 0; i < scene.count; i += 7)
            scene.row[i][i % 3] += (double)scree_random_below(&random, 9) - 4;
        if (seed % 5 == 0)
            scene.row[3][1] += 1e5;
        check_scene(s, &scene, 0.02);
    }
    end(s);
}

/*  More bodies than can be compared one by one: the host's detector has to agree, in a sheared cell as well. */
TEST(the_detector_of_the_host_finds_the_same)
{
    searching *s = begin();

    for (int sheared = 0; sheared < 2; sheared++) {
        sphere_scene scene = scene_of("large", TEST_EFFORT(30000u, 300000u));
        scree_detector_def def = scree_default_detector_def();
        const scree_csr_options options = {.half = true, .canonical = true};
        scree_detector *detector;
        scree_table table;
        scree_csr csr;
        answer a;
        const double radius = 3 * cbrt(1.0 / scene.count);

        scatter(&scene, 21, 1, radius / 30, radius);
        scene.row[5][3] = 0.1;
        if (sheared) {
            for (int k = 0; k < 3; k++)
                def.period[k] = scene.def.period[k] = 1;
            def.tilt[0] = scene.def.tilt[0] = 0.4;
            def.tilt[1] = scene.def.tilt[1] = -0.3;
            def.tilt[2] = scene.def.tilt[2] = 0.5;
        }
        table = scree_table_spheres(scene.count, scree_doubles(scene.row[0] + 0, sizeof *scene.row),
                                    scree_doubles(scene.row[0] + 1, sizeof *scene.row),
                                    scree_doubles(scene.row[0] + 2, sizeof *scene.row),
                                    scree_doubles(scene.row[0] + 3, sizeof *scene.row));
        CHECK_EQUAL(scree_detector_create(&def, &detector), SCREE_OK);
        CHECK_EQUAL(scree_detector_csr_of(detector, &table, &options, &csr), SCREE_OK);
        a = ask(s, &scene);
        CHECK_EQUAL(a.status, SCREE_OK);
        CHECK_EQUAL(a.rows, csr.id_bound);
        CHECK_EQUAL(a.count, csr.count);
        CHECK(a.count > scene.count);
        CHECK(memcmp(a.start, csr.start, ((size_t)a.rows + 1) * sizeof *a.start) == 0);
        CHECK(memcmp(a.partner, csr.neighbor, a.count * sizeof *a.partner) == 0);
        free_answer(&a);
        scree_detector_destroy(detector);
        free(scene.row);
    }
    end(s);
}

/*  Order of bodies: each once, and those of one cell side by side. */
TEST(the_order_has_each_body_once)
{
    searching *s = begin();
    sphere_scene scene = scene_of("order", 5000);
    uint32_t *order = malloc(scene.count * sizeof *order);
    bool *seen = calloc(scene.count, sizeof *seen);
    answer a;

    scatter(&scene, 2, 1, 0.01, 0.01);
    a = ask(s, &scene);
    CHECK_EQUAL(scree_gpu_read(s->gpu, scree_device_search_order(s->search), 0, order,
                               scene.count * sizeof *order),
                SCREE_OK);
    for (uint32_t k = 0; k < scene.count; k++) {
        CHECK(order[k] < scene.count && !seen[order[k]]);
        seen[order[k]] = true;
        /* along z first of all */
        if (k > 0)
            CHECK(scene.row[order[k]][2] > scene.row[order[k - 1]][2] - 0.03);
    }
    free_answer(&a);
    free(order);
    free(seen);
    free(scene.row);
    end(s);
}

static void check_refused(searching *s, const sphere_scene *scene, scree_status status,
                          const char *part)
{
    answer a = ask(s, scene);

    CHECK_EQUAL(a.status, status);
    CHECK_EQUAL(a.count, (uint32_t)0);
    CHECK_EQUAL(a.rows, (uint32_t)0);
    if (!strstr(a.text, part))
        FAIL("\"%s\" does not say \"%s\"", a.text, part);
    free_answer(&a);
}

TEST(what_cannot_be_searched_is_refused)
{
    searching *s = begin();
    sphere_scene scene = scene_of("wrong", 100), good;
    scree_gpu_buffer short_one = {0};

    scatter(&scene, 1, 1, 0.1, 0.1);
    good = scene;
    scene.def.margin = -1;
    check_refused(s, &scene, SCREE_BAD_VALUE, "the margin of a search is -1 m");
    scene.def.margin = NAN;
    check_refused(s, &scene, SCREE_BAD_VALUE, "the margin of a search is");
    scene.def.margin = 0;
    scene.def.period[1] = -2;
    check_refused(s, &scene, SCREE_BAD_VALUE, "period y of a search is -2 m");
    scene.def.period[1] = 2;
    scene.def.tilt[0] = 0.1;
    check_refused(s, &scene, SCREE_BAD_VALUE, "tilt xy of a search is 0.1 m, must be at most 0");
    scene.def = good.def;
    scene.row[17][2] = INFINITY;
    check_refused(s, &scene, SCREE_BAD_VALUE,
                  "1 bodies of a search have a position or radius that is not finite");
    scene.row[17][2] = NAN;
    check_refused(s, &scene, SCREE_BAD_VALUE, "that is not finite");
    scene.row[17][2] = 0.5;
    CHECK_EQUAL(scree_gpu_reserve(s->gpu, &short_one, 99 * 32, "short"), SCREE_OK);
    CHECK_EQUAL(scree_device_search_run(s->search, &short_one, 100, &scene.def, &s->found),
                SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_device_search_run(s->search, &short_one, UINT32_MAX, &scene.def, &s->found),
                SCREE_TOO_LARGE);
    scree_gpu_free(s->gpu, &short_one);
    check_all(s, &scene);
    free(scene.row);
    end(s);
}

/*  Memory that ends in the middle of a search: each buffer in turn, and the search continues after that. */
TEST(too_little_memory_is_refused)
{
    sphere_scene scene = scene_of("memory", 3000);
    uint64_t budgets = 0;

    scatter(&scene, 4, 1, 0.001, 0.05);
    scene.row[0][3] = 1;
    scene.def.is_full = true;
    for (uint64_t budget = 100000; budget < 4000000; budget += 16000) {
        searching *s = calloc(1, sizeof *s);
        scree_gpu_def def = {.device = getenv("SCREE_TEST_DEVICE"),
                             .budget = budget,
                             .is_unchecked = true,
                             .error = &s->error};
        scree_gpu_buffer spheres = {0};
        scree_status status;
        CHECK_EQUAL(scree_gpu_open(&def, &s->gpu), SCREE_OK);
        CHECK_EQUAL(scree_device_search_make(s->gpu, &s->search), SCREE_OK);
        status = scree_gpu_reserve(s->gpu, &spheres, scene.count * 32, "spheres");
        if (!status)
            status = scree_gpu_write(s->gpu, &spheres, 0, scene.row, scene.count * 32);
        if (!status)
            status =
                scree_device_search_run(s->search, &spheres, scene.count, &scene.def, &s->found);
        CHECK(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);
        CHECK(status == SCREE_OK || strstr(s->error.text, " bytes"));
        CHECK((s->found.rows == scene.count) == (status == SCREE_OK));
        budgets += status == SCREE_OUT_OF_MEMORY;
        scree_gpu_free(s->gpu, &spheres);
        end(s);
        if (!status)
            break;
    }
    CHECK(budgets > 10);
    free(scene.row);
}

/*  Each call of OpenCL fails in turn: a status, a sentence, no rows, nothing left behind; and the search continues after that. */
TEST(calls_that_fail_are_refused)
{
    sphere_scene scene = scene_of("fails", 2000);
    scree_gpu_fault fault = {0, 0, -5};
    searching *s = calloc(1, sizeof *s);
    scree_gpu_def def = {.device = getenv("SCREE_TEST_DEVICE"),
                         .fault = &fault,
                         .is_unchecked = true,
                         .error = &s->error};
    scree_gpu_buffer spheres = {0};
    uint64_t calls;

    scatter(&scene, 6, 1, 0.001, 0.03);
    scene.row[0][3] = 1; /* a long row */
    scene.def.period[0] = 4;
    CHECK_EQUAL(scree_gpu_open(&def, &s->gpu), SCREE_OK);
    CHECK_EQUAL(scree_device_search_make(s->gpu, &s->search), SCREE_OK);
    CHECK_EQUAL(scree_gpu_reserve(s->gpu, &spheres, scene.count * 32, "spheres"), SCREE_OK);
    CHECK_EQUAL(scree_gpu_write(s->gpu, &spheres, 0, scene.row, scene.count * 32), SCREE_OK);
    for (uint64_t at = 1;; at++) {
        scree_status status;
        if (at % 40 == 1) {
            /* kernels and buffers are made again from time to time, so that making them fails, too */
            scree_device_search_free(s->search);
            scree_candidate_rows_free(s->gpu, &s->found);
            fault.at = 0;
            CHECK_EQUAL(scree_device_search_make(s->gpu, &s->search), SCREE_OK);
        }
        fault.calls = 0;
        fault.at = at;
        s->error.text[0] = '\0';
        status = scree_device_search_run(s->search, &spheres, scene.count, &scene.def, &s->found);
        calls = fault.calls;
        if (!status)
            break;
        CHECK(status == SCREE_DEVICE_ERROR || status == SCREE_OUT_OF_MEMORY);
        CHECK(s->error.text[0] != '\0');
        CHECK(s->found.rows == 0 && s->found.count == 0);
    }
    CHECK(calls > 100);
    fault.at = 0;
    scree_gpu_free(s->gpu, &spheres);
    check_all(s, &scene);
    free(scene.row);
    end(s);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(few_bodies_and_none),
        CASE(random_spheres_of_equal_and_of_many_sizes),
        CASE(clusters_in_empty_space),
        CASE(giants_with_long_rows),
        CASE(lattices_that_just_touch),
        CASE(all_at_one_place_on_a_line_and_in_a_plane),
        CASE(bodies_that_are_none),
        CASE(periodic_cells),
        CASE(the_detector_of_the_host_finds_the_same),
        CASE(the_order_has_each_body_once),
        CASE(what_cannot_be_searched_is_refused),
        CASE(too_little_memory_is_refused),
        CASE(calls_that_fail_are_refused),
    };
    return device_test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
