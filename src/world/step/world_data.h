/*  A world: what it holds, and the stages of a step. The rooms beside this one hold what each stage works on, and
    docs/architecture.md says which room may use which; step.c has the order of a step. */
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
#include "world/state/bodies.h"
#include "world/state/body_heat.h"
#include "world/state/body_order.h"
#include "world/state/body_sleep.h"
#include "world/state/cell_box.h"
#include "world/state/course.h"
#include "world/state/settings.h"
#include "world/state/sums.h"
#include "world/state/walls.h"
#include "world/state/wraps.h"
#include "world/step/bond_failures.h"
#include "world/step/crossings.h"
#include "world/step/events.h"
#include "world/step/implicit.h"
#include "world/step/way_back.h"

/*  What the energy balance keeps between the stages of a step, see energy_balance.h. */
typedef struct scree_ledger
{
    double (*host)[6]; /* force and torque of the host's function, by slot */
    size_t host_capacity;
    double brought, taken; /* by bodies that came, went or were changed since the last step */
} scree_ledger;

struct scree_world
{
    scree_memory memory;
    scree_world_def def; /* its pointers to names are to storage of the world, or NULL */
    char method[32];
    scree_error error;
    scree_workers workers;
    scree_simd simd;
    scree_crowd bodies;
    scree_walls walls;
    scree_rules rules;
    scree_course clock;
    scree_strain cell;

    /* who may touch whom */
    scree_detector *detector;
    double reach; /* that bodies act beyond touching, at most; as of the last search */
    scree_contact_list pairs, spare; /* spare: the list before, or the one being made */
    scree_seen_bodies seen;
    scree_wraps wraps;
    scree_contact_sets contacts; /* of those candidates that touch */
    bool margin_is_of_rest;      /* the detector's, see sleep.h */
    bool search_anew;   /* bodies came, went or changed slots: the list must be made anew */
    bool list_is_new;   /* made in the step under way; `spare` is the one before */
    uint64_t next_sort; /* step in which bodies are next laid by place */
    scree_body_order order;
    scree_surfaces surfaces;
    size_t wall_contacts; /* of spheres, at the last evaluation */
    scree_solid_contacts solid_contacts;
    scree_solids solids;

    /* stages of a step */
    scree_sums sums;
    scree_force_scratch *scratch; /* by worker; lies in: */
    void *scratch_block;
    size_t scratch_bytes;
    scree_force_fn *force;
    void *force_user;
    bool wants_stiffness; /* in the evaluation under way: rows of stiffness.c */
    scree_picard picard;
    double found_stable; /* as course.stable, at that evaluation */
    uint64_t
        next_warning; /* step before which nothing more is said about steps that are too long */

    scree_ledger energy_balance;
    scree_heat heat;
    scree_rest rest;

    /* what the host reads */
    scree_detection_stats detection_stats;
    scree_timings timings;
    bool is_timed;
    double lap; /* when the phase under way began; 0: no step is under way, or it is not timed */
    scree_contact *listed;
    size_t listed_capacity;
    scree_bond *bonds;
    size_t bond_capacity;
    scree_breaks breaks;
    double *listed_memory;
    size_t listed_memory_capacity;
    bool is_finished;     /* velocities are those of the end of the step */
    bool host_is_asked;   /* its force function is at work */
    bool host_may_read;   /* after the step under way: it is the last one of a call */
    bool rows_are_stale;  /* rows of contacts are not those of the last step */
    bool in_place;        /* the step under way has no twins, see in_place.h */
    bool has_told_coarse; /* of places far from the origin, see coarse_places.c */
    bool wants_index; /* of candidates by body: false within a call, where only forces are found */
    scree_way_back back;
    scree_crossings crossings;
    scree_body_id failed_body; /* see scree_world_failed_body */
    scree_event_log events;
    bool step_is_taken; /* between accept and the end of the step */
    bool
        wants_wall_stiffness; /* as wants_stiffness, those of walls and solids: a servo asks for them, too */
    /* steps of their own, see local_steps.h */
    struct scree_pacing *pace; /* during a call that takes steps */
    scree_local_step_stats local_step_stats;
    struct scree_device *device;          /* that takes its steps; NULL: the host does */
    const struct scree_step_hooks *hooks; /* of ranks, see step_hooks.h; NULL: none */
    uint64_t restores;                    /* how often a snapshot took the place of its state */
    double *rates; /* where there is a place for them: of each slot, as the evaluation finds them */
};

#endif
