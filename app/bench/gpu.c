/*  scree-bench gpu: what steps on a device cost, kernel by kernel. */
#include "app/bench/verbs.h"
#include "cases/gpu_steps.h"

#include "gpu/bandwidth.h"
#include "gpu/opencl.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIZES 8

typedef struct request
{
    const char *device, *state, *file, *save;
    uint64_t sizes[MAX_SIZES];
    size_t size_count;
    uint64_t tile, warm, steps, threads;
    double bandwidth; /* bytes a second; 0: not known */
} request;

static bool parse(const scree_arguments *arguments, request *r)
{
    const scree_verb *verb = &scree_verb_bench_gpu;

    memset(r, 0, sizeof *r);
    r->device = scree_argument(verb, arguments, "device");
    r->device = r->device ? r->device : "gpu";
    r->state = scree_argument(verb, arguments, "state");
    r->state = r->state ? r->state : "settled";
    r->file = scree_argument(verb, arguments, "bed");
    r->save = scree_argument(verb, arguments, "save");
    r->tile = 20000;
    r->warm = 200;
    r->steps = 200;
    r->threads = 1;
    return scree_parse_counts(verb, arguments, "n", "1e5,1e6", 500000000, MAX_SIZES, r->sizes,
                              &r->size_count) &&
           scree_parse_count(verb, arguments, "tile", 1, 10000000, &r->tile) &&
           scree_parse_count(verb, arguments, "warm", 0, 1000000, &r->warm) &&
           scree_parse_count(verb, arguments, "steps", 1, 1000000, &r->steps) &&
           scree_parse_count(verb, arguments, "threads", 1, 256, &r->threads);
}

static scree_status find_bandwidth(request *r, scree_error *error)
{
    const scree_gpu_def def = {.device = r->device, .has_profile = true, .error = error};
    scree_gpu *gpu = NULL;
    scree_status status = scree_gpu_open(&def, &gpu);

    if (status)
        return status;
    printf("%s (%s, driver %s)\n", scree_gpu_describe(gpu)->name, scree_gpu_describe(gpu)->platform,
           scree_gpu_describe(gpu)->driver);
    (void)scree_gpu_bandwidth(gpu, &r->bandwidth);
    scree_gpu_close(gpu);
    return SCREE_OK;
}

static int kind_of(const char *state)
{
    for (int k = 0; k < SCREE_BED_KINDS; k++)
        if (strcmp(scree_bed_name((scree_bed_kind)k), state) == 0)
            return k;
    return -1;
}

static scree_status save_tile(const char *file, const scree_bed *bed, scree_error *error)
{
    FILE *out = fopen(file, "w");
    bool is_written = out != NULL;

    if (out) {
        scree_bed_write(bed, out);
        is_written = ferror(out) == 0;
        is_written &= fclose(out) == 0;
    }
    if (is_written)
        return SCREE_OK;
    snprintf(error->text, sizeof error->text, "%s cannot be written", file);
    return SCREE_IO_ERROR;
}

static scree_status make_tile(const request *r, scree_bed *bed, scree_error *error)
{
    FILE *in = r->file ? fopen(r->file, "r") : NULL;
    scree_status status;

    if (!r->file) {
        status = scree_bed_make((scree_bed_kind)kind_of(r->state), (uint32_t)r->tile, bed, error);
        return status || !r->save ? status : save_tile(r->save, bed, error);
    }
    if (!in) {
        snprintf(error->text, sizeof error->text, "%s cannot be opened", r->file);
        return SCREE_IO_ERROR;
    }
    status = scree_bed_read(in, bed, error);
    fclose(in);
    return status;
}

static void print_figures(const request *r, const scree_gpu_steps *f)
{
    const double each = 1e9 / f->bodies;

    printf("%" PRIu32 " bodies, %s: %.3f ns a body-step, %.0f B a body on the device (%.0f in a "
           "search), %.2f contacts and %.1f "
           "entries a body, a search each %.0f steps, %.2f s once a call\n",
           f->bodies, r->state, f->step * each, f->bytes, f->max_bytes, f->contacts, f->entries,
           f->searches > 0 ? 1 / f->searches : 0, f->transfer);
    if (f->host_steps)
        printf("  %" PRIu64 " steps were left to the host\n", f->host_steps);
    printf("  at least %.0f B a body-step: %.1f GB/s", f->traffic,
           1e-9 * f->traffic * f->bodies / f->step);
    if (r->bandwidth > 0)
        printf(", %.0f %% of the %.0f measured",
               100 * f->traffic * f->bodies / f->step / r->bandwidth, 1e-9 * r->bandwidth);
    printf("\n");
    for (size_t k = 0; k < f->row_count; k++)
        if (f->rows[k].share > 0)
            printf("  %-12s %8.3f ns a body-step, %7.3f a step\n", f->rows[k].name,
                   f->rows[k].seconds * each, f->rows[k].share);
    fflush(stdout);
}

static scree_status measure(const request *r, const scree_bed *tile, uint64_t bodies,
                            scree_error *error)
{
    scree_gpu_steps figures;
    scree_bed bed;
    scree_status status = scree_bed_repeat(tile, (uint32_t)bodies, &bed, error);

    if (!status) {
        status = scree_gpu_steps_measure(&bed, r->device, (uint32_t)r->threads, r->warm, r->steps,
                                         &figures, error);
        bed.drum = NULL; /* the tile's */
        scree_bed_free(&bed);
    }
    if (!status)
        print_figures(r, &figures);
    return status;
}

static int run_bench_gpu(const scree_arguments *arguments)
{
    scree_error error = {0};
    scree_bed tile;
    request r;

    if (!parse(arguments, &r))
        return SCREE_EXIT_USAGE;
    if (kind_of(r.state) < 0 || kind_of(r.state) == SCREE_BED_DRUM) {
        scree_usage_error("gpu: --state %s: settled, falling, sizes or sizes-moving", r.state);
        return SCREE_EXIT_USAGE;
    }
    scree_status status = find_bandwidth(&r, &error);
    if (!status)
        status = make_tile(&r, &tile, &error);
    for (size_t k = 0; k < r.size_count && !status; k++)
        status = measure(&r, &tile, r.sizes[k], &error);
    if (status) {
        fprintf(stderr, "scree-bench: gpu: %s\n", error.text);
        return scree_exit_of(status);
    }
    scree_bed_free(&tile);
    return SCREE_EXIT_OK;
}

static const scree_option bench_gpu_options[] = {
    {"n", "NUMBERS", "bodies, with commas; 1e5,1e6"},
    {"state", "NAME", "settled, falling, sizes or sizes-moving; settled"},
    {"device", "DEVICE", "gpu, gpu:N or part of a name, see scree info --devices; gpu"},
    {"tile", "N", "bodies of the bed that is made and laid side by side; 20000"},
    {"bed", "FILE", "that bed from a file that --save or scree-bench engines has written"},
    {"save", "FILE", "write that bed to a file, for other machines"},
    {"warm", "N", "steps before those that are timed; 200"},
    {"steps", "N", "steps that are timed; 200"},
    {"threads", "N", "of the host, for what it does at the beginning; 1"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_bench_gpu = {
    .name = "gpu",
    .summary = "Measures steps on a device: time, memory and bandwidth a body, kernel by kernel.",
    .text = "Time a body-step is that of a long call less that of a short one, so without what "
            "goes to the device and\n"
            "comes back. Bytes a body-step are those that no step can do without: each body once, "
            "its contacts on both\n"
            "sides. Kernels are timed by the driver, in a call of its own.",
    .example = "scree-bench gpu --n 1e5,1e6",
    .options = bench_gpu_options,
    .run = run_bench_gpu,
};
