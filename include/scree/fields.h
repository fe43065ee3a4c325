/*  scree/fields.h: coarse-grained fields on a grid: density, velocity, stress.

        scree_fields_def def = scree_default_fields_def();
        def.upper[0] = def.upper[1] = def.upper[2] = 0.1;
        def.cells[0] = def.cells[1] = def.cells[2] = 20;
        def.width = 0.005;
        scree_field *fields = calloc(20 * 20 * 20, sizeof *fields);
        if (scree_world_add_fields(world, &def, 1, fields, 20 * 20 * 20)) puts(scree_world_message(world));
        printf("pressure: %g Pa\n", scree_field_read(&fields[0], 3).pressure);

    COARSE GRAINING. Bodies are point masses and contacts are lines between points. Both are smoothed with a kernel of
    volume 1. The fields satisfy the continuum balance laws exactly, for any kernel: density rho, momentum and stress P
    obey d(rho V)/dt = - div (rho V V + P) + external forces (Goldhirsch, Granul. Matter 12 (2010) 239; walls as in
    Weinhart, Thornton, Luding, Bokhove, Granul. Matter 14 (2012) 289: the line of a contact with a wall goes from the
    centre of the body to the contact point on the wall).

    SUMS. A scree_field holds sums that are linear in the contributions of the bodies, so they may be added with
    weights: a hundred samples, each with weight 1/100, give the time average. scree_field_read computes densities,
    velocities and stresses from the sums.

    GHOSTS. A body, and its end of a contact, counts in the world that owns it. Fields and volumes of all worlds that
    share bodies add up.

    A MEASURING SPHERE is a grid of one cell with the "ball" kernel and lower = upper.

    Sums are in the order of ids and contacts. They are bit-identical for all methods, numbers of threads and orders of
    bodies. */
#ifndef SCREE_FIELDS_H
#define SCREE_FIELDS_H

#include "scree/base.h"
#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  The weight of a body by its distance r. */
typedef enum scree_field_kernel
{
    SCREE_KERNEL_SMOOTH, /* proportional to (1 - r^2 / width^2)^3: twice differentiable fields */
    SCREE_KERNEL_BALL,   /* constant for r below width */
} scree_field_kernel;

/*  The grid: a box divided into cells. Fields are evaluated at the cell centres. In two dimensions the third axis has
    one cell, and densities are per area. */
typedef struct scree_fields_def
{
    uint32_t cookie;           /* set by the default function */
    uint32_t size;             /* in bytes, set by the default function */
    double lower[3], upper[3]; /* corners, m; may be equal along an axis */
    uint32_t cells[3];         /* number of cells along each axis, 1 or more */
    scree_field_kernel kernel; /* SCREE_KERNEL_SMOOTH */
    double width; /* cutoff of the kernel, m; usually one to three diameters; must be given */
} scree_fields_def;

/*  What scree_default_fields_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_fields_def(scree_fields_def *def, size_t size);
/*  Returns a definition with one cell at the origin. Set `width`. */
static inline scree_fields_def scree_default_fields_def(void)
{
    scree_fields_def def;
    scree_init_fields_def(&def, sizeof def);
    return def;
}

/*  Sums per volume (2D: per area). Tensors of six components are xx yy zz xy yz xz. All members are doubles. */
typedef struct scree_field
{
    double number;      /* bodies, 1/m^3 */
    double solid;       /* volume of the bodies: the solid fraction */
    double mass;        /* mass, kg/m^3 */
    double momentum[3]; /* momentum, kg/(m^2 s) */
    double flow[6];     /* momentum flux of the bodies, m v v, Pa */
    /*  Contact force times branch vector, Pa; the row is the axis of the force. */
    double contact[9];
    double contact_ends; /* ends of contacts, counted at each body, 1/m^3 */
    double fabric[6];    /* sum of n n over the ends, 1/m^3 */
} scree_field;

/*  Adds `weight` times the current fields to `fields`. `count` is the number of cells of the grid; the first axis
    varies fastest. Contact forces are those of the last step. On failure nothing is added. SCREE_BAD_DEF;
    SCREE_BAD_ARGUMENT: NULL, or another count; SCREE_BAD_VALUE: a number out of range, or, in a periodic domain, a grid
    of 1000 periods or 1e12 m away; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_add_fields(scree_world *world, const scree_fields_def *def,
                                              double weight, scree_field *fields, size_t count);

/*  Field values. All are 0 where there are no bodies. Compressive stress is positive. */
typedef struct scree_field_values
{
    double density, solid_fraction; /* kg/m^3; 1 */
    double velocity[3];             /* mean velocity by mass, m/s */
    /*  Granular temperature: variance of the velocity per axis, m^2/s^2. */
    double temperature;
    double kinetic_stress[6]; /* Pa; xx yy zz xy yz xz */
    double contact_stress[9]; /* Pa; the row is the axis of the force */
    double pressure;          /* total: a third of the trace, in two dimensions half; Pa */
    double shear_stress;      /* total: sqrt(dev : dev / 2) of the symmetric part; Pa */
    double coordination;      /* contacts per body */
    double fabric[6];         /* fabric tensor, of trace 1 if there are contacts */
} scree_field_values;

/*  Computes the values from the sums of one cell. `dimensions` is 2 or 3. */
SCREE_API scree_field_values scree_field_read(const scree_field *field, int dimensions);

/*  The load on the part of a wall in a cell of a grid. Sums, which may be added with weights as those of fields. */
typedef struct scree_wall_load
{
    double area;     /* area of the wall in the cell, m^2; in two dimensions its length, m */
    double push;     /* normal force, N; positive if bodies push, from either side */
    double shear[3]; /* tangential force on the wall, N */
    double contacts; /* number of contacts */
} scree_wall_load;

/*  Adds `weight` times the load of the last step on the wall. A contact counts in the cell of its contact point. The
    pressure is push / area. Only the box and the cells of `def` are used. Choose them so that no cell face lies in the
    wall: a wall between two cells counts in the upper one. Periodic images of the wall are not included. On failure
    nothing is added. SCREE_BAD_DEF; SCREE_BAD_ARGUMENT: NULL, no such wall, or another count; SCREE_BAD_VALUE: an axis
    of length 0; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_add_wall_loads(scree_world *world, scree_wall_id id,
                                                  const scree_fields_def *def, double weight,
                                                  scree_wall_load *loads, size_t count);

/*  Computes the volume of bodies inside a ball, m^3; in two dimensions inside a disc, m^2. It is exact, whereas fields
    put each body at its centre: spheres and the ball share a lens; meshes and blocks, without their skin, are cut facet
    by facet in closed form; clumps are exact to 1e-12 of both volumes, and overlapping pebbles count once. Periodic
    images are included. Overlaps between bodies count twice, and walls are ignored. The porosity is 1 - volume / volume
    of the ball. The time grows with the number of bodies, and for bodies that the surface of the ball cuts with their
    facets, or the square of their pebbles. On failure *volume does not change. SCREE_BAD_ARGUMENT: NULL;
    SCREE_BAD_VALUE: a number out of range, a radius above 8 periods of the domain, or a centre 1e12 m away;
    SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_solid_volume(scree_world *world, const double centre[3],
                                                double radius, double *volume);

#ifdef __cplusplus
}
#endif

#endif
