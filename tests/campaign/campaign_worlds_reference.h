/*  A world in the plain way: arrays, each pebble with each, one contact at a time, no lists, no vectors. What it shares with the
    library are the laws' formulas as tests write them out (law/law_reference.h), and the damping ratio of a restitution. */
#ifndef SCREE_TESTS_CAMPAIGN_WORLDS_REFERENCE_H
#define SCREE_TESTS_CAMPAIGN_WORLDS_REFERENCE_H

#include "scree/wall.h"
#include "scree/world.h"

#define REFERENCE_BODIES 32
#define REFERENCE_PEBBLES 3
#define REFERENCE_WALLS 4
#define REFERENCE_MATERIALS 3
#define REFERENCE_RULES 4
#define REFERENCE_JOINTS 4
#define REFERENCE_CONTACTS 2048

typedef struct reference_pebble
{
    double centre[3], radius; /* in the frame of the body */
} reference_pebble;

typedef struct reference_body
{
    double place[3], velocity[3], spin[3],
        turn[3][3]; /* turn: from the frame of the body to space */
    double mass, inertia[3], load[6], force[3], torque[3];
    reference_pebble pebble[REFERENCE_PEBBLES];
    uint32_t pebbles, material, flags; /* material: from 1; flags: SCREE_FREEZE_... */
    uint64_t groups, mask;
    scree_body_id id;
    bool is_there, is_stopped; /* stopped: by the boundary, and still outside */
} reference_body;

/*  A plane, one-sided or with both, that goes as `path` says. */
typedef struct reference_wall
{
    double point[3], normal[3];
    bool has_two_sides;
    uint32_t material;
    uint64_t groups, mask;
    scree_wall_path path; /* velocity, rate and swing alone */
    double belt
        [2]
        [3]; /* velocity of the belt at the point of the wall, and angular velocity, at the start */
} reference_wall;

/*  Of a rule: a number that is NAN is not given. */
typedef struct reference_rule
{
    scree_contact_type type;
    uint32_t material[2]; /* 0: any */
    const char *law;      /* NULL: no force */
    double restitution, friction;
    int tangential; /* below 0: not given */
} reference_rule;

/*  What a contact remembers; `other` is a body, or REFERENCE_BODIES + wall. */
typedef struct reference_contact
{
    uint32_t body, pebble, other, other_pebble;
    double memory[SCREE_MAX_MEMORY];
} reference_contact;

/*  A ball, or a spring between two points; of the world the second point is in space. */
typedef struct reference_joint
{
    uint32_t first, second; /* second: REFERENCE_BODIES: the world */
    double local[2][3];
    double stiffness, dashpot, rest;
    bool is_spring, collide;
} reference_joint;

typedef struct reference_world
{
    scree_world_def def; /* what a step depends on: integrator, dt, damping, domain, gravity */
    double pull;         /* of the host's function: force -pull * place; 0: none */
    reference_body body[REFERENCE_BODIES];
    reference_wall wall[REFERENCE_WALLS];
    scree_material_def material[REFERENCE_MATERIALS];
    reference_rule rule[REFERENCE_RULES];
    reference_joint joint[REFERENCE_JOINTS];
    /* bodies by global id */
    uint32_t body_count, wall_count, material_count, rule_count, joint_count;
    reference_contact *contact, *next;
    uint32_t contact_count, next_count;
    double time;
    bool is_primed; /* forces are those of the state */
} reference_world;

bool reference_world_open(reference_world *world);
void reference_world_close(reference_world *world);
void reference_world_step(reference_world *world);

/*  Where a place of the body's frame is. */
void reference_body_point(const reference_body *body, const double local[3], double place[3]);
/*  Of a unit quaternion w x y z. */
void reference_matrix_of(const double turn[4], double matrix[3][3]);
/*  From the first to the second, or to its nearest image. */
void reference_world_way(const reference_world *world, const double from[3], const double to[3],
                         double way[3]);

#endif
