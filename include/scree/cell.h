/*  scree/cell.h: a periodic domain that is not a box, or that changes its shape while bodies move.

        scree_cell_def cell;
        scree_world_cell(world, &cell);
        cell.gradient[0][1] = 5;    -- sheared: 5 m/s along x for each metre along y
        cell.homogeneous = true;
        if (scree_world_set_cell(world, &cell)) puts(scree_world_message(world));

    THE CELL. Its edges are a = (Lx, 0, 0), b = (xy, Ly, 0), c = (xz, yz, Lz), where L is upper - lower: each body has
    images at its place plus whole edges. Bodies are kept in the box from lower to upper; what leaves it comes in
    again a whole edge away. An edge that leans is the same lattice as one that leans by a period less, so tilts
    are brought to within half a period of 0 in every step: neither bodies nor contacts notice.

    WHILE IT MOVES. Edges go with the velocity gradient G: da/dt = G a, and so on, about the middle of the
    box, and images go with them: an image n edges away has the velocity of its body and G (n edges). Contacts
    see that, and a body that comes in again has it after (Lees and Edwards, J. Phys. C 5 (1972) 1921). So
    nothing tells a place by the border from any other, and the flow inside finds its profile by itself. `homogeneous`
    gives it at once: where G changes, bodies get the velocity (change of G) (x - middle), and after that the acceleration
    G G (x - middle) that they need to stay with the edges. In two dimensions, and along axes that are not periodic, G
    and tilts are 0.

    ENERGY. What the cell does, by contacts through its border, to bodies that come in again, and to all as one where it is
    homogeneous, is booked as the border's in the energy balance.

    SERVO. The cell may be driven so that bodies press with given stresses: scree_world_set_cell_servo. Components of the gradient
    are then chosen in each step, from how stiff contacts are, how heavy bodies, and how large the cell. The stress is
    the mean over the cell, what bodies exert on each other along the lines between their centres, and what they move with beside
    the flow; contacts with walls do not count. It is summed over this world alone: with a body that is owned elsewhere (SCREE_GHOST)
    steps are refused with SCREE_BAD_ARGUMENT.

        scree_cell_servo servo = scree_default_cell_servo();
        servo.pressure = 1e4;    -- compressed to 10 kPa
        servo.max_rate = 1;
        if (scree_world_set_cell_servo(world, &servo)) puts(scree_world_message(world));

    DETECTION. Nothing is late: a search is made anew before images have come nearer than margins allow. */
#ifndef SCREE_WORLD_CELL_H
#define SCREE_WORLD_CELL_H

#include "scree/base.h"
#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_cell_def
{
    uint32_t cookie;
    double lower[3], upper[3]; /* m; counts on periodic axes */
    double tilt[3];            /* xy, xz, yz, m: at most half the period along x, x, y */
    /*  1/s: [k][j] is how the velocity along k grows along j; 0 below the diagonal, so that a stays along x and b in the
        plane of x and y */
    double gradient[3][3];
    bool homogeneous;
} scree_cell_def;

/*  The cell as it is now. Where a boundary is not periodic lower and upper are those of the world's definition. Of the
    world NULL all are 0. */
SCREE_API void scree_world_cell(const scree_world *world, scree_cell_def *cell);

/*  Sets all of it, from what scree_world_cell gave. Bodies stay where they are; who is outside comes in again after the
    next step. A world may have a cell wherever it has a periodic boundary. SCREE_BAD_DEF; SCREE_BAD_VALUE,
    with field and value: not finite, lower not below upper, tilt beyond half a period, a tilt or rate along an axis
    that is not periodic, a gradient below the diagonal, a period that is not above four times the largest radius and twice
    what laws reach beyond it. A failure changes nothing.

    A step in which some period would become too short for bodies, or which would strain the cell by more than a tenth, is
    refused with SCREE_BAD_VALUE, and the world is as it was before. */
SCREE_API scree_status scree_world_set_cell(scree_world *world, const scree_cell_def *cell);

/*  What the cell is driven to. */
typedef struct scree_cell_servo
{
    uint32_t cookie;
    /*  Pa (2D: N/m), xx yy zz xy yz xz; what presses is above 0, and a flow along x that is faster where y is larger
        exerts an xy below 0. NAN: the rate stays what the cell's gradient says. All NAN. */
    double stress[6];
    double pressure; /* instead of xx, yy and zz their mean, by the same rate along all axes; NAN */
    /*  1/s, above 0: no component is faster; must be given. What is loose comes together at this rate, and is pressed more than it
        should be for a moment where that is fast: less than a thousandth of sqrt(stress / density) over a diameter is slow. */
    double max_rate;
} scree_cell_servo;

SCREE_API scree_cell_servo scree_default_cell_servo(void);

/*  From now on, from the rates that there are; NULL: none, and rates that were driven are 0. All boundaries must be periodic and the cell
    homogeneous (see above), which it then stays. It is part of the state. A servo that is as fast as it may be in most of 20000 steps, or does
    not hold half of what it should, is logged as SCREE_LOG_SERVO. SCREE_BAD_DEF, SCREE_BAD_VALUE with component
    and value; then nothing changes. */
SCREE_API scree_status scree_world_set_cell_servo(scree_world *world,
                                                  const scree_cell_servo *servo);
/*  Whether one is on: what it is, and the stresses of the last step, of components that are driven; others NAN, and 0. Of the pressure the
    same. NULL is fine. */
SCREE_API bool scree_world_cell_servo(const scree_world *world, scree_cell_servo *servo,
                                      double stress[6], double *pressure);

#ifdef __cplusplus
}
#endif

#endif
