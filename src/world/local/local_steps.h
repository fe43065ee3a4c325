/*  Steps of their own: clusters of bodies for which the world's dt is too long go in steps of dt / 2^k.

    Two bodies are linked where they are as near at the start of a step as (1 + s) times the sum of their radii and what laws
    reach, s = SCREE_LOCAL_SHARE; of two bodies of triangles, unless their surrogates prove that their surfaces are farther apart than s times
    that sum. What is linked by way of others is a cluster. None may go farther than s times its
    radius in the step, with all its surface, else the step is shorter: so two that are not linked cannot touch in it, and each cluster
    goes as if it were alone.

    The bodies that go in steps of one length are a part: a world of its own, with the same materials, rules and walls,
    that is made of this one by taking out all others. It is the same code that moves it, so the same bits come out.
    Parts are led to the end of the step one after the other, then put together again. Which body is in which part follows
    from the state at the start of the step, and parts last no longer than a call: nothing of them is state. */
#ifndef SCREE_WORLD_LOCAL_STEPS_H
#define SCREE_WORLD_LOCAL_STEPS_H

#include "world/step/world_data.h"

#define SCREE_PACES (SCREE_MAX_LOCAL_STEPS + 1)

typedef struct scree_pacing
{
    /* by slot of the whole */
    uint32_t *root;       /* the one of its cluster that stands for it */
    uint32_t *place;      /* its slot in its part */
    double *longest;      /* step that it may take; of a root, its cluster */
    uint8_t *level;       /* it goes in steps of dt / 2^level */
    scree_body_id *names; /* scratch */
    size_t root_capacity, place_capacity, longest_capacity, level_capacity, name_capacity;
    uint32_t count[SCREE_PACES]; /* of bodies, by level */
    struct scree_pace_part
    {
        scree_world *world; /* or NULL */
        size_t rate_capacity;
    } part[SCREE_PACES];
} scree_pacing;

/*  As scree_world_step, but events are added to those that are listed. */
scree_status scree_world_take_more_steps(scree_world *world, uint64_t count);

/*  A step of `dt` from the state of now, to where forces are known, as an explicit step; `is_too_long`: it is to be tried with
    the `dt` that is there then. SCREE_BAD_ARGUMENT: the world has what cannot go so; and as steps. */
scree_status scree_pace_go(scree_world *world, double *dt, bool *is_too_long);
/*  The step is about to be taken: what cannot be undone. */
void scree_pace_book(scree_world *world);
/*  What parts were made from has changed. */
void scree_pace_part_all(scree_world *world);
/*  The call ends. */
void scree_pace_close(scree_world *world);

/* ---- local_sizes.c */
/*  Clusters, and how each goes. */
scree_status scree_pace_choose(scree_world *world, scree_pacing *pace, double *dt,
                               bool *is_too_long);
/*  The level, of `levels`, for a step that may be so long; SCREE_MAX_LOCAL_STEPS + 1: none is short enough. */
uint32_t scree_pace_level(uint32_t levels, double dt, double longest);
/*  SCREE_UNSTABLE, with a body that needs shorter steps than there are. */
scree_status scree_pace_refuse(scree_world *world, uint32_t slot, double dt, double longest);

/* ---- local_clusters.c */
/*  The one that stands for its cluster, for each body. SCREE_OUT_OF_MEMORY. */
scree_status scree_pace_link(scree_world *world, uint32_t *root);
/*  How far any point of a body has gone since the start of the step of all, as it is in its part. */
double scree_pace_way(const scree_crowd *bodies, uint32_t slot, const scree_crowd *part,
                      uint32_t place, const double period[3]);
/*  Of axes that are periodic; 0 of others. */
void scree_pace_periods(const scree_world_def *def, const scree_domain *domain, double period[3]);
/*  Square of how far two places are apart, of their nearest images. */
double scree_pace_distance_sq(const double a[3], const double b[3], const double period[3]);

/* ---- local_merge.c */
/*  From the states of parts to that of the whole at the end of the step. SCREE_OUT_OF_MEMORY, and as a search. */
scree_status scree_pace_join(scree_world *world, const scree_pacing *pace, double dt);

#endif
