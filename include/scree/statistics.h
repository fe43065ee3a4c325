/*  scree/statistics.h: what steps did and what they cost: neighbour lists, separated pairs, times, local time steps.

        scree_world_enable_timings(world, true);
        scree_world_step(world, 1000);
        scree_timings time = scree_world_timings(world);
        scree_detection_stats found = scree_world_detection_stats(world);
        printf("%.0f rebuilds of the neighbour list, %.3f s\n", (double)found.rebuilds, time.search);

    Statistics are not part of the state: they are in no digest, and are not saved. */
#ifndef SCREE_STATISTICS_H
#define SCREE_STATISTICS_H

#include "scree/base.h"
#include "scree/detect.h"
#include "scree/handle.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  Statistics of contact detection. late_contacts and missed_contacts are 0 unless there is an error in detection. */
typedef struct scree_detection_stats
{
    double margin_used; /* largest fraction of its margin that a body had used at the last check */
    /*  Largest displacement of a body since the neighbour list was built for it, m; computed when read. */
    double displacement;
    /*  Smallest distance that a body may still move before the neighbour list, or that of walls, is rebuilt, m;
        computed when read. Until then no contact can be missing. 0 if the next step rebuilds in any case; INFINITY
        without bodies. */
    double remaining_margin;
    uint64_t rebuilds;      /* rebuilds of the neighbour list of bodies */
    uint64_t wall_rebuilds; /* rebuilds of the neighbour list of walls */
    /*  Contacts that overlapped before they were in the neighbour list. */
    uint64_t late_contacts;
    uint64_t audits;             /* audits made */
    uint64_t missed_contacts;    /* pairs that an audit found missing */
    uint64_t potential_contacts; /* pairs in the neighbour list now: tested in each step */
    uint64_t contacts;           /* contacts that exerted forces in the last step */
    /*  Evaluations of all forces: one per step, more with implicit steps. */
    uint64_t force_evaluations;
    uint64_t triangle_tests; /* tested pairs of triangles and surrogates */
} scree_detection_stats;

/*  Returns the statistics since the world was created. Reads all bodies once. */
SCREE_API scree_detection_stats scree_world_detection_stats(const scree_world *world);

/*  The tests that separate two bodies, or a body and a wall, if one of them is a mesh, block or clump; from cheap to
    expensive. */
typedef enum scree_local_test
{
    SCREE_TEST_BALLS,  /* bounding spheres of two bodies; not at walls */
    SCREE_TEST_BOXES,  /* oriented bounding boxes of two meshes */
    SCREE_TEST_PLANE,  /* a separating plane */
    SCREE_TEST_TREES,  /* trees of boxes or surrogates: no triangles are left to compare */
    SCREE_TEST_SHAPES, /* triangles, pebbles and faces themselves */
    SCREE_LOCAL_TESTS, /* the number of tests */
} scree_local_test;

/*  How many pairs each test has separated. */
typedef struct scree_local_counts
{
    uint64_t pairs;                    /* potential contacts that were tested */
    uint64_t apart[SCREE_LOCAL_TESTS]; /* separated by each test */
    uint64_t touching;                 /* found to be in contact */
    uint64_t
        deep; /* of them those whose surfaces crossed: two meshes or blocks, or one and a wall */
} scree_local_counts;

/*  Returns the numbers for all force evaluations since the world was created. Only `touching` and `deep` are the same for all
    detection methods, as the number of pairs depends on their margins. */
SCREE_API scree_local_counts scree_world_local_counts(const scree_world *world);

/*  Returns the detector of the world, for its statistics, explanation, queries and outline (scree/detect.h). Ids are
    the rows of scree_world_bodies; volumes are enlarged by the margin, as of the last step. Valid until the method or
    margin is changed, or the world destroyed. */
SCREE_API const scree_detector *scree_world_detector(const scree_world *world);

/*  Where the time of steps goes: seconds since timing was enabled. Steps that failed count as well. */
typedef struct scree_timings
{
    double search;  /* rebuilding the neighbour lists of bodies and walls */
    double pairs;   /* forces between bodies */
    double walls;   /* forces of walls, and all forces of meshes and blocks */
    double sums;    /* summing the forces on bodies, and integrating free bodies */
    double other;   /* other motion, boundary, events, audits, sorting */
    uint64_t steps; /* number of steps */
} scree_timings;

/*  Starts timing from 0, or stops it. Default: off. The clock is read several times per step; results do not depend on
    it. */
SCREE_API void scree_world_enable_timings(scree_world *world, bool on);
/*  Returns the timings. All are 0 if `world` is NULL or timing was never enabled. They are not reproducible. */
SCREE_API scree_timings scree_world_timings(const scree_world *world);

/*  Largest scree_step_def.local_steps. */
#define SCREE_MAX_LOCAL_STEPS 20

/*  Statistics of local time steps. Not part of the state. All are 0 without local time steps. */
typedef struct scree_local_step_stats
{
    /*  [k]: bodies with steps of dt / 2^k in the last step. */
    uint64_t bodies[SCREE_MAX_LOCAL_STEPS + 1];
    uint64_t islands;    /* number of islands in the last step */
    uint64_t body_steps; /* sum over all bodies of their own steps, so far */
    /*  Islands that turned out to need shorter steps and were restarted, so far. */
    uint64_t restarts;
    /*  Changes of the step length of a body from one step to the next, so far. */
    uint64_t level_changes;
} scree_local_step_stats;

/*  Returns the statistics of local time steps. All are 0 if `world` is NULL. */
SCREE_API scree_local_step_stats scree_world_local_step_stats(const scree_world *world);

#ifdef __cplusplus
}
#endif

#endif
