/*  scree/ambient.h: what surrounds bodies: a fluid that flows past them, and force fields.

        scree_fluid_def water = scree_default_fluid_def();
        water.density = 1000;
        water.viscosity = 1e-3;
        water.drag = SCREE_DRAG_SCHILLER_NAUMANN;
        water.velocity[0] = "0.3 * z / 0.1";
        scree_world_set_fluid(world, &water);
        scree_force_field_def field = scree_default_force_field_def();
        field.acceleration[0] = "2 * sin(2 * pi * t)";
        scree_world_add_force_field(world, &field);
        scree_world_step(world, 1000);

    FORMULAS are texts, as those of contact models (scree/law.h). Those of a fluid may use x, y, z, the centre of a
    body in m, and t, the time in s. Those of a force field may also use vx, vy, vz, mass and radius of the body. A text
    that is NULL or empty is 0, or 1 for a void fraction. pi is known.

    ONE WAY. The fluid acts on bodies, and bodies do not act on the fluid: its velocity is given. With u the velocity of
    the fluid at the centre of a body, v that of the body, w = |u - v|, d its diameter and V its volume, it exerts

        drag                 along u - v
        buoyancy             - density V g
        pressure gradient    - V (dp/dx, dp/dy, dp/dz), in addition to that of gravity
        torque               pi viscosity d^3 (omega_fluid - omega), with `rotational_drag`

    A body that is not a sphere counts as the sphere of its volume. The rounding and contact skin of its surface are not
    part of the volume. There is no fluid in two dimensions, as the drag laws are those of spheres.

    DRAG. Re = density w d / viscosity, and e is the void fraction.

        SCREE_DRAG_STOKES             3 pi viscosity d w
        SCREE_DRAG_SCHILLER_NAUMANN   C density w^2 pi d^2 / 8,  C = 24 (1 + 0.15 Re^0.687) / Re, or 0.44 for Re > 1000
                                      (Schiller and Naumann 1933)
        SCREE_DRAG_DI_FELICE          C density (e w)^2 pi d^2 / 8 e^-(b + 1),  C = (0.63 + 4.8 / sqrt(e Re))^2,
                                      b = 3.7 - 0.65 exp(-(1.5 - log10(e Re))^2 / 2)
                                      (Di Felice, Int. J. Multiphase Flow 20 (1994) 153)
        SCREE_DRAG_GIDASPOW           e < 0.8: V w / e (150 (1 - e) viscosity / (e d^2) + 1.75 density w / d)  (Ergun)
                                      else: C density (e w)^2 pi d^2 / 8 e^-4.65, C of Schiller and Naumann for e Re
                                      (Wen and Yu; Gidaspow 1994)

    Stokes and Schiller-Naumann are laws of a single sphere and do not use the void fraction. The last two include the
    pressure gradient that the drag of the grains causes in the fluid: their usual form divided by e (model B of Zhu et
    al., Chem. Eng. Sci. 62 (2007) 3378). So a fixed bed of SCREE_DRAG_GIDASPOW carries what Ergun's equation says, and
    grains are fluidised when that is their weight less buoyancy. The law of Gidaspow jumps at e = 0.8.

    VOID FRACTION. Given by a formula, or with `cell` found from the bodies: each adds its volume to the eight nodes
    around its centre of a grid of cubes, by its distance from them, and e is interpolated between nodes. It is never
    below 0.1. Cells of 3 to 5 diameters are usual. At walls the cells reach beyond the packing, and e is too large.
    Periodic axes have the whole number of cells that is nearest. Volumes are summed as whole numbers: the order of
    bodies makes no difference.

    REGIONS. A fluid or field acts in a box, everywhere by default. A field acts on bodies whose centres are in the box.
    The forces of a fluid are multiplied by the part of the sphere that is in the box (axis by axis, so exact away from
    edges): bodies float at the surface of a fluid.

    TIME STEP. Explicit steps need dt below the relaxation time of drag, mass / (d force / d w). Automatic steps take it
    into account. A given dt that is too long is refused with SCREE_UNSTABLE, and the message says which would do.
    Force fields are not examined: one that depends on velocity needs a step below 1 / (its rate) as well.

    ENERGY. Work of the fluid and of fields is counted apart (scree_world_ambient_work). Fields have no potential energy.

    Fluid and fields are part of the state and of snapshots, and results are bit-identical as those of contacts. A world
    without them needs no memory and no time for them. They exclude local time steps and devices. */
#ifndef SCREE_AMBIENT_H
#define SCREE_AMBIENT_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  Drag laws, see above. */
typedef enum scree_drag
{
    SCREE_DRAG_NONE,
    SCREE_DRAG_STOKES,
    SCREE_DRAG_SCHILLER_NAUMANN,
    SCREE_DRAG_DI_FELICE,
    SCREE_DRAG_GIDASPOW,
} scree_drag;

/*  Velocities on the nodes of a regular grid, x fastest, then y. Between nodes they are interpolated (trilinear), and
    beyond the grid they are those of its nearest point. */
typedef struct scree_flow_grid
{
    uint32_t count[3];           /* of nodes along each axis, 1 or more; at most 2^26 in all */
    double lower[3];             /* the first node, m */
    double spacing[3];           /* between nodes, above 0, m */
    const double (*velocity)[3]; /* of each node, m/s */
} scree_flow_grid;

/*  A fluid. */
typedef struct scree_fluid_def
{
    uint32_t cookie;                  /* set by the default function */
    uint32_t size;                    /* in bytes, set by the default function */
    scree_drag drag;                  /* SCREE_DRAG_SCHILLER_NAUMANN */
    bool has_buoyancy;                /* true */
    bool has_rotational_drag;         /* false */
    double density;                   /* kg/m^3, 0 to 1e100; 0 */
    double viscosity;                 /* dynamic, Pa s, 0 to 1e100; 0 */
    const char *velocity[3];          /* m/s */
    const char *angular_velocity[3];  /* 1/s, half the vorticity: for rotational drag */
    const char *pressure_gradient[3]; /* Pa/m, without that of gravity */
    const char *void_fraction;        /* above 0 to 1 */
    double cell;                 /* edge of the cells for the void fraction, m; 0: it is given; 0 */
    double lower[3], upper[3];   /* the box of the fluid, m; unbounded */
    uint64_t groups;             /* bodies with one of these groups; all */
    const scree_flow_grid *flow; /* is added to `velocity`; copied; NULL: none; NULL */
} scree_fluid_def;

/*  What scree_default_fluid_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_fluid_def(scree_fluid_def *def, size_t size);
/*  Returns a definition with default values: buoyancy, no rotational drag. */
static inline scree_fluid_def scree_default_fluid_def(void)
{
    scree_fluid_def def;
    scree_init_fluid_def(&def, sizeof def);
    return def;
}

/*  Sets the fluid, in place of the one before; NULL: none. Texts and the grid are copied. On failure nothing
    changes. SCREE_BAD_DEF; SCREE_BAD_VALUE: a number; SCREE_BAD_ARGUMENT: a formula, two dimensions, or options that exclude
    each other; SCREE_TOO_LARGE: formulas are too long; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_set_fluid(scree_world *world, const scree_fluid_def *def);
/*  What scree_world_get_fluid calls: writes the first `size` bytes of the definition. */
SCREE_API bool scree_world_read_fluid(const scree_world *world, scree_fluid_def *def, size_t size);
/*  Returns whether there is a fluid, and reads its definition, or the default one; `def` may be NULL. Texts and the
    grid are valid until the fluid is set again. */
static inline bool scree_world_get_fluid(const scree_world *world, scree_fluid_def *def)
{
    return scree_world_read_fluid(world, def, sizeof *def);
}

/*  The largest number of force fields of a world. */
#define SCREE_MAX_FORCE_FIELDS 16

/*  A force field. */
typedef struct scree_force_field_def
{
    uint32_t cookie;             /* set by the default function */
    uint32_t size;               /* in bytes, set by the default function */
    const char *acceleration[3]; /* m/s^2: acts on a body with mass times this */
    const char *force[3];        /* N, in addition */
    double lower[3], upper[3];   /* the box in which it acts, m; unbounded */
    uint64_t groups;             /* bodies with one of these groups; all */
} scree_force_field_def;

/*  What scree_default_force_field_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_force_field_def(scree_force_field_def *def, size_t size);
/*  Returns a definition with default values: no force. */
static inline scree_force_field_def scree_default_force_field_def(void)
{
    scree_force_field_def def;
    scree_init_force_field_def(&def, sizeof def);
    return def;
}

/*  Adds a force field. Texts are copied. On failure nothing changes. SCREE_BAD_DEF; SCREE_BAD_VALUE;
    SCREE_BAD_ARGUMENT: a formula; SCREE_TOO_LARGE: too many fields, or formulas are too long; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_add_force_field(scree_world *world,
                                                   const scree_force_field_def *def);
/*  Removes all force fields. */
SCREE_API void scree_world_clear_force_fields(scree_world *world);
/*  Returns the number of force fields. */
SCREE_API uint32_t scree_world_force_field_count(const scree_world *world);
/*  What scree_world_get_force_field calls: writes the first `size` bytes of the definition. */
SCREE_API scree_status scree_world_read_force_field(const scree_world *world, uint32_t index,
                                                    scree_force_field_def *def, size_t size);
/*  Reads a force field, in the order in which they were added. Texts are valid until fields are changed.
    SCREE_BAD_ARGUMENT: there is no such field. */
static inline scree_status scree_world_get_force_field(const scree_world *world, uint32_t index,
                                                       scree_force_field_def *def)
{
    return scree_world_read_force_field(world, index, def, sizeof *def);
}

/*  Work on bodies, J, since the world was created; 0 without def.energy_balance. The balance of scree_energy has both
    on its right side. */
typedef struct scree_ambient_work
{
    double fluid;  /* of the fluid: drag, buoyancy, pressure gradient */
    double fields; /* of all force fields */
} scree_ambient_work;

/*  Returns the work of the fluid and of force fields. */
SCREE_API scree_ambient_work scree_world_ambient_work(const scree_world *world);

#ifdef __cplusplus
}
#endif

#endif
