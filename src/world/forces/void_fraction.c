/*  The void fraction of a fluid from the volumes of bodies. Nodes lie at whole multiples of the cells' edges. Each body
    adds its volume to the eight nodes around its centre, with weights of trilinear interpolation. Shares are whole
    numbers of a unit, a 2^40th of a cell, and whole numbers are added, so the sums depend neither on the order of
    bodies nor on threads. The grid covers the bodies alone, or the period of a periodic axis. */
#include "world/forces/ambient_forces.h"

#include "world/state/body_blocks.h"

#include <math.h>
#include <string.h>

#define UNITS_PER_CELL 0x1p40
/*  Bodies may overlap, and cells be smaller than they should be: the void fraction is at least this. */
#define MIN_VOID 0.1
#define MAX_NODES (1u << 26)
/*  Cells from the origin that can be counted. */
#define FARTHEST 0x1p50

/* ---- where the grid lies ---- */

typedef struct extent
{
    double lower[3], upper[3], largest; /* of centres; largest radius */
} extent;

/*  Of the bodies of this rank. */
static extent find_extent(const scree_ambient_job *job)
{
    const scree_body_arrays *bodies = job->bodies;
    extent all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0};

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        if (scree_is_ghost(bodies, slot))
            continue;
        double radius = scree_ambient_radius(job, slot);
        for (int k = 0; k < 3; k++) {
            double x = bodies->position[slot][k];
            all.lower[k] = x < all.lower[k] ? x : all.lower[k];
            all.upper[k] = x > all.upper[k] ? x : all.upper[k];
        }
        all.largest = radius > all.largest ? radius : all.largest;
    }
    return all;
}

/*  Of the bodies of all ranks. */
static scree_status join_extents(const scree_step *step, extent *all)
{
    double values[7];

    if (!step->largest)
        return SCREE_OK;
    for (int k = 0; k < 3; k++) {
        values[k] = -all->lower[k];
        values[3 + k] = all->upper[k];
    }
    values[6] = all->largest;
    const scree_status status = step->largest(step->ranks, values, 7);
    for (int k = 0; k < 3; k++) {
        all->lower[k] = -values[k];
        all->upper[k] = values[3 + k];
    }
    all->largest = values[6];
    return status;
}

static scree_status refuse_cell(const scree_step *step, double cell, double largest)
{
    return scree_fail(step->error, SCREE_BAD_ARGUMENT,
                      "world: step %llu: fluid: cell is %g m, must be at least the diameter of the "
                      "largest body, %g m; 3 to 5 diameters are usual",
                      (unsigned long long)step->number, cell, 2 * largest);
}

static scree_status refuse_grid(const scree_step *step, double cell, const extent *all)
{
    return scree_fail(
        step->error, SCREE_TOO_LARGE,
        "world: step %llu: fluid: the grid of void fractions has too many cells of %g m: bodies "
        "are spread over %g x %g x %g m; choose larger cells, or remove bodies that are far away",
        (unsigned long long)step->number, cell, all->upper[0] - all->lower[0],
        all->upper[1] - all->lower[1], all->upper[2] - all->lower[2]);
}

/*  A periodic axis has a whole number of cells. */
static void lay_periodic(const scree_domain *domain, int axis, double cell, scree_void_grid *grid)
{
    double number = floor(domain->period[axis] / cell + 0.5);

    number = number < 1 ? 1 : number > MAX_NODES ? (double)MAX_NODES + 1 : number;
    grid->wraps[axis] = true;
    grid->origin[axis] = domain->lower[axis];
    grid->cell[axis] = domain->period[axis] / number;
    grid->first[axis] = 0;
    grid->count[axis] = (int64_t)number;
}

static bool lay_open(const extent *all, int axis, double cell, scree_void_grid *grid)
{
    double first = floor(all->lower[axis] / cell), last = floor(all->upper[axis] / cell) + 1;

    grid->wraps[axis] = false;
    grid->origin[axis] = 0;
    grid->cell[axis] = cell;
    if (!(fabs(first) < FARTHEST && fabs(last) < FARTHEST))
        return false;
    grid->first[axis] = (int64_t)first;
    grid->count[axis] = (int64_t)last - (int64_t)first + 1;
    return true;
}

static scree_status lay_out(const scree_ambient_job *job, const extent *of)
{
    const double cell = job->ambient->fluid.def.cell;
    const scree_domain *domain = job->domain;
    scree_void_grid *grid = &job->ambient->grid;
    const extent all = *of;
    double nodes = 1, volume = 1;

    if (cell < 2 * all.largest)
        return refuse_cell(job->step, cell, all.largest);
    if (domain->is_tilted)
        return scree_fail(job->step->error, SCREE_BAD_ARGUMENT,
                          "world: step %llu: fluid: void fractions from bodies need a cell that "
                          "is not tilted",
                          (unsigned long long)job->step->number);
    for (int k = 0; k < 3; k++) {
        if (domain->period[k] > 0)
            lay_periodic(domain, k, cell, grid);
        else if (!lay_open(&all, k, cell, grid))
            return refuse_grid(job->step, cell, &all);
        nodes *= (double)grid->count[k];
        volume *= grid->cell[k];
    }
    if (nodes > MAX_NODES)
        return refuse_grid(job->step, cell, &all);
    grid->units = UNITS_PER_CELL / volume;
    grid->per_unit = 1 / UNITS_PER_CELL;
    return SCREE_OK;
}

/* ---- between nodes ---- */

typedef struct corners
{
    size_t node[8];
    double weight[8];
} corners;

static int64_t wrapped(const scree_void_grid *grid, int axis, int64_t index)
{
    int64_t count = grid->count[axis];

    if (!grid->wraps[axis])
        return index < 0 ? 0 : index < count ? index : count - 1;
    index %= count;
    return index < 0 ? index + count : index;
}

static corners corners_of(const scree_void_grid *grid, const double place[3])
{
    int64_t at[3][2];
    double weight[3][2];
    corners all;

    for (int k = 0; k < 3; k++) {
        double cells = (place[k] - grid->origin[k]) / grid->cell[k], lower = floor(cells);
        int64_t index = (int64_t)lower - grid->first[k];
        weight[k][1] = cells - lower;
        weight[k][0] = 1 - weight[k][1];
        at[k][0] = wrapped(grid, k, index);
        at[k][1] = wrapped(grid, k, index + 1);
    }
    for (int c = 0; c < 8; c++) {
        int x = c & 1, y = c >> 1 & 1, z = c >> 2;
        all.node[c] = (size_t)((at[2][z] * grid->count[1] + at[1][y]) * grid->count[0] + at[0][x]);
        all.weight[c] = weight[0][x] * weight[1][y] * weight[2][z];
    }
    return all;
}

static void add_block(void *data, const scree_body_block *block)
{
    const scree_ambient_job *job = data;
    scree_void_grid *grid = &job->ambient->grid;

    for (uint32_t slot = block->begin; slot < block->end; slot++) {
        if (scree_is_ghost(job->bodies, slot))
            continue;
        const double radius = scree_ambient_radius(job, slot);
        const double units =
            4.0 / 3 * 3.14159265358979323846 * radius * radius * radius * grid->units;
        const corners all = corners_of(grid, job->bodies->position[slot]);
        for (int c = 0; c < 8; c++)
            atomic_fetch_add_explicit(&grid->node[all.node[c]],
                                      (uint64_t)(all.weight[c] * units + 0.5),
                                      memory_order_relaxed);
    }
}

/* ---- on ranks: each adds its own bodies, and all get the whole grid ---- */

/*  Whether memory was enough on all ranks. */
static scree_status agree_on_memory(const scree_step *step, bool is_short)
{
    double value = is_short;
    const scree_status status =
        step->largest ? step->largest(step->ranks, &value, 1) : (scree_status)SCREE_OK;

    if (status || value == 0)
        return status;
    return scree_fail(step->error, SCREE_OUT_OF_MEMORY,
                      "world: the grid of void fractions: out of memory");
}

/*  Nodes that are sent together. */
#define NODES_AT_ONCE 4096u

static scree_status add_over_ranks(const scree_step *step, const scree_void_grid *grid,
                                   size_t nodes)
{
    uint64_t words[NODES_AT_ONCE];
    scree_status status = SCREE_OK;

    for (size_t begin = 0; step->add && begin < nodes && !status; begin += NODES_AT_ONCE) {
        const size_t many = nodes - begin < NODES_AT_ONCE ? nodes - begin : NODES_AT_ONCE;
        for (size_t n = 0; n < many; n++)
            words[n] = atomic_load_explicit(&grid->node[begin + n], memory_order_relaxed);
        status = step->add(step->ranks, words, many);
        for (size_t n = 0; n < many; n++)
            atomic_store_explicit(&grid->node[begin + n], words[n], memory_order_relaxed);
    }
    return status;
}

scree_status scree_void_grid_fill(const scree_ambient_job *job)
{
    scree_void_grid *grid = &job->ambient->grid;
    scree_ambient_job here = *job;
    extent all = find_extent(job);
    scree_status status = join_extents(job->step, &all);
    size_t nodes;

    /* there are no bodies */
    if (status || all.lower[0] > all.upper[0])
        return status;
    status = lay_out(job, &all);
    if (status)
        return status;
    nodes = (size_t)(grid->count[0] * grid->count[1] * grid->count[2]);
    status = agree_on_memory(job->step,
                             scree_memory_reserve(job->step->memory, &grid->node, &grid->capacity,
                                                  nodes, sizeof *grid->node) != SCREE_OK);
    if (status)
        return status;
    for (size_t n = 0; n < nodes; n++)
        atomic_store_explicit(&grid->node[n], 0, memory_order_relaxed);
    scree_body_blocks_run(job->step->workers, job->bodies->count, add_block, &here);
    return add_over_ranks(job->step, grid, nodes);
}

double scree_void_fraction_at(const scree_void_grid *grid, const double place[3])
{
    const corners all = corners_of(grid, place);
    double solid = 0, left;

    for (int c = 0; c < 8; c++)
        solid += all.weight[c] *
                 ((double)atomic_load_explicit(&grid->node[all.node[c]], memory_order_relaxed) *
                  grid->per_unit);
    left = 1 - solid;
    return left > MIN_VOID ? left : MIN_VOID;
}
