/*  Shared by exports: the requested fields, and bodies in the order of their global ids. */
#ifndef SCREE_EXPORT_ROWS_H
#define SCREE_EXPORT_ROWS_H

#include "io/body_fields.h"
#include "io/write_file.h"
#include "scree/chains.h"
#include "scree/io.h"
#include "world/step/world_data.h"

#define SCREE_EXPORT_CHOICES 16 /* largest number of fields of a format */
_Static_assert(SCREE_BODY_CHOICES <= SCREE_EXPORT_CHOICES, "more fields than can be chosen");

/*  An export in progress. */
typedef struct scree_export_job
{
    scree_world *world;
    scree_file file;
    bool wanted[SCREE_EXPORT_CHOICES]; /* by the index of the format's fields */
    uint32_t *row;                     /* body indices, ascending by global id */
    size_t row_count;
    scree_chain_body *chain; /* by body index; NULL: not requested */
    scree_error *error;
} scree_export_job;

/*  A value of a body: a word is a double or an integer. */
typedef union scree_export_word
{
    double real;
    uint64_t whole;
} scree_export_word;

void scree_body_field_get(const scree_export_job *job, scree_export_body_field field, size_t row,
                          scree_export_word *words);

/*  Each writes the content of a file between begin and commit. */
scree_status scree_export_bodies_vtp(scree_export_job *job);
scree_status scree_export_contacts_vtp(scree_export_job *job);
scree_status scree_export_walls_vtp(scree_export_job *job);
scree_status scree_export_lammps(scree_export_job *job);
scree_status scree_export_csv(scree_export_job *job);
scree_status scree_export_walls_stl(scree_export_job *job);
scree_status scree_export_solids_vtp(scree_export_job *job);
scree_status scree_export_solids_stl(scree_export_job *job);
scree_status scree_export_pebbles_vtp(scree_export_job *job);

/*  Bounding box of all spheres, and of mesh walls if requested. Returns false if there are none. */
bool scree_export_box(const scree_export_job *job, bool with_walls, double lower[3],
                      double upper[3]);

/*  From the frame of a wall's mesh to its current position. */
void scree_export_wall_point(const scree_wall_record *wall, const double local[3], double point[3]);

/*  Names of fields by index, then NULL. */
extern const char *const scree_contact_field_names[];
extern const char *const scree_wall_field_names[];
extern const char *const scree_solid_field_names[];
extern const char *const scree_pebble_field_names[];

#endif
