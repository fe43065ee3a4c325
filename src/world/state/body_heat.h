/*  Heat: temperatures of bodies, and what flows through contacts (scree/heat.h). Kept where it is on, and no number of
    it otherwise. */
#ifndef SCREE_WORLD_BODY_HEAT_H
#define SCREE_WORLD_BODY_HEAT_H

#include "base/error.h"
#include "base/memory.h"
#include "scree/heat.h"
#include "world/state/bodies.h"

/*  A body's row of it. What it got is in joules; of what holds it the sources have the books. */
enum
{
    SCREE_HEAT_TEMPERATURE,
    SCREE_HEAT_REMAINDER, /* what rounding has left of the temperature: both together are what it is */
    SCREE_HEAT_SOURCE,
    SCREE_HEAT_FLOW,    /* W, through contacts, mean of the last step */
    SCREE_HEAT_WALLS,   /* got from walls, */
    SCREE_HEAT_SOURCES, /* from its source, less what holding it took, */
    SCREE_HEAT_LOSSES,  /* and from what its contacts lost */
    SCREE_HEAT_HELD,    /* 1: it is, or 0 */
    SCREE_HEATS,
};

/*  Of a material; all 0 where none was given. In snapshots as it is here. */
typedef struct scree_heat_material
{
    double conductivity, capacity, young;
} scree_heat_material;

/*  What decides the future beside bodies, walls and materials. In snapshots as it is here. */
typedef struct scree_heat_course
{
    double temperature, loss_share;
    double walls, sources, losses; /* got by bodies that are gone */
    double to_walls, entered, removed;
    double stable; /* of the last step: longest piece */
    uint64_t pieces;
} scree_heat_course;

typedef struct scree_heat
{
    bool is_on;
    scree_heat_course course;
    scree_heat_material *material; /* by index1 - 1; those behind the last have none */
    size_t material_count, material_capacity;
    double (*flow)[4]; /* scratch of a step, by slot: W from bodies, from walls; how fast, 1/s; 0 */
    size_t flow_capacity;
    double found_stable, found_pieces; /* for the step under way; 0: nothing flows */
} scree_heat;

void scree_heat_free(scree_heat *heat, scree_memory *memory);
/*  Of index1; zeros where nothing was said. */
scree_heat_material scree_heat_of_material(const scree_heat *heat, uint32_t index1);
/*  J/K. */
double scree_heat_capacity(const scree_crowd *bodies, const scree_heat *heat, uint32_t slot);
/*  J; of ghosts, and where there is no heat, 0. */
double scree_heat_content(const scree_crowd *bodies, const scree_heat *heat, uint32_t slot);
/*  Whether such numbers can come from a world. */
bool scree_is_temperature(double value);
/*  A number of a material. */
bool scree_is_heat_of_material(double value);
bool scree_heat_course_is_sound(const scree_heat_course *course);
bool scree_heat_material_is_sound(const scree_heat_material *material);
bool scree_heat_row_is_sound(const double row[SCREE_HEATS]);
bool scree_heat_wall_is_sound(const scree_wall_heat *wall);

/*  What is more than before has entered, what is less is removed. */
void scree_heat_book(scree_heat_course *course, double change);
/*  A body has been added, and gets its row; is about to be removed; is of another material than when it had `before` J. */
void scree_heat_enter(scree_heat *heat, scree_crowd *bodies, uint32_t slot);
void scree_heat_leave(scree_heat *heat, const scree_crowd *bodies, uint32_t slot);
void scree_heat_change(scree_heat *heat, const scree_crowd *bodies, uint32_t slot, double before);

#endif
