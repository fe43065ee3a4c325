/*  Means over time of columns and of coarse-grained fields: sums of samples, and their number. All are in one array
    of numbers, so that they are saved and loaded together: the number of samples and a sum for each column, then for
    each sampled grid the number of samples and the fields of each cell. Grids that are not sampled have no state. */
#include "base/error.h"
#include "base/hash.h"
#include "scene_internal.h"

#include "scree/io.h"
#include "scree/wall.h"

#include <math.h>
#include <string.h>

/*  Number of values per cell. */
static size_t numbers_of(const scree_scene_fields *grid)
{
    return (grid->wall ? sizeof(scree_wall_load) : sizeof(scree_field)) / sizeof(double);
}

static bool has_mean_columns(const scree_scene *scene)
{
    for (size_t i = 0; i < scene->plan.measure_count; i++)
        if (scene->plan.measures[i].is_mean)
            return true;
    return false;
}

static bool is_sampled(const scree_scene_fields *grid)
{
    return grid->sample.steps || grid->sample.time > 0;
}

static size_t cells_of(const scree_scene_fields *grid)
{
    return (size_t)grid->def.cells[0] * grid->def.cells[1] * grid->def.cells[2];
}

/*  Start of the values of a grid; for an index past the last, the total number of values. */
static size_t place_of(const scree_scene *scene, size_t index)
{
    size_t place = has_mean_columns(scene) ? 1 + scree_scene_column_count(scene) : 0;

    for (size_t i = 0; i < index; i++)
        if (is_sampled(&scene->plan.fields[i]))
            place += 1 + numbers_of(&scene->plan.fields[i]) * cells_of(&scene->plan.fields[i]);
    return place;
}

size_t scene_mean_count(const scree_scene *scene)
{
    return place_of(scene, scene->plan.fields_count);
}

uint64_t scene_hash_means(const scree_scene *scene, uint64_t hash)
{
    for (size_t i = 0; i < scene->plan.measure_count; i++)
        if (scene->plan.measures[i].is_mean)
            hash = scree_hash_word(hash, i);
    for (size_t i = 0; i < scene->plan.fields_count; i++)
        for (int k = 0; k < 3 && is_sampled(&scene->plan.fields[i]); k++)
            hash = scree_hash_word(hash, scene->plan.fields[i].def.cells[k] +
                                             ((uint64_t)scene->plan.fields[i].wall << 32));
    return hash;
}

/* ---- columns ---------------------------------------------------------------------------------------------- */

scree_status scree_scene_sample(scree_scene *scene, scree_world *world, scree_error *error)
{
    double *means = scene->course.means;
    size_t count = scree_scene_column_count(scene);
    scree_memory memory;
    double *values = NULL;

    if (!scene->course.began)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "%s: the scene has not been started",
                          scene->name);
    if (!has_mean_columns(scene))
        return SCREE_OK;
    scree_memory_init(&memory, &scene->memory.allocator);
    if (scree_memory_take(&memory, count, sizeof *values, &values))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", scene->name);
    scree_status status = scene_measure_now(scene, world, true, values, error);
    for (size_t i = 0; i < count && !status; i++)
        means[1 + i] += scene_is_mean(scene, scene_column_at(scene, i)) ? values[i] : 0;
    means[0] += !status;
    scree_memory_give(&memory, &values, count, sizeof *values);
    return status;
}

/*  Replaces the values of columns by means if there were samples, and starts new means. */
static void take_means(scree_scene *scene, double *values)
{
    double *means = scene->course.means;

    if (!has_mean_columns(scene) || means[0] == 0)
        return;
    for (size_t i = 0; i < scree_scene_column_count(scene); i++) {
        if (scene_is_mean(scene, scene_column_at(scene, i)))
            values[i] = means[1 + i] / means[0];
        means[1 + i] = 0;
    }
    means[0] = 0;
}

/*  Rates are measured from this time. */
static void remember(scree_scene *scene, double time)
{
    scene_course *course = &scene->course;

    course->last_time = time;
    for (size_t i = 0; i < scene->plan.sink_count; i++)
        course->sinks[i].last_mass = course->sinks[i].mass;
    for (size_t i = 0; i < scene->plan.measure_count; i++)
        course->planes[i].last_mass = course->planes[i].mass;
}

scree_status scree_scene_measure(scree_scene *scene, scree_world *world, double *values,
                                 scree_error *error)
{
    scree_status status = scene_measure_now(scene, world, false, values, error);

    if (status)
        return status;
    take_means(scene, values);
    scene_compute_formulas(scene, world, values);
    remember(scene, scree_world_clock(world).time);
    return SCREE_OK;
}

/* ---- fields ----------------------------------------------------------------------------------------------- */

/*  Adds all parts of a wall. */
static scree_status add_wall(const scree_scene *scene, scree_world *world,
                             const scree_scene_fields *grid, scree_wall_load *sums)
{
    const scree_scene_wall *wall = &scene->plan.walls[grid->wall - 1];
    size_t count = scree_world_walls(world, NULL, 0);
    scree_wall_id *ids = NULL;
    scree_memory memory;

    scree_memory_init(&memory, &scene->memory.allocator);
    scree_status status = scree_memory_take(&memory, count, sizeof *ids, &ids);
    if (!status)
        scree_world_walls(world, ids, count);
    for (uint32_t i = 0; i < wall->count && wall->first + i < count && !status; i++)
        status = scree_world_add_wall_loads(world, ids[wall->first + i], &grid->def, 1, sums,
                                            cells_of(grid));
    scree_memory_give(&memory, &ids, ids ? count : 0, sizeof *ids);
    return status;
}

/*  Fields and loads are structs of doubles, treated as arrays. */
static scree_status add_now(const scree_scene *scene, scree_world *world,
                            const scree_scene_fields *grid, double *sums, scree_error *error)
{
    scree_status status = grid->wall
                              ? add_wall(scene, world, grid, (scree_wall_load *)(void *)sums)
                              : scree_world_add_fields(world, &grid->def, 1,
                                                       (scree_field *)(void *)sums, cells_of(grid));

    return status ? scene_fail_at(scene, error, status, grid->line, "fields: %s",
                                  status == SCREE_OUT_OF_MEMORY ? "out of memory"
                                                                : scree_world_message(world))
                  : SCREE_OK;
}

/*  Adds a sample completely or not at all: memory may run out after some parts of a wall. */
static scree_status add_sample(scree_scene *scene, scree_world *world,
                               const scree_scene_fields *grid, double *sums, scree_error *error)
{
    size_t count = cells_of(grid) * numbers_of(grid);
    scree_memory memory;
    double *with = NULL;

    if (!grid->wall || scene->plan.walls[grid->wall - 1].count == 1)
        return add_now(scene, world, grid, sums, error);
    scree_memory_init(&memory, &scene->memory.allocator);
    if (scree_memory_take(&memory, count, sizeof *with, &with))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", scene->name);
    memcpy(with, sums, count * sizeof *with);
    scree_status status = add_now(scene, world, grid, with, error);
    if (!status)
        memcpy(sums, with, count * sizeof *with);
    scree_memory_give(&memory, &with, count, sizeof *with);
    return status;
}

static scree_status check_index(const scree_scene *scene, size_t index, scree_error *error)
{
    if (!scene->course.began)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "%s: the scene has not been started",
                          scene->name);
    if (index >= scene->plan.fields_count)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "%s: there are %zu fields, so %zu is not an index", scene->name,
                          scene->plan.fields_count, index);
    return SCREE_OK;
}

static double *sums_of(const scree_scene *scene, size_t index)
{
    return scene->course.means + place_of(scene, index) + 1;
}

scree_status scree_scene_sample_fields(scree_scene *scene, scree_world *world, size_t index,
                                       scree_error *error)
{
    scree_status status = check_index(scene, index, error);

    if (status || !is_sampled(&scene->plan.fields[index]))
        return status;
    status = add_sample(scene, world, &scene->plan.fields[index], sums_of(scene, index), error);
    scene->course.means[place_of(scene, index)] += !status;
    return status;
}

static scree_status write_cells(const scree_scene *scene, const scree_scene_fields *grid,
                                double time, const double *cells, const char *path,
                                scree_error *error)
{
    int dimensions = scene->plan.world.dimensions;
    const void *rows = cells;

    return grid->wall ? scree_export_wall_loads(&grid->def, dimensions, time, rows, cells_of(grid),
                                                path, error)
                      : scree_export_fields(&grid->def, dimensions, time, rows, cells_of(grid),
                                            path, error);
}

scree_status scree_scene_write_fields(const scree_scene *scene, scree_world *world, size_t index,
                                      const char *path, scree_error *error)
{
    scree_status status = check_index(scene, index, error);
    double *mean = NULL;
    scree_memory memory;

    if (status)
        return status;
    const scree_scene_fields *grid = &scene->plan.fields[index];
    size_t count = cells_of(grid) * numbers_of(grid);
    double samples = is_sampled(grid) ? scene->course.means[place_of(scene, index)] : 0;
    scree_memory_init(&memory, &scene->memory.allocator);
    if (scree_memory_take(&memory, count, sizeof *mean, &mean))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", scene->name);
    memset(mean, 0, count * sizeof *mean);
    for (size_t i = 0; i < count && samples > 0; i++)
        mean[i] = sums_of(scene, index)[i] / samples;
    if (!(samples > 0))
        status = add_now(scene, world, grid, mean, error);
    if (!status)
        status = write_cells(scene, grid, scree_world_clock(world).time, mean, path, error);
    scree_memory_give(&memory, &mean, count, sizeof *mean);
    return status;
}

void scree_scene_restart_fields(scree_scene *scene, size_t index)
{
    if (check_index(scene, index, NULL) || !is_sampled(&scene->plan.fields[index]))
        return;
    scene->course.means[place_of(scene, index)] = 0;
    memset(sums_of(scene, index), 0,
           cells_of(&scene->plan.fields[index]) * numbers_of(&scene->plan.fields[index]) *
               sizeof(double));
}
