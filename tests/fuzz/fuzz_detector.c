/*  Bytes as a program of calls: the first ones choose the detector and the form of the tables, then
    each opcode is a step with its rows, whatever ids and numbers they name. One method of the
    registry, chosen by a byte, is compared with the reference; a difference stops the program. */
#include "harness/shrink.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 24u
#define MAX_ROWS 24u
#define MAX_IDS 48u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct reader
{
    const uint8_t *next, *end;
} reader;

/*  0 when the input is used up. */
static uint8_t take(reader *r)
{
    return r->next < r->end ? *r->next++ : 0;
}

/*  Mostly quarters near zero, so that bodies meet and touch; else a number worth a look, or any. */
static double take_number(reader *r)
{
    static const double special[16] = {-0.0,    0x1p-1074, 1e-200,   1e-160,   1e99,  1e100,
                                       1.1e100, 1e300,     -1e100,   1e15,     -1e15, 0x1p53,
                                       1e-310,  0.1,       HUGE_VAL, -HUGE_VAL};
    uint8_t code = take(r);
    if (code < 224)
        return ((int)code - 100) * 0.25;
    if (code < 240)
        return special[code - 224];
    uint8_t bytes[8];
    double number;
    for (int k = 0; k < 8; k++)
        bytes[k] = take(r);
    memcpy(&number, bytes, sizeof number);
    return number;
}

static double take_size(reader *r)
{
    uint8_t code = take(r);
    return code < 250    ? (code % 25) * 0.25
           : code == 250 ? 1e99
           : code == 251 ? -1.0
                         : take_number(r);
}

static void take_row(reader *r, const test_scene *scene, scene_row *row)
{
    row->id = take(r) % MAX_IDS;
    row->chosen = (row->id * 7 + take(r)) % 2 != 0;
    for (int k = 0; k < 3; k++)
        row->number[k] = take_number(r);
    row->number[3] = take_size(r);
    for (int k = 0; k < 3 && scene->volume == SCREE_BOXES; k++)
        row->number[3 + k] = row->number[k] + (k ? take_size(r) : row->number[3]);
    if (scene->columns & SCENE_GROUPS)
        row->group = take(r);
    if (scene->columns & SCENE_MASKS)
        row->mask = take(r);
    if (scene->columns & SCENE_OWNERS)
        row->owner = take(r) % 4;
    if (scene->columns & SCENE_FLAGS) {
        uint8_t flags = take(r);
        row->flags = flags % 8 == 1 ? flags / 8 : 0;
    }
    for (int k = 0; k < 6; k++)
        if ((scene->floats >> k) & 1)
            row->number[k] = (double)(float)row->number[k];
}

static void take_query(reader *r, scree_query *query)
{
    double a[3], b[3];
    uint8_t code = take(r);
    for (int k = 0; k < 3; k++) {
        a[k] = take_number(r);
        b[k] = code % 5 < 2 ? take_number(r) : ((int)take(r) - 128) * 0.125;
    }
    switch (code % 5) {
    case 0:
        *query = scree_query_box(a, b);
        break;
    case 1:
        *query = scree_query_sphere(a, take_size(r));
        break;
    case 2:
        *query = scree_query_nearest(a, take(r));
        break;
    case 3:
        *query = scree_query_ray(a, b, take(r) * 0.25);
        break;
    default:
        *query = scree_query_ray_first(a, b, code & 128 ? HUGE_VAL : take(r) * 0.25);
    }
    if (code & 64)
        query->groups = take(r);
}

static void take_detector(reader *r, test_scene *scene)
{
    uint8_t form = take(r), columns = take(r);
    scene->dimensions = form & 1 ? 2 : 3;
    scene->volume = form & 2 ? SCREE_BOXES : SCREE_SPHERES;
    scene->unusable = form & 4 ? SCREE_REFUSE_CALL : SCREE_SKIP_BODY;
    scene->by_columns = (form & 8) != 0;
    scene->coarse = (form & 0x70) == 0x70;
    scene->stripe_naive = (form & 0x80) != 0;
    scene->columns = columns & 31;
    scene->sort_by_insertion = (columns & 32) != 0;
    scene->floats = columns & 64 ? take(r) & 63u : 0;
    scene->padding = columns & 128 ? take(r) % 16 : 0;
    uint8_t parameter = take(r);
    scene->cell_factor = 1 + (parameter & 3) * 0.5;
    scene->bin_factor = 0.5 + (parameter >> 2 & 3);
    scene->stripe_factor = 0.25 + (parameter >> 4 & 3);
    scene->rtree_max_entries = 4 + (uint32_t)(parameter >> 6) * 4;
    scene->rtree_min_entries = 2;
}

/*  The method to test goes to *method. */
static test_scene take_scene(reader *r, size_t *method)
{
    static const scene_step_kind kinds[8] = {SCENE_UPDATE,     SCENE_DIRTY,  SCENE_INSERT,
                                             SCENE_INSERT_NEW, SCENE_REMOVE, SCENE_QUERY,
                                             SCENE_DIRTY,      SCENE_CLEAR};
    test_scene scene;
    memset(&scene, 0, sizeof scene);
    *method = take(r) % scree_method_count();
    take_detector(r, &scene);
    while (r->next < r->end && scene.step_count < MAX_STEPS) {
        uint8_t code = take(r);
        scene_step *step = scene_add_step(&scene, kinds[code & 7]);
        step->checks = code & 8 ? 1u << (code >> 4) % 6 : 0;
        step->backwards = (code & 128) != 0;
        if (step->kind == SCENE_QUERY)
            take_query(r, &step->query);
        else if (step->kind != SCENE_CLEAR)
            for (uint32_t rows = take(r) % MAX_ROWS; rows > 0; rows--)
                take_row(r, &scene, scene_append_row(&scene));
    }
    if (scene.step_count)
        scene.steps[scene.step_count - 1].checks |= SCENE_CHECK_PAIRS;
    (void)snprintf(scene.name, sizeof scene.name, "fuzz");
    return scene;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    reader r = {data, data + size};
    run_report report;
    size_t method;
    test_scene scene = take_scene(&r, &method);
    check_options options = {.method = scree_method_at(method)->name};
    if (!check_scene(&scene, &options, &report)) {
        shrink_scene(&scene, &options, &report, 4000);
        report_failure(&scene, &options, &report);
        (void)fflush(stdout);
        abort();
    }
    scene_free(&scene);
    return 0;
}
