/*  The program scree: its verbs, in the groups that `scree --help` shows. */
#include "app/begin/verbs.h"
#include "app/calibrate/verbs.h"
#include "app/convert/verbs.h"
#include "app/detect/verbs.h"
#include "app/look/verbs.h"
#include "app/run/verbs.h"
#include "common/program.h"

static const scree_verb *const begin_verbs[] = {
    &scree_verb_new, &scree_verb_scene, &scree_verb_check, &scree_verb_demo, NULL,
};
static const scree_verb *const run_verbs[] = {
    &scree_verb_run,
    &scree_verb_calibrate,
    &scree_verb_lab,
    NULL,
};
static const scree_verb *const look_verbs[] = {
    &scree_verb_render, &scree_verb_plot, &scree_verb_info,
    &scree_verb_fields, &scree_verb_diff, NULL,
};
static const scree_verb *const convert_verbs[] = {
    &scree_verb_convert,
    &scree_verb_mesh_info,
    &scree_verb_mesh_tree,
    NULL,
};
static const scree_verb *const detect_verbs[] = {
    &scree_verb_methods,
    &scree_verb_detect,
    NULL,
};
static const scree_verb_group groups[] = {
    {"begin", begin_verbs},     {"run", run_verbs},       {"look", look_verbs},
    {"convert", convert_verbs}, {"detect", detect_verbs}, {NULL, NULL},
};

int main(int argc, char **argv)
{
    static const scree_program program = {
        .name = "scree",
        .summary = "scree finds which bodies touch, and simulates how they move.",
        .groups = groups,
        .parts = SCREE_PARTS,
        .left_out = SCREE_LEFT_OUT,
        .moved_word = "bench",
        .moved_to = "bench: measurements are a program of their own now: scree-bench detect, "
                    "scree-bench --help",
    };
    return scree_program_main(&program, argc, argv);
}
