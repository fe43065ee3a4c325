/*  What the films of runs do not have: meshes of walls and shapes of bodies. Frames refer to walls by handle and to bodies
    by global id, and a checkpoint of the run has what they look like. */
#include "film_parts.h"

#include "bytes.h"
#include "lab_internal.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD_BYTES 20u
#define WALL_BYTES 12u
#define ROW_BYTES 8u

/*  What is written. */
typedef struct parts
{
    scree_world *world; /* NULL: there is nothing but a message */
    scree_wall_id *ids;
    size_t wall_count;
    uint8_t *walls, *shapes;
    size_t wall_bytes, shape_bytes;
    scree_lab_cloud cloud;
    scree_lab_shapes found;
    size_t row_count;
    const char *message;
} parts;

static void free_parts(parts *p)
{
    scree_lab_shapes_free(&p->found);
    scree_lab_cloud_free(&p->cloud);
    free(p->shapes);
    free(p->walls);
    free(p->ids);
}

static scree_status read_parts(parts *p, int dimensions)
{
    double lower[3], upper[3];

    scree_lab_measure_box(p->world, lower, upper);
    p->wall_count = scree_world_walls(p->world, NULL, 0);
    p->ids = malloc((p->wall_count + 1) * sizeof *p->ids);
    if (!p->ids ||
        !scree_lab_write_walls(p->world, dimensions, 0, lower, upper, &p->walls, &p->wall_bytes))
        return SCREE_OUT_OF_MEMORY;
    scree_world_walls(p->world, p->ids, p->wall_count);
    if (p->wall_count > LAB_WALL_MOST)
        p->wall_count = LAB_WALL_MOST;
    scree_bodies_view bodies = scree_world_bodies(p->world);
    p->cloud.dimensions = dimensions;
    p->cloud.grain = scree_lab_grain_of(&bodies, lower, upper);
    scree_lab_shapes_begin(&p->found);
    scree_status status = scree_lab_cloud_take(&p->cloud, p->world, 0);
    if (!status)
        status = scree_lab_shapes_take(&p->found, p->world, &p->cloud);
    if (!status)
        status = scree_lab_shapes_write(&p->found, 0, &p->shapes, &p->shape_bytes);
    for (size_t i = 0; i < p->cloud.slot_count && !status; i++)
        p->row_count += p->cloud.radius[i] > 0 && p->cloud.shape[i] > 0;
    return status;
}

static uint8_t *put_bytes(uint8_t *at, const void *bytes, size_t count)
{
    if (count)
        memcpy(at, bytes, count);
    return at + count;
}

static scree_status write_parts(const parts *p, size_t before, uint8_t **bytes, size_t *count)
{
    size_t said = strlen(p->message);
    scree_wall wall = {0};

    *count = before + HEAD_BYTES + WALL_BYTES * p->wall_count + p->wall_bytes + p->shape_bytes +
             ROW_BYTES * p->row_count + said;
    *bytes = malloc(*count);
    if (!*bytes)
        return SCREE_OUT_OF_MEMORY;
    uint8_t *at = *bytes + before;
    at = scree_lab_put_whole(at, (uint32_t)said);
    at = scree_lab_put_whole(at, (uint32_t)p->wall_count);
    at = scree_lab_put_whole(at, (uint32_t)p->wall_bytes);
    at = scree_lab_put_whole(at, (uint32_t)p->shape_bytes);
    at = scree_lab_put_whole(at, (uint32_t)p->row_count);
    for (size_t i = 0; i < p->wall_count; i++) {
        (void)scree_world_get_wall(p->world, p->ids[i], &wall);
        at = scree_lab_put_whole(at, p->ids[i].index1);
        at = scree_lab_put_whole(at, p->ids[i].generation);
        at = scree_lab_put_whole(at, (uint32_t)wall.kind);
    }
    at = put_bytes(put_bytes(at, p->walls, p->wall_bytes), p->shapes, p->shape_bytes);
    for (size_t i = 0; i < p->cloud.slot_count; i++)
        if (p->cloud.radius[i] > 0 && p->cloud.shape[i] > 0) {
            at = scree_lab_put_whole(at, p->cloud.number[i]);
            at = scree_lab_put_whole(at, p->cloud.shape[i]);
        }
    put_bytes(at, p->message, said);
    return SCREE_OK;
}

scree_status scree_lab_film_parts(scree_world *world, int dimensions, const char *message,
                                  size_t before, uint8_t **bytes, size_t *count)
{
    parts p = {.world = world, .message = message};
    scree_status status = world ? read_parts(&p, dimensions) : SCREE_OK;

    if (!status)
        status = write_parts(&p, before, bytes, count);
    free_parts(&p);
    return status;
}

static scree_status read_world(scree_lab *lab, const uint8_t *bytes, size_t count,
                               scree_world **world, int *dimensions, scree_error *error)
{
    scree_allocator memory = scree_lab_bounded_hooks(&lab->memory);
    scree_world_def hooks = scree_default_world_def();
    scree_checkpoint *checkpoint = NULL;
    scree_status status = scree_checkpoint_read_bytes(bytes, count, &memory, &checkpoint, error);

    hooks.hooks.allocator = memory;
    if (!status) {
        *dimensions = scree_checkpoint_describe(checkpoint).dimensions;
        status = scree_checkpoint_world(checkpoint, &hooks, world, error);
    }
    scree_checkpoint_destroy(checkpoint);
    return status;
}

/*  A checkpoint that cannot be read is no failure: the page shows what it can, with the reason. */
scree_status scree_lab_tell_parts(scree_lab *lab, uint32_t client, const uint8_t *data,
                                  size_t data_bytes, scree_error *error)
{
    scree_world *world = NULL;
    scree_error why = {SCREE_OK, ""};
    char message[400] = "";
    uint8_t *bytes = NULL;
    size_t count = 0;
    int dimensions = 3;

    if (read_world(lab, data, data_bytes, &world, &dimensions, &why))
        snprintf(message, sizeof message,
                 "walls other than planes are not shown, and all bodies are shown as balls, as the "
                 "newest checkpoint cannot be read: %.200s",
                 why.text);
    scree_status status = scree_lab_film_parts(world, dimensions, message, 4, &bytes, &count);
    scree_world_destroy(world);
    if (status)
        return scree_fail(error, status, "the parts of the run: out of memory");
    memset(bytes, 0, 4);
    bytes[0] = 6;
    scree_lab_post(lab, SCREE_LAB_FILM_PARTS, client, false, bytes, count);
    return SCREE_OK;
}
