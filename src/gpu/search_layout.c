/*  Computes the grids of a search. */
#include "gpu/search_layout.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

/*  Largest number of cells along an axis, so that 24 levels of grids have fewer than 2^62 of them. */
#define MAX_CELLS 0x1p19
/*  Rounding of a position p periods away is p 2^-52 periods. With fewer cells than this / p it stays well below the
    2^-20 of a cell by which cells are enlarged. */
#define MAX_CELLS_AFAR 0x1p26

scree_status scree_search_check(const scree_search_def *def, scree_error *error)
{
    /* the edge that each tilt belongs to, and the axis it points along */
    static const int edge_of[3] = {1, 2, 2}, axis_of[3] = {0, 0, 1};

    if (!(def->margin >= 0 && def->margin < 1e150))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "the margin of a search is %g m, must be 0 or more", def->margin);
    for (int k = 0; k < 3; k++)
        if (!(def->period[k] == 0 || (def->period[k] >= 1e-100 && def->period[k] <= 1e100)))
            return scree_fail(error, SCREE_BAD_VALUE,
                              "period %c of a search is %g m, must be 0 or 1e-100 to 1e100",
                              "xyz"[k], def -> period[k]);
    for (int k = 0; k < 3; k++) {
        bool allowed = def->period[edge_of[k]] > 0 && def->period[axis_of[k]] > 0;
        double limit = allowed ? 0.5 * def->period[axis_of[k]] : 0;
        if (!(fabs(def->tilt[k]) <= limit))
            return scree_fail(error, SCREE_BAD_VALUE,
                              "tilt %s of a search is %g m, must be at most %g in magnitude",
                              k == 0   ? "xy"
                              : k == 1 ? "xz"
                                       : "yz",
                              def->tilt[k], limit);
    }
    return SCREE_OK;
}

/* ---- extents ---- */

/*  The output of the kernel search_extent. */
typedef struct search_extent
{
    double lower[3], upper[3], least, most, bodies, lost;
} search_extent;

_Static_assert(sizeof(search_extent) == SEARCH_EXTENTS * sizeof(double), "as the kernel writes it");
_Static_assert(SEARCH_LEVELS == SCREE_SEARCH_LEVELS, "as the interface says");

static search_extent join(const double *extents, size_t count)
{
    search_extent all = {
        {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, INFINITY, 0, 0, 0};

    for (size_t i = 0; i < count; i++) {
        search_extent one;
        memcpy(&one, extents + i * SEARCH_EXTENTS, sizeof one);
        for (int k = 0; k < 3; k++) {
            all.lower[k] = fmin(all.lower[k], one.lower[k]);
            all.upper[k] = fmax(all.upper[k], one.upper[k]);
        }
        all.least = fmin(all.least, one.least);
        all.most = fmax(all.most, one.most);
        all.bodies += one.bodies;
        all.lost += one.lost;
    }
    return all;
}

/* ---- grids ---- */

/*  Origin and edges: those of the cell on periodic axes, otherwise those of the bounding box of all bodies. */
static void frame_bodies(const scree_search_def *def, const search_extent *extent,
                         search_frame *frame)
{
    double longest = 0;

    for (int k = 0; k < 3; k++)
        longest = fmax(longest, extent->upper[k] - extent->lower[k]);
    /* bodies of radius 0, which touch only if they coincide, still need cells, and small ones */
    frame->width = extent->most > 0 ? extent->most * (1 + 0x1p-19) : longest * 0x1p-10;
    if (!(frame->width > 0))
        frame->width = 1;
    for (int k = 0; k < 3; k++) {
        double length = extent->upper[k] - extent->lower[k];
        frame->origin[k] = extent->lower[k];
        frame->period[k] = def->period[k];
        frame->tilt[k] = def->tilt[k];
        frame->inner[k] = def->period[k] > 0 ? 0.49 * def->period[k] : INFINITY;
        frame->edge[k] = def->period[k] > 0 ? def->period[k] : length > 0 ? length : frame->width;
    }
}

/*  Distances between opposite faces of the cell: of the first the plane of b and c, and so on. */
static void find_heights(const search_frame *frame, double height[3])
{
    const double *edge = frame->edge, *tilt = frame->tilt;
    const double xy = tilt[0] / edge[1], yz = tilt[2] / edge[2],
                 xz = (tilt[0] * (tilt[2] / edge[1]) - tilt[1]) / edge[2];

    height[0] = edge[0] / sqrt(1 + xy * xy + xz * xz);
    height[1] = edge[1] / sqrt(1 + yz * yz);
    height[2] = edge[2];
}

static void lay_level(search_frame *frame, uint32_t level, const double height[3], double max_cells)
{
    search_level *grid = &frame->level[level];
    const double width = ldexp(frame->width, -(int)level);

    grid->first = frame->cells;
    for (int k = 0; k < 3; k++) {
        double cells = floor(height[k] / width);
        cells = cells < max_cells ? cells : max_cells;
        grid->cells[k] = cells >= 1 ? (uint32_t)cells : 1;
    }
    frame->cells += (uint64_t)grid->cells[0] * grid->cells[1] * grid->cells[2];
}

/*  Largest useful number of cells along an axis: fewer if bodies are many periods apart. */
static double cells_told(const search_extent *extent, const search_frame *frame)
{
    double periods = 1;

    for (int k = 0; k < 3; k++)
        if (frame->period[k] > 0)
            periods += (extent->upper[k] - extent->lower[k]) / frame->period[k];
    return fmin(MAX_CELLS, floor(MAX_CELLS_AFAR / periods));
}

scree_status scree_search_lay_out(const scree_search_def *def, const double *extents,
                                  size_t extent_count, uint32_t body_count, search_frame *frame,
                                  scree_error *error)
{
    search_extent extent = join(extents, extent_count);
    double height[3], max_cells;

    memset(frame, 0, sizeof *frame);
    if (extent.lost > 0)
        return scree_fail(
            error, SCREE_BAD_VALUE,
            "%.0f bodies of a search have a position or radius that is not finite, or beyond 1e150",
            extent.lost);
    if (extent.bodies == 0)
        extent = (search_extent){{0, 0, 0}, {0, 0, 0}, 1, 1, 0, 0};
    frame_bodies(def, &extent, frame);
    frame->margin = def->margin;
    find_heights(frame, height);
    max_cells = cells_told(&extent, frame);
    /* the smallest sphere of a level is more than half as wide as its cells */
    frame->levels = 1;
    while (frame->levels < SEARCH_LEVELS &&
           extent.least * 2 <= ldexp(frame->width, 1 - (int)frame->levels))
        frame->levels++;
    for (uint32_t level = 0; level < frame->levels; level++)
        lay_level(frame, level, height, max_cells);
    while (frame->cells >> frame->shift > 2 * (uint64_t)body_count + 1024)
        frame->shift++;
    return SCREE_OK;
}

uint32_t scree_search_table_entries(const search_frame *frame)
{
    return (uint32_t)(frame->cells >> frame->shift) + 2;
}

uint32_t scree_search_bits(uint64_t number)
{
    uint32_t bits = 0;

    while (number >> bits > 1)
        bits++;
    return bits + 1;
}

uint32_t scree_search_key_bits(const search_frame *frame)
{
    return scree_search_bits(frame->cells);
}
