/*  Contact points of two blocks: the corners of the gap between their surfaces, seen along the normal. All is in the
    frame of the first block. The second is seen from the opposite side, so both are processed in the same way.

    A point within a grain of the edge counts as inside: an additional point coincides with one that exists already
    and is dropped, but a missing one would be a corner without force. */
#include "narrow/block_contact.h"

#include <math.h>
#include <string.h>

/*  Faces with a smaller cosine are steep; a grain to the side of them makes no difference. */
#define STEEP 0.01
/*  Faces whose cosine is larger, which is within 26 degrees of the normal, begin to count as lying flat on each other.
    */
#define LIES_FLAT 0.9
/*  Edges that seem to miss each other by less than this share of the size of both, or of its square, may cross. */
#define LOOSE 1e-8

/* ---- surfaces along the normal ---- */

scree_status scree_block_reserve_outlook(scree_block_outlook *look, scree_memory *memory,
                                         const scree_block_view *view)
{
    const size_t corners = view->columns->corners, faces = view->columns->faces;
    const size_t edges = view->columns->edges;

    if (scree_memory_reserve(memory, &look->numbers, &look->number_capacity,
                             3 * corners + faces + SCREE_BLOCK_SEGMENT * edges,
                             sizeof *look->numbers) ||
        scree_memory_reserve(memory, &look->words, &look->word_capacity,
                             corners + 2 * edges + SCREE_CONVEX_GROUP, sizeof *look->words))
        return SCREE_OUT_OF_MEMORY;
    look->height = look->numbers;
    look->across[0] = look->height + corners;
    look->across[1] = look->across[0] + corners;
    look->cosine = look->across[1] + corners;
    for (size_t k = 0; k < SCREE_BLOCK_SEGMENT; k++)
        look->segment[k] = look->cosine + faces + k * edges;
    look->is_top = look->words;
    look->edge = look->is_top + corners;
    look->met = look->edge + edges;
    return SCREE_OK;
}

static void look_along(const scree_block_kernels *kernels, scree_block_outlook *look,
                       const scree_block_view *view, const double way[3])
{
    const scree_convex_columns *columns = view->columns;

    look->top = kernels->top(columns->corner, columns->corners, way, look->height);
    kernels->heights(columns->face, columns->faces, way, look->cosine);
    memset(look->is_top, 0, view->corner_count * sizeof *look->is_top);
}

/*  Corners and edges of the surface towards the other, and that rise above a height. */
static void find_top(scree_block_outlook *look, const scree_block_view *view, double least)
{
    const double *height = look->height;
    uint32_t count = 0;

    for (uint32_t e = 0; e < view->edge_count; e++) {
        const scree_convex_edge *edge = &view->edge[e];
        const double from = height[edge->corner[0]], to = height[edge->corner[1]];
        if (!(from > least || to > least) || (look->cosine[edge->face[0]] <= SCREE_BLOCK_FLAT &&
                                              look->cosine[edge->face[1]] <= SCREE_BLOCK_FLAT))
            continue;
        look->is_top[edge->corner[0]] = look->is_top[edge->corner[1]] = 1;
        look->segment[SCREE_BLOCK_SEGMENT - 1][count] = from > to ? from : to;
        look->edge[count++] = e;
    }
    look->edge_count = count;
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

static bool is_beside_wall(double over, double cosine, double grain)
{
    return over <= grain && over >= -grain && fabs(cosine) < STEEP &&
           fabs(cosine) > SCREE_BLOCK_FLAT;
}

/*  Applies the steep faces near the point, which were skipped before: the line may cross them far from it. Returns
    whether the line ends outside one by less than a grain. */
static bool cut_by_walls(const scree_block_view *other, const scree_block_outlook *look,
                         const double at[3], double grain, scree_block_way *way)
{
    bool is_beside = false;

    for (uint32_t f = 0; f < other->face_count; f++) {
        double cosine = look->cosine[f];
        double over = scree_dot(other->face[f], at) - other->face[f][3];
        if (!is_beside_wall(over, cosine, grain))
            continue;
        double past = over - cosine * way->enters;
        if (past > grain && cosine > 0)
            way->enters = fmax(way->enters, over / cosine);
        else if (past > grain)
            way->leaves = fmin(way->leaves, over / cosine);
        else
            is_beside = is_beside || past > SCREE_BLOCK_ROUNDING * grain;
    }
    return is_beside;
}

/*  The same part of the line, if steep faces are near, which are applied last. */
static scree_block_way way_by_walls(const scree_block_view *other, const scree_block_outlook *look,
                                    const double at[3], double grain, bool *is_beside)
{
    scree_block_way way = {-INFINITY, INFINITY, false, true};

    for (uint32_t f = 0; f < other->face_count; f++) {
        double cosine = look->cosine[f];
        double over = scree_dot(other->face[f], at) - other->face[f][3];
        if (over <= grain &&
            (fabs(cosine) <= SCREE_BLOCK_FLAT || (over >= -grain && fabs(cosine) < STEEP)))
            continue;
        if (cosine > 0)
            way.enters = fmax(way.enters, over / cosine);
        else
            way.leaves = fmin(way.leaves, over / cosine);
    }
    *is_beside = cut_by_walls(other, look, at, grain, &way);
    return way;
}

/*  The distance from a point, along the normal, to the surface of the other; INFINITY: it is outside, or beyond
    `reach`. `is_beside`: by less than a grain along the normal, which at a sharp edge is more perpendicular to it. */
static double gap_over(const scree_block_kernels *kernels, const scree_block_view *other,
                       const scree_block_outlook *look, const double at[3], double reach,
                       double grain, bool *is_beside)
{
    const scree_block_slopes slopes = {.face = other->columns->face,
                                       .cosine = look->cosine,
                                       .count = other->columns->faces,
                                       .flat = SCREE_BLOCK_FLAT,
                                       .steep = STEEP,
                                       .grain = grain};
    scree_block_way way = kernels->way_through(&slopes, at);

    if (way.is_outside)
        return INFINITY;
    if (way.has_walls)
        way = way_by_walls(other, look, at, grain, is_beside);
    if (!(way.enters > -INFINITY && way.enters < reach && way.enters <= way.leaves + grain))
        return INFINITY;
    *is_beside = *is_beside || way.enters > way.leaves + SCREE_BLOCK_ROUNDING * grain;
    return way.enters;
}

/*  Corners of one that are below the surface of the other, or nearer to it than `reach`. */
static scree_status test_corners(scree_block_contact *work, scree_memory *memory,
                                 const scree_block_view view[2], int which, const double normal[3],
                                 double reach, double grain)
{
    const scree_block_view *mine = &view[which], *other = &view[!which];
    const scree_block_outlook *look = &work->side[which], *across = &work->side[!which];
    const scree_block_kernels *kernels = &scree_block_kernels_of[work->simd];

    for (uint32_t c = 0; c < mine->corner_count; c++) {
        scree_block_point p = {
            .kind = which ? SCREE_FEATURE_SECOND : SCREE_FEATURE_FIRST, .id = {c, 0}, .share = 1};
        if (!look->is_top[c] || !(look->height[c] > -reach - across->top))
            continue;
        p.gap = gap_over(kernels, other, across, mine->corner[c], reach, grain, &p.is_beside);
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
    double a = look->cosine[view->edge[edge].face[0]], b = look->cosine[view->edge[edge].face[1]];
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

/*  The edges that count, seen along the normal. */
static void find_segments(const scree_block_kernels *kernels, scree_block_outlook *look,
                          const scree_block_view *view, double *const ways[2])
{
    const scree_convex_columns *columns = view->columns;

    for (int k = 0; k < 2; k++) {
        const double *across = look->across[k];
        double *from = look->segment[k], *along = look->segment[2 + k];
        kernels->heights(columns->corner, columns->corners, ways[k], look->across[k]);
        for (uint32_t i = 0; i < look->edge_count; i++) {
            const uint32_t *corner = view->edge[look->edge[i]].corner;
            from[i] = across[corner[0]];
            along[i] = across[corner[1]] - from[i];
        }
    }
    /* the rest of a group is not looked at, but read */
    for (uint32_t i = look->edge_count; i % SCREE_CONVEX_GROUP; i++)
        for (int k = 0; k < SCREE_BLOCK_SEGMENT; k++)
            look->segment[k][i] = 0;
}

/*  Most edges do not cross, seen along the normal, and are not looked at more closely; nor are those whose upper ends
    are farther apart along it than `reach`. `slack` of the size of both is a million times the rounding. */
static scree_status test_crossings(scree_block_contact *work, scree_memory *memory,
                                   const scree_block_view view[2], const double normal[3],
                                   double reach, double grain)
{
    const scree_block_kernels *kernels = &scree_block_kernels_of[work->simd];
    const double size = grain / SCREE_CONVEX_GRAIN, slack = LOOSE * size * size;
    scree_block_outlook *first = &work->side[0], *second = &work->side[1];
    double u[3], v[3], *const ways[2] = {u, v};
    scree_block_point p;

    ways_across(normal, u, v);
    find_segments(kernels, first, &view[0], ways);
    find_segments(kernels, second, &view[1], ways);
    for (uint32_t i = 0; i < first->edge_count; i++) {
        double one[SCREE_BLOCK_SEGMENT];
        for (int k = 0; k < SCREE_BLOCK_SEGMENT; k++)
            one[k] = first->segment[k][i];
        uint32_t count = kernels->cross(second->segment, second->edge_count, one,
                                        -reach - LOOSE * size, slack, second->met);
        for (uint32_t k = 0; k < count; k++)
            if (cross_over(view, work->side, first->edge[i], second->edge[second->met[k]], normal,
                           &p) &&
                p.gap < reach && scree_block_push(work, memory, &p))
                return SCREE_OUT_OF_MEMORY;
    }
    return SCREE_OK;
}

scree_status scree_block_overlay(scree_block_contact *work, scree_memory *memory,
                                 const scree_block_view view[2], const double normal[3],
                                 double reach, double grain)
{
    const scree_block_kernels *kernels = &scree_block_kernels_of[work->simd];
    const double back[3] = {-normal[0], -normal[1], -normal[2]};

    work->count = 0;
    look_along(kernels, &work->side[0], &view[0], normal);
    look_along(kernels, &work->side[1], &view[1], back);
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
