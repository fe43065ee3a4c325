/*  A fluid and force fields (scree/ambient.h): definitions, formulas as programs, and what an evaluation finds for each
    body. A world without them has zeros here. */
#ifndef SCREE_WORLD_AMBIENT_H
#define SCREE_WORLD_AMBIENT_H

#include "base/error.h"
#include "base/memory.h"
#include "formula/program.h"
#include "scree/ambient.h"
#include "world/state/bodies.h"

#include <stdatomic.h>

/*  Inputs with a value for each body. A fluid uses the first three. */
enum
{
    SCREE_AMBIENT_X,
    SCREE_AMBIENT_Y,
    SCREE_AMBIENT_Z,
    SCREE_AMBIENT_OF_PLACE,
    SCREE_AMBIENT_VX = SCREE_AMBIENT_OF_PLACE,
    SCREE_AMBIENT_VY,
    SCREE_AMBIENT_VZ,
    SCREE_AMBIENT_MASS,
    SCREE_AMBIENT_RADIUS,
    SCREE_AMBIENT_VARIED,
};

/*  Outputs of the program of a fluid, and of that of a field: where three numbers begin. */
enum
{
    SCREE_FLUID_VELOCITY = 0,
    SCREE_FLUID_ANGULAR_VELOCITY = 3,
    SCREE_FLUID_PRESSURE_GRADIENT = 6,
    SCREE_FLUID_VOID_FRACTION = 9,
    SCREE_FLUID_FORMULAS,
    SCREE_FIELD_ACCELERATION = 0,
    SCREE_FIELD_FORCE = 3,
    SCREE_FIELD_FORMULAS = 6,
};

/*  Formulas of a fluid or a field, and what all of them are: a program with an output for each. */
typedef struct scree_ambient_formulas
{
    scree_program *program;
    char *text; /* all texts, each with its terminating 0; an empty one: none */
    size_t bytes;
    const char *of[SCREE_FLUID_FORMULAS]; /* in `text`; NULL: none */
} scree_ambient_formulas;

typedef struct scree_fluid
{
    scree_fluid_def def; /* its texts are those of `formulas`, its grid is `flow` */
    scree_ambient_formulas formulas;
    scree_flow_grid *flow; /* with its nodes behind it; NULL: none */
} scree_fluid;

typedef struct scree_force_field
{
    scree_force_field_def def;
    scree_ambient_formulas formulas;
} scree_force_field;

/*  What acts on a body, as an evaluation finds it. `drag`: the largest change of drag with velocity, N s/m, and of its
    torque with angular velocity, N m s. */
typedef struct scree_ambient_row
{
    double fluid[6], field[3], drag[2];
} scree_ambient_row;

/*  A body's row of the column `ambient`, which exists with an energy balance alone: force and torque of the fluid and
    force of fields at the end of the last step, and their work so far, J. */
enum
{
    SCREE_AMBIENT_FLUID,
    SCREE_AMBIENT_FIELD = 6,
    SCREE_AMBIENT_FLUID_WORK = 9,
    SCREE_AMBIENT_FIELD_WORK,
    SCREE_AMBIENTS,
};

/*  The grid of solid volume, see void_fraction.c. */
typedef struct scree_void_grid
{
    double cell[3];  /* edges, m */
    double per_unit; /* solid fraction of one unit at a node */
    double units;    /* per m^3 */
    int64_t first
        [3]; /* index of the first node, in cells from the origin or the lower end of a periodic axis */
    int64_t count[3];
    bool wraps[3];
    double origin[3];
    _Atomic uint64_t *node;
    size_t capacity;
} scree_void_grid;

typedef struct scree_ambient
{
    bool has_fluid;
    uint32_t field_count;
    scree_fluid fluid;
    scree_force_field field[SCREE_MAX_FORCE_FIELDS];
    scree_ambient_work work; /* on bodies that were removed; stored in snapshots as it is here */

    /* scratch of an evaluation, by slot */
    scree_ambient_row *row;
    size_t row_capacity;
    double
        *round; /* radius of the sphere with the same volume; only if not all bodies are spheres */
    size_t round_capacity;
    scree_void_grid grid;
} scree_ambient;

static inline bool scree_ambient_is_on(const scree_ambient *ambient)
{
    return ambient->has_fluid || ambient->field_count > 0;
}

/*  Makes a fluid or a field of its definition. SCREE_BAD_DEF, SCREE_BAD_VALUE, SCREE_BAD_ARGUMENT, SCREE_TOO_LARGE,
    SCREE_OUT_OF_MEMORY, with a message; then there is nothing to free. */
scree_status scree_fluid_make(const scree_fluid_def *given, int dimensions, scree_memory *memory,
                              scree_fluid *fluid, scree_error *error);
scree_status scree_force_field_make(const scree_force_field_def *given, scree_memory *memory,
                                    scree_force_field *field, scree_error *error);
void scree_fluid_free(scree_fluid *fluid, scree_memory *memory);
void scree_force_field_free(scree_force_field *field, scree_memory *memory);
/*  Number of nodes of a grid. */
static inline size_t scree_flow_nodes(const scree_flow_grid *flow)
{
    return (size_t)flow->count[0] * flow->count[1] * flow->count[2];
}
/*  Removes all fields. */
void scree_ambient_clear_fields(scree_ambient *ambient, scree_memory *memory);
void scree_ambient_free(scree_ambient *ambient, scree_memory *memory);

/*  A body has been added, or is about to be removed. */
void scree_ambient_enter(scree_body_arrays *bodies, uint32_t slot);
void scree_ambient_leave(scree_ambient *ambient, const scree_body_arrays *bodies, uint32_t slot);

/*  Definitions as bytes, for snapshots and digests; 0 bytes if there are none. */
size_t scree_ambient_packed_bytes(const scree_ambient *ambient);
void scree_ambient_pack(const scree_ambient *ambient, unsigned char *bytes);
/*  Hash of the definitions. */
uint64_t scree_ambient_hash(uint64_t hash, const scree_ambient *ambient);
/*  Makes fluid and fields of such bytes. On failure there is nothing to free. */
scree_status scree_ambient_unpack(const unsigned char *bytes, size_t count, int dimensions,
                                  scree_memory *memory, scree_ambient *ambient, scree_error *error);

#endif
