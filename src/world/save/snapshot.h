/*  A state as one flat block of bytes, in the byte order of the machine that wrote it:

        head                 see below; has the length of the block and the number of sections
        sections             a table: name, bytes of a row, rows, offset from the start of the block
        rows of each section, at a multiple of 8; bytes between sections are 0

    Every field of a body has a section of its own, "body." and the name of the field, from the list of fields.
    Bodies are in the order of global ids, and other sections refer to bodies by row. So equal states are equal
    bytes, whatever the order of bodies in memory and the method of detection.

        physics   1 row, scree_physics
        course    1 row, scree_course
        tally     1 row, scree_snapshot_tally
        names     a row for each index1 of bodies: next free, generation, taken
        body.*    a row for each body
        pair.*    a row for each contact of two bodies, by row of first, then of second
        surface.* a row for each contact of a body with a wall, by row of the body, then wall, then facet
        wall.*    a row for each wall, in the order of addition
        table     rows of all walls' tables of times, one after the other

    Only if there are non-spherical bodies, so that files of all other worlds have stayed the same:

        solid.mesh  the digest of each mesh and clump of bodies, in the order of the first body that has it
        solid.*     a row for each of their contacts, in the order of shape_contacts.h

    The row of such a body in body.shape has the number of its mesh or clump, from 1, in the upper half of its kind, and
    its contact skin or rounding radius in the place of the radius; for clumps that is 0.

        picard      with an implicit integrator
        wall.servo  if a servo moves or has moved a wall: a row for each wall
        wall.loose  if there are free walls: a row for each wall
        wall.belt   if there are belts: a row for each wall, scree_belt
        wall.wear   if there are walls that wear: a row for each wall, scree_wear_model, and
        wall.facets a row for each facet of those that do, by wall, scree_wear_row
        cell        if a cell has been set: 1 row, scree_packed_cell
        cell.servo  if a servo controls it: 1 row, scree_packed_cell_servo
        friction    if friction was changed: that of each material, then of each interaction, -1 if it has none
        heat        if heat is on: scree_heat_course, and
        heat.material, heat.body, heat.wall   a row for each
        bonds       if bonds were made: 1 row, scree_bond_course
        rest        if sleep is on: scree_sleep_rule, and
        rest.body   a row for each
        path.part   if paths of walls have parts: a row for each part, by wall, in their order, and
        path.table  rows of all their tables, one after the other
        rule.formulas   where laws are written as formulas: see rule_formulas.h
        values      where other values of materials and rules have been changed: see law/law_values.h
        ambient     with a fluid or force fields: their definitions, see state/ambient_pack.c
        ambient.work, ambient.body   with an energy balance, too: 1 row, scree_ambient_work, and a row for each body
        joints      if joints were made: 1 row, scree_joint_course, and
        joint       a row for each, scree_packed_joint, in the order in which they were made

    The definitions of materials, interactions and meshes are not included, but their hashes are. Pair parameters are
    stored as the row of the interaction table and the two materials, since their index depends on the order in which
    these were added. */
#ifndef SCREE_WORLD_SNAPSHOT_H
#define SCREE_WORLD_SNAPSHOT_H

#include "world/save/pack_law.h"
#include "world/state/settings.h"
#include "world/step/world_data.h"

#define SCREE_SNAPSHOT_MAGIC "scree st"
#define SCREE_SNAPSHOT_VERSION 1u
#define SCREE_SNAPSHOT_ENDIAN 0x01020304u
#define SCREE_SNAPSHOT_SECTIONS 96

/*  Words of eight bytes, no padding. */
typedef struct scree_snapshot_head
{
    char magic[8];
    uint32_t endian, version;
    uint64_t bytes, section_count;
    uint64_t bodies, names, pairs, wall_contacts, walls, table_rows;
    uint64_t planes; /* number of history arrays */
    uint64_t has_moments, has_account;
    uint64_t is_stale; /* forces of pairs are unknown since the last step was refused: zeros */
    uint64_t rules_digest;
} scree_snapshot_head;

typedef struct scree_snapshot_section
{
    char name[24];
    uint64_t row_bytes, rows, offset;
} scree_snapshot_section;

/*  Counts of bodies, with their types in scree_body_arrays; the first four are part of the digest. */
#define SCREE_TALLIES(X)                                                                           \
    X(next_serial, uint64_t)                                                                       \
    X(added, uint64_t)                                                                             \
    X(removed, uint64_t) X(destroyed, uint64_t) X(free_name, uint32_t) X(retired, uint32_t)
typedef struct scree_snapshot_tally
{
#define X(name, type) uint64_t name;
    SCREE_TALLIES(X)
#undef X
} scree_snapshot_tally;

struct scree_snapshot
{
    scree_memory memory;
    unsigned char *data;
    size_t bytes;
};

/* ---- rows as they are written: fields of these types, without padding ---- */

/*  Types of the field list of bodies. Most are stored as they are. */
#define SCREE_STORED_AS_IT_IS(type)                                                                \
    typedef type scree_packed_##type;                                                              \
    static inline void scree_pack_##type(const type *from, type *to)                               \
    {                                                                                              \
        *to = *from;                                                                               \
    }                                                                                              \
    static inline void scree_unpack_##type(const type *from, type *to)                             \
    {                                                                                              \
        *to = *from;                                                                               \
    }
SCREE_STORED_AS_IT_IS(double)
SCREE_STORED_AS_IT_IS(uint64_t)
SCREE_STORED_AS_IT_IS(uint32_t)
SCREE_STORED_AS_IT_IS(uint8_t)
SCREE_STORED_AS_IT_IS(scree_body_id)

/*  Enough for spheres; write_shapes and read_shapes do the rest for other bodies. */
typedef struct scree_packed_scree_shape
{
    uint64_t kind;
    double radius;
} scree_packed_scree_shape;

static inline void scree_pack_scree_shape(const scree_shape *from, scree_packed_scree_shape *to)
{
    *to = (scree_packed_scree_shape){(uint64_t)from->kind, from->radius};
}

static inline void scree_unpack_scree_shape(const scree_packed_scree_shape *from, scree_shape *to)
{
    memset(to, 0, sizeof *to);
    to->kind = (scree_shape_kind)(uint32_t)from->kind;
    to->radius = from->radius;
}

typedef struct scree_packed_name
{
    uint32_t next, generation, taken;
} scree_packed_name;

/*  Contents that not all worlds have: non-spherical bodies, an implicit integrator, servos, free walls, a cell,
    changed friction, heat, bonds, sleep, a fluid, belts, wear, joints. Words of eight bytes; the list in snapshot_sections.c says which sections
    each makes. */
typedef struct scree_snapshot_tail
{
    uint64_t meshes, contacts;
    uint64_t is_implicit, has_servos, has_free_walls, has_cell, has_cell_servo; /* 0 or 1 */
    uint64_t frictions;                      /* number of values; 0: none was changed */
    uint64_t has_heat, has_bonds, has_sleep; /* 0 or 1 */
    uint64_t materials;                      /* with heat: all materials of the world */
    uint64_t path_parts, path_rows;          /* of paths of walls; rows of their tables */
    uint64_t formula_bytes;                  /* of contact models written as formulas */
    uint64_t values;                         /* of materials and rules; 0: none was changed */
    uint64_t ambient_bytes, has_ambient_work, has_belts;
    uint64_t wear_rows;          /* facets of walls that wear */
    uint64_t has_joints, joints; /* 0 or 1; number of joints */
} scree_snapshot_tail;

#define SCREE_PACKED_KIND(word) ((uint32_t)(word))
#define SCREE_PACKED_MESH(word) ((uint32_t)((word) >> 32))

typedef struct scree_packed_mesh_memory
{
    uint32_t facet;
    uint8_t feature;
    int8_t side;
    uint16_t pebble;
    double point[3];
} scree_packed_mesh_memory;

typedef struct scree_packed_wall
{
    uint32_t index1, generation;
    uint32_t kind, material;
    uint64_t groups, mask, user;
    uint64_t mesh_digest;                       /* 0: none */
    double point[3], orientation[4], normal[3]; /* start of the path */
    double start_time;                          /* and its time */
    scree_wall_pose now;
} scree_packed_wall;

/*  The members before has_function are part of the digest, in this order. */
typedef struct scree_packed_path
{
    double velocity[3], centre[3], axis[3], rate, swing[3], frequency, phase;
    uint64_t table_count;
    uint64_t has_function; /* the host's function must be there again */
} scree_packed_path;

/*  Words of eight bytes, no padding. */
typedef struct scree_packed_path_part
{
    uint64_t wall; /* row of the wall */
    uint64_t kind, smooth, table_count;
    double vector[3], centre[3], rate, angle, frequency, phase, period, start, stop, ramp;
} scree_packed_path_part;

/*  Words of eight bytes, no padding. */
typedef struct scree_packed_servo
{
    uint64_t is_on;
    double shift[3], speed, target, force;
    uint64_t contacts;
    double axis[3], wanted, stress, area, max_speed, gain, start, stop;
    scree_wall_id between[4];
} scree_packed_servo;

/*  Words of eight bytes, no padding. All behind the first is part of the digest, in this order. */
typedef struct scree_packed_free_wall
{
    uint64_t is_on;
    double mass, inertia[3], centre[3], frame[4], force[3], torque[3], damping, angular_damping;
    uint64_t held;
    scree_free_wall_motion motion;
} scree_packed_free_wall;

/*  Words of eight bytes, no padding; part of the digest, in this order. */
typedef struct scree_packed_wall_heat
{
    uint64_t is_given;
    double temperature, flow, given;
} scree_packed_wall_heat;

/*  Columns of contacts that are stored as they are: X(name, doubles in a row). */
#define SCREE_WALL_CONTACT_COLUMNS(X) X(point, 4) X(normal, 4) X(row, 8) X(moment, 4) X(account, 8)
#define SCREE_SHAPE_CONTACT_COLUMNS(X)                                                             \
    X(point, 4) X(normal, 4) X(row, 12) X(moment, 4) X(account, 8)

/* ---- snapshot_sections.c ---- */

/*  Type of the numbers in the rows of a section: "u8" to "f64", or "mixed". */
const char *scree_snapshot_type_of(const char *section);
/*  Lays out the sections, which follow from the numbers in head and tail alone. Returns their number; `bytes` is the
    total length. */
size_t scree_snapshot_lay_out(const scree_snapshot_head *head, const scree_snapshot_tail *tail,
                              scree_snapshot_section sections[SCREE_SNAPSHOT_SECTIONS],
                              uint64_t *bytes);
/*  Reads the tail from the table behind a head, which must have as many sections as the head says. It is not
    checked: the layout made from it must be compared with the table. */
scree_snapshot_tail scree_snapshot_tail_of(const scree_snapshot_head *head);
const scree_snapshot_head *scree_snapshot_head_of(const scree_snapshot *snapshot);
/*  Rows of a section; NULL: the snapshot does not have it. */
void *scree_snapshot_rows(const scree_snapshot *snapshot, const char *name);
/*  The same, and their number, which is 0 if there is no such section. */
void *scree_snapshot_find(const scree_snapshot *snapshot, const char *name, uint64_t *rows);

/* ---- snapshot.c ---- */

/*  A snapshot of the world as if it had no bodies: settings, time, walls, cell, heat, fluid. SCREE_OUT_OF_MEMORY. */
scree_status scree_world_snapshot_surroundings(scree_world *world, scree_snapshot **snapshot);
/*  Head and table of a snapshot of the world, without rows: for rows that come from elsewhere. Afterwards world->order has
    the order of rows, and each mesh of bodies its number. SCREE_OUT_OF_MEMORY. */
scree_status scree_world_snapshot_table(scree_world *world, scree_snapshot **table);
/*  A block with these numbers of rows, which are 0. SCREE_OUT_OF_MEMORY. */
scree_status scree_snapshot_make(const scree_allocator *allocator, const scree_snapshot_head *head,
                                 const scree_snapshot_tail *tail, scree_snapshot **snapshot);
/*  Copies the settings of the snapshot to `def`. */
void scree_snapshot_apply_physics(const scree_snapshot *snapshot, scree_world_def *def);

/* ---- digest.c ---- */

/*  scree_world_digest, as if the world had these settings. */
uint64_t scree_world_digest_with(scree_world *world, const scree_physics *physics);
/*  Digest of what all parts of a world have in common and hosts can change: walls, values, materials and interactions,
    fluid and force fields, the cell. */
uint64_t scree_world_digest_of_surroundings(const scree_world *world);

/* ---- snapshot_write.c ---- */

/*  Fills the sections of a block that was laid out for this world and these bodies: its own, or none. `order` has the
    slots in the order of global ids, and as keys the row of each slot. */
void scree_snapshot_write(const scree_world *world, const scree_body_arrays *bodies,
                          const scree_snapshot *snapshot);

/*  Rows that say nothing of contacts or of the state of bodies. */
void scree_snapshot_write_names(const scree_body_arrays *bodies, scree_packed_name *names);
scree_snapshot_tally scree_snapshot_tally_of(const scree_body_arrays *bodies);
/*  The memory of a contact with a mesh, or of a non-spherical body. */
scree_packed_mesh_memory scree_mesh_memory_pack(const scree_mesh_memory *memory);

/* ---- snapshot_check.c ---- */

/*  Checks that the block is complete and valid for this world; afterwards restoring needs no checks.
    SCREE_BAD_ARGUMENT with a message. */
scree_status scree_snapshot_check(const scree_world *world, const scree_snapshot *snapshot,
                                  scree_error *error);

#endif
