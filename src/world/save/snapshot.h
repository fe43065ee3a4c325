/*  A state as one flat block of bytes, in the order of the machine that wrote it:

        head                 see below; says how long the block is, and how many sections there are
        sections             a table: name, bytes of a row, rows, offset from the start of the block
        rows of each section, at a multiple of 8; bytes between sections are 0

    Every field of a body has a section of its own, named "body." and the field, made from the list of fields.
    Bodies stand in the order of serial numbers, and whatever refers to a body gives its row. So equal states
    are equal bytes, wherever bodies lay in memory and whoever found out what they touch.

        physics   1 row, scree_physics
        course    1 row, scree_course
        tally     1 row, scree_snapshot_tally
        names     a row for each index1 of bodies: next free, generation, taken
        body.*    a row for each body
        pair.*    a row for each contact of two bodies, by row of first, then of second
        surface.* a row for each contact of a body with a wall, by row of the body, then wall, then facet
        wall.*    a row for each wall, as they were added
        table     rows of all walls' tables of times, one after the other

    and, only where there are bodies of triangles or clumps, so that all others are as they always were:

        solid.mesh  the digest of each mesh and clump that bodies are made of, in the order of the first that is
        solid.*     a row for each of their contacts, in the order of shape_contacts.h

    The row of such a body in body.shape has the number of its mesh or clump, from 1, in the upper half of its kind, and
    its halo in the place of a radius; clumps have 0 there.

        picard      where the integrator is implicit
        wall.servo  where a servo drives a wall or has driven one: a row for each wall
        wall.loose  where a wall is loose: a row for each wall
        cell        where the world has been given a cell: 1 row, scree_packed_cell
        cell.servo  where a servo drives it: 1 row, scree_packed_cell_servo
        friction    where friction has been changed: that of each material, then of each row of the table, -1 where it says none
        heat        where bodies have temperatures: scree_heat_course, and
        heat.material, heat.body, heat.wall   a row for each
        bonds       where some have been made: 1 row, scree_bond_course
        rest        where bodies are put to rest: scree_rest_rule, and
        rest.body   a row for each
        path.part   where paths of walls have parts: a row for each, by wall, in their order, and
        path.table  rows of all their tables, one after the other
        rule.formulas   where laws are written as formulas: see rule_formulas.h
        values      where other values of materials and rules have been changed: see law/law_values.h

    What materials, rules and meshes were given as is not in it, but hashes of them are. A law is named by its row in the
    table of rules and the two materials, since numbers of slots depend on when these came. */
#ifndef SCREE_WORLD_SNAPSHOT_H
#define SCREE_WORLD_SNAPSHOT_H

#include "world/save/pack_law.h"
#include "world/state/settings.h"
#include "world/step/world_data.h"

#define SCREE_SNAPSHOT_MAGIC "scree st"
#define SCREE_SNAPSHOT_VERSION 1u
#define SCREE_SNAPSHOT_ENDIAN 0x01020304u
#define SCREE_SNAPSHOT_SECTIONS 96

/*  All words, no padding. */
typedef struct scree_snapshot_head
{
    char magic[8];
    uint32_t endian, version;
    uint64_t bytes, section_count;
    uint64_t bodies, names, pairs, surfaces, walls, table_rows;
    uint64_t planes; /* numbers that a contact remembers */
    uint64_t has_moments, has_account;
    uint64_t is_stale; /* forces of pairs are not known: the last step was refused. They are 0 */
    uint64_t rules_digest;
} scree_snapshot_head;

typedef struct scree_snapshot_section
{
    char name[24];
    uint64_t row_bytes, rows, offset;
} scree_snapshot_section;

typedef struct scree_snapshot_tally
{
    uint64_t next_serial, added, removed, destroyed;
    uint64_t free_name, retired;
} scree_snapshot_tally;

struct scree_snapshot
{
    scree_memory memory;
    unsigned char *data;
    size_t bytes;
};

/* ---- rows as they are written: fields of these types, without padding ---- */

typedef double scree_packed_double;
typedef uint64_t scree_packed_uint64_t;
typedef uint32_t scree_packed_uint32_t;
typedef uint8_t scree_packed_uint8_t;
typedef scree_body_id scree_packed_scree_body_id;

typedef struct scree_packed_scree_shape
{
    uint64_t kind;
    double radius;
} scree_packed_scree_shape;

typedef struct scree_packed_name
{
    uint32_t next, generation, taken;
} scree_packed_name;

/*  What not all worlds have: bodies that are no spheres, an implicit integrator, servos, free walls, a cell, friction that
    was changed, heat, bonds, rest. All words: of each some row of the table in snapshot.c makes sections. */
typedef struct scree_snapshot_tail
{
    uint64_t meshes, contacts;
    uint64_t is_implicit, has_servos, has_loose, has_cell, has_cell_servo; /* 0 or 1 */
    uint64_t frictions;                     /* numbers; 0: none was changed */
    uint64_t has_heat, has_bonds, has_rest; /* 0 or 1 */
    uint64_t materials;                     /* of heat: as many as the world has */
    uint64_t path_parts, path_rows;         /* of paths of walls; rows of their tables */
    uint64_t formula_bytes;                 /* of laws written as formulas */
    uint64_t values;                        /* of materials and rules; 0: none was changed */
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
    double point[3], orientation[4], normal[3]; /* where the path began, */
    double start_time;                          /* and when */
    scree_wall_pose now;
} scree_packed_wall;

typedef struct scree_packed_path
{
    double velocity[3], centre[3], axis[3], rate, swing[3], frequency, phase;
    uint64_t table_count;
    uint64_t has_function; /* the host's: it must be there again */
} scree_packed_path;

/*  All words, no padding. */
typedef struct scree_packed_path_part
{
    uint64_t wall; /* its row */
    uint64_t kind, smooth, table_count;
    double vector[3], centre[3], rate, angle, frequency, phase, period, start, stop, ramp;
} scree_packed_path_part;

/*  All words, no padding. */
typedef struct scree_packed_servo
{
    uint64_t is_on;
    double shift[3], speed, target, force;
    uint64_t contacts;
    double axis[3], wanted, stress, area, max_speed, gain, start, stop;
    scree_wall_id between[4];
} scree_packed_servo;

/*  All words, no padding. */
typedef struct scree_packed_loose
{
    uint64_t is_on;
    double mass, inertia[3], centre[3], frame[4], force[3], torque[3], damping, angular_damping;
    uint64_t held;
    scree_loose_ride ride;
} scree_packed_loose;

/*  All words, no padding. */
typedef struct scree_packed_wall_heat
{
    uint64_t is_given;
    double temperature, flow, given;
} scree_packed_wall_heat;

/* ---- snapshot.c ---- */

/*  What sections there are follows from the numbers in the head and tail alone. Returns how many; `bytes` is the
    length of all. */
size_t scree_snapshot_lay_out(const scree_snapshot_head *head, const scree_snapshot_tail *tail,
                              scree_snapshot_section sections[SCREE_SNAPSHOT_SECTIONS],
                              uint64_t *bytes);
/*  From the table behind a head, which has as many sections as the head says. Not checked: a layout that is made from it
    is to be held against that table. */
scree_snapshot_tail scree_snapshot_tail_of(const scree_snapshot_head *head);
/*  Sets in `def` what the snapshot says of physics. */
void scree_snapshot_apply_physics(const scree_snapshot *snapshot, scree_world_def *def);
const scree_snapshot_head *scree_snapshot_head_of(const scree_snapshot *snapshot);
/*  Rows of a section that the layout has. */
void *scree_snapshot_rows(const scree_snapshot *snapshot, const char *name);

/* ---- digest.c ---- */

/*  scree_world_digest, as if the world had these physics. */
uint64_t scree_world_digest_with(scree_world *world, const scree_physics *physics);
/*  Of what all ranks have alike: walls, materials and the table of laws. */
uint64_t scree_world_digest_of_surroundings(const scree_world *world);

/* ---- snapshot_write.c ---- */

/*  Fills the sections of a block that has been laid out for this world. Its order holds slots in the
    order of serials, and as keys the row of each slot. */
void scree_snapshot_write(const scree_world *world, const scree_snapshot *snapshot);

/* ---- snapshot_check.c ---- */

/*  Whether the block is whole, and may be restored into the world: after this nothing of it can lead astray.
    SCREE_BAD_ARGUMENT with a sentence. */
scree_status scree_snapshot_check(const scree_world *world, const scree_snapshot *snapshot,
                                  scree_error *error);

#endif
