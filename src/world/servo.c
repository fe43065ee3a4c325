/*  A servo is a wall with a mass of its own, that a force pulls against what bodies do to it, and with two brakes:

        M dv/dt = T - F - D (v - u) - A v

    T the target, F the force of the bodies, u the mean velocity of those that touch it, by mass. At rest F is T, whatever
    the rest is. It follows from what the wall touches: K is the stiffness of its contacts along the axis, m the mass of
    the bodies in them,

        M = 4 m + 16 K dt^2      D = 2 sqrt(K M)      A = D / 10

    and is solved with v on the right as it will be: v' = (M v + dt (T - F + D u)) / (M + dt (D + A)).

    Why no step is too long. The wall feels K through its place and the contacts' dashpots through its speed; their sum C is
    at most 2 sum sqrt(m_i k_i), that of critical damping. So

        K dt^2 / M <= 1/16,      C dt / M <= sum 2 sqrt(m_i k_i) dt / (4 m_i + 16 k_i dt^2) <= 1/8,

    the last since 4 a + 16 b >= 16 sqrt(a b). Before bodies that stay (u = 0), Jury's test of v' as above, x' = x + v' dt,
    asks for C dt / M < 1 and K dt^2 + 2 C dt < 2 (2 M + D dt): both hold with room for what else moves. A body that the
    wall pushes against a spring k0 moves as M m s^4 + D m s^3 + (M (K + k0) + K m) s^2 + D k0 s + K k0 = 0 without A, which
    has no root to the right (Routh), so that what D takes from u feeds nothing.

    Why two brakes. D is critical for the wall before bodies that stay, and nothing to those that go with it: a packing that
    gives way goes on doing so at its target, while with all of D against space F would lack D v. A, with which it lacks a
    tenth of that, is for what D does not see, the swinging of all of the packing: its resistance is about a fifth
    of what a chain of such contacts sets against a wave, sqrt(k m).

    Sums over contacts are exact, so their order does not count. */
#include "world/servo.h"

#include "base/exact_sum.h"
#include "shape/mesh.h"
#include "world/snapshot.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SERVO_COOKIE 0x3a110101u
#define MOST_SERVO_SPEED 1e9

/*  How long a servo may touch nothing, or be as fast as it may, before that is said, and said again. */
#define STEPS_ALONE 1000u
#define STEPS_AT_MOST 20000u
#define STEPS_OF_SILENCE 100000u

scree_wall_servo scree_default_wall_servo(void)
{
    return (scree_wall_servo){.cookie = SERVO_COOKIE, .stop = INFINITY};
}

bool scree_servo_is_on(const scree_walls *walls)
{
    for (size_t w = 0; w < walls->count; w++)
        if (walls->wall[w].has_servo)
            return true;
    return false;
}

bool scree_servos_are_known(const scree_walls *walls)
{
    static const scree_wall_drive none = {.shift = {0}};

    for (size_t w = 0; w < walls->count; w++)
        if (walls->wall[w].has_servo || memcmp(&walls->wall[w].drive, &none, sizeof none) != 0)
            return true;
    return false;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- checks ---- */

static scree_status refuse_number(scree_error *error, const char *field, double value,
                                  const char *wanted)
{
    return scree_fail(error, SCREE_BAD_VALUE, "wall servo: %s is %g, must be %s", field, value,
                      wanted);
}

static scree_status check_numbers_of_servo(const scree_wall_servo *servo, scree_error *error)
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
            return refuse_number(error, numbers[k].name, numbers[k].value,
                                 "0 or more and finite: bodies push a wall");
    if (!(servo->most_speed > 0 && servo->most_speed <= MOST_SERVO_SPEED))
        return refuse_number(error, "most_speed", servo->most_speed, "above 0 and at most 1e9");
    if (!(fabs(servo->start) <= SCREE_MAX_COORDINATE))
        return refuse_number(error, "start", servo->start, "finite");
    if (!(servo->stop > servo->start))
        return refuse_number(error, "stop", servo->stop, "after start");
    return SCREE_OK;
}

/*  Leaves a unit vector. */
static scree_status check_axis(const scree_wall_record *wall, scree_wall_servo *servo,
                               int dimensions, scree_error *error)
{
    double *axis = servo->axis, length;
    bool is_plane = wall->def.kind == SCREE_WALL_PLANE;

    for (int k = 0; k < 3; k++)
        if (!(fabs(axis[k]) <= SCREE_MAX_COORDINATE))
            return refuse_number(error, "axis", axis[k], "finite and at most 1e100");
    if (is_plane && axis[0] == 0 && axis[1] == 0 && axis[2] == 0)
        memcpy(axis, wall->now.normal, sizeof servo->axis);
    length = sqrt(dot(axis, axis));
    if (!(length > 1e-100 && length < 1e100))
        return refuse_number(error, "the length of axis", length,
                             "above 0; it must be given where the wall is a mesh");
    if (dimensions == 2 && axis[2] != 0)
        return refuse_number(error, "axis[2]", axis[2], "0 in two dimensions");
    if (is_plane && !(dot(axis, wall->now.normal) / length > 0.01))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "wall servo: axis (%g %g %g) does not lead to the bodies before the "
                          "plane, whose normal is (%g %g %g)",
                          axis[0], axis[1], axis[2], wall->now.normal[0], wall->now.normal[1],
                          wall->now.normal[2]);
    for (int k = 0; k < 3; k++)
        axis[k] /= length;
    return SCREE_OK;
}

/*  What a mesh covers as seen along the axis: of a closed one each ray crosses two sides. */
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

static scree_status check_between(const scree_world *world, const scree_wall_record *wall,
                                  const scree_wall_servo *servo, scree_error *error)
{
    int count = 2 * (world->def.dimensions - 1);

    for (int k = 0; k < 4; k++) {
        size_t place = scree_walls_place(&world->walls, servo->between[k]);
        if (k >= count && servo->between[k].index1 == 0)
            continue;
        if (k >= count || place == SIZE_MAX || &world->walls.wall[place] == wall ||
            world->walls.wall[place].def.kind != SCREE_WALL_PLANE)
            return scree_fail(
                error, SCREE_BAD_ARGUMENT, "wall servo: between[%d] must name %s (index1 %u)", k,
                k >= count ? "none in two dimensions" : "another plane", servo->between[k].index1);
    }
    return SCREE_OK;
}

static bool names_walls(const scree_wall_servo *servo)
{
    for (int k = 0; k < 4; k++)
        if (servo->between[k].index1)
            return true;
    return false;
}

/*  What a stress is on; leaves the area of a mesh. */
static scree_status check_area(const scree_world *world, const scree_wall_record *wall,
                               scree_wall_servo *servo, scree_error *error)
{
    bool has_walls = names_walls(servo);

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
        return check_between(world, wall, servo, error);
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
                                        const scree_wall_servo *servo)
{
    scree_wall_servo checked = servo ? *servo : (scree_wall_servo){.cookie = SERVO_COOKIE};
    scree_wall_record *wall, changed;
    scree_status status = SCREE_OK;
    size_t place;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    place = scree_walls_place(&world->walls, id);
    if (place == SIZE_MAX)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "world: the id names no wall (index1 %u, generation %u)", id.index1,
                          id.generation);
    if (checked.cookie != SERVO_COOKIE)
        return scree_fail(&world->error, SCREE_BAD_DEF,
                          "wall servo: the definition is not from scree_default_wall_servo");
    wall = &world->walls.wall[place];
    if (servo)
        status = check_numbers_of_servo(&checked, &world->error);
    if (servo && !status)
        status = check_axis(wall, &checked, world->def.dimensions, &world->error);
    if (servo && !status)
        status = check_area(world, wall, &checked, &world->error);
    changed = *wall;
    changed.drive.target = changed.drive.force = 0;
    changed.drive.contacts = 0;
    /* what drives it another way begins at rest */
    if (!servo || memcmp(checked.axis, wall->servo.axis, sizeof checked.axis) != 0)
        changed.drive.speed = 0;
    changed.has_servo = servo != NULL;
    changed.servo = checked;
    changed.held_at = world->clock.steps;
    changed.next_word = 0;
    if (!status)
        status =
            scree_wall_find_pose(&changed, world->clock.time, world->def.dimensions, &world->error);
    if (status)
        return status;
    *wall = changed;
    world->clock.unprimed = 1;
    return SCREE_OK;
}

bool scree_servo_refuses_removal(scree_world *world, scree_wall_id id)
{
    for (size_t w = 0; w < world->walls.count; w++) {
        const scree_wall_record *wall = &world->walls.wall[w];
        for (int k = 0; wall->has_servo && k < 4; k++)
            if (wall->servo.between[k].index1 == id.index1) {
                scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                           "world: wall %" PRIu32 " bounds the area of the servo of wall %" PRIu32,
                           id.index1, wall->id.index1);
                return true;
            }
    }
    return false;
}

/* ---- in snapshots ---- */

void scree_servo_pack(const scree_wall_record *wall, scree_packed_servo *packed)
{
    const scree_wall_servo *servo = &wall->servo;
    const scree_wall_drive *drive = &wall->drive;

    *packed = (scree_packed_servo){
        .is_on = wall->has_servo,
        .speed = drive->speed,
        .target = drive->target,
        .force = drive->force,
        .contacts = drive->contacts,
        .wanted = servo->force,
        .stress = servo->stress,
        .area = servo->area,
        .most_speed = servo->most_speed,
        .gain = servo->gain,
        .start = servo->start,
        .stop = servo->stop,
    };
    memcpy(packed->shift, drive->shift, sizeof packed->shift);
    memcpy(packed->axis, servo->axis, sizeof packed->axis);
    memcpy(packed->between, servo->between, sizeof packed->between);
}

void scree_servo_unpack(const scree_packed_servo *packed, scree_wall_record *wall)
{
    wall->has_servo = packed->is_on != 0;
    wall->servo = (scree_wall_servo){
        .cookie = SERVO_COOKIE,
        .force = packed->wanted,
        .stress = packed->stress,
        .area = packed->area,
        .most_speed = packed->most_speed,
        .gain = packed->gain,
        .start = packed->start,
        .stop = packed->stop,
    };
    memcpy(wall->servo.axis, packed->axis, sizeof packed->axis);
    memcpy(wall->servo.between, packed->between, sizeof packed->between);
    wall->drive = (scree_wall_drive){.speed = packed->speed,
                                     .target = packed->target,
                                     .force = packed->force,
                                     .contacts = packed->contacts};
    memcpy(wall->drive.shift, packed->shift, sizeof packed->shift);
    memcpy(wall->next_shift, packed->shift, sizeof packed->shift);
    wall->next_word = 0;
}

bool scree_servo_is_sound(const scree_packed_servo *packed)
{
    scree_wall_record wall;

    for (int k = 0; k < 3; k++)
        if (!(fabs(packed->shift[k]) <= SCREE_MAX_COORDINATE))
            return false;
    if (!packed->is_on)
        return packed->speed == 0;
    memset(&wall, 0, sizeof wall);
    scree_servo_unpack(packed, &wall);
    return fabs(dot(packed->axis, packed->axis) - 1) < 1e-6 &&
           fabs(packed->speed) <= packed->most_speed && packed->target >= 0 &&
           fabs(packed->force) < INFINITY && !check_numbers_of_servo(&wall.servo, NULL);
}

/* ---- what it touches ---- */

typedef struct touch_sums
{
    scree_exact_sum force, stiffness, mass, momentum;
    uint64_t contacts;
} touch_sums;

static void add_contact(touch_sums *sums, const double axis[3], const double force[3],
                        const double stiffness[3], double mass, const double velocity[3])
{
    double along = 0;

    for (int k = 0; k < 3; k++)
        along += stiffness[k] * axis[k] * axis[k];
    scree_exact_add(&sums->force, dot(force, axis));
    scree_exact_add(&sums->stiffness, along);
    scree_exact_add(&sums->mass, mass);
    scree_exact_add(&sums->momentum, mass * dot(velocity, axis));
    sums->contacts++;
}

static void sum_contacts(const scree_world *world, uint32_t w, touch_sums *sums)
{
    const scree_surface_list *list = &world->surfaces.next;
    const scree_solid_list *solids = &world->solids.next;
    const double *axis = world->walls.wall[w].servo.axis;
    uint32_t first, second, wall;

    scree_exact_clear(&sums->force);
    scree_exact_clear(&sums->stiffness);
    scree_exact_clear(&sums->mass);
    scree_exact_clear(&sums->momentum);
    sums->contacts = 0;
    for (size_t c = 0; c < list->count; c++) {
        const double *velocity = world->bodies.velocity[list->body[c][0]];
        if (list->wall[c][0] == w)
            add_contact(sums, axis, list->row[c], world->wall_stiffness[c], 1 / velocity[3],
                        velocity);
    }
    for (size_t c = 0; c < solids->count; c++) {
        scree_solids_resolve(world, solids->pair[c], &first, &second, &wall);
        if (second == UINT32_MAX && wall == w)
            add_contact(sums, axis, solids->row[c], world->solids.stiffness[c], solids->size[c][1],
                        world->bodies.velocity[first]);
    }
}

static double distance_between(const scree_walls *walls, const scree_wall_id ids[2])
{
    const scree_wall_pose *a = &walls->wall[scree_walls_place(walls, ids[0])].next;
    const scree_wall_pose *b = &walls->wall[scree_walls_place(walls, ids[1])].next;
    double from[3];

    for (int k = 0; k < 3; k++)
        from[k] = b->position[k] - a->position[k];
    return fabs(dot(from, a->normal));
}

static double target_of(const scree_world *world, const scree_wall_servo *servo)
{
    double area = servo->area;

    if (servo->stress == 0)
        return servo->force;
    if (names_walls(servo)) {
        area = distance_between(&world->walls, servo->between);
        if (world->def.dimensions == 3)
            area *= distance_between(&world->walls, servo->between + 2);
    }
    return servo->stress * area;
}

/* ---- how fast it goes ---- */

static double clamp(double value, double most)
{
    return value > most ? most : value < -most ? -most : value;
}

/*  *stable: the gain that is used where none is given; INFINITY without contacts. */
static double next_speed(const scree_wall_servo *servo, const scree_wall_drive *drive,
                         touch_sums *sums, double dt, double *stable)
{
    double stiffness = scree_exact_value(&sums->stiffness), mass = scree_exact_value(&sums->mass);
    double push = drive->target - drive->force;

    *stable = INFINITY;
    if (drive->contacts == 0)
        return drive->target > 0 ? servo->most_speed : 0;
    double inertia = 4 * mass + 16 * stiffness * dt * dt;
    double brake = 2 * sqrt(stiffness * inertia), drag = brake / 10;
    *stable = 1 / drag;
    if (servo->gain > 0 && 1 / servo->gain > drag)
        drag = 1 / servo->gain;
    push += brake * (scree_exact_value(&sums->momentum) / mass);
    return clamp((inertia * drive->speed + dt * push) / (inertia + (brake + drag) * dt),
                 servo->most_speed);
}

static void say(scree_world *world, scree_wall_record *wall, const char *what, double value,
                const char *unit)
{
    uint64_t step = world->clock.steps + 1;

    scree_log_write(&world->def.log, SCREE_LOG_WARNING, SCREE_LOG_SERVO,
                    "world: step %" PRIu64 ": servo of wall %" PRIu32 ": %s (%.3g %s); bodies "
                    "push with %.3g N of %.3g N",
                    step, wall->id.index1, what, value, unit, wall->drive.force,
                    wall->drive.target);
    wall->next_word = step + STEPS_OF_SILENCE;
}

/*  What it does not come up to. */
static void speak_up(scree_world *world, scree_wall_record *wall, double stable)
{
    const scree_wall_drive *drive = &wall->drive;
    uint64_t step = world->clock.steps + 1, waits;
    bool is_at_most = fabs(drive->speed) >= wall->servo.most_speed;

    if (drive->contacts > 0 && !is_at_most)
        wall->held_at = step;
    waits = step - wall->held_at;
    if (step < wall->next_word)
        return;
    if (wall->servo.gain > stable)
        say(world, wall, "its gain would not be stable, the most that is is used", stable, "m/s/N");
    else if (drive->contacts == 0 && drive->target > 0 && waits >= STEPS_ALONE)
        say(world, wall, "it touches nothing, and goes on", drive->speed, "m/s");
    else if (is_at_most && waits >= STEPS_AT_MOST)
        say(world, wall, "it is as fast as it may be, and yet does not hold its target",
            drive->speed, "m/s");
}

static void decide(scree_world *world, uint32_t w, double time, double dt)
{
    scree_wall_record *wall = &world->walls.wall[w];
    scree_wall_drive *drive = &wall->drive;
    touch_sums sums;
    double stable;

    sum_contacts(world, w, &sums);
    drive->force = scree_exact_value(&sums.force);
    drive->contacts = sums.contacts;
    drive->target = target_of(world, &wall->servo);
    if (time < wall->servo.start || time >= wall->servo.stop) {
        drive->speed = 0;
        wall->held_at = world->clock.steps + 1;
        return;
    }
    drive->speed = next_speed(&wall->servo, drive, &sums, dt, &stable);
    speak_up(world, wall, stable);
}

void scree_servo_decide(scree_world *world, double dt)
{
    for (uint32_t w = 0; w < world->walls.count; w++)
        if (world->walls.wall[w].has_servo)
            decide(world, w, world->clock.time + dt, dt);
}

scree_servo_state scree_servo_state_of(const scree_wall_record *wall)
{
    scree_servo_state state = {.is_on = wall->has_servo,
                               .target = wall->drive.target,
                               .force = wall->drive.force,
                               .contacts = wall->drive.contacts,
                               .speed = wall->drive.speed};

    memcpy(state.shift, wall->drive.shift, sizeof state.shift);
    return state;
}
