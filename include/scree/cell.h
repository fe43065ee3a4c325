/*  scree/cell.h: a periodic domain that is tilted (triclinic), or that deforms while bodies move.

        scree_cell_def cell;
        scree_world_get_cell(world, &cell);
        cell.gradient[0][1] = 5;    -- sheared: 5 m/s along x per metre along y
        cell.homogeneous = true;
        if (scree_world_set_cell(world, &cell)) puts(scree_world_message(world));

    THE CELL. Its edges are a = (Lx, 0, 0), b = (xy, Ly, 0), c = (xz, yz, Lz) with L = upper - lower. Each body has
    images at its position plus whole edges. Bodies are kept in the box from lower to upper: a body that leaves it is
    wrapped around, by a whole edge. A tilt that is larger by a period gives the same lattice, so in each step tilts are
    brought to within half a period of 0. This affects neither bodies nor contacts.

    DEFORMATION. Edges follow the velocity gradient G, da/dt = G a and so on, about the centre of the box. Images follow
    them: an image n edges away has the velocity of its body plus G (n edges). Contacts use that velocity, and a body
    that is wrapped around gets it (Lees and Edwards, J. Phys. C 5 (1972) 1921). No position in the domain is special,
    and the velocity profile inside develops by itself. `homogeneous` imposes it at once: when G changes, bodies get the
    velocity (change of G) (x - centre), and from then on the acceleration G G (x - centre) that is needed to follow the
    edges. In two dimensions, and along axes that are not periodic, G and the tilts are 0.

    ENERGY. The work of the deformation, through contacts across the boundary, on bodies that are wrapped around, and on
    all bodies if the cell is homogeneous, is `boundary` in the energy balance.

    SERVO. scree_world_set_cell_servo drives the cell to given stresses. In each step it chooses the driven components
    of the gradient, from the stiffness of the contacts, the mass of the bodies and the size of the cell. The stress is
    the mean over the cell: from contact forces between bodies along the lines between their centres, and from
    velocities relative to the mean flow. Contacts with walls do not count. The sum covers this world only, so a world
    that has bodies owned elsewhere (SCREE_GHOST) refuses steps with SCREE_BAD_ARGUMENT.

        scree_cell_servo_def servo = scree_default_cell_servo_def();
        servo.pressure = 1e4;    -- compressed to 10 kPa
        servo.max_rate = 1;
        if (scree_world_set_cell_servo(world, &servo)) puts(scree_world_message(world));

    DETECTION. Deformation makes no contact late: the neighbour list is rebuilt before images come closer than the
    margin allows. */
#ifndef SCREE_WORLD_CELL_H
#define SCREE_WORLD_CELL_H

#include "scree/base.h"
#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  Shape and deformation of the cell. */
typedef struct scree_cell_def
{
    uint32_t cookie;           /* set by scree_world_get_cell */
    uint32_t size;             /* in bytes, set by scree_world_get_cell */
    double lower[3], upper[3]; /* corners, m; used on periodic axes */
    double tilt[3];            /* xy, xz, yz, m; at most half the period along x, x, y */
    /*  Velocity gradient, 1/s: [k][j] is the change of the velocity along k per length along j. It is 0 below the
        diagonal, so that a stays parallel to x and b in the plane of x and y. */
    double gradient[3][3];
    bool homogeneous; /* impose the mean flow on all bodies; false: only the boundary drives them */
} scree_cell_def;

/*  What scree_world_get_cell calls: writes the first `size` bytes of the definition. */
SCREE_API scree_status scree_world_read_cell(const scree_world *world, scree_cell_def *cell,
                                             size_t size);
/*  Reads the current cell. On axes that are not periodic, lower and upper are those of the world definition. All are 0
    if `world` is NULL. SCREE_BAD_ARGUMENT. */
static inline scree_status scree_world_get_cell(const scree_world *world, scree_cell_def *cell)
{
    return scree_world_read_cell(world, cell, sizeof *cell);
}

/*  Sets the cell. Read it with scree_world_get_cell first, then change fields. At least one boundary must be periodic.
    Bodies do not move; bodies outside of the new box are wrapped around after the next step. On failure nothing
    changes. SCREE_BAD_DEF; SCREE_BAD_VALUE, naming field and value: not finite, lower not below upper, a tilt above
    half a period, a tilt or rate along an axis that is not periodic, a gradient below the diagonal, or a period that is
    not above four times the largest radius plus twice the interaction range beyond it.

    A later step is refused with SCREE_BAD_VALUE if a period would become too short for the bodies, or if the cell would
    be strained by more than a tenth in the step. The world is then restored to the state before the step. */
SCREE_API scree_status scree_world_set_cell(scree_world *world, const scree_cell_def *cell);

/*  The stresses that a servo holds. */
typedef struct scree_cell_servo_def
{
    uint32_t cookie; /* set by the default function */
    uint32_t size;   /* in bytes, set by the default function */
    /*  Target stress, Pa (2D: N/m): xx yy zz xy yz xz. Compression is positive; a flow along x that is faster at larger
        y gives a negative xy. NAN: not driven, the rate is that of the cell's gradient. Default: all NAN. */
    double stress[6];
    /*  Target mean of xx, yy and zz, reached with one rate along all axes; NAN: not driven; NAN. */
    double pressure;
    /*  Largest rate of each component, 1/s, above 0; must be given. A loose packing is compressed at this rate. If it
        is high the stress overshoots for a moment; a rate below sqrt(stress / density) / (1000 diameters) is slow
        enough. */
    double max_rate;
} scree_cell_servo_def;

/*  What scree_default_cell_servo_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_cell_servo_def(scree_cell_servo_def *def, size_t size);
/*  Returns a definition with default values. Set max_rate, and stress or pressure. */
static inline scree_cell_servo_def scree_default_cell_servo_def(void)
{
    scree_cell_servo_def def;
    scree_init_cell_servo_def(&def, sizeof def);
    return def;
}

/*  Turns the servo on from now on, starting with the current rates. NULL turns it off; the driven rates become 0. All
    boundaries must be periodic, and the cell homogeneous; it stays so. The servo is part of the state. If it runs at
    max_rate in most of 20000 steps, or holds less than half of its target, this is logged as SCREE_LOG_SERVO. On
    failure nothing changes. SCREE_BAD_DEF; SCREE_BAD_VALUE, naming component and value. */
SCREE_API scree_status scree_world_set_cell_servo(scree_world *world,
                                                  const scree_cell_servo_def *servo);
/*  What scree_world_get_cell_servo calls: writes the first `size` bytes of the definition. */
SCREE_API bool scree_world_read_cell_servo(const scree_world *world, scree_cell_servo_def *servo,
                                           size_t size, double stress[6], double *pressure);
/*  Returns whether a servo is on, and reads its definition and the stresses of the last step. Components that are not
    driven have a target of NAN and a stress of 0, and so has the pressure. Each pointer may be NULL. */
static inline bool scree_world_get_cell_servo(const scree_world *world, scree_cell_servo_def *servo,
                                              double stress[6], double *pressure)
{
    return scree_world_read_cell_servo(world, servo, sizeof *servo, stress, pressure);
}

#ifdef __cplusplus
}
#endif

#endif
