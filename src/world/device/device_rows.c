/*  Search for neighbour pairs on the device: world/device/rows.cl. */
#include "world/device/device_data.h"

#include <math.h>
#include <string.h>

#define LOCAL 128u
/*  Number of groups that find bounds, and their size; values per group of the prefix sum. */
#define BOUND_GROUPS 64u
#define BOUND_LOCAL 128u
#define SCAN_LOCAL 256u
#define SCAN_BLOCK 2048u
/*  Ratio of the largest to the smallest radius from which cells of equal width are not used. */
#define MANY_SIZES 2.5
/*  Largest number of cells for this number of bodies. */
#define MAX_CELLS(count) (2.0 * (count) + 64)

/*  Largest memory in bytes of old rows that is kept between searches. */
#define MAX_KEPT ((size_t)64 << 20)

/* ---- running sums ---- */

scree_status scree_device_add_up(scree_device *device, const scree_gpu_buffer *numbers,
                                 size_t count)
{
    const scree_gpu_buffer *level[4] = {numbers, &device->sums[0], &device->sums[1],
                                        &device->sums[2]};
    uint32_t many[4] = {(uint32_t)count};
    scree_status status = SCREE_OK;
    int last = 0;

    for (; !status && (last == 0 || many[last] > 1); last++) {
        many[last + 1] = (uint32_t)scree_block_count(many[last], SCAN_BLOCK);
        status = scree_gpu_reserve(device->gpu, &device->sums[last],
                                   many[last + 1] * sizeof(uint32_t), "running sums");
        const scree_gpu_argument arguments[] = {
            SCREE_GPU_VALUE(many[last]), SCREE_GPU_BUFFER(*level[last]),
            SCREE_GPU_BUFFER(device->sums[last]), SCREE_GPU_LOCAL(SCAN_LOCAL * sizeof(uint32_t))};
        if (!status)
            status =
                scree_gpu_launch(device->gpu, &device->kernel[KERNEL_SCAN],
                                 (size_t)many[last + 1] * SCAN_LOCAL, SCAN_LOCAL, arguments, 4);
    }
    for (int at = last - 2; !status && at >= 0; at--) {
        const scree_gpu_argument arguments[] = {SCREE_GPU_VALUE(many[at]),
                                                SCREE_GPU_BUFFER(*level[at]),
                                                SCREE_GPU_BUFFER(*level[at + 1])};
        status = scree_gpu_launch(device->gpu, &device->kernel[KERNEL_ADD], many[at], LOCAL,
                                  arguments, 3);
    }
    return status;
}

/* ---- cells ---- */

static scree_status find_bounds(scree_device *device, double lower[3], double upper[3])
{
    double rows[BOUND_GROUPS][6];
    const uint32_t count = device->numbers.count;
    scree_status status =
        scree_gpu_reserve(device->gpu, &device->bounds, sizeof rows, "bounds of bodies");
    const scree_gpu_argument arguments[] = {
        SCREE_GPU_VALUE(count), SCREE_GPU_BUFFER(device->position),
        SCREE_GPU_BUFFER(device->bounds), SCREE_GPU_LOCAL(6 * BOUND_LOCAL * sizeof(double))};

    if (!status)
        status = scree_gpu_launch(device->gpu, &device->kernel[KERNEL_BOUND],
                                  (size_t)BOUND_GROUPS * BOUND_LOCAL, BOUND_LOCAL, arguments, 4);
    if (!status)
        status = scree_gpu_read(device->gpu, &device->bounds, 0, rows, sizeof rows);
    for (int k = 0; k < 3; k++) {
        lower[k] = INFINITY;
        upper[k] = -INFINITY;
        for (size_t g = 0; !status && g < BOUND_GROUPS; g++) {
            lower[k] = fmin(lower[k], rows[g][k]);
            upper[k] = fmax(upper[k], rows[g][3 + k]);
        }
    }
    return status;
}

/*  The box of all cells: bounds of bodies, and the domain along periodic axes. */
static void lay_box(const scree_domain *domain, const double lower[3], const double upper[3],
                    scree_cell_numbers *cells)
{
    memset(cells, 0, sizeof *cells);
    for (int k = 0; k < 3; k++) {
        const bool is_periodic = domain->period[k] > 0;
        cells->lower[k] = is_periodic ? domain->lower[k] : lower[k];
        cells->length[k] = is_periodic ? domain->period[k] : upper[k] - lower[k];
        cells->tilt[k] = domain->tilt[k];
        cells->periodic |= (uint32_t)is_periodic << k;
        /* all bodies are in one plane */
        if (!(cells->length[k] > 0))
            cells->length[k] = 1;
    }
}

/*  Upper bounds of the change of each lattice coordinate per metre: lengths of the rows of the inverse of the edges. */
static void find_steepness(const scree_cell_numbers *cells, double steepness[3])
{
    const double a = 1 / cells->length[0], b = 1 / cells->length[1], c = 1 / cells->length[2];
    const double *tilt = cells->tilt;
    const double yz = -b * c * tilt[2], xy = -a * b * tilt[0],
                 xz = a * c * (b * tilt[0] * tilt[2] - tilt[1]);

    steepness[0] = sqrt(a * a + xy * xy + xz * xz);
    steepness[1] = sqrt(b * b + yz * yz);
    steepness[2] = c;
}

/*  At least as wide as the range of two bodies, and no more cells than there is room for. */
static void lay_cells(const scree_device *device, scree_cell_numbers *cells)
{
    const scree_step_numbers *numbers = &device->numbers;
    double size = 2 * device->largest + numbers->reach + 2 * numbers->allowed, steepness[3], all;

    find_steepness(cells, steepness);
    size *= 1 + 0x1p-30;
    for (;; size *= 1.25) {
        all = 1;
        for (int k = 0; k < 3; k++) {
            double many = floor(1 / (size * steepness[k]));
            many = many >= 1 ? many : 1;
            all *= many;
            cells->cells[k] = many < 1e6 ? (uint32_t)many : 1000000;
        }
        if (all <= MAX_CELLS(numbers->count))
            break;
    }
}

/*  Whether cells wide enough for the largest body would hold too many small ones. */
static bool has_many_sizes(const scree_device *device)
{
    return device->largest > MANY_SIZES * device->smallest;
}

/*  Uses a search with one grid per size class. Its range is slightly larger than that of rows. */
static scree_status list_candidates(scree_device *device, const scree_domain *domain)
{
    const scree_step_numbers *numbers = &device->numbers;
    scree_search_def def = {.margin = (numbers->reach + 2 * numbers->allowed) * (1 + 0x1p-20),
                            .is_full = true};
    scree_status status = SCREE_OK;

    memcpy(def.period, domain->period, sizeof def.period);
    memcpy(def.tilt, domain->tilt, sizeof def.tilt);
    if (!device->search)
        status = scree_device_search_make(device->gpu, &device->search);
    return status ? status
                  : scree_device_search_run(device->search, &device->position, numbers->count, &def,
                                            &device->candidates);
}

static scree_status deal_out(scree_device *device, const scree_cell_numbers *cells)
{
    const size_t all = (size_t)cells->cells[0] * cells->cells[1] * cells->cells[2];
    const uint32_t count = device->numbers.count;
    scree_gpu *gpu = device->gpu;
    scree_status status =
        scree_gpu_reserve(gpu, &device->cell_ends, all * sizeof(uint32_t), "cells");

    if (!status)
        status = scree_gpu_reserve(gpu, &device->cell_bodies, count * sizeof(uint32_t),
                                   "bodies by cell");
    if (!status)
        status = scree_gpu_fill(gpu, &device->cell_ends, 0, all * sizeof(uint32_t), 0);
    const scree_gpu_argument counting[] = {SCREE_GPU_VALUE(*cells), SCREE_GPU_VALUE(count),
                                           SCREE_GPU_BUFFER(device->position),
                                           SCREE_GPU_BUFFER(device->cell_ends)};
    const scree_gpu_argument filling[] = {
        SCREE_GPU_VALUE(*cells), SCREE_GPU_VALUE(count), SCREE_GPU_BUFFER(device->position),
        SCREE_GPU_BUFFER(device->cell_ends), SCREE_GPU_BUFFER(device->cell_bodies)};
    if (!status)
        status =
            scree_gpu_launch(gpu, &device->kernel[KERNEL_COUNT_CELLS], count, LOCAL, counting, 4);
    if (!status)
        status = scree_device_add_up(device, &device->cell_ends, all);
    if (!status)
        status =
            scree_gpu_launch(gpu, &device->kernel[KERNEL_FILL_CELLS], count, LOCAL, filling, 5);
    return status;
}

/* ---- rows ---- */

/*  Width and start of each slice; `total` is the number of entries. */
static scree_status lay_rows(scree_device *device, const scree_cell_numbers *cells,
                             uint32_t planes_at, uint32_t *total)
{
    const size_t slices = scree_block_count(device->numbers.count, SCREE_SLICE);
    const uint32_t is_listed = has_many_sizes(device);
    device_rows *rows = &device->rows;
    scree_gpu *gpu = device->gpu;
    scree_status status = scree_gpu_reserve(gpu, &rows->base, (slices + 1) * sizeof(uint32_t),
                                            "where rows of contacts begin");

    /* all kernels get all of them */
    scree_gpu_buffer *const all[] = {&device->cell_ends, &device->cell_bodies,
                                     &device->candidates.start, &device->candidates.partner};
    for (size_t k = 0; k < SCREE_COUNT_OF(all) && !status; k++)
        if (!all[k]->memory)
            status = scree_gpu_reserve(gpu, all[k], sizeof(uint32_t), "candidates");
    const scree_gpu_argument arguments[] = {SCREE_GPU_VALUE(device->numbers),
                                            SCREE_GPU_VALUE(*cells),
                                            SCREE_GPU_BUFFER(device->position),
                                            SCREE_GPU_BUFFER(device->cell_ends),
                                            SCREE_GPU_BUFFER(device->cell_bodies),
                                            SCREE_GPU_VALUE(is_listed),
                                            SCREE_GPU_BUFFER(device->candidates.start),
                                            SCREE_GPU_BUFFER(device->candidates.partner),
                                            SCREE_GPU_BUFFER(device->material),
                                            SCREE_GPU_BUFFER(device->pair_slot),
                                            SCREE_GPU_BUFFER(device->wall_slot),
                                            SCREE_GPU_BUFFER(device->planes),
                                            SCREE_GPU_VALUE(planes_at),
                                            SCREE_GPU_BUFFER(rows->base),
                                            SCREE_GPU_LOCAL(LOCAL * sizeof(uint32_t))};

    if (!status)
        status = scree_gpu_fill(gpu, &rows->base, slices * sizeof(uint32_t), sizeof(uint32_t), 0);
    if (!status)
        status = scree_gpu_launch(gpu, &device->kernel[KERNEL_COUNT_ROWS], device->numbers.count,
                                  LOCAL, arguments, SCREE_COUNT_OF(arguments));
    if (!status)
        status = scree_device_add_up(device, &rows->base, slices + 1);
    if (!status)
        status = scree_gpu_read(gpu, &rows->base, slices * sizeof(uint32_t), total, sizeof *total);
    return status;
}

static scree_status fill_rows(scree_device *device, const scree_cell_numbers *cells,
                              uint32_t planes_at, uint32_t total)
{
    device_rows *rows = &device->rows, *old = &device->old_rows;
    const uint32_t old_room = (uint32_t)old->room, is_listed = has_many_sizes(device);
    scree_gpu *gpu = device->gpu;
    scree_status status =
        scree_gpu_reserve(gpu, &rows->entries, total * sizeof(uint32_t), "contacts");

    if (!status)
        status = scree_gpu_reserve(gpu, &rows->memory,
                                   (size_t)total * device->memory_planes * sizeof(double),
                                   "what contacts remember");
    if (status)
        return status;
    rows->room = device->numbers.planes_room = total;
    const scree_gpu_argument arguments[] = {SCREE_GPU_VALUE(device->numbers),
                                            SCREE_GPU_VALUE(*cells),
                                            SCREE_GPU_BUFFER(device->position),
                                            SCREE_GPU_BUFFER(device->cell_ends),
                                            SCREE_GPU_BUFFER(device->cell_bodies),
                                            SCREE_GPU_VALUE(is_listed),
                                            SCREE_GPU_BUFFER(device->candidates.start),
                                            SCREE_GPU_BUFFER(device->candidates.partner),
                                            SCREE_GPU_BUFFER(device->material),
                                            SCREE_GPU_BUFFER(device->pair_slot),
                                            SCREE_GPU_BUFFER(device->wall_slot),
                                            SCREE_GPU_BUFFER(device->planes),
                                            SCREE_GPU_VALUE(planes_at),
                                            SCREE_GPU_BUFFER(device->rank),
                                            SCREE_GPU_BUFFER(old->base),
                                            SCREE_GPU_BUFFER(old->entries),
                                            SCREE_GPU_BUFFER(old->memory),
                                            SCREE_GPU_VALUE(old_room),
                                            SCREE_GPU_BUFFER(rows->base),
                                            SCREE_GPU_BUFFER(rows->entries),
                                            SCREE_GPU_BUFFER(rows->memory),
                                            SCREE_GPU_BUFFER(device->left)};
    return scree_gpu_launch(gpu, &device->kernel[KERNEL_FILL_ROWS], device->numbers.count, LOCAL,
                            arguments, SCREE_COUNT_OF(arguments));
}

scree_status scree_device_find_rows(scree_world *world, uint32_t planes_at,
                                    const scree_domain *domain)
{
    scree_device *device = world->device;
    const device_rows kept = device->rows;
    double lower[3], upper[3];
    scree_cell_numbers cells;
    uint32_t total = 0;
    scree_status status = find_bounds(device, lower, upper);

    for (int k = 0; k < 3 && !status; k++)
        if (!(upper[k] - lower[k] < INFINITY))
            return SCREE_BAD_VALUE;
    device->rows = device->old_rows;
    device->old_rows = kept;
    if (!status) {
        lay_box(domain, lower, upper, &cells);
        lay_cells(device, &cells);
        status =
            has_many_sizes(device) ? list_candidates(device, domain) : deal_out(device, &cells);
    }
    if (!status)
        status = lay_rows(device, &cells, planes_at, &total);
    if (!status)
        status = fill_rows(device, &cells, planes_at, total);
    if (!status)
        status = scree_gpu_fill(device->gpu, &device->told, SCREE_TOLD_STOP * sizeof(uint32_t),
                                sizeof(uint32_t), UINT32_MAX);
    /* keep the memory for the next search if that is cheaper than allocating it again */
    if (device->old_rows.memory.bytes > MAX_KEPT) {
        scree_gpu_free(device->gpu, &device->old_rows.entries);
        scree_gpu_free(device->gpu, &device->old_rows.memory);
    }
    device->searches++;
    return status ? scree_device_failed(world, status) : SCREE_OK;
}
