/*  Worlds of two bodies of the paper's, stepped by each method through the same steps: 12 of a contact, again and again from
    other sides, or 100 down a slope. What was counted is the world's own. */
#include "cases/implicit.h"

#include "base/common.h"
#include "base/error.h"
#include "base/hash.h"
#include "cases/surrogate.h"
#include "measure/measure.h"

#include <math.h>
#include <string.h>

#define SKIN 0.01
#define STEPS_OF_A_MEETING 12u
#define PLACES 9u /* of meetings, one after the other */
#define RUNS 3

/* ---- methods ---- */

static const struct
{
    const char *name;
    scree_integrator integrator;
    scree_mesh_engine engine;
    bool keeps_sets;
} implicit_methods[SCREE_IMPLICIT_METHODS] = {
    [SCREE_IMPLICIT_EXPLICIT] = {"explicit, by surrogates", SCREE_SYMPLECTIC_EULER,
                                 SCREE_MESH_ENGINE_SURROGATE, false},
    [SCREE_IMPLICIT_FLAT] = {"single level", SCREE_IMPLICIT_EULER, SCREE_MESH_ENGINE_ALL, false},
    [SCREE_IMPLICIT_WITHIN] = {"surrogate within Picard", SCREE_IMPLICIT_SURROGATE,
                               SCREE_MESH_ENGINE_SURROGATE, true},
    [SCREE_IMPLICIT_WITHIN_ROOTS] = {"within Picard, from the roots", SCREE_IMPLICIT_SURROGATE,
                                     SCREE_MESH_ENGINE_SURROGATE, false},
    [SCREE_IMPLICIT_LEVELS] = {"multiscale Picard", SCREE_IMPLICIT_MULTISCALE,
                               SCREE_MESH_ENGINE_SURROGATE, true},
    [SCREE_IMPLICIT_LEVELS_ROOTS] = {"multiscale, from the roots", SCREE_IMPLICIT_MULTISCALE,
                                     SCREE_MESH_ENGINE_SURROGATE, false},
    [SCREE_IMPLICIT_BOXES] = {"implicit, by boxes", SCREE_IMPLICIT_EULER, SCREE_MESH_ENGINE_BOXES,
                              false},
    [SCREE_IMPLICIT_EXPLICIT_KEPT] = {"explicit, sets are kept", SCREE_SYMPLECTIC_EULER,
                                      SCREE_MESH_ENGINE_SURROGATE, true},
};

const char *scree_implicit_choose(size_t method, scree_world_def *def)
{
    def->step.integrator = implicit_methods[method].integrator;
    def->detection.mesh_engine = implicit_methods[method].engine;
    def->step.picard.keeps_sets = implicit_methods[method].keeps_sets;
    return implicit_methods[method].name;
}

/* ---- scenes ---- */

typedef struct implicit_scene
{
    bool on_plane;
    uint32_t triangles[2];
    double scale;
    scree_mesh *mesh[2];
    double apart[PLACES]; /* from middle to middle, where a meeting begins; 0: as balls touch */
} implicit_scene;

static void close_scene(implicit_scene *scene)
{
    for (int k = 0; k < 2; k++)
        scree_mesh_release(scene->mesh[k]);
}

static scree_status open_scene(implicit_scene *scene, scree_error *error)
{
    scree_status status = scree_bench_globe(scene->triangles[0], 0.5, 1, &scene->mesh[0], error);

    if (!status)
        status = scene->on_plane ? scree_bench_plane(&scene->mesh[1], error)
                                 : scree_bench_globe(scene->triangles[1], 0.5 * scene->scale, 1,
                                                     &scene->mesh[1], error);
    return status;
}

/*  dt: a contact of two equal globes lasts some 12 steps; on the slope, as many of a hop. Stiff enough to keep the surfaces
    apart at the speed there is. */
static scree_status create_world(const implicit_scene *scene, size_t method, scree_world **world,
                                 scree_material_id *stuff, scree_error *error)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_status status;

    scree_implicit_choose(method, &def);
    def.step.dt = scene->on_plane ? 4e-3 : 5e-3;
    def.overlap_limit = INFINITY;
    def.gravity[2] = scene->on_plane ? -9.81 : 0;
    def.hooks.error = error;
    if ((status = scree_world_create(&def, world)))
        return status;
    material.density = 1000;
    material.stiffness = scene->on_plane ? 6e6 : 4e5;
    material.restitution = scene->on_plane ? 0.6 : 1;
    material.friction = scene->on_plane ? 0.3 : 0;
    rule.law = "linear";
    status = scree_world_add_material(*world, &material, stuff);
    return status ? status : scree_world_add_rule(*world, &rule);
}

static scree_status add_globe(scree_world *world, const implicit_scene *scene, int which,
                              scree_material_id stuff, const double place[3], double speed,
                              uint32_t turn, scree_body_id *id)
{
    scree_body_def body = scree_default_body_def();

    body.shape = scree_shape_mesh(scene->mesh[which], SKIN);
    body.material = stuff;
    memcpy(body.position, place, sizeof body.position);
    body.velocity[0] = speed;
    body.orientation[1] = which ? -0.41 + 0.3 * turn : 0.13;
    body.orientation[2] = which ? 0.3 : 0.21 + 0.4 * turn;
    body.orientation[3] = which ? 0.17 : 0.34 - 0.2 * turn;
    return scree_world_add_body(world, &body, id);
}

static double apart_as_balls(const implicit_scene *scene)
{
    return 0.5 + 0.5 * scene->scale + 1.99 * SKIN;
}

static scree_status add_two(scree_world *world, const implicit_scene *scene,
                            scree_material_id stuff, uint32_t turn, double apart, double speed,
                            scree_body_id id[2])
{
    const double here[3] = {0, 0, 0}, there[3] = {apart, 0, 0};
    scree_status status = add_globe(world, scene, 0, stuff, here, speed, turn, &id[0]);

    return status ? status : add_globe(world, scene, 1, stuff, there, 0, turn, &id[1]);
}

/*  Skins touch at the first step; as they do in the other scene, whose first step is not counted: in it the plane's mesh is
    looked at. */
static scree_status begin_meeting(scree_world *world, const implicit_scene *scene,
                                  scree_material_id stuff, uint32_t turn, scree_body_id id[2])
{
    double apart = scene->apart[turn % PLACES];

    apart = apart > 0 ? apart : apart_as_balls(scene);
    return add_two(world, scene, stuff, turn % PLACES, apart, 0.3, id);
}

/*  A globe of few triangles is no ball: its facets lie far within. Where its skin touches that of the other as both are
    turned, by bisection. */
static scree_status find_touch(const implicit_scene *scene, scree_world *world,
                               scree_material_id stuff, uint32_t turn, double *apart)
{
    /* not so deep that the smaller one is within the larger */
    double free = apart_as_balls(scene), touching = free - 0.45;
    scree_status status = SCREE_OK;

    for (int k = 0; k < 40 && !status; k++) {
        double middle = 0.5 * (touching + free);
        scree_body_id id[2];
        status = add_two(world, scene, stuff, turn, middle, 0, id);
        if (!status)
            status = scree_world_step(world, 1);
        if (!status && scree_world_detection_stats(world).contacts > 0)
            touching = middle;
        else
            free = middle;
        if (!status)
            status = scree_world_remove_bodies(world, id, 2);
    }
    *apart = touching;
    return status;
}

static scree_status begin_roll(scree_world *world, const implicit_scene *scene,
                               scree_material_id stuff, scree_body_id *id)
{
    static const double tilt[4] = {0.98, 0, 0.199, 0};
    scree_wall_def wall = scree_default_wall_def();
    double sine = 2 * tilt[0] * tilt[2], cosine = tilt[0] * tilt[0] - tilt[2] * tilt[2];
    double up = 0.5 + 0.9 * SKIN, place[3] = {-2 * cosine + sine * up, 0, 2 * sine + cosine * up};
    scree_status status;

    wall.kind = SCREE_WALL_MESH;
    wall.mesh = scene->mesh[1];
    wall.material = stuff;
    memcpy(wall.orientation, tilt, sizeof tilt);
    status = scree_world_add_wall(world, &wall, NULL);
    return status ? status : add_globe(world, scene, 0, stuff, place, 0, 0, id);
}

/* ---- one method ---- */

static uint64_t hash_of_body(scree_world *world, scree_body_id id, uint64_t hash)
{
    scree_body body;
    uint64_t word[6];

    if (scree_world_get_body(world, id, &body))
        return hash;
    memcpy(word, body.position, sizeof body.position);
    memcpy(word + 3, body.velocity, sizeof body.velocity);
    for (int k = 0; k < 6; k++)
        hash = scree_hash_word(hash, word[k]);
    return hash;
}

typedef struct bench_run
{
    scree_world *world;
    scree_implicit_row *row;
    double seconds;
    uint32_t done;
} bench_run;

static scree_status take_steps(bench_run *run, uint32_t steps)
{
    scree_status status = SCREE_OK;

    for (uint32_t n = 0; n < steps && !status; n++) {
        uint64_t guesses = scree_world_detection_stats(run->world).force_evaluations;
        uint64_t compared = scree_world_detection_stats(run->world).triangle_tests;
        double begin = scree_thread_seconds();
        status = scree_world_step(run->world, 1);
        run->seconds += scree_thread_seconds() - begin;
        scree_detection_stats after = scree_world_detection_stats(run->world);
        run->row->guesses += (double)(after.force_evaluations - guesses);
        run->row->comparisons += (double)(after.triangle_tests - compared);
        run->row->contacts += (double)after.contacts;
        run->row->touching += after.contacts > 0;
        run->done++;
    }
    return status;
}

static uint32_t min_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static scree_status run_meetings(bench_run *run, const implicit_scene *scene,
                                 scree_material_id stuff, uint32_t steps)
{
    scree_status status = SCREE_OK;

    for (uint32_t turn = 0; run->done < steps && !status; turn++) {
        scree_body_id id[2];
        status = begin_meeting(run->world, scene, stuff, turn, id);
        if (!status)
            status = take_steps(run, min_of(steps - run->done, STEPS_OF_A_MEETING));
        if (status)
            break;
        for (int k = 0; k < 2; k++)
            run->row->state = hash_of_body(run->world, id[k], run->row->state);
        status = scree_world_remove_bodies(run->world, id, 2);
    }
    return status;
}

static scree_status run_roll(bench_run *run, const implicit_scene *scene, scree_material_id stuff,
                             uint32_t steps)
{
    scree_body_id id;
    scree_status status = begin_roll(run->world, scene, stuff, &id);

    if (!status)
        status = scree_world_step(run->world, 1);
    if (!status)
        status = take_steps(run, steps);
    if (!status)
        run->row->state = hash_of_body(run->world, id, run->row->state);
    return status;
}

static scree_status run_once(const implicit_scene *scene, size_t method, uint32_t steps,
                             scree_implicit_row *row, scree_error *error)
{
    bench_run run = {.row = row};
    scree_material_id stuff;
    scree_status status;

    row->guesses = row->comparisons = row->contacts = row->touching = 0;
    row->state = SCREE_HASH_START;
    status = create_world(scene, method, &run.world, &stuff, error);
    if (!status)
        status = scene->on_plane ? run_roll(&run, scene, stuff, steps)
                                 : run_meetings(&run, scene, stuff, steps);
    if (status && run.world)
        scree_fail(error, status, "%s", scree_world_message(run.world));
    scree_world_destroy(run.world);
    row->steps = run.done;
    row->guesses /= run.done;
    row->comparisons /= run.done;
    row->contacts /= run.done;
    row->touching /= run.done;
    row->ns = fmin(row->ns, 1e9 * run.seconds / run.done);
    return status;
}

/*  What takes milliseconds is timed once, else the least of several runs counts. */
static scree_status run_method(const implicit_scene *scene, size_t method, uint32_t steps,
                               scree_implicit_row *row, scree_error *error)
{
    int runs = method == SCREE_IMPLICIT_FLAT ? 1 : RUNS;
    scree_status status = SCREE_OK;

    *row = (scree_implicit_row){.scene = scene->on_plane ? "on plane" : "particle-particle",
                                .method = implicit_methods[method].name,
                                .triangles = {scene->triangles[0], scene->mesh[1]->facet_count},
                                .scale = scene->scale,
                                .ns = INFINITY};
    for (int run = 0; run < runs && !status; run++)
        status = run_once(scene, method, steps, row, error);
    return status;
}

/*  Where the meetings of a scene begin, if they are to begin where the triangles touch. */
static scree_status find_places(implicit_scene *scene, scree_error *error)
{
    scree_world *world = NULL;
    scree_material_id stuff;
    scree_status status = create_world(scene, SCREE_IMPLICIT_EXPLICIT_KEPT, &world, &stuff, error);

    for (uint32_t turn = 0; turn < PLACES && !status; turn++)
        status = find_touch(scene, world, stuff, turn, &scene->apart[turn]);
    if (status && world)
        scree_fail(error, status, "%s", scree_world_message(world));
    scree_world_destroy(world);
    return status;
}

/* ---- tables ---- */

static void set_paper(scree_implicit_row *row, bool on_plane, size_t method)
{
    /* hybrid: guesses; comparisons and seconds of 100 steps */
    static const double paper[2][3][3] = {
        {{4.9, 7.34e8, 74.4}, {4.9, 3.70e6, 0.72}, {6.2, 1.70e6, 0.47}},
        {{7.1, 4.43e8, 44.1}, {7.1, 3.42e6, 0.22}, {13.1, 3.35e6, 0.19}},
    };
    static const int line[SCREE_IMPLICIT_METHODS] = {-1, 0, 1, 1, 2, 2, -1, -1};

    if (line[method] < 0)
        return;
    row->paper_guesses = paper[on_plane][line[method]][0];
    row->paper_comparisons = paper[on_plane][line[method]][1];
    row->paper_seconds = paper[on_plane][line[method]][2];
}

scree_status scree_bench_implicit_steps(uint32_t steps, scree_implicit_row row[SCREE_IMPLICIT_ROWS],
                                        scree_error *error)
{
    scree_status status = SCREE_OK;

    for (int on_plane = 0; on_plane < 2 && !status; on_plane++) {
        implicit_scene scene = {
            .on_plane = on_plane, .triangles = {1224, 1224}, .scale = 1, .mesh = {NULL, NULL}};
        status = open_scene(&scene, error);
        if (!status && !on_plane)
            status = find_places(&scene, error);
        for (size_t m = 0; m < SCREE_IMPLICIT_METHODS && !status; m++) {
            scree_implicit_row *to = &row[(size_t)on_plane * SCREE_IMPLICIT_METHODS + m];
            status = run_method(&scene, m, steps, to, error);
            set_paper(to, on_plane, m);
        }
        close_scene(&scene);
    }
    return status;
}

scree_status scree_bench_implicit_sizes(uint32_t steps, bool same_triangles,
                                        scree_implicit_row row[SCREE_IMPLICIT_SIZES],
                                        scree_error *error)
{
    static const double paper[2][SCREE_IMPLICIT_SCALES][3] = {
        {{13, 145, 8.72e-2}, {13, 127, 6.80e-2}, {18, 178, 1.00e-1}, {14, 98.2, 6.82e-2}},
        {{13, 145, 8.72e-2}, {19, 505, 2.25e-1}, {20, 588, 2.60e-1}, {17, 544, 2.40e-1}},
    };
    static const size_t methods[] = {SCREE_IMPLICIT_LEVELS_ROOTS, SCREE_IMPLICIT_LEVELS};
    scree_status status = SCREE_OK;

    for (uint32_t k = 0; k < SCREE_IMPLICIT_SCALES && !status; k++) {
        implicit_scene scene = {.triangles = {80, same_triangles ? 80u << 2 * k : 80},
                                .scale = (double)(1u << k)};
        status = open_scene(&scene, error);
        if (!status)
            status = find_places(&scene, error);
        for (size_t m = 0; m < SCREE_COUNT_OF(methods) && !status; m++) {
            scree_implicit_row *to = &row[m * SCREE_IMPLICIT_SCALES + k];
            status = run_method(&scene, methods[m], steps, to, error);
            to->paper_guesses = paper[same_triangles][k][0];
            to->paper_comparisons = paper[same_triangles][k][1];
            to->paper_seconds = paper[same_triangles][k][2];
        }
        close_scene(&scene);
    }
    return status;
}
