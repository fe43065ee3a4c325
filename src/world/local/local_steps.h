/*  Local time stepping: islands for which the world's dt is too long take steps of dt / 2^k.

    Two bodies are linked if their distance at the start of a step is at most (1 + s) times the sum of their radii and
    the interaction range, s = SCREE_LOCAL_SHARE. Two bodies of triangles are not linked if their surrogates prove that
    the surfaces are farther apart than s times that sum. Bodies that are linked, directly or through others, form an
    island (cluster). No point of a body may move farther than s times its radius in the step, otherwise the step is
    shortened. So bodies in different islands cannot touch in the step, and each island is integrated independently.

    All bodies with the same step length form a part: a world with the same materials, interactions and walls, which
    is a copy of this one without all other bodies. The same code moves it, so the result is bit-identical. Parts are
    moved to the end of the step one after the other and then merged. The distribution follows from the state at the
    start of the step, and parts exist only during a call: they are no state. */
#ifndef SCREE_WORLD_LOCAL_STEPS_H
#define SCREE_WORLD_LOCAL_STEPS_H

#include "world/step/world_data.h"

#define SCREE_LOCAL_LEVELS (SCREE_MAX_LOCAL_STEPS + 1)

typedef struct scree_local_steps
{
    /* by slot of the whole */
    uint32_t *root;       /* the representative of its island */
    uint32_t *place;      /* its slot in its part */
    double *longest;      /* its stable step; at a root, that of the island */
    uint8_t *level;       /* its steps have length dt / 2^level */
    scree_body_id *names; /* scratch */
    size_t root_capacity, place_capacity, longest_capacity, level_capacity, name_capacity;
    uint32_t count[SCREE_LOCAL_LEVELS]; /* number of bodies by level */
    struct scree_local_part
    {
        scree_world *world; /* or NULL */
        size_t rate_capacity;
    } part[SCREE_LOCAL_LEVELS];
} scree_local_steps;

/*  As scree_world_step, but events are added to the list. */
scree_status scree_world_take_more_steps(scree_world *world, uint64_t count);

/*  Takes a step of `dt` from the present state until forces are known, as an explicit step does. `is_too_long`: must
    be repeated with the new `dt`. SCREE_BAD_ARGUMENT if local time stepping does not support the world; other
    statuses as those of steps. */
scree_status scree_local_take_step(scree_world *world, double *dt, bool *is_too_long);
/*  Called before the step is accepted: the part that cannot be undone. */
void scree_local_record(scree_world *world);
/*  The state from which parts were made has changed. */
void scree_local_renew_parts(scree_world *world);
/*  End of the call. */
void scree_local_close(scree_world *world);

/* ---- local_sizes.c */
/*  Finds the islands, and the step of each. */
scree_status scree_local_choose(scree_world *world, scree_local_steps *local, double *dt,
                                bool *is_too_long);
/*  The level, out of `levels`, whose step is at most `longest`; SCREE_MAX_LOCAL_STEPS + 1: none is short enough. */
uint32_t scree_local_level(uint32_t levels, double dt, double longest);
/*  SCREE_UNSTABLE, naming a body that needs shorter steps than there are. */
scree_status scree_local_refuse(scree_world *world, uint32_t slot, double dt, double longest);

/* ---- local_clusters.c */
/*  Finds the representative of the island of each body. SCREE_OUT_OF_MEMORY. */
scree_status scree_local_find_islands(scree_world *world, uint32_t *root);
/*  Displacement of any point of a body since the start of the large step, for a body of a part. */
double scree_local_displacement(const scree_body_arrays *bodies, uint32_t slot,
                                const scree_body_arrays *part, uint32_t place,
                                const double period[3]);
/*  Periods of periodic axes; 0 for others. */
void scree_local_periods(const scree_world_def *def, const scree_domain *domain, double period[3]);
/*  Squared distance of two places, of their nearest images. */
double scree_local_distance_sq(const double a[3], const double b[3], const double period[3]);

/* ---- local_merge.c */
/*  Merges the states of the parts into that of the whole at the end of the step. SCREE_OUT_OF_MEMORY, and statuses
    of a search. */
scree_status scree_local_merge(scree_world *world, const scree_local_steps *local, double dt);

#endif
