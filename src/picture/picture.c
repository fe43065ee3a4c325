/*  Renders a picture: which bodies, in which colour (roster.c), the camera (lens.c), the geometry (subject.c,
    walls_seen.c); then the tiles of the screen, each independently (tile.h), and the text (legend.c). */
#include "picture/picture_internal.h"

#include "base/error.h"
#include "picture/discs.h"
#include "picture/legend.h"
#include "picture/tile.h"
#include "world/step/world_data.h"

#include <math.h>
#include <string.h>

/*  All data of a picture in progress. */
typedef struct studio
{
    scree_picture_def own; /* the definition in full */
    const scree_picture_def *def;
    scree_world *world;
    scree_memory memory;
    scree_workers workers;
    scree_roster roster;
    scree_palette palette;
    scree_wall_colours walls;
    scree_subject subject;
    scree_tile *tiles; /* one per worker */
    double lower[3], upper[3];
    uint8_t *pixels;
    uint32_t tile_side, tiles_across, tiles_down;
    atomic_int failed; /* status of a tile that could not be drawn */
} studio;

int scree_map_index(const char *name)
{
    for (int i = 0; scree_map_names[i]; i++)
        if (strcmp(scree_map_names[i], name) == 0)
            return i;
    return -1;
}

const char *scree_picture_map_at(size_t index)
{
    return index < SCREE_MAPS ? scree_map_names[index] : NULL;
}

/* ---- before the first tile ---- */

static scree_status open_studio(studio *s, scree_world *world, const scree_picture_def *def,
                                scree_error *error)
{
    memset(s, 0, sizeof *s);
    s->def = &s->own;
    s->world = world;
    s->subject.memory = &s->memory;
    s->subject.workers = &s->workers;
    s->subject.def = &s->own;
    s->subject.walls = &s->walls;
    scree_status status = scree_picture_read_def(def, &s->own, error);
    if (status)
        return status;
    if (!world) {
        scree_fail(error, SCREE_BAD_ARGUMENT, "picture: no world");
        return SCREE_BAD_ARGUMENT;
    }
    if (world->def.dimensions == 2 && scree_wall_field_index(s->own.wall_field) > 0)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "picture def: wall_field: in two dimensions walls are lines without "
                          "colours; use \"none\"");
    status = scree_memory_init(&s->memory, &s->own.allocator);
    if (!status)
        status = scree_workers_init(&s->workers, &s->own.tasks, s->own.thread_count,
                                    &s->own.allocator, NULL);
    if (status)
        return scree_fail(error, status, "picture def: allocator, tasks or thread_count: %s",
                          scree_status_name(status));
    return SCREE_OK;
}

static void free_studio(studio *s)
{
    for (uint32_t w = 0; s->tiles && w < s->workers.count; w++)
        scree_tile_free(&s->tiles[w]);
    scree_memory_give(&s->memory, &s->tiles, s->workers.count, sizeof *s->tiles);
    scree_subject_free(&s->subject);
    scree_roster_free(&s->roster, &s->memory);
    scree_wall_colours_free(&s->walls, &s->memory);
    scree_workers_free(&s->workers);
}

/*  Selects the bodies, and computes the bounding box. */
static scree_status call_roster(studio *s)
{
    scree_status status = scree_roster_call(&s->roster, s->world, s->def, &s->memory, &s->workers);
    if (status)
        return status;
    scree_subject_box(s->world, &s->roster, s->def, s->lower, s->upper);
    bool empty = s->lower[0] > s->upper[0];
    for (int k = 0; k < 3 && empty; k++) {
        /* nothing is visible: any box is valid */
        s->lower[k] = -0.5;
        s->upper[k] = 0.5;
    }
    return SCREE_OK;
}

static int map_of(const studio *s)
{
    if (s->def->map)
        return scree_map_index(s->def->map);
    return s->roster.is_name     ? SCREE_MAP_PEBBLES
           : s->roster.is_signed ? SCREE_MAP_BALANCE
                                 : SCREE_MAP_LAGOON;
}

static scree_status pose(studio *s, scree_error *error)
{
    const double *gravity = s->world->def.gravity;
    const scree_picture_camera *camera = &s->def->camera;
    double sky[3] = {-gravity[0], -gravity[1], -gravity[2]};
    scree_status status = call_roster(s);
    if (!status)
        status = scree_roster_read(&s->roster, s->world, s->def, &s->memory, error);
    if (!status)
        status = scree_wall_colours_read(&s->walls, s->world, s->def, &s->memory, error);
    if (status)
        return status;
    if (!scree_view_normalise(sky))
        sky[2] = 1;
    scree_palette_set(&s->palette, map_of(s));
    status = scree_lens_set(&s->subject.lens, s->def, s->world->def.dimensions, sky,
                            camera->boxed ? camera->lower : s->lower,
                            camera->boxed ? camera->upper : s->upper, error);
    return status ? status
                  : scree_subject_pose(&s->subject, s->world, &s->roster, &s->palette, s->lower,
                                       s->upper);
}

/* ---- tiles ---- */

static void write_pixels(const studio *s, const scree_tile *tile)
{
    for (uint32_t y = 0; y < tile->height; y++)
        for (uint32_t x = 0; x < tile->width; x++) {
            const float *light = tile->light[y * tile->width + x];
            uint8_t *to = s->pixels + 3 * ((size_t)(tile->y + y) * s->def->width + (tile->x + x));
            for (int k = 0; k < 3; k++)
                to[k] = scree_to_screen(&s->palette, light[k]);
        }
}

static scree_status draw_flat(const studio *s, scree_tile *tile)
{
    scree_canvas canvas = scree_canvas_of(s->pixels, s->def->width, s->def->height);
    scree_window window = scree_tile_window(tile);
    canvas.left = tile->x;
    canvas.top = tile->y;
    canvas.right = tile->x + tile->width;
    canvas.bottom = tile->y + tile->height;
    return scree_draw_discs(&s->subject, &s->palette, &canvas, &window, s->subject.memory,
                            &tile->list);
}

static scree_status draw_tile(const studio *s, scree_tile *tile)
{
    bool flat = s->world->def.dimensions == 2;
    scree_status status = SCREE_OK;
    if (flat)
        scree_tile_lay(tile);
    else
        status = scree_tile_cast(tile);
    if (status)
        return status;
    scree_tile_shade(tile);
    if (!flat)
        status = scree_tile_draw_edges(tile);
    if (status)
        return status;
    write_pixels(s, tile);
    return flat ? draw_flat(s, tile) : SCREE_OK;
}

static void tile_block(void *data, size_t block, uint32_t worker)
{
    studio *s = data;
    scree_tile *tile = &s->tiles[worker];
    uint32_t column = (uint32_t)(block % s->tiles_across),
             row = (uint32_t)(block / s->tiles_across);
    tile->x = column * s->tile_side;
    tile->y = row * s->tile_side;
    tile->width = s->def->width - tile->x;
    tile->height = s->def->height - tile->y;
    tile->width = tile->width < s->tile_side ? tile->width : s->tile_side;
    tile->height = tile->height < s->tile_side ? tile->height : s->tile_side;
    scree_status status = draw_tile(s, tile);
    if (status)
        atomic_store(&s->failed, (int)status);
}

static scree_status draw_tiles(studio *s)
{
    scree_status status =
        scree_memory_take(&s->memory, s->workers.count, sizeof *s->tiles, &s->tiles);
    if (status)
        return status;
    memset(s->tiles, 0, s->workers.count * sizeof *s->tiles);
    for (uint32_t w = 0; w < s->workers.count; w++) {
        s->tiles[w].subject = &s->subject;
        s->tiles[w].memory = &s->memory;
        s->tiles[w].samples = s->def->samples;
    }
    s->tile_side = SCREE_TILE_SIDE / s->def->samples;
    s->tiles_across = (s->def->width + s->tile_side - 1) / s->tile_side;
    s->tiles_down = (s->def->height + s->tile_side - 1) / s->tile_side;
    scree_workers_run(&s->workers, (size_t)s->tiles_across * s->tiles_down, tile_block, s);
    return (scree_status)atomic_load(&s->failed);
}

/* ---- public functions ---- */

/*  Either may be NULL. */
static scree_status look_at(scree_world *world, const scree_picture_def *def, double box[2][3],
                            double range[2], scree_error *error)
{
    studio s;
    scree_error why = {SCREE_OK, ""};
    scree_status status = open_studio(&s, world, def, &why);
    if (!status) {
        status = call_roster(&s);
        if (!status && range)
            status = scree_roster_read(&s.roster, world, &s.own, &s.memory, &why);
        for (int k = 0; k < 3 && box; k++) {
            box[0][k] = s.lower[k];
            box[1][k] = s.upper[k];
        }
        for (int k = 0; k < 2 && range; k++)
            range[k] = s.roster.range[k];
        free_studio(&s);
    }
    if (status)
        scree_fail(error, status, "%s", *why.text ? why.text : scree_status_name(status));
    return status;
}

scree_status scree_picture_box(scree_world *world, const scree_picture_def *def, double lower[3],
                               double upper[3], scree_error *error)
{
    double box[2][3];
    if (!lower || !upper)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "picture: nowhere to put the box");
    scree_status status = look_at(world, def, box, NULL, error);
    for (int k = 0; k < 3 && !status; k++) {
        lower[k] = box[0][k];
        upper[k] = box[1][k];
    }
    return status;
}

scree_status scree_picture_range(scree_world *world, const scree_picture_def *def, double range[2],
                                 scree_error *error)
{
    double found[2];
    if (!range)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "picture: nowhere to put the range");
    scree_status status = look_at(world, def, NULL, found, error);
    for (int k = 0; k < 2 && !status; k++)
        range[k] = found[k];
    return status;
}

scree_status scree_picture_wall_range(scree_world *world, const scree_picture_def *def,
                                      double range[2], scree_error *error)
{
    studio s;
    scree_error why = {SCREE_OK, ""};

    if (!range)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "picture: nowhere to put the range of walls");
    scree_status status = open_studio(&s, world, def, &why);
    if (!status) {
        status = scree_wall_colours_read(&s.walls, world, &s.own, &s.memory, &why);
        for (int k = 0; k < 2 && !status; k++)
            range[k] = s.walls.is_empty ? 0 : s.walls.range[k];
        free_studio(&s);
    }
    if (status)
        scree_fail(error, status, "%s", *why.text ? why.text : scree_status_name(status));
    return status;
}

static scree_status make_picture(const scree_picture_def *def, scree_picture **picture)
{
    scree_memory memory;
    scree_status status = scree_memory_init(&memory, &def->allocator);
    if (!status)
        status = scree_memory_take(&memory, 1, sizeof **picture, picture);
    if (status)
        return status;
    memset(*picture, 0, sizeof **picture);
    scree_memory_init(&(*picture)->memory, &def->allocator);
    (*picture)->width = def->width;
    (*picture)->height = def->height;
    return scree_memory_take(&(*picture)->memory, (size_t)def->width * def->height, 3,
                             &(*picture)->pixels);
}

scree_status scree_picture_draw(scree_world *world, const scree_picture_def *def,
                                scree_picture **picture, scree_error *error)
{
    studio s;
    if (!picture)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "picture: nowhere to put it");
    *picture = NULL;
    scree_error why = {SCREE_OK, ""};
    scree_status status = open_studio(&s, world, def, &why);
    if (!status) {
        status = make_picture(&s.own, picture);
        if (!status) {
            s.pixels = (*picture)->pixels;
            status = pose(&s, &why);
        }
        if (!status)
            status = draw_tiles(&s);
        if (!status) {
            scree_canvas canvas = scree_canvas_of(s.pixels, s.own.width, s.own.height);
            scree_legend_draw(&canvas, &s.own, &s.roster, &s.palette, &s.walls, world->clock.time);
            memcpy((*picture)->range, s.roster.range, sizeof s.roster.range);
            (*picture)->bodies = s.roster.count;
        }
        free_studio(&s);
    }
    if (!status)
        return SCREE_OK;
    scree_picture_destroy(*picture);
    *picture = NULL;
    scree_fail(error, status, "%s", *why.text ? why.text : scree_status_name(status));
    return status;
}

void scree_picture_destroy(scree_picture *picture)
{
    if (!picture)
        return;
    scree_memory memory = picture->memory;
    scree_memory_give(&memory, &picture->pixels, (size_t)picture->width * picture->height, 3);
    scree_memory_give(&memory, &picture, 1, sizeof *picture);
}

scree_picture_info scree_picture_describe(const scree_picture *picture)
{
    if (!picture)
        return (scree_picture_info){0};
    return (scree_picture_info){picture->width,
                                picture->height,
                                picture->pixels,
                                {picture->range[0], picture->range[1]},
                                picture->bodies};
}

scree_status scree_picture_png(scree_world *world, const scree_picture_def *def, const char *path,
                               scree_error *error)
{
    scree_picture *picture;
    scree_status status = scree_picture_draw(world, def, &picture, error);
    if (status)
        return status;
    status = scree_png_write_in(&picture->memory.allocator, picture->pixels, picture->width,
                                picture->height, path, error);
    scree_picture_destroy(picture);
    return status;
}
