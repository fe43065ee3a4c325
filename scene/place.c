/*  Finds free positions. Grids hold the spheres near the region (taken.h), and images of those near a periodic
    boundary; each trial asks them for overlaps. Walls are tested one by one: planes by distance, meshes by their
    trees. */
#include "place.h"

#include "base/error.h"
#include "base/quaternion.h"
#include "cells.h"

#include <math.h>
#include <string.h>

bool scene_is_near(const scene_placer *placer, const double centre[3], double radius)
{
    for (int k = 0; k < placer->dimensions; k++) {
        double reach = radius + 2 * placer->largest;
        if (centre[k] + reach < placer->region->lower[k] ||
            centre[k] - reach > placer->region->upper[k])
            return false;
    }
    return true;
}

scree_status scene_take_place(scene_placer *placer, const double centre[3], double radius,
                              scree_error *error)
{
    const scree_world_def *def = &placer->scene->plan.world;
    int least[3] = {0}, most[3] = {0};

    for (int k = 0; k < placer->dimensions; k++)
        if (def->domain.boundary[k] == SCREE_BOUNDARY_PERIODIC) {
            least[k] = -1;
            most[k] = 1;
        }
    for (int x = least[0]; x <= most[0]; x++)
        for (int y = least[1]; y <= most[1]; y++)
            for (int z = least[2]; z <= most[2]; z++) {
                const int shift[3] = {x, y, z};
                double image[3];
                for (int k = 0; k < 3; k++)
                    image[k] =
                        centre[k] +
                        (shift[k] ? shift[k] * (def->domain.upper[k] - def->domain.lower[k]) : 0);
                if (scene_is_near(placer, image, radius) &&
                    scene_taken_put(&placer->taken, image, radius))
                    return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory",
                                      placer->scene->name);
            }
    return SCREE_OK;
}

static scree_status look_at_walls(scene_placer *placer, scree_world *world)
{
    size_t count = scree_world_walls(world, NULL, 0);
    void *ids = NULL;
    scree_status status = scree_memory_take(&placer->memory, count, sizeof(scree_wall_id), &ids);

    if (!status)
        status = scree_memory_reserve(&placer->memory, &placer->walls, &placer->wall_room, count,
                                      sizeof *placer->walls);
    placer->wall_count = status ? 0 : count;
    if (!status)
        scree_world_walls(world, ids, count);
    for (size_t i = 0; i < count && !status; i++)
        status = scree_world_get_wall(world, ((scree_wall_id *)ids)[i], &placer->walls[i]);
    scree_memory_give(&placer->memory, &ids, ids ? count : 0, sizeof(scree_wall_id));
    return status;
}

static scree_status look_at_bodies(scene_placer *placer, scree_world *world, scree_error *error)
{
    scree_bodies_view view = scree_world_bodies(world);
    scree_status status = SCREE_OK;

    for (size_t i = 0; i < view.count && !status; i++)
        status = scene_take_place(placer, scree_row_at(view.position, i),
                                  scree_double_at(view.radius, i), error);
    return status;
}

scree_status scene_placer_begin(scene_placer *placer, const scree_scene *scene, scree_world *world,
                                const scree_scene_geometry *region, double largest,
                                scree_error *error)
{
    scree_bodies_view view = scree_world_bodies(world);
    double most = largest;

    *placer = (scene_placer){.scene = scene,
                             .region = region,
                             .largest = largest,
                             .dimensions = scene->plan.world.dimensions};
    scree_memory_init(&placer->memory, &scene->memory.allocator);
    for (size_t i = 0; i < view.count; i++)
        most = scree_double_at(view.radius, i) > most ? scree_double_at(view.radius, i) : most;
    scene_taken_begin(&placer->taken, &scene->memory.allocator, placer->dimensions, region->lower,
                      most);
    scree_status status = look_at_walls(placer, world);
    if (status)
        scree_fail(error, status, "%s: out of memory", scene->name);
    else
        status = look_at_bodies(placer, world, error);
    if (status)
        scene_placer_end(placer);
    return status;
}

void scene_placer_end(scene_placer *placer)
{
    scene_taken_end(&placer->taken);
    scree_facet_list_free(&placer->facets, &placer->memory);
    scene_placer_end_keep_off(placer);
    scree_memory_give(&placer->memory, &placer->walls, placer->wall_room, sizeof *placer->walls);
    placer->wall_count = placer->wall_room = 0;
}

/* ---- a place --------------------------------------------------------------------------------------------- */

static scree_status ask_wall(scene_placer *placer, const scree_wall *wall, const double centre[3],
                             double radius, bool *taken)
{
    double offset[3], distance = 0;

    for (int k = 0; k < 3; k++) {
        offset[k] = centre[k] - wall->position[k];
        distance += offset[k] * wall->normal[k];
    }
    if (wall->kind == SCREE_WALL_PLANE) {
        *taken |= distance < radius;
        return SCREE_OK;
    }
    scree_quaternion_turn_back(wall->orientation, offset, offset);
    scree_status status =
        scree_mesh_near(wall->mesh, offset, radius, &placer->memory, &placer->facets);
    *taken |= !status && placer->facets.count > 0;
    return status;
}

scree_status scene_meets_wall(scene_placer *placer, const double centre[3], double radius,
                              bool *meets)
{
    scree_status status = SCREE_OK;

    *meets = false;
    for (size_t i = 0; i < placer->wall_count && !status && !*meets; i++)
        status = ask_wall(placer, &placer->walls[i], centre, radius, meets);
    if (!status && !*meets)
        *meets = scene_is_in_solid(placer, centre);
    return status;
}

/*  Relative gap between a body and the face at which it is placed, so that rounding never makes it touch. */
#define OFF_FACE 1e-9

/*  Whether the cells of the region are smaller than the part of its bounding box that centres can be in. */
static bool cells_are_closer(const scree_scene_geometry *region, int dimensions, double radius)
{
    double volume = 1;

    for (int k = 0; k < dimensions; k++)
        volume *= fmax(region->upper[k] - region->lower[k] - 2 * radius, 0);
    return region->cell_count > 0 && region->cells[region->cell_count - 1].end < volume;
}

/*  Draws a point on the face, in the cells of the region, or in its bounding box; returns whether it is in the
    region. */
static bool draw_place(scene_placer *placer, scree_random *random, double radius, double gap,
                       double centre[3])
{
    const scree_scene_geometry *region = placer->region;

    if (region->is_face) {
        double away = region->side * radius * (1 + gap) * (1 + OFF_FACE);
        scene_draw_on_surface(region->mesh, random, centre, placer->normal);
        for (int k = 0; k < placer->dimensions; k++)
            centre[k] += away * placer->normal[k];
        return true;
    }
    centre[2] = 0;
    if (cells_are_closer(region, placer->dimensions, radius))
        scene_draw_in_cells(region, placer->dimensions, random, centre);
    else
        for (int k = 0; k < placer->dimensions; k++)
            centre[k] =
                scree_random_range(random, region->lower[k] + radius, region->upper[k] - radius);
    return scene_holds_sphere(region, placer->dimensions, centre, radius);
}

scree_status scene_find_place(scene_placer *placer, scree_random *random, double radius, double gap,
                              uint64_t *trials, double centre[3], bool *found, scree_error *error)
{
    *found = false;
    while (*trials > 0 && !*found) {
        bool taken;
        --*trials;
        if (!draw_place(placer, random, radius, gap, centre))
            continue;
        scree_status status = scene_meets_wall(placer, centre, radius * (1 + gap), &taken);
        if (status)
            return scree_fail(error, status, "%s: out of memory", placer->scene->name);
        *found = !taken && !scene_taken_overlaps(&placer->taken, centre, radius * (1 + gap));
    }
    return SCREE_OK;
}

#define MAX_SEEKS 2000
#define SEEKS 12 /* number of positions that are compared */

scree_status scene_seek_place(scene_placer *placer, scree_random *random, double radius, double gap,
                              double centre[3], bool *found, scree_error *error)
{
    double least = INFINITY, drawn[3] = {0};
    int compared = 0;

    for (int seek = 0; seek < MAX_SEEKS && compared < SEEKS && least > 0; seek++) {
        bool meets;
        if (!draw_place(placer, random, radius, gap, drawn))
            continue;
        scree_status status = scene_meets_wall(placer, drawn, radius * (1 + gap), &meets);
        if (status)
            return scree_fail(error, status, "%s: out of memory", placer->scene->name);
        if (meets)
            continue;
        double depth = scene_taken_depth(&placer->taken, drawn, radius * (1 + gap));
        if (depth < least)
            memcpy(centre, drawn, sizeof drawn);
        least = depth < least ? depth : least;
        compared++;
    }
    *found = compared > 0;
    return SCREE_OK;
}
