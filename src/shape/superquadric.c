#include "shape/superquadric.h"

#include "base/portable_math.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
/*  Components of a direction count as at least this share of it in derivatives, which are infinite at 0. */
#define SMALL_SHARE 1e-8

/* ---- sizes ---- */

static double power(double base, double exponent)
{
    if (exponent == 1 || base == 1)
        return base;
    return base > 0 ? scree_pow(base, exponent) : 0;
}

/*  The largest Euclidean length of (a s, b t) with |s|^p + |t|^p = 1: by Lagrange's condition, the norm of (a, b) with the
    exponent 2 p / (p - 2). */
static double longest(double a, double b, double p)
{
    const double large = fmax(a, b), share = fmin(a, b) / large;

    if (p == 2 || share == 0)
        return large;
    const double r = 2 * p / (p - 2);
    return large * scree_pow(1 + scree_pow(share, r), 1 / r);
}

scree_superquadric scree_superquadric_of(const double radii[3], const double exponents[2])
{
    scree_superquadric s = {.is_round = exponents[0] == 2 && exponents[1] == 2};

    memcpy(s.radii, radii, sizeof s.radii);
    memcpy(s.exponents, exponents, sizeof s.exponents);
    for (int k = 0; k < 2; k++) {
        s.dual[k] = exponents[k] / (exponents[k] - 1);
        s.whole[k] = exponents[k] == (int)exponents[k] ? (int)exponents[k] : 0;
        s.least[k] = power(SMALL_SHARE, s.dual[k] - 1);
    }
    s.thin = fmin(radii[0], radii[1]);
    s.far = longest(radii[0], radii[1], exponents[1]);
    if (radii[2] > 0) {
        s.thin = fmin(s.thin, radii[2]);
        s.far = longest(s.far, radii[2], exponents[0]);
    }
    return s;
}

/* ---- mass ---- */

/*  ln Gamma by Stirling's series (Abramowitz and Stegun 6.1.41) above 15, where five terms are exact to rounding. */
static double ln_gamma(double x)
{
    double below = 1;

    while (x < 15) {
        below *= x;
        x += 1;
    }
    const double i = 1 / x, i_sq = i * i;
    const double series =
        i *
        (1 / 12.0 - i_sq * (1 / 360.0 - i_sq * (1 / 1260.0 - i_sq * (1 / 1680.0 - i_sq / 1188))));
    return (x - 0.5) * scree_ln(x) - x + 0.91893853320467274178 + series - scree_ln(below);
}

/*  The integral of |s|^i |t|^j over |s|^p + |t|^p <= 1 (Dirichlet), i and j even. */
static double plane_moment(double p, int i, int j)
{
    const double u = (i + 1) / p, v = (j + 1) / p;

    return 4 / (p * p) * scree_exp(ln_gamma(u) + ln_gamma(v) - ln_gamma(1 + u + v));
}

/*  The integral of |t|^i (1 - |t|^p)^(k/p) over -1 <= t <= 1: of slices across z, whose moments in their plane grow as
    the k-th power of their size. */
static double slice_moment(double p, int i, int k)
{
    const double u = (i + 1) / p, v = k / p + 1;

    return 2 / p * scree_exp(ln_gamma(u) + ln_gamma(v) - ln_gamma(u + v));
}

void scree_superquadric_solid(const scree_superquadric *shape, double density,
                              scree_mesh_solid *solid)
{
    const double *r = shape->radii, m = shape->exponents[0], n = shape->exponents[1];
    const bool is_flat = r[2] == 0;
    /* volume, and means of x^2, y^2 and z^2 over squares of half axes */
    double volume = is_flat ? PI : 4 * PI / 3, mean[3];

    for (int k = 0; k < 3; k++)
        mean[k] = is_flat ? 0.25 : 0.2;
    if (!shape->is_round) {
        const double area = plane_moment(n, 0, 0);
        volume = is_flat ? area : area * slice_moment(m, 0, 2);
        mean[0] = plane_moment(n, 2, 0) * (is_flat ? 1 : slice_moment(m, 0, 4)) / volume;
        mean[1] = mean[0];
        mean[2] = is_flat ? 0 : area * slice_moment(m, 2, 2) / volume;
    }
    solid->volume = volume * r[0] * r[1] * (is_flat ? 1 : r[2]);
    solid->mass = density * solid->volume;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        solid->principal[k] = solid->mass * (mean[i] * r[i] * r[i] + mean[j] * r[j] * r[j]);
    }
    if (is_flat)
        solid->principal[0] = solid->principal[1] = solid->principal[2];
    for (int k = 0; k < 3; k++) {
        solid->centre[k] = solid->orientation[1 + k] = 0;
        for (int j = 0; j < 3; j++)
            solid->inertia[k][j] = k == j ? solid->principal[k] : 0;
    }
    solid->orientation[0] = 1;
}

/* ---- highest points ---- */

/*  WHOLE EXPONENTS. Powers with them are products, and most of their roots are of two and three, which take a fraction
    of the time of scree_pow. */
static double product_of(double base, int count)
{
    double product = base;

    for (int k = 1; k < count; k++)
        product *= base;
    return product;
}

static double root_of(double x, int n)
{
    switch (n) {
    case 1:
        return x;
    case 2:
        return sqrt(x);
    case 3:
        return scree_cube_root(x);
    case 4:
        return sqrt(sqrt(x));
    case 6:
        return sqrt(scree_cube_root(x));
    default:
        return power(x, 1.0 / n);
    }
}

/*  The n-th root of a number in 1 .. 2. A parabola is within 0.0035 of it, and each of Halley's steps turns an error e into
    (n^2 - 1) / 12 e^3: the first leaves 3e-8, the second nothing but rounding. */
static double root_of_sum(double sum, int n)
{
    const double over = sum - 1;
    double root = 1 + over / n * (1 - 0.33 * over * (n - 1) / n);

    if (n == 2)
        return sqrt(sum);
    for (int k = 0; k < 2; k++) {
        const double whole = product_of(root, n);
        root *= ((n - 1) * whole + (n + 1) * sum) / ((n + 1) * whole + (n - 1) * sum);
    }
    return root;
}

/*  The norm (x^q + y^q)^(1/q) of two numbers that are not negative, and its derivatives, which are in 0 .. 1. `q` is the
    exponent of this number of the shape, or its dual. */
static double two_norm(const scree_superquadric *shape, int number, bool is_dual, double x,
                       double y, double slope[2])
{
    const double large = fmax(x, y), small = fmin(x, y);
    const double q = is_dual ? shape->dual[number] : shape->exponents[number];
    const int whole = shape->whole[number];
    double norm;

    slope[0] = slope[1] = 0;
    if (!(large > 0))
        return 0;
    /* one of the two shares is 1, so one power is left; with S the sum of the q-th powers, N^(q-1) is S / N */
    const double share = small / large;
    const double steep = !whole    ? power(share, q - 1)
                         : is_dual ? root_of(share, whole - 1)
                                   : product_of(share, whole - 1);
    const double sum = 1 + share * steep;
    if (whole) {
        const double root = root_of_sum(sum, whole);
        norm = is_dual ? sum / root : root;
    } else {
        norm = scree_pow(sum, 1 / q);
    }
    slope[x < y] = norm / sum;
    slope[x >= y] = steep * (norm / sum);
    return large * norm;
}

/*  Second derivatives xx, xy, yy of the norm. With s = x / N and t = y / N they are (q - 1) / N times s^(q-2) t^q,
    - (s t)^(q-1) and t^(q-2) s^q. Shares below SMALL_SHARE count as that, whose slope is `least`. */
static void two_norm_bend(double x, double y, double norm, double q, double least,
                          const double slope[2], double bend[3])
{
    const double s = fmax(x / norm, SMALL_SHARE), t = fmax(y / norm, SMALL_SHARE);
    const double a = fmax(slope[0], least), b = fmax(slope[1], least);

    /* s^(q-2) t^q is (s^(q-1) / s) (t^(q-1) t) */
    bend[0] = (q - 1) / norm * (a / s) * (b * t);
    bend[1] = -(q - 1) / norm * slope[0] * slope[1];
    bend[2] = (q - 1) / norm * (b / t) * (a * s);
}

static void highest_of_ellipsoid(const scree_superquadric *shape, const double way[3],
                                 double point[3], double bend[3][3])
{
    double along[3], sum = 0;

    for (int k = 0; k < 3; k++) {
        along[k] = shape->radii[k] * way[k];
        sum += along[k] * along[k];
    }
    const double height = sqrt(sum);
    for (int k = 0; k < 3; k++)
        point[k] = shape->radii[k] * (along[k] / height);
    for (int k = 0; k < 3 && bend; k++)
        for (int j = 0; j < 3; j++)
            bend[k][j] =
                ((k == j ? shape->radii[k] * shape->radii[k] : 0) - point[k] * point[j]) / height;
}

/*  The derivative of the gradient of N(M(x, y), z), with the inner norm M. */
static void bend_of(const scree_superquadric *shape, const double size[3], const double sign[3],
                    const double norm[2], const double inner[2], const double outer[2],
                    double bend[3][3])
{
    const double q = shape->dual[1], p = shape->dual[0];
    const double least = SMALL_SHARE * norm[1];
    double in[3], out[3], m[3][3];

    /* straight up the inner norm is 0, and its derivatives are those of its limit along the diagonal */
    const bool is_up = !(norm[0] > least);
    const double middle = is_up ? least : norm[0];
    double slope[2] = {inner[0], inner[1]}, x = size[0], y = size[1];
    if (is_up) {
        x = y = least;
        const double own = two_norm(shape, 1, true, x, y, slope);
        x *= least / own;
        y *= least / own;
    }
    two_norm_bend(x, y, middle, q, shape->least[1], slope, in);
    two_norm_bend(middle, size[2], norm[1], p, shape->least[0], outer, out);
    const double steep = is_up ? fmax(outer[0], shape->least[0]) : outer[0];
    m[0][0] = out[0] * slope[0] * slope[0] + steep * in[0];
    m[1][1] = out[0] * slope[1] * slope[1] + steep * in[2];
    m[0][1] = is_up ? 0 : out[0] * slope[0] * slope[1] + steep * in[1];
    m[0][2] = is_up ? 0 : out[1] * slope[0];
    m[1][2] = is_up ? 0 : out[1] * slope[1];
    m[2][2] = out[2];
    m[1][0] = m[0][1];
    m[2][0] = m[0][2];
    m[2][1] = m[1][2];
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            bend[k][j] = m[k][j] * sign[k] * sign[j] * shape->radii[k] * shape->radii[j];
}

void scree_superquadric_highest(const scree_superquadric *shape, const double way[3],
                                double point[3], double bend[3][3])
{
    double size[3], sign[3], inner[2], outer[2], norm[2];

    if (shape->is_round) {
        highest_of_ellipsoid(shape, way, point, bend);
        return;
    }
    for (int k = 0; k < 3; k++) {
        size[k] = fabs(shape->radii[k] * way[k]);
        sign[k] = way[k] < 0 ? -1 : 1;
    }
    norm[0] = two_norm(shape, 1, true, size[0], size[1], inner);
    norm[1] = two_norm(shape, 0, true, norm[0], size[2], outer);
    point[0] = sign[0] * shape->radii[0] * outer[0] * inner[0];
    point[1] = sign[1] * shape->radii[1] * outer[0] * inner[1];
    point[2] = sign[2] * shape->radii[2] * outer[1];
    if (bend)
        bend_of(shape, size, sign, norm, inner, outer, bend);
}

void scree_superquadric_normal(const scree_superquadric *shape, const double point[3],
                               double normal[3])
{
    double size[3], sign[3], inner[2], outer[2];

    for (int k = 0; k < 3; k++) {
        size[k] = shape->radii[k] > 0 ? fabs(point[k] / shape->radii[k]) : 0;
        sign[k] = point[k] < 0 ? -1 : 1;
    }
    /* the gradient of the norm of which the body is the unit ball */
    const double across = two_norm(shape, 1, false, size[0], size[1], inner);
    two_norm(shape, 0, false, across, size[2], outer);
    normal[0] = sign[0] * outer[0] * inner[0] / shape->radii[0];
    normal[1] = sign[1] * outer[0] * inner[1] / shape->radii[1];
    normal[2] = shape->radii[2] > 0 ? sign[2] * outer[1] / shape->radii[2] : 0;
}
