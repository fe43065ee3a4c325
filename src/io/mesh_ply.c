/*  The header of a PLY file. Every word is checked, since it defines how the rest is read. */
#include "io/mesh_ply.h"

#include <inttypes.h>
#include <string.h>

typedef struct ply_type_row
{
    const char *name, *other_name;
    size_t bytes;
} ply_type_row;

static const ply_type_row types[] = {
    {"char", "int8", 1}, {"uchar", "uint8", 1}, {"short", "int16", 2},   {"ushort", "uint16", 2},
    {"int", "int32", 4}, {"uint", "uint32", 4}, {"float", "float32", 4}, {"double", "float64", 8},
};

size_t scree_ply_type_bytes(scree_ply_type type)
{
    return types[type].bytes;
}

static scree_ply_type type_of(scree_span word)
{
    int type = 0;
    while (type < SCREE_PLY_NO_TYPE && !scree_span_is(word, types[type].name) &&
           !scree_span_is(word, types[type].other_name))
        type++;
    return (scree_ply_type)type;
}

/* ---- lines of the header ---- */

/*  Reads one more word of the line, which must exist. */
static scree_status take_word(const scree_ply *ply, scree_span *line, const char *what,
                              scree_span *word)
{
    if (!scree_next_word(line, word))
        return scree_text_fail(&ply->text, "%s is missing at the end of the line", what);
    return SCREE_OK;
}

static scree_status end_line(const scree_ply *ply, scree_span line)
{
    scree_span word;
    char shown[SCREE_SHOWN];
    if (scree_next_word(&line, &word))
        return scree_text_fail(&ply->text, "\"%s\" is one word too many", scree_show(word, shown));
    return SCREE_OK;
}

static scree_status read_format(scree_ply *ply, scree_span line)
{
    static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    scree_span word;
    scree_status status = take_word(ply, &line, "format", &word);
    char shown[SCREE_SHOWN];
    int coding = 0;
    if (status)
        return status;
    while (coding < 3 && !scree_span_is(word, names[coding]))
        coding++;
    if (coding == 3)
        return scree_text_fail(&ply->text,
                               "format: \"%s\" must be ascii, binary_little_endian or "
                               "binary_big_endian",
                               scree_show(word, shown));
    ply->coding = (scree_ply_coding)coding;
    if ((status = take_word(ply, &line, "version", &word)))
        return status;
    if (!scree_span_is(word, "1.0"))
        return scree_text_fail(&ply->text, "version: \"%s\" must be 1.0", scree_show(word, shown));
    return end_line(ply, line);
}

static scree_status read_element(scree_ply *ply, scree_span line)
{
    scree_ply_element *element = &ply->elements[ply->element_count];
    scree_span word;
    char shown[SCREE_SHOWN];
    scree_status status;
    if (ply->element_count == SCREE_PLY_ELEMENTS)
        return scree_text_fail(&ply->text, "more than %d elements", SCREE_PLY_ELEMENTS);
    *element = (scree_ply_element){.first = ply->property_count};
    if ((status = take_word(ply, &line, "element: name", &element->name)) ||
        (status = take_word(ply, &line, "element: count", &word)))
        return status;
    if (!scree_text_to_whole(word.at, scree_span_length(word), UINT64_MAX, &element->count))
        return scree_text_fail(&ply->text, "element: count: \"%s\" is not a whole number",
                               scree_show(word, shown));
    for (int e = 0; e < ply->element_count; e++)
        if (scree_span_length(ply->elements[e].name) == scree_span_length(element->name) &&
            memcmp(ply->elements[e].name.at, element->name.at, scree_span_length(element->name)) ==
                0)
            return scree_text_fail(&ply->text, "element: \"%s\" appears twice",
                                   scree_show(element->name, shown));
    element->is_vertex = scree_span_is(element->name, "vertex");
    element->is_face = scree_span_is(element->name, "face");
    ply->element_count++;
    return end_line(ply, line);
}

/*  The use of a property. A name that is used must occur once, and be a list or not as required. */
static scree_status find_use(const scree_ply *ply, const scree_ply_element *element,
                             scree_ply_property *property)
{
    static const char *const axes[] = {"x", "y", "z"};
    bool is_list = property->count_type != SCREE_PLY_NO_TYPE;
    char shown[SCREE_SHOWN];
    for (int k = 0; k < 3 && element->is_vertex; k++)
        if (scree_span_is(property->name, axes[k]))
            property->use = (scree_ply_use)(SCREE_PLY_X + k);
    if (element->is_face && (scree_span_is(property->name, "vertex_indices") ||
                             scree_span_is(property->name, "vertex_index")))
        property->use = SCREE_PLY_CORNERS;
    if (property->use == SCREE_PLY_UNUSED)
        return SCREE_OK;
    scree_show(property->name, shown);
    for (int p = element->first; p < ply->property_count; p++)
        if (ply->properties[p].use == property->use)
            return scree_text_fail(&ply->text, "property: \"%s\" appears twice", shown);
    if ((property->use == SCREE_PLY_CORNERS) != is_list)
        return scree_text_fail(&ply->text, "property: \"%s\" must %sbe a list", shown,
                               is_list ? "not " : "");
    if (is_list && property->type >= SCREE_PLY_F32)
        return scree_text_fail(&ply->text, "property: \"%s\" must be of whole numbers", shown);
    return SCREE_OK;
}

static scree_status read_type(const scree_ply *ply, scree_span *line, scree_ply_type *type)
{
    scree_span word;
    char shown[SCREE_SHOWN];
    scree_status status = take_word(ply, line, "property: type", &word);
    if (status)
        return status;
    *type = type_of(word);
    if (*type == SCREE_PLY_NO_TYPE)
        return scree_text_fail(&ply->text, "property: there is no type \"%s\"",
                               scree_show(word, shown));
    return SCREE_OK;
}

static scree_status read_property(scree_ply *ply, scree_span line)
{
    scree_ply_property property = {.count_type = SCREE_PLY_NO_TYPE};
    scree_ply_element *element;
    scree_span ahead = line, word;
    scree_status status;
    if (ply->element_count == 0)
        return scree_text_fail(&ply->text, "property before any element");
    if (ply->property_count == SCREE_PLY_PROPERTIES)
        return scree_text_fail(&ply->text, "more than %d properties", SCREE_PLY_PROPERTIES);
    element = &ply->elements[ply->element_count - 1];
    if (scree_next_word(&ahead, &word) && scree_span_is(word, "list")) {
        line = ahead;
        if ((status = read_type(ply, &line, &property.count_type)))
            return status;
        if (property.count_type >= SCREE_PLY_F32)
            return scree_text_fail(&ply->text, "property: a list's count must be a whole number");
    }
    if ((status = read_type(ply, &line, &property.type)) ||
        (status = take_word(ply, &line, "property: name", &property.name)) ||
        (status = find_use(ply, element, &property)))
        return status;
    ply->properties[ply->property_count++] = property;
    element->property_count++;
    return end_line(ply, line);
}

/* ---- sizes that the header claims ---- */

/*  Smallest number of bytes of a row: in text each value takes a digit and a blank or the end of the line. */
static uint64_t min_row_bytes(const scree_ply *ply, const scree_ply_element *element)
{
    uint64_t bytes = 0;
    for (int p = element->first; p < element->first + element->property_count; p++) {
        const scree_ply_property *property = &ply->properties[p];
        bool is_list = property->count_type != SCREE_PLY_NO_TYPE;
        bytes += ply->coding == SCREE_PLY_TEXT
                     ? 2
                     : scree_ply_type_bytes(is_list ? property->count_type : property->type);
    }
    return bytes;
}

static scree_status check_element(const scree_ply *ply, const scree_ply_element *element,
                                  uint64_t left)
{
    uint64_t bytes = min_row_bytes(ply, element);
    int used = 0;
    char shown[SCREE_SHOWN];
    scree_show(element->name, shown);
    if (element->count > 0 && bytes == 0)
        return scree_text_fail(&ply->text, "element %s: has no properties", shown);
    /* the last line of a text may have no line end */
    if (bytes > 0 && element->count > (left + 1) / bytes)
        return scree_text_fail(
            &ply->text, "element %s: count is %" PRIu64 ", but only %" PRIu64 " bytes follow",
            shown, element->count, left);
    for (int p = element->first; p < element->first + element->property_count; p++)
        used += ply->properties[p].use != SCREE_PLY_UNUSED;
    if (element->is_vertex && used < 3)
        return scree_text_fail(&ply->text, "element vertex: must have properties x, y and z");
    if (element->is_face && used < 1)
        return scree_text_fail(&ply->text,
                               "element face: must have a list vertex_indices or vertex_index");
    return SCREE_OK;
}

static scree_status check_header(scree_ply *ply, bool has_format)
{
    uint64_t left = scree_span_length(ply->text.rest);
    bool has_vertex = false, has_face = false;
    if (!has_format)
        return scree_text_fail(&ply->text, "there is no format before end_header");
    for (int e = 0; e < ply->element_count; e++) {
        const scree_ply_element *element = &ply->elements[e];
        scree_status status = check_element(ply, element, left);
        if (status)
            return status;
        has_vertex |= element->is_vertex;
        has_face |= element->is_face;
        if (element->is_vertex) /* at most the number of bytes of the file */
            ply->vertex_count =
                (uint32_t)(element->count < UINT32_MAX ? element->count : UINT32_MAX);
    }
    if (!has_vertex || !has_face)
        return scree_text_fail(&ply->text, "there is no element %s",
                               has_vertex ? "face" : "vertex");
    return SCREE_OK;
}

scree_status scree_ply_read_header(scree_ply *ply)
{
    scree_span line, word;
    char shown[SCREE_SHOWN];
    bool has_format = false;
    scree_next_line(&ply->text, &line); /* ply */
    while (scree_next_line(&ply->text, &line)) {
        scree_status status = SCREE_OK;
        if (!scree_next_word(&line, &word))
            return scree_text_fail(&ply->text, "an empty line in the header");
        if (scree_span_is(word, "end_header")) {
            status = end_line(ply, line);
            return status ? status : check_header(ply, has_format);
        }
        if (scree_span_is(word, "comment") || scree_span_is(word, "obj_info"))
            continue;
        if (scree_span_is(word, "format")) {
            status = has_format ? scree_text_fail(&ply->text, "format appears twice")
                                : read_format(ply, line);
            has_format = true;
        } else if (scree_span_is(word, "element"))
            status = read_element(ply, line);
        else if (scree_span_is(word, "property"))
            status = read_property(ply, line);
        else
            status = scree_text_fail(&ply->text, "\"%s\" does not begin a line of a header",
                                     scree_show(word, shown));
        if (status)
            return status;
    }
    return scree_text_fail(&ply->text, "the file ends before end_header");
}

/* ---- all of it ---- */

bool scree_ply_corner_fits(const scree_ply *ply, double corner)
{
    return corner >= 0 && corner < ply->vertex_count;
}

scree_status scree_read_ply(const unsigned char *bytes, size_t count, const char *name,
                            scree_soup *soup, scree_error *error)
{
    scree_ply ply;
    scree_status status;
    memset(&ply, 0, sizeof ply);
    ply.text = scree_text_open(bytes, count, name, error);
    ply.begin = bytes;
    ply.soup = soup;
    if ((status = scree_ply_read_header(&ply)))
        return status;
    return ply.coding == SCREE_PLY_TEXT ? scree_ply_read_text(&ply) : scree_ply_read_binary(&ply);
}
