/*  scree/deprecated.h: the names of version 0.1, kept for one version. A compiler warns where one is used and says the new name.

    scree/scree.h includes it. With single headers, include it as well, or change the names.

    Old names of struct members can only be macros, which also replace names of your own. They are defined only if SCREE_OLD_MEMBERS
    is defined before scree/scree.h is included. Members with short, common names (used, late, least, most ...) have none:
    CHANGELOG.md lists all. */
#ifndef SCREE_DEPRECATED_H
#define SCREE_DEPRECATED_H

#include "scree/bond.h"
#include "scree/chains.h"
#include "scree/shape.h"
#include "scree/sleep.h"
#include "scree/wall.h"
#include "scree/world.h"

#if defined(__GNUC__)
#define SCREE_OLD_NAME(new_name) __attribute__((deprecated("it is called " new_name " now")))
#else
#define SCREE_OLD_NAME(new_name)
#endif

#ifdef __cplusplus
#define SCREE_OLD_VALUE(type, old_name, new_name)                                                  \
    SCREE_OLD_NAME(#new_name) static const type old_name = new_name;
extern "C" {
#else
#define SCREE_OLD_VALUE(type, old_name, new_name)                                                  \
    enum                                                                                           \
    {                                                                                              \
        old_name SCREE_OLD_NAME(#new_name) = new_name                                              \
    };
#endif

/* clang-format off: one line each */

/* ---- types -------------------------------------------------------------------------------------- */

SCREE_OLD_NAME("scree_sleep_def") typedef scree_sleep_def scree_rest_def;
SCREE_OLD_NAME("scree_sleep_counts") typedef scree_sleep_counts scree_rest_counts;
SCREE_OLD_NAME("scree_integrator") typedef scree_integrator scree_stepper;
SCREE_OLD_NAME("scree_unconverged") typedef scree_unconverged scree_unsettled;
SCREE_OLD_NAME("scree_detection_stats") typedef scree_detection_stats scree_certificate;
SCREE_OLD_NAME("scree_timings") typedef scree_timings scree_phases;
SCREE_OLD_NAME("scree_local_step_stats") typedef scree_local_step_stats scree_paces;
SCREE_OLD_NAME("scree_free_wall_def") typedef scree_free_wall_def scree_wall_loose;

/* ---- constants ---------------------------------------------------------------------------------- */

SCREE_OLD_VALUE(scree_time_mode, SCREE_TIME_SCALED, SCREE_TIME_MASS_SCALING)
SCREE_OLD_VALUE(int, SCREE_MOST_LOCAL_STEPS, SCREE_MAX_LOCAL_STEPS)
SCREE_OLD_VALUE(int, SCREE_MOST_UNSETTLED, SCREE_MAX_UNCONVERGED)
SCREE_OLD_VALUE(scree_outline_kind, SCREE_OUTLINE_BORDER, SCREE_OUTLINE_BOUNDARY)
SCREE_OLD_VALUE(scree_log_id, SCREE_LOG_COARSE_PLACES, SCREE_LOG_COARSE_POSITIONS)

/* ---- functions ---------------------------------------------------------------------------------- */

SCREE_OLD_NAME("scree_default_sleep_def") static inline scree_sleep_def scree_default_rest_def(void)
{
    return scree_default_sleep_def();
}
SCREE_OLD_NAME("scree_world_set_sleep")
static inline scree_status scree_world_set_rest(scree_world *world, const scree_sleep_def *def)
{
    return scree_world_set_sleep(world, def);
}
SCREE_OLD_NAME("scree_world_is_asleep")
static inline bool scree_world_is_resting(const scree_world *world, scree_body_id id)
{
    return scree_world_is_asleep(world, id);
}
SCREE_OLD_NAME("scree_world_sleep_counts")
static inline scree_sleep_counts scree_world_rest_counts(const scree_world *world)
{
    return scree_world_sleep_counts(world);
}
SCREE_OLD_NAME("scree_world_failed_body")
static inline scree_body_id scree_world_culprit(const scree_world *world)
{
    return scree_world_failed_body(world);
}
SCREE_OLD_NAME("scree_world_unconverged")
static inline size_t
    scree_world_unsettled(const scree_world *world, scree_unconverged *list, size_t capacity)
{
    return scree_world_unconverged(world, list, capacity);
}
SCREE_OLD_NAME("scree_world_detection_stats")
static inline scree_detection_stats scree_world_certificate(const scree_world *world)
{
    return scree_world_detection_stats(world);
}
SCREE_OLD_NAME("scree_world_enable_timings")
static inline void scree_world_time_phases(scree_world *world, bool on)
{
    scree_world_enable_timings(world, on);
}
SCREE_OLD_NAME("scree_world_timings")
static inline scree_timings scree_world_phases(const scree_world *world)
{
    return scree_world_timings(world);
}
SCREE_OLD_NAME("scree_world_local_step_stats")
static inline scree_local_step_stats scree_world_paces(const scree_world *world)
{
    return scree_world_local_step_stats(world);
}
SCREE_OLD_NAME("scree_default_free_wall_def")
static inline scree_free_wall_def scree_default_wall_loose(void)
{
    return scree_default_free_wall_def();
}
SCREE_OLD_NAME("scree_world_set_free_wall")
static inline scree_status
    scree_world_set_wall_loose(scree_world *world, scree_wall_id id, const scree_free_wall_def *def)
{
    return scree_world_set_free_wall(world, id, def);
}

/* clang-format on */

#ifdef __cplusplus
}
#endif

/* ---- members ------------------------------------------------------------------------------------ */

#ifdef SCREE_OLD_MEMBERS
#define stepper integrator              /* scree_world_def */
#define ledger energy_balance           /* scree_world_def */
#define increase max_growth             /* scree_world_def */
#define safety safety_factor            /* scree_world_def */
#define most_speed max_speed            /* scree_wall_servo */
#define most_rate max_rate              /* scree_cell_servo */
#define turn_damping angular_damping    /* scree_free_wall_def */
#define is_loose is_free                /* scree_wall */
#define most_children max_children      /* scree_cell_space_def */
#define dropped_twin dropped_duplicates /* scree_mesh_info */
#define crowded_edges nonmanifold_edges /* scree_mesh_info */
#define turned_edges flipped_edges      /* scree_mesh_info */
#define resting asleep                  /* scree_sleep_counts */
#define spared skipped                  /* scree_sleep_counts */
#define fell fell_asleep                /* scree_sleep_counts */
#define partings level_changes          /* scree_local_step_stats */
#define wall_searches wall_rebuilds     /* scree_detection_stats */
#endif

#endif
