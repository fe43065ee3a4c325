/*  Removes the bodies of a region from the world, for sinks and at the start of a stage. */
#include "base/error.h"
#include "scene_internal.h"

#include <stdlib.h>

typedef struct taken_body
{
    uint64_t serial;
    scree_body_id id;
    double mass;
} taken_body;

static int compare_taken(const void *a, const void *b)
{
    uint64_t x = ((const taken_body *)a)->serial, y = ((const taken_body *)b)->serial;
    return (x > y) - (x < y);
}

static bool is_taken(const scree_scene *scene, const scree_scene_geometry *region,
                     uint32_t material, const scree_bodies_view *view, size_t row)
{
    return (!material || scree_uint32_at(view->material, row) == material) &&
           scene_holds_point(region, scene->plan.world.dimensions,
                             scree_row_at(view->position, row));
}

/*  Sorted by global id: sums must not depend on the order in memory. */
static scree_status gather_taken(const scree_scene *scene, const scree_scene_geometry *region,
                                 uint32_t material, scree_world *world, scree_memory *memory,
                                 taken_body **taken, size_t *count, size_t *room)
{
    scree_bodies_view view = scree_world_bodies(world);

    for (size_t i = 0; i < view.count; i++) {
        if (!is_taken(scene, region, material, &view, i))
            continue;
        scree_status status = scree_memory_reserve(memory, taken, room, *count + 1, sizeof **taken);
        if (status)
            return status;
        (*taken)[(*count)++] =
            (taken_body){scree_uint64_at(view.serial, i), scree_body_id_at(view.id, i),
                         1 / scree_double_at(view.inverse_mass, i)};
    }
    if (*count > 1)
        qsort(*taken, *count, sizeof **taken, compare_taken);
    return SCREE_OK;
}

scree_status scene_take_bodies(const scree_scene *scene, scree_world *world,
                               const scree_scene_geometry *region, uint32_t material, int line,
                               const char *what, uint64_t *taken_count, double *mass,
                               scree_error *error)
{
    taken_body *taken = NULL;
    size_t count = 0, room = 0;
    void *ids = NULL;
    scree_memory memory;

    scree_memory_init(&memory, &scene->memory.allocator);
    scree_status status =
        gather_taken(scene, region, material, world, &memory, &taken, &count, &room);
    if (!status)
        status = scree_memory_take(&memory, count, sizeof(scree_body_id), &ids);
    if (status)
        scree_fail(error, status, "%s: out of memory", scene->name);
    for (size_t i = 0; i < count && !status; i++)
        ((scree_body_id *)ids)[i] = taken[i].id;
    if (!status && count > 0) {
        status = scree_world_remove_bodies(world, ids, count);
        if (status)
            scene_fail_at(scene, error, status, line, "%s: %s", what, scree_world_message(world));
    }
    for (size_t i = 0; i < count && !status; i++) {
        ++*taken_count;
        *mass += taken[i].mass;
    }
    scree_memory_give(&memory, &ids, ids ? count : 0, sizeof(scree_body_id));
    scree_memory_give(&memory, &taken, room, sizeof *taken);
    return status;
}
