/*  Shapes of non-spherical bodies in scenes. A world shares meshes and clumps between bodies without scaling, and
    keeps search trees of meshes. So a scene has a limited number of shapes, each with its own size, from which its
    bodies are chosen. A distribution of sizes becomes that many sizes, each in the middle of an equal share. */
#include "base/error.h"
#include "base/portable_math.h"
#include "scene_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 256u /* of a distribution, per size */

static int compare_up(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

scree_status scene_middle_sizes(const scree_scene *scene, const scree_scene_sizes *sizes,
                                size_t count, double *size)
{
    /* number or mass matters for how often a size is drawn, not for which sizes there are */
    scree_scene_sizes shares = *sizes;
    scree_random random = scree_random_stream(0x570e5, 0);
    scree_memory memory;
    void *block = NULL;

    shares.by_mass = false;
    scree_memory_init(&memory, &scene->memory.allocator);
    if (scree_memory_take(&memory, SAMPLES * count, sizeof(double), &block))
        return SCREE_OUT_OF_MEMORY;
    double *sample = block;
    for (size_t i = 0; i < SAMPLES * count; i++)
        sample[i] = scene_draw_size(&shares, 3, &random);
    qsort(sample, SAMPLES * count, sizeof *sample, compare_up);
    for (size_t k = 0; k < count; k++)
        size[k] = sample[SAMPLES * k + SAMPLES / 2];
    scree_memory_give(&memory, &block, SAMPLES * count, sizeof(double));
    return SCREE_OK;
}

/* ---- one ------------------------------------------------------------------------------------------------- */

static scree_status scale_mesh(const scree_scene *scene, const scree_mesh *mesh, double scale,
                               scree_mesh **scaled, scree_error *error)
{
    scree_mesh_info info = scree_mesh_describe(mesh);
    scree_mesh_def def = scree_default_mesh_def();
    size_t count = 3 * (size_t)info.vertex_count;
    scree_memory memory;
    void *vertices = NULL;

    scree_memory_init(&memory, &scene->memory.allocator);
    if (scree_memory_take(&memory, count, sizeof(double), &vertices))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++)
        ((double *)vertices)[i] = scale * info.vertices[i];
    def.vertices = vertices;
    def.vertex_count = info.vertex_count;
    def.facets = info.facets;
    def.facet_count = info.facet_count;
    def.corners = info.corners;
    def.weld = 0; /* vertices are merged already */
    def.allocator = scene->memory.allocator;
    def.error = error;
    scree_status status = scree_mesh_create(&def, scaled);
    scree_memory_give(&memory, &vertices, count, sizeof(double));
    return status;
}

/*  Distance of the farthest vertex from the centre. */
static double reach_of(const scree_mesh *mesh, const double centre[3])
{
    scree_mesh_info info = scree_mesh_describe(mesh);
    double most = 0;

    for (size_t v = 0; v < info.vertex_count; v++) {
        double sum = 0;
        for (size_t k = 0; k < 3; k++)
            sum += (info.vertices[3 * v + k] - centre[k]) * (info.vertices[3 * v + k] - centre[k]);
        most = sum > most ? sum : most;
    }
    return sqrt(most);
}

scree_status scene_make_stone(const scree_scene *scene, const scree_mesh *mesh, double scale,
                              double radius, double skin, scree_mesh **kept,
                              scree_scene_stone *stone, scree_error *error)
{
    scree_mesh_solid solid;
    scree_status status = scree_mesh_solid_of(mesh, 1, &solid, error);
    int dimensions = scree_mesh_describe(mesh).corners;

    if (!status && radius > 0)
        scale = radius / scene_round_radius(solid.volume, dimensions);
    if (!status)
        status = scale_mesh(scene, mesh, scale, kept, error);
    if (!status)
        status = scree_mesh_solid_of(*kept, 1, &solid, error);
    if (status)
        return status;
    *stone = (scree_scene_stone){.mesh = *kept,
                                 .skin = skin * scene_round_radius(solid.volume, dimensions),
                                 .volume = solid.volume};
    /* at least the world's own radius, which allows for rounding */
    stone->around = (reach_of(*kept, solid.centre) + stone->skin) * (1 + 0x1p-39);
    return SCREE_OK;
}

/*  Moments of inertia scale with the volume times the square of the length. */
static void scale_mass(scree_clump_mass *mass, double scale, int dimensions)
{
    double by = dimensions == 3 ? scale * scale * scale : scale * scale;

    mass->volume *= by;
    for (int k = 0; k < 3; k++) {
        mass->centre[k] *= scale;
        for (int j = 0; j < 3; j++)
            mass->inertia[k][j] *= by * scale * scale;
    }
}

scree_status scene_make_clump(const scree_scene *scene, const scree_clump *pattern, double scale,
                              double radius, scree_clump **kept, scree_scene_stone *stone,
                              scree_error *error)
{
    scree_clump_info info = scree_clump_describe(pattern);
    scree_clump_def def = scree_default_clump_def();
    scree_memory memory;
    void *pebbles = NULL;

    scree_memory_init(&memory, &scene->memory.allocator);
    if (scree_memory_take(&memory, info.pebble_count, sizeof(scree_pebble), &pebbles))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
    if (radius > 0)
        scale = radius / scene_round_radius(info.mass.volume, info.dimensions);
    for (uint32_t p = 0; p < info.pebble_count; p++) {
        scree_pebble *pebble = &((scree_pebble *)pebbles)[p];
        for (int k = 0; k < 3; k++)
            pebble->centre[k] = scale * info.pebbles[p].centre[k];
        pebble->radius = scale * info.pebbles[p].radius;
    }
    scale_mass(&info.mass, scale, info.dimensions);
    def.dimensions = info.dimensions;
    def.pebbles = pebbles;
    def.pebble_count = info.pebble_count;
    def.mass = &info.mass;
    def.allocator = scene->memory.allocator;
    def.error = error;
    scree_status status = scree_clump_create(&def, kept);
    scree_memory_give(&memory, &pebbles, info.pebble_count, sizeof(scree_pebble));
    if (!status)
        *stone = (scree_scene_stone){.clump = *kept,
                                     .around = scree_clump_describe(*kept).reach,
                                     .volume = info.mass.volume};
    return status;
}

scree_status scene_make_superquadric(const scree_scene *scene,
                                     const scree_superquadric_def *pattern, double scale,
                                     double radius, scree_mesh **kept, scree_scene_stone *stone,
                                     scree_error *error)
{
    scree_superquadric_def def = *pattern;
    scree_mesh_solid solid = {.volume = 0};

    def.allocator = scene->memory.allocator;
    def.error = error;
    /* the pattern's mesh says how large it is */
    scree_status status = scree_mesh_superquadric(&def, kept);
    if (!status)
        status = scree_mesh_solid_of(*kept, 1, &solid, error);
    if (!status && radius > 0)
        scale = radius / scene_round_radius(solid.volume, def.dimensions);
    if (!status && scale != 1) {
        scree_mesh_destroy(*kept);
        *kept = NULL;
        for (int k = 0; k < 3; k++)
            def.radii[k] *= scale;
        status = scree_mesh_superquadric(&def, kept);
        if (!status)
            status = scree_mesh_solid_of(*kept, 1, &solid, error);
    }
    if (status)
        return status;
    *stone = (scree_scene_stone){.mesh = *kept, .is_superquadric = true, .volume = solid.volume};
    /* at least the world's own radius, which allows for rounding */
    stone->around = scree_mesh_describe(*kept).far * (1 + 0x1p-39);
    return SCREE_OK;
}

scree_shape scene_shape_of(const scree_scene_stone *stone)
{
    if (!stone->mesh && !stone->clump) /* a sphere of a mixture */
        return scree_shape_sphere(stone->around);
    if (stone->clump)
        return scree_shape_clump(stone->clump);
    if (stone->is_superquadric)
        return scree_shape_superquadric(stone->mesh);
    return stone->is_block ? scree_shape_block(stone->mesh, stone->skin)
                           : scree_shape_mesh(stone->mesh, stone->skin);
}

/* ---- many ------------------------------------------------------------------------------------------------ */

/*  Largest first, and stable: the order of equal elements in qsort depends on the library. */
static void sort_stones(scree_scene_stone *stones, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        scree_scene_stone moved = stones[i];
        uint32_t k = i;
        for (; k > 0 && stones[k - 1].around < moved.around; k--)
            stones[k] = stones[k - 1];
        stones[k] = moved;
    }
}

void scene_list_stones(scree_scene_stone *stones, double (*table)[2], uint32_t count,
                       scree_scene_sizes *sizes)
{
    sort_stones(stones, count);
    for (uint32_t k = 0; k < count; k++) {
        table[k][0] = stones[k].around;
        table[k][1] = 1;
    }
    *sizes = (scree_scene_sizes){.spread = SCREE_SPREAD_TABLE,
                                 .lower = stones[count - 1].around,
                                 .upper = stones[0].around,
                                 .table = (const double(*)[2])table,
                                 .table_count = count,
                                 .stones = stones};
}

/*  Four normally distributed numbers have a uniform direction, as two in the plane (Muller, Communications of the
    ACM 2 (1959) 19). */
void scene_turn_at_random(scree_random *random, int dimensions, double turn[4])
{
    for (int k = 0; k < 4; k++)
        turn[k] = dimensions == 3 || k % 3 == 0 ? scree_random_normal(random) : 0;
}
