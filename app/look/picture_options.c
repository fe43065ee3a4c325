#include "app/look/picture_options.h"

#include "common/machine.h"

#include "base/decimal.h"

#include <string.h>

#define DEGREE 0.017453292519943295

/*  Reads `count` numbers separated by commas. Returns false with a message. */
static bool parse_list(const scree_verb *verb, const char *option, const char *text, int count,
                       double *numbers)
{
    const char *at = text;
    for (int k = 0; k < count; k++) {
        size_t length = strcspn(at, ",");
        bool last = k + 1 == count;
        if (!scree_text_to_real(at, length, &numbers[k]) || (at[length] == 0) != last) {
            scree_usage_error("%s: --%s: \"%.80s\" is not %d numbers with commas between",
                              verb->name, option, text, count);
            return false;
        }
        at += length + 1;
    }
    return true;
}

static bool parse_numbers(const scree_verb *verb, const scree_arguments *arguments,
                          const char *option, int count, double *numbers, bool *given)
{
    const char *text = scree_argument(verb, arguments, option);
    *given = text != NULL;
    return !text || parse_list(verb, option, text, count, numbers);
}

static bool parse_size(const scree_verb *verb, const scree_arguments *arguments,
                       scree_picture_def *def)
{
    const char *text = scree_argument(verb, arguments, "size");
    uint64_t width, height;
    if (!text)
        return true;
    size_t length = strcspn(text, "x");
    if (text[length] != 'x' || !scree_text_to_whole(text, length, UINT32_MAX, &width) ||
        !scree_text_to_whole(text + length + 1, strlen(text + length + 1), UINT32_MAX, &height)) {
        scree_usage_error("%s: --size: \"%.60s\" is not a width and a height, as 1920x1080",
                          verb->name, text);
        return false;
    }
    def->width = (uint32_t)width;
    def->height = (uint32_t)height;
    return true;
}

static bool parse_angle(const scree_verb *verb, const scree_arguments *arguments,
                        const char *option, double most, double *radians)
{
    double degrees = *radians / DEGREE;
    if (!scree_parse_real(verb, arguments, option, -most, most, &degrees))
        return false;
    if (scree_argument(verb, arguments, option))
        *radians = degrees * DEGREE;
    return true;
}

static bool parse_camera(const scree_verb *verb, const scree_arguments *arguments,
                         scree_picture_camera *camera)
{
    bool eye, target, up;
    if (scree_argument(verb, arguments, "flat"))
        camera->projection = SCREE_PICTURE_ORTHOGRAPHIC;
    if (!parse_angle(verb, arguments, "turn", 3600, &camera->turn) ||
        !parse_angle(verb, arguments, "rise", 3600, &camera->rise) ||
        !parse_angle(verb, arguments, "angle", 171, &camera->angle) ||
        !scree_parse_real(verb, arguments, "zoom", 1e-6, 1e6, &camera->zoom) ||
        !scree_parse_real(verb, arguments, "height", 0, 1e60, &camera->height) ||
        !parse_numbers(verb, arguments, "eye", 3, camera->eye, &eye) ||
        !parse_numbers(verb, arguments, "target", 3, camera->target, &target) ||
        !parse_numbers(verb, arguments, "up", 3, camera->up, &up))
        return false;
    camera->placed = eye && target;
    if (eye != target) {
        scree_usage_error("%s: --eye and --target must be given together", verb->name);
        return false;
    }
    return true;
}

static bool parse_clips(const scree_verb *verb, const scree_arguments *arguments,
                        scree_picture_def *def)
{
    const char *text;
    for (size_t k = 0; (text = scree_argument_at(verb, arguments, "clip", k)); k++) {
        if (k == SCREE_PICTURE_MAX_CLIPS) {
            scree_usage_error("%s: --clip is given more than %d times", verb->name,
                              SCREE_PICTURE_MAX_CLIPS);
            return false;
        }
        if (!parse_list(verb, "clip", text, 4, def->clips[k]))
            return false;
        def->clip_count = (uint32_t)k + 1;
    }
    return true;
}

static bool parse_choices(const scree_verb *verb, const scree_arguments *arguments,
                          scree_picture_def *def)
{
    static const char *const walls[] = {"glass", "cut", "solid", "lines", "none", NULL};
    static const char *const shadows[] = {"soft", "hard", "none", NULL};
    static const char *const backgrounds[] = {"dark", "light", NULL};
    int wall = (int)def->walls, shadow = (int)def->shadows, background = (int)def->background;
    if (!scree_parse_word(verb, arguments, "walls", walls, &wall) ||
        !scree_parse_word(verb, arguments, "shadows", shadows, &shadow) ||
        !scree_parse_word(verb, arguments, "background", backgrounds, &background))
        return false;
    def->walls = (scree_picture_walls)wall;
    def->shadows = (scree_picture_shadows)shadow;
    def->background = (scree_picture_background)background;
    return true;
}

bool scree_parse_picture(const scree_verb *verb, const scree_arguments *arguments,
                         scree_picture_def *def)
{
    const char *text;
    bool lit, walls_ranged;
    uint64_t threads = scree_machine_cores(), samples = def->samples;
    if (!parse_size(verb, arguments, def) || !parse_camera(verb, arguments, &def->camera) ||
        !parse_choices(verb, arguments, def) || !parse_clips(verb, arguments, def) ||
        !parse_numbers(verb, arguments, "range", 2, def->range, &def->ranged) ||
        !parse_numbers(verb, arguments, "wall-range", 2, def->wall_range, &walls_ranged) ||
        !parse_numbers(verb, arguments, "light", 3, def->light, &lit) ||
        !scree_parse_count(verb, arguments, "samples", 1, 4, &samples) ||
        !scree_parse_count(verb, arguments, "threads", 1, 256, &threads))
        return false;
    def->samples = (uint32_t)samples;
    def->thread_count = (uint32_t)threads;
    def->logarithmic = scree_argument(verb, arguments, "log") != NULL;
    if ((text = scree_argument(verb, arguments, "field")))
        def->field = text;
    if ((text = scree_argument(verb, arguments, "wall-field")))
        def->wall_field = text;
    if ((text = scree_argument(verb, arguments, "map")))
        def->map = text;
    if ((text = scree_argument(verb, arguments, "title")))
        def->title = text;
    if (scree_argument(verb, arguments, "bare"))
        def->colour_bar = def->time_label = false;
    scree_error error;
    if (scree_picture_check(def, &error)) {
        scree_usage_error("%s: %s", verb->name, error.text);
        return false;
    }
    return true;
}
