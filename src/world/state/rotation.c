/*  Rotation of bodies.

    Bodies with equal moments of inertia keep their angular velocity between two kicks: one exact rotation about one
    axis.

    Bodies whose inertia differs by axis: torque-free motion is split into two parts that are both solved exactly.
    The first is a symmetric top, in which the two most similar moments of inertia are taken as equal. The second is
    the rest of the Hamiltonian, a rotation about one axis of the body. One step is half of the second, the first,
    half of the second: second order, time-reversible, without energy drift. Like the splitting into five rotations
    by Miller et al. (J. Chem. Phys. 116 (2002) 8649) it conserves the angular momentum in space to rounding. Unlike
    that, it is exact for every body with an axis of symmetry. */
#include "world/state/rotation.h"

/* ---- angular momentum ---- */

static void momentum_of(const double inertia[3], const double orientation[4], const double spin[3],
                        double momentum[3])
{
    scree_quaternion_turn_back(orientation, spin, momentum);
    for (int k = 0; k < 3; k++)
        momentum[k] *= inertia[k];
    scree_quaternion_turn(orientation, momentum, momentum);
}

static void spin_of_nearly(const double inertia[3], const double orientation[4],
                           const double momentum[3], double spin[3])
{
    scree_quaternion_turn_back(orientation, momentum, spin);
    for (int k = 0; k < 3; k++)
        spin[k] /= inertia[k];
    scree_quaternion_turn(orientation, spin, spin);
}

/*  One correction step: without it, a quaternion whose length is wrong in the last bit would lose momentum in every
    step, always with the same sign. */
static void spin_of(const double inertia[3], const double orientation[4], const double momentum[3],
                    double spin[3])
{
    double missing[3], rest[3];

    spin_of_nearly(inertia, orientation, momentum, spin);
    momentum_of(inertia, orientation, spin, missing);
    for (int k = 0; k < 3; k++)
        missing[k] = momentum[k] - missing[k];
    spin_of_nearly(inertia, orientation, missing, rest);
    for (int k = 0; k < 3; k++)
        spin[k] += rest[k];
}

void scree_body_momentum(const scree_body_arrays *bodies, uint32_t slot, double momentum[3])
{
    const double *inertia = bodies->inertia[slot], *spin = bodies->spin[slot];

    if (spin[3] == 0) {
        momentum_of(inertia, bodies->orientation[slot], spin, momentum);
        return;
    }
    for (int k = 0; k < 3; k++)
        momentum[k] = inertia[k] * spin[k];
}

/* ---- bodies that tumble ---- */

/*  The axis that differs from the other two, and one of these. Inverse inertias are compared, because the energy
    depends on them. */
static int find_odd_axis(const double inertia[3])
{
    double x = 1 / inertia[0], y = 1 / inertia[1], z = 1 / inertia[2];
    double xy = fabs(x - y), yz = fabs(y - z), zx = fabs(z - x);

    if (xy <= yz && xy <= zx)
        return 2;
    return yz <= zx ? 0 : 1;
}

/*  Rotates the body about its own axis k. Seen from the body, its momentum rotates the other way. */
static void turn_about_own(int k, double angle, double orientation[4], double momentum[3])
{
    double half[3] = {0, 0, 0}, turn[4], before[4];

    half[k] = 0.5 * angle;
    scree_turn_by_half(half, turn);
    memcpy(before, orientation, sizeof before);
    scree_quaternion_multiply(before, turn, orientation);
    scree_quaternion_turn_back(turn, momentum, momentum);
}

/*  Torque-free motion for dt. The top is two rotations that commute: of the whole body about the momentum, and of
    the body about its odd axis. */
static void tumble(const double inertia[3], const double momentum[3], double dt,
                   double orientation[4])
{
    int odd = find_odd_axis(inertia), even = (odd + 1) % 3, rest = (odd + 2) % 3;
    double slow = 1 / inertia[even], odd_part = 1 / inertia[odd] - slow;
    double rest_part = 1 / inertia[rest] - slow;
    double seen[3], half[3], turn[4], before[4];

    scree_quaternion_turn_back(orientation, momentum, seen);
    turn_about_own(rest, seen[rest] * rest_part * (0.5 * dt), orientation, seen);
    turn_about_own(odd, seen[odd] * odd_part * dt, orientation, seen);
    for (int k = 0; k < 3; k++)
        half[k] = momentum[k] * (slow * (0.5 * dt));
    scree_turn_by_half(half, turn);
    memcpy(before, orientation, sizeof before);
    scree_quaternion_multiply(turn, before, orientation);
    turn_about_own(rest, seen[rest] * rest_part * (0.5 * dt), orientation, seen);
    scree_turn_shorten(orientation);
}

/* ---- bodies of which some components of the spin are frozen ---- */

/*  Finds the free components of the angular velocity, so that the free components of the angular momentum are those
    of `momentum`. Frozen components stay. */
static void spin_of_free(const double inertia[3], const double orientation[4], uint32_t frozen,
                         const double momentum[3], double spin[3])
{
    double matrix[3][3], due[3];
    int axis[3] = {0}, count = 0;

    /* columns: the momentum of a unit angular velocity about each axis of space */
    for (int k = 0; k < 3; k++) {
        double one[3] = {k == 0, k == 1, k == 2};
        momentum_of(inertia, orientation, one, matrix[k]);
        if (!(frozen >> k & 1))
            axis[count++] = k;
    }
    for (int i = 0; i < count; i++) {
        due[i] = momentum[axis[i]];
        for (int k = 0; k < 3; k++)
            if (frozen >> k & 1)
                due[i] -= matrix[k][axis[i]] * spin[k];
    }
    if (count == 1) {
        spin[axis[0]] = due[0] / matrix[axis[0]][axis[0]];
    } else if (count == 2) {
        double a = matrix[axis[0]][axis[0]], b = matrix[axis[1]][axis[0]];
        double c = matrix[axis[0]][axis[1]], d = matrix[axis[1]][axis[1]];
        double determinant = a * d - b * c;
        spin[axis[0]] = (d * due[0] - b * due[1]) / determinant;
        spin[axis[1]] = (a * due[1] - c * due[0]) / determinant;
    }
}

/*  Uses the angular velocity at half the step: second order. Exact if all components are frozen. */
static void tumble_held(const double inertia[3], uint32_t frozen, const double momentum[3],
                        double dt, double spin[3], double orientation[4])
{
    double midway[4], before[4];

    memcpy(before, orientation, sizeof before);
    spin_of_free(inertia, before, frozen, momentum, spin);
    scree_turn(before, spin, 0.5 * dt, midway);
    spin_of_free(inertia, midway, frozen, momentum, spin);
    scree_turn(before, spin, dt, orientation);
}

/* ---- a step ---- */

static uint32_t frozen_spins(const scree_body_arrays *bodies, uint32_t slot)
{
    return scree_body_held(bodies->flags[slot][0]) / SCREE_FREEZE_SPIN_X & 7u;
}

void scree_turn_drift(scree_body_arrays *bodies, uint32_t slot, const double torque[3], double dt,
                      double share)
{
    const double *inertia = bodies->inertia[slot], *before = bodies->spin_before[slot];
    double *spin = bodies->spin[slot], *orientation = bodies->orientation[slot];
    double momentum[3], pushed[3];
    uint32_t frozen = frozen_spins(bodies, slot);

    memcpy(spin, before, sizeof bodies->spin[slot]);
    memcpy(orientation, bodies->orientation_before[slot], sizeof bodies->orientation[slot]);
    if (dt == 0)
        return;
    momentum_of(inertia, orientation, before, momentum);
    for (int k = 0; k < 3; k++) {
        pushed[k] = momentum[k] + torque[k] * share;
        momentum[k] += torque[k] * dt;
    }
    if (frozen) {
        tumble_held(inertia, frozen, pushed, dt, spin, orientation);
        spin_of_free(inertia, orientation, frozen, momentum, spin);
    } else {
        tumble(inertia, pushed, dt, orientation);
        spin_of(inertia, orientation, momentum, spin);
    }
}

void scree_turn_finish(scree_body_arrays *bodies, uint32_t slot, const double torque[3], double dt)
{
    const double *inertia = bodies->inertia[slot], *orientation = bodies->orientation[slot];
    uint32_t frozen = frozen_spins(bodies, slot);
    double *spin = bodies->spin[slot], push[3], gained[3] = {0, 0, 0};

    for (int k = 0; k < 3; k++)
        push[k] = torque[k] * dt;
    if (frozen)
        spin_of_free(inertia, orientation, frozen, push, gained);
    else
        spin_of(inertia, orientation, push, gained);
    for (int k = 0; k < 3; k++)
        spin[k] += gained[k];
}
