/*  By Green's theorem an integral over an area is one along its boundary, and the boundary of a union of discs consists
    of those arcs of circles that no other disc covers. Along an arc x = a + r cos t, y = b + r sin t, so each integral
    is a sum of integrals of products of cosines and sines, which have closed forms. */
#include "shape/disc_union.h"

#include "base/portable_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/*  From -pi to pi. */
static double angle_of(double x, double y)
{
    if (fabs(y) <= fabs(x))
        return x > 0 ? scree_atan(y / x) : scree_atan(y / x) + (y < 0 ? -PI : PI);
    return (y > 0 ? PI / 2 : -PI / 2) - scree_atan(x / y);
}

/* ---- covered arcs ---- */

static void push_arc(scree_arc *arcs, size_t *count, double begin, double end)
{
    arcs[(*count)++] = (scree_arc){begin, end};
}

/*  Adds the part of the circle of disc i that disc j covers, from -pi to pi. Returns false if it is all of it. Of equal
    discs the first has the boundary. The half angle is computed from the sides of a triangle, with differences that
    lose no digits. */
static bool cover(const double (*discs)[3], size_t i, size_t j, scree_arc *arcs, size_t *count)
{
    double x = discs[j][0] - discs[i][0], y = discs[j][1] - discs[i][1];
    double away = sqrt(x * x + y * y), ri = discs[i][2], rj = discs[j][2];

    if (away >= ri + rj)
        return true;
    if (rj >= ri + away)
        return away == 0 && ri == rj && i < j;
    if (ri >= rj + away)
        return true;
    double middle = angle_of(x, y);
    double half = 2 * angle_of(sqrt((away + ri - rj) * (away + ri + rj)),
                               sqrt((ri + rj - away) * (rj + away - ri)));
    double begin = middle - half, end = middle + half;
    if (begin < -PI) {
        push_arc(arcs, count, begin + 2 * PI, PI);
        push_arc(arcs, count, -PI, end);
    } else if (end > PI) {
        push_arc(arcs, count, begin, PI);
        push_arc(arcs, count, -PI, end - 2 * PI);
    } else {
        push_arc(arcs, count, begin, end);
    }
    return true;
}

static int compare_arcs(const void *a, const void *b)
{
    const scree_arc *first = a, *second = b;

    return (first->begin > second->begin) - (first->begin < second->begin);
}

/* ---- integrals along an arc ---- */

/*  c^p s^q denotes the integral of cos^p sin^q. */
typedef struct arc_integrals
{
    double none, c, s, cc, ss, cs, ccc, sss, ccs, cccc, ssss, cccs;
} arc_integrals;

static arc_integrals integrate_arc(double begin, double end)
{
    arc_integrals m;
    double sa, ca, sb, cb;

    scree_sin_cos(begin, &sa, &ca);
    scree_sin_cos(end, &sb, &cb);
    m.none = end - begin;
    m.c = sb - sa;
    m.s = ca - cb;
    m.cc = 0.5 * (m.none + (sb * cb - sa * ca));
    m.ss = m.none - m.cc;
    m.cs = 0.5 * (sb * sb - sa * sa);
    m.ccc = m.c - (sb * sb * sb - sa * sa * sa) / 3;
    m.sss = m.s + (cb * cb * cb - ca * ca * ca) / 3;
    m.ccs = -(cb * cb * cb - ca * ca * ca) / 3;
    m.cccc = 0.25 * (cb * cb * cb * sb - ca * ca * ca * sa) + 0.75 * m.cc;
    m.ssss = -0.25 * (sb * sb * sb * cb - sa * sa * sa * ca) + 0.75 * m.ss;
    m.cccs = -0.25 * (cb * cb * cb * cb - ca * ca * ca * ca);
    return m;
}

/*  Along the boundary counter-clockwise: the area is the integral of (x dy - y dx) / 2, those of x, xx and xy are of xx
    dy / 2, xxx dy / 3 and xxy dy / 2, those of y and yy of -yy dx / 2 and -yyy dx / 3. */
static void add_arc(const double disc[3], double begin, double end, double moments[6])
{
    arc_integrals m = integrate_arc(begin, end);
    double a = disc[0], b = disc[1], r = disc[2], rr = r * r;

    moments[0] += 0.5 * r * (a * m.c + b * m.s + r * m.none);
    moments[1] += 0.5 * r * (a * a * m.c + 2 * a * r * m.cc + rr * m.ccc);
    moments[2] += 0.5 * r * (b * b * m.s + 2 * b * r * m.ss + rr * m.sss);
    moments[3] += r * (a * a * (a * m.c + 3 * r * m.cc) + rr * (3 * a * m.ccc + r * m.cccc)) / 3;
    moments[4] += r * (b * b * (b * m.s + 3 * r * m.ss) + rr * (3 * b * m.sss + r * m.ssss)) / 3;
    moments[5] += 0.5 * r *
                  (b * (a * a * m.c + 2 * a * r * m.cc + rr * m.ccc) +
                   r * (a * a * m.cs + 2 * a * r * m.ccs + rr * m.cccs));
}

/*  Does the same for a whole circle. Sums along arcs would leave rounding errors of (a, b), in which a small disc far
    from the origin would be lost. */
static void add_circle(const double disc[3], double moments[6])
{
    double a = disc[0], b = disc[1], rr = disc[2] * disc[2], area = PI * rr;

    moments[0] += area;
    moments[1] += area * a;
    moments[2] += area * b;
    moments[3] += area * (a * a + 0.25 * rr);
    moments[4] += area * (b * b + 0.25 * rr);
    moments[5] += area * a * b;
}

/*  The arcs between covered ones. */
static void add_boundary(const double disc[3], scree_arc *arcs, size_t count, double moments[6])
{
    double at = -PI;

    if (count == 0) {
        add_circle(disc, moments);
        return;
    }
    if (count > 1)
        qsort(arcs, count, sizeof *arcs, compare_arcs);
    for (size_t k = 0; k < count; k++) {
        if (arcs[k].begin > at)
            add_arc(disc, at, arcs[k].begin, moments);
        at = arcs[k].end > at ? arcs[k].end : at;
    }
    if (at < PI)
        add_arc(disc, at, PI, moments);
}

void scree_disc_union(const double (*discs)[3], const scree_near_discs *which, scree_arc *room,
                      double moments[SCREE_DISC_MOMENTS])
{
    memset(moments, 0, SCREE_DISC_MOMENTS * sizeof *moments);
    for (size_t n = 0; n < which->count; n++) {
        size_t i = which->disc[n], arcs = 0;
        bool is_seen = discs[i][2] > 0;
        for (size_t k = which->start[i]; k < which->start[i + 1] && is_seen; k++)
            is_seen =
                !(discs[which->near[k]][2] > 0) || cover(discs, i, which->near[k], room, &arcs);
        if (is_seen)
            add_boundary(discs[i], room, arcs, moments);
    }
}
