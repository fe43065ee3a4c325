/*  scree/heat.h: temperatures of bodies, and heat conduction through their contacts.

        scree_heat_def heat = scree_default_heat_def();
        heat.temperature = 300;
        scree_world_set_heat(world, &heat);
        scree_material_heat_def steel = scree_default_material_heat_def();
        steel.conductivity = 50;
        steel.capacity = 450;
        scree_world_set_material_heat(world, material, &steel);
        scree_wall_heat hot = {.is_given = true, .temperature = 400};
        scree_world_set_wall_heat(world, wall, &hot);
        scree_world_step(world, 1000);
        printf("%g K\n", scree_world_temperature(world, id));

    MODEL. Each body has one temperature T. This assumes that it conducts heat much better than its contacts do. The
    heat flow through a contact is

        Q = 2 k a (T2 - T1),    k = 2 k1 k2 / (k1 + k2),    a = sqrt(R d)

    (Batchelor and O'Brien, Proc. R. Soc. A 355 (1977) 313: two smooth spheres in contact on a circle of radius a, with
    a gap that does not conduct). The radius a is that of Hertz, R = r1 r2 / (r1 + r2), or r1 at a wall, and d is the
    overlap, for any contact law. For contacts of meshes and blocks, R, d and the weight of each contact are those of
    the forces. In two dimensions discs conduct as spheres of their radius. Without contact no heat flows.

    SOFTENED CONTACTS. Simulations often use a Young's modulus far below the real one, so contacts are too wide. If a
    material gives its real modulus, a is multiplied by (E / E_real)^(1/3), with E* of both materials: the contact
    radius that the same force gives by Hertz's law.

    TIME STEP. Heat flows through the contacts at the end of a step, from the temperatures before: m c dT = dt sum Q. If
    dt is longer than half of the stable step for heat, min of m c / (sum of 2 k a), the heat step is divided into equal
    substeps with the same contacts. So heat does not limit dt. The rounding error of each temperature is stored with
    it: heat that flows between bodies is conserved to the last bits of the sum.

    EXCEPTIONS. Two bodies with all components frozen (SCREE_FREEZE) have no contact, nor have such a body and a wall. A
    body with SCREE_GHOST keeps its temperature, which its owner computes; heat that flows to it is counted as for a
    held temperature.

    Temperatures are part of the state, and bit-identical as all of it. A world without heat needs no memory and no time
    for it. */
#ifndef SCREE_HEAT_H
#define SCREE_HEAT_H

#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  Heat of a world. */
typedef struct scree_heat_def
{
    uint32_t cookie;    /* set by the default function */
    uint32_t size;      /* in bytes, set by the default function */
    double temperature; /* of all bodies, also of those added later, K, 0 to 1e9; 293.15 */
    /*  The share of the energy lost in contacts by damping, friction and rolling that becomes heat, 0 to 1; 0. Half
        goes to each body, at a wall without a given temperature all to the body. Above 0 it needs def.energy_balance.
        */
    double loss_share;
} scree_heat_def;

/*  What scree_default_heat_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_heat_def(scree_heat_def *def, size_t size);
/*  Returns a definition with default values. */
static inline scree_heat_def scree_default_heat_def(void)
{
    scree_heat_def def;
    scree_init_heat_def(&def, sizeof def);
    return def;
}

/*  Turns heat on: all bodies get the temperature of `def`. If heat is on already, only loss_share and the temperature
    of bodies added later change. NULL turns heat off and discards all thermal data. Each material of a body needs a
    capacity before the next step, which is refused otherwise. On failure nothing changes. SCREE_BAD_DEF;
    SCREE_BAD_VALUE; SCREE_BAD_ARGUMENT: loss_share without def.energy_balance; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_set_heat(scree_world *world, const scree_heat_def *def);

/*  What scree_world_get_heat calls: writes the first `size` bytes of the definition. */
SCREE_API bool scree_world_read_heat(const scree_world *world, scree_heat_def *def, size_t size);
/*  Returns whether heat is on, and reads its definition, or the default one; `def` may be NULL. */
static inline bool scree_world_get_heat(const scree_world *world, scree_heat_def *def)
{
    return scree_world_read_heat(world, def, sizeof *def);
}

/*  Thermal properties of a material. */
typedef struct scree_material_heat_def
{
    uint32_t cookie;     /* set by the default function */
    uint32_t size;       /* in bytes, set by the default function */
    double conductivity; /* W/(m K), 0 to 1e100; 0: insulates; 0 */
    /*  Specific heat, J/(kg K), 0 to 1e100; above 0 for bodies, not used for walls; 0. */
    double capacity;
    double young; /* the real Young's modulus, Pa; 0: that of the material is real; 0 */
} scree_material_heat_def;

/*  What scree_default_material_heat_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_material_heat_def(scree_material_heat_def *def, size_t size);
/*  Returns a definition with default values. */
static inline scree_material_heat_def scree_default_material_heat_def(void)
{
    scree_material_heat_def def;
    scree_init_material_heat_def(&def, sizeof def);
    return def;
}
/*  Sets the thermal properties of a material. Call scree_world_set_heat first. A material with conductivity but no
    capacity can only be that of walls. On failure nothing changes. SCREE_BAD_DEF; SCREE_BAD_VALUE; SCREE_BAD_ARGUMENT:
    no heat, or no such material; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_set_material_heat(scree_world *world, scree_material_id id,
                                                     const scree_material_heat_def *heat);

/*  Thermal state of a body. */
typedef struct scree_body_heat
{
    double temperature; /* K, 0 to 1e9 */
    double source;      /* heat source, W; negative: sink; finite */
    bool is_held;       /* its temperature is constant */
    /*  Heat flow into it through contacts, W, mean of the last step; output only. */
    double flow;
    double capacity; /* heat capacity, J/K: mass times that of the material; output only */
} scree_body_heat;

/*  Reads the thermal state of a body. SCREE_BAD_ARGUMENT: no heat, or no such body. */
SCREE_API scree_status scree_world_get_body_heat(const scree_world *world, scree_body_id id,
                                                 scree_body_heat *heat);
/*  Sets temperature, source and is_held of a body. On failure nothing changes. SCREE_BAD_VALUE, SCREE_BAD_ARGUMENT. */
SCREE_API scree_status scree_world_set_body_heat(scree_world *world, scree_body_id id,
                                                 const scree_body_heat *heat);
/*  Returns the temperature of a body in K, or NAN if there is no heat or no such body. */
SCREE_API double scree_world_temperature(const scree_world *world, scree_body_id id);
/*  Returns the temperatures of all bodies in K, doubles in the order of scree_world_bodies. The view is valid until the
    next call that takes the world without const. Its data is NULL if there is no heat. */
SCREE_API scree_view scree_world_temperatures(const scree_world *world);

/*  Thermal state of a wall. A wall without a given temperature insulates. */
typedef struct scree_wall_heat
{
    bool is_given;      /* it has a temperature, which is constant */
    double temperature; /* K, 0 to 1e9 */
    double flow;        /* heat flow into bodies, W, mean of the last step; output only */
    double given;       /* total heat given to bodies, J; output only */
} scree_wall_heat;

/*  Reads the thermal state of a wall. SCREE_BAD_ARGUMENT: no heat, or no such wall. */
SCREE_API scree_status scree_world_get_wall_heat(const scree_world *world, scree_wall_id id,
                                                 scree_wall_heat *heat);
/*  Sets is_given and temperature of a wall. On failure nothing changes. SCREE_BAD_VALUE, SCREE_BAD_ARGUMENT. */
SCREE_API scree_status scree_world_set_wall_heat(scree_world *world, scree_wall_id id,
                                                 const scree_wall_heat *heat);

/*  The heat balance, in J: content = entered - removed + walls + sources + losses. */
typedef struct scree_heat_totals
{
    bool is_on;              /* heat is on; if not, all other members are 0 */
    double content;          /* sum of m c T over all bodies */
    double entered, removed; /* heat of bodies that were added, removed or changed */
    double walls;            /* heat from walls */
    double sources;          /* heat from sources and from held temperatures */
    double losses;           /* energy lost in contacts that became heat of bodies */
    double losses_to_walls;  /* the same that went into walls; in no other number */
    double lowest, highest;  /* temperatures, K; 0 without bodies */
    double mean;             /* content over total heat capacity, K */
    double stable_dt;        /* longest substep of heat, s; INFINITY: no heat flows */
    uint32_t pieces;         /* number of substeps in the last step */
} scree_heat_totals;

/*  Returns the heat balance. Its sums are exact, so they do not depend on the order of bodies. */
SCREE_API scree_heat_totals scree_world_heat(const scree_world *world);

#ifdef __cplusplus
}
#endif

#endif
