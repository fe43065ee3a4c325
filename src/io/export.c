/*  The common part of all exports: look up the fields, sort the rows, begin a file, let its format fill it, and commit
    it. */
#include "io/export_rows.h"

#include "base/nearest_name.h"
#include "base/sized_definition.h"

#include <math.h>
#include <string.h>

#define OPTIONS_COOKIE 0x0f11e5edu

/*  Name, fields and writer of each format. */
typedef struct format_row
{
    const char *name, *suffix;
    bool has_body_fields;      /* it has those of scree_body_fields; or */
    const char *const *fields; /* these; NULL: none */
    bool of_bodies;
    scree_status (*write)(scree_export_job *job);
} format_row;

static const format_row formats[SCREE_EXPORT_FORMATS] = {
    {"vtp", ".vtp", true, NULL, true, scree_export_bodies_vtp},
    {"contacts", ".vtp", false, scree_contact_field_names, false, scree_export_contacts_vtp},
    {"walls", ".vtp", false, scree_wall_field_names, false, scree_export_walls_vtp},
    {"lammps", ".dump", true, NULL, true, scree_export_lammps},
    {"csv", ".csv", true, NULL, true, scree_export_csv},
    {"stl", ".stl", false, NULL, false, scree_export_walls_stl},
    {"solids", ".vtp", false, scree_solid_field_names, true, scree_export_solids_vtp},
    {"solids-stl", ".stl", false, NULL, true, scree_export_solids_stl},
    {"pebbles", ".vtp", false, scree_pebble_field_names, true, scree_export_pebbles_vtp},
};

static bool is_format(scree_export_format format)
{
    return (int)format >= 0 && format < SCREE_EXPORT_FORMATS;
}

const char *scree_export_format_name(scree_export_format format)
{
    return is_format(format) ? formats[format].name : NULL;
}

const char *scree_export_suffix(scree_export_format format)
{
    return is_format(format) ? formats[format].suffix : NULL;
}

const char *scree_export_field_name(scree_export_format format, size_t index)
{
    if (is_format(format) && formats[format].has_body_fields)
        return index < SCREE_BODY_CHOICES ? scree_body_fields[index].name : NULL;
    if (!is_format(format) || !formats[format].fields)
        return NULL;
    for (size_t i = 0; i < index; i++)
        if (!formats[format].fields[i])
            return NULL;
    return formats[format].fields[index];
}

void scree_init_export_def(scree_export_def *def, size_t size)
{
    static const scree_export_def own = {.cookie = OPTIONS_COOKIE,
                                         .size = sizeof(scree_export_def)};

    scree_definition_write(def, size, &own, sizeof own);
}

/* ---- fields ---- */

static const char *next_field(const void *format, size_t index)
{
    return scree_export_field_name(*(const scree_export_format *)format, index);
}

static scree_status refuse_field(const scree_export_job *job, scree_export_format format,
                                 const char *field)
{
    const char *nearest = scree_nearest_name(field, next_field, &format);
    if (nearest)
        return scree_fail(job->error, SCREE_BAD_ARGUMENT,
                          "export: %s has no field \"%.40s\"; did you mean \"%s\"?",
                          formats[format].name, field, nearest);
    return scree_fail(job->error, SCREE_BAD_ARGUMENT, "export: %s has no field \"%.40s\"",
                      formats[format].name, field);
}

/*  Index of a field; past the last if the format has none of that name. */
static size_t field_at(scree_export_format format, const char *field)
{
    size_t f = 0;

    for (const char *name; (name = scree_export_field_name(format, f)) != NULL; f++)
        if (strcmp(name, field) == 0)
            break;
    return f;
}

/*  A field of bodies, solids and pebbles that exists only if heat is on. */
static scree_status check_temperature(scree_export_job *job, scree_export_format format,
                                      bool is_chosen)
{
    size_t f = field_at(format, "temperature");

    if (!scree_export_field_name(format, f) || job->world->heat.is_on)
        return SCREE_OK;
    if (is_chosen && job->wanted[f])
        return scree_fail(job->error, SCREE_BAD_ARGUMENT,
                          "export: field \"temperature\": the world has no heat");
    job->wanted[f] = false;
    return SCREE_OK;
}

static scree_status choose_fields(scree_export_job *job, scree_export_format format,
                                  const scree_export_def *options)
{
    bool is_chosen = options->fields;
    for (size_t f = 0; !is_chosen && scree_export_field_name(format, f); f++)
        job->wanted[f] = !formats[format].has_body_fields || !scree_body_fields[f].is_asked_for;
    for (size_t i = 0; is_chosen && i < options->field_count; i++) {
        const char *field = options->fields[i];
        if (!field)
            return scree_fail(job->error, SCREE_BAD_ARGUMENT, "export: field %zu is NULL", i);
        size_t f = field_at(format, field);
        if (!scree_export_field_name(format, f))
            return refuse_field(job, format, field);
        job->wanted[f] = true;
    }
    return check_temperature(job, format, is_chosen);
}

void scree_body_field_get(const scree_export_job *job, scree_export_body_field field, size_t row,
                          scree_export_word *words)
{
    const scree_body_arrays *bodies = &job->world->bodies;
    const uint32_t slot = job->row[row];
    const double *from = NULL;
    switch (field) {
    case SCREE_BODY_SERIAL:
        words->whole = bodies->serial[slot][0];
        return;
    case SCREE_BODY_ID:
        words->whole = bodies->id[slot][0].index1;
        return;
    case SCREE_BODY_MATERIAL:
        words->whole = bodies->material[slot][0];
        return;
    case SCREE_BODY_USER:
        words->whole = bodies->user[slot][0];
        return;
    case SCREE_BODY_CHAIN:
        words->whole = job->chain[slot].chain;
        return;
    case SCREE_BODY_MASS:
        from = bodies->inertia[slot] + 3;
        break;
    case SCREE_BODY_RADIUS:
        from = bodies->position[slot] + 3;
        break;
    case SCREE_BODY_VELOCITY:
        from = bodies->velocity[slot];
        break;
    case SCREE_BODY_SPIN:
        from = bodies->spin[slot];
        break;
    case SCREE_BODY_ORIENTATION:
        from = bodies->orientation[slot];
        break;
    case SCREE_BODY_FORCE:
        from = bodies->force[slot];
        break;
    case SCREE_BODY_TORQUE:
        from = bodies->torque[slot];
        break;
    case SCREE_BODY_TEMPERATURE:
        from = bodies->heat[slot] + SCREE_HEAT_TEMPERATURE;
        break;
    case SCREE_BODY_POSITION:
        from = bodies->position[slot];
        break;
    case SCREE_BODY_COLUMNS: /* not a field */
        return;
    }
    for (int k = 0; k < scree_body_fields[field].width; k++)
        words[k].real = from[k];
}

/* ---- rows ---- */

static scree_status order_rows(scree_export_job *job)
{
    static const scree_workers alone = {.count = 1};
    scree_memory *memory = &job->file.memory;
    scree_sorter sorter = {0};
    uint64_t *keys = NULL;
    scree_status status;
    job->row_count = job->world->bodies.count;
    if ((status = scree_memory_take(memory, job->row_count, sizeof *job->row, &job->row)) ||
        (status = scree_memory_take(memory, job->row_count, sizeof *keys, &keys)))
        goto done;
    for (uint32_t slot = 0; slot < job->row_count; slot++) {
        keys[slot] = job->world->bodies.serial[slot][0];
        job->row[slot] = slot;
    }
    status = scree_sort_u64(&sorter, memory, &alone, keys, job->row, job->row_count);
    scree_sorter_free(&sorter, memory);
done:
    scree_memory_give(memory, &keys, job->row_count, sizeof *keys);
    if (status)
        scree_fail(job->error, status, "%.150s: out of memory", job->file.path);
    return status;
}

static scree_status find_chains(scree_export_job *job)
{
    const scree_chains_def def = scree_default_chains_def();
    scree_chains chains;
    scree_status status =
        scree_memory_take(&job->file.memory, job->row_count, sizeof *job->chain, &job->chain);

    if (status)
        return scree_fail(job->error, status, "%.150s: out of memory", job->file.path);
    status = scree_world_chains(job->world, &def, job->chain, NULL, job->row_count, &chains);
    return status ? scree_fail(job->error, status, "%s", scree_world_message(job->world))
                  : SCREE_OK;
}

/*  Extends a box by a ball. */
static void take_in(double lower[3], double upper[3], const double centre[3], double radius)
{
    for (int k = 0; k < 3; k++) {
        if (centre[k] - radius < lower[k])
            lower[k] = centre[k] - radius;
        if (centre[k] + radius > upper[k])
            upper[k] = centre[k] + radius;
    }
}

bool scree_export_box(const scree_export_job *job, bool with_walls, double lower[3],
                      double upper[3])
{
    const scree_body_arrays *bodies = &job->world->bodies;
    const scree_walls *walls = &job->world->walls;
    for (int k = 0; k < 3; k++) {
        lower[k] = INFINITY;
        upper[k] = -INFINITY;
    }
    for (size_t slot = 0; slot < bodies->count; slot++)
        take_in(lower, upper, bodies->position[slot], bodies->position[slot][3]);
    for (size_t w = 0; w < walls->count && with_walls; w++) {
        const scree_wall_record *wall = &walls->wall[w];
        scree_mesh_info info;
        if (wall->def.kind != SCREE_WALL_MESH)
            continue;
        info = scree_mesh_describe(wall->def.mesh);
        for (size_t v = 0; v < info.vertex_count; v++) {
            double point[3];
            scree_export_wall_point(wall, info.vertices + 3 * v, point);
            take_in(lower, upper, point, 0);
        }
    }
    return lower[0] <= upper[0];
}

/* ---- the whole export ---- */

scree_status scree_export(scree_world *world, scree_export_format format, const char *path,
                          const scree_export_def *options, scree_error *error)
{
    scree_export_job job = {.world = world, .error = error};
    scree_status status;
    if (!world || !path)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "export: %s is NULL",
                          world ? "path" : "world");
    if (!is_format(format))
        return scree_fail(error, SCREE_BAD_ARGUMENT, "export: there is no format %d", (int)format);
    scree_export_def own = scree_default_export_def();
    if (options && !scree_definition_read(&own, options))
        return scree_fail(error, SCREE_BAD_DEF,
                          "export options: they are not from scree_default_export_def");
    if ((status = choose_fields(&job, format, &own)) ||
        (status = scree_file_begin(&job.file, path, &world->memory.allocator, error)))
        return status;
    status = formats[format].of_bodies ? order_rows(&job) : SCREE_OK;
    if (!status && formats[format].has_body_fields && job.wanted[SCREE_BODY_CHAIN])
        status = find_chains(&job);
    if (!status)
        status = formats[format].write(&job);
    scree_memory_give(&job.file.memory, &job.row, job.row_count, sizeof *job.row);
    scree_memory_give(&job.file.memory, &job.chain, job.row_count, sizeof *job.chain);
    if (!status)
        return scree_file_commit(&job.file);
    scree_file_abandon(&job.file);
    return status;
}
