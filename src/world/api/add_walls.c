/*  Adds, moves and removes walls. */
#include "base/check_numbers.h"
#include "base/error.h"
#include "base/quaternion.h"
#include "base/sized_definition.h"
#include "shape/mesh.h"
#include "world/api/set_wall_servo.h"
#include "world/boundaries/wall_motion.h"
#include "world/state/wall_path.h"
#include "world/step/joint_step.h"
#include "world/step/world_data.h"

#include <math.h>
#include <string.h>

#define WALL_COOKIE 0x3a110001u
#define MAX_WALLS 0xffffffu

void scree_init_wall_def(scree_wall_def *def, size_t size)
{
    static const scree_wall_def own = {.cookie = WALL_COOKIE,
                                       .size = sizeof(scree_wall_def),
                                       .kind = SCREE_WALL_PLANE,
                                       .orientation = {1, 0, 0, 0},
                                       .groups = 1,
                                       .mask = UINT64_MAX};

    scree_definition_write(def, size, &own, sizeof own);
}

static scree_status check_normal(scree_wall_def *def, int dimensions, scree_error *error)
{
    static const double upward[2][3] = {{0, 1, 0}, {0, 0, 1}};
    double *n = def->normal, length;

    if (n[0] == 0 && n[1] == 0 && n[2] == 0)
        memcpy(n, upward[dimensions - 2], sizeof def->normal);
    if (dimensions == 2 && n[2] != 0)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "wall def: normal[2] is %g, must be 0 in two dimensions", n[2]);
    length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 1e-100 && length < 1e100))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "wall def: normal has length %g, must be 1e-100 to 1e100", length);
    for (int k = 0; k < 3; k++)
        n[k] /= length;
    return SCREE_OK;
}

static scree_status check_mesh(const scree_wall_def *def, int dimensions, scree_error *error)
{
    if (!def->mesh)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "wall def: mesh is NULL");
    if (scree_mesh_describe(def->mesh).corners != dimensions)
        return scree_fail(
            error, SCREE_BAD_ARGUMENT,
            "wall def: the mesh's facets have %d corners, must be %d in %d dimensions",
            scree_mesh_describe(def->mesh).corners, dimensions, dimensions);
    return SCREE_OK;
}

/*  Checks the definition and normalises its vectors. */
static scree_status check_def(const scree_rules *rules, int dimensions, scree_wall_def *def,
                              scree_error *error)
{
    scree_status status = SCREE_OK;

    if (def->material.index1 == 0 || def->material.index1 > rules->material_count)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "wall def: material is %u, must be 1 to %zu",
                          def->material.index1, rules->material_count);
    if (scree_check_numbers(error, "wall def", "point", def->point, 3) ||
        scree_check_numbers(error, "wall def", "normal", def->normal, 3))
        return SCREE_BAD_VALUE;
    if (dimensions == 2 && def->point[2] != 0)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "wall def: point[2] is %g, must be 0 in two dimensions", def->point[2]);
    if (!scree_quaternion_normalise(def->orientation))
        return scree_fail(error, SCREE_BAD_VALUE, "wall def: orientation is no rotation");
    if (def->kind == SCREE_WALL_PLANE)
        status = check_normal(def, dimensions, error);
    else if (def->kind == SCREE_WALL_MESH)
        status = check_mesh(def, dimensions, error);
    else
        return scree_fail(error, SCREE_BAD_ARGUMENT, "wall def: kind is %d, must be a wall kind",
                          (int)def->kind);
    return status ? status : scree_wall_path_check(&def->path, dimensions, error);
}

static scree_wall_id give_name(scree_walls *walls)
{
    uint32_t index1 = walls->free_name;

    if (index1 == 0) {
        index1 = (uint32_t)++walls->name_count;
        walls->names[index1 - 1].generation = 1;
    } else {
        walls->free_name = walls->names[index1 - 1].place;
    }
    walls->names[index1 - 1].taken = true;
    walls->names[index1 - 1].place = (uint32_t)walls->count;
    return (scree_wall_id){index1, walls->names[index1 - 1].generation};
}

static scree_status reserve_one(scree_walls *walls)
{
    if (walls->count >= MAX_WALLS)
        return SCREE_TOO_LARGE;
    if (scree_memory_reserve(walls->memory, &walls->wall, &walls->capacity, walls->count + 1,
                             sizeof *walls->wall) ||
        scree_memory_reserve(walls->memory, &walls->names, &walls->name_capacity,
                             walls->name_count + 1, sizeof *walls->names))
        return SCREE_OUT_OF_MEMORY;
    return SCREE_OK;
}

/*  Makes a record with its own copy of the path, and computes the present pose. */
static scree_status make_record(scree_walls *walls, const scree_wall_def *def, double time,
                                scree_wall_record *made, scree_error *error)
{
    scree_status status;

    memset(made, 0, sizeof *made);
    made->def = *def;
    made->start_time = time;
    made->path_moves = scree_wall_path_moves(&def->path);
    status = scree_wall_path_copy(&def->path, walls->memory, &made->def.path);
    if (status)
        return scree_fail(error, status, "wall def: the path's table: %s",
                          scree_status_name(status));
    status = scree_wall_find_pose(made, time, walls->dimensions, error);
    if (status)
        scree_wall_path_free(&made->def.path, walls->memory);
    return status;
}

scree_status scree_world_add_wall(scree_world *world, const scree_wall_def *def, scree_wall_id *id)
{
    scree_walls *walls;
    scree_wall_def checked = scree_default_wall_def();
    scree_wall_record made;
    scree_status status;

    if (!world || !def)
        return SCREE_BAD_ARGUMENT;
    walls = &world->walls;
    if (!scree_definition_read(&checked, def))
        return scree_fail(&world->error, SCREE_BAD_DEF,
                          "wall def: the definition is not from scree_default_wall_def");
    if (checked.kind == SCREE_WALL_PLANE)
        checked.mesh = NULL;
    status = check_def(&world->rules, world->walls.dimensions, &checked, &world->error);
    if (status)
        return status;
    status = reserve_one(walls);
    if (status)
        return scree_fail(&world->error, status, "world: no room for another wall: %s",
                          scree_status_name(status));
    status = make_record(walls, &checked, world->clock.time, &made, &world->error);
    if (status)
        return status;
    if (made.def.mesh)
        scree_mesh_hold(made.def.mesh);
    made.id = give_name(walls);
    walls->wall[walls->count++] = made;
    if (id)
        *id = made.id;
    scree_wall_contacts_renew_all(&world->wall_contacts, world->bodies.count);
    world->clock.unprimed = 1;
    return SCREE_OK;
}

scree_status scree_world_remove_wall(scree_world *world, scree_wall_id id)
{
    scree_walls *walls;
    size_t place;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    walls = &world->walls;
    if (scree_walls_find(&world->walls, id, &place, &world->error) ||
        scree_servo_refuses_removal(&world->walls, id, &world->error))
        return SCREE_BAD_ARGUMENT;
    scree_wall_name *name = &walls->names[id.index1 - 1];
    name->taken = false;
    name->place = walls->free_name;
    /* a name whose generations are used up is never given out again */
    if (++name->generation != 0)
        walls->free_name = id.index1;
    scree_wall_free(walls, &walls->wall[place]);
    walls->count--;
    for (size_t w = place; w < walls->count; w++) {
        walls->wall[w] = walls->wall[w + 1];
        walls->names[walls->wall[w].id.index1 - 1].place = (uint32_t)w;
    }
    scree_wall_contacts_forget_wall(&world->wall_contacts, (uint32_t)place);
    scree_wall_contacts_renew_all(&world->wall_contacts, world->bodies.count);
    scree_joints_drop(world);
    scree_sleep_forget(&world->sleep);
    world->clock.unprimed = 1;
    return SCREE_OK;
}

scree_status scree_world_set_wall_path(scree_world *world, scree_wall_id id,
                                       const scree_wall_path *path)
{
    scree_wall_record *wall, made;
    scree_wall_def def;
    scree_status status;
    size_t place;

    if (!world || !path)
        return SCREE_BAD_ARGUMENT;
    if (scree_walls_find(&world->walls, id, &place, &world->error))
        return SCREE_BAD_ARGUMENT;
    wall = &world->walls.wall[place];
    if (wall->is_free)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "world: wall %u is free: what bodies move follows no path", id.index1);
    status = scree_wall_path_check(path, world->def.dimensions, &world->error);
    if (status)
        return status;
    def = wall->def;
    def.path = *path;
    memcpy(def.point, wall->now.position, sizeof def.point);
    memcpy(def.orientation, wall->now.orientation, sizeof def.orientation);
    memcpy(def.normal, wall->now.normal, sizeof def.normal);
    status = make_record(&world->walls, &def, world->clock.time, &made, &world->error);
    if (status)
        return status;
    scree_wall_path_free(&wall->def.path, &world->memory);
    made.id = wall->id;
    /* the given pose is the present one, so it includes what servos have moved the wall so far */
    made.has_servo = wall->has_servo;
    made.servo = wall->servo;
    made.drive = wall->drive;
    made.heat = wall->heat;
    made.belt = wall->belt;
    made.wear = wall->wear;
    memset(made.drive.shift, 0, sizeof made.drive.shift);
    for (int k = 0; k < 3; k++)
        made.now.velocity[k] += made.drive.speed * made.servo.axis[k];
    made.next = made.now;
    made.touched_at = wall->touched_at;
    made.next_word = wall->next_word;
    made.watch = wall->watch;
    *wall = made;
    scree_sleep_forget(&world->sleep);
    world->clock.unprimed = 1;
    return SCREE_OK;
}

size_t scree_world_walls(const scree_world *world, scree_wall_id *ids, size_t capacity)
{
    size_t count = world ? world->walls.count : 0;

    for (size_t w = 0; ids && w < count && w < capacity; w++)
        ids[w] = world->walls.wall[w].id;
    return count;
}
