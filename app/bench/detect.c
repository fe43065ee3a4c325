/*  scree-bench detect: methods against each other on one scene. */
#include "app/bench/detect.h"
#include "common/report.h"

static int run_bench_detect(const scree_arguments *arguments)
{
    static scree_job_row rows[SCREE_JOB_SIZES];
    static scree_job job;
    int code = SCREE_EXIT_OK;
    if (!scree_job_parse(&scree_verb_bench_detect, arguments, &job))
        return SCREE_EXIT_USAGE;
    for (size_t s = 0; s < job.size_count && code == SCREE_EXIT_OK; s++)
        code = scree_job_measure(&job, s, rows[s]);
    if (code != SCREE_EXIT_OK && code != SCREE_EXIT_CHECK)
        return code;
    int printed = scree_job_print(&job, (const scree_job_row *)rows);
    if (code == SCREE_EXIT_OK && job.format == SCREE_REPORT_TABLE && job.method_count > 1)
        printf("\nall checksums are equal\n");
    return code != SCREE_EXIT_OK ? code : printed;
}

static const scree_option bench_detect_options[] = {
    {"scene", "NAME",
     "uniform ratio10 ratio100 fines10 fines100 giant clusters discs discs32\n"
     "even2[:RATIO] needles identical thesis1 thesis2[:RATIO] wide[:WIDTH] burst layer coil, and "
     "with a size\n"
     "ratio and a volume fraction mixture[:4:0.3] bimodal[:4:0.3] power[:4:0.3]; uniform"},
    {"n", "N", "bodies, also 1e5; a list 1e3,1e4 or a range 1e3..1e5 fits exponents; 10000"},
    {"scaling", NULL, "fit exponents over --n, by default 1e3..1e5, and compare with the claims"},
    {"method", "NAMES", "one or several with commas, or all; all"},
    {"steps", "S", "updates and searches in a run; 1"},
    {"repeat", "R", "runs; the median counts; 3"},
    {"motion", "MOTION",
     "none, all:RADII (a step), few:PERCENT[:RADII] (of the bodies, as dirty\n"
     "rows; 0.01), springs (thesis scenes); none, or springs in thesis scenes"},
    {"margin", "KIND[:FIELD=VALUE,...]",
     "skip detection where a margin allows it: none, skin, tolerance, stride,\n"
     "distance, bins or per-body, with fields of scree_margin_def; no margin"},
    {"periodic", NULL, "the scene's box is a periodic cell, for scenes that fill theirs"},
    {"threads", "T", "1 to 256; 1"},
    {"simd", "LEVEL", "auto, scalar, simd128, avx2 or avx512; auto"},
    {"seed", "Q", "another scene of the same kind; 1"},
    {"format", "FORMAT", "table, csv or json; table"},
    {"lie", "METHOD", "hide one pair of this method, to see that the comparison notices"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_bench_detect = {
    .name = "detect",
    .summary = "Measures methods on a scene, and checks that all find the same pairs.",
    .text =
        "ms is the time of one update and search, the median over the runs; tested and pairs are\n"
        "means over the steps. The detector of a method keeps its memory from run to run, so all "
        "but\n"
        "the first run find it warm. With all, methods of quadratic cost are left out above 20000\n"
        "bodies, and so are those that would take more than 1 GB; that is said on stderr.\n"
        "With --margin each step is one advance, and a search if that mapped bodies: runs is the\n"
        "number of such steps, mapped that of the bodies, late that of bodies that moved farther "
        "in a\n"
        "step than tolerance allows; the pairs are those of the enlarged volumes. Fields: length,\n"
        "speed_factor, velocity, extent, constant, interaction, reach, bin_count, bin_ratio,\n"
        "bin_overlap, bin_max_change, target_steps, min_fraction, trust_velocities; as in\n"
        "tolerance:extent=0.05,reach=1 or stride:length=-0.1.\n"
        "Exit code 1 if checksums differ.",
    .example = "scree-bench detect --scene ratio10 --n 1e5 --method all --repeat 3",
    .options = bench_detect_options,
    .run = run_bench_detect,
};
