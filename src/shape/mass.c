/*  Mass and moments of inertia of shapes with uniform density. */
#include "base/error.h"
#include "shape/clump.h"
#include "shape/mesh.h"
#include "shape/shape_skin.h"

#include <math.h>
#include <string.h>

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

/*  Sums over facets are made for density 1, so that all bodies of a mesh are bit-identical. */
static scree_status mass_of_mesh(const scree_shape *shape, double density, int dimensions,
                                 scree_mass *mass, scree_error *error)
{
    scree_mesh_solid solid;
    scree_status status;
    if (shape->mesh && shape->mesh->corners != dimensions)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "shape mass: facets of the mesh have %d corners, must have %d in %d "
                          "dimensions",
                          shape->mesh->corners, dimensions, dimensions);
    if (shape->kind == SCREE_SHAPE_SUPERQUADRIC && shape->mesh &&
        !scree_mesh_is_superquadric(shape->mesh))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "shape mass: the mesh of a superquadric has no formula, it must be from "
                          "scree_mesh_superquadric");
    if (shape->kind != SCREE_SHAPE_SUPERQUADRIC && !is_positive(scree_shape_skin(shape)))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "shape mass: %s is %g, must be above 0 and finite",
                          scree_shape_skin_name(shape), scree_shape_skin(shape));
    if ((status = scree_mesh_solid_of(shape->mesh, 1, &solid, error)))
        return status;
    mass->volume = solid.volume;
    mass->mass = density * solid.volume;
    for (int k = 0; k < 3; k++)
        mass->inertia[k] = density * solid.principal[k];
    return SCREE_OK;
}

static scree_status mass_of_clump(const scree_shape *shape, double density, int dimensions,
                                  scree_mass *mass, scree_error *error)
{
    if (!shape->clump)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "shape mass: clump is NULL");
    if (shape->clump->dimensions != dimensions)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "shape mass: the clump has %d dimensions, not %d",
                          shape->clump->dimensions, dimensions);
    mass->volume = shape->clump->mass.volume;
    mass->mass = density * mass->volume;
    for (int k = 0; k < 3; k++)
        mass->inertia[k] = density * shape->clump->principal[k];
    return SCREE_OK;
}

static bool is_of_triangles(const scree_shape *shape)
{
    return shape->kind == SCREE_SHAPE_MESH || shape->kind == SCREE_SHAPE_BLOCK ||
           shape->kind == SCREE_SHAPE_SUPERQUADRIC;
}

scree_status scree_shape_frame(const scree_shape *shape, double origin[3], double orientation[4],
                               scree_error *error)
{
    scree_mesh_solid solid = {.orientation = {1, 0, 0, 0}};
    scree_status status = SCREE_OK;
    if (!shape || !origin || !orientation)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "shape frame: %s is NULL",
                          !shape    ? "shape"
                          : !origin ? "origin"
                                    : "orientation");
    if (shape->kind == SCREE_SHAPE_CLUMP && !shape->clump)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "shape frame: clump is NULL");
    if (shape->kind == SCREE_SHAPE_CLUMP) {
        memcpy(origin, shape->clump->mass.centre, 3 * sizeof *origin);
        memcpy(orientation, shape->clump->orientation, 4 * sizeof *orientation);
        return SCREE_OK;
    }
    if (is_of_triangles(shape))
        status = scree_mesh_solid_of(shape->mesh, 1, &solid, error);
    else if (shape->kind != SCREE_SHAPE_SPHERE)
        status = scree_fail(error, SCREE_BAD_ARGUMENT,
                            "shape frame: kind is %d, which does not exist", (int)shape->kind);
    if (status)
        return status;
    memcpy(origin, solid.centre, sizeof solid.centre);
    memcpy(orientation, solid.orientation, sizeof solid.orientation);
    return SCREE_OK;
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
    if (shape->kind != SCREE_SHAPE_SPHERE && !is_of_triangles(shape) &&
        shape->kind != SCREE_SHAPE_CLUMP)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "shape mass: kind is %d, must be SCREE_SHAPE_SPHERE, SCREE_SHAPE_MESH, "
                          "SCREE_SHAPE_CLUMP, SCREE_SHAPE_BLOCK or SCREE_SHAPE_SUPERQUADRIC",
                          (int)shape->kind);
    if (!is_positive(density))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "shape mass: density is %g, must be above 0 and finite", density);
    if (shape->kind != SCREE_SHAPE_SPHERE) {
        scree_status status = is_of_triangles(shape)
                                  ? mass_of_mesh(shape, density, dimensions, &m, error)
                                  : mass_of_clump(shape, density, dimensions, &m, error);
        if (status)
            return status;
    } else if (!is_positive(shape->radius)) {
        return scree_fail(error, SCREE_BAD_VALUE,
                          "shape mass: radius is %g, must be above 0 and finite", shape->radius);
    } else {
        m = dimensions == 3 ? mass_of_ball(shape->radius, density)
                            : mass_of_disc(shape->radius, density);
    }
    if (!is_positive(m.mass) || !is_positive(m.inertia[2]))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "shape mass: radius %g and density %g give mass %g and moment of inertia "
                          "%g, both must be above 0 and finite",
                          shape->radius, density, m.mass, m.inertia[2]);
    *mass = m;
    return SCREE_OK;
}
