/*  Fits the triangle that represents a set of facets. It works in a frame of the set, about the middle of its bounding
    box and in units of two to four times its longest side:

    1. A copy of the facet that is nearest to the middle of all. 2. From there, gradient descent on functional (6), as
    published. For more than 512 facets it uses an even sample. 3. A point at the middle of all corners.

    The best of these is the one least likely to touch another of its kind (cost_of_triangle): a thin halo around a
    large triangle has little volume but is touched often. Functional (6) wants corners near to all facets, which
    contracts the triangle: a surrogate is then little more than a ball. So, unless switched off,

    4. a few triangles and segments along the longest extent of the set are added, and the best of all is improved by a
    pattern search along each coordinate. Distances are to the outermost corners in 49 directions: only corners of the
    hull can be farthest.

    Halos count with a small addition, because those of bodies are wider: otherwise a flat set would lie in flat
    triangles of any size at no cost. In the end the halo of the result is computed over all corners. */
#include "shape/surrogate.h"

#include "base/vector.h"
#include "shape/surrogate_fit.h"

#include <math.h>
#include <string.h>

#define ROOM (1.0 / 32)
#define DOWNHILL_STEPS 200
#define COST_TRIALS 480

typedef double fit_triangle[3][3];

typedef struct fit_job
{
    const scree_facet_set *set;
    scree_surrogate_room *room;
    double middle[3], unit; /* of the frame */
    double centre[3];       /* of all corners, in the frame */
} fit_job;

/* ---- the frame ---- */

/*  Returns false if all corners coincide. */
static bool set_fit_frame(fit_job *job)
{
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    double size = 0;
    for (uint32_t i = 0; i < job->set->count; i++)
        for (uint32_t c = 0; c < 3; c++) {
            const double *x = scree_facet_corner(job->set, i, c);
            for (int k = 0; k < 3; k++) {
                lower[k] = scree_smaller_of(lower[k], x[k]);
                upper[k] = scree_larger_of(upper[k], x[k]);
            }
        }
    for (int k = 0; k < 3; k++) {
        job->middle[k] = lower[k] + 0.5 * (upper[k] - lower[k]);
        size = scree_larger_of(size, upper[k] - lower[k]);
    }
    /* twice the longest side exceeds the diagonal */
    job->unit = size > 0 ? scree_surrogate_unit(2 * size) : 1;
    return size > 0;
}

static void see_in_frame(const fit_job *job, const double x[3], double to[3])
{
    for (int k = 0; k < 3; k++)
        to[k] = (x[k] - job->middle[k]) * job->unit;
}

static void put_in_body(const fit_job *job, const double from[3][3], fit_triangle to)
{
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            to[c][k] = job->middle[k] + from[c][k] / job->unit;
}

static double gap_sq(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

/* ---- the set: a sample of its facets, and the corners of its hull ---- */

static void sample_facets(fit_job *job)
{
    const scree_facet_set *set = job->set;
    scree_surrogate_room *room = job->room;
    room->triangle_count =
        set->count < SCREE_SURROGATE_SAMPLE ? set->count : SCREE_SURROGATE_SAMPLE;
    for (uint32_t t = 0; t < room->triangle_count; t++) {
        uint32_t i = (uint32_t)((uint64_t)t * set->count / room->triangle_count);
        for (uint32_t c = 0; c < 3; c++)
            see_in_frame(job, scree_facet_corner(set, i, c), room->triangle[t][c]);
    }
}

static void add_to_outline(scree_surrogate_room *room, const double x[3])
{
    for (uint32_t i = 0; i < room->outline_count; i++)
        if (x[0] == room->outline[i][0] && x[1] == room->outline[i][1] &&
            x[2] == room->outline[i][2])
            return;
    memcpy(room->outline[room->outline_count++], x, 3 * sizeof(double));
}

/*  Directions with integer components up to 2, one of each opposite pair: 49 without multiples of others. */
static uint32_t list_directions(double direction[49][3])
{
    uint32_t count = 0;
    for (int n = 0; n < 62; n++) {
        int x = n / 25 - 2, y = n / 5 % 5 - 2, z = n % 5 - 2;
        if (x % 2 == 0 && y % 2 == 0 && z % 2 == 0)
            continue;
        direction[count][0] = x;
        direction[count][1] = y;
        direction[count++][2] = z;
    }
    return count;
}

static void outline_by_directions(fit_job *job)
{
    double direction[49][3], least[49], most[49];
    double lowest[49][3] = {{0}}, highest[49][3] = {{0}};
    uint32_t count = list_directions(direction);
    for (uint32_t d = 0; d < count; d++) {
        least[d] = INFINITY;
        most[d] = -INFINITY;
    }
    for (uint32_t i = 0; i < 3 * job->set->count; i++) {
        double x[3];
        see_in_frame(job, scree_facet_corner(job->set, i / 3, i % 3), x);
        for (uint32_t d = 0; d < count; d++) {
            double at = scree_dot(direction[d], x);
            if (at < least[d]) {
                least[d] = at;
                memcpy(lowest[d], x, sizeof x);
            }
            if (at > most[d]) {
                most[d] = at;
                memcpy(highest[d], x, sizeof x);
            }
        }
    }
    for (uint32_t d = 0; d < count; d++) {
        add_to_outline(job->room, lowest[d]);
        add_to_outline(job->room, highest[d]);
    }
}

static void make_outline(fit_job *job)
{
    uint32_t corners = 3 * job->set->count;
    double x[3];
    job->room->outline_count = 0;
    memset(job->centre, 0, sizeof job->centre);
    for (uint32_t i = 0; i < corners; i++) {
        see_in_frame(job, scree_facet_corner(job->set, i / 3, i % 3), x);
        for (int k = 0; k < 3; k++)
            job->centre[k] += x[k] / corners;
    }
    if (corners > SCREE_SURROGATE_OUTLINE) {
        outline_by_directions(job);
        return;
    }
    for (uint32_t i = 0; i < corners; i++) {
        see_in_frame(job, scree_facet_corner(job->set, i / 3, i % 3), x);
        add_to_outline(job->room, x);
    }
}

/* ---- cost of a triangle ---- */

/*  Two convex bodies at random positions touch with a probability proportional to V + V' + (S M' + S' M) / 4 pi, where
    V, S and M are volume, surface and integrated mean curvature (the principal kinematic formula of Blaschke and
    Santalo). This is half of it for two equal ones: 2 A + pi P r + 4 pi r^2 is the surface of a halo, pi P / 2 + 4 pi r
    its mean curvature. */
static double cost_of_triangle(const scree_surrogate_room *room, const double corner[3][3])
{
    const double pi = 3.14159265358979323846;
    double radius = sqrt(scree_fit_kernels_of[room->simd].farthest_sq(room, corner)) + ROOM;
    double normal[3], perimeter = 0, surface, curvature;
    for (int c = 0; c < 3; c++)
        perimeter += sqrt(gap_sq(corner[c], corner[(c + 1) % 3]));
    surface = sqrt(scree_surrogate_normal(corner, normal)) + pi * radius * (perimeter + 4 * radius);
    curvature = pi * (0.5 * perimeter + 4 * radius);
    return scree_halo_volume(corner, radius) + surface * curvature / (4 * pi);
}

/*  Keeps a triangle if it is better than the best so far. */
static void offer_triangle(const fit_job *job, const double corner[3][3], fit_triangle best,
                           double *cost)
{
    double v = cost_of_triangle(job->room, corner);
    if (v < *cost) {
        *cost = v;
        memcpy(best, corner, sizeof(fit_triangle));
    }
}

/* ---- functional (6) ---- */

/*  The facet with an area that is nearest to the middle; the first if there is none. */
static void copy_one(const fit_job *job, fit_triangle start)
{
    double least = INFINITY;
    memcpy(start, job->room->triangle[0], sizeof(fit_triangle));
    for (uint32_t t = 0; t < job->room->triangle_count; t++) {
        const double(*triangle)[3] = (const double(*)[3])job->room->triangle[t];
        double middle[3], normal[3], way_sq;
        for (int k = 0; k < 3; k++)
            middle[k] = (triangle[0][k] + triangle[1][k] + triangle[2][k]) / 3;
        way_sq = gap_sq(middle, job->centre);
        if (way_sq < least && scree_surrogate_normal(triangle, normal) > SCREE_SURROGATE_FLAT) {
            least = way_sq;
            memcpy(start, triangle, sizeof(fit_triangle));
        }
    }
}

static double length_of_nine(const double v[3][3])
{
    double sum = 0;
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            sum += v[c][k] * v[c][k];
    return sqrt(sum);
}

/*  Gradient steps, longer after one that decreased the functional and shorter after one that did not, until they are
    short or do not decrease it. */
static void descend_gradient(const fit_job *job, fit_triangle corner)
{
    fit_triangle gradient, trial, next;
    double value = scree_surrogate_functional(job->room, (const double(*)[3])corner, gradient);
    double step = 0.05 / length_of_nine((const double(*)[3])gradient);
    int idle = 0;
    for (int n = 0; n < DOWNHILL_STEPS && idle < 4 && value < INFINITY; n++) {
        double there;
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                trial[c][k] = corner[c][k] - step * gradient[c][k];
        there = scree_surrogate_functional(job->room, (const double(*)[3])trial, next);
        if (there < value) {
            idle = there < value * (1 - 1e-4) ? 0 : idle + 1;
            value = there;
            memcpy(corner, trial, sizeof trial);
            memcpy(gradient, next, sizeof next);
            step *= 1.5;
        } else {
            idle += step * length_of_nine((const double(*)[3])gradient) < 1e-5;
            step *= 0.4;
        }
    }
}

/* ---- cheaper triangles ---- */

/*  The two ends along the longest direction of the set. */
static void find_ends(const scree_surrogate_room *room, double end[2][3])
{
    double direction[49][3], longest = -1;
    uint32_t count = list_directions(direction);
    for (uint32_t d = 0; d < count; d++) {
        uint32_t low = 0, high = 0;
        double least = INFINITY, most = -INFINITY, norm;
        for (uint32_t i = 0; i < room->outline_count; i++) {
            double at = scree_dot(direction[d], room->outline[i]);
            if (at < least) {
                least = at;
                low = i;
            }
            if (at > most) {
                most = at;
                high = i;
            }
        }
        norm = (most - least) / scree_length(direction[d]);
        if (norm > longest) {
            longest = norm;
            memcpy(end[0], room->outline[low], sizeof end[0]);
            memcpy(end[1], room->outline[high], sizeof end[1]);
        }
    }
}

/*  The corner of the hull that is farthest from the segment between the ends. */
static void find_third(const scree_surrogate_room *room, double end[2][3], double third[3])
{
    double edge[3], max_sq = -1;
    for (int k = 0; k < 3; k++)
        edge[k] = end[1][k] - end[0][k];
    for (uint32_t i = 0; i < room->outline_count; i++) {
        double place[3], point[3], share[2], way_sq;
        for (int k = 0; k < 3; k++)
            place[k] = room->outline[i][k] - end[0][k];
        scree_surrogate_nearest(place, edge, edge, share);
        for (int k = 0; k < 3; k++)
            point[k] = (share[0] + share[1]) * edge[k];
        way_sq = gap_sq(place, point);
        if (way_sq > max_sq) {
            max_sq = way_sq;
            memcpy(third, room->outline[i], 3 * sizeof(double));
        }
    }
}

/*  A triangle contracted towards a point. */
static void offer_shrunk(const fit_job *job, const double corner[3][3], const double middle[3],
                         double share, fit_triangle best, double *cost)
{
    fit_triangle smaller;
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            smaller[c][k] = middle[k] + share * (corner[c][k] - middle[k]);
    offer_triangle(job, (const double(*)[3])smaller, best, cost);
}

/*  Segment and triangle between corners that are far apart, contracted towards their middle. */
static void offer_spans(const fit_job *job, fit_triangle best, double *cost)
{
    static const double share[] = {0.9, 0.7, 0.5, 0.3};
    fit_triangle span = {{0}};
    find_ends(job->room, span);
    find_third(job->room, span, span[2]);
    for (int sort = 0; sort < 2; sort++) {
        double middle[3];
        if (sort)
            memcpy(span[2], span[1], sizeof span[2]);
        for (int k = 0; k < 3; k++)
            middle[k] =
                sort ? 0.5 * (span[0][k] + span[1][k]) : (span[0][k] + span[1][k] + span[2][k]) / 3;
        for (size_t n = 0; n < SCREE_COUNT_OF(share); n++)
            offer_shrunk(job, (const double(*)[3])span, middle, share[n], best, cost);
    }
}

/*  One step of one corner, or of all three, along one axis. */
static void step_corner(fit_triangle corner, int which, int axis, double by)
{
    for (int c = 0; c < 3; c++)
        if (which == 3 || which == c)
            corner[c][axis] += by;
}

/*  Takes every step that decreases the cost; halves the steps when none does. (Hooke and Jeeves 1961) */
static void tighten_triangle(const fit_job *job, fit_triangle best, double *cost)
{
    double step = 1.0 / 8;
    int trials = 0;
    while (step > 1.0 / 300 && trials < COST_TRIALS) {
        double before = *cost;
        for (int move = 0; move < 24; move++) {
            fit_triangle corner;
            memcpy(corner, best, sizeof corner);
            step_corner(corner, move / 6, move / 2 % 3, move % 2 ? -step : step);
            offer_triangle(job, (const double(*)[3])corner, best, cost);
        }
        trials += 24;
        if (!(*cost < before * (1 - 1e-3)))
            step *= 0.5;
    }
}

/* ---- the whole fit ---- */

void scree_surrogate_fit(const scree_facet_set *set, bool tighten, scree_surrogate_room *room,
                         double corner[3][3], double *radius)
{
    fit_job job = {.set = set, .room = room};
    fit_triangle best = {{0}}, trial;
    double cost = INFINITY;
    if (!set_fit_frame(&job)) {
        for (int c = 0; c < 3; c++)
            memcpy(corner[c], scree_facet_corner(set, 0, 0), sizeof corner[c]);
        *radius = 0;
        return;
    }
    room->simd = scree_simd_resolve(SCREE_SIMD_AUTO);
    sample_facets(&job);
    scree_surrogate_line_up_triangles(room);
    make_outline(&job);
    scree_surrogate_line_up_outline(room);
    for (int c = 0; c < 3; c++)
        memcpy(trial[c], job.centre, sizeof trial[c]);
    offer_triangle(&job, (const double(*)[3])trial, best, &cost);
    copy_one(&job, trial);
    offer_triangle(&job, (const double(*)[3])trial, best, &cost);
    descend_gradient(&job, trial);
    offer_triangle(&job, (const double(*)[3])trial, best, &cost);
    if (tighten) {
        offer_spans(&job, best, &cost);
        tighten_triangle(&job, best, &cost);
    }
    put_in_body(&job, (const double(*)[3])best, corner);
    *radius = scree_surrogate_radius(set, (const double(*)[3])corner);
}
