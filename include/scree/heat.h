/*  scree/heat.h: bodies that have a temperature, and heat that flows through their contacts.

        scree_heat_def heat = scree_default_heat_def();
        heat.temperature = 300;
        scree_world_set_heat(world, &heat);
        scree_material_heat steel = scree_default_material_heat();
        steel.conductivity = 50;
        steel.capacity = 450;
        scree_world_set_material_heat(world, material, &steel);
        scree_wall_heat hot = {.is_given = true, .temperature = 400};
        scree_world_set_wall_heat(world, wall, &hot);
        scree_world_step(world, 1000);
        printf("%g K\n", scree_world_temperature(world, id));

    THE LAW. Each body has one temperature T, so its inside must conduct much better than its contacts. Through a contact
    flows

        Q = 2 k a (T2 - T1),    k = 2 k1 k2 / (k1 + k2),    a = sqrt(R d)

    (Batchelor and O'Brien, Proc. R. Soc. A 355 (1977) 313: two smooth spheres that touch in a circle of radius a, in
    a gap that does not conduct), with a that of Hertz: R = r1 r2 / (r1 + r2), of a wall r1, and d the overlap, whatever
    law the force follows. At contacts of bodies of triangles R, d and the weight of each are as forces see them; in two
    dimensions discs touch as spheres of their radius do. Beyond touching nothing flows.

    SOFTER THAN REAL. Forces are often computed with a Young's modulus far below the real one, and contacts are too wide
    then. Where a material says the real one, a is multiplied by (E / E_real)^(1/3), with E* of both materials: the
    radius of the real contact under the same force by Hertz's law.

    THE STEP. Heat goes with the contacts at the end of a step, from the temperatures before: m c dT = dt sum Q. Where dt
    is longer than half of what that bears, the least m c / (sum of 2 k a), the flow of a step is found in equal
    pieces, contacts staying as they are: so heat sets no limit to dt. What rounding leaves of a temperature is kept
    beside it: heat that flows between bodies is conserved to the last bits of the sum.

    WHO TAKES PART. Two bodies that nothing can push (all of SCREE_FREEZE) do not touch, nor do such a body and a wall. A
    body with SCREE_GHOST keeps its temperature: its owner sees to it, and what flows to it is booked as if it were held.

    THE SAME BYTES, as of all the state. A world without heat has no numbers of it, and does nothing for it. */
#ifndef SCREE_HEAT_H
#define SCREE_HEAT_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_heat_def
{
    uint32_t cookie;
    double
        temperature; /* K: of the bodies that are there and of those that come; 0 to 1e9; 293.15 */
    /*  Of what contacts lose by damping, friction and rolling, this share becomes heat, half of it in each of both; at
        a wall without a given temperature all of it in the body. 0 to 1; above 0 it takes an energy balance; 0 */
    double loss_share;
} scree_heat_def;

SCREE_API scree_heat_def scree_default_heat_def(void);

/*  Bodies have temperatures from now on; where they have some already only loss_share changes, and the temperature of those
    that come. NULL: none any more, and all that was said of heat is forgotten. Each body's material must be given a
    capacity before the next step, which is refused otherwise. SCREE_BAD_DEF, SCREE_BAD_VALUE, SCREE_BAD_ARGUMENT (no
    ledger), SCREE_OUT_OF_MEMORY; then nothing changes. */
SCREE_API scree_status scree_world_set_heat(scree_world *world, const scree_heat_def *def);

/*  What a material is to heat. */
typedef struct scree_material_heat
{
    uint32_t cookie;
    double conductivity; /* W/(m K), 0 to 1e100; 0, which insulates */
    double
        capacity; /* specific heat, J/(kg K), above 0 for bodies, 0 to 1e100; of walls it does not count; 0 */
    double young; /* Pa: the real one, where the material's is not; 0: it is; 0 */
} scree_material_heat;

SCREE_API scree_material_heat scree_default_material_heat(void);
/*  Only where there is heat. Conductivity without capacity is for walls. SCREE_BAD_DEF, SCREE_BAD_VALUE, SCREE_BAD_ARGUMENT
    (no heat, no such material), SCREE_OUT_OF_MEMORY; then nothing changes. */
SCREE_API scree_status scree_world_set_material_heat(scree_world *world, scree_material_id id,
                                                     const scree_material_heat *heat);

/*  The heat of a body. */
typedef struct scree_body_heat
{
    double temperature; /* K, 0 to 1e9 */
    double source;      /* W into it, below 0 out of it; finite */
    bool is_held;       /* its temperature stays, whatever flows */
    double flow;        /* W into it through contacts, mean of the last step; not read */
    double capacity;    /* J/K: mass times that of the material; not read */
} scree_body_heat;

/*  SCREE_BAD_ARGUMENT where there is no heat or no such body. */
SCREE_API scree_status scree_world_get_body_heat(const scree_world *world, scree_body_id id,
                                                 scree_body_heat *heat);
/*  Sets temperature, source and is_held. SCREE_BAD_VALUE, SCREE_BAD_ARGUMENT; then nothing changes. */
SCREE_API scree_status scree_world_set_body_heat(scree_world *world, scree_body_id id,
                                                 const scree_body_heat *heat);
/*  K; NAN where there is no heat or no such body. */
SCREE_API double scree_world_temperature(const scree_world *world, scree_body_id id);
/*  Of all bodies, in the order of scree_world_bodies, until the next call that is given the world without const. data is NULL
    where there is no heat. */
SCREE_API scree_view scree_world_temperatures(const scree_world *world);

/*  The heat of a wall. One without a temperature insulates. */
typedef struct scree_wall_heat
{
    bool is_given;
    double temperature; /* K, 0 to 1e9 */
    double flow;        /* W into bodies, mean of the last step; not read */
    double given;       /* J into bodies so far; not read */
} scree_wall_heat;

/*  SCREE_BAD_ARGUMENT where there is no heat or no such wall. */
SCREE_API scree_status scree_world_get_wall_heat(const scree_world *world, scree_wall_id id,
                                                 scree_wall_heat *heat);
/*  Sets is_given and temperature. SCREE_BAD_VALUE, SCREE_BAD_ARGUMENT; then nothing changes. */
SCREE_API scree_status scree_world_set_wall_heat(scree_world *world, scree_wall_id id,
                                                 const scree_wall_heat *heat);

/*  Joules. The books close: content is entered - removed + walls + sources + losses. */
typedef struct scree_heat_totals
{
    bool is_on;              /* if not all is 0 */
    double content;          /* m c T of all bodies */
    double entered, removed; /* by bodies that came, went or were changed */
    double walls;            /* from walls */
    double sources;          /* from sources, and what holding temperatures took */
    double losses;           /* what contacts lost, in bodies */
    double losses_to_walls;  /* and in walls: in no other number */
    double lowest, highest;  /* K; 0 without bodies */
    double mean;             /* of content over capacity */
    double stable_dt;        /* s: the longest that one piece may be; INFINITY: nothing flows */
    uint32_t pieces;         /* of the last step */
} scree_heat_totals;

/*  Sums are exact, so they do not depend on where bodies lie. */
SCREE_API scree_heat_totals scree_world_heat(const scree_world *world);

#ifdef __cplusplus
}
#endif

#endif
