/*  Defaults and checks of a picture definition. */
#include "picture/picture_internal.h"

#include "base/check_numbers.h"
#include "base/error.h"
#include "base/nearest_name.h"
#include "base/sized_definition.h"
#include "picture/wall_colours.h"

#include <math.h>
#include <string.h>

#define DEF_COOKIE 0x91c7feedu
#define MAX_PIXELS 16384u
#define MAX_SAMPLES 4u
#define LARGEST 1e60 /* of a coordinate */

void scree_init_picture_def(scree_picture_def *def, size_t size)
{
    static const scree_picture_def own = {
        .cookie = DEF_COOKIE,
        .size = sizeof(scree_picture_def),
        .width = 1920,
        .height = 1080,
        .camera = {.projection = SCREE_PICTURE_PERSPECTIVE,
                   .up = {0, 0, 1},
                   .angle = 0.5,
                   .turn = 0.6,
                   .rise = 0.45,
                   .zoom = 1},
        .field = "speed",
        .own_unit = "",
        .colour_bar = true,
        .time_label = true,
        .title = "",
        .occlusion = true,
        .samples = 2,
        .thread_count = 1,
    };

    scree_definition_write(def, size, &own, sizeof own);
}

static bool usable(const double *numbers, int count)
{
    for (int k = 0; k < count; k++)
        if (!(fabs(numbers[k]) <= LARGEST))
            return false;
    return true;
}

static scree_status check_places(const scree_picture_camera *camera, scree_error *error)
{
    const struct
    {
        const char *name;
        const double *numbers;
        bool counts;
    } places[] = {
        {"camera.eye", camera->eye, camera->placed},
        {"camera.target", camera->target, camera->placed},
        {"camera.up", camera->up, camera->placed},
        {"camera.lower", camera->lower, camera->boxed},
        {"camera.upper", camera->upper, camera->boxed},
    };
    for (size_t i = 0; i < SCREE_COUNT_OF(places); i++)
        if (places[i].counts && !usable(places[i].numbers, 3))
            return scree_fail(error, SCREE_BAD_VALUE,
                              "picture def: %s is (%g, %g, %g), must be finite and at most %g",
                              places[i].name, places[i].numbers[0], places[i].numbers[1],
                              places[i].numbers[2], LARGEST);
    for (int k = 0; k < 3 && camera->boxed; k++)
        if (camera->lower[k] > camera->upper[k])
            return scree_refuse_number(error, "picture def", "camera.upper", camera->upper[k],
                                       "at least camera.lower");
    return SCREE_OK;
}

static scree_status check_camera(const scree_picture_camera *camera, scree_error *error)
{
    bool flat = camera->projection == SCREE_PICTURE_ORTHOGRAPHIC;
    if ((unsigned)camera->projection > SCREE_PICTURE_ORTHOGRAPHIC)
        return scree_refuse_number(error, "picture def", "camera.projection", camera->projection,
                                   "a projection");
    if (!(camera->angle > 0 && camera->angle <= 3))
        return scree_refuse_number(error, "picture def", "camera.angle", camera->angle,
                                   "above 0 and at most 3");
    if (camera->placed && flat && !(camera->height > 0 && camera->height <= LARGEST))
        return scree_refuse_number(error, "picture def", "camera.height", camera->height,
                                   "above 0 and finite");
    if (!usable(&camera->turn, 1))
        return scree_refuse_number(error, "picture def", "camera.turn", camera->turn, "finite");
    if (!usable(&camera->rise, 1))
        return scree_refuse_number(error, "picture def", "camera.rise", camera->rise, "finite");
    if (!(camera->zoom > 0 && camera->zoom <= 1e6))
        return scree_refuse_number(error, "picture def", "camera.zoom", camera->zoom,
                                   "above 0 and at most 1e6");
    return check_places(camera, error);
}

static const char *next_field(const void *list, size_t index)
{
    const scree_picture_field *field = scree_picture_field_at(index);
    (void)list;
    return field ? field->name : NULL;
}

static const char *next_wall_field(const void *list, size_t index)
{
    (void)list;
    return scree_picture_wall_field_at(index);
}

static scree_status check_colours(const scree_picture_def *def, scree_error *error)
{
    const char *near = NULL;
    if (!def->field || (!def->own_field && scree_field_index(def->field) < 0)) {
        near = def->field ? scree_nearest_name(def->field, next_field, NULL) : NULL;
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "picture def: there is no field \"%.60s\"%s%s%s",
                          def->field ? def->field : "(null)", near ? "; did you mean \"" : "",
                          near ? near : "", near ? "\"?" : "");
    }
    if (def->map && scree_map_index(def->map) < 0) {
        near = scree_nearest_of(def->map, scree_map_names);
        return scree_fail(error, SCREE_BAD_ARGUMENT, "picture def: there is no map \"%.60s\"%s%s%s",
                          def->map, near ? "; did you mean \"" : "", near ? near : "",
                          near ? "\"?" : "");
    }
    if (def->ranged && !(usable(def->range, 2) && def->range[0] < def->range[1]))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "picture def: range is %g to %g, must be finite and ascending",
                          def->range[0], def->range[1]);
    if (def->ranged && def->logarithmic && !(def->range[0] > 0))
        return scree_refuse_number(error, "picture def", "range[0]", def->range[0],
                                   "above 0 where colours are logarithmic");
    return SCREE_OK;
}

static scree_status check_wall_colours(const scree_picture_def *def, scree_error *error)
{
    if (scree_wall_field_index(def->wall_field) < 0) {
        const char *near = scree_nearest_name(def->wall_field, next_wall_field, NULL);
        return scree_fail(
            error, SCREE_BAD_ARGUMENT, "picture def: there is no field of walls \"%.60s\"%s%s%s",
            def->wall_field, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    }
    if (!usable(def->wall_range, 2) || !(def->wall_range[0] < def->wall_range[1] ||
                                         (def->wall_range[0] == 0 && def->wall_range[1] == 0)))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "picture def: wall_range is %g to %g, must be finite and ascending",
                          def->wall_range[0], def->wall_range[1]);
    return SCREE_OK;
}

static scree_status check_clips(const scree_picture_def *def, scree_error *error)
{
    if (def->clip_count > SCREE_PICTURE_MAX_CLIPS)
        return scree_refuse_number(error, "picture def", "clip_count", def->clip_count,
                                   "at most 8");
    for (uint32_t c = 0; c < def->clip_count; c++)
        if (!usable(def->clips[c], 4))
            return scree_fail(error, SCREE_BAD_VALUE,
                              "picture def: clips[%u] is (%g, %g, %g, %g), must be finite", c,
                              def->clips[c][0], def->clips[c][1], def->clips[c][2],
                              def->clips[c][3]);
    return SCREE_OK;
}

static scree_status check_choices(const scree_picture_def *def, scree_error *error)
{
    if ((unsigned)def->background > SCREE_PICTURE_LIGHT)
        return scree_refuse_number(error, "picture def", "background", def->background,
                                   "a background");
    if ((unsigned)def->shadows > SCREE_PICTURE_SHADOWS_NONE)
        return scree_refuse_number(error, "picture def", "shadows", def->shadows,
                                   "a kind of shadows");
    if ((unsigned)def->walls > SCREE_PICTURE_WALLS_NONE)
        return scree_refuse_number(error, "picture def", "walls", def->walls,
                                   "a way to show walls");
    if (!usable(def->light, 3))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "picture def: light is (%g, %g, %g), must be finite", def->light[0],
                          def->light[1], def->light[2]);
    return SCREE_OK;
}

scree_status scree_picture_read_def(const scree_picture_def *given, scree_picture_def *def,
                                    scree_error *error)
{
    scree_status status;

    *def = scree_default_picture_def();
    if (!given || !scree_definition_read(def, given))
        return scree_fail(error, SCREE_BAD_DEF,
                          "picture def: not made by scree_default_picture_def");
    if (def->width < 1 || def->width > MAX_PIXELS)
        return scree_refuse_number(error, "picture def", "width", def->width, "1 to 16384");
    if (def->height < 1 || def->height > MAX_PIXELS)
        return scree_refuse_number(error, "picture def", "height", def->height, "1 to 16384");
    if (def->samples < 1 || def->samples > MAX_SAMPLES)
        return scree_refuse_number(error, "picture def", "samples", def->samples, "1 to 4");
    if ((status = check_camera(&def->camera, error)) || (status = check_colours(def, error)) ||
        (status = check_wall_colours(def, error)) || (status = check_clips(def, error)))
        return status;
    return check_choices(def, error);
}

scree_status scree_picture_check(const scree_picture_def *def, scree_error *error)
{
    scree_picture_def own;

    return scree_picture_read_def(def, &own, error);
}
