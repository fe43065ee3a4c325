/*  The struct of a world: its data and the stages of a step. The folders next to this one have the data of each
    stage. docs/architecture.md says which folder may use which; step.c has the order of a step. */
#ifndef SCREE_WORLD_WORLD_DATA_H
#define SCREE_WORLD_WORLD_DATA_H

#include "base/error.h"
#include "base/tasks.h"
#include "law/law_table.h"
#include "world/collide/shape_contacts.h"
#include "world/contacts/candidates.h"
#include "world/contacts/contact_history.h"
#include "world/contacts/wall_contact_list.h"
#include "world/forces/force_job.h"
#include "world/search/neighbours.h"
#include "world/state/ambient.h"
#include "world/state/bodies.h"
#include "world/state/body_heat.h"
#include "world/state/body_order.h"
#include "world/state/body_sleep.h"
#include "world/state/cell_box.h"
#include "world/state/course.h"
#include "world/state/joints.h"
#include "world/state/settings.h"
#include "world/state/sums.h"
#include "world/state/walls.h"
#include "world/state/wraps.h"
#include "world/step/bond_failures.h"
#include "world/step/crossings.h"
#include "world/step/events.h"
#include "world/step/implicit.h"
#include "world/step/way_back.h"

/*  What the energy balance stores between stages of a step, see energy_balance.h. */
typedef struct scree_energy_balance
{
    double (*host)[6]; /* force and torque of the host's function, by slot */
    size_t host_capacity;
    double brought, taken; /* by bodies added, removed or changed since the last step */
} scree_energy_balance;

struct scree_world
{
    scree_memory memory;
    scree_world_def def; /* strings are owned by the world, or NULL */
    char method[32];
    scree_error error;
    scree_workers workers;
    scree_simd simd;
    scree_body_arrays bodies;
    scree_walls walls;
    scree_rules rules;
    scree_course clock;
    scree_strain cell;
    scree_joints joints;

    /* search for neighbour pairs */
    scree_detector *detector;
    double reach;                    /* largest interaction range, at the last search */
    scree_contact_list pairs, spare; /* spare: the previous list, or the one that is being made */
    scree_seen_bodies seen;
    scree_wraps wraps;
    scree_contact_sets contacts; /* of touching pairs */
    bool margin_is_of_rest; /* the detector's margin is that for sleeping bodies, see sleep.h */
    bool needs_search; /* bodies were added, removed or moved in memory: the list must be rebuilt */
    bool list_is_new;  /* in the current step; `spare` is the previous one */
    uint64_t next_sort; /* step of the next spatial sort */
    scree_body_order order;
    scree_wall_contacts wall_contacts;
    size_t wall_contact_count; /* of spheres, at the last evaluation */
    scree_shape_contacts shape_contacts;
    scree_shape_finder shape_finder;

    /* stages of a step */
    scree_sums sums;
    scree_force_scratch *scratch; /* by worker; allocated in: */
    void *scratch_block;
    size_t scratch_bytes;
    scree_force_fn *force;
    void *force_user;
    bool wants_stiffness; /* the current evaluation must find stiffness */
    scree_picard picard;
    double found_stable;   /* as course.stable, at that evaluation */
    uint64_t next_warning; /* no further warning about long steps before this step */

    scree_energy_balance energy_balance;
    scree_heat heat;
    scree_ambient ambient;
    scree_sleep_state sleep;

    /* what the host reads */
    scree_detection_stats detection_stats;
    scree_timings timings;
    bool is_timed;
    double lap; /* start of the current timed phase; 0: no step, or not timed */
    scree_contact *listed;
    size_t listed_capacity;
    scree_bond *bonds;
    size_t bond_capacity;
    scree_breaks breaks;
    double *listed_memory;
    size_t listed_memory_capacity;
    bool is_finished;     /* velocities are those of the end of the step */
    bool host_is_asked;   /* the host's force function is running */
    bool host_may_read;   /* the current step is the last of a call */
    bool rows_are_stale;  /* force records are not those of the last step */
    bool in_place;        /* the current step has no second copies, see in_place.h */
    bool has_told_coarse; /* warning of coarse_places.c */
    bool wants_index;     /* pairs are needed by body: false in a call that needs only forces */
    scree_way_back back;
    scree_crossings crossings;
    scree_body_id failed_body; /* see scree_world_failed_body */
    scree_event_log events;
    bool step_is_taken;        /* between accept and the end of the step */
    bool wants_wall_stiffness; /* as wants_stiffness, for walls and shapes: servos need it, too */
    /* local time stepping, see local_steps.h */
    struct scree_local_steps *local; /* during a call that takes steps */
    scree_local_step_stats local_step_stats;
    struct scree_device *device;          /* takes the steps; NULL: the host does */
    const struct scree_step_hooks *hooks; /* of ranks, see step_hooks.h; NULL: none */
    uint64_t restores;                    /* how often the state was restored from a snapshot */
    double *rates; /* if not NULL: for each slot, written by the evaluation */
};

#endif
