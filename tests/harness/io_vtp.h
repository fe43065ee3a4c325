/*  A small reader of VTK XML files of PolyData, and of ImageData with values in cells, with raw appended arrays, as strict as ParaView's. */
#ifndef SCREE_TESTS_IO_VTP_H
#define SCREE_TESTS_IO_VTP_H

#include "test.h"

#include <stdbool.h>

typedef struct vtp_array
{
    char section[16], name[32], type[16];
    int width;
    size_t bytes;
    char *data;
} vtp_array;

typedef struct vtp_file
{
    char *bytes;
    size_t size;
    unsigned long points, verts, lines, polys; /* of an image the cells are polys */
    double origin[3], spacing[3];
    double time;
    int array_count;
    vtp_array array[32];
} vtp_file;

static inline const char *vtp_attribute(const char *tag, const char *name, char text[64])
{
    char wanted[40];
    const char *end = strchr(tag, '>'), *at;
    size_t n = 0;
    snprintf(wanted, sizeof wanted, " %s=\"", name);
    at = strstr(tag, wanted);
    if (!at || at > end)
        FAIL("no %s in %.*s", name, (int)(end - tag), tag);
    for (at += strlen(wanted); *at != '"' && n < 63; at++)
        text[n++] = *at;
    text[n] = 0;
    return text;
}

static inline unsigned long vtp_count(const char *tag, const char *name)
{
    char text[64];
    return strtoul(vtp_attribute(tag, name, text), NULL, 10);
}

static inline void vtp_take_array(vtp_file *file, const char *section, const char *tag,
                                  const char *appended, size_t *expected)
{
    vtp_array *array = &file->array[file->array_count++];
    char text[64];
    uint64_t bytes;
    unsigned long offset = vtp_count(tag, "offset");
    snprintf(array->section, sizeof array->section, "%.15s", section);
    snprintf(array->name, sizeof array->name, "%.31s", vtp_attribute(tag, "Name", text));
    snprintf(array->type, sizeof array->type, "%.15s", vtp_attribute(tag, "type", text));
    array->width = (int)vtp_count(tag, "NumberOfComponents");
    CHECK_TEXT(vtp_attribute(tag, "format", text), "appended");
    CHECK_EQUAL(offset, *expected); /* one behind the other */
    CHECK(appended + offset + 8 <= file->bytes + file->size);
    memcpy(&bytes, appended + offset, 8);
    array->bytes = (size_t)bytes;
    /* aligned, for those who read it */
    array->data = malloc(array->bytes ? array->bytes : 1);
    CHECK((size_t)(file->bytes + file->size - (appended + offset)) >= 8 + array->bytes);
    memcpy(array->data, appended + offset + 8, array->bytes);
    *expected = offset + 8 + array->bytes;
}

static inline const vtp_array *vtp_find(const vtp_file *file, const char *section, const char *name)
{
    for (int a = 0; a < file->array_count; a++)
        if ((!section || strcmp(file->array[a].section, section) == 0) &&
            strcmp(file->array[a].name, name) == 0)
            return &file->array[a];
    FAIL("no array %s", name);
}

static inline double *vtp_reals(const vtp_array *array, size_t row)
{
    CHECK_TEXT(array->type, "Float64");
    CHECK(8 * (row + 1) * (size_t)array->width <= array->bytes);
    return (double *)(void *)array->data + row * (size_t)array->width;
}

static inline uint64_t vtp_whole(const vtp_array *array, size_t row)
{
    CHECK(strcmp(array->type, "Float64") != 0 && array->width == 1);
    CHECK(8 * (row + 1) <= array->bytes);
    return ((uint64_t *)(void *)array->data)[row];
}

/*  Lengths of arrays must be what the numbers of points and cells make them. */
static inline void vtp_check_lengths(const vtp_file *file)
{
    for (int a = 0; a < file->array_count; a++) {
        const vtp_array *array = &file->array[a];
        size_t cells = file->verts + file->lines + file->polys, rows = file->points;
        size_t own = strcmp(array->section, "Verts") == 0   ? file->verts
                     : strcmp(array->section, "Lines") == 0 ? file->lines
                                                            : file->polys;
        bool cell_list = strcmp(array->section, "Verts") == 0 ||
                         strcmp(array->section, "Lines") == 0 ||
                         strcmp(array->section, "Polys") == 0;
        if (strcmp(array->section, "CellData") == 0)
            rows = cells;
        if (cell_list)
            rows = own;
        if (cell_list && strcmp(array->name, "connectivity") == 0)
            rows = own > 0 ? vtp_whole(vtp_find(file, array->section, "offsets"), own - 1) : 0;
        if (array->bytes != 8 * rows * (size_t)array->width)
            FAIL("%s %s has %zu bytes, not %zu", array->section, array->name, array->bytes,
                 8 * rows * (size_t)array->width);
    }
}

static inline void vtp_read_grid(vtp_file *file, const char *piece)
{
    const char *image = strstr(file->bytes, "<ImageData ");
    char whole[64], part[64], text[64], *at = whole;

    CHECK(image != NULL);
    CHECK_TEXT(vtp_attribute(image, "WholeExtent", whole), vtp_attribute(piece, "Extent", part));
    file->polys = 1;
    for (int k = 0; k < 3; k++) {
        CHECK_EQUAL(strtoul(at, &at, 10), 0);
        file->polys *= strtoul(at, &at, 10);
    }
    vtp_attribute(image, "Origin", text);
    at = text;
    for (int k = 0; k < 3; k++)
        file->origin[k] = strtod(at, &at);
    vtp_attribute(image, "Spacing", text);
    at = text;
    for (int k = 0; k < 3; k++)
        file->spacing[k] = strtod(at, &at);
}

static inline vtp_file vtp_read(const char *path)
{
    static const char *const sections[] = {"PointData", "CellData", "Points",
                                           "Verts",     "Lines",    "Polys"};
    vtp_file file = {0};
    FILE *in = fopen(path, "rb");
    size_t expected = 0;
    const char *tail = "\n</AppendedData>\n</VTKFile>\n", *section = "";
    CHECK(in != NULL && fseek(in, 0, SEEK_END) == 0);
    file.size = (size_t)ftell(in);
    rewind(in);
    file.bytes = calloc(1, file.size + 1);
    CHECK(fread(file.bytes, 1, file.size, in) == file.size);
    fclose(in);
    char *appended = strstr(file.bytes, "<AppendedData encoding=\"raw\">\n_");
    CHECK(appended != NULL);
    *appended = 0;
    bool is_image = strstr(file.bytes, "<VTKFile type=\"ImageData\"") != NULL;
    CHECK_SAYS(file.bytes, is_image ? "<VTKFile type=\"ImageData\"" : "<VTKFile type=\"PolyData\"");
    CHECK_SAYS(file.bytes, " version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">");
    appended += strlen("<AppendedData encoding=\"raw\">\n_");
    const char *piece = strstr(file.bytes, "<Piece ");
    CHECK(piece != NULL);
    if (is_image) {
        vtp_read_grid(&file, piece);
    } else {
        file.points = vtp_count(piece, "NumberOfPoints");
        file.verts = vtp_count(piece, "NumberOfVerts");
        file.lines = vtp_count(piece, "NumberOfLines");
        file.polys = vtp_count(piece, "NumberOfPolys");
    }
    const char *time = strstr(file.bytes, "Name=\"TimeValue\"");
    CHECK(time != NULL);
    file.time = strtod(strchr(time, '>') + 1, NULL);
    for (const char *tag = strchr(piece + 1, '<'); tag; tag = strchr(tag + 1, '<'))
        if (strncmp(tag, "<DataArray ", 11) == 0)
            vtp_take_array(&file, section, tag, appended, &expected);
        else
            for (int s = 0; s < 6; s++)
                if (strncmp(tag + 1, sections[s], strlen(sections[s])) == 0 &&
                    tag[1 + strlen(sections[s])] == '>')
                    section = sections[s];
    CHECK(appended + expected + strlen(tail) == file.bytes + file.size);
    CHECK(memcmp(appended + expected, tail, strlen(tail)) == 0);
    vtp_check_lengths(&file);
    return file;
}

static inline void vtp_free(vtp_file *file)
{
    for (int a = 0; a < file->array_count; a++)
        free(file->array[a].data);
    free(file->bytes);
}

#endif
