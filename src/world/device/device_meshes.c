/*  Copies the meshes of walls to a device. They never change, so they are copied once, until walls come or go. */
#include "shape/mesh.h"
#include "world/device/host_rows.h"

#include <string.h>

/*  Buffers that hold the arrays of all meshes, and their sizes in items. */
typedef struct mesh_sizes
{
    uint64_t words, values, bytes, groups;
} mesh_sizes;

/*  An array of a mesh. */
typedef struct mesh_part
{
    const void *data;
    size_t count;
} mesh_part;

typedef struct mesh_parts
{
    mesh_part words[SCREE_MESH_WORDS], values[SCREE_MESH_VALUES], bytes[SCREE_MESH_BYTES];
    uint32_t level_start[SCREE_MESH_LEVELS];
} mesh_parts;

static void list_parts(const scree_mesh *mesh, mesh_parts *parts)
{
    const size_t halves = (size_t)mesh->facet_count * (size_t)mesh->corners;

    for (int level = 0; level < SCREE_MESH_LEVELS; level++)
        parts->level_start[level] = (uint32_t)mesh->tree.level_start[level];
    parts->words[SCREE_MESH_FACETS] = (mesh_part){mesh->facets, halves};
    parts->words[SCREE_MESH_EDGE_OF] = (mesh_part){mesh->edge_of, halves};
    parts->words[SCREE_MESH_EDGE_START] =
        (mesh_part){mesh->edge_start, (size_t)mesh->edge_count + 1};
    parts->words[SCREE_MESH_EDGE_FACET] = (mesh_part){mesh->edge_facet, halves};
    parts->words[SCREE_MESH_VERTEX_START] =
        (mesh_part){mesh->vertex_start, (size_t)mesh->vertex_count + 1};
    parts->words[SCREE_MESH_VERTEX_FACET] = (mesh_part){mesh->vertex_facet, halves};
    parts->words[SCREE_MESH_PATCH] = (mesh_part){mesh->patch, mesh->facet_count};
    parts->words[SCREE_MESH_TREE_FACET] = (mesh_part){mesh->tree.facet, mesh->facet_count};
    parts->words[SCREE_MESH_LEVEL_START] = (mesh_part){parts->level_start, SCREE_MESH_LEVELS};
    parts->values[SCREE_MESH_VERTICES] =
        (mesh_part){mesh->vertices, 3 * (size_t)mesh->vertex_count};
    parts->values[SCREE_MESH_NORMALS] = (mesh_part){mesh->normals, 3 * (size_t)mesh->facet_count};
    parts->bytes[SCREE_MESH_EDGE_IS_RIM] = (mesh_part){mesh->edge_is_rim, mesh->edge_count};
    parts->bytes[SCREE_MESH_VERTEX_IS_RIM] = (mesh_part){mesh->vertex_is_rim, mesh->vertex_count};
    parts->bytes[SCREE_MESH_TURN] = (mesh_part){mesh->turn, mesh->facet_count};
}

static const scree_mesh *mesh_of(const scree_world *world, size_t wall)
{
    const scree_wall_def *def = &world->walls.wall[wall].def;

    return def->kind == SCREE_WALL_PLANE ? NULL : def->mesh;
}

static void place_parts(const mesh_part *parts, size_t count, uint64_t *total, uint64_t *places)
{
    for (size_t k = 0; k < count; k++) {
        places[k] = *total;
        *total += parts[k].count;
    }
}

/*  Where the arrays of each wall's mesh will be. A mesh of several walls is there once. */
static void place_meshes(const scree_world *world, scree_mesh_layout *places, mesh_sizes *sizes)
{
    for (size_t w = 0; w < world->walls.count; w++) {
        const scree_mesh *mesh = mesh_of(world, w);
        size_t same = 0;
        mesh_parts parts;
        memset(&places[w], 0, sizeof places[w]);
        while (mesh && mesh_of(world, same) != mesh)
            same++;
        if (mesh && same < w)
            places[w] = places[same];
        if (!mesh || same < w)
            continue;
        list_parts(mesh, &parts);
        place_parts(parts.words, SCREE_MESH_WORDS, &sizes->words, places[w].words);
        place_parts(parts.values, SCREE_MESH_VALUES, &sizes->values, places[w].values);
        place_parts(parts.bytes, SCREE_MESH_BYTES, &sizes->bytes, places[w].bytes);
        places[w].groups = sizes->groups;
        sizes->groups += mesh->tree.group_count;
        memcpy(places[w].origin, mesh->tree.origin, sizeof places[w].origin);
        places[w].scale = mesh->tree.scale;
        places[w].facets = mesh->facet_count;
        places[w].levels = (uint32_t)mesh->tree.levels;
    }
}

static scree_status write_parts(scree_device *device, const scree_gpu_buffer *buffer,
                                const mesh_part *parts, const uint64_t *places, size_t count,
                                size_t size)
{
    scree_status status = SCREE_OK;

    for (size_t k = 0; k < count && !status; k++)
        if (parts[k].count)
            status = scree_gpu_write(device->gpu, buffer, places[k] * size, parts[k].data,
                                     parts[k].count * size);
    return status;
}

static scree_status write_mesh(scree_device *device, const scree_mesh *mesh,
                               const scree_mesh_layout *place)
{
    const device_meshes *to = &device->meshes;
    mesh_parts parts;

    list_parts(mesh, &parts);
    scree_status status = write_parts(device, &to->words, parts.words, place->words,
                                      SCREE_MESH_WORDS, sizeof(uint32_t));
    if (!status)
        status = write_parts(device, &to->values, parts.values, place->values, SCREE_MESH_VALUES,
                             sizeof(double));
    if (!status)
        status = write_parts(device, &to->bytes, parts.bytes, place->bytes, SCREE_MESH_BYTES, 1);
    if (!status)
        status =
            scree_gpu_write(device->gpu, &to->groups, place->groups * sizeof(scree_mesh_group),
                            mesh->tree.groups, mesh->tree.group_count * sizeof(scree_mesh_group));
    return status;
}

static scree_status write_meshes(scree_world *world, scree_mesh_layout *places)
{
    scree_device *device = world->device;
    device_meshes *to = &device->meshes;
    const size_t walls = world->walls.count;
    mesh_sizes sizes = {0};
    scree_status status;

    place_meshes(world, places, &sizes);
    status = scree_gpu_reserve(device->gpu, &to->places, walls * sizeof *places, "walls of facets");
    if (!status)
        status = scree_gpu_reserve(device->gpu, &to->words, sizes.words * sizeof(uint32_t),
                                   "facets of walls");
    if (!status)
        status = scree_gpu_reserve(device->gpu, &to->values, sizes.values * sizeof(double),
                                   "vertices of walls");
    if (!status)
        status = scree_gpu_reserve(device->gpu, &to->bytes, sizes.bytes, "edges of walls");
    if (!status)
        status = scree_gpu_reserve(device->gpu, &to->groups,
                                   sizes.groups * sizeof(scree_mesh_group), "boxes of facets");
    if (!status)
        status = scree_gpu_write(device->gpu, &to->places, 0, places, walls * sizeof *places);
    for (size_t w = 0; w < walls && !status; w++)
        if (mesh_of(world, w))
            status = write_mesh(device, mesh_of(world, w), &places[w]);
    return status;
}

/*  Whether walls have the meshes that were copied. */
static bool are_sent(const scree_world *world)
{
    const device_meshes *meshes = &world->device->meshes;
    bool are_same = meshes->count == world->walls.count;

    for (size_t w = 0; w < world->walls.count && are_same; w++)
        are_same = meshes->of_wall[w] == mesh_of(world, w);
    return are_same;
}

void scree_device_forget_meshes(scree_device *device)
{
    for (size_t w = 0; w < device->meshes.count; w++)
        scree_mesh_release(device->meshes.of_wall[w]);
    device->meshes.count = 0;
}

bool scree_device_has_meshes(const scree_world *world)
{
    bool has_mesh = false;

    for (size_t w = 0; w < world->walls.count && !has_mesh; w++)
        has_mesh = mesh_of(world, w) != NULL;
    return has_mesh;
}

scree_status scree_device_send_meshes(scree_world *world)
{
    scree_device *device = world->device;
    device_meshes *meshes = &device->meshes;
    const size_t walls = world->walls.count;
    scree_mesh_layout *places = NULL;
    scree_status status;

    if (!scree_device_has_meshes(world) || are_sent(world))
        return SCREE_OK;
    scree_device_forget_meshes(device);
    if (scree_memory_reserve(&world->memory, &meshes->of_wall, &meshes->capacity, walls,
                             sizeof *meshes->of_wall) ||
        scree_memory_take(&world->memory, walls, sizeof *places, &places))
        return scree_host_refuse_memory(world);
    status = write_meshes(world, places);
    scree_memory_give(&world->memory, &places, walls, sizeof *places);
    if (status)
        return scree_device_failed(world, status);
    for (size_t w = 0; w < walls; w++) {
        meshes->of_wall[w] = mesh_of(world, w);
        if (meshes->of_wall[w])
            scree_mesh_hold(meshes->of_wall[w]);
    }
    meshes->count = walls;
    return SCREE_OK;
}
