/*  Belts of walls: their definition, which is kept in the frame of the wall. */
#include "world/api/set_wall_belt.h"

#include "base/check_numbers.h"
#include "base/error.h"
#include "base/quaternion.h"
#include "base/sized_definition.h"
#include "base/vector.h"
#include "world/step/world_data.h"

#include <math.h>
#include <string.h>

#define BELT_COOKIE 0x3a110103u

void scree_init_wall_belt_def(scree_wall_belt_def *def, size_t size)
{
    static const scree_wall_belt_def own = {
        .cookie = BELT_COOKIE, .size = sizeof(scree_wall_belt_def), .axis = {0, 0, 1}};

    scree_definition_write(def, size, &own, sizeof own);
}

static scree_status check_flat(const scree_wall_belt_def *belt, scree_error *error)
{
    if (belt->velocity[2] != 0 || belt->centre[2] != 0)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "wall belt: %s[2] is %g, must be 0 in two dimensions",
                          belt->velocity[2] != 0 ? "velocity" : "centre",
                          belt->velocity[2] != 0 ? belt->velocity[2] : belt->centre[2]);
    if (belt->rate != 0 && (belt->axis[0] != 0 || belt->axis[1] != 0))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "wall belt: axis is (%g, %g, %g), must be along z in two dimensions",
                          belt->axis[0], belt->axis[1], belt->axis[2]);
    return SCREE_OK;
}

/*  Makes the axis a unit vector. */
static scree_status check_belt(scree_wall_belt_def *belt, int dimensions, scree_error *error)
{
    if (scree_check_numbers(error, "wall belt", "velocity", belt->velocity, 3) ||
        scree_check_numbers(error, "wall belt", "centre", belt->centre, 3) ||
        scree_check_numbers(error, "wall belt", "axis", belt->axis, 3) ||
        scree_check_numbers(error, "wall belt", "rate", &belt->rate, 1))
        return SCREE_BAD_VALUE;
    const double length = scree_length(belt->axis);
    if (!(length > 0))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "wall belt: axis is (%g, %g, %g), must have a length above 0",
                          belt->axis[0], belt->axis[1], belt->axis[2]);
    for (int k = 0; k < 3; k++)
        belt->axis[k] /= length;
    return dimensions == 2 ? check_flat(belt, error) : SCREE_OK;
}

bool scree_belt_is_sound(const scree_belt *belt, int dimensions)
{
    static const scree_belt none = {.is_on = 0};
    scree_wall_belt_def def = scree_default_wall_belt_def();

    if (belt->is_on != 1)
        return memcmp(belt, &none, sizeof none) == 0;
    memcpy(def.velocity, belt->velocity, sizeof def.velocity);
    memcpy(def.centre, belt->centre, sizeof def.centre);
    memcpy(def.axis, belt->axis, sizeof def.axis);
    def.rate = belt->rate;
    return fabs(scree_dot(belt->axis, belt->axis) - 1) < 1e-6 &&
           !check_belt(&def, dimensions, NULL);
}

scree_status scree_world_set_wall_belt(scree_world *world, scree_wall_id id,
                                       const scree_wall_belt_def *belt)
{
    scree_wall_belt_def checked = scree_default_wall_belt_def();
    size_t place;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (scree_walls_find(&world->walls, id, &place, &world->error))
        return SCREE_BAD_ARGUMENT;
    if (belt && !scree_definition_read(&checked, belt))
        return scree_fail(&world->error, SCREE_BAD_DEF,
                          "wall belt: the definition is not from scree_default_wall_belt_def");
    if (check_belt(&checked, world->def.dimensions, &world->error))
        return SCREE_BAD_VALUE;
    scree_wall_record *wall = &world->walls.wall[place];
    scree_belt changed = {0};
    if (belt) {
        const double *turn = wall->now.orientation;
        changed.is_on = 1;
        changed.rate = checked.rate;
        scree_quaternion_turn_back(turn, checked.velocity, changed.velocity);
        scree_quaternion_turn_back(turn, checked.axis, changed.axis);
        for (int k = 0; k < 3; k++)
            checked.centre[k] -= wall->now.position[k];
        scree_quaternion_turn_back(turn, checked.centre, changed.centre);
    }
    wall->belt = changed;
    world->clock.unprimed = 1;
    return SCREE_OK;
}

bool scree_world_read_wall_belt(const scree_world *world, scree_wall_id id,
                                scree_wall_belt_def *def, size_t size)
{
    scree_wall_belt_def own = scree_default_wall_belt_def();
    size_t place = world ? scree_walls_place(&world->walls, id) : SIZE_MAX;
    const scree_wall_record *wall = place != SIZE_MAX ? &world->walls.wall[place] : NULL;
    const bool is_on = wall && wall->belt.is_on;

    if (is_on) {
        const double *turn = wall->now.orientation;
        scree_quaternion_turn(turn, wall->belt.velocity, own.velocity);
        scree_quaternion_turn(turn, wall->belt.axis, own.axis);
        scree_quaternion_turn(turn, wall->belt.centre, own.centre);
        for (int k = 0; k < 3; k++)
            own.centre[k] += wall->now.position[k];
        own.rate = wall->belt.rate;
    }
    scree_definition_write(def, size, &own, sizeof own);
    return is_on;
}
