/*  Paths of bodies relative to each other. Bodies that may have met are pairs of overlapping boxes around their
    paths; at least one of the two must be fast. */
#include "base/error.h"
#include "base/vector.h"
#include "narrow/sphere_path.h"
#include "scree/detect.h"
#include "world/step/crossings.h"
#include "world/step/world_data.h"

#include <math.h>
#include <string.h>

/*  The largest width of a box in periods: detection cannot distinguish images beyond half a period. For bodies alone
    scree_search_check_room checks this. */
#define MAX_PERIOD_SHARE (0.5 * (1 - 0x1p-30))

/*  Boxes around the paths of bodies. */
typedef struct way_boxes
{
    double (*lower)[3], (*upper)[3];
    uint8_t *flags; /* pairs of two slow bodies are not tested */
} way_boxes;

static scree_status take_boxes(scree_memory *memory, size_t count, way_boxes *boxes)
{
    memset(boxes, 0, sizeof *boxes);
    if (scree_memory_take(memory, count, sizeof *boxes->lower, &boxes->lower) ||
        scree_memory_take(memory, count, sizeof *boxes->upper, &boxes->upper) ||
        scree_memory_take(memory, count, sizeof *boxes->flags, &boxes->flags))
        return SCREE_OUT_OF_MEMORY;
    return SCREE_OK;
}

static void give_boxes(scree_memory *memory, size_t count, way_boxes *boxes)
{
    scree_memory_give(memory, &boxes->lower, count, sizeof *boxes->lower);
    scree_memory_give(memory, &boxes->upper, count, sizeof *boxes->upper);
    scree_memory_give(memory, &boxes->flags, count, sizeof *boxes->flags);
}

/*  Whether a contact of the two would exert a force. */
static bool meet(const scree_world *world, uint32_t a, uint32_t b)
{
    const scree_body_arrays *bodies = &world->bodies;

    return (!bodies->special || scree_bodies_meet(bodies, a, b)) &&
           !scree_joints_part(&world->joints, bodies->serial[a][0], bodies->serial[b][0]) &&
           scree_rules_find(&world->rules, SCREE_CONTACT_BODIES, bodies->material[a][0],
                            bodies->material[b][0], bodies->groups[a][0],
                            bodies->groups[b][0]) != 0;
}

static bool is_too_wide(const scree_domain *domain, const double lower[3], const double upper[3])
{
    for (int k = 0; k < 3; k++)
        if (domain->period[k] > 0 && !(upper[k] - lower[k] < MAX_PERIOD_SHARE * domain->period[k]))
            return true;
    return false;
}

static void box_way(const scree_body_arrays *bodies, uint32_t slot, double more, double lower[3],
                    double upper[3])
{
    for (int k = 0; k < 3; k++) {
        double a = bodies->position_before[slot][k], b = bodies->position[slot][k];
        double room = (bodies->position[slot][3] + more) * (1 + 0x1p-40);
        lower[k] = fmin(a, b) - room;
        upper[k] = fmax(a, b) + room;
    }
}

static bool meets_a_body(const scree_world *world, uint32_t slot)
{
    for (uint32_t other = 0; other < world->bodies.count; other++)
        if (other != slot && meet(world, slot, other))
            return true;
    return false;
}

/*  A path that is too long for the periodic cell, so that images cannot be distinguished, counts as a crossing,
    unless the body interacts with nothing. */
static void look_at_wide(scree_crossing_look *look, uint32_t slot, double way, uint8_t *flags)
{
    const scree_world *world = look->world;
    const scree_crossing crossing = {slot, UINT32_MAX, UINT32_MAX, way,
                                     scree_body_thickness(&world->bodies, slot)};

    *flags = SCREE_NO_BOUND;
    if (meets_a_body(world, slot))
        scree_crossing_note(look, &crossing);
}

static void box_ways(scree_crossing_look *look, double slow, double cell_way, way_boxes *boxes)
{
    const scree_world *world = look->world;
    const scree_body_arrays *bodies = &world->bodies;

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        double way = scree_crossing_way(bodies, slot, look->dt);
        box_way(bodies, slot, cell_way, boxes->lower[slot], boxes->upper[slot]);
        boxes->flags[slot] = way + cell_way <= slow ? SCREE_FIXED : 0;
        if (is_too_wide(&world->cell.next, boxes->lower[slot], boxes->upper[slot]))
            look_at_wide(look, slot, way, &boxes->flags[slot]);
    }
}

/* ---- a pair ---- */

/*  Vectors from the first body to the image of the second that is nearest at mid-step, at the start and at the end
    of the step. */
static void see_pair(const scree_world *world, uint32_t a, uint32_t b, double dt, double from[3],
                     double to[3])
{
    const scree_body_arrays *bodies = &world->bodies;
    const scree_strain *cell = &world->cell;
    const double *start[2] = {bodies->position_before[a], bodies->position_before[b]};
    const double *end[2] = {bodies->position[a], bodies->position[b]};
    double middle[2][3], step[3], n[3], image[3], speed[3] = {0};

    for (int k = 0; k < 3; k++) {
        middle[0][k] = (start[0][k] + end[0][k]) / 2;
        middle[1][k] = (start[1][k] + end[1][k]) / 2;
    }
    scree_domain_step(&cell->now, middle[0], middle[1], step, n);
    scree_domain_vector(&cell->now, n, image);
    if (cell->is_moving)
        scree_strain_speed(cell, &cell->now, n, speed);
    for (int k = 0; k < 3; k++) {
        from[k] = start[1][k] - start[0][k] - image[k];
        to[k] = end[1][k] - end[0][k] - image[k] - speed[k] * dt;
    }
}

/*  The shortest relative path by which the two could pass each other: see crossings.c. For a mesh and a sphere the
    sphere decides. */
static double max_move_of_pair(const scree_body_arrays *bodies, uint32_t a, uint32_t b)
{
    double one = scree_body_thickness(bodies, a), other = scree_body_thickness(bodies, b);
    bool has_skin[2] = {
        scree_is_not_sphere(bodies, a) && scree_shape_has_skin(&bodies->shape[a][0]),
        scree_is_not_sphere(bodies, b) && scree_shape_has_skin(&bodies->shape[b][0])};

    if (has_skin[0] && has_skin[1])
        return one + other;
    if (has_skin[0] || has_skin[1])
        return has_skin[0] ? other : one;
    if (scree_is_not_sphere(bodies, a) || scree_is_not_sphere(bodies, b))
        return fmin(one, other);
    return sqrt(3 * (one + other) * fmin(one, other));
}

static scree_status look_at_pair(scree_crossing_look *look, uint32_t a, uint32_t b)
{
    scree_world *world = look->world;
    const scree_body_arrays *bodies = &world->bodies;
    double ways[2] = {scree_crossing_way(bodies, a, look->dt),
                      scree_crossing_way(bodies, b, look->dt)};
    double from[3], to[3], most = max_move_of_pair(bodies, a, b), way;
    bool passes = false;
    scree_status status = SCREE_OK;

    see_pair(world, a, b, look->dt, from, to);
    way = scree_apart(from, to);
    if (scree_is_not_sphere(bodies, a) || scree_is_not_sphere(bodies, b))
        way = ways[0] + ways[1];
    if (way <= most || !meet(world, a, b))
        return SCREE_OK;
    if (scree_is_not_sphere(bodies, a) || scree_is_not_sphere(bodies, b))
        status = scree_crossing_look_at_shapes(look, a, b, UINT32_MAX, way, way, most, &passes);
    else
        passes = scree_spheres_pass(from, to, bodies->position[a][3] + bodies->position[b][3],
                                    fmin(bodies->position[a][3], bodies->position[b][3]));
    if (status || !passes)
        return status;
    /* the faster body is named first; if both are equally fast, the first */
    bool is_second =
        ways[1] > ways[0] || (ways[1] == ways[0] && bodies->serial[b][0] < bodies->serial[a][0]);
    const scree_crossing crossing = {is_second ? b : a, is_second ? a : b, UINT32_MAX, way, most};
    scree_crossing_note(look, &crossing);
    return SCREE_OK;
}

/* ---- all ---- */

static scree_status find_pairs(scree_crossing_look *look, const way_boxes *boxes,
                               scree_detector *detector)
{
    const scree_world *world = look->world;
    const size_t stride = sizeof *boxes->lower;
    scree_view lower[3] = {{0}}, upper[3] = {{0}};
    scree_pairs pairs;

    for (int k = 0; k < world->def.dimensions; k++) {
        lower[k] = scree_doubles(&boxes->lower[0][k], stride);
        upper[k] = scree_doubles(&boxes->upper[0][k], stride);
    }
    scree_table table = scree_table_boxes(world->bodies.count, lower, upper);
    table.flags = scree_integer_view(boxes->flags, sizeof *boxes->flags);
    scree_status status = scree_detector_update(detector, &table, NULL);
    if (!status)
        status = scree_detector_pairs(detector, NULL, &pairs);
    if (status)
        return scree_fail(&look->world->error, status, "world: ways of bodies: %s",
                          scree_detector_message(detector));
    for (uint64_t k = 0; k < pairs.count && !status; k++)
        status = look_at_pair(look, pairs.first[k], pairs.second[k]);
    return status;
}

static scree_status make_detector(scree_world *world, scree_detector **made)
{
    scree_detector_def def = scree_default_detector_def();

    def.dimensions = world->def.dimensions;
    def.volume = SCREE_BOXES;
    def.simd = world->simd;
    if (world->workers.count > 1)
        def.tasks = world->workers.tasks;
    def.allocator = world->memory.allocator;
    def.error = &world->error;
    memcpy(def.period, world->cell.next.period, sizeof def.period);
    memcpy(def.tilt, world->cell.next.tilt, sizeof def.tilt);
    return scree_detector_create(&def, made);
}

scree_status scree_crossing_look_at_pairs(scree_crossing_look *look, double slow, double cell_way)
{
    scree_world *world = look->world;
    const size_t count = world->bodies.count;
    scree_detector *detector = NULL;
    way_boxes boxes;
    scree_status status = take_boxes(&world->memory, count, &boxes);

    if (status)
        scree_fail(&world->error, status, "world: ways of bodies: %s", scree_status_name(status));
    if (!status)
        box_ways(look, slow, cell_way, &boxes);
    /* a crossing through the periodic cell is reported without further tests */
    if (!status && look->found.slot == UINT32_MAX)
        status = make_detector(world, &detector);
    if (detector && !status)
        status = find_pairs(look, &boxes, detector);
    scree_detector_destroy(detector);
    give_boxes(&world->memory, count, &boxes);
    return status;
}
