/*  scree convert: converts checkpoints, meshes and body files of other programs to files that other programs read. */
#include "app/convert/export_vtkhdf.h"
#include "app/convert/verbs.h"

#include "scree/checkpoint.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*  Numbered after the formats of the library. */
#define VTKHDF SCREE_EXPORT_FORMATS
#define MAX_FIELDS 32

typedef struct conversion
{
    const char *from, *to;
    char *own_to; /* to be freed */
    int format;
    scree_export_def options;
    char *field_text; /* to be freed */
    const char *field[MAX_FIELDS];
} conversion;

static int report(const scree_error *error)
{
    return scree_status_error(error->status, error->text);
}

/* ---- output path ---- */

/*  Default path: "run/last.scree" becomes "run/last.vtp", for walls "run/last-walls.vtp", and so on. */
static bool name_output(conversion *c)
{
    const char *slash = strrchr(c->from, '/');
    const char *dot = strrchr(slash ? slash : c->from, '.');
    size_t stem =
        dot && dot != (slash ? slash + 1 : c->from) ? (size_t)(dot - c->from) : strlen(c->from);
    const char *kind = c->format == SCREE_EXPORT_VTP_CONTACTS  ? "-contacts"
                       : c->format == SCREE_EXPORT_VTP_WALLS   ? "-walls"
                       : c->format == SCREE_EXPORT_VTP_SOLIDS  ? "-solids"
                       : c->format == SCREE_EXPORT_VTP_PEBBLES ? "-pebbles"
                                                               : "";
    const char *suffix =
        c->format == VTKHDF ? ".vtkhdf" : scree_export_suffix((scree_export_format)c->format);
    size_t bytes = stem + strlen(kind) + strlen(suffix) + 1;
    c->own_to = malloc(bytes);
    if (!c->own_to)
        return false;
    snprintf(c->own_to, bytes, "%.*s%s%s", (int)stem, c->from, kind, suffix);
    c->to = c->own_to;
    return true;
}

/*  Splits "velocity,radius" into names. */
static int split_fields(conversion *c, const char *text)
{
    size_t bytes = strlen(text) + 1;
    c->field_text = malloc(bytes);
    if (!c->field_text)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    memcpy(c->field_text, text, bytes);
    c->options.fields = c->field;
    for (char *at = c->field_text; at && *at;) {
        char *comma = strchr(at, ',');
        if (c->options.field_count == MAX_FIELDS)
            return scree_usage_error("convert: --fields: more than %d", MAX_FIELDS);
        c->field[c->options.field_count++] = at;
        if (comma)
            *comma = 0;
        at = comma ? comma + 1 : NULL;
    }
    return SCREE_EXIT_OK;
}

/* ---- input ---- */

static bool is_checkpoint(const char *path)
{
    static const char magic[8] = {'\211', 's', 'c', 'r', 'e', 'e', '\r', '\n'};
    char head[8] = {0};
    struct stat info;
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
    bool is = file && fread(head, 1, sizeof head, file) == sizeof head &&
              memcmp(head, magic, sizeof magic) == 0;
    if (file)
        fclose(file);
    return is;
}

static int read_checkpoint(const char *path, scree_world **world)
{
    scree_checkpoint *checkpoint;
    scree_error error = {SCREE_OK, ""};
    scree_status status = scree_checkpoint_read(path, NULL, &checkpoint, &error);
    if (status)
        return report(&error);
    status = scree_checkpoint_world(checkpoint, NULL, world, &error);
    scree_checkpoint_destroy(checkpoint);
    return status ? report(&error) : SCREE_EXIT_OK;
}

static int fill_world(scree_world *world, scree_body_list *list, const char *path)
{
    scree_material_def material = scree_default_material_def();
    scree_status status = SCREE_OK;
    if (list->type_count > 1000)
        return scree_usage_error("%s: types go up to %u; the limit is 1000", path,
                                 list->type_count);
    for (uint32_t t = 0; t < list->type_count && !status; t++)
        status = scree_world_add_material(world, &material, NULL);
    for (size_t i = 0; i < list->count; i++) {
        list->bodies[i].material.index1 = list->types[i];
        list->bodies[i].serial = list->bodies[i].user;
    }
    if (!status)
        status = scree_world_add_bodies(world, list->bodies, list->count, NULL);
    return status ? scree_status_error(status, scree_world_message(world)) : SCREE_EXIT_OK;
}

/*  A world has more fields than a body file. Fields that would be invented are not exported. */
static int choose_known_fields(conversion *c, const scree_body_list *list)
{
    static const char *const known[] = {"serial",   "material", "mass",       "radius",
                                        "velocity", "spin",     "orientation"};
    static const char *const made_up[] = {"mass", "force", "torque"};
    bool has_mass = list->count > 0;
    for (size_t i = 0; i < list->count; i++)
        has_mass &= list->bodies[i].mass > 0;
    if (c->format == SCREE_EXPORT_VTP_CONTACTS || c->format == SCREE_EXPORT_VTP_WALLS)
        return scree_usage_error("convert: %s has only bodies, no %s", c->from,
                                 scree_export_format_name((scree_export_format)c->format));
    for (size_t i = 0; i < c->options.field_count; i++)
        for (size_t k = has_mass; k < sizeof made_up / sizeof *made_up; k++)
            if (strcmp(c->field[i], made_up[k]) == 0)
                return scree_usage_error("convert: --fields: %s has no %s", c->from, made_up[k]);
    if (c->options.fields)
        return SCREE_EXIT_OK;
    c->options.fields = c->field;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (has_mass || k != 2)
            c->field[c->options.field_count++] = known[k];
    return SCREE_EXIT_OK;
}

/*  Bodies of another program, in a world without steps. */
static int read_bodies(conversion *c, const scree_arguments *arguments, scree_world **world)
{
    const scree_verb *verb = &scree_verb_convert;
    static const char *const formats[] = {"auto", "lammps-data", "lammps-dump",
                                          "yade", "csv",         NULL};
    scree_import_def def = scree_default_import_def();
    scree_world_def world_def = scree_default_world_def();
    scree_body_list list;
    scree_error error = {SCREE_OK, ""};
    uint64_t frame = 0;
    int format = 0, code;
    if (!scree_parse_word(verb, arguments, "from", formats, &format) ||
        !scree_parse_count(verb, arguments, "frame", 0, INT64_MAX, &frame) ||
        !scree_parse_real(verb, arguments, "radius", 1e-300, 1e60, &def.radius))
        return SCREE_EXIT_USAGE;
    def.format = (scree_import_format)format;
    if (scree_argument(verb, arguments, "frame"))
        def.frame = (int64_t)frame;
    def.ignore_columns = scree_argument(verb, arguments, "ignore") != NULL;
    if (scree_import_bodies(c->from, &def, &list, &error))
        return report(&error);
    world_def.step.dt = 1;
    world_def.hooks.error = &error;
    code = choose_known_fields(c, &list);
    if (code == SCREE_EXIT_OK && scree_world_create(&world_def, world)) {
        code = report(&error);
    } else if (code == SCREE_EXIT_OK) {
        code = fill_world(*world, &list, c->from);
        if (code != SCREE_EXIT_OK) {
            scree_world_destroy(*world);
            *world = NULL;
        }
    }
    scree_body_list_free(&list);
    return code;
}

/* ---- the whole conversion ---- */

static int convert_mesh(const conversion *c)
{
    scree_error error = {SCREE_OK, ""};
    scree_mesh *mesh;
    scree_status status = scree_mesh_read(c->from, NULL, &mesh, &error);
    if (!status)
        status = scree_mesh_write_stl(mesh, c->to, &error);
    scree_mesh_destroy(mesh);
    return status ? report(&error) : SCREE_EXIT_OK;
}

static int convert_world(conversion *c, const scree_arguments *arguments)
{
    scree_error error = {SCREE_OK, ""};
    scree_world *world = NULL;
    scree_status status;
    int code = is_checkpoint(c->from) ? read_checkpoint(c->from, &world)
                                      : read_bodies(c, arguments, &world);
    if (code != SCREE_EXIT_OK)
        return code;
    status = c->format == VTKHDF
                 ? scree_export_vtkhdf(world, c->to, &c->options, &error)
                 : scree_export(world, (scree_export_format)c->format, c->to, &c->options, &error);
    scree_world_destroy(world);
    return status ? report(&error) : SCREE_EXIT_OK;
}

static int run_convert(const scree_arguments *arguments)
{
    const scree_verb *verb = &scree_verb_convert;
    static const char *const formats[] = {"vtp",    "contacts",   "walls",   "lammps", "csv", "stl",
                                          "solids", "solids-stl", "pebbles", "vtkhdf", NULL};
    conversion c = {.from = arguments->operand, .options = scree_default_export_def()};
    const char *fields = scree_argument(verb, arguments, "fields");
    int code = SCREE_EXIT_OK;
    c.to = scree_argument(verb, arguments, "out");
    if (!c.from)
        return scree_usage_error("convert: which FILE?");
    if (!scree_argument(verb, arguments, "to"))
        return scree_usage_error("convert: --to is needed: vtp, contacts, walls, lammps, csv, stl, "
                                 "solids, solids-stl, pebbles, vtkhdf");
    if (!scree_parse_word(verb, arguments, "to", formats, &c.format))
        return SCREE_EXIT_USAGE;
    if (!c.to && !name_output(&c))
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    if (strcmp(c.to, c.from) == 0)
        code = scree_usage_error("convert: %s would be overwritten; name another file with --out",
                                 c.from);
    if (code == SCREE_EXIT_OK && fields)
        code = split_fields(&c, fields);
    if (code == SCREE_EXIT_OK)
        code = c.format == SCREE_EXPORT_STL && !is_checkpoint(c.from)
                   ? convert_mesh(&c)
                   : convert_world(&c, arguments);
    free(c.own_to);
    free(c.field_text);
    return code;
}

static const scree_option convert_options[] = {
    {"to", "FORMAT",
     "vtp, contacts, walls, lammps, csv, stl, solids, solids-stl, pebbles or vtkhdf"},
    {"out", "PATH", "the file; FILE with another suffix"},
    {"fields", "LIST", "names with commas, such as radius,velocity; all"},
    {"from", "FORMAT", "of bodies: auto, lammps-data, lammps-dump, yade or csv; auto"},
    {"frame", "N", "of a dump, from 0; the last"},
    {"radius", "R", "radius of spheres if the file has none"},
    {"ignore", NULL, "skip unknown columns of a CSV file"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_convert = {
    .name = "convert",
    .operand = "FILE",
    .summary = "Converts checkpoints, bodies and meshes to files for other programs.",
    .text = "A checkpoint can be converted to any format; a file of bodies (LAMMPS data, LAMMPS or "
            "LIGGGHTS\n"
            "dump, Yade text, CSV) to vtp, lammps, csv or vtkhdf; a mesh (STL, OBJ, PLY) to stl. "
            "The kind of\n"
            "FILE is found from its content. To show bodies in ParaView, use the filter Glyph: "
            "Sphere,\n"
            "scaled by radius, factor 2, all points. The output is complete or absent.",
    .example = "scree convert state.scree --to vtp --out state.vtp",
    .options = convert_options,
    .run = run_convert,
};
