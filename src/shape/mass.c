/*  Mass and moments of inertia of shapes of even density. */
#include "base/error.h"
#include "scree/shape.h"

#include <math.h>

#define PI 3.14159265358979323846

static bool is_positive(double value)
{
    return value > 0 && value < INFINITY;
}

static scree_mass mass_of_ball(double radius, double density)
{
    scree_mass m;
    m.volume = 4.0 / 3.0 * PI * radius * radius * radius;
    m.mass = density * m.volume;
    m.inertia[0] = m.inertia[1] = m.inertia[2] = 0.4 * m.mass * radius * radius;
    return m;
}

static scree_mass mass_of_disc(double radius, double density)
{
    scree_mass m;
    m.volume = PI * radius * radius;
    m.mass = density * m.volume;
    m.inertia[2] = 0.5 * m.mass * radius * radius;
    m.inertia[0] = m.inertia[1] = 0.5 * m.inertia[2];
    return m;
}

scree_status scree_shape_mass(const scree_shape *shape, double density, int dimensions,
                              scree_mass *mass, scree_error *error)
{
    scree_mass m;
    if (!shape || !mass)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "shape mass: %s is NULL",
                          shape ? "mass" : "shape");
    if (dimensions != 2 && dimensions != 3)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "shape mass: dimensions is %d, must be 2 or 3",
                          dimensions);
    if (shape->kind != SCREE_SHAPE_SPHERE)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "shape mass: kind is %d, must be SCREE_SHAPE_SPHERE", (int)shape->kind);
    if (!is_positive(density))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "shape mass: density is %g, must be above 0 and finite", density);
    if (!is_positive(shape->radius))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "shape mass: radius is %g, must be above 0 and finite", shape->radius);
    m = dimensions == 3 ? mass_of_ball(shape->radius, density)
                        : mass_of_disc(shape->radius, density);
    if (!is_positive(m.mass) || !is_positive(m.inertia[2]))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "shape mass: radius %g and density %g give mass %g and moment of inertia "
                          "%g, both must be above 0 and finite",
                          shape->radius, density, m.mass, m.inertia[2]);
    *mass = m;
    return SCREE_OK;
}
