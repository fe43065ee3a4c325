/*  scree/io.h: reads and writes files of other programs.

        scree_error why;
        scree_mesh *drum;
        if (scree_mesh_read("drum.stl", NULL, &drum, &why)) puts(why.text);
        ...
        if (scree_export(world, SCREE_EXPORT_VTP_BODIES, "bodies.vtp", NULL, &why)) puts(why.text);

    READING. The format is recognised by the content of a file, not by its name. Files are not trusted: sizes that a
    file claims are checked against its length before memory is allocated, and numbers must be complete and finite. A
    message names the file, the line (in binary parts the byte, from 0), the field and the value. Numbers are read to
    the nearest double in any locale.

    WRITING. A file is written completely or not at all: the content goes to a temporary file in the same folder, which
    is renamed when all of it has reached the disk. Rows are in the order of global ids, and numbers are written so
    that reading gives the same double. The same state gives the same file. Memory does not grow with the size of the
    file, except for the order of rows (24 bytes per body) and the list of contacts. Pipes and devices (/dev/null) are
    written directly.

    CAVEATS. Binary STL stores floats: 7 digits. docs/files.md describes each format and its fields. */
#ifndef SCREE_IO_H
#define SCREE_IO_H

#include "scree/base.h"
#include "scree/fields.h"
#include "scree/shape.h"
#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- meshes ---------------------------------------------------------------------------------------- */

/*  Reads a mesh from STL (text and binary), Wavefront OBJ or PLY (text, and binary in both byte orders). Polygons are
    cut into triangles that share their first corner. `def` supplies weld and allocator, its vertices and facets must be
    empty; NULL: the default. On failure *mesh is NULL. SCREE_IO_ERROR: the file cannot be read; SCREE_BAD_FILE, with
    the place; SCREE_TOO_LARGE: more than 2^30 triangles; SCREE_BAD_VALUE: no triangle has an area; SCREE_BAD_DEF;
    SCREE_BAD_ARGUMENT; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_mesh_read(const char *path, const scree_mesh_def *def,
                                       scree_mesh **mesh, scree_error *error);
/*  Does the same with a file in memory. Messages call it `name`; NULL: "mesh". */
SCREE_API scree_status scree_mesh_read_bytes(const void *bytes, size_t count, const char *name,
                                             const scree_mesh_def *def, scree_mesh **mesh,
                                             scree_error *error);

/*  Writes a mesh as binary STL, in its own frame. SCREE_BAD_ARGUMENT: a mesh of segments; SCREE_BAD_VALUE: a coordinate
    that does not fit in a float; SCREE_IO_ERROR; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_mesh_write_stl(const scree_mesh *mesh, const char *path,
                                            scree_error *error);

/* ---- exports ---------------------------------------------------------------------------------------- */

/*  What to write, and in which format. */
typedef enum scree_export_format
{
    /*  Bodies as points, VTK XML: ParaView (Glyph, Sphere, scaled by radius). */
    SCREE_EXPORT_VTP_BODIES,
    /*  Contacts as lines between centres, or from a centre to the contact point on a wall. */
    SCREE_EXPORT_VTP_CONTACTS,
    /*  Triangles of mesh walls at their current position; planes as a square. */
    SCREE_EXPORT_VTP_WALLS,
    SCREE_EXPORT_LAMMPS, /* bodies as a text dump with named columns: OVITO, ASE, LAMMPS */
    /*  Bodies as CSV with a header: spreadsheets, pandas; can be imported again. */
    SCREE_EXPORT_CSV,
    SCREE_EXPORT_STL,         /* triangles of mesh walls at their current position, binary STL */
    SCREE_EXPORT_VTP_SOLIDS,  /* triangles of meshes and blocks at their current position */
    SCREE_EXPORT_STL_SOLIDS,  /* the same, binary STL */
    SCREE_EXPORT_VTP_PEBBLES, /* spheres, and the pebbles of clumps, as points */
    SCREE_EXPORT_FORMATS,     /* the number of formats */
} scree_export_format;

/*  Returns the name of a format for command lines and scenes: "vtp", "contacts", "walls", "lammps", "csv", "stl",
    "solids", "solids-stl", "pebbles". NULL past the end. */
SCREE_API const char *scree_export_format_name(scree_export_format format);
/*  Returns the file name suffix with the dot, such as ".vtp". */
SCREE_API const char *scree_export_suffix(scree_export_format format);
/*  Returns the name of a field that a format can write, by index. NULL past the end. STL has none. Bodies: id, serial,
    material, user, mass, radius, velocity, spin, orientation, force, torque, temperature; and chain, the number of the
    force chain (scree/chains.h), only if it is requested by name. Positions are always written. Contacts: force,
    normal_force, tangential_force, overlap, first, second, wall, facet, rule, bond (0: none, 1: intact; broken by 2:
    tension, 3: shear, 4: distance). Walls: wall, material, facet, velocity, pressure, shear, force (see
    scree_facet_load; the triangles that show a plane share its force). Solids: serial, material, user, facet, velocity,
    temperature. Temperatures exist only if heat is on. */
SCREE_API const char *scree_export_field_name(scree_export_format format, size_t index);

/*  What to write of each row. */
typedef struct scree_export_def
{
    uint32_t cookie;           /* set by the default function */
    uint32_t size;             /* in bytes, set by the default function */
    const char *const *fields; /* names of fields; written in the order of the format; NULL: all */
    size_t field_count;        /* number of names */
} scree_export_def;

/*  What scree_default_export_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_export_def(scree_export_def *def, size_t size);
/*  Returns options with default values: all fields. */
static inline scree_export_def scree_default_export_def(void)
{
    scree_export_def def;
    scree_init_export_def(&def, sizeof def);
    return def;
}

/*  Writes the world to a file. `options` may be NULL. Uses the allocator of the world. Forces and contacts are those of
    the last step. On failure a previous file of that name is unchanged. SCREE_BAD_ARGUMENT: no such format, or no such
    field, with the nearest name; SCREE_BAD_DEF; SCREE_BAD_VALUE: in STL, a coordinate that does not fit in a float;
    SCREE_TOO_LARGE: in STL, more than 2^32 - 1 triangles; SCREE_IO_ERROR, with path and reason; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_export(scree_world *world, scree_export_format format,
                                    const char *path, const scree_export_def *options,
                                    scree_error *error);

/*  Writes a ParaView collection (.pvd), which assigns times to files. File names are relative to the folder of the
    collection. It may be rewritten after each frame, and is complete at any moment. SCREE_BAD_VALUE: a time that is not
    finite; SCREE_BAD_ARGUMENT; SCREE_IO_ERROR; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_export_series(const char *path, const char *const *files,
                                           const double *times, size_t count, scree_error *error);

/*  Writes coarse-grained fields, computed from their sums. If the name ends in ".csv" it writes a line per cell,
    otherwise a VTK image (.vti) with cell values. An axis of length 0 is written with twice the width.
    SCREE_BAD_ARGUMENT: NULL, or `count` is not the number of cells; SCREE_BAD_DEF; SCREE_IO_ERROR; SCREE_OUT_OF_MEMORY.
    */
SCREE_API scree_status scree_export_fields(const scree_fields_def *def, int dimensions, double time,
                                           const scree_field *fields, size_t count,
                                           const char *path, scree_error *error);

/*  Writes loads on a wall in the same way: area, pressure and shear traction (both 0 without area), push and contacts.
    */
SCREE_API scree_status scree_export_wall_loads(const scree_fields_def *def, int dimensions,
                                               double time, const scree_wall_load *loads,
                                               size_t count, const char *path, scree_error *error);

/* ---- imports ---------------------------------------------------------------------------------------- */

/*  Formats of body lists. */
typedef enum scree_import_format
{
    SCREE_IMPORT_BY_CONTENT, /* recognised by the content of the file */
    /*  File for read_data, atom_style sphere: Atoms, and Velocities if present. */
    SCREE_IMPORT_LAMMPS_DATA,
    SCREE_IMPORT_LAMMPS_DUMP, /* text dump of LAMMPS or LIGGGHTS; columns by name */
    /*  Text of x y z r [mask], with or without a line "#format x_y_z_r...". */
    SCREE_IMPORT_YADE,
    SCREE_IMPORT_CSV, /* columns by name, as scree_export writes them; those without a field in scree_body_def are
                         ignored; without a header x,y,r or x,y,z,r */
    SCREE_IMPORT_FORMATS, /* the number of formats */
} scree_import_format;

/*  Returns the name of a format: "auto", "lammps-data", "lammps-dump", "yade", "csv". NULL past the end. */
SCREE_API const char *scree_import_format_name(scree_import_format format);

/*  How to read a body list. */
typedef struct scree_import_def
{
    uint32_t cookie;            /* set by the default function */
    uint32_t size;              /* in bytes, set by the default function */
    scree_import_format format; /* SCREE_IMPORT_BY_CONTENT */
    int64_t frame;              /* frame of a dump, from 0; -1, -2, ... count from the end; -1 */
    double radius;              /* radius if the file has none; 0: such a file is refused; 0 */
    /*  Type t gets materials[t - 1]; a type past the end is refused. All bodies of a file without types are of type 1.
        NULL: bodies get no material; the list has the types. */
    const scree_material_id *materials;
    size_t material_count; /* number of materials */
    /*  Ids of the file become global ids; false: numbered by the world; false. */
    bool keep_serials;
    bool ignore_columns;       /* ignore CSV columns of unknown names; false: refuse them; false */
    scree_allocator allocator; /* malloc */
} scree_import_def;

/*  What scree_default_import_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_import_def(scree_import_def *def, size_t size);
/*  Returns a definition with default values. */
static inline scree_import_def scree_default_import_def(void)
{
    scree_import_def def;
    scree_init_import_def(&def, sizeof def);
    return def;
}

/*  The spheres of a file, in the order of their ids, or in that of the file if it has none. It belongs to the caller,
    who frees it with scree_body_list_free. Definitions lie as far apart as the size of the first says. */
typedef struct scree_body_list
{
    size_t count; /* number of bodies */
    /*  For scree_world_add_bodies. `user` is the id in the file (plus 1 for Yade, which counts from 0), or 0. */
    scree_body_def *bodies;
    uint32_t *types;           /* type of each body, from 1 */
    uint32_t type_count;       /* largest type */
    bool has_box;              /* the file has a domain */
    double lower[3], upper[3]; /* the domain, m */
    bool has_step;             /* the file has a step number */
    int64_t step;              /* the step number */
    size_t frame_count;        /* number of frames of a dump; otherwise 1 */
    scree_allocator allocator; /* used to free the list */
} scree_body_list;

/*  Reads a body list. `def` may be NULL. On failure there is nothing to free. SCREE_IO_ERROR; SCREE_BAD_FILE, with the
    place; SCREE_BAD_ARGUMENT: no such frame; SCREE_BAD_DEF; SCREE_BAD_VALUE: a field of `def`; SCREE_TOO_LARGE;
    SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_import_bodies(const char *path, const scree_import_def *def,
                                           scree_body_list *list, scree_error *error);
/*  Does the same with a file in memory. Messages call it `name`; NULL: "bodies". */
SCREE_API scree_status scree_import_bytes(const void *bytes, size_t count, const char *name,
                                          const scree_import_def *def, scree_body_list *list,
                                          scree_error *error);
/*  Frees a list. NULL, and a list that was never filled, are allowed. */
SCREE_API void scree_body_list_free(scree_body_list *list);

#ifdef __cplusplus
}
#endif

#endif
