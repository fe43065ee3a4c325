/*  Bodies added by the user while the scene runs. */
#include "base/error.h"
#include "place.h"

#include <math.h>

#define HAND_TRIALS 50u /* per body */
#define HAND_STREAM 0x200000000u

static bool is_usable(double value, double most)
{
    return value >= -most && value <= most;
}

static scree_status check_handful(const scree_scene *scene, const scree_scene_handful *handful,
                                  scree_error *error)
{
    bool good = handful->radius > 0 && is_usable(handful->radius, 1e30) && handful->reach >= 0 &&
                is_usable(handful->reach, 1e30);

    for (int k = 0; k < 3; k++)
        good = good && is_usable(handful->point[k], 1e30) && is_usable(handful->velocity[k], 1e30);
    if (!good)
        return scree_fail(error, SCREE_BAD_VALUE, "%s: a body with radius %g at {%g, %g, %g}",
                          scene->name, handful->radius, handful->point[0], handful->point[1],
                          handful->point[2]);
    if (handful->material == 0 || handful->material > scene->plan.material_count)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "%s: there is no material %u", scene->name,
                          (unsigned)handful->material);
    return SCREE_OK;
}

/*  A sphere about the point that contains every possible position of the body. */
static scree_scene_geometry region_of(const scree_scene_handful *handful)
{
    scree_scene_geometry region = {.form = SCREE_FORM_SPHERE};

    /* leaves a small range of positions for trials */
    region.radius = handful->radius + fmax(handful->reach, 0.01 * handful->radius);
    for (int k = 0; k < 3; k++) {
        region.from[k] = handful->point[k];
        region.lower[k] = handful->point[k] - region.radius;
        region.upper[k] = handful->point[k] + region.radius;
    }
    return region;
}

static scree_status add_one(scree_world *world, const scree_scene *scene,
                            const scree_scene_handful *handful, const double centre[3],
                            scree_error *error)
{
    scree_body_def def = scree_default_body_def();

    def.shape = scree_shape_sphere(handful->radius);
    def.material.index1 = handful->material;
    for (int k = 0; k < scene->plan.world.dimensions; k++) {
        def.position[k] = centre[k];
        def.velocity[k] = handful->velocity[k];
    }
    scree_status status = scree_world_add_body(world, &def, NULL);
    return status ? scree_fail(error, status, "%s: %s", scene->name, scree_world_message(world))
                  : SCREE_OK;
}

scree_status scree_scene_add(scree_scene *scene, scree_world *world,
                             const scree_scene_handful *handful, uint32_t *added,
                             scree_error *error)
{
    scree_scene_geometry region = region_of(handful);
    scree_random random = scree_random_stream(scene->plan.seed + handful->seed, HAND_STREAM);
    scene_placer placer;

    *added = 0;
    scree_status status = check_handful(scene, handful, error);
    if (!status)
        status = scene_placer_begin(&placer, scene, world, &region, handful->radius, error);
    if (status)
        return status;
    for (uint32_t k = 0; k < handful->count && !status; k++) {
        uint64_t trials = HAND_TRIALS;
        double centre[3];
        bool found;
        status =
            scene_find_place(&placer, &random, handful->radius, 0, &trials, centre, &found, error);
        if (status || !found)
            break;
        status = scene_take_place(&placer, centre, handful->radius, error);
        if (!status)
            status = add_one(world, scene, handful, centre, error);
        *added += !status;
    }
    scene_placer_end(&placer);
    return status;
}
