/*  Fields on a grid as VTK images and as CSV. */
#include "io/export_vtk.h"

#include "base/decimal.h"
#include "base/error.h"
#include "base/sized_definition.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/*  The results of scree_field_read, in the order of its members. */
typedef struct value_kind
{
    const char *name;
    size_t offset;
    int width;
} value_kind;

#define VALUE(name, width)                                                                         \
    {                                                                                              \
#name, offsetof(scree_field_values, name), width                                           \
    }
static const value_kind field_kinds[] = {
    VALUE(density, 1),        VALUE(solid_fraction, 1), VALUE(velocity, 3), VALUE(temperature, 1),
    VALUE(kinetic_stress, 6), VALUE(contact_stress, 9), VALUE(pressure, 1), VALUE(shear_stress, 1),
    VALUE(coordination, 1),   VALUE(fabric, 6),
};
#undef VALUE

/*  The same for cells of a wall. */
typedef struct load_values
{
    double area, pressure, shear[3], push, contacts;
} load_values;

#define VALUE(name, width)                                                                         \
    {                                                                                              \
#name, offsetof(load_values, name), width                                                  \
    }
static const value_kind load_kinds[] = {VALUE(area, 1), VALUE(pressure, 1), VALUE(shear, 3),
                                        VALUE(push, 1), VALUE(contacts, 1)};
#undef VALUE

typedef union cell_values
{
    scree_field_values field;
    load_values load;
} cell_values;

typedef struct field_export
{
    const char *name; /* in messages */
    const scree_fields_def *def;
    scree_fields_def own;      /* that of the host, completed: def while something is written */
    const scree_field *fields; /* or if NULL, those of a wall: */
    const scree_wall_load *loads;
    const value_kind *kinds;
    size_t kind_count, count;
    int dimensions;
    scree_vtk_image image;
} field_export;

static load_values read_load(const scree_wall_load *load)
{
    load_values values = {.area = load->area, .push = load->push, .contacts = load->contacts};

    if (!(load->area > 0))
        return values;
    values.pressure = load->push / load->area;
    for (int k = 0; k < 3; k++)
        values.shear[k] = load->shear[k] / load->area;
    return values;
}

static cell_values read_cell(const field_export *job, size_t cell)
{
    cell_values values;

    if (job->fields)
        values.field = scree_field_read(&job->fields[cell], job->dimensions);
    else
        values.load = read_load(&job->loads[cell]);
    return values;
}

static const double *value_of(const cell_values *values, const value_kind *kind)
{
    return (const double *)(const void *)((const char *)values + kind->offset);
}

/*  Boxes around the centres of cells. */
static scree_vtk_image image_of(const scree_fields_def *def, int dimensions)
{
    scree_vtk_image image;
    double half = def->width > 0 ? def->width : 0.5; /* for axes of length 0 */

    for (int k = 0; k < 3; k++) {
        bool is_thin = k >= dimensions || !(def->upper[k] > def->lower[k]);
        image.cells[k] = def->cells[k];
        image.origin[k] = k >= dimensions ? -half : is_thin ? def->lower[k] - half : def->lower[k];
        image.spacing[k] = is_thin ? 2 * half : (def->upper[k] - def->lower[k]) / def->cells[k];
    }
    return image;
}

/* ---- VTK ---- */

static void fill(const void *context, int what, size_t first, size_t count,
                 scree_export_word *words)
{
    const field_export *job = context;
    const value_kind *kind = &job->kinds[what];

    for (size_t i = 0; i < count; i++) {
        cell_values values = read_cell(job, first + i);
        memcpy(words + i * (size_t)kind->width, value_of(&values, kind),
               (size_t)kind->width * sizeof(double));
    }
}

static void put_image(const field_export *job, double time, scree_file *file)
{
    scree_vtk vtk = {.image = &job->image, .fill = fill, .context = job};

    for (size_t k = 0; k < job->kind_count; k++)
        scree_vtk_add(&vtk, "CellData", job->kinds[k].name, SCREE_VTK_REAL, job->kinds[k].width,
                      job->count, (int)k);
    scree_vtk_write(&vtk, file, time);
}

/* ---- CSV ---- */

static const char *const axes[10][9] = {
    [1] = {""},
    [3] = {"_x", "_y", "_z"},
    [6] = {"_xx", "_yy", "_zz", "_xy", "_yz", "_xz"},
    [9] = {"_xx", "_xy", "_xz", "_yx", "_yy", "_yz", "_zx", "_zy", "_zz"},
};

static void put_number(scree_file *file, double x, const char *after)
{
    char text[SCREE_REAL_TEXT];

    scree_real_to_text(x, text);
    scree_file_put_text(file, text);
    scree_file_put_text(file, after);
}

static void put_lines(const field_export *job, scree_file *file)
{
    const scree_vtk_image *image = &job->image;

    scree_file_put_text(file, "x,y,z");
    for (size_t k = 0; k < job->kind_count; k++)
        for (int a = 0; a < job->kinds[k].width; a++)
            scree_file_print(file, ",%s%s", job->kinds[k].name, axes[job->kinds[k].width][a]);
    scree_file_put_text(file, "\n");
    for (size_t i = 0; i < job->count && !file->status; i++) {
        const size_t cell[3] = {i % image->cells[0], i / image->cells[0] % image->cells[1],
                                i / image->cells[0] / image->cells[1]};
        cell_values values = read_cell(job, i);
        for (int k = 0; k < 3; k++)
            put_number(file, image->origin[k] + ((double)cell[k] + 0.5) * image->spacing[k], ",");
        for (size_t k = 0; k < job->kind_count; k++)
            for (int a = 0; a < job->kinds[k].width; a++) {
                bool is_last = k + 1 == job->kind_count && a + 1 == job->kinds[k].width;
                put_number(file, value_of(&values, &job->kinds[k])[a], is_last ? "\n" : ",");
            }
    }
}

static bool ends_in(const char *path, const char *suffix)
{
    size_t length = strlen(path), tail = strlen(suffix);

    return length >= tail && strcmp(path + length - tail, suffix) == 0;
}

static scree_status write_grid(field_export *job, double time, const char *path, scree_error *error)
{
    const scree_fields_def *def = job->def;
    scree_file file;

    if (!def || !(job->fields || job->loads) || !path)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "%s: %s is NULL", job->name,
                          !def                        ? "def"
                          : job->fields || job->loads ? "path"
                          : job->kinds == load_kinds  ? "loads"
                                                      : "fields");
    job->own = scree_default_fields_def();
    if (!scree_definition_read(&job->own, def))
        return scree_fail(error, SCREE_BAD_DEF,
                          "%s: not made by scree_default_fields_def of this version", job->name);
    job->def = def = &job->own;
    if (job->dimensions < 2 || job->dimensions > 3 || job->count == 0 ||
        (double)job->count != (double)def->cells[0] * def->cells[1] * def->cells[2])
        return scree_fail(
            error, SCREE_BAD_ARGUMENT,
            "%s: %zu in %d dimensions for %" PRIu32 " x %" PRIu32 " x %" PRIu32 " cells", job->name,
            job->count, job->dimensions, def->cells[0], def->cells[1], def->cells[2]);
    scree_status status = scree_file_begin(&file, path, NULL, error);
    if (status)
        return status;
    job->image = image_of(def, job->dimensions);
    if (ends_in(path, ".csv"))
        put_lines(job, &file);
    else
        put_image(job, time, &file);
    return scree_file_commit(&file);
}

scree_status scree_export_fields(const scree_fields_def *def, int dimensions, double time,
                                 const scree_field *fields, size_t count, const char *path,
                                 scree_error *error)
{
    field_export job = {.name = "fields",
                        .def = def,
                        .fields = fields,
                        .kinds = field_kinds,
                        .kind_count = SCREE_COUNT_OF(field_kinds),
                        .count = count,
                        .dimensions = dimensions};

    return write_grid(&job, time, path, error);
}

scree_status scree_export_wall_loads(const scree_fields_def *def, int dimensions, double time,
                                     const scree_wall_load *loads, size_t count, const char *path,
                                     scree_error *error)
{
    field_export job = {.name = "wall loads",
                        .def = def,
                        .loads = loads,
                        .kinds = load_kinds,
                        .kind_count = SCREE_COUNT_OF(load_kinds),
                        .count = count,
                        .dimensions = dimensions};

    return write_grid(&job, time, path, error);
}
