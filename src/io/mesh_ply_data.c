/*  Rows of a PLY file, as text lines and as bytes. */
#include "io/mesh_ply.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/*  Bounds of the integer types. */
typedef struct ply_bounds
{
    double least, most;
} ply_bounds;

static const ply_bounds bounds[] = {
    {-128, 127},
    {0, 255},
    {-32768, 32767},
    {0, 65535},
    {-2147483648.0, 2147483647.0},
    {0, 4294967295.0},
    {-INFINITY, INFINITY},
    {-INFINITY, INFINITY},
};

static const char *const axis_names[] = {"", "x", "y", "z"};

/* ---- text ---- */

/*  A value within the range of its type; if it is used it must be finite. */
static scree_status read_text_value(scree_ply *ply, scree_span *line, scree_ply_type type,
                                    const char *what, double *value)
{
    scree_span word;
    char shown[SCREE_SHOWN];
    if (!scree_next_word(line, &word))
        return scree_text_fail(&ply->text, "%s is missing at the end of the line", what);
    if (!scree_text_to_real(word.at, scree_span_length(word), value))
        return scree_text_fail(&ply->text, "%s: \"%s\" is not a number", what,
                               scree_show(word, shown));
    if (type < SCREE_PLY_F32 &&
        !(*value >= bounds[type].least && *value <= bounds[type].most && floor(*value) == *value))
        return scree_text_fail(&ply->text, "%s: %s must be a whole number from %.10g to %.10g",
                               what, scree_show(word, shown), bounds[type].least,
                               bounds[type].most);
    return SCREE_OK;
}

static scree_status read_text_list(scree_ply *ply, scree_span *line,
                                   const scree_ply_property *property, const char *what)
{
    scree_fan fan = {0};
    double count = 0, value = 0;
    scree_status status = read_text_value(ply, line, property->count_type, what, &count);
    if (status)
        return status;
    if (count < 0 || (property->use == SCREE_PLY_CORNERS && count < 3))
        return scree_text_fail(&ply->text, "%s: a list of %g, must be at least %d", what, count,
                               property->use == SCREE_PLY_CORNERS ? 3 : 0);
    for (double i = 0; i < count; i++) {
        if ((status = read_text_value(ply, line, property->type, what, &value)))
            return status;
        if (property->use != SCREE_PLY_CORNERS)
            continue;
        if (!scree_ply_corner_fits(ply, value))
            return scree_text_fail(&ply->text, "%s: %.10g, must be from 0 to %.10g", what, value,
                                   (double)ply->vertex_count - 1);
        if ((status = scree_fan_corner(ply->soup, &fan, (uint32_t)value)))
            return scree_soup_fail(&ply->text, status);
    }
    return SCREE_OK;
}

static scree_status read_text_row(scree_ply *ply, const scree_ply_element *element, scree_span line)
{
    double position[4] = {0}, value = 0;
    char what[SCREE_SHOWN];
    scree_status status;
    scree_span word;
    for (int p = element->first; p < element->first + element->property_count; p++) {
        const scree_ply_property *property = &ply->properties[p];
        scree_show(property->name, what);
        if (property->count_type != SCREE_PLY_NO_TYPE)
            status = read_text_list(ply, &line, property, what);
        else
            status = read_text_value(ply, &line, property->type, what, &value);
        if (status)
            return status;
        if (property->use >= SCREE_PLY_X && property->use <= SCREE_PLY_Z) {
            position[property->use] = value;
            if (!(fabs(value) <= SCREE_MESH_LARGEST))
                return scree_text_fail(&ply->text,
                                       "%s: %g must be finite and at most %g in magnitude", what,
                                       value, SCREE_MESH_LARGEST);
        }
    }
    if (scree_next_word(&line, &word))
        return scree_text_fail(&ply->text, "\"%s\" is one value too many", scree_show(word, what));
    if (element->is_vertex && (status = scree_soup_vertex(ply->soup, position + 1)))
        return scree_soup_fail(&ply->text, status);
    return SCREE_OK;
}

/*  The next line that is not empty. */
static bool next_row(scree_ply *ply, scree_span *line)
{
    while (scree_next_line(&ply->text, line))
        if (line->at < line->end)
            return true;
    return false;
}

scree_status scree_ply_read_text(scree_ply *ply)
{
    scree_span line;
    char shown[SCREE_SHOWN];
    for (int e = 0; e < ply->element_count; e++) {
        const scree_ply_element *element = &ply->elements[e];
        for (uint64_t row = 0; row < element->count; row++) {
            scree_status status;
            if (!next_row(ply, &line))
                return scree_text_fail(
                    &ply->text, "the file ends: element %s has %" PRIu64 " of %" PRIu64 " rows",
                    scree_show(element->name, shown), row, element->count);
            if ((status = read_text_row(ply, element, line)))
                return status;
        }
    }
    if (next_row(ply, &line))
        return scree_text_fail(&ply->text, "\"%s\" follows the last row", scree_show(line, shown));
    return SCREE_OK;
}

/* ---- binary ---- */

typedef struct ply_bytes
{
    scree_ply *ply;
    const unsigned char *at, *end;
    const scree_ply_element *element;
    uint64_t row;
} ply_bytes;

/*  "NAME: byte B: element E, row R: WHAT..." */
static scree_status fail_at_byte(const ply_bytes *data, const unsigned char *at, const char *what,
                                 const char *rest)
{
    char shown[SCREE_SHOWN];
    return scree_fail(data->ply->text.error, SCREE_BAD_FILE,
                      "%.100s: byte %td: element %s, row %" PRIu64 ": %s%s", data->ply->text.name,
                      at - data->ply->begin, scree_show(data->element->name, shown), data->row,
                      what, rest);
}

static double load_value(const unsigned char *at, scree_ply_type type, bool big)
{
    uint32_t half = (uint32_t)at[big ? 1 : 0] | (uint32_t)at[big ? 0 : 1] << 8;
    uint64_t bits;
    double value;
    switch (type) {
    case SCREE_PLY_I16:
        return half < 32768 ? (double)half : (double)half - 65536;
    case SCREE_PLY_U16:
        return (double)half;
    case SCREE_PLY_I32:
        value = (double)scree_load_u32(at, big);
        return value < 2147483648.0 ? value : value - 4294967296.0;
    case SCREE_PLY_U32:
        return (double)scree_load_u32(at, big);
    case SCREE_PLY_F32:
        return (double)scree_load_float(at, big);
    default:
        bits = (uint64_t)scree_load_u32(at + (big ? 4 : 0), big) |
               (uint64_t)scree_load_u32(at + (big ? 0 : 4), big) << 32;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
}

static scree_status read_byte_value(ply_bytes *data, scree_ply_type type, const char *what,
                                    double *value)
{
    size_t bytes = scree_ply_type_bytes(type);
    if ((size_t)(data->end - data->at) < bytes)
        return fail_at_byte(data, data->end, what, ": the file ends");
    if (type == SCREE_PLY_U8 || type == SCREE_PLY_I8)
        *value =
            type == SCREE_PLY_I8 && *data->at > 127 ? (double)*data->at - 256 : (double)*data->at;
    else
        *value = load_value(data->at, type, data->ply->coding == SCREE_PLY_BIG);
    data->at += bytes;
    return SCREE_OK;
}

static scree_status read_byte_list(ply_bytes *data, const scree_ply_property *property,
                                   const char *what)
{
    scree_fan fan = {0};
    double count = 0, value = 0;
    char text[80];
    const unsigned char *at = data->at;
    scree_status status = read_byte_value(data, property->count_type, what, &count);
    if (status)
        return status;
    if (count < 0 || (property->use == SCREE_PLY_CORNERS && count < 3)) {
        snprintf(text, sizeof text, ": a list of %g, must be at least %d", count,
                 property->use == SCREE_PLY_CORNERS ? 3 : 0);
        return fail_at_byte(data, at, what, text);
    }
    if (count * (double)scree_ply_type_bytes(property->type) > (double)(data->end - data->at))
        return fail_at_byte(data, data->end, what, ": the file ends in a list");
    if (property->use != SCREE_PLY_CORNERS) {
        data->at += (size_t)count * scree_ply_type_bytes(property->type);
        return SCREE_OK;
    }
    for (double i = 0; i < count; i++) {
        at = data->at;
        if ((status = read_byte_value(data, property->type, what, &value)))
            return status;
        if (!scree_ply_corner_fits(data->ply, value)) {
            snprintf(text, sizeof text, ": %.10g, must be from 0 to %.10g", value,
                     (double)data->ply->vertex_count - 1);
            return fail_at_byte(data, at, what, text);
        }
        if ((status = scree_fan_corner(data->ply->soup, &fan, (uint32_t)value)))
            return scree_soup_fail(&data->ply->text, status);
    }
    return SCREE_OK;
}

static scree_status read_byte_row(ply_bytes *data)
{
    const scree_ply_element *element = data->element;
    double position[4] = {0}, value = 0;
    char what[SCREE_SHOWN], text[80];
    scree_status status;
    for (int p = element->first; p < element->first + element->property_count; p++) {
        const scree_ply_property *property = &data->ply->properties[p];
        const unsigned char *at = data->at;
        scree_show(property->name, what);
        if (property->count_type != SCREE_PLY_NO_TYPE)
            status = read_byte_list(data, property, what);
        else
            status = read_byte_value(data, property->type, what, &value);
        if (status)
            return status;
        if (property->use >= SCREE_PLY_X && property->use <= SCREE_PLY_Z) {
            position[property->use] = value;
            if (!(fabs(value) <= SCREE_MESH_LARGEST)) {
                snprintf(text, sizeof text, " is %g, must be finite and at most %g in magnitude",
                         value, SCREE_MESH_LARGEST);
                return fail_at_byte(data, at, axis_names[property->use], text);
            }
        }
    }
    if (element->is_vertex && (status = scree_soup_vertex(data->ply->soup, position + 1)))
        return scree_soup_fail(&data->ply->text, status);
    return SCREE_OK;
}

scree_status scree_ply_read_binary(scree_ply *ply)
{
    ply_bytes data = {ply, (const unsigned char *)ply->text.rest.at,
                      (const unsigned char *)ply->text.rest.end, NULL, 0};
    for (int e = 0; e < ply->element_count; e++) {
        data.element = &ply->elements[e];
        for (data.row = 0; data.row < data.element->count; data.row++) {
            scree_status status = read_byte_row(&data);
            if (status)
                return status;
        }
    }
    if (data.at < data.end)
        return scree_fail(ply->text.error, SCREE_BAD_FILE,
                          "%.100s: byte %td: %td bytes follow the last row", ply->text.name,
                          data.at - ply->begin, data.end - data.at);
    return SCREE_OK;
}
