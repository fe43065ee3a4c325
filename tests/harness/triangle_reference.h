/*  The distance of two triangles, slowly and obviously: in long double, by trying all faces of the one (corners,
    edges, the inside) with all of the other, and taking the least of what lies in them. And pairs of triangles of
    all sorts. */
#ifndef SCREE_TRIANGLE_REFERENCE_H
#define SCREE_TRIANGLE_REFERENCE_H

#include "base/random.h"
#include "narrow/triangle_distance.h"

#include <math.h>

typedef struct triangle_pair
{
    double corner[2][3][3];
} triangle_pair;

/* ---- the reference ---- */

/*  A corner, and the ways from there along one or two edges. */
typedef struct reference_face
{
    int ways;
    long double begin[3], way[2][3];
} reference_face;

static void reference_faces(const triangle_pair *pair, int side, reference_face face[7])
{
    const double(*triangle)[3] = pair->corner[side], *origin = pair->corner[0][0];
    static const int from[7] = {0, 1, 2, 0, 0, 1, 0}, to[7] = {0, 0, 0, 1, 2, 2, 1};
    for (int f = 0; f < 7; f++) {
        face[f].ways = f < 3 ? 0 : f < 6 ? 1 : 2;
        for (int k = 0; k < 3; k++) {
            face[f].begin[k] = (long double)triangle[from[f]][k] - (long double)origin[k];
            face[f].way[0][k] = (long double)triangle[to[f]][k] - (long double)triangle[from[f]][k];
            face[f].way[1][k] = (long double)triangle[2][k] - (long double)triangle[0][k];
        }
    }
}

/*  Solves n equations with the largest pivots; false if they are dependent. */
static int reference_solve(int n, long double m[3][4], long double x[3])
{
    int order[3] = {0, 1, 2};
    for (int i = 0; i < n; i++) {
        int row = i, column = i;
        for (int r = i; r < n; r++)
            for (int c = i; c < n; c++)
                if (fabsl(m[r][c]) > fabsl(m[row][column])) {
                    row = r;
                    column = c;
                }
        if (!(fabsl(m[row][column]) > 0))
            return 0;
        for (int c = 0; c <= 3; c++) {
            long double keep = m[i][c];
            m[i][c] = m[row][c];
            m[row][c] = keep;
        }
        for (int r = 0; r < n; r++) {
            long double keep = m[r][i];
            m[r][i] = m[r][column];
            m[r][column] = keep;
        }
        int keep = order[i];
        order[i] = order[column];
        order[column] = keep;
        for (int r = i + 1; r < n; r++) {
            long double factor = m[r][i] / m[i][i];
            for (int c = i; c <= 3; c++)
                m[r][c] -= factor * m[i][c];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        long double sum = m[i][3];
        for (int c = i + 1; c < n; c++)
            sum -= m[i][c] * x[order[c]];
        x[order[i]] = sum / m[i][i];
    }
    return 1;
}

static int reference_inside(int ways, const long double *x)
{
    long double sum = 0;
    for (int k = 0; k < ways; k++) {
        if (!(x[k] >= 0))
            return 0;
        sum += x[k];
    }
    return sum <= 1;
}

/*  The least distance squared between the planes, lines or points of two faces, if it is in them. */
static long double reference_face_pair(const reference_face *a, const reference_face *b)
{
    int n = a->ways + b->ways;
    long double way[4][3], m[3][4], x[3] = {0, 0, 0}, from[3], square = 0;
    if (n > 3)
        return INFINITY; /* where two insides are nearest, an edge of one is as near */
    for (int k = 0; k < 3; k++) {
        from[k] = a->begin[k] - b->begin[k];
        for (int w = 0; w < n; w++)
            way[w][k] = w < a->ways ? a->way[w][k] : -b->way[w - a->ways][k];
    }
    for (int i = 0; i < n; i++) {
        m[i][3] = 0;
        for (int j = 0; j < n; j++)
            m[i][j] = way[i][0] * way[j][0] + way[i][1] * way[j][1] + way[i][2] * way[j][2];
        for (int k = 0; k < 3; k++)
            m[i][3] -= way[i][k] * from[k];
    }
    if (n > 0 && !reference_solve(n, m, x))
        return INFINITY;
    if (!reference_inside(a->ways, x) || !reference_inside(b->ways, x + a->ways))
        return INFINITY;
    for (int k = 0; k < 3; k++) {
        long double d = from[k];
        for (int w = 0; w < n; w++)
            d += x[w] * way[w][k];
        square += d * d;
    }
    return square;
}

static inline long double reference_distance_sq(const triangle_pair *pair)
{
    reference_face a[7], b[7];
    long double least = INFINITY;
    reference_faces(pair, 0, a);
    reference_faces(pair, 1, b);
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++)
            least = fminl(least, reference_face_pair(&a[i], &b[j]));
    return least;
}

static scree_gap gap_of(const triangle_pair *pair)
{
    return scree_triangle_distance(pair->corner[0], pair->corner[1]);
}

/*  The largest coordinate as seen from the first corner. */
static double pair_size(const triangle_pair *pair)
{
    double size = 0;
    for (int s = 0; s < 2; s++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                size = fmax(size, fabs(pair->corner[s][c][k] - pair->corner[0][0][k]));
    return size;
}

/* ---- pairs of all sorts ---- */

enum
{
    PAIR_NEAR,
    PAIR_FAR,
    PAIR_NEEDLES,
    PAIR_SEGMENTS,
    PAIR_POINTS,
    PAIR_IN_PLANE,
    PAIR_IN_PARALLEL_PLANES,
    PAIR_SHARED_CORNER,
    PAIR_SHARED_EDGE,
    PAIR_SAME,
    PAIR_CROSSING,
    PAIR_NEARLY_PARALLEL,
    PAIR_LATTICE,
    PAIR_OF_SIZES,
    PAIR_SORTS,
};

static void pair_of_points_at_random(scree_random *random, double spread, triangle_pair *pair)
{
    for (int s = 0; s < 2; s++) {
        double shift[3];
        for (int k = 0; k < 3; k++)
            shift[k] = s * scree_random_range(random, -spread, spread);
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                pair->corner[s][c][k] = shift[k] + scree_random_range(random, -1, 1);
    }
}

/*  to = a + share (b - a), and a little off */
static void set_between(scree_random *random, double to[3], const double a[3], const double b[3],
                        double share, double off)
{
    for (int k = 0; k < 3; k++)
        to[k] = a[k] + share * (b[k] - a[k]) + off * scree_random_range(random, -1, 1);
}

static void flatten_triangle(scree_random *random, double triangle[3][3], double off)
{
    set_between(random, triangle[2], triangle[0], triangle[1],
                scree_random_range(random, -0.5, 1.5), off);
}

/*  Edges of the second along edges of the first, turned by a little. */
static void make_nearly_parallel(scree_random *random, triangle_pair *pair)
{
    double off = scree_random_log_uniform(random, 1e-17, 1e-2);
    double height = scree_random_log_uniform(random, 1e-6, 1);
    double slide = scree_random_range(random, -1.2, 1.2);
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            pair->corner[1][c][k] = pair->corner[0][c][k] + (k == 2 ? height : 0) +
                                    slide * (pair->corner[0][1][k] - pair->corner[0][0][k]) +
                                    off * scree_random_range(random, -1, 1);
    if (scree_random_below(random, 2))
        flatten_triangle(random, pair->corner[scree_random_below(random, 2)], off);
}

static void make_special(scree_random *random, int sort, triangle_pair *pair)
{
    double(*a)[3] = pair->corner[0], (*b)[3] = pair->corner[1];
    uint32_t i = scree_random_below(random, 3), j = scree_random_below(random, 3);
    switch (sort) {
    case PAIR_SHARED_CORNER:
        memcpy(b[j], a[i], sizeof *a);
        break;
    case PAIR_SHARED_EDGE:
        memcpy(b[j], a[i], sizeof *a);
        memcpy(b[(j + 1) % 3], a[(i + 1) % 3], sizeof *a);
        break;
    case PAIR_SAME:
        for (int c = 0; c < 3; c++)
            memcpy(b[((uint32_t)c + i) % 3], a[c], sizeof *a);
        break;
    case PAIR_CROSSING: /* an edge of the second through the middle of the first */
        for (int k = 0; k < 3; k++) {
            double middle = (a[0][k] + a[1][k] + a[2][k]) / 3;
            b[1][k] = middle - scree_random_range(random, 0.5, 1) * (b[0][k] - middle);
        }
        break;
    default:
        make_nearly_parallel(random, pair);
        break;
    }
}

static void make_pair(scree_random *random, int sort, triangle_pair *pair)
{
    double spread = sort == PAIR_FAR ? 100 : 1.5;
    pair_of_points_at_random(random, spread, pair);
    for (int s = 0; s < 2; s++) {
        double(*t)[3] = pair->corner[s];
        if (sort == PAIR_NEEDLES)
            flatten_triangle(random, t, scree_random_log_uniform(random, 1e-14, 1e-2));
        if (sort == PAIR_SEGMENTS || sort == PAIR_POINTS)
            memcpy(t[2], t[1], sizeof *t);
        if (sort == PAIR_POINTS)
            memcpy(t[1], t[2 * scree_random_below(random, 2)], sizeof *t);
        if (sort == PAIR_POINTS && s == 0)
            memcpy(t[0], t[1], sizeof *t), memcpy(t[2], t[1], sizeof *t);
        for (int c = 0; c < 3; c++) {
            if (sort == PAIR_IN_PLANE)
                t[c][2] = 0.25;
            if (sort == PAIR_IN_PARALLEL_PLANES)
                t[c][2] = s * 0.1;
            for (int k = 0; k < 3; k++) {
                if (sort == PAIR_LATTICE)
                    t[c][k] = floor(2 * t[c][k]);
                if (sort == PAIR_OF_SIZES && s == 0)
                    t[c][k] *= 3e4;
            }
        }
    }
    if (sort >= PAIR_SHARED_CORNER && sort <= PAIR_NEARLY_PARALLEL)
        make_special(random, sort, pair);
}

/*  All coordinates times a factor, then moved. */
static void place_pair(triangle_pair *pair, double factor, double offset)
{
    for (int s = 0; s < 2; s++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                pair->corner[s][c][k] = factor * pair->corner[s][c][k] + (k + 1) * offset;
}

#endif
