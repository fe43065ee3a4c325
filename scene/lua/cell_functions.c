/*  cell: how a periodic domain changes its shape. */
#include "language.h"

#include <stddef.h>
#include <string.h>

typedef struct cell_record
{
    double stretch[3], shear[3];
    bool homogeneous;
} cell_record;

static void begin_cell(scene_reader *reader, void *record)
{
    (void)reader;
    ((cell_record *)record)->homogeneous = true;
}

/*  Which boundaries are periodic is known when all has been read: the world refuses the others. */
static int end_cell(scene_reader *reader, void *record)
{
    const cell_record *r = record;
    scree_scene_cell *cell = &reader->scene->plan.cell;

    memset(cell, 0, sizeof *cell);
    cell->line = reader->line;
    cell->homogeneous = r->homogeneous;
    for (int k = 0; k < 3; k++)
        cell->gradient[k][k] = r->stretch[k];
    cell->gradient[0][1] = r->shear[0];
    cell->gradient[0][2] = r->shear[1];
    cell->gradient[1][2] = r->shear[2];
    return 0;
}

#define OF(member) .offset = offsetof(cell_record, member)
static const scene_field cell_fields[] = {
    {.name = "stretch",
     .type = SCENE_VECTOR,
     OF(stretch),
     .unit = "1/s",
     .standard = "{0, 0, 0}",
     .help = "rates at which the periods along x, y, z grow; below 0 they shrink"},
    {.name = "shear",
     .type = SCENE_VECTOR,
     OF(shear),
     .unit = "1/s",
     .standard = "{0, 0, 0}",
     .help = "rates xy, xz, yz: {5, 0, 0} is 5 m/s along x for each metre along y"},
    {.name = "homogeneous",
     .type = SCENE_SWITCH,
     OF(homogeneous),
     .standard = "true",
     .help = "bodies of the start go with the cell at once, as if all were the border; false: the "
             "border alone "
             "drives them"},
};
#undef OF

const scene_function scene_cell_functions[] = {
    {.name = "cell",
     .chapter = "The world",
     .once = true,
     .summary = "How a periodic domain changes its shape while the run goes on: sheared (Lees and "
                "Edwards), pressed together, or both. What comes in again has the velocity of the "
                "image that it was. Both axes of a shear must be periodic. A scene with a cell has "
                "no `pour`.",
     .example = "cell { shear = {5, 0, 0} }",
     .fields = cell_fields,
     .field_count = SCREE_COUNT_OF(cell_fields),
     .record_bytes = sizeof(cell_record),
     .begin = begin_cell,
     .end = end_cell},
};
const size_t scene_cell_function_count = SCREE_COUNT_OF(scene_cell_functions);
