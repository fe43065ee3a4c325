/*  A servo wall has a mass of its own. The target force pulls it against the contact forces, and there are two damping
    terms:

        M dv/dt = T - F - D (v - u) - A v

    T is the target, F the force of the bodies, and u the mean velocity of the bodies in contact, weighted by mass. At
    rest F = T, whatever the coefficients are. These follow from the contacts: K is the stiffness of the contacts along
    the axis, m the mass of the bodies in contact,

        M = 4 m + 16 K dt^2      D = 2 sqrt(K M)      A = D / 10

    The damping is integrated implicitly: v' = (M v + dt (T - F + D u)) / (M + dt (D + A)).

    Stability for any time step. The wall depends on K through its position and on the dashpots of contacts through its
    velocity. The sum C of the dashpots is at most 2 sum sqrt(m_i k_i), critical damping. So

        K dt^2 / M <= 1/16,      C dt / M <= sum 2 sqrt(m_i k_i) dt / (4 m_i + 16 k_i dt^2) <= 1/8,

    the last since 4 a + 16 b >= 16 sqrt(a b). Against bodies that do not move (u = 0), Jury's criterion for v' as above
    and x' = x + v' dt requires C dt / M < 1 and K dt^2 + 2 C dt < 2 (2 M + D dt). Both hold with a margin for other
    motion. A body that the wall pushes against a spring k0 follows M m s^4 + D m s^3 + (M (K + k0) + K m) s^2 + D k0 s
    + K k0 = 0 without A. By Routh's criterion no root is in the right half plane, so the term D u feeds no oscillation.

    Why two damping terms. D is critical for a wall against bodies that do not move, and 0 for bodies that move with the
    wall: a yielding packing continues to yield at its target. If all of D acted in space, F would stay D v below the
    target; with A the deviation is a tenth of that. A is needed for oscillations of the whole packing, which D does not
    damp: it is about a fifth of the impedance of a chain of such contacts, sqrt(k m).

    Sums over contacts are exact, so their order makes no difference. */
#include "world/boundaries/wall_servo.h"

#include "base/exact_sum.h"
#include "base/vector.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/*  Numbers of steps: without contact before a warning; for the statistics on which a warning is based; and without a
    further warning. */
#define STEPS_ALONE 1000u
#define STEPS_WATCHED 20000u
#define STEPS_OF_SILENCE 100000u
/*  Deviation of the mean contact force, relative to the target, that causes a warning. */
#define FAR_OFF 0.5

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

/* ---- contacts ---- */

/*  Sums over the contacts of a wall. */
typedef enum touch_sum
{
    FORCE,
    STIFFNESS,
    MASS,
    MOMENTUM,
    CONTACTS, /* their number */
    TOUCH_SUMS,
} touch_sum;

static void add_contact(scree_exact_sum sums[TOUCH_SUMS], const double axis[3],
                        const double force[3], const double stiffness[3], double mass,
                        const double velocity[3])
{
    double along = 0;

    for (int k = 0; k < 3; k++)
        along += stiffness[k] * axis[k] * axis[k];
    scree_exact_add(&sums[FORCE], scree_dot(force, axis));
    scree_exact_add(&sums[STIFFNESS], along);
    scree_exact_add(&sums[MASS], mass);
    scree_exact_add(&sums[MOMENTUM], mass * scree_dot(velocity, axis));
    scree_exact_add(&sums[CONTACTS], 1);
}

/*  If other ranks cannot be reached, their next exchange fails, so its status is not needed here. */
static void sum_contacts(const scree_step *step, const scree_found_contacts *contacts, uint32_t w,
                         double total[TOUCH_SUMS])
{
    scree_contact_walk walk = scree_all_contacts_but_pairs(contacts);
    const double *axis = contacts->walls->wall[w].servo.axis;
    scree_exact_sum sums[TOUCH_SUMS];

    for (int k = 0; k < TOUCH_SUMS; k++)
        scree_exact_clear(&sums[k]);
    for (scree_found_contact c; scree_next_contact(&walk, &c);) {
        const double *velocity = contacts->bodies->velocity[c.first];
        double mass =
            c.list == SCREE_IN_SHAPES ? contacts->shapes->size[c.index][1] : 1 / velocity[3];
        if (c.wall == w)
            add_contact(sums, axis, scree_force_of(contacts, &c), scree_stiffness_of(contacts, &c),
                        mass, velocity);
    }
    if (step->sum)
        (void)step->sum(step->ranks, sums, TOUCH_SUMS);
    for (int k = 0; k < TOUCH_SUMS; k++)
        total[k] = scree_exact_value(&sums[k]);
}

static double distance_between(const scree_walls *walls, const scree_wall_id ids[2])
{
    const scree_wall_pose *a = &walls->wall[scree_walls_place(walls, ids[0])].next;
    const scree_wall_pose *b = &walls->wall[scree_walls_place(walls, ids[1])].next;
    double from[3];

    for (int k = 0; k < 3; k++)
        from[k] = b->position[k] - a->position[k];
    return fabs(scree_dot(from, a->normal));
}

static double target_of(const scree_walls *walls, const scree_wall_servo_def *servo)
{
    double area = servo->area;

    if (servo->stress == 0)
        return servo->force;
    if (scree_servo_names_walls(servo)) {
        area = distance_between(walls, servo->between);
        if (walls->dimensions == 3)
            area *= distance_between(walls, servo->between + 2);
    }
    return servo->stress * area;
}

/* ---- speed ---- */

/*  *stable: the gain that is used if none is given; INFINITY without contacts. */
static double next_speed(const scree_wall_servo_def *servo, const scree_wall_drive *drive,
                         const double total[TOUCH_SUMS], double dt, double *stable)
{
    double stiffness = total[STIFFNESS], mass = total[MASS];
    double push = drive->target - drive->force;

    *stable = INFINITY;
    if (drive->contacts == 0)
        return drive->target > 0 ? servo->max_speed : 0;
    double inertia = 4 * mass + 16 * stiffness * dt * dt;
    double brake = 2 * sqrt(stiffness * inertia), drag = brake / 10;
    *stable = 1 / drag;
    if (servo->gain > 0 && 1 / servo->gain > drag)
        drag = 1 / servo->gain;
    push += brake * (total[MOMENTUM] / mass);
    return scree_servo_bound((inertia * drive->speed + dt * push) / (inertia + (brake + drag) * dt),
                             servo->max_speed);
}

static void say(const scree_step *step, const scree_wall_record *wall, uint64_t *next_word,
                const char *what, double value, const char *unit)
{
    scree_log_write(&step->def->hooks.log, SCREE_LOG_WARNING, SCREE_LOG_SERVO,
                    "world: step %" PRIu64 ": servo of wall %" PRIu32 ": %s (%.3g %s); bodies "
                    "push with %.3g N of %.3g N",
                    step->number, wall->id.index1, what, value, unit, wall->drive.force,
                    wall->drive.target);
    *next_word = step->number + STEPS_OF_SILENCE;
}

/*  Means over many steps decide whether the target is reached: a lid with bodies bouncing off it has contacts and is
    slow only now and then. */
static void watch(const scree_step *step, scree_wall_record *wall)
{
    scree_servo_watch *seen = &wall->watch;
    const scree_wall_drive *drive = &wall->drive;
    const uint64_t number = step->number, steps = number - seen->from;

    seen->fast += fabs(drive->speed) >= wall->servo.max_speed;
    seen->touching += drive->contacts > 0;
    seen->force += drive->force;
    seen->target += drive->target;
    if (steps < STEPS_WATCHED)
        return;
    if (number >= seen->next_word && seen->touching > 0 && 2 * seen->fast > steps)
        say(step, wall, &seen->next_word,
            "in most of 20000 steps it is as fast as it may be, and yet does not hold its target",
            drive->speed, "m/s");
    else if (number >= seen->next_word && seen->touching > 0 &&
             fabs(seen->force - seen->target) > FAR_OFF * seen->target && seen->target > 0)
        say(step, wall, &seen->next_word,
            "in the mean of 20000 steps bodies do not push with its target",
            seen->force / (double)steps, "N");
    *seen = (scree_servo_watch){.from = number, .next_word = seen->next_word};
}

/*  Warns if the servo does not reach its target. */
static void speak_up(const scree_step *step, scree_wall_record *wall, double stable)
{
    const scree_wall_drive *drive = &wall->drive;
    uint64_t number = step->number, waits = number - wall->touched_at;

    if (drive->contacts > 0) {
        /* the motion before the first contact says nothing about the force */
        if (wall->watch.touching == 0)
            wall->watch =
                (scree_servo_watch){.from = number - 1, .next_word = wall->watch.next_word};
        wall->touched_at = number;
    }
    watch(step, wall);
    if (number < wall->next_word)
        return;
    if (wall->servo.gain > stable)
        say(step, wall, &wall->next_word,
            "its gain would not be stable; the largest stable gain is used", stable, "m/s/N");
    else if (drive->contacts == 0 && drive->target > 0 && waits >= STEPS_ALONE)
        say(step, wall, &wall->next_word, "it touches nothing and keeps moving", drive->speed,
            "m/s");
}

static void decide(const scree_step *step, const scree_found_contacts *contacts, scree_walls *walls,
                   uint32_t w)
{
    scree_wall_record *wall = &walls->wall[w];
    scree_wall_drive *drive = &wall->drive;
    double total[TOUCH_SUMS], stable;

    sum_contacts(step, contacts, w, total);
    drive->force = total[FORCE];
    drive->contacts = (uint64_t)total[CONTACTS];
    drive->target = target_of(walls, &wall->servo);
    if (step->time < wall->servo.start || step->time >= wall->servo.stop) {
        drive->speed = 0;
        wall->touched_at = step->number;
        wall->watch = (scree_servo_watch){.from = wall->touched_at};
        return;
    }
    drive->speed = next_speed(&wall->servo, drive, total, step->dt, &stable);
    speak_up(step, wall, stable);
}

void scree_servo_decide(const scree_step *step, const scree_found_contacts *contacts,
                        scree_walls *walls)
{
    for (uint32_t w = 0; w < walls->count; w++)
        if (walls->wall[w].has_servo)
            decide(step, contacts, walls, w);
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

bool scree_servo_names_walls(const scree_wall_servo_def *servo)
{
    for (int k = 0; k < 4; k++)
        if (servo->between[k].index1)
            return true;
    return false;
}
