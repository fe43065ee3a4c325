/*  Jacobi's method: rotates in one plane of axes after the other until the off-diagonal elements are rounding. */
#include "shape/axes.h"

#include "base/quaternion.h"

#include <string.h>

/*  One rotation in the plane of axes i and j, after which m[i][j] is 0 (Jacobi 1846); by 45 degrees at most. `q`
    rotates from the current axes to those of the tensor. */
static void turn_axes(double m[3][3], double q[4], int i, int j)
{
    double theta = (m[j][j] - m[i][i]) / (2 * m[i][j]);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c, by = t * m[i][j];
    int k = 3 - i - j;
    double mik = m[i][k], mjk = m[j][k], before[4], turn[4] = {sqrt(0.5 * (1 + c)), 0, 0, 0};
    m[i][i] -= by;
    m[j][j] += by;
    m[i][j] = m[j][i] = 0;
    m[i][k] = m[k][i] = c * mik - s * mjk;
    m[j][k] = m[k][j] = s * mik + c * mjk;
    /* axis i rotates towards minus j: half the angle, about k or against it */
    turn[1 + k] = (j == i + 1 ? -0.5 : 0.5) * s / turn[0];
    memcpy(before, q, sizeof before);
    scree_quaternion_multiply(before, turn, q);
}

/*  Sets elements below rounding to 0, so that a body with equal moments keeps its axes. */
void scree_principal_axes(const double inertia[3][3], double principal[3], double orientation[4])
{
    double m[3][3], q[4] = {1, 0, 0, 0};
    memcpy(m, inertia, sizeof m);
    double least = 1e-15 * (m[0][0] + m[1][1] + m[2][2]);
    for (int round = 0; round < 30; round++) {
        int i = fabs(m[0][1]) >= fabs(m[0][2]) ? 1 : 2, from = 0;
        if (fabs(m[1][2]) > fabs(m[0][i])) {
            from = 1;
            i = 2;
        }
        if (fabs(m[from][i]) <= least)
            break;
        turn_axes(m, q, from, i);
    }
    for (int k = 0; k < 3; k++)
        principal[k] = m[k][k];
    scree_quaternion_normalise(q);
    memcpy(orientation, q, sizeof q);
}
