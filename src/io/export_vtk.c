/*  All sizes, and so all offsets, are known in advance: the file is written in one pass. */
#include "io/export_vtk.h"

#include <inttypes.h>
#include <string.h>

#include "base/decimal.h"

#define BLOCK 512 /* rows per block: 36 KB */

void scree_vtk_add(scree_vtk *vtk, const char *section, const char *name, scree_vtk_type type,
                   int width, size_t rows, int what)
{
    vtk->array[vtk->array_count++] = (scree_vtk_array){section, name, type, width, what, rows};
}

static uint64_t bytes_of(const scree_vtk_array *array)
{
    return (uint64_t)array->rows * (uint64_t)array->width * 8;
}

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static void put_three(scree_file *file, const char *name, const double x[3])
{
    char text[3][SCREE_REAL_TEXT];

    for (int k = 0; k < 3; k++)
        scree_real_to_text(x[k], text[k]);
    scree_file_print(file, " %s=\"%s %s %s\"", name, text[0], text[1], text[2]);
}

static void put_extent(scree_file *file, const char *name, const uint32_t cells[3])
{
    scree_file_print(file, " %s=\"0 %" PRIu32 " 0 %" PRIu32 " 0 %" PRIu32 "\"", name, cells[0],
                     cells[1], cells[2]);
}

static void put_piece(const scree_vtk *vtk, scree_file *file)
{
    if (!vtk->image) {
        scree_file_print(file,
                         "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" "
                         "NumberOfLines=\"%zu\" NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n",
                         vtk->points, vtk->verts, vtk->lines, vtk->polys);
        return;
    }
    scree_file_put_text(file, "<Piece");
    put_extent(file, "Extent", vtk->image->cells);
    scree_file_put_text(file, ">\n");
}

static void put_head(const scree_vtk *vtk, scree_file *file, const char *type, double time)
{
    char text[SCREE_REAL_TEXT];

    scree_real_to_text(time, text);
    scree_file_print(file,
                     "<?xml version=\"1.0\"?>\n"
                     "<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"%sEndian\" "
                     "header_type=\"UInt64\">\n<%s",
                     type, is_little_endian() ? "Little" : "Big", type);
    if (vtk->image) {
        put_extent(file, "WholeExtent", vtk->image->cells);
        put_three(file, "Origin", vtk->image->origin);
        put_three(file, "Spacing", vtk->image->spacing);
    }
    scree_file_print(file,
                     ">\n<FieldData>\n"
                     "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                     "format=\"ascii\">%s</DataArray>\n"
                     "</FieldData>\n",
                     text);
    put_piece(vtk, file);
}

/*  Writes the sections and the offset of each array. */
static void put_sections(const scree_vtk *vtk, scree_file *file)
{
    static const char *const types[] = {"Float64", "UInt64", "Int64", "Int64"};
    uint64_t offset = 0;
    for (int a = 0; a < vtk->array_count; a++) {
        const scree_vtk_array *array = &vtk->array[a];
        bool first = a == 0 || strcmp(array->section, array[-1].section) != 0;
        bool last = a + 1 == vtk->array_count || strcmp(array->section, array[1].section) != 0;
        if (first)
            scree_file_print(file, "<%s>\n", array->section);
        scree_file_print(file,
                         "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
                         "format=\"appended\" offset=\"%" PRIu64 "\"/>\n",
                         types[array->type], array->name,
                         array->type == SCREE_VTK_CORNERS ? 1 : array->width, offset);
        if (last)
            scree_file_print(file, "</%s>\n", array->section);
        offset += 8 + bytes_of(array);
    }
}

static void put_array(const scree_vtk *vtk, const scree_vtk_array *array, scree_file *file)
{
    scree_export_word words[SCREE_VTK_WIDTH * BLOCK];
    uint64_t bytes = bytes_of(array);
    scree_file_put(file, &bytes, sizeof bytes);
    for (size_t first = 0; first < array->rows && !file->status; first += BLOCK) {
        size_t count = array->rows - first < BLOCK ? array->rows - first : BLOCK;
        vtk->fill(vtk->context, array->what, first, count, words);
        scree_file_put(file, words, count * (size_t)array->width * sizeof *words);
    }
}

void scree_vtk_write(const scree_vtk *vtk, scree_file *file, double time)
{
    const char *type = vtk->image ? "ImageData" : "PolyData";

    put_head(vtk, file, type, time);
    put_sections(vtk, file);
    scree_file_print(file, "</Piece>\n</%s>\n<AppendedData encoding=\"raw\">\n_", type);
    for (int a = 0; a < vtk->array_count; a++)
        put_array(vtk, &vtk->array[a], file);
    scree_file_put_text(file, "\n</AppendedData>\n</VTKFile>\n");
}
