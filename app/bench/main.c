/*  The program scree-bench: measurements, in the groups that `scree-bench --help` shows. */
#include "app/bench/verbs.h"
#include "common/program.h"

static const scree_verb *const detection_verbs[] = {
    &scree_verb_bench_detect,  &scree_verb_bench_auto, &scree_verb_bench_columns,
    &scree_verb_bench_scaling, &scree_verb_bench_demo, NULL,
};
static const scree_verb *const step_verbs[] = {
    &scree_verb_bench_worlds,
    &scree_verb_bench_local,
    &scree_verb_bench_gpu,
    &scree_verb_bench_ranks,
    NULL,
};
static const scree_verb *const triangle_verbs[] = {
    &scree_verb_bench_triangles,
    &scree_verb_bench_meshes,
    &scree_verb_bench_surrogate,
    NULL,
};
static const scree_verb *const claim_verbs[] = {
    &scree_verb_bench_thesis,
    &scree_verb_bench_pfc,
    &scree_verb_bench_yade,
    &scree_verb_bench_hash_grids,
    NULL,
};
static const scree_verb *const other_verbs[] = {
    &scree_verb_bench_peers,
    &scree_verb_bench_engines,
    NULL,
};
static const scree_verb_group groups[] = {
    {"detection", detection_verbs},  {"steps", step_verbs},
    {"triangles", triangle_verbs},   {"published claims", claim_verbs},
    {"other programs", other_verbs}, {NULL, NULL},
};

int main(int argc, char **argv)
{
    static const scree_program program = {
        .name = "scree-bench",
        .summary =
            "scree-bench measures scree: detection, steps, published claims, other programs.",
        .groups = groups,
    };
    return scree_program_main(&program, argc, argv);
}
