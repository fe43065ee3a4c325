/*  A world in the plain way: arrays, each pebble with each, one contact at a time, no lists, no vectors. What it shares with the
    library are the laws' formulas as tests write them out (law/law_twin.h), and the damping ratio of a restitution. */
#ifndef SCREE_TESTS_CAMPAIGN_WORLDS_TWIN_H
#define SCREE_TESTS_CAMPAIGN_WORLDS_TWIN_H

#include "scree/wall.h"
#include "scree/world.h"

#define TWIN_BODIES 32
#define TWIN_PEBBLES 3
#define TWIN_WALLS 4
#define TWIN_MATERIALS 3
#define TWIN_RULES 4
#define TWIN_CONTACTS 2048

typedef struct twin_pebble
{
    double centre[3], radius; /* in the frame of the body */
} twin_pebble;

typedef struct twin_body
{
    double place[3], velocity[3], spin[3],
        turn[3][3]; /* turn: from the frame of the body to space */
    double mass, inertia[3], load[6], force[3], torque[3];
    twin_pebble pebble[TWIN_PEBBLES];
    uint32_t pebbles, material, flags; /* material: from 1; flags: SCREE_FREEZE_... */
    uint64_t groups, mask;
    scree_body_id id;
    bool is_there;
} twin_body;

/*  A plane, one-sided or with both, that goes as `path` says. */
typedef struct twin_wall
{
    double point[3], normal[3];
    bool has_two_sides;
    uint32_t material;
    uint64_t groups, mask;
    scree_wall_path path; /* velocity, rate and swing alone */
} twin_wall;

/*  Of a rule: a number that is NAN is not given. */
typedef struct twin_rule
{
    scree_contact_type type;
    uint32_t material[2]; /* 0: any */
    const char *law;      /* NULL: no force */
    double restitution, friction;
    int tangential; /* below 0: not given */
} twin_rule;

/*  What a contact remembers; `other` is a body, or TWIN_BODIES + wall. */
typedef struct twin_contact
{
    uint32_t body, pebble, other, other_pebble;
    double memory[SCREE_MAX_MEMORY];
} twin_contact;

typedef struct twin_world
{
    scree_world_def def; /* what a step depends on: integrator, dt, damping, domain, gravity */
    double pull;         /* of the host's function: force -pull * place; 0: none */
    twin_body body[TWIN_BODIES];
    twin_wall wall[TWIN_WALLS];
    scree_material_def material[TWIN_MATERIALS];
    twin_rule rule[TWIN_RULES];
    uint32_t body_count, wall_count, material_count, rule_count; /* bodies by global id */
    twin_contact *contact, *next;
    uint32_t contact_count, next_count;
    double time;
    bool is_primed; /* forces are those of the state */
} twin_world;

bool twin_world_open(twin_world *world);
void twin_world_close(twin_world *world);
void twin_world_step(twin_world *world);

/*  Where a place of the body's frame is. */
void twin_body_point(const twin_body *body, const double local[3], double place[3]);
/*  Of a unit quaternion w x y z. */
void twin_matrix_of(const double turn[4], double matrix[3][3]);
/*  From the first to the second, or to its nearest image. */
void twin_world_way(const twin_world *world, const double from[3], const double to[3],
                    double way[3]);

#endif
