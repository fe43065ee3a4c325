#include "app/look/film_world.h"
#include "common/film_format.h"
#include "common/film_head.h"
#include "common/options.h"
#include "common/out_file.h"

#include "scree/wall.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*  A body of the base, to be found by its global id. */
typedef struct known_body
{
    uint64_t serial;
    scree_body_id id;
} known_body;

typedef struct film_reader
{
    const unsigned char *at, *end;
    bool is_short; /* the file ends too early */
    scree_film_head head;
    known_body *known;
    size_t known_count;
} film_reader;

bool scree_is_film_frame(const char *path)
{
    size_t length = strlen(path), ending = sizeof SCREE_FILM_SUFFIX - 1;
    return length > ending && strcmp(path + length - ending, SCREE_FILM_SUFFIX) == 0;
}

/* ---- numbers ---- */

static uint64_t get_whole(film_reader *r, int bytes)
{
    uint64_t value = 0;

    if (r->end - r->at < bytes) {
        r->is_short = true;
        return 0;
    }
    for (int k = 0; k < bytes; k++)
        value |= (uint64_t)*r->at++ << 8 * k;
    return value;
}

static double get_real(film_reader *r)
{
    uint64_t bits = get_whole(r, 8);
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static void get_reals(film_reader *r, double *values, int count)
{
    for (int k = 0; k < count; k++)
        values[k] = get_real(r);
}

static uint64_t get_serial(film_reader *r, uint64_t before)
{
    uint64_t sum = 0, byte = 128;

    for (int shift = 0; (byte & 128) && shift < 64 && !r->is_short; shift += 7) {
        byte = get_whole(r, 1);
        sum |= (byte & 127) << shift;
    }
    return before + sum;
}

/* ---- what the base knows ---- */

static int compare_known(const void *a, const void *b)
{
    const known_body *x = a, *y = b;
    return (x->serial > y->serial) - (x->serial < y->serial);
}

static bool know_bodies(film_reader *r, scree_world *base)
{
    scree_bodies_view view = scree_world_bodies(base);

    r->known = malloc((view.count + 1) * sizeof *r->known);
    if (!r->known)
        return false;
    for (size_t i = 0; i < view.count; i++)
        r->known[i] = (known_body){scree_uint64_at(view.serial, i), scree_body_id_at(view.id, i)};
    r->known_count = view.count;
    qsort(r->known, r->known_count, sizeof *r->known, compare_known);
    return true;
}

static scree_shape shape_of(const film_reader *r, const scree_world *base, uint64_t serial,
                            double radius)
{
    const known_body key = {.serial = serial}, *found;
    scree_body body;

    found = bsearch(&key, r->known, r->known_count, sizeof key, compare_known);
    if (found && !scree_world_get_body(base, found->id, &body) &&
        body.shape.kind != SCREE_SHAPE_SPHERE)
        return body.shape;
    return scree_shape_sphere(radius);
}

/* ---- a world ---- */

static scree_status add_walls(film_reader *r, scree_world *base, scree_world *world)
{
    scree_status status = SCREE_OK;

    for (uint32_t i = 0; i < r->head.wall_count && !status && !r->is_short; i++) {
        scree_wall_def def = scree_default_wall_def();
        scree_wall wall = {0};
        scree_wall_id id = {0};
        id.index1 = (uint32_t)get_whole(r, 4);
        id.generation = (uint32_t)get_whole(r, 4);
        def.kind = (scree_wall_kind)get_whole(r, 4);
        get_whole(r, 4);
        get_reals(r, def.point, 3);
        get_reals(r, def.orientation, 4);
        get_reals(r, def.normal, 3);
        def.material.index1 = 1;
        bool is_known = !scree_world_get_wall(base, id, &wall) && wall.kind == def.kind;
        if (r->is_short || (def.kind != SCREE_WALL_PLANE && !is_known))
            continue;
        def.mesh = wall.mesh;
        if (def.kind == SCREE_WALL_PLANE)
            memcpy(def.orientation, (const double[4]){1}, sizeof def.orientation);
        else
            memcpy(def.normal, scree_default_wall_def().normal, sizeof def.normal);
        status = scree_world_add_wall(world, &def, NULL);
    }
    return status;
}

static scree_status add_bodies(film_reader *r, scree_world *base, scree_world *world)
{
    scree_status status = SCREE_OK;
    uint64_t serial = 0;

    for (uint64_t i = 0; i < r->head.body_count && !status && !r->is_short; i++) {
        scree_body_def def = scree_default_body_def();
        serial = get_serial(r, serial);
        for (uint32_t k = 0; k < 3; k++) {
            def.position[k] = r->head.lower[k] + (double)get_whole(r, 2) / 65535 *
                                                     (r->head.upper[k] - r->head.lower[k]);
            if (k >= r->head.dimensions)
                def.position[k] = 0;
        }
        double radius = (double)get_whole(r, 2) / 65535 * r->head.radius;
        for (int k = 0; k < 3; k++)
            def.velocity[k] = (double)(int16_t)get_whole(r, 2) / 32767 * r->head.speed;
        for (int k = 0; k < 4; k++)
            def.orientation[k] = (double)(int8_t)get_whole(r, 1) / 127;
        def.material.index1 = (uint32_t)get_whole(r, 1);
        def.shape = shape_of(r, base, serial, radius);
        def.user = serial;
        if (!r->is_short)
            status = scree_world_add_body(world, &def, NULL);
    }
    return status;
}

/*  Its clock is at the time of the frame: one step of an empty world. Materials are there as numbers alone. */
static scree_status make_world(const film_reader *r, uint32_t threads, scree_world **world)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();

    def.dimensions = (int)r->head.dimensions;
    def.step.dt = r->head.time > 0 ? r->head.time : 1;
    def.compute.thread_count = threads;
    material.density = 1000;
    scree_status status = scree_world_create(&def, world);
    if (!status && r->head.time > 0)
        status = scree_world_step(*world, 1);
    for (int k = 1; k <= 255 && !status; k++)
        status = scree_world_add_material(*world, &material, NULL);
    return status;
}

static bool read_head(film_reader *r, uint64_t *steps)
{
    bool good = scree_film_read_head(r->at, (size_t)(r->end - r->at), &r->head);

    if (good)
        r->at += SCREE_FILM_HEAD_BYTES;
    *steps = r->head.steps;
    return good;
}

int scree_film_world(const char *path, scree_world *base, uint32_t threads, scree_world **world,
                     uint64_t *steps)
{
    char *text = NULL;
    size_t bytes = 0;
    film_reader r = {0};
    scree_status status = SCREE_BAD_FILE;
    int code = scree_read_file(path, &text, &bytes);

    *world = NULL;
    if (code != SCREE_EXIT_OK)
        return code;
    r.at = (const unsigned char *)text;
    r.end = r.at + bytes;
    if (!know_bodies(&r, base)) {
        status = SCREE_OUT_OF_MEMORY;
    } else if (read_head(&r, steps)) {
        status = make_world(&r, threads, world);
        if (!status)
            status = add_walls(&r, base, *world);
        if (!status)
            status = add_bodies(&r, base, *world);
    }
    if (status || r.is_short || r.at != r.end) {
        scree_message("%s: is not a complete frame of a film%s%s", path, *world ? ": " : "",
                      *world ? scree_world_message(*world) : "");
        code = status == SCREE_OUT_OF_MEMORY ? SCREE_EXIT_MEMORY : SCREE_EXIT_INPUT;
        scree_world_destroy(*world);
        *world = NULL;
    }
    free(r.known);
    free(text);
    return code;
}
