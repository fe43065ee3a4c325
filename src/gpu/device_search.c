/*  The host's part of a search: computes the grids and launches the kernels. */
#include "gpu/device_search.h"

#include "gpu/search_layout.h"

#include "base/error.h"
#include "base/memory.h"
#include "gpu/opencl_internal.h"

#include <string.h>

#define GROUP 128u
/*  Number of work-items that together process all bodies. */
#define SWEEPERS 8192u

typedef enum search_kernel
{
    EXTENT,
    KEYS,
    TABLE,
    LEVELS,
    GATHER,
    COUNT,
    FILL,
    LENGTHS,
    SORT_ROWS,
    TAKE_LONG,
    PUT_LONG,
    KERNELS
} search_kernel;

/*  Memory per body during a search, in addition to the result: about 76 bytes. */
struct scree_device_search
{
    scree_gpu *gpu;
    scree_device_sorter sorter;
    /*  Kernels by variant: 0 or 1 for periodic, and for full rows. Compiled when first needed. */
    struct
    {
        scree_gpu_program program;
        scree_gpu_kernel kernel[KERNELS];
    } made[2][2];
    scree_gpu_kernel *kernel;                                         /* those of this search */
    scree_gpu_buffer extents, totals, frame, long_total, level_begin; /* small ones */
    scree_gpu_buffer keys, ids; /* of bodies, sorted by cell */
    scree_gpu_buffer table;
    scree_gpu_buffer sorted;       /* spheres in that order */
    scree_gpu_buffer own, counted; /* in each row, by number of the body */
    scree_gpu_buffer long_keys, long_rows;
    double *host_extents; /* SWEEPERS rows */
    uint64_t *host_totals;
    search_frame layout;
};

/* ---- creation ---- */

scree_status scree_device_search_make(scree_gpu *gpu, scree_device_search **result)
{
    scree_device_search *search = NULL;
    scree_status status = SCREE_OK;

    *result = NULL;
    if (scree_memory_take(&gpu->memory, 1, sizeof *search, &search))
        return scree_fail(gpu->error, SCREE_OUT_OF_MEMORY, "no memory for a search on the device");
    memset(search, 0, sizeof *search);
    search->gpu = gpu;
    if (scree_memory_take(&gpu->memory, SWEEPERS, SEARCH_EXTENTS * sizeof(double),
                          &search->host_extents) ||
        scree_memory_take(&gpu->memory, SWEEPERS, sizeof(uint64_t), &search->host_totals))
        status =
            scree_fail(gpu->error, SCREE_OUT_OF_MEMORY, "no memory for a search on the device");
    if (!status)
        status = scree_device_sorter_make(gpu, &search->sorter);
    if (status)
        scree_device_search_free(search);
    else
        *result = search;
    return status;
}

void scree_device_search_free(scree_device_search *search)
{
    scree_gpu *gpu;

    if (!search)
        return;
    gpu = search->gpu;
    scree_gpu_buffer *const buffers[] = {
        &search->extents,     &search->totals, &search->frame,   &search->long_total,
        &search->level_begin, &search->keys,   &search->ids,     &search->table,
        &search->sorted,      &search->own,    &search->counted, &search->long_keys,
        &search->long_rows};
    for (size_t k = 0; k < SCREE_COUNT_OF(buffers); k++)
        scree_gpu_free(gpu, buffers[k]);
    for (int k = 0; k < 4; k++) {
        for (int which = 0; which < KERNELS; which++)
            scree_gpu_kernel_free(gpu, &search->made[k / 2][k % 2].kernel[which]);
        scree_gpu_program_free(gpu, &search->made[k / 2][k % 2].program);
    }
    scree_device_sorter_free(gpu, &search->sorter);
    scree_memory_give(&gpu->memory, &search->host_extents, SWEEPERS,
                      SEARCH_EXTENTS * sizeof(double));
    scree_memory_give(&gpu->memory, &search->host_totals, SWEEPERS, sizeof(uint64_t));
    scree_memory_give(&gpu->memory, &search, 1, sizeof *search);
}

void scree_candidate_rows_free(scree_gpu *gpu, scree_candidate_rows *found)
{
    scree_gpu_free(gpu, &found->start);
    scree_gpu_free(gpu, &found->partner);
    found->rows = found->count = 0;
}

const scree_gpu_buffer *scree_device_search_order(const scree_device_search *search)
{
    return &search->ids;
}

static scree_status make_kernels(scree_device_search *search, bool is_periodic, bool is_full)
{
    static const char *const names[KERNELS] = {
        "search_extent",    "search_keys",      "search_table",   "search_levels",
        "search_gather",    "search_count",     "search_fill",    "search_lengths",
        "search_sort_rows", "search_take_long", "search_put_long"};
    static const char *const options[2][2] = {{"-DPERIODIC=0 -DFULL=0", "-DPERIODIC=0 -DFULL=1"},
                                              {"-DPERIODIC=1 -DFULL=0", "-DPERIODIC=1 -DFULL=1"}};
    scree_gpu_program *program = &search->made[is_periodic][is_full].program;
    scree_gpu_kernel *kernel = search->made[is_periodic][is_full].kernel;
    scree_status status = SCREE_OK;

    search->kernel = kernel;
    if (!program->program)
        status = scree_gpu_build(search->gpu, "gpu/device_search.cl", options[is_periodic][is_full],
                                 program);
    for (int k = 0; k < KERNELS && !status; k++)
        if (!kernel[k].kernel)
            status = scree_gpu_kernel_make(search->gpu, program, names[k], &kernel[k]);
    return status;
}

static scree_status launch(scree_device_search *search, search_kernel which, size_t count,
                           const scree_gpu_argument *arguments, size_t argument_count)
{
    return scree_gpu_launch(search->gpu, &search->kernel[which], count, GROUP, arguments,
                            (uint32_t)argument_count);
}
#define LAUNCH(search, which, count, arguments)                                                    \
    launch(search, which, count, arguments, SCREE_COUNT_OF(arguments))

/*  Several buffers of the search that need the same number of rows. */
typedef struct search_need
{
    scree_gpu_buffer *buffer;
    size_t rows, row_bytes;
    const char *name;
} search_need;

static scree_status reserve_all(scree_gpu *gpu, const search_need *needs, size_t count)
{
    scree_status status = SCREE_OK;

    for (size_t k = 0; k < count && !status; k++)
        status = scree_gpu_reserve(gpu, needs[k].buffer, needs[k].rows * needs[k].row_bytes,
                                   needs[k].name);
    return status;
}

/* ---- stages ---- */

static size_t sweepers_for(uint32_t count)
{
    size_t wanted = ((size_t)count + GROUP) / GROUP * GROUP;

    return wanted < SWEEPERS ? wanted : SWEEPERS;
}

/*  Computes the extent of all bodies, and the grids. */
static scree_status lay_out(scree_device_search *search, const scree_gpu_buffer *spheres,
                            uint32_t count, const scree_search_def *def)
{
    scree_gpu *gpu = search->gpu;
    const size_t sweepers = sweepers_for(count), bytes = SEARCH_EXTENTS * sizeof(double);
    const double margin = def->margin;
    const scree_gpu_argument arguments[] = {SCREE_GPU_VALUE(count), SCREE_GPU_VALUE(margin),
                                            SCREE_GPU_BUFFER(*spheres),
                                            SCREE_GPU_BUFFER(search->extents)};
    scree_status status =
        scree_gpu_reserve(gpu, &search->extents, SWEEPERS * bytes, "extent of bodies");

    if (!status)
        status = LAUNCH(search, EXTENT, sweepers, arguments);
    if (!status)
        status = scree_gpu_read(gpu, &search->extents, 0, search->host_extents, sweepers * bytes);
    if (!status)
        status = scree_search_lay_out(def, search->host_extents, sweepers, count, &search->layout,
                                      gpu->error);
    if (!status)
        status = scree_gpu_reserve(gpu, &search->frame, sizeof search->layout, "grids");
    if (!status)
        status = scree_gpu_write(gpu, &search->frame, 0, &search->layout, sizeof search->layout);
    return status;
}

static scree_status reserve_bodies(scree_device_search *search, uint32_t count)
{
    const search_need needs[] = {
        {&search->keys, count, sizeof(uint64_t), "cells of bodies"},
        {&search->ids, count, sizeof(uint32_t), "order of bodies"},
        {&search->sorted, count, 4 * sizeof(double), "bodies in order of cells"},
        {&search->own, count, sizeof(uint32_t), "counts of candidates"},
        {&search->counted, (size_t)count + 1, sizeof(uint32_t), "counts of candidates"},
        {&search->level_begin, SEARCH_LEVELS + 1, sizeof(uint32_t), "grids"},
        {&search->totals, SWEEPERS, sizeof(uint64_t), "counts of candidates"},
        {&search->long_total, 1, sizeof(uint32_t), "counts of candidates"}};

    return reserve_all(search->gpu, needs, SCREE_COUNT_OF(needs));
}

/*  Sorts bodies by cell: keys, sorted; the beginnings of cells and levels; and a copy of the spheres in that order. */
static scree_status sort_bodies(scree_device_search *search, const scree_gpu_buffer *spheres,
                                uint32_t count)
{
    scree_gpu *gpu = search->gpu;
    const uint32_t shift = search->layout.shift,
                   entries = scree_search_table_entries(&search->layout);
    const scree_gpu_argument keys[] = {
        SCREE_GPU_VALUE(count), SCREE_GPU_BUFFER(*spheres), SCREE_GPU_BUFFER(search->frame),
        SCREE_GPU_BUFFER(search->keys), SCREE_GPU_BUFFER(search->ids)};
    const scree_gpu_argument table[] = {SCREE_GPU_VALUE(entries), SCREE_GPU_VALUE(count),
                                        SCREE_GPU_VALUE(shift), SCREE_GPU_BUFFER(search->keys),
                                        SCREE_GPU_BUFFER(search->table)};
    const scree_gpu_argument levels[] = {SCREE_GPU_VALUE(count), SCREE_GPU_BUFFER(search->frame),
                                         SCREE_GPU_BUFFER(search->keys),
                                         SCREE_GPU_BUFFER(search->level_begin)};
    const scree_gpu_argument gather[] = {SCREE_GPU_VALUE(count), SCREE_GPU_BUFFER(*spheres),
                                         SCREE_GPU_BUFFER(search->ids),
                                         SCREE_GPU_BUFFER(search->sorted)};
    scree_status status =
        scree_gpu_reserve(gpu, &search->table, entries * sizeof(uint32_t), "beginnings of cells");

    if (!status)
        status = LAUNCH(search, KEYS, count, keys);
    if (!status)
        status = scree_device_sort(gpu, &search->sorter, &search->keys, &search->ids, count,
                                   scree_search_key_bits(&search->layout));
    if (!status)
        status = LAUNCH(search, TABLE, entries, table);
    if (!status)
        status = LAUNCH(search, LEVELS, search->layout.levels + 1, levels);
    if (!status)
        status = LAUNCH(search, GATHER, count, gather);
    return status;
}

/*  Computes the length of each row, and the total. */
static scree_status count_pairs(scree_device_search *search, uint32_t count,
                                scree_candidate_rows *found)
{
    scree_gpu *gpu = search->gpu;
    const size_t sweepers = sweepers_for(count);
    const scree_gpu_argument counting[] = {SCREE_GPU_VALUE(count),
                                           SCREE_GPU_BUFFER(search->frame),
                                           SCREE_GPU_BUFFER(search->keys),
                                           SCREE_GPU_BUFFER(search->table),
                                           SCREE_GPU_BUFFER(search->level_begin),
                                           SCREE_GPU_BUFFER(search->ids),
                                           SCREE_GPU_BUFFER(search->sorted),
                                           SCREE_GPU_BUFFER(search->own),
                                           SCREE_GPU_BUFFER(search->counted)};
    const scree_gpu_argument lengths[] = {
        SCREE_GPU_VALUE(count), SCREE_GPU_BUFFER(search->own), SCREE_GPU_BUFFER(search->counted),
        SCREE_GPU_BUFFER(found->start), SCREE_GPU_BUFFER(search->totals)};
    uint64_t total = 0;
    scree_status status =
        scree_gpu_fill(gpu, &search->counted, 0, ((size_t)count + 1) * sizeof(uint32_t), 0);

    if (!status)
        status = LAUNCH(search, COUNT, count, counting);
    if (!status)
        status = LAUNCH(search, LENGTHS, sweepers, lengths);
    if (!status)
        status = scree_device_scan(gpu, &search->sorter, &found->start, count + 1);
    if (!status)
        status = scree_gpu_read(gpu, &search->totals, 0, search->host_totals,
                                sweepers * sizeof(uint64_t));
    for (size_t k = 0; k < sweepers && !status; k++)
        total += search->host_totals[k];
    if (!status && total >= UINT32_MAX)
        status = scree_fail(gpu->error, SCREE_TOO_LARGE,
                            "%.0f neighbour pairs of %u bodies are more than 32 bits can count",
                            (double)total, count);
    if (!status)
        found->count = (uint32_t)total;
    return status;
}

static scree_status fill_rows(scree_device_search *search, uint32_t count,
                              scree_candidate_rows *found)
{
    scree_gpu *gpu = search->gpu;
    const scree_gpu_argument filling[] = {SCREE_GPU_VALUE(count),
                                          SCREE_GPU_BUFFER(search->frame),
                                          SCREE_GPU_BUFFER(search->keys),
                                          SCREE_GPU_BUFFER(search->table),
                                          SCREE_GPU_BUFFER(search->level_begin),
                                          SCREE_GPU_BUFFER(search->ids),
                                          SCREE_GPU_BUFFER(search->sorted),
                                          SCREE_GPU_BUFFER(search->own),
                                          SCREE_GPU_BUFFER(search->counted),
                                          SCREE_GPU_BUFFER(found->start),
                                          SCREE_GPU_BUFFER(found->partner)};
    scree_status status =
        scree_gpu_reserve(gpu, &found->partner, found->count * sizeof(uint32_t), "candidates");

    /* from here on `counted` is the number of partners written already for the row by others */
    if (!status)
        status =
            scree_gpu_fill(gpu, &search->counted, 0, ((size_t)count + 1) * sizeof(uint32_t), 0);
    return status ? status : LAUNCH(search, FILL, count, filling);
}

/*  Sorts the partners of all long rows, `total` of them, as keys. `counted` has where each row begins among them. */
static scree_status sort_long_rows(scree_device_search *search, uint32_t count, uint32_t total,
                                   scree_candidate_rows *found)
{
    scree_gpu *gpu = search->gpu;
    const uint32_t bits = scree_search_bits(count);
    const search_need needs[] = {{&search->long_keys, total, sizeof(uint64_t), "long rows"},
                                 {&search->long_rows, total, sizeof(uint32_t), "long rows"}};
    const scree_gpu_argument take[] = {SCREE_GPU_VALUE(total),
                                       SCREE_GPU_VALUE(count),
                                       SCREE_GPU_VALUE(bits),
                                       SCREE_GPU_BUFFER(search->counted),
                                       SCREE_GPU_BUFFER(found->start),
                                       SCREE_GPU_BUFFER(found->partner),
                                       SCREE_GPU_BUFFER(search->long_keys)};
    const scree_gpu_argument put[] = {SCREE_GPU_VALUE(total),
                                      SCREE_GPU_VALUE(bits),
                                      SCREE_GPU_BUFFER(search->counted),
                                      SCREE_GPU_BUFFER(found->start),
                                      SCREE_GPU_BUFFER(found->partner),
                                      SCREE_GPU_BUFFER(search->long_keys)};
    scree_status status = reserve_all(gpu, needs, SCREE_COUNT_OF(needs));

    if (!status)
        status = scree_device_scan(gpu, &search->sorter, &search->counted, count + 1);
    if (!status)
        status = LAUNCH(search, TAKE_LONG, total, take);
    if (!status)
        status = scree_device_sort(gpu, &search->sorter, &search->long_keys, &search->long_rows,
                                   total, 2 * bits);
    return status ? status : LAUNCH(search, PUT_LONG, total, put);
}

static scree_status sort_rows(scree_device_search *search, uint32_t count,
                              scree_candidate_rows *found)
{
    scree_gpu *gpu = search->gpu;
    uint32_t total = 0;
    const scree_gpu_argument sorting[] = {
        SCREE_GPU_VALUE(count), SCREE_GPU_BUFFER(found->start), SCREE_GPU_BUFFER(found->partner),
        SCREE_GPU_BUFFER(search->counted), SCREE_GPU_BUFFER(search->long_total)};
    scree_status status = scree_gpu_fill(gpu, &search->long_total, 0, sizeof total, 0);

    if (!status)
        status = LAUNCH(search, SORT_ROWS, (size_t)count + 1, sorting);
    if (!status)
        status = scree_gpu_read(gpu, &search->long_total, 0, &total, sizeof total);
    if (!status && total > 0)
        status = sort_long_rows(search, count, total, found);
    return status;
}

/* ---- the whole search ---- */

/*  Larger counts would overflow the table of cells. */
#define MAX_BODIES (UINT32_C(1) << 30)

static scree_status run(scree_device_search *search, const scree_gpu_buffer *spheres,
                        uint32_t count, const scree_search_def *def, scree_candidate_rows *found)
{
    scree_gpu *gpu = search->gpu;
    const bool is_periodic = def->period[0] > 0 || def->period[1] > 0 || def->period[2] > 0;
    scree_status status = scree_search_check(def, gpu->error);

    if (!status && count > MAX_BODIES)
        status = scree_fail(gpu->error, SCREE_TOO_LARGE,
                            "%u bodies are more than the %u of a search", count, MAX_BODIES);
    if (!status && spheres->bytes < count * 4 * sizeof(double))
        status =
            scree_fail(gpu->error, SCREE_BAD_ARGUMENT,
                       "a buffer of %zu bytes does not hold %u spheres", spheres->bytes, count);
    if (!status)
        status = make_kernels(search, is_periodic, def->is_full);
    if (!status)
        status = scree_gpu_reserve(gpu, &found->start, ((size_t)count + 1) * sizeof(uint32_t),
                                   "candidates");
    if (!status && count == 0)
        return scree_gpu_fill(gpu, &found->start, 0, sizeof(uint32_t), 0);
    if (!status)
        status = reserve_bodies(search, count);
    if (!status)
        status = lay_out(search, spheres, count, def);
    if (!status)
        status = sort_bodies(search, spheres, count);
    if (!status)
        status = count_pairs(search, count, found);
    if (!status)
        status = fill_rows(search, count, found);
    if (!status)
        status = sort_rows(search, count, found);
    return status;
}

scree_status scree_device_search_run(scree_device_search *search, const scree_gpu_buffer *spheres,
                                     uint32_t count, const scree_search_def *def,
                                     scree_candidate_rows *found)
{
    scree_status status;

    found->rows = found->count = 0;
    status = run(search, spheres, count, def, found);
    if (status)
        found->count = 0;
    else
        found->rows = count;
    return status;
}
