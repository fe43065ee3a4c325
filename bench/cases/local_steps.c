/*  Both ways go through the same time; the first steps are not measured, as contacts begin there. */
#include "cases/local_steps.h"

#include "base/error.h"
#include "scree/wall.h"

#include <math.h>
#include <time.h>

#define DT 1e-4
#define RADIUS 0.05
#define HEAPS_FOR_ONE 50
#define WARM 4u
#define DEEPEST 12u

typedef struct local_scene
{
    uint64_t heaps;
    double ratio;
} local_scene;

static const double ratios[SCREE_LOCAL_ROWS] = {0, 4, 8, 16, 32};

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t count_small(const local_scene *scene)
{
    return scene->ratio > 0 ? (scene->heaps + HEAPS_FOR_ONE - 1) / HEAPS_FOR_ONE : 0;
}

static scree_status add_ball(scree_world *world, scree_material_id stuff, double radius,
                             const double place[3])
{
    scree_body_def def = scree_default_body_def();

    def.shape = scree_shape_sphere(radius);
    def.material = stuff;
    for (int k = 0; k < 3; k++)
        def.position[k] = place[k];
    return scree_world_add_body(world, &def, NULL);
}

/*  Layers of nine, four and one, each ball in the hollow of those below. */
static scree_status add_heap(scree_world *world, scree_material_id stuff, double x, double y)
{
    const double up = RADIUS * sqrt(2.0) * 0.9999;
    scree_status status = SCREE_OK;

    for (int layer = 0; layer < 3; layer++)
        for (int k = 0; k < (3 - layer) * (3 - layer) && !status; k++) {
            const double place[3] = {x + RADIUS * (layer + 2 * (k % (3 - layer))),
                                     y + RADIUS * (layer + 2 * (k / (3 - layer))),
                                     0.9999 * RADIUS + up * layer};
            status = add_ball(world, stuff, RADIUS, place);
        }
    return status;
}

static scree_status fill_world(scree_world *world, const local_scene *scene,
                               scree_material_id stuff)
{
    const uint64_t across = (uint64_t)ceil(sqrt((double)scene->heaps));
    const double pitch = 10 * RADIUS, small = RADIUS / scene->ratio;
    scree_status status = SCREE_OK;

    for (uint64_t k = 0; k < scene->heaps && !status; k++) {
        const double x = pitch * (double)(k % across), y = pitch * (double)(k / across);
        const double beside[3] = {x + 7.5 * RADIUS, y, 0.9999 * small};
        status = add_heap(world, stuff, x, y);
        if (!status && scene->ratio > 0 && k % HEAPS_FOR_ONE == 0)
            status = add_ball(world, stuff, small, beside);
    }
    return status;
}

static scree_status make_world(const local_scene *scene, double dt, uint32_t local_steps,
                               scree_world **world, scree_error *error)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_wall_def floor = scree_default_wall_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_status status;

    def.step.dt = dt;
    def.step.local_steps = local_steps;
    def.gravity[2] = -9.81;
    def.hooks.error = error;
    material.stiffness = 1e6;
    rule.law = "linear";
    status = scree_world_create(&def, world);
    if (status)
        return status;
    status = scree_world_add_material(*world, &material, &floor.material);
    if (!status)
        status = scree_world_add_rule(*world, &rule);
    if (!status)
        status = scree_world_add_wall(*world, &floor, NULL);
    if (!status)
        status = fill_world(*world, scene, floor.material);
    return status ? scree_fail(error, status, "%s", scree_world_message(*world)) : SCREE_OK;
}

static scree_status run_world(scree_world *world, uint64_t warm, uint64_t steps, double *ms,
                              scree_error *error)
{
    scree_status status = scree_world_step(world, warm);
    double start = seconds();

    if (!status)
        status = scree_world_step(world, steps);
    *ms = 1e3 * (seconds() - start);
    return status ? scree_fail(error, status, "%s", scree_world_message(world)) : SCREE_OK;
}

static void note_levels(const scree_world *world, scree_local_row *row)
{
    scree_local_step_stats local_step_stats = scree_world_local_step_stats(world);

    for (uint32_t k = 1; k <= SCREE_MAX_LOCAL_STEPS; k++) {
        row->level = local_step_stats.bodies[k] ? k : row->level;
        row->in_shorter += local_step_stats.bodies[k];
    }
}

/*  Rows of the two worlds may be in different orders, so bodies are matched by their handles. */
static double find_apart(scree_world *one, const scree_world *other)
{
    scree_bodies_view view = scree_world_bodies(one);
    double largest = 0;

    for (size_t k = 0; k < view.count; k++) {
        scree_body body;
        double sum = 0;
        if (scree_world_get_body(other, scree_body_id_at(view.id, k), &body))
            return INFINITY;
        for (int a = 0; a < 3; a++)
            sum += (scree_row_at(view.position, k)[a] - body.position[a]) *
                   (scree_row_at(view.position, k)[a] - body.position[a]);
        largest = fmax(largest, sqrt(sum) / scree_double_at(view.radius, k));
    }
    return largest;
}

static scree_status bench_row(const local_scene *scene, uint64_t steps, scree_local_row *row,
                              scree_error *error)
{
    scree_world *local = NULL, *uniform = NULL;
    scree_status status = make_world(scene, DT, DEEPEST, &local, error);

    *row = (scree_local_row){
        .ratio = scene->ratio, .large = 14 * scene->heaps, .small = count_small(scene)};
    if (!status)
        status = run_world(local, WARM, steps, &row->local_ms, error);
    if (!status) {
        note_levels(local, row);
        status = make_world(scene, ldexp(DT, -(int)row->level), 0, &uniform, error);
    }
    if (!status)
        status = run_world(uniform, (uint64_t)WARM << row->level, steps << row->level,
                           &row->uniform_ms, error);
    if (!status)
        row->apart = find_apart(local, uniform);
    row->local_ms /= (double)steps;
    row->uniform_ms /= (double)steps;
    scree_world_destroy(local);
    scree_world_destroy(uniform);
    return status;
}

scree_status scree_bench_local(uint64_t heaps, uint64_t steps,
                               scree_local_row row[SCREE_LOCAL_ROWS], scree_error *error)
{
    scree_status status = SCREE_OK;

    for (int k = 0; k < SCREE_LOCAL_ROWS && !status; k++) {
        const local_scene scene = {heaps, ratios[k]};
        status = bench_row(&scene, steps, &row[k], error);
    }
    return status;
}
