/*  Heat: temperatures of bodies, and heat flow through contacts (scree/heat.h). Nothing is stored if heat is off. */
#ifndef SCREE_WORLD_BODY_HEAT_H
#define SCREE_WORLD_BODY_HEAT_H

#include "base/error.h"
#include "base/memory.h"
#include "scree/heat.h"
#include "world/state/bodies.h"

/*  A body's row. Terms of the heat balance are in joules. `SOURCES` includes what holds a temperature fixed. */
enum
{
    SCREE_HEAT_TEMPERATURE,
    SCREE_HEAT_REMAINDER, /* rounding remainder: the exact temperature is the sum of both */
    SCREE_HEAT_SOURCE,
    SCREE_HEAT_FLOW,    /* W, through contacts, mean over the last step */
    SCREE_HEAT_WALLS,   /* heat from walls */
    SCREE_HEAT_SOURCES, /* heat from its source and from what holds its temperature */
    SCREE_HEAT_LOSSES,  /* heat from energy that its contacts dissipated */
    SCREE_HEAT_HELD,    /* 1: the temperature is held; 0: it is free */
    SCREE_HEATS,
};

/*  Heat properties of a material; all 0 if none were given. Stored in snapshots as it is here. */
typedef struct scree_heat_material
{
    double conductivity, capacity, young;
} scree_heat_material;

/*  State of heat in addition to that of bodies, walls and materials. Stored in snapshots as it is here. */
typedef struct scree_heat_course
{
    double temperature, loss_share;
    double walls, sources, losses; /* received by bodies that were removed since */
    double to_walls, entered, removed;
    double stable; /* the longest stable substep in the last step */
    uint64_t pieces;
} scree_heat_course;

/*  What decides over the substeps of a step; of all ranks together if there are others. */
typedef struct scree_heat_limits
{
    double fastest; /* largest rate of a body by conduction, 1/s; 0: none */
    double coldest; /* lowest temperature of a body, K; INFINITY: there are no bodies */
    double cooling; /* largest rate at which a body's source cools it, K/s; 0: none */
} scree_heat_limits;

typedef struct scree_heat
{
    bool is_on;
    scree_heat_course course;
    scree_heat_material
        *material; /* index: index1 - 1; materials beyond the end have no properties */
    size_t material_count, material_capacity;
    double (*flow)[4]; /* scratch of a step, by slot: W from bodies, W from walls, rate in 1/s, 0 */
    size_t flow_capacity;
    double found_stable, found_pieces; /* for the current step; 0: no heat flows */
    scree_heat_limits limits;          /* of the current step */
    uint64_t changes; /* how often the host has changed something here, or a temperature */
} scree_heat;

void scree_heat_free(scree_heat *heat, scree_memory *memory);
/*  Properties of material index1; zeros if none were given. */
scree_heat_material scree_heat_of_material(const scree_heat *heat, uint32_t index1);
/*  In J/K. */
double scree_heat_capacity(const scree_body_arrays *bodies, const scree_heat *heat, uint32_t slot);
/*  In J; 0 for ghosts and if heat is off. */
double scree_heat_content(const scree_body_arrays *bodies, const scree_heat *heat, uint32_t slot);
/*  Whether a value can be a temperature. */
bool scree_is_temperature(double value);
/*  Whether a value can be a property of a material. */
bool scree_is_heat_of_material(double value);
bool scree_heat_course_is_sound(const scree_heat_course *course);
bool scree_heat_material_is_sound(const scree_heat_material *material);
bool scree_heat_row_is_sound(const double row[SCREE_HEATS]);
bool scree_heat_wall_is_sound(const scree_wall_heat *wall);

/*  Records a change of the heat of all bodies: a gain as entered, a loss as removed. */
void scree_heat_book(scree_heat_course *course, double change);
/*  A body has been added and gets its row; is about to be removed; or has changed its material and had `before` J
    until then. */
void scree_heat_enter(scree_heat *heat, scree_body_arrays *bodies, uint32_t slot);
void scree_heat_leave(scree_heat *heat, const scree_body_arrays *bodies, uint32_t slot);
void scree_heat_change(scree_heat *heat, const scree_body_arrays *bodies, uint32_t slot,
                       double before);

#endif
