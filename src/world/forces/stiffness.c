/*  How stiff contacts are, and how much their dashpots take, for whoever wants to know which step is stable.

    Of each contact remain the diagonal entries of what it adds to the stiffness matrix of a body: along the axes
    of space kn n^2 + kt (1 - n^2), and about them kt arm^2 (1 - n^2). With K their sum over the contacts of
    a body no frequency of bodies that do not turn is above sqrt(2 K / m) (Gershgorin), so a step of
    sqrt(m / K) is stable with room to spare, as far as springs along normals go; the same with inertias covers those
    that turn. Rolling springs are left out: they are softer by the square of a friction.

    Dashpots add up likewise, to C. At the end of a step they see velocities to which the last forces have led, v + a dt. What
    goes to and fro from step to step then grows from W + 4 D = 4 on, as x, v and a change signs in

        x' = x + v + a / 2,   a' = -W x' - D (v + a),   v' = v + (a + a') / 2        (dt = 1),

    with W and D at most twice K / m and C / m. Springs along the plane know no places: they grow by what slides in half a step
    at the same velocities, as a dashpot of kt dt / 2 would. Of their part Kt in K this makes three, and a step is stable with

        dt^2 (K + 2 Kt) / m + 4 dt C / m <= 2.

    A lattice of spheres that all turn one way attains it. A fifth of that is left as room. */
#include "law/formula_law.h"
#include "law/law_builtin.h"
#include "world/forces/sphere_forces.h"

#include <math.h>
#include <string.h>

/*  What a law does not write stays what can be recognised. */
void scree_stiffness_await(scree_batch_room *room)
{
    for (uint32_t k = 0; k < SCREE_BATCH; k++)
        room->stiffness[k] = room->shear_stiffness[k] = NAN;
}

/*  What is not a number is found by others, in the force itself. */
static double usable(double stiffness, double otherwise)
{
    return stiffness >= 0 && stiffness < INFINITY ? stiffness : otherwise;
}

/* ---- laws of the host ---- */

/*  Also those written as formulas: what their dashpots do nobody knows either. */
static bool is_of_host(const scree_rule_slot *slot)
{
    return slot->law && (slot->force == slot->law->force || scree_formula_law_of(slot->law));
}

/*  Forces along the normals, above 0 where they repel. */
static void read_push(const scree_batch *batch, const scree_batch_room *room,
                      double push[SCREE_BATCH])
{
    for (uint32_t k = 0; k < batch->count; k++)
        push[k] =
            -(room->force[0][k] * room->normal[0][k] + room->force[1][k] * room->normal[1][k] +
              room->force[2][k] * room->normal[2][k]);
}

/*  The same, as the room is now. What is remembered of these contacts may lie where the first answer put it, and
    stays. */
static void ask_again(const scree_batch *batch, scree_batch_room *room, const scree_rule_slot *slot,
                      double push[SCREE_BATCH])
{
    scree_batch again = *batch;

    for (uint32_t m = 0; m < slot->law->memory_count; m++)
        again.next[m] = room->next[m];
    slot->force(&again, slot->constants, slot->user);
    read_push(batch, room, push);
}

/*  A law that does not say how stiff it is, is pressed a little harder. */
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

/*  Of its dashpots none says anything: at a rate at which a critical one pushes twice as hard as the spring. Those along
    the plane are taken to be as those along the normal. */
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

/*  A bond's springs are among those of its contact, and its dashpots in this ratio to them. */
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
