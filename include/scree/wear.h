/*  scree/wear.h: how much bodies wear the surfaces of walls, facet by facet.

        scree_wear_def wear = scree_default_wear_def();
        wear.coefficient = 1e-4;
        wear.hardness = 1.5e9;
        scree_world_set_wear(world, wall, &wear);
        ...
        scree_world_wear(world, wall, facets, count);

    Two ways of wear are added up, each from the contacts of the step:

    SLIDING (Archard 1953). A normal force N that slides over a way s wears the volume coefficient * N s / hardness. N
    is the part of the contact force that presses on the wall, s the way of the body's surface along that of the wall
    (of a belt, if there is one).

    IMPACT (Oka, Okamura and Yoshida 2005). A body of mass m that hits with speed v at an angle a to the surface wears

        erosion m g(a) (v / reference_speed)^speed_exponent (d / reference_diameter)^diameter_exponent,
        g(a) = (sin a)^n1 (1 + H (1 - sin a))^n2

    with the diameter d of a sphere, or of a sphere of the same volume, and the hardness H in GPa. It counts in the step
    in which a body touches the wall after a step in which it did not.

    The sums do not depend on the order of contacts, so they are the same bits on any number of threads and ranks. They
    are part of the state: checkpoints keep them. The wall itself keeps its form; scree_world_worn_mesh makes a worn
    mesh. Local time steps and devices do not know wear yet, and refuse it. */
#ifndef SCREE_WEAR_H
#define SCREE_WEAR_H

#include "scree/wall.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  How a wall wears. */
typedef struct scree_wear_def
{
    uint32_t cookie;    /* set by the default function */
    uint32_t size;      /* in bytes, set by the default function */
    double coefficient; /* of Archard, without unit, 0 or more; 0: sliding wears nothing; 0 */
    double hardness;    /* of the wall, Pa, above 0; 1e9 */
    /*  Volume worn per mass of bodies that hit at right angles with the reference speed, m^3/kg, 0 or more; 0: impacts
        wear nothing; 0. */
    double erosion;
    double reference_speed;    /* m/s, above 0; 104 */
    double reference_diameter; /* m, above 0; 326e-6 */
    double speed_exponent;     /* 0 to 10; 2.35 */
    double diameter_exponent;  /* -10 to 10; 0.19 */
    double angle_exponent;     /* n1, 0 to 10; 0.8 */
    double hardness_exponent;  /* n2, 0 to 10; 1.3 */
} scree_wear_def;

/*  What scree_default_wear_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_wear_def(scree_wear_def *def, size_t size);
/*  Returns a definition with default values. Set `coefficient`, `erosion` or both. */
static inline scree_wear_def scree_default_wear_def(void)
{
    scree_wear_def def;
    scree_init_wear_def(&def, sizeof def);
    return def;
}

/*  Adds up wear from now on, from 0; NULL stops it and drops the sums. On failure nothing changes. SCREE_BAD_DEF;
    SCREE_BAD_VALUE, naming field and value; SCREE_BAD_ARGUMENT: no such wall, or local time steps;
    SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_set_wear(scree_world *world, scree_wall_id id,
                                            const scree_wear_def *def);
/*  What scree_world_get_wear calls: writes the first `size` bytes of the definition. */
SCREE_API bool scree_world_read_wear(const scree_world *world, scree_wall_id id,
                                     scree_wear_def *def, size_t size);
/*  Returns whether the wall wears, and reads its definition, or the default one; `def` may be NULL. */
static inline bool scree_world_get_wear(const scree_world *world, scree_wall_id id,
                                        scree_wear_def *def)
{
    return scree_world_read_wear(world, id, def, sizeof *def);
}

/*  Wear of a facet since scree_world_set_wear. At an edge a contact counts at one of two facets, as in
    scree_facet_load. */
typedef struct scree_facet_wear
{
    double sliding;       /* sum of normal force times way, J */
    double impact_energy; /* sum of the kinetic energy along the normal of bodies that hit, J */
    uint64_t impacts;     /* number of bodies that hit */
    double slid_volume;   /* worn by sliding, m^3 (2D: of a wall 1 m thick) */
    double eroded_volume; /* worn by impacts */
    double area;          /* as in scree_facet_load */
    /*  Worn volume over area, m: positive where the side worn more is that to which the normal of the facet points. 0
        for a plane. */
    double depth;
} scree_facet_wear;

/*  Reads the wear of all facets of a mesh, in their order, or one for a plane. On failure nothing is written.
    SCREE_BAD_ARGUMENT: NULL, no such wall, a wall that does not wear, or `count` is not the number of facets. */
SCREE_API scree_status scree_world_wear(scree_world *world, scree_wall_id id,
                                        scree_facet_wear *wear, size_t count);

/*  Makes the mesh that the wall would have after `times` of its present wear: each vertex moves against the normals of
    its facets by the mean of their depths, weighted by area. Replace the wall by one with this mesh to go on with the
    worn form. *mesh is NULL on failure. SCREE_BAD_ARGUMENT: NULL, no such wall, a plane, or a wall that does not wear;
    SCREE_BAD_VALUE: `times` is negative or not finite, or the worn mesh would be no mesh; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_worn_mesh(scree_world *world, scree_wall_id id, double times,
                                             scree_mesh **mesh);

#ifdef __cplusplus
}
#endif

#endif
