/*  What ranks would send in a step, counted on real partitions of a scene without any ranks: the partition and the rule
    for ghosts are those of src/dist. And what a step would take on a cluster, by a model whose numbers are given. */
#ifndef SCREE_BENCH_RANK_TRAFFIC_H
#define SCREE_BENCH_RANK_TRAFFIC_H

#include "scenes/scenes.h"

/*  Counts of one partition. A copy is a ghost: a body on a rank that does not own it. */
typedef struct scree_rank_traffic
{
    uint32_t ranks;
    double bodies;     /* owned by a rank, mean */
    double imbalance;  /* most bodies of a rank over the mean */
    double copies;     /* received by a rank, mean */
    double max_copies; /* received or sent by a rank */
    double
        offered; /* bodies that owners offer when bodies are distributed, over copies: ranks drop those in no pair */
    double messages; /* sent by a rank in a step, mean: one to each rank that needs copies */
    double max_messages;
    double pairs;     /* of the scene, over ranks */
    double max_pairs; /* on a rank: pairs of bodies of two ranks count on both */
} scree_rank_traffic;

/*  `margin` is added to each radius. Spheres only. SCREE_OUT_OF_MEMORY, and what a detector refuses. */
scree_status scree_bench_rank_traffic(const scree_scene *scene, double margin, uint32_t ranks,
                                      scree_rank_traffic *traffic, scree_error *error);

typedef struct scree_cluster
{
    double bodies;  /* in all */
    double body_ns; /* a body and step on one core, its contacts included */
    double latency_us;
    double bandwidth; /* of a rank, GB/s */
} scree_cluster;

typedef struct scree_rank_forecast
{
    double bodies, copies; /* of a rank */
    double kilobytes;      /* sent in a step by the rank that sends most */
    double work_ms, messages_ms, bytes_ms, reductions_ms, distribution_ms; /* a step */
    double efficiency; /* time of one core over ranks, over that of the slowest rank */
} scree_rank_forecast;

/*  The counts at another number of bodies on each rank: copies and pairs across a boundary grow as its area. */
scree_rank_forecast scree_bench_rank_forecast(const scree_rank_traffic *traffic,
                                              const scree_cluster *cluster);

#endif
