/*  The changes at the start of a stage. Each is a call that any host could make between two steps. */
#include "base/error.h"
#include "scene_internal.h"
#include "scree/wall.h"

#include <math.h>
#include <string.h>

static scree_scene_wall *wall_at(const scree_scene *scene, uint32_t index)
{
    return &((scree_scene_wall *)scene->list[SCENE_WALLS].rows)[index - 1];
}

static scree_status refused(const scree_scene *scene, scree_world *world,
                            const scree_scene_change *change, const char *what, scree_status status,
                            scree_error *error)
{
    return status ? scene_fail_at(scene, error, status, change->line, "stage: %s: %s", what,
                                  scree_world_message(world))
                  : SCREE_OK;
}

/* ---- walls ------------------------------------------------------------------------------------------------ */

/*  Servos are turned off first, since their area may be bounded by other sides of the box. Later walls of the world
    move up. */
static scree_status take_wall(scree_scene *scene, scree_world *world, scree_scene_wall *wall)
{
    scree_scene_wall *walls = scene->list[SCENE_WALLS].rows;
    scree_wall_id part[6] = {{0}};
    scree_status status = scene_find_parts(scene, world, wall, part);

    for (uint32_t k = 0; k < wall->count && !status; k++)
        status = scene_release_wall(world, part[k]);
    for (uint32_t k = 0; k < wall->count && !status; k++)
        status = scree_world_remove_wall(world, part[k]);
    if (status)
        return status;
    for (size_t i = 0; i < scene->plan.wall_count; i++)
        if (walls[i].first > wall->first)
            walls[i].first -= wall->count;
    wall->count = 0;
    return SCREE_OK;
}

static scree_status place_wall(scree_scene *scene, scree_world *world,
                               const scree_scene_change *change, scree_error *error)
{
    scree_scene_wall *wall = wall_at(scene, change->index);

    if (change->kind == SCREE_CHANGE_TAKE_WALL)
        return refused(scene, world, change, "remove", take_wall(scene, world, wall), error);
    scree_status status = scene_add_wall(scene, world, wall, error);
    if (!status && scene->plan.has_heat)
        status = refused(scene, world, change, "add", scene_heat_wall(scene, world, wall), error);
    return status;
}

scree_status scene_place_walls(scree_scene *scene, scree_world *world, uint32_t stage,
                               scree_error *error)
{
    scree_status status = SCREE_OK;

    for (uint32_t s = 0; s < stage && !status; s++)
        for (uint32_t k = 0; k < scene->plan.stages[s].change_count && !status; k++) {
            const scree_scene_change *change = &scene->plan.stages[s].changes[k];
            if (change->kind == SCREE_CHANGE_TAKE_WALL || change->kind == SCREE_CHANGE_PUT_WALL)
                status = place_wall(scene, world, change, error);
        }
    return status;
}

/* ---- bodies ----------------------------------------------------------------------------------------------- */

static bool is_meant(const scree_scene *scene, const scree_scene_change *change,
                     const scree_body *body)
{
    return (!change->material || body->material.index1 == change->material) &&
           (body->groups & change->groups) &&
           (change->region.form == SCREE_FORM_NONE ||
            scene_holds_point(&change->region, scene->plan.world.dimensions, body->position));
}

/*  Components that become frozen are set to velocity 0, since they would keep their velocity. */
static void hold(const scree_scene_change *change, scree_body *body)
{
    for (int k = 0; k < 3; k++) {
        if (change->components & SCREE_FREEZE_X << k)
            body->velocity[k] = 0;
        if (change->components & SCREE_FREEZE_SPIN_X << k)
            body->spin[k] = 0;
    }
    body->flags |= change->components;
}

/*  Collects handles first: changing a body may move the world's columns in memory. */
static scree_status hold_bodies(const scree_scene *scene, scree_world *world,
                                const scree_scene_change *change)
{
    size_t count = scree_world_body_count(world);
    scree_body_id *ids = NULL;
    scree_memory memory;
    scree_body body;

    scree_memory_init(&memory, &scene->memory.allocator);
    scree_status status = scree_memory_take(&memory, count, sizeof *ids, &ids);
    if (status)
        return status;
    const scree_bodies_view view = scree_world_bodies(world);
    for (size_t i = 0; i < count; i++)
        ids[i] = scree_body_id_at(view.id, i);
    for (size_t i = 0; i < count && !status; i++) {
        status = scree_world_get_body(world, ids[i], &body);
        if (status || !is_meant(scene, change, &body))
            continue;
        if (change->kind == SCREE_CHANGE_HOLD)
            hold(change, &body);
        else
            body.flags &= ~change->components;
        status = scree_world_set_body(world, ids[i], &body);
    }
    scree_memory_give(&memory, &ids, count, sizeof *ids);
    return status;
}

/* ---- all -------------------------------------------------------------------------------------------------- */

static scree_status set_damping(scree_world *world, const double number[2])
{
    double damping, local_damping;

    scree_world_get_damping(world, &damping, &local_damping);
    return scree_world_set_damping(world, isnan(number[0]) ? damping : number[0],
                                   isnan(number[1]) ? local_damping : number[1]);
}

static scree_status set_step(scree_world *world, double dt)
{
    scree_time_mode mode;

    scree_world_get_dt(world, &mode, NULL);
    return scree_world_set_dt(world, mode, dt);
}

static scree_status change_setting(scree_world *world, const scree_scene_change *change)
{
    switch (change->kind) {
    case SCREE_CHANGE_GRAVITY:
        return scree_world_set_gravity(world, change->number);
    case SCREE_CHANGE_DAMPING:
        return set_damping(world, change->number);
    case SCREE_CHANGE_FLUID:
        return scree_world_set_fluid(world, change->fluid);
    case SCREE_CHANGE_STEP:
        return set_step(world, change->number[0]);
    default:
        return scree_world_set_friction(world, (scree_material_id){change->index},
                                        change->number[0]);
    }
}

scree_status scene_make_change(scree_scene *scene, scree_world *world,
                               const scree_scene_change *change, scree_error *error)
{
    scene_course *course = &scene->course;

    switch (change->kind) {
    case SCREE_CHANGE_TAKE_WALL:
    case SCREE_CHANGE_PUT_WALL:
        return place_wall(scene, world, change, error);
    case SCREE_CHANGE_TAKE_BODIES:
        return scene_take_bodies(scene, world, &change->region, 0, change->line, "stage: remove",
                                 &course->removed, &course->removed_mass, error);
    case SCREE_CHANGE_DRIVE:
        return scene_drive_wall(scene, world, wall_at(scene, change->index), change->wall,
                                scree_world_clock(world).time, error);
    case SCREE_CHANGE_FILL:
        return scene_run_fill(scene, world, change->index - 1, error);
    case SCREE_CHANGE_BOND:
        return scene_add_bond(scene, world, &scene->plan.bonds[change->index - 1], error);
    case SCREE_CHANGE_MATERIAL:
    case SCREE_CHANGE_RULE:
        return refused(scene, world, change, "change", scene_change_values(world, change), error);
    case SCREE_CHANGE_HOLD:
    case SCREE_CHANGE_RELEASE:
        return refused(scene, world, change, "change", hold_bodies(scene, world, change), error);
    default:
        return refused(scene, world, change, "change", change_setting(world, change), error);
    }
}
