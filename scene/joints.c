/*  Makes the joints of the plan in a world. */
#include "base/error.h"
#include "scene_internal.h"

/*  The one wall that a surface of the plan has become. */
static scree_status find_wall(const scree_scene *scene, scree_world *world,
                              const scree_scene_joint *joint, scree_wall_id *id, scree_error *error)
{
    const scree_scene_wall *wall = &scene->plan.walls[joint->wall - 1];
    const size_t count = scree_world_walls(world, NULL, 0);
    scree_memory memory;
    scree_wall_id *ids;

    if (wall->count != 1)
        return scene_fail_at(scene, error, SCREE_BAD_FILE, joint->line,
                             "joint: second: the wall of line %d is %u walls, a joint needs one",
                             wall->line, wall->count);
    scree_memory_init(&memory, &scene->memory.allocator);
    if (scree_memory_take(&memory, count, sizeof *ids, &ids))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", scene->name);
    scree_world_walls(world, ids, count);
    *id = ids[wall->first];
    scree_memory_give(&memory, &ids, count, sizeof *ids);
    return SCREE_OK;
}

static scree_status add_joint(const scree_scene *scene, scree_world *world,
                              const scree_scene_joint *joint, scree_error *error)
{
    scree_joint_def def = joint->def;
    scree_status status = SCREE_OK;

    def.first = scene->plan.bodies[joint->first - 1].id;
    if (joint->second)
        def.second = scene->plan.bodies[joint->second - 1].id;
    if (joint->wall)
        status = find_wall(scene, world, joint, &def.wall, error);
    if (status)
        return status;
    status = scree_world_add_joint(world, &def, NULL);
    /* the message begins with "joint: " */
    return status
               ? scene_fail_at(scene, error, status, joint->line, "%s", scree_world_message(world))
               : SCREE_OK;
}

scree_status scene_add_joints(const scree_scene *scene, scree_world *world, scree_error *error)
{
    scree_status status = SCREE_OK;

    for (size_t k = 0; k < scene->plan.joint_count && !status; k++)
        status = add_joint(scene, world, &scene->plan.joints[k], error);
    return status;
}
