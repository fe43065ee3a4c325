/*  Text dumps of LAMMPS and LIGGGHTS: a sequence of frames, of which one is read. */
#include "io/import_list.h"

#include <inttypes.h>
#include <string.h>

/*  Returns whether a line is "ITEM: WHAT...", and what follows. */
static bool is_item(scree_span line, const char *what, scree_span *rest)
{
    size_t length = strlen(what);
    scree_span word;
    if (!scree_next_word(&line, &word) || !scree_span_is(word, "ITEM:"))
        return false;
    while (line.at < line.end && *line.at == ' ')
        line.at++;
    if (scree_span_length(line) < length || memcmp(line.at, what, length) != 0)
        return false;
    line.at += length;
    if (line.at < line.end && *line.at != ' ')
        return false;
    *rest = line;
    return true;
}

bool scree_is_lammps_dump(scree_text text)
{
    scree_span line, word;
    return scree_next_content(&text, &line) && scree_next_word(&line, &word) &&
           scree_span_is(word, "ITEM:");
}

/* ---- frames ---- */

static size_t count_frames(scree_text text)
{
    scree_span line, rest;
    size_t count = 0;
    while (scree_next_line(&text, &line))
        count += is_item(line, "TIMESTEP", &rest);
    return count;
}

/*  Skips to the line before the frame. */
static void skip_to_frame(scree_text *text, size_t frame)
{
    scree_span line, rest;
    for (scree_text ahead = *text; scree_next_line(&ahead, &line);) {
        if (is_item(line, "TIMESTEP", &rest) && frame-- == 0)
            return;
        *text = ahead;
    }
}

/* ---- the head of a frame ---- */

typedef struct dump_head
{
    uint64_t atoms;
    int64_t step;
    bool has_atoms, has_step, has_box, tilted;
} dump_head;

static scree_status next_dump_line(scree_text *text, const char *what, scree_span *line)
{
    if (!scree_next_line(text, line))
        return scree_text_fail(text, "the file ends, %s must follow", what);
    return SCREE_OK;
}

/*  Reads a line of one word. */
static scree_status read_alone(scree_text *text, const char *what, scree_span *word)
{
    scree_span line, more;
    scree_status status = next_dump_line(text, what, &line);
    char shown[SCREE_SHOWN];
    if (status)
        return status;
    if (!scree_next_word(&line, word))
        return scree_text_fail(text, "%s is missing", what);
    if (scree_next_word(&line, &more))
        return scree_text_fail(text, "%s: \"%s\" is one word too many", what,
                               scree_show(more, shown));
    return SCREE_OK;
}

/*  Three lines of lower and upper, and for tilted boxes a third number. */
static scree_status read_box(scree_text *text, scree_import *import, dump_head *head)
{
    static const char *const names[3][3] = {
        {"xlo", "xhi", "xy"}, {"ylo", "yhi", "xz"}, {"zlo", "zhi", "yz"}};
    for (int k = 0; k < 3; k++) {
        scree_span line, word;
        double value[3] = {0, 0, 0};
        scree_status status = next_dump_line(text, names[k][0], &line);
        int count = 0;
        for (; !status && count < 3 && scree_next_word(&line, &word); count++)
            status = scree_read_real(text, names[k][count], word, 1e60, &value[count]);
        if (status)
            return status;
        if (count < 2)
            return scree_text_fail(text, "%s is missing", names[k][count]);
        if (scree_next_word(&line, &word))
            return scree_text_fail(text, "box bounds: more than 3 numbers");
        if (value[0] > value[1])
            return scree_text_fail(text, "%s: %g is above %s, %g", names[k][0], value[0],
                                   names[k][1], value[1]);
        import->lower[k] = value[0];
        import->upper[k] = value[1];
        head->tilted |= value[2] != 0;
    }
    head->has_box = true;
    return SCREE_OK;
}

static scree_status read_item(scree_text *text, scree_span line, scree_import *import,
                              dump_head *head)
{
    scree_span rest, word;
    scree_status status;
    char shown[SCREE_SHOWN];
    if (is_item(line, "TIMESTEP", &rest)) {
        if (head->has_step)
            return scree_text_fail(text, "the frame has no atoms before the next one");
        head->has_step = true;
        if ((status = read_alone(text, "the step", &word)))
            return status;
        return scree_read_integer(text, "step", word, INT64_MIN + 1, INT64_MAX, &head->step);
    }
    if (is_item(line, "NUMBER OF ATOMS", &rest)) {
        head->has_atoms = true;
        if ((status = read_alone(text, "the number of atoms", &word)))
            return status;
        return scree_read_whole(text, "number of atoms", word, 0, UINT32_MAX, &head->atoms);
    }
    if (is_item(line, "BOX BOUNDS", &rest))
        return read_box(text, import, head);
    if (is_item(line, "TIME", &rest) || is_item(line, "UNITS", &rest))
        return read_alone(text, "what the item says", &word);
    return scree_text_fail(text, "\"%s\" is not an item of a dump of atoms",
                           scree_show(line, shown));
}

/* ---- atoms ---- */

static scree_status read_dump_columns(const scree_text *text, scree_span names,
                                      const scree_import *import, const dump_head *head,
                                      scree_import_columns *columns)
{
    scree_span name;
    scree_status status;
    memset(columns, 0, sizeof *columns);
    while (scree_next_word(&names, &name))
        if ((status = scree_import_add_column(text, columns, scree_import_column_of(name), name)))
            return status;
    if ((status = scree_import_check_columns(text, columns, import->def, false)))
        return status;
    if (!columns->present[SCREE_COLUMN_PLAIN] && !columns->present[SCREE_COLUMN_UNWRAPPED]) {
        if (!head->has_box)
            return scree_text_fail(text, "scaled coordinates, but no BOX BOUNDS before");
        if (head->tilted)
            return scree_text_fail(text, "scaled coordinates in a tilted box cannot be read");
    }
    return SCREE_OK;
}

static scree_status read_atom(scree_text *text, scree_span line, scree_import *import,
                              const scree_import_columns *columns)
{
    scree_import_row row;
    scree_span word;
    scree_status status;
    char shown[SCREE_SHOWN];
    for (int c = 0; c < columns->count; c++) {
        if (!scree_next_word(&line, &word))
            return scree_text_fail(text, "this line has %d columns, must have %d", c,
                                   columns->count);
        if ((status = scree_import_read(text, columns->kind[c], word, &row)))
            return status;
    }
    if (scree_next_word(&line, &word))
        return scree_text_fail(text, "\"%s\" is one column too many", scree_show(word, shown));
    return scree_import_add(import, text, columns, &row);
}

static scree_status read_atoms(scree_text *text, scree_span names, scree_import *import,
                               const dump_head *head)
{
    scree_import_columns columns;
    scree_span line, rest;
    scree_status status;
    if (!head->has_step || !head->has_atoms)
        return scree_text_fail(text, "no %s before the atoms",
                               head->has_step ? "NUMBER OF ATOMS" : "TIMESTEP");
    if ((status = read_dump_columns(text, names, import, head, &columns)))
        return status;
    for (uint64_t i = 0; i < head->atoms; i++) {
        if (!scree_next_line(text, &line))
            return scree_text_fail(text, "the file ends: %" PRIu64 " of %" PRIu64 " atoms", i,
                                   head->atoms);
        if ((status = read_atom(text, line, import, &columns)))
            return status;
    }
    while (scree_next_line(text, &line))
        if (line.at < line.end)
            return is_item(line, "TIMESTEP", &rest)
                       ? SCREE_OK
                       : scree_text_fail(text, "more than %" PRIu64 " atoms", head->atoms);
    return SCREE_OK;
}

scree_status scree_import_lammps_dump(scree_import *import, scree_text *text)
{
    scree_body_list *list = import->list;
    int64_t frame = import->def->frame;
    size_t count = count_frames(*text);
    dump_head head = {0};
    scree_span line, names;
    int64_t chosen = frame < 0 ? (int64_t)count + frame : frame;
    if (count > 0 && (chosen < 0 || chosen >= (int64_t)count))
        return scree_fail(text->error, SCREE_BAD_ARGUMENT,
                          "%.100s: there is no frame %" PRId64 ", the file has %zu", text->name,
                          frame, count);
    list->frame_count = count;
    if (count > 0)
        skip_to_frame(text, (size_t)chosen);
    while (scree_next_content(text, &line)) {
        scree_status status;
        if (is_item(line, "ATOMS", &names)) {
            list->has_step = true;
            list->step = head.step;
            list->has_box = head.has_box && !head.tilted;
            memcpy(list->lower, import->lower, sizeof list->lower);
            memcpy(list->upper, import->upper, sizeof list->upper);
            return read_atoms(text, names, import, &head);
        }
        if ((status = read_item(text, line, import, &head)))
            return status;
    }
    return scree_text_fail(text, "the file ends before \"ITEM: ATOMS\"");
}
