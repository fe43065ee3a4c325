/*  scree/deprecated.h: the names of version 0.1, kept until 2.0. A compiler warns where one is used and says the new name.

    scree/scree.h includes it. With single headers, include it as well, or change the names.

    Old names of struct members can only be macros, which also replace names of your own. They are defined only if SCREE_OLD_MEMBERS
    is defined before scree/scree.h is included. Members with short, common names (used, late, least, most ...) have none:
    CHANGELOG.md lists all. */
#ifndef SCREE_DEPRECATED_H
#define SCREE_DEPRECATED_H

#include "scree/bond.h"
#include "scree/cell.h"
#include "scree/chains.h"
#include "scree/heat.h"
#include "scree/io.h"
#include "scree/law.h"
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

/* ---- types -------------------------------------------------------------------------------------- */

SCREE_OLD_NAME("scree_sleep_def") typedef scree_sleep_def scree_rest_def;
SCREE_OLD_NAME("scree_sleep_counts") typedef scree_sleep_counts scree_rest_counts;
SCREE_OLD_NAME("scree_integrator") typedef scree_integrator scree_stepper;
SCREE_OLD_NAME("scree_unconverged") typedef scree_unconverged scree_unsettled;
SCREE_OLD_NAME("scree_detection_stats") typedef scree_detection_stats scree_certificate;
SCREE_OLD_NAME("scree_timings") typedef scree_timings scree_phases;
SCREE_OLD_NAME("scree_local_step_stats") typedef scree_local_step_stats scree_paces;
SCREE_OLD_NAME("scree_free_wall_def") typedef scree_free_wall_def scree_wall_loose;
SCREE_OLD_NAME("scree_wall_servo_def") typedef scree_wall_servo_def scree_wall_servo;
SCREE_OLD_NAME("scree_cell_servo_def") typedef scree_cell_servo_def scree_cell_servo;
SCREE_OLD_NAME("scree_contact_filter_def") typedef scree_contact_filter_def scree_contact_filter;
SCREE_OLD_NAME("scree_material_heat_def") typedef scree_material_heat_def scree_material_heat;
SCREE_OLD_NAME("scree_export_def") typedef scree_export_def scree_export_options;

/* ---- constants ---------------------------------------------------------------------------------- */

SCREE_OLD_VALUE(scree_time_mode, SCREE_TIME_SCALED, SCREE_TIME_MASS_SCALING)
SCREE_OLD_VALUE(int, SCREE_MOST_LOCAL_STEPS, SCREE_MAX_LOCAL_STEPS)
SCREE_OLD_VALUE(int, SCREE_MOST_UNSETTLED, SCREE_MAX_UNCONVERGED)
SCREE_OLD_VALUE(int, SCREE_MOST_FORMULA_MEMORY, SCREE_MAX_FORMULA_MEMORY)
SCREE_OLD_VALUE(int, SCREE_MOST_FORMULA_PARAMETERS, SCREE_MAX_FORMULA_PARAMETERS)
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
static inline size_t scree_world_unsettled(const scree_world *world, scree_unconverged *list,
                                           size_t capacity)
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
static inline scree_status scree_world_set_wall_loose(scree_world *world, scree_wall_id id,
                                                      const scree_free_wall_def *def)
{
    return scree_world_set_free_wall(world, id, def);
}
SCREE_OLD_NAME("scree_world_get_gravity")
static inline void scree_world_gravity(const scree_world *world, double gravity[3])
{
    scree_world_get_gravity(world, gravity);
}
SCREE_OLD_NAME("scree_world_get_domain")
static inline void scree_world_domain(const scree_world *world, double lower[3], double upper[3],
                                      scree_boundary boundary[3])
{
    scree_world_get_domain(world, lower, upper, boundary);
}
SCREE_OLD_NAME("scree_world_get_dt")
static inline scree_time_mode scree_world_time_mode(const scree_world *world, double *dt)
{
    scree_time_mode mode;
    scree_world_get_dt(world, &mode, dt);
    return mode;
}
SCREE_OLD_NAME("scree_world_get_damping")
static inline void scree_world_damping(const scree_world *world, double *global_damping,
                                       double *local_damping)
{
    scree_world_get_damping(world, global_damping, local_damping);
}
SCREE_OLD_NAME("scree_world_get_friction")
static inline double scree_world_friction(const scree_world *world, scree_material_id material)
{
    return scree_world_get_friction(world, material);
}
SCREE_OLD_NAME("scree_world_get_cell")
static inline void scree_world_cell(const scree_world *world, scree_cell_def *cell)
{
    scree_world_get_cell(world, cell);
}
SCREE_OLD_NAME("scree_world_get_cell_servo")
static inline bool scree_world_cell_servo(const scree_world *world, scree_cell_servo_def *servo,
                                          double stress[6], double *pressure)
{
    return scree_world_get_cell_servo(world, servo, stress, pressure);
}
SCREE_OLD_NAME("scree_default_wall_servo_def")
static inline scree_wall_servo_def scree_default_wall_servo(void)
{
    return scree_default_wall_servo_def();
}
SCREE_OLD_NAME("scree_default_cell_servo_def")
static inline scree_cell_servo_def scree_default_cell_servo(void)
{
    return scree_default_cell_servo_def();
}
SCREE_OLD_NAME("scree_default_contact_filter_def")
static inline scree_contact_filter_def scree_default_contact_filter(void)
{
    return scree_default_contact_filter_def();
}
SCREE_OLD_NAME("scree_default_material_heat_def")
static inline scree_material_heat_def scree_default_material_heat(void)
{
    return scree_default_material_heat_def();
}
SCREE_OLD_NAME("scree_default_export_def")
static inline scree_export_def scree_default_export_options(void)
{
    return scree_default_export_def();
}

#ifdef __cplusplus
}
#endif

/* ---- members ------------------------------------------------------------------------------------ */

#ifdef SCREE_OLD_MEMBERS
#define stepper step.integrator         /* scree_world_def */
#define ledger energy_balance           /* scree_world_def */
#define increase step.max_growth        /* scree_world_def */
#define safety step.safety_factor       /* scree_world_def */
#define most_speed max_speed            /* scree_wall_servo */
#define most_rate max_rate              /* scree_cell_servo */
#define turn_damping angular_damping    /* scree_free_wall_def */
#define is_loose is_free                /* scree_wall */
#define most_children max_children      /* scree_cell_space_def */
#define dropped_twin dropped_duplicates /* scree_mesh_info */
#define crowded_edges nonmanifold_edges /* scree_mesh_info */
#define turned_edges flipped_edges      /* scree_mesh_info */
#define halo contact_skin               /* scree_shape; of a block: rounding */
#define resting asleep                  /* scree_sleep_counts */
#define spared skipped                  /* scree_sleep_counts */
#define fell fell_asleep                /* scree_sleep_counts */
#define partings level_changes          /* scree_local_step_stats */
#define wall_searches wall_rebuilds     /* scree_detection_stats */
#endif

#endif
