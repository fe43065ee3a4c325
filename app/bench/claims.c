/*  scree-bench pfc, yade and hash-grids: what the makers of three production systems say about their
    collision detection, measured again. */
#include "app/bench/published.h"
#include "app/bench/verbs.h"
#include "claims/hash_grids.h"
#include "claims/pfc.h"
#include "claims/yade.h"

typedef scree_status study_fn(scree_study *study, scree_error *error);

static int measure(const scree_verb *verb, const scree_arguments *arguments, const char *name,
                   study_fn *run)
{
    static scree_study study;
    scree_error error = {SCREE_OK, ""};
    study = scree_published_begin(verb, arguments);
    scree_status status = run(&study, &error);
    return scree_published_end(verb, arguments, &study, name, status, &error);
}

static int run_bench_pfc(const scree_arguments *arguments)
{
    return measure(&scree_verb_bench_pfc, arguments, "cell-space", scree_bench_pfc);
}

static int run_bench_yade(const scree_arguments *arguments)
{
    return measure(&scree_verb_bench_yade, arguments, "insertion-sort", scree_bench_yade);
}

static int run_bench_hash_grids(const scree_arguments *arguments)
{
    return measure(&scree_verb_bench_hash_grids, arguments, "hash-grids", scree_bench_hash_grids);
}

const scree_verb scree_verb_bench_pfc = {
    .name = "pfc",
    .summary = "Measures the claims of PFC's manual about its cell space, CS-H1 to CS-H6.",
    .text =
        "Prints each claim, the measured figure, and pass or miss. A miss is no error;\n"
        "docs/results/cell-space.md explains. Exit code 1 only if methods find different pairs.",
    .example = "scree-bench pfc --quick",
    .options = scree_published_options,
    .run = run_bench_pfc,
};

const scree_verb scree_verb_bench_yade = {
    .name = "yade",
    .summary = "Measures the claims of Yade's authors about their collider, IS-H1 to IS-H8.",
    .text = "Bodies move in a small simulation that stands in for Yade's: spheres with springs and "
            "damping\n"
            "in a box whose walls close. Prints each claim, the measured figure, and pass or miss. "
            "A miss is\n"
            "no error; docs/results/insertion-sort.md explains. Exit code 1 only if methods find "
            "different\n"
            "pairs.",
    .example = "scree-bench yade --quick",
    .options = scree_published_options,
    .run = run_bench_yade,
};

const scree_verb scree_verb_bench_hash_grids = {
    .name = "hash-grids",
    .summary = "Measures published claims about hierarchical hash grids, HG-H1 to HG-H7.",
    .text =
        "Prints each claim, the measured figure, and pass or miss. A miss is no error;\n"
        "docs/results/hash-grids.md explains. Exit code 1 only if methods find different pairs.",
    .example = "scree-bench hash-grids --quick",
    .options = scree_published_options,
    .run = run_bench_hash_grids,
};
