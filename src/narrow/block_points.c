/*  Contact points of two blocks: the corners of the gap between their surfaces, seen along the normal. All is in the
    frame of the first block. The second is seen from the opposite side, so both are processed in the same way.

    A point within a grain of the border counts as inside: an additional point coincides with one that exists already
    and is dropped, but a missing one would be a corner without force. */
#include "narrow/block_contact.h"

#include <math.h>
#include <string.h>

/*  Faces with a smaller cosine are steep; a grain to the side of them makes no difference. */
#define STEEP 0.01
/*  Faces whose cosine is larger, which is within 26 degrees of the normal, begin to count as lying flat on each other.
    */
#define LIES_FLAT 0.9
/*  Enlargement of boxes around edges on each side, in grains. */
#define LOOSE 1e5

/* ---- surfaces along the normal ---- */

static scree_status reserve_outlook(scree_block_outlook *look, scree_memory *memory,
                                    const scree_block_view *view)
{
    return scree_memory_reserve(memory, &look->height, &look->corner_capacity, view->corner_count,
                                sizeof *look->height) ||
                   scree_memory_reserve(memory, &look->is_top, &look->top_capacity,
                                        view->corner_count, sizeof *look->is_top) ||
                   scree_memory_reserve(memory, &look->lean, &look->face_capacity, view->face_count,
                                        sizeof *look->lean) ||
                   scree_memory_reserve(memory, &look->edge, &look->edge_capacity, view->edge_count,
                                        sizeof *look->edge) ||
                   scree_memory_reserve(memory, &look->extent, &look->extent_capacity,
                                        view->edge_count, sizeof *look->extent)
               ? SCREE_OUT_OF_MEMORY
               : SCREE_OK;
}

static void look_along(scree_block_outlook *look, const scree_block_view *view, const double way[3])
{
    look->top = -INFINITY;
    for (uint32_t c = 0; c < view->corner_count; c++) {
        look->height[c] = scree_dot(way, view->corner[c]);
        look->top = look->height[c] > look->top ? look->height[c] : look->top;
    }
    for (uint32_t f = 0; f < view->face_count; f++)
        look->lean[f] = scree_dot(way, view->face[f]);
    memset(look->is_top, 0, view->corner_count * sizeof *look->is_top);
}

/*  Corners and edges of the surface towards the other; of edges those that rise above a height. */
static void find_top(scree_block_outlook *look, const scree_block_view *view, double least)
{
    look->edge_count = 0;
    for (uint32_t e = 0; e < view->edge_count; e++) {
        const scree_convex_edge *edge = &view->edge[e];
        const double *height = look->height;
        if (look->lean[edge->face[0]] <= SCREE_BLOCK_FLAT &&
            look->lean[edge->face[1]] <= SCREE_BLOCK_FLAT)
            continue;
        look->is_top[edge->corner[0]] = look->is_top[edge->corner[1]] = 1;
        if (height[edge->corner[0]] > least || height[edge->corner[1]] > least)
            look->edge[look->edge_count++] = e;
    }
}

/* ---- points ---- */

scree_status scree_block_push(scree_block_contact *work, scree_memory *memory,
                              const scree_block_point *point)
{
    if (scree_memory_reserve(memory, &work->points, &work->capacity, work->count + 1,
                             sizeof *work->points))
        return SCREE_OUT_OF_MEMORY;
    work->points[work->count++] = *point;
    return SCREE_OK;
}

/*  The part of a line through a point that is inside a block. */
typedef struct block_way
{
    double enters, leaves;
} block_way;

static bool is_beside_wall(double over, double lean, double grain)
{
    return over <= grain && over >= -grain && fabs(lean) < STEEP && fabs(lean) > SCREE_BLOCK_FLAT;
}

/*  Applies the steep faces near the point, which were skipped before: the line may cross them far from it. Returns
    whether the line ends outside one by less than a grain. */
static bool cut_by_walls(const scree_block_view *other, const scree_block_outlook *look,
                         const double at[3], double grain, block_way *way)
{
    bool is_beside = false;

    for (uint32_t f = 0; f < other->face_count; f++) {
        double lean = look->lean[f];
        double over = scree_dot(other->face[f], at) - other->face[f][3];
        if (!is_beside_wall(over, lean, grain))
            continue;
        double past = over - lean * way->enters;
        if (past > grain && lean > 0)
            way->enters = fmax(way->enters, over / lean);
        else if (past > grain)
            way->leaves = fmin(way->leaves, over / lean);
        else
            is_beside = is_beside || past > SCREE_BLOCK_ROUNDING * grain;
    }
    return is_beside;
}

/*  The distance from a point, along the normal, to the surface of the other; INFINITY: it is outside, or beyond
    `reach`. `is_beside`: by less than a grain along the normal, which at a sharp edge is more perpendicular to it. */
static double gap_over(const scree_block_view *other, const scree_block_outlook *look,
                       const double at[3], double reach, double grain, bool *is_beside)
{
    double enters = -INFINITY, leaves = INFINITY;
    bool has_walls = false;

    /* the result so far only grows, and its upper bound only shrinks */
    for (uint32_t f = 0; f < other->face_count && enters < reach && enters <= leaves + grain; f++) {
        double lean = look->lean[f];
        double over = scree_dot(other->face[f], at) - other->face[f][3];
        if (over <= grain &&
            (fabs(lean) <= SCREE_BLOCK_FLAT || (over >= -grain && fabs(lean) < STEEP))) {
            has_walls = has_walls || fabs(lean) > SCREE_BLOCK_FLAT;
            continue;
        }
        if (fabs(lean) <= SCREE_BLOCK_FLAT)
            return INFINITY;
        double way = over / lean;
        if (lean > 0)
            enters = way > enters ? way : enters;
        else
            leaves = way < leaves ? way : leaves;
    }
    if (has_walls) {
        block_way way = {enters, leaves};
        *is_beside = cut_by_walls(other, look, at, grain, &way);
        enters = way.enters;
        leaves = way.leaves;
    }
    if (!(enters > -INFINITY && enters < reach && enters <= leaves + grain))
        return INFINITY;
    *is_beside = *is_beside || enters > leaves + SCREE_BLOCK_ROUNDING * grain;
    return enters;
}

/*  Corners of one that are below the surface of the other, or nearer to it than `reach`. */
static scree_status test_corners(scree_block_contact *work, scree_memory *memory,
                                 const scree_block_view view[2], int which, const double normal[3],
                                 double reach, double grain)
{
    const scree_block_view *mine = &view[which], *other = &view[!which];
    const scree_block_outlook *look = &work->side[which], *across = &work->side[!which];

    for (uint32_t c = 0; c < mine->corner_count; c++) {
        scree_block_point p = {
            .kind = which ? SCREE_FEATURE_SECOND : SCREE_FEATURE_FIRST, .id = {c, 0}, .share = 1};
        if (!look->is_top[c] || !(look->height[c] > -reach - across->top))
            continue;
        p.gap = gap_over(other, across, mine->corner[c], reach, grain, &p.is_beside);
        if (!(p.gap < reach))
            continue;
        for (int k = 0; k < 3; k++) {
            p.point[which][k] = mine->corner[c][k];
            p.point[!which][k] = mine->corner[c][k] + (which ? -p.gap : p.gap) * normal[k];
        }
        if (scree_block_push(work, memory, &p))
            return SCREE_OUT_OF_MEMORY;
    }
    return SCREE_OK;
}

static bool is_between(double share)
{
    return share >= -SCREE_CONVEX_GRAIN && share <= 1 + SCREE_CONVEX_GRAIN;
}

/*  1 for an edge of a face that is perpendicular to the normal, 0 for a ridge. */
static double flatness(const scree_block_view *view, const scree_block_outlook *look, uint32_t edge)
{
    double a = look->lean[view->edge[edge].face[0]], b = look->lean[view->edge[edge].face[1]];
    double share = ((a > b ? a : b) - LIES_FLAT) / (1 - LIES_FLAT);

    return share > 0 ? share * share * (3 - 2 * share) : 0;
}

double scree_block_share(const scree_block_view view[2], const scree_block_outlook look[2],
                         uint32_t a, uint32_t b, double sine_sq)
{
    double along = (1 - sine_sq) * (1 - sine_sq);

    return 1 - along * flatness(&view[0], &look[0], a) * flatness(&view[1], &look[1], b);
}

/*  Where two edges cross, seen along the normal: pa + x ea and pb + y eb, times eb and ea. */
static bool cross_over(const scree_block_view view[2], const scree_block_outlook look[2],
                       uint32_t a, uint32_t b, const double normal[3], scree_block_point *p)
{
    const double *ea = view[0].along[a], *eb = view[1].along[b];
    const double *pa = view[0].corner[view[0].edge[a].corner[0]];
    const double *pb = view[1].corner[view[1].edge[b].corner[0]];
    double between[3], across[3];

    scree_cross(ea, eb, across);
    double square = scree_dot(across, normal);
    double sine_sq = square * square / (scree_dot(ea, ea) * scree_dot(eb, eb));
    if (!(sine_sq > SCREE_BLOCK_FLAT * SCREE_BLOCK_FLAT))
        return false;
    for (int k = 0; k < 3; k++)
        between[k] = pb[k] - pa[k];
    scree_cross(between, eb, across);
    double x = scree_dot(across, normal) / square;
    scree_cross(between, ea, across);
    double y = scree_dot(across, normal) / square;
    if (!is_between(x) || !is_between(y))
        return false;
    *p = (scree_block_point){.kind = SCREE_FEATURE_EDGES,
                             .id = {a, b},
                             .share = scree_block_share(view, look, a, b, sine_sq)};
    for (int k = 0; k < 3; k++) {
        p->point[0][k] = pa[k] + x * ea[k];
        p->gap += normal[k] * (pb[k] + y * eb[k] - p->point[0][k]);
    }
    for (int k = 0; k < 3; k++)
        p->point[1][k] = p->point[0][k] + p->gap * normal[k];
    return true;
}

/*  Two orthogonal directions of equal length that are perpendicular to the normal. */
static void ways_across(const double normal[3], double u[3], double v[3])
{
    double axis[3] = {0, 0, 0};
    int least = 0;

    for (int k = 1; k < 3; k++)
        least = fabs(normal[k]) < fabs(normal[least]) ? k : least;
    axis[least] = 1;
    scree_cross(normal, axis, u);
    scree_cross(normal, u, v);
}

/*  The box around each edge that counts, seen along the normal. */
static void find_extents(scree_block_outlook *look, const scree_block_view *view, const double u[3],
                         const double v[3], double more)
{
    for (uint32_t i = 0; i < look->edge_count; i++) {
        const uint32_t *corner = view->edge[look->edge[i]].corner;
        const double *a = view->corner[corner[0]], *b = view->corner[corner[1]];
        const double at[2][2] = {{scree_dot(u, a), scree_dot(u, b)},
                                 {scree_dot(v, a), scree_dot(v, b)}};
        double *extent = look->extent[i];
        for (int k = 0; k < 2; k++) {
            extent[2 * k] = (at[k][0] < at[k][1] ? at[k][0] : at[k][1]) - more;
            extent[2 * k + 1] = (at[k][0] < at[k][1] ? at[k][1] : at[k][0]) + more;
        }
    }
}

static bool boxes_meet(const double a[4], const double b[4])
{
    return (a[0] <= b[1]) & (b[0] <= a[1]) & (a[2] <= b[3]) & (b[2] <= a[3]);
}

/*  Most edges are far from each other, seen along the normal, and are not tested for crossing. The crossing of nearly
    parallel edges is known to rounding over the sine, 1e-6 of their size: boxes are enlarged by a hundred times that.
    */
static scree_status test_crossings(scree_block_contact *work, scree_memory *memory,
                                   const scree_block_view view[2], const double normal[3],
                                   double reach, double grain)
{
    scree_block_outlook *first = &work->side[0], *second = &work->side[1];
    double u[3], v[3];
    scree_block_point p;

    ways_across(normal, u, v);
    find_extents(first, &view[0], u, v, LOOSE * grain);
    find_extents(second, &view[1], u, v, LOOSE * grain);
    for (uint32_t i = 0; i < first->edge_count; i++)
        for (uint32_t j = 0; j < second->edge_count; j++)
            if (boxes_meet(first->extent[i], second->extent[j]) &&
                cross_over(view, work->side, first->edge[i], second->edge[j], normal, &p) &&
                p.gap < reach && scree_block_push(work, memory, &p))
                return SCREE_OUT_OF_MEMORY;
    return SCREE_OK;
}

scree_status scree_block_overlay(scree_block_contact *work, scree_memory *memory,
                                 const scree_block_view view[2], const double normal[3],
                                 double reach, double grain)
{
    const double back[3] = {-normal[0], -normal[1], -normal[2]};

    work->count = 0;
    if (reserve_outlook(&work->side[0], memory, &view[0]) ||
        reserve_outlook(&work->side[1], memory, &view[1]))
        return SCREE_OUT_OF_MEMORY;
    look_along(&work->side[0], &view[0], normal);
    look_along(&work->side[1], &view[1], back);
    find_top(&work->side[0], &view[0], -reach - work->side[1].top);
    find_top(&work->side[1], &view[1], -reach - work->side[0].top);
    scree_status status = test_corners(work, memory, view, 0, normal, reach, grain);
    if (!status)
        status = test_corners(work, memory, view, 1, normal, reach, grain);
    return status || view[0].is_flat ? status
                                     : test_crossings(work, memory, view, normal, reach, grain);
}

/* ---- weights ---- */

static double away_sq_of(const scree_block_point *a, const scree_block_point *b)
{
    double sum = 0;

    for (int k = 0; k < 3; k++) {
        double way = a->point[0][k] - b->point[0][k];
        sum += way * way;
    }
    return sum;
}

/*  Next to a steep face the gap of points in the same place is undefined: one counts as deeper only if the difference
    exceeds rounding. */
static void drop_duplicates(scree_block_contact *work, double grain)
{
    size_t kept = 0;

    for (size_t n = 0; n < work->count; n++) {
        const scree_block_point p = work->points[n];
        bool is_new = true, has_same = false;
        for (size_t m = 0; m < kept && is_new; m++) {
            bool is_same = !(away_sq_of(&work->points[m], &p) > grain * grain);
            has_same = has_same || is_same;
            is_new = !is_same || p.gap < work->points[m].gap - SCREE_BLOCK_PROOF * grain;
        }
        if (!is_new)
            continue;
        for (size_t m = has_same ? 0 : kept; m < kept;) {
            if (away_sq_of(&work->points[m], &p) > grain * grain)
                m++;
            else
                memmove(&work->points[m], &work->points[m + 1],
                        (--kept - m) * sizeof *work->points);
        }
        work->points[kept++] = p;
    }
    work->count = kept;
}

/*  Shares of 1, by depth among the points nearby. */
static double weight_among(const scree_block_contact *work, const scree_block_point *p,
                           double reach, double spread)
{
    double sum = 0, depth = reach - p->gap;

    for (size_t m = 0; m < work->count; m++)
        sum += scree_block_closeness(away_sq_of(p, &work->points[m]), spread) *
               work->points[m].share * (reach - work->points[m].gap);
    return depth / (sum > depth ? sum : depth);
}

void scree_block_weigh(scree_block_contact *work, double reach, double spread, double grain)
{
    double deepest = 0, carried = 0, spare = 0;

    drop_duplicates(work, grain);
    for (size_t n = 0; n < work->count; n++) {
        scree_block_point *p = &work->points[n];
        double depth = reach - p->gap;
        p->weight = weight_among(work, p, reach, spread);
        deepest = depth > deepest ? depth : deepest;
        carried += p->share * p->weight * depth;
        spare += (1 - p->share) * p->weight * depth;
    }
    double missing = deepest - carried;
    double back = missing > 0 && spare > 0 ? (missing < spare ? missing / spare : 1) : 0;
    size_t kept = 0;
    for (size_t n = 0; n < work->count; n++) {
        scree_block_point p = work->points[n];
        p.weight *= p.share + (1 - p.share) * back;
        if (p.weight > 0)
            work->points[kept++] = p;
    }
    work->count = kept;
}
