/*  fields: coarse-grained density, velocity and stress on a grid, written to files. */
#include "language.h"

#include <stddef.h>

#define MAX_CELLS 1e7

static const scene_word kernel_words[] = {
    {"smooth", SCREE_KERNEL_SMOOTH}, {"ball", SCREE_KERNEL_BALL}, {NULL, 0}};
static const scene_word format_words[] = {
    {"vti", SCREE_FIELDS_VTI}, {"csv", SCREE_FIELDS_CSV}, {NULL, 0}};

void scene_read_cells(scene_reader *reader, uint32_t cells[3], double most)
{
    lua_Integer count = scene_length(reader, reader->index, 2, 3);
    double product = 1;

    cells[2] = 1;
    for (lua_Integer k = 0; k < count; k++) {
        double many = scene_item_number(reader, reader->index, k + 1);
        if (!(many >= 1 && many <= most && floor(many) == many))
            scene_refuse(reader, "item %d is %g, must be a whole number from 1 to %g", (int)k + 1,
                         many, most);
        cells[k] = (uint32_t)many;
        product *= many;
    }
    if (product > most)
        scene_refuse(reader, "are %g together, must be at most %g", product, most);
}

static void read_cells(scene_reader *reader, void *target)
{
    scene_read_cells(reader, target, MAX_CELLS);
}

static void begin_fields(scene_reader *reader, void *record)
{
    *(scree_scene_fields *)record =
        (scree_scene_fields){.line = reader->line, .def = scree_default_fields_def()};
}

static int end_fields(scene_reader *reader, void *record)
{
    scree_scene_fields *grid = record;
    static const char axes[] = "xyz";

    scene_check_every(reader, false);
    if (scene_is_given(reader, "sample_every") && scene_is_given(reader, "sample_every_steps"))
        scene_refuse(reader, "has `sample_every` and `sample_every_steps`; give one of them");
    if (grid->wall && (grid->def.width > 0 || scene_is_given(reader, "kernel")))
        scene_refuse(reader,
                     "a wall has no `width` and no `kernel`: contacts are counted in cells");
    if (!grid->wall && !(grid->def.width > 0))
        scene_refuse(reader, "`width`, the radius of the kernel, or `wall` is missing");
    for (int k = 0; k < 3; k++)
        if (!(grid->def.lower[k] <= grid->def.upper[k]))
            scene_refuse(reader, "upper: is below lower along %c", axes[k]);
    *(scree_scene_fields *)scene_row(reader, SCENE_FIELDS) = *grid;
    return 0;
}

#define OF(member) .offset = offsetof(scree_scene_fields, member)
static const scene_field fields_fields[] = {
    {.name = "lower",
     .type = SCENE_VECTOR,
     OF(def.lower),
     .unit = "m",
     .required = true,
     .help = "lower corner of the grid"},
    {.name = "upper",
     .type = SCENE_VECTOR,
     OF(def.upper),
     .unit = "m",
     .required = true,
     .help =
         "upper corner; equal to the lower one along an axis without variation (not for walls)"},
    {.name = "cells",
     .type = SCENE_OWN,
     OF(def.cells),
     .read = read_cells,
     .required = true,
     .accepts = "two or three whole numbers, as {20, 20, 40}",
     .help = "number of cells along each axis; values are those at the middles"},
    {.name = "width",
     .type = SCENE_NUMBER,
     OF(def.width),
     SCENE_ABOVE(0),
     .unit = "m",
     .standard = "none",
     .help = "radius of the kernel; usually one to three diameters. Required, except for a wall"},
    {.name = "wall",
     .type = SCENE_WALL,
     OF(wall),
     .standard = "none",
     .help = "instead of fields of bodies, their action on a wall: area of the wall in each cell, "
             "pressure, shear traction, push (N along its normal), contacts. Planes, such as those "
             "of a box, are infinite"},
    {.name = "kernel",
     .type = SCENE_WORD,
     OF(def.kernel),
     .words = kernel_words,
     .standard = "\"smooth\"",
     .help = "\"smooth\", in proportion to (1 - r^2 / width^2)^3, or \"ball\", the same everywhere "
             "within width"},
    {.name = "every",
     .type = SCENE_NUMBER,
     OF(every.time),
     SCENE_ABOVE(0),
     .unit = "s",
     .standard = "once at the end",
     .help = "interval between files, in simulated time"},
    {.name = "every_steps",
     .type = SCENE_WHOLE,
     OF(every.steps),
     SCENE_WITHIN(1, 1e15),
     .standard = "none",
     .help = "or interval in steps"},
    {.name = "sample_every",
     .type = SCENE_NUMBER,
     OF(sample.time),
     SCENE_ABOVE(0),
     .unit = "s",
     .standard = "none",
     .help = "sampling interval: files have the average of the samples since the last file; "
             "otherwise the current values"},
    {.name = "sample_every_steps",
     .type = SCENE_WHOLE,
     OF(sample.steps),
     SCENE_WITHIN(1, 1e15),
     .standard = "none",
     .help = "or interval in steps"},
    {.name = "format",
     .type = SCENE_WORD,
     OF(format),
     .words = format_words,
     .standard = "\"vti\"",
     .help = "\"vti\", a VTK image, or \"csv\", a line for each cell"},
};
#undef OF

const scene_function scene_field_functions[] = {
    {.name = "fields",
     .chapter = "Measuring",
     .summary = "Coarse-grained fields on a grid, written to files of the run: density, solid "
                "fraction, velocity, granular temperature, kinetic and contact stress, pressure, "
                "coordination, fabric.",
     .example = "fields { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.2}, cells = {20, 20, 40}, width "
                "= 0.01, every = 0.1, sample_every = 0.001 }\n"
                "fields { lower = {0, 0, 0}, upper = {0, 0, 0.2}, cells = {1, 1, 40}, width = "
                "0.01, every_steps = 1000, sample_every_steps = 50, format = \"csv\" }",
     .fields = fields_fields,
     .field_count = SCREE_COUNT_OF(fields_fields),
     .record_bytes = sizeof(scree_scene_fields),
     .begin = begin_fields,
     .end = end_fields},
};
const size_t scene_field_function_count = SCREE_COUNT_OF(scene_field_functions);
