/*  Acts between steps, whenever the number of steps is a multiple of plan.act_every: sinks remove bodies, pours add
    bodies, passages through planes are counted. What is due at a step is done before the next step is taken, so it
    does not depend on how calls divide the run. */
#include "base/error.h"
#include "base/vector.h"
#include "scene_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static scree_status run_sink(scree_scene *scene, scree_world *world, size_t index,
                             scree_error *error)
{
    const scree_scene_sink *sink = &scene->plan.sinks[index];
    scene_sink_state *state = &scene->course.sinks[index];
    double time =
        scene_time_in_stage(scene, sink->stage, sink->stage_end, scree_world_clock(world).time);

    if (time < sink->start || time >= sink->stop)
        return SCREE_OK;
    return scene_take_bodies(scene, world, &sink->region, sink->material, sink->line, "sink",
                             &state->count, &state->mass, error);
}

/* ---- planes ---------------------------------------------------------------------------------------------- */

static int compare_sides(const void *a, const void *b)
{
    uint64_t x = ((const scene_sides *)a)->serial, y = ((const scene_sides *)b)->serial;
    return (x > y) - (x < y);
}

static bool counts_planes(const scree_scene *scene)
{
    for (size_t i = 0; i < scene->plan.measure_count; i++)
        if (scene->plan.measures[i].region.form == SCREE_FORM_PLANE)
            return true;
    return false;
}

static double distance_from(const scree_scene_geometry *plane, const double position[3])
{
    double sum = 0, square = 0;

    for (int k = 0; k < 3; k++) {
        sum += (position[k] - plane->point[k]) * plane->normal[k];
        square += plane->normal[k] * plane->normal[k];
    }
    return sum / sqrt(square);
}

/*  A quarter of the smallest period: between two tests a body moves farther only by crossing a boundary. */
static double jump_distance(const scree_scene *scene)
{
    const scree_world_def *def = &scene->plan.world;
    double least = INFINITY;

    for (int k = 0; k < def->dimensions; k++)
        if (def->domain.boundary[k] == SCREE_BOUNDARY_PERIODIC &&
            def->domain.upper[k] - def->domain.lower[k] < least)
            least = def->domain.upper[k] - def->domain.lower[k];
    return least / 4;
}

typedef struct seen_body
{
    scene_sides now; /* first: sorted by global id */
    uint32_t is_far;
    double mass;
    size_t row;
} seen_body;

static void see_bodies(const scree_scene *scene, const scree_bodies_view *view, seen_body *seen)
{
    double jump = jump_distance(scene);

    for (size_t i = 0; i < view->count; i++) {
        seen[i] = (seen_body){.now = {.serial = scree_uint64_at(view->serial, i)},
                              .mass = 1 / scree_double_at(view->inverse_mass, i),
                              .row = i};
        uint32_t bit = 0;
        for (size_t k = 0; k < scene->plan.measure_count; k++) {
            const scree_scene_geometry *region = &scene->plan.measures[k].region;
            if (region->form != SCREE_FORM_PLANE)
                continue;
            double distance = distance_from(region, scree_row_at(view->position, i));
            seen[i].now.sides |= (uint32_t)(distance > 0) << bit;
            seen[i].is_far |= (uint32_t)(fabs(distance) > jump) << bit;
            bit++;
        }
    }
    if (view->count > 1)
        qsort(seen, view->count, sizeof *seen, compare_sides);
}

/*  Where the body passed the plane: back along its velocity, but no farther than since the last test; otherwise the
    nearest point. */
static void find_passage(const scree_scene_geometry *plane, const double position[4],
                         const double velocity[4], double most, double point[3])
{
    const double *n = plane->normal;
    double distance = distance_from(plane, position), square = scree_dot(n, n);
    double speed = scree_dot(velocity, n) / sqrt(square), time = distance / speed;
    bool came_straight = time >= 0 && time <= most;

    for (int k = 0; k < 3; k++)
        point[k] =
            position[k] - (came_straight ? velocity[k] * time : distance * n[k] / sqrt(square));
}

static bool passes_within(const scree_scene *scene, const scree_scene_measurement *measure,
                          const scree_bodies_view *view, size_t row, double most)
{
    double point[3];

    if (measure->within.form == SCREE_FORM_NONE)
        return true;
    find_passage(&measure->region, scree_row_at(view->position, row),
                 scree_row_at(view->velocity, row), most, point);
    return scene_holds_point(&measure->within, scene->plan.world.dimensions, point);
}

static void count_changes(scree_scene *scene, const scree_bodies_view *view, double most,
                          const seen_body *body, uint32_t before)
{
    uint32_t changed = (body->now.sides ^ before) & ~body->is_far, bit = 0;

    for (size_t k = 0; changed && k < scene->plan.measure_count; k++) {
        if (scene->plan.measures[k].region.form != SCREE_FORM_PLANE)
            continue;
        if ((changed >> bit & 1) &&
            passes_within(scene, &scene->plan.measures[k], view, body->row, most)) {
            int way = body->now.sides >> bit & 1 ? 1 : -1;
            scene->course.planes[k].passed += way;
            scene->course.planes[k].mass += way * body->mass;
        }
        bit++;
    }
}

scree_status scene_look_at_planes(scree_scene *scene, scree_world *world, scree_error *error)
{
    scree_bodies_view view = scree_world_bodies(world);
    scene_course *course = &scene->course;
    scree_memory memory;
    void *block = NULL;
    size_t old = 0;

    if (!counts_planes(scene))
        return SCREE_OK;
    scree_memory_init(&memory, &scene->memory.allocator);
    if (scree_memory_take(&memory, view.count, sizeof(seen_body), &block) ||
        scree_memory_reserve(&scene->memory, &course->sides, &course->side_room, view.count,
                             sizeof *course->sides)) {
        scree_memory_give(&memory, &block, block ? view.count : 0, sizeof(seen_body));
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", scene->name);
    }
    seen_body *seen = block;
    /* plus half a step, as an allowance for rounding */
    double most = scree_world_clock(world).dt * (scene->plan.act_every + 0.5);
    see_bodies(scene, &view, seen);
    for (size_t i = 0; i < view.count; i++) {
        while (old < course->side_count && course->sides[old].serial < seen[i].now.serial)
            old++;
        if (old < course->side_count && course->sides[old].serial == seen[i].now.serial)
            count_changes(scene, &view, most, &seen[i], course->sides[old].sides);
    }
    for (size_t i = 0; i < view.count; i++)
        course->sides[i] = seen[i].now;
    course->side_count = view.count;
    scree_memory_give(&memory, &block, view.count, sizeof(seen_body));
    return SCREE_OK;
}

/* ---- steps ----------------------------------------------------------------------------------------------- */

static bool has_work(const scree_scene *scene)
{
    for (size_t i = 0; i < scene->plan.source_count; i++)
        if (scene->plan.sources[i].is_pour)
            return true;
    return scene->plan.sink_count > 0 || counts_planes(scene);
}

/*  Planes before sinks, so that bodies are counted before they are removed; sinks before pours, so that there is
    room. */
static scree_status act(scree_scene *scene, scree_world *world, scree_error *error)
{
    uint64_t step = scree_world_clock(world).steps;
    scree_status status;

    if (step % scene->plan.act_every != 0 || scene->course.acted == step + 1)
        return SCREE_OK;
    status = scene_look_at_planes(scene, world, error);
    for (size_t i = 0; i < scene->plan.sink_count && !status; i++)
        status = run_sink(scene, world, i, error);
    if (!status)
        status = scene_run_pours(scene, world, error);
    if (!status)
        scene->course.acted = step + 1;
    return status;
}

static scree_status take_steps(scree_scene *scene, scree_world *world, uint64_t steps,
                               bool stops_at_ends, scree_error *error)
{
    bool acts = has_work(scene), looks = scene_has_conditions(scene);
    scree_status status = SCREE_OK;

    if (!scene->course.began)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "%s: the scene has not been started",
                          scene->name);
    while (steps > 0 && !status) {
        uint64_t every = scene->plan.act_every, many = steps;
        if (looks)
            status = scene_next_stage(scene, world, error);
        if (scree_scene_is_over(scene))
            break;
        if (acts && !status) {
            status = act(scene, world, error);
            uint64_t room = every - scree_world_clock(world).steps % every;
            many = room < steps ? room : steps;
        }
        if (looks && !status)
            many = scene_steps_to_look(scene, world, many);
        if (!status)
            status = scene_take_steps(scene, world, many, error);
        if (looks && !status)
            status = scene_look_at_stage(scene, world, error);
        steps -= many;
        if (stops_at_ends && scene_stage_has_ended(scene))
            break;
    }
    return status;
}

scree_status scree_scene_step(scree_scene *scene, scree_world *world, uint64_t steps,
                              scree_error *error)
{
    return take_steps(scene, world, steps, false, error);
}

scree_status scree_scene_advance(scree_scene *scene, scree_world *world, uint64_t steps,
                                 scree_error *error)
{
    return take_steps(scene, world, steps, true, error);
}

scree_scene_yield scree_scene_yield_of(const scree_scene *scene, size_t index)
{
    if (!scene->course.sources || index >= scene->plan.source_count)
        return (scree_scene_yield){0};
    const scene_source_state *source = &scene->course.sources[index];
    return (scree_scene_yield){source->made, source->waiting, source->mass};
}

scree_scene_tally scree_scene_count(const scree_scene *scene)
{
    scree_scene_tally tally = {.quarantined = scene->course.quarantined,
                               .quarantined_mass = scene->course.quarantined_mass,
                               .removed = scene->course.removed,
                               .removed_mass = scene->course.removed_mass};

    for (size_t i = 0; scene->course.sources && i < scene->plan.source_count; i++) {
        const scene_source_state *source = &scene->course.sources[i];
        if (!scene->plan.sources[i].is_pour)
            continue;
        tally.poured += source->made;
        tally.poured_mass += source->mass;
        tally.waiting += source->waiting;
    }
    for (size_t i = 0; scene->course.sinks && i < scene->plan.sink_count; i++) {
        tally.sunk += scene->course.sinks[i].count;
        tally.sunk_mass += scene->course.sinks[i].mass;
    }
    return tally;
}
