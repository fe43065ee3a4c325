/*  Stiffness and damping of contacts, from which the stable step is found.

    For each contact only the diagonal entries of its contribution to the stiffness matrix of a body are used: along
    the axes of space kn n^2 + kt (1 - n^2), and for rotations about them kt arm^2 (1 - n^2). Let K be their sum over
    the contacts of a body. By Gershgorin's theorem no frequency of bodies that do not rotate is above sqrt(2 K / m),
    so a step of sqrt(m / K) is stable with a margin, as far as normal springs are concerned. The same with inertias
    covers rotations. Rolling springs are ignored: they are softer by the square of a friction coefficient.

    Dashpots add up to C in the same way. At the end of a step they see the velocities that the last forces have
    caused, v + a dt. An oscillation with the period of two steps grows from W + 4 D = 4 on, where x, v and a change
    signs in

        x' = x + v + a / 2,   a' = -W x' - D (v + a),   v' = v + (a + a') / 2        (dt = 1),

    with W and D at most twice K / m and C / m. Tangential springs do not depend on positions: they grow by the
    sliding in half a step with the same velocities, as a dashpot of kt dt / 2 does. So their part Kt in K counts
    three times, and a step is stable if

        dt^2 (K + 2 Kt) / m + 4 dt C / m <= 2.

    A lattice of spheres that all rotate in the same direction reaches this bound. A margin of a fifth is left. */
#include "law/formula_law.h"
#include "law/law_builtin.h"
#include "world/forces/sphere_forces.h"

#include <math.h>
#include <string.h>

/*  Marks values that a contact model does not write. */
void scree_stiffness_await(scree_batch_room *room)
{
    for (uint32_t k = 0; k < SCREE_BATCH; k++)
        room->stiffness[k] = room->shear_stiffness[k] = NAN;
}

/*  Values that are not finite are found elsewhere, in the forces. */
static double usable(double stiffness, double otherwise)
{
    return stiffness >= 0 && stiffness < INFINITY ? stiffness : otherwise;
}

/* ---- laws of the host ---- */

/*  Also models written as formulas: their damping is not known either. */
static bool is_of_host(const scree_rule_slot *slot)
{
    return slot->law && (slot->force == slot->law->force || scree_formula_law_of(slot->law));
}

/*  Normal forces, positive if repulsive. */
static void read_push(const scree_batch *batch, const scree_batch_room *room,
                      double push[SCREE_BATCH])
{
    for (uint32_t k = 0; k < batch->count; k++)
        push[k] =
            -(room->force[0][k] * room->normal[0][k] + room->force[1][k] * room->normal[1][k] +
              room->force[2][k] * room->normal[2][k]);
}

/*  Computes the forces again with the present contents of the batch. Contact history may already be overwritten by
    the first call; it stays. */
static void ask_again(const scree_batch *batch, scree_batch_room *room, const scree_rule_slot *slot,
                      double push[SCREE_BATCH])
{
    scree_batch again = *batch;

    for (uint32_t m = 0; m < slot->law->memory_count; m++)
        again.next[m] = room->next[m];
    slot->force(&again, slot->constants, slot->user);
    read_push(batch, room, push);
}

/*  If a contact model does not report its stiffness, it is called again with a slightly larger overlap. */
static void estimate_stiffness(const scree_batch *batch, scree_batch_room *room,
                               const scree_rule_slot *slot)
{
    double before[SCREE_BATCH] = {0}, harder[SCREE_BATCH] = {0};

    read_push(batch, room, before);
    for (uint32_t k = 0; k < batch->count; k++)
        room->overlap[k] += 0x1p-20 * room->radius[k];
    ask_again(batch, room, slot, harder);
    for (uint32_t k = 0; k < batch->count; k++)
        room->stiffness[k] = (harder[k] - before[k]) / (0x1p-20 * room->radius[k]);
}

/*  Damping that is not reported is estimated from the force at a rate of approach at which a critical dashpot would
    double the spring force. The tangential damping is taken to be the same as the normal damping. */
static void estimate_dashpots(const scree_batch *batch, scree_batch_room *room,
                              const scree_rule_slot *slot, double dashpot[SCREE_BATCH])
{
    double stiffness[SCREE_BATCH], shear[SCREE_BATCH], rise[SCREE_BATCH] = {0};
    double before[SCREE_BATCH] = {0}, faster[SCREE_BATCH] = {0};

    memcpy(stiffness, room->stiffness, sizeof stiffness);
    memcpy(shear, room->shear_stiffness, sizeof shear);
    ask_again(batch, room, slot, before);
    for (uint32_t k = 0; k < batch->count; k++) {
        rise[k] = room->overlap[k] * sqrt(usable(stiffness[k], 0) / room->mass[k]);
        room->approach[k] += rise[k];
    }
    ask_again(batch, room, slot, faster);
    for (uint32_t k = 0; k < batch->count; k++)
        dashpot[k] = rise[k] > 0 ? usable((faster[k] - before[k]) / rise[k], 0) : 0;
    memcpy(room->stiffness, stiffness, sizeof stiffness);
    memcpy(room->shear_stiffness, shear, sizeof shear);
}

/* ---- rows ---- */

/*  The springs of a bond are included in those of its contact. Its damping has this ratio to them. */
static double ratio_of(const scree_rule_slot *slot, scree_law_constant which)
{
    double ratio = slot->constants[which];

    if (slot->law && scree_law_has_bonds(slot->law) &&
        slot->constants[SCREE_LAW_BOND_DAMPING] > ratio)
        ratio = slot->constants[SCREE_LAW_BOND_DAMPING];
    return ratio;
}

static void write_part(double *row, const scree_batch_room *room, uint32_t k, double normal,
                       double shear)
{
    for (int a = 0; a < 3; a++) {
        double along = room->normal[a][k] * room->normal[a][k];
        row[a] = normal * along + shear * (1 - along);
        row[SCREE_ROW_ABOUT + a] = shear * (1 - along);
    }
}

void scree_stiffness_write(const scree_batch *batch, scree_batch_room *room,
                           const scree_rule_slot *slot, scree_stiffness_row *rows)
{
    double dashpot[SCREE_BATCH] = {0};
    bool is_estimated = is_of_host(slot);

    if (isnan(room->stiffness[0]))
        estimate_stiffness(batch, room, slot);
    if (is_estimated)
        estimate_dashpots(batch, room, slot, dashpot);
    for (uint32_t k = 0; k < batch->count; k++) {
        double *row = rows[room->contact[k]];
        double normal = usable(room->stiffness[k], 0);
        double shear = usable(room->shear_stiffness[k], normal);
        double root = sqrt(normal * room->mass[k]);
        double along = is_estimated ? dashpot[k] : root * ratio_of(slot, SCREE_LAW_DAMPING);
        double across = is_estimated ? dashpot[k] : root * ratio_of(slot, SCREE_LAW_SHEAR_DAMPING);
        write_part(row, room, k, normal, shear);
        write_part(row + SCREE_ROW_DASHPOTS, room, k, along, across);
        row[3] = row[SCREE_ROW_DASHPOTS + 3] = room->arm[0][k];
        row[7] = row[SCREE_ROW_DASHPOTS + 7] = room->arm[1][k];
    }
}
