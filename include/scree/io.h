/*  scree/io.h: files of other programs, in and out.

        scree_error why;
        scree_mesh *drum;
        if (scree_mesh_read("drum.stl", NULL, &drum, &why)) puts(why.text);
        ...
        if (scree_export(world, SCREE_EXPORT_VTP_BODIES, "bodies.vtp", NULL, &why)) puts(why.text);

    READING. What a file is, its content says, not its name. Nothing in a file is believed: sizes that it
    claims are held against its length before memory is taken, numbers must be whole and finite, and what
    is refused is refused with the file, the line (in binary parts: the byte, from 0), the field and the value.
    Numbers are read to the nearest double, whatever the locale.

    WRITING. A file is written whole or not at all: content goes to a temporary file in the same folder,
    which is given its name when all of it has reached the disk. Rows are in the order of serial numbers,
    and numbers are written so that reading gives the same double: the same state gives the same bytes.
    Memory does not grow with what is written, but for the order of rows, 24 bytes a body, and the list of
    contacts. What is no ordinary file (a pipe, /dev/null) is written to directly.

    CAVEATS. Binary STL holds floats: 7 digits. docs/files.md has each format with its fields. */
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

/*  Reads STL (text and binary), Wavefront OBJ and PLY (text, binary of both byte orders). Polygons are cut
    into triangles that share their first corner. `def` gives weld and allocator, its vertices and facets
    must be empty; NULL: the default. SCREE_IO_ERROR (the file cannot be read), SCREE_BAD_FILE (and where),
    SCREE_TOO_LARGE (more than 2^30 triangles), SCREE_BAD_VALUE (no triangle has an area), SCREE_BAD_DEF,
    SCREE_BAD_ARGUMENT, SCREE_OUT_OF_MEMORY; then *mesh is NULL. */
SCREE_API scree_status scree_mesh_read(const char *path, const scree_mesh_def *def,
                                       scree_mesh **mesh, scree_error *error);
/*  The same of a file in memory. `name` is what messages call it; NULL: "mesh". */
SCREE_API scree_status scree_mesh_read_bytes(const void *bytes, size_t count, const char *name,
                                             const scree_mesh_def *def, scree_mesh **mesh,
                                             scree_error *error);

/*  As binary STL, in the mesh's own frame. SCREE_BAD_ARGUMENT (segments have no area), SCREE_BAD_VALUE (a
    coordinate that is no float), SCREE_IO_ERROR, SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_mesh_write_stl(const scree_mesh *mesh, const char *path,
                                            scree_error *error);

/* ---- exports ---------------------------------------------------------------------------------------- */

typedef enum scree_export_format
{
    SCREE_EXPORT_VTP_BODIES, /* VTK XML, points: ParaView (Glyph, Sphere, scaled by radius), VTK */
    SCREE_EXPORT_VTP_CONTACTS, /* lines from centre to centre, or from centre to the wall's point */
    SCREE_EXPORT_VTP_WALLS,    /* triangles of mesh walls as they lie now; planes as a square */
    SCREE_EXPORT_LAMMPS,       /* dump text with named columns: OVITO, ASE, LAMMPS */
    SCREE_EXPORT_CSV,          /* bodies, with a header: spreadsheets, pandas, scree again */
    SCREE_EXPORT_STL,          /* triangles of mesh walls as they lie now, binary */
    SCREE_EXPORT_VTP_SOLIDS,   /* triangles of bodies of triangles as they lie now */
    SCREE_EXPORT_STL_SOLIDS,   /* the same as binary STL */
    SCREE_EXPORT_VTP_PEBBLES,  /* points: spheres and the pebbles of clumps */
    SCREE_EXPORT_FORMATS,      /* how many there are */
} scree_export_format;

/*  "vtp", "contacts", "walls", "lammps", "csv", "stl", "solids", "solids-stl", "pebbles": names for command lines and scenes;
    NULL past the end. */
SCREE_API const char *scree_export_format_name(scree_export_format format);
/*  With the dot: ".vtp". */
SCREE_API const char *scree_export_suffix(scree_export_format format);
/*  Names of the fields that a format can write, by index; NULL past the end. STL has none.
    Bodies: id, serial, material, user, mass, radius, velocity, spin, orientation, force, torque, temperature; and chain, the number of
    the force chain that it is in (scree/chains.h), where it is asked for by name. Positions are always written. Contacts: force, normal_force, tangential_force, overlap, first, second, wall, facet,
    rule, bond (0: none, 1: it holds, and why it broke: 2 tension, 3 shear, 4 distance). Walls: wall, material, facet,
    velocity, pressure, shear, force (see scree_facet_load; the triangles that show a plane share its force). Solids:
    serial, material, user, facet, velocity, temperature. Temperatures are only there where there is heat. */
SCREE_API const char *scree_export_field_name(scree_export_format format, size_t index);

typedef struct scree_export_options
{
    uint32_t cookie;
    const char *const *fields; /* names, written in the format's order; NULL: all */
    size_t field_count;
} scree_export_options;

SCREE_API scree_export_options scree_default_export_options(void);

/*  `options` may be NULL. Uses the world's allocator; forces and contacts are those of the last step.
    SCREE_BAD_ARGUMENT (no such format; no such field, with the nearest one), SCREE_BAD_DEF,
    SCREE_BAD_VALUE (STL: a coordinate that is no float), SCREE_TOO_LARGE (STL: more than 2^32 - 1
    triangles), SCREE_IO_ERROR (path and what the system said), SCREE_OUT_OF_MEMORY; then a file that was
    there is as it was. */
SCREE_API scree_status scree_export(scree_world *world, scree_export_format format,
                                    const char *path, const scree_export_options *options,
                                    scree_error *error);

/*  A ParaView collection (.pvd): which file shows which time. Files are named as seen from the collection's
    folder. Written anew after each frame, it is whole at any moment. SCREE_BAD_VALUE (a time that is not
    finite), SCREE_BAD_ARGUMENT, SCREE_IO_ERROR, SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_export_series(const char *path, const char *const *files,
                                           const double *times, size_t count, scree_error *error);

/*  Coarse-grained fields, read from their sums: where the name ends in ".csv" a line for each cell, else a VTK image
    (.vti) with values in its cells. An axis without length is as thick as twice the width. SCREE_BAD_ARGUMENT (NULL,
    `count` is not the product of cells), SCREE_BAD_DEF, SCREE_IO_ERROR, SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_export_fields(const scree_fields_def *def, int dimensions, double time,
                                           const scree_field *fields, size_t count,
                                           const char *path, scree_error *error);

/*  The same of what bodies do to a wall: area, pressure, shear traction (both 0 where there is no area), push and contacts. */
SCREE_API scree_status scree_export_wall_loads(const scree_fields_def *def, int dimensions,
                                               double time, const scree_wall_load *loads,
                                               size_t count, const char *path, scree_error *error);

/* ---- imports ---------------------------------------------------------------------------------------- */

typedef enum scree_import_format
{
    SCREE_IMPORT_BY_CONTENT,
    SCREE_IMPORT_LAMMPS_DATA, /* read_data file, atom_style sphere: Atoms, and Velocities if given */
    SCREE_IMPORT_LAMMPS_DUMP, /* text dump of LAMMPS or LIGGGHTS: columns by name */
    SCREE_IMPORT_YADE,        /* text: x y z r [mask], "#format x_y_z_r..." or nothing before */
    SCREE_IMPORT_CSV, /* columns by name, as scree_export writes them: those that scree_body_def has no field for are
                         known, and not used; without header x,y,r or x,y,z,r */
    SCREE_IMPORT_FORMATS,
} scree_import_format;

/*  "auto", "lammps-data", "lammps-dump", "yade", "csv"; NULL past the end. */
SCREE_API const char *scree_import_format_name(scree_import_format format);

typedef struct scree_import_def
{
    uint32_t cookie;
    scree_import_format format; /* SCREE_IMPORT_BY_CONTENT */
    /*  Of several frames in a dump: from 0; from the end with -1, -2, ...; -1. */
    int64_t frame;
    double radius; /* of spheres of which the file says none; 0: such a file is refused; 0 */
    /*  The material of type t is materials[t - 1]; a type past the end is refused. A file without types is
        all of type 1. NULL: bodies get no material, and types are in the list. */
    const scree_material_id *materials;
    size_t material_count;
    bool keep_serials;   /* ids of the file become serial numbers; false: counted anew */
    bool ignore_columns; /* a CSV file's columns of unknown name are passed over; false: refused */
    scree_allocator allocator;
} scree_import_def;

SCREE_API scree_import_def scree_default_import_def(void);

/*  Spheres, ascending by their id in the file where it has ids, else in the file's order. Belongs to the
    caller, who frees it by scree_body_list_free. */
typedef struct scree_body_list
{
    size_t count;
    scree_body_def
        *bodies;     /* for scree_world_add_bodies; `user` is the id in the file, 1 more in those
                               of Yade, which count from 0; or 0 */
    uint32_t *types; /* from 1 */
    uint32_t type_count; /* the greatest */
    bool has_box;        /* the file says a domain */
    double lower[3], upper[3];
    bool has_step; /* the file says a step */
    int64_t step;
    size_t frame_count;        /* of a dump; else 1 */
    scree_allocator allocator; /* that frees it */
} scree_body_list;

/*  `def` may be NULL. SCREE_IO_ERROR, SCREE_BAD_FILE (and where), SCREE_BAD_ARGUMENT (no such frame),
    SCREE_BAD_DEF, SCREE_BAD_VALUE (def), SCREE_TOO_LARGE, SCREE_OUT_OF_MEMORY; then there is nothing to free. */
SCREE_API scree_status scree_import_bodies(const char *path, const scree_import_def *def,
                                           scree_body_list *list, scree_error *error);
/*  The same of a file in memory. `name` is what messages call it; NULL: "bodies". */
SCREE_API scree_status scree_import_bytes(const void *bytes, size_t count, const char *name,
                                          const scree_import_def *def, scree_body_list *list,
                                          scree_error *error);
SCREE_API void scree_body_list_free(scree_body_list *list); /* NULL and one never filled are fine */

#ifdef __cplusplus
}
#endif

#endif
