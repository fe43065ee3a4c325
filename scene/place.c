/*  A detector with grids holds the spheres near the region, with the images of those that reach over a periodic
    border; a place is tried by asking it what overlaps. Walls are asked one by one: planes by distance, meshes
    by their trees. */
#include "place.h"

#include "base/error.h"
#include "base/quaternion.h"

#include <string.h>

static scree_status insert_sphere(scene_placer *placer, const double centre[3], double radius,
                                  scree_error *error)
{
    scree_table one =
        scree_table_spheres(1, scree_doubles(&centre[0], 8), scree_doubles(&centre[1], 8),
                            scree_doubles(&centre[2], 8), scree_doubles(&radius, 8));
    scree_status status;

    if (placer->dimensions == 2)
        one = scree_table_spheres(1, scree_doubles(&centre[0], 8), scree_doubles(&centre[1], 8),
                                  (scree_view){0}, scree_doubles(&radius, 8));
    status = scree_detector_insert(placer->taken, &one, NULL);
    return status ? scree_fail(error, status, "%s", scree_detector_message(placer->taken))
                  : SCREE_OK;
}

/*  Whether a sphere may touch one in the region. */
static bool is_near(const scene_placer *placer, const double centre[3], double radius)
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
        if (def->boundary[k] == SCREE_BOUNDARY_PERIODIC) {
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
                        centre[k] + (shift[k] ? shift[k] * (def->upper[k] - def->lower[k]) : 0);
                scree_status status = is_near(placer, image, radius)
                                          ? insert_sphere(placer, image, radius, error)
                                          : SCREE_OK;
                if (status)
                    return status;
            }
    return SCREE_OK;
}

static scree_status look_at_walls(scene_placer *placer, scree_world *world)
{
    size_t count = scree_world_walls(world, NULL, 0);
    void *ids = NULL, *walls = NULL;
    scree_status status = scree_memory_take(&placer->memory, count, sizeof(scree_wall_id), &ids);

    if (!status)
        status = scree_memory_take(&placer->memory, count, sizeof(scree_wall), &walls);
    placer->walls = walls;
    placer->wall_count = walls ? count : 0;
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
        status = scene_take_place(placer, view.position[i], view.position[i][3], error);
    return status;
}

scree_status scene_placer_begin(scene_placer *placer, const scree_scene *scene, scree_world *world,
                                const scree_scene_geometry *region, double largest,
                                scree_error *error)
{
    scree_detector_def def = scree_default_detector_def();

    *placer = (scene_placer){.scene = scene,
                             .region = region,
                             .largest = largest,
                             .dimensions = scene->plan.world.dimensions};
    scree_memory_init(&placer->memory, &scene->memory.allocator);
    /* grows with what is put in, and answers by its grids */
    def.method = "hash-grids";
    def.dimensions = placer->dimensions;
    def.allocator = scene->memory.allocator;
    def.error = error;
    scree_status status = scree_detector_create(&def, &placer->taken);
    if (!status)
        status = look_at_walls(placer, world);
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
    scree_detector_destroy(placer->taken);
    placer->taken = NULL;
    scree_facet_list_free(&placer->facets, &placer->memory);
    scree_memory_give(&placer->memory, &placer->walls, placer->wall_count, sizeof *placer->walls);
    placer->wall_count = 0;
}

/* ---- a place --------------------------------------------------------------------------------------------- */

static int note_hit(const scree_hit *hit, void *user)
{
    (void)hit;
    *(bool *)user = true;
    return 1;
}

static scree_status ask_bodies(scene_placer *placer, const double centre[3], double radius,
                               bool *taken)
{
    scree_query query = scree_query_sphere(centre, radius);
    return scree_detector_query(placer->taken, &query, note_hit, taken, NULL);
}

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

static scree_status is_taken(scene_placer *placer, const double centre[3], double radius,
                             bool *taken)
{
    scree_status status = SCREE_OK;

    for (size_t i = 0; i < placer->wall_count && !status && !*taken; i++)
        status = ask_wall(placer, &placer->walls[i], centre, radius, taken);
    if (!status && !*taken)
        status = ask_bodies(placer, centre, radius, taken);
    return status;
}

scree_status scene_find_place(scene_placer *placer, scree_random *random, double radius, double gap,
                              uint32_t trials, double centre[3], bool *found, scree_error *error)
{
    const scree_scene_geometry *region = placer->region;

    *found = false;
    for (uint32_t trial = 0; trial < trials && !*found; trial++) {
        bool taken = false;
        centre[2] = 0;
        for (int k = 0; k < placer->dimensions; k++)
            centre[k] =
                scree_random_range(random, region->lower[k] + radius, region->upper[k] - radius);
        if (!scene_holds_sphere(region, placer->dimensions, centre, radius))
            continue;
        scree_status status = is_taken(placer, centre, radius * (1 + gap), &taken);
        if (status)
            return scree_fail(error, status, "%s: out of memory", placer->scene->name);
        *found = !taken;
    }
    return SCREE_OK;
}
