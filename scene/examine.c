/*  Examines a scene before it runs: counts, sizes, overlaps, the stable step and what limits it, and the cost of
    detection. */
#include "examine.h"

#include "base/error.h"
#include "base/quaternion.h"
#include "base/vector.h"
#include "scene_internal.h"
#include "shape/shape_skin.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void widen(scree_scene_exam *exam, double least, double most)
{
    exam->least = least < exam->least ? least : exam->least;
    exam->most = most > exam->most ? most : exam->most;
}

/*  Only counts above 0 are included. */
static void widen_counts(uint32_t *least, uint32_t *most, uint32_t count)
{
    *least = *least == 0 || count < *least ? count : *least;
    *most = count > *most ? count : *most;
}

static void count_stone(scree_scene_exam *exam, const scree_scene_stone *stone)
{
    exam->max_around = stone->around > exam->max_around ? stone->around : exam->max_around;
    if (stone->clump) {
        widen_counts(&exam->min_pebbles, &exam->max_pebbles,
                     scree_clump_describe(stone->clump).pebble_count);
        return;
    }
    if (!stone->mesh)
        return;
    widen_counts(&exam->min_triangles, &exam->max_triangles,
                 scree_mesh_describe(stone->mesh).facet_count);
    exam->max_skin = stone->skin > exam->max_skin ? stone->skin : exam->max_skin;
    if (exam->min_skin == 0 || stone->skin < exam->min_skin)
        exam->min_skin = stone->skin;
}

/*  Adds bodies with radii in this range. */
static void look_at_range(const scree_scene_plan *plan, const double range[2], uint32_t material,
                          scree_scene_exam *exam)
{
    double stable = scene_first_step(plan, material, range[0]);

    widen(exam, range[0], range[1]);
    if (stable >= exam->stable)
        return;
    exam->stable = stable;
    exam->stable_material = material;
    exam->stable_radius = range[0];
}

static void look_at_source(const scree_scene_plan *plan, const scree_scene_source *source,
                           scree_scene_exam *exam)
{
    double range[2] = {0};

    scene_radius_range(&source->radius, plan->world.dimensions, range);
    look_at_range(plan, range, source->material, exam);
    for (uint32_t k = 0; source->radius.stones && k < source->radius.table_count; k++)
        count_stone(exam, &source->radius.stones[k]);
}

static void look_at_body(const scree_scene_plan *plan, const scree_scene_body *body,
                         scree_scene_exam *exam)
{
    const double radius = scene_radius_of_body(body, plan->world.dimensions);
    const double range[2] = {radius, radius};

    look_at_range(plan, range, body->material, exam);
    if (body->stone)
        count_stone(exam, body->stone);
}

static void look_at_plan(const scree_scene *scene, scree_scene_exam *exam)
{
    const scree_scene_plan *plan = &scene->plan;
    const double *g = plan->world.gravity;

    exam->least = INFINITY;
    exam->gravity = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    exam->later = scene_expected_bodies(scene) - scree_scene_start_bodies(scene);
    exam->stable = INFINITY;
    for (size_t i = 0; i < plan->source_count; i++)
        look_at_source(plan, &plan->sources[i], exam);
    for (size_t i = 0; i < plan->body_count; i++)
        look_at_body(plan, &plan->bodies[i], exam);
    if (!(exam->most > 0))
        exam->least = exam->most = 0;
}

/* ---- initial contacts ------------------------------------------------------------------------------------- */

/*  The overlap of a contact. */
typedef struct depth
{
    double
        share; /* overlap over the smaller radius; of bodies of triangles, of their surfaces without contact skins */
    bool is_beyond; /* the limit */
    size_t contact;
} depth;

/*  For a clump the radius of the touching pebble. */
static double radius_at(const scree_body *body, uint32_t pebble)
{
    return body->shape.kind == SCREE_SHAPE_CLUMP
               ? scree_clump_describe(body->shape.clump).pebbles[pebble].radius
               : body->shape.radius;
}

static depth depth_of(scree_world *world, const scree_contact *contact, double limit)
{
    scree_body first = {0}, second = {0};

    scree_world_get_body(world, contact->first, &first);
    double radius = radius_at(&first, contact->pebble[0]);
    if (!scree_world_get_body(world, contact->second, &second))
        radius = fmin(radius, radius_at(&second, contact->pebble[1]));
    double skins = scree_shape_skin(&first.shape) + scree_shape_skin(&second.shape);
    depth d = {.share = (contact->overlap - skins) / radius};
    d.is_beyond = d.share > limit;
    return d;
}

/*  Among contacts beyond the limit, if there are any. */
static depth find_deepest(scree_world *world, const scree_contact *contacts, size_t count,
                          double limit)
{
    depth deepest = {0};

    for (size_t i = 0; i < count; i++) {
        depth d = depth_of(world, &contacts[i], limit);
        d.contact = i;
        if (d.is_beyond != deepest.is_beyond ? d.is_beyond : d.share > deepest.share)
            deepest = d;
    }
    return deepest;
}

static void describe(scree_world *world, const scree_contact *contact, double share, double limit,
                     char *text, size_t capacity)
{
    scree_body first = {0}, second = {0};
    char partner[32] = "a wall";

    scree_world_get_body(world, contact->first, &first);
    if (!scree_world_get_body(world, contact->second, &second))
        snprintf(partner, sizeof partner, "body %" PRIu64, second.serial);
    snprintf(text, capacity,
             "body %" PRIu64 " and %s overlap by %.3g of the smaller radius; the limit is %.3g",
             first.serial, partner, share, limit);
}

bool scree_scene_overlaps(scree_world *world, double limit, char *text, size_t capacity)
{
    const scree_contact *contacts;
    size_t count;

    if (scree_world_contacts(world, NULL, &contacts, &count) || count == 0)
        return false;
    depth deepest = find_deepest(world, contacts, count, limit);
    if (deepest.is_beyond)
        describe(world, &contacts[deepest.contact], deepest.share, limit, text, capacity);
    return deepest.is_beyond;
}

/*  Takes a step that moves nothing in a copy of the world: finds the contacts, and whether the first step would be
    refused. */
static scree_status look_at_contacts(const scree_scene *scene, scree_world *world,
                                     const scree_world_def *hooks, scree_scene_exam *exam,
                                     scree_error *error)
{
    scree_world_def def = hooks ? *hooks : scree_default_world_def();
    scree_world *copy;
    const scree_contact *contacts = NULL;
    size_t count = 0;
    scree_status status;

    def.step.dt = 1e-12;
    status = scree_world_copy(world, &def, &copy);
    if (status)
        return scree_fail(error, status, "%s", scree_world_message(world));
    status = scree_world_set_dt(copy, SCREE_TIME_FIXED, 1e-12);
    if (!status)
        status = scree_world_step(copy, 1);
    if (status && status != SCREE_OUT_OF_MEMORY) {
        snprintf(exam->refusal, sizeof exam->refusal, "%s", scree_world_message(copy));
        status = SCREE_OK;
    } else if (!status) {
        status = scree_world_contacts(copy, NULL, &contacts, &count);
    }
    if (!status && count > 0) {
        double limit = scene->plan.world.overlap_limit;
        depth deepest = find_deepest(copy, contacts, count, limit);
        exam->deepest = deepest.share;
        if (deepest.is_beyond)
            describe(copy, &contacts[deepest.contact], deepest.share, limit, exam->refusal,
                     sizeof exam->refusal);
    }
    exam->contacts = count;
    if (status)
        scree_fail(error, status, "out of memory");
    scree_world_destroy(copy);
    return status;
}

static scree_status look_at_step(scree_world *world, scree_scene_exam *exam, scree_error *error)
{
    scree_stable_step step;
    scree_body body;
    scree_status status = scree_world_stable_step(world, &step);

    /* other errors are reported by the first step */
    if (status == SCREE_OUT_OF_MEMORY)
        return scree_fail(error, status, "%s", scree_world_message(world));
    if (status || !isfinite(step.dt))
        return SCREE_OK;
    /* nothing touches: the drag of the fluid is one limit, and contacts that will come another */
    exam->stable_by_fluid = !isfinite(step.springs);
    if (exam->stable_by_fluid && step.dt >= exam->stable) {
        exam->stable_by_fluid = false;
        return SCREE_OK;
    }
    exam->stable_by_contact = !exam->stable_by_fluid;
    exam->stable = step.dt;
    exam->stable_wall = step.wall.index1;
    if (!scree_world_get_body(world, step.body, &body))
        exam->stable_body = body.serial;
    if (step.partner.index1 && !scree_world_get_body(world, step.partner, &body))
        exam->stable_partner = body.serial;
    return SCREE_OK;
}

#define TWO_PI 6.28318530717958647692

/* ---- walls that move -------------------------------------------------------------------------------------- */

/*  Distance of the farthest corner of a mesh's bounding box from a point. */
static double reach_from(const scree_wall *wall, const double point[3])
{
    const scree_mesh_info info = scree_mesh_describe(wall->mesh);
    double farthest = 0;

    for (int number = 0; number < 8; number++) {
        double corner[3];
        for (int k = 0; k < 3; k++)
            corner[k] = number >> k & 1 ? info.upper[k] : info.lower[k];
        scree_quaternion_turn(wall->orientation, corner, corner);
        for (int k = 0; k < 3; k++)
            corner[k] += wall->position[k] - point[k];
        farthest = fmax(farthest, scree_length(corner));
    }
    return farthest;
}

/*  Largest speed of a table of rows: time, shift (linear or smooth), and orientation if there is one. */
static void look_at_rows(const scree_path_part *part, double *speed, double *spin)
{
    for (size_t i = 0; i + 1 < part->table_count; i++) {
        const double *a = part->table[i], *b = part->table[i + 1];
        double same = fabs(a[4] * b[4] + a[5] * b[5] + a[6] * b[6] + a[7] * b[7]) /
                      sqrt((a[4] * a[4] + a[5] * a[5] + a[6] * a[6] + a[7] * a[7]) *
                           (b[4] * b[4] + b[5] * b[5] + b[6] * b[6] + b[7] * b[7]));
        *speed = fmax(*speed, (part->smooth ? 1.5 : 1) * scree_apart(a + 1, b + 1) / (b[0] - a[0]));
        if (same < 1)
            *spin = fmax(*spin, 2 * acos(same) / (b[0] - a[0]));
    }
}

/*  Speed of the fastest point for one motion. */
static double speed_of_part(const scree_path_part *part, const scree_wall *wall)
{
    double speed = 0, spin = 0;

    switch (part->kind) {
    case SCREE_PATH_MOVE:
        return scree_length(part->vector);
    case SCREE_PATH_SWING:
        return TWO_PI * fabs(part->frequency) * scree_length(part->vector);
    case SCREE_PATH_SPIN:
        return fabs(part->rate) * reach_from(wall, part->centre);
    case SCREE_PATH_ROCK:
        return TWO_PI * fabs(part->frequency * part->angle) * reach_from(wall, part->centre);
    case SCREE_PATH_TABLE:
        look_at_rows(part, &speed, &spin);
        return speed + (spin > 0 ? spin * reach_from(wall, part->centre) : 0);
    default:
        return 0;
    }
}

/*  Estimated speed of its fastest point. */
static double speed_of_wall(const scree_scene_wall *plan, const scree_wall *wall)
{
    const scree_wall_path *path = &plan->path;
    double steepest = 0, speed = scree_length(path->velocity);

    if (plan->is_free)
        return scree_length(plan->loose.velocity) +
               scree_length(plan->loose.spin) * reach_from(wall, wall->position);
    for (size_t i = 0; i + 1 < path->table_count; i++) {
        const double *a = path->table[i], *b = path->table[i + 1];
        steepest = fmax(steepest, scree_apart(a + 1, b + 1) / (b[0] - a[0]));
    }
    speed += steepest + TWO_PI * fabs(path->frequency) * scree_length(path->swing);
    if (path->rate != 0)
        speed += fabs(path->rate) * reach_from(wall, path->centre);
    for (size_t k = 0; k < path->part_count; k++)
        speed += speed_of_part(&path->parts[k], wall);
    return plan->has_servo ? speed + plan->servo.max_speed : speed;
}

static void look_at_wall(const scree_scene_wall *plan, scree_world *world, scree_wall_id id,
                         scree_scene_exam *exam)
{
    scree_wall wall;

    /* planes are found wherever they move, so their speed does not matter */
    if (scree_world_get_wall(world, id, &wall) || wall.kind != SCREE_WALL_MESH)
        return;
    double speed = speed_of_wall(plan, &wall);
    if (speed > exam->wall_speed) {
        exam->wall_speed = speed;
        exam->fast_wall = id.index1;
    }
}

static scree_status look_at_walls(const scree_scene *scene, scree_world *world,
                                  scree_scene_exam *exam, scree_error *error)
{
    size_t count = scree_world_walls(world, NULL, 0);
    scree_wall_id *ids;
    scree_memory memory;

    scree_memory_init(&memory, &scene->memory.allocator);
    if (scree_memory_take(&memory, count, sizeof *ids, &ids))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
    scree_world_walls(world, ids, count);
    for (size_t i = 0; i < scene->plan.wall_count; i++) {
        const scree_scene_wall *plan = &scene->plan.walls[i];
        for (size_t k = plan->first; k < plan->first + plan->count && k < count; k++)
            look_at_wall(plan, world, ids[k], exam);
    }
    scree_memory_give(&memory, &ids, count, sizeof *ids);
    return SCREE_OK;
}

/*  The method that "auto" would choose for these spheres. */
static scree_status look_at_detection(const scree_scene *scene, scree_world *world,
                                      scree_scene_exam *exam, scree_error *error)
{
    scree_bodies_view view = scree_world_bodies(world);
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    scree_pairs pairs;

    if (view.count == 0)
        return SCREE_OK;
    def.dimensions = scene->plan.world.dimensions;
    def.allocator = scene->memory.allocator;
    def.error = error;
    scree_status status = scree_detector_create(&def, &detector);
    if (status)
        return status;
    scree_table table = scree_table_centres(view.count, view.position, view.radius);
    status = scree_detector_update(detector, &table, NULL);
    if (!status)
        status = scree_detector_pairs(detector, NULL, &pairs);
    if (status) {
        scree_fail(error, status, "%s", scree_detector_message(detector));
    } else {
        scree_explanation why = scree_detector_explain(detector);
        const scree_method_info *info = scree_method_by_name(why.method);
        exam->method = info ? info->name : NULL;
        snprintf(exam->reason, sizeof exam->reason, "%s", why.reason ? why.reason : "");
    }
    scree_detector_destroy(detector);
    return status;
}

/*  Pressure by the weight of all bodies on the area below them, and the overlap that it causes between two bodies of
    mean size. */
static void look_at_weight(const scree_scene *scene, scree_world *world, scree_scene_exam *exam)
{
    scree_bodies_view view = scree_world_bodies(world);
    const double *g = scene->plan.world.gravity;
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY},
           area = 1;
    int down = 0;

    if (view.count == 0 || !(exam->gravity > 0))
        return;
    for (size_t i = 0; i < view.count; i++)
        for (int k = 0; k < 3; k++) {
            const double at = scree_row_at(view.position, i)[k],
                         r = scree_double_at(view.radius, i);
            lower[k] = fmin(lower[k], at - r);
            upper[k] = fmax(upper[k], at + r);
        }
    for (int k = 1; k < 3; k++)
        down = fabs(g[k]) > fabs(g[down]) ? k : down;
    for (int k = 0; k < 3; k++)
        area *= k == down || k >= scene->plan.world.dimensions ? 1 : upper[k] - lower[k];
    double radius = (exam->least + exam->most) / 2,
           across =
               scene->plan.world.dimensions == 3 ? 3.14159265358979 * radius * radius : 2 * radius;
    double force = fmax(1, across / area) * exam->mass * exam->gravity / area * across;
    const scree_material_def *m = &scene->plan.materials[scree_uint32_at(view.material, 0) - 1];
    double modulus = m->young / (2 * (1 - m->poisson * m->poisson));
    double overlap = cbrt(force * force * 9 / 16 / (modulus * modulus * radius / 2));
    exam->weight_overlap = isfinite(overlap) ? overlap / radius : 0;
}

scree_status scree_scene_examine(scree_scene *scene, scree_world *world,
                                 const scree_world_def *hooks, scree_scene_exam *exam,
                                 scree_error *error)
{
    memset(exam, 0, sizeof *exam);
    look_at_plan(scene, exam);
    exam->bodies = scree_world_body_count(world);
    exam->mass = scree_world_totals(world).mass;
    scree_status status = look_at_contacts(scene, world, hooks, exam, error);
    if (!status)
        status = look_at_step(world, exam, error);
    if (!status)
        status = look_at_detection(scene, world, exam, error);
    if (!status)
        status = look_at_walls(scene, world, exam, error);
    if (!status)
        look_at_weight(scene, world, exam);
    return status;
}
