/*  Frames of a film (common/film_format.h). A run writes them by default, so that it can be rendered afterwards from
    any side and in any colours, without a checkpoint for each frame. */
#include "app/run/run.h"
#include "common/film_format.h"

#include "io/write_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SERIAL_BYTES 10

typedef struct row_of_body
{
    uint64_t serial;
    size_t row;
} row_of_body;

typedef struct frame
{
    scree_bodies_view view;
    row_of_body *order; /* by global id */
    double lower[3], upper[3], radius, speed;
    uint64_t last; /* global id */
} frame;

/* ---- numbers ---- */

static void put_whole(scree_file *file, uint64_t value, int bytes)
{
    unsigned char out[8];

    for (int k = 0; k < bytes; k++)
        out[k] = (unsigned char)(value >> 8 * k);
    scree_file_put(file, out, (size_t)bytes);
}

static void put_real(scree_file *file, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    put_whole(file, bits, 8);
}

static void put_reals(scree_file *file, const double *values, int count)
{
    for (int k = 0; k < count; k++)
        put_real(file, values[k]);
}

/*  The whole number nearest to x * most, between -most and most. */
static uint64_t scaled(double x, double most)
{
    double value = floor(x * most + 0.5);

    value = value > most ? most : value < -most ? -most : value;
    return (uint64_t)(int64_t)(isnan(value) ? 0 : value);
}

/* ---- a frame ---- */

static int by_serial(const void *a, const void *b)
{
    uint64_t x = ((const row_of_body *)a)->serial, y = ((const row_of_body *)b)->serial;
    return (x > y) - (x < y);
}

static void measure(frame *f)
{
    for (size_t i = 0; i < f->view.count; i++) {
        f->radius = fmax(f->radius, scree_double_at(f->view.radius, i));
        for (int k = 0; k < 3; k++) {
            double x = scree_row_at(f->view.position, i)[k];
            f->lower[k] = i ? fmin(f->lower[k], x) : x;
            f->upper[k] = i ? fmax(f->upper[k], x) : x;
            f->speed = fmax(f->speed, fabs(scree_row_at(f->view.velocity, i)[k]));
        }
    }
}

static scree_status put_walls(scree_file *file, scree_world *world, const scree_wall_id *ids,
                              size_t count)
{
    scree_status status = SCREE_OK;
    scree_wall wall;

    for (size_t i = 0; i < count && !status; i++) {
        status = scree_world_get_wall(world, ids[i], &wall);
        put_whole(file, ids[i].index1, 4);
        put_whole(file, ids[i].generation, 4);
        put_whole(file, (uint64_t)wall.kind, 4);
        put_whole(file, 0, 4);
        put_reals(file, wall.position, 3);
        put_reals(file, wall.orientation, 4);
        put_reals(file, wall.normal, 3);
    }
    return status;
}

static void put_serial(scree_file *file, frame *f, uint64_t serial)
{
    unsigned char out[MAX_SERIAL_BYTES];
    uint64_t left = serial - f->last;
    size_t used = 0;

    do {
        out[used] = (unsigned char)(left & 127);
        left >>= 7;
        out[used++] |= left ? 128 : 0;
    } while (left);
    f->last = serial;
    scree_file_put(file, out, used);
}

static void put_body(scree_file *file, frame *f, const scree_body *body, size_t row)
{
    put_serial(file, f, body->serial);
    for (int k = 0; k < 3; k++) {
        double width = f->upper[k] - f->lower[k];
        put_whole(file, width > 0 ? scaled((body->position[k] - f->lower[k]) / width, 65535) : 0,
                  2);
    }
    /* even the smallest radius relative to the largest must not become 0 */
    put_whole(file,
              scaled(fmax(scree_double_at(f->view.radius, row) / f->radius, 1. / 65535), 65535), 2);
    for (int k = 0; k < 3; k++)
        put_whole(file, f->speed > 0 ? scaled(body->velocity[k] / f->speed, 32767) : 0, 2);
    for (int k = 0; k < 4; k++)
        put_whole(file, scaled(body->orientation[k], 127), 1);
    put_whole(file, body->material.index1 < 255 ? body->material.index1 : 255, 1);
}

static scree_status put_all(scree_file *file, scree_run *run, frame *f, const scree_wall_id *ids,
                            size_t wall_count)
{
    scree_clock clock = scree_world_clock(run->world);
    scree_body body;

    scree_file_put(file, SCREE_FILM_MAGIC, SCREE_FILM_MAGIC_BYTES);
    put_whole(file, clock.steps, 8);
    put_whole(file, f->view.count, 8);
    put_real(file, clock.time);
    put_whole(file, wall_count, 4);
    put_whole(file, (uint64_t)run->plan->world.dimensions, 4);
    put_reals(file, f->lower, 3);
    put_reals(file, f->upper, 3);
    put_real(file, f->radius);
    put_real(file, f->speed);
    scree_status status = put_walls(file, run->world, ids, wall_count);
    for (size_t i = 0; i < f->view.count && !status; i++) {
        status =
            scree_world_get_body(run->world, scree_body_id_at(f->view.id, f->order[i].row), &body);
        put_body(file, f, &body, f->order[i].row);
    }
    return status;
}

scree_status scree_run_write_film(scree_run *run, const char *path, scree_error *error)
{
    frame f = {.view = scree_world_bodies(run->world)};
    size_t wall_count = scree_world_walls(run->world, NULL, 0);
    scree_wall_id *ids = malloc((wall_count + 1) * sizeof *ids);
    scree_status status = SCREE_OUT_OF_MEMORY;
    scree_file file;

    f.order = malloc((f.view.count + 1) * sizeof *f.order);
    if (ids && f.order) {
        scree_world_walls(run->world, ids, wall_count);
        f.view = scree_world_bodies(run->world);
        for (size_t i = 0; i < f.view.count; i++)
            f.order[i] = (row_of_body){scree_uint64_at(f.view.serial, i), i};
        qsort(f.order, f.view.count, sizeof *f.order, by_serial);
        measure(&f);
        status = scree_file_begin(&file, path, NULL, error);
        if (!status) {
            file.skip_sync = true;
            status = put_all(&file, run, &f, ids, wall_count);
            if (status)
                scree_file_abandon(&file);
            else
                status = scree_file_commit(&file);
        }
    }
    free(ids);
    free(f.order);
    return status;
}
