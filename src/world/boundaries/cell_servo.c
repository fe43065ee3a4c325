/*  Each controlled component g of the cell's velocity gradient is integrated like a servo wall (wall_servo.c), with
    strain for displacement and stress for force. P is the stress exerted by bodies, T the target, and compression makes
    the cell larger:

        M dg/dt = P - T - D (g - u)        du/dt = (g - u) / s

    where u is the recent mean of g. At rest P = T. The same holds in steady flow: there u = g, and the damping
    vanishes. Per volume, with sums over contacts, l the branch vector between centres, and L the period along the
    gradient's column,

        K = sum k l^2 / V + |P| + |T|      M = rho L^2 / 12 + 4 sum m l^2 / V + 16 K dt^2      D = 2 sqrt(K M)      s = 8 sqrt(M / K)

    k is the stiffness of a contact along the row, and m the mass of the pair. |P| + |T|
    is for gases, whose pressure is a spring. A homogeneous cell moves all bodies, so K is the immediate stiffness,
    which is larger than that after bodies have rearranged; rho L^2 / 12 is their inertia in that motion.

    Stability. Against a spring K, growth rates x satisfy M s x^3 + (M + D s) x^2 + K s x + K = 0. By Routh's criterion
    no root is in the right half plane if (M + D s) K s > M s K, that is D s > 0: always. Dashpots of contacts add
    damping, and so does a yielding packing, since cell and bodies are one mechanical system. Time step: K dt^2 / M <=
    1/16. Dashpots are at most sum 2 sqrt(m k) l^2 <= 2 sqrt(sum k l^2 sum m l^2), of which M takes dt / 8 as in
    wall_servo.c. The damping term is integrated implicitly.

    A gas that is compressed in free flight has u = g when it becomes dense, and the damping would keep it at that rate.
    So if P - T has the opposite sign of u, u is weighted less the larger the deviation is: by 0 from a fifth of T on.

    Sums are exact, so their order makes no difference. */
#include "world/boundaries/cell_servo.h"

#include "base/exact_sum.h"
#include "scree/cell.h"
#include "world/boundaries/wall_servo.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define ALL_DRIVES ((1u << SCREE_CELL_DRIVES) - 1)
#define DRIVES_OF_PRESSURE 7u /* bits of the components that the pressure replaces */
/*  Largest strain per step; cell_motion.c refuses more than twice that. */
#define MAX_STRAIN 0.05
/*  Deviation of the stress, relative to the target and against the direction of motion, from which the motion is
    stopped. */
#define MAX_OPPOSED 0.2
/*  See wall_servo.c. */
#define STEPS_WATCHED 20000u
#define STEPS_OF_SILENCE 100000u
#define FAR_OFF 0.5

static const char *const names[SCREE_CELL_DRIVES] = {"xx", "yy", "zz",      "xy",
                                                     "yz", "xz", "pressure"};

/* ---- stress ---- */

typedef struct cell_sums
{
    scree_exact_sum force[SCREE_CELL_RATES];     /* J */
    scree_exact_sum motion[SCREE_CELL_RATES];    /* J */
    scree_exact_sum stiffness[SCREE_CELL_RATES]; /* J */
    scree_exact_sum inertia[SCREE_CELL_RATES];   /* kg m^2 */
    scree_exact_sum momentum[3], mass;
} cell_sums;

static void clear_sums(cell_sums *sums)
{
    for (int q = 0; q < SCREE_CELL_RATES; q++) {
        scree_exact_clear(&sums->force[q]);
        scree_exact_clear(&sums->motion[q]);
        scree_exact_clear(&sums->stiffness[q]);
        scree_exact_clear(&sums->inertia[q]);
    }
    for (int k = 0; k < 3; k++)
        scree_exact_clear(&sums->momentum[k]);
    scree_exact_clear(&sums->mass);
}

/*  Input of the sums, and the components that need them. */
typedef struct cell_view
{
    const scree_step *step;
    const scree_found_contacts *contacts;
    const scree_strain *cell;
} cell_view;

/*  Whether any control uses this component. */
static bool is_wanted(const cell_view *view, int q)
{
    return scree_cell_drive_of(&view->cell->drive, q, view->step->def->dimensions) >= 0;
}

/*  `force` is that on the first of two bodies. */
static void add_pair(const cell_view *view, cell_sums *sums, uint32_t first, uint32_t second,
                     const double force[3], const double stiffness[3])
{
    const scree_body_arrays *bodies = view->contacts->bodies;
    double line[3], n[3];
    double mass = 1 / (bodies->velocity[first][3] + bodies->velocity[second][3]);

    scree_domain_step(view->contacts->domain, bodies->position[first], bodies->position[second],
                      line, n);
    for (int q = 0; q < SCREE_CELL_RATES; q++) {
        double along = line[scree_cell_column(q)];
        if (!is_wanted(view, q))
            continue;
        scree_exact_add(&sums->force[q], -force[scree_cell_row(q)] * along);
        scree_exact_add(&sums->stiffness[q], stiffness[scree_cell_row(q)] * along * along);
        scree_exact_add(&sums->inertia[q], mass < INFINITY ? mass * along * along : 0);
    }
}

static void add_contacts(const cell_view *view, cell_sums *sums)
{
    const scree_found_contacts *contacts = view->contacts;
    scree_contact_walk walk = scree_all_contacts(contacts);

    for (scree_found_contact c; scree_next_contact(&walk, &c);)
        if (c.second != UINT32_MAX)
            add_pair(view, sums, c.first, c.second, scree_force_of(contacts, &c),
                     scree_stiffness_of(contacts, &c));
}

/*  Kinetic part: velocities relative to the flow of the cell. */
static void add_bodies(const cell_view *view, cell_sums *sums)
{
    const scree_body_arrays *bodies = view->contacts->bodies;
    const scree_strain *strain = view->cell;

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        double mass = bodies->inertia[slot][3], own[3];
        for (int a = 0; a < 3; a++) {
            own[a] = bodies->velocity[slot][a];
            for (int b = 0; b < 3; b++)
                own[a] -= strain->gradient[a][b] *
                          (bodies->position[slot][b] -
                           0.5 * (strain->next.lower[b] + strain->next.upper[b]));
        }
        scree_exact_add(&sums->mass, mass);
        for (int a = 0; a < 3; a++)
            scree_exact_add(&sums->momentum[a], mass * own[a]);
        for (int q = 0; q < SCREE_CELL_RATES; q++)
            if (is_wanted(view, q))
                scree_exact_add(&sums->motion[q],
                                mass * own[scree_cell_row(q)] * own[scree_cell_column(q)]);
    }
}

/*  Bodies owned by other ranks contribute to these sums, which are not known here. */
scree_status scree_cell_servo_admit(const scree_step *step, const scree_cell_drive *drive,
                                    const scree_body_arrays *bodies)
{
    if (!drive->is_on || !bodies->special)
        return SCREE_OK;
    for (uint32_t slot = 0; slot < bodies->count; slot++)
        if (bodies->flags[slot][0] & SCREE_GHOST)
            return scree_fail(step->error, SCREE_BAD_ARGUMENT,
                              "world: step %" PRIu64 ": the cell has a servo, and body %" PRIu64
                              " is a ghost: the servo would not count the stress of other worlds",
                              step->number, bodies->serial[slot][0]);
    return SCREE_OK;
}

/* ---- rate ---- */

static double volume_of(const scree_domain *domain, int dimensions)
{
    double volume = 1;

    for (int k = 0; k < dimensions; k++)
        volume *= domain->period[k];
    return volume;
}

/*  Stress, stiffness and inertia of one component alone; of the inertia the part that does not depend on the time
    step. */
typedef struct cell_spring
{
    double stress, stiffness, inertia;
} cell_spring;

static cell_spring spring_of(const cell_view *view, cell_sums *sums, int q)
{
    const int i = scree_cell_row(q), j = scree_cell_column(q);
    const scree_domain *domain = &view->cell->next;
    const double volume = volume_of(domain, view->step->def->dimensions);
    const double period = domain->period[j];
    double mass = scree_exact_value(&sums->mass), motion = scree_exact_value(&sums->motion[q]);

    if (mass > 0)
        motion -=
            scree_exact_value(&sums->momentum[i]) * scree_exact_value(&sums->momentum[j]) / mass;
    return (cell_spring){(scree_exact_value(&sums->force[q]) + motion) / volume,
                         scree_exact_value(&sums->stiffness[q]) / volume,
                         (mass * period * period / 12 + scree_exact_value(&sums->inertia[q])) /
                             volume};
}

/*  For the pressure all axes change alike: force and inertia are means over the axes. Since (sum a_k)^2 <= d sum
    a_k^2 in d dimensions, no contact is stiffer than the sum of its diagonal entries, d times their mean. */
static cell_spring spring_of_pressure(const cell_view *view, cell_sums *sums)
{
    const int dimensions = view->step->def->dimensions;
    cell_spring all = {0, 0, 0};

    for (int k = 0; k < dimensions; k++) {
        cell_spring one = spring_of(view, sums, k);
        all.stress += one.stress / dimensions;
        all.stiffness += one.stiffness;
        all.inertia += one.inertia / dimensions;
    }
    return all;
}

/*  Weight of the mean rate in the damping. */
static double share_held(double push, double mean, double target)
{
    double off = fabs(push), most = MAX_OPPOSED * fabs(target);

    if (push * mean >= 0)
        return 1;
    return off < most ? 1 - off / most : 0;
}

static void choose_rate(scree_cell_drive *drive, int which, const cell_spring *spring, double rate,
                        double dt)
{
    const double push = spring->stress - drive->target[which];
    double stiffness = spring->stiffness + fabs(spring->stress) + fabs(drive->target[which]);
    double inertia = spring->inertia + 16 * stiffness * dt * dt;

    drive->stress[which] = spring->stress;
    drive->next[which] = rate;
    /* no contacts and no target */
    if (!(stiffness > 0))
        return;
    double brake = 2 * sqrt(stiffness * inertia), wait = 8 * sqrt(inertia / stiffness);
    double held = drive->mean[which] * share_held(push, drive->mean[which], drive->target[which]);
    rate = (inertia * rate + dt * (push + brake * held)) / (inertia + dt * brake);
    drive->next[which] = scree_servo_bound(rate, fmin(drive->max_rate, MAX_STRAIN / dt));
    drive->mean[which] += dt / (dt + wait) * (drive->next[which] - drive->mean[which]);
}

/*  As in wall_servo.c, means decide whether the target is reached. */
static void watch(const scree_step *step, scree_cell_drive *drive, int q)
{
    scree_cell_watch *seen = &drive->watch[q];
    const uint64_t number = step->number, steps = number - seen->from;

    seen->fast += fabs(drive->next[q]) >= drive->max_rate;
    seen->off += drive->stress[q] - drive->target[q];
    if (steps < STEPS_WATCHED)
        return;
    bool is_fast = 2 * seen->fast > steps;
    bool is_off =
        fabs(seen->off) > FAR_OFF * fabs(drive->target[q]) * (double)steps && drive->target[q] != 0;
    if (number >= seen->next_word && (is_fast || is_off)) {
        scree_log_write(&step->def->hooks.log, SCREE_LOG_WARNING, SCREE_LOG_SERVO,
                        "world: step %" PRIu64 ": servo of the cell: %s: in %s of 20000 steps %s "
                        "(%.3g 1/s); bodies press with %.3g Pa of %.3g Pa",
                        number, names[q], is_fast ? "most" : "the mean",
                        is_fast ? "it is as fast as it may be, and yet does not hold its target"
                                : "the stress is not its target",
                        drive->next[q], drive->stress[q], drive->target[q]);
        seen->next_word = number + STEPS_OF_SILENCE;
    }
    *seen = (scree_cell_watch){.from = number, .next_word = seen->next_word};
}

void scree_cell_servo_decide(const scree_step *step, const scree_found_contacts *contacts,
                             scree_strain *cell)
{
    const cell_view view = {step, contacts, cell};
    scree_cell_drive *drive = &cell->drive;
    cell_sums sums;

    if (!drive->is_on)
        return;
    clear_sums(&sums);
    add_contacts(&view, &sums);
    add_bodies(&view, &sums);
    for (int which = 0; which < SCREE_CELL_DRIVES; which++) {
        const int q = which == SCREE_CELL_PRESSURE ? 0 : which;
        if (!scree_cell_is_driven(drive, which))
            continue;
        cell_spring spring = which == SCREE_CELL_PRESSURE ? spring_of_pressure(&view, &sums)
                                                          : spring_of(&view, &sums, q);
        choose_rate(drive, which, &spring, cell->gradient[scree_cell_row(q)][scree_cell_column(q)],
                    step->dt);
        watch(step, drive, which);
    }
}

/* ---- packing ---- */

scree_packed_cell_servo scree_cell_servo_pack(const scree_cell_drive *drive)
{
    scree_packed_cell_servo packed = {.max_rate = drive->max_rate, .driven = drive->driven};

    memcpy(packed.target, drive->target, sizeof packed.target);
    memcpy(packed.stress, drive->stress, sizeof packed.stress);
    memcpy(packed.mean, drive->mean, sizeof packed.mean);
    return packed;
}

static scree_status check_component(const scree_world_def *def,
                                    const scree_packed_cell_servo *packed, int q,
                                    scree_error *error)
{
    if (!(packed->driven >> q & 1)) {
        if (packed->target[q] != 0 || packed->stress[q] != 0 || packed->mean[q] != 0)
            return scree_fail(error, SCREE_BAD_VALUE,
                              "cell servo: %s is not driven, and has numbers", names[q]);
        return SCREE_OK;
    }
    if (q < SCREE_CELL_RATES && scree_cell_column(q) >= def->dimensions)
        return scree_fail(error, SCREE_BAD_VALUE, "cell servo: %s: there is none in two dimensions",
                          names[q]);
    if (!(fabs(packed->target[q]) <= SCREE_MAX_COORDINATE))
        return scree_fail(error, SCREE_BAD_VALUE, "cell servo: %s is %g, must be finite", names[q],
                          packed->target[q]);
    if (!isfinite(packed->stress[q]) || !(fabs(packed->mean[q]) <= packed->max_rate))
        return scree_fail(error, SCREE_BAD_VALUE, "cell servo: %s has numbers that cannot be",
                          names[q]);
    return SCREE_OK;
}

scree_status scree_cell_servo_check(const scree_world_def *def,
                                    const scree_packed_cell_servo *packed, bool homogeneous,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;

    for (int k = 0; k < def->dimensions; k++)
        if (def->domain.boundary[k] != SCREE_BOUNDARY_PERIODIC)
            return scree_fail(error, SCREE_BAD_VALUE,
                              "cell servo: the boundary along %c is not periodic; all must be",
                              "xyz"[k]);
    if (!homogeneous)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "cell servo: the cell must be homogeneous while it is driven");
    if (packed->driven == 0 || packed->driven > ALL_DRIVES)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "cell servo: no stress is given; one is needed at least");
    if ((packed->driven >> SCREE_CELL_PRESSURE & 1) && (packed->driven & DRIVES_OF_PRESSURE))
        return scree_fail(
            error, SCREE_BAD_VALUE,
            "cell servo: has a pressure, and a stress along an axis; give one of them");
    if (!(packed->max_rate > 0 && packed->max_rate <= SCREE_MAX_COORDINATE))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "cell servo: max_rate is %g, must be above 0 and finite",
                          packed->max_rate);
    for (int q = 0; q < SCREE_CELL_DRIVES && !status; q++)
        status = check_component(def, packed, q, error);
    return status;
}

void scree_cell_servo_restore(scree_strain *cell, uint64_t steps,
                              const scree_packed_cell_servo *packed)
{
    scree_cell_drive *drive = &cell->drive;

    memset(drive, 0, sizeof *drive);
    if (!packed)
        return;
    drive->is_on = true;
    drive->driven = (uint32_t)packed->driven;
    drive->max_rate = packed->max_rate;
    memcpy(drive->target, packed->target, sizeof packed->target);
    memcpy(drive->stress, packed->stress, sizeof packed->stress);
    memcpy(drive->mean, packed->mean, sizeof packed->mean);
    for (int q = 0; q < SCREE_CELL_DRIVES; q++)
        drive->watch[q].from = steps;
    cell->is_moving = true;
}
