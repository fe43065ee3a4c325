/*  What the words of --vary and --fit mean. */
#include "app/calibrate/calibration.h"

#include <math.h>
#include <string.h>

#define LOGARITHMIC_FROM 100 /* ratio of the ends of a range */

/*  The name before "=", into `name`. Returns what follows; NULL with a message. */
static const char *read_name(const char *option, const char *text, size_t length,
                             char name[SCREE_CALIBRATE_MAX_NAME])
{
    const char *equals = memchr(text, '=', length);
    size_t name_length = equals ? (size_t)(equals - text) : 0;

    if (!name_length || name_length >= SCREE_CALIBRATE_MAX_NAME) {
        scree_usage_error(
            "calibrate: --%s: \"%.*s\" should be %s", option, (int)(length < 80 ? length : 80),
            text, strcmp(option, "vary") == 0 ? "NAME=LOWER..UPPER" : "NAME=VALUE+-TOLERANCE");
        return NULL;
    }
    memcpy(name, text, name_length);
    name[name_length] = 0;
    return equals + 1;
}

/*  Where `mark` begins in text[0 .. length - 1]; NULL: nowhere. */
static const char *find_mark(const char *text, size_t length, const char *mark)
{
    size_t bytes = strlen(mark);
    for (size_t k = 0; k + bytes <= length; k++)
        if (memcmp(text + k, mark, bytes) == 0)
            return text + k;
    return NULL;
}

static bool read_real(const char *text, size_t length, double *value)
{
    return scree_text_to_real(text, length, value) && isfinite(*value);
}

static bool read_axis(scree_calibration *c, const char *text, size_t length)
{
    scree_axis axis = {0};
    const char *range = read_name("vary", text, length, axis.name);
    if (!range)
        return false;
    size_t left = length - (size_t)(range - text);
    const char *dots = find_mark(range, left, "..");
    int shown = (int)(length < 80 ? length : 80);

    if (!dots || !read_real(range, (size_t)(dots - range), &axis.lower) ||
        !read_real(dots + 2, left - (size_t)(dots + 2 - range), &axis.upper)) {
        scree_usage_error("calibrate: --vary: \"%.*s\" should be NAME=LOWER..UPPER, such as "
                          "friction=0.1..0.9",
                          shown, text);
        return false;
    }
    if (!(axis.lower < axis.upper)) {
        scree_usage_error("calibrate: --vary: the range of \"%s\" goes from %.6g to %.6g, but the "
                          "lower end must come first: %s=%.6g..%.6g",
                          axis.name, axis.lower, axis.upper, axis.name, axis.upper,
                          axis.lower == axis.upper ? axis.lower + 1 : axis.lower);
        return false;
    }
    for (size_t k = 0; k < c->axis_count; k++)
        if (strcmp(c->axis[k].name, axis.name) == 0) {
            scree_usage_error("calibrate: --vary: \"%s\" has two ranges; one is enough", axis.name);
            return false;
        }
    for (size_t k = 0; k < c->setting_count; k++)
        if (strncmp(c->settings[k], axis.name, strlen(axis.name)) == 0 &&
            c->settings[k][strlen(axis.name)] == '=') {
            scree_usage_error("calibrate: \"%s\" is given by --set and by --vary; one of both",
                              axis.name);
            return false;
        }
    if (c->axis_count == SCREE_GAUSS_DIMENSIONS) {
        scree_usage_error("calibrate: --vary: more than %d parameters", SCREE_GAUSS_DIMENSIONS);
        return false;
    }
    axis.is_logarithmic = axis.lower > 0 && axis.upper / axis.lower >= LOGARITHMIC_FROM;
    c->axis[c->axis_count++] = axis;
    return true;
}

static bool read_target(scree_calibration *c, const char *text, size_t length)
{
    scree_target target = {0};
    const char *value = read_name("fit", text, length, target.name);
    if (!value)
        return false;
    size_t left = length - (size_t)(value - text);
    const char *mark = find_mark(value, left, "+-");
    size_t value_length = mark ? (size_t)(mark - value) : left;
    int shown = (int)(length < 80 ? length : 80);

    if (!read_real(value, value_length, &target.value) ||
        (mark && !read_real(mark + 2, left - value_length - 2, &target.tolerance))) {
        scree_usage_error(
            "calibrate: --fit: \"%.*s\" should be NAME=VALUE or NAME=VALUE+-TOLERANCE, "
            "such as heap.mass=0.02+-0.0005",
            shown, text);
        return false;
    }
    if (!mark)
        target.tolerance = 0.01 * fabs(target.value);
    if (!(target.tolerance > 0)) {
        scree_usage_error(
            "calibrate: --fit: the tolerance of \"%s\" must be above 0: %s=%.6g+-0.01", target.name,
            target.name, target.value);
        return false;
    }
    for (size_t k = 0; k < c->target_count; k++)
        if (strcmp(c->target[k].name, target.name) == 0) {
            scree_usage_error("calibrate: --fit: \"%s\" has two values; one is enough",
                              target.name);
            return false;
        }
    if (c->target_count == SCREE_CALIBRATE_MAX_TARGETS) {
        scree_usage_error("calibrate: --fit: more than %d targets", SCREE_CALIBRATE_MAX_TARGETS);
        return false;
    }
    c->target[c->target_count++] = target;
    return true;
}

/*  Parts of a list with commas, one after the other. */
static bool read_parts(scree_calibration *c, const char *text,
                       bool (*read)(scree_calibration *, const char *, size_t))
{
    for (;;) {
        size_t length = strcspn(text, ",");
        if (!read(c, text, length))
            return false;
        if (!text[length])
            return true;
        text += length + 1;
    }
}

bool scree_read_axes(scree_calibration *c, const char *text)
{
    return read_parts(c, text, read_axis);
}

bool scree_read_targets(scree_calibration *c, const char *text)
{
    return read_parts(c, text, read_target);
}
