/*  The sign of a determinant in doubles is right if it is larger than its error bound (Shewchuk 1997, bound A of
    orient3d); otherwise all products of three coordinates are added exactly. */
#include "shape/orient.h"

#include "base/exact_sum.h"

#include <math.h>

/*  (7 + 56 u) u with u = 2^-53, rounded up. */
#define SHARE_OF_ERROR 7.78e-16

/*  x y = *high + *low (Dekker 1971). */
static void multiply_exactly(double x, double y, double *high, double *low)
{
    double scaled_x = 0x1.0000002p27 * x, x1 = scaled_x - (scaled_x - x), x0 = x - x1;
    double scaled_y = 0x1.0000002p27 * y, y1 = scaled_y - (scaled_y - y), y0 = y - y1;

    *high = x * y;
    *low = ((x1 * y1 - *high) + x1 * y0 + x0 * y1) + x0 * y0;
}

static void add_product(scree_exact_sum *sum, double x, double y, double z, double sign)
{
    double part[2], high, low;

    multiply_exactly(x, y, &part[0], &part[1]);
    for (int k = 0; k < 2; k++) {
        multiply_exactly(part[k], z, &high, &low);
        scree_exact_add(sum, sign * high);
        scree_exact_add(sum, sign * low);
    }
}

static void add_determinant(scree_exact_sum *sum, const double a[3], const double b[3],
                            const double c[3], double sign)
{
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        add_product(sum, a[k], b[i], c[j], sign);
        add_product(sum, a[k], b[j], c[i], -sign);
    }
}

static int sign_of(double value)
{
    return (value > 0) - (value < 0);
}

int scree_orient(const double a[3], const double b[3], const double c[3], const double d[3])
{
    double u[3], v[3], w[3], sum = 0, size = 0;
    scree_exact_sum exact;

    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
        w[k] = d[k] - a[k];
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        sum += (u[i] * v[j] - u[j] * v[i]) * w[k];
        size += (fabs(u[i] * v[j]) + fabs(u[j] * v[i])) * fabs(w[k]);
    }
    if (fabs(sum) > SHARE_OF_ERROR * size)
        return sign_of(sum);
    scree_exact_clear(&exact);
    add_determinant(&exact, b, c, d, 1);
    add_determinant(&exact, a, c, d, -1);
    add_determinant(&exact, a, b, d, 1);
    add_determinant(&exact, a, b, c, -1);
    return sign_of(scree_exact_value(&exact));
}
