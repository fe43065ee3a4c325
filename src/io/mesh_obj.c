/*  Wavefront OBJ: reads vertices and faces. Other statements of the format are skipped. Unknown statements are refused,
    since the file may be damaged. */
#include "io/mesh_soup.h"

#include <inttypes.h>

/*  All statements of the format (Wavefront, Advanced Visualizer manual, appendix B1). */
static const char *const statements[] = {
    "v",      "vt",       "vn",         "vp",        "cstype", "deg",  "bmat", "step",  "p",
    "l",      "f",        "fo",         "curv",      "curv2",  "surf", "parm", "trim",  "hole",
    "scrv",   "sp",       "end",        "con",       "g",      "s",    "mg",   "o",     "bevel",
    "lod",    "c_interp", "d_interp",   "usemtl",    "mtllib", "call", "csh",  "ctech", "stech",
    "usemap", "maplib",   "shadow_obj", "trace_obj", "bzp",    "bsp",  "cdc",  "cdp",   "res",
};

static bool is_statement(scree_span word)
{
    for (size_t i = 0; i < SCREE_COUNT_OF(statements); i++)
        if (scree_span_is(word, statements[i]))
            return true;
    return false;
}

/*  State of the reader. Faces may refer to vertices that come later: the largest index is checked at the end. */
typedef struct obj_file
{
    scree_text text;
    scree_soup *soup;
    uint64_t count[3];   /* of v, vt, vn */
    uint64_t highest[3]; /* largest index in a face, from 1 */
    uint64_t line[3];    /* line of that face */
    scree_span rest;     /* rest of the current statement */
} obj_file;

/*  A backslash at the end of a line continues the statement on the next. */
static bool next_obj_word(obj_file *file, scree_span *word)
{
    for (;;) {
        if (!scree_next_word(&file->rest, word) || *word->at == '#') {
            file->rest.at = file->rest.end;
            return false;
        }
        if (word->end[-1] != '\\' || word->end != file->rest.end)
            return true;
        if (!scree_next_line(&file->text, &file->rest))
            file->rest.at = file->rest.end = word->end;
        if (--word->end > word->at)
            return true;
    }
}

/*  x y z, then an optional weight, colour, or both; these are checked and ignored. */
static scree_status read_obj_vertex(obj_file *file)
{
    static const char *const names[] = {"x", "y", "z", "w", "colour", "colour", "colour"};
    double value[7];
    int count = 0;
    scree_span word;
    scree_status status;
    while (next_obj_word(file, &word)) {
        if (count == 7)
            return scree_text_fail(&file->text, "v has more than 7 numbers");
        if ((status = scree_read_real(&file->text, names[count], word, SCREE_MESH_LARGEST,
                                      &value[count])))
            return status;
        count++;
    }
    if (count != 3 && count != 4 && count != 6 && count != 7)
        return scree_text_fail(&file->text, "v has %d numbers, must have 3, 4, 6 or 7", count);
    if ((status = scree_soup_vertex(file->soup, value)))
        return scree_soup_fail(&file->text, status);
    file->count[0]++;
    return SCREE_OK;
}

/*  One index of v/vt/vn: from 1, or relative to the end: -1, -2, ... */
static scree_status read_obj_index(obj_file *file, int kind, scree_span word, uint64_t *index)
{
    static const char *const names[] = {"vertex", "texture vertex", "normal"};
    int64_t value;
    char shown[SCREE_SHOWN];
    scree_status status =
        scree_read_integer(&file->text, names[kind], word, INT32_MIN, UINT32_MAX, &value);
    if (status)
        return status;
    if (value == 0)
        return scree_text_fail(&file->text, "%s: \"%s\": indices begin with 1", names[kind],
                               scree_show(word, shown));
    if (value < 0 && (uint64_t)-value > file->count[kind])
        return scree_text_fail(&file->text, "%s: %" PRId64 ", but only %" PRIu64 " came before",
                               names[kind], value, file->count[kind]);
    *index = value > 0 ? (uint64_t)value : file->count[kind] - (uint64_t)-value + 1;
    if (*index > file->highest[kind]) {
        file->highest[kind] = *index;
        file->line[kind] = file->text.line;
    }
    return SCREE_OK;
}

/*  "7", "7/2", "7//3", "7/2/3" */
static scree_status read_obj_corner(obj_file *file, scree_span word, uint64_t *vertex)
{
    scree_span rest = word, part;
    bool more = true;
    char shown[SCREE_SHOWN];
    for (int kind = 0; scree_next_field(&rest, '/', &more, &part); kind++) {
        uint64_t index = 0;
        scree_status status;
        bool left_out = kind == 1 && more && part.at == part.end;
        if (kind == 3)
            return scree_text_fail(&file->text, "vertex: \"%s\" has more than two slashes",
                                   scree_show(word, shown));
        if (!left_out && (status = read_obj_index(file, kind, part, &index)))
            return status;
        if (kind == 0)
            *vertex = index;
    }
    return SCREE_OK;
}

static scree_status read_obj_face(obj_file *file)
{
    scree_fan fan = {0};
    scree_span word;
    while (next_obj_word(file, &word)) {
        uint64_t vertex = 0;
        scree_status status = read_obj_corner(file, word, &vertex);
        if (status)
            return status;
        if ((status = scree_fan_corner(file->soup, &fan, (uint32_t)(vertex - 1))))
            return scree_soup_fail(&file->text, status);
    }
    if (fan.count < 3)
        return scree_text_fail(&file->text, "f has %" PRIu64 " vertices, must have at least 3",
                               fan.count);
    return SCREE_OK;
}

static scree_status read_statement(obj_file *file, scree_span word)
{
    scree_span ignored;
    char shown[SCREE_SHOWN];
    if (scree_span_is(word, "v"))
        return read_obj_vertex(file);
    if (scree_span_is(word, "f") || scree_span_is(word, "fo"))
        return read_obj_face(file);
    if (!is_statement(word))
        return scree_text_fail(&file->text, "\"%s\" is not a statement of an OBJ file",
                               scree_show(word, shown));
    file->count[1] += scree_span_is(word, "vt");
    file->count[2] += scree_span_is(word, "vn");
    while (next_obj_word(file, &ignored))
        ;
    return SCREE_OK;
}

static scree_status check_highest(obj_file *file)
{
    static const char *const names[] = {"vertex", "texture vertex", "normal"};
    for (int kind = 0; kind < 3; kind++)
        if (file->highest[kind] > file->count[kind]) {
            file->text.line = file->line[kind];
            return scree_text_fail(&file->text, "%s: %" PRIu64 ", but there are %" PRIu64,
                                   names[kind], file->highest[kind], file->count[kind]);
        }
    return SCREE_OK;
}

scree_status scree_read_obj(scree_text text, scree_soup *soup)
{
    obj_file file = {.text = text, .soup = soup};
    scree_span word;
    while (scree_next_content(&file.text, &file.rest))
        if (next_obj_word(&file, &word)) {
            scree_status status = read_statement(&file, word);
            if (status)
                return status;
        }
    return check_highest(&file);
}

bool scree_is_obj(scree_text text)
{
    scree_span line, word;
    return scree_next_content(&text, &line) && scree_next_word(&line, &word) && is_statement(word);
}
