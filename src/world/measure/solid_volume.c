/*  Volume of bodies in a sphere, including images across periodic boundaries. Bodies are summed by handle. */
#include "shape/ball_part.h"
#include "world/step/world_data.h"

#include "base/quaternion.h"
#include "base/vector.h"
#include "world/measure/fields.h"

#include <math.h>

#define MAX_PERIODS 8

typedef struct shape_look
{
    scree_world *world;
    const double *centre;
    double radius, volume;
    uint32_t slot; /* of the body */
} shape_look;

static scree_status check(const scree_domain *domain, int dimensions, const double centre[3],
                          double radius, scree_error *error)
{
    for (int k = 0; k < dimensions; k++)
        if (!(fabs(centre[k]) <= 1e100))
            return scree_fail(error, SCREE_BAD_VALUE,
                              "solid volume: centre[%d] is %g, must be finite", k, centre[k]);
    for (int k = 0; k < dimensions; k++)
        if (!scree_domain_is_near(domain, k, centre[k]))
            return scree_fail(error, SCREE_BAD_VALUE,
                              "solid volume: centre[%d] is %g, must be within %g periods of the "
                              "domain, of %g",
                              k, centre[k], SCREE_DOMAIN_MAX_EDGES, domain->period[k]);
    if (!(radius > 0 && radius <= 1e100))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "solid volume: radius is %g, must be above 0 and finite", radius);
    for (int k = 0; k < 3; k++)
        if (domain->period[k] > 0 && radius > MAX_PERIODS * domain->period[k])
            return scree_fail(error, SCREE_BAD_VALUE,
                              "solid volume: radius is %g, must be at most %d periods of the "
                              "domain, of %g along axis %d",
                              radius, MAX_PERIODS, domain->period[k], k);
    return SCREE_OK;
}

/*  Of a body with centre at `place` that is partly inside. */
static scree_status cut_body(shape_look *look, const double place[3], double *volume)
{
    const scree_body_arrays *bodies = &look->world->bodies;
    const scree_shape *shape = bodies->shape[look->slot];
    double seen[3], origin[3], turn[4];

    for (int k = 0; k < 3; k++)
        seen[k] = k < look->world->def.dimensions ? look->centre[k] - place[k] : 0;
    if (shape->kind == SCREE_SHAPE_SPHERE) {
        *volume = scree_ball_part_of_ball(bodies->position[look->slot][3], scree_length(seen),
                                          look->radius, look->world->def.dimensions);
        return SCREE_OK;
    }
    if (shape->kind == SCREE_SHAPE_CLUMP) {
        scree_quaternion_turn_back(bodies->orientation[look->slot], seen, seen);
        return scree_ball_part_of_clump(shape->clump, seen, look->radius, &look->world->memory,
                                        volume);
    }
    scree_world_body_frame(look->world, bodies->id[look->slot][0], origin, turn);
    for (int k = 0; k < 3; k++)
        seen[k] += bodies->position[look->slot][k] - origin[k];
    scree_quaternion_turn_back(turn, seen, seen);
    *volume = scree_ball_part_of_mesh(shape->mesh, seen, look->radius);
    return SCREE_OK;
}

static scree_status add_image(shape_look *look, const double place[3])
{
    double round = look->world->bodies.position[look->slot][3], volume = 0, away_sq = 0;
    scree_status status = SCREE_OK;

    for (int k = 0; k < look->world->def.dimensions; k++)
        away_sq += (place[k] - look->centre[k]) * (place[k] - look->centre[k]);
    double away = sqrt(away_sq);
    if (away >= look->radius + round)
        return SCREE_OK;
    if (away + round <= look->radius)
        volume = scree_fields_volume_of(&look->world->shape_finder.meshes,
                                        look->world->bodies.shape[look->slot],
                                        look->world->def.dimensions);
    else
        status = cut_body(look, place, &volume);
    look->volume += volume;
    return status;
}

/*  Images along `axis` and the axes before it, along which an edge may be tilted. */
static scree_status add_along(shape_look *look, const double place[3], int axis)
{
    const scree_domain *domain = &look->world->cell.now;
    scree_status status = SCREE_OK;

    if (axis < 0)
        return add_image(look, place);
    if (domain->period[axis] == 0)
        return add_along(look, place, axis - 1);
    double reach = look->radius + look->world->bodies.position[look->slot][3];
    double period = domain->period[axis], from = place[axis] - look->centre[axis];
    for (double n = ceil((-reach - from) / period); n <= (reach - from) / period && !status; n++) {
        double image[3] = {place[0], place[1], place[2]};
        scree_domain_take(domain, axis, -n, image);
        status = add_along(look, image, axis - 1);
    }
    return status;
}

scree_status scree_world_solid_volume(scree_world *world, const double centre[3], double radius,
                                      double *volume)
{
    scree_status status;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (!centre || !volume)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "solid volume: centre or volume is NULL");
    status = check(&world->cell.now, world->def.dimensions, centre, radius, &world->error);
    shape_look look = {.world = world, .centre = centre, .radius = radius};
    for (uint32_t n = 0; n < world->bodies.name_count && !status; n++) {
        look.slot = world->bodies.names[n].slot;
        if (!world->bodies.names[n].taken || world->bodies.flags[look.slot][0] & SCREE_GHOST)
            continue;
        status = add_along(&look, world->bodies.position[look.slot], 2);
    }
    if (status == SCREE_OUT_OF_MEMORY)
        scree_fail(&world->error, status, "solid volume: out of memory");
    if (!status)
        *volume = look.volume;
    return status;
}
