/*  What exports share: which fields are wanted, and bodies in the order of their serial numbers. */
#ifndef SCREE_EXPORT_ROWS_H
#define SCREE_EXPORT_ROWS_H

#include "io/write_file.h"
#include "scree/chains.h"
#include "scree/io.h"
#include "world/step/world_data.h"

/*  Fields of bodies. The first SCREE_BODY_WHOLES are whole numbers. */
typedef enum scree_export_body_field
{
    SCREE_BODY_SERIAL,
    SCREE_BODY_ID,
    SCREE_BODY_MATERIAL,
    SCREE_BODY_USER,
    SCREE_BODY_CHAIN, /* only where it is asked for */
    SCREE_BODY_WHOLES,
    SCREE_BODY_MASS = SCREE_BODY_WHOLES,
    SCREE_BODY_RADIUS,
    SCREE_BODY_VELOCITY,
    SCREE_BODY_SPIN,
    SCREE_BODY_ORIENTATION,
    SCREE_BODY_FORCE,
    SCREE_BODY_TORQUE,
    SCREE_BODY_TEMPERATURE, /* only where there is heat */
    SCREE_BODY_FIELDS,
    SCREE_BODY_POSITION = SCREE_BODY_FIELDS, /* no field to choose: always there */
} scree_export_body_field;

/*  Numbers that one of a field has. */
int scree_body_field_width(scree_export_body_field field);

/*  An export under way. */
typedef struct scree_export_job
{
    scree_world *world;
    scree_file file;
    bool wanted[16]; /* by the index of the format's fields */
    uint32_t *row;   /* slots of bodies, ascending by serial number */
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

/*  Names by index, then NULL. */
extern const char *const scree_body_field_names[];
extern const char *const scree_contact_field_names[];
extern const char *const scree_wall_field_names[];
extern const char *const scree_solid_field_names[];
extern const char *const scree_pebble_field_names[];

#endif
