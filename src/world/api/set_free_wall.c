/*  Checks and sets the definition of a free wall. */
#include "world/api/set_free_wall.h"

#include "base/check_numbers.h"
#include "base/quaternion.h"
#include "base/sized_definition.h"
#include "base/vector.h"
#include "world/boundaries/free_wall.h"
#include "world/boundaries/wall_motion.h"
#include "world/step/world_data.h"

#include <math.h>
#include <string.h>

#define FREE_COOKIE 0x3a110201u
#define HELD_IN_PLANE (SCREE_FREEZE_Z | SCREE_FREEZE_SPIN_X | SCREE_FREEZE_SPIN_Y)
#define MIN_MASS 1e-25 /* a smaller mass leads to infinite speeds */
#define MIN_INERTIA 1e-45
#define ALL_SPINS (SCREE_FREEZE_SPIN_X | SCREE_FREEZE_SPIN_Y | SCREE_FREEZE_SPIN_Z)

void scree_init_free_wall_def(scree_free_wall_def *def, size_t size)
{
    static const scree_free_wall_def own = {
        .cookie = FREE_COOKIE, .size = sizeof(scree_free_wall_def), .frame = {1, 0, 0, 0}};

    scree_definition_write(def, size, &own, sizeof own);
}

/* ---- checks ---- */

static scree_status check_vectors_of_free_wall(const scree_free_wall_def *free_wall,
                                               scree_error *error)
{
    const struct
    {
        const char *name;
        const double *value;
    } vectors[] = {{"centre", free_wall->centre}, {"velocity", free_wall->velocity},
                   {"spin", free_wall->spin},     {"force", free_wall->force},
                   {"torque", free_wall->torque}, {"inertia", free_wall->inertia}};

    for (size_t v = 0; v < SCREE_COUNT_OF(vectors); v++)
        if (scree_check_numbers(error, "free wall", vectors[v].name, vectors[v].value, 3))
            return SCREE_BAD_VALUE;
    return SCREE_OK;
}

/*  The inertia must be positive about each axis that the wall can rotate about. */
static scree_status check_inertia(const scree_free_wall_def *free_wall, int dimensions,
                                  scree_error *error)
{
    for (int k = 0; k < 3; k++) {
        bool is_needed = (free_wall->held & ALL_SPINS) != ALL_SPINS && (dimensions == 3 || k == 2);
        if (!(free_wall->inertia[k] >= 0) || (is_needed && !(free_wall->inertia[k] >= MIN_INERTIA)))
            return scree_refuse_number(error, "free wall", "inertia", free_wall->inertia[k],
                                       is_needed ? "at least 1e-45: it may turn" : "0 or more");
    }
    return SCREE_OK;
}

static scree_status check_plane_of_free_wall(const scree_free_wall_def *free_wall,
                                             scree_error *error)
{
    if (free_wall->centre[2] != 0 || free_wall->velocity[2] != 0 || free_wall->spin[0] != 0 ||
        free_wall->spin[1] != 0)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "free wall: z of centre and velocity, and spin about x and y, must be 0 "
                          "in two dimensions");
    if (free_wall->frame[1] != 0 || free_wall->frame[2] != 0)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "free wall: frame must turn about z in two dimensions");
    return SCREE_OK;
}

scree_status scree_free_wall_check(scree_free_wall_def *free_wall, int dimensions,
                                   scree_error *error)
{
    scree_status status;

    if (dimensions == 2)
        free_wall->held |= HELD_IN_PLANE;
    if (free_wall->held & ~SCREE_FREEZE)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "free wall: held is %#x, must be flags from SCREE_FREEZE_X to _SPIN_Z",
                          free_wall->held);
    if (!(free_wall->mass >= MIN_MASS && free_wall->mass <= SCREE_MAX_COORDINATE))
        return scree_refuse_number(error, "free wall", "mass", free_wall->mass, "1e-25 to 1e100");
    if (!(free_wall->damping >= 0 && free_wall->damping <= SCREE_MAX_COORDINATE))
        return scree_refuse_number(error, "free wall", "damping", free_wall->damping,
                                   "0 or more and at most 1e100");
    if (!(free_wall->angular_damping >= 0 && free_wall->angular_damping <= SCREE_MAX_COORDINATE))
        return scree_refuse_number(error, "free wall", "angular_damping",
                                   free_wall->angular_damping, "0 or more and at most 1e100");
    if (!scree_quaternion_normalise(free_wall->frame))
        return scree_fail(error, SCREE_BAD_VALUE, "free wall: frame is no rotation");
    if ((status = check_vectors_of_free_wall(free_wall, error)) ||
        (status = check_inertia(free_wall, dimensions, error)))
        return status;
    return dimensions == 2 ? check_plane_of_free_wall(free_wall, error) : SCREE_OK;
}

/* ---- setting ---- */

/*  The path of the wall starts at its present pose, at rest. */
static void put_where_it_is(scree_wall_record *wall, double time)
{
    memcpy(wall->def.point, wall->now.position, sizeof wall->def.point);
    memcpy(wall->def.orientation, wall->now.orientation, sizeof wall->def.orientation);
    memcpy(wall->def.normal, wall->now.normal, sizeof wall->def.normal);
    memset(wall->drive.shift, 0, sizeof wall->drive.shift);
    memset(wall->next_shift, 0, sizeof wall->next_shift);
    wall->start_time = time;
}

static void begin_ride(scree_wall_record *wall)
{
    scree_free_wall_motion *motion = &wall->motion;
    double arm[3];

    scree_quaternion_turn(wall->now.orientation, wall->free_wall.centre, arm);
    scree_quaternion_multiply(wall->now.orientation, wall->free_wall.frame, motion->orientation);
    for (int k = 0; k < 3; k++)
        motion->place[k] = wall->now.position[k] + arm[k];
    memcpy(motion->velocity, wall->free_wall.velocity, sizeof motion->velocity);
    memcpy(motion->spin, wall->free_wall.spin, sizeof motion->spin);
}

scree_status scree_world_set_free_wall(scree_world *world, scree_wall_id id,
                                       const scree_free_wall_def *free_wall)
{
    scree_free_wall_def own = scree_default_free_wall_def();
    scree_wall_record changed;
    scree_status status = SCREE_OK;
    size_t place;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (scree_walls_find(&world->walls, id, &place, &world->error))
        return SCREE_BAD_ARGUMENT;
    if (free_wall && !scree_definition_read(&own, free_wall))
        return scree_fail(&world->error, SCREE_BAD_DEF,
                          "free wall: the definition is not from scree_default_free_wall_def");
    changed = world->walls.wall[place];
    if (!free_wall && !changed.is_free)
        return SCREE_OK;
    if (free_wall && (changed.path_moves || changed.has_servo))
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "free wall: wall %u has a %s; what bodies move has none", id.index1,
                          changed.has_servo ? "servo" : "path");
    for (size_t k = 0; free_wall && k < world->joints.count; k++)
        if (world->joints.joint[k].wall.index1 == id.index1)
            return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                              "free wall: wall %u has joints, which free walls cannot have",
                              id.index1);
    changed.is_free = free_wall != NULL;
    changed.free_wall = free_wall ? own : (scree_free_wall_def){.cookie = 0};
    changed.motion = changed.next_motion = (scree_free_wall_motion){.place = {0}};
    put_where_it_is(&changed, world->clock.time);
    if (free_wall)
        status = scree_free_wall_check(&changed.free_wall, world->def.dimensions, &world->error);
    if (free_wall && !status) {
        begin_ride(&changed);
        status = scree_free_wall_move(&changed, 0, &world->error);
        changed.now = changed.next;
    } else if (!status) {
        status =
            scree_wall_find_pose(&changed, world->clock.time, world->def.dimensions, &world->error);
    }
    if (status)
        return status;
    world->walls.wall[place] = changed;
    world->clock.unprimed = 1;
    return SCREE_OK;
}

bool scree_world_read_free_wall(const scree_world *world, scree_wall_id id,
                                scree_free_wall_def *def, size_t size)
{
    size_t place = world ? scree_walls_place(&world->walls, id) : SIZE_MAX;
    const bool is_free = place != SIZE_MAX && world->walls.wall[place].is_free;

    scree_free_wall_def own =
        is_free ? world->walls.wall[place].free_wall : scree_default_free_wall_def();

    if (is_free) {
        memcpy(own.velocity, world->walls.wall[place].motion.velocity, sizeof own.velocity);
        memcpy(own.spin, world->walls.wall[place].motion.spin, sizeof own.spin);
    }
    scree_definition_write(def, size, &own, sizeof own);
    return is_free;
}
