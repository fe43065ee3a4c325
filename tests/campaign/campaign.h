/*  As much of something random as one likes, on several processes, until something is wrong. */
#ifndef SCREE_TESTS_CAMPAIGN_H
#define SCREE_TESTS_CAMPAIGN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct campaign
{
    uint64_t seed, count; /* count: of scenes, pairs or poses */
    double seconds;       /* 0: no limit */
    uint32_t threads, jobs;
    const char *method;
    bool is_quiet; /* differences are not made small */
} campaign;

/*  Each does every jobs-th part of the work, from part `job` on, and returns the exit code: 0, 1 something is wrong and
    has been printed, 2 it could not be done. */
int campaign_periodic(const campaign *c, uint32_t job);
int campaign_triangles(const campaign *c, uint32_t job);
int campaign_meshes(const campaign *c, uint32_t job);
int campaign_blocks(const campaign *c, uint32_t job);
int campaign_grazing(const campaign *c, uint32_t job);
int campaign_polygons(const campaign *c, uint32_t job);
int campaign_adversary(const campaign *c, uint32_t job);
int campaign_worlds(const campaign *c, uint32_t job);

/*  Seconds of the clock. */
double campaign_now(void);

/*  Whether to stop, because time is up; now and then says how far it is. */
typedef struct campaign_watch
{
    double start, shown;
} campaign_watch;

campaign_watch campaign_begin(void);
bool campaign_is_over(const campaign *c, campaign_watch *watch, uint64_t done, const char *what);

#endif
