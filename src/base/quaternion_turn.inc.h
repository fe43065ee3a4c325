/*  Rotation of vectors by unit quaternions w x y z, in plain C and plain OpenCL C. */

/*  v + 2 w (u x v) + 2 u x (u x v), where u is the vector part: exactly v for 1 0 0 0. `turned` may be v. */
static inline void scree_quaternion_turn(const double q[4], const double v[3], double turned[3])
{
    double x = 2.0 * (q[2] * v[2] - q[3] * v[1]);
    double y = 2.0 * (q[3] * v[0] - q[1] * v[2]);
    double z = 2.0 * (q[1] * v[1] - q[2] * v[0]);
    double a = v[0] + q[0] * x + (q[2] * z - q[3] * y);
    double b = v[1] + q[0] * y + (q[3] * x - q[1] * z);
    double c = v[2] + q[0] * z + (q[1] * y - q[2] * x);
    turned[0] = a;
    turned[1] = b;
    turned[2] = c;
}

/*  Rotates by the inverse. */
static inline void scree_quaternion_turn_back(const double q[4], const double v[3],
                                              double turned[3])
{
    const double back[4] = {q[0], -q[1], -q[2], -q[3]};
    scree_quaternion_turn(back, v, turned);
}
