#include "narrow/superquadric_gap.h"

#include "base/vector.h"

#include <math.h>
#include <string.h>

/*  Enough in every case that tests know; the result is a lower bound of the distance after any number. */
#define MAX_STEPS 100u
/*  Attempts of one step, each a quarter as long as the one before. */
#define MAX_CUTS 20
/*  In units of the size of the pair: the gain of a step below which rounding hides it, */
#define GRAIN 1e-13
/*  and below which the normal is exact to 1e-11. */
#define DONE 1e-23
/*  The largest change of the direction in one step, as a tangent. */
#define MAX_TURN 1.0
/*  Short ones. */
#define SHORT 0.2
/*  Overlaps above this share of the radius of curvature may have several maxima. */
#define DEEP 0.5

typedef struct gap_search
{
    const scree_quadric_body *body[2]; /* the second is NULL for a point: */
    double point[3];
    const double *across;
    double size;
    bool is_round; /* all bodies are */
} gap_search;

/*  What a body does when the direction changes: in its frame, and along the two axes (11, 12, 22). */
typedef struct gap_bend
{
    double local[3][3], along[2][3], flat[3];
} gap_bend;

/*  A direction, and what is known of it. */
typedef struct gap_state
{
    double normal[3], point[2][3], distance;
    bool has_bends; /* in the frames of the bodies */
    bool is_top;    /* no step would gain anything; without it rounding may hide the last ones */
    gap_bend bend[2];
    double axis
        [2]
        [3]; /* two directions perpendicular to the normal; the second is unused if one is given */
    double rest[2]; /* of the vector between both points, along them */
} gap_state;

/* ---- frames ---- */

static void to_body(const scree_quadric_body *body, const double way[3], double local[3])
{
    for (int k = 0; k < 3; k++)
        local[k] =
            body->turn[0][k] * way[0] + body->turn[1][k] * way[1] + body->turn[2][k] * way[2];
}

static void to_space(const scree_quadric_body *body, const double local[3], double way[3])
{
    for (int k = 0; k < 3; k++)
        way[k] = scree_dot(body->turn[k], local);
}

/*  `bend`: see scree_superquadric_highest. */
static void find_highest(const scree_quadric_body *body, const double way[3], double point[3],
                         double bend[3][3])
{
    double local[3], at[3];

    to_body(body, way, local);
    scree_superquadric_highest(body->shape, local, at, bend);
    to_space(body, at, point);
    for (int k = 0; k < 3; k++)
        point[k] += body->place[k];
}

void scree_quadric_highest(const scree_quadric_body *body, const double way[3], double point[3])
{
    find_highest(body, way, point, NULL);
}

/* ---- directions ---- */

/*  Makes a unit vector, perpendicular to `across` if that is given. Returns false if nothing is left. */
static bool make_unit(const gap_search *g, double way[3])
{
    const double whole = scree_length(way);

    if (g->across) {
        const double along = scree_dot(way, g->across);
        for (int k = 0; k < 3; k++)
            way[k] -= along * g->across[k];
    }
    const double length = scree_length(way);
    if (!(length > 1e-12 * whole))
        return false;
    for (int k = 0; k < 3; k++)
        way[k] /= length;
    return true;
}

/*  Two unit vectors perpendicular to a unit vector. */
static void find_axes(const double normal[3], double axis[2][3])
{
    int least = 0;

    for (int k = 1; k < 3; k++)
        if (fabs(normal[k]) < fabs(normal[least]))
            least = k;
    const double along[3] = {least == 0, least == 1, least == 2};
    scree_cross(normal, along, axis[0]);
    const double length = scree_length(axis[0]);
    for (int k = 0; k < 3; k++)
        axis[0][k] /= length;
    scree_cross(normal, axis[0], axis[1]);
}

static void look_along(const gap_search *g, const double normal[3], bool has_bends,
                       gap_state *state)
{
    const double back[3] = {-normal[0], -normal[1], -normal[2]};
    double way[3];

    memcpy(state->normal, normal, sizeof state->normal);
    state->has_bends = has_bends;
    state->is_top = false;
    find_highest(g->body[0], normal, state->point[0], has_bends ? state->bend[0].local : NULL);
    if (g->body[1])
        find_highest(g->body[1], back, state->point[1], has_bends ? state->bend[1].local : NULL);
    else
        memcpy(state->point[1], g->point, sizeof state->point[1]);
    for (int k = 0; k < 3; k++)
        way[k] = state->point[1][k] - state->point[0][k];
    state->distance = scree_dot(way, normal);
    if (g->across)
        scree_cross(normal, g->across, state->axis[0]);
    else
        find_axes(normal, state->axis);
    state->rest[0] = scree_dot(way, state->axis[0]);
    state->rest[1] = g->across ? 0 : scree_dot(way, state->axis[1]);
}

/* ---- one step ---- */

/*  `sign`: -1 for the second, which looks back. */
static void find_bend(const gap_search *g, gap_state *state, int which, double sign)
{
    const scree_quadric_body *body = g->body[which];
    gap_bend *bend = &state->bend[which];
    double moved[2][3], way[3], at[3];

    bend->flat[0] = bend->flat[1] = bend->flat[2] = 0;
    if (!body)
        return;
    for (int k = 0; k < 3; k++)
        way[k] = sign * state->normal[k];
    if (!state->has_bends)
        find_highest(body, way, at, bend->local);
    const int count = g->across ? 1 : 2;
    for (int i = 0; i < count; i++) {
        to_body(body, state->axis[i], bend->along[i]);
        for (int k = 0; k < 3; k++)
            moved[i][k] = scree_dot(bend->local[k], bend->along[i]);
    }
    bend->flat[0] = scree_dot(bend->along[0], moved[0]);
    if (count == 2) {
        bend->flat[1] = scree_dot(bend->along[0], moved[1]);
        bend->flat[2] = scree_dot(bend->along[1], moved[1]);
    } else {
        memset(bend->along[1], 0, sizeof bend->along[1]);
    }
}

/*  Solves [a b; b c] x = r for a symmetric positive matrix; with one axis only the first row. */
static void solve(const double m[3], const double r[2], bool is_single, double x[2])
{
    if (is_single) {
        x[0] = r[0] / m[0];
        x[1] = 0;
        return;
    }
    /* by elimination with the larger diagonal entry */
    const int i = m[0] >= m[2] ? 0 : 1;
    const double large = i ? m[2] : m[0], small = i ? m[0] : m[2], share = m[1] / large;
    const double left = small - share * m[1];

    x[!i] = left > 0 ? (r[!i] - share * r[i]) / left : 0;
    x[i] = (r[i] - m[1] * x[!i]) / large;
}

/*  Makes a matrix positive: its smaller eigenvalue is raised to a share of the larger one. */
static void make_positive(double m[3], bool is_single, double least)
{
    if (is_single) {
        m[0] = fmax(m[0], least);
        return;
    }
    const double half = 0.5 * (m[0] + m[2]);
    const double root = sqrt(0.25 * (m[0] - m[2]) * (m[0] - m[2]) + m[1] * m[1]);
    const double low = half - root;
    if (low < least) {
        m[0] += least - low;
        m[2] += least - low;
    }
}

/*  The smaller eigenvalue. */
static double smaller_of(const double m[3], bool is_single)
{
    if (is_single)
        return m[0];
    return 0.5 * (m[0] + m[2]) - sqrt(0.25 * (m[0] - m[2]) * (m[0] - m[2]) + m[1] * m[1]);
}

/*  The direction's change along both axes if a body's point moves along its surface as far as the linear change
    `turn` says. Returns false if the surface turns away by a right angle or more. */
static bool follow_surface(const gap_search *g, const gap_state *state, int which, double sign,
                           const gap_bend *bend, const double turn[2], double change[2])
{
    const scree_quadric_body *body = g->body[which];
    double way[3], local[3], normal[3];

    for (int k = 0; k < 3; k++)
        way[k] = state->point[which][k] - body->place[k];
    to_body(body, way, local);
    for (int k = 0; k < 3; k++) {
        const double along[3] = {turn[0] * bend->along[0][0] + turn[1] * bend->along[1][0],
                                 turn[0] * bend->along[0][1] + turn[1] * bend->along[1][1],
                                 turn[0] * bend->along[0][2] + turn[1] * bend->along[1][2]};
        local[k] += sign * scree_dot(bend->local[k], along);
    }
    scree_superquadric_normal(body->shape, local, normal);
    to_space(body, normal, way);
    const double up = sign * scree_dot(way, state->normal);
    if (!(up > 1e-3 * scree_length(way)))
        return false;
    for (int i = 0; i < 2; i++)
        change[i] = sign * scree_dot(way, state->axis[i]) / up;
    if (g->across)
        change[1] = 0;
    return true;
}

static void turn_by(const gap_search *g, const gap_state *state, const double change[2],
                    gap_state *next)
{
    double way[3];

    for (int k = 0; k < 3; k++) {
        way[k] = state->normal[k] + change[0] * state->axis[0][k];
        if (!g->across)
            way[k] += change[1] * state->axis[1][k];
    }
    const double length = scree_length(way);
    for (int k = 0; k < 3; k++)
        way[k] /= length;
    look_along(g, way, true, next);
}

static double rest_sq(const gap_state *state)
{
    return state->rest[0] * state->rest[0] + state->rest[1] * state->rest[1];
}

/*  A step along both surfaces: each body's change of the direction has the weight of its bend. */
static bool step_on_surfaces(const gap_search *g, const gap_state *state, const double turn[2],
                             double change[2])
{
    const gap_bend *bend = state->bend;
    double sum[3], weighted[2] = {0, 0};

    for (int which = 0; which < 2; which++) {
        double own[2];
        if (!g->body[which])
            continue;
        if (!follow_surface(g, state, which, which ? -1 : 1, &bend[which], turn, own))
            return false;
        weighted[0] += bend[which].flat[0] * own[0] + bend[which].flat[1] * own[1];
        weighted[1] += bend[which].flat[1] * own[0] + bend[which].flat[2] * own[1];
    }
    for (int k = 0; k < 3; k++)
        sum[k] = bend[0].flat[k] + bend[1].flat[k];
    make_positive(sum, g->across != NULL, 1e-12 * g->size);
    solve(sum, weighted, g->across != NULL, change);
    return isfinite(change[0]) && isfinite(change[1]);
}

/*  Goes uphill by one step. Returns false if there is no higher place to within rounding. */
static bool climb(const gap_search *g, gap_state *state, double *radius)
{
    const bool is_single = g->across != NULL;
    const gap_bend *bend = state->bend;
    gap_state next;
    double m[3], turn[2], change[2];

    find_bend(g, state, 0, 1);
    find_bend(g, state, 1, -1);
    for (int k = 0; k < 3; k++)
        m[k] = bend[0].flat[k] + bend[1].flat[k];
    *radius = smaller_of(m, is_single);
    m[0] += state->distance;
    m[2] += state->distance;
    make_positive(m, is_single, fmax(0.1 * *radius, 1e-9 * g->size));
    solve(m, state->rest, is_single, turn);
    const double gain = turn[0] * state->rest[0] + turn[1] * state->rest[1];
    state->is_top = !(gain > DONE * g->size);
    if (state->is_top)
        return false;
    const double length = sqrt(turn[0] * turn[0] + turn[1] * turn[1]);
    const double least = smaller_of(m, is_single);
    double share = length > MAX_TURN ? MAX_TURN / length : 1;
    const bool is_last = gain < GRAIN * g->size;
    for (int n = 0; n < (is_last ? 1 : MAX_CUTS); n++, share /= 4) {
        const double part[2] = {share * turn[0], share * turn[1]};
        /* a short step on round bodies needs no surfaces */
        const int first = g->is_round && share * length < SHORT;
        for (int straight = first; straight < 2; straight++) {
            if (straight)
                memcpy(change, part, sizeof change);
            else if (!step_on_surfaces(g, state, part, change))
                continue;
            turn_by(g, state, change, &next);
            /* if rounding hides the gain, the contact points must come nearer to the normal by half */
            const bool is_up = is_last ? next.distance >= state->distance - GRAIN * g->size &&
                                             rest_sq(&next) < 0.25 * rest_sq(state)
                                       : next.distance - state->distance > 1e-4 * share * gain;
            if (is_up) {
                *state = next;
                /* round bodies bend there as they did, so that nothing is left is known without another look */
                state->is_top = g->is_round && rest_sq(state) < 0.1 * DONE * g->size * least;
                return true;
            }
        }
    }
    return false;
}

/* ---- starts ---- */

#define MAX_STARTS 4

/*  The normal of the body's surface where the line of centres crosses it. */
static bool start_at_surface(const gap_search *g, int which, const double centres[3], double way[3])
{
    const scree_quadric_body *body = g->body[which];
    const double sign = which ? -1 : 1;
    double local[3], normal[3];

    for (int k = 0; k < 3; k++)
        way[k] = sign * centres[k];
    to_body(body, way, local);
    scree_superquadric_normal(body->shape, local, normal);
    to_space(body, normal, way);
    for (int k = 0; k < 3; k++)
        way[k] *= sign;
    return make_unit(g, way);
}

/*  Adds the directions that are known from places alone. Ends with the line of centres if that proves that bodies are farther
    apart than `reach`. Returns their number, at least one. */
static int find_starts(const gap_search *g, double reach, gap_state starts[MAX_STARTS], int count)
{
    double centres[3], way[3];

    for (int k = 0; k < 3; k++)
        way[k] = centres[k] =
            (g->body[1] ? g->body[1]->place[k] : g->point[k]) - g->body[0]->place[k];
    if (make_unit(g, way))
        look_along(g, way, false, &starts[count++]);
    if (count > 0 && !(starts[count - 1].distance < reach))
        return count;
    for (int which = 0; which < 2; which++)
        if (g->body[which] && start_at_surface(g, which, centres, way))
            look_along(g, way, false, &starts[count++]);
    /* the centres coincide, or are on one line with `across` */
    for (int n = 0; n < 3 && count == 0; n++) {
        for (int k = 0; k < 3; k++)
            way[k] = g->body[0]->turn[k][n];
        if (make_unit(g, way))
            look_along(g, way, false, &starts[count++]);
    }
    return count;
}

/*  Puts the best one first. */
static void sort_starts(gap_state starts[MAX_STARTS], int count)
{
    int best = 0;

    for (int n = 1; n < count; n++)
        best = starts[n].distance > starts[best].distance ? n : best;
    if (best > 0) {
        const gap_state other = starts[0];
        starts[0] = starts[best];
        starts[best] = other;
    }
}

/*  Returns whether the overlap is so large that there may be other tops. */
static bool climb_all(const gap_search *g, gap_state *state, double reach, uint32_t *steps)
{
    double radius = 0;

    for (uint32_t n = 0; n < MAX_STEPS && state->distance < reach && !state->is_top; n++) {
        if (!climb(g, state, &radius))
            break;
        ++*steps;
    }
    return -state->distance > DEEP * radius;
}

/*  `start`: where the last search ended, or NULL. If bodies overlap deeply all starts are tried. */
static scree_quadric_gap search(const gap_search *g, double reach, const double *start)
{
    gap_state starts[MAX_STARTS];
    uint32_t steps = 0;
    int best = 0, count = 0;
    bool is_deep = true;

    if (start && scree_dot(start, start) > 0.5) {
        double way[3] = {start[0], start[1], start[2]};
        if (make_unit(g, way)) {
            look_along(g, way, true, &starts[count++]);
            is_deep = climb_all(g, &starts[0], reach, &steps);
            /* where flat surfaces lie on each other the last steps decide where they touch: all are made again */
            if (!starts[0].is_top && starts[0].distance < reach)
                count = 0;
        }
    }
    const int known = count;
    if (is_deep || known == 0)
        count = find_starts(g, reach, starts, count);
    if (known == 0) {
        sort_starts(starts, count);
        is_deep = climb_all(g, &starts[0], reach, &steps);
    }
    for (int n = 1; n < count && is_deep; n++) {
        climb_all(g, &starts[n], reach, &steps);
        best = starts[n].distance > starts[best].distance ? n : best;
    }
    scree_quadric_gap gap = {.distance = starts[best].distance, .steps = steps};
    memcpy(gap.normal, starts[best].normal, sizeof gap.normal);
    memcpy(gap.point, starts[best].point, sizeof gap.point);
    return gap;
}

scree_quadric_gap scree_quadric_gap_of(const scree_quadric_body *first,
                                       const scree_quadric_body *second, const double *across,
                                       double reach, const double *start)
{
    const gap_search g = {.body = {first, second},
                          .across = across,
                          .size = first->shape->far + second->shape->far,
                          .is_round = first->shape->is_round && second->shape->is_round};

    return search(&g, reach, start);
}

scree_quadric_gap scree_quadric_gap_of_point(const scree_quadric_body *body, const double point[3],
                                             const double *across, double reach,
                                             const double *start)
{
    const gap_search g = {.body = {body, NULL},
                          .point = {point[0], point[1], point[2]},
                          .across = across,
                          .size = body->shape->far,
                          .is_round = body->shape->is_round};

    return search(&g, reach, start);
}
