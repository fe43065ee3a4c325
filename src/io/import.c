/*  Recognises the format of a file of bodies, and creates the list from its reader. */
#include "base/sized_definition.h"
#include "io/import_list.h"
#include "io/read_file.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define DEF_COOKIE 0x1b0d1e5u

typedef struct import_format
{
    const char *name;
    bool (*fits)(scree_text text); /* NULL: any file */
    scree_status (*read)(scree_import *import, scree_text *text);
} import_format;

/*  In the order in which they are tried. */
static const import_format import_formats[SCREE_IMPORT_FORMATS] = {
    {"auto", NULL, NULL},
    {"lammps-data", scree_is_lammps_data, scree_import_lammps_data},
    {"lammps-dump", scree_is_lammps_dump, scree_import_lammps_dump},
    {"yade", scree_is_yade, scree_import_yade},
    {"csv", NULL, scree_import_csv},
};

const char *scree_import_format_name(scree_import_format format)
{
    return (int)format >= 0 && format < SCREE_IMPORT_FORMATS ? import_formats[format].name : NULL;
}

void scree_init_import_def(scree_import_def *def, size_t size)
{
    static const scree_import_def own = {
        .cookie = DEF_COOKIE, .size = sizeof(scree_import_def), .frame = -1};

    scree_definition_write(def, size, &own, sizeof own);
}

/*  The definition of the host, if it gives one, in full. */
static scree_status read_import_def(const scree_import_def *given, scree_import_def *def,
                                    scree_error *error)
{
    *def = scree_default_import_def();
    if (given && !scree_definition_read(def, given))
        return scree_fail(error, SCREE_BAD_DEF,
                          "import def: it is not from scree_default_import_def");
    if (!scree_import_format_name(def->format))
        return scree_fail(error, SCREE_BAD_ARGUMENT, "import def: there is no format %d",
                          (int)def->format);
    if (!(def->radius >= 0 && def->radius < INFINITY))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "import def: radius is %g, must be 0 or more and finite", def->radius);
    return SCREE_OK;
}

static scree_status read_bodies(scree_import *import, scree_text *text)
{
    scree_import_format format = import->def->format;
    scree_status status;
    if (format == SCREE_IMPORT_BY_CONTENT)
        for (format = SCREE_IMPORT_LAMMPS_DATA; import_formats[format].fits; format++)
            if (import_formats[format].fits(*text))
                break;
    if (format != SCREE_IMPORT_LAMMPS_DUMP && import->def->frame != 0 && import->def->frame != -1)
        return scree_fail(text->error, SCREE_BAD_ARGUMENT,
                          "%.100s: there is no frame %" PRId64 ", this format has one", text->name,
                          import->def->frame);
    import->list->frame_count = 1;
    status = import_formats[format].read(import, text);
    return status ? status : scree_import_finish(import, text);
}

scree_status scree_import_bytes(const void *bytes, size_t count, const char *name,
                                const scree_import_def *def, scree_body_list *list,
                                scree_error *error)
{
    scree_import_def own;
    scree_memory memory;
    scree_import import = {.def = &own, .memory = &memory, .list = list};
    scree_text text = scree_text_open(bytes, bytes ? count : 0, name ? name : "bodies", error);
    scree_status status;
    if (!list)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "import: list is NULL");
    *list = (scree_body_list){0};
    if (!bytes && count > 0)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "import: bytes is NULL");
    if ((status = read_import_def(def, &own, error)))
        return status;
    if ((status = scree_memory_init(&memory, &import.def->allocator)))
        return scree_fail(error, status, "import def: allocator has some functions, not all");
    list->allocator = import.def->allocator;
    status = read_bodies(&import, &text);
    scree_memory_give(&memory, &import.bodies, import.body_capacity, sizeof *import.bodies);
    scree_memory_give(&memory, &import.types, import.type_capacity, sizeof *import.types);
    scree_memory_give(&memory, &import.lines, import.line_capacity, sizeof *import.lines);
    if (status)
        scree_body_list_free(list);
    return status;
}

scree_status scree_import_bodies(const char *path, const scree_import_def *def,
                                 scree_body_list *list, scree_error *error)
{
    scree_import_def own;
    scree_memory memory;
    scree_file_bytes file;
    scree_status status;
    if (!list || !path)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "import: %s is NULL", list ? "path" : "list");
    *list = (scree_body_list){0};
    if ((status = read_import_def(def, &own, error)))
        return status;
    if ((status = scree_memory_init(&memory, &own.allocator)))
        return scree_fail(error, status, "import def: allocator has some functions, not all");
    status = scree_file_read(path, NULL, &memory, &file, error);
    if (!status)
        status = scree_import_bytes(file.bytes, file.count, path, &own, list, error);
    scree_file_bytes_free(&file, &memory);
    return status;
}

void scree_body_list_free(scree_body_list *list)
{
    scree_memory memory;
    if (!list || scree_memory_init(&memory, &list->allocator))
        return;
    scree_memory_give(&memory, &list->bodies, list->count, sizeof *list->bodies);
    scree_memory_give(&memory, &list->types, list->count, sizeof *list->types);
    *list = (scree_body_list){0};
}
