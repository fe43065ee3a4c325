/*  Arc tangent in plain C and plain OpenCL C. */

/*  pi/2 in two parts. */
#define HALF_PI 0x1.921fb54442d18p+0
#define HALF_PI_LOW 0x1.1a62633145c07p-54

/*  atan x = pi/2 - atan 1/x, and twice atan x = 2 atan(x / (1 + sqrt(1 + x^2))), which leaves
    a <= tan(pi/16) < 0.2. The series ends with a^23/23; the rest is below 2^-57 of the sum. */
double scree_atan(double x)
{
    double a = fabs(x), a_sq, series = 0.0, result;
    bool is_turned = a > 1.0;
    int doublings = 0;

    if (x != x)
        return x;
    if (is_turned)
        a = 1.0 / a;
    for (; a > 0.2; doublings++)
        a = a / (1.0 + sqrt(1.0 + a * a));
    a_sq = a * a;
    for (int divisor = 23; divisor >= 3; divisor -= 2)
        series = ((divisor & 2 ? -1.0 : 1.0) / divisor + series) * a_sq;
    result = (a + a * series) * (1 << doublings);
    if (is_turned)
        result = HALF_PI - (result - HALF_PI_LOW);
    return copysign(result, x);
}
