/*  How stiff contacts are, for whoever wants to know which step is stable.

    Of each contact remain the diagonal entries of what it adds to the stiffness matrix of a body: along the axes
    of space kn n^2 + kt (1 - n^2), and about them kt arm^2 (1 - n^2). With k their sum over the contacts of
    a body no frequency of bodies that do not turn is above sqrt(2 k / m) (Gershgorin), so a step of
    sqrt(m / k) is stable with room to spare; the same with inertias covers those that turn. Rolling springs are left out: they are softer by the square of a friction. */
#include "world/pair_forces.h"

#include <math.h>

/*  What a law does not write stays what can be recognised. */
void scree_stiffness_await(scree_batch_room *room)
{
    for (uint32_t k = 0; k < SCREE_BATCH; k++)
        room->stiffness[k] = room->shear_stiffness[k] = NAN;
}

/*  Force along the normal, above 0 where it repels. */
static double normal_force(const scree_batch_room *room, uint32_t k)
{
    return -(room->force[0][k] * room->normal[0][k] + room->force[1][k] * room->normal[1][k] +
             room->force[2][k] * room->normal[2][k]);
}

/*  A law that does not say how stiff it is, is pressed a little harder. */
static void estimate(const scree_batch *batch, scree_batch_room *room, const scree_rule_slot *slot)
{
    double before[SCREE_BATCH] = {0};
    scree_batch again = *batch;

    /* what is remembered of these contacts may lie where the first answer put it, and stays */
    for (uint32_t m = 0; m < slot->law->memory_count; m++)
        again.next[m] = room->next[m];
    for (uint32_t k = 0; k < batch->count; k++) {
        before[k] = normal_force(room, k);
        room->overlap[k] += 0x1p-20 * room->radius[k];
    }
    slot->force(&again, slot->constants, slot->user);
    for (uint32_t k = 0; k < batch->count; k++)
        room->stiffness[k] = (normal_force(room, k) - before[k]) / (0x1p-20 * room->radius[k]);
}

/*  What is not a number is found by others, in the force itself. */
static double usable(double stiffness, double otherwise)
{
    return stiffness >= 0 && stiffness < INFINITY ? stiffness : otherwise;
}

void scree_stiffness_write(const scree_batch *batch, scree_batch_room *room,
                           const scree_rule_slot *slot, double (*rows)[8])
{
    if (isnan(room->stiffness[0]))
        estimate(batch, room, slot);
    for (uint32_t k = 0; k < batch->count; k++) {
        double *row = rows[room->contact[k]];
        double normal = usable(room->stiffness[k], 0),
               shear = usable(room->shear_stiffness[k], normal);
        for (int a = 0; a < 3; a++) {
            double along = room->normal[a][k] * room->normal[a][k];
            row[a] = normal * along + shear * (1 - along);
            row[4 + a] = shear * (1 - along);
        }
        row[3] = room->arm[0][k];
        row[7] = room->arm[1][k];
    }
}
