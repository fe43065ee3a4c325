/*  Converts rows of numbers to spheres. The name of a column defines its meaning. scree_world_add_body would also check
    the values, but only here is the line known. */
#include "io/import_list.h"

#include "base/nearest_name.h"
#include "base/quaternion.h"
#include "base/radix_sort.h"
#include "io/body_fields.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
#define LARGEST 1e60 /* numbers whose products are finite */

/* ---- columns ---- */

typedef struct column_name
{
    const char *name;
    int kind;
} column_name;

/*  LAMMPS, LIGGGHTS, Yade, and our own: columns that define a body. Messages use the first name of each. */
static const column_name column_names[] = {
    {"id", SCREE_COLUMN_BODY_ID},
    {"serial", SCREE_COLUMN_BODY_ID},
    {"type", SCREE_COLUMN_TYPE},
    {"material", SCREE_COLUMN_TYPE},
    {"mask", SCREE_COLUMN_MASK_BITS},
    {"x", SCREE_COLUMN_PLAIN},
    {"y", SCREE_COLUMN_PLAIN + 1},
    {"z", SCREE_COLUMN_PLAIN + 2},
    {"xu", SCREE_COLUMN_UNWRAPPED},
    {"yu", SCREE_COLUMN_UNWRAPPED + 1},
    {"zu", SCREE_COLUMN_UNWRAPPED + 2},
    {"xs", SCREE_COLUMN_SCALED},
    {"ys", SCREE_COLUMN_SCALED + 1},
    {"zs", SCREE_COLUMN_SCALED + 2},
    {"xsu", SCREE_COLUMN_SCALED_UNWRAPPED},
    {"ysu", SCREE_COLUMN_SCALED_UNWRAPPED + 1},
    {"zsu", SCREE_COLUMN_SCALED_UNWRAPPED + 2},
    {"radius", SCREE_COLUMN_RADIUS},
    {"r", SCREE_COLUMN_RADIUS},
    {"diameter", SCREE_COLUMN_DIAMETER},
    {"mass", SCREE_COLUMN_MASS},
    {"density", SCREE_COLUMN_DENSITY},
    {"vx", SCREE_COLUMN_VELOCITY},
    {"vy", SCREE_COLUMN_VELOCITY + 1},
    {"vz", SCREE_COLUMN_VELOCITY + 2},
    {"wx", SCREE_COLUMN_SPIN},
    {"wy", SCREE_COLUMN_SPIN + 1},
    {"wz", SCREE_COLUMN_SPIN + 2},
    {"omegax", SCREE_COLUMN_SPIN},
    {"omegay", SCREE_COLUMN_SPIN + 1},
    {"omegaz", SCREE_COLUMN_SPIN + 2},
    {"qw", SCREE_COLUMN_ORIENTATION},
    {"qx", SCREE_COLUMN_ORIENTATION + 1},
    {"qy", SCREE_COLUMN_ORIENTATION + 2},
    {"qz", SCREE_COLUMN_ORIENTATION + 3},
    {"quatw", SCREE_COLUMN_ORIENTATION},
    {"quati", SCREE_COLUMN_ORIENTATION + 1},
    {"quatj", SCREE_COLUMN_ORIENTATION + 2},
    {"quatk", SCREE_COLUMN_ORIENTATION + 3},
};

static const char *name_of_column(int kind)
{
    size_t i = 0;
    while (column_names[i].kind != kind)
        i++;
    return column_names[i].name;
}

/*  Names that exports write, those of CSV first; NULL past the last, and if a field has fewer components. */
#define EXPORTED (2 * 4 * SCREE_BODY_COLUMNS)
static const char *exported_name(size_t index)
{
    const scree_body_field *field = &scree_body_fields[index / 4 % SCREE_BODY_COLUMNS];

    return index < EXPORTED / 2 ? field->csv[index % 4] : field->dump[index % 4];
}

scree_import_column scree_import_column_of(scree_span name)
{
    for (size_t i = 0; i < SCREE_COUNT_OF(column_names); i++)
        if (scree_span_is(name, column_names[i].name))
            return (scree_import_column)column_names[i].kind;
    for (size_t i = 0; i < EXPORTED; i++)
        if (exported_name(i) && scree_span_is(name, exported_name(i)))
            return SCREE_COLUMN_KNOWN;
    return SCREE_COLUMN_UNKNOWN;
}

static const char *next_column_name(const void *list, size_t index)
{
    (void)list;
    if (index < SCREE_COUNT_OF(column_names))
        return column_names[index].name;
    index -= SCREE_COUNT_OF(column_names);
    for (size_t i = 0; i < EXPORTED; i++)
        if (exported_name(i) && index-- == 0)
            return exported_name(i);
    return NULL;
}

const char *scree_import_nearest_column(const char *name)
{
    return scree_nearest_name(name, next_column_name, NULL);
}

scree_status scree_import_add_column(const scree_text *text, scree_import_columns *columns,
                                     scree_import_column kind, scree_span name)
{
    char shown[SCREE_SHOWN];
    if (columns->count == SCREE_IMPORT_COLUMNS)
        return scree_text_fail(text, "more than %d columns", SCREE_IMPORT_COLUMNS);
    if (kind < SCREE_COLUMN_KINDS && columns->present[kind])
        return scree_text_fail(text, "column \"%s\": \"%s\" is given already",
                               scree_show(name, shown), name_of_column((int)kind));
    if (kind < SCREE_COLUMN_KINDS)
        columns->present[kind] = true;
    columns->kind[columns->count++] = kind;
    return SCREE_OK;
}

/*  Checks that a vector has all of its columns or none; *missing is one that is missing. */
static int count_columns(const scree_import_columns *columns, int first, int width, int *missing)
{
    int present = 0;
    for (int k = width - 1; k >= 0; k--) {
        present += columns->present[first + k];
        if (!columns->present[first + k])
            *missing = first + k;
    }
    return present;
}

scree_status scree_import_check_columns(const scree_text *text, scree_import_columns *columns,
                                        const scree_import_def *def, bool flat)
{
    static const int vectors[][2] = {
        {SCREE_COLUMN_PLAIN, 3},      {SCREE_COLUMN_UNWRAPPED, 3},
        {SCREE_COLUMN_SCALED, 3},     {SCREE_COLUMN_SCALED_UNWRAPPED, 3},
        {SCREE_COLUMN_VELOCITY, 3},   {SCREE_COLUMN_SPIN, 3},
        {SCREE_COLUMN_ORIENTATION, 4}};
    bool positions = false;
    for (size_t v = 0; v < SCREE_COUNT_OF(vectors); v++) {
        int missing = 0;
        int present = count_columns(columns, vectors[v][0], vectors[v][1], &missing);
        bool is_plane = flat && present == 2 && missing == SCREE_COLUMN_PLAIN + 2;
        if (present > 0 && present < vectors[v][1] && !is_plane)
            return scree_text_fail(text, "column %s is missing", name_of_column(missing));
        positions |= v < 4 && present > 0;
    }
    if (!positions)
        return scree_text_fail(text, "there are no columns x, y and z");
    if (!columns->present[SCREE_COLUMN_RADIUS] && !columns->present[SCREE_COLUMN_DIAMETER] &&
        def->radius == 0)
        return scree_text_fail(text, "there is no column radius or diameter, and no radius was "
                                     "given for all");
    if (def->keep_serials && !columns->present[SCREE_COLUMN_BODY_ID])
        return scree_text_fail(text, "there is no column id to keep as global ids");
    return SCREE_OK;
}

/* ---- rows ---- */

scree_status scree_import_read(const scree_text *text, scree_import_column kind, scree_span word,
                               scree_import_row *row)
{
    if (kind >= SCREE_COLUMN_KINDS)
        return SCREE_OK;
    if (kind == SCREE_COLUMN_TYPE)
        return scree_read_whole(text, "type", word, 1, UINT32_MAX, &row->whole[kind]);
    if (kind < SCREE_COLUMN_WHOLES)
        return scree_read_whole(text, name_of_column((int)kind), word, 1, UINT64_MAX,
                                &row->whole[kind]);
    return scree_read_real(text, name_of_column((int)kind), word, LARGEST, &row->real[kind]);
}

static bool is_given(const scree_import_columns *columns, int kind)
{
    return columns->present[kind];
}

/*  Unwrapped positions before wrapped, plain before scaled. */
static void find_position(const scree_import *import, const scree_import_columns *columns,
                          const double *real, double position[3])
{
    int from = is_given(columns, SCREE_COLUMN_UNWRAPPED)          ? SCREE_COLUMN_UNWRAPPED
               : is_given(columns, SCREE_COLUMN_SCALED_UNWRAPPED) ? SCREE_COLUMN_SCALED_UNWRAPPED
               : is_given(columns, SCREE_COLUMN_PLAIN)            ? SCREE_COLUMN_PLAIN
                                                                  : SCREE_COLUMN_SCALED;
    bool scaled = from >= SCREE_COLUMN_SCALED;
    for (int k = 0; k < 3; k++) {
        double value = is_given(columns, from + k) ? real[from + k] : 0;
        position[k] =
            scaled ? import->lower[k] + value * (import->upper[k] - import->lower[k]) : value;
    }
}

static scree_status find_radius(const scree_import *import, const scree_text *text,
                                const scree_import_columns *columns, const double *real,
                                double *radius)
{
    bool has_radius = is_given(columns, SCREE_COLUMN_RADIUS);
    bool has_diameter = is_given(columns, SCREE_COLUMN_DIAMETER);
    *radius = has_radius     ? real[SCREE_COLUMN_RADIUS]
              : has_diameter ? 0.5 * real[SCREE_COLUMN_DIAMETER]
                             : 0;
    if (*radius == 0) /* LAMMPS may have points among its spheres */
        *radius = import->def->radius;
    if (!(*radius > 0))
        return scree_text_fail(text, "%s: %g must be above 0", has_radius ? "radius" : "diameter",
                               has_radius ? *radius : 2 * *radius);
    return SCREE_OK;
}

/*  From a mass, a density, or neither: then the material's density. */
static scree_status find_mass(const scree_text *text, const scree_import_columns *columns,
                              const double *real, double radius, double *mass)
{
    double density = is_given(columns, SCREE_COLUMN_DENSITY) ? real[SCREE_COLUMN_DENSITY] : 0;
    *mass = 0;
    if (is_given(columns, SCREE_COLUMN_MASS))
        *mass = real[SCREE_COLUMN_MASS];
    else if (is_given(columns, SCREE_COLUMN_DENSITY))
        *mass = density * (4.0 / 3.0 * PI * radius * radius * radius);
    else
        return SCREE_OK;
    if (!(*mass > 0))
        return scree_text_fail(text, "%s: %g must be above 0",
                               is_given(columns, SCREE_COLUMN_MASS) ? "mass" : "density",
                               is_given(columns, SCREE_COLUMN_MASS) ? *mass : density);
    return SCREE_OK;
}

static scree_status make_body(const scree_import *import, const scree_text *text,
                              const scree_import_columns *columns, const scree_import_row *row,
                              scree_body_def *body)
{
    const double *real = row->real;
    scree_status status;
    double radius;
    *body = scree_default_body_def();
    find_position(import, columns, real, body->position);
    if ((status = find_radius(import, text, columns, real, &radius)) ||
        (status = find_mass(text, columns, real, radius, &body->mass)))
        return status;
    body->shape = scree_shape_sphere(radius);
    if (is_given(columns, SCREE_COLUMN_VELOCITY))
        memcpy(body->velocity, real + SCREE_COLUMN_VELOCITY, sizeof body->velocity);
    if (is_given(columns, SCREE_COLUMN_SPIN))
        memcpy(body->spin, real + SCREE_COLUMN_SPIN, sizeof body->spin);
    if (is_given(columns, SCREE_COLUMN_ORIENTATION)) {
        memcpy(body->orientation, real + SCREE_COLUMN_ORIENTATION, sizeof body->orientation);
        if (!scree_quaternion_normalise(body->orientation))
            return scree_text_fail(text, "orientation: its length is 0");
    }
    if (is_given(columns,
                 SCREE_COLUMN_MASK_BITS)) /* as in Yade: bodies that share a bit interact */
        body->groups = body->mask = row->whole[SCREE_COLUMN_MASK_BITS];
    if (is_given(columns, SCREE_COLUMN_BODY_ID)) {
        body->user = row->whole[SCREE_COLUMN_BODY_ID];
        body->serial = import->def->keep_serials ? body->user : 0;
    }
    return SCREE_OK;
}

scree_status scree_import_add(scree_import *import, const scree_text *text,
                              const scree_import_columns *columns, const scree_import_row *row)
{
    const scree_import_def *def = import->def;
    size_t wanted = import->count + 1;
    uint32_t type =
        is_given(columns, SCREE_COLUMN_TYPE) ? (uint32_t)row->whole[SCREE_COLUMN_TYPE] : 1;
    scree_status status;
    if (scree_memory_reserve(import->memory, &import->bodies, &import->body_capacity, wanted,
                             sizeof *import->bodies) ||
        scree_memory_reserve(import->memory, &import->types, &import->type_capacity, wanted,
                             sizeof *import->types) ||
        scree_memory_reserve(import->memory, &import->lines, &import->line_capacity, wanted,
                             sizeof *import->lines))
        return scree_fail(text->error, SCREE_OUT_OF_MEMORY, "%.100s:%" PRIu64 ": out of memory",
                          text->name, text->line);
    if (def->materials && type > def->material_count)
        return scree_text_fail(text, "type: %" PRIu32 ", but only %zu materials were given", type,
                               def->material_count);
    if ((status = make_body(import, text, columns, row, &import->bodies[import->count])))
        return status;
    if (def->materials)
        import->bodies[import->count].material = def->materials[type - 1];
    import->has_ids = is_given(columns, SCREE_COLUMN_BODY_ID);
    import->types[import->count] = type;
    import->lines[import->count] = text->line;
    if (type > import->list->type_count)
        import->list->type_count = type;
    import->count++;
    return SCREE_OK;
}

/* ---- completion ---- */

scree_status scree_import_sort_ids(scree_import *import, const scree_text *text, uint64_t **ids,
                                   uint32_t **places)
{
    static const scree_workers alone = {.count = 1};
    scree_sorter sorter = {0};
    scree_status status;
    *ids = NULL;
    *places = NULL;
    if (!(status = scree_memory_take(import->memory, import->count, sizeof **ids, ids)))
        status = scree_memory_take(import->memory, import->count, sizeof **places, places);
    for (size_t i = 0; i < import->count && !status; i++) {
        (*ids)[i] = import->bodies[i].user;
        (*places)[i] = (uint32_t)i;
    }
    if (!status && import->has_ids)
        status = scree_sort_u64(&sorter, import->memory, &alone, *ids, *places, import->count);
    scree_sorter_free(&sorter, import->memory);
    if (status)
        scree_fail(text->error, status, "%.100s: out of memory", text->name);
    return status;
}

static scree_status check_ids(const scree_import *import, scree_text *text, const uint64_t *ids,
                              const uint32_t *places)
{
    for (size_t i = 1; i < import->count && import->has_ids; i++)
        if (ids[i] == ids[i - 1]) { /* the sort is stable: equal ids are in the order of the file */
            text->line = import->lines[places[i]];
            return scree_text_fail(text, "id: %" PRIu64 " is also that of line %" PRIu64 "", ids[i],
                                   import->lines[places[i - 1]]);
        }
    return SCREE_OK;
}

scree_status scree_import_finish(scree_import *import, scree_text *text)
{
    scree_body_list *list = import->list;
    uint64_t *ids;
    uint32_t *places;
    scree_status status = scree_import_sort_ids(import, text, &ids, &places);
    if (!status)
        status = check_ids(import, text, ids, places);
    if (!status &&
        (scree_memory_take(import->memory, import->count, sizeof *list->bodies, &list->bodies) ||
         scree_memory_take(import->memory, import->count, sizeof *list->types, &list->types)))
        status = scree_fail(text->error, SCREE_OUT_OF_MEMORY, "%.100s: out of memory", text->name);
    for (size_t i = 0; i < import->count && !status; i++) {
        list->bodies[i] = import->bodies[places[i]];
        list->types[i] = import->types[places[i]];
    }
    list->count = import->count; /* from here on scree_body_list_free frees it */
    scree_memory_give(import->memory, &ids, import->count, sizeof *ids);
    scree_memory_give(import->memory, &places, import->count, sizeof *places);
    return status;
}
