/*  Meshes of walls and shapes of bodies for the film of a run: its frames refer to walls by handle and to bodies by global
    id, and the newest checkpoint has what they look like. */
#include "bytes.h"
#include "lab_internal.h"
#include "runs.h"

#include "scree/checkpoint.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD_BYTES 20u
#define WALL_BYTES 12u
#define ROW_BYTES 8u

/*  What the answer is made of. */
typedef struct parts
{
    scree_world *world;
    scree_wall_id *ids;
    size_t wall_count;
    uint8_t *walls, *shapes;
    size_t wall_bytes, shape_bytes;
    scree_lab_cloud cloud;
    scree_lab_shapes found;
    size_t row_count;
    char message[400];
} parts;

static void free_parts(parts *p)
{
    scree_lab_shapes_free(&p->found);
    scree_lab_cloud_free(&p->cloud);
    free(p->shapes);
    free(p->walls);
    free(p->ids);
    scree_world_destroy(p->world);
}

/*  The name that is last in order, since names have the step with leading zeros; "": there is none. */
static void find_newest(const char *run, char path[4096])
{
    char folder[4096], name[256] = "";
    int length = snprintf(folder, sizeof folder, "%s/checkpoints", run);
    DIR *there = length > 0 && length < (int)sizeof folder ? opendir(folder) : NULL;

    for (struct dirent *entry; there && (entry = readdir(there)) != NULL;) {
        size_t size = strlen(entry->d_name), end = sizeof ".scree" - 1;
        if (size > end && size < sizeof name && strcmp(entry->d_name + size - end, ".scree") == 0 &&
            strcmp(entry->d_name, name) > 0)
            memcpy(name, entry->d_name, size + 1);
    }
    if (there)
        closedir(there);
    path[0] = 0;
    if (name[0] && snprintf(path, 4096, "%s/%s", folder, name) >= 4096)
        path[0] = 0;
}

/*  The error names a file of this machine, which is not for a page: only the part after the path. */
static const char *without_path(const char *text, const char *path)
{
    size_t length = strlen(path);
    return strncmp(text, path, length) == 0 && text[length] == ':' ? text + length + 2 : text;
}

/*  p->world stays NULL, with a message, if there is no checkpoint or it cannot be read. */
static void open_world(const char *run, const scree_allocator *memory, parts *p, int *dimensions)
{
    scree_world_def hooks = scree_default_world_def();
    scree_checkpoint *checkpoint = NULL;
    scree_error error = {SCREE_OK, ""};
    char path[4096];

    find_newest(run, path);
    hooks.hooks.allocator = *memory;
    if (path[0] == 0) {
        snprintf(p->message, sizeof p->message,
                 "the run has no checkpoint yet: walls other than planes are not shown, and all "
                 "bodies are shown as balls");
        return;
    }
    scree_status status = scree_checkpoint_read(path, memory, &checkpoint, &error);
    if (!status) {
        *dimensions = scree_checkpoint_describe(checkpoint).dimensions;
        status = scree_checkpoint_world(checkpoint, &hooks, &p->world, &error);
    }
    scree_checkpoint_destroy(checkpoint);
    if (status)
        snprintf(p->message, sizeof p->message,
                 "walls other than planes are not shown, and all bodies are shown as balls, as the "
                 "newest checkpoint cannot be read: %.200s",
                 without_path(error.text, path));
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

static scree_status write_parts(const parts *p, scree_lab_answer *answer)
{
    size_t said = strlen(p->message);
    scree_wall wall = {0};

    answer->type = "application/octet-stream";
    answer->count = HEAD_BYTES + WALL_BYTES * p->wall_count + p->wall_bytes + p->shape_bytes +
                    ROW_BYTES * p->row_count + said;
    uint8_t *at = answer->bytes = malloc(answer->count);
    if (!at)
        return SCREE_OUT_OF_MEMORY;
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

scree_status scree_lab_run_parts(const char *run, size_t max_bytes, scree_lab_answer *answer)
{
    lab_bounded bounded = {.most = max_bytes};
    scree_allocator memory = scree_lab_bounded_hooks(&bounded);
    parts p = {0};
    int dimensions = 3;

    open_world(run, &memory, &p, &dimensions);
    scree_status status = p.world ? read_parts(&p, dimensions) : SCREE_OK;
    if (!status)
        status = write_parts(&p, answer);
    free_parts(&p);
    return status;
}
