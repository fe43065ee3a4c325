/*  Restitution of a damped contact that never attracts.

    A linear spring and dashpot with damping ratio z < 1, its force clipped at 0, give ln e = -x (pi - 2 atan x), x = z
    / sqrt(1 - z^2). With w = 1 / x that is

        -ln e = 2 atan(w) / w,      z = 1 / sqrt(1 + w^2),

    from 0 down to ln e = -2, where damping is critical. Beyond, the solution continues with w = i t:

        -ln e = 2 atanh(t) / t,     z = 1 / sqrt(1 - t^2).

    The Hertzian spring K d^(3/2) with a dashpot c d^(1/4) is equivalent: with z = d^(5/4) as coordinate, m v dv/dz =
    -4/5 (c v + K z) is the linear contact's equation. Hence the factor sqrt(5/6): k = 3/2 K sqrt(d), and 4/5 c = 2
    ratio sqrt(4/5 K m). */
#include "base/portable_math.h"
#include "law/law_builtin.h"

#include <math.h>

#define PI 0x1.921fb54442d18p+1

/*  atanh t for 0 <= t < 1; by its series where the logarithm would cancel. The remainder is below 2^-55. */
static double inverse_tanh(double t)
{
    double t_sq = t * t, series = 0;
    if (t > 0.125)
        return 0.5 * scree_ln((1 + t) / (1 - t));
    for (int k = 17; k >= 3; k -= 2)
        series = (series + 1.0 / k) * t_sq;
    return t + t * series;
}

/*  Both equations are solved by Newton's method from above, which decreases monotonically to the solution until
    rounding stops it: 2 atan(w) - loss w is concave, and as atan w < pi / 2 the solution is below pi / loss; */
static double underdamped(double loss)
{
    double w = PI / loss, next = w;
    do {
        w = next;
        next = w + (2 * scree_atan(w) - loss * w) / (loss - 2 / (1 + w * w));
    } while (next > 0 && next < w);
    return 1 / sqrt(1 + w * w);
}

/*  2 atanh(t) - loss t is convex, and as t coth t > 1 the solution is below tanh(loss / 2). */
static double overdamped(double loss, double restitution)
{
    double t = (1 - restitution) / (1 + restitution), next = t;
    do {
        t = next;
        next = t - (2 * inverse_tanh(t) - loss * t) / (2 / (1 - t * t) - loss);
    } while (next > 0 && next < t);
    return 1 / sqrt(1 - t * t);
}

double scree_damping_ratio(double restitution)
{
    double loss = -scree_ln(restitution);
    if (!(loss > 0))
        return 0;
    return loss < 2 ? underdamped(loss) : overdamped(loss, restitution);
}
