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
    homogeneous, is booked as the border's in the ledger.

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

#ifdef __cplusplus
}
#endif

#endif
