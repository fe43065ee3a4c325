/*  Heat in a scene: checks, and transfer to the world. */
#include "base/error.h"
#include "scene_internal.h"

#include <math.h>

/* ---- checks ---- */

static bool body_has_heat(const scree_scene_body *body)
{
    return !isnan(body->temperature) || body->heat_source != 0 || body->holds_temperature;
}

static scree_status refuse_without(const scree_scene *scene, int line, const char *what,
                                   scree_error *error)
{
    return scene_fail_at(scene, error, SCREE_BAD_FILE, line,
                         "%s is given, but `heat { }` is missing: bodies have no temperatures",
                         what);
}

/*  Without heat, no option of heat may be given. */
static scree_status check_silence(const scree_scene *scene, scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;

    for (size_t i = 0; i < plan->material_count; i++) {
        const scree_material_heat_def *heat = &plan->material_heats[i];
        if (heat->conductivity > 0 || heat->capacity > 0 || heat->young > 0)
            return refuse_without(scene, plan->material_lines[i],
                                  "material: conductivity, heat_capacity or real_young", error);
    }
    for (size_t i = 0; i < plan->wall_count; i++)
        if (plan->walls[i].heat.is_given)
            return refuse_without(scene, plan->walls[i].line, "wall: temperature", error);
    for (size_t i = 0; i < plan->body_count; i++)
        if (body_has_heat(&plan->bodies[i]))
            return refuse_without(scene, plan->bodies[i].line,
                                  "body: temperature, heat_source or holds_temperature", error);
    for (size_t i = 0; i < plan->source_count; i++)
        if (!isnan(plan->sources[i].temperature))
            return refuse_without(scene, plan->sources[i].line, "temperature", error);
    return SCREE_OK;
}

static scree_status check_capacity(const scree_scene *scene, uint32_t material, int line,
                                   const char *what, scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;

    if (plan->material_heats[material - 1].capacity > 0)
        return SCREE_OK;
    return scene_fail_at(scene, error, SCREE_BAD_FILE, line,
                         "%s: with heat, its material (line %d) needs a heat_capacity", what,
                         plan->material_lines[material - 1]);
}

scree_status scene_check_heat(const scree_scene *scene, scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;
    scree_status status = SCREE_OK;

    if (!plan->has_heat)
        return check_silence(scene, error);
    if (plan->heat.loss_share > 0 && !plan->world.energy_balance)
        return scene_fail_at(
            scene, error, SCREE_BAD_FILE, plan->heat_line,
            "heat: losses: takes `solver { energy_balance = true }`, which knows what "
            "contacts lose");
    for (size_t i = 0; i < plan->body_count && !status; i++)
        status =
            check_capacity(scene, plan->bodies[i].material, plan->bodies[i].line, "body", error);
    for (size_t i = 0; i < plan->source_count && !status; i++)
        status = check_capacity(scene, plan->sources[i].material, plan->sources[i].line,
                                plan->sources[i].is_pour ? "pour" : "fill", error);
    return status;
}

/* ---- setting heat in the world ---- */

scree_status scene_heat_wall(const scree_scene *scene, scree_world *world,
                             const scree_scene_wall *wall)
{
    scree_wall_id part[6] = {{0}};

    if (!wall->heat.is_given || wall->count == 0)
        return SCREE_OK;
    scree_status status = scene_find_parts(scene, world, wall, part);
    for (uint32_t k = 0; k < wall->count && !status; k++)
        status = scree_world_set_wall_heat(world, part[k], &wall->heat);
    return status;
}

static scree_status heat_walls(const scree_scene *scene, scree_world *world, int *line)
{
    scree_status status = SCREE_OK;

    for (size_t i = 0; i < scene->plan.wall_count && !status; i++) {
        *line = scene->plan.walls[i].line;
        status = scene_heat_wall(scene, world, &scene->plan.walls[i]);
    }
    return status;
}

scree_status scene_build_heat(const scree_scene *scene, scree_world *world, scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;
    int line = plan->heat_line;
    scree_status status = SCREE_OK;

    if (!plan->has_heat)
        return SCREE_OK;
    status = scree_world_set_heat(world, &plan->heat);
    for (size_t i = 0; i < plan->material_count && !status; i++) {
        const scree_material_id id = {(uint32_t)i + 1};
        line = plan->material_lines[i];
        status = scree_world_set_material_heat(world, id, &plan->material_heats[i]);
    }
    if (!status)
        status = heat_walls(scene, world, &line);
    return status
               ? scene_fail_at(scene, error, status, line, "heat: %s", scree_world_message(world))
               : SCREE_OK;
}

/*  The index-th of the `count` bodies added last. */
static scree_body_id newcomer(scree_world *world, size_t count, size_t k)
{
    const scree_bodies_view view = scree_world_bodies(world);

    return scree_body_id_at(view.id, view.count - count + k);
}

scree_status scene_heat_bodies(const scree_scene *scene, scree_world *world,
                               const scree_scene_body *bodies, size_t count)
{
    scree_status status = SCREE_OK;

    for (size_t k = 0; k < count && !status; k++) {
        const scree_scene_body *body = &bodies[k];
        const scree_body_heat heat = {.temperature = isnan(body->temperature)
                                                         ? scene->plan.heat.temperature
                                                         : body->temperature,
                                      .source = body->heat_source,
                                      .is_held = body->holds_temperature};
        if (body_has_heat(body))
            status = scree_world_set_body_heat(world, newcomer(world, count, k), &heat);
    }
    return status;
}

scree_status scene_heat_newcomers(scree_world *world, const scree_scene_source *source,
                                  size_t count)
{
    const scree_body_heat heat = {.temperature = source->temperature};
    scree_status status = SCREE_OK;

    for (size_t k = 0; !isnan(source->temperature) && k < count && !status; k++)
        status = scree_world_set_body_heat(world, newcomer(world, count, k), &heat);
    return status;
}
