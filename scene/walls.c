/*  Makes the walls of the plan in a world: planes, sides of boxes, meshes; and their servos, belts and loads. */
#include "scene_internal.h"
#include "scree/wall.h"

#include <string.h>

static scree_wall_def wall_def(const scree_scene_wall *wall)
{
    scree_wall_def def = scree_default_wall_def();

    def.material.index1 = wall->material;
    def.groups = wall->groups;
    def.mask = wall->mask;
    def.path = wall->path;
    return def;
}

static scree_status add_plane(scree_world *world, const scree_scene_wall *wall,
                              const double point[3], const double normal[3])
{
    scree_wall_def def = wall_def(wall);

    memcpy(def.point, point, sizeof def.point);
    memcpy(def.normal, normal, sizeof def.normal);
    return scree_world_add_wall(world, &def, NULL);
}

/*  Planes facing inwards, one for each side that is not open. */
static scree_status add_box(scree_world *world, scree_scene_wall *wall, int dimensions)
{
    const scree_scene_geometry *g = &wall->surface;

    wall->count = 0;
    for (int side = 0; side < 2 * dimensions; side++) {
        double normal[3] = {0};
        if (g->open >> side & 1)
            continue;
        normal[side / 2] = side % 2 ? -1 : 1;
        scree_status status = add_plane(world, wall, side % 2 ? g->upper : g->lower, normal);
        if (status)
            return status;
        wall->count++;
    }
    return SCREE_OK;
}

/*  The world's walls of a wall of the plan, from `first` on; `id` has room for six. */
static void list_parts(scree_world *world, const scree_scene_wall *wall, scree_wall_id *id,
                       scree_wall_id *all, size_t count)
{
    scree_world_walls(world, all, count);
    memcpy(id, all + wall->first, wall->count * sizeof *id);
}

/*  Adds a servo to each side of a box that has one. If a stress has no area, the other sides bound it. */
static scree_status drive_box(scree_world *world, const scree_scene_wall *wall, int dimensions,
                              const scree_wall_id *part)
{
    bool has_area = wall->servo.stress == 0 || wall->servo.area > 0;
    uint32_t at = 0;
    scree_status status = SCREE_OK;

    for (int side = 0; side < 2 * dimensions && !status; side++) {
        scree_wall_servo_def servo = wall->servo;
        if (wall->surface.open >> side & 1)
            continue;
        /* no side is open here, so sides and parts are the same */
        for (int k = 0, n = 0; !has_area && k < 2 * dimensions; k++)
            if (k / 2 != side / 2)
                servo.between[n++] = part[k];
        if (!wall->servo_sides || wall->servo_sides >> side & 1)
            status = scree_world_set_wall_servo(world, part[at], &servo);
        at++;
    }
    return status;
}

/*  Writes the walls of a wall of the plan to `part`. */
scree_status scene_find_parts(const scree_scene *scene, scree_world *world,
                              const scree_scene_wall *wall, scree_wall_id part[6])
{
    size_t count = scree_world_walls(world, NULL, 0);
    scree_memory memory;
    void *all = NULL;

    scree_memory_init(&memory, &scene->memory.allocator);
    scree_status status = scree_memory_take(&memory, count, sizeof(scree_wall_id), &all);
    if (status)
        return status;
    list_parts(world, wall, part, all, count);
    scree_memory_give(&memory, &all, count, sizeof(scree_wall_id));
    return SCREE_OK;
}

static scree_status add_loose(const scree_scene *scene, scree_world *world,
                              const scree_scene_wall *wall)
{
    scree_wall_id part[6] = {{0}};
    scree_status status = scene_find_parts(scene, world, wall, part);

    return status ? status : scree_world_set_free_wall(world, part[0], &wall->loose);
}

/*  On each side of a box. */
static scree_status add_belt(const scree_scene *scene, scree_world *world,
                             const scree_scene_wall *wall)
{
    scree_wall_id part[6] = {{0}};
    scree_status status = scene_find_parts(scene, world, wall, part);

    for (uint32_t k = 0; k < wall->count && !status; k++)
        status = scree_world_set_wall_belt(world, part[k], &wall->belt);
    return status;
}

/*  On each side of a box. */
static scree_status add_wear(const scree_scene *scene, scree_world *world,
                             const scree_scene_wall *wall)
{
    scree_wall_id part[6] = {{0}};
    scree_status status = scene_find_parts(scene, world, wall, part);

    for (uint32_t k = 0; k < wall->count && !status; k++)
        status = scree_world_set_wear(world, part[k], &wall->wear);
    return status;
}

static scree_status add_servo(const scree_scene *scene, scree_world *world,
                              const scree_scene_wall *wall)
{
    scree_wall_id part[6] = {{0}};
    scree_status status = scene_find_parts(scene, world, wall, part);

    if (status)
        return status;
    return wall->surface.form == SCREE_FORM_BOX
               ? drive_box(world, wall, scene->plan.world.dimensions, part)
               : scree_world_set_wall_servo(world, part[0], &wall->servo);
}

static scree_status add_mesh(scree_scene *scene, scree_world *world, scree_scene_wall *wall,
                             scree_error *error)
{
    scree_wall_def def = wall_def(wall);
    scree_mesh *mesh = NULL;
    scree_status status = scene_make_mesh(scene, wall, scene->plan.world.dimensions, &mesh, error);

    if (status)
        return status;
    def.kind = SCREE_WALL_MESH;
    def.mesh = mesh;
    memcpy(def.point, wall->position, sizeof def.point);
    memcpy(def.orientation, wall->orientation, sizeof def.orientation);
    status = scree_world_add_wall(world, &def, NULL);
    scree_mesh_destroy(mesh); /* the world has a reference */
    return scene_refused(scene, world, status, wall->line, "wall", error);
}

/*  Makes the wall servo-controlled or free, and gives it its belt, as the plan says. */
static scree_status drive(const scree_scene *scene, scree_world *world,
                          const scree_scene_wall *wall, scree_error *error)
{
    if (wall->has_belt) {
        scree_status status = scene_refused(scene, world, add_belt(scene, world, wall), wall->line,
                                            "wall: belt", error);
        if (status)
            return status;
    }
    if (wall->has_servo)
        return scene_refused(scene, world, add_servo(scene, world, wall), wall->line, "wall: servo",
                             error);
    if (wall->is_free)
        return scene_refused(scene, world, add_loose(scene, world, wall), wall->line, "wall: loose",
                             error);
    return SCREE_OK;
}

scree_status scene_add_wall(scree_scene *scene, scree_world *world, scree_scene_wall *wall,
                            scree_error *error)
{
    scree_status status = SCREE_OK;

    wall->first = (uint32_t)scree_world_walls(world, NULL, 0);
    wall->count = 1;
    if (wall->surface.form == SCREE_FORM_PLANE)
        status = scene_refused(scene, world,
                               add_plane(world, wall, wall->surface.point, wall->surface.normal),
                               wall->line, "wall", error);
    else if (wall->surface.form == SCREE_FORM_BOX)
        status = scene_refused(scene, world, add_box(world, wall, scene->plan.world.dimensions),
                               wall->line, "wall", error);
    else
        status = add_mesh(scene, world, wall, error);
    if (!status && wall->wears)
        status = scene_refused(scene, world, add_wear(scene, world, wall), wall->line, "wall: wear",
                               error);
    if (status)
        return status;
    scree_scene_wall driven = *wall;
    driven.servo.start += scree_world_clock(world).time;
    driven.servo.stop += scree_world_clock(world).time;
    return drive(scene, world, &driven, error);
}

/*  A free wall cannot have a servo, so it stops being free first. */
scree_status scene_release_wall(scree_world *world, scree_wall_id part)
{
    scree_status status = scree_world_set_free_wall(world, part, NULL);

    return status ? status : scree_world_set_wall_servo(world, part, NULL);
}

/*  The previous servo, belt or motion is removed first. Times of a servo start now. */
scree_status scene_drive_wall(const scree_scene *scene, scree_world *world,
                              const scree_scene_wall *wall, const scree_scene_wall *driven,
                              double time, scree_error *error)
{
    scree_scene_wall now = *driven;
    scree_wall_id part[6] = {{0}};
    scree_status status = scene_find_parts(scene, world, wall, part);

    now.first = wall->first;
    now.count = wall->count;
    now.servo.start += time;
    now.servo.stop += time;
    for (uint32_t k = 0; k < wall->count && !status; k++) {
        status = scene_release_wall(world, part[k]);
        if (!status)
            status = scree_world_set_wall_belt(world, part[k], NULL);
        if (!status)
            status = scree_world_set_wall_path(world, part[k], &now.path);
    }
    status = scene_refused(scene, world, status, driven->line, "drive", error);
    return status ? status : drive(scene, world, &now, error);
}
