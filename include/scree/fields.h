/*  scree/fields.h: what a world is like at places: how dense, how fast, how much pressed.

        scree_fields_def def = scree_default_fields_def();
        def.upper[0] = def.upper[1] = def.upper[2] = 0.1;
        def.cells[0] = def.cells[1] = def.cells[2] = 20;
        def.width = 0.005;
        scree_field *fields = calloc(20 * 20 * 20, sizeof *fields);
        if (scree_world_add_fields(world, &def, 1, fields, 20 * 20 * 20)) puts(scree_world_message(world));
        printf("pressure: %g Pa\n", scree_field_read(&fields[0], 3).pressure);

    COARSE GRAINING. Bodies are points of mass and contacts are lines between points; both are smeared by a kernel,
    a bump of volume 1 around each point of a grid. What comes out keeps the laws of a continuum exactly, whatever the
    kernel: density rho, momentum and stress P obey d(rho V)/dt = - div (rho V V + P) + what acts from outside
    (Goldhirsch, Granul. Matter 12 (2010) 239; walls as in Weinhart, Thornton, Luding, Bokhove, Granul. Matter 14 (2012)
    289: the line of a contact with a wall goes from the body's centre to the point on the wall).

    SUMS. A scree_field holds sums that are linear in what bodies do. So they may be added with weights: fields of
    a hundred times, each with the weight 1/100, are the mean over time. What is made of them is made by
    scree_field_read.

    GHOSTS. A body is seen by its owner, as is its end of contacts: fields and volumes of all worlds that share bodies add up.

    A PLACE. With one cell, a "ball" as kernel and lower = upper this is a measuring sphere.

    Sums go by ids and by the order of contacts: they are the same bytes whatever the method, threads and order of bodies. */
#ifndef SCREE_FIELDS_H
#define SCREE_FIELDS_H

#include "scree/base.h"
#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_field_kernel
{
    SCREE_KERNEL_SMOOTH, /* in proportion to (1 - r^2 / width^2)^3: fields have two derivatives */
    SCREE_KERNEL_BALL,   /* the same everywhere within width */
} scree_field_kernel;

/*  Values are those at the middles of cells of a box. In two dimensions the third axis has one cell, and densities are
    by area. */
typedef struct scree_fields_def
{
    uint32_t cookie;
    double lower[3], upper[3]; /* m; may be equal along an axis */
    uint32_t cells[3];
    scree_field_kernel kernel;
    double width; /* m: beyond it the kernel is 0; usually one to three diameters */
} scree_fields_def;

/*  One cell at the origin, smooth, no width yet. */
SCREE_API scree_fields_def scree_default_fields_def(void);

/*  Sums, for a volume; of a tensor of six xx yy zz xy yz xz. Nothing but doubles. */
typedef struct scree_field
{
    double number;       /* bodies, 1/m^3 */
    double solid;        /* of their volume: the solid fraction */
    double mass;         /* kg/m^3 */
    double momentum[3];  /* kg/(m^2 s) */
    double flow[6];      /* of momentum with bodies, m v v, Pa */
    double contact[9];   /* force times line: row is the force's axis, Pa */
    double contact_ends; /* one of each body in contact, 1/m^3, at the body */
    double fabric[6];    /* n n of these */
} scree_field;

/*  Adds `weight` times what is now; `count` is the product of cells, the first axis is the fastest. Forces of contacts
    are those of the last step. SCREE_BAD_DEF, SCREE_BAD_ARGUMENT (NULL, another count), SCREE_BAD_VALUE (a number that
    cannot be used; of a periodic domain a grid that is 1000 periods long, or 1e12 away), SCREE_OUT_OF_MEMORY; then
    nothing is added. */
SCREE_API scree_status scree_world_add_fields(scree_world *world, const scree_fields_def *def,
                                              double weight, scree_field *fields, size_t count);

/*  Where there is nothing, all is 0. Of stresses what presses is above 0. */
typedef struct scree_field_values
{
    double density, solid_fraction;
    double velocity[3];       /* of the mass */
    double temperature;       /* mean square of velocities about that, an axis, m^2/s^2 */
    double kinetic_stress[6]; /* Pa */
    double contact_stress[9];
    double pressure;     /* of both together, a third of the trace; in two dimensions half */
    double shear_stress; /* of both, sqrt(dev : dev / 2) of the symmetric part */
    double coordination; /* contacts a body */
    double fabric[6];    /* of trace 1 where there are contacts */
} scree_field_values;

SCREE_API scree_field_values scree_field_read(const scree_field *field, int dimensions);

/*  What bodies do to a wall in a cell of a grid: sums, that are linear as those of fields are. */
typedef struct scree_wall_load
{
    double area; /* of the wall that lies in the cell, m^2; in two dimensions its length */
    double
        push; /* of forces the part along the wall's normal, N; above 0: bodies push, from either side */
    double shear[3]; /* the rest, on the wall, N */
    double contacts;
} scree_wall_load;

/*  Adds `weight` times what bodies did to the wall in the last step, contacts in the cells in which their points lie. Pressure is
    push over area. Of `def` the box and cells count, whose borders should not lie in the wall: of two cells a wall between them is in the
    upper one. A wall's images across periodic borders are not there. SCREE_BAD_DEF, SCREE_BAD_ARGUMENT (NULL, no such wall, another
    count), SCREE_BAD_VALUE (an axis without length), SCREE_OUT_OF_MEMORY; then nothing is added. */
SCREE_API scree_status scree_world_add_wall_loads(scree_world *world, scree_wall_id id,
                                                  const scree_fields_def *def, double weight,
                                                  scree_wall_load *loads, size_t count);

/*  What of bodies lies in a ball, m^3; in two dimensions in a disc, m^2: exactly, where fields have them at their centres. Spheres
    share a lens with the ball; meshes and blocks, without their halos, are cut facet by facet in closed form; clumps to
    1e-12 of both volumes, of pebbles that overlap once. Images across periodic borders are there; what bodies have of each other,
    where they overlap, counts twice, and walls do not matter. Porosity is 1 less this over the ball's volume. Time goes with all
    bodies; for those that the ball's surface cuts with their facets, or the square of their pebbles.
    SCREE_BAD_ARGUMENT (NULL), SCREE_BAD_VALUE (a number that cannot be used; a radius beyond 8 periods of the domain, a
    centre 1e12 away), SCREE_OUT_OF_MEMORY; then *volume stays. */
SCREE_API scree_status scree_world_solid_volume(scree_world *world, const double centre[3],
                                                double radius, double *volume);

#ifdef __cplusplus
}
#endif

#endif
