/*  scree-bench engines in three parts: what is asked for and the beds for it, running one engine on one bed,
    and what is printed and written. */
#ifndef SCREE_BENCH_ENGINES_H
#define SCREE_BENCH_ENGINES_H

#include "app/bench/peers.h"
#include "scenes/bed.h"

#define SCREE_ENGINE_CASES 16

enum
{
    SCREE_ENGINE_SCREE,
    SCREE_ENGINE_LAMMPS,      /* the same law */
    SCREE_ENGINE_LAMMPS_GRAN, /* its cheaper law */
    SCREE_ENGINE_LIGGGHTS,
    SCREE_ENGINE_YADE,
    SCREE_ENGINES,
};

typedef struct scree_engine
{
    const char *name, *program, *package, *law;
} scree_engine;

extern const scree_engine scree_engines[SCREE_ENGINES];

typedef struct scree_engine_figures
{
    bool measured;
    double ns;         /* of processor time a body and step, with the best settings */
    double worst;      /* with the worst */
    double kinetic;    /* energy at the end, J */
    char settings[80]; /* the best */
    uint32_t tries;
    char note[SCREE_PEER_NOTE]; /* why it was not measured */
} scree_engine_figures;

typedef struct scree_engine_case
{
    scree_bed_kind kind;
    uint32_t count;
    uint64_t warm, steps;
    double aim; /* ns a body and step; 0: none */
    char data[512], mesh[512];
    scree_engine_figures figures[SCREE_ENGINES];
} scree_engine_case;

typedef struct scree_engine_job
{
    const char *scripts, *cache, *out;
    const char *states; /* NULL: all */
    bool quick;
    uint64_t body_steps; /* bodies times steps that a run takes */
    scree_peer_limits limits;
    int format;
    char path[SCREE_ENGINES][512]; /* of the programs; "": not there */
    char versions[512], load[64], load_after[64];
    scree_engine_case cases[SCREE_ENGINE_CASES];
    size_t case_count;
} scree_engine_job;

/*  Which engines there are. */
void scree_engines_find(scree_engine_job *job);

/*  All engines on one bed, scree first. An exit code. */
int scree_engines_measure(scree_engine_job *job, scree_engine_case *c);

/*  How scree steps a bed. */
typedef struct scree_engine_run
{
    uint32_t threads;
    int law; /* 0: "hertz"; 1: that of own_hertz.h in its place; 2: the same written as formulas */
    uint64_t warm, steps; /* before those that count, and those */
} scree_engine_run;

/*  Steps one bed with scree and prints what that took, as a process of its own. An exit code. */
int scree_engines_run_scree(const char *path, const scree_engine_run *run);

void scree_engines_print_case(const scree_engine_job *job, const scree_engine_case *c);
int scree_engines_print_all(const scree_engine_job *job, int format, FILE *out);

/*  engines.md and engines.csv. What a person has written in the page below its mark stays. */
int scree_engines_write(const scree_engine_job *job, const char *folder);

#endif
