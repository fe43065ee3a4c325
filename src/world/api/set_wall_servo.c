/*  Checks and sets the definition of a servo wall. */
#include "world/api/set_wall_servo.h"

#include "base/check_numbers.h"
#include "base/sized_definition.h"
#include "base/vector.h"
#include "shape/mesh.h"
#include "world/boundaries/wall_motion.h"
#include "world/boundaries/wall_servo.h"
#include "world/step/world_data.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SERVO_COOKIE 0x3a110101u
#define MAX_SERVO_SPEED 1e9

void scree_init_wall_servo_def(scree_wall_servo_def *def, size_t size)
{
    static const scree_wall_servo_def own = {
        .cookie = SERVO_COOKIE, .size = sizeof(scree_wall_servo_def), .stop = INFINITY};

    scree_definition_write(def, size, &own, sizeof own);
}

/* ---- checks ---- */

scree_status scree_servo_check_numbers(const scree_wall_servo_def *servo, scree_error *error)
{
    const struct
    {
        const char *name;
        double value;
    } numbers[] = {{"force", servo->force},
                   {"stress", servo->stress},
                   {"area", servo->area},
                   {"gain", servo->gain}};

    for (size_t k = 0; k < SCREE_COUNT_OF(numbers); k++)
        if (!(numbers[k].value >= 0 && numbers[k].value <= SCREE_MAX_COORDINATE))
            return scree_refuse_number(error, "wall servo", numbers[k].name, numbers[k].value,
                                       "0 or more and finite: bodies push a wall");
    if (!(servo->max_speed > 0 && servo->max_speed <= MAX_SERVO_SPEED))
        return scree_refuse_number(error, "wall servo", "max_speed", servo->max_speed,
                                   "above 0 and at most 1e9");
    if (!scree_is_usable(servo->start))
        return scree_refuse_number(error, "wall servo", "start", servo->start, "finite");
    if (!(servo->stop > servo->start))
        return scree_refuse_number(error, "wall servo", "stop", servo->stop, "after start");
    return SCREE_OK;
}

/*  Normalises the axis. */
static scree_status check_axis(const scree_wall_record *wall, scree_wall_servo_def *servo,
                               int dimensions, scree_error *error)
{
    double *axis = servo->axis, length;
    bool is_plane = wall->def.kind == SCREE_WALL_PLANE;

    if (scree_check_numbers(error, "wall servo", "axis", axis, 3))
        return SCREE_BAD_VALUE;
    if (is_plane && axis[0] == 0 && axis[1] == 0 && axis[2] == 0)
        memcpy(axis, wall->now.normal, sizeof servo->axis);
    length = scree_length(axis);
    if (!(length > 1e-100 && length < 1e100))
        return scree_refuse_number(error, "wall servo", "the length of axis", length,
                                   "above 0; it must be given where the wall is a mesh");
    if (dimensions == 2 && axis[2] != 0)
        return scree_refuse_number(error, "wall servo", "axis[2]", axis[2], "0 in two dimensions");
    if (is_plane && !(scree_dot(axis, wall->now.normal) / length > 0.01))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "wall servo: axis (%g %g %g) does not lead to the bodies before the "
                          "plane, whose normal is (%g %g %g)",
                          axis[0], axis[1], axis[2], wall->now.normal[0], wall->now.normal[1],
                          wall->now.normal[2]);
    for (int k = 0; k < 3; k++)
        axis[k] /= length;
    return SCREE_OK;
}

/*  Area of a mesh projected along the axis. A ray crosses a closed mesh twice, so that counts half. */
static double area_of_mesh(const scree_wall_record *wall, const double axis[3])
{
    scree_mesh_info info = scree_mesh_describe(wall->def.mesh);
    scree_wall_record placed = *wall;
    double sum = 0;

    placed.next = wall->now;
    for (uint32_t f = 0; f < info.facet_count; f++) {
        double corner[3][3] = {{0}}, a[3], b[3];
        for (int c = 0; c < info.corners; c++)
            scree_wall_turn_from_mesh(
                &placed,
                info.vertices + 3 * (size_t)info.facets[(size_t)info.corners * f + (size_t)c],
                corner[c]);
        for (int k = 0; k < 3; k++) {
            a[k] = corner[1][k] - corner[0][k];
            b[k] = corner[2][k] - corner[0][k];
        }
        sum += info.corners == 2 ? fabs(a[0] * axis[1] - a[1] * axis[0])
                                 : 0.5 * fabs(axis[0] * (a[1] * b[2] - a[2] * b[1]) +
                                              axis[1] * (a[2] * b[0] - a[0] * b[2]) +
                                              axis[2] * (a[0] * b[1] - a[1] * b[0]));
    }
    return info.open_edges ? sum : sum / 2;
}

static scree_status check_between(const scree_walls *walls, const scree_wall_record *wall,
                                  const scree_wall_servo_def *servo, scree_error *error)
{
    int count = 2 * (walls->dimensions - 1);

    for (int k = 0; k < 4; k++) {
        size_t place = scree_walls_place(walls, servo->between[k]);
        if (k >= count && servo->between[k].index1 == 0)
            continue;
        if (k >= count || place == SIZE_MAX || &walls->wall[place] == wall ||
            walls->wall[place].def.kind != SCREE_WALL_PLANE)
            return scree_fail(
                error, SCREE_BAD_ARGUMENT, "wall servo: between[%d] must name %s (index1 %u)", k,
                k >= count ? "none in two dimensions" : "another plane", servo->between[k].index1);
    }
    return SCREE_OK;
}

/*  Checks the area that a stress acts on. For a mesh, the area is computed here. */
static scree_status check_area(const scree_walls *walls, const scree_wall_record *wall,
                               scree_wall_servo_def *servo, scree_error *error)
{
    bool has_walls = scree_servo_names_walls(servo);

    if (servo->force > 0 && servo->stress > 0)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "wall servo: has force %g and stress %g; one of both is held",
                          servo->force, servo->stress);
    if (has_walls && servo->area > 0)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "wall servo: has area %g and walls that it lies between; one of both "
                          "says what the stress is on",
                          servo->area);
    if (has_walls)
        return check_between(walls, wall, servo, error);
    if (servo->stress > 0 && servo->area == 0 && wall->def.kind == SCREE_WALL_MESH)
        servo->area = area_of_mesh(wall, servo->axis);
    if (servo->stress > 0 && !(servo->area > 0))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "wall servo: a stress of %g is on no area: %s; area, or the planes "
                          "between which it lies, must be given",
                          servo->stress,
                          wall->def.kind == SCREE_WALL_PLANE
                              ? "a plane has no end"
                              : "as seen along the axis the mesh covers none");
    return SCREE_OK;
}

scree_status scree_world_set_wall_servo(scree_world *world, scree_wall_id id,
                                        const scree_wall_servo_def *servo)
{
    scree_wall_servo_def checked = scree_default_wall_servo_def();
    scree_wall_record *wall, changed;
    scree_status status = SCREE_OK;
    size_t place;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (scree_walls_find(&world->walls, id, &place, &world->error))
        return SCREE_BAD_ARGUMENT;
    if (servo && !scree_definition_read(&checked, servo))
        return scree_fail(&world->error, SCREE_BAD_DEF,
                          "wall servo: the definition is not from scree_default_wall_servo_def");
    wall = &world->walls.wall[place];
    if (wall->is_free)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "wall servo: wall %u is free: what bodies move has none", id.index1);
    if (servo)
        status = scree_servo_check_numbers(&checked, &world->error);
    if (servo && !status)
        status = check_axis(wall, &checked, world->def.dimensions, &world->error);
    if (servo && !status)
        status = check_area(&world->walls, wall, &checked, &world->error);
    changed = *wall;
    changed.drive.target = changed.drive.force = 0;
    changed.drive.contacts = 0;
    /* if the axis changes, the servo starts from rest */
    if (!servo || memcmp(checked.axis, wall->servo.axis, sizeof checked.axis) != 0)
        changed.drive.speed = 0;
    changed.has_servo = servo != NULL;
    changed.servo = servo ? checked : (scree_wall_servo_def){.cookie = SERVO_COOKIE};
    changed.touched_at = world->clock.steps;
    changed.next_word = 0;
    changed.watch = (scree_servo_watch){.from = world->clock.steps};
    if (!status)
        status =
            scree_wall_find_pose(&changed, world->clock.time, world->def.dimensions, &world->error);
    if (status)
        return status;
    *wall = changed;
    world->clock.unprimed = 1;
    return SCREE_OK;
}

bool scree_world_read_wall_servo(const scree_world *world, scree_wall_id id,
                                 scree_wall_servo_def *servo, size_t size)
{
    size_t place = world ? scree_walls_place(&world->walls, id) : SIZE_MAX;
    const bool has_servo = place != SIZE_MAX && world->walls.wall[place].has_servo;

    const scree_wall_servo_def own =
        has_servo ? world->walls.wall[place].servo : scree_default_wall_servo_def();

    scree_definition_write(servo, size, &own, sizeof own);
    return has_servo;
}

bool scree_servo_refuses_removal(const scree_walls *walls, scree_wall_id id, scree_error *error)
{
    for (size_t w = 0; w < walls->count; w++) {
        const scree_wall_record *wall = &walls->wall[w];
        for (int k = 0; wall->has_servo && k < 4; k++)
            if (wall->servo.between[k].index1 == id.index1) {
                scree_fail(error, SCREE_BAD_ARGUMENT,
                           "world: wall %" PRIu32 " bounds the area of the servo of wall %" PRIu32,
                           id.index1, wall->id.index1);
                return true;
            }
    }
    return false;
}
