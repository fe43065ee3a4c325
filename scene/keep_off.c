/*  Regions that a source must avoid. Walls that a stage will add later count as if present, walls that a stage has
    removed do not, and the inside of closed surfaces is excluded. Surfaces of present walls need nothing here:
    bodies are never placed where they touch one. */
#include "base/error.h"
#include "base/quaternion.h"
#include "base/vector.h"
#include "place.h"
#include "scree/wall.h"

#include <math.h>
#include <string.h>

static void put_plane(scene_placer *placer, const double point[3], const double normal[3])
{
    scree_wall *wall = &placer->walls[placer->wall_count++];
    double length = sqrt(scree_dot(normal, normal));

    *wall = (scree_wall){.kind = SCREE_WALL_PLANE};
    memcpy(wall->position, point, sizeof wall->position);
    for (int k = 0; k < 3; k++)
        wall->normal[k] = normal[k] / length;
}

/*  A wall as it will be added. */
static scree_status put_wall(scene_placer *placer, const scree_scene_wall *wall, scree_error *error)
{
    const scree_scene_geometry *g = &wall->surface;
    scree_mesh *mesh = NULL;

    if (g->form == SCREE_FORM_PLANE) {
        put_plane(placer, g->point, g->normal);
        return SCREE_OK;
    }
    for (int side = 0; g->form == SCREE_FORM_BOX && side < 2 * placer->dimensions; side++) {
        double normal[3] = {0};
        normal[side / 2] = side % 2 ? -1 : 1;
        if (!(g->open >> side & 1))
            put_plane(placer, side % 2 ? g->upper : g->lower, normal);
    }
    if (g->form == SCREE_FORM_BOX)
        return SCREE_OK;
    scree_status status = scene_make_mesh(placer->scene, wall, placer->dimensions, &mesh, error);
    if (status)
        return status;
    scree_wall *put = &placer->walls[placer->wall_count++];
    *put = (scree_wall){.kind = SCREE_WALL_MESH, .mesh = mesh};
    memcpy(put->position, wall->position, sizeof put->position);
    memcpy(put->orientation, wall->orientation, sizeof put->orientation);
    placer->made[placer->made_count++] = mesh;
    return SCREE_OK;
}

/*  A wall in its present pose. */
static scree_status copy_wall(scene_placer *placer, scree_world *world,
                              const scree_scene_wall *wall)
{
    scree_wall_id part[6] = {{0}};
    scree_status status = scene_find_parts(placer->scene, world, wall, part);

    if (wall->surface.form != SCREE_FORM_PLANE && wall->surface.form != SCREE_FORM_BOX && !status)
        status = scree_world_get_wall(world, part[0], &placer->walls[placer->wall_count++]);
    return status;
}

static void note_solid(scene_placer *placer, size_t wall)
{
    scree_mesh_info info;

    if (wall >= placer->wall_count || placer->walls[wall].kind != SCREE_WALL_MESH)
        return;
    info = scree_mesh_describe(placer->walls[wall].mesh);
    if (!info.open_edges && !info.nonmanifold_edges && !info.flipped_edges)
        placer->solids[placer->solid_count++] = (uint32_t)wall;
}

/*  Reserves six planes for each. */
static scree_status take_rows(scene_placer *placer, uint32_t count)
{
    scree_status status =
        scree_memory_reserve(&placer->memory, &placer->walls, &placer->wall_room,
                             placer->wall_count + 6 * (size_t)count, sizeof *placer->walls);

    if (!status)
        status = scree_memory_take(&placer->memory, count, sizeof *placer->solids, &placer->solids);
    if (!status)
        status = scree_memory_take(&placer->memory, count, sizeof *placer->made, &placer->made);
    return status;
}

/*  For a wall that is absent: whether this stage or a later one adds it. */
static bool is_to_come(const scree_scene *scene, uint32_t wall)
{
    uint32_t now = scene->course.stage;

    for (size_t s = now ? now - 1 : 0; s < scene->plan.stage_count; s++)
        for (uint32_t k = 0; k < scene->plan.stages[s].change_count; k++) {
            const scree_scene_change *change = &scene->plan.stages[s].changes[k];
            if (change->kind == SCREE_CHANGE_PUT_WALL && change->index == wall)
                return true;
        }
    return false;
}

scree_status scene_placer_keep_off(scene_placer *placer, scree_world *world,
                                   const scree_scene_source *source, scree_error *error)
{
    scree_status status = SCREE_OK;

    if (!source->keep_off_count)
        return SCREE_OK;
    placer->keep_off_room = source->keep_off_count;
    status = take_rows(placer, source->keep_off_count);
    if (status)
        return scree_fail(error, status, "%s: out of memory", placer->scene->name);
    for (uint32_t i = 0; i < source->keep_off_count && !status; i++) {
        const scree_scene_wall *wall = &placer->scene->plan.walls[source->keep_off[i] - 1];
        size_t first = placer->wall_count;
        if (!wall->count && !is_to_come(placer->scene, source->keep_off[i]))
            continue;
        status = wall->count ? scene_refused(placer->scene, world, copy_wall(placer, world, wall),
                                             source->line, "clear_of", error)
                             : put_wall(placer, wall, error);
        if (!status)
            note_solid(placer, first);
    }
    return status;
}

void scene_placer_end_keep_off(scene_placer *placer)
{
    for (size_t i = 0; i < placer->made_count; i++)
        scree_mesh_destroy(placer->made[i]);
    placer->made_count = placer->solid_count = 0;
    scree_memory_give(&placer->memory, &placer->made, placer->made ? placer->keep_off_room : 0,
                      sizeof *placer->made);
    scree_memory_give(&placer->memory, &placer->solids, placer->solids ? placer->keep_off_room : 0,
                      sizeof *placer->solids);
}

/* ---- the inside ---------------------------------------------------------------------------------------------- */

static void to_wall(const scree_wall *wall, const double centre[3], double offset[3])
{
    for (int k = 0; k < 3; k++)
        offset[k] = centre[k] - wall->position[k];
    scree_quaternion_turn_back(wall->orientation, offset, offset);
}

bool scene_is_in_solid(const scene_placer *placer, const double centre[3])
{
    double offset[3];

    for (size_t i = 0; i < placer->solid_count; i++) {
        const scree_wall *wall = &placer->walls[placer->solids[i]];
        to_wall(wall, centre, offset);
        if (scene_surface_holds(wall->mesh, offset, 0))
            return true;
    }
    return false;
}

bool scene_push_off_solids(const scene_placer *placer, double centre[3], double radius)
{
    double offset[3];
    bool moved = false;

    for (size_t i = 0; i < placer->solid_count; i++) {
        const scree_wall *wall = &placer->walls[placer->solids[i]];
        to_wall(wall, centre, offset);
        if (!scene_surface_holds(wall->mesh, offset, 0))
            continue;
        scene_surface_push(wall->mesh, offset, radius);
        scree_quaternion_turn(wall->orientation, offset, offset);
        for (int k = 0; k < 3; k++)
            centre[k] = wall->position[k] + offset[k];
        moved = true;
    }
    return moved;
}
