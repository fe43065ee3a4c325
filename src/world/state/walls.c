/*  Storage of walls, their handles and poses. */
#include "world/state/walls.h"

#include "base/error.h"
#include "base/quaternion.h"
#include "base/vector.h"
#include "shape/mesh.h"
#include "world/state/wall_path.h"

#include <math.h>
#include <string.h>

void scree_walls_init(scree_walls *walls, scree_memory *memory, int dimensions)
{
    memset(walls, 0, sizeof *walls);
    walls->memory = memory;
    walls->dimensions = dimensions;
}

void scree_wall_free(scree_walls *walls, scree_wall_record *wall)
{
    scree_wall_path_free(&wall->def.path, walls->memory);
    scree_memory_give(walls->memory, &wall->wear.row, wall->wear.rows, sizeof *wall->wear.row);
    if (wall->def.mesh)
        scree_mesh_release(wall->def.mesh);
}

void scree_walls_free(scree_walls *walls)
{
    for (size_t w = 0; w < walls->count; w++)
        scree_wall_free(walls, &walls->wall[w]);
    scree_memory_give(walls->memory, &walls->wall, walls->capacity, sizeof *walls->wall);
    scree_memory_give(walls->memory, &walls->names, walls->name_capacity, sizeof *walls->names);
}

size_t scree_walls_place(const scree_walls *walls, scree_wall_id id)
{
    const scree_wall_name *name;

    if (id.index1 == 0 || id.index1 > walls->name_count)
        return SIZE_MAX;
    name = &walls->names[id.index1 - 1];
    return name->taken && name->generation == id.generation ? name->place : SIZE_MAX;
}

scree_status scree_walls_find(const scree_walls *walls, scree_wall_id id, size_t *place,
                              scree_error *error)
{
    *place = scree_walls_place(walls, id);
    return *place != SIZE_MAX ? SCREE_OK
                              : scree_fail(error, SCREE_BAD_ARGUMENT,
                                           "world: the id names no wall (index1 %u, generation %u)",
                                           id.index1, id.generation);
}

/* ---- belts ---- */

void scree_wall_belt_motion(const scree_wall_record *wall, double velocity[3], double spin[3])
{
    const scree_belt *belt = &wall->belt;
    double local_spin[3], swept[3], local[3];

    memset(velocity, 0, sizeof local);
    memset(spin, 0, sizeof local);
    if (!belt->is_on)
        return;
    for (int k = 0; k < 3; k++)
        local_spin[k] = belt->rate * belt->axis[k];
    scree_cross(local_spin, belt->centre, swept);
    for (int k = 0; k < 3; k++)
        local[k] = belt->velocity[k] - swept[k];
    scree_wall_turn_from_mesh(wall, local, velocity);
    scree_wall_turn_from_mesh(wall, local_spin, spin);
}

void scree_wall_belt_at(const scree_wall_record *wall, const double point[3],
                        const double normal[3], double velocity[3])
{
    double base[3], spin[3];

    memset(velocity, 0, sizeof base);
    if (!wall->belt.is_on)
        return;
    scree_wall_belt_motion(wall, base, spin);
    scree_wall_velocity_at(wall->next.position, base, spin, point, velocity);
    const double along = scree_dot(velocity, normal);
    for (int k = 0; k < 3; k++)
        velocity[k] -= along * normal[k];
}

bool scree_walls_have_belts(const scree_walls *walls)
{
    for (size_t w = 0; w < walls->count; w++)
        if (walls->wall[w].belt.is_on)
            return true;
    return false;
}

/* ---- facets and their wear ---- */

size_t scree_wall_facets(const scree_wall_record *wall)
{
    return wall->def.kind == SCREE_WALL_MESH ? wall->def.mesh->facet_count : 1;
}

double scree_wall_facet_area(const scree_wall_record *wall, uint32_t facet)
{
    const scree_mesh *mesh = wall->def.mesh;
    double side[2][3] = {{0}}, across[3];

    if (wall->def.kind != SCREE_WALL_MESH)
        return INFINITY;
    const uint32_t *corner = mesh->facets + (size_t)mesh->corners * facet;
    for (int s = 0; s + 1 < mesh->corners; s++)
        for (int k = 0; k < 3; k++)
            side[s][k] = mesh->vertices[3 * (size_t)corner[s + 1] + (size_t)k] -
                         mesh->vertices[3 * (size_t)corner[0] + (size_t)k];
    if (mesh->corners == 2)
        return scree_length(side[0]);
    scree_cross(side[0], side[1], across);
    return scree_length(across) / 2;
}

bool scree_walls_wear(const scree_walls *walls)
{
    return scree_walls_wear_rows(walls) > 0;
}

size_t scree_walls_wear_rows(const scree_walls *walls)
{
    size_t rows = 0;

    for (size_t w = 0; w < walls->count; w++)
        rows += walls->wall[w].wear.rows;
    return rows;
}

void scree_walls_clear_wear(scree_walls *walls)
{
    for (size_t w = 0; w < walls->count; w++)
        if (walls->wall[w].wear.rows)
            memset(walls->wall[w].wear.row, 0,
                   walls->wall[w].wear.rows * sizeof *walls->wall[w].wear.row);
}

/* ---- poses ---- */

void scree_walls_accept(scree_walls *walls)
{
    for (size_t w = 0; w < walls->count; w++) {
        scree_wall_record *wall = &walls->wall[w];
        wall->now = wall->next;
        wall->motion = wall->next_motion;
        memcpy(wall->drive.shift, wall->next_shift, sizeof wall->next_shift);
    }
}

void scree_wall_to_mesh(const scree_wall_record *wall, const double point[3], double local[3])
{
    double from[3];

    for (int k = 0; k < 3; k++)
        from[k] = point[k] - wall->next.position[k];
    scree_quaternion_turn_back(wall->next.orientation, from, local);
}

void scree_wall_from_mesh(const scree_wall_record *wall, const double local[3], double point[3])
{
    scree_quaternion_turn(wall->next.orientation, local, point);
    for (int k = 0; k < 3; k++)
        point[k] += wall->next.position[k];
}

void scree_wall_turn_from_mesh(const scree_wall_record *wall, const double local[3],
                               double direction[3])
{
    scree_quaternion_turn(wall->next.orientation, local, direction);
}

/* ---- adding, moving, removing ---- */
