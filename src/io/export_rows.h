/*  What exports share: which fields are wanted, and bodies in the order of their serial numbers. */
#ifndef SCREE_EXPORT_ROWS_H
#define SCREE_EXPORT_ROWS_H

#include "io/body_fields.h"
#include "io/write_file.h"
#include "scree/chains.h"
#include "scree/io.h"
#include "world/step/world_data.h"

#define SCREE_EXPORT_CHOICES 16 /* fields that a format has at most */
_Static_assert(SCREE_BODY_CHOICES <= SCREE_EXPORT_CHOICES, "more fields than can be chosen");

/*  An export under way. */
typedef struct scree_export_job
{
    scree_world *world;
    scree_file file;
    bool wanted[SCREE_EXPORT_CHOICES]; /* by the index of the format's fields */
    uint32_t *row;                     /* slots of bodies, ascending by serial number */
    size_t row_count;
    scree_chain_body *chain; /* by slot; NULL: nobody asks */
    scree_error *error;
} scree_export_job;

/*  A number of a body: words are doubles, or whole numbers. */
typedef union scree_export_word
{
    double real;
    uint64_t whole;
} scree_export_word;

void scree_body_field_get(const scree_export_job *job, scree_export_body_field field, size_t row,
                          scree_export_word *words);

/*  Each writes all of a file but its beginning and end. */
scree_status scree_export_bodies_vtp(scree_export_job *job);
scree_status scree_export_contacts_vtp(scree_export_job *job);
scree_status scree_export_walls_vtp(scree_export_job *job);
scree_status scree_export_lammps(scree_export_job *job);
scree_status scree_export_csv(scree_export_job *job);
scree_status scree_export_walls_stl(scree_export_job *job);
scree_status scree_export_solids_vtp(scree_export_job *job);
scree_status scree_export_solids_stl(scree_export_job *job);
scree_status scree_export_pebbles_vtp(scree_export_job *job);

/*  Box around all spheres, and around mesh walls too where asked; false if there are none. */
bool scree_export_box(const scree_export_job *job, bool with_walls, double lower[3],
                      double upper[3]);

/*  From the frame of a wall's mesh to where it is now. */
void scree_export_wall_point(const scree_wall_record *wall, const double local[3], double point[3]);

/*  Names of fields by index, then NULL. */
extern const char *const scree_contact_field_names[];
extern const char *const scree_wall_field_names[];
extern const char *const scree_solid_field_names[];
extern const char *const scree_pebble_field_names[];

#endif
