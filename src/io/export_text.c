/*  Bodies as text, one per line: LAMMPS dumps and CSV. Columns come from the same list of fields; only names differ. */
#include "io/export_rows.h"

#include "base/decimal.h"

#include <math.h>
#include <string.h>

/*  Fields in the order of their columns. */
typedef struct text_columns
{
    int count;
    scree_export_body_field field[SCREE_BODY_COLUMNS];
    bool of_dump;
    char separator;
} text_columns;

#define MAX_LINE (4 * SCREE_BODY_COLUMNS * SCREE_REAL_TEXT)

static void put_names(scree_export_job *job, const text_columns *columns)
{
    char separator[2] = {columns->separator, 0};
    for (int c = 0; c < columns->count; c++) {
        const scree_body_field *field = &scree_body_fields[columns->field[c]];
        for (int k = 0; k < field->width; k++) {
            if (c > 0 || k > 0)
                scree_file_put_text(&job->file, separator);
            scree_file_put_text(&job->file, columns->of_dump ? field->dump[k] : field->csv[k]);
        }
    }
    scree_file_put_text(&job->file, "\n");
}

static void put_rows(scree_export_job *job, const text_columns *columns)
{
    char line[MAX_LINE];
    scree_export_word words[4];
    for (size_t row = 0; row < job->row_count && !job->file.status; row++) {
        size_t length = 0;
        for (int c = 0; c < columns->count; c++) {
            scree_export_body_field field = columns->field[c];
            scree_body_field_get(job, field, row, words);
            for (int k = 0; k < scree_body_fields[field].width; k++) {
                length += field < SCREE_BODY_WHOLES
                              ? scree_whole_to_text(words[k].whole, line + length)
                              : scree_real_to_text(words[k].real, line + length);
                line[length++] = columns->separator;
            }
        }
        line[length - 1] = '\n';
        scree_file_put(&job->file, line, length);
    }
}

scree_status scree_export_csv(scree_export_job *job)
{
    text_columns columns = {.separator = ','};
    for (int f = 0; f < SCREE_BODY_CHOICES; f++) {
        if (f == SCREE_BODY_WHOLES)
            columns.field[columns.count++] = SCREE_BODY_POSITION;
        if (job->wanted[f])
            columns.field[columns.count++] = (scree_export_body_field)f;
    }
    put_names(job, &columns);
    put_rows(job, &columns);
    return job->file.status;
}

/* ---- LAMMPS ---- */

/*  How far corners of the cell are outside of its box along x or y: the bounds of LAMMPS are those of the corners. */
static double corner(const scree_domain *domain, int k, double sign)
{
    const double *tilt = domain->tilt;

    if (k == 1)
        return fmax(0, sign * tilt[2]);
    return k == 2 ? 0
                  : fmax(fmax(0, sign * tilt[0]), fmax(sign * tilt[1], sign * (tilt[0] + tilt[1])));
}

/*  The domain if the world has boundaries, otherwise the bounding box of all spheres: LAMMPS requires a box. */
static void put_box(scree_export_job *job)
{
    const scree_world_def *def = &job->world->def;
    double lower[3], upper[3];
    char text[3][SCREE_REAL_TEXT];
    scree_export_box(job, false, lower, upper);
    const scree_domain *domain = &job->world->cell.now;
    scree_file_put_text(&job->file,
                        domain->is_tilted ? "ITEM: BOX BOUNDS xy xz yz" : "ITEM: BOX BOUNDS");
    for (int k = 0; k < 3; k++)
        scree_file_put_text(&job->file,
                            def->domain.boundary[k] == SCREE_BOUNDARY_PERIODIC ? " pp" : " ff");
    scree_file_put_text(&job->file, "\n");
    for (int k = 0; k < 3; k++) {
        bool bordered = def->domain.boundary[k] != SCREE_BOUNDARY_NONE;
        bool known = bordered || lower[k] < upper[k];
        scree_real_to_text(!known     ? -0.5
                           : bordered ? domain->lower[k] - corner(domain, k, -1)
                                      : lower[k],
                           text[0]);
        scree_real_to_text(!known     ? 0.5
                           : bordered ? domain->upper[k] + corner(domain, k, 1)
                                      : upper[k],
                           text[1]);
        scree_real_to_text(domain->tilt[k], text[2]);
        scree_file_print(&job->file, "%s %s%s%s\n", text[0], text[1], domain->is_tilted ? " " : "",
                         domain->is_tilted ? text[2] : "");
    }
}

scree_status scree_export_lammps(scree_export_job *job)
{
    text_columns columns = {.of_dump = true, .separator = ' '};
    char text[2][SCREE_REAL_TEXT];
    scree_whole_to_text(scree_world_clock(job->world).steps, text[0]);
    scree_whole_to_text(job->row_count, text[1]);
    scree_file_print(&job->file, "ITEM: TIMESTEP\n%s\nITEM: NUMBER OF ATOMS\n%s\n", text[0],
                     text[1]);
    put_box(job);
    /* id and type come first, where readers expect them */
    columns.field[columns.count++] = SCREE_BODY_SERIAL;
    columns.field[columns.count++] = SCREE_BODY_MATERIAL;
    columns.field[columns.count++] = SCREE_BODY_POSITION;
    for (int f = 0; f < SCREE_BODY_CHOICES; f++)
        if (job->wanted[f] && f != SCREE_BODY_SERIAL && f != SCREE_BODY_MATERIAL)
            columns.field[columns.count++] = (scree_export_body_field)f;
    scree_file_put_text(&job->file, "ITEM: ATOMS ");
    put_names(job, &columns);
    put_rows(job, &columns);
    return job->file.status;
}
