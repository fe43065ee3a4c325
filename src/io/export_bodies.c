/*  Bodies as points, each with its own vertex cell, so that they are visible without a filter. */
#include "io/export_vtk.h"

enum
{
    BODY_CELL = SCREE_BODY_COLUMNS,
    BODY_CELL_END,
};

static void fill_bodies(const void *context, int what, size_t first, size_t count,
                        scree_export_word *words)
{
    const scree_export_job *job = context;
    bool is_field = what <= SCREE_BODY_POSITION;
    int width = is_field ? scree_body_fields[what].width : 1;
    for (size_t row = first; row < first + count; row++, words += width)
        if (is_field)
            scree_body_field_get(job, (scree_export_body_field)what, row, words);
        else
            words->whole = row + (what == BODY_CELL_END);
}

scree_status scree_export_bodies_vtp(scree_export_job *job)
{
    size_t n = job->row_count;
    scree_vtk vtk = {.points = n, .verts = n, .fill = fill_bodies, .context = job};
    for (int f = 0; f < SCREE_BODY_CHOICES; f++)
        if (job->wanted[f])
            scree_vtk_add(&vtk, "PointData", scree_body_fields[f].name,
                          f < SCREE_BODY_WHOLES ? SCREE_VTK_WHOLE : SCREE_VTK_REAL,
                          scree_body_fields[f].width, n, f);
    scree_vtk_add(&vtk, "Points", "Points", SCREE_VTK_REAL, 3, n, SCREE_BODY_POSITION);
    scree_vtk_add(&vtk, "Verts", "connectivity", SCREE_VTK_INTEGER, 1, n, BODY_CELL);
    scree_vtk_add(&vtk, "Verts", "offsets", SCREE_VTK_INTEGER, 1, n, BODY_CELL_END);
    scree_vtk_write(&vtk, &job->file, scree_world_clock(job->world).time);
    return job->file.status;
}
